/* ssop.copy and ssop.copyto: the copy engine alone. */
#include "args.h"
#include "ndarray.h"

PyObject *
py_copy(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {"copy", 2, 1, 1, {ARG_A, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = "copy"};
    PyObject *found[MAX_ARGUMENTS];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    PyArrayObject *array = ndarray_operand(found[0]);
    if (array == NULL) {
        return NULL;
    }
    PyObject *result = ndarray_take_whole(&call, array, found[1]);
    Py_DECREF(array);
    return result;
}

const char py_copy_doc[] =
    "copy($module, /, a, *, out=None)\n"
    "--\n\n"
    "A new C-ordered copy of any strided array.\n\n"
    "Parameters\n"
    "----------\n"
    "a : array_like, any shape, dtype and layout\n"
    "out : numpy.ndarray of the same shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (out_*) in SPEC.md.\n\n"
    "Source: numpy.copy with order='C'.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.copy(np.arange(6).reshape(2, 3).T)\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

PyObject *
py_copyto(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {"copyto", 2, 2, 2, {ARG_DST, ARG_SRC}};
    call_context call = {.state = state_of(module), .op = "copyto", .out_name = "dst"};
    PyObject *found[MAX_ARGUMENTS];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[1])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    PyArrayObject *src = PyArray_Check(found[0])
                           ? ndarray_value(&call, found[1], (PyArrayObject *)found[0], SSOP_OUT_C3)
                           : ndarray_operand(found[1]); /* found[0] is refused below */
    if (src == NULL) {
        return NULL;
    }
    PyObject *result = ndarray_take_whole(&call, src, found[0]);
    Py_DECREF(src);
    if (result == NULL) {
        return NULL;
    }
    Py_DECREF(result);
    Py_RETURN_NONE;
}

const char py_copyto_doc[] =
    "copyto($module, /, dst, src)\n"
    "--\n\n"
    "Copies all of one array into another of the same shape, whatever their layouts.\n\n"
    "Parameters\n"
    "----------\n"
    "dst : numpy.ndarray, writeable, any layout\n"
    "src : array_like of the same shape\n"
    "    An array must have the same dtype; scalars and lists are converted.\n"
    "    Where it overlaps dst, it is copied first.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (out_*) in SPEC.md.\n\n"
    "Source: numpy.copyto without casting and broadcasting.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> a = np.arange(5)\n"
    ">>> ssop.copyto(a[1:], a[:-1])\n"
    ">>> a\n"
    "array([0, 0, 1, 2, 3])\n";
