/* ssop.xla.concatenate; and the shape it would give. */
#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../operand_list.h"
#include "../operation.h"
#include "../result.h"
#include "../run.h"

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
        status = operand_list_is_interrupted(i) ? -1 : add_shape(call, &operand, i, like, joined);
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
        status = operand_list_is_interrupted(i) ? -1 : result_save(result, &operand);
        operand_list_replace(operands, i, &operand); /* the same one, or its copy */
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
        status = operand_list_is_interrupted(i) ? -1 : result_move(result, &slot, &operand, &operand.view);
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
    const bool in_blocks = parts.count > 1 && result_begin_parts(result, &parts);
    return in_blocks ? place_in_blocks(result, operands, &parts) : place_each(result, operands, axis);
}

static PyObject *
run_concatenate(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    operand_list *operands = arrays->operands;
    ssop_concatenation joined;
    result_array result;
    if (join_shapes(call, operands, *(const int64_t *)arguments, &arrays->operand, &joined) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){joined.rank, joined.dim}, &arrays->out, RESULT_IN_STEPS,
                     &result) < 0) {
        return NULL;
    }
    int status = arrays->out.object != NULL ? save_all(&result, operands) : 0; /* a new array shares no memory */
    return result_end(&result, status < 0 ? -1 : place_all(&result, operands, joined.axis));
}

/* ---- the operation ----------------------------------------------------------------------------------------------- */

static int
read_dimension(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_integer(call, "dimension", found[1], arguments);
}

static const operation_family concatenate_family = {.run = run_concatenate};

static const operation concatenate = {
    .name = "xla.concatenate",
    .parameters = {PARAMETERS(ARG_OPERANDS, ARG_DIMENSION, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_dimension,
    .family = &concatenate_family,
};

SSOP_METHOD_OF_SEQUENCE(xla_concatenate, concatenate, int64_t)

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
    PyObject *shapes = operand_list_items(&call, found[0]);
    if (shapes != NULL && read_dimension(&call, found, &dimension) == 0) {
        result = join_given_shapes(&call, shapes, dimension);
    }
    Py_XDECREF(shapes);
    return result;
}
