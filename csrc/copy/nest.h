/* What the parts of the copy engine share. A builder (loopnest.c or dilate.c) reduces views to a loop nest. classify.c,
 * planes.c, short_axes.c and loop_order.c then choose its pattern and loops, memory.c its memory policy. cut.c divides
 * it into steps, and choose.c chooses the variant by which a tile is copied. Each of these calls only those after it.
 * execute.c and execute_dilation.c run the steps, and parts.c runs several nests. */
#ifndef SSOP_COPY_NEST_H
#define SSOP_COPY_NEST_H

#include "../core/common.h"
#include "../include/ssop/copying.h"
#include "kernels/kernels.h"
#include "kernels/short_axes_table.h"

/* A copy, reduced to its loops: axes of length 1 are dropped, destination strides are positive and descending, and axes
 * that can be coalesced are one. */
struct ssop_nest {
    char *dst;
    const char *src;           /* NULL: write zeros */
    int64_t item_bytes, bytes; /* of an item, and of all that is written */
    int32_t rank;              /* at least 1 */
    int64_t count[SSOP_MAX_RANK], dst_stride[SSOP_MAX_RANK], src_stride[SSOP_MAX_RANK]; /* outermost first */
    bool dilates;                    /* src goes to a region of dst, and all other items of dst become the fill */
    const char *fill;                /* then: one item; NULL: zero bytes */
    ssop_range place[SSOP_MAX_RANK]; /* then: the indices of each axis that come from src; steps are positive */
    int64_t dst_offset, src_offset;  /* bytes from the first item of each view to dst and src */
    int64_t kernel_item_bytes;       /* of one item of the kernel: all items along some of the innermost axes */
    int32_t item_axes;               /* how many these are */
    int32_t column_axis, row_axis;   /* its two loops; -1 for none */
    int64_t row_block, column_block; /* how many of its rows and columns are one step */
    int64_t item_block;              /* bytes of an item that are one step: large items are divided, too */
    int64_t steps;
    bool from_memory;            /* what is read and written does not fit the caches; not set for ROWS and dilations */
    int32_t pattern;             /* an ssop_pattern */
    const kernel_table *kernels; /* of the CPU target for which the nest was made */
    const kernel_table *used;    /* those that copy it, which may be of shorter vectors */
    int32_t vector_bytes;        /* of the CPU target for which the nest was made */
    ssop_kernel kernel;          /* if its pattern has one variant */
    unsigned policy;             /* prefetch, non-temporal stores, rep movsb: bits of kernels.h */
    /* If the pattern is SSOP_PATTERN_SHORT_AXES. It stands last, so that the fields that every copy reads are in fewer
     * cache lines. */
    ssop_short_axes short_axes;
};

_Static_assert(sizeof(ssop_nest) <= SSOP_NEST_BYTES, "ssop_nest_room is too small");

/* One loop of a copy. */
typedef struct {
    int64_t count, dst_stride, src_stride;
} nest_loop;

/* loopnest.c: what all builders do. ssop_nest_begin makes a nest without loops, which writes nothing. ssop_nest_insert
 * adds a loop, sorted by its destination stride, and returns its position. It takes a pointer because structs that are
 * passed by value are loaded by vectors, which wait for the stores of their fields (see copy_tile). ssop_nest_end
 * finishes the nest; `dst` and `src` are the first items of the views. */
void ssop_nest_begin(ssop_nest *nest, int64_t item_bytes);
int32_t ssop_nest_insert(ssop_nest *nest, const nest_loop *loop);
void ssop_nest_end(ssop_nest *nest, char *dst, const char *src, const ssop_hints *hints);

/* classify.c: the pattern is right for all addresses, although the best one may depend on where lines begin in the
 * destination. So ssop_nest_rebase keeps it and chooses the policy anew, which depends on the pattern, the hints, and
 * the same. */
void ssop_nest_classify(ssop_nest *nest, const ssop_hints *hints);

/* memory.c. For classify.c: whether a copy comes from memory by the policies in use, and rows that become whole lines
 * are read from front to back. */
