/* The operations that the templates need, on x86 with AVX-512 F, BW and VL: copies, vectors of 64 bytes for
 * transposing, and stores with masks of bytes and words. What shuffles bytes is different with and without VBMI, so it
 * is in the files of the CPU targets. Include with TARGET, after tables.h. */
#include "x86.h"
#define HAS_MASKED_LOADS
#include "x86_x2.h"

typedef __m512i x4;
enum { x4_lanes = 4 };

/* Loads four lanes, from addresses `pitch` bytes apart, as two halves. Three insertions into one vector would be two
 * operations each on a Zen 4 (record load-halves). Not measured on Intel's processors. */
INLINE TARGET x4
x4_load(const char *from, int64_t pitch)
{
    const x4 low = _mm512_castsi256_si512(x2_load(from, pitch));
    return _mm512_inserti64x4(low, x2_load(from + 2 * pitch, pitch), 1);
}

INLINE TARGET x4
x4_load_places(const char *from, const int64_t *place, int apart)
{
    const x4 low = _mm512_castsi256_si512(x2_load_places(from, place, apart));
    return _mm512_inserti64x4(low, x2_load_places(from, place + 2 * apart, apart), 1);
}

INLINE TARGET void
x4_store(char *to, x4 v)
{
    _mm512_storeu_si512(to, v);
}

INLINE TARGET void
x4_stream(char *to, x4 v)
{
    _mm512_stream_si512((void *)to, v);
}

CAN_STREAM(x4)

#define x4_low_1 _mm512_unpacklo_epi8
#define x4_high_1 _mm512_unpackhi_epi8
#define x4_low_2 _mm512_unpacklo_epi16
#define x4_high_2 _mm512_unpackhi_epi16
#define x4_low_4 _mm512_unpacklo_epi32
#define x4_high_4 _mm512_unpackhi_epi32
#define x4_low_8 _mm512_unpacklo_epi64
#define x4_high_8 _mm512_unpackhi_epi64

/* What interleave.h needs. */
#define x4_load_near _mm512_loadu_si512
#define x4_or _mm512_or_si512

INLINE TARGET x4
x4_shuffle(x4 v, lane index)
{
    return _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(index));
}

INLINE TARGET void
x4_store_apart(char *to, x4 v, int64_t apart, bool streams)
{
    store_lane(to, _mm512_castsi512_si128(v), streams);
    store_lane(to + apart, _mm512_extracti32x4_epi32(v, 1), streams);
    store_lane(to + 2 * apart, _mm512_extracti32x4_epi32(v, 2), streams);
    store_lane(to + 3 * apart, _mm512_extracti32x4_epi32(v, 3), streams);
}

/* What select.h needs. */
INLINE TARGET x4
x4_select(const char *pred, const char *on_true, const char *on_false, int64_t bytes)
{
    const x4 a = _mm512_loadu_si512(on_true), b = _mm512_loadu_si512(on_false);
    uint64_t few = 0;
    memcpy(&few, pred, bytes == 16 ? 4 : 8);
    __m128i low = _mm_set_epi64x(0, (int64_t)few);
    switch (bytes) {
    case 1: {
        const __m512i preds = _mm512_loadu_si512(pred);
        return _mm512_mask_blend_epi8(_mm512_test_epi8_mask(preds, preds), b, a);
    }
    case 2: {
        const __m256i preds = load_x2(pred);
        return _mm512_mask_blend_epi16(_mm256_test_epi8_mask(preds, preds), b, a);
    }
    case 4:
        low = load_lane(pred);
        return _mm512_mask_blend_epi32(_mm_test_epi8_mask(low, low), b, a);
    case 16:
        low = _mm_unpacklo_epi8(low, low);
        break;
    default:
        break;
    }
    return _mm512_mask_blend_epi64((__mmask8)_mm_test_epi8_mask(low, low), b, a);
}

typedef __m512i line;

INLINE TARGET line
load_line(const char *from)
{
    return _mm512_loadu_si512(from);
}

#define store_line x4_store

/* A line of copies of a lane. */
#define repeat_lane _mm512_broadcast_i32x4
#define first_lane _mm512_castsi512_si128

/* A line of two copies of 32 bytes. */
INLINE TARGET line
repeat_half_line(const char *from)
{
    return _mm512_broadcast_i64x4(load_x2(from));
}

INLINE TARGET void
store_half_line(char *to, line v)
{
    x2_store(to, _mm512_castsi512_si256(v));
}

/* Pairs of 32-byte stores, not one 64-byte store (record stream-pairs). */
INLINE TARGET void
stream_line(char *to, line v)
{
    x2_stream(to, _mm512_castsi512_si256(v));
    x2_stream(to + 32, _mm512_extracti64x4_epi64(v, 1));
}

/* shuffle.h makes one vector of 64 bytes at a time. */
#define VECTOR_BYTES 64
#define VECTORS 1
#define MASKED_ENDS
typedef __m512i vector, wide;

INLINE TARGET __mmask64
first_bytes(int64_t count)
{
    return ~(__mmask64)0 >> (64 - count);
}

INLINE TARGET void
store_vector(char *to, vector v)
{
    x4_store(to, v);
}

INLINE TARGET void
store_bytes(char *to, vector v, int64_t count)
{
    _mm512_mask_storeu_epi8(to, first_bytes(count), v);
}

#define store_wide x4_store

INLINE TARGET void
store_apart(char *to, wide v, int64_t bytes)
{
    (void)bytes;
    x4_store(to, v);
}

INLINE TARGET void
stream_wide(char *to, wide v)
{
    x4_stream(to, v);
}

INLINE TARGET vector
load_vector(const char *from)
{
    return _mm512_loadu_si512(from);
}

INLINE TARGET vector
load_bytes(const char *from, int64_t count)
{
    return _mm512_maskz_loadu_epi8(first_bytes(count), from);
}

#define load_items load_bytes

/* What masked_store.h needs: positions in a dilate_table have their highest bit set between items. */
INLINE TARGET uint64_t
units_of_items(vector positions, bool words)
{
    return words ? (__mmask32)~_mm512_movepi16_mask(positions) : ~_mm512_movepi8_mask(positions);
}

INLINE TARGET void
store_masked(char *to, uint64_t mask, vector v, bool words)
{
    if (words) {
        _mm512_mask_storeu_epi16(to, (__mmask32)mask, v);
    }
    else {
        _mm512_mask_storeu_epi8(to, mask, v);
    }
}
