/* ssop.xla.reshape and collapse; and the shapes they would give. */
#include "../args.h"
#include "../region_op.h"

/* ---- reshape ----------------------------------------------------------------------------------------------------- */

typedef struct {
    result_shape shape;
    args_list permutation;
} reshape_arguments;

static int
read_reshape(const call_context *call, PyObject *const *found, void *arguments)
{
    reshape_arguments *into = arguments;
    into->shape.rank = args_read_shape(call, "new_sizes", found[1], into->shape.dim);
    return into->shape.rank < 0
             ? -1
             : args_read_optional_list(call, "dimensions", found[2], SSOP_MAX_AXES_READ, &into->permutation);
}

static ssop_status
resolve_reshape(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                ssop_error *error)
{
    const reshape_arguments *given = arguments;
    const ssop_reshape_spec spec = {.shape = {given->shape.rank, given->shape.dim},
                                    .permutation = given->permutation.list,
                                    .permutation_count = given->permutation.count};
    *shape = given->shape;
    return ssop_reshape_view(&spec, operand, seen, error);
}

static const operation reshape = {
    .name = "xla.reshape",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_NEW_SIZES, ARG_DIMENSIONS, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_reshape,
    .family = &view_family,
    .resolve.view = resolve_reshape,
};

SSOP_METHODS_OF(xla_reshape, xla_reshape_shape, reshape, reshape_arguments)

/* ---- collapse ---------------------------------------------------------------------------------------------------- */

static int
read_collapse(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "dimensions", found[1], SSOP_MAX_AXES_READ, arguments);
}

static ssop_status
resolve_collapse(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                 ssop_error *error)
{
    const args_list *given = arguments;
    *seen = *operand;
    return ssop_collapse_dims(given->count, given->value, (ssop_shape){operand->rank, operand->dim}, &shape->rank,
                              shape->dim, error);
}

static const operation collapse = {
    .name = "xla.collapse",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_DIMENSIONS, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_collapse,
    .family = &view_family,
    .resolve.view = resolve_collapse,
};

SSOP_METHODS_OF(xla_collapse, xla_collapse_shape, collapse, args_list)
