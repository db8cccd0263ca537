/*
 * ssop: strided slices with the exact semantics of the machine-learning frameworks.
 *
 * The only public header. Everything declared here is pure C11: no operating system, no heap, no abort, and one global, the
 * chosen tier of kernels.
 * Functions take plain arrays and structs that the caller owns, return a status, and on failure fill the caller's error
 * record (if one is given) and write nothing else. All functions but ssop_cpu_choose are safe to call from any number of
 * threads at once.
 *
 * Words: an axis is a position in a shape, a dim its length, an entry a position in a spec, a step the elements between
 * picks, a stride the bytes between elements. Labels such as ss_c5 are those of SPEC.md.
 */
#ifndef SSOP_SSOP_H
#define SSOP_SSOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SSOP_MAX_RANK = 64,     /* axes of an input or a result */
    SSOP_MAX_ENTRIES = 128, /* entries of a spec; a dialect may allow fewer */
};

/* ---- status and error ------------------------------------------------------------------------------------------- */

typedef enum {
    SSOP_OK = 0,
    SSOP_VALUE_ERROR,    /* lengths, ranks, sizes, bounds of ranges */
    SSOP_INDEX_ERROR,    /* an integer index outside its axis */
    SSOP_TYPE_ERROR,     /* something of the wrong type */
    SSOP_OVERFLOW_ERROR, /* an integer outside its width */
} ssop_status;

/* Every constraint of SPEC.md that C meets; the others are about Python objects alone. */
typedef enum {
    SSOP_NO_RULE = 0,
    SSOP_IN_C1,
    SSOP_IN_C2,
    SSOP_IN_C3,
    SSOP_IN_C4,
    SSOP_IN_C5,
    SSOP_IN_C6,
    SSOP_IN_C7,
    SSOP_IN_C8,
    SSOP_IN_C9,
    SSOP_IN_C10,
    SSOP_OUT_C1,
    SSOP_OUT_C2,
    SSOP_OUT_C3,
    SSOP_OUT_C4,
    SSOP_OUT_C5,
    SSOP_MEM_C1,
    SSOP_SS_C1,
    SSOP_SS_C2,
    SSOP_SS_C3,
    SSOP_SS_C4,
    SSOP_SS_C5,
    SSOP_SS_C6,
    SSOP_SS_C7,
    SSOP_SS_C8,
    SSOP_SL_C1,
    SSOP_SL_C2,
    SSOP_SL_C3,
    SSOP_SL_C4,
    SSOP_SL_C5,
    SSOP_SL_C6,
    SSOP_SL_C7,
    SSOP_DS_C1,
    SSOP_DS_C2,
    SSOP_DS_C3,
    SSOP_DS_C4,
    SSOP_DS_C5,
    SSOP_DS_C6,
    SSOP_DS_C7,
    SSOP_DUS_C1,
    SSOP_DUS_C2,
    SSOP_DUS_C3,
    SSOP_DUS_C4,
    SSOP_DUS_C5,
    SSOP_GR_C1,
    SSOP_AS_C1,
    SSOP_AS_C2,
    SSOP_TSL_C1,
    SSOP_TSL_C2,
    SSOP_TSL_C3,
    SSOP_TFL_C1,
    SSOP_TFL_C2,
    SSOP_TFL_C3,
    SSOP_TFL_C4,
    SSOP_TFL_C5,
    SSOP_TFL_C6,
    SSOP_TFL_C7,
    SSOP_TFL_C8,
    SSOP_TFL_C9,
    SSOP_TFS_C1,
    SSOP_TFS_C2,
    SSOP_TFS_C3,
    SSOP_TFS_C4,
    SSOP_OV_C1,
    SSOP_OV_C2,
    SSOP_OV_C3,
    SSOP_OV_C4,
    SSOP_OV_C5,
    SSOP_OV_C6,
    SSOP_OV_C7,
    SSOP_OV_C8,
    SSOP_OV_C9,
    SSOP_OVS_C1,
    SSOP_OVS_C2,
    SSOP_OVS_C3,
    SSOP_OVS_C4,
    SSOP_OVS_C5,
    SSOP_OVS_C6,
    SSOP_OVS_C7,
    SSOP_ONX_C1,
    SSOP_ONX_C2,
    SSOP_ONX_C3,
    SSOP_ONX_C4,
    SSOP_ONX_C5,
    SSOP_ONX_C6,
    SSOP_ONX_C7,
    SSOP_ONR_C1,
    SSOP_ONR_C2,
    SSOP_ONR_C3,
    SSOP_ONR_C4,
    SSOP_ORT_C1,
    SSOP_ORT_C2,
    SSOP_ORT_C3,
    SSOP_ORT_C4,
    SSOP_ORT_C5,
    SSOP_ORT_C6,
    SSOP_ORT_C7,
    SSOP_DIM_C1,
    SSOP_DIM_C2,
    SSOP_PAD_C1,
    SSOP_PAD_C2,
    SSOP_PAD_C3,
    SSOP_PAD_C4,
    SSOP_PAD_C5,
    SSOP_PAD_C6,
    SSOP_PAD_C7,
    SSOP_REV_C1,
    SSOP_REV_C2,
    SSOP_CAT_C1,
    SSOP_CAT_C2,
    SSOP_CAT_C3,
    SSOP_CAT_C4,
    SSOP_CAT_C5,
    SSOP_CAT_C6,
    SSOP_CAT_C7,
    SSOP_BC_C1,
    SSOP_BC_C2,
    SSOP_BID_C1,
    SSOP_BID_C2,
    SSOP_BID_C3,
    SSOP_BID_C4,
    SSOP_BID_C5,
    SSOP_RS_C1,
    SSOP_RS_C2,
    SSOP_TR_C1,
    SSOP_TR_C2,
    SSOP_TR_C3,
    SSOP_COL_C1,
    SSOP_COL_C2,
    SSOP_COL_C3,
    SSOP_RG_C1,
    SSOP_RG_C2,
    SSOP_RG_C3,
    SSOP_PL_C1,
    SSOP_PL_C2,
    SSOP_TH_C1,
    SSOP_TH_C2,
    SSOP_RULE_COUNT,
} ssop_rule;

