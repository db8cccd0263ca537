/* What could go wrong: a size class is too small or too large, a block is lost or given out twice, or the wrong blocks
 * are removed. The oracle is a list of all blocks and a list of all size classes in the order of their last use. */
#include "runtime/platform.h"

#include "check.h"

#include "runtime/free_lists.h"

enum { BLOCKS = 300, STEPS = 20000 };

static size_t class_bytes[SSOP_SIZE_CLASSES];

static void
test_classes(void)
{
    int classes = 0;
    for (size_t bytes = SSOP_MIN_CLASS_BYTES; bytes <= SSOP_MAX_CLASS_BYTES; bytes += 1 + bytes / 4096) {
        size_t capacity = ssop_size_class_bytes(bytes);
        CHECK(bytes <= capacity && capacity - bytes <= bytes / 8, "%zu bytes in %zu", bytes, capacity);
        CHECK(ssop_size_class_bytes(capacity) == capacity, "%zu bytes are no class", capacity);
        if (classes == 0 || capacity != class_bytes[classes - 1]) {
            CHECK(classes < SSOP_SIZE_CLASSES && (classes == 0 || capacity > class_bytes[classes - 1]), "too many");
            class_bytes[classes++] = capacity;
        }
    }
    CHECK(classes == SSOP_SIZE_CLASSES && class_bytes[0] == SSOP_MIN_CLASS_BYTES &&
              class_bytes[classes - 1] == SSOP_MAX_CLASS_BYTES,
          "%d classes", classes);
}

/* Blocks outside of the lists, those in the lists in the order in which they were added, and the classes in the order
 * in which they were used. */
static struct {
    ssop_block_record block[BLOCKS];
    ssop_block_record *out[BLOCKS], *in[BLOCKS];
    int outside, inside;
    size_t classes[SSOP_SIZE_CLASSES], bytes;
} known;

static void
use_class(size_t capacity)
{
    int at = 0;
    while (known.classes[at] != capacity) {
        at++;
    }
    memmove(&known.classes[at], &known.classes[at + 1], (size_t)(SSOP_SIZE_CLASSES - 1 - at) * sizeof(size_t));
    known.classes[SSOP_SIZE_CLASSES - 1] = capacity;
}

/* Removes the newest block of a capacity from the known ones in the lists, or returns NULL. */
static ssop_block_record *
remove_newest(size_t capacity)
{
    int at = known.inside - 1;
    while (at >= 0 && known.in[at]->capacity != capacity) {
        at--;
    }
    if (at < 0) {
        return NULL;
    }
    ssop_block_record *block = known.in[at];
    known.inside--;
    memmove(&known.in[at], &known.in[at + 1], (size_t)(known.inside - at) * sizeof *known.in);
    known.out[known.outside++] = block;
    known.bytes -= capacity;
    return block;
}

static void
add_one(ssop_free_lists *lists)
{
    if (known.outside == 0) {
        return;
    }
    int at = (int)random_between(0, known.outside - 1);
    ssop_block_record *block = known.out[at];
    known.out[at] = known.out[--known.outside];
    known.in[known.inside++] = block;
    known.bytes += block->capacity;
    use_class(block->capacity);
    ssop_free_lists_add(lists, block);
}

static void
take_one(ssop_free_lists *lists)
{
    size_t bytes = (size_t)random_between((int64_t)SSOP_MIN_CLASS_BYTES, (int64_t)SSOP_MAX_CLASS_BYTES);
    size_t capacity = ssop_size_class_bytes(bytes);
    use_class(capacity);
    ssop_block_record *expected = remove_newest(capacity);
    CHECK(ssop_free_lists_take(lists, bytes) == expected, "another block for %zu bytes", bytes);
}

static void
shrink(ssop_free_lists *lists)
{
    size_t bytes = known.bytes / 100 * (size_t)random_between(0, 120);
    ssop_block_record before = {.capacity = 0}, *removed = ssop_free_lists_shrink(lists, bytes, &before);
    ssop_block_record *expected[BLOCKS];
    int count = 0;
    for (int class = 0; class < SSOP_SIZE_CLASSES; class ++) {
        ssop_block_record *block = NULL;
        while (known.bytes > bytes && (block = remove_newest(known.classes[class])) != NULL) {
            expected[count++] = block;
        }
    }
    while (count > 0 && removed == expected[count - 1]) {
        removed = removed->next;
        count--;
    }
    CHECK(count == 0 && removed == &before, "other blocks were removed, %d are missing", count);
}

static void
test_against_oracle(void)
{
    ssop_free_lists lists = {.bytes = 0};
    memcpy(known.classes, class_bytes, sizeof class_bytes);
    for (int i = 0; i < BLOCKS; i++) {
        known.block[i].capacity = class_bytes[random_between(0, SSOP_SIZE_CLASSES - 1)];
        known.out[known.outside++] = &known.block[i];
    }
    for (int step = 0; step < STEPS; step++) {
        int64_t kind = random_between(0, 200);
        if (kind == 0) {
            shrink(&lists);
        }
        else if (kind <= 120) {
            add_one(&lists);
        }
        else {
            take_one(&lists);
        }
        CHECK(lists.bytes == known.bytes, "%zu bytes instead of %zu", lists.bytes, known.bytes);
    }
}

int
main(void)
{
    test_classes();
    test_against_oracle();
    return check_report("test_free_lists");
}
