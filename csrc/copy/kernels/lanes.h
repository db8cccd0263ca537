/* The operations that shuffle.h and dilate_vectors.h need, for vectors of 16 bytes. Include after the definitions of
 * lane, load_lane, store_lane16, shuffle, shift_index and combine. */
#define VECTOR_BYTES 16

typedef lane vector;

typedef struct {
    lane index[MAX_CHUNKS];
    lane last_index; /* of the last chunk, if that is loaded so that it ends with the window */
    int32_t window;
} window_shuffler;

INLINE TARGET window_shuffler
load_shuffler(const shuffle_table *table, int32_t chunks)
{
    window_shuffler shuffler;
    for (int32_t k = 0; k < chunks; k++) {
        shuffler.index[k] = load_lane((const char *)table->index + 16 * k);
    }
    shuffler.last_index = shift_index(shuffler.index[chunks - 1], 16 * chunks - table->window);
    shuffler.window = table->window;
    return shuffler;
}

/* Adds the bytes that come from all chunks but the last; `v` has those of the last one. */
INLINE TARGET vector
combine_chunks(const window_shuffler *shuffler, vector v, const char *from, int32_t chunks)
{
    for (int32_t k = 0; k < chunks - 1; k++) {
        v = combine(v, shuffle(load_lane(from + 16 * k), shuffler->index[k]));
    }
    return v;
}

INLINE TARGET vector
shuffle_window(const window_shuffler *shuffler, const char *from, int32_t chunks)
{
    const char *last = from + 16 * (chunks - 1);
    return combine_chunks(shuffler, shuffle(load_lane(last), shuffler->index[chunks - 1]), from, chunks);
}

/* The last chunk ends with the window, unless that is shorter than a chunk and begins before `low` + 16 bytes. */
INLINE TARGET vector
shuffle_last_window(const window_shuffler *shuffler, const char *from, int32_t chunks, const char *low,
                    const char *high)
{
    if (high - from >= 16 * chunks) {
        return shuffle_window(shuffler, from, chunks);
    }
    if (from + shuffler->window - low >= 16) {
        const char *last = from + shuffler->window - 16;
        return combine_chunks(shuffler, shuffle(load_lane(last), shuffler->last_index), from, chunks);
    }
    char bytes[16] = {0};
    memcpy(bytes, from, (size_t)shuffler->window);
    return shuffle(load_lane(bytes), shuffler->index[0]);
}

INLINE TARGET void
store_vector(char *to, vector v)
{
    store_lane16(to, v);
}

/* Two stores that may overlap are faster than a call of memcpy. */
INLINE TARGET void
store_bytes(char *to, vector v, int64_t count)
{
    char bytes[16];
    store_lane16(bytes, v);
    if (count >= 8) {
        memcpy(to, bytes, 8);
        memcpy(to + count - 8, bytes + count - 8, 8);
    }
    else {
        memcpy(to, bytes, (size_t)count);
    }
}

#define load_vector load_lane
#define load_items(from, bytes) load_lane(from) /* they fill it, because their sizes are powers of two */

#include "dilater.h"

INLINE TARGET vector
dilate_vector(const dilater *all, int32_t k, vector v)
{
    return shuffle(v, load_lane((const char *)all->table->index + 16 * k));
}
