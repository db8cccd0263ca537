/* The memory of new results. */
#ifndef SSOP_PYTHON_MEMORY_H
#define SSOP_PYTHON_MEMORY_H

#include "module.h"

/* A new C-ordered base array; steals no reference. Where it is large, its dtype is plain bytes and nobody has put an
 * allocator of his own in the place of NumPy's, its memory is a block of the runtime (mem_s1). */
PyArrayObject *memory_new_array(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims);

/* True for arrays whose pages may not be there yet: those in a block that was never written, and those in other memory that
 * were `made` just now. */
bool memory_is_fresh(PyArrayObject *array, bool made);

/* The array comes from a caller, who has written it. */
void memory_set_warm(PyArrayObject *array);

#endif /* SSOP_PYTHON_MEMORY_H */
