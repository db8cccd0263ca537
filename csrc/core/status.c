/* Rules: label, status and message of every constraint, in one table. Text is made from the error record, here only. */
#include "common.h"

/* In a message, {a} is the axis, {e} the entry, {v} the value, {l} and {h} what is allowed, {n} the dim whose last index
 * is {h}, {w} the value with that dim added if it is negative, and {m} the name of OpenVINO's mask number low. */
typedef struct {
    const char *label;
    ssop_status status;
    int shows;
    const char *message;
} rule_row;

#define VALUE SSOP_VALUE_ERROR
#define INDEX SSOP_INDEX_ERROR
#define TYPE SSOP_TYPE_ERROR
#define OVERFLOWS SSOP_OVERFLOW_ERROR
#define NOTHING 0
#define GIVEN SSOP_SHOWS_VALUE
#define BOTH (SSOP_SHOWS_VALUE | SSOP_SHOWS_ALLOWED)
#define OUTSIDE "is not in {l}..{h}"

static const rule_row rules[SSOP_RULE_COUNT] = {
    [SSOP_NO_RULE] = {"", SSOP_OK, NOTHING, ""},

    /* Messages without text here are about objects that only the binding sees. */
    [SSOP_IN_C1] = {"in_c1", TYPE, GIVEN, ""},
    [SSOP_IN_C2] = {"in_c2", OVERFLOWS, BOTH, ""},
    [SSOP_IN_C3] = {"in_c3", OVERFLOWS, BOTH, ""},
    [SSOP_IN_C4] = {"in_c4", TYPE, GIVEN, ""},
    [SSOP_IN_C5] = {"in_c5", TYPE, GIVEN, ""},
    [SSOP_IN_C6] = {"in_c6", VALUE, GIVEN, ""},
    [SSOP_IN_C7] = {"in_c7", TYPE, GIVEN, ""},
    [SSOP_IN_C8] = {"in_c8", TYPE, GIVEN, ""},
    [SSOP_IN_C9] = {"in_c9", VALUE, BOTH, "the shape has {v} axes, at most {h} are allowed"},
    [SSOP_IN_C10] = {"in_c10", VALUE, BOTH, "axis {a}: dim {v} " OUTSIDE ": Dimension {v} must be >= 0"},
    [SSOP_OUT_C1] = {"out_c1", TYPE, GIVEN, ""},
    [SSOP_OUT_C2] = {"out_c2", VALUE, GIVEN, ""},
    [SSOP_OUT_C3] = {"out_c3", TYPE, GIVEN, ""},
    [SSOP_OUT_C4] = {"out_c4", VALUE, NOTHING, ""},
    [SSOP_OUT_C5] = {"out_c5", VALUE, NOTHING, ""},
    [SSOP_PL_C1] = {"pl_c1", VALUE, GIVEN, ""},
    [SSOP_PL_C2] = {"pl_c2", TYPE, GIVEN, ""},
    [SSOP_TH_C1] = {"th_c1", VALUE, BOTH, ""},
    [SSOP_TH_C2] = {"th_c2", TYPE, GIVEN, ""},

    [SSOP_MEM_C1] = {"mem_c1", VALUE, NOTHING, "axis {a}: the array's stride is too large to address its elements"},

    [SSOP_SS_C1] = {"ss_c1", VALUE, NOTHING,
                    "begin, end and strides differ in length: Expected begin, end, and strides to be 1D equal size "
                    "tensors, but got shapes [{v}], [{l}], and [{h}] instead."},
    [SSOP_SS_C2] = {"ss_c2", VALUE, BOTH,
                    "{v} entries, at most {h} are allowed: Expected begin, end, and strides to be 1D equal size "
                    "tensors, but got shapes [{v}], [{v}], and [{v}] instead."},
    [SSOP_SS_C3] = {"ss_c3", VALUE, GIVEN,
                    "ellipsis_mask {v} has more than one bit: Multiple ellipses in slice spec not allowed"},
    [SSOP_SS_C4] = {"ss_c4", VALUE, NOTHING,
                    "entry {e} has no axis: Index out of range using input dim {a}; input has only {a} dims"},
    [SSOP_SS_C5] = {"ss_c5", VALUE, GIVEN, "axis {a} (entry {e}): stride {v}: strides[{a}] must be non-zero"},
    [SSOP_SS_C6] = {"ss_c6", VALUE, BOTH,
                    "axis {a} (entry {e}): stride {v} of a shrunk axis " OUTSIDE
                    ": only stride 1 allowed on non-range indexing."},
    [SSOP_SS_C7] = {"ss_c7", INDEX, BOTH,
                    "axis {a} (entry {e}): index {v} " OUTSIDE ": slice index {w} of dimension {a} out of bounds."},
    [SSOP_SS_C8] = {"ss_c8", VALUE, BOTH, "the result would have {v} axes, at most {h} are allowed"},

    [SSOP_SL_C1] = {"sl_c1", VALUE, NOTHING, "slice start and limit sizes differ: {v} vs {l}"},
    [SSOP_SL_C2] = {"sl_c2", VALUE, NOTHING, "slice start and strides sizes differ: {v} vs {l}"},
    [SSOP_SL_C3] = {"sl_c3", VALUE, BOTH, "Slice index count does not match argument rank: {v} vs {h}."},
    [SSOP_SL_C4] = {"sl_c4", VALUE, BOTH, "axis {a}: start {v} " OUTSIDE ": Negative start index to slice: {v}."},
    [SSOP_SL_C5] = {"sl_c5", VALUE, BOTH,
                    "axis {a}: limit {v} " OUTSIDE
                    ": limit index ({v}) must be less than or equal to dimension size ({h})"},
    [SSOP_SL_C6] = {"sl_c6", VALUE, BOTH,
                    "axis {a}: limit {v} " OUTSIDE
                    ": limit index ({v}) must be greater or equal to start index ({l}) in slice with positive stride"},
    [SSOP_SL_C7] = {"sl_c7", VALUE, BOTH, "axis {a}: stride {v} " OUTSIDE ": Stride ({v}) must be positive."},

    [SSOP_DS_C1] = {"ds_c1", VALUE, BOTH,
                    "Dynamic slice start number of dimensions {v} must match rank {h} of slice input"},
    [SSOP_DS_C2] = {"ds_c2", VALUE, BOTH, "Dynamic slice index count does not match argument rank: {v} vs {h}."},
    [SSOP_DS_C3] = {"ds_c3", VALUE, BOTH, "axis {a}: size {v} " OUTSIDE ": Negative size index to dynamic slice: {v}."},
    [SSOP_DS_C4] = {"ds_c4", VALUE, BOTH,
                    "axis {a}: size {v} " OUTSIDE ": Slice dim size {v} greater than dynamic slice dimension: {h}."},
    [SSOP_DS_C5] = {"ds_c5", INDEX, BOTH, "axis {a}: start {v} " OUTSIDE ": the window does not fit"},
    [SSOP_DS_C6] = {"ds_c6", VALUE, GIVEN, ""},
    [SSOP_DS_C7] = {"ds_c7", VALUE, BOTH, "allow_negative_indices has {v} entries for rank {h}"},

    [SSOP_DUS_C1] = {"dus_c1", VALUE, BOTH,
                     "Dynamic update slice start number of dimensions {v} must match rank {h} of slice input"},
    [SSOP_DUS_C2] = {"dus_c2", VALUE, BOTH,
                     "Dynamic update slice update rank does not match argument rank: {v} vs {h}."},
    [SSOP_DUS_C3] = {"dus_c3", VALUE, BOTH,
                     "axis {a}: update dim {v} " OUTSIDE
                     ": Update dim size {v} greater than dynamic slice dimension: {h}."},
    [SSOP_DUS_C4] = {"dus_c4", TYPE, GIVEN, ""},
    [SSOP_DUS_C5] = {"dus_c5", INDEX, BOTH, "axis {a}: start {v} " OUTSIDE ": the window does not fit"},

    [SSOP_GR_C1] = {"gr_c1", VALUE, GIVEN, ""},
    [SSOP_AS_C1] = {"as_c1", VALUE, GIVEN, ""},
    [SSOP_AS_C2] = {"as_c2", TYPE, GIVEN, ""},
    [SSOP_TSL_C1] =
        {"tsl_c1", VALUE, NOTHING,
         "begin and size do not have one entry per axis: Expected begin and size arguments to be 1-D tensors "
         "of size {l}, but got shapes [{v}] and [{h}] instead."},
    [SSOP_TSL_C2] = {"tsl_c2", VALUE, BOTH,
                     "axis {a}: begin {v} " OUTSIDE ": Expected begin[{a}] in [0, {h}], but got {v}"},
    [SSOP_TSL_C3] = {"tsl_c3", VALUE, BOTH,
                     "axis {a}: size {v} " OUTSIDE ": Expected size[{a}] in [0, {h}], but got {v}"},

    [SSOP_TFL_C1] = {"tfl_c1", VALUE, NOTHING, "begin, end and strides differ in length: {v}, {l} and {h}"},
    [SSOP_TFL_C2] = {"tfl_c2", VALUE, BOTH,
                     "{v} entries, at most {h} are allowed: StridedSlice op only supports up to 31 indices."},
    [SSOP_TFL_C3] = {"tfl_c3", VALUE, GIVEN, "ellipsis_mask {v} has more than one bit"},
    [SSOP_TFL_C4] = {"tfl_c4", VALUE, NOTHING, "entry {e} finds no axis {a}, and a new axis follows"},
    [SSOP_TFL_C5] = {"tfl_c5", VALUE, GIVEN, "axis {a} (entry {e}): stride {v}: stride value has to be non-zero"},
    [SSOP_TFL_C6] = {"tfl_c6", VALUE, BOTH,
                     "axis {a} (entry {e}): stride {v} of a shrunk axis " OUTSIDE ": TFLite would write nothing"},
    [SSOP_TFL_C7] = {"tfl_c7", INDEX, BOTH, "axis {a} (entry {e}): index {v} " OUTSIDE ": TFLite would write nothing"},
    [SSOP_TFL_C8] = {"tfl_c8", VALUE, NOTHING, "axis {a} has no entry: offset takes one of its own for every axis"},
    [SSOP_TFL_C9] = {"tfl_c9", VALUE, GIVEN,
                     "axis {a} (entry {e}): offset {v} leaves the axis: TFLite would not write what it allocates"},

    [SSOP_TFS_C1] = {"tfs_c1", VALUE, NOTHING,
                     "begin has {v} entries for rank {l}: NumElements(begin) != input_dims ({v} != {l})"},
    [SSOP_TFS_C2] = {"tfs_c2", VALUE, BOTH, "axis {a}: begin {v} " OUTSIDE ": Invalid begin."},
    [SSOP_TFS_C3] = {"tfs_c3", VALUE, BOTH, "axis {a}: size {v} " OUTSIDE ": Invalid size."},
    [SSOP_TFS_C4] = {"tfs_c4", VALUE, BOTH, "axis {a}: size {v} " OUTSIDE ": Invalid begin and size."},

    [SSOP_OV_C1] = {"ov_c1", VALUE, GIVEN,
                    "{m} entry {e} is {v}, not 0 or 1: All masks of StridedSlice must have be 0 or 1"},
    [SSOP_OV_C2] = {"ov_c2", VALUE, GIVEN,
                    "{m} has {v} entries, begin_mask {h}: All masks of StridedSlice must have the same size"},
    [SSOP_OV_C3] = {"ov_c3", VALUE, NOTHING,
                    "begin has {v} entries, end {l}: Begin and end need to have same number of values."},
    [SSOP_OV_C4] = {"ov_c4", VALUE, NOTHING,
                    "strides has {v} entries, begin {l}: Stride needs to have same number of values as begin and end."},
    [SSOP_OV_C5] = {"ov_c5", VALUE, NOTHING, "entry {e} is a second ellipsis: At most one ellipsis is allowed."},
    [SSOP_OV_C6] = {"ov_c6", VALUE, NOTHING,
                    "entry {e} finds no axis {a}: Input rank plus number of new axis has to be at least the size of "
                    "Lower and Upper bounds vector."},
    [SSOP_OV_C7] = {"ov_c7", VALUE, GIVEN, "axis {a} (entry {e}): stride {v}: Stride must be non-zero"},
    [SSOP_OV_C8] = {"ov_c8", INDEX, BOTH, "axis {a} (entry {e}): index {v} " OUTSIDE},
    [SSOP_OV_C9] = {"ov_c9", VALUE, BOTH, "{v} entries, at most {h} are allowed"},

    [SSOP_OVS_C1] = {"ovs_c1", VALUE, NOTHING, "Slice `data` input can't be a scalar."},
    [SSOP_OVS_C2] = {"ovs_c2", VALUE, NOTHING,
                     "lists of {v} and {l} entries: Slice `start`, `stop`, `step` inputs must have compatible shapes."},
    [SSOP_OVS_C3] = {"ovs_c3", VALUE, NOTHING,
                     "axes has {v} entries, start {l}: Slice `axes` input must have compatible shape with `start`, "
                     "`stop`, `step` inputs."},
    [SSOP_OVS_C4] = {"ovs_c4", VALUE, BOTH,
                     "{v} entries, at most {h} are allowed: Slice `start` input dim size can't be bigger than `data` "
                     "rank."},
    [SSOP_OVS_C5] = {"ovs_c5", VALUE, BOTH,
                     "axes entry {e}: {v} " OUTSIDE ": Axis {v} out of the tensor rank range [{l}, {h}]."},
    [SSOP_OVS_C6] = {"ovs_c6", VALUE, GIVEN,
                     "axes entry {e}: {v} is axis {a} again: Slice values in `axes` input must be unique."},
    [SSOP_OVS_C7] = {"ovs_c7", VALUE, GIVEN, "axis {a} (entry {e}): step {v}: Step must be non-zero"},

    [SSOP_ONX_C1] = {"onx_c1", VALUE, NOTHING,
                     "starts has {v} entries, ends {l}: Incorrect or missing input value for starts and ends"},
    [SSOP_ONX_C2] = {"onx_c2", VALUE, NOTHING, "axes has {v} entries, starts {l}: Input axes has incorrect length"},
    [SSOP_ONX_C3] = {"onx_c3", VALUE, NOTHING, "steps has {v} entries, starts {l}: Input steps has incorrect length"},
    [SSOP_ONX_C4] = {"onx_c4", VALUE, BOTH,
                     "axes entry {e}: {v} " OUTSIDE ": Unexpected axis value: {v}. Expected range [{l}, {n})"},
    [SSOP_ONX_C5] = {"onx_c5", VALUE, GIVEN,
                     "axes entry {e}: {v} is axis {a} again: Axis {a} is referred to more than once."},
    [SSOP_ONX_C6] = {"onx_c6", VALUE, GIVEN, "axis {a} (entry {e}): step {v}: 'step' cannot be 0 for Slice"},
    [SSOP_ONX_C7] = {"onx_c7", VALUE, GIVEN, ""},
    [SSOP_ONR_C1] = {"onr_c1", INDEX, BOTH, "axes entry {e}: {v} " OUTSIDE ": list assignment index out of range"},
    [SSOP_ONR_C2] = {"onr_c2", VALUE, GIVEN, "axis {a} (entry {e}): step {v}: slice step cannot be zero"},
    [SSOP_ONR_C3] = {"onr_c3", INDEX, BOTH,
                     "too many indices for array: array is {h}-dimensional, but {v} were indexed"},
    [SSOP_ONR_C4] = {"onr_c4", VALUE, BOTH, "{v} entries, at most {h} are allowed"},
    [SSOP_ORT_C1] = {"ort_c1", VALUE, NOTHING, "Cannot slice scalars"},
    [SSOP_ORT_C2] = {"ort_c2", VALUE, NOTHING, "starts has {v} entries, ends {l}: Starts and ends shape mismatch"},
    [SSOP_ORT_C3] = {"ort_c3", VALUE, NOTHING, "axes has {v} entries, starts {l}: Starts and axes shape mismatch"},
    [SSOP_ORT_C4] = {"ort_c4", VALUE, NOTHING, "steps has {v} entries, starts {l}: Starts and steps shape mismatch"},
    [SSOP_ORT_C5] = {"ort_c5", VALUE, BOTH,
                     "axes entry {e}: {v} " OUTSIDE ": 'axes' has an axis outside of the tensor dimension count"},
    [SSOP_ORT_C6] = {"ort_c6", VALUE, GIVEN, "axes entry {e}: {v} is axis {a} again: 'axes' has duplicates"},
    [SSOP_ORT_C7] = {"ort_c7", VALUE, GIVEN, "axis {a} (entry {e}): step {v}: 'step' value cannot be 0"},
    [SSOP_DIM_C1] = {"dim_c1", VALUE, BOTH, "axis {v} " OUTSIDE},
    [SSOP_DIM_C2] = {"dim_c2", INDEX, BOTH,
                     "axis {a}: index {v} " OUTSIDE ": index {v} is out of bounds for axis {a} with size {n}"},

    [SSOP_PAD_C1] = {"pad_c1", VALUE, GIVEN, ""},
    [SSOP_PAD_C2] = {"pad_c2", VALUE, BOTH,
                     "padding_config has {v} entries for rank {h}: The rank of the operand and the padding "
                     "configuration do not match"},
    [SSOP_PAD_C3] = {"pad_c3", TYPE, GIVEN, ""},
    [SSOP_PAD_C4] = {"pad_c4", VALUE, BOTH,
                     "axis {a}: interior padding {v} " OUTSIDE ": Interior padding cannot be negative: {v}"},
    [SSOP_PAD_C5] = {"pad_c5", OVERFLOWS, GIVEN,
                     "axis {a}: the padded size does not fit int64: Padding computation overflows: dim={l}, "
                     "interior_padding={v}"},
    [SSOP_PAD_C6] = {"pad_c6", VALUE, BOTH,
                     "axis {a}: the padded size {v} " OUTSIDE ": Padding result in negative size for dimension {a}"},
    [SSOP_PAD_C7] = {"pad_c7", VALUE, BOTH, "padding_config entry {e} has {v} numbers, not {h}: low, high, interior"},

    [SSOP_REV_C1] = {"rev_c1", VALUE, GIVEN,
                     "dimensions entry {e} is {v} again: a dimension number is duplicated in reverse"},
    [SSOP_REV_C2] = {"rev_c2", VALUE, BOTH,
                     "dimensions entry {e}: {v} " OUTSIDE ": One of the reverse dimensions ({v}) is out-of-bounds"},

    [SSOP_CAT_C1] = {"cat_c1", VALUE, NOTHING, "no operands: Concatenate expects at least one argument."},
    [SSOP_CAT_C2] = {"cat_c2", VALUE, BOTH, "dimension {v} " OUTSIDE ": Concatenate dimension out of bounds: {v}."},
    [SSOP_CAT_C3] = {"cat_c3", VALUE, BOTH,
                     "operand entry {e} has {v} axes, not {h}: Cannot concatenate arrays with different ranks: {h} vs "
                     "{v}"},
    [SSOP_CAT_C4] = {"cat_c4", TYPE, GIVEN, ""},
    [SSOP_CAT_C5] = {"cat_c5", VALUE, BOTH,
                     "axis {a} (operand entry {e}): dim {v}, not {h}: Cannot concatenate arrays that differ in "
                     "dimensions other than the one being concatenated. Dimension {a} in both shapes must be equal"},
    [SSOP_CAT_C6] = {"cat_c6", OVERFLOWS, GIVEN,
                     "axis {a} (operand entry {e}): with dim {v} the joined size does not fit int64"},
    [SSOP_CAT_C7] = {"cat_c7", TYPE, GIVEN, ""},

    [SSOP_BC_C1] = {"bc_c1", VALUE, BOTH,
                    "sizes entry {e}: {v} " OUTSIDE ": Broadcast with negative dimension size {v}."},
    [SSOP_BC_C2] = {"bc_c2", VALUE, BOTH, "the result would have {v} axes, at most {h} are allowed"},

    [SSOP_BID_C1] = {"bid_c1", VALUE, BOTH,
                     "Size of broadcast_dimensions has to match operand's rank; operand rank: {h}, size of "
                     "broadcast_dimensions {v}."},
    [SSOP_BID_C2] = {"bid_c2", VALUE, BOTH,
                     "broadcast_dimensions entry {e}: {v} " OUTSIDE ": Broadcast dimension {v} is out of bound"},
    [SSOP_BID_C3] = {"bid_c3", VALUE, BOTH,
                     "rank {v} " OUTSIDE
                     ": InDim style broadcast must be to an equal or higher ranked shape; operand rank: {v}; output "
                     "rank: {h}"},
    [SSOP_BID_C4] = {"bid_c4", VALUE, GIVEN,
                     "axis {a}: dim {v} is neither 1 nor {h}: Input dimension should be either 1 or equal to the "
                     "output dimension it is broadcasting into; the {a}th operand dimension is {v}, the {l}th output "
                     "dimension is {h}."},
    [SSOP_BID_C5] = {"bid_c5", VALUE, GIVEN,
                     "broadcast_dimensions entry {e} is {v} again: broadcast_dimensions should not have duplicates"},

    [SSOP_RS_C1] = {"rs_c1", VALUE, BOTH,
                    "new_sizes hold {v} elements, not {h}: Reshape operation has mismatched element counts: from={h} "
                    "to={v}"},
    [SSOP_RS_C2] = {"rs_c2", OVERFLOWS, NOTHING, "an element count does not fit int64"},

    [SSOP_TR_C1] = {"tr_c1", VALUE, BOTH,
                    "{v} dimensions for rank {h}: they are not a permutation of the operand dimensions"},
    [SSOP_TR_C2] = {"tr_c2", VALUE, BOTH,
                    "dimension entry {e}: {v} " OUTSIDE ": they are not a permutation of the operand dimensions"},
    [SSOP_TR_C3] = {"tr_c3", VALUE, GIVEN,
                    "dimension entry {e} is {v} again: they are not a permutation of the operand dimensions"},

    [SSOP_COL_C1] = {"col_c1", VALUE, BOTH,
                     "dimensions entry {e} is {v}, not {h}: Collapsed dimensions are not in consecutive order."},
    [SSOP_COL_C2] = {"col_c2", VALUE, BOTH, "dimensions entry {e}: {v} " OUTSIDE},
    [SSOP_COL_C3] = {"col_c3", OVERFLOWS, NOTHING, "axis {a}: the collapsed size does not fit int64"},

    [SSOP_RG_C1] = {"rg_c1", VALUE, BOTH, "axis {a}: the region expects {v} where the one before it gives {h}"},
    [SSOP_RG_C2] = {"rg_c2", VALUE, NOTHING, "axis {a}: not a canonical region of that shape"},
    [SSOP_RG_C3] = {"rg_c3", VALUE, NOTHING,
                    "output axis {a} has length 0 and comes from no input axis: no NumPy index makes one"},
};

