/* Template: what shuffle.h needs for a shuffle of units (bytes, words of 2 bytes, ..) that takes any of two vectors
 * of 64 bytes. Include after x86_avx512.h, with UNIT_BITS, UNITS (512 / UNIT_BITS) and these names defined as those of
 * the shuffle: window_shuffler, make_shuffler, shuffle_chunks. x86_avx512_windows.h comes after it. */
#define INTRINSIC_(name, bits) _mm512_##name##_epi##bits
#define INTRINSIC(name, bits) INTRINSIC_(name, bits)
#define EQUAL_(bits) _mm512_cmpeq_epi##bits##_mask
#define EQUAL(bits) EQUAL_(bits)
#define MASK_(units) __mmask##units
#define MASK(units) MASK_(units)

typedef struct {
    __m512i index;
    MASK(UNITS) mask[MAX_CHUNKS / 2]; /* the units that come from each pair of chunks */
    __mmask64 last_mask;              /* the bytes of the last chunk that are in the window */
} window_shuffler;

/* `index` and `pair` are those of a shuffle_table, but for units instead of bytes. */
INLINE TARGET window_shuffler
make_shuffler(__m512i index, __m512i pair, int32_t window, int32_t chunks)
{
    window_shuffler shuffler = {.index = index, .last_mask = first_bytes(window - 64 * (chunks - 1))};
    for (int32_t k = 0; k < (chunks + 1) / 2; k++) {
        shuffler.mask[k] = EQUAL(UNIT_BITS)(pair, INTRINSIC(set1, UNIT_BITS)((char)k));
    }
    return shuffler;
}

INLINE TARGET vector
shuffle_chunks(const window_shuffler *shuffler, const char *from, int32_t chunks, vector last)
{
    vector v;
    int32_t pairs = chunks / 2;
    if (chunks % 2 == 1) {
        v = INTRINSIC(maskz_permutexvar, UNIT_BITS)(shuffler->mask[pairs], shuffler->index, last);
    }
    else {
        pairs--;
        vector first = _mm512_loadu_si512(from + 128 * pairs);
        v = INTRINSIC(maskz_permutex2var, UNIT_BITS)(shuffler->mask[pairs], first, shuffler->index, last);
    }
    for (int32_t k = 0; k < pairs; k++) {
        vector a = _mm512_loadu_si512(from + 128 * k), b = _mm512_loadu_si512(from + 128 * k + 64);
        v = _mm512_or_si512(v, INTRINSIC(maskz_permutex2var, UNIT_BITS)(shuffler->mask[k], a, shuffler->index, b));
    }
    return v;
}

#undef INTRINSIC_
#undef INTRINSIC
#undef EQUAL_
#undef EQUAL
#undef MASK_
#undef MASK
