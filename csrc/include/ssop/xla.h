/* XLA's other operations that only move data: one-axis forms, Pad, Rev, Concatenate, Transpose, Broadcast, Reshape. */
#ifndef SSOP_XLA_H
#define SSOP_XLA_H

#include "views.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The axis of a one-axis form, counted from 0; a negative axis counts from the end (dim_s1). -1 on error (dim_c1). */
int32_t ssop_axis_resolve(int64_t axis, int32_t rank, ssop_error *error);

/* slice_in_dim: a Slice of one axis; the other axes are kept whole (dim_s2, dim_s3). */
typedef struct {
    int64_t start, limit, stride, axis;
    bool has_start, has_limit; /* false: the slice goes to that end of the axis */
    bool add_dim;              /* true: the dim is added once to a negative bound */
} ssop_slice_in_dim_spec;

ssop_status
ssop_slice_in_dim_resolve(const ssop_slice_in_dim_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error);

/* index_in_dim: one element of one axis, which is dropped unless `keepdims` (dim_c2, dim_s4). */
typedef struct {
    int64_t index, axis;
    bool keepdims, add_dim;
} ssop_index_in_dim_spec;

ssop_status
ssop_index_in_dim_resolve(const ssop_index_in_dim_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error);

/* The dynamic one-axis forms: a window that has the whole length of all other axes, or, for updates, starts at 0
 * there. */
typedef struct {
    ssop_start start;
    int64_t size, axis; /* size is ignored for updates, which have their own */
    bool add_dim;
    ssop_out_of_bounds out_of_bounds;
} ssop_window_in_dim_spec;

ssop_status ssop_dynamic_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape shape,
                                              ssop_window *window, ssop_error *error);
ssop_status ssop_dynamic_update_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape update_shape,
                                                     ssop_shape shape, ssop_window *window, ssop_error *error);

/* The same for an update that may lack the axis (dim_s5): `missing` is that axis, or -1. */
ssop_status
ssop_dynamic_update_index_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape update_shape, ssop_shape shape,
                                         ssop_window *window, int32_t *missing, ssop_error *error);

/* For a region that has all axes in order and one element of `axis`. The first function drops the output axis; the
 * second drops the input axis and makes the output axis a new one. */
void ssop_region_drop_out_axis(ssop_region *region, int32_t axis);
void ssop_region_drop_in_axis(ssop_region *region, int32_t axis);

/* Pad (pad_c2, pad_c4 .. pad_c6, pad_s1 .. pad_s3): `kept` of the operand lands at `place` in the result of shape
 * `out_dims`; everything else there is the padding value. */
typedef struct {
    int64_t count;
    const int64_t *low, *high, *interior;
} ssop_pad_spec;

ssop_status ssop_pad_resolve(const ssop_pad_spec *spec, ssop_shape shape, ssop_region *kept, ssop_region *place,
                             int64_t out_dims[SSOP_MAX_RANK], ssop_error *error);

/* Rev (rev_c1, rev_c2, rev_s1). Here and in Collapse, at most SSOP_MAX_RANK + 1 of the `count` dimensions are read,
 * which is enough to find the error in a longer list. */
ssop_status ssop_reverse_resolve(int64_t count, const int64_t *dimensions, ssop_shape shape, ssop_region *region,
                                 ssop_error *error);

/* Concatenate (cat_c1 .. cat_c3, cat_c5, cat_c6, cat_s1): begun with the first operand's shape, then every operand is
 * added, the first one too. `dim` is the shape of the result so far. */
typedef struct {
    int32_t rank, axis;
    int64_t dim[SSOP_MAX_RANK];
} ssop_concatenation;

ssop_status ssop_concatenate_begin(ssop_concatenation *joined, int64_t operands, int64_t dimension, ssop_shape shape,
                                   ssop_error *error);

/* `place` is where operand `entry` lands in the result; NULL if that is not asked. */
ssop_status ssop_concatenate_add(ssop_concatenation *joined, int32_t entry, ssop_shape shape, ssop_region *place,
                                 ssop_error *error);

/* Transpose, Broadcast and BroadcastInDim: `seen` is a view of the operand that has the shape and order of the result
 * (tr_c1 .. tr_c3, tr_s1; bc_c1, bc_c2, bc_s1; bid_c1 .. bid_c5, bid_s1, bid_s2). No memory is touched. */
ssop_status ssop_transpose_view(int64_t count, const int64_t *permutation, const ssop_view *operand, ssop_view *seen,
                                ssop_error *error);
ssop_status
ssop_broadcast_view(int64_t count, const int64_t *sizes, const ssop_view *operand, ssop_view *seen, ssop_error *error);
ssop_status ssop_broadcast_in_dim_view(ssop_shape shape, int64_t count, const int64_t *dimensions,
                                       const ssop_view *operand, ssop_view *seen, ssop_error *error);

/* Reshape (rs_c1, rs_c2, rs_s1, rs_s2): the result has `shape`, and its elements are those of `seen` in C order. */
typedef struct {
    ssop_shape shape;
    const int64_t *permutation; /* NULL: the axes stay in order */
    int64_t permutation_count;
} ssop_reshape_spec;

ssop_status
ssop_reshape_view(const ssop_reshape_spec *spec, const ssop_view *operand, ssop_view *seen, ssop_error *error);

/* Collapse (col_c1 .. col_c3, col_s1, col_s2): the shape of the result, whose elements are the operand's in C order. */
ssop_status ssop_collapse_dims(int64_t count, const int64_t *dimensions, ssop_shape shape, int32_t *out_rank,
                               int64_t out_dims[SSOP_MAX_RANK], ssop_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_XLA_H */
