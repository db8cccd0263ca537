/* The first write to a fresh page is a page fault, which takes several times as long as copying the page. A huge page
 * has one fault for 2 MiB. A page that was written before has no fault, so freed blocks are cached
 * (benchmarks/kept_results.py). Large blocks are mappings of their own, aligned to huge pages; medium blocks come from
 * malloc.
 *
 * Each block has a record in front of it. In a mapping, the record is at the end of one small page, so that the block
 * itself begins at a huge page:
 *
 *     map           block                      block + capacity
 *     | ... record | huge page | huge page | .. |
 */
#include "platform.h"

#include "blocks.h"
#include "free_lists.h"
#include "poison.h"

#if SSOP_HAS_SYSTEM
#include <stdatomic.h>
#endif
#include <stdlib.h>
#include <string.h>

typedef ssop_block_record record;

enum { RECORD_BYTES = 64 }; /* a cache line, and a multiple of malloc's alignment */

_Static_assert(sizeof(record) <= RECORD_BYTES, "a record fits before its block");
_Static_assert(SSOP_CACHED_MIN_BYTES == SSOP_MIN_CLASS_BYTES && SSOP_BLOCK_MIN_BYTES == SSOP_MAX_CLASS_BYTES,
               "every medium block has a size class");

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
#if SSOP_HAS_SYSTEM
    return atomic_load_explicit(&record_of(block)->warm, memory_order_relaxed);
#else
    return record_of(block)->warm;
#endif
}

void
ssop_block_set_warm(void *block)
{
#if SSOP_HAS_SYSTEM
    atomic_store_explicit(&record_of(block)->warm, true, memory_order_relaxed);
#else
    record_of(block)->warm = true;
#endif
}

