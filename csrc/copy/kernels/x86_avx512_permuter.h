/* Template: what permute.h needs for a permutation of units (bytes, words of 2 bytes, ..) that takes any of two vectors
 * of 64 bytes. Include after x86_avx512.h, with UNIT_BITS, UNITS (512 / UNIT_BITS) and these names defined as those of
 * the permutation: window_permuter, make_permuter, permute_chunks. x86_avx512_windows.h comes after it. */
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
} window_permuter;

/* `index` and `pair` are those of a permute_table, but for units instead of bytes. */
INLINE TARGET window_permuter
make_permuter(__m512i index, __m512i pair, int32_t window, int32_t chunks)
{
    window_permuter permuter = {.index = index, .last_mask = first_bytes(window - 64 * (chunks - 1))};
    for (int32_t k = 0; k < (chunks + 1) / 2; k++) {
        permuter.mask[k] = EQUAL(UNIT_BITS)(pair, INTRINSIC(set1, UNIT_BITS)((char)k));
    }
    return permuter;
}

INLINE TARGET vector
permute_chunks(const window_permuter *permuter, const char *from, int32_t chunks, vector last)
{
    vector v;
    int32_t pairs = chunks / 2;
    if (chunks % 2 == 1) {
        v = INTRINSIC(maskz_permutexvar, UNIT_BITS)(permuter->mask[pairs], permuter->index, last);
    }
    else {
        pairs--;
        vector first = _mm512_loadu_si512(from + 128 * pairs);
        v = INTRINSIC(maskz_permutex2var, UNIT_BITS)(permuter->mask[pairs], first, permuter->index, last);
    }
    for (int32_t k = 0; k < pairs; k++) {
        vector a = _mm512_loadu_si512(from + 128 * k), b = _mm512_loadu_si512(from + 128 * k + 64);
        v = _mm512_or_si512(v, INTRINSIC(maskz_permutex2var, UNIT_BITS)(permuter->mask[k], a, permuter->index, b));
    }
    return v;
}

#undef INTRINSIC_
#undef INTRINSIC
#undef EQUAL_
#undef EQUAL
#undef MASK_
#undef MASK
