/* The memory of new results. */
#ifndef SSOP_PYTHON_MEMORY_H
#define SSOP_PYTHON_MEMORY_H

#include "dtypes.h"

/* A new C-ordered base array of this shape, with arbitrary bytes or null references in it; steals no reference. Its
 * items have `item_bytes`, which were read from the dtype. RuntimeError if it has got another item size since then, as
 * numpy.dtype.__setstate__ can give it. The memory is a block of the runtime (mem_s1) if it has 64 KiB or more of items
 * that can be moved as bytes. If the user has set an allocator other than NumPy's own, the memory is that allocator's.
 */
PyArrayObject *memory_new_array(PyArray_Descr *dtype, int64_t item_bytes, ssop_shape shape);

/* True if pages of a new array may not be there yet: those of a block that was never written, and other new memory. */
bool memory_is_fresh(PyArrayObject *made);

/* A caller's array is a destination: it has been written before. `data` and `bytes` are what was read of it. */
void memory_set_warm(PyArrayObject *array, char *data, int64_t bytes);

#endif /* SSOP_PYTHON_MEMORY_H */
