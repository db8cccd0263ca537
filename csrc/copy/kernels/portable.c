/* The portable kernels: C without intrinsics, for every processor. */
#include "tables.h"
#include "short_axes_table.h"

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

/* The row of a variant that has a kernel for each size, and what copies items of other sizes. */
#define OF_SIZES(name, other)                                                                                          \
    {                                                                                                                  \
        name##_1, name##_2, name##_4, name##_8, name##_16, other                                                       \
    }

INLINE ssop_kernel
items_kernel(const ssop_tile *tile)
{
    return ssop_kernels_portable.kernel[items_variant(tile)][kernel_size_column(tile->item_bytes)];
}

#include "dilate.h"
#include "short_axes.h"
#include "select.h"

const kernel_table ssop_kernels_portable = {
    .name = "portable",
    .kernel =
        {
            [SSOP_VARIANT_ROWS] = EVERY_SIZE(rows_kernel),
            [SSOP_VARIANT_ITEMS] = OF_SIZES(copy_items, rows_kernel),
            [SSOP_VARIANT_ITEMS_SCATTERED] = OF_SIZES(scatter_items, NULL),
            [SSOP_VARIANT_ITEMS_REPEATED] = OF_SIZES(repeat_item, NULL),
            [SSOP_VARIANT_SHORT_ROWS] = OF_SIZES(short_rows, NULL),
            [SSOP_VARIANT_SHORT_COLUMNS] = OF_SIZES(short_columns, NULL),
            [SSOP_VARIANT_REPEAT] = EVERY_SIZE(repeat_kernel),
            [SSOP_VARIANT_SHORT_AXES] = EVERY_SIZE(short_axes_kernel),
            [SSOP_VARIANT_ZERO] = EVERY_SIZE(zero_kernel),
            [SSOP_VARIANT_DILATE_ROWS] = EVERY_SIZE(dilate_rows_kernel),
            [SSOP_VARIANT_DILATE_ITEMS] = EVERY_SIZE(dilate_kernel),
            [SSOP_VARIANT_DILATE_BLOCKS] = EVERY_SIZE(dilate_rows_kernel),
        },
    .select = SELECT_KERNELS,
};