/* Lets the sanitizer report each access to the block behind its first `bytes` bytes. */
static void
poison_tail(char *block, size_t bytes)
{
    unpoison(block, bytes);
    poison(block + bytes, record_of(block)->capacity - bytes);
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
        poison_tail(block, bytes);
        return block;
    }
    void *moved = ssop_block_new(bytes, false);
    if (moved != NULL) {
        unpoison(block, capacity); /* how many bytes the block was made with is not known any more */
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

enum {
    HUGE_PAGE_BYTES = 2 * 1024 * 1024, /* of x86-64, and of AArch64 with pages of 4 KiB */
    MAX_BLOCKS = 32, /* not measured; chosen because a search through all of them is short beside a copy of 4 MiB */
    /* A new block has at most 1 / MAX_SLACK_SHARE more bytes than the request, from the cache or from rounding up to
     * huge pages. Not measured; chosen so that results of about the same size share blocks, and little memory is
     * wasted. Blocks of up to twice the size are kept by ssop_block_resize, because moving to a smaller one is a
     * copy. */
    MAX_SLACK_SHARE = 8,
    /* Medium blocks take at most 1 / MEDIUM_SHARE of the cap, because the system cannot take them back by itself. Not
     * measured; chosen so that 64 results of 1 MiB fit in the largest default cap. */
    MEDIUM_SHARE = 8,
    /* The default cap: 1 / MEMORY_SHARE of the physical memory, at most max_default_bytes. Not measured; chosen so that
     * an idle process holds a small part of the memory, which the system may take back anyway. */
    MEMORY_SHARE = 16,
};

static const size_t max_default_bytes = (size_t)512 * 1024 * 1024;

static struct {
    system_lock lock;
    atomic_size_t cap; /* written by who holds the lock */
    ssop_free_lists medium;
    /* Large blocks. */
    size_t bytes;
    int count;
    record *block[MAX_BLOCKS]; /* in the order in which they were freed */
} cache = {.lock = SYSTEM_LOCK_INIT};

/* ---- mappings ---------------------------------------------------------------------------------------------------- */

static size_t
round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static record *
map_block(size_t bytes)
{
    size_t page = system_page_bytes(), huge = HUGE_PAGE_BYTES;
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    size_t whole = round_up(bytes, huge);
    size_t capacity = whole - bytes <= bytes / MAX_SLACK_SHARE ? whole : round_up(bytes, page);
    char *map, *block = system_map(page, capacity, huge, &map);
    if (block == NULL && ssop_blocks_trim() > 0) {
        block = system_map(page, capacity, huge, &map);
    }
    if (block == NULL) {
        return NULL;
    }
    record *made = record_of(block);
    *made = (record){.capacity = capacity, .map = map};
    return made;
}

static void
release_all(record *first)
{
    while (first != NULL) {
        record *next = first->next;
        char *block = block_of(first);
        unpoison(block, first->capacity);
        if (first->map != NULL) {
            system_unmap(first->map, (size_t)(block - first->map) + first->capacity);
        }
        else {
            system_free(first);
        }
        first = next;
    }
}

/* The block begins at a cache line, so that copies write whole lines. */
static record *
allocate_medium(size_t bytes)
{
    size_t capacity = ssop_size_class_bytes(bytes);
    record *made = system_allocate(RECORD_BYTES, RECORD_BYTES + capacity);
    if (made == NULL && ssop_blocks_trim() > 0) {
        made = system_allocate(RECORD_BYTES, RECORD_BYTES + capacity);
    }
    if (made == NULL) {
        return NULL;
    }
    *made = (record){.capacity = capacity};
    return made;
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

static void
take_lock(void)
{
    system_take(&cache.lock);
}

static void
unlock_cache(void)
{
    system_release(&cache.lock);
}

static void
prepare_for_forks(void)
{
    (void)system_at_fork(take_lock, unlock_cache, unlock_cache);
}

/* A fork must not happen while another thread holds the lock, because the child could never take it then. The handlers
 * that hold the lock during a fork are installed before it is taken for the first time. */
static void
lock_cache(void)
{
    static system_once once = SYSTEM_ONCE_INIT;
    system_run_once(&once, prepare_for_forks);
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

/* Removes the large blocks that were freed first, until at most `max` blocks and `bytes` bytes are left. Puts them
 * in front of the list `removed`, whose new beginning it returns; the caller releases it after it has released the
 * lock. */
static record *
remove_oldest(int max, size_t bytes, record *removed)
{
    while (cache.count > max || cache.bytes > bytes) {
        record *block = remove_cached(0);
        block->next = removed;
        removed = block;
    }
    return removed;
}

/* Takes the smallest large block that has `bytes` bytes and not many more, or returns NULL. Among blocks of equal size
 * it takes the one that was freed last, because its bytes may still be in the processor's caches. */
static record *
take_large(size_t bytes)
{
    int best = -1;
    for (int at = cache.count - 1; at >= 0; at--) {
        size_t capacity = cache.block[at]->capacity;
        if (capacity >= bytes && capacity - bytes <= bytes / MAX_SLACK_SHARE &&
            (best < 0 || capacity < cache.block[best]->capacity)) {
            best = at;
        }
    }
    return best >= 0 ? remove_cached(best) : NULL;
}

static record *
take_cached(size_t bytes)
{
    lock_cache();
    record *found = bytes < SSOP_BLOCK_MIN_BYTES ? ssop_free_lists_take(&cache.medium, bytes) : take_large(bytes);
    unlock_cache();
    return found;
}

static void
cache_large(record *block)
{
    if (block->capacity > ssop_blocks_cap() || !system_allow_reclaim(block_of(block), block->capacity)) {
        release_all(block);
        return;
    }
    lock_cache();
    size_t cap = cache.cap;
    record *out = block;
    if (block->capacity <= cap) { /* the cap may have changed since the first test */
        size_t left = cap - block->capacity;
        out = ssop_free_lists_shrink(&cache.medium, left, NULL);
        out = remove_oldest(MAX_BLOCKS - 1, left - cache.medium.bytes, out);
        cache.block[cache.count++] = block;
        cache.bytes += block->capacity;
    }
    unlock_cache();
    release_all(out);
}

/* Medium blocks evict large ones, but not the newest: a program that frees results of both kinds in turns would lose
 * the memory of the large one each time. */
static size_t
medium_cap(void)
{
    size_t cap = cache.cap, newest = cache.count > 0 ? cache.block[cache.count - 1]->capacity : 0;
    size_t share = cap / MEDIUM_SHARE;
    return share < cap - newest ? share : cap - newest;
}

static void
cache_medium(record *block)
{
    record *out = block;
    lock_cache();
    size_t most = medium_cap();
    if (block->capacity <= most) {
        out = ssop_free_lists_shrink(&cache.medium, most - block->capacity, NULL);
        ssop_free_lists_add(&cache.medium, block);
        out = remove_oldest(MAX_BLOCKS, cache.cap - cache.medium.bytes, out);
    }
    unlock_cache();
    release_all(out);
}

static void
cache_block(record *block)
{
    block->next = NULL;
    ssop_block_set_warm(block_of(block));
    poison(block_of(block), block->capacity);
    if (block->map != NULL) {
        cache_large(block);
    }
    else {
        cache_medium(block);
    }
}

void
ssop_blocks_set_cap(size_t bytes)
{
    lock_cache();
    cache.cap = bytes;
    record *out = ssop_free_lists_shrink(&cache.medium, bytes / MEDIUM_SHARE, NULL);
    out = remove_oldest(MAX_BLOCKS, bytes - cache.medium.bytes, out);
    unlock_cache();
    release_all(out);
}

size_t
ssop_blocks_cap(void)
{
    return atomic_load_explicit(&cache.cap, memory_order_relaxed);
}

size_t
ssop_blocks_default_cap(void)
{
    size_t share = system_memory_pages() / MEMORY_SHARE, page = system_page_bytes();
    return share < max_default_bytes / page ? share * page : max_default_bytes;
}

size_t
ssop_blocks_trim(void)
{
    lock_cache();
    size_t medium = cache.medium.bytes, bytes = medium + cache.bytes;
    record *out = remove_oldest(0, 0, ssop_free_lists_shrink(&cache.medium, 0, NULL));
    unlock_cache();
    release_all(out);
    if (medium > 0) {
        system_trim();
    }
    return bytes;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static record *
allocate_block(size_t bytes, bool zeroed)
{
    if (bytes < SSOP_CACHED_MIN_BYTES) {
        return allocate_small(bytes, zeroed);
    }
    record *found = take_cached(bytes);
    bool has_zeros = false;
    if (found == NULL && bytes < SSOP_BLOCK_MIN_BYTES) {
        found = allocate_medium(bytes);
    }
    else if (found == NULL) {
        found = map_block(bytes);
        has_zeros = true;
    }
    if (found != NULL) {
        poison_tail(block_of(found), bytes);
    }
    if (found != NULL && zeroed && !has_zeros) {
        memset(block_of(found), 0, bytes);
    }
    return found;
}

void *
ssop_block_new(size_t bytes, bool zeroed)
{
    record *found = allocate_block(bytes, zeroed);
    return found != NULL ? block_of(found) : NULL;
}

void
ssop_block_free(void *block)
{
    if (block == NULL) {
        return;
    }
    record *freed = record_of(block);
    if (freed->capacity < SSOP_CACHED_MIN_BYTES) {
        free(freed);
    }
    else {
        cache_block(freed);
    }
}

#endif /* SSOP_HAS_SYSTEM */
