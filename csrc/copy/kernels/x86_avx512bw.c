/* The kernels for AVX-512 without VBMI. Permutations take any words of 2 or 4 bytes of two vectors of 64 bytes, but
 * single bytes only within each lane of 16 bytes; stores have byte masks. */
#include "tables.h"

#ifdef SSOP_X86
#define ISA avx512bw
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,prfchw")))
#include "x86_avx512.h"

#include "clear.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"

/* The tables give a position to each byte. There are four methods of permuting by them:
 * - dwords and words, where all units of 4 or of 2 bytes stay together;
 * - lanes, where the bytes of each lane of the vector come from few chunks of 16 bytes: those are loaded into the lane,
 *   and its bytes permuted;
 * - bytes, for all others: the words that have the wanted bytes are permuted, once for the lower and once for the upper
 *   byte of each word of the vector. */
#define NAME(name) KERNEL(JOIN(name, METHOD))
#define window_permuter NAME(window_permuter)
#define make_permuter NAME(make_permuter)
#define load_permuter NAME(load_permuter)
#define permute_chunks NAME(permute_chunks)
#define permute_window NAME(permute_window)
#define permute_last_window NAME(permute_last_window)
#define permute_windows NAME(permute_windows)

#define METHOD dwords
#define UNIT_BITS 32
#define UNITS 16
#include "x86_permuter.h"
#include "x86_windows.h"
#undef UNIT_BITS
#undef UNITS

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    vector index = _mm512_srli_epi32(_mm512_loadu_si512(table->index), 2);
    vector pair = _mm512_and_si512(_mm512_loadu_si512(table->pair), _mm512_set1_epi32(0xFF));
    return make_permuter(index, pair, table->window, chunks);
}

#include "permute.h"
#undef METHOD

#define METHOD words
#define UNIT_BITS 16
#define UNITS 32
#include "x86_permuter.h"
#include "x86_windows.h"

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    vector index = _mm512_srli_epi16(_mm512_loadu_si512(table->index), 1);
    vector pair = _mm512_and_si512(_mm512_loadu_si512(table->pair), _mm512_set1_epi16(0xFF));
    return make_permuter(index, pair, table->window, chunks);
}

#include "permute.h"
#undef METHOD

/* In each lane, the position of the first byte of the same word and of the same dword. */
INLINE TARGET vector
words_of_bytes(void)
{
    return _mm512_set4_epi32(0x0E0E0C0C, 0x0A0A0808, 0x06060404, 0x02020000);
}

INLINE TARGET vector
dwords_of_bytes(void)
{
    return _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0);
}

/* Moves each byte from its word, which has been moved to where the byte goes: `index` is odd for the upper byte of the
 * word, and has its highest bit set for a byte that becomes zero. */
INLINE TARGET vector
bytes_of_words(vector index)
{
    return _mm512_or_si512(_mm512_and_si512(index, _mm512_set1_epi8((char)0x81)), words_of_bytes());
}

#define METHOD bytes

typedef struct {
    KERNEL(window_permuter_words) low, high; /* for the lower and the upper byte of each word */
    vector shuffle;
    __mmask64 last_mask;
} window_permuter;

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    vector index = _mm512_loadu_si512(table->index), pair = _mm512_loadu_si512(table->pair);
    vector low = _mm512_and_si512(pair, _mm512_set1_epi16(0xFF)), high = _mm512_srli_epi16(pair, 8);
    window_permuter permuter = {
        .low = KERNEL(make_permuter_words)(_mm512_srli_epi16(index, 1), low, table->window, chunks),
        .high = KERNEL(make_permuter_words)(_mm512_srli_epi16(index, 9), high, table->window, chunks),
        .shuffle = bytes_of_words(index),
    };
    permuter.last_mask = permuter.low.last_mask;
    return permuter;
}

INLINE TARGET vector
permute_chunks(const window_permuter *permuter, const char *from, int32_t chunks, vector last)
{
    const __mmask64 upper = 0xAAAAAAAAAAAAAAAA;
    vector low = KERNEL(permute_chunks_words)(&permuter->low, from, chunks, last);
    vector high = KERNEL(permute_chunks_words)(&permuter->high, from, chunks, last);
    return _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(low, permuter->shuffle), upper, high, permuter->shuffle);
}

#include "x86_windows.h"
#include "permute.h"
#undef METHOD

