/* What the mask explorer page calls: strided slices resolved by the core, with their stages, by the rules of each
 * framework.
 *
 * The page writes a call into `explorer_call`, calls `explorer_resolve`, and reads `explorer_answer`. Both are int64
 * arrays, so that JavaScript needs one view of the memory and no layout of structs. */
#include "../core/common.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

enum {
    TENSORFLOW,
    TFLITE,
    OPENVINO,
    ONNX,
    ONNX_REFERENCE,
    ONNXRUNTIME,
};

/* The call: dialect, rank, three lengths, five masks (begin, end, ellipsis, new axis, shrink axis), then the dims and
 * the three vectors, each at its own place. */
enum {
    CALL_DIALECT,
    CALL_RANK,
    CALL_COUNTS,
    CALL_MASKS = CALL_COUNTS + 3,
    CALL_DIMS = CALL_MASKS + 5,
    CALL_BEGIN = CALL_DIMS + SSOP_MAX_RANK,
    CALL_END = CALL_BEGIN + SSOP_MAX_ENTRIES,
    CALL_STEP = CALL_END + SSOP_MAX_ENTRIES,
    CALL_SIZE = CALL_STEP + SSOP_MAX_ENTRIES,
};

enum {
    ENTRY_WORDS = 3,
    AXIS_WORDS = 10,
    MESSAGE_BYTES = 1024,
};

/* The answer begins with status, numbers of traced entries and axes, output rank, axis and entry of an error, and the
 * least and the greatest value that its rule allows. The traced entries follow (flags, first axis, number of axes).
 * Then come the traced axes (entry, wrapped begin and end, clamped begin and end, begin and end, start, count, step).
 * The input axis of each output axis comes last. */
enum {
    ANSWER_STATUS,
    ANSWER_ENTRIES,
    ANSWER_AXES,
    ANSWER_OUT_RANK,
    ANSWER_ERROR_AXIS,
    ANSWER_ERROR_ENTRY,
    ANSWER_ERROR_LOW,
    ANSWER_ERROR_HIGH,
    ANSWER_ENTRY,
    ANSWER_AXIS = ANSWER_ENTRY + ENTRY_WORDS * SSOP_MAX_ENTRIES,
    ANSWER_OUT_AXIS = ANSWER_AXIS + AXIS_WORDS * SSOP_MAX_RANK,
    ANSWER_SIZE = ANSWER_OUT_AXIS + SSOP_MAX_RANK,
};

static int64_t call[CALL_SIZE], answer[ANSWER_SIZE];
static char message[MESSAGE_BYTES];

int64_t *EXPORT(explorer_call)(void);
int64_t *EXPORT(explorer_answer)(void);
char *EXPORT(explorer_message)(void);
int32_t EXPORT(explorer_resolve)(void);

int64_t *
explorer_call(void)
{
    return call;
}

int64_t *
explorer_answer(void)
{
    return answer;
}

/* The message of an error, NUL-terminated; empty for a legal call. */
char *
explorer_message(void)
{
    return message;
}

/* OpenVINO's masks are vectors: bit i becomes element i. */
static ssop_mask_vector
mask_vector(int64_t bits, int64_t entries)
{
    ssop_mask_vector vector = {.count = entries > 32 ? entries : 32};
    for (int32_t i = 0; i < SSOP_MAX_ENTRIES; i++) {
        vector.element[i] = i < 32 ? bits >> i & 1 : 0;
    }
    return vector;
}

static void
read_vectors(ssop_spec *spec, ssop_spec_counts *counts)
{
    *counts = (ssop_spec_counts){call[CALL_COUNTS], call[CALL_COUNTS + 1], call[CALL_COUNTS + 2]};
    memcpy(spec->begin, &call[CALL_BEGIN], sizeof spec->begin);
    memcpy(spec->end, &call[CALL_END], sizeof spec->end);
    memcpy(spec->step, &call[CALL_STEP], sizeof spec->step);
}

static ssop_masks
read_masks(void)
{
    const int64_t *masks = &call[CALL_MASKS];
    return (ssop_masks){(int32_t)masks[0], (int32_t)masks[1], (int32_t)masks[2], (int32_t)masks[3], (int32_t)masks[4]};
}

/* Checks lengths and masks by the rules of the dialect, and fills the spec. */
static ssop_status
read_spec(const ssop_dialect *dialect, ssop_spec *spec, ssop_error *error)
{
    ssop_spec_counts counts;
    read_vectors(spec, &counts);
    if (call[CALL_DIALECT] == OPENVINO) {
        static const int order[SSOP_MASK_VECTORS] = {0, 1, 3, 4, 2};
        ssop_mask_vector vectors[SSOP_MASK_VECTORS];
        for (int i = 0; i < SSOP_MASK_VECTORS; i++) {
            vectors[i] = mask_vector(call[CALL_MASKS + order[i]], counts.begin);
        }
        return ssop_openvino_spec_init(spec, counts, vectors, false, error);
    }
    const ssop_masks masks = read_masks();
    return ssop_spec_init(spec, counts, &masks, dialect, error);
}

