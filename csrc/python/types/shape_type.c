/* The PartialShape type: how it is constructed, its parts, how it is written, and that it is a sequence. Immutable. */
#include "shape_type.h"

#include "../hidden.h"
#include "../parse.h"
#include "dim.h"
#include "docstrings.h"
#include "partial_shape.h"
#include "shape_methods.h"

static void
shape_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static bool
rank_is_known(PyObject *self)
{
    return ((shape_object *)self)->rank != SSOP_UNKNOWN_RANK;
}

static PyObject *
shape_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const parameter_list parameters = {PARAMETERS(ARG_DIMS)};
    const call_context call = {.state = (module_state *)PyType_GetModuleState(type), .op = "PartialShape"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_construction(&call, &parameters, args, kwargs, found) < 0) {
        return NULL;
    }
    PyObject *result = partial_shape_from(&call, "dims", found[0] != NULL ? found[0] : Py_None);
    parse_release(&parameters, found);
    return result;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static PyObject *
value_of_axis(const void *self, int32_t axis)
{
    return dim_value(((const shape_object *)self)->dim[axis]);
}

static PyObject *
interval_of_axis(const void *self, int32_t axis)
{
    return dim_interval(((const shape_object *)self)->dim[axis]);
}

static PyObject *
argument_of_axis(const void *self, int32_t axis)
{
    const shape_object *shape = self;
    return dim_argument(partial_shape_state((PyObject *)shape), shape->dim[axis]);
}

static PyObject *
text_of_axis(const void *self, int32_t axis)
{
    const shape_object *shape = self;
    return dim_text(partial_shape_state((PyObject *)shape), shape->dim[axis]);
}

static PyObject *
formula_of_axis(const void *self, int32_t axis)
{
    const shape_object *shape = self;
    return dim_formula(partial_shape_state((PyObject *)shape), shape->dim[axis]);
}

/* Something of every dim: a tuple, or None for an unknown rank. */
static PyObject *
tuple_of(PyObject *self, PyObject *(*part)(const void *self, int32_t axis))
{
    return rank_is_known(self) ? hidden_tuple_of(((shape_object *)self)->rank, self, part) : Py_NewRef(Py_None);
}

static PyObject *
get_rank(PyObject *self, void *Py_UNUSED(closure))
{
    return rank_is_known(self) ? PyLong_FromLong(((shape_object *)self)->rank) : Py_NewRef(Py_None);
}

static PyObject *
get_dims(PyObject *self, void *Py_UNUSED(closure))
{
    return tuple_of(self, value_of_axis);
}

static PyObject *
get_intervals(PyObject *self, void *Py_UNUSED(closure))
{
    return tuple_of(self, interval_of_axis);
}

static PyObject *
get_formulas(PyObject *self, void *Py_UNUSED(closure))
{
    return tuple_of(self, formula_of_axis);
}

static PyObject *
get_is_fully_known(PyObject *object, void *Py_UNUSED(closure))
{
    const shape_object *self = (shape_object *)object;
    bool known = rank_is_known(object);
    for (int32_t axis = 0; axis < self->rank; axis++) {
        known = known && ssop_dim_is_known(self->dim[axis]);
    }
    return PyBool_FromLong(known);
}

static PyObject *
get_id(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(partial_shape_id(self));
}

static PyObject *
shape_repr(PyObject *self)
{
    PyObject *dims = tuple_of(self, argument_of_axis), *list = NULL, *text = NULL;
    if (dims != NULL) {
        list = dims == Py_None ? Py_NewRef(Py_None) : PySequence_List(dims);
        Py_DECREF(dims);
    }
    if (list != NULL) {
        text = PyUnicode_FromFormat("PartialShape(%R)", list);
        Py_DECREF(list);
    }
    return text;
}

static PyObject *
shape_str(PyObject *self)
{
    if (!rank_is_known(self)) {
        return PyUnicode_FromString("?");
    }
    PyObject *texts = tuple_of(self, text_of_axis), *comma = PyUnicode_FromString(","), *joined = NULL, *text = NULL;
    if (texts != NULL && comma != NULL) {
        joined = PyUnicode_Join(comma, texts);
    }
    if (joined != NULL) {
        text = PyUnicode_FromFormat("[%U]", joined);
    }
    Py_XDECREF(joined);
    Py_XDECREF(comma);
    Py_XDECREF(texts);
    return text;
}

static Py_hash_t
shape_hash(PyObject *self)
{
    PyObject *intervals = tuple_of(self, interval_of_axis);
    Py_hash_t hash = intervals != NULL ? PyObject_Hash(intervals) : -1;
    Py_XDECREF(intervals);
    return hash;
}

