/* The copy engine: CPU targets, loop nests, and how views overlap. */
#ifndef SSOP_COPYING_H
#define SSOP_COPYING_H

#include "views.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- processors --------------------------------------------------------------------------------------------------------- */

/* Tiers of kernels beyond portable C, as bits. */
enum { SSOP_CPU_SSSE3 = 1, SSOP_CPU_AVX2 = 2, SSOP_CPU_AVX512 = 4, SSOP_CPU_NEON = 8 };

/* The tiers that this processor and its operating system can run. */
unsigned ssop_cpu_features(void);

/* Chooses the tier of all nests built from now on: "portable", "ssse3", "avx2", "avx512" (with VBMI), "neon", or NULL for
 * the best. Returns false and changes nothing if this machine cannot run it. Before the first call, the tier is
 * "portable". This and ssop_cpu_set_last_cache are the only functions that are not safe to call while another one runs. */
bool ssop_cpu_choose(const char *tier);

/* The name of the chosen tier. */
const char *ssop_cpu_tier(void);

/* The tiers of this build, the best first: the name of one, and whether this machine can run it; NULL beyond the last. */
const char *ssop_cpu_tier_at(int32_t at, bool *runs);

/* The size of the last-level cache for all nests built from now on: `bytes` clamped to these bounds, because hypervisors
 * are known to report wrong cache sizes. 0 is the default, which also applies before the first call. */
enum {
    SSOP_MIN_LAST_CACHE_BYTES = 8 * 1024 * 1024,
    SSOP_DEFAULT_LAST_CACHE_BYTES = 32 * 1024 * 1024,
    SSOP_MAX_LAST_CACHE_BYTES = 64 * 1024 * 1024,
};
void ssop_cpu_set_last_cache(int64_t bytes);
int64_t ssop_cpu_last_cache_bytes(void);

/* ---- moving bytes ------------------------------------------------------------------------------------------------------ */

/* What a kernel is called with; defined beside the kernels. */
struct ssop_tile;

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
    int32_t pattern;               /* an ssop_pattern, which is defined beside the kernels */
    void (*kernel)(char *dst, const char *src, const struct ssop_tile *tile);
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

#endif /* SSOP_COPYING_H */
