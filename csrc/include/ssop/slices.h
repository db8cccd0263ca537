/* Ranges and regions, and everything that resolves to them: strided slices, slices, dynamic windows. */
#ifndef SSOP_SLICES_H
#define SSOP_SLICES_H

#include <stdbool.h>
#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SSOP_MAX_RANK = 64,     /* axes of an input or a result */
    SSOP_MAX_ENTRIES = 128, /* entries of a spec; a dialect may allow fewer */
    /* How many entries of a list of axes are read. A longer list is always an error, and these entries suffice to find
     * it: one of them is out of bounds or listed twice. */
    SSOP_MAX_AXES_READ = SSOP_MAX_RANK + 1,
};

/* The dims of an array. `dim` is memory of the caller, which must stay valid until the function returns. No dim is
 * negative. */
typedef struct {
    int32_t rank;
    const int64_t *dim;
} ssop_shape;

/* ---- ranges and regions ------------------------------------------------------------------------------------------ */

/* The elements start, start + step, .. of one axis: `count` of them, all inside the axis. Canonical: there are no
 * sentinels and no negative indices; count 0 is (0, 0, 1) and count 1 has step 1 (rg_s1). */
typedef struct {
    int64_t start, count, step;
} ssop_range;

enum {
    SSOP_NEW_AXIS = -1,   /* an output axis of length 1 that comes from no input axis */
    SSOP_EMPTY_AXIS = -2, /* an output axis of length 0: an empty slice of a new axis (rg_s2) */
};

/* What every slice resolves to. Input axes that no output axis names are dropped; they have count 1. */
typedef struct {
    int32_t in_rank, out_rank;
    ssop_range range[SSOP_MAX_RANK]; /* one per input axis */
    int8_t out_axis[SSOP_MAX_RANK];  /* input axis of each output axis, or one of the two above */
} ssop_region;

/* The canonical range from begin (inclusive) to end (exclusive), in the direction of step. step != 0; end may be -1. */
ssop_range ssop_range_between(int64_t begin, int64_t end, int64_t step);

/* The region that selects all of an input. */
void ssop_region_whole(ssop_region *region, ssop_shape shape);

/* Length of output axis `axis`. */
int64_t ssop_region_dim(const ssop_region *region, int32_t axis);

/* True if some axis has count 0, so that the region has no elements. */
bool ssop_region_is_empty(const ssop_region *region);

/* Checks a region made by hand against an input shape (rg_c2). */
ssop_status ssop_region_check(const ssop_region *region, const int64_t *dims, ssop_error *error);

/* out = the region that selects what `second` selects from the result of `first` (rg_s2). `second_dims` is the input
 * shape that `second` was resolved against; it must be the shape of `first` (rg_c1). `out` may be neither of the
 * two. */
ssop_status ssop_region_compose(const ssop_region *first, const ssop_region *second, const int64_t *second_dims,
                                ssop_region *out, ssop_error *error);

/* Replaces negative steps by positive ones that select the same elements; flip[k] is true if output axis k must be
 * reversed afterwards (rg_s3). */
void ssop_region_split(const ssop_region *region, ssop_region *forward, bool flip[SSOP_MAX_RANK]);

/* ---- regions of stored arrays ------------------------------------------------------------------------------------ */

/* covering = the region of unit steps and the least spans that has every element of `region`, with all input axes;
 * remainder = what `region` takes of its result. Output axis k runs backwards where flip[k] is true (rg_s5). */
void ssop_region_covering(const ssop_region *region, ssop_region *covering, ssop_region *remainder,
                          bool flip[SSOP_MAX_RANK]);

/* The chunks along one input axis. Where `end` is NULL they have `size` elements, and the last one is cut off at the
 * end of the axis. Otherwise there are `count` chunks, which end before the elements end[0], end[1], .. */
typedef struct {
    int64_t size, count;
    const int64_t *end;
} ssop_chunk_axis;

/* Makes the ends of chunks along axis `axis` out of their sizes, in place (rg_c8, rg_c9). */
ssop_status ssop_chunk_ends(int32_t axis, int64_t dim, int64_t count, int64_t *sizes, ssop_error *error);

/* Checks the number of axes (rg_c7), and the sizes of those without ends (rg_c8). */
ssop_status ssop_chunk_grid_check(int32_t rank, const ssop_chunk_axis *grid, int32_t in_rank, ssop_error *error);

