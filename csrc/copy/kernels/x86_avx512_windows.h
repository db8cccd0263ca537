/* Template: the operations of shuffle.h on windows that are loaded as whole chunks of 64 bytes, the last one by a mask
 * where it may reach beyond the row. Include after the definitions of window_shuffler, whose last_mask is that mask,
 * and of shuffle_chunks, with the names that shuffle.h uses. */
INLINE TARGET vector
shuffle_window(const window_shuffler *shuffler, const char *from, int32_t chunks)
{
    return shuffle_chunks(shuffler, from, chunks, _mm512_loadu_si512(from + 64 * (chunks - 1)));
}

INLINE TARGET vector
shuffle_last_window(const window_shuffler *shuffler, const char *from, int32_t chunks, const char *low,
                    const char *high)
{
    (void)low, (void)high;
    return shuffle_chunks(shuffler, from, chunks,
                          _mm512_maskz_loadu_epi8(shuffler->last_mask, from + 64 * (chunks - 1)));
}

INLINE TARGET vector
shuffle_windows(const window_shuffler *shuffler, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return shuffle_window(shuffler, from, chunks);
}
