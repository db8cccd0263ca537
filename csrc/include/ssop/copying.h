/* The copy engine: CPU targets, loop nests, and how views overlap.
 *
 * Words: a nest is a copy as loops over the axes of both views. An item is what is loaded and stored at once: an
 * element, or several that lie side by side on both sides. A tile is the items of the two loops that are the kernel's,
 * its rows and columns. A kernel is a function that copies a tile; there is one for each pattern, size of items and CPU
 * target. A pattern is how the items of a tile lie on both sides, for example transposed. A block is a part of the rows
 * or columns. A step is a block of both at one index of the other loops: steps are shared out to threads. A policy is a
 * size that decides how a copy uses memory, such as from how many bytes on stores are non-temporal. */
#ifndef SSOP_COPYING_H
#define SSOP_COPYING_H

#include "views.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- processors
 * --------------------------------------------------------------------------------------------------------- */

/* CPU targets beyond portable C, as bits: the instruction sets for which there are kernels. */
enum { SSOP_CPU_SSSE3 = 1, SSOP_CPU_AVX2 = 2, SSOP_CPU_AVX512 = 4, SSOP_CPU_NEON = 8, SSOP_CPU_AVX512BW = 16 };

/* The CPU targets that this processor and its operating system can run. */
unsigned ssop_cpu_features(void);

/* Chooses the CPU target of all nests built from now on: "portable", "ssse3", "avx2", "avx512bw" (AVX-512 without
 * VBMI), "avx512" (with VBMI), "neon", or NULL for the best. Returns false and changes nothing if this machine cannot
 * run it. Before the first call, it is "portable". Also sets the policies of this machine. Not safe to call while
 * another function runs. */
bool ssop_cpu_choose(const char *target);

/* The name of the chosen CPU target. */
const char *ssop_cpu_target(void);

/* The CPU targets of this build, the best first: the name of number `at`, and whether this machine can run it; NULL
 * after the last. */
const char *ssop_cpu_target_at(int32_t at, bool *runs);

/* Writes the maker and the model of the processor, as it encodes them, such as "AuthenticAMD 00a00f11". */
enum { SSOP_CPU_MODEL_BYTES = 22 };
void ssop_cpu_model(char text[SSOP_CPU_MODEL_BYTES]);

/* ---- moving bytes
 * ------------------------------------------------------------------------------------------------------ */

/* What the caller knows about the memory of a copy. Where a builder takes hints, NULL means all defaults. */
typedef struct {
    bool fresh_dst; /* dst was never written: the system clears its pages, which brings them into the caches */
    /* Bytes that are written by this copy and by those that belong to it, such as the copies of all arrays that are
     * concatenated. They may be too many for a cache that has room for one copy. 0: this copy is the only one. */
    int64_t whole_bytes;
} ssop_hints;

/* A copy, reduced to its loops. Its fields are the engine's own (csrc/copy/nest.h). */
typedef struct ssop_nest ssop_nest;

/* Room for a nest: a variable or a member of a struct. What is in it may be copied to other room. */
enum { SSOP_NEST_BYTES = 3392 };
typedef union {
    int64_t aligned;
    unsigned char bytes[SSOP_NEST_BYTES];
} ssop_nest_room;

/* The nest in it, which ssop_nest_copy, ssop_nest_zero or ssop_nest_dilate makes. */
static inline ssop_nest *
ssop_nest_in(ssop_nest_room *room)
{
    return (ssop_nest *)(void *)room;
}

/* dst <- src: same shape and item size. The two are disjoint or the same (ssop_views_relate), and no two items of dst
 * share a byte. */
void ssop_nest_copy(ssop_nest *nest, const ssop_view *dst, const ssop_view *src, const ssop_hints *hints);

/* dst <- zero bytes. */
void ssop_nest_zero(ssop_nest *nest, const ssop_view *dst, const ssop_hints *hints);

/* Dilation: dst <- `src` at `place`, and `fill` elsewhere (gr_s1, pad_s1). `place` is a region of dst's shape whose
 * output shape is that of src. `fill` is one item of a size for which ssop_can_fill is true, or NULL for zero bytes in
 * items of any size. The nest does not copy it. Where the items of dst are contiguous along an axis, each byte is
 * written once. dst may have any layout. No two items of it share a byte, nor does an item of it share one with src or
 * the fill. */
void ssop_nest_dilate(ssop_nest *nest, const ssop_view *dst, const ssop_region *place, const ssop_view *src,
                      const void *fill, const ssop_hints *hints);

