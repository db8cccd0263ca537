/* The frequent calls of ssop.xla.select and clamp, for ssop._elementwise: plain arrays that break no rule. The checks
 * here and NumPy's function are one step, in which no other code runs. */
#include "../memory.h"
#include "../methods.h"
#include "../private_view.h"

/* An ndarray (of no subclass) of NumPy's bools, integers or real numbers, in the byte order of the machine. */
static bool
is_plain(PyObject *object)
{
    return PyArray_CheckExact(object) && PyArray_ISNOTSWAPPED((PyArrayObject *)object) &&
           (PyTypeNum_ISBOOL(PyArray_TYPE((PyArrayObject *)object)) ||
            PyTypeNum_ISINTEGER(PyArray_TYPE((PyArrayObject *)object)) ||
            PyTypeNum_ISFLOAT(PyArray_TYPE((PyArrayObject *)object)));
}

static bool
are_plain(PyObject *const *args, Py_ssize_t count, PyObject *kwnames)
{
    return count >= 3 && kwnames == NULL && is_plain(args[0]) && is_plain(args[1]) && is_plain(args[2]);
}

PyObject *
py_select_plain(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (!are_plain(args, positional, kwnames) || positional != 4) {
        Py_RETURN_NONE;
    }
    PyArrayObject *pred = (PyArrayObject *)args[0], *on_true = (PyArrayObject *)args[1],
                  *on_false = (PyArrayObject *)args[2];
    Py_ssize_t max_size = PyLong_AsSsize_t(args[3]);
    if (max_size == -1 && PyErr_Occurred()) {
        return NULL;
    }
    bool legal = PyArray_ISBOOL(pred) && PyArray_TYPE(on_true) == PyArray_TYPE(on_false) && PyArray_NDIM(pred) > 0 &&
                 PyArray_SAMESHAPE(on_true, on_false) && PyArray_SAMESHAPE(pred, on_true);
    bool c_order =
        PyArray_IS_C_CONTIGUOUS(pred) && PyArray_IS_C_CONTIGUOUS(on_true) && PyArray_IS_C_CONTIGUOUS(on_false);
    if (!legal || !c_order || PyArray_SIZE(pred) > max_size) {
        Py_RETURN_NONE;
    }
    return PyArray_Where(args[0], args[1], args[2]);
}

/* True if `bound` is one number or one for each element. */
static bool
is_bound(PyArrayObject *bound, PyArrayObject *operand)
{
    return PyArray_TYPE(bound) == PyArray_TYPE(operand) &&
           (PyArray_NDIM(bound) == 0 || PyArray_SAMESHAPE(bound, operand));
}

PyObject *
py_clamp_plain(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (positional != 3 || !are_plain(args, positional, kwnames)) {
        Py_RETURN_NONE;
    }
    PyArrayObject *min = (PyArrayObject *)args[0], *operand = (PyArrayObject *)args[1], *max = (PyArrayObject *)args[2];
    private_view own;
    private_view_read(&own, (PyArrayObject *)Py_NewRef(operand));
    PyArrayObject *result = memory_new_array(own.dtype, private_view_shape(&own));
    private_view_clear(&own);
    if (result == NULL) {
        return NULL;
    }
    /* Allocating may have run other code, which may have changed every array. All checks come after it. */
    bool legal = are_plain(args, positional, kwnames) && !PyArray_ISBOOL(result) && is_bound(operand, result) &&
                 PyArray_NDIM(operand) == PyArray_NDIM(result) && is_bound(min, result) && is_bound(max, result);
    PyObject *same = legal ? PyArray_Clip(operand, args[0], args[2], result) : Py_NewRef(Py_None);
    Py_DECREF(result);
    return same;
}
