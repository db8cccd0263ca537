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

#endif /* SSOP_PYTHON_DTYPES_H */
