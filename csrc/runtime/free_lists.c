/* Free lists of blocks by size class. The blocks of a class are equal, so each class is a stack. The one added last is
 * taken first, because its bytes may still be in the processor's caches. */
#include "platform.h"

#include "free_lists.h"

/* The number of the class, and its capacity. The capacities of a doubling from `low` to 2 * `low` are low + low / 8,
 * low + 2 * low / 8, .. 2 * low. */
static int
find_class(size_t bytes, size_t *capacity)
{
    size_t low = SSOP_MIN_CLASS_BYTES;
    int number = 0;
    while (bytes > 2 * low) {
        low *= 2;
        number += SSOP_CLASSES_PER_DOUBLING;
    }
    size_t unit = low / SSOP_CLASSES_PER_DOUBLING, units = (bytes - low + unit - 1) / unit;
    *capacity = low + units * unit;
    return number + (int)units;
}

size_t
ssop_size_class_bytes(size_t bytes)
{
    size_t capacity;
    (void)find_class(bytes, &capacity);
    return capacity;
}

static ssop_block_record *
pop(ssop_free_lists *lists, int class)
{
    ssop_block_record *block = lists->first[class];
    lists->first[class] = block->next;
    lists->bytes -= block->capacity;
    return block;
}

ssop_block_record *
ssop_free_lists_take(ssop_free_lists *lists, size_t bytes)
{
    size_t capacity;
    int class = find_class(bytes, &capacity);
    lists->used[class] = ++lists->calls;
    return lists->first[class] != NULL ? pop(lists, class) : NULL;
}

void
ssop_free_lists_add(ssop_free_lists *lists, ssop_block_record *block)
{
    size_t capacity;
    int class = find_class(block->capacity, &capacity);
    lists->used[class] = ++lists->calls;
    block->next = lists->first[class];
    lists->first[class] = block;
    lists->bytes += block->capacity;
}

/* The class with blocks that was used longest ago; there is one, because bytes are left. */
static int
oldest_class(const ssop_free_lists *lists)
{
    int oldest = -1;
    for (int class = 0; class < SSOP_SIZE_CLASSES; class ++) {
        if (lists->first[class] != NULL && (oldest < 0 || lists->used[class] < lists->used[oldest])) {
            oldest = class;
        }
    }
    return oldest;
}

ssop_block_record *
ssop_free_lists_shrink(ssop_free_lists *lists, size_t bytes, ssop_block_record *removed)
{
    while (lists->bytes > bytes) {
        int class = oldest_class(lists);
        while (lists->first[class] != NULL && lists->bytes > bytes) {
            ssop_block_record *block = pop(lists, class);
            block->next = removed;
            removed = block;
        }
    }
    return removed;
}
