/* Free lists of blocks by size class. They are not locked: their owner is blocks.c, which holds its lock. */
#ifndef SSOP_RUNTIME_FREE_LISTS_H
#define SSOP_RUNTIME_FREE_LISTS_H

#include "platform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands in front of each block. */
typedef struct ssop_block_record {
    size_t capacity;
    char *map; /* the beginning of the mapping; NULL: the block is from malloc */
#if SSOP_HAS_SYSTEM
    _Atomic bool warm; /* several threads may write to one array */
#else
    bool warm;
#endif
    struct ssop_block_record *next; /* in a free list, or in a list of blocks to release */
} ssop_block_record;

/* The capacities of blocks in free lists: eight size classes for each doubling, so a block has at most an eighth
 * more bytes than the request. Not measured; chosen for the same reason as MAX_SLACK_SHARE in blocks.c. */
#define SSOP_MIN_CLASS_BYTES ((size_t)64 * 1024)
#define SSOP_MAX_CLASS_BYTES ((size_t)4 * 1024 * 1024)
enum { SSOP_CLASSES_PER_DOUBLING = 8, SSOP_SIZE_CLASSES = 6 * SSOP_CLASSES_PER_DOUBLING + 1 };
_Static_assert(SSOP_MIN_CLASS_BYTES << 6 == SSOP_MAX_CLASS_BYTES, "six doublings");

/* Zeros are empty lists. */
typedef struct {
    size_t bytes;   /* of all blocks in the lists */
    uint64_t calls; /* the number of calls to take and add */
    ssop_block_record *first[SSOP_SIZE_CLASSES];
    uint64_t used[SSOP_SIZE_CLASSES]; /* the call that used the class last */
} ssop_free_lists;

/* The smallest capacity of a size class for `bytes`, which must be between these two sizes. */
size_t ssop_size_class_bytes(size_t bytes);

/* Takes the block that was added last among those of the size class for `bytes`, or returns NULL. */
ssop_block_record *ssop_free_lists_take(ssop_free_lists *lists, size_t bytes);

/* Adds a block whose capacity is that of a size class. */
void ssop_free_lists_add(ssop_free_lists *lists, ssop_block_record *block);

/* Removes blocks until at most `bytes` bytes are left, first those of the size class that was used longest ago. Puts
 * them in front of the list `removed`, whose new beginning it returns. */
ssop_block_record *ssop_free_lists_shrink(ssop_free_lists *lists, size_t bytes, ssop_block_record *removed);

#endif /* SSOP_RUNTIME_FREE_LISTS_H */
