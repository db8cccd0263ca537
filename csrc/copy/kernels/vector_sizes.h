/* Template: what a CPU target with vectors has for each item size. Include once per CPU target, after the templates of
 * the other kernels, with ISA, TARGET, pack_4, pack_8 and pack_16, and what transpose_size.h needs. */
#include "short_axes_table.h"

#define prefetch_tiles KERNEL(prefetch_tiles)
#define prefetch_rows KERNEL(prefetch_rows)

/* The staging buffer of the transposing kernels has STAGE_BYTES for some bytes of each of some columns (stage_bytes).
 * With all shapes alike, 256 bytes were the best known on a Zen 5 (`ssop bench --classes transpose --threads 1`). On a
 * Cascade Lake, 128 bytes and stages for all shapes were not better, for items of 2, 4 and 8 bytes and planes of 31 x
 * 300 to 5000 x 5000 (64 MiB in all; the kernels alone, interleaved). */
enum { STAGE_BYTES = 16 * 1024, LONG_STAGE = 256, MIDDLE_STAGE = 128, WIDE_STAGE = 64 }; /* copy_to_stage knows them */

/* Where stores can be non-temporal (HAS_STREAM), transposing kernels collect COLLECTED_BYTES of each of COLLECTED_ROWS
 * rows before they write whole lines of them with such stores; items of less than MIN_COLLECTED_ITEM bytes only if
 * there are no more rows. Measured on a Zen 4 (ssop.copyto, fastest of five to seven interleaved rounds). With AVX2,
 * f4 of 6684 x 7480, whose rows are no multiple of a line, ran at 5.4 GB/s without it, at 7.6 with 64 rows of 512
 * bytes and at 8.9 with 128 rows of 256 bytes; 32 rows of 512 bytes and 16 of 1024 were slower, and 128 of 512 as fast
 * with twice the buffer. With AVX-512 it ran at 5.8 without it and at 6.4 with 64 rows of 512 bytes. In rows of six
 * whole lines, (96, 75, 75, 96) permuted by (3, 2, 1, 0) ran at 5.2 without it and at 8.6 with it (AVX2), at 5.3 and
 * 7.5 (SSSE3). Items of one and two bytes took 1.1 to 1.8 times as long as without it, but in up to COLLECTED_ROWS
 * rows, to 16 bytes after a line: two bytes NHWC to NCHW with 64 channels of 41 x 41 4.5 and 8.4 (AVX-512), 4.7 and
 * 7.3 (AVX2), of (1000003, 40), transposed, 4.1 and 8.5, 3.6 and 8.9, u1 of (200, 65, 65, 100) to NCHW 5.0 and 9.4,
 * 4.7 and 7.5 (the kernels alone, in turns). */
#define MIN_COLLECTED_ITEM 4
enum { COLLECTED_BYTES = 256, COLLECTED_ROWS = 128 };

/* Joined rows are collected in a buffer of JOINED_BYTES, in blocks of rows that have JOINED_PIECE bytes of each column
 * of the source, or FEW_PIECE bytes of each of up to MAX_FEW_COLUMNS, but at least a line of each. In GB/s, with 32
 * KiB and 256 rows, 64 KiB and 256 rows, 64 KiB and 512: u1 NCHW to NHWC with 128 channels 7.5, 7.4 and 10.1, two
 * bytes 6.6, 8.3 and 8.8, f4 with 64 channels 9.2, 9.5 and 9.7, with 16 12.2, 12.6 and 10.8, and with 128 rows 12.7
 * (Zen 4 with AVX-512, the kernels alone, in turns). */
enum { JOINED_BYTES = 64 * 1024, JOINED_PIECE = 1024, FEW_PIECE = 512 };

