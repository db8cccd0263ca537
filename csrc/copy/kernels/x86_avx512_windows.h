/* Template: the operations of permute.h on windows that are loaded as whole chunks of 64 bytes, the last one by a mask
 * where it may reach beyond the row. Include after the definitions of window_permuter, whose last_mask is that mask,
 * and of permute_chunks, with the names that permute.h uses. */
INLINE TARGET vector
permute_window(const window_permuter *permuter, const char *from, int32_t chunks)
{
    return permute_chunks(permuter, from, chunks, _mm512_loadu_si512(from + 64 * (chunks - 1)));
}

INLINE TARGET vector
permute_last_window(const window_permuter *permuter, const char *from, int32_t chunks, const char *low,
                    const char *high)
{
    (void)low, (void)high;
    return permute_chunks(permuter, from, chunks,
                          _mm512_maskz_loadu_epi8(permuter->last_mask, from + 64 * (chunks - 1)));
}

INLINE TARGET vector
permute_windows(const window_permuter *permuter, const char *from, int64_t step, int32_t chunks)
{
    (void)step;
    return permute_window(permuter, from, chunks);
}
