/* StridedSlice as TFLite and OpenVINO do it: ssop.tflite.strided_slice, ssop.openvino.strided_slice; and the shapes
 * that they give. */
#include "../args.h"
#include "../errors.h"
#include "../options.h"
#include "../region_op.h"
#include "infer.h"
#include "spec_args.h"
#include "trace.h"

typedef struct {
    const ssop_dialect *dialect;
    ssop_spec spec;
} dialect_arguments;

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const dialect_arguments *given = arguments;
    return ssop_strided_slice_resolve(&given->spec, shape, given->dialect, region, NULL, error);
}

static PyObject *
describe_stages(const operation *Py_UNUSED(op), const call_context *call, const void *arguments,
                const ssop_shape shapes[2])
{
    const dialect_arguments *given = arguments;
    return trace_resolve(call, &given->spec, shapes[0], given->dialect);
}

/* Defines py_<function>, which gives the stages of the operation instead of its region. */
#define STAGES_OF(function, record)                                                                                    \
    PyObject *py_##function(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)         \
    {                                                                                                                  \
        static const operation_family stages = {.describe = describe_stages};                                          \
        operation traced = record;                                                                                     \
        traced.family = &stages;                                                                                       \
        dialect_arguments arguments;                                                                                   \
        return operation_describe(&traced, &arguments, state_of(module), args, positional, kwnames);                   \
    }

/* ---- TFLite ------------------------------------------------------------------------------------------------------ */

/* The attribute `offset` makes another dialect. NULL on error. */
static const ssop_dialect *
read_tflite_dialect(const call_context *call, PyObject *object)
{
    bool offset;
    if (args_read_flag(call, "offset", object, false, &offset) < 0) {
        return NULL;
    }
    return offset ? &ssop_dialect_tflite_offset : &ssop_dialect_tflite;
}

static int
read_tflite(const call_context *call, PyObject *const *found, void *arguments)
{
    dialect_arguments *into = arguments;
    into->dialect = read_tflite_dialect(call, found[9]);
    return into->dialect != NULL ? spec_args_read(call, found + 1, into->dialect, &into->spec) : -1;
}

static int
read_partial_tflite(const call_context *call, PyObject *const *found, void *arguments)
{
    const ssop_dialect *dialect = read_tflite_dialect(call, found[9]);
    return dialect != NULL ? spec_args_read_partial(call, found + 1, dialect, arguments) : -1;
}

static const operation tflite_strided_slice = {
    .name = "tflite.strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_OFFSET, ARG_OUT),
                   .required = 3, .keyword_only = 1},
    .read = read_tflite,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

static const inferred_slice inferred_tflite = {
    .name = "tflite.strided_slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_OFFSET, ARG_MODE),
                   .required = 3, .keyword_only = 1},
    .arguments_bytes = sizeof(partial_spec_arguments),
    .read = read_partial_tflite,
    .infer = spec_args_infer,
};

SSOP_METHODS_OF(tflite_strided_slice, tflite_strided_slice_region, tflite_strided_slice, dialect_arguments)
SSOP_INFERRED_SLICE(infer_tflite_strided_slice, inferred_tflite)
STAGES_OF(tflite_strided_slice_trace, tflite_strided_slice)

/* ---- OpenVINO ---------------------------------------------------------------------------------------------------- */

static int
read_mask_vectors(const call_context *call, PyObject *const *found, ssop_mask_vector masks[SSOP_MASK_VECTORS])
{
    static const char *const names[SSOP_MASK_VECTORS] = {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                                         "ellipsis_mask"};
    for (int m = 0; m < SSOP_MASK_VECTORS; m++) {
        masks[m].count = 0;
        if (found[m] != NULL) {
            masks[m].count = args_read_vector(call, names[m], found[m], masks[m].element, SSOP_MAX_ENTRIES);
        }
        if (masks[m].count < 0) {
            return -1;
        }
    }
    return 0;
}

/* What both readers read last: the masks, which with the lengths of the vectors make the entries of a spec. `found`
 * points at begin_mask. The masks are not on the stack while code of their items runs. */
static int
read_masks(const call_context *call, PyObject *const *found, ssop_spec_counts counts, bool strict, ssop_spec *spec)
{
    ssop_mask_vector *masks = PyMem_Malloc(SSOP_MASK_VECTORS * sizeof *masks);
    ssop_error error;
    if (masks == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int status = read_mask_vectors(call, found, masks);
    if (status == 0 && ssop_openvino_spec_init(spec, counts, masks, strict, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        status = -1;
    }
    PyMem_Free(masks);
    return status;
}

static int
read_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    dialect_arguments *into = arguments;
    into->dialect = &ssop_dialect_openvino;
    ssop_spec_counts counts;
    bool strict;
    int32_extremes extremes = {.name = {"begin", "end"}};
    call_context vectors = *call;
    vectors.extremes = &extremes;
    if (args_read_flag(call, "strict", found[9], false, &strict) < 0 ||
        spec_args_read_vectors(&vectors, found + 1, into->dialect, &into->spec, &counts) < 0 ||
        read_masks(call, found + 4, counts, strict, &into->spec) < 0) {
        return -1;
    }
    args_open_extremes(&extremes, 0, into->spec.count, into->spec.flags, NULL, into->spec.begin);
    args_open_extremes(&extremes, 1, into->spec.count, into->spec.flags, NULL, into->spec.end);
    return 0;
}

typedef struct {
    partial_spec_arguments partial;
    ssop_spec checked; /* its vectors stay empty */
} partial_openvino_arguments;

static int
read_partial_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    partial_openvino_arguments *into = arguments;
    into->partial.dialect = &ssop_dialect_openvino;
    ssop_spec_counts counts;
    bool strict;
    int32_extremes extremes = {.name = {"begin", "end"}};
    call_context vectors = *call;
    vectors.extremes = &extremes;
    if (args_read_flag(call, "strict", found[9], false, &strict) < 0 ||
        spec_args_read_partial_vectors(&vectors, found + 1, &into->partial, &counts) < 0 ||
        read_masks(call, found + 4, counts, strict, &into->checked) < 0) {
        return -1;
    }
    ssop_partial_spec *spec = &into->partial.spec;
    spec_args_take_flags(spec, &into->checked);
    args_open_extremes(&extremes, 0, spec->count, spec->flags, spec->begin, NULL);
    args_open_extremes(&extremes, 1, spec->count, spec->flags, spec->end, NULL);
    return 0;
}

static const operation openvino_strided_slice = {
    .name = "openvino.strided_slice",
    .parameters = {PARAMETERS(ARG_DATA, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_BEGIN_MASK, ARG_END_MASK,
                              ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK, ARG_ELLIPSIS_MASK, ARG_STRICT, ARG_OUT),
                   .required = 3, .keyword_only = 2},
    .read = read_openvino,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

static const inferred_slice inferred_openvino = {
    .name = "openvino.strided_slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_BEGIN_MASK, ARG_END_MASK,
                              ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK, ARG_ELLIPSIS_MASK, ARG_STRICT, ARG_MODE),
                   .required = 3, .keyword_only = 2},
    .arguments_bytes = sizeof(partial_openvino_arguments),
    .read = read_partial_openvino,
    .infer = spec_args_infer, /* its arguments come first */
};

SSOP_METHODS_OF(openvino_strided_slice, openvino_strided_slice_region, openvino_strided_slice, dialect_arguments)
SSOP_INFERRED_SLICE(infer_openvino_strided_slice, inferred_openvino)
STAGES_OF(openvino_strided_slice_trace, openvino_strided_slice)
