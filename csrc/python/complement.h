/* Copies of the complement of a window: where something else is written to the window afterwards, as in updates and padding. */
#ifndef SSOP_PYTHON_COMPLEMENT_H
#define SSOP_PYTHON_COMPLEMENT_H

#include "module.h"

/* All of `array`, in a new array or `out`; the items at `window`, which the caller writes next, may be any. New
 * reference. */
PyObject *complement_take(const call_context *call, PyArrayObject *array, const ssop_region *window, PyObject *out);

/* The same between views of two arrays that share no memory; the views were checked (mem_c1). -1 on error. */
int complement_move(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view,
                    const ssop_region *window);

#endif /* SSOP_PYTHON_COMPLEMENT_H */
