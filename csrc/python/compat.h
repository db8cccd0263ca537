/* First include of every binding file: Python, NumPy, ssop, and what differs between their versions. */
#ifndef SSOP_PYTHON_COMPAT_H
#define SSOP_PYTHON_COMPAT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL ssop_numpy_api
#ifndef SSOP_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include "../include/ssop/ssop.h"

#if PY_VERSION_HEX < 0x030A0000
#error "ssop needs Python 3.10 or newer"
#endif

/* For the second half of a function whose first half runs user code: its large buffers stay off the stack meanwhile. */
#if defined(__GNUC__)
#define SSOP_NOINLINE __attribute__((noinline))
#else
#define SSOP_NOINLINE
#endif

/* For functions that only failing calls use: the compiler places them away from the code of the other calls. */
#if defined(__GNUC__)
#define SSOP_COLD __attribute__((cold))
#else
#define SSOP_COLD
#endif

/* The function and the flags of a row of PyMethodDef. */
#define COMPAT_FASTCALL(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

/* The value of a small exact int without a call; false for large ones. */
static inline bool
compat_compact_long(PyObject *object, int64_t *value)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)object)) {
        return false;
    }
    *value = PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    Py_ssize_t size = Py_SIZE(object);
    if (size < -1 || size > 1) {
        return false;
    }
    *value = size * (int64_t)((PyLongObject *)object)->ob_digit[0]; /* zero has a zero digit */
#endif
    return true;
}

#if NPY_MAXDIMS != 64
#error "ssop expects NumPy's 64 axes"
#endif

#endif /* SSOP_PYTHON_COMPAT_H */
