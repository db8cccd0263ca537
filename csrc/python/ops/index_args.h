/* A NumPy index as a sparse spec. */
#ifndef SSOP_PYTHON_INDEX_ARGS_H
#define SSOP_PYTHON_INDEX_ARGS_H

#include "spec_args.h"

/* Reads an index, one item or a tuple of them, as TensorFlow's Python front end encodes it (ix_s1): begin, end, strides
 * and masks, which are not checked yet. Runs Python code; raises and returns -1 on error (ix_c1, in_c1, in_c2). */
int index_args_read(const call_context *call, PyObject *index, spec_parts *parts);

#endif /* SSOP_PYTHON_INDEX_ARGS_H */