/* A chunk along one axis: it has the elements low..high-1 of the axis. In ascending order, it has `count` of those
 * that the region takes, from number `first` on. */
typedef struct {
    int64_t index, low, high, first, count;
} ssop_chunk_part;

/* A walk over the chunks that have elements of a region. What it points to must stay valid. */
typedef struct {
    const ssop_region *region;
    const int64_t *dims; /* of the region's input */
    const ssop_chunk_axis *grid;
    ssop_chunk_part part[SSOP_MAX_RANK]; /* the present chunk, per input axis */
} ssop_chunk_walk;

/* Both go to a chunk, in row-major order of the indices, the first and the next one; false if it does not exist. A step
 * takes time for the chunks that are touched, not for those between them (rg_s6). */
bool ssop_chunks_first(ssop_chunk_walk *walk);
bool ssop_chunks_next(ssop_chunk_walk *walk);

/* What the region takes of the present chunk, and where in the region's result that is. */
void ssop_chunks_regions(const ssop_chunk_walk *walk, ssop_region *of_chunk, ssop_region *of_result);

/* Counts the chunks along an input axis that have elements of the region, from element number `*first` on, which is 0
 * at first. Stops after `most` chunks, and sets `*first` to where to go on: the count of the range at the end. Chunks
 * of one size are counted at once. */
int64_t ssop_chunks_along(const ssop_chunk_walk *walk, int32_t axis, int64_t most, int64_t *first);

/* ---- strided slice ----------------------------------------------------------------------------------------------- */

/* One flag byte per entry: masks of every framework are decoded into these. */
enum {
    SSOP_BEGIN_MASK = 1,
    SSOP_END_MASK = 2,
    SSOP_ELLIPSIS = 4,
    SSOP_AXIS_NEW = 8,
    SSOP_SHRINK = 16,
};

/* For each condition that is an error, the rule that a framework's error names: the conditions are the same, the
 * messages differ. */
typedef struct {
    ssop_rule lengths, max_entries, ellipses; /* of the spec */
    ssop_rule no_axis;                        /* there is no axis left for an entry */
    ssop_rule zero_step, shrunk_step, shrunk_index;
    ssop_rule offset_layout, offset_window;
} ssop_dialect_rules;

/* What a framework does differently, as flags that the resolver reads. In brackets: the frameworks that set the
 * flag. */
typedef struct {
    const ssop_dialect_rules *rules;
    int32_t max_entries;
    bool spare_bits_count;           /* a second ellipsis bit is an error even if it has no entry (TensorFlow) */
    bool ellipsis_takes_one;         /* the ellipsis covers at least one axis, if there is one left (TFLite) */
    bool drops_spare_entries;        /* entries without an axis are ignored, unless a new axis follows (TFLite) */
    bool shrink_reads_begin_mask;    /* a masked begin is element 0, even if the axis is shrunk (TFLite) */
    bool shrink_ignores_step;        /* the stride of a shrunk entry is ignored (OpenVINO) */
    bool shrink_clamps_below;        /* a shrunk begin below -dim is element 0 instead of an error (TFLite) */
    bool reverse_clamps_begin_first; /* a begin below -dim with a negative stride is element 0 (OpenVINO, ONNX) */
    bool end_is_offset;              /* end counts from the begin after clamping and masks (TFLite with offset) */
    bool max_end_is_open;            /* ends INT32_MAX and INT64_MAX are read as masked ends (ONNX Runtime) */
    bool infers_whole_vectors;       /* shape inference reads vectors only if all elements are known (TensorFlow) */
} ssop_dialect;

extern const ssop_dialect ssop_dialect_tensorflow, ssop_dialect_tflite, ssop_dialect_tflite_offset,
    ssop_dialect_openvino;

/* A sparse spec: entry i is (begin, end, step, flags)[i]. */
typedef struct {
    int32_t count;
    bool no_flags; /* true: all flags are 0; false: they may be anything */
    uint8_t flags[SSOP_MAX_ENTRIES];
    int64_t begin[SSOP_MAX_ENTRIES], end[SSOP_MAX_ENTRIES], step[SSOP_MAX_ENTRIES];
} ssop_spec;

/* The lengths of the three vectors of a spec. */
typedef struct {
    int64_t begin, end, step;
} ssop_spec_counts;

