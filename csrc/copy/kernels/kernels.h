/* What a kernel is called with, and the kernel table: one row per pattern, one column per item size. A CPU tier is one
 * such table. */
#ifndef SSOP_COPY_KERNELS_H
#define SSOP_COPY_KERNELS_H

#include "../../core/common.h"
#include "../../include/ssop/copying.h"

#if defined(__x86_64__) || defined(__i386__)
#define SSOP_X86
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define SSOP_NEON
#endif

/* How a kernel treats memory: bits of ssop_tile.policy. */
enum {
    SSOP_STREAM = 1,         /* non-temporal stores: the copy is larger than the caches */
    SSOP_PREFETCH = 2,       /* the source is in no cache, or will not stay there */
    SSOP_REP_MOVSB = 4,      /* rows are copied by rep movsb */
    SSOP_PREFETCH_WRITE = 8, /* lines of the destination are prefetched for writing before they are stored to */
};

/* What a kernel runs: `rows` times `columns` items. */
typedef struct ssop_tile {
    int64_t rows, columns;
    int64_t dst_row, src_row;       /* bytes from row to row */
    int64_t dst_column, src_column; /* bytes from item to item */
    int64_t item_bytes;
    const void *table; /* where the bytes of a vector come from or go to, for the patterns that permute */
    unsigned policy;
} ssop_tile;

typedef void (*ssop_kernel)(char *dst, const char *src, const ssop_tile *tile);

typedef enum {
    SSOP_PATTERN_ROWS,      /* items of any size, each one block on both sides */
    SSOP_PATTERN_STRIDED,   /* small items, whatever the strides */
    SSOP_PATTERN_PACK,      /* small items from afar that adjoin in the destination */
    SSOP_PATTERN_PERMUTE,   /* the same from near by: whole vectors are loaded and their bytes put in order */
    SSOP_PATTERN_REPEAT,    /* all columns of a row are one item, and adjoin in the destination */
    SSOP_PATTERN_TRANSPOSE, /* columns adjoin in the destination, rows in the source */
    SSOP_PATTERN_SCATTER,   /* the items of one vector go to places near by; the bytes between stay as they are */
    SSOP_PATTERN_ZERO,      /* no source: write zero bytes */
    /* Dilations: items with zero bytes between them, and after each row but the last up to where the next one begins. */
    SSOP_PATTERN_DILATE_ROWS,    /* items of any size, each one block */
    SSOP_PATTERN_DILATE,         /* small items, whatever the strides of the source */
    SSOP_PATTERN_DILATE_VECTORS, /* small items that adjoin in the source, a vector of them in each row at least */
    SSOP_PATTERN_COUNT,
} ssop_pattern;

/* Columns: items of 1, 2, 4, 8, 16 and any other number of bytes. */
enum { KERNEL_SIZE_COUNT = 6 };

enum { LONG_ROW_BYTES = 4096 };

/* Items of SSOP_PATTERN_REPEAT are smaller. */
enum { MAX_REPEATED_BYTES = 64 };

/* How far ahead of its stores a kernel prefetches for writing. Fills of 64 MiB on a Cascade Lake: 8.3 GB/s without, 10.7
 * with 1 KiB, by a loop of the kernel alone; copies 5.6 and 6.15; less at 256 B, no more at 2 KiB. */
enum { WRITE_AHEAD_BYTES = 1024 };

typedef struct {
    const char *name;
    unsigned feature;     /* the bit of ssop_cpu_features() it needs; 0 for none */
    int32_t vector_bytes; /* whose bytes one instruction permutes; 0 if none can */
    bool scatters;        /* can write some bytes of a vector without touching the others */
    bool uses_rep_movsb;  /* for rows of LONG_ROW_BYTES and more */
    ssop_kernel kernel[SSOP_PATTERN_COUNT][KERNEL_SIZE_COUNT]; /* NULL: that of the portable tier */
} kernel_table;

extern const kernel_table ssop_kernels_portable, ssop_kernels_ssse3, ssop_kernels_avx2, ssop_kernels_avx512,
    ssop_kernels_neon;

/* The tier that ssop_cpu_choose chose, and its kernel for items of a size. */
const kernel_table *ssop_kernels(void);
ssop_kernel ssop_kernel_for(ssop_pattern pattern, int64_t item_bytes);

static inline int
kernel_size_column(int64_t item_bytes)
{
    switch (item_bytes) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 4:
        return 2;
    case 8:
        return 3;
    case 16:
        return 4;
    default:
        return 5;
    }
}

/* All sizes of a pattern that has one kernel. */
#define EVERY_SIZE(kernel)                                                                                             \
    {                                                                                                                  \
        kernel, kernel, kernel, kernel, kernel, kernel                                                                 \
    }

/* Names of functions in templates: <pattern>_<tier> and <pattern>_<bytes>_<tier>, by the macros TIER and SIZE. */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define KERNEL(name) JOIN(name, TIER)
#define SIZED(name) JOIN(JOIN(name, SIZE), TIER)

/* What is specialised by constant arguments must be inlined; without optimisation it may be measured instead. */
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Before a loop whose count is a constant, whatever the level of optimisation: all of its rounds, one after the other. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

/* Keeps a compiler from computing all addresses of a tile beforehand, for which there are not enough registers. */
#define STEP_POINTER(pointer, bytes)                                                                                   \
    do {                                                                                                               \
        (pointer) += (bytes);                                                                                          \
        __asm__("" : "+r"(pointer));                                                                                   \
    } while (0)

/* For vectors X of less than a line, of which none is stored past the caches: such stores would leave many partly filled
 * write-combining buffers behind. On a Cascade Lake, transposing f4 of 5000 x 5000: 0.37 GB/s by halves of lines and 1.02 by
 * regular stores. */
#define ONLY_STORES(X)                                                                                                 \
    INLINE TARGET bool X##_streams(unsigned policy, uintptr_t places)                                                  \
    {                                                                                                                  \
        (void)policy, (void)places;                                                                                    \
        return false;                                                                                                  \
    }                                                                                                                  \
    INLINE TARGET void X##_put(char *to, X v, bool stream)                                                             \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        X##_store(to, v);                                                                                              \
    }

/* What happens now and then is to leave the registers to what happens all the time. */
#define NOINLINE static __attribute__((noinline))

/* Keeps a compiler from rewriting a loop of copies into a call of memcpy, which is slow in the middle sizes on some
 * processors if the two sides have nearly the same place in their pages. Costs no instruction. */
#define NOT_MEMCPY() __asm__ volatile("" ::: "memory")

/* An address that is only ever prefetched need not be inside an object. */
INLINE const char *
address_after(const char *from, int64_t bytes)
{
    return (const char *)((uintptr_t)from + (uintptr_t)bytes);
}

#endif /* SSOP_COPY_KERNELS_H */
