/* Shapes that are known in part: dims are intervals that may have an identity, and a rank may be unknown (sh_s1). The
 * slices resolve against them with the functions that resolve known shapes. */
#ifndef SSOP_PARTIAL_H
#define SSOP_PARTIAL_H

#include "xla.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- intervals, dims, shapes ------------------------------------------------------------------------------------- */

/* The numbers lo .. hi, both inclusive. Unknown dims are 0 .. INT64_MAX, unknown bounds INT64_MIN .. INT64_MAX, known
 * numbers have lo == hi. */
typedef struct {
    int64_t lo, hi;
} ssop_interval;

/* No array has as many elements. Upper ends from here on are what arithmetic leaves of INT64_MAX, and are shown as no
 * upper end at all. */
#define SSOP_NO_UPPER_END (INT64_MAX / 2)

/* A dim: some number of the interval. Dims with the same id, unless it is 0, are the same number, whatever it is. Known
 * dims have id 0. */
typedef struct {
    ssop_interval value;
    int64_t id;
} ssop_dim;

enum { SSOP_UNKNOWN_RANK = -1 };

/* `id` is never 0: shapes with the same id are the same handle. `dim` is meaningless if the rank is unknown. */
typedef struct {
    int64_t id;
    int32_t rank;
    ssop_dim dim[SSOP_MAX_RANK];
} ssop_partial_shape;

/* What every inference needs; the caller owns it. `last_id` is the last identity that was given out. In the mode of
 * TensorFlow (`tight` false) a result is unknown wherever TensorFlow's is; in the tight mode it is the smallest
 * interval that follows from the arguments (sh_s2). */
typedef struct {
    int64_t last_id;
    bool tight;
} ssop_inference;

/* True if there is no identity to lose: the number is known. */
bool ssop_dim_is_known(ssop_dim dim);

/* True if both dims are the same number in every completion: by value or by identity. */
bool ssop_dim_is_same(ssop_dim a, ssop_dim b);

/* A dim of this interval; if it has more than one number, with an identity of its own. 0 <= lo <= hi. */
ssop_dim ssop_dim_new(ssop_inference *inference, ssop_interval value);

/* Writes a shape of unknown rank, or of this rank and unknown dims. */
void ssop_shape_of_unknown_rank(ssop_inference *inference, ssop_partial_shape *out);
void ssop_shape_of_rank(ssop_inference *inference, int32_t rank, ssop_partial_shape *out);

/* The text of a dim and of a shape: "2", "?", "1..4", "2.." (at least 2); "[2,?]", "?". NUL-terminated and truncated to
 * `size` bytes; returns the length of the whole text. */
size_t ssop_dim_text(ssop_dim dim, char *text, size_t size);
size_t ssop_shape_text(const ssop_partial_shape *shape, char *text, size_t size);

/* ---- arithmetic of dims (sh_c12 .. sh_c16, sh_s5 .. sh_s7) ------------------------------------------------------- */

typedef enum {
    SSOP_DIM_ADD,
    SSOP_DIM_SUBTRACT,
    SSOP_DIM_MULTIPLY,
    SSOP_DIM_DIVIDE,        /* rounded down */
    SSOP_DIM_DIVIDE_EVENLY, /* an error if there is a remainder */
    SSOP_DIM_MIN,
    SSOP_DIM_MAX,
} ssop_dim_operator;

/* An error only if no completion is valid. The divisor may be any number, also a negative one. */
ssop_status ssop_dim_arithmetic(ssop_inference *inference, ssop_dim_operator operation, ssop_dim a, ssop_dim b,
                                ssop_dim *out, ssop_error *error);

/* The product of all dims; unknown for an unknown rank. */
ssop_status
ssop_shape_num_elements(ssop_inference *inference, const ssop_partial_shape *shape, ssop_dim *out, ssop_error *error);

/* ---- merge and relax (sh_c1 .. sh_c3, sh_s3, sh_s4) -------------------------------------------------------------- */

/* What both dims say together: `a` or `b` itself if that one says as much. */
ssop_status ssop_dim_merge(ssop_inference *inference, ssop_dim a, ssop_dim b, ssop_dim *out, ssop_error *error);

/* What either dim allows. In the mode of TensorFlow, different dims become unknown; in the tight mode the result is a
 * new dim with the smallest interval that has both. */
ssop_dim ssop_dim_relax(ssop_inference *inference, ssop_dim old, ssop_dim new_);

/* The same for shapes. The result is one of the two, with its id, if that one says as much. The message of sh_c2 has
 * two texts: the shapes. */
ssop_status ssop_shape_merge(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b,
                             ssop_partial_shape *out, ssop_error *error);
void ssop_shape_relax(ssop_inference *inference, const ssop_partial_shape *old, const ssop_partial_shape *new_,
                      ssop_partial_shape *out);

/* ---- other rules for shapes (sh_c4 .. sh_c11, sh_c17, sh_s8 .. sh_s11) ------------------------------------------- */