/* TensorFlow's five bit masks, in their own order. */
typedef struct {
    int32_t begin, end, ellipsis, new_axis, shrink_axis;
} ssop_masks;

/* For TensorFlow and TFLite: checks the three lengths (ss_c1, ss_c2) and the masks (ss_c3), and writes spec->count,
 * no_flags and flags. The caller fills the vectors, up to the dialect's limit. */
ssop_status ssop_spec_init(ssop_spec *spec, ssop_spec_counts counts, const ssop_masks *masks,
                           const ssop_dialect *dialect, ssop_error *error);

/* One of OpenVINO's masks. Elements past SSOP_MAX_ENTRIES are never read. */
typedef struct {
    int64_t count;
    int64_t element[SSOP_MAX_ENTRIES];
} ssop_mask_vector;

enum { SSOP_MASK_VECTORS = 5 }; /* begin, end, new axis, shrink axis, ellipsis */

/* For OpenVINO (ov_c1 .. ov_c5, ov_c9): masks shorter than the spec are extended with zeros, longer ones are cut
 * (ov_s4); `strict` adds the checks of the operation's own validation. */
ssop_status ssop_openvino_spec_init(ssop_spec *spec, ssop_spec_counts counts,
                                    const ssop_mask_vector masks[SSOP_MASK_VECTORS], bool strict, ssop_error *error);

/* The stages of the resolver for one input axis. An axis without an entry of its own (entry -1) is kept whole. */
typedef struct {
    int32_t entry;
    int64_t wrapped_begin, wrapped_end; /* after dim was added to negative values */
    int64_t clamped_begin, clamped_end; /* after clamping to the axis */
    int64_t begin, end;                 /* after the masks: the half-open interval */
    ssop_range range;
} ssop_axis_trace;

/* The stages of one resolution, for explanations. The caller owns and zeroes it; it is filled up to the first error. */
typedef struct {
    int32_t entries, axes;
    uint8_t flags[SSOP_MAX_ENTRIES];      /* each entry's flags after resolving conflicts (ss_s1) */
    int16_t first_axis[SSOP_MAX_ENTRIES]; /* the next input axis at each entry */
    int16_t axis_count[SSOP_MAX_ENTRIES]; /* number of its input axes: 0 for a new axis, any number for an ellipsis */
    ssop_axis_trace axis[SSOP_MAX_RANK];
} ssop_trace;

/* Resolves `spec` against an input shape (ss_c4 .. ss_c8, ss_s1 .. ss_s8). The shape must have at most SSOP_MAX_RANK
 * axes. `trace` and `error` may be NULL. */
ssop_status ssop_strided_slice_resolve(const ssop_spec *spec, ssop_shape shape, const ssop_dialect *dialect,
                                       ssop_region *region, ssop_trace *trace, ssop_error *error);

/* ---- slice, dynamic slice, dynamic update slice ------------------------------------------------------------------ */

/* Slices of listed axes: OpenVINO's Slice-8, ONNX's Slice. */
typedef struct {
    int64_t start_count, stop_count, step_count, axes_count;
    const int64_t *start, *stop;
    const int64_t *step; /* NULL: all ones */
    const int64_t *axes; /* NULL: 0, 1, .. */
} ssop_axes_slice_spec;

/* What these frameworks do differently. */
typedef struct {
    const ssop_dialect *range;
    bool zips;        /* lists are read up to the shortest one's end; if an axis is listed twice, the last entry wins */
    ssop_rule scalar; /* SSOP_NO_RULE: scalars are allowed */
    ssop_rule lengths, axes_length, step_length, axis, axis_twice;
    ssop_rule max_entries; /* more entries than axes; SSOP_NO_RULE: the error names the axis that does not exist */
    ssop_rule max_length;  /* more than SSOP_MAX_ENTRIES entries, in dialects whose lists may be longer than the rank */
} ssop_axes_dialect;

extern const ssop_axes_dialect ssop_openvino_slice, ssop_onnx_slice, ssop_onnx_reference_slice, ssop_onnxruntime_slice;

/* `trace` may be NULL; of it, `axes` and `axis` are filled, where entries are positions in the lists. */
ssop_status
ssop_axes_slice_resolve(const ssop_axes_slice_spec *spec, ssop_shape shape, const ssop_axes_dialect *dialect,
                        ssop_region *region, ssop_trace *trace, ssop_error *error);

/* The four lists of one slice of listed axes, and the entry of the strided slice that each of their positions comes
 * from. */
