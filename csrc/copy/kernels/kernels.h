/* The arguments of a kernel, and the kernel table: one row per variant, one column per item size. There is one table
 * per CPU target (instruction set). */
#ifndef SSOP_COPY_KERNELS_H
#define SSOP_COPY_KERNELS_H

#include "../../core/common.h"
#include "../../include/ssop/copying.h"
#include "../../include/ssop/policies.h"

#if defined(__x86_64__) || defined(__i386__)
#define SSOP_X86
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define SSOP_NEON
#endif

/* Of the smallest vectors, of the lines of a cache, and of the pages of memory. */
enum { LANE_BYTES = 16, LINE_BYTES = 64, PAGE_BYTES = 4096 };

/* How a copy treats memory: bits of ssop_tile.policy. A kernel that has no code for a bit ignores it. */
enum {
    SSOP_STREAM = 1,         /* non-temporal stores: the copy touches at least stream_bytes */
    SSOP_PREFETCH = 2,       /* the source is in no cache, or will not stay there */
    SSOP_REP_MOVSB = 4,      /* rows are copied by rep movsb */
    SSOP_PREFETCH_WRITE = 8, /* lines of the destination are prefetched for writing before they are stored to */
    SSOP_PREFETCH_L2 = 32,   /* the source is prefetched into the L2 cache, not the L1 cache */
    SSOP_SOURCE_ORDER = 16,  /* tiles are copied in the order of the source, not of the destination: see execute.c */
    SSOP_STRIPS = 64,        /* a transposition in the caches goes along rows and prefetches them for writing */
    SSOP_COLLECT = 128,      /* tiles are collected in a buffer, from which whole lines are written: see collect.c */
};

/* Those of copies from and to memory. */
enum { PREFETCH_POLICIES = SSOP_PREFETCH | SSOP_PREFETCH_WRITE, MEMORY_POLICIES = SSOP_STREAM | PREFETCH_POLICIES };

/* What a kernel copies: `rows` times `columns` items. */
typedef struct ssop_tile {
    int64_t rows, columns;
    int64_t dst_row, src_row;       /* bytes from row to row */
    int64_t dst_column, src_column; /* bytes from item to item */
    int64_t item_bytes;
    /* For SSOP_PATTERN_TRANSPOSE and SSOP_PATTERN_SHORT_AXES: where the tile begins that is copied next, and is as
     * large. */
    const char *next_src;
    const void *table; /* of tables.h or short_axes_table.h, or an ssop_transposition, for the patterns that have one */
    unsigned policy;
    const ssop_policies *policies; /* how far ahead is prefetched, and the sizes of blocks */
} ssop_tile;

/* How a transposition goes about its tile. */
typedef struct {
    int64_t block_rows;                 /* that are transposed together */
    int64_t stage_bytes, stage_columns; /* what the staging buffer has of each column, and of how many columns */
    bool reads_directly;                /* a staged transposition reads the source itself */
    bool streams_lines;                 /* whole lines at their places get non-temporal stores */
    bool whole_lines;                   /* in the caches, a line of each row is written at a time, not a vector */
    bool prefetches_rows;               /* of the destination, if the copy comes from memory */
} ssop_transposition;

typedef void (*ssop_kernel)(char *dst, const char *src, const ssop_tile *tile);

/* Selects the items first .. last - 1. */
typedef void (*ssop_select_kernel)(const ssop_selection *all, int64_t first, int64_t last);

typedef enum {
    SSOP_PATTERN_ROWS,       /* items of any size, each one block on both sides */
    SSOP_PATTERN_STRIDED,    /* small items, whatever the strides */
    SSOP_PATTERN_PACK,       /* small items that are contiguous in the destination and far apart in the source */
    SSOP_PATTERN_SHUFFLE,    /* the same, near each other in the source: vectors are loaded and their bytes shuffled */
    SSOP_PATTERN_REPEAT,     /* all columns of a row are one item, and contiguous in the destination */
    SSOP_PATTERN_TRANSPOSE,  /* columns are contiguous in the destination, rows in the source */
    SSOP_PATTERN_INTERLEAVE, /* short rows without gaps, each item from a plane of its own */
    SSOP_PATTERN_DEINTERLEAVE, /* the inverse: few planes, each of one item of every short row without gaps */
    SSOP_PATTERN_SHORT_AXES,   /* small items, the inner axes of each side are short: tiles have several of them */
    SSOP_PATTERN_MASKED_STORE, /* items, contiguous or one repeated, go to places near each other; no gap is written */
    SSOP_PATTERN_ZERO,         /* no source, and not SSOP_PATTERN_REPEAT: write zero bytes */
    /* Dilations: the fill is written between the items, and after each row but the last up to where the next one
     * begins. */
    SSOP_PATTERN_DILATE_ROWS,    /* items of any size, each one block */
    SSOP_PATTERN_DILATE,         /* small items, whatever the strides of the source */
    SSOP_PATTERN_DILATE_VECTORS, /* small items, contiguous in the source; each row has several of them */
    SSOP_PATTERN_DILATE_BLOCKS,  /* one row of items that no register holds, contiguous in the source */
    SSOP_PATTERN_COUNT,
} ssop_pattern;

