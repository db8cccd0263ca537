/* Memory for results. Large blocks are aligned to huge pages, medium ones to cache lines; freed ones are cached and
 * reused. */
#ifndef SSOP_RUNTIME_BLOCKS_H
#define SSOP_RUNTIME_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* Blocks of at least this size are mappings of their own; smaller ones come from malloc. NumPy asks for huge pages from
 * this size on, too. Not measured otherwise. */
#define SSOP_BLOCK_MIN_BYTES ((size_t)4 * 1024 * 1024)

/* Freed blocks of at least this size may be cached: the large ones from SSOP_BLOCK_MIN_BYTES on, and medium ones.
 * Copies to 24 new results, which were dropped together, took 27 us each for 64 KiB without the cache and 6 with it,
 * 72 and 17 for 128 KiB, 870 and 125 for 1 MiB; those of 32 KiB took 1.7 without it, because malloc has the memory
 * again by then (AMD EPYC of the Zen 3 class; benchmarks/kept_results.py). */
#define SSOP_CACHED_MIN_BYTES ((size_t)64 * 1024)

/* Returns a block of at least `bytes` bytes, or NULL if there is no memory. The bytes are arbitrary, or all zero if
 * `zeroed`. */
void *ssop_block_new(size_t bytes, bool zeroed);

/* As realloc: returns the block, or another one with its bytes; if it returns NULL, the block is unchanged. `block` may
 * be NULL. */
void *ssop_block_resize(void *block, size_t bytes);

/* Frees a block, from any thread. The system may take back cached large blocks whenever it is short of memory. */
void ssop_block_free(void *block);

/* A block is warm if its pages have been written before, by an earlier owner, or by the present one, who says so by
 * ssop_block_set_warm: then writing to it causes no page faults. */
bool ssop_block_is_warm(const void *block);
void ssop_block_set_warm(void *block);

/* The cap is how many bytes of freed blocks are cached at most; it is 0 until it is set. Medium blocks take at most an
 * eighth of it. The default cap suits the memory of this machine; it is 0 where blocks cannot be cached. */
void ssop_blocks_set_cap(size_t bytes);
size_t ssop_blocks_cap(void);
size_t ssop_blocks_default_cap(void);

/* Returns all cached blocks to the system, and their number of bytes to the caller. */
size_t ssop_blocks_trim(void);

#endif /* SSOP_RUNTIME_BLOCKS_H */
