/* ssop.tf.slice and ssop.tflite.slice: begin and size per axis; and the shapes that they give. */
#include "../args.h"
#include "../intervals.h"
#include "../region_op.h"
#include "infer.h"

typedef struct {
    args_list begin, size;
} size_slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    size_slice_arguments *into = arguments;
    return args_read_list(call, "begin", found[1], SSOP_MAX_RANK, &into->begin) < 0
             ? -1
             : args_read_list(call, "size", found[2], SSOP_MAX_RANK, &into->size);
}

static ssop_size_slice_spec
spec_of(const size_slice_arguments *given)
{
    return (ssop_size_slice_spec){given->begin.count, given->size.count, given->begin.list, given->size.list};
}

static ssop_status
resolve_as_tensorflow(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const ssop_size_slice_spec spec = spec_of(arguments);
    return ssop_size_slice_resolve(&spec, shape, &ssop_tensorflow_slice, region, error);
}

static ssop_status
resolve_as_tflite(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const ssop_size_slice_spec spec = spec_of(arguments);
    return ssop_size_slice_resolve(&spec, shape, &ssop_tflite_slice, region, error);
}

static const operation tf_slice = {
    .name = "tf.slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_SIZE, ARG_NAME, ARG_OUT), .required = 3, .keyword_only = 1},
    .read = read_arguments,
    .family = &region_family,
    .resolve.region = resolve_as_tensorflow,
};

static const operation tflite_slice = {
    .name = "tflite.slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_SIZE, ARG_OUT), .required = 3, .keyword_only = 1},
    .read = read_arguments,
    .family = &region_family,
    .resolve.region = resolve_as_tflite,
};

SSOP_METHODS_OF(tf_slice, tf_slice_region, tf_slice, size_slice_arguments)
SSOP_METHODS_OF(tflite_slice, tflite_slice_region, tflite_slice, size_slice_arguments)

/* ---- of a shape that is known in part ---------------------------------------------------------------------------- */

typedef struct {
    interval_list begin, size;
} partial_arguments;

static int
read_partial(const call_context *call, PyObject *const *found, void *arguments)
{
    partial_arguments *into = arguments;
    return intervals_read_list(call, "begin", found[1], &into->begin) < 0
             ? -1
             : intervals_read_list(call, "size", found[2], &into->size);
}

static ssop_partial_size_slice_spec
partial_spec_of(const partial_arguments *given)
{
    return (ssop_partial_size_slice_spec){given->begin.count, given->size.count, given->begin.list, given->size.list};
}

static ssop_status
infer_as_tensorflow(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                    ssop_partial_shape *out, ssop_error *error)
{
    const ssop_partial_size_slice_spec spec = partial_spec_of(arguments);
    return ssop_size_slice_infer(inference, &spec, shape, &ssop_tensorflow_slice, out, error);
}

static ssop_status
infer_as_tflite(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                ssop_partial_shape *out, ssop_error *error)
{
    const ssop_partial_size_slice_spec spec = partial_spec_of(arguments);
    return ssop_size_slice_infer(inference, &spec, shape, &ssop_tflite_slice, out, error);
}

static const inferred_slice inferred_tf = {
    .name = "tf.slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_SIZE, ARG_NAME, ARG_MODE), .required = 3, .keyword_only = 1},
    .arguments_bytes = sizeof(partial_arguments),
    .read = read_partial,
    .infer = infer_as_tensorflow,
};

static const inferred_slice inferred_tflite = {
    .name = "tflite.slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_SIZE, ARG_MODE), .required = 3, .keyword_only = 1},
    .arguments_bytes = sizeof(partial_arguments),
    .read = read_partial,
    .infer = infer_as_tflite,
};

SSOP_INFERRED_SLICE(infer_tf_slice, inferred_tf)
SSOP_INFERRED_SLICE(infer_tflite_slice, inferred_tflite)
