/* Template: what a CPU target with vectors has for each item size. Include once per CPU target, after the templates of
 * the other kernels, with ISA, TARGET, pack_4, pack_8 and pack_16, and what transpose_size.h needs. */
#include "short_axes_table.h"

#define prefetch_tiles KERNEL(prefetch_tiles)
#define prefetch_rows KERNEL(prefetch_rows)

/* The staging buffer of the transposing kernels has STAGE_BYTES for some bytes of each of some columns: see stage_bytes
 * (record stage-lengths). */
enum { STAGE_BYTES = 16 * 1024, LONG_STAGE = 256, MIDDLE_STAGE = 128, WIDE_STAGE = 64 }; /* copy_to_stage knows them */

/* Where stores can be non-temporal (HAS_STREAM), transposing kernels collect COLLECTED_BYTES of each of COLLECTED_ROWS
 * rows before they write whole lines of them with such stores (record collected-transposes). Items of less than
 * MIN_COLLECTED_ITEM bytes are collected only if there are no more rows (record collected-small-items). */
#define MIN_COLLECTED_ITEM 4
enum { COLLECTED_BYTES = 256, COLLECTED_ROWS = 128 };

/* Joined rows are collected in a buffer of JOINED_BYTES, in blocks of rows that have JOINED_PIECE bytes of each column
 * of the source, or FEW_PIECE bytes of each of up to MAX_FEW_COLUMNS, but at least a line of each
 * (record joined-blocks). */
enum { JOINED_BYTES = 64 * 1024, JOINED_PIECE = 1024, FEW_PIECE = 512 };

/* Vectors of less than a line get non-temporal stores too if items have MIN_LINE_ITEM bytes or more: all lines of the
 * rows of a tile, eight at most, can then wait in write-combining buffers until they are whole
 * (record line-buffers). */
#define MIN_LINE_ITEM 2

/* Items of this size and more that get such stores are not staged where columns collide (record unstaged-items). */
#define MIN_UNSTAGED_ITEM 4

/* Up to MAX_FEW_COLUMNS columns are read from memory at the same time, each from front to back, if the rows of the
 * destination are no farther apart than as many items. With more columns, or with rows farther apart, going column by
 * column is faster (record few-columns). Rows that are written by non-temporal stores of whole lines are not among
 * them, which was not measured. */
enum { MAX_FEW_COLUMNS = 32 };

/* Side by side is also faster if the rows of the destination are multiples of SAME_SET_BYTES apart: the lines that they
 * write then belong to one set of the L1 cache, which keeps at most 8 to 12 of them until the next columns are written
 * (record same-set-rows). */
enum { SAME_SET_BYTES = 4096 };

/* And if a tile is one block of the destination of at most MAX_BLOCK_BYTES that is written by regular stores: it is
 * written from front to back while the lines of the source stay in the L1 cache. Blocks whose rows are whole lines get
 * non-temporal stores instead (record blocks-of-lines). MAX_BLOCK_BYTES: not measured; chosen because source and
 * destination together then fill an L1 cache of 32 KiB. */
enum { MAX_BLOCK_BYTES = 16 * 1024 };

/* MAX_UNSTAGED_PITCH: columns that are at most this far apart are not copied to the staging buffer
 * (record unstaged-pitch). WIDE_IN_SMALL_BLOCKS: whether blocks of at most MAX_BLOCK_BYTES are copied in wide tiles,
 * which are slower there if they have 64 bytes (record wide-in-blocks). */
#ifdef VECTOR_IS_LINE
enum { MAX_UNSTAGED_PITCH = 64, WIDE_IN_SMALL_BLOCKS = false, HAS_LINE_VECTORS = true };
#else
enum { MAX_UNSTAGED_PITCH = LONG_STAGE, WIDE_IN_SMALL_BLOCKS = true, HAS_LINE_VECTORS = false };
#endif

/* Of how many bytes the offsets of rows or columns in pages of 4096 bytes are multiples. Lines at the same offset
 * belong to the same set of an L1 cache of 64 sets. */
INLINE int64_t
offset_unit(int64_t pitch)
{
    const uint64_t bits = (uint64_t)pitch | 4096;
    return (int64_t)(bits & -bits);
}

/* Rows or columns collide if their lines compete for the same cache sets. Multiples of CONFLICT_BYTES share at most
 * four sets of an L1 cache of 64 sets (record conflict-bytes). A line of columns of four or eight bytes are only 16 or
 * 8 lines of the source; they collide if they share the 16 or 8 places of two sets or one. */
enum { CONFLICT_BYTES = 1024, PAGE_BYTES = 4096 };

/* As offset_unit, in the caches also for rows or columns that are so little off a multiple of a large unit that lines
 * used together are in one set all the same: off by one item, or by two from a multiple of a page
 * (record near-conflicts). A pitch a little off 0 is no multiple (record near-zero-pitch). */
