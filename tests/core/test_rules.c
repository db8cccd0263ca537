/* What could go wrong: an error has the wrong class or label, or its message is wrong, overruns its buffer or is
 * cut. */
#include "check.h"

#define NONE 0
#define GIVEN SSOP_SHOWS_VALUE
#define BOTH (SSOP_SHOWS_VALUE | SSOP_SHOWS_ALLOWED)

/* SPEC.md's table of errors. The messages are those of the sample record and the texts below. */
static const struct {
    ssop_rule rule;
    const char *label;
    ssop_status status;
    int shows;
    const char *message;
} rows[] = {
    {SSOP_IN_C1, "in_c1", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not WANTED"},
    {SSOP_IN_C2, "in_c2", SSOP_OVERFLOW_ERROR, BOTH,
     "NAME does not fit int64: KIND is not in -4..3: out of range for an int64"},
    {SSOP_IN_C3, "in_c3", SSOP_OVERFLOW_ERROR, BOTH,
     "NAME does not fit int32: KIND is not in -4..3: out of range for an int32"},
    {SSOP_IN_C4, "in_c4", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not an integer"},
    {SSOP_IN_C5, "in_c5", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a sequence of WANTED"},
    {SSOP_IN_C6, "in_c6", SSOP_VALUE_ERROR, GIVEN, "NAME has shape KIND, not that of a vector"},
    {SSOP_IN_C7, "in_c7", SSOP_TYPE_ERROR, GIVEN,
     "NAME is KIND: a plan runs on NumPy arrays (without masks), lists and scalars only"},
    {SSOP_IN_C8, "in_c8", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a bool"},
    {SSOP_IN_C9, "in_c9", SSOP_VALUE_ERROR, BOTH, "the shape has -7 axes, at most 3 are allowed"},
    {SSOP_IN_C10, "in_c10", SSOP_VALUE_ERROR, BOTH, "axis 1: dim -7 is not in -4..3: Dimension -7 must be >= 0"},
    {SSOP_IN_C11, "in_c11", SSOP_VALUE_ERROR, GIVEN, "NAME has -7 numbers, not 2: an interval is (least, greatest)"},
    {SSOP_VAL_C1, "val_c1", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, which does not convert to WANTEDOTHER"},
    {SSOP_VAL_C2, "val_c2", SSOP_OVERFLOW_ERROR, BOTH, "NAME is SHAPE, out of bounds for WANTEDOTHER"},
    {SSOP_VAL_C3, "val_c3", SSOP_VALUE_ERROR, GIVEN, "NAME is SHAPE, which does not fit WANTED without a loss"},
    {SSOP_VAL_C4, "val_c4", SSOP_VALUE_ERROR, GIVEN,
     "NAME entry 2 is KIND, not an item of WANTED: The requested array has an inhomogeneous shape"},
    {SSOP_OUT_C1, "out_c1", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a NumPy array"},
    {SSOP_OUT_C2, "out_c2", SSOP_VALUE_ERROR, GIVEN, "NAME has shape KIND, not WANTED"},
    {SSOP_OUT_C3, "out_c3", SSOP_TYPE_ERROR, GIVEN, "NAME has dtype KIND, not WANTED"},
    {SSOP_OUT_C4, "out_c4", SSOP_VALUE_ERROR, NONE, "NAME is read-only"},
    {SSOP_OUT_C5, "out_c5", SSOP_VALUE_ERROR, NONE, "elements of NAME share memory with each other"},
    {SSOP_MEM_C1, "mem_c1", SSOP_VALUE_ERROR, NONE, "axis 1: the array's stride is too large to address its elements"},
    {SSOP_SS_C1, "ss_c1", SSOP_VALUE_ERROR, NONE,
     "begin, end and strides differ in length: Expected begin, end, and strides to be 1D equal size tensors, but got "
     "shapes [-7], [-4], and [3] instead."},
    {SSOP_SS_C2, "ss_c2", SSOP_VALUE_ERROR, BOTH,
     "-7 entries, at most 3 are allowed, though TensorFlow's message blames their shapes: Expected begin, end, and "
     "strides to be 1D equal size tensors, but got shapes [-7], [-7], and [-7] instead."},
    {SSOP_SS_C3, "ss_c3", SSOP_VALUE_ERROR, GIVEN,
     "ellipsis_mask -7 has more than one bit: Multiple ellipses in slice spec not allowed"},
    {SSOP_SS_C4, "ss_c4", SSOP_VALUE_ERROR, NONE,
     "entry 2 has no axis: Index out of range using input dim 1; input has only 1 dims"},
    {SSOP_SS_C5, "ss_c5", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): stride -7: strides[1] must be non-zero"},
    {SSOP_SS_C6, "ss_c6", SSOP_VALUE_ERROR, BOTH,
     "axis 1 (entry 2): stride -7 of a shrunk axis is not in -4..3, though TensorFlow's message names 1 alone: only "
     "stride 1 allowed on non-range indexing."},
    {SSOP_SS_C7, "ss_c7", SSOP_INDEX_ERROR, BOTH,
     "axis 1 (entry 2): index -7 is not in -4..3: slice index -7 of dimension 1 out of bounds."},
    {SSOP_SS_C8, "ss_c8", SSOP_VALUE_ERROR, BOTH, "the result would have -7 axes, at most 3 are allowed"},
    {SSOP_SL_C1, "sl_c1", SSOP_VALUE_ERROR, NONE, "slice start and limit sizes differ: -7 vs -4"},
    {SSOP_SL_C2, "sl_c2", SSOP_VALUE_ERROR, NONE, "slice start and strides sizes differ: -7 vs -4"},
    {SSOP_SL_C3, "sl_c3", SSOP_VALUE_ERROR, BOTH,
     "start_indices has -7 entries for rank 3: Slice index count does not match argument rank: -7 vs 3."},
    {SSOP_SL_C4, "sl_c4", SSOP_VALUE_ERROR, BOTH,
     "axis 1: start -7 is not in -4..3: Negative start index to slice: -7."},
    {SSOP_SL_C5, "sl_c5", SSOP_VALUE_ERROR, BOTH,
     "axis 1: limit -7 is not in -4..3: limit index (-7) must be less than or equal to dimension size (3)"},
    {SSOP_SL_C6, "sl_c6", SSOP_VALUE_ERROR, BOTH,
     "axis 1: limit -7 is not in -4..3: limit index (-7) must be greater or equal to start index (-4) in slice with "
     "positive stride"},
    {SSOP_SL_C7, "sl_c7", SSOP_VALUE_ERROR, BOTH, "axis 1: stride -7 is not in -4..3: Stride (-7) must be positive."},
    {SSOP_DS_C1, "ds_c1", SSOP_VALUE_ERROR, BOTH,
     "start_indices has -7 entries for rank 3: Dynamic slice start number of dimensions -7 must match rank 3 of slice "
     "input"},
    {SSOP_DS_C2, "ds_c2", SSOP_VALUE_ERROR, BOTH,
     "slice_sizes has -7 entries for rank 3: Dynamic slice index count does not match argument rank: -7 vs 3."},
    {SSOP_DS_C3, "ds_c3", SSOP_VALUE_ERROR, BOTH,
     "axis 1: size -7 is not in -4..3: Negative size index to dynamic slice: -7."},
    {SSOP_DS_C4, "ds_c4", SSOP_VALUE_ERROR, BOTH,
     "axis 1: size -7 is not in -4..3: Slice dim size -7 greater than dynamic slice dimension: 3."},
    {SSOP_DS_C5, "ds_c5", SSOP_INDEX_ERROR, BOTH, "axis 1: start -7 is not in -4..3: the window does not fit"},
    {SSOP_DS_C6, "ds_c6", SSOP_VALUE_ERROR, GIVEN, "NAME is KIND, not WANTED"},
    {SSOP_DS_C7, "ds_c7", SSOP_VALUE_ERROR, BOTH, "allow_negative_indices has -7 entries for rank 3"},
    {SSOP_DS_C8, "ds_c8", SSOP_VALUE_ERROR, GIVEN, "NAME is KIND, which has no effect: out_of_bounds is not 'fill'"},
    {SSOP_DS_C9, "ds_c9", SSOP_VALUE_ERROR, BOTH, "start_indices entry 2 has -7 entries, the first one 3"},
    {SSOP_DUS_C1, "dus_c1", SSOP_VALUE_ERROR, BOTH,
     "start_indices has -7 entries for rank 3: Dynamic update slice start number of dimensions -7 must match rank 3 of "
     "slice input"},
    {SSOP_DUS_C2, "dus_c2", SSOP_VALUE_ERROR, BOTH,
     "update has rank -7, the operand 3: Dynamic update slice update rank does not match argument rank: -7 vs 3."},
    {SSOP_DUS_C3, "dus_c3", SSOP_VALUE_ERROR, BOTH,
     "axis 1: update dim -7 is not in -4..3: Update dim size -7 greater than dynamic slice dimension: 3."},
    {SSOP_DUS_C4, "dus_c4", SSOP_TYPE_ERROR, GIVEN,
     "Dynamic update slice update element type does not match argument. operand.element_type: WANTED vs "
     "update.element_type: KIND. NAME.astype(SHAPE) converts it"},
    {SSOP_DUS_C5, "dus_c5", SSOP_INDEX_ERROR, BOTH, "axis 1: start -7 is not in -4..3: the window does not fit"},
    {SSOP_GR_C1, "gr_c1", SSOP_VALUE_ERROR, GIVEN,
     "NAME has shape KIND, not WANTED: shape of NAME was SHAPE instead of OTHER"},
    {SSOP_AS_C1, "as_c1", SSOP_VALUE_ERROR, GIVEN,
     "axis 1: dim -7 of the value cannot be repeated to 3: Cannot broadcast input shape into final shape"},
    {SSOP_AS_C2, "as_c2", SSOP_TYPE_ERROR, GIVEN,
     "l-value dtype WANTED does not match r-value dtype KIND; NAME.astype(SHAPE) converts it"},
    {SSOP_TSL_C1, "tsl_c1", SSOP_VALUE_ERROR, NONE,
     "begin and size do not have one entry per axis: Expected begin and size arguments to be 1-D tensors of size -4, "
     "but "
     "got shapes [-7] and [3] instead."},
    {SSOP_TSL_C2, "tsl_c2", SSOP_VALUE_ERROR, BOTH,
     "axis 1: begin -7 is not in -4..3: Expected begin[1] in [0, 3], but got -7"},
    {SSOP_TSL_C3, "tsl_c3", SSOP_VALUE_ERROR, BOTH,
     "axis 1: size -7 is neither -1 nor in -4..3: Expected size[1] in [0, 3], but got -7"},
    {SSOP_TFL_C1, "tfl_c1", SSOP_VALUE_ERROR, NONE, "begin, end and strides differ in length: -7, -4 and 3"},
    {SSOP_TFL_C2, "tfl_c2", SSOP_VALUE_ERROR, BOTH,
     "-7 entries, at most 3 are allowed: StridedSlice op only supports up to 31 indices."},
    {SSOP_TFL_C3, "tfl_c3", SSOP_VALUE_ERROR, GIVEN, "ellipsis_mask -7 has more than one bit"},
    {SSOP_TFL_C4, "tfl_c4", SSOP_VALUE_ERROR, NONE, "entry 2 finds no axis 1, and a new axis follows"},
    {SSOP_TFL_C5, "tfl_c5", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): stride -7: stride value has to be non-zero"},
    {SSOP_TFL_C6, "tfl_c6", SSOP_VALUE_ERROR, BOTH,
     "axis 1 (entry 2): stride -7 of a shrunk axis is not in -4..3: TFLite would write nothing"},
    {SSOP_TFL_C7, "tfl_c7", SSOP_INDEX_ERROR, BOTH,
     "axis 1 (entry 2): index -7 is not in -4..3: TFLite would write nothing"},
    {SSOP_TFL_C8, "tfl_c8", SSOP_VALUE_ERROR, NONE, "axis 1 has no entry: offset takes one of its own for every axis"},
    {SSOP_TFL_C9, "tfl_c9", SSOP_VALUE_ERROR, GIVEN,
     "axis 1 (entry 2): offset -7 leaves the axis: TFLite would not write what it allocates"},
    {SSOP_TFS_C1, "tfs_c1", SSOP_VALUE_ERROR, NONE,
     "begin has -7 entries for rank -4: NumElements(begin) != input_dims (-7 != -4)"},
    {SSOP_TFS_C2, "tfs_c2", SSOP_VALUE_ERROR, BOTH, "axis 1: begin -7 is not in -4..3: Invalid begin."},
    {SSOP_TFS_C3, "tfs_c3", SSOP_VALUE_ERROR, BOTH, "axis 1: size -7 is neither -1 nor in -4..3: Invalid size."},
    {SSOP_TFS_C4, "tfs_c4", SSOP_VALUE_ERROR, BOTH,
     "axis 1: size -7 is neither -1 nor in -4..3: Invalid begin and size."},
    {SSOP_OV_C1, "ov_c1", SSOP_VALUE_ERROR, GIVEN,
     "shrink_axis_mask entry 2 is -7, not 0 or 1: All masks of StridedSlice must have be 0 or 1"},
    {SSOP_OV_C2, "ov_c2", SSOP_VALUE_ERROR, GIVEN,
     "shrink_axis_mask has -7 entries, begin_mask 3: All masks of StridedSlice must have the same size"},
    {SSOP_OV_C3, "ov_c3", SSOP_VALUE_ERROR, NONE,
     "begin has -7 entries, end -4: Begin and end need to have same number of values."},
    {SSOP_OV_C4, "ov_c4", SSOP_VALUE_ERROR, NONE,
     "strides has -7 entries, begin -4: Stride needs to have same number of values as begin and end."},
    {SSOP_OV_C5, "ov_c5", SSOP_VALUE_ERROR, NONE, "entry 2 is a second ellipsis: At most one ellipsis is allowed."},
    {SSOP_OV_C6, "ov_c6", SSOP_VALUE_ERROR, NONE,
     "entry 2 finds no axis 1: Input rank plus number of new axis has to be at least the size of Lower and Upper "
     "bounds vector."},
    {SSOP_OV_C7, "ov_c7", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): stride -7: Stride must be non-zero"},
    {SSOP_OV_C8, "ov_c8", SSOP_INDEX_ERROR, BOTH, "axis 1 (entry 2): index -7 is not in -4..3"},
    {SSOP_OV_C9, "ov_c9", SSOP_VALUE_ERROR, BOTH, "-7 entries, at most 3 are allowed"},
    {SSOP_OVS_C1, "ovs_c1", SSOP_VALUE_ERROR, NONE, "Slice `data` input can't be a scalar."},
    {SSOP_OVS_C2, "ovs_c2", SSOP_VALUE_ERROR, NONE,
     "lists of -7 and -4 entries: Slice `start`, `stop`, `step` inputs must have compatible shapes."},
    {SSOP_OVS_C3, "ovs_c3", SSOP_VALUE_ERROR, NONE,
     "axes has -7 entries, start -4: Slice `axes` input must have compatible shape with `start`, `stop`, `step` "
     "inputs."},
    {SSOP_OVS_C4, "ovs_c4", SSOP_VALUE_ERROR, BOTH,
     "-7 entries, at most 3 are allowed: Slice `start` input dim size can't be bigger than `data` rank."},
    {SSOP_OVS_C5, "ovs_c5", SSOP_VALUE_ERROR, BOTH,
     "axes entry 2: -7 is not in -4..3: Axis -7 out of the tensor rank range [-4, 3]."},
    {SSOP_OVS_C6, "ovs_c6", SSOP_VALUE_ERROR, GIVEN,
     "axes entry 2: -7 is axis 1 again: Slice values in `axes` input must be unique."},
    {SSOP_OVS_C7, "ovs_c7", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): step -7: Step must be non-zero"},
    {SSOP_ONX_C1, "onx_c1", SSOP_VALUE_ERROR, NONE,
     "starts has -7 entries, ends -4: Incorrect or missing input value for starts and ends"},
    {SSOP_ONX_C2, "onx_c2", SSOP_VALUE_ERROR, NONE, "axes has -7 entries, starts -4: Input axes has incorrect length"},
    {SSOP_ONX_C3, "onx_c3", SSOP_VALUE_ERROR, NONE,
     "steps has -7 entries, starts -4: Input steps has incorrect length"},
    {SSOP_ONX_C4, "onx_c4", SSOP_VALUE_ERROR, BOTH,
     "axes entry 2: -7 is not in -4..3: Unexpected axis value: -7. Expected range [-4, 4)"},
    {SSOP_ONX_C5, "onx_c5", SSOP_VALUE_ERROR, GIVEN,
     "axes entry 2: -7 is axis 1 again: Axis 1 is referred to more than once."},
    {SSOP_ONX_C6, "onx_c6", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): step -7: 'step' cannot be 0 for Slice"},
    {SSOP_ONX_C7, "onx_c7", SSOP_VALUE_ERROR, GIVEN, "NAME is KIND, not WANTED"},
    {SSOP_ONR_C1, "onr_c1", SSOP_INDEX_ERROR, BOTH,
     "axes entry 2: -7 is not in -4..3: list assignment index out of range"},
    {SSOP_ONR_C2, "onr_c2", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): step -7: slice step cannot be zero"},
    {SSOP_ONR_C3, "onr_c3", SSOP_INDEX_ERROR, BOTH,
     "too many indices for array: array is 3-dimensional, but -7 were indexed"},
    {SSOP_ONR_C4, "onr_c4", SSOP_VALUE_ERROR, BOTH, "-7 entries, at most 3 are allowed"},
    {SSOP_ORT_C1, "ort_c1", SSOP_VALUE_ERROR, NONE, "Cannot slice scalars"},
    {SSOP_ORT_C2, "ort_c2", SSOP_VALUE_ERROR, NONE, "starts has -7 entries, ends -4: Starts and ends shape mismatch"},
    {SSOP_ORT_C3, "ort_c3", SSOP_VALUE_ERROR, NONE, "axes has -7 entries, starts -4: Starts and axes shape mismatch"},
    {SSOP_ORT_C4, "ort_c4", SSOP_VALUE_ERROR, NONE, "steps has -7 entries, starts -4: Starts and steps shape mismatch"},
    {SSOP_ORT_C5, "ort_c5", SSOP_VALUE_ERROR, BOTH,
     "axes entry 2: -7 is not in -4..3: 'axes' has an axis outside of the tensor dimension count"},
    {SSOP_ORT_C6, "ort_c6", SSOP_VALUE_ERROR, GIVEN, "axes entry 2: -7 is axis 1 again: 'axes' has duplicates"},
    {SSOP_ORT_C7, "ort_c7", SSOP_VALUE_ERROR, GIVEN, "axis 1 (entry 2): step -7: 'step' value cannot be 0"},
    {SSOP_DIM_C1, "dim_c1", SSOP_VALUE_ERROR, BOTH, "axis -7 is not in -4..3"},
    {SSOP_DIM_C2, "dim_c2", SSOP_INDEX_ERROR, BOTH,
     "axis 1: index -7 is not in -4..3: index -7 is out of bounds for axis 1 with size 4"},
    {SSOP_PAD_C1, "pad_c1", SSOP_VALUE_ERROR, GIVEN,
     "NAME has shape KIND: Pad operation does not support non-scalar padding values."},
    {SSOP_PAD_C2, "pad_c2", SSOP_VALUE_ERROR, BOTH,
     "padding_config has -7 entries for rank 3: The rank of the operand and the padding configuration do not match"},
    {SSOP_PAD_C3, "pad_c3", SSOP_TYPE_ERROR, GIVEN,
     "NAME has dtype KIND, not WANTED: The element types of the operands to Pad do not match. NAME.astype(SHAPE) "
     "converts it"},
    {SSOP_PAD_C4, "pad_c4", SSOP_VALUE_ERROR, BOTH,
     "axis 1: interior padding -7 is not in -4..3: Interior padding cannot be negative: -7"},
    {SSOP_PAD_C5, "pad_c5", SSOP_OVERFLOW_ERROR, GIVEN,
     "axis 1: the padded size does not fit int64: Padding computation overflows: dim=-4, interior_padding=-7"},
    {SSOP_PAD_C6, "pad_c6", SSOP_VALUE_ERROR, BOTH,
     "axis 1: the padded size -7 is not in -4..3: Padding result in negative size for dimension 1"},
    {SSOP_PAD_C7, "pad_c7", SSOP_VALUE_ERROR, BOTH,
     "padding_config entry 2 has -7 numbers, not 3: low, high, interior"},
    {SSOP_REV_C1, "rev_c1", SSOP_VALUE_ERROR, GIVEN,
     "dimensions entry 2 is -7 again: a dimension number is duplicated in reverse"},
    {SSOP_REV_C2, "rev_c2", SSOP_VALUE_ERROR, BOTH,
     "dimensions entry 2: -7 is not in -4..3: One of the reverse dimensions (-7) is out-of-bounds"},
    {SSOP_CAT_C1, "cat_c1", SSOP_VALUE_ERROR, NONE, "no operands: Concatenate expects at least one argument."},
    {SSOP_CAT_C2, "cat_c2", SSOP_VALUE_ERROR, BOTH,
     "dimension -7 is not in -4..3: Concatenate dimension out of bounds: -7."},
    {SSOP_CAT_C3, "cat_c3", SSOP_VALUE_ERROR, BOTH,
     "operand entry 2 has -7 axes, not 3: Cannot concatenate arrays with different ranks: 3 vs -7"},
    {SSOP_CAT_C4, "cat_c4", SSOP_TYPE_ERROR, GIVEN,
     "operand entry 2 has dtype KIND, not WANTED: Cannot concatenate arrays with different element types: WANTED vs "
     "KIND."},
    {SSOP_CAT_C5, "cat_c5", SSOP_VALUE_ERROR, BOTH,
     "axis 1 (operand entry 2): dim -7, not 3: Cannot concatenate arrays that differ in dimensions other than the one "
     "being concatenated. Dimension 1 in both shapes must be equal"},
    {SSOP_CAT_C6, "cat_c6", SSOP_OVERFLOW_ERROR, GIVEN,
     "axis 1 (operand entry 2): with dim -7 the joined size does not fit int64"},
    {SSOP_CAT_C7, "cat_c7", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a sequence of arrays"},
    {SSOP_CAT_C8, "cat_c8", SSOP_VALUE_ERROR, BOTH,
     "operands is a sequence of -7 items: at most 3 are allowed in one that is neither a list nor a tuple"},
    {SSOP_BC_C1, "bc_c1", SSOP_VALUE_ERROR, BOTH,
     "sizes entry 2: -7 is not in -4..3: Broadcast with negative dimension size -7."},
    {SSOP_BC_C2, "bc_c2", SSOP_VALUE_ERROR, BOTH, "the result would have -7 axes, at most 3 are allowed"},
    {SSOP_BID_C1, "bid_c1", SSOP_VALUE_ERROR, BOTH,
     "Size of broadcast_dimensions has to match operand's rank; operand rank: 3, size of broadcast_dimensions -7."},
    {SSOP_BID_C2, "bid_c2", SSOP_VALUE_ERROR, BOTH,
     "broadcast_dimensions entry 2: -7 is not in -4..3: Broadcast dimension -7 is out of bound"},
    {SSOP_BID_C3, "bid_c3", SSOP_VALUE_ERROR, BOTH,
     "rank -7 is not in -4..3: InDim style broadcast must be to an equal or higher ranked shape; operand rank: -7; "
     "output rank: 3"},
    {SSOP_BID_C4, "bid_c4", SSOP_VALUE_ERROR, GIVEN,
     "axis 1: dim -7 is neither 1 nor 3: Input dimension should be either 1 or equal to the output dimension it is "
     "broadcasting into; the 1th operand dimension is -7, the -4th output dimension is 3."},
    {SSOP_BID_C5, "bid_c5", SSOP_VALUE_ERROR, GIVEN,
     "broadcast_dimensions entry 2 is -7 again: broadcast_dimensions should not have duplicates"},
    {SSOP_RS_C1, "rs_c1", SSOP_VALUE_ERROR, BOTH,
     "new_sizes hold -7 elements, not 3: Reshape operation has mismatched element counts: from=3 to=-7"},
    {SSOP_RS_C2, "rs_c2", SSOP_OVERFLOW_ERROR, NONE, "an element count does not fit int64"},
    {SSOP_TR_C1, "tr_c1", SSOP_VALUE_ERROR, BOTH,
     "-7 dimensions for rank 3: they are not a permutation of the operand dimensions"},
    {SSOP_TR_C2, "tr_c2", SSOP_VALUE_ERROR, BOTH,
     "dimension entry 2: -7 is not in -4..3: they are not a permutation of the operand dimensions"},
    {SSOP_TR_C3, "tr_c3", SSOP_VALUE_ERROR, GIVEN,
     "dimension entry 2 is -7 again: they are not a permutation of the operand dimensions"},
    {SSOP_COL_C1, "col_c1", SSOP_VALUE_ERROR, BOTH,
     "dimensions entry 2 is -7, not 3: Collapsed dimensions are not in consecutive order."},
    {SSOP_COL_C2, "col_c2", SSOP_VALUE_ERROR, BOTH, "dimensions entry 2: -7 is not in -4..3"},
    {SSOP_COL_C3, "col_c3", SSOP_OVERFLOW_ERROR, NONE, "axis 1: the collapsed size does not fit int64"},
    {SSOP_RG_C1, "rg_c1", SSOP_VALUE_ERROR, BOTH, "axis 1: the region expects -7 where the one before it gives 3"},
    {SSOP_RG_C2, "rg_c2", SSOP_VALUE_ERROR, NONE,
     "input axis 1: its range is not canonical (rg_s1), leaves the axis, or takes several elements of a dropped axis"},
    {SSOP_RG_C3, "rg_c3", SSOP_VALUE_ERROR, NONE,
     "output axis 1 has length 0 and comes from no input axis: no NumPy index makes one"},
    {SSOP_RG_C4, "rg_c4", SSOP_VALUE_ERROR, BOTH, "ranges has -7 entries for rank 3"},
    {SSOP_RG_C5, "rg_c5", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a Region"},
    {SSOP_RG_C7, "rg_c7", SSOP_VALUE_ERROR, BOTH, "the grid has -7 entries for rank 3"},
    {SSOP_RG_C8, "rg_c8", SSOP_VALUE_ERROR, BOTH, "axis 1: chunk size -7 is not in -4..3"},
    {SSOP_RG_C9, "rg_c9", SSOP_VALUE_ERROR, BOTH, "axis 1: the chunks have -7 elements, and the axis 3"},
    {SSOP_IX_C1, "ix_c1", SSOP_TYPE_ERROR, GIVEN,
     "entry 2 of the NAME is KIND, not an integer, slice, None or ...: WANTED"},
    {SSOP_SH_C1, "sh_c1", SSOP_VALUE_ERROR, BOTH, "Shapes must be equal rank, but are -7 and -4"},
    {SSOP_SH_C2, "sh_c2", SSOP_VALUE_ERROR, BOTH,
     "Dimension 1 in both shapes must be equal, but are -7 and -4. Shapes are NAME and KIND."},
    {SSOP_SH_C3, "sh_c3", SSOP_VALUE_ERROR, BOTH, "Dimensions must be equal, but are -7 and -4"},
    {SSOP_SH_C4, "sh_c4", SSOP_VALUE_ERROR, BOTH, "Shape must be rank -4 but is rank -7"},
    {SSOP_SH_C5, "sh_c5", SSOP_VALUE_ERROR, BOTH,
     "rank -7 is not in -4..3: Shape must be at least rank -4 but is rank -7"},
    {SSOP_SH_C6, "sh_c6", SSOP_VALUE_ERROR, BOTH, "Shape must be at most rank 3 but is rank -7"},
    {SSOP_SH_C7, "sh_c7", SSOP_VALUE_ERROR, BOTH,
     "rank -7 is not in -4..3: Rank cannot exceed kint32max, says TensorFlow, and 3 here"},
    {SSOP_SH_C8, "sh_c8", SSOP_VALUE_ERROR, BOTH, "Dimension must be -7 but is -4"},
    {SSOP_SH_C9, "sh_c9", SSOP_VALUE_ERROR, GIVEN, "Subshape start out of bounds: -7, for shape with rank 3"},
    {SSOP_SH_C10, "sh_c10", SSOP_VALUE_ERROR, NONE,
     "Subshape must have computed start <= end, but is -7 and -4 (computed from NAME over shape with rank 3)"},
    {SSOP_SH_C11, "sh_c11", SSOP_INDEX_ERROR, BOTH,
     "axis -7 is not in -4..3: Out of range dim_index -7 for shape with 4 dimensions"},
    {SSOP_SH_C12, "sh_c12", SSOP_VALUE_ERROR, NONE, "Negative dimension size caused by subtracting -4 from -7"},
    {SSOP_SH_C13, "sh_c13", SSOP_OVERFLOW_ERROR, NONE, "Dimension size overflow from adding -7 and -4"},
    {SSOP_SH_C14, "sh_c14", SSOP_OVERFLOW_ERROR, NONE,
     "Negative dimension size caused by overflow when multiplying -7 and -4"},
    {SSOP_SH_C15, "sh_c15", SSOP_VALUE_ERROR, GIVEN, "Divisor must be positive but is -7"},
    {SSOP_SH_C16, "sh_c16", SSOP_VALUE_ERROR, NONE, "Dimension size must be evenly divisible by -4 but is -7"},
    {SSOP_SH_C17, "sh_c17", SSOP_VALUE_ERROR, GIVEN, "entry 2: Invalid value in tensor used for shape: -7"},
    {SSOP_SH_C21, "sh_c21", SSOP_VALUE_ERROR, NONE, "Subshape stride must not be 0"},
    {SSOP_SH_C23, "sh_c23", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not a shape: None or a sequence of dims"},
    {SSOP_SH_C24, "sh_c24", SSOP_VALUE_ERROR, BOTH, "NAME is -7, not in -4..3: Dimension -7 must be >= 0"},
    {SSOP_SH_C25, "sh_c25", SSOP_VALUE_ERROR, GIVEN, "NAME is KIND, not WANTED"},
    {SSOP_SH_C37, "sh_c37", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND that is no identifier, and so no name of a dim"},
    {SSOP_PL_C1, "pl_c1", SSOP_VALUE_ERROR, GIVEN, "NAME has shape KIND, not WANTED"},
    {SSOP_PL_C2, "pl_c2", SSOP_TYPE_ERROR, GIVEN, "NAME has dtype KIND, not WANTED"},
    {SSOP_TH_C1, "th_c1", SSOP_VALUE_ERROR, BOTH, "NAME KIND is not in -4..3"},
    {SSOP_TH_C2, "th_c2", SSOP_TYPE_ERROR, GIVEN, "NAME is KIND, not an integer"},
};

/* The second message of rules that have one. */
static const struct {
    ssop_rule rule;
    const char *message;
} second[] = {
    {SSOP_SH_C37, "NAME is KIND, not a str"},
    {SSOP_IN_C1, "NAME entry 2 is KIND, not WANTED"},
    {SSOP_OUT_C2, "NAME has shape KIND, not WANTED: copyto never broadcasts"},
    {SSOP_OUT_C3, "NAME has dtype KIND, not WANTED: copyto never casts; NAME.astype(SHAPE) converts it"},
    {SSOP_IN_C11, "NAME: (-7, 3) is not an interval (least, greatest) of numbers from -4 on"},
    {SSOP_RG_C8, "axis 1, entry 2: chunk size -7 is not in -4..3"},
    {SSOP_RG_C9, "axis 1: the chunks up to entry 2 have more than -7 elements, and the axis 3"},
    {SSOP_RG_C4, "ranges entry 2 has -7 numbers, not 3: start, count, step"},
    {SSOP_IN_C2, "NAME entry 2 does not fit int64: KIND is not in -4..3: out of range for an int64"},
    {SSOP_IN_C6, "NAME has shape KIND, not that of a vector: WANTED"},
    {SSOP_SS_C7,
     "axis 1 (entry 2): index -7 is not in -4..3: with dim 4 added, slice index -3 of dimension 1 out of bounds."},
    {SSOP_RS_C1,
     "new_sizes, which come before dimensions, hold -7 elements, not 3: Reshape operation has mismatched element "
     "counts: from=3 to=-7"},
    {SSOP_DIM_C1, "axis -7 is not in -4..3: the operand has no axes"},
    {SSOP_CAT_C2,
     "dimension -7 is not in -4..3, for the operands have no axes: Concatenate dimension out of bounds: -7."},
    {SSOP_RG_C2, "output axis 1: out_axes names no input axis there, or one that is not after those before it"},
    {SSOP_IN_C8, "NAME entry 2 is KIND, not a bool"},
    {SSOP_SS_C4, "the input has no axes, so entry 2 finds none: Attempting to slice scalar input."},
    {SSOP_VAL_C1, "NAME entry 2 is KIND, which does not convert to WANTEDOTHER"},
    {SSOP_VAL_C2, "NAME entry 2 is SHAPE, out of bounds for WANTEDOTHER"},
    {SSOP_VAL_C3, "NAME entry 2 is SHAPE, which does not fit WANTED without a loss"},
    {SSOP_DS_C6, "NAME is 'KIND', not WANTED"},
    {SSOP_ONX_C7, "NAME is 'KIND', not WANTED"},
    {SSOP_AS_C1, "value has shape KIND: Cannot broadcast input shape SHAPE into final shape OTHER"},
    {SSOP_TFL_C1,
     "begin and end differ in length: NumElements(op_context.begin) != NumElements(op_context.end) (-7 != -4)"},
    {SSOP_TFL_C8, "entry 2 is an ellipsis or a new axis: offset takes an entry of its own for every axis"},
    {SSOP_TFS_C1, "begin and size differ in length: NumElements(begin) != NumElements(size) (-7 != 3)"},
    {SSOP_RG_C1, "the region expects -7 axes where the one before it gives 3"},
    {SSOP_SH_C2,
     "Dimension 1 in both shapes must be equal, but one is at most -7 and the other at least -4. Shapes are NAME "
     "and KIND."},
    {SSOP_SH_C3, "Dimensions must be equal, but one is at most -7 and the other at least -4"},
    {SSOP_SH_C8, "Dimension must be -7 but is in -4..3"},
    {SSOP_SH_C9, "Subshape end out of bounds: -7, for shape with rank 3"},
    {SSOP_SH_C10,
     "Subshape must have computed start >= end since stride is negative, but is -7 and -4 (computed from NAME over "
     "shape with rank 3)"},
    {SSOP_SH_C16, "Dimension size must be evenly divisible by -4 but is in -7..3"},
    {SSOP_SH_C23, "NAME is KIND, not a dim: an integer, None, a pair (least, greatest), a name or a Dim"},
    {SSOP_SH_C25, "NAME is 'KIND', not WANTED"},
};

static const char *const texts[] = {"NAME", "KIND", "WANTED", "SHAPE", "OTHER"};

enum { MESSAGE_BYTES = 512, GUARD_BYTES = 8 };

static ssop_error
sample(ssop_rule rule)
{
    int64_t low = rule == SSOP_OV_C1 || rule == SSOP_OV_C2 ? 3 : -4; /* there, the number of a mask */
    return (ssop_error){.rule = rule, .axis = 1, .entry = 2, .value = -7, .low = low, .high = 3};
}

/* The message of a rule with the label that every message ends with. */
static void
with_label(const char *message, ssop_rule rule, char whole[MESSAGE_BYTES])
{
    const char *label = ssop_rule_label(rule);
    snprintf(whole, MESSAGE_BYTES, *label != '\0' ? "%s [%s]" : "%s", message, label);
}

/* `message` stands without its label here. */
static void
check_message(const ssop_error *error, const char *message)
{
    char text[MESSAGE_BYTES], right[MESSAGE_BYTES];
    with_label(message, error->rule, right);
    size_t length = ssop_error_message(error, texts, text, sizeof(text));
    CHECK(length == strlen(right) && strcmp(text, right) == 0, "%s: \"%s\"", ssop_rule_label(error->rule), text);
}

static void
test_every_rule(void)
{
    bool seen[SSOP_RULE_COUNT] = {true}; /* SSOP_NO_RULE has no row */
    for (int i = 0; i < COUNT(rows); i++) {
        ssop_rule rule = rows[i].rule;
        ssop_error error = sample(rule);
        CHECK(!seen[rule], "%s is listed twice", rows[i].label);
        seen[rule] = true;
        CHECK(strcmp(ssop_rule_label(rule), rows[i].label) == 0, "%s: label %s", rows[i].label, ssop_rule_label(rule));
        CHECK(ssop_rule_status(rule) == rows[i].status, "%s: status %d", rows[i].label, (int)ssop_rule_status(rule));
        CHECK(ssop_rule_shows(rule) == rows[i].shows, "%s: shows %d", rows[i].label, ssop_rule_shows(rule));
        check_message(&error, rows[i].message);
    }
    for (int rule = 0; rule < SSOP_RULE_COUNT; rule++) {
        CHECK(seen[rule], "rule %d is not listed", rule);
    }
    ssop_error none = sample(SSOP_NO_RULE);
    check_message(&none, "");
    CHECK(strcmp(ssop_rule_label(SSOP_NO_RULE), "") == 0 && ssop_rule_status(SSOP_NO_RULE) == SSOP_OK &&
              ssop_rule_shows(SSOP_NO_RULE) == 0,
          "no rule");
}

/* Form 1 selects the second message; a rule with one message has it in both forms. */
static void
test_forms(void)
{
    for (int i = 0; i < COUNT(rows); i++) {
        const char *right = rows[i].message;
        for (int k = 0; k < COUNT(second); k++) {
            right = second[k].rule == rows[i].rule ? second[k].message : right;
        }
        ssop_error error = sample(rows[i].rule);
        error.form = 1;
        check_message(&error, right);
    }
}

/* Without texts, the placeholders of rules about objects stay. */
static void
test_without_texts(void)
{
    char text[MESSAGE_BYTES];
    ssop_error error = sample(SSOP_OUT_C2);
    ssop_error_message(&error, NULL, text, sizeof(text));
    CHECK(strcmp(text, "{0} has shape {1}, not {2} [out_c2]") == 0, "out_c2: \"%s\"", text);
    error = sample(SSOP_AS_C1);
    ssop_error_message(&error, NULL, text, sizeof(text));
    CHECK(strchr(text, '{') == NULL, "as_c1, which the core finds: \"%s\"", text);
}

/* Cut at every size: the same beginning, a NUL inside the buffer, nothing after it, and always the whole length. */
static void
test_truncation(void)
{
    for (int i = 0; i < COUNT(rows); i++) {
        char whole[MESSAGE_BYTES];
        with_label(rows[i].message, rows[i].rule, whole);
        size_t length = strlen(whole);
        ssop_error error = sample(rows[i].rule);
        for (size_t size = 0; size <= length + 2; size++) {
            char text[MESSAGE_BYTES];
            mark(text, sizeof(text));
            CHECK(ssop_error_message(&error, texts, text, size) == length, "%s: length at size %d", rows[i].label,
                  (int)size);
            size_t kept = size == 0 ? 0 : size > length ? length : size - 1;
            CHECK(memcmp(text, whole, kept) == 0 && (size == 0 || text[kept] == '\0'), "%s: text at size %d",
                  rows[i].label, (int)size);
            CHECK(is_marked(text + size, GUARD_BYTES), "%s: written past size %d", rows[i].label, (int)size);
        }
        CHECK(ssop_error_message(&error, texts, NULL, 0) == length, "%s: length without a buffer", rows[i].label);
    }
}

static void
test_extreme_numbers(void)
{
    ssop_error error = error_of(SSOP_SS_C6, INT32_MAX, INT32_MIN, INT64_MIN, INT64_MIN, INT64_MAX);
    check_message(&error,
                  "axis 2147483647 (entry -2147483648): stride -9223372036854775808 of a shrunk axis is not in "
                  "-9223372036854775808..9223372036854775807, though TensorFlow's message names 1 alone: only stride 1 "
                  "allowed on non-range indexing.");
    const struct {
        int64_t number;
        const char *text;
    } numbers[] = {{0, "0"},
                   {9, "9"},
                   {10, "10"},
                   {-1, "-1"},
                   {-10, "-10"},
                   {1000000000000000000, "1000000000000000000"},
                   {INT64_MAX, "9223372036854775807"},
                   {INT64_MIN + 1, "-9223372036854775807"}};
    for (int i = 0; i < COUNT(numbers); i++) {
        char right[MESSAGE_BYTES];
        snprintf(right, sizeof(right), "slice start and limit sizes differ: %s vs %s", numbers[i].text,
                 numbers[i].text);
        error = error_of(SSOP_SL_C1, -1, -1, numbers[i].number, numbers[i].number, 0);
        check_message(&error, right);
    }
}

/* The functions that find an error choose its form. */
static void
test_forms_of_errors_that_are_found(void)
{
    const int64_t dims[2] = {3, 4}, zero[2] = {0, 0};
    ssop_error error;
    ssop_spec spec = {.count = 1, .step = {1}};
    ssop_region region, other;
    ssop_shape scalar = {0, dims}, vector = {1, dims}, matrix = {2, dims};
    ssop_strided_slice_resolve(&spec, scalar, &ssop_dialect_tensorflow, &region, NULL, &error);
    check_message(&error, "the input has no axes, so entry 0 finds none: Attempting to slice scalar input.");
    spec.count = 2;
    spec.step[1] = 1;
    ssop_strided_slice_resolve(&spec, vector, &ssop_dialect_tensorflow, &region, NULL, &error);
    check_message(&error, "entry 1 has no axis: Index out of range using input dim 1; input has only 1 dims");
    ssop_strided_slice_resolve(&spec, scalar, &ssop_dialect_openvino, &region, NULL, &error);
    check_message(&error,
                  "entry 0 finds no axis 0: Input rank plus number of new axis has to be at least the size of "
                  "Lower and Upper bounds vector.");

    spec.count = 1;
    ssop_strided_slice_resolve(&spec, matrix, &ssop_dialect_tflite_offset, &region, NULL, &error);
    check_message(&error, "axis 1 has no entry: offset takes one of its own for every axis");
    spec.flags[0] = SSOP_ELLIPSIS;
    ssop_strided_slice_resolve(&spec, matrix, &ssop_dialect_tflite_offset, &region, NULL, &error);
    check_message(&error, "entry 0 is an ellipsis or a new axis: offset takes an entry of its own for every axis");

    const ssop_masks masks = {0, 0, 0, 0, 0};
    ssop_spec_init(&spec, (ssop_spec_counts){2, 2, 3}, &masks, &ssop_dialect_tflite, &error);
    check_message(&error, "begin, end and strides differ in length: 2, 2 and 3");
    ssop_spec_init(&spec, (ssop_spec_counts){2, 3, 3}, &masks, &ssop_dialect_tflite, &error);
    check_message(&error,
                  "begin and end differ in length: NumElements(op_context.begin) != "
                  "NumElements(op_context.end) (2 != 3)");

    ssop_size_slice_spec by_size = {2, 2, zero, zero};
    ssop_size_slice_resolve(&by_size, vector, &ssop_tflite_slice, &region, &error);
    check_message(&error, "begin has 2 entries for rank 1: NumElements(begin) != input_dims (2 != 1)");
    by_size.size_count = 1;
    ssop_size_slice_resolve(&by_size, vector, &ssop_tflite_slice, &region, &error);
    check_message(&error, "begin and size differ in length: NumElements(begin) != NumElements(size) (2 != 1)");

    ssop_region_whole(&region, matrix);
    ssop_region_compose(&region, &region, zero, &other, &error);
    check_message(&error, "axis 0: the region expects 0 where the one before it gives 3");
    ssop_region vector_region;
    ssop_region_whole(&vector_region, vector);
    ssop_region_compose(&region, &vector_region, dims, &other, &error);
    check_message(&error, "the region expects 1 axes where the one before it gives 2");
}

/* ds_s4: a start past int64 is shown as it was given. */
static void
test_huge_values(void)
{
    const int64_t dim = 3, size = 2;
    const bool add_dim = false;
    const ssop_start start = {INT64_MIN + 5, true};
    ssop_window_spec spec = {1, 1, &start, &size, &add_dim, 1, SSOP_RAISE};
    ssop_window window;
    ssop_error error;
    ssop_dynamic_slice_resolve(&spec, (ssop_shape){1, &dim}, &window, &error);
    check_message(&error, "axis 0: start 9223372036854775813 is not in 0..1: the window does not fit");
    error.value = -1;
    check_message(&error, "axis 0: start 18446744073709551615 is not in 0..1: the window does not fit");
}

/* ss_c7 names negative indices after adding the dim. */
static void
test_wrapped_indices(void)
{
    ssop_error above = error_of(SSOP_SS_C7, 0, 0, 9, -4, 3);
    check_message(&above, "axis 0 (entry 0): index 9 is not in -4..3: slice index 9 of dimension 0 out of bounds.");
    ssop_error of_nothing = error_of(SSOP_SS_C7, 0, 0, 0, 0, -1), at_zero = error_of(SSOP_SS_C7, 0, 0, 0, 1, 3);
    check_message(
        &of_nothing,
        "axis 0 (entry 0): index 0 is outside the axis, which has no elements: slice index 0 of dimension 0 out of "
        "bounds.");
    check_message(&at_zero, "axis 0 (entry 0): index 0 is not in 1..3: slice index 0 of dimension 0 out of bounds.");
    ssop_error lowest = error_of(SSOP_SS_C7, 0, 0, INT64_MIN, -INT64_MAX, INT64_MAX - 1);
    lowest.form = 1;
    check_message(&lowest,
                  "axis 0 (entry 0): index -9223372036854775808 is not in "
                  "-9223372036854775807..9223372036854775806: with dim 9223372036854775807 added, slice index -1 of "
                  "dimension 0 out of bounds.");
    ssop_error zero_axis = error_of(SSOP_MEM_C1, 0, -1, 0, 0, 0);
    check_message(&zero_axis, "axis 0: the array's stride is too large to address its elements");
}

int
main(void)
{
    test_every_rule();
    test_truncation();
    test_extreme_numbers();
    test_forms();
    test_without_texts();
    test_forms_of_errors_that_are_found();
    test_huge_values();
    test_wrapped_indices();
    return check_report("test_rules");
}
