/* The portable tier: plain C, correct everywhere. */
#include "kernels.h"

#define TIER portable
#define TARGET

INLINE void
copy16(char *to, const char *from)
{
    memcpy(to, from, 16);
}

INLINE void
copy32(char *to, const char *from)
{
    copy16(to, from);
    copy16(to + 16, from + 16);
}

INLINE void
copy64(char *to, const char *from)
{
    copy32(to, from);
    copy32(to + 32, from + 32);
}

/* No stores that bypass the caches. */
#define stream16 copy16
#define stream64 copy64
#define prefetch_once(from) ((void)(from))
#define stream_end() ((void)0)

#include "rows.h"
#include "zero.h"

#define SIZE 1
#define ITEM_BYTES 1
#include "strided.h"
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define SIZE 2
#define ITEM_BYTES 2
#include "strided.h"
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define SIZE 4
#define ITEM_BYTES 4
#include "strided.h"
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define SIZE 8
#define ITEM_BYTES 8
#include "strided.h"
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define SIZE 16
#define ITEM_BYTES 16
#include "strided.h"
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define SIZE any
#define ITEM_BYTES tile->item_bytes
#include "transpose_blocks.h"
#include "expand.h"
#undef SIZE
#undef ITEM_BYTES

#define BY_SIZE(name, any)                                                                                             \
    {                                                                                                                  \
        name##_1_portable, name##_2_portable, name##_4_portable, name##_8_portable, name##_16_portable, any            \
    }

const kernel_table ssop_kernels_portable = {
    .name = "portable",
    .kernel =
        {
            [SSOP_PATTERN_ROWS] = EVERY_SIZE(rows_portable),
            [SSOP_PATTERN_STRIDED] = BY_SIZE(strided, rows_portable),
            [SSOP_PATTERN_PACK] = BY_SIZE(strided, rows_portable),
            [SSOP_PATTERN_TRANSPOSE] = BY_SIZE(transpose, transpose_any_portable),
            [SSOP_PATTERN_ZERO] = EVERY_SIZE(zero_portable),
            [SSOP_PATTERN_EXPAND] = BY_SIZE(expand, expand_any_portable),
        },
};