/* What went wrong. Axis and entry are -1 where they have no meaning; which of value and low..high have one is a matter of
 * the rule (ssop_rule_shows). Written only on failure. */
typedef struct {
    ssop_rule rule;
    int32_t axis, entry;
    int64_t value;     /* as the caller gave it */
    int64_t low, high; /* what would be allowed, inclusive */
} ssop_error;

enum { SSOP_SHOWS_VALUE = 1, SSOP_SHOWS_ALLOWED = 2 };

const char *ssop_rule_label(ssop_rule rule);
ssop_status ssop_rule_status(ssop_rule rule);
int ssop_rule_shows(ssop_rule rule);

/* Writes the message of `error`, always NUL-terminated, cut at `size` bytes; returns the length of the whole message. */
size_t ssop_error_message(const ssop_error *error, char *text, size_t size);

/* ---- ranges and regions ------------------------------------------------------------------------------------------- */

/* Elements start, start + step, .. of one axis: `count` of them, all inside it. Canonical: no sentinel, no sign trick;
 * count 0 is (0, 0, 1) and count 1 has step 1 (rg_s1). */
typedef struct {
    int64_t start, count, step;
} ssop_range;

enum {
    SSOP_NEW_AXIS = -1,   /* an output axis of length 1 that comes from no input axis */
    SSOP_EMPTY_AXIS = -2, /* one of length 0: an empty slice of a new axis (rg_s2) */
};

/* What every slice resolves to. Input axes that no output axis names were dropped; they have count 1. */
typedef struct {
    int32_t in_rank, out_rank;
    ssop_range range[SSOP_MAX_RANK]; /* one per input axis */
    int8_t out_axis[SSOP_MAX_RANK];  /* input axis of each output axis, or one of the two above */
} ssop_region;

/* The canonical range from begin (inside) to end (exclusive, one past at most, in the direction of step). step != 0. */
ssop_range ssop_range_between(int64_t begin, int64_t end, int64_t step);

/* All of an input, axis by axis. */
void ssop_region_whole(ssop_region *region, int32_t rank, const int64_t *dims);

/* Length of output axis `axis`. */
int64_t ssop_region_dim(const ssop_region *region, int32_t axis);

/* True if some axis has count 0, so that the region holds nothing. */
bool ssop_region_is_empty(const ssop_region *region);