/* A permute_table for the method `lanes`: each lane of the vector has a window of its own, of `chunks` chunks of 16
 * bytes. index[j] is the position of byte j in the window of its lane, pair[j] the chunk of it, and after the positions
 * of the bytes, index has an int32_t for each lane: the offset of its window from that of the vector. */
#define METHOD lanes
enum { MAX_LANE_CHUNKS = 8 }; /* a position must be less than 128, because a higher one gives a zero byte */

typedef struct {
    vector index;
    __mmask64 mask[MAX_LANE_CHUNKS];
    int64_t low[4];
} window_permuter;

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    int32_t low[4];
    window_permuter permuter = {.index = _mm512_loadu_si512(table->index)};
    vector chunk = _mm512_loadu_si512(table->pair);
    for (int32_t k = 0; k < chunks; k++) {
        permuter.mask[k] = _mm512_cmpeq_epi8_mask(chunk, _mm512_set1_epi8((char)k));
    }
    memcpy(low, table->index + VECTOR_BYTES, sizeof low);
    for (int i = 0; i < 4; i++) {
        permuter.low[i] = low[i];
    }
    return permuter;
}

INLINE TARGET vector
permute_window(const window_permuter *permuter, const char *from, int32_t chunks)
{
    const char *a = from + permuter->low[0], *b = from + permuter->low[1];
    const char *c = from + permuter->low[2], *d = from + permuter->low[3];
    vector v = _mm512_setzero_si512();
    for (int32_t k = 0; k < chunks; k++) {
        vector chunk = _mm512_castsi128_si512(load_lane(a + 16 * k));
        chunk = _mm512_inserti32x4(chunk, load_lane(b + 16 * k), 1);
        chunk = _mm512_inserti32x4(chunk, load_lane(c + 16 * k), 2);
        chunk = _mm512_inserti32x4(chunk, load_lane(d + 16 * k), 3);
        v = _mm512_mask_shuffle_epi8(v, permuter->mask[k], chunk, permuter->index);
    }
    return v;
}

/* No chunk reaches beyond the window. */
INLINE TARGET vector
permute_last_window(const window_permuter *permuter, const char *from, int32_t chunks, const char *low,
                    const char *high)
{
    (void)low, (void)high;
    return permute_window(permuter, from, chunks);
}

INLINE TARGET vector
permute_windows(const window_permuter *permuter, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return permute_window(permuter, from, chunks);
}

#include "permute.h"
#undef METHOD

/* The least of 16 offsets. */
INLINE TARGET int32_t
find_least(__m256i offsets)
{
    __m128i least = _mm_min_epu16(_mm256_castsi256_si128(offsets), _mm256_extracti128_si256(offsets, 1));
    return _mm_cvtsi128_si32(_mm_minpos_epu16(least)) & 0xFFFF;
}

/* The offsets in the window of the bytes of a lane. */
INLINE TARGET __m256i
offsets_of_lane(const permute_table *table, int32_t at)
{
    __m256i index = _mm256_cvtepu8_epi16(load_lane((const char *)table->index + 16 * at));
    __m256i pair = _mm256_cvtepu8_epi16(load_lane((const char *)table->pair + 16 * at));
    return _mm256_or_si256(index, _mm256_slli_epi16(pair, 7));
}

/* Makes the table of the method `lanes`. Returns false if another method is better, or needed.
 * 2 chunks for each pair of chunks of 64 bytes: */
INLINE TARGET bool
make_lanes(permute_table *lanes, const permute_table *table)
{
    const __mmask64 valid = first_bytes(table->bytes);
    const __m256i ones = _mm256_set1_epi16(-1);
    int32_t low[4], longest = 1;
    for (int32_t at = 0; at < 4; at++) {
        __m256i offsets = offsets_of_lane(table, at);
        __mmask16 some = (__mmask16)(valid >> 16 * at);
        low[at] = find_least(_mm256_mask_mov_epi16(ones, some, offsets));
        __m256i below = _mm256_xor_si256(ones, _mm256_maskz_mov_epi16(some, offsets));
        int32_t high = 0xFFFF - find_least(below);
        int32_t bytes = high - low[at] + 1;
        longest = bytes > longest ? bytes : longest;
    }
    const int32_t chunks = (longest + 15) / 16, beyond = table->window - 16 * chunks;
    if ((chunks > MAX_LANE_CHUNKS) | (chunks < table->chunks) | (chunks > (table->chunks + 1) / 2 * 2) | (beyond < 0)) {
        return false;
    }
    lanes->items = table->items;
    lanes->bytes = table->bytes;
    lanes->chunks = chunks;
    lanes->window = table->window;
    lanes->low = table->low;
    for (int32_t at = 0; at < 4; at++) {
        low[at] = low[at] < beyond ? low[at] : beyond;
        __m256i positions = _mm256_sub_epi16(offsets_of_lane(table, at), _mm256_set1_epi16((int16_t)low[at]));
        store_lane16((char *)lanes->index + 16 * at, _mm256_cvtepi16_epi8(positions));
        store_lane16((char *)lanes->pair + 16 * at, _mm256_cvtepi16_epi8(_mm256_srli_epi16(positions, 4)));
    }
    memcpy(lanes->index + VECTOR_BYTES, low, sizeof low);
    return true;
}

