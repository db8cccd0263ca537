/* ssop.slice, and its region without data. */
#include "../args.h"
#include "../docs.h"
#include "../take.h"

typedef struct {
    int64_t start[SSOP_MAX_RANK], limit[SSOP_MAX_RANK], stride[SSOP_MAX_RANK];
    ssop_slice_spec spec;
} slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    slice_arguments *into = arguments;
    into->spec = (ssop_slice_spec){.start = into->start, .limit = into->limit};
    into->spec.start_count = args_read_vector(call, "start_indices", found[1], into->start, SSOP_MAX_RANK);
    if (into->spec.start_count < 0) {
        return -1;
    }
    into->spec.limit_count = args_read_vector(call, "limit_indices", found[2], into->limit, SSOP_MAX_RANK);
    if (into->spec.limit_count < 0) {
        return -1;
    }
    if (is_given(found[3])) {
        into->spec.stride = into->stride;
        into->spec.stride_count = args_read_vector(call, "strides", found[3], into->stride, SSOP_MAX_RANK);
    }
    return into->spec.stride_count < 0 ? -1 : 0;
}

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_slice_resolve(&((const slice_arguments *)arguments)->spec, shape, region, error);
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