/* The ways of copying a tile (variants.def). */
typedef enum {
#define VARIANT(name, pattern, text, about, when) SSOP_VARIANT_##name,
#include "../variants.def"
#undef VARIANT
    SSOP_VARIANT_COUNT,
} ssop_variant;

/* Columns: items of 1, 2, 4, 8 and 16 bytes, for which loads and stores of one register exist, and items of any other
 * number of bytes. */
enum { KERNEL_SIZE_COUNT = 6 };

/* Items of so many bytes are always rows (SSOP_PATTERN_ROWS): they fill a line each, so nothing is gained by another
 * order of them, and no vector has several. */
enum { MIN_ROW_BYTES = 64 };

/* True if a line is several of these items of SSOP_PATTERN_REPEAT. */
static inline bool
is_repeated_in_lines(int64_t item_bytes)
{
    return item_bytes <= 32 && (item_bytes & (item_bytes - 1)) == 0;
}

/* The least bytes of a row of SSOP_PATTERN_REPEAT: the largest store of its kernels. */
static inline int64_t
min_repeated_bytes(int64_t item_bytes)
{
    return is_repeated_in_lines(item_bytes) && item_bytes <= 16 ? 16 : 64;
}

typedef struct ssop_kernel_table kernel_table;
struct ssop_kernel_table {
    const char *name;
    unsigned feature;     /* the bit of ssop_cpu_features() that it needs; 0 for none */
    int32_t vector_bytes; /* of the vectors whose bytes one instruction shuffles; 0: there is no such instruction */
    bool shuffles_lines;  /* one instruction takes any bytes of two vectors of 64 bytes */
    bool has_masks;       /* can load and store some bytes of a vector without touching the others */
    bool uses_rep_movsb;  /* for long rows, unless a policy says otherwise */
    bool streams;         /* its stores under SSOP_STREAM are non-temporal */
    int32_t lanes;        /* of 16 bytes that the widest vector of its transpositions has; 0: it has none */
    ssop_kernel kernel[SSOP_VARIANT_COUNT][KERNEL_SIZE_COUNT]; /* NULL: the portable one is used, if there is one */
    ssop_select_kernel select[KERNEL_SIZE_COUNT - 1];          /* none is NULL */
    /* A target of shorter vectors, whose kernels write to the buffer of a collector (collect.c) and copy few bytes of
     * planes; NULL: its own do. A store of 64 bytes that does not begin a line always crosses into another one
     * (record shorter-vectors). */
    const kernel_table *shorter;
};

extern const kernel_table ssop_kernels_portable, ssop_kernels_ssse3, ssop_kernels_avx2, ssop_kernels_avx512bw,
    ssop_kernels_avx512, ssop_kernels_neon;

/* The kernels that ssop_cpu_choose chose. */
const kernel_table *ssop_kernels(void);

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

/* True if items of this size have a column of their own. */
static inline bool
has_kernel_size(int64_t item_bytes)
{
    return kernel_size_column(item_bytes) < KERNEL_SIZE_COUNT - 1;
}

/* A copy that loads field by field, as tiles are written. For an assignment compilers load two fields at a time, and a
 * load that is wider than the stores that wrote its bytes waits until those have reached the cache
 * (record tile-by-fields). */
static inline ssop_tile
copy_tile(const ssop_tile *tile)
{
    return (ssop_tile){
        .rows = tile->rows,
        .columns = tile->columns,
        .dst_row = tile->dst_row,
        .src_row = tile->src_row,
        .dst_column = tile->dst_column,
        .src_column = tile->src_column,
        .item_bytes = tile->item_bytes,
        .next_src = tile->next_src,
        .table = tile->table,
        .policy = tile->policy,
        .policies = tile->policies,
    };
}

/* Of 2 to MAX_SHORT_ROW items, as many as are copied without a loop by kernels/short_rows.h. MAX_SHORT_ROW: not
 * measured; chosen because from 8 items on, loops that copy four at a time have at least two rounds. */
static inline bool
is_short_row(int64_t items)
{
    enum { MAX_SHORT_ROW = 7 };
    return items >= 2 && items <= MAX_SHORT_ROW;
}

/* True if short_rows.h copies a tile of few rows, column by column. Not if the columns are so small that several are
 * loaded at a time (scatter_8 in strided.h) (record loaded-words). Nor in the caches if the rows are more than a line
 * apart in the destination: stores that do not follow each other in one line are slow (record rows-apart). */
static inline bool
has_short_columns(const ssop_tile *tile)
{
    const bool loads_several = tile->src_column == tile->item_bytes && tile->item_bytes < 4;
    const bool near = magnitude(tile->dst_row) <= LINE_BYTES || (tile->policy & MEMORY_POLICIES) != 0;
    return is_short_row(tile->rows) && tile->columns > 1 && !loads_several && near;
}

static inline bool
has_variant(const kernel_table *kernels, ssop_variant variant, int64_t item_bytes)
{
    return kernels->kernel[variant][kernel_size_column(item_bytes)] != NULL;
}

