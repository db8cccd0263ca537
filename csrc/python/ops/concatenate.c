/* ssop.xla.concatenate; and the shape it would give. Its operands are a sequence, so that it does not take the path of
 * the operations on one or two arrays, but the same steps in the same order. */
#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../foreign.h"
#include "../hidden.h"
#include "../nested_lists.h"
#include "../operand_list.h"
#include "../parse.h"
#include "../result.h"
#include "../run.h"

/* ---- operands in ------------------------------------------------------------------------------------------------- */

enum {
    /* Lists and tuples may hold any number of operands, which exist already. Other sequences make their items when they
     * are asked for them, so the length that one reports could cost any amount of memory. Not measured; chosen because
     * it is more than any real call has. */
    MAX_MADE_OPERANDS = 1 << 16,
};

static PyObject *
raise_no_sequence(const call_context *call, PyObject *operands)
{
    ssop_error error = {.rule = SSOP_CAT_C7, .axis = -1, .entry = -1};
    return errors_raise_type(call, &error, "operands", operands, NULL);
}

/* Whether the handler of a signal raised an error. Signals are polled at every 16th operand only, because a poll takes
 * longer than the rest of the work for a small array (record signal-polls). A long copy polls by itself (run.c). */
static bool
is_interrupted(Py_ssize_t operand)
{
    enum { POLL_OPERANDS = 16 };
    return operand % POLL_OPERANDS == POLL_OPERANDS - 1 && PyErr_CheckSignals() < 0;
}

/* As many items as the sequence says it has at first. Runs Python code. */
static PyObject *
read_sequence(const call_context *call, PyObject *operands)
{
    Py_ssize_t count = args_length(operands);
    if (count < 0) {
        return PyErr_Occurred() ? NULL : raise_no_sequence(call, operands);
    }
    if (count > MAX_MADE_OPERANDS) {
        ssop_error error = {.rule = SSOP_CAT_C8, .axis = -1, .entry = -1, .value = count, .high = MAX_MADE_OPERANDS};
        return errors_raise(call, &error, NULL);
    }
    PyObject *tuple = hidden_tuple(count);
    for (Py_ssize_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *item = is_interrupted(i) ? NULL : PySequence_GetItem(operands, i);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

/* The new tuple may start the garbage collector, whose finalizers may shorten the list. PyList_AsTuple crashes then,
 * since it looks for the items before it makes the tuple (Python 3.11). */
static PyObject *
read_list(PyObject *list)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    PyObject *tuple = PyTuple_New(count);
    if (tuple == NULL) {
        return NULL;
    }
    Py_ssize_t left = PyList_GET_SIZE(list) < count ? PyList_GET_SIZE(list) : count;
    for (Py_ssize_t i = 0; i < left; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(PyList_GET_ITEM(list, i)));
    }
    if (left < count) {
        (void)_PyTuple_Resize(&tuple, left); /* NULL on error */
    }
    return tuple;
}

/* The operands as a tuple of whatever they are (cat_c7, cat_c8). Runs Python code. */
static PyObject *
read_operands(const call_context *call, PyObject *operands)
{
    if (PyTuple_CheckExact(operands)) {
        return Py_NewRef(operands);
    }
    if (PyList_CheckExact(operands)) {
        return read_list(operands);
    }
    return read_sequence(call, operands);
}

static bool
are_ours(PyObject *operands)
{
    bool ours = true;
    for (Py_ssize_t i = 0; ours && i < PyTuple_GET_SIZE(operands); i++) {
        ours = foreign_is_ours(PyTuple_GET_ITEM(operands, i));
    }
    return ours;
}

static int
convert_and_store(const call_context *call, PyObject *operand, operand_list *operands, Py_ssize_t entry)
{
    if (is_interrupted(entry)) {
        return -1;
    }
    PyObject *array = nested_lists_to_array(operand);
    if (array == NULL) {
        return -1;
    }
    private_view own;
    private_view_read(&own, (PyArrayObject *)array);
    if (check_addressable(call, &own) < 0) {
        private_view_clear(&own);
        return -1;
    }
    return operand_list_store(operands, entry, &own);
}

/* Each operand is read as soon as it is converted, and the next conversion, which may run Python code, cannot change
 * what was read. The caller ends the list, on error too. */