typedef struct {
    int32_t count;
    int64_t start[SSOP_MAX_RANK], stop[SSOP_MAX_RANK], step[SSOP_MAX_RANK], axes[SSOP_MAX_RANK];
    int32_t entry[SSOP_MAX_RANK];
} ssop_one_slice;

/* Writes a strided slice in that form, which has no masks: of the spec only the vectors are read, which need not be
 * checked. Masked bounds become the ends of int64, as converters to ONNX write them; entries behind an ellipsis apply
 * to the last axes. Returns false if the spec cannot be written so: it has a new axis, a shrunk axis, several ellipses,
 * an entry without an axis, or vectors of unequal lengths. Fills the entries of the trace. */
bool ssop_one_slice_write(const ssop_spec *spec, ssop_spec_counts counts, const ssop_masks *masks, int32_t rank,
                          ssop_one_slice *out, ssop_trace *trace);

/* XLA's Slice (sl_c1 .. sl_c7, sl_s1). `stride` may be NULL: all ones. */
typedef struct {
    int64_t start_count, limit_count, stride_count;
    const int64_t *start, *limit, *stride;
} ssop_slice_spec;

ssop_status ssop_slice_resolve(const ssop_slice_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error);

/* TensorFlow's and TFLite's Slice (tsl_c1 .. tsl_c3, tsl_s1; tfs_c1 .. tfs_c4, tfs_s1): size -1 means up to the end. */
typedef struct {
    int64_t begin_count, size_count;
    const int64_t *begin, *size;
} ssop_size_slice_spec;

/* The rules that their errors name. */
typedef struct {
    ssop_rule lengths, begin, negative_size, size;
    bool infers_whole_vectors; /* shape inference is TensorFlow's (sh_s22) */
} ssop_size_dialect;

extern const ssop_size_dialect ssop_tensorflow_slice, ssop_tflite_slice;

ssop_status ssop_size_slice_resolve(const ssop_size_slice_spec *spec, ssop_shape shape,
                                    const ssop_size_dialect *dialect, ssop_region *region, ssop_error *error);

/* The last one is for reads only. */
typedef enum { SSOP_CLAMP, SSOP_WRAP, SSOP_RAISE, SSOP_FILL } ssop_out_of_bounds;

/* A start index: `value`, or, where `huge`, the uint64 of the same bits, which is 2^63 or more (ds_s4). */
typedef struct {
    int64_t value;
    bool huge;
} ssop_start;

/* The arguments of a window: its sizes, where it starts, and the policy for windows that do not fit the operand. */
typedef struct {
    int64_t start_count, size_count;
    const ssop_start *start;
    const int64_t *size;
    const bool *add_dim;   /* true: the dim is added once to a negative start (ds_s3) */
    int64_t add_dim_count; /* one per axis (ds_c7), or -1: add_dim[0] applies to all */
    ssop_out_of_bounds out_of_bounds;
} ssop_window_spec;

/* The place of a window: for each axis one range of the operand, or two if the window wraps at the end. They are the
 * elements of the window from `before` on. It is filled (ds_s5) if it has more elements than those. */
typedef struct {
    int32_t rank;
    ssop_range part[SSOP_MAX_RANK][2];
    int64_t size[SSOP_MAX_RANK], before[SSOP_MAX_RANK];
} ssop_window;

/* DynamicSlice (ds_c1 .. ds_c5, of which ds_c4 is not for SSOP_FILL) and DynamicUpdateSlice (dus_c1 .. dus_c5; the
 * sizes are the update's dims). */
ssop_status
ssop_dynamic_slice_resolve(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window, ssop_error *error);
ssop_status ssop_dynamic_update_slice_resolve(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window,
                                              ssop_error *error);

/* A window consists of at most 2^rank pieces; each is one region of the operand and one region of the window. `choice`
 * selects the piece: start with zeros; ssop_window_next changes it to the next piece and returns false after the last
 * one. */
void ssop_window_piece(const ssop_window *window, const uint8_t choice[SSOP_MAX_RANK], ssop_region *of_operand,
                       ssop_region *of_window);
bool ssop_window_next(const ssop_window *window, uint8_t choice[SSOP_MAX_RANK]);

/* True if the window has elements outside the operand. Such a window has one piece. */
bool ssop_window_is_filled(const ssop_window *window);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_SLICES_H */