/* True for items of 1, 2, 4, 8 and 16 bytes. */
bool ssop_can_fill(int64_t item_bytes);

/* True if a dilation with this fill is possible, and better than to write the fill around the place, then to copy. */
bool ssop_dilation_pays(const ssop_view *dst, const ssop_region *place, const ssop_view *src, const void *fill);

/* Makes a nest run the same copy between other memory of the same layout: `dst` and `src` are the addresses of the
 * first items there. */
void ssop_nest_rebase(ssop_nest *nest, char *dst, const char *src, const ssop_hints *hints);

/* Copies the items that `like` describes, but from `src` instead of its own data, in C order to `dst`, which shares no
 * byte with them. There is at least one item. Without a nest, which is faster for up to SSOP_SMALL_BYTES. Not measured;
 * chosen because a copy of 512 bytes takes about as long as making a nest. */
enum { SSOP_SMALL_BYTES = 512 };
void ssop_copy_small(char *dst, const char *src, const ssop_view *like);

static inline bool
ssop_is_small(int64_t bytes)
{
    return 0 < bytes && bytes <= SSOP_SMALL_BYTES;
}

/* True for a view of a few bytes in C order: what ssop_copy_small can copy to. Inline, because calling it would take as
 * long as it takes itself. */
static inline bool
ssop_view_is_small(const ssop_view *view)
{
    int64_t bytes = view->item_bytes;
    for (int32_t axis = view->rank - 1; axis >= 0 && bytes <= SSOP_SMALL_BYTES; axis--) {
        if (view->dim[axis] > SSOP_SMALL_BYTES || (view->dim[axis] != 1 && view->stride[axis] != bytes)) {
            return false;
        }
        bytes *= view->dim[axis];
    }
    return ssop_is_small(bytes);
}

/* A way of copying (csrc/copy/variants.def): its name, the pattern of its loops, what they do, and when it is
 * taken. ssop_variant_at gives number `at`; false after the last. */
typedef struct {
    const char *name, *pattern, *about, *when;
} ssop_variant_text;

bool ssop_variant_at(int32_t at, ssop_variant_text *text);

/* Forces a variant, for tests and measurements: nests that are built and run from now on are copied by it where it
 * fits. NULL: by the one that is chosen. False if there is no such name. Not safe to call while another function
 * runs. */
bool ssop_variant_force(const char *name);

/* How a nest is copied that has something to do: its loops as in ssop_nest, and the first tile. */
typedef struct {
    const char *target; /* the CPU target whose kernel it is */
    ssop_variant_text variant;
    uint64_t fits; /* the variants that could copy the tile, as bits: bit k for the one of number k */
    int32_t rank;
    int64_t count[SSOP_MAX_RANK], dst_stride[SSOP_MAX_RANK], src_stride[SSOP_MAX_RANK];
    int32_t item_axes, column_axis, row_axis;
    int64_t item_bytes, rows, columns; /* of the tile */
    bool streams, collects, prefetches_source, prefetches_into_l2, prefetches_destination, source_order, strips,
        rep_movsb;
} ssop_copy_description;

/* `steps` are run at a time, at least one: so many make up the first tile, if they fit one. */
void ssop_nest_describe(const ssop_nest *nest, int64_t steps, ssop_copy_description *out);

/* How many steps a nest is divided into, 0 if there is nothing to do, and how many bytes all of them write. A step is a
 * compact block of dst, or blocks of up to 15 long rows that are copies of one. With the default policies it has less
 * than 64 KiB in most copies, and less than 128 KiB in transpositions of items of up to 8 bytes. It has up to 127 x 127
 * items in transpositions of larger ones (cut.c). */
int64_t ssop_nest_steps(const ssop_nest *nest);
int64_t ssop_nest_bytes(const ssop_nest *nest);

/* Whether the steps of a nest, or those of other work, are worth several threads. `bytes`: what all of them write;
 * `awake`: a thread would start at once. */
bool ssop_nest_is_shared(const ssop_nest *nest, int64_t bytes, bool awake);
bool ssop_bytes_are_shared(int64_t bytes);

/* Runs steps first .. last - 1. Calls may run in any order and at the same time. The copy is complete when each step
 * has run once. */
void ssop_nest_execute(const ssop_nest *nest, int64_t first, int64_t last);

/* One of several copies into one array: dst <- src. Along the axis that is divided into blocks, `dst` has all indices
 * of the array. */
