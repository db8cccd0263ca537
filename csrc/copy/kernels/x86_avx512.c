/* The kernels for AVX-512 with VBMI: a permutation takes any bytes of two vectors of 64 bytes, and stores have byte
 * masks. */
#include "tables.h"

#ifdef SSOP_X86
#define ISA avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,prfchw")))
#include "x86_avx512.h"

#define UNIT_BITS 8
#define UNITS 64
#include "x86_avx512_permuter.h"
#include "x86_avx512_windows.h"

INLINE TARGET window_permuter
load_permuter(const permute_table *table, int32_t chunks)
{
    return make_permuter(_mm512_loadu_si512(table->index), _mm512_loadu_si512(table->pair), table->window, chunks);
}

#include "dilater.h"

INLINE TARGET vector
dilate_vector(const dilater *all, int32_t k, vector v)
{
    const dilate_table *table = all->table;
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
#define MIDDLE_X x2
#define NARROW_X x1
#define WIDE_IS_WIDER
#include "interleave.h"
#include "vector_sizes.h"
#define X x4
#include "select.h"

const kernel_table ssop_kernels_avx512 = {
    .name = "avx512",
    .feature = SSOP_CPU_AVX512,
    .vector_bytes = VECTOR_BYTES,
    .streams = true,
    .has_masked_stores = true,
    .uses_rep_movsb = true, /* measured on a Zen 4 and a Zen 5, which both run this target (policies.c) */
    .kernel = {VECTOR_ROWS, [SSOP_PATTERN_MASKED_STORE] = EVERY_SIZE(KERNEL(masked_store))},
    .select = SELECT_KERNELS,
};

#endif
