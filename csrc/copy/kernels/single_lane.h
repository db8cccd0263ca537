/* For tiers whose vectors are one lane: the wide operations of permute.h. Include after lanes.h. */
#define VECTORS 1

typedef vector wide;

INLINE TARGET wide
make_wide(const vector_maker *maker, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return make_vector(maker, from, chunks);
}

INLINE TARGET void
store_wide(char *to, wide v, int64_t bytes)
{
    (void)bytes;
    store_vector(to, v);
}

INLINE TARGET void
stream_wide(char *to, wide v)
{
    x1_stream(to, v);
}
