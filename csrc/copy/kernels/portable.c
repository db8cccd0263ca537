/* The portable tier: plain C, correct everywhere. */
#include "kernels.h"

#define KERNEL(name) name##_portable
#include "rows.h"
#include "zero.h"
#undef KERNEL

#define KERNEL(name) name##_1_portable
#define ITEM_BYTES 1
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define KERNEL(name) name##_2_portable
#define ITEM_BYTES 2
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define KERNEL(name) name##_4_portable
#define ITEM_BYTES 4
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define KERNEL(name) name##_8_portable
#define ITEM_BYTES 8
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define KERNEL(name) name##_16_portable
#define ITEM_BYTES 16
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define KERNEL(name) name##_any_portable
#define ITEM_BYTES tile->item_bytes
#include "strided.h"
#include "expand.h"
#undef KERNEL
#undef ITEM_BYTES

#define EVERY_SIZE(kernel)                                                                                             \
    {                                                                                                                  \
        kernel, kernel, kernel, kernel, kernel, kernel                                                                 \
    }

const kernel_table ssop_kernels_portable = {
    .kernel =
        {
            [SSOP_PATTERN_ROWS] = EVERY_SIZE(rows_any_portable),
            [SSOP_PATTERN_STRIDED] = {strided_1_portable, strided_2_portable, strided_4_portable, strided_8_portable,
                                      strided_16_portable, strided_any_portable},
            [SSOP_PATTERN_ZERO] = EVERY_SIZE(zero_any_portable),
            [SSOP_PATTERN_EXPAND] = {expand_1_portable, expand_2_portable, expand_4_portable, expand_8_portable,
                                     expand_16_portable, expand_any_portable},
        },
};
