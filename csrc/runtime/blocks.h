/* Memory for large results: aligned to huge pages, and kept for a while after it was freed. */
#ifndef SSOP_RUNTIME_BLOCKS_H
#define SSOP_RUNTIME_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* From here on a block has pages of its own, which it may leave behind for the next; smaller ones are malloc's. */
#define SSOP_BLOCK_LEAST_BYTES ((size_t)4 * 1024 * 1024)

/* NULL if there is no memory. The bytes are arbitrary, or all zero if `zeroed`. */
void *ssop_block_new(size_t bytes, bool zeroed);

/* As realloc: the block, or another one with its bytes; on NULL the block is as it was. `block` may be NULL. */
void *ssop_block_resize(void *block, size_t bytes);

/* From any thread. What is kept is the system's to take back whenever it is short of memory. */
void ssop_block_free(void *block);

/* True if the block's pages were written by an earlier owner, or by one who said so: the system need not fetch them first. */
bool ssop_block_is_warm(const void *block);
void ssop_block_set_warm(void *block);

/* How many bytes of freed blocks are kept at most: 0 until it is set. A default that suits this machine; 0 where there
 * cannot be any. */
void ssop_blocks_set_cap(size_t bytes);
size_t ssop_blocks_cap(void);
size_t ssop_blocks_default_cap(void);

/* Gives back all that is kept; returns how many bytes that were. */
size_t ssop_blocks_trim(void);

#endif /* SSOP_RUNTIME_BLOCKS_H */
