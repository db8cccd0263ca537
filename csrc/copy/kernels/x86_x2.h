/* The operations that the templates need, on x86 with AVX2: vectors of 32 bytes for transposing, and copies of 32
 * bytes. Include with TARGET, after x86.h. */
typedef __m256i x2;
enum { x2_lanes = 2 };

/* Loads two lanes. With AVX-512VL compilers turn the insertion into vinserti32x4, which takes more micro-operations
 * than a masked load on a Zen 4 (record masked-lane-loads). */
INLINE TARGET x2
load_two_lanes(const char *first, const char *second)
{
    const x2 low = _mm256_castsi128_si256(load_lane(first));
#ifdef HAS_MASKED_LOADS
    return _mm256_mask_broadcast_i32x4(low, 0xf0, load_lane(second));
#else
    return _mm256_inserti128_si256(low, load_lane(second), 1);
#endif
}

INLINE TARGET x2
x2_load(const char *from, int64_t pitch)
{
    return load_two_lanes(from, from + pitch);
}

INLINE TARGET x2
x2_load_places(const char *from, const int64_t *place, int apart)
{
    return load_two_lanes(from + place[0], from + place[apart]);
}

INLINE TARGET x2
load_x2(const char *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

INLINE TARGET void
x2_store(char *to, x2 v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, v);
}

INLINE TARGET void
x2_stream(char *to, x2 v)
{
    _mm256_stream_si256((__m256i *)(void *)to, v);
}

CAN_STREAM(x2)

#define store_pair(to, a, b) x2_store(to, _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1))

#define x2_low_1 _mm256_unpacklo_epi8
#define x2_high_1 _mm256_unpackhi_epi8
#define x2_low_2 _mm256_unpacklo_epi16
#define x2_high_2 _mm256_unpackhi_epi16
#define x2_low_4 _mm256_unpacklo_epi32
#define x2_high_4 _mm256_unpackhi_epi32
#define x2_low_8 _mm256_unpacklo_epi64
#define x2_high_8 _mm256_unpackhi_epi64

INLINE TARGET void
copy32(char *to, const char *from)
{
    x2_store(to, load_x2(from));
}
