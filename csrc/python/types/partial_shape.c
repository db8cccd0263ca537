/* PartialShape objects: out of Python objects, and out of results of the core. */
#include "partial_shape.h"

#include "../args.h"
#include "../errors.h"
#include "../intervals.h"
#include "../shared.h"
#include "dim.h"

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

shape_object *
partial_shape_alloc(module_state *state, int64_t id, int32_t rank)
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
    shape_object *self = partial_shape_alloc(state, shape->id, shape->rank);
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

PyObject *
partial_shape_raise(const call_context *call, const ssop_error *error, const ssop_partial_shape *a,
                    const ssop_partial_shape *b)
{
    char text[2][PARTIAL_SHAPE_TEXT_BYTES];
    ssop_shape_text(a, text[0], sizeof text[0]);
    ssop_shape_text(b, text[1], sizeof text[1]);
    return errors_raise_texts(call, error, NULL, (const char *const[]){text[0], text[1]});
}

/* ---- construction ------------------------------------------------------------------------------------------------ */

static PyObject *
raise_rank(const call_context *call, Py_ssize_t rank)
{
    const ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = rank, .high = SSOP_MAX_RANK};
    return errors_raise(call, &error, NULL);
}

/* An exact list or tuple of small ints, None and Dims, which nearly all are: no code runs. NULL without an exception if
 * it has other items. */
static PyObject *
shape_of_plain_items(const call_context *call, PyObject *sequence)
{
    shape_object *self = NULL;
    shared_lock lock;
    shared_lock_take(&lock, sequence);
    Py_ssize_t rank = PySequence_Fast_GET_SIZE(sequence);
    if (rank <= SSOP_MAX_RANK) {
        self = partial_shape_alloc(call->state, state_new_identity(call->state), (int32_t)rank);
    }
    PyObject *const *items = PySequence_Fast_ITEMS(sequence);
    for (Py_ssize_t i = 0; self != NULL && i < rank; i++) {
        if (!dim_read_plain(call->state, items[i], &self->dim[i])) {
            Py_CLEAR(self);
        }
    }
    shared_lock_release(&lock);
    return rank <= SSOP_MAX_RANK ? (PyObject *)self : raise_rank(call, rank);
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
        shape->id = state_new_identity(call->state);
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
        return (PyObject *)partial_shape_alloc(call->state, state_new_identity(call->state), SSOP_UNKNOWN_RANK);
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
