/* Large blocks are mappings of their own. A fresh page costs more than copying it does, a huge one less than 512 small
 * ones, and a page that was written before nothing: so the last freed blocks are kept.
 *
 * Before each block stands its record. In a mapping that is the end of one small page, so that the block itself begins at
 * a huge page:
 *
 *     map           block                      block + capacity
 *     | ... record | huge page | huge page | .. |
 */
#include "platform.h"

#include "blocks.h"

#include <stdlib.h>
#include <string.h>

typedef struct record {
    size_t capacity;
    char *map; /* where the mapping begins; NULL: malloc made it */
    bool warm;
    struct record *next; /* of several to unmap */
} record;

enum { RECORD_BYTES = 64 }; /* keeps malloc's alignment */

_Static_assert(sizeof(record) <= RECORD_BYTES, "a record fits before its block");

static record *
record_of(const void *block)
{
    return (record *)(void *)((char *)(uintptr_t)block - RECORD_BYTES);
}

static void *
block_of(record *block)
{
    return (char *)block + RECORD_BYTES;
}

static record *
allocate_small(size_t bytes, bool zeroed)
{
    if (bytes > SIZE_MAX - RECORD_BYTES) {
        return NULL;
    }
    record *made = zeroed ? calloc(1, RECORD_BYTES + bytes) : malloc(RECORD_BYTES + bytes);
    if (made != NULL) {
        *made = (record){.capacity = bytes};
    }
    return made;
}

bool
ssop_block_is_warm(const void *block)
{
    return record_of(block)->warm;
}

void
ssop_block_set_warm(void *block)
{
    record_of(block)->warm = true;
}

/* Leaves the block where it is unless it is too small, or more than half of it would lie idle. */
void *
ssop_block_resize(void *block, size_t bytes)
{
    if (block == NULL) {
        return ssop_block_new(bytes, false);
    }
    size_t capacity = record_of(block)->capacity;
    if (bytes <= capacity && bytes >= capacity / 2) {
        return block;
    }
    void *moved = ssop_block_new(bytes, false);
    if (moved != NULL) {
        memcpy(moved, block, bytes < capacity ? bytes : capacity);
        ssop_block_free(block);
    }
    return moved;
}

#if !SSOP_HAS_SYSTEM

void *
ssop_block_new(size_t bytes, bool zeroed)
{
    record *made = allocate_small(bytes, zeroed);
    return made != NULL ? block_of(made) : NULL;
}

void
ssop_block_free(void *block)
{
    free(block != NULL ? record_of(block) : NULL);
}

void
ssop_blocks_set_cap(size_t bytes)
{
    (void)bytes;
}

size_t
ssop_blocks_cap(void)
{
    return 0;
}

size_t
ssop_blocks_default_cap(void)
{
    return 0;
}

size_t
ssop_blocks_trim(void)
{
    return 0;
}

#else

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    HUGE_PAGE_BYTES = 2 * 1024 * 1024,
    MOST_BLOCKS = 32,
    /* A block serves requests down to this part less than itself, and is rounded up to huge pages if that adds no more. */
    SLACK = 8,
    MEMORY_SHARE = 16,
};

static const size_t most_default_bytes = (size_t)512 * 1024 * 1024;

static struct {
    pthread_mutex_t lock;
    size_t cap, bytes;
    int count;
    record *block[MOST_BLOCKS]; /* freed last: last */
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- mappings ------------------------------------------------------------------------------------------------------- */

static size_t
round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void *
map_pages(size_t bytes)
{
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map != MAP_FAILED ? map : NULL;
}

static record *
map_block(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), huge = HUGE_PAGE_BYTES;
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    size_t whole = round_up(bytes, huge), capacity = whole - bytes <= bytes / SLACK ? whole : round_up(bytes, page);
    size_t reserved = page + capacity + huge;
    char *map = map_pages(reserved);
    if (map == NULL && ssop_blocks_trim() > 0) {
        map = map_pages(reserved);
    }
    if (map == NULL) {
        return NULL;
    }
    /* What lies before the page of the record and behind the block goes back. */
    size_t before = (size_t)(round_up((uintptr_t)map + page, huge) - page - (uintptr_t)map);
    size_t behind = reserved - before - page - capacity;
    if (before > 0) {
        munmap(map, before);
        map += before;
    }
    if (behind > 0) {
        munmap(map + page + capacity, behind);
    }
#if defined(MADV_HUGEPAGE)
    madvise(map, page + capacity, MADV_HUGEPAGE); /* a wish */
#endif
    record *made = record_of(map + page);
    *made = (record){.capacity = capacity, .map = map};
    return made;
}