/* Some rules have another message for records without the axis or entry in question. */
static const char *
template_of(const ssop_error *error)
{
    if (error->rule == SSOP_SS_C4 && error->axis == 0) {
        return "entry {e} has no axis: Attempting to slice scalar input.";
    }
    if (error->rule == SSOP_RG_C1 && error->axis < 0) {
        return "the region expects {v} axes where the one before it gives {h}";
    }
    if (error->rule == SSOP_TFL_C8 && error->entry >= 0) {
        return "entry {e} is an ellipsis or a new axis: offset takes an entry of its own for every axis";
    }
    if (error->rule == SSOP_TFL_C1 && error->value != error->low) {
        return "begin and end differ in length: NumElements(op_context.begin) != NumElements(op_context.end) "
               "({v} != {l})";
    }
    if (error->rule == SSOP_TFS_C1 && error->value != error->high) {
        return "begin and size differ in length: NumElements(begin) != NumElements(size) ({v} != {h})";
    }
    return rules[error->rule].message;
}

const char *
ssop_rule_label(ssop_rule rule)
{
    return rules[rule].label;
}

ssop_status
ssop_rule_status(ssop_rule rule)
{
    return rules[rule].status;
}

int
ssop_rule_shows(ssop_rule rule)
{
    return rules[rule].shows;
}