static PyObject *
shape_compare(PyObject *left, PyObject *right, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(right, Py_TYPE(left))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    module_state *state = partial_shape_state(left);
    const shape_object *a = (shape_object *)left, *b = (shape_object *)right;
    bool equal = a->rank == b->rank;
    for (int32_t axis = 0; equal && axis < a->rank; axis++) {
        equal = dim_is_equal(state, a->dim[axis], b->dim[axis]);
    }
    return PyBool_FromLong(equal == (op == Py_EQ));
}

/* ---- as a sequence ----------------------------------------------------------------------------------------------- */

static Py_ssize_t
shape_length(PyObject *self)
{
    if (!rank_is_known(self)) {
        PyErr_SetString(PyExc_ValueError, "a shape of unknown rank has no length");
        return -1;
    }
    return Py_SIZE(self);
}

static PyObject *
shape_item(PyObject *self, Py_ssize_t axis)
{
    Py_ssize_t rank = shape_length(self);
    if (rank < 0) {
        return NULL;
    }
    if (axis < 0 || axis >= rank) {
        PyErr_SetString(PyExc_IndexError, "axis out of range");
        return NULL;
    }
    return dim_value(((shape_object *)self)->dim[axis]);
}

static PyObject *
shape_iterator(PyObject *self)
{
    PyObject *dims = shape_length(self) >= 0 ? get_dims(self, NULL) : NULL;
    PyObject *iterator = dims != NULL ? PyObject_GetIter(dims) : NULL;
    Py_XDECREF(dims);
    return iterator;
}

/* Bounds outside are clamped, as for tuples. All dims in order are the shape itself. */
static PyObject *
slice_of_dims(PyObject *object, PyObject *slice)
{
    const shape_object *self = (shape_object *)object;
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) {
        return NULL;
    }
    module_state *state = partial_shape_state(object);
    if (!rank_is_known(object)) {
        return (PyObject *)partial_shape_alloc(state, state_new_identity(state), SSOP_UNKNOWN_RANK);
    }
    Py_ssize_t count = PySlice_AdjustIndices(self->rank, &start, &stop, step);
    if (count == self->rank && (step == 1 || count <= 1)) {
        return Py_NewRef(object);
    }
    shape_object *part = partial_shape_alloc(state, state_new_identity(state), (int32_t)count);
    for (Py_ssize_t i = 0; part != NULL && i < count; i++) {
        part->dim[i] = self->dim[start + i * step];
    }
    return (PyObject *)part;
}

static PyObject *
shape_subscript(PyObject *self, PyObject *index)
{
    if (PySlice_Check(index)) {
        return slice_of_dims(self, index);
    }
    if (!PyIndex_Check(index)) {
        return PyErr_Format(PyExc_TypeError, "indices of a PartialShape are integers or slices, not %.80s",
                            Py_TYPE(index)->tp_name);
    }
    Py_ssize_t axis = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (axis == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return rank_is_known(self) ? shape_item(self, axis < 0 ? axis + Py_SIZE(self) : axis) : Py_NewRef(Py_None);
}

static PyGetSetDef shape_getset[] = {
    {"rank", get_rank, NULL, DOC_PartialShape_rank, NULL},
    {"dims", get_dims, NULL, DOC_PartialShape_dims, NULL},
    {"intervals", get_intervals, NULL, DOC_PartialShape_intervals, NULL},
    {"formulas", get_formulas, NULL, DOC_PartialShape_formulas, NULL},
    {"is_fully_known", get_is_fully_known, NULL, DOC_PartialShape_is_fully_known, NULL},
    {"id", get_id, NULL, DOC_PartialShape_id, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot shape_slots[] = {
    {Py_tp_doc, "PartialShape" DOC_PartialShape},
    {Py_tp_new, shape_construct},
    {Py_tp_dealloc, shape_dealloc},
    {Py_tp_repr, shape_repr},
    {Py_tp_str, shape_str},
    {Py_tp_hash, shape_hash},
    {Py_tp_richcompare, shape_compare},
    {Py_tp_iter, shape_iterator},
    {Py_tp_methods, ssop_shape_methods},
    {Py_tp_getset, shape_getset},
    {Py_sq_length, shape_length},
    {Py_sq_item, shape_item},
    {Py_mp_length, shape_length},
    {Py_mp_subscript, shape_subscript},
    {0, NULL},
};

PyType_Spec ssop_shape_spec = {
    .name = "ssop.shapes.PartialShape",
    .basicsize = sizeof(shape_object),
    .itemsize = sizeof(ssop_dim),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = shape_slots,
};