typedef struct {
    ssop_view dst, src;
} ssop_part;

/* Copies into one array, such as those of arrays that are joined. None reads or writes what another one writes.
 * ssop_parts_begin sets `axis` and `block`, and needs the other fields but `part`. `count` may become less after it. */
typedef struct {
    const ssop_part *part;
    const ssop_view *array;
    int64_t bytes; /* of the array */
    int32_t count;
    int32_t across; /* the axis along which the parts lie side by side */
    int32_t axis;   /* the one that is divided into blocks */
    bool fresh_dst; /* as in ssop_hints */
    int64_t block;
} ssop_parts;

/* Divides the array into blocks along the first axis before `across` that gives blocks of a good size. False if none
 * does, or if copying the parts one after the other is as fast: they are far apart, or small. */
bool ssop_parts_begin(ssop_parts *parts);

/* Once the list is set: whether blocks are better than one part after the other. They are not if no two parts have a
 * cache line in common and a copy as large as the array uses non-temporal stores. */
bool ssop_parts_pay(const ssop_parts *parts);

/* What ssop_nest_steps and ssop_nest_execute are for nests. A step is a block. */
int64_t ssop_parts_steps(const ssop_parts *parts);
void ssop_parts_execute(const ssop_parts *parts, int64_t first, int64_t last);

/* dst[i] <- on_true[i] if the byte pred[i] is not 0, else on_false[i] (sel_s1). All are contiguous. The caller sets the
 * first six fields; dst shares no byte with the others. */
typedef struct ssop_selection {
    char *dst;
    const char *pred, *on_true, *on_false;
    int64_t count, item_bytes;
    int64_t step_items;
    bool streams; /* by non-temporal stores */
    void (*kernel)(const struct ssop_selection *all, int64_t first, int64_t last);
} ssop_selection;

/* Sets the other fields. False if the items do not have 1, 2, 4, 8 or 16 bytes. */
bool ssop_selection_begin(ssop_selection *selection, const ssop_hints *hints);

/* What ssop_nest_steps, ssop_nest_bytes and ssop_nest_execute are for nests. A step writes about step_bytes. */
int64_t ssop_selection_steps(const ssop_selection *selection);
int64_t ssop_selection_bytes(const ssop_selection *selection);
void ssop_selection_execute(const ssop_selection *selection, int64_t first, int64_t last);

/* The complement of a window, as regions: where something else is written to the window afterwards, only the complement
 * needs to be copied. */
typedef struct {
    ssop_region left;          /* what no region has covered so far */
    const ssop_region *window; /* the caller's */
    int32_t cut;
} ssop_complement;

/* Starts at `window`, a region of an array of these dims; its output axes are ignored. False if copying many short rows
 * would take longer than copying everything. */
bool
ssop_complement_begin(ssop_complement *complement, const ssop_region *window, const int64_t *dims, int64_t item_bytes);

/* The next region; false after the last one. No element is in two of them, and there are at most two for each axis. */
bool ssop_complement_next(ssop_complement *complement, ssop_region *region);

typedef enum {
    SSOP_DISJOINT, /* no byte is in both */
    SSOP_SAME,     /* the same items at the same places */
    SSOP_OVERLAP,  /* anything else, or too hard to tell */
} ssop_relation;

/* How the bytes of two views of one item size relate. */
ssop_relation ssop_views_relate(const ssop_view *a, const ssop_view *b);

/* True if two items of the view share a byte, or if that is too hard to tell (out_c5). */
bool ssop_view_overlaps_itself(const ssop_view *view);

/* A copy within one array, in place. The fields are for reading only. */
typedef struct {
    char *dst;
    const char *src;
    int64_t item_bytes;
    int32_t rank;
    int64_t count[SSOP_MAX_RANK], stride[SSOP_MAX_RANK]; /* outermost first; strides < 0: the last items come first */
    int64_t steps;                                       /* a step copies an item, which may be a short row */
} ssop_shift;

/* dst <- src, as if the source had been copied first: same shape, item size and strides, and no two items of one share
 * a byte. False if the strides differ, or if loops are interleaved in memory. */
bool ssop_shift_begin(ssop_shift *shift, const ssop_view *dst, const ssop_view *src);

/* Runs steps first .. last - 1. All steps must run one after the other, the first one first. */
void ssop_shift_execute(const ssop_shift *shift, int64_t first, int64_t last);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_COPYING_H */