/* Text that knows how long it would be if there were room. */
typedef struct {
    char *text;
    size_t size, length;
} text_writer;

static void
put_char(text_writer *writer, char c)
{
    if (writer->length + 1 < writer->size) {
        writer->text[writer->length] = c;
    }
    writer->length++;
}

static void
put_number(text_writer *writer, int64_t number)
{
    char digits[20];
    int n = 0;
    uint64_t rest = magnitude(number);
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        put_char(writer, '-');
    }
    while (n > 0) {
        put_char(writer, digits[--n]);
    }
}

static int64_t
placeholder(char name, const ssop_error *error)
{
    switch (name) {
    case 'a':
        return error->axis;
    case 'e':
        return error->entry;
    case 'v':
        return error->value;
    case 'l':
        return error->low;
    case 'h':
        return error->high;
    case 'n':
        return error->high + 1;
    default:
        SSOP_ASSERT(name == 'w');
        return error->value < 0 ? error->value + (error->high + 1) : error->value;
    }
}

static void
put_text(text_writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        put_char(writer, *text);
    }
}

static const char *const mask_names[SSOP_MASK_VECTORS] = {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                                          "ellipsis_mask"};

size_t
ssop_error_message(const ssop_error *error, char *text, size_t size)
{
    text_writer writer = {text, size, 0};
    for (const char *c = template_of(error); *c != '\0'; c++) {
        if (*c == '{' && c[1] == 'm') {
            put_text(&writer, mask_names[error->low]);
            c += 2;
        }
        else if (*c == '{') {
            put_number(&writer, placeholder(c[1], error));
            c += 2;
        }
        else {
            put_char(&writer, *c);
        }
    }
    if (size > 0) {
        text[writer.length < size ? writer.length : size - 1] = '\0';
    }
    return writer.length;
}
