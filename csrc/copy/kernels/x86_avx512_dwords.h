/* Template: what shuffle.h needs for the method that all CPU targets with AVX-512 have: dwords, where all units of 4
 * bytes stay together. Include after x86_avx512_methods.h, with METHOD. */
#define UNIT_BITS 32
#define UNITS 16
#include "x86_avx512_shuffler.h"
#include "x86_avx512_windows.h"
#undef UNIT_BITS
#undef UNITS

INLINE TARGET window_shuffler
load_shuffler(const shuffle_table *table, int32_t chunks)
{
    vector index = _mm512_srli_epi32(_mm512_loadu_si512(table->index), 2);
    vector pair = _mm512_and_si512(_mm512_loadu_si512(table->pair), _mm512_set1_epi32(0xFF));
    return make_shuffler(index, pair, table->window, chunks);
}
