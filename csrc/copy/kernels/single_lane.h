/* The operations of shuffle.h on VECTORS vectors, for CPU targets that make one vector at a time. Include after
 * lanes.h. */
#define VECTORS 1

typedef vector wide;

INLINE TARGET wide
shuffle_windows(const window_shuffler *shuffler, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return shuffle_window(shuffler, from, chunks);
}

#define store_wide store_vector

INLINE TARGET void
store_apart(char *to, wide v, int64_t bytes)
{
    (void)bytes;
    store_vector(to, v);
}

INLINE TARGET void
stream_wide(char *to, wide v)
{
    x1_stream(to, v);
}