/* Checks a region made by hand against an input shape (rg_c2). */
ssop_status ssop_region_check(const ssop_region *region, const int64_t *dims, ssop_error *error);

/* out = second after first (rg_s2). `second_dims` is the input shape that `second` was resolved against; it must be the
 * shape of `first` (rg_c1). `out` may be neither of the two. */
ssop_status ssop_region_compose(const ssop_region *first, const ssop_region *second, const int64_t *second_dims,
                                ssop_region *out, ssop_error *error);

/* Replaces negative steps by positive ones that take the same elements; flip[k] tells that output axis k must be reversed
 * afterwards (rg_s3). */
void ssop_region_split(const ssop_region *region, ssop_region *forward, bool flip[SSOP_MAX_RANK]);

/* ---- strided slice -------------------------------------------------------------------------------------------------- */

/* One flag byte per entry: borders decode their masks into these. */
enum {
    SSOP_BEGIN_MASK = 1,
    SSOP_END_MASK = 2,
    SSOP_ELLIPSIS = 4,
    SSOP_AXIS_NEW = 8,
    SSOP_SHRINK = 16,
};

/* The rules a framework refuses by: the same conditions, its own words. */
typedef struct {
    ssop_rule lengths, max_entries, ellipses; /* of the spec */
    ssop_rule no_axis;                        /* an entry finds no axis left */
    ssop_rule zero_step, shrunk_step, shrunk_index;
    ssop_rule offset_layout, offset_window;
} ssop_refusals;

/* What a framework does differently; read by the one resolver. Shown: who does it. */
typedef struct {
    const ssop_refusals *refuses;
    int32_t max_entries;
    bool spare_bits_count;           /* more than one ellipsis bit is an error also past the spec (TensorFlow) */
    bool ellipsis_takes_one;         /* the ellipsis covers at least one axis, if there is one left (TFLite) */
    bool drops_spare_entries;        /* entries without an axis mean nothing, unless a new axis follows (TFLite) */
    bool shrink_reads_begin_mask;    /* a masked begin is element 0 also where the axis is shrunk (TFLite) */
    bool shrink_ignores_step;        /* the stride of a shrunk entry is never looked at (OpenVINO) */
    bool shrink_clamps_below;        /* a shrunk begin below -dim is element 0 instead of an error (TFLite) */
    bool reverse_clamps_begin_first; /* a begin below -dim with a negative stride is element 0 (OpenVINO, ONNX) */
    bool end_is_offset;              /* end counts from the begin that is really used (TFLite with offset) */
    bool max_end_is_open;            /* ends INT32_MAX and INT64_MAX are the end as the step walks (ONNX Runtime) */
} ssop_dialect;

extern const ssop_dialect ssop_dialect_tensorflow, ssop_dialect_tflite, ssop_dialect_tflite_offset,
    ssop_dialect_openvino;

/* A sparse spec: entry i is (begin, end, step, flags)[i]. */
typedef struct {
    int32_t count;
    bool plain; /* known to have no flags at all; false says nothing */
    uint8_t flags[SSOP_MAX_ENTRIES];
    int64_t begin[SSOP_MAX_ENTRIES], end[SSOP_MAX_ENTRIES], step[SSOP_MAX_ENTRIES];
} ssop_spec;

/* TensorFlow's five bit masks, in their own order. */
typedef struct {
    int32_t begin, end, ellipsis, new_axis, shrink_axis;
} ssop_masks;

/* TensorFlow's and TFLite's border: checks the three lengths (ss_c1, ss_c2) and the masks (ss_c3) and writes spec->count
 * and spec->flags. The vectors themselves are the caller's to fill, up to the dialect's limit. */
ssop_status ssop_spec_init(ssop_spec *spec, int64_t begin_count, int64_t end_count, int64_t step_count,
                           const ssop_masks *masks, const ssop_dialect *dialect, ssop_error *error);

/* One of OpenVINO's masks. Elements past SSOP_MAX_ENTRIES are never looked at. */
typedef struct {
    int64_t count;
    int64_t element[SSOP_MAX_ENTRIES];
} ssop_mask_vector;

enum { SSOP_MASK_VECTORS = 5 }; /* begin, end, new axis, shrink axis, ellipsis */

/* OpenVINO's border (ov_c1 .. ov_c5, ov_c9): masks shorter than the spec are filled up with zeros, longer ones cut
 * (ov_s4); `strict` adds what the operation's validation asks for. */
