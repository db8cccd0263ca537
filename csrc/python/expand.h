/* An input scattered over an array that holds zeros elsewhere: what gradients and padding with zeros are. */
#ifndef SSOP_PYTHON_EXPAND_H
#define SSOP_PYTHON_EXPAND_H

#include "module.h"

/* True for an array of plain bytes in C order, which one sweep can write. */
bool expand_is_possible(PyArrayObject *result);

/* result <- zero bytes, but `src` at `place`. The result shares no memory with src. -1 on error. */
int expand_into(PyArrayObject *result, const ssop_region *place, const ssop_view *src);

#endif /* SSOP_PYTHON_EXPAND_H */
