/* The kernels for AVX-512 with VBMI: a permutation takes any bytes of two vectors of 64 bytes, and stores have byte
 * masks. */
#include "tables.h"

#ifdef SSOP_X86
#define ISA avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,prfchw")))
#include "x86.h"

typedef __m512i x4;
enum { x4_lanes = 4 };

/* Loads four lanes, from addresses `pitch` bytes apart. */
INLINE TARGET x4
x4_load(const char *from, int64_t pitch)
{
    x4 v = _mm512_castsi128_si512(load_lane(from));
    v = _mm512_inserti32x4(v, load_lane(from + pitch), 1);
    v = _mm512_inserti32x4(v, load_lane(from + 2 * pitch), 2);
    return _mm512_inserti32x4(v, load_lane(from + 3 * pitch), 3);
}

INLINE TARGET void
x4_store(char *to, x4 v)
{
    _mm512_storeu_si512(to, v);
}

INLINE TARGET void
x4_stream(char *to, x4 v)
{
    _mm512_stream_si512((void *)to, v);
}

INLINE TARGET bool
x4_streams(unsigned policy, uintptr_t addresses)
{
    return (policy & SSOP_STREAM) != 0 && addresses % 64 == 0;
}

INLINE TARGET void
x4_put(char *to, x4 v, bool stream)
{
    if (stream) {
        x4_stream(to, v);
    }
    else {
        x4_store(to, v);
    }
}

#define x4_low_1 _mm512_unpacklo_epi8
#define x4_high_1 _mm512_unpackhi_epi8
#define x4_low_2 _mm512_unpacklo_epi16
#define x4_high_2 _mm512_unpackhi_epi16
#define x4_low_4 _mm512_unpacklo_epi32
#define x4_high_4 _mm512_unpackhi_epi32
#define x4_low_8 _mm512_unpacklo_epi64
#define x4_high_8 _mm512_unpackhi_epi64

INLINE TARGET void
copy32(char *to, const char *from)
{
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_loadu_si256((const __m256i *)(const void *)from));
}

INLINE TARGET void
copy64(char *to, const char *from)
{
    x4_store(to, _mm512_loadu_si512(from));
}

/* Pairs of 32-byte stores: they were faster than one 64-byte store (Zen 5, a prototype). */
INLINE TARGET void
stream64(char *to, const char *from)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)from);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(from + 32));
    _mm256_stream_si256((__m256i *)(void *)to, low);
    _mm256_stream_si256((__m256i *)(void *)(to + 32), high);
}

/* permute.h makes one vector of 64 bytes at a time, from pairs of chunks. */
#define VECTOR_BYTES 64
#define VECTORS 1
typedef __m512i vector, wide;

typedef struct {
    __m512i index;
    __mmask64 mask[MAX_CHUNKS / 2];
    __mmask64 last_mask; /* the bytes of the last chunk that are in the window */
} window_permuter;

INLINE TARGET __mmask64
first_bytes(int64_t count)
{
    return ~(__mmask64)0 >> (64 - count);
}

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    window_permuter permuter = {.index = _mm512_loadu_si512(table->index),
                                .last_mask = first_bytes(table->window - 64 * (chunks - 1))};
    __m512i pair = _mm512_loadu_si512(table->pair);
    for (int32_t k = 0; k < (chunks + 1) / 2; k++) {
        permuter.mask[k] = _mm512_cmpeq_epi8_mask(pair, _mm512_set1_epi8((char)k));
    }
    return permuter;
}

INLINE TARGET vector
permute_chunks(const window_permuter *permuter, const char *from, int32_t chunks, vector last)
{
    vector v;
    int32_t pairs = chunks / 2;
    if (chunks % 2 == 1) {
        v = _mm512_maskz_permutexvar_epi8(permuter->mask[pairs], permuter->index, last);
    }
    else {
        pairs--;
        vector first = _mm512_loadu_si512(from + 128 * pairs);
        v = _mm512_maskz_permutex2var_epi8(permuter->mask[pairs], first, permuter->index, last);
    }
    for (int32_t k = 0; k < pairs; k++) {
        vector a = _mm512_loadu_si512(from + 128 * k), b = _mm512_loadu_si512(from + 128 * k + 64);
        v = _mm512_or_si512(v, _mm512_maskz_permutex2var_epi8(permuter->mask[k], a, permuter->index, b));
    }
    return v;
}

INLINE TARGET vector
permute_window(const window_permuter *permuter, const char *from, int32_t chunks)
{
    return permute_chunks(permuter, from, chunks, _mm512_loadu_si512(from + 64 * (chunks - 1)));
}

INLINE TARGET vector
permute_last_window(const window_permuter *permuter, const char *from, int32_t chunks, const char *low,
                    const char *high)
{
    (void)low, (void)high;
    return permute_chunks(permuter, from, chunks,
                          _mm512_maskz_loadu_epi8(permuter->last_mask, from + 64 * (chunks - 1)));
}

INLINE TARGET vector
load_part(const char *from, int32_t count)
{
    return _mm512_maskz_loadu_epi8(first_bytes(count), from);
}

INLINE TARGET vector
permute_windows(const window_permuter *permuter, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return permute_window(permuter, from, chunks);
}

INLINE TARGET void
store_vector(char *to, vector v)
{
    x4_store(to, v);
}

INLINE TARGET void
store_part(char *to, vector v, int64_t count)
{
    _mm512_mask_storeu_epi8(to, first_bytes(count), v);
}

#define store_wide x4_store

INLINE TARGET void
store_apart(char *to, wide v, int64_t bytes)
{
    (void)bytes;
    x4_store(to, v);
}

INLINE TARGET void
stream_wide(char *to, wide v)
{
    x4_stream(to, v);
}

INLINE TARGET vector
load_vector(const char *from)
{
    return _mm512_loadu_si512(from);
}

INLINE TARGET void
store_masked(char *to, uint64_t mask, vector v)
{
    _mm512_mask_storeu_epi8(to, mask, v);
}

INLINE TARGET vector
dilate_vector(const dilate_table *table, int32_t k, vector v)
{
    return _mm512_maskz_permutexvar_epi8(table->mask[k], _mm512_loadu_si512(table->index + 64 * k), v);
}

#include "clear.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "permute.h"
#include "dilate_vectors.h"
#include "masked_store.h"
#define VECTOR_IS_LINE
#define WIDE_X x4
#define NARROW_X x1
#include "vector_sizes.h"

const kernel_table ssop_kernels_avx512 = {
    .name = "avx512",
    .feature = SSOP_CPU_AVX512,
    .vector_bytes = VECTOR_BYTES,
    .has_masked_stores = true,
    .uses_rep_movsb = true, /* measured on a Zen 4 and a Zen 5, which both run this target (policies.c) */
    .kernel = {VECTOR_ROWS, [SSOP_PATTERN_MASKED_STORE] = EVERY_SIZE(KERNEL(masked_store))},
};

#endif