/* Of items of MIN_LINE_ITEM bytes and more, vectors of less than a line get non-temporal stores too, because all lines
 * of the rows of a tile, eight at most, can wait in write-combining buffers until they are whole. On a Zen 4 in GB/s,
 * without and with such stores: f4 of (75, 75, 96, 96) permuted by (1, 0, 3, 2) 6.8 and 14.7 (AVX2), two bytes NCHW to
 * NHWC with 64 channels 4.6 and 8.9 (AVX2), 4.1 and 8.8 (SSSE3); but planes of 8192 x 8192 bytes, whose tiles have 16
 * rows, 4.2 and 2.6 (AVX2), 3.1 and 1.3 (SSSE3) (`ssop bench --sizes DRAM --threads 1`). */
#define MIN_LINE_ITEM 2

/* Items of this size and more that get such stores are not staged where columns collide. On a Zen 4 in GB/s, staged and
 * not: f8 of 2048 x 4096 7.7 and 11.2, f4 of 4096 x 4096 6.9 and 8.4, two bytes 7.1 and 5.6, one byte 5.3 and 3.9 (f8
 * and f4 with AVX2, the others with AVX-512, `ssop bench --classes transpose --sizes DRAM --threads 1`). */
#define MIN_UNSTAGED_ITEM 4

/* Up to MAX_FEW_COLUMNS columns are read from memory at the same time, each from front to back, if the rows of the
 * destination are no farther apart than as many items; with more columns, or with rows farther apart, going column by
 * column is faster. On a Cascade Lake, f4 of (6, 925925, 9) permuted by (1, 2, 0): 2.5 GB/s column by column, 5.6 side
 * by side; (24, 300000, 6): 4.3 and 5.4; but u1 of (40, 800000, 6): 2.7 and 2.6, u1 of (100, 300000, 6): 2.75 and 2.4
 * (AVX2, ssop.copyto, medians of four processes). On a Zen 4, f4 of (20, 600000, 16) permuted by (1, 2, 0): 5.3 and
 * 9.2; (24, 600000, 6): 7.0 and 9.7 (AVX-512, ssop.copyto, fastest of seven interleaved rounds). Rows that are written
 * by non-temporal stores of whole lines are not among them, which was not measured.
 *
 * Side by side is also faster if the rows of the destination are multiples of SAME_SET_BYTES apart, because then the
 * lines that they write belong to one set of the L1 cache, which keeps at most 8 to 12 of them until the next columns
 * are written. On a Zen 3, f4 of (16, 31, 40, 32, 64) permuted by (4, 1, 2, 3, 0): 4.1 GB/s column by column and 6.4
 * side by side with AVX2, 2.9 and 5.1 with SSSE3; but (24, 1000, 8, 256) by (3, 1, 2, 0), whose rows share two sets:
 * 5.5 and 4.5 with AVX2 (ssop.copyto, fastest of seven interleaved rounds).
 *
 * And if a tile is one block of the destination of at most MAX_BLOCK_BYTES that is written by regular stores: it is
 * written from front to back while the lines of the source stay in the L1 cache. Blocks whose rows are whole lines get
 * non-temporal stores instead: on a Zen 4, f4 of (15, 15, 15, 32, 5, 112) permuted by (2, 0, 4, 1, 5, 3) ran at 5.4
 * GB/s side by side and at 9.1 with those (AVX-512, `ssop bench --classes hptt --threads 1`). MAX_BLOCK_BYTES: not
 * measured; chosen because source and destination together then fill an L1 cache of 32 KiB. Wide tiles of 64 bytes were
 * slower here: on a Zen 4, (28, 28, 48, 28, 48) permuted by (1, 3, 0, 4, 2) ran at 4.7 GB/s with them and at 5.9
 * without (AVX-512, fastest of five rounds). */
enum { MAX_FEW_COLUMNS = 32, SAME_SET_BYTES = 4096, MAX_BLOCK_BYTES = 16 * 1024 };

