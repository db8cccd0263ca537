/* Template: the methods of shuffling that CPU targets with AVX-512 choose among, by names that end in METHOD. Include
 * after x86_avx512.h, once per CPU target. */
#define NAME(name) JOIN(name, METHOD)
#define window_shuffler NAME(window_shuffler)
#define make_shuffler NAME(make_shuffler)
#define load_shuffler NAME(load_shuffler)
#define shuffle_chunks NAME(shuffle_chunks)
#define shuffle_window NAME(shuffle_window)
#define shuffle_last_window NAME(shuffle_last_window)
#define shuffle_windows NAME(shuffle_windows)

/* For each byte of a lane, the position in it of the first byte of its dword. */
INLINE TARGET vector
dwords_of_bytes(void)
{
    return _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0);
}

/* True if the bytes of each unit stay together, and its position is a multiple of its size. For each byte, `first` is
 * the position of the first byte of its unit, and `within` its own position in that unit. */
INLINE TARGET bool
keeps_units(const shuffle_table *table, int unit_bytes, vector first, vector within)
{
    vector index = _mm512_loadu_si512(table->index), pair = _mm512_loadu_si512(table->pair);
    vector unit = _mm512_andnot_si512(_mm512_set1_epi8((char)(unit_bytes - 1)), _mm512_shuffle_epi8(index, first));
    __mmask64 elsewhere = _mm512_cmpneq_epi8_mask(index, _mm512_or_si512(unit, within));
    return (elsewhere | _mm512_cmpneq_epi8_mask(pair, _mm512_shuffle_epi8(pair, first))) == 0;
}