/* True if the bytes of each unit stay together, and its position is a multiple of its size. `first` is the position of
 * the first byte of each one's unit, and `within` that of each byte in its unit. */
INLINE TARGET bool
keeps_units(const permute_table *table, int unit_bytes, vector first, vector within)
{
    vector index = _mm512_loadu_si512(table->index), pair = _mm512_loadu_si512(table->pair);
    vector unit = _mm512_andnot_si512(_mm512_set1_epi8((char)(unit_bytes - 1)), _mm512_shuffle_epi8(index, first));
    __mmask64 elsewhere = _mm512_cmpneq_epi8_mask(index, _mm512_or_si512(unit, within));
    return (elsewhere | _mm512_cmpneq_epi8_mask(pair, _mm512_shuffle_epi8(pair, first))) == 0;
}

static TARGET void
KERNEL(permute)(char *dst, const char *src, const ssop_tile *tile)
{
    const permute_table *table = tile->table;
    permute_table lanes;
    if (keeps_units(table, 4, dwords_of_bytes(), _mm512_set1_epi32(0x03020100))) {
        KERNEL(permute_dwords)(dst, src, tile);
    }
    else if (keeps_units(table, 2, words_of_bytes(), _mm512_set1_epi16(0x0100))) {
        KERNEL(permute_words)(dst, src, tile);
    }
    else if (make_lanes(&lanes, table)) {
        ssop_tile other = *tile;
        other.table = &lanes;
        KERNEL(permute_lanes)(dst, src, &other);
    }
    else {
        KERNEL(permute_bytes)(dst, src, tile);
    }
}

/* The bytes of each word of the vector must come from one word of the source: see scatter. Those words are permuted
 * first, and then the bytes within each word. */
INLINE TARGET vector
dilate_vector(const dilate_table *table, int32_t k, vector v)
{
    vector index = _mm512_loadu_si512(table->index + VECTOR_BYTES * k);
    vector word = _mm512_srli_epi16(_mm512_or_si512(index, _mm512_srli_epi16(index, 8)), 1);
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi16(word, v), bytes_of_words(index));
}

#include "dilate_vectors.h"
#include "masked_store.h"

/* Items of one byte are at least a word apart, so a word of the destination gets one of them at most, and items of two
 * bytes have a gap after each. Items of more bytes at odd distances would need words of the destination whose bytes come
 * from two words; those are rare, as in records of one byte and one number, and copied one by one. Dilations have no odd
 * distances for such items. */
static TARGET void
KERNEL(scatter)(char *dst, const char *src, const ssop_tile *tile)
{
    if (tile->item_bytes > 2 && tile->dst_column % 2 != 0) {
        ssop_kernels_portable.kernel[SSOP_PATTERN_STRIDED][kernel_size_column(tile->item_bytes)](dst, src, tile);
    }
    else {
        KERNEL(masked_store)(dst, src, tile);
    }
}

#define VECTOR_IS_LINE
#define WIDE_X x4
#define NARROW_X x1
#include "vector_sizes.h"

const kernel_table ssop_kernels_avx512bw = {
    .name = "avx512bw",
    .feature = SSOP_CPU_AVX512BW,
    .vector_bytes = VECTOR_BYTES,
    .has_masked_stores = true,
    .kernel = {VECTOR_ROWS, [SSOP_PATTERN_MASKED_STORE] = EVERY_SIZE(KERNEL(scatter))},
};

#endif