/* MAX_UNSTAGED_PITCH: columns that are at most this far
 * apart are not copied to the staging buffer. Measured on a Cascade Lake (see transpose_staged), and for vectors of a
 * whole line on a Zen 4: f4 of (64, 256, 256, 12) permuted by (0, 3, 1, 2), whose columns are 48 bytes apart, ran at
 * 13.3 GB/s with the buffer and at 16.9 without, but with 24 instead of 12 at 12.7 and 7.4 (ssop.copyto, fastest of
 * seven interleaved rounds). */
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
 * four sets of an L1 cache of 64 sets; staging was better for them and worse for other pitches (Cascade Lake,
 * prototypes of 64 x 64 to 5000 x 5000). A line of columns of four or eight bytes are only 16 or 8 lines of the source;
 * they collide if they share the 16 or 8 places of two sets or one. */
enum { CONFLICT_BYTES = 1024, PAGE_BYTES = 4096 };

/* As offset_unit, in the caches also for rows or columns that are so little off a multiple of a large unit that lines
 * used together are in one set all the same: off by one item, or by two from a multiple of a page. In GB/s, not staged
 * and staged: bytes of 1025 x 1025 5.4 and 12.1, two bytes 3.5 and 13.0, f4 8.7 and 12.1, of 513 x 513 6.4 and 15.9, of
 * 1026 x 1026 8.9 and 13.0; but bytes of 1030 x 1030 15.8 and 12.4, two bytes of 514 x 514 13.8 and 11.1, f4 17.6 and
 * 17.0, two bytes of 4097 x 4097 from memory 3.3 and 2.9 (Zen 3, AVX2, the kernels alone, in turns). Rows of two items
 * of 16 bytes are little off 0, which was taken for a multiple: 2 x 300 staged 8.7 and not staged 45 (Zen 4, AVX2). */
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

/* True if lines that are used together compete for the same cache sets, because rows or columns collide; but tiles of
 * the eight columns that a set keeps, or fewer, need no staging for those, unless the rows are in few sets, too. In
 * GB/s, staged and not: f4 of 1000 x 1024 (0, 1 exchanged) 18.0 and 27.9, f8 of 1000 x 512 17.3 and 25.7, of 128 x 128,
 * which is not staged because two sets keep its lines, 22.4 and 40.7, f4 of 256 x 256 22.6 and 28.4, two bytes of 1000
 * x 2048 18 and 13; f4 of 768 x 1024, whose rows are in the places of four sets, 22.6 and 11.9, of 640 x 1024 21.7 and
 * 18.0, f8 of 768 x 512 21 and 18.5, but of 640 x 512 21.8 and 26 (Zen 3, AVX2, the kernels alone, in turns). With
 * vectors of a line only those of f8 have eight columns: 64 x 256 23.9 and 39.1, 500 x 512 21.7 and 33.9, 16 x 4096
 * 20.7 and 26.9, but 256 x 256 25.1 and 22.6 (Zen 4 with AVX-512, likewise). MIN_ITEMS: not measured; chosen because
 * smaller planes fit the L1 and L2 caches.
 *
 * Items of 16 bytes need no transposed tiles, so if rows collide in fewer than four sets, a staged transposition writes
 * longer pieces of each, also of small planes. In GB/s, not staged and staged: 513 x 15 17.7 and 43, 257 x 257 23 and
 * 32, 32 x 256 27 and 37; but 64 x 64, whose rows share four sets, 45 and 38 (Zen 4 with AVX-512, the kernels alone, in
 * turns). MIN_LANES: not measured; chosen because a plane of 4 KiB fits every L1 cache. */
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

/* True if only tiles of more than eight columns must be staged, as vectors of a line have of items of four bytes. In
 * GB/s, staged and in tiles of eight columns: f4 of 64 x 256 19.9 and 34.8, 128 x 256 22.7 and 36.2, 500 x 512 25 and
 * 33, 100 x 1024 27 and 35 (Zen 4 with AVX-512 and AVX2, the kernels alone, in turns). */
INLINE bool
only_many_columns_collide(const ssop_tile *tile, int64_t item_bytes)
{
    return tile->policy == 0 && collides(tile, item_bytes, true) && !collides(tile, item_bytes, false);
}

