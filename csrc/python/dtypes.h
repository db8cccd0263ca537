/* What the binding asks of dtypes. */
#ifndef SSOP_PYTHON_DTYPES_H
#define SSOP_PYTHON_DTYPES_H

#include "compat.h"

/* True for dtypes whose items can be moved as bytes. Items that hold references, or that point into a store of their
 * own as NumPy's variable-width strings do, are NumPy's to move. */
static inline bool
dtype_moves_as_bytes(PyArray_Descr *dtype)
{
    return !PyDataType_REFCHK(dtype) && dtype->type_num != NPY_VSTRING;
}

/* 0 if items of `dtype` still lie in memory as those of `as`, a private copy that was made when the dtype was read; the
 * names of fields may differ. RuntimeError and -1 if not: numpy.dtype.__setstate__ changes sizes and fields. May run
 * Python code. */
int dtype_check_layout(PyArray_Descr *dtype, PyArray_Descr *as);

#endif /* SSOP_PYTHON_DTYPES_H */