INLINE int64_t
conflict_unit(const ssop_tile *tile, int64_t pitch, int64_t item_bytes)
{
    const bool memory = (tile->policy & MEMORY_POLICIES) != 0;
    const bool near = magnitude(pitch) < CONFLICT_BYTES / 2; /* a little off 0 */
    for (int64_t unit = PAGE_BYTES; !memory && !near && unit >= CONFLICT_BYTES; unit /= 2) {
        const int64_t above = pitch & (unit - 1), off = above < unit / 2 ? above : unit - above;
        if (off <= (unit == PAGE_BYTES ? 2 * item_bytes : item_bytes)) {
            return unit;
        }
    }
    return offset_unit(pitch);
}

/* True if lines that are used together compete for the same cache sets, because rows or columns collide. A set keeps
 * eight lines, so tiles of at most eight columns are staged only if the rows are in few sets, too
 * (record staged-collisions). MIN_ITEMS: not measured; chosen because smaller planes fit the L1 and L2 caches.
 *
 * Items of 16 bytes need no transposed tiles. So if rows collide in fewer than four sets, a staged transposition writes
 * longer pieces of each, also of small planes (record staged-lanes). MIN_LANES: not measured; chosen because a plane of
 * 4 KiB fits every L1 cache. */
INLINE bool
collides(const ssop_tile *tile, int64_t item_bytes, bool many_columns)
{
    enum { MIN_ITEMS = 16384, MIN_LANES = 256 };
    if (item_bytes == LANE_BYTES) {
        return tile->rows * tile->columns >= MIN_LANES &&
               conflict_unit(tile, tile->dst_row, item_bytes) > CONFLICT_BYTES;
    }
    if (tile->rows * tile->columns < MIN_ITEMS) {
        return false;
    }
    const int64_t least = many_columns ? CONFLICT_BYTES : 512 * item_bytes;
    const int64_t dst = conflict_unit(tile, tile->dst_row, item_bytes);
    const int64_t src = conflict_unit(tile, tile->src_column, item_bytes);
    const bool both = src >= PAGE_BYTES && dst >= 32 * item_bytes * item_bytes; /* 512 bytes for f4, 2048 for f8 */
    return dst >= least || (many_columns ? src >= least : both);
}

INLINE bool
must_stage(const ssop_tile *tile, int64_t item_bytes)
{
    return collides(tile, item_bytes, item_bytes <= (HAS_LINE_VECTORS ? 4 : 2));
}

/* True if only tiles of more than eight columns must be staged, as vectors of a line have of items of four bytes
 * (record many-columns). */
INLINE bool
only_many_columns_collide(const ssop_tile *tile, int64_t item_bytes)
{
    return tile->policy == 0 && collides(tile, item_bytes, true) && !collides(tile, item_bytes, false);
}

/* True if a staged transposition reads the source itself, because its columns are near each other or in so many sets
 * that an L1 cache keeps what a stage would have of them (record direct-reads). */
INLINE bool
reads_directly(const ssop_tile *tile, int64_t item_bytes)
{
    if (item_bytes == LANE_BYTES) {
        return offset_unit(tile->src_column) < PAGE_BYTES;
    }
    const bool near = (int64_t)magnitude(tile->src_column) <= MAX_UNSTAGED_PITCH;
    return near || conflict_unit(tile, tile->src_column, item_bytes) < CONFLICT_BYTES / 2;
}

/* True if a transposition in the caches writes a line of each row at a time, not a vector. Then no line waits for its
 * other vectors while other rows are written, but lines of more columns are needed until their next rows are read. So
 * it depends on whose lines share fewer sets, and whether the 32 KiB of an L1 cache keep those of the columns
 * (record line-writes). */
INLINE bool
writes_whole_lines(const ssop_tile *tile, int64_t item_bytes)
{
    const int64_t dst = offset_unit(tile->dst_row), src = offset_unit(tile->src_column);
    return dst > src || (item_bytes > 1 && dst == src) || (item_bytes > 2 && src < 4096);
}

/* What a transposition prefetches while it transposes some columns: the next `columns` columns at `src`, at most, and
 * `rows` rows of the destination. */
typedef struct {
    const char *src;
    int64_t columns, rows;
} tiles_ahead;

/* How many bytes of each column the staging buffer has. Only as many lines can be fetched at the same time as a set of
 * the L1 cache has ways, so the side whose lines are in fewer sets gets the longer pieces (record stage-pieces). */
INLINE int64_t
stage_bytes(const ssop_tile *tile, int64_t item_bytes)
{
    const int64_t dst = conflict_unit(tile, tile->dst_row, item_bytes);
    const int64_t src = conflict_unit(tile, tile->src_column, item_bytes);
    const bool memory = (tile->policy & MEMORY_POLICIES) != 0;
    if (item_bytes > 4 || dst < src || (dst == src && memory)) {
        return LONG_STAGE;
    }
    return item_bytes > 2 || dst == src ? MIDDLE_STAGE : WIDE_STAGE;
}