ssop_status ssop_openvino_spec_init(ssop_spec *spec, int64_t begin_count, int64_t end_count, int64_t step_count,
                                    const ssop_mask_vector masks[SSOP_MASK_VECTORS], bool strict, ssop_error *error);

/* The resolver's stages for one input axis. Without an entry of its own (entry -1) an axis is taken whole. */
typedef struct {
    int32_t entry;
    int64_t wrapped_begin, wrapped_end; /* after adding the dim to negative ones */
    int64_t clamped_begin, clamped_end; /* after clamping to the axis */
    int64_t begin, end;                 /* after the masks: the half-open interval that is walked */
    ssop_range range;
} ssop_axis_trace;

/* The stages of one resolution, for explanations: owned and zeroed by the caller, filled as far as resolving got. */
typedef struct {
    int32_t entries, axes;
    uint8_t flags[SSOP_MAX_ENTRIES];      /* what is left of each entry's flags after conflicts (ss_s1) */
    int16_t first_axis[SSOP_MAX_ENTRIES]; /* the input axis an entry stands at */
    int16_t axis_count[SSOP_MAX_ENTRIES]; /* how many input axes it addresses: 0 for a new axis, any for the ellipsis */
    ssop_axis_trace axis[SSOP_MAX_RANK];
} ssop_trace;

/* Resolves `spec` against an input shape (ss_c4 .. ss_c8, ss_s1 .. ss_s8). 0 <= rank <= SSOP_MAX_RANK, dims >= 0.
 * `trace` and `error` may be NULL. */
ssop_status
ssop_strided_slice_resolve(const ssop_spec *spec, int32_t rank, const int64_t *dims, const ssop_dialect *dialect,
                           ssop_region *region, ssop_trace *trace, ssop_error *error);

/* ---- partial knowledge ------------------------------------------------------------------------------------------------ */

typedef struct {
    int64_t lo, hi; /* inclusive */
} ssop_interval;

/* Unknown dims are 0 .. INT64_MAX, unknown bounds INT64_MIN .. INT64_MAX, known numbers lo == hi. */
typedef struct {
    int32_t count;
    uint8_t flags[SSOP_MAX_ENTRIES];
    ssop_interval begin[SSOP_MAX_ENTRIES], end[SSOP_MAX_ENTRIES], step[SSOP_MAX_ENTRIES];
} ssop_partial_spec;

typedef struct {
    int32_t rank;
    ssop_interval dim[SSOP_MAX_RANK];
} ssop_partial_shape;

/* The same resolver on partial knowledge: the exact least and greatest length of every output axis over all completions
 * that are legal; an error only if there is none (ss_s10). */
ssop_status ssop_strided_slice_counts(const ssop_partial_spec *spec, int32_t rank, const ssop_interval *dims,
                                      const ssop_dialect *dialect, ssop_partial_shape *out, ssop_error *error);

/* ---- slice, dynamic slice, dynamic update slice ------------------------------------------------------------------------- */

/* Slices of named axes: OpenVINO's Slice-8, ONNX's Slice. */
typedef struct {
    int64_t start_count, stop_count, step_count, axes_count;
    const int64_t *start, *stop;
    const int64_t *step; /* NULL: all ones */
    const int64_t *axes; /* NULL: 0, 1, .. */
} ssop_axes_slice_spec;

/* What the frameworks do differently there. */
typedef struct {
    const ssop_dialect *range;
    bool zips;        /* lists are read as far as the shortest, and the last of several entries for one axis holds */
    ssop_rule scalar; /* SSOP_NO_RULE: scalars are taken */
    ssop_rule lengths, axes_length, step_length, axis, axis_twice;
    ssop_rule max_entries; /* of more entries than axes; SSOP_NO_RULE: the axis that is missing is the error */
    ssop_rule max_length;  /* where lists may be longer: of more than SSOP_MAX_ENTRIES */
} ssop_axes_dialect;

extern const ssop_axes_dialect ssop_openvino_slice, ssop_onnx_slice, ssop_onnx_reference_slice, ssop_onnxruntime_slice;

ssop_status ssop_axes_slice_resolve(const ssop_axes_slice_spec *spec, int32_t rank, const int64_t *dims,
                                    const ssop_axes_dialect *dialect, ssop_region *region, ssop_error *error);