static void
unmap_all(record *first)
{
    while (first != NULL) {
        record *next = first->next;
        munmap(first->map, (size_t)((char *)block_of(first) - first->map) + first->capacity);
        first = next;
    }
}

/* ---- the cache ------------------------------------------------------------------------------------------------------ */

static void
take_lock(void)
{
    pthread_mutex_lock(&cache.lock);
}

static void
unlock_cache(void)
{
    pthread_mutex_unlock(&cache.lock);
}

static void
prepare_for_forks(void)
{
    pthread_atfork(take_lock, unlock_cache, unlock_cache);
}

/* A process may fork while one of its threads holds the lock: that is prepared for before the first one does. */
static void
lock_cache(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_for_forks);
    take_lock();
}

static record *
take_out(int at)
{
    record *block = cache.block[at];
    cache.count--;
    cache.bytes -= block->capacity;
    memmove(&cache.block[at], &cache.block[at + 1], (size_t)(cache.count - at) * sizeof *cache.block);
    return block;
}

/* The oldest blocks, until what is left are at most so many and so large; to be unmapped without the lock. */
static record *
take_oldest(int most, size_t bytes)
{
    record *first = NULL;
    while (cache.count > most || cache.bytes > bytes) {
        record *block = take_out(0);
        block->next = first;
        first = block;
    }
    return first;
}

/* The smallest that holds so many bytes without much to spare; of equal ones the one freed last, whose bytes may still be
 * in the processor's caches. */
static record *
find_kept(size_t bytes)
{
    int best = -1;
    lock_cache();
    for (int at = cache.count - 1; at >= 0; at--) {
        size_t capacity = cache.block[at]->capacity;
        if (capacity >= bytes && capacity - bytes <= bytes / SLACK &&
            (best < 0 || capacity < cache.block[best]->capacity)) {
            best = at;
        }
    }
    record *found = best >= 0 ? take_out(best) : NULL;
    unlock_cache();
    return found;
}

/* The pages stay, and their contents do not matter: the system may take them, but until then they are as good as before. */
static bool
offer_pages(record *block)
{
#if defined(MADV_FREE)
    return madvise(block_of(block), block->capacity, MADV_FREE) == 0;
#else
    (void)block;
    return false;
#endif
}

static void
keep(record *block)
{
    block->next = NULL;
    if (block->capacity > ssop_blocks_cap() || !offer_pages(block)) {
        unmap_all(block);
        return;
    }
    block->warm = true;
    lock_cache();
    record *out = block;
    if (block->capacity <= cache.cap) { /* still */
        out = take_oldest(MOST_BLOCKS - 1, cache.cap - block->capacity);
        cache.block[cache.count++] = block;
        cache.bytes += block->capacity;
    }
    unlock_cache();
    unmap_all(out);
}

void
ssop_blocks_set_cap(size_t bytes)
{
    lock_cache();
    cache.cap = bytes;
    record *out = take_oldest(MOST_BLOCKS, bytes);
    unlock_cache();
    unmap_all(out);
}

size_t
ssop_blocks_cap(void)
{
    lock_cache();
    size_t cap = cache.cap;
    unlock_cache();
    return cap;
}

size_t
ssop_blocks_default_cap(void)
{
#if defined(MADV_FREE)
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) {
        return 0;
    }
    size_t share = (size_t)pages / MEMORY_SHARE;
    return share < most_default_bytes / (size_t)page ? share * (size_t)page : most_default_bytes;
#else
    return 0;
#endif
}

size_t
ssop_blocks_trim(void)
{
    lock_cache();
    size_t bytes = cache.bytes;
    record *out = take_oldest(0, 0);
    unlock_cache();
    unmap_all(out);
    return bytes;
}

/* ---- blocks --------------------------------------------------------------------------------------------------------- */

void *
ssop_block_new(size_t bytes, bool zeroed)
{
    record *found;
    if (bytes < SSOP_BLOCK_LEAST_BYTES) {
        found = allocate_small(bytes, zeroed);
    }
    else if ((found = find_kept(bytes)) == NULL) {
        found = map_block(bytes);
    }
    else if (zeroed) {
        memset(block_of(found), 0, bytes);
    }
    return found != NULL ? block_of(found) : NULL;
}

void
ssop_block_free(void *block)
{
    if (block == NULL) {
        return;
    }
    record *freed = record_of(block);
    if (freed->map == NULL) {
        free(freed);
    }
    else {
        keep(freed);
    }
}

#endif /* SSOP_HAS_SYSTEM */
