/* Makes the tables of the kernels that shuffle bytes, and decides when such a kernel is worth it. */
#include "kernels/tables.h"
#include "nest.h"

/* No window of MAX_CHUNKS vectors has longer strides. Longer ones are rejected first, so that no product with them
 * overflows. */
enum { MAX_STRIDE_BYTES = MAX_CHUNKS * MAX_VECTOR_BYTES };

static int64_t
smaller(int64_t x, int64_t limit)
{
    return x < limit ? x : limit;
}

static bool
is_too_long(int64_t stride)
{
    return stride > MAX_STRIDE_BYTES || stride < -MAX_STRIDE_BYTES;
}

/* How many bytes an axis of a stride that is not too long adds to a window. */
static int32_t
reach(int64_t stride, int64_t count)
{
    return (int32_t)magnitude(stride) * (int32_t)(count - 1);
}

static bool
is_power_of_two(int32_t x)
{
    return (x & (x - 1)) == 0;
}

/* The logarithm of a power of two. */
static uint16_t
log2_of(int32_t power)
{
    return (uint16_t)__builtin_ctz((unsigned)power);
}

/* The vectors of a window. */
static int32_t
count_chunks(int32_t window, int32_t vector_bytes)
{
    return (window + vector_bytes - 1) >> log2_of(vector_bytes);
}

/* Compares the cost of two ways to make a vector: a load and a shuffle per chunk, or a load and an insertion per
 * run of contiguous bytes. A chunk costs as much as `runs_per_chunk` runs; runs whose size is not that of a register
 * (not `power_of_two`) are always slower than two chunks. Not measured one by one (record chunks-and-runs). */
static bool
chunks_are_faster(int32_t chunks, int32_t runs, int32_t vector_bytes, bool power_of_two)
{
    int32_t runs_per_chunk = vector_bytes == MAX_VECTOR_BYTES && power_of_two ? 4 : 2;
    return chunks <= MAX_CHUNKS && (chunks * runs_per_chunk <= runs || (chunks <= 2 && runs > 1 && !power_of_two));
}

/* Several rows of fewer items are not shuffled, because the ends of each cost more than its vectors. Without masks, a
 * row costs about as much as copying 16 items one by one, and more if the items are large (record short-shuffled-rows).
 * With masks, only a few large items are copied as fast one by one; if smaller items were `folded` into these, those
 * would be copied one by one (record short-masked-rows). */
static int64_t
min_shuffled_columns(int64_t bytes, bool has_masks, bool folded)
{
    enum { MIN_MASKED = 6, MIN_MASKED_LANES = 16 };
    const bool one_store = has_kernel_size(bytes);
    if (has_masks) {
        return !one_store || bytes < 4 || folded ? 0 : bytes < LANE_BYTES ? MIN_MASKED : MIN_MASKED_LANES;
    }
    return one_store ? 16 + 6 * bytes : 4 * bytes;
}

/* True if there are several rows, of fewer than min_shuffled_columns or, unless a mask stores enough small items at a
 * time, of less than a lane (record less-than-a-lane). */
static bool
has_short_rows(const ssop_nest *nest, int32_t vector_bytes, bool folded)
{
    enum { MIN_MASKED_SMALL = 8 };
    const int64_t bytes = nest->kernel_item_bytes, columns = nest->count[nest->column_axis];
    const bool has_masks = vector_bytes > LANE_BYTES, small = bytes <= 2 && columns >= MIN_MASKED_SMALL;
    const bool tiny = has_kernel_size(bytes) && columns * bytes < LANE_BYTES && !(has_masks && small);
    return nest->column_axis > 0 && (tiny || columns < min_shuffled_columns(bytes, has_masks, folded));
}

/* An item has at most `vector_bytes` and no stride is too long, so all numbers fit 32 bits, in which a division takes
 * less time. */
bool
ssop_shuffle_fits(const ssop_nest *nest, int32_t vector_bytes, bool folded)
{
    if (has_short_rows(nest, vector_bytes, folded)) {
        return false;
    }
    int32_t bytes = (int32_t)nest->item_bytes, run = bytes, window = bytes;
    const int32_t column = nest->column_axis;
    for (int32_t axis = nest->rank - 1; axis > column; axis--) {
        if (is_too_long(nest->src_stride[axis])) {
            return false;
        }
        window += reach(nest->src_stride[axis], nest->count[axis]);
        run *= run == bytes && nest->src_stride[axis] == run ? (int32_t)nest->count[axis] : 1;
        bytes *= (int32_t)nest->count[axis];
    }
    if (is_too_long(nest->src_stride[column])) {
        return false;
    }
    const int32_t items = (int32_t)smaller(vector_bytes / bytes, nest->count[column]);
    window += reach(nest->src_stride[column], items);
    return chunks_are_faster(count_chunks(window, vector_bytes), run == bytes ? items : items * bytes / run,
                             vector_bytes, run == bytes && bytes <= 16 && is_power_of_two(bytes));
}

/* Fills in the offsets of the bytes of `count` items, from those of the first item: doubles their number in each
 * round. */
