/* The kernels for AVX2: vectors of 32 bytes, in which bytes are shuffled within each lane of 16 bytes. */
#include "tables.h"

#ifdef SSOP_X86
#define TARGET __attribute__((target("avx2,prfchw")))
#include "x86.h"
#include "x86_x2.h"

typedef struct {
    x2 low, high;
} line;

INLINE TARGET line
load_line(const char *from)
{
    return (line){load_x2(from), load_x2(from + 32)};
}

INLINE TARGET void
store_line(char *to, line v)
{
    x2_store(to, v.low);
    x2_store(to + 32, v.high);
}

/* A line of copies of an item of 1, 2, 4, 8 or 16 bytes, of which all but the first two sizes are loads alone. */
#define HAS_BROADCASTS

INLINE TARGET line
broadcast_item(const char *item, const int64_t item_bytes)
{
    int16_t two;
    int32_t four;
    int64_t eight;
    x2 half;
    switch (item_bytes) {
    case 1:
        half = _mm256_set1_epi8(*item);
        break;
    case 2:
        memcpy(&two, item, sizeof two);
        half = _mm256_set1_epi16(two);
        break;
    case 4:
        memcpy(&four, item, sizeof four);
        half = _mm256_set1_epi32(four);
        break;
    case 8:
        memcpy(&eight, item, sizeof eight);
        half = _mm256_set1_epi64x(eight);
        break;
    default:
        half = _mm256_broadcastsi128_si256(load_lane(item));
    }
    return (line){half, half};
}

/* A line of two copies of 32 bytes. */
INLINE TARGET line
repeat_half_line(const char *from)
{
    const x2 half = load_x2(from);
    return (line){half, half};
}

INLINE TARGET lane
first_lane(line v)
{
    return _mm256_castsi256_si128(v.low);
}

INLINE TARGET void
store_half_line(char *to, line v)
{
    x2_store(to, v.low);
}

INLINE TARGET void
stream_line(char *to, line v)
{
    x2_stream(to, v.low);
    x2_stream(to + 32, v.high);
}

/* shuffle.h makes two vectors of 16 bytes at a time, one in each lane. */
#include "lanes.h"
#define VECTORS 2

typedef x2 wide;

/* What an odd number of chunks ends with: the last chunk of both windows, one in each lane. */
INLINE TARGET x2
shuffle_last_chunks(const window_shuffler *shuffler, const char *from, int64_t step, int32_t chunks)
{
    const char *last = from + 16 * (chunks - 1);
    return _mm256_shuffle_epi8(x2_load(last, step), _mm256_broadcastsi128_si256(shuffler->index[chunks - 1]));
}

/* Loads two chunks of one window at a time. The vector of a window is then the sum of both lanes. */
INLINE TARGET wide
shuffle_windows(const window_shuffler *shuffler, const char *from, int64_t step, int32_t chunks)
{
    if (chunks == 1) {
        return shuffle_last_chunks(shuffler, from, step, 1);
    }
    x2 a = _mm256_setzero_si256(), b = a;
    for (int32_t k = 0; k + 1 < chunks; k += 2) {
        x2 index = _mm256_inserti128_si256(_mm256_castsi128_si256(shuffler->index[k]), shuffler->index[k + 1], 1);
        a = _mm256_or_si256(a, _mm256_shuffle_epi8(load_x2(from + 16 * k), index));
        b = _mm256_or_si256(b, _mm256_shuffle_epi8(load_x2(from + 16 * k + step), index));
    }
    x2 v = _mm256_or_si256(_mm256_blend_epi32(a, b, 0xF0), _mm256_permute2x128_si256(a, b, 0x21));
    return chunks % 2 == 0 ? v : _mm256_or_si256(v, shuffle_last_chunks(shuffler, from, step, chunks));
}

#define store_wide x2_store

INLINE TARGET void
store_apart(char *to, wide v, int64_t bytes)
{
    store_vector(to, _mm256_castsi256_si128(v));
    store_vector(to + bytes, _mm256_extracti128_si256(v, 1));
}

INLINE TARGET void
stream_wide(char *to, wide v)
{
    x2_stream(to, v);
}

/* What interleave.h needs. */
#define x2_load_near load_x2
#define x2_or _mm256_or_si256

INLINE TARGET x2
x2_shuffle(x2 v, lane index)
{
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(index));
}

INLINE TARGET void
x2_store_apart(char *to, x2 v, int64_t apart, bool streams)
{
    store_lane(to, _mm256_castsi256_si128(v), streams);
    store_lane(to + apart, _mm256_extracti128_si256(v, 1), streams);
}

/* What select.h needs. */
INLINE TARGET x2
x2_select(const char *pred, const char *on_true, const char *on_false, int64_t bytes)
{
    uint64_t few = 0;
    memcpy(&few, pred, bytes <= 4 ? 8 : 32 / (size_t)bytes);
    const __m128i low = _mm_set_epi64x(0, (int64_t)few);
    const x2 none = _mm256_setzero_si256();
    x2 zero;
    switch (bytes) {
    case 1:
        zero = _mm256_cmpeq_epi8(load_x2(pred), none);
        break;
    case 2:
        zero = _mm256_cmpeq_epi16(_mm256_cvtepu8_epi16(load_lane(pred)), none);
        break;
    case 4:
        zero = _mm256_cmpeq_epi32(_mm256_cvtepu8_epi32(low), none);
        break;
    case 8:
        zero = _mm256_cmpeq_epi64(_mm256_cvtepu8_epi64(low), none);
        break;
    default:
        zero = _mm256_cmpeq_epi64(_mm256_cvtepu8_epi64(_mm_unpacklo_epi8(low, low)), none);
    }
    return _mm256_blendv_epi8(load_x2(on_true), load_x2(on_false), zero);
}

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "shuffle.h"
#include "dilate_vectors.h"
#define WIDE_X x2
#define NARROW_X x1
#define WIDE_IS_WIDER
#define HAS_PAIRS /* x2_store_apart stores the lanes of a wide vector */
#include "dilate_blocks.h"
#include "interleave.h"
#include "vector_sizes.h"
#define X x2
#include "select.h"

const kernel_table ssop_kernels_avx2 = {
    .name = "avx2",
    .feature = SSOP_CPU_AVX2,
    .vector_bytes = VECTOR_BYTES,
    .streams = true,
    .lanes = 2,
    .kernel = {VECTOR_VARIANTS},
    .select = SELECT_KERNELS,
};

#endif
