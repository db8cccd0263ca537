/* ssop.strided_slice, its region and its stages without data, and the shape that it gives; ssop.index. */
#include "../args.h"
#include "../region_op.h"
#include "index_args.h"
#include "infer.h"
#include "spec_args.h"
#include "trace.h"

static int
read_spec(const call_context *call, PyObject *const *found, void *arguments)
{
    return spec_args_read(call, found + 1, &ssop_dialect_tensorflow, arguments);
}

static ssop_status
resolve_spec(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_strided_slice_resolve(arguments, shape, &ssop_dialect_tensorflow, region, NULL, error);
}

static const operation strided_slice = {
    .name = "strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .read = read_spec,
    .family = &region_family,
    .resolve.region = resolve_spec,
};

/* TensorFlow's own front end has two more parameters, which are ignored. */
static const operation tf_strided_slice = {
    .name = "tf.strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_VAR, ARG_NAME, ARG_OUT),
                   .required = 3, .keyword_only = 1},
    .read = read_spec,
    .family = &region_family,
    .resolve.region = resolve_spec,
};

static int
read_index(const call_context *call, PyObject *const *found, void *arguments)
{
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = arguments};
    return index_args_read(call, found[1], &parts) < 0 ? -1 : spec_args_check(call, &parts);
}

/* What NumPy's x[index] shows, as a copy (ix_s2). */
static const operation by_index = {
    .name = "index",
    .parameters = {PARAMETERS(ARG_X, ARG_INDEX, ARG_OUT), .required = 2, .keyword_only = 1},
    .read = read_index,
    .family = &region_family,
    .resolve.region = resolve_spec,
};

SSOP_METHODS_OF(strided_slice, strided_slice_region, strided_slice, ssop_spec)
SSOP_METHOD_OF(index, by_index, ssop_spec)
SSOP_METHOD_OF(tf_strided_slice, tf_strided_slice, ssop_spec)

static PyObject *
describe_stages(const operation *Py_UNUSED(op), const call_context *call, const void *arguments,
                const ssop_shape shapes[2])
{
    return trace_resolve(call, arguments, shapes[0], &ssop_dialect_tensorflow);
}

PyObject *
py_strided_slice_trace(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const operation_family stages = {.describe = describe_stages};
    operation traced = strided_slice;
    traced.family = &stages;
    ssop_spec spec;
    return operation_describe(&traced, &spec, state_of(module), args, positional, kwnames);
}

/* The spec that was read, as a tuple of vectors and masks. */
static PyObject *
check_parts(const call_context *call, spec_parts *parts)
{
    if (spec_args_check(call, parts) < 0) {
        return NULL;
    }
    const ssop_spec *spec = parts->spec;
    const ssop_masks masks = parts->masks;
    return Py_BuildValue("(NNNiiiii)", args_tuple(spec->count, spec->begin), args_tuple(spec->count, spec->end),
                         args_tuple(spec->count, spec->step), masks.begin, masks.end, masks.ellipsis, masks.new_axis,
                         masks.shrink_axis);
}

PyObject *
py_check_spec(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES), .required = 2};
    const call_context call = {.state = state_of(module), .op = "StridedSliceSpec"};
    PyObject *found[MAX_PARAMETERS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        spec_args_read_parts(&call, found, found + 3, &parts) < 0) {
        return NULL;
    }
    return check_parts(&call, &parts);
}

PyObject *
py_index_spec(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OP, ARG_INDEX), .required = 2};
    call_context call = {.state = state_of(module), .op = "index_spec"};
    PyObject *found[MAX_PARAMETERS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        (call.op = PyUnicode_AsUTF8(found[0])) == NULL || index_args_read(&call, found[1], &parts) < 0) {
        return NULL;
    }
    return check_parts(&call, &parts);
}

/* Not inlined, so that these large buffers are not on the stack while the caller's Python code runs. */
static SSOP_NOINLINE PyObject *
write_one_slice(const spec_parts *parts, int32_t rank)
{
    ssop_one_slice written;
    ssop_trace trace = {.entries = 0};
    if (!ssop_one_slice_write(parts->spec, parts->counts, &parts->masks, rank, &written, &trace)) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(NNNN)", args_tuple(written.count, written.start), args_tuple(written.count, written.stop),
                         args_tuple(written.count, written.axes), args_tuple(written.count, written.step));
}

PyObject *
py_one_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES),
                                              .required = 3};
    const call_context call = {.state = state_of(module), .op = "one_slice"};
    PyObject *found[MAX_PARAMETERS];
    int64_t dims[SSOP_MAX_RANK];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_openvino, .spec = &spec}; /* of all dialects, it has most entries */
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    return rank < 0 || spec_args_read_parts(&call, found + 1, found + 4, &parts) < 0 ? NULL
                                                                                     : write_one_slice(&parts, rank);
}

/* ---- of a shape that is known in part ---------------------------------------------------------------------------- */

static int
read_partial(const call_context *call, PyObject *const *found, void *arguments)
{
    return spec_args_read_partial(call, found + 1, &ssop_dialect_tensorflow, arguments);
}

static const inferred_slice inferred = {
    .name = "strided_slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_MODE), .required = 3,
                   .keyword_only = 1},
    .arguments_bytes = sizeof(partial_spec_arguments),
    .read = read_partial,
    .infer = spec_args_infer,
};

SSOP_INFERRED_SLICE(infer_strided_slice, inferred)