static void
repeat(int16_t *offset, int32_t bytes, int32_t count, int32_t stride)
{
    for (int32_t done = 1; done < count; done *= 2) {
        int32_t more = count - done < done ? count - done : done;
        for (int32_t j = 0; j < more * bytes; j++) {
            offset[done * bytes + j] = (int16_t)(offset[j] + done * stride);
        }
    }
}

/* Vectors of LANES offsets, and of as many bytes: making a table is a good part of the time of a small copy, so it is
 * done by vectors. */
enum { LANES = 8 };
typedef int16_t offsets __attribute__((vector_size(2 * LANES)));
typedef uint16_t unsigned_offsets __attribute__((vector_size(2 * LANES))); /* overflow is defined */
typedef uint8_t octets __attribute__((vector_size(LANES)));

/* As repeat, for items of contiguous bytes whose number is a power of two; fills the first `vector_bytes`. */
static void
repeat_power_of_two(int16_t *offset, int32_t bytes, int32_t stride, int32_t vector_bytes)
{
    const uint16_t mask = (uint16_t)(bytes - 1), step = (uint16_t)stride;
    const uint16_t shift = log2_of(bytes);
    unsigned_offsets j = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t k = 0; k < vector_bytes; k += LANES, j += LANES) {
        unsigned_offsets at = (j >> shift) * step + (j & mask);
        memcpy(offset + k, &at, sizeof at);
    }
}

/* Finds the offset of each byte of a vector from the first item, and with them the window. */
static void
find_offsets(shuffle_table *table, const ssop_nest *nest, const ssop_tile *tile, int32_t vector_bytes,
             int16_t offset[MAX_VECTOR_BYTES])
{
    int32_t bytes = (int32_t)nest->item_bytes, low = 0, high, axis = nest->rank - 1;
    for (; axis > nest->column_axis && nest->src_stride[axis] == bytes; axis--) {
        bytes *= (int32_t)nest->count[axis];
    }
    high = bytes;
    bool power_of_two = axis == nest->column_axis && is_power_of_two(bytes);
    if (!power_of_two) {
        repeat_power_of_two(offset, 1, 1, vector_bytes); /* the contiguous bytes of one item */
    }
    for (; axis >= nest->column_axis; axis--) {
        bool is_column = axis == nest->column_axis;
        int32_t count = is_column ? table->items : (int32_t)nest->count[axis];
        int32_t stride = (int32_t)(is_column ? tile->src_column : nest->src_stride[axis]);
        int32_t last = (count - 1) * stride;
        if (power_of_two) {
            repeat_power_of_two(offset, bytes, stride, vector_bytes);
        }
        else {
            repeat(offset, bytes, count, stride);
        }
        bytes *= count;
        low += last < 0 ? last : 0;
        high += last > 0 ? last : 0;
    }
    table->bytes = bytes;
    table->low = low;
    table->window = high - low;
}

static void
split_into_pairs(shuffle_table *table, const int16_t *offset)
{
    const int16_t low = (int16_t)table->low;
    for (int32_t k = 0; k < MAX_VECTOR_BYTES; k += LANES) {
        offsets at;
        memcpy(&at, offset + k, sizeof at);
        at -= low;
        octets index = __builtin_convertvector(at & 127, octets), pair = __builtin_convertvector(at >> 7, octets);
        memcpy(table->index + k, &index, sizeof index);
        memcpy(table->pair + k, &pair, sizeof pair);
    }
}

static void
split_into_chunks(shuffle_table *table, const int16_t *offset)
{
    const offsets lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    const int16_t low = (int16_t)table->low, bytes = (int16_t)table->bytes;
    uint8_t *to = table->index;
    for (int16_t chunk = 0; chunk < table->chunks; chunk++) {
        for (int16_t k = 0; k < 16; k += LANES, to += LANES) {
            offsets at;
            memcpy(&at, offset + k, sizeof at);
            at -= low;
            const offsets inside = (at >> 4 == chunk) & (lanes + k < bytes);
            const octets index = __builtin_convertvector((at & 15 & inside) | (0x80 & ~inside), octets);
            memcpy(to, &index, sizeof index);
        }
    }
}

void
ssop_shuffle_prepare(shuffle_table *table, const ssop_nest *nest, const ssop_tile *tile, int32_t vector_bytes)
{
    int16_t offset[MAX_VECTOR_BYTES];
    table->items = (int32_t)smaller(vector_bytes / (int32_t)tile->item_bytes, tile->columns);
    find_offsets(table, nest, tile, vector_bytes, offset);
    table->chunks = count_chunks(table->window, vector_bytes);
    if (vector_bytes == MAX_VECTOR_BYTES) {
        split_into_pairs(table, offset);
    }
    else {
        split_into_chunks(table, offset);
    }
}