/* XLA's Slice (sl_c1 .. sl_c7, sl_s1). `stride` may be NULL: all ones. */
typedef struct {
    int64_t start_count, limit_count, stride_count;
    const int64_t *start, *limit, *stride;
} ssop_slice_spec;

ssop_status ssop_slice_resolve(const ssop_slice_spec *spec, int32_t rank, const int64_t *dims, ssop_region *region,
                               ssop_error *error);

/* TensorFlow's and TFLite's Slice (tsl_c1 .. tsl_c3, tsl_s1; tfs_c1 .. tfs_c4, tfs_s1): size -1 is to the end. */
typedef struct {
    int64_t begin_count, size_count;
    const int64_t *begin, *size;
} ssop_size_slice_spec;

/* Their words. */
typedef struct {
    ssop_rule lengths, begin, negative_size, size;
} ssop_size_dialect;

extern const ssop_size_dialect ssop_tensorflow_slice, ssop_tflite_slice;

ssop_status ssop_size_slice_resolve(const ssop_size_slice_spec *spec, int32_t rank, const int64_t *dims,
                                    const ssop_size_dialect *dialect, ssop_region *region, ssop_error *error);

typedef enum { SSOP_CLAMP, SSOP_WRAP, SSOP_RAISE } ssop_out_of_bounds;

/* A start index: `value`, or, where `huge`, the uint64 of the same bits, which is 2^63 or more (ds_s4). */
typedef struct {
    int64_t value;
    bool huge;
} ssop_start;

/* A window of an operand: its sizes, where it starts, and what happens outside. */
typedef struct {
    int64_t start_count, size_count;
    const ssop_start *start;
    const int64_t *size;
    const bool *add_dim;   /* a negative start has the dim added once (ds_s3) */
    int64_t add_dim_count; /* one per axis (ds_c7), or -1: add_dim[0] holds for all */
    ssop_out_of_bounds out_of_bounds;
} ssop_window_spec;

/* Where a window lies: per axis one range of the operand, or two where it wraps round the end. */
typedef struct {
    int32_t rank;
    ssop_range part[SSOP_MAX_RANK][2];
} ssop_window;

/* DynamicSlice (ds_c1 .. ds_c5) and DynamicUpdateSlice (dus_c1 .. dus_c5; the sizes are the update's dims). */
ssop_status ssop_dynamic_slice_resolve(const ssop_window_spec *spec, int32_t rank, const int64_t *dims,
                                       ssop_window *window, ssop_error *error);
ssop_status ssop_dynamic_update_slice_resolve(const ssop_window_spec *spec, int32_t rank, const int64_t *dims,
                                              ssop_window *window, ssop_error *error);

/* A window is at most 2^rank pieces, each one region of the operand and one of the window itself. Start with a zeroed
 * `choice`; ssop_window_next moves it on and returns false after the last piece. */
void ssop_window_piece(const ssop_window *window, const uint8_t choice[SSOP_MAX_RANK], ssop_region *of_operand,
                       ssop_region *of_window);
bool ssop_window_next(const ssop_window *window, uint8_t choice[SSOP_MAX_RANK]);

/* ---- views ------------------------------------------------------------------------------------------------------------- */

/* Strided memory: element (i, j, ..) is at data + i * stride[0] + j * stride[1] .. ; strides are in bytes, of any sign. */
typedef struct {
    char *data;
    int64_t item_bytes;
    int32_t rank;
    int64_t dim[SSOP_MAX_RANK], stride[SSOP_MAX_RANK];
} ssop_view;

/* out = the part of `in` that `region` takes (mem_c1). No memory is touched. */
ssop_status ssop_region_view(const ssop_region *region, const ssop_view *in, ssop_view *out, ssop_error *error);

/* out = `value` seen with `rank` axes of these dims: missing leading axes and axes of length 1 repeat, extra leading axes
 * of length 1 are dropped (as_c1, as_s1). No memory is touched. */
ssop_status
ssop_view_broadcast(const ssop_view *value, int32_t rank, const int64_t *dims, ssop_view *out, ssop_error *error);

/* ---- XLA's other operations that only move data -------------------------------------------------------------------- */

