/* The PartialShape type: a shape that may be known in part only. Immutable. Its methods are in shape_methods.c. */
#include "partial_shape.h"

#include "../args.h"
#include "../errors.h"
#include "../intervals.h"
#include "dim.h"
#include "docstrings.h"

/* Has room for its own dims only: a whole ssop_partial_shape has 1.5 KiB. */
typedef struct {
    PyObject_VAR_HEAD int64_t id;
    int32_t rank;
    ssop_dim dim[];
} shape_object;

module_state *
partial_shape_state(PyObject *self)
{
    return (module_state *)PyType_GetModuleState(Py_TYPE(self));
}

int64_t
partial_shape_id(PyObject *self)
{
    return ((shape_object *)self)->id;
}

static bool
rank_is_known(PyObject *self)
{
    return ((shape_object *)self)->rank != SSOP_UNKNOWN_RANK;
}

/* With space for `rank` dims, which the caller fills. */
static shape_object *
new_object(module_state *state, int64_t id, int32_t rank)
{
    shape_object *self = PyObject_NewVar(shape_object, state->shape_type, rank > 0 ? rank : 0);
    if (self != NULL) {
        self->id = id;
        self->rank = rank;
    }
    return self;
}

PyObject *
partial_shape_new(module_state *state, const ssop_partial_shape *shape)
{
    shape_object *self = new_object(state, shape->id, shape->rank);
    if (self != NULL) {
        memcpy(self->dim, shape->dim, (size_t)Py_SIZE(self) * sizeof *shape->dim);
    }
    return (PyObject *)self;
}

PyObject *
partial_shape_result(module_state *state, const ssop_partial_shape *shape, PyObject *const candidates[2])
{
    for (int i = 0; i < 2; i++) {
        if (candidates[i] != NULL && partial_shape_id(candidates[i]) == shape->id) {
            return Py_NewRef(candidates[i]);
        }
    }
    return partial_shape_new(state, shape);
}

void
partial_shape_get(PyObject *object, ssop_partial_shape *shape)
{
    const shape_object *self = (shape_object *)object;
    shape->id = self->id;
    shape->rank = self->rank;
    memcpy(shape->dim, self->dim, (size_t)Py_SIZE(self) * sizeof *shape->dim);
}

static void
shape_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

enum { SHAPE_TEXT_BYTES = SSOP_MAX_RANK * 43 + 4 }; /* two int64 for each dim, and what is between them */

PyObject *
partial_shape_raise(const call_context *call, const ssop_error *error, const ssop_partial_shape *a,
                    const ssop_partial_shape *b)
{
    char text[2][SHAPE_TEXT_BYTES];
    ssop_shape_text(a, text[0], sizeof text[0]);
    ssop_shape_text(b, text[1], sizeof text[1]);
    return errors_raise_texts(call, error, NULL, (const char *const[]){text[0], text[1]});
}

/* ---- construction --------------------------------------------------------------------------------------------------- */

static PyObject *
raise_rank(const call_context *call, Py_ssize_t rank)
{
    const ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = rank, .high = SSOP_MAX_RANK};
    return errors_raise(call, &error, NULL);
}

/* An exact list or tuple of small ints, None and Dims, which nearly all are: no code runs. NULL without an exception if it
 * has other items. */
static PyObject *
shape_of_plain_items(const call_context *call, PyObject *sequence)
{
    Py_ssize_t rank = PySequence_Fast_GET_SIZE(sequence);
    if (rank > SSOP_MAX_RANK) {
        return raise_rank(call, rank);
    }
    shape_object *self = new_object(call->state, ++call->state->inference.last_id, (int32_t)rank);
    PyObject *const *items = PySequence_Fast_ITEMS(sequence);
    for (Py_ssize_t i = 0; self != NULL && i < rank; i++) {
        if (!dim_read_plain(call->state, items[i], &self->dim[i])) {
            Py_CLEAR(self);
        }
    }
    return (PyObject *)self;
}

static int
put_dim(const call_context *call, const char *name, Py_ssize_t entry, PyObject *item, const args_sink *sink)
{
    return dim_read(call, name, entry, item, (ssop_dim *)sink->into + entry);
}

/* Any other vector. Its dims are not on the stack while code of its items runs. */
static PyObject *
shape_of_items(const call_context *call, const char *name, PyObject *vector)
{
    ssop_partial_shape *shape = PyMem_Malloc(sizeof *shape);
    if (shape == NULL) {
        return PyErr_NoMemory();
    }
    const args_sink sink = {put_dim, shape->dim, SSOP_MAX_RANK};
    Py_ssize_t rank = args_read_items(call, name, vector, 0, &sink);
    PyObject *result = NULL;
    if (rank > SSOP_MAX_RANK) {
        raise_rank(call, rank);
    }
    else if (rank >= 0) {
        shape->id = ++call->state->inference.last_id;
        shape->rank = (int32_t)rank;
        result = partial_shape_new(call->state, shape);
    }
    PyMem_Free(shape);
    return result;
}