bool
ssop_dilate_fits(const ssop_tile *tile, int32_t vector_bytes, int32_t max_chunks)
{
    bool contiguous = tile->src_column == tile->item_bytes || tile->src_column == -tile->item_bytes;
    if (!contiguous || tile->item_bytes > vector_bytes / 2 || tile->dst_column > MAX_STRIDE_BYTES) {
        return false;
    }
    int64_t items = smaller(vector_bytes / tile->item_bytes, tile->columns);
    int64_t window = (items - 1) * tile->dst_column + tile->item_bytes;
    return window <= (int64_t)max_chunks * vector_bytes;
}

/* Fills in the positions of items, which have at most ITEM_LANES bytes: a vector for each, which has 0x80 behind the
 * item, and over whose end the next one is written. That takes less time than byte by byte (record item-positions). */
typedef uint8_t item_positions __attribute__((vector_size(ITEM_LANES)));

static void
place_items(dilate_table *table, int32_t item_bytes, int32_t dst_column, int32_t src_column)
{
    SSOP_ASSERT(item_bytes <= ITEM_LANES);
    const item_positions lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const item_positions own = (item_positions)(lanes < (uint8_t)item_bytes), step = own & (uint8_t)src_column;
    item_positions positions = (own & (lanes - (uint8_t)table->low)) | (~own & (uint8_t)0x80);
    uint8_t *to = table->index;
    for (int32_t item = 0; item < table->items; item++, to += dst_column, positions += step) {
        memcpy(to, &positions, sizeof positions);
    }
}

void
ssop_dilate_prepare(dilate_table *table, const ssop_tile *tile, int32_t vector_bytes)
{
    int32_t item_bytes = (int32_t)tile->item_bytes;
    int32_t dst_column = (int32_t)tile->dst_column, src_column = (int32_t)tile->src_column;
    table->items = (int32_t)smaller(vector_bytes / item_bytes, tile->columns);
    table->low = src_column < 0 ? (table->items - 1) * src_column : 0;
    table->window = (table->items - 1) * dst_column + item_bytes;
    table->chunks = count_chunks(table->window, vector_bytes);
    int32_t step = dst_column / item_bytes, written = step > table->chunks ? step : table->chunks;
    memset(table->index, 0x80, (size_t)(smaller(written, MAX_CHUNKS) * vector_bytes)); /* 0x80: a zero byte */
    place_items(table, item_bytes, dst_column, src_column);
}

bool
ssop_blocks_fit(const ssop_tile *tile)
{
    SSOP_ASSERT(!has_kernel_size(tile->item_bytes) && tile->src_column == tile->item_bytes);
    SSOP_ASSERT(tile->item_bytes < tile->dst_column);
    return tile->dst_column <= 16 && is_power_of_two((int32_t)tile->dst_column);
}

void
ssop_blocks_prepare(dilate_table *table, const ssop_tile *tile)
{
    const int32_t bytes = (int32_t)tile->item_bytes, pitch = (int32_t)tile->dst_column;
    table->items = 16 / pitch;
    for (int32_t j = 0; j < 16; j++) {
        table->index[j] = (uint8_t)(j % pitch < bytes ? j / pitch * bytes + j % pitch : 0x80);
    }
}

/* `planes` items make a packed row. An item's number is divided by theirs as a product with 1024 / planes, rounded up:
 * that is exact and fits 16 bits for MAX_PLANES lanes and for MAX_LINE_PLANES lines. */
void
ssop_interleave_prepare(interleave_table *table, const ssop_tile *tile, bool apart, bool shuffles_lines)
{
    const uint16_t planes = (uint16_t)(apart ? tile->rows : tile->columns), item_bytes = (uint16_t)tile->item_bytes;
    const uint16_t bytes = (uint16_t)interleave_bytes(shuffles_lines, planes);
    const uint16_t item_shift = log2_of(item_bytes), vector_shift = log2_of(bytes);
    const uint16_t item_mask = (uint16_t)(item_bytes - 1), vector_mask = (uint16_t)(bytes - 1);
    const uint16_t inverse = (uint16_t)((1024 + planes - 1) / planes);
    const unsigned_offsets lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    uint8_t *to = table->index;
    for (uint16_t k = 0; k < planes; k++) {
        for (uint16_t at = 0; at < bytes; at += LANES) {
            const unsigned_offsets j = lanes + at;
            unsigned_offsets vector, place; /* byte j of vector k of the destination is there in the source */
            if (apart) {
                const unsigned_offsets packed = ((j >> item_shift) * planes + k) * item_bytes + (j & item_mask);
                vector = packed >> vector_shift;
                place = packed & vector_mask;
            }
            else {
                const unsigned_offsets packed = j + (uint16_t)(k * bytes), item = packed >> item_shift;
                const unsigned_offsets row = item * inverse >> 10;
                vector = item - row * planes;
                place = (row << item_shift) + (packed & item_mask);
            }
            for (uint16_t p = 0; p < planes; p++) {
                const unsigned_offsets inside = (unsigned_offsets)(vector == p);
                const octets index = __builtin_convertvector((place & inside) | (0x80 & ~inside), octets);
                memcpy(to + (k * planes + p) * bytes + at, &index, sizeof index);
            }
        }
    }
}
