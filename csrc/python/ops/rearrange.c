/* ssop.xla.rev, transpose, broadcast and broadcast_in_dim; and what they would give without data. */
#include "../args.h"
#include "../region_op.h"

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

/* ---- rev --------------------------------------------------------------------------------------------------------- */

static int
read_reversed(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "dimensions", found[1], SSOP_MAX_AXES_READ, arguments);
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
SSOP_INFERENCE_OF(infer_xla_rev, rev, args_list)

/* ---- transpose --------------------------------------------------------------------------------------------------- */

static int
read_permutation(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "permutation", found[1], SSOP_MAX_AXES_READ, arguments);
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

/* ---- broadcast --------------------------------------------------------------------------------------------------- */

static int
read_sizes(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "sizes", found[1], SSOP_MAX_AXES_READ, arguments);
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

/* ---- broadcast_in_dim -------------------------------------------------------------------------------------------- */

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
             : args_read_list(call, "broadcast_dimensions", found[2], SSOP_MAX_AXES_READ, &into->dimensions);
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