PyObject *
partial_shape_from(const call_context *call, const char *name, PyObject *object)
{
    if (Py_IS_TYPE(object, call->state->shape_type)) {
        return Py_NewRef(object);
    }
    if (object == Py_None) {
        return (PyObject *)new_object(call->state, ++call->state->inference.last_id, SSOP_UNKNOWN_RANK);
    }
    if (args_is_fast(object)) {
        PyObject *shape = shape_of_plain_items(call, object);
        if (shape != NULL || PyErr_Occurred()) {
            return shape;
        }
    }
    if (!args_is_vector(object)) {
        const ssop_error error = {.rule = SSOP_SH_C23, .axis = -1, .entry = -1};
        return errors_raise_type(call, &error, name, object, NULL);
    }
    return shape_of_items(call, name, object);
}

static PyObject *
shape_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dims", NULL};
    const call_context call = {.state = (module_state *)PyType_GetModuleState(type), .op = "PartialShape"};
    PyObject *dims = Py_None;
    return PyArg_ParseTupleAndKeywords(args, kwargs, "|O:PartialShape", names, &dims)
             ? partial_shape_from(&call, "dims", dims)
             : NULL;
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

/* Something of every dim: a tuple, or None for an unknown rank. */
static PyObject *
tuple_of(PyObject *object, PyObject *(*part)(ssop_dim dim))
{
    const shape_object *self = (shape_object *)object;
    if (!rank_is_known(object)) {
        Py_RETURN_NONE;
    }
    PyObject *tuple = PyTuple_New(self->rank);
    for (int32_t axis = 0; tuple != NULL && axis < self->rank; axis++) {
        PyObject *item = part(self->dim[axis]);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, axis, item);
    }
    return tuple;
}

static PyObject *
get_rank(PyObject *self, void *Py_UNUSED(closure))
{
    return rank_is_known(self) ? PyLong_FromLong(((shape_object *)self)->rank) : Py_NewRef(Py_None);
}

static PyObject *
get_dims(PyObject *self, void *Py_UNUSED(closure))
{
    return tuple_of(self, dim_value);
}

static PyObject *
get_intervals(PyObject *self, void *Py_UNUSED(closure))
{
    return tuple_of(self, dim_interval);
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
    PyObject *dims = tuple_of(self, dim_argument), *list = NULL, *text = NULL;
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
    ssop_partial_shape shape;
    char text[SHAPE_TEXT_BYTES];
    partial_shape_get(self, &shape);
    ssop_shape_text(&shape, text, sizeof text);
    return PyUnicode_FromString(text);
}

static Py_hash_t
shape_hash(PyObject *self)
{
    PyObject *intervals = tuple_of(self, dim_interval);
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
    const shape_object *a = (shape_object *)left, *b = (shape_object *)right;
    bool equal = a->rank == b->rank;
    for (int32_t axis = 0; equal && axis < a->rank; axis++) {
        equal = dim_is_equal(a->dim[axis], b->dim[axis]);
    }
    return PyBool_FromLong(equal == (op == Py_EQ));
}

/* ---- copies and pickles --------------------------------------------------------------------------------------------- */

/* The Dim of `axis`: that of an earlier axis in `tuple` if both are the same number. Pickles write an object once, so that
 * these dims are still the same number when they are read. */
static PyObject *
shared_dim(const shape_object *self, module_state *state, int32_t axis, PyObject *tuple)
{
    const ssop_dim dim = self->dim[axis];
    for (int32_t before = 0; before < axis && dim.id != 0; before++) {
        if (self->dim[before].id == dim.id) {
            return Py_NewRef(PyTuple_GET_ITEM(tuple, before));
        }
    }
    return dim.id == 0 ? dim_value(dim) : dim_new(state, dim);
}

PyObject *
partial_shape_reduce(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    const shape_object *self = (shape_object *)object;
    PyObject *type = (PyObject *)Py_TYPE(object);
    if (!rank_is_known(object)) {
        return Py_BuildValue("(O(O))", type, Py_None);
    }
    PyObject *tuple = PyTuple_New(self->rank);
    for (int32_t axis = 0; tuple != NULL && axis < self->rank; axis++) {
        PyObject *item = shared_dim(self, partial_shape_state(object), axis, tuple);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, axis, item);
    }
    return tuple != NULL ? Py_BuildValue("(O(N))", type, tuple) : NULL;
}

PyObject *
partial_shape_copy(PyObject *self, PyObject *Py_UNUSED(memo))
{
    return Py_NewRef(self); /* immutable, and the dims of a copy would be other numbers */
}

/* ---- as a sequence -------------------------------------------------------------------------------------------------- */

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
        return (PyObject *)new_object(state, ++state->inference.last_id, SSOP_UNKNOWN_RANK);
    }
    Py_ssize_t count = PySlice_AdjustIndices(self->rank, &start, &stop, step);
    if (count == self->rank && (step == 1 || count <= 1)) {
        return Py_NewRef(object);
    }
    shape_object *part = new_object(state, ++state->inference.last_id, (int32_t)count);
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