bool ssop_nest_comes_from_memory(const ssop_nest *nest, const ssop_hints *hints);
void ssop_nest_choose_policy(ssop_nest *nest, const ssop_hints *hints);
void ssop_nest_read_rows_in_order(ssop_nest *nest, const ssop_hints *hints);

/* planes.c, for classify.c: true if the columns are planes that become the items of rows, or if the rows of the source
 * become planes; the latter then has the axis of the planes as its row axis. */
bool ssop_nest_interleaves(const ssop_nest *nest);
bool ssop_nest_deinterleaves(ssop_nest *nest);

/* lines.c: true if the lines of the items of an axis, or those at some offsets, displace each other from the L1 cache,
 * because they belong to few of its sets. */
bool ssop_lines_collide(int64_t stride, int64_t count);
bool ssop_places_collide(const int64_t *offsets, int32_t count);

/* Of how many bytes the offsets of rows or columns in pages are multiples: lines at the same offset belong to the same
 * set. ssop_conflict_unit also gives the multiple of which they are so little off that lines used together are in one
 * set all the same. Multiples of CONFLICT_BYTES share at most four of 64 sets (record conflict-bytes). A line of
 * columns of four or eight bytes are only 16 or 8 lines of the source. These collide if they share the 16 or 8 places
 * of two sets or one. */
enum { CONFLICT_BYTES = 1024 };
int64_t ssop_offset_unit(int64_t pitch);
int64_t ssop_conflict_unit(int64_t pitch, int64_t item_bytes);

/* loop_order.c, for classify.c: makes other axes the columns or the rows of a kernel that copies items one by one, and
 * gives a kernel that has few rows more of them. */
void ssop_nest_interchange(ssop_nest *nest);
void ssop_nest_take_longer_rows(ssop_nest *nest);

/* cut.c */
void ssop_nest_cut(ssop_nest *nest);

/* How a tile is copied; `transposition` for the variants of that pattern. */
typedef struct {
    ssop_variant variant;
    const kernel_table *target; /* whose kernel it is */
    ssop_kernel kernel;
    ssop_transposition transposition;
} ssop_choice;

/* choose.c. ssop_nest_choose sets the kernel of a nest that has one variant, or dilates. ssop_choose chooses how a tile
 * at `dst` is copied, whose rows do not run backwards in the source if they are transposed. */
void ssop_nest_choose(ssop_nest *nest);
void ssop_choose(ssop_choice *choice, const ssop_nest *nest, const char *dst, const ssop_tile *tile);

/* force.c: the variant that ssop_variant_force asked for, -1 for none, and its pattern. ssop_variant_fits is true if a
 * variant copies a tile, which then is the choice; ssop_force replaces what was chosen by the one that is asked for. */
extern int32_t ssop_variant_forced;
ssop_pattern ssop_variant_pattern(ssop_variant variant);
bool ssop_variant_fits(ssop_choice *choice, ssop_variant variant, const ssop_nest *nest, const char *dst,
                       const ssop_tile *tile);
void ssop_force(ssop_choice *choice, const ssop_nest *nest, const char *dst, const ssop_tile *tile);

/* How many rows and columns of a tile are copied together, if nest_has_blocks. The last blocks may have fewer. */
typedef struct {
    int64_t rows, columns;
} tile_block;

tile_block ssop_choose_block(const ssop_nest *nest, const ssop_tile *tile);

/* choose_transposition.c, for choose.c: the kernels that transpose a tile, and by which variant. */
const kernel_table *ssop_transposing_kernels(const kernel_table *used, const ssop_tile *tile);
bool ssop_transposition_fits(ssop_transposition *how, ssop_variant variant, const kernel_table *used, const char *dst,
                             const ssop_tile *tile);
ssop_variant
ssop_choose_transposition(ssop_transposition *how, const kernel_table *used, const char *dst, const ssop_tile *tile);

/* execute.c, for look.c: the tile that the first steps write, so many of them as are one. */
void ssop_nest_first_tile(const ssop_nest *nest, int64_t steps, ssop_tile *tile);

/* execute_dilation.c: ssop_nest_execute for dilations. */
void ssop_dilation_execute(const ssop_nest *nest, int64_t first, int64_t last);

