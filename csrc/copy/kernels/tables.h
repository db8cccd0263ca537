/* Tables of the kernels that permute bytes: made once per piece, used for every vector. */
#ifndef SSOP_COPY_TABLES_H
#define SSOP_COPY_TABLES_H

#include "kernels.h"

enum { MAX_CHUNKS = 16, MAX_VECTOR_BYTES = 64 };

/* Gather: a vector of the destination is `items` items, whose bytes lie in a window of the source. The window is loaded as
 * `chunks` vectors, the last of which may reach beyond it: the last windows of a row are loaded with more care.
 * Vectors of 16 bytes: index[16 * k + j] is the place of byte j in chunk k, or 0x80.
 * Vectors of 64 bytes: index[j] is its place in pair[j], which is k / 2, of chunks; those after the last byte count, too. */
typedef struct {
    int32_t items, bytes;   /* bytes = items * item_bytes <= vector_bytes */
    int32_t chunks, window; /* window: in bytes */
    int32_t low;            /* where it begins, from the first item */
    uint8_t index[MAX_CHUNKS * 16];
    uint8_t pair[MAX_VECTOR_BYTES];
} permute_table;

/* Scatter and dilate: `items` items of one vector of the source go to `chunks` vectors of the destination.
 * index[vector_bytes * k + j]: the byte of the source for byte j of chunk k, or 0x80; bit j of mask[k]: there is one. */
typedef struct {
    int32_t items, bytes;
    int32_t chunks, window; /* window: bytes from the first byte of the first item to the last of the last */
    int32_t low;            /* where the vector of the source begins, from the first item */
    uint8_t index[MAX_CHUNKS * MAX_VECTOR_BYTES];
    uint64_t mask[MAX_CHUNKS];
} spread_table;

/* True if the source of a vector of the nest's items is a window narrow enough for permutations to be worth it. */
bool ssop_permute_fits(const ssop_nest *nest, int32_t vector_bytes);
void ssop_permute_prepare(permute_table *table, const ssop_nest *nest, const ssop_tile *tile, int32_t vector_bytes);

/* True if the items adjoin in the source, and a vector of them goes to at most so many chunks. */
bool ssop_spread_fits(const ssop_tile *tile, int32_t vector_bytes, int32_t max_chunks);
void ssop_spread_prepare(spread_table *table, const ssop_tile *tile, int32_t vector_bytes);

#endif /* SSOP_COPY_TABLES_H */
