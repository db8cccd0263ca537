/* ssop.xla.slice_in_dim and index_in_dim: Slice of one axis; and their regions without data. */
#include "../args.h"
#include "../docs.h"
#include "../options.h"
#include "../take.h"

/* ---- slice_in_dim --------------------------------------------------------------------------------------------------- */

/* None is the end of the axis (dim_s3). */
static int
read_bound(const call_context *call, const char *name, PyObject *object, bool *given, int64_t *value)
{
    *given = object != Py_None;
    return *given ? args_read_integer(call, name, object, value) : 0;
}

static int
read_slice(const call_context *call, PyObject *const *found, void *arguments)
{
    ssop_slice_in_dim_spec *into = arguments;
    *into = (ssop_slice_in_dim_spec){0};
    return read_bound(call, "start_index", found[1], &into->has_start, &into->start) < 0 ||
                   read_bound(call, "limit_index", found[2], &into->has_limit, &into->limit) < 0 ||
                   args_read_optional(call, "stride", found[3], 1, &into->stride) < 0 ||
                   args_read_optional(call, "axis", found[4], 0, &into->axis) < 0 ||
                   args_read_flag(call, "allow_negative_indices", found[5], false, &into->add_dim) < 0
             ? -1
             : 0;
}

static ssop_status
resolve_slice(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_slice_in_dim_resolve(arguments, shape, region, error);
}

static const operation slice_in_dim = {
    .name = "xla.slice_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDEX, ARG_LIMIT_INDEX, ARG_STRIDE, ARG_AXIS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 3, .keyword_only = 2},
    .read = read_slice,
    .family = &region_family,
    .resolve.region = resolve_slice,
};

SSOP_METHODS_OF(xla_slice_in_dim, xla_slice_in_dim_region, slice_in_dim, ssop_slice_in_dim_spec)

const char py_xla_slice_in_dim_doc[] =
    "slice_in_dim($module, /, operand, start_index, limit_index, stride=1, axis=0,\n"
    "             *, allow_negative_indices=False, out=None)\n--\n\n"
    "XLA's Slice of one axis, the others whole, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype\n"
    "start_index, limit_index : int or None, in elements\n"
    "    0 <= start <= limit <= dim; None is the end of the axis.\n"
    "stride : int, positive, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "allow_negative_indices : bool\n"
    "    A negative start or limit has the dim added once (JAX always does).\n" DOC_OUT DOC_NEW_OR_OUT
    " The axis has length\n"
    "    ceil((limit - start) / stride).\n\n" DOC_RAISES
    "dim_*, sl_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.slice_in_dim; XLA's SliceInDim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.slice_in_dim(np.arange(12).reshape(3, 4), 1, None, 2, axis=-1)\n"
    "array([[ 1,  3],\n"
    "       [ 5,  7],\n"
    "       [ 9, 11]])\n";

/* ---- index_in_dim --------------------------------------------------------------------------------------------------- */

static int
read_index(const call_context *call, PyObject *const *found, void *arguments)
{
    ssop_index_in_dim_spec *into = arguments;
    return args_read_integer(call, "index", found[1], &into->index) < 0 ||
                   args_read_optional(call, "axis", found[2], 0, &into->axis) < 0 ||
                   args_read_flag(call, "keepdims", found[3], true, &into->keepdims) < 0 ||
                   args_read_flag(call, "allow_negative_indices", found[4], false, &into->add_dim) < 0
             ? -1
             : 0;
}

static ssop_status
resolve_index(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_index_in_dim_resolve(arguments, shape, region, error);
}

static const operation index_in_dim = {
    .name = "xla.index_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_INDEX, ARG_AXIS, ARG_KEEPDIMS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 2, .keyword_only = 2},
    .read = read_index,
    .family = &region_family,
    .resolve.region = resolve_index,
};

SSOP_METHODS_OF(xla_index_in_dim, xla_index_in_dim_region, index_in_dim, ssop_index_in_dim_spec)

const char py_xla_index_in_dim_doc[] =
    "index_in_dim($module, /, operand, index, axis=0, keepdims=True, *,\n"
    "             allow_negative_indices=False, out=None)\n--\n\n"
    "One element of one axis, the other axes whole, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype\n"
    "index : int, 0 <= index < dim, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "keepdims : bool\n"
    "    False drops the axis; True keeps it with length 1.\n"
    "allow_negative_indices : bool\n"
    "    A negative index has the dim added once (JAX always does).\n" DOC_OUT DOC_NEW_OR_OUT
    "\n\n"
    "Raises\n"
    "------\n"
    "SliceIndexError : the index lies outside the axis (dim_c2).\n"
    "SliceError : `label` names the rule (dim_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.index_in_dim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.index_in_dim(np.arange(12).reshape(3, 4), 1, keepdims=False)\n"
    "array([4, 5, 6, 7])\n";
