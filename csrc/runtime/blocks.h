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
 * Copies to new results of this size are several times faster with the cache. Smaller results do not need it, because
 * malloc itself reuses their memory (benchmarks/kept_results.py). */
#define SSOP_CACHED_MIN_BYTES ((size_t)64 * 1024)

/* Returns a block of at least `bytes` bytes, or NULL if there is no memory. The bytes are arbitrary, or all zero if
 * `zeroed`. */
void *ssop_block_new(size_t bytes, bool zeroed);

/* As realloc: returns the block, or another one with its bytes; if it returns NULL, the block is unchanged. `block` may
 * be NULL. */
void *ssop_block_resize(void *block, size_t bytes);

/* Frees a block, from any thread. The system may take back cached large blocks whenever it is short of memory. */
void ssop_block_free(void *block);

/* A block is warm if its pages have been written before, so that writing to it causes no page faults. An earlier owner
 * may have written them, or the present one, which then calls ssop_block_set_warm. */
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
