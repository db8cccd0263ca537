/* ssop.slice, and its region without data. */
#include "../args.h"
#include "../docs.h"
#include "../take.h"

typedef struct {
    args_list start, limit, stride;
} slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    slice_arguments *into = arguments;
    return args_read_list(call, "start_indices", found[1], SSOP_MAX_RANK, &into->start) < 0 ||
                   args_read_list(call, "limit_indices", found[2], SSOP_MAX_RANK, &into->limit) < 0
             ? -1
             : args_read_optional_list(call, "strides", found[3], SSOP_MAX_RANK, &into->stride);
}

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const slice_arguments *given = arguments;
    const ssop_slice_spec spec = {given->start.count, given->limit.count, given->stride.count,
                                  given->start.list,  given->limit.list,  given->stride.list};
    return ssop_slice_resolve(&spec, shape, region, error);
}

static const operation slice = {
    .name = "slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDICES, ARG_LIMIT_INDICES, ARG_STRIDES, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .read = read_arguments,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

SSOP_METHODS_OF(slice, slice_region, slice, slice_arguments)

const char py_slice_doc[] =
    "slice($module, /, operand, start_indices, limit_indices, strides=None, *,\n"
    "      out=None)\n--\n\n"
    "XLA's Slice: explicit bounds per axis, checked and never adjusted, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "start_indices, limit_indices : sequences of one integer per axis, in elements\n"
    "    0 <= start <= limit <= dim.\n"
    "strides : sequence of one positive integer per axis, in elements, optional\n" DOC_OUT DOC_NEW_OR_OUT
    " Axis k has length\n"
    "    ceil((limit - start) / stride).\n\n" DOC_RAISES
    "sl_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and shape inference; StableHLO "
    "`slice`.\n\n" DOC_EXAMPLES
    ">>> ssop.slice(np.arange(12).reshape(4, 3), [2, 1], [4, 3])\n"
    "array([[ 7,  8],\n"
    "       [10, 11]])\n";
