/* The kernels for AVX-512 with VBMI: a shuffle takes any bytes of two vectors of 64 bytes, and stores have
 * masks. */
#include "tables.h"

#ifdef SSOP_X86
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,prfchw")))
#include "x86_avx512.h"

typedef struct {
    vector index[MAX_CHUNKS];
    __mmask64 mask[MAX_CHUNKS]; /* the bytes that belong to items */
} dilater;

INLINE TARGET void
load_dilater(dilater *all, const dilate_table *table, int32_t chunks)
{
    for (int32_t k = 0; k < chunks; k++) {
        all->index[k] = _mm512_loadu_si512(table->index + VECTOR_BYTES * k);
        all->mask[k] = units_of_items(all->index[k], false);
    }
}

INLINE TARGET vector
dilate_vector(const dilater *all, int32_t k, vector v)
{
    return _mm512_maskz_permutexvar_epi8(all->mask[k], all->index[k], v);
}

/* The shuffle uses only the lower six bits of a position. */
INLINE TARGET vector
spread_vector(const dilater *all, int32_t k, vector v)
{
    return _mm512_permutexvar_epi8(all->index[k], v);
}

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "x86_avx512_methods.h"

#define METHOD dwords
#include "x86_avx512_dwords.h"
#include "shuffle.h"
#undef METHOD

#define METHOD bytes
#define UNIT_BITS 8
#define UNITS 64
#include "x86_avx512_shuffler.h"
#include "x86_avx512_windows.h"
#undef UNIT_BITS
#undef UNITS

INLINE TARGET window_shuffler
load_shuffler(const shuffle_table *table, int32_t chunks)
{
    return make_shuffler(_mm512_loadu_si512(table->index), _mm512_loadu_si512(table->pair), table->window, chunks);
}

#include "shuffle.h"
#undef METHOD

/* Dwords have a method of their own because vpermt2b takes several micro-operations on Intel's processors and vpermt2d
 * one (record dwords-method). Not measured on AMD's processors. */
static TARGET void
shuffle_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    if (keeps_units(tile->table, 4, dwords_of_bytes(), _mm512_set1_epi32(0x03020100))) {
        shuffle_kernel_dwords(dst, src, tile);
    }
    else {
        shuffle_kernel_bytes(dst, src, tile);
    }
}

#include "dilate_vectors.h"
#include "masked_store.h"
#define VECTOR_IS_LINE
#define WIDE_X x4
#define MIDDLE_X x2
#define NARROW_X x1
#define WIDE_IS_WIDER
#define SHORT_ROW_KERNELS ssop_kernels_avx2
#define SHUFFLES_LINES
#include "dilate_blocks.h"
#include "interleave.h"
#include "vector_sizes.h"
#define X x4
#include "select.h"

const kernel_table ssop_kernels_avx512 = {
    .name = "avx512",
    .feature = SSOP_CPU_AVX512,
    .vector_bytes = VECTOR_BYTES,
    .streams = true,
    .shuffles_lines = true,
    .has_masks = true,
    .uses_rep_movsb = true, /* good on a Zen 5; policies.c says which other processors use it */
    .lanes = 4,
    .kernel = {VECTOR_VARIANTS, [SSOP_VARIANT_MASKED_STORE] = EVERY_SIZE(masked_store_kernel)},
    .select = SELECT_KERNELS,
    .shorter = &SHORT_ROW_KERNELS,
};

#endif
