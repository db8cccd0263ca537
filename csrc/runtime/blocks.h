/* Memory for large results. It is aligned to huge pages; freed blocks are cached and reused. */
#ifndef SSOP_RUNTIME_BLOCKS_H
#define SSOP_RUNTIME_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* Blocks of at least this size are mappings of their own; smaller ones come from malloc. NumPy asks for huge pages from
 * this size on, too. Not measured otherwise. */
#define SSOP_BLOCK_MIN_BYTES ((size_t)4 * 1024 * 1024)

/* Freed blocks of at least this size may be cached. TODO */
#define SSOP_CACHED_MIN_BYTES ((size_t)64 * 1024)

/* Returns a block of at least `bytes` bytes, or NULL if there is no memory. The bytes are arbitrary, or all zero if
 * `zeroed`. */
void *ssop_block_new(size_t bytes, bool zeroed);

/* As realloc: returns the block, or another one with its bytes; if it returns NULL, the block is unchanged. `block` may
 * be NULL. */
void *ssop_block_resize(void *block, size_t bytes);

/* Frees a block, from any thread. The system may take back cached blocks whenever it is short of memory. */
void ssop_block_free(void *block);

/* A block is warm if its pages have been written before, by an earlier owner, or by the present one, who says so by
 * ssop_block_set_warm: then writing to it causes no page faults. */
bool ssop_block_is_warm(const void *block);
void ssop_block_set_warm(void *block);

/* The cap is how many bytes of freed blocks are cached at most; it is 0 until it is set. The default cap suits the
 * memory of this machine; it is 0 where blocks cannot be cached. */
void ssop_blocks_set_cap(size_t bytes);
size_t ssop_blocks_cap(void);
size_t ssop_blocks_default_cap(void);

/* Returns all cached blocks to the system, and their number of bytes to the caller. */
size_t ssop_blocks_trim(void);

#endif /* SSOP_RUNTIME_BLOCKS_H */
