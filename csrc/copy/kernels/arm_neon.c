/* The kernels for NEON: vectors of 16 bytes and a byte shuffle. */
#include "tables.h"

#ifdef SSOP_NEON
#define TARGET
#include <arm_neon.h>

typedef uint8x16_t lane;

INLINE lane
load_lane(const char *from)
{
    return vld1q_u8((const uint8_t *)(const void *)from);
}

INLINE void
store_lane16(char *to, lane v)
{
    vst1q_u8((uint8_t *)(void *)to, v);
}

INLINE void
copy16(char *to, const char *from)
{
    store_lane16(to, load_lane(from));
}

INLINE lane
shuffle(lane v, lane index)
{
    return vqtbl1q_u8(v, index);
}

/* Adds to every position in an index, for a vector whose bytes are that many positions higher. 0x80 and more still give
 * zero bytes. */
INLINE lane
shift_index(lane index, int32_t places)
{
    return vaddq_u8(index, vdupq_n_u8((uint8_t)places));
}

INLINE lane
combine(lane a, lane b)
{
    return vorrq_u8(a, b);
}

/* Load one item of 16 bytes, two of 8 bytes or four of 4 bytes. */
#define pack_16(from, stride) load_lane(from)

INLINE lane
pack_8(const char *from, int64_t stride)
{
    const uint8_t *a = (const uint8_t *)(const void *)from;
    return vcombine_u8(vld1_u8(a), vld1_u8(a + stride));
}

INLINE uint32_t
load_4(const char *from)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

INLINE lane
pack_4(const char *from, int64_t stride)
{
    uint32x4_t words = vdupq_n_u32(load_4(from));
    words = vsetq_lane_u32(load_4(from + stride), words, 1);
    words = vsetq_lane_u32(load_4(from + 2 * stride), words, 2);
    words = vsetq_lane_u32(load_4(from + 3 * stride), words, 3);
    return vreinterpretq_u8_u32(words);
}

INLINE void
prefetch(const char *from)
{
    __builtin_prefetch(from);
}

INLINE void
prefetch_l2(const char *from)
{
    __builtin_prefetch(from, 0, 2);
}

INLINE void
prefetch_write(const char *to)
{
    __builtin_prefetch(to, 1);
}

/* NEON has no non-temporal stores of one vector. */
#define stream16 copy16

typedef uint8x16_t x1;
enum { x1_lanes = 1 };

INLINE x1
x1_load(const char *from, int64_t pitch)
{
    (void)pitch;
    return load_lane(from);
}

INLINE x1
x1_load_places(const char *from, const int64_t *place, int apart)
{
    (void)apart;
    return load_lane(from + place[0]);
}

#define x1_store store_lane16
NEVER_STREAMS(x1)
#define x1_stream store_lane16
#define x1_load_near load_lane
#define x1_shuffle shuffle
#define x1_or combine

INLINE void
x1_store_apart(char *to, x1 v, int64_t apart, bool streams)
{
    (void)apart, (void)streams;
    store_lane16(to, v);
}

#define x1_low_1 vzip1q_u8
#define x1_high_1 vzip2q_u8

#define ZIP(name, zip, type)                                                                                           \
    INLINE x1 name(x1 a, x1 b)                                                                                         \
    {                                                                                                                  \
        return vreinterpretq_u8_##type(zip##_##type(vreinterpretq_##type##_u8(a), vreinterpretq_##type##_u8(b)));      \
    }
ZIP(x1_low_2, vzip1q, u16)
ZIP(x1_high_2, vzip2q, u16)
ZIP(x1_low_4, vzip1q, u32)
ZIP(x1_high_4, vzip2q, u32)
ZIP(x1_low_8, vzip1q, u64)
ZIP(x1_high_8, vzip2q, u64)

/* The items of `bytes` bytes of one vector: from `on_false` where `pred` is 0. `bytes` is a constant in every call. */
INLINE x1
x1_select(const char *pred, const char *on_true, const char *on_false, int64_t bytes)
{
    char preds[16] = {0};
    memcpy(preds, pred, 16 / (size_t)bytes);
    x1 mask = vtstq_u8(load_lane(preds), load_lane(preds));
    mask = bytes >= 2 ? x1_low_1(mask, mask) : mask;
    mask = bytes >= 4 ? x1_low_2(mask, mask) : mask;
    mask = bytes >= 8 ? x1_low_4(mask, mask) : mask;
    mask = bytes >= 16 ? x1_low_8(mask, mask) : mask;
    return vbslq_u8(mask, load_lane(on_true), load_lane(on_false));
}

#define stream_lane store_lane16
#include "line_of_lanes.h"
#include "lanes.h"
#include "single_lane.h"

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "shuffle.h"
#include "dilate_vectors.h"
#define WIDE_X x1
#include "dilate_blocks.h"
#include "interleave.h"
#include "vector_sizes.h"
#define X x1
#include "select.h"

const kernel_table ssop_kernels_neon = {
    .name = "neon",
    .feature = SSOP_CPU_NEON,
    .vector_bytes = VECTOR_BYTES,
    .lanes = 1,
    .kernel = {VECTOR_VARIANTS},
    .select = SELECT_KERNELS,
};

#endif