/* collect.c: small tiles are collected in a write-combining buffer until it has FLUSH_BYTES: tiles of
 * MIN_COLLECTED_BYTES to MAX_COLLECTED_BYTES, or of less in rows of MIN_COLLECTED_ROW. Larger tiles, and smaller ones
 * in shorter rows, are better written at their place. Most tiles begin a page of the buffer, so that few stores cross
 * into another page: a store that does waits for the non-temporal ones before it (record collected-tiles). */
enum { MIN_COLLECTED_BYTES = 1024, MAX_COLLECTED_BYTES = 8192, MIN_COLLECTED_ROW = 128, FLUSH_BYTES = 2048 };

/* For classify.c: true if the tiles of a nest are collected, and if blocks of its two loops have a size for that. */
bool ssop_nest_collects(const ssop_nest *nest);
bool ssop_nest_has_collected_size(const ssop_nest *nest);

typedef struct {
    char *dst;     /* where the first byte belongs */
    char *first;   /* where it is in the buffer: at most a line before the second page */
    int64_t bytes; /* collected, and not yet written */
    _Alignas(PAGE_BYTES) char buffer[PAGE_BYTES + LINE_BYTES + FLUSH_BYTES + MAX_COLLECTED_BYTES];
} collector;

/* For execute.c. ssop_collector_place returns where a tile that belongs to `dst` is to be written. */
void ssop_collector_begin(collector *all);
char *ssop_collector_place(collector *all, char *dst, const ssop_tile *tile);
void ssop_collector_end(collector *all, const ssop_tile *tile);

/* The table that has the kernel of a variant: these kernels, or else the portable ones, which may lack it, too. */
static inline const kernel_table *
kernels_with(const kernel_table *kernels, ssop_variant variant, int64_t item_bytes)
{
    return has_variant(kernels, variant, item_bytes) ? kernels : &ssop_kernels_portable;
}

/* That kernel. */
static inline ssop_kernel
kernel_of(const kernel_table *kernels, ssop_variant variant, int64_t item_bytes)
{
    return kernels_with(kernels, variant, item_bytes)->kernel[variant][kernel_size_column(item_bytes)];
}

/* True if there are so few bytes that planes are interleaved by lanes of 16 bytes, or made from rows, although the CPU
 * target shuffles lines of 64. The table for lines takes longer to make, and so does that of a shuffle of small
 * planes (record few-bytes). */
static inline bool
nest_has_few_bytes(const ssop_nest *nest)
{
    enum { MAX_BYTES = 8192 };
    return nest->kernels->shuffles_lines && nest->bytes <= MAX_BYTES;
}

/* True if the columns are contiguous in the destination. */
static inline bool
nest_is_packed(const ssop_nest *nest)
{
    return nest->dst_stride[nest->column_axis] == nest->kernel_item_bytes;
}

/* Long rows of the source that are copied to several places are divided into blocks of REPEATED_BLOCK_BYTES, each of
 * which is then read from the L1 cache (record repeated-rows). */
enum { REPEATED_BLOCK_BYTES = 12 << 10 };

static inline bool
nest_repeats_long_rows(const ssop_nest *nest)
{
    return nest->pattern == SSOP_PATTERN_ROWS && nest->kernel_item_bytes >= 2 * REPEATED_BLOCK_BYTES &&
           nest->column_axis >= 0 && nest->src_stride[nest->column_axis] == 0;
}

/* True if the rows of a copy in the order of the source (ssop_nest_read_rows_in_order) are joined in the
 * destination. */
static inline bool
nest_has_joined_rows(const ssop_nest *nest)
{
    return nest->pattern == SSOP_PATTERN_ROWS && nest->row_axis > nest->column_axis &&
           nest->dst_stride[nest->row_axis] == nest->kernel_item_bytes;
}

/* True if each column is in a line of the source of its own, and rows are near each other. */
static inline bool
rows_share_lines(int64_t src_row, int64_t src_column)
{
    return magnitude(src_row) < LINE_BYTES && magnitude(src_column) >= LINE_BYTES;
}

