/* The vocabulary of permute.h for vectors of 16 bytes. Include with the lane operations. */
#define VECTOR_BYTES 16

typedef lane vector;

typedef struct {
    lane index[MAX_CHUNKS];
    lane cut; /* the last one, for a chunk that ends with the window */
    int32_t window;
} vector_maker;

INLINE TARGET vector_maker
start_maker(const permute_table *table, int32_t chunks)
{
    vector_maker maker;
    for (int32_t k = 0; k < chunks; k++) {
        maker.index[k] = load_lane((const char *)table->index + 16 * k);
    }
    maker.cut = raise_index(maker.index[chunks - 1], 16 * chunks - table->window);
    maker.window = table->window;
    return maker;
}

/* What all chunks but the last have for the vector, whose other bytes are in `v`. */
INLINE TARGET vector
add_chunks(const vector_maker *maker, vector v, const char *from, int32_t chunks)
{
    for (int32_t k = 0; k < chunks - 1; k++) {
        v = either(v, shuffle(load_lane(from + 16 * k), maker->index[k]));
    }
    return v;
}

INLINE TARGET vector
make_vector(const vector_maker *maker, const char *from, int32_t chunks)
{
    const char *last = from + 16 * (chunks - 1);
    return add_chunks(maker, shuffle(load_lane(last), maker->index[chunks - 1]), from, chunks);
}

INLINE TARGET vector
make_last(const vector_maker *maker, const char *from, int32_t chunks)
{
    if (maker->window >= 16) {
        const char *last = from + maker->window - 16;
        return add_chunks(maker, shuffle(load_lane(last), maker->cut), from, chunks);
    }
    char bytes[16] = {0};
    memcpy(bytes, from, (size_t)maker->window);
    return shuffle(load_lane(bytes), maker->index[0]);
}

INLINE TARGET void
store_vector(char *to, vector v)
{
    store_lane16(to, v);
}

INLINE TARGET void
store_part(char *to, vector v, int64_t count)
{
    char bytes[16];
    store_lane16(bytes, v);
    memcpy(to, bytes, (size_t)count);
}

/* And of dilate_vectors.h. */
#define load_vector load_lane

INLINE TARGET vector
spread(const spread_table *table, int32_t k, vector v)
{
    return shuffle(v, load_lane((const char *)table->index + 16 * k));
}
