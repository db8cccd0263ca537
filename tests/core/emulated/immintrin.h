/* Takes the place of the compiler's own header where the AVX-512 kernels are compiled for machines that lack AVX-512:
 * SIMDe (Debian's libsimde-dev) does in C what its instructions do. What SIMDe 0.7.4 lacks is here. */
#ifndef SSOP_TESTS_IMMINTRIN_H
#define SSOP_TESTS_IMMINTRIN_H

#include <stdlib.h>
#include <string.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

typedef simde__mmask8 __mmask8;
typedef simde__mmask16 __mmask16;
typedef simde__mmask32 __mmask32;
typedef simde__mmask64 __mmask64;

#ifndef _mm256_mask_broadcast_i32x4
static inline simde__m256i
_mm256_mask_broadcast_i32x4(simde__m256i v, __mmask8 mask, simde__m128i lane)
{
    char bytes[32], own[16];
    memcpy(bytes, &v, sizeof bytes);
    memcpy(own, &lane, sizeof own);
    for (int i = 0; i < 8; i++) {
        if (mask >> i & 1) {
            memcpy(bytes + 4 * i, own + 4 * (i % 4), 4);
        }
    }
    memcpy(&v, bytes, sizeof bytes);
    return v;
}
#endif

#ifndef _mm512_mask_storeu_epi8
static inline void
_mm512_mask_storeu_epi8(void *to, __mmask64 mask, simde__m512i v)
{
    char bytes[64];
    memcpy(bytes, &v, sizeof bytes);
    for (int i = 0; i < 64; i++) {
        if (mask >> i & 1) {
            ((char *)to)[i] = bytes[i];
        }
    }
}
#endif

#ifndef _mm512_mask_storeu_epi16
static inline void
_mm512_mask_storeu_epi16(void *to, __mmask32 mask, simde__m512i v)
{
    char bytes[64];
    memcpy(bytes, &v, sizeof bytes);
    for (int i = 0; i < 32; i++) {
        if (mask >> i & 1) {
            memcpy((char *)to + 2 * i, bytes + 2 * i, 2);
        }
    }
}
#endif

#ifndef _mm512_maskz_loadu_epi8
static inline simde__m512i
_mm512_maskz_loadu_epi8(__mmask64 mask, const void *from)
{
    char bytes[64] = {0};
    simde__m512i v;
    for (int i = 0; i < 64; i++) {
        if (mask >> i & 1) {
            bytes[i] = ((const char *)from)[i];
        }
    }
    memcpy(&v, bytes, sizeof bytes);
    return v;
}
#endif

/* As the instruction, it stops the program at an address that is no multiple of a line. */
#ifndef _mm512_stream_si512
static inline void
_mm512_stream_si512(void *to, simde__m512i v)
{
    if ((uintptr_t)to % 64 != 0) {
        abort();
    }
    memcpy(to, &v, sizeof v);
}
#endif

/* Bits of the elements for which a condition holds. */
#define MASK_OF(mask_type, element, a, b, condition)                                                                   \
    do {                                                                                                               \
        element x[sizeof(a) / sizeof(element)], y[sizeof(b) / sizeof(element)];                                        \
        mask_type mask = 0;                                                                                            \
        memcpy(x, &(a), sizeof x);                                                                                     \
        memcpy(y, &(b), sizeof y);                                                                                     \
        for (size_t i = 0; i < sizeof(a) / sizeof(element); i++) {                                                     \
            mask |= (condition) ? (mask_type)((mask_type)1 << i) : 0;                                                  \
        }                                                                                                              \
        return mask;                                                                                                   \
    } while (0)

#ifndef _mm_test_epi8_mask
static inline __mmask16
_mm_test_epi8_mask(simde__m128i a, simde__m128i b)
{
    MASK_OF(__mmask16, uint8_t, a, b, (x[i] & y[i]) != 0);
}
#endif

#ifndef _mm256_test_epi8_mask
static inline __mmask32
_mm256_test_epi8_mask(simde__m256i a, simde__m256i b)
{
    MASK_OF(__mmask32, uint8_t, a, b, (x[i] & y[i]) != 0);
}
#endif

#ifndef _mm512_cmpeq_epi16_mask
static inline __mmask32
_mm512_cmpeq_epi16_mask(simde__m512i a, simde__m512i b)
{
    MASK_OF(__mmask32, uint16_t, a, b, x[i] == y[i]);
}
#endif

#ifndef _mm512_cmpneq_epi8_mask
static inline __mmask64
_mm512_cmpneq_epi8_mask(simde__m512i a, simde__m512i b)
{
    MASK_OF(__mmask64, uint8_t, a, b, x[i] != y[i]);
}
#endif

#ifndef _mm512_mask_cmpneq_epi8_mask
static inline __mmask64
_mm512_mask_cmpneq_epi8_mask(__mmask64 mask, simde__m512i a, simde__m512i b)
{
    return mask & _mm512_cmpneq_epi8_mask(a, b);
}
#endif

/* The compiler generates code for the machine at hand, and the targets run everywhere. */
#define target(features)
#define SSOP_CPU_AVX512 0
#define SSOP_CPU_AVX512BW 0

#endif /* SSOP_TESTS_IMMINTRIN_H */