/* True if the items of a column of the tile come before the next column in the source, and are near each other. */
static inline bool
rows_are_nested(int64_t rows, int64_t src_row, int64_t src_column)
{
    return magnitude(src_row) < LINE_BYTES && magnitude(src_row) * (uint64_t)(rows - 1) < magnitude(src_column);
}

/* True if the pattern has several variants, so that a part of a tile may be copied by another one. Not for
 * dilations. */
static inline bool
nest_has_variants(const ssop_nest *nest)
{
    const int32_t pattern = nest->pattern;
    return pattern == SSOP_PATTERN_TRANSPOSE || pattern == SSOP_PATTERN_STRIDED || pattern == SSOP_PATTERN_PACK ||
           pattern == SSOP_PATTERN_MASKED_STORE;
}

/* True if the tiles of a nest, of which this is the largest, may be copied in blocks (ssop_choose_block). */
static inline bool
nest_has_blocks(const ssop_nest *nest, const ssop_tile *tile)
{
    const int32_t pattern = nest->pattern;
    if (pattern == SSOP_PATTERN_TRANSPOSE) {
        return !has_variant(nest->used, SSOP_VARIANT_TRANSPOSE_BLOCKS, nest->kernel_item_bytes);
    }
    const bool one_by_one = pattern == SSOP_PATTERN_STRIDED || pattern == SSOP_PATTERN_PACK;
    return nest->row_axis > nest->column_axis ? pattern != SSOP_PATTERN_SHORT_AXES
                                              : one_by_one && tile->rows > 1 && magnitude(tile->src_row) < LINE_BYTES;
}

/* Sets a tile to all rows and columns, but for its table and what follows it in the source: field by field, for the
 * reason that copy_tile gives. */
static inline void
nest_tile(const ssop_nest *nest, ssop_tile *tile)
{
    const int32_t column = nest->column_axis, row = nest->row_axis;
    tile->rows = row < 0 ? 1 : nest->count[row];
    tile->columns = column < 0 ? 1 : nest->count[column];
    tile->dst_row = row < 0 ? 0 : nest->dst_stride[row];
    tile->src_row = row < 0 ? 0 : nest->src_stride[row];
    tile->dst_column = column < 0 ? 0 : nest->dst_stride[column];
    tile->src_column = column < 0 ? 0 : nest->src_stride[column];
    tile->item_bytes = nest->kernel_item_bytes;
    tile->policy = nest->policy;
    tile->policies = ssop_policies_used();
}

/* True if the rows of a transposition run backwards in the source, which its kernels read forwards. */
static inline bool
tile_is_backwards(const ssop_nest *nest, const ssop_tile *tile)
{
    return nest->pattern == SSOP_PATTERN_TRANSPOSE && tile->src_row < 0;
}

/* True if the kernel has all of this axis, although it is neither part of its item nor one of its two loops. */
static inline bool
is_short_axis(const ssop_nest *nest, int32_t axis)
{
    return nest->pattern == SSOP_PATTERN_SHORT_AXES && axis != nest->row_axis &&
           (nest->short_axes.rows >> axis & 1) != 0;
}

/* The innermost axis that is not part of the kernel's item; -1 for none. */
static inline int32_t
nest_inner_axis(const ssop_nest *nest)
{
    return nest->rank - nest->item_axes - 1;
}

/* True if two axes of one side can be coalesced into one: one index of the outer axis is all of the inner axis. */
static inline bool
can_coalesce(int64_t outer_stride, int64_t inner_stride, int64_t inner_count)
{
    int64_t extent = 0;
    return checked_mul(inner_stride, inner_count, &extent) && extent == outer_stride;
}

/* An axis is divided into blocks of one size. The last block also has the remainder, so no block is shorter than the
 * others. */
static inline int64_t
block_count(int64_t count, int64_t block)
{
    return block >= count ? 1 : count / block;
}

static inline int64_t
block_end(int64_t count, int64_t block, int64_t last)
{
    return last >= block_count(count, block) ? count : last * block;
}

#endif /* SSOP_COPY_NEST_H */
