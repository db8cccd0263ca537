/* ssop.xla.reshape and collapse; and the shapes they would give. */
#include "../args.h"
#include "../docs.h"
#include "../take.h"

enum { MAX_DIMENSIONS = SSOP_MAX_RANK + 1 }; /* as many as the core looks at */

/* ---- reshape -------------------------------------------------------------------------------------------------------- */

typedef struct {
    result_shape shape;
    int64_t permutation[MAX_DIMENSIONS];
    ssop_reshape_spec spec;
} reshape_arguments;

static int
read_reshape(const call_context *call, PyObject *const *found, void *arguments)
{
    reshape_arguments *into = arguments;
    into->shape.rank = args_read_shape(call, "new_sizes", found[1], into->shape.dim);
    if (into->shape.rank < 0) {
        return -1;
    }
    into->spec = (ssop_reshape_spec){.shape = {into->shape.rank, into->shape.dim}};
    if (is_given(found[2])) {
        into->spec.permutation = into->permutation;
        into->spec.permutation_count =
            args_read_vector(call, "dimensions", found[2], into->permutation, MAX_DIMENSIONS);
    }
    return into->spec.permutation_count < 0 ? -1 : 0;
}

static ssop_status
resolve_reshape(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                ssop_error *error)
{
    const reshape_arguments *given = arguments;
    *shape = given->shape;
    return ssop_reshape_view(&given->spec, operand, seen, error);
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

typedef struct {
    Py_ssize_t count;
    int64_t dimension[MAX_DIMENSIONS];
} collapse_arguments;

static int
read_collapse(const call_context *call, PyObject *const *found, void *arguments)
{
    collapse_arguments *into = arguments;
    into->count = args_read_vector(call, "dimensions", found[1], into->dimension, MAX_DIMENSIONS);
    return into->count < 0 ? -1 : 0;
}

static ssop_status
resolve_collapse(const void *arguments, const ssop_view *operand, ssop_view *seen, result_shape *shape,
                 ssop_error *error)
{
    const collapse_arguments *given = arguments;
    *seen = *operand;
    return ssop_collapse_dims(given->count, given->dimension, (ssop_shape){operand->rank, operand->dim}, &shape->rank,
                              shape->dim, error);
}

static const operation collapse = {
    .name = "xla.collapse",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_DIMENSIONS, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_collapse,
    .family = &view_family,
    .resolve.view = resolve_collapse,
};

SSOP_METHODS_OF(xla_collapse, xla_collapse_shape, collapse, collapse_arguments)

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
