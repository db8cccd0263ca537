/* Makes the tables of the kernels that permute bytes, and says when such a kernel is worth it. */
#include "kernels/tables.h"

/* No window reaches farther; strides beyond are not multiplied. */
enum { FAR_BYTES = MAX_CHUNKS * MAX_VECTOR_BYTES };

static int64_t
at_most(int64_t x, int64_t limit)
{
    return x < limit ? x : limit;
}

static bool
is_far(int64_t stride)
{
    return stride > FAR_BYTES || stride < -FAR_BYTES;
}

/* Bytes that an axis adds to a window. */
static int64_t
reach(int64_t stride, int64_t count)
{
    return (stride < 0 ? -stride : stride) * (count - 1);
}

static bool
is_power_of_two(int64_t x)
{
    return (x & (x - 1)) == 0;
}

/* A load and a permute per chunk, or a load and an insertion per run of adjoining bytes: the fewer win, but that a permute
 * does the work of several insertions, and of even more where the runs are of no size that a register has. */
static bool
is_worth_it(int64_t chunks, int64_t runs, int32_t vector_bytes, bool plain)
{
    int64_t runs_per_chunk = vector_bytes == MAX_VECTOR_BYTES && plain ? 4 : 2;
    return chunks <= MAX_CHUNKS && (chunks * runs_per_chunk <= runs || (chunks <= 2 && runs > 1 && !plain));
}

bool
ssop_permute_fits(const ssop_nest *nest, int32_t vector_bytes)
{
    int64_t bytes = nest->item_bytes, run = bytes, window = bytes;
    int32_t column = nest->column_axis;
    for (int32_t axis = nest->rank - 1; axis > column; axis--) {
        if (is_far(nest->src_stride[axis])) {
            return false;
        }
        window += reach(nest->src_stride[axis], nest->count[axis]);
        run *= run == bytes && nest->src_stride[axis] == run ? nest->count[axis] : 1;
        bytes *= nest->count[axis];
    }
    if (is_far(nest->src_stride[column])) {
        return false;
    }
    int64_t items = at_most(vector_bytes / bytes, nest->count[column]);
    window += reach(nest->src_stride[column], items);
    return is_worth_it((window + vector_bytes - 1) / vector_bytes, items * bytes / run, vector_bytes,
                       run == bytes && bytes <= 16 && is_power_of_two(bytes));
}

/* `count` copies of the places of an item's bytes, one stride apart: as many at once as there are already. */
static void
repeat(int16_t *place, int32_t bytes, int32_t count, int32_t stride)
{
    for (int32_t done = 1; done < count; done *= 2) {
        int32_t more = count - done < done ? count - done : done;
        for (int32_t j = 0; j < more * bytes; j++) {
            place[done * bytes + j] = (int16_t)(place[j] + done * stride);
        }
    }
}

/* Places of a few bytes at once, and those bytes: making a table is a good part of the time of a small copy. */
enum { LANES = 8 };
typedef int16_t places __attribute__((vector_size(2 * LANES)));
typedef uint16_t unsigned_places __attribute__((vector_size(2 * LANES))); /* whose overflow is harmless */
typedef uint8_t octets __attribute__((vector_size(LANES)));

/* As repeat, of adjoining bytes whose number is a power of two, for all of a vector. */
static void
repeat_plain(int16_t *place, int32_t bytes, int32_t stride)
{
    const uint16_t mask = (uint16_t)(bytes - 1), step = (uint16_t)stride;
    uint16_t shift = 0;
    for (; bytes >> shift > 1; shift++) {
    }
    unsigned_places j = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t k = 0; k < MAX_VECTOR_BYTES; k += LANES, j += LANES) {
        unsigned_places at = (j >> shift) * step + (j & mask);
        memcpy(place + k, &at, sizeof at);
    }
}