/* An axis as the one-axis forms take it: negative ones count from the end (dim_s1). -1 if there is none (dim_c1). */
int32_t ssop_axis_resolve(int64_t axis, int32_t rank, ssop_error *error);

/* slice_in_dim: Slice of one axis, the others whole (dim_s2, dim_s3). */
typedef struct {
    int64_t start, limit, stride, axis;
    bool has_start, has_limit; /* without: the ends of the axis */
    bool add_dim;              /* negative bounds have the dim added once */
} ssop_slice_in_dim_spec;

ssop_status ssop_slice_in_dim_resolve(const ssop_slice_in_dim_spec *spec, int32_t rank, const int64_t *dims,
                                      ssop_region *region, ssop_error *error);

/* index_in_dim: one element of one axis, which goes unless `keepdims` (dim_c2, dim_s4). */
typedef struct {
    int64_t index, axis;
    bool keepdims, add_dim;
} ssop_index_in_dim_spec;

ssop_status ssop_index_in_dim_resolve(const ssop_index_in_dim_spec *spec, int32_t rank, const int64_t *dims,
                                      ssop_region *region, ssop_error *error);

/* The dynamic one-axis forms: a window that is whole on all other axes, or, for updates, starts at 0 there. */
typedef struct {
    ssop_start start;
    int64_t size, axis; /* updates bring their own size */
    bool add_dim;
    ssop_out_of_bounds out_of_bounds;
} ssop_window_in_dim_spec;

ssop_status ssop_dynamic_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, int32_t rank, const int64_t *dims,
                                              ssop_window *window, ssop_error *error);
ssop_status ssop_dynamic_update_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, int32_t update_rank,
                                                     const int64_t *update_dims, int32_t rank, const int64_t *dims,
                                                     ssop_window *window, ssop_error *error);

/* The same for an update that may lack the axis (dim_s5): `missing` is that axis, or -1. */
ssop_status ssop_dynamic_update_index_in_dim_resolve(const ssop_window_in_dim_spec *spec, int32_t update_rank,
                                                     const int64_t *update_dims, int32_t rank, const int64_t *dims,
                                                     ssop_window *window, int32_t *missing, ssop_error *error);

/* For a region that takes every axis in order, one element of `axis`: drops the output axis, or drops the input axis and
 * makes the output axis a new one. */
void ssop_region_drop_out_axis(ssop_region *region, int32_t axis);
void ssop_region_drop_in_axis(ssop_region *region, int32_t axis);

/* Pad (pad_c2, pad_c4 .. pad_c6, pad_s1 .. pad_s3): `kept` of the operand lands at `place` in the result of shape
 * `out_dims`; everything else there is the padding value. */
typedef struct {
    int64_t count;
    const int64_t *low, *high, *interior;
} ssop_pad_spec;

ssop_status ssop_pad_resolve(const ssop_pad_spec *spec, int32_t rank, const int64_t *dims, ssop_region *kept,
                             ssop_region *place, int64_t out_dims[SSOP_MAX_RANK], ssop_error *error);

/* Rev (rev_c1, rev_c2, rev_s1). Here and in Collapse, `count` may be larger than what is stored: more than
 * SSOP_MAX_RANK + 1 dimensions are never read, for so many cannot be right. */
ssop_status ssop_reverse_resolve(int64_t count, const int64_t *dimensions, int32_t rank, const int64_t *dims,
                                 ssop_region *region, ssop_error *error);

/* Concatenate (cat_c1 .. cat_c3, cat_c5, cat_c6, cat_s1): begun with the first operand's shape, then every operand is
 * added, the first one too. `dim` is the shape of the result so far. */
typedef struct {
    int32_t rank, axis;
    int64_t dim[SSOP_MAX_RANK];
} ssop_concatenation;

ssop_status ssop_concatenate_begin(ssop_concatenation *joined, int64_t operands, int64_t dimension, int32_t rank,
                                   const int64_t *dims, ssop_error *error);

/* `place` is where operand `entry` lands in the result. */
ssop_status ssop_concatenate_add(ssop_concatenation *joined, int32_t entry, int32_t rank, const int64_t *dims,
                                 ssop_region *place, ssop_error *error);

/* Transpose, Broadcast and BroadcastInDim: `seen` is the operand as the result shows it (tr_c1 .. tr_c3, tr_s1; bc_c1,
 * bc_c2, bc_s1; bid_c1 .. bid_c5, bid_s1, bid_s2). No memory is touched. */
