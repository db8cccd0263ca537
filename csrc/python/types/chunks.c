/* The Chunks type: an iterator over the chunks of a grid that have elements of a region. */
#include "chunks.h"

#include "../args.h"
#include "../errors.h"
#include "../shared.h"
#include "docstrings.h"

typedef struct {
    PyObject_HEAD region_object *region; /* immutable: what it holds stays valid */
    int64_t *ends[SSOP_MAX_RANK];        /* of chunks with sizes of their own */
    ssop_chunk_axis grid[SSOP_MAX_RANK];
    ssop_chunk_walk walk;
    bool has_chunk; /* the present chunk is the next item; it and the walk change under the object's lock */
} chunks_object;

static void
chunks_dealloc(PyObject *self)
{
    chunks_object *chunks = (chunks_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        PyMem_Free(chunks->ends[axis]);
    }
    Py_DECREF(chunks->region);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* The sizes of the chunks along one axis: `length` of them, or fewer if the sequence shrinks while it is read. */
static int
read_sizes(const call_context *call, chunks_object *chunks, int32_t axis, PyObject *sizes, Py_ssize_t length)
{
    char name[24]; /* as many as any int needs */
    int64_t *ends = chunks->ends[axis] = PyMem_New(int64_t, (size_t)length);
    if (ends == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    snprintf(name, sizeof name, "grid[%d]", (int)axis);
    Py_ssize_t now = args_read_vector(call, name, sizes, ends, length);
    if (now < 0) {
        return -1;
    }
    ssop_error error;
    int64_t count = now < length ? now : length;
    if (ssop_chunk_ends(axis, chunks->region->dims[axis], count, ends, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    chunks->grid[axis] = (ssop_chunk_axis){.count = count, .end = ends};
    return 0;
}

static int
read_axis(const call_context *call, chunks_object *chunks, int32_t axis, PyObject *object)
{
    Py_ssize_t length = args_length(object);
    if (length >= 0) {
        return read_sizes(call, chunks, axis, object, length);
    }
    return PyErr_Occurred() ? -1 : args_read_entry(call, "grid", axis, object, &chunks->grid[axis].size);
}

static int
read_grid(const call_context *call, chunks_object *chunks, PyObject *grid)
{
    ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
    Py_ssize_t rank = args_length(grid);
    if (rank < 0) {
        if (!PyErr_Occurred()) {
            errors_raise_type(call, &error, "grid", grid, "chunk sizes");
        }
        return -1;
    }
    int32_t in_rank = chunks->region->region.in_rank, counted = rank < INT32_MAX ? (int32_t)rank : INT32_MAX;
    for (int32_t axis = 0; counted == in_rank && axis < in_rank; axis++) {
        PyObject *object = PySequence_GetItem(grid, axis);
        int result = object != NULL ? read_axis(call, chunks, axis, object) : -1;
        Py_XDECREF(object);
        if (result < 0) {
            return -1;
        }
    }
    if (ssop_chunk_grid_check(counted, chunks->grid, in_rank, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

PyObject *
chunks_new(const call_context *call, const region_object *region, PyObject *grid)
{
    chunks_object *chunks = PyObject_New(chunks_object, call->state->chunks_type);
    if (chunks == NULL) {
        return NULL;
    }
    chunks->region = (region_object *)Py_NewRef((PyObject *)region);
    memset(chunks->ends, 0, sizeof chunks->ends);
    memset(chunks->grid, 0, sizeof chunks->grid);
    chunks->walk = (ssop_chunk_walk){.region = &region->region, .dims = region->dims, .grid = chunks->grid};
    if (read_grid(call, chunks, grid) < 0) {
        Py_DECREF(chunks);
        return NULL;
    }
    chunks->has_chunk = ssop_chunks_first(&chunks->walk);
    return (PyObject *)chunks;
}

/* What an item of the iterator says. */
typedef struct {
    ssop_region of_chunk, of_result;
    int64_t index[SSOP_MAX_RANK], dims[SSOP_MAX_RANK];
} chunk_item;

/* Writes the present chunk and goes on to the next one; false after the last one. */
static bool
take_chunk(chunks_object *chunks, chunk_item *item)
{
    if (!chunks->has_chunk) {
        return false;
    }
    ssop_chunks_regions(&chunks->walk, &item->of_chunk, &item->of_result);
    for (int32_t axis = 0; axis < chunks->region->region.in_rank; axis++) {
        const ssop_chunk_part *part = &chunks->walk.part[axis];
        item->index[axis] = part->index;
        item->dims[axis] = part->high - part->low;
    }
    chunks->has_chunk = ssop_chunks_next(&chunks->walk);
    return true;
}

/* The walk goes on before the items are made: making them may start the garbage collector, whose callbacks may ask for
 * the next chunk. */
static PyObject *
chunks_next(PyObject *self)
{
    chunk_item item;
    shared_lock lock;
    shared_lock_take(&lock, self);
    const bool some = take_chunk((chunks_object *)self, &item);
    shared_lock_release(&lock);
    if (!some) {
        return NULL;
    }
    int64_t result_dims[SSOP_MAX_RANK];
    const ssop_region *region = &((chunks_object *)self)->region->region;
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        result_dims[axis] = ssop_region_dim(region, axis);
    }
    module_state *state = (module_state *)PyType_GetModuleState(Py_TYPE(self));
    PyObject *parts[3] = {args_tuple(region->in_rank, item.index), region_new(state, &item.of_chunk, item.dims),
                          region_new(state, &item.of_result, result_dims)};
    return args_pack_three(parts);
}

/* How many chunks there are along an axis; -1 with an exception if a signal's handler raised. */
static int64_t
count_along(const ssop_chunk_walk *walk, int32_t axis)
{
    enum { BETWEEN_POLLS = 1 << 14 }; /* not measured; chosen because so many chunks take less than a millisecond */
    const int64_t elements = walk->region->range[axis].count;
    int64_t along = 0;
    for (int64_t first = 0; first < elements;) {
        along += ssop_chunks_along(walk, axis, BETWEEN_POLLS, &first);
        if (first < elements && PyErr_CheckSignals() < 0) {
            return -1;
        }
    }
    return along;
}

/* The product of the numbers along the axes, which may be past int64. */
static PyObject *
get_total(PyObject *self, void *Py_UNUSED(closure))
{
    const ssop_chunk_walk *walk = &((chunks_object *)self)->walk;
    PyObject *total = PyLong_FromLong(ssop_region_is_empty(walk->region) ? 0 : 1);
    for (int32_t axis = 0; total != NULL && axis < walk->region->in_rank; axis++) {
        const int64_t count = count_along(walk, axis);
        PyObject *along = count >= 0 ? PyLong_FromLongLong(count) : NULL;
        Py_SETREF(total, along != NULL ? PyNumber_Multiply(total, along) : NULL);
        Py_XDECREF(along);
    }
    return total;
}

static PyGetSetDef chunks_getset[] = {
    {"total", get_total, NULL, DOC_Chunks_total, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot chunks_slots[] = {
    {Py_tp_doc, DOC_Chunks},       {Py_tp_dealloc, chunks_dealloc}, {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, chunks_next}, {Py_tp_getset, chunks_getset},   {0, NULL},
};

PyType_Spec ssop_chunks_spec = {
    .name = "ssop._core.Chunks",
    .basicsize = sizeof(chunks_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = chunks_slots,
};
