/* Large blocks are mappings of their own. The page fault of a fresh page takes longer than copying the page: copies
 * into fresh pages of 4 KiB ran at 1.9 to 2.6 GB/s, into huge pages at 7.8 to 9.3 and into pages that were written
 * before at 40 to 50 (Zen 4, a virtual machine; 64 KiB to 3 MiB). So blocks are aligned to huge pages, and freed blocks
 * are cached.
 *
 * Each block has a record in front of it. In a mapping, the record is at the end of one small page, so that the block
 * itself begins at a huge page:
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
    char *map; /* the beginning of the mapping; NULL: the block is from malloc */
    bool warm;
    struct record *next; /* in a list of blocks to unmap */
} record;

enum { RECORD_BYTES = 64 }; /* a cache line, and a multiple of malloc's alignment */

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

/* Returns the same block unless it is too small, or more than half of it would be unused. */
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
    HUGE_PAGE_BYTES = 2 * 1024 * 1024, /* of x86-64, and of AArch64 with pages of 4 KiB */
    MAX_BLOCKS = 32, /* not measured; chosen because a search through all of them is short beside a copy of 4 MiB */
    /* A new block has at most 1 / MAX_SLACK_SHARE more bytes than the request, from the cache or from rounding up to
     * huge pages. Not measured; chosen so that results of about the same size share blocks, and little memory is
     * wasted. ssop_block_resize keeps blocks of up to twice the size, because a smaller one costs a copy. */
    MAX_SLACK_SHARE = 8,
    /* The default cap: 1 / MEMORY_SHARE of the physical memory, at most max_default_bytes. Not measured; chosen so that
     * an idle process holds a small part of the memory, which the system may take back anyway. */
    MEMORY_SHARE = 16,
};

static const size_t max_default_bytes = (size_t)512 * 1024 * 1024;

static struct {
    pthread_mutex_t lock;
    size_t cap, bytes;
    int count;
    record *block[MAX_BLOCKS]; /* in the order in which they were freed */
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- mappings ---------------------------------------------------------------------------------------------------- */

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
    size_t whole = round_up(bytes, huge);
    size_t capacity = whole - bytes <= bytes / MAX_SLACK_SHARE ? whole : round_up(bytes, page);
    size_t reserved = page + capacity + huge;
    char *map = map_pages(reserved);
    if (map == NULL && ssop_blocks_trim() > 0) {
        map = map_pages(reserved);
    }
    if (map == NULL) {
        return NULL;
    }
    /* Unmap what lies before the page of the record and after the block. */
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
    madvise(map, page + capacity, MADV_HUGEPAGE); /* may fail: then the pages are small ones */
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

/* ---- the cache --------------------------------------------------------------------------------------------------- */

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

/* A fork must not happen while another thread holds the lock, because the child could never take it then. The handlers
 * that hold the lock during a fork are installed before it is taken for the first time. */
static void
lock_cache(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_for_forks);
    take_lock();
}

static record *
remove_cached(int at)
{
    record *block = cache.block[at];
    cache.count--;
    cache.bytes -= block->capacity;
    memmove(&cache.block[at], &cache.block[at + 1], (size_t)(cache.count - at) * sizeof *cache.block);
    return block;
}

/* Removes the blocks that were freed first, until at most `max` blocks and `bytes` bytes are left. The caller unmaps
 * them after it has released the lock. */
static record *
remove_oldest(int max, size_t bytes)
{
    record *first = NULL;
    while (cache.count > max || cache.bytes > bytes) {
        record *block = remove_cached(0);
        block->next = first;
        first = block;
    }
    return first;
}

/* Takes the smallest cached block that has `bytes` bytes and not many more; of equal ones the one that was freed last,
 * because its bytes may still be in the processor's caches. NULL if there is none. */
static record *
take_cached(size_t bytes)
{
    int best = -1;
    lock_cache();
    for (int at = cache.count - 1; at >= 0; at--) {
        size_t capacity = cache.block[at]->capacity;
        if (capacity >= bytes && capacity - bytes <= bytes / MAX_SLACK_SHARE &&
            (best < 0 || capacity < cache.block[best]->capacity)) {
            best = at;
        }
    }
    record *found = best >= 0 ? remove_cached(best) : NULL;
    unlock_cache();
    return found;
}

/* Allows the system to take the pages of a block when it is short of memory; until then they stay mapped. The contents
 * may be lost. MADV_FREE took 3 us for 2 MiB and 96 us for 256 MiB (Zen 4, a virtual machine). */
static bool
allow_reclaim(record *block)
{
#if defined(MADV_FREE)
    return madvise(block_of(block), block->capacity, MADV_FREE) == 0;
#else
    (void)block;
    return false;
#endif
}

static void
cache_block(record *block)
{
    block->next = NULL;
    if (block->capacity > ssop_blocks_cap() || !allow_reclaim(block)) {
        unmap_all(block);
        return;
    }
    block->warm = true;
    lock_cache();
    record *out = block;
    if (block->capacity <= cache.cap) { /* the cap may have changed since the first test */
        out = remove_oldest(MAX_BLOCKS - 1, cache.cap - block->capacity);
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
    record *out = remove_oldest(MAX_BLOCKS, bytes);
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
    return share < max_default_bytes / (size_t)page ? share * (size_t)page : max_default_bytes;
#else
    return 0;
#endif
}

size_t
ssop_blocks_trim(void)
{
    lock_cache();
    size_t bytes = cache.bytes;
    record *out = remove_oldest(0, 0);
    unlock_cache();
    unmap_all(out);
    return bytes;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

void *
ssop_block_new(size_t bytes, bool zeroed)
{
    record *found;
    if (bytes < SSOP_BLOCK_MIN_BYTES) {
        found = allocate_small(bytes, zeroed);
    }
    else if ((found = take_cached(bytes)) == NULL) {
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
        cache_block(freed);
    }
}

#endif /* SSOP_HAS_SYSTEM */