/* `out` may be `shape` in all of these. */
ssop_status
ssop_dim_with_value(ssop_inference *inference, ssop_dim dim, int64_t value, ssop_dim *out, ssop_error *error);
ssop_status ssop_shape_with_rank(ssop_inference *inference, const ssop_partial_shape *shape, int64_t rank,
                                 ssop_partial_shape *out, ssop_error *error);
ssop_status ssop_shape_check_rank_at_least(const ssop_partial_shape *shape, int64_t rank, ssop_error *error);
ssop_status ssop_shape_check_rank_at_most(const ssop_partial_shape *shape, int64_t rank, ssop_error *error);

/* Merges `prefix` with the first dims of `shape`; both results may be one of the arguments. */
ssop_status ssop_shape_merge_prefix(ssop_inference *inference, const ssop_partial_shape *shape,
                                    const ssop_partial_shape *prefix, ssop_partial_shape out[2], ssop_error *error);

/* The dim of an axis, or the shape with another one there; negative axes count from the end. */
ssop_status ssop_shape_dim(ssop_inference *inference, const ssop_partial_shape *shape, int64_t axis, ssop_dim *out,
                           ssop_error *error);
ssop_status ssop_shape_replace_dim(ssop_inference *inference, const ssop_partial_shape *shape, int64_t axis,
                                   ssop_dim dim, ssop_partial_shape *out, ssop_error *error);

/* The axes start, start + stride, .. before end. Open ends are INT64_MAX. */
typedef struct {
    int64_t start, end, stride;
} ssop_axes_range;

ssop_status ssop_shape_subshape(ssop_inference *inference, const ssop_partial_shape *shape, ssop_axes_range axes,
                                ssop_partial_shape *out, ssop_error *error);
ssop_status ssop_shape_concatenate(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b,
                                   ssop_partial_shape *out, ssop_error *error);

/* The shape whose dims are the elements of a tensor, of which -1 is an unknown dim. An interval that contains -1 may
 * be anything. */
ssop_status ssop_shape_from_tensor(ssop_inference *inference, int64_t count, const ssop_interval *element,
                                   ssop_partial_shape *out, ssop_error *error);

/* ---- slices of partly known shapes (ss_s10) ---------------------------------------------------------------------- */

/* A completion is one choice of known numbers from all intervals. In the tight mode, these functions give the exact
 * smallest and largest length of every output axis over all valid completions. They give an error only if no completion
 * is valid. `out` may be `shape`. */
typedef struct {
    int32_t count;
    uint8_t flags[SSOP_MAX_ENTRIES];
    ssop_interval begin[SSOP_MAX_ENTRIES], end[SSOP_MAX_ENTRIES], step[SSOP_MAX_ENTRIES];
} ssop_partial_spec;

ssop_status
ssop_strided_slice_infer(ssop_inference *inference, const ssop_partial_spec *spec, const ssop_partial_shape *shape,
                         const ssop_dialect *dialect, ssop_partial_shape *out, ssop_error *error);

/* Slices of listed axes; step may be NULL: all ones. The axes are known. */
typedef struct {
    int64_t start_count, stop_count, step_count, axes_count;
    const ssop_interval *start, *stop, *step;
    const int64_t *axes;
} ssop_partial_axes_slice_spec;

ssop_status ssop_axes_slice_infer(ssop_inference *inference, const ssop_partial_axes_slice_spec *spec,
                                  const ssop_partial_shape *shape, const ssop_axes_dialect *dialect,
                                  ssop_partial_shape *out, ssop_error *error);

typedef struct {
    int64_t begin_count, size_count;
    const ssop_interval *begin, *size;
} ssop_partial_size_slice_spec;

ssop_status ssop_size_slice_infer(ssop_inference *inference, const ssop_partial_size_slice_spec *spec,
                                  const ssop_partial_shape *shape, const ssop_size_dialect *dialect,
                                  ssop_partial_shape *out, ssop_error *error);

/* An operation whose arguments are known. `resolve` gives the shape of its result for a known shape; its errors name
 * the axis. Each dim of the result must depend on at most one dim, `source[axis]` (-1: on none), by steps that are all
 * at most 1 or all at least 1. Dims that are too small break other rules than `too_large`, and dims that are too large
 * break that one (SSOP_NO_RULE: none is too large). All this is so for Slice, DynamicSlice, Pad, Rev and the forms of
 * one axis. */
typedef struct {
    const void *arguments;
    int32_t rank; /* that the arguments are made for, or SSOP_UNKNOWN_RANK: any */
    ssop_rule too_large;
    ssop_status (*resolve)(const void *arguments, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK],
                           int8_t source[SSOP_MAX_RANK], ssop_error *error);
} ssop_shape_function;

ssop_status ssop_shape_function_infer(ssop_inference *inference, const ssop_shape_function *function,
                                      const ssop_partial_shape *shape, ssop_partial_shape *out, ssop_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_PARTIAL_H */
