/* Replaces the AVX-512 kernels on machines that lack AVX-512, so that the code that prepares tables for vectors of 64
 * bytes runs there, too. Does byte by byte what the instructions of x86_avx512.c do. The kernels of x86_avx512bw.c read
 * the same tables, so they need no model of their own. */
#include "copy/kernels/clear.h"
#include "copy/kernels/tables.h"

enum { VECTOR_BYTES = 64 };

/* Each byte of a vector comes from a pair of chunks of the window. */
static void
permute(char *dst, const char *src, const ssop_tile *tile)
{
    const permute_table *table = tile->table;
    for (int64_t row = 0; row < tile->rows; row++) {
        for (int64_t column = 0; column < tile->columns; column += table->items) {
            int64_t last = tile->columns - table->items, first = column < last ? column : last;
            char *to = dst + row * tile->dst_row + first * tile->item_bytes;
            const char *from = src + row * tile->src_row + first * tile->src_column + table->low;
            for (int32_t j = 0; j < table->bytes; j++) {
                to[j] = from[2 * VECTOR_BYTES * table->pair[j] + table->index[j]];
            }
        }
    }
}

/* Each byte whose mask bit is set comes from the vector of contiguous items; a dilation clears the bytes between the
 * items first. */
static void
store_items(char *dst, const char *src, const ssop_tile *tile, bool dilates)
{
    const dilate_table *table = tile->table;
    for (int64_t row = 0; row < tile->rows; row++) {
        for (int64_t column = 0; column < tile->columns; column += table->items) {
            int64_t last = tile->columns - table->items, first = column < last ? column : last;
            char *to = dst + row * tile->dst_row + first * tile->dst_column;
            const char *from = src + row * tile->src_row + first * tile->src_column + table->low;
            if (dilates) {
                memset(to, 0, (size_t)(first < last ? table->items * tile->dst_column : table->window));
            }
            for (int32_t j = 0; j < table->chunks * VECTOR_BYTES; j++) {
                if (table->mask[j / VECTOR_BYTES] >> j % VECTOR_BYTES & 1) {
                    to[j] = from[table->index[j]];
                }
            }
        }
        if (dilates) {
            clear_row_end(dst, tile, row);
        }
    }
}

static void
masked_store(char *dst, const char *src, const ssop_tile *tile)
{
    store_items(dst, src, tile, false);
}

static void
dilate_vectors(char *dst, const char *src, const ssop_tile *tile)
{
    store_items(dst, src, tile, true);
}

/* Sixteen bytes of each plane at a time; if fewer are left, the last sixteen. */
static void
interleave(char *dst, const char *src, const ssop_tile *tile)
{
    const interleave_table *table = tile->table;
    const int64_t planes = tile->columns, end = tile->rows * tile->item_bytes;
    for (int64_t at = 0; at < end; at += 16) {
        const int64_t first = at < end - 16 ? at : end - 16;
        for (int64_t j = 0; j < 16 * planes * planes; j++) {
            const int64_t vector = j / 16 / planes, plane = j / 16 % planes;
            if (table->index[j] < 16) {
                dst[first * planes + 16 * vector + j % 16] = src[plane * tile->src_column + first + table->index[j]];
            }
        }
    }
}

const kernel_table ssop_kernels_avx512 = {
    .name = "avx512",
    .feature = 0, /* runs everywhere */
    .vector_bytes = VECTOR_BYTES,
    .streams = true, /* as far as the policies are concerned */
    .has_masked_stores = true,
    .uses_rep_movsb = true,
    .kernel = {[SSOP_PATTERN_PERMUTE] = EVERY_SIZE(permute),
               [SSOP_PATTERN_MASKED_STORE] = EVERY_SIZE(masked_store),
               [SSOP_PATTERN_DILATE_VECTORS] = EVERY_SIZE(dilate_vectors),
               [SSOP_PATTERN_INTERLEAVE] = EVERY_SIZE(interleave)},
};