ssop_status ssop_transpose_view(int64_t count, const int64_t *permutation, const ssop_view *operand, ssop_view *seen,
                                ssop_error *error);
ssop_status
ssop_broadcast_view(int64_t count, const int64_t *sizes, const ssop_view *operand, ssop_view *seen, ssop_error *error);
ssop_status ssop_broadcast_in_dim_view(int32_t rank, const int64_t *dims, int64_t count, const int64_t *dimensions,
                                       const ssop_view *operand, ssop_view *seen, ssop_error *error);

/* Reshape (rs_c1, rs_c2, rs_s1, rs_s2): the elements of `seen` in C order are those of the result, of shape `size`. */
typedef struct {
    int32_t rank;
    const int64_t *size;        /* none negative */
    const int64_t *permutation; /* NULL: as they are */
    int64_t permutation_count;
} ssop_reshape_spec;

ssop_status
ssop_reshape_view(const ssop_reshape_spec *spec, const ssop_view *operand, ssop_view *seen, ssop_error *error);

/* Collapse (col_c1 .. col_c3, col_s1, col_s2): the shape of the result, whose elements are the operand's in C order. */
ssop_status ssop_collapse_dims(int64_t count, const int64_t *dimensions, int32_t rank, const int64_t *dims,
                               int32_t *out_rank, int64_t out_dims[SSOP_MAX_RANK], ssop_error *error);
/* ---- processors --------------------------------------------------------------------------------------------------------- */

/* Tiers of kernels beyond portable C, as bits. */
enum { SSOP_CPU_SSSE3 = 1, SSOP_CPU_AVX2 = 2, SSOP_CPU_AVX512 = 4, SSOP_CPU_NEON = 8 };

/* The tiers that this processor and its operating system can run. */
unsigned ssop_cpu_features(void);

/* Chooses the tier of all nests built from now on: "portable", "ssse3", "avx2", "avx512" (with VBMI), "neon", or NULL for
 * the best. False, and nothing changes, if there is no such tier here. Without a call everything is portable. This and
 * ssop_cpu_set_last_cache are the only functions that are not safe to call while another one runs. */
bool ssop_cpu_choose(const char *tier);

/* The name of the chosen tier. */
const char *ssop_cpu_tier(void);

/* The tiers of this build, the best first: the name of one, and whether this machine can run it; NULL beyond the last. */
const char *ssop_cpu_tier_at(int32_t at, bool *runs);

/* How large all nests built from now on take the last cache to be: `bytes` within these bounds, for hypervisors are known
 * to tell tales of caches; 0 stands for the default, which also holds without a call. */
enum {
    SSOP_LEAST_LAST_CACHE_BYTES = 8 * 1024 * 1024,
    SSOP_DEFAULT_LAST_CACHE_BYTES = 32 * 1024 * 1024,
    SSOP_MOST_LAST_CACHE_BYTES = 64 * 1024 * 1024,
};
void ssop_cpu_set_last_cache(int64_t bytes);
int64_t ssop_cpu_last_cache_bytes(void);

/* ---- moving bytes ------------------------------------------------------------------------------------------------------ */

/* How a kernel treats memory: bits of ssop_tile.policy. */
enum {
    SSOP_STREAM = 1,   /* stores bypass the caches: the copy is larger than they are */
    SSOP_PREFETCH = 2, /* the source is in none of them, or not for long */
    SSOP_STRING = 4,   /* rows are left to the processor's own loop */
};

/* What a kernel runs: `rows` times `columns` items. */
typedef struct {
    int64_t rows, columns;
    int64_t dst_row, src_row;       /* bytes from row to row */
    int64_t dst_column, src_column; /* bytes from item to item */
    int64_t item_bytes;
    const void *table; /* where the bytes of a vector come from or go to, for the patterns that permute */
    unsigned policy;
} ssop_tile;

typedef void (*ssop_kernel)(char *dst, const char *src, const ssop_tile *tile);