static void
write_trace(const ssop_trace *trace)
{
    answer[ANSWER_ENTRIES] = trace->entries;
    answer[ANSWER_AXES] = trace->axes;
    for (int32_t i = 0; i < trace->entries; i++) {
        const int64_t words[ENTRY_WORDS] = {trace->flags[i], trace->first_axis[i], trace->axis_count[i]};
        memcpy(&answer[ANSWER_ENTRY + ENTRY_WORDS * i], words, sizeof words);
    }
    for (int32_t i = 0; i < trace->axes; i++) {
        const ssop_axis_trace *axis = &trace->axis[i];
        const int64_t words[AXIS_WORDS] = {
            axis->entry, axis->wrapped_begin, axis->wrapped_end, axis->clamped_begin, axis->clamped_end,
            axis->begin, axis->end,           axis->range.start, axis->range.count,   axis->range.step};
        memcpy(&answer[ANSWER_AXIS + AXIS_WORDS * i], words, sizeof words);
    }
}

/* The call as one Slice of ONNX, which has no masks. */
static ssop_status
resolve_one_slice(const ssop_axes_dialect *dialect, ssop_region *region, ssop_trace *trace, ssop_error *error)
{
    static ssop_spec given;
    static ssop_one_slice written;
    const ssop_masks masks = read_masks();
    const int32_t rank = (int32_t)call[CALL_RANK];
    ssop_spec_counts counts;
    read_vectors(&given, &counts);
    if (!ssop_one_slice_write(&given, counts, &masks, rank, &written, trace)) {
        static const char why[] =
            "cannot be written as one Slice: that has no new axes and no shrunk axes, and needs "
            "an axis per entry";
        memcpy(message, why, sizeof why);
        return SSOP_VALUE_ERROR;
    }
    const ssop_axes_slice_spec spec = {
        .start_count = written.count,
        .stop_count = written.count,
        .step_count = written.count,
        .axes_count = written.count,
        .start = written.start,
        .stop = written.stop,
        .step = written.step,
        .axes = written.axes,
    };
    const ssop_shape shape = {rank, &call[CALL_DIMS]};
    ssop_status status = ssop_axes_slice_resolve(&spec, shape, dialect, region, trace, error);
    for (int32_t axis = 0; axis < trace->axes; axis++) { /* from positions in the lists to entries */
        int32_t *entry = &trace->axis[axis].entry;
        *entry = *entry < 0 ? -1 : written.entry[*entry];
    }
    return status;
}

static ssop_status
resolve_masks(const ssop_dialect *dialect, ssop_region *region, ssop_trace *trace, ssop_error *error)
{
    static ssop_spec spec;
    ssop_status status = read_spec(dialect, &spec, error);
    if (status != SSOP_OK) {
        return status;
    }
    const ssop_shape shape = {(int32_t)call[CALL_RANK], &call[CALL_DIMS]};
    return ssop_strided_slice_resolve(&spec, shape, dialect, region, trace, error);
}

/* Returns the status, which is also the answer's first word. The page keeps the lengths within their limits. */
int32_t
explorer_resolve(void)
{
    static const ssop_dialect *const masked[] = {&ssop_dialect_tensorflow, &ssop_dialect_tflite,
                                                 &ssop_dialect_openvino};
    static const ssop_axes_dialect *const listed[] = {&ssop_onnx_slice, &ssop_onnx_reference_slice,
                                                      &ssop_onnxruntime_slice};
    static ssop_region region;
    ssop_trace trace = {.entries = 0};
    ssop_error error = {.rule = SSOP_NO_RULE, .axis = -1, .entry = -1};
    memset(answer, 0, sizeof answer);
    message[0] = 0;
    const int64_t dialect = call[CALL_DIALECT];
    ssop_status status = dialect >= ONNX ? resolve_one_slice(listed[dialect - ONNX], &region, &trace, &error)
                                         : resolve_masks(masked[dialect], &region, &trace, &error);
    write_trace(&trace);
    answer[ANSWER_STATUS] = status;
    answer[ANSWER_ERROR_AXIS] = error.axis;
    answer[ANSWER_ERROR_ENTRY] = error.entry;
    answer[ANSWER_ERROR_LOW] = error.low;
    answer[ANSWER_ERROR_HIGH] = error.high;
    if (status != SSOP_OK) {
        if (error.rule != SSOP_NO_RULE) {
            ssop_error_message(&error, NULL, message, sizeof message);
        }
        return status;
    }
    answer[ANSWER_OUT_RANK] = region.out_rank;
    for (int32_t axis = 0; axis < region.out_rank; axis++) {
        answer[ANSWER_OUT_AXIS + axis] = region.out_axis[axis];
    }
    return status;
}
