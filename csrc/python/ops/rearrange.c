/* ssop.xla.rev, transpose, broadcast and broadcast_in_dim; and what they would give without data. */
#include "../args.h"
#include "../docs.h"
#include "../take.h"

enum { MAX_DIMENSIONS = SSOP_MAX_RANK + 1 }; /* as many as the core looks at */

/* For a result that has the shape in which the operand is seen. */
static ssop_status
with_shape_of(const ssop_view *seen, ssop_status status, result_shape *shape)
{
    if (status == SSOP_OK) {
        shape->rank = seen->rank;
        memcpy(shape->dim, seen->dim, (size_t)seen->rank * sizeof *seen->dim);
    }
    return status;
}

/* ---- rev ------------------------------------------------------------------------------------------------------------ */

static int
read_reversed(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "dimensions", found[1], MAX_DIMENSIONS, arguments);
}

static ssop_status
resolve_reversed(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const args_list *list = arguments;
    return ssop_reverse_resolve(list->count, list->value, shape, region, error);
}

static const operation rev = {
    .name = "xla.rev",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_DIMENSIONS, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_reversed,
    .family = &region_family,
    .resolve.region = resolve_reversed,
};

SSOP_METHODS_OF(xla_rev, xla_rev_region, rev, args_list)

const char py_xla_rev_doc[] =
    "rev($module, /, operand, dimensions, *, out=None)\n--\n\n"
    "XLA's Rev: the elements in reverse order along some axes, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "dimensions : sequence of integers, each an axis, 0 <= axis < rank, none twice\n"
    "out : numpy.ndarray of the operand's shape and dtype, any layout, optional\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of the operand's shape and dtype; or `out`.\n\n" DOC_RAISES
    "rev_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `reverse`.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.rev(np.arange(6).reshape(2, 3), [1])\n"
    "array([[2, 1, 0],\n"
    "       [5, 4, 3]])\n";

/* ---- transpose ------------------------------------------------------------------------------------------------------ */

static int
read_permutation(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "permutation", found[1], MAX_DIMENSIONS, arguments);
}

static ssop_status
resolve_transposed(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                   ssop_error *error)
{
    const args_list *list = arguments;
    return with_shape_of(seen, ssop_transpose_view(list->count, list->value, operand, seen, error), shape);
}

static const operation transpose = {
    .name = "xla.transpose",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_PERMUTATION, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_permutation,
    .family = &view_family,
    .resolve.view = resolve_transposed,
};

SSOP_METHODS_OF(xla_transpose, xla_transpose_shape, transpose, args_list)

const char py_xla_transpose_doc[] =
    "transpose($module, /, operand, permutation, *, out=None)\n--\n\n"
    "XLA's Transpose: the axes in another order, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "permutation : sequence of integers, every axis 0 .. rank-1 once\n"
    "    Axis i of the result is axis permutation[i] of the operand.\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "tr_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `transpose`.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.transpose(np.arange(6).reshape(2, 3), [1, 0])\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

/* ---- broadcast ------------------------------------------------------------------------------------------------------ */

static int
read_sizes(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "sizes", found[1], MAX_DIMENSIONS, arguments);
}

static ssop_status
resolve_broadcast(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                  ssop_error *error)
{
    const args_list *list = arguments;
    return with_shape_of(seen, ssop_broadcast_view(list->count, list->value, operand, seen, error), shape);
}

static const operation broadcast = {
    .name = "xla.broadcast",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_SIZES, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_sizes,
    .family = &view_family,
    .resolve.view = resolve_broadcast,
};

SSOP_METHODS_OF(xla_broadcast, xla_broadcast_shape, broadcast, args_list)

const char py_xla_broadcast_doc[] =
    "broadcast($module, /, operand, sizes, *, out=None)\n--\n\n"
    "XLA's Broadcast: the operand repeated along new leading axes, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "sizes : sequence of integers >= 0, the lengths of the new axes\n" DOC_OUT DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of shape sizes + operand.shape; or `out`.\n\n" DOC_RAISES
    "bc_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.broadcast(np.array([1, 2, 3]), [2])\n"
    "array([[1, 2, 3],\n"
    "       [1, 2, 3]])\n";

/* ---- broadcast_in_dim ----------------------------------------------------------------------------------------------- */

typedef struct {
    result_shape shape;
    args_list dimensions;
} in_dim_arguments;

static int
read_in_dim(const call_context *call, PyObject *const *found, void *arguments)
{
    in_dim_arguments *into = arguments;
    into->shape.rank = args_read_shape(call, "shape", found[1], into->shape.dim);
    return into->shape.rank < 0
             ? -1
             : args_read_list(call, "broadcast_dimensions", found[2], MAX_DIMENSIONS, &into->dimensions);
}

static ssop_status
resolve_in_dim(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape, ssop_error *error)
{
    const in_dim_arguments *given = arguments;
    *shape = given->shape;
    return ssop_broadcast_in_dim_view((ssop_shape){shape->rank, shape->dim}, given->dimensions.count,
                                      given->dimensions.value, operand, seen, error);
}

static const operation broadcast_in_dim = {
    .name = "xla.broadcast_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_SHAPE, ARG_BROADCAST_DIMENSIONS, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .shape_name = ARG_IN_SHAPE,
    .read = read_in_dim,
    .family = &view_family,
    .resolve.view = resolve_in_dim,
};

SSOP_METHODS_OF(xla_broadcast_in_dim, xla_broadcast_in_dim_shape, broadcast_in_dim, in_dim_arguments)

const char py_xla_broadcast_in_dim_doc[] =
    "broadcast_in_dim($module, /, operand, shape, broadcast_dimensions, *, out=None)\n--\n\n"
    "XLA's BroadcastInDim: each axis at a place of its own in the result, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "shape : sequence of integers >= 0, the shape of the result\n"
    "broadcast_dimensions : sequence of integers, one per axis of the operand\n"
    "    Axis k of the operand becomes axis broadcast_dimensions[k] of the result,\n"
    "    which is as long, or repeats an axis of length 1. None twice; an order that\n"
    "    does not increase transposes.\n" DOC_OUT DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of shape `shape` and the same dtype; or `out`.\n\n" DOC_RAISES
    "bid_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `broadcast_in_dim`.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.broadcast_in_dim(np.array([1, 2]), [2, 3], [0])\n"
    "array([[1, 1, 1],\n"
    "       [2, 2, 2]])\n";
