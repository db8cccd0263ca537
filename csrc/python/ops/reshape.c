/* ssop.xla.reshape and collapse; and the shapes they would give. */
#include "../args.h"
#include "../docs.h"
#include "../take.h"

enum { MAX_DIMENSIONS = SSOP_MAX_RANK + 1 }; /* as many as the core looks at */

/* ---- reshape -------------------------------------------------------------------------------------------------------- */

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
             : args_read_optional_list(call, "dimensions", found[2], MAX_DIMENSIONS, &into->permutation);
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

const char py_xla_reshape_doc[] =
    "reshape($module, /, operand, new_sizes, dimensions=None, *, out=None)\n--\n\n"
    "XLA's Reshape: the same elements in another shape, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "new_sizes : sequence of integers >= 0, with as many elements; -1 has no meaning\n"
    "dimensions : sequence of integers, every axis 0 .. rank-1 once, optional\n"
    "    The operand is transposed by it first; without it the elements keep their\n"
    "    C order, whatever the operand's memory looks like.\n"
    "out : numpy.ndarray of shape new_sizes and the same dtype, any layout, optional\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of shape new_sizes and the same dtype; or `out`.\n\n" DOC_RAISES
    "rs_*, tr_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; `dimensions` as until February 2025.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.reshape(np.arange(6).reshape(2, 3), [3, 2], [1, 0])\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

/* ---- collapse ------------------------------------------------------------------------------------------------------- */

static int
read_collapse(const call_context *call, PyObject *const *found, void *arguments)
{
    return args_read_list(call, "dimensions", found[1], MAX_DIMENSIONS, arguments);
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

const char py_xla_collapse_doc[] =
    "collapse($module, /, operand, dimensions, *, out=None)\n--\n\n"
    "XLA's Collapse: neighbouring axes become one, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "dimensions : sequence of integers, consecutive ascending axes, 0 <= axis < rank\n"
    "    None or one of them leaves the shape as it is. A list of axes, as in XLA; not\n"
    "    JAX's start and stop.\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "col_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and its builder.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.collapse(np.zeros((4, 2, 3)), [0, 1]).shape\n"
    "(8, 3)\n";
