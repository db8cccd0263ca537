/* The frequent calls of ssop.xla.select and clamp, for ssop._elementwise: arrays that break no rule. They do not take
 * the path of the other operations (operation.h says why). */
#include "../memory.h"
#include "../methods.h"
#include "../private_view.h"
#include "../run.h"

/* An ndarray (of no subclass) of NumPy's bools, integers or real numbers, in the byte order of the machine. */
static bool
is_plain(PyObject *object)
{
    return PyArray_CheckExact(object) && PyArray_ISNOTSWAPPED((PyArrayObject *)object) &&
           (PyTypeNum_ISBOOL(PyArray_TYPE((PyArrayObject *)object)) ||
            PyTypeNum_ISINTEGER(PyArray_TYPE((PyArrayObject *)object)) ||
            PyTypeNum_ISFLOAT(PyArray_TYPE((PyArrayObject *)object)));
}

/* True if these arrays are contiguous, agree with each other, and have items that can be moved as bytes. A dtype that
 * is another object can be equal all the same, but comparing the two may run Python code. */
static bool
can_select(const private_view *pred, const private_view *on_true, const private_view *on_false)
{
    const ssop_shape shape = private_view_shape(on_true);
    bool contiguous = pred->c_order && on_true->c_order && on_false->c_order;
    bool same_dtype = on_true->dtype == on_false->dtype && private_view_moves_as_bytes(on_true);
    return contiguous && same_dtype && PyTypeNum_ISBOOL(pred->dtype->type_num) && shape.rank > 0 &&
           view_has_shape(&pred->view, shape) && view_has_shape(&on_false->view, shape);
}

static PyObject *
select_private(const private_view *pred, const private_view *on_true, const private_view *on_false)
{
    if (!can_select(pred, on_true, on_false)) {
        Py_RETURN_NONE;
    }
    PyArrayObject *made = memory_new_array(on_true->dtype, on_true->view.item_bytes, private_view_shape(on_true));
    if (made == NULL) {
        return NULL;
    }
    const ssop_hints hints = {.fresh_dst = memory_is_fresh(made)};
    ssop_selection selection = {.dst = PyArray_BYTES(made),
                                .pred = pred->view.data,
                                .on_true = on_true->view.data,
                                .on_false = on_false->view.data,
                                .count = PyArray_SIZE(made),
                                .item_bytes = on_true->view.item_bytes};
    if (!ssop_selection_begin(&selection, &hints)) {
        Py_DECREF(made);
        Py_RETURN_NONE;
    }
    if (run_selection(&selection) < 0) {
        Py_CLEAR(made);
    }
    return (PyObject *)made;
}

PyObject *
py_select_plain(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    bool arrays = positional == 3 && kwnames == NULL && PyArray_CheckExact(args[0]) && PyArray_CheckExact(args[1]) &&
                  PyArray_CheckExact(args[2]);
    if (!arrays) {
        Py_RETURN_NONE;
    }
    private_view own[3];
    for (int i = 0; i < 3; i++) {
        private_view_read(&own[i], (PyArrayObject *)Py_NewRef(args[i]));
    }
    PyObject *result = select_private(&own[0], &own[1], &own[2]);
    for (int i = 0; i < 3; i++) {
        private_view_clear(&own[i]);
    }
    return result;
}

static bool
are_plain(PyObject *const *args, Py_ssize_t count, PyObject *kwnames)
{
    return count == 3 && kwnames == NULL && is_plain(args[0]) && is_plain(args[1]) && is_plain(args[2]);
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
    if (!are_plain(args, positional, kwnames)) {
        Py_RETURN_NONE;
    }
    PyArrayObject *min = (PyArrayObject *)args[0], *operand = (PyArrayObject *)args[1], *max = (PyArrayObject *)args[2];
    private_view own;
    private_view_read(&own, (PyArrayObject *)Py_NewRef(operand));
    PyArrayObject *result = memory_new_array(own.dtype, own.view.item_bytes, private_view_shape(&own));
    private_view_clear(&own);
    if (result == NULL) {
        return NULL;
    }
    /* Allocating may have run other code, which may have changed every array. All checks come after it, and they and
     * NumPy's function are one step, in which no other code runs. */
    bool legal = are_plain(args, positional, kwnames) && !PyArray_ISBOOL(result) && is_bound(operand, result) &&
                 PyArray_NDIM(operand) == PyArray_NDIM(result) && is_bound(min, result) && is_bound(max, result);
    PyObject *same = legal ? PyArray_Clip(operand, args[0], args[2], result) : Py_NewRef(Py_None);
    Py_DECREF(result);
    return same;
}