static int
read_private(const call_context *call, PyObject *given, operand_list *operands)
{
    int status = operand_list_begin(operands, PyTuple_GET_SIZE(given));
    for (Py_ssize_t i = 0; status == 0 && i < operands->count; i++) {
        status = convert_and_store(call, PyTuple_GET_ITEM(given, i), operands, i);
    }
    return status;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* `like` is the first operand. Between the ranks and the dims, as XLA does, the dtypes are compared. */
static int
add_shape(const call_context *call, const private_view *operand, Py_ssize_t entry, const private_view *like,
          ssop_concatenation *joined)
{
    ssop_error error = {.rule = SSOP_CAT_C4, .axis = -1, .entry = (int32_t)entry};
    if (operand->view.rank == joined->rank && check_dtype(call, operand, "operand", like->dtype, &error) < 0) {
        return -1;
    }
    if (ssop_concatenate_add(joined, (int32_t)entry, private_view_shape(operand), NULL, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

static int
join_shapes(const call_context *call, const operand_list *operands, int64_t dimension, const private_view *like,
            ssop_concatenation *joined)
{
    ssop_error error;
    if (ssop_concatenate_begin(joined, operands->count, dimension, private_view_shape(like), &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < operands->count; i++) {
        private_view operand;
        operand_list_load(operands, i, &operand);
        status = is_interrupted(i) ? -1 : add_shape(call, &operand, i, like, joined);
    }
    return status;
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Operands that share memory with the result are copied before anything is written (out_s2). */
static int
save_all(const result_array *result, operand_list *operands)
{
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < operands->count; i++) {
        private_view operand;
        operand_list_load(operands, i, &operand);
        status = is_interrupted(i) ? -1 : result_save(result, &operand);
        (void)operand_list_store(operands, i, &operand); /* the same one, or its copy: there is memory for it */
    }
    return status;
}

/* Fills in `slot`, which describes all of the result, for the operand that begins at `place` on the axis. An empty one
 * has no address: the stride of an axis of one element may be any number. */
static void
set_slot(ssop_view *slot, const ssop_view *whole, int32_t axis, int64_t place, int64_t dim)
{
    slot->dim[axis] = dim;
    slot->data = dim > 0 ? whole->data + place * whole->stride[axis] : whole->data;
}

/* One operand after the other along the axis. */
static int
place_each(const result_array *result, const operand_list *operands, int32_t axis)
{
    const ssop_view *whole = &result->to->view;
    ssop_view slot = *whole;
    int64_t place = 0;
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < operands->count; i++) {
        private_view operand;
        operand_list_load(operands, i, &operand);
        set_slot(&slot, whole, axis, place, operand.view.dim[axis]);
        status = is_interrupted(i) ? -1 : result_move(result, &slot, &operand, &operand.view);
        place += slot.dim[axis];
    }
    return status;
}

/* Sets the list of what is copied: an operand that has no item is not in it. */
static void
list_parts(const ssop_view *whole, const operand_list *operands, ssop_parts *parts, ssop_part *list)
{
    const int32_t axis = parts->across;
    int64_t place = 0;
    parts->part = list;
    parts->count = 0;
    for (Py_ssize_t i = 0; i < operands->count; i++) {
        private_view operand;
        operand_list_load(operands, i, &operand);
        ssop_part *part = &list[parts->count];
        *part = (ssop_part){.dst = *whole, .src = operand.view};
        set_slot(&part->dst, whole, axis, place, operand.view.dim[axis]);
        place += part->dst.dim[axis];
        parts->count += part->dst.dim[axis] > 0 ? 1 : 0;
    }
}

/* All operands, block by block, where that pays. */
static int
place_in_blocks(const result_array *result, const operand_list *operands, ssop_parts *parts)
{
    ssop_part *list = PyMem_Malloc((size_t)operands->count * sizeof *list);
    if (list == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    list_parts(&result->to->view, operands, parts, list);
    int status = ssop_parts_pay(parts) ? run_parts(parts) : place_each(result, operands, parts->across);
    PyMem_Free(list);
    return status;
}

/* Copies all operands. Where rows of several operands share cache lines of the result, it copies them block by block: a
 * block of each operand in turn. Then the shared lines are still in the cache when the next operand writes to them. */
static int
place_all(result_array *result, const operand_list *operands, int32_t axis)
{
    enum { MAX_PARTS = 256 }; /* not measured; chosen because the list of so many takes half a MiB */
    ssop_parts parts = {.count = (int32_t)(operands->count <= MAX_PARTS ? operands->count : 0), .across = axis};
    result_in_parts(result);
    if (result->hints.whole_bytes == 0) { /* the strides of an empty array may be any numbers: no slot has an address */
        return 0;
    }
    const bool in_blocks = axis > 0 && parts.count > 1 && result_begin_parts(result, axis - 1, &parts);
    return in_blocks ? place_in_blocks(result, operands, &parts) : place_each(result, operands, axis);
}

/* Not inlined, so that these large buffers are not on the stack while operands are converted. */
static SSOP_NOINLINE PyObject *
join(const call_context *call, operand_list *operands, int64_t dimension, PyObject *out_object)
{
    private_view first = {.array = NULL}; /* of rank 0, if there is no operand */
    private_out out;
    ssop_concatenation joined;
    result_array result;
    PyObject *object = NULL;
    private_out_read(&out, out_object);
    if (operands->count > 0) {
        operand_list_load(operands, 0, &first);
    }
    if (join_shapes(call, operands, dimension, &first, &joined) == 0 &&
        result_begin(call, &first, (ssop_shape){joined.rank, joined.dim}, &out, RESULT_IN_STEPS, &result) == 0) {
        int status = out.object != NULL ? save_all(&result, operands) : 0; /* a new array shares no memory */
        object = result_end(&result, status < 0 ? -1 : place_all(&result, operands, joined.axis));
    }
    private_view_clear(&out.own);
    return object;
}

PyObject *
py_xla_concatenate(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OPERANDS, ARG_DIMENSION, ARG_OUT), .required = 2,
                                              .keyword_only = 1};
    const call_context call = {.state = state_of(module), .op = "xla.concatenate", .out_name = "out"};
    PyObject *found[MAX_PARAMETERS], *result = NULL;
    int64_t dimension;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *operands = read_operands(&call, found[0]);
    if (operands == NULL) {
        return NULL;
    }
    if (!are_ours(operands) || foreign_is_destination(found[2])) {
        /* The operands as they were read, so that nobody reads the sequence again. */
        PyObject *const given[] = {operands, found[1], found[2] != NULL ? found[2] : Py_None};
        result = foreign_call(&call, given, 3, NULL);
    }
    else if (args_read_integer(&call, "dimension", found[1], &dimension) == 0) {
        operand_list privates;
        result = read_private(&call, operands, &privates) == 0 ? join(&call, &privates, dimension, found[2]) : NULL;
        operand_list_end(&privates);
    }
    Py_DECREF(operands);
    return result;
}

/* ---- without data ------------------------------------------------------------------------------------------------ */

static PyObject *
join_given_shapes(const call_context *call, PyObject *shapes, int64_t dimension)
{
    ssop_concatenation joined;
    ssop_error error;
    int64_t dims[SSOP_MAX_RANK] = {0};
    Py_ssize_t count = PyTuple_GET_SIZE(shapes);
    for (Py_ssize_t i = 0; i == 0 || i < count; i++) {
        const ssop_shape shape = {count > 0 ? args_read_shape(call, "shapes", PyTuple_GET_ITEM(shapes, i), dims) : 0,
                                  dims};
        if (shape.rank < 0) {
            return NULL;
        }
        if ((i == 0 && ssop_concatenate_begin(&joined, count, dimension, shape, &error) != SSOP_OK) ||
            ssop_concatenate_add(&joined, (int32_t)i, shape, NULL, &error) != SSOP_OK) {
            return errors_raise(call, &error, NULL);
        }
    }
    return args_tuple(joined.rank, joined.dim);
}

PyObject *
py_xla_concatenate_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_SHAPES, ARG_DIMENSION), .required = 2};
    const call_context call = {.state = state_of(module), .op = "xla.concatenate"};
    PyObject *found[MAX_PARAMETERS], *result = NULL;
    int64_t dimension;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *shapes = read_operands(&call, found[0]);
    if (shapes != NULL && args_read_integer(&call, "dimension", found[1], &dimension) == 0) {
        result = join_given_shapes(&call, shapes, dimension);
    }
    Py_XDECREF(shapes);
    return result;
}