/* The most columns of a staged transposition at a time. Of those that are read directly, the lines must stay in an L1
 * cache of 64 sets of eight lines until the rows that share them are written (record stage-columns). */
INLINE int64_t
stage_columns(const ssop_tile *tile, int64_t item_bytes)
{
    enum { L1_BYTES = 32 * 1024 };
    const int64_t most = STAGE_BYTES / stage_bytes(tile, item_bytes), unit = offset_unit(tile->src_column);
    const bool lanes = item_bytes == LANE_BYTES && reads_directly(tile, item_bytes);
    return lanes && L1_BYTES / unit < most ? L1_BYTES / unit : most;
}

/* True if the 64 lines of a strip of bytes are in eight sets of an L1 cache of 64 sets (record colliding-strips). */
INLINE bool
strips_collide(const ssop_tile *tile)
{
    enum { UNIT = 512 };
    return tile->src_column % UNIT == 0 || tile->dst_row % UNIT == 0;
}

/* Prefetches a line of each of the next `columns` columns, of which there are `left`, and the lines of `rows` rows that
 * will be written next. Those are prefetched as for reading, because this also runs under SSOP_STREAM, where the
 * processor need not have prefetchw. `columns` is a constant in every call, so that compilers unroll the loop
 * (record unrolled-prefetches). TILE_PREFETCH_DISTANCE: how far ahead (record tile-prefetches). */
NOINLINE TARGET void
prefetch_tiles(const char *dst, const char *src, const ssop_tile *tile, int64_t rows, int64_t columns, int64_t left)
{
    enum { TILE_PREFETCH_DISTANCE = 128 };
    const bool l2 = (tile->policy & SSOP_PREFETCH_L2) != 0;
    for (int64_t column = 0; l2 && column < columns && column < left; column++) {
        prefetch_l2(address_after(src, column * tile->src_column));
    }
    for (int64_t column = 0; !l2 && column < columns && column < left; column++) {
        prefetch(address_after(src, column * tile->src_column));
    }
    for (int64_t row = 0; row < rows; row++) {
        prefetch(address_after(dst, row * tile->dst_row + TILE_PREFETCH_DISTANCE));
    }
    __asm__ volatile(""); /* an effect: a compiler may remove calls of functions that have none */
}

/* Prefetches `bytes` bytes of each of some rows for writing. */
INLINE TARGET void
prefetch_rows(const char *dst, int64_t pitch, int64_t rows, int64_t bytes)
{
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t at = 0; at < bytes; at += 64) {
            prefetch_write(address_after(dst, row * pitch + at));
        }
    }
}

#define SIZE 1
#define STEPS 4
#include "transpose_size.h"
#undef SIZE
#undef STEPS

#define SIZE 2
#define STEPS 3
#include "transpose_size.h"
#undef SIZE
#undef STEPS

#define SIZE 4
#define STEPS 2
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

#define SIZE 8
#define STEPS 1
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

/* Rows have at least two items of 16 bytes, so no tile is as narrow as one lane. */
#ifdef MIDDLE_X
#undef MIDDLE_X
#undef NARROW_X
#define NARROW_X x2
#else
#undef NARROW_X
#endif
#define SIZE 16
#define STEPS 0
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

/* The kernels that every CPU target with vectors has in its table. */
/* clang-format off */
#define VECTOR_ROWS                                                                                                    \
    [SSOP_PATTERN_ROWS] = EVERY_SIZE(KERNEL(rows)),                                                                    \
    [SSOP_PATTERN_PERMUTE] = EVERY_SIZE(KERNEL(permute)),                                                              \
    [SSOP_PATTERN_SHORT_AXES] = EVERY_SIZE(KERNEL(short_axes)),                                                        \
    [SSOP_PATTERN_INTERLEAVE] = EVERY_SIZE(KERNEL(interleave)),                                                        \
    [SSOP_PATTERN_DEINTERLEAVE] = EVERY_SIZE(KERNEL(deinterleave)),                                                    \
    [SSOP_PATTERN_REPEAT] = EVERY_SIZE(KERNEL(repeat)),                                                                \
    [SSOP_PATTERN_DILATE_ROWS] = EVERY_SIZE(KERNEL(dilate_rows)),                                                      \
    [SSOP_PATTERN_DILATE_VECTORS] = EVERY_SIZE(KERNEL(dilate_vectors)),                                                \
    [SSOP_PATTERN_DILATE_BLOCKS] = EVERY_SIZE(KERNEL(dilate_blocks)),                                                  \
    [SSOP_PATTERN_PACK] = {NULL, NULL, KERNEL(pack_items_4), KERNEL(pack_items_8), KERNEL(pack_items_16), NULL},       \
    [SSOP_PATTERN_TRANSPOSE] = {KERNEL(transpose_1), KERNEL(transpose_2), KERNEL(transpose_4), KERNEL(transpose_8),    \
                                KERNEL(transpose_16), NULL}
/* clang-format on */

#include "short_axes.h"

#undef prefetch_tiles
#undef prefetch_rows