typedef enum {
    SSOP_PATTERN_ROWS,      /* items of any size, each one block on both sides */
    SSOP_PATTERN_STRIDED,   /* small items, whatever the strides */
    SSOP_PATTERN_PACK,      /* small items from afar that adjoin in the destination */
    SSOP_PATTERN_PERMUTE,   /* the same from near by: whole vectors are loaded and their bytes put in order */
    SSOP_PATTERN_TRANSPOSE, /* columns adjoin in the destination, rows in the source */
    SSOP_PATTERN_SCATTER,   /* the items of one vector go to places near by; the bytes between stay as they are */
    SSOP_PATTERN_ZERO,      /* no source: write zero bytes */
    SSOP_PATTERN_EXPAND,    /* zero bytes between the items of a row, whose items adjoin nowhere in the destination */
    SSOP_PATTERN_COUNT,
} ssop_pattern;

/* A copy, reduced to its loops: unit axes dropped, destination strides positive and descending, chained axes joined. */
typedef struct {
    char *dst;
    const char *src;
    int64_t item_bytes;
    int32_t rank;                                                                       /* at least 1 */
    int64_t count[SSOP_MAX_RANK], dst_stride[SSOP_MAX_RANK], src_stride[SSOP_MAX_RANK]; /* outermost first */
    int32_t cut_axis;              /* the axis along which ssop_nest_execute takes pieces */
    int32_t item_axes;             /* the innermost axes that are one item to the kernel */
    int32_t column_axis, row_axis; /* its two loops; -1 for none */
    ssop_pattern pattern;
    ssop_kernel kernel;
    int32_t vector_bytes; /* of the tier for which the kernel was chosen */
    /* The caller may set these two between building and running. */
    bool fresh_dst;      /* never written before: the system clears such pages into the caches. Default: false */
    int64_t cache_bytes; /* a copy that touches more than half is too large. Default: ssop_cpu_last_cache_bytes() */
} ssop_nest;

/* dst <- src: same shape and item size, no overlap that matters (ssop_views_relate), no two items of dst at one place. */
void ssop_nest_copy(ssop_nest *nest, const ssop_view *dst, const ssop_view *src);

/* dst <- zero bytes. */
void ssop_nest_zero(ssop_nest *nest, const ssop_view *dst);

/* The items that `like` describes, from `src` instead of its own data, in C order to `dst`, which shares no byte with them:
 * without a nest, for so few bytes. There is at least one. */
enum { SSOP_SMALL_BYTES = 512 };
void ssop_copy_small(char *dst, const char *src, const ssop_view *like);

/* How many steps a nest can be cut into, 0 if there is nothing to do, and the bytes that all of them write. */
int64_t ssop_nest_steps(const ssop_nest *nest);
int64_t ssop_nest_bytes(const ssop_nest *nest);

/* Runs steps first .. last - 1. Pieces may run in any order and at the same time; each step exactly once is the copy. */
void ssop_nest_execute(const ssop_nest *nest, int64_t first, int64_t last);

/* dst <- zero bytes, but `src` at `region`: each byte of dst is written once. dst is C-ordered and holds no byte of src,
 * whose shape is the region's output shape. Runs steps first .. last - 1 of ssop_expand_steps(dst) (gr_s1). */
void ssop_expand(const ssop_view *dst, const ssop_region *region, const ssop_view *src, int64_t first, int64_t last);
int64_t ssop_expand_steps(const ssop_view *dst);

/* What lies around a window, in regions: where something else is written to the window afterwards, no more than that need
 * be copied. */
typedef struct {
    ssop_region left;          /* what no part has taken so far */
    const ssop_region *window; /* the caller's */
    int32_t cut;
} ssop_around;

/* Around `window`, a region of an array of these dims; its output axes do not matter. False if many short rows would take
 * longer than a copy of everything. */
bool ssop_around_begin(ssop_around *around, const ssop_region *window, const int64_t *dims, int64_t item_bytes);

/* The next part; false after the last one. No element is in two of them, and there are at most two for each axis. */
bool ssop_around_next(ssop_around *around, ssop_region *part);

typedef enum {
    SSOP_DISJOINT, /* no byte is in both */
    SSOP_SAME,     /* the same items at the same places */
    SSOP_OVERLAP,  /* anything else, or too hard to tell */
} ssop_relation;

/* How the bytes of two views of one item size relate. */
ssop_relation ssop_views_relate(const ssop_view *a, const ssop_view *b);

/* True if two items of the view share a byte, or if that is too hard to tell (out_c5). */
bool ssop_view_overlaps_itself(const ssop_view *view);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_SSOP_H */
