/* Template. The transposing kernel of a tier and item size: by the widest vectors that a row fills.
 * Include with what transpose.h wants, and WIDE_X for the wide vectors, if they are not x1. */
#define X x1
#include "transpose.h"
#undef X
#ifdef WIDE_X
#define X WIDE_X
#include "transpose.h"
#undef X
#endif

static TARGET void
SIZED(transpose)(char *dst, const char *src, const ssop_tile *tile)
{
#ifdef WIDE_X
    if (tile->columns >= (int64_t)sizeof(WIDE_X) / SIZE && tile->rows >= 16 / SIZE) {
        SIZED(JOIN(transpose_vectors, WIDE_X))(dst, src, tile);
        return;
    }
#endif
    if (tile->columns >= 16 / SIZE && tile->rows >= 16 / SIZE) {
        SIZED(JOIN(transpose_vectors, x1))(dst, src, tile);
    }
    else { /* a small piece */
        ssop_kernels_portable.kernel[SSOP_PATTERN_TRANSPOSE][kernel_size_column(SIZE)](dst, src, tile);
    }
}