/* The variant that copies items of a kernel's size one by one. */
static inline ssop_variant
items_variant(const ssop_tile *tile)
{
    const bool short_rows = is_short_row(tile->columns) && tile->rows > 1;
    if (!has_kernel_size(tile->item_bytes)) {
        return SSOP_VARIANT_ITEMS;
    }
    if (tile->src_column == 0) {
        return SSOP_VARIANT_ITEMS_REPEATED;
    }
    if (short_rows || has_short_columns(tile)) {
        return short_rows ? SSOP_VARIANT_SHORT_ROWS : SSOP_VARIANT_SHORT_COLUMNS;
    }
    return tile->src_column == tile->item_bytes ? SSOP_VARIANT_ITEMS_SCATTERED : SSOP_VARIANT_ITEMS;
}

/* Rows of at least MIN_STREAM_BYTES get non-temporal stores wherever they begin: of their lines at most two are written
 * with regular stores. Not measured; chosen because those are then at most a quarter of the lines. */
enum { MIN_STREAM_BYTES = 512 };

/* True if rows of contiguous items are whole lines of the destination, or so long that their ends do not matter
 * (record long-streamed-rows). `places`: where rows begin, or how far apart, or both by `|`. */
static inline bool
rows_have_lines(uintptr_t places, int64_t row_bytes)
{
    return ((places | (uintptr_t)row_bytes) % LINE_BYTES == 0) | (row_bytes >= MIN_STREAM_BYTES);
}

static inline bool
tile_has_lines(const char *dst, const ssop_tile *tile)
{
    return rows_have_lines((uintptr_t)dst | (uintptr_t)tile->dst_row, tile->columns * tile->item_bytes);
}

/* Non-temporal stores are weakly ordered: without this fence another thread could learn that a copy is done before it
 * sees the bytes. Once for all tiles, because it waits until the stores are done (record one-fence). */
static inline void
end_non_temporal_stores(void)
{
#ifdef SSOP_X86
    __asm__ volatile("sfence" ::: "memory");
#endif
}

/* How many rows of a transposition are copied together: those whose part of a source column is one block, at most
 * MAX_ROWS. MAX_ROWS: not measured; chosen because the lines of more rows are more than half of an L1 cache of 32
 * KiB. */
static inline int64_t
transpose_block_rows(const ssop_policies *policies, int64_t item_bytes)
{
    enum { MAX_ROWS = 256 };
    int64_t rows = policies->transpose_block_bytes / item_bytes;
    return rows < MAX_ROWS ? rows : MAX_ROWS;
}

/* The row of a variant that has one kernel for all sizes. */
#define EVERY_SIZE(kernel)                                                                                             \
    {                                                                                                                  \
        kernel, kernel, kernel, kernel, kernel, kernel                                                                 \
    }

/* A template is a header that is included several times: by the file of each CPU target, with TARGET defined as the
 * function attribute that allows its instructions, and by some of these once per item size, with SIZE defined as it.
 * Each file is a translation unit, so its static functions need no name of the target. Those of an item size get the
 * names <name>_<SIZE>: a template defines short names for them at its head, and undefines these at its end. */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define SIZED(name) JOIN(name, SIZE)

/* For functions that are specialised by constant arguments, which only works if they are inlined. Builds without
 * optimisation leave them as functions, so that coverage is measured once for each. */
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Before a loop whose count is a constant: unrolls it completely, at every level of optimisation. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

/* Advances a pointer, and keeps a compiler from computing all addresses of a tile beforehand, for which there are not
 * enough registers. */
#define STEP_POINTER(pointer, bytes)                                                                                   \
    do {                                                                                                               \
        (pointer) += (bytes);                                                                                          \
        __asm__("" : "+r"(pointer));                                                                                   \
    } while (0)

/* X_put, the store of transpose.h, for a vector X without non-temporal stores and for one that has X_stream. */
#define NEVER_STREAMS(X)                                                                                               \
    INLINE TARGET void X##_put(char *to, X v, bool stream)                                                             \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        X##_store(to, v);                                                                                              \
    }

#define CAN_STREAM(X)                                                                                                  \
    INLINE TARGET void X##_put(char *to, X v, bool stream)                                                             \
    {                                                                                                                  \
        if (stream) {                                                                                                  \
            X##_stream(to, v);                                                                                         \
        }                                                                                                              \
        else {                                                                                                         \
            X##_store(to, v);                                                                                          \
        }                                                                                                              \
    }

/* Keeps the cold path out of line, so that it does not cost the hot loop registers. */
#define NOINLINE static __attribute__((noinline))

/* Keeps a compiler from replacing a loop of copies by a call of memcpy, which is slow where the offsets of the two
 * sides in their pages differ by a few bytes (record memcpy-aliasing). Costs no instruction. */
#define NOT_MEMCPY() __asm__ volatile("" ::: "memory")

/* An address that is only ever prefetched need not be inside an object. */
INLINE const char *
address_after(const char *from, int64_t bytes)
{
    return (const char *)((uintptr_t)from + (uintptr_t)bytes);
}

#endif /* SSOP_COPY_KERNELS_H */
