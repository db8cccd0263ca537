/* Template: the methods of permuting that CPU targets with AVX-512 choose among, by names that end in METHOD. Include
 * after x86_avx512.h, once per CPU target. */
#define NAME(name) JOIN(name, METHOD)
#define window_permuter NAME(window_permuter)
#define make_permuter NAME(make_permuter)
#define load_permuter NAME(load_permuter)
#define permute_chunks NAME(permute_chunks)
#define permute_window NAME(permute_window)
#define permute_last_window NAME(permute_last_window)
#define permute_windows NAME(permute_windows)

/* For each byte of a lane, the position in it of the first byte of its dword. */
INLINE TARGET vector
dwords_of_bytes(void)
{
    return _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0);
}

/* True if the bytes of each unit stay together, and its position is a multiple of its size. For each byte, `first` is
 * the position of the first byte of its unit, and `within` its own position in that unit. */
INLINE TARGET bool
keeps_units(const permute_table *table, int unit_bytes, vector first, vector within)
{
    vector index = _mm512_loadu_si512(table->index), pair = _mm512_loadu_si512(table->pair);
    vector unit = _mm512_andnot_si512(_mm512_set1_epi8((char)(unit_bytes - 1)), _mm512_shuffle_epi8(index, first));
    __mmask64 elsewhere = _mm512_cmpneq_epi8_mask(index, _mm512_or_si512(unit, within));
    return (elsewhere | _mm512_cmpneq_epi8_mask(pair, _mm512_shuffle_epi8(pair, first))) == 0;
}
