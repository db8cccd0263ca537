/* The portable kernels: C without intrinsics, for every processor. */
#include "tables.h"
#include "short_axes_table.h"

#define ISA portable
#define TARGET

/* On 32-bit x86 without SSE, compilers warn about how vectors are passed. All such functions are inlined here. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint64_t lane __attribute__((vector_size(16)));

INLINE lane
load_lane(const char *from)
{
    lane v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void
store_lane16(char *to, lane v)
{
    memcpy(to, &v, sizeof v);
}

INLINE void
copy16(char *to, const char *from)
{
    store_lane16(to, load_lane(from));
}

/* C has no non-temporal stores. */
#define stream16 copy16
#define stream_lane store_lane16
#define prefetch(from) __builtin_prefetch(from)
#define prefetch_l2(from) __builtin_prefetch(from, 0, 2)
#define prefetch_write(to) __builtin_prefetch(to, 1)

#include "line_of_lanes.h"

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "zero.h"

#define SIZE 1
#include "short_rows.h"
#include "strided.h"
#undef SIZE

#define SIZE 2
#include "short_rows.h"
#include "strided.h"
#undef SIZE

#define SIZE 4
#include "short_rows.h"
#include "strided.h"
#undef SIZE

#define SIZE 8
#include "short_rows.h"
#include "strided.h"
#undef SIZE

#define SIZE 16
#include "short_rows.h"
#include "strided.h"
#undef SIZE

/* Items of other sizes are copied as rows. */
#define STRIDED_KERNELS                                                                                                \
    {                                                                                                                  \
        strided_1_portable, strided_2_portable, strided_4_portable, strided_8_portable, strided_16_portable,           \
            rows_portable                                                                                              \
    }

static const ssop_kernel strided_kernels[KERNEL_SIZE_COUNT] = STRIDED_KERNELS;

#include "transpose_blocks.h"
#include "dilate.h"
#include "short_axes.h"
#include "select.h"

const kernel_table ssop_kernels_portable = {
    .name = "portable",
    .kernel =
        {
            [SSOP_PATTERN_ROWS] = EVERY_SIZE(rows_portable),
            [SSOP_PATTERN_STRIDED] = STRIDED_KERNELS,
            [SSOP_PATTERN_PACK] = STRIDED_KERNELS,
            [SSOP_PATTERN_REPEAT] = EVERY_SIZE(repeat_portable),
            [SSOP_PATTERN_TRANSPOSE] = EVERY_SIZE(transpose_portable),
            [SSOP_PATTERN_SHORT_AXES] = EVERY_SIZE(short_axes_portable),
            [SSOP_PATTERN_ZERO] = EVERY_SIZE(zero_portable),
            [SSOP_PATTERN_DILATE_ROWS] = EVERY_SIZE(dilate_rows_portable),
            [SSOP_PATTERN_DILATE] = EVERY_SIZE(dilate_portable),
            [SSOP_PATTERN_DILATE_BLOCKS] = EVERY_SIZE(dilate_rows_portable),
        },
    .select = SELECT_KERNELS,
};