/* Where each byte of a vector lies, from the first item. */
static void
find_places(permute_table *table, const ssop_nest *nest, const ssop_tile *tile, int16_t place[MAX_VECTOR_BYTES])
{
    int32_t bytes = (int32_t)nest->item_bytes, low = 0, high, axis = nest->rank - 1;
    for (; axis > nest->column_axis && nest->src_stride[axis] == bytes; axis--) {
        bytes *= (int32_t)nest->count[axis];
    }
    high = bytes;
    bool plain = axis == nest->column_axis && is_power_of_two(bytes);
    if (!plain) {
        repeat_plain(place, 1, 1); /* as they are, as far as they adjoin */
    }
    for (; axis >= nest->column_axis; axis--) {
        bool is_column = axis == nest->column_axis;
        int32_t count = is_column ? table->items : (int32_t)nest->count[axis];
        int32_t stride = (int32_t)(is_column ? tile->src_column : nest->src_stride[axis]), most = (count - 1) * stride;
        if (plain) {
            repeat_plain(place, bytes, stride);
        }
        else {
            repeat(place, bytes, count, stride);
        }
        bytes *= count;
        low += most < 0 ? most : 0;
        high += most > 0 ? most : 0;
    }
    table->bytes = bytes;
    table->low = low;
    table->window = high - low;
}

static void
find_in_pairs(permute_table *table, const int16_t *place)
{
    const int16_t low = (int16_t)table->low;
    for (int32_t k = 0; k < MAX_VECTOR_BYTES; k += LANES) {
        places at;
        memcpy(&at, place + k, sizeof at);
        at -= low;
        octets index = __builtin_convertvector(at & 127, octets), pair = __builtin_convertvector(at >> 7, octets);
        memcpy(table->index + k, &index, sizeof index);
        memcpy(table->pair + k, &pair, sizeof pair);
    }
}

void
ssop_permute_prepare(permute_table *table, const ssop_nest *nest, const ssop_tile *tile, int32_t vector_bytes)
{
    int16_t place[MAX_VECTOR_BYTES];
    table->items = (int32_t)at_most(vector_bytes / tile->item_bytes, tile->columns);
    find_places(table, nest, tile, place);
    table->chunks = (table->window + vector_bytes - 1) / vector_bytes;
    if (vector_bytes == MAX_VECTOR_BYTES) {
        find_in_pairs(table, place);
        return;
    }
    memset(table->index, 0x80, (size_t)table->chunks * 16);
    for (int32_t j = 0; j < table->bytes; j++) {
        int32_t at = place[j] - table->low, chunk = at / 16;
        table->index[16 * chunk + j] = (uint8_t)(at % 16);
    }
}

bool
ssop_spread_fits(const ssop_tile *tile, int32_t vector_bytes, int32_t max_chunks)
{
    bool adjoin = tile->src_column == tile->item_bytes || tile->src_column == -tile->item_bytes;
    if (!adjoin || tile->item_bytes > vector_bytes / 2 || tile->dst_column > FAR_BYTES) {
        return false;
    }
    int64_t items = at_most(vector_bytes / tile->item_bytes, tile->columns);
    int64_t window = (items - 1) * tile->dst_column + tile->item_bytes;
    return window <= (int64_t)max_chunks * vector_bytes;
}

void
ssop_spread_prepare(spread_table *table, const ssop_tile *tile, int32_t vector_bytes)
{
    int32_t item_bytes = (int32_t)tile->item_bytes;
    int32_t dst_column = (int32_t)tile->dst_column, src_column = (int32_t)tile->src_column;
    table->items = (int32_t)at_most(vector_bytes / item_bytes, tile->columns);
    table->bytes = table->items * item_bytes;
    table->low = src_column < 0 ? (table->items - 1) * src_column : 0;
    table->window = (table->items - 1) * dst_column + item_bytes;
    table->chunks = (table->window + vector_bytes - 1) / vector_bytes;
    int32_t step = dst_column / item_bytes, written = step > table->chunks ? step : table->chunks;
    memset(table->index, 0x80, (size_t)(at_most(written, MAX_CHUNKS) * vector_bytes)); /* all zeros in some chunks */
    memset(table->mask, 0, sizeof table->mask);
    for (int32_t item = 0; item < table->items; item++) {
        for (int32_t j = 0; j < item_bytes; j++) {
            int32_t to = item * dst_column + j;
            table->index[to] = (uint8_t)(item * src_column + j - table->low);
            table->mask[to / MAX_VECTOR_BYTES] |= (uint64_t)1 << to % MAX_VECTOR_BYTES;
        }
    }
}
