/* The kernels for AVX-512 without VBMI. Shuffles take any words of 2 or 4 bytes of two vectors of 64 bytes, but
 * single bytes only within each lane of 16 bytes; stores have byte masks
 * (record avx512bw-against-avx2). */
#include "tables.h"

#ifdef SSOP_X86
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,prfchw")))
#include "x86_avx512.h"

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"

/* The tables give a position to each byte. There are three methods of shuffling by them (record avx512bw-methods):
 * - dwords and words, where all units of 4 or of 2 bytes stay together. vpermt2d takes one micro-operation on Skylake,
 *   vpermt2w three (published instruction tables; not measured);
 * - bytes, for all others: the words that have the wanted bytes are shuffled, once for the lower and once for the upper
 *   byte of each word of the vector. */
#include "x86_avx512_methods.h"

#define METHOD dwords
#include "x86_avx512_dwords.h"
#include "shuffle.h"
#undef METHOD

#define METHOD words
#define UNIT_BITS 16
#define UNITS 32
#include "x86_avx512_shuffler.h"
#include "x86_avx512_windows.h"
#undef UNIT_BITS
#undef UNITS

INLINE TARGET window_shuffler
load_shuffler(const shuffle_table *table, int32_t chunks)
{
    vector index = _mm512_srli_epi16(_mm512_loadu_si512(table->index), 1);
    vector pair = _mm512_and_si512(_mm512_loadu_si512(table->pair), _mm512_set1_epi16(0xFF));
    return make_shuffler(index, pair, table->window, chunks);
}

#include "shuffle.h"
#undef METHOD

/* For each byte of a lane, the position in it of the first byte of its word. */
INLINE TARGET vector
words_of_bytes(void)
{
    return _mm512_set4_epi32(0x0E0E0C0C, 0x0A0A0808, 0x06060404, 0x02020000);
}

/* The positions with which a shuffle takes each byte from its word, after that word has been moved to where the byte
 * goes: `index` is odd for the upper byte of the word, and has its highest bit set for a byte that becomes zero. */
INLINE TARGET vector
bytes_of_words(vector index)
{
    return _mm512_or_si512(_mm512_and_si512(index, _mm512_set1_epi8((char)0x81)), words_of_bytes());
}

#define METHOD bytes

typedef struct {
    window_shuffler_words low, high; /* for the lower and the upper byte of each word */
    vector shuffle;
    __mmask64 last_mask;
} window_shuffler;

INLINE TARGET window_shuffler
load_shuffler(const shuffle_table *table, int32_t chunks)
{
    vector index = _mm512_loadu_si512(table->index), pair = _mm512_loadu_si512(table->pair);
    vector low = _mm512_and_si512(pair, _mm512_set1_epi16(0xFF)), high = _mm512_srli_epi16(pair, 8);
    window_shuffler shuffler = {
        .low = make_shuffler_words(_mm512_srli_epi16(index, 1), low, table->window, chunks),
        .high = make_shuffler_words(_mm512_srli_epi16(index, 9), high, table->window, chunks),
        .shuffle = bytes_of_words(index),
    };
    shuffler.last_mask = shuffler.low.last_mask;
    return shuffler;
}

INLINE TARGET vector
shuffle_chunks(const window_shuffler *shuffler, const char *from, int32_t chunks, vector last)
{
    const __mmask64 upper = 0xAAAAAAAAAAAAAAAA;
    vector low = shuffle_chunks_words(&shuffler->low, from, chunks, last);
    vector high = shuffle_chunks_words(&shuffler->high, from, chunks, last);
    return _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(low, shuffler->shuffle), upper, high, shuffler->shuffle);
}

#include "x86_avx512_windows.h"
#include "shuffle.h"
#undef METHOD

static TARGET void
shuffle_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const shuffle_table *table = tile->table;
    if (keeps_units(table, 4, dwords_of_bytes(), _mm512_set1_epi32(0x03020100))) {
        shuffle_kernel_dwords(dst, src, tile);
    }
    else if (keeps_units(table, 2, words_of_bytes(), _mm512_set1_epi16(0x0100))) {
        shuffle_kernel_words(dst, src, tile);
    }
    else {
        shuffle_kernel_bytes(dst, src, tile);
    }
}

/* The bytes of each word of the vector must come from one word of the source: see choose_masked in choose.c. Those
 * words are shuffled first, and then the bytes within each word. */
typedef struct {
    vector word[MAX_CHUNKS], byte[MAX_CHUNKS];
} dilater;

INLINE TARGET void
load_dilater(dilater *all, const dilate_table *table, int32_t chunks)
{
    for (int32_t k = 0; k < chunks; k++) {
        vector index = _mm512_loadu_si512(table->index + VECTOR_BYTES * k);
        all->word[k] = _mm512_srli_epi16(_mm512_or_si512(index, _mm512_srli_epi16(index, 8)), 1);
        all->byte[k] = bytes_of_words(index);
    }
}

INLINE TARGET vector
dilate_vector(const dilater *all, int32_t k, vector v)
{
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi16(all->word[k], v), all->byte[k]);
}

#define spread_vector dilate_vector
#include "dilate_vectors.h"
#include "masked_store.h"

#define VECTOR_IS_LINE
#define WIDE_X x4
#define MIDDLE_X x2
#define NARROW_X x1
#define WIDE_IS_WIDER
#define SHORT_ROW_KERNELS ssop_kernels_avx2
#include "dilate_blocks.h"
#include "interleave.h"
#include "vector_sizes.h"
#define X x4
#include "select.h"

/* rep movsb is not used. These processors have it without its fast form for short copies (ERMS, not FSRM); it gained
 * only where a copy is about as large as the L2 cache, and lost from memory (record avx512bw-rep-movsb). */
const kernel_table ssop_kernels_avx512bw = {
    .name = "avx512bw",
    .feature = SSOP_CPU_AVX512BW,
    .vector_bytes = VECTOR_BYTES,
    .streams = true,
    .has_masks = true,
    .lanes = 4,
    .kernel = {VECTOR_VARIANTS, [SSOP_VARIANT_MASKED_STORE] = EVERY_SIZE(masked_store_kernel)},
    .select = SELECT_KERNELS,
    .shorter = &SHORT_ROW_KERNELS,
};

#endif
