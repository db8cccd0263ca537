/* The operations that the templates need, on x86: copies of 16 bytes, and vectors of 16 bytes (lanes). Include with
 * TARGET. */
/* immintrin.h includes a header of the C library, for _mm_malloc. These two names keep it out, with GCC and with
 * Clang. */
#define _MM_MALLOC_H_INCLUDED
#define __MM_MALLOC_H
#include <immintrin.h>

typedef __m128i lane;

INLINE TARGET lane
load_lane(const char *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

INLINE TARGET void
store_lane16(char *to, lane v)
{
    _mm_storeu_si128((__m128i *)(void *)to, v);
}

INLINE TARGET void
copy16(char *to, const char *from)
{
    store_lane16(to, load_lane(from));
}

INLINE TARGET lane
shuffle(lane v, lane index)
{
    return _mm_shuffle_epi8(v, index);
}

/* Adds to every position in an index, for a vector whose bytes are that many positions higher. 0x80 and more still give
 * zero bytes. */
INLINE TARGET lane
shift_index(lane index, int32_t places)
{
    return _mm_add_epi8(index, _mm_set1_epi8((char)places));
}

INLINE TARGET lane
combine(lane a, lane b)
{
    return _mm_or_si128(a, b);
}

/* Load one item of 16 bytes, two of 8 bytes or four of 4 bytes. */
#define pack_16(from, stride) load_lane(from)

INLINE TARGET lane
pack_8(const char *from, int64_t stride)
{
    lane a = _mm_loadl_epi64((const __m128i *)(const void *)from);
    lane b = _mm_loadl_epi64((const __m128i *)(const void *)(from + stride));
    return _mm_unpacklo_epi64(a, b);
}

INLINE TARGET lane
load_4(const char *from)
{
    int32_t word;
    memcpy(&word, from, sizeof word);
    return _mm_cvtsi32_si128(word);
}

INLINE TARGET lane
pack_4(const char *from, int64_t stride)
{
    lane ab = _mm_unpacklo_epi32(load_4(from), load_4(from + stride));
    lane cd = _mm_unpacklo_epi32(load_4(from + 2 * stride), load_4(from + 3 * stride));
    return _mm_unpacklo_epi64(ab, cd);
}

INLINE TARGET void
prefetch(const char *from)
{
    _mm_prefetch(from, _MM_HINT_T0);
}

INLINE TARGET void
prefetch_l2(const char *from)
{
    _mm_prefetch(from, _MM_HINT_T1);
}

/* The instruction prefetchw, used only under SSOP_PREFETCH_WRITE and SSOP_STRIPS. cpu.c finds out whether the processor
 * has it, and policies.c then sets prefetchw_bytes; a caller of ssop_policies_use may set that on any processor. */
INLINE TARGET void
prefetch_write(const char *to)
{
    __builtin_prefetch(to, 1);
}

#define HAS_STREAM /* stream16 and stream_line are non-temporal */

/* Vectors of one lane, for transposing. */
typedef __m128i x1;
enum { x1_lanes = 1 };

INLINE TARGET x1
x1_load(const char *from, int64_t pitch)
{
    (void)pitch;
    return load_lane(from);
}

INLINE TARGET x1
x1_load_places(const char *from, const int64_t *place, int apart)
{
    (void)apart;
    return load_lane(from + place[0]);
}

#define x1_low_1 _mm_unpacklo_epi8
#define x1_high_1 _mm_unpackhi_epi8
#define x1_low_2 _mm_unpacklo_epi16
#define x1_high_2 _mm_unpackhi_epi16
#define x1_low_4 _mm_unpacklo_epi32
#define x1_high_4 _mm_unpackhi_epi32
#define x1_low_8 _mm_unpacklo_epi64
#define x1_high_8 _mm_unpackhi_epi64
#define x1_store store_lane16

INLINE TARGET void
x1_stream(char *to, x1 v)
{
    _mm_stream_si128((__m128i *)(void *)to, v);
}

CAN_STREAM(x1)

/* With a non-temporal store, if `streams`. */
INLINE TARGET void
store_lane(char *to, lane v, bool streams)
{
    if (streams) {
        x1_stream(to, v);
    }
    else {
        store_lane16(to, v);
    }
}

#define x1_load_near load_lane
#define x1_shuffle shuffle
#define x1_or combine

INLINE TARGET void
x1_store_apart(char *to, x1 v, int64_t apart, bool streams)
{
    (void)apart;
    store_lane(to, v, streams);
}

/* The items of `bytes` bytes of one vector: from `on_false` where `pred` is 0. `bytes` is a constant in every call. */
INLINE TARGET x1
x1_select(const char *pred, const char *on_true, const char *on_false, int64_t bytes)
{
    uint64_t few = 0;
    memcpy(&few, pred, bytes == 1 ? 8 : 16 / (size_t)bytes);
    __m128i preds = bytes == 1 ? load_lane(pred) : _mm_set_epi64x(0, (int64_t)few);
    __m128i zero = _mm_cmpeq_epi8(preds, _mm_setzero_si128());
    zero = bytes >= 2 ? x1_low_1(zero, zero) : zero;
    zero = bytes >= 4 ? x1_low_2(zero, zero) : zero;
    zero = bytes >= 8 ? x1_low_4(zero, zero) : zero;
    zero = bytes >= 16 ? x1_low_8(zero, zero) : zero;
    return _mm_or_si128(_mm_and_si128(zero, load_lane(on_false)), _mm_andnot_si128(zero, load_lane(on_true)));
}

INLINE TARGET void
stream16(char *to, const char *from)
{
    x1_stream(to, load_lane(from));
}

/* On some processors rep movsb is very slow if the offset of the destination in its page is 1 to 63 bytes more than
 * that of the source (record rep-movsb-aliasing). */
#define REP_MOVSB

INLINE bool
is_good_for_rep_movsb(const char *to, const char *from)
{
    enum { MIN_OFFSET = 64 };
    return ((uintptr_t)to - (uintptr_t)from - 1) % PAGE_BYTES >= MIN_OFFSET - 1;
}

INLINE void
rep_movsb(char *to, const char *from, int64_t bytes)
{
    size_t count = (size_t)bytes;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}
