/* Tables for the kernels that shuffle bytes: made once per call of ssop_nest_execute, used for every vector. */
#ifndef SSOP_COPY_TABLES_H
#define SSOP_COPY_TABLES_H

#include "kernels.h"

/* The largest number of vectors that one table describes. Not measured; chosen because items of one byte gain with
 * steps up to 16, and a step of 16 is 16 chunks (record window-steps). */
enum { MAX_CHUNKS = 16, MAX_VECTOR_BYTES = 64 };

/* For SSOP_PATTERN_SHUFFLE: a vector of the destination is `items` items, whose bytes lie in a window of the source.
 * The window is loaded as `chunks` vectors. The last of them may reach beyond the window; near the end of a row, where
 * that would read beyond the row, it is loaded in another way. With vectors of 16 bytes, index[16 * k + j]
 * is the position of byte j in chunk k, or 0x80 if it is in another chunk. With vectors of 64 bytes, pair[j] is the
 * number of the pair of chunks that byte j comes from, and index[j] its position in that pair. The entries after the
 * last byte of the items are valid positions, too. */
typedef struct {
    int32_t items, bytes; /* bytes = items * item_bytes <= vector_bytes */
    int32_t chunks;
    int32_t window; /* bytes */
    int32_t low;    /* offset of the window from the first item; negative if the source stride is */
    uint8_t index[MAX_CHUNKS * 16];
    uint8_t pair[MAX_VECTOR_BYTES];
} shuffle_table;

/* What stands between the items of a dilation: one item again and again, or zero bytes. */
typedef struct {
    char line[LINE_BYTES];
    bool is_one_byte, is_zero; /* all bytes are equal, or 0 */
} gap_fill;

/* The largest items of a dilate_table. */
enum { ITEM_LANES = 16 };

/* For SSOP_PATTERN_MASKED_STORE and the patterns of dilations. All of these have the fill, and those that take vectors
 * have the rest: the `items` items of one vector of the source become
 * `chunks` vectors of the destination. index[vector_bytes * k + j] is the position in the source of byte j of chunk k,
 * or 0x80 if that byte is between items. There is room behind the last chunk for the vector that makes the table. */
typedef struct {
    int32_t items;
    int32_t chunks;
    int32_t window;       /* bytes from the first byte of the first item to the last byte of the last item */
    int32_t low;          /* offset of the vector of the source from the first item; negative if the source stride is */
    const gap_fill *fill; /* of dilations */
    /* Aligned, because a load that crosses two lines is slower (record aligned-index). */
    _Alignas(16) uint8_t index[MAX_CHUNKS * MAX_VECTOR_BYTES + ITEM_LANES];
} dilate_table;

/* For SSOP_PATTERN_INTERLEAVE and SSOP_PATTERN_DEINTERLEAVE: vectors of interleave_bytes, one of each plane, become as
 * many vectors of packed rows, or the other way round. index[(k * planes + p) * interleave_bytes + j] is the position
 * in vector p of the source of byte j of vector k of the destination, or 0x80 if that byte is from another vector.
 * MAX_PLANES: not measured; chosen because a vector costs a shuffle for each plane. MAX_LINE_PLANES: not measured;
 * chosen because the shuffles of more planes do not stay in registers. MAX_LINE_ITEM: not measured; chosen because
 * larger items are as good as lanes. */
enum { MAX_PLANES = 8, MAX_LINE_PLANES = 4, MAX_LINE_ITEM = 8 };

/* Planes of the source that are no longer than this are prefetched so far ahead, in one of the tiles that follow. The
 * processor itself prefetches longer ones (record plane-prefetches). */
enum { PLANE_PREFETCH_DISTANCE = 8192 };

/* Planes have so many bytes together, at least, if the kernels write them by non-temporal stores. */
enum { MIN_STREAMED_PLANES = MIN_STREAM_BYTES * MAX_PLANES };

typedef struct {
    uint8_t index[MAX_PLANES * MAX_PLANES * 16];
} interleave_table;

/* Lines, if there are not too many planes and the CPU target shuffles the bytes of a line, else lanes of 16 bytes. */
static inline int32_t
interleave_bytes(bool shuffles_lines, int64_t planes)
{
    return shuffles_lines && planes <= MAX_LINE_PLANES ? 64 : 16;
}

/* `apart`: for SSOP_PATTERN_DEINTERLEAVE, whose planes are rows of the tile, not columns. */
void ssop_interleave_prepare(interleave_table *table, const ssop_tile *tile, bool apart, bool shuffles_lines);

/* True if the source of a vector of the nest's items is a window so narrow that byte shuffles are faster than a
 * load per item, and rows have enough items. `folded`: the items are made of smaller ones. */
bool ssop_shuffle_fits(const ssop_nest *nest, int32_t vector_bytes, bool folded);
void ssop_shuffle_prepare(shuffle_table *table, const ssop_nest *nest, const ssop_tile *tile, int32_t vector_bytes);

/* True if a row has enough items for SSOP_PATTERN_DILATE_VECTORS: those of a vector or, where loads have masks,
 * MASKED_BYTES; but those of a vector if there are no gaps between them, since avx512bw shuffles whole words
 * (record dilated-rows). */
static inline bool
has_dilated_items(const ssop_tile *tile, const kernel_table *kernels)
{
    enum { MASKED_BYTES = 16 };
    const bool masks = kernels->has_masks && tile->dst_column > tile->item_bytes;
    return tile->columns * tile->item_bytes >= (masks ? MASKED_BYTES : kernels->vector_bytes);
}

/* True if the items are contiguous in the source, and a vector of them becomes at most `max_chunks` vectors. */
bool ssop_dilate_fits(const ssop_tile *tile, int32_t vector_bytes, int32_t max_chunks);
void ssop_dilate_prepare(dilate_table *table, const ssop_tile *tile, int32_t vector_bytes);

/* For SSOP_PATTERN_DILATE_BLOCKS, whose table has the positions in a lane: true if a lane of 16 bytes is one or more
 * items with their gaps. */
bool ssop_blocks_fit(const ssop_tile *tile);
void ssop_blocks_prepare(dilate_table *table, const ssop_tile *tile);

#endif /* SSOP_COPY_TABLES_H */