/* True if a staged transposition reads the source itself, because its columns are near each other or in so many sets
 * that an L1 cache keeps what a stage would have of them. In GB/s, with the copy to the buffer and without: f4 of 1024
 * x 1000 18.0 and 20.7, f8 of 512 x 1000 15.7 and 20.3, two bytes of 2048 x 1000 10.7 and 14.8; but f4 of 1024 x 896
 * 12.5 and 9.1 (Zen 3, AVX2, the kernels alone, in turns); f4 of 1024 x 100 22 and 39, f8 of 512 x 500 24 and 35, two
 * bytes of 512 x 500 18 and 27 (Zen 4 with AVX-512, likewise). Items of 16 bytes, 128 x 128, 29 with the copy and 34
 * without (Zen 4 with AVX-512, likewise). */
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
 * it depends on whose lines share fewer sets, and whether the 32 KiB of an L1 cache keep those of the columns. In GB/s,
 * a vector and a line: two bytes of 256 x 256 21 and 32, of 1229 x 1229 11.9 and 14.0, f4 of 869 x 869 26.9 and 28.6,
 * of 128 x 256 21.9 and 33.6, f8 of 614 x 614 30.8 and 32.8, u1 of 512 x 256 19.1 and 25.3; but u1 of 256 x 512 23.3
 * and 15.1, of 88 x 88 29 and 26, f4 of 1000 x 1024 27 and 15 (Zen 3, AVX2, the kernels alone, in turns); u1 of 8000 x
 * 8008 from memory 3.1 and 2.7. */
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
 * the L1 cache has ways, so the side whose lines are in fewer sets gets the longer pieces. In GB/s, with pieces of 256
 * bytes and of this length: two bytes of (2048, 12, 64) permuted by (1, 2, 0), whose rows are 4096 bytes apart, 11.2
 * and 31, bytes of (2048, 12, 128) 11.5 and 28, f4 of (2048, 12, 32) 24 and 40, bytes of 2048 x 2048 11.6 and 16.5; but
 * f8 of (2048, 12, 16) 45 and 43, and bytes of 8192 x 8192 from memory 6.8 and 6.0 (Zen 5 with AVX-512, ssop.copyto,
 * fastest of nine rounds, in turns). */
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
 * cache of 64 sets of eight lines until the rows that share them are written: items of 16 bytes whose columns are 1024
 * bytes apart, 64 x 64, ran at 17 GB/s in blocks of 64 columns and at 38 in blocks of 32, but 257 x 257 at 32 and 18
 * (Zen 4 with AVX-512, the kernels alone, in turns). */
INLINE int64_t
stage_columns(const ssop_tile *tile, int64_t item_bytes)
{
    enum { L1_BYTES = 32 * 1024 };
    const int64_t most = STAGE_BYTES / stage_bytes(tile, item_bytes), unit = offset_unit(tile->src_column);
    const bool lanes = item_bytes == LANE_BYTES && reads_directly(tile, item_bytes);
    return lanes && L1_BYTES / unit < most ? L1_BYTES / unit : most;
}

/* True if the 64 lines of a strip of bytes are in eight sets of an L1 cache of 64 sets: on a Granite Rapids, u1 of 256
 * x 512 ran at 25.6 GB/s in strips and at 31.2 in blocks (`ssop bench --classes transpose --sizes L2 --threads 1`). */
INLINE bool
strips_collide(const ssop_tile *tile)
{
    enum { UNIT = 512 };
    return tile->src_column % UNIT == 0 || tile->dst_row % UNIT == 0;
}

/* Prefetches a line of each of the next `columns` columns, of which there are `left`, and the lines of `rows` rows that
 * will be written next. Those are prefetched as for reading, because this also runs under SSOP_STREAM, where the
 * processor need not have prefetchw. `columns` is a constant in every call, so that compilers unroll the loop: on a Zen
 * 4, f4 of 7264 x 7264 ran at 9.7 GB/s with that and at 8.2 with a loop (AVX-512, `ssop bench --classes hptt`).
 * TILE_PREFETCH_DISTANCE: measured on a Cascade Lake, where 8 rows of f4 of 1000 x 1000 written with this distance ran
 * at 7.0 GB/s and without prefetch at 1.75 (a prototype). */
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
