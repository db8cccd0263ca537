/* Template: software prefetch of a source that comes from memory. Hardware prefetchers follow one sequential stream
 * well, but do little for rows with gaps, and they bring lines only into the outer caches. Include once per CPU target,
 * with TARGET, prefetch and prefetch_l2. */

/* Prefetches all lines of `bytes` bytes. */
INLINE TARGET void
prefetch_span(const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch(address_after(from, at));
    }
}

/* How far a span of a row is from the one that is prefetched with it, if a row extends over `extent` bytes: along the
 * row, or along the rows if they end before, but follow each other so closely that the place is in one of them;
 * otherwise 0, and nothing is prefetched (record prefetched-spans). */
INLINE int64_t
span_distance(const ssop_tile *tile, int64_t extent)
{
    const int64_t distance = tile->policies->span_prefetch_distance;
    const int64_t pitch = tile->src_row < 0 ? -tile->src_row : tile->src_row; /* magnitude() makes longer code here */
    const bool along_row = extent >= distance;
    if (!along_row && pitch > extent + extent / 2) {
        return 0;
    }
    return (along_row ? tile->src_column : tile->src_row) < 0 ? -distance : distance;
}

/* Which place is read `distance` bytes of rows after a place in the present row: before same_row_end that place is in
 * the same row, from there on it is in a later row, next_row_offset bytes away. */
typedef struct {
    int64_t distance, same_row_end, next_row_offset;
    bool l2; /* SSOP_PREFETCH_L2 */
} prefetch_plan;

INLINE TARGET prefetch_plan
plan_prefetch(const ssop_tile *tile, int64_t row_bytes, int64_t pitch)
{
    const int64_t distance = tile->policies->row_prefetch_distance;
    prefetch_plan plan = {distance, 0, distance / row_bytes * pitch, (tile->policy & SSOP_PREFETCH_L2) != 0};
    if (row_bytes > distance) {
        plan.same_row_end = row_bytes - distance;
        plan.next_row_offset = pitch - plan.same_row_end;
    }
    return plan;
}

INLINE TARGET void
prefetch_ahead(const prefetch_plan *plan, const char *from, int64_t at)
{
    const char *place = address_after(from, at + (at < plan->same_row_end ? plan->distance : plan->next_row_offset));
    if (plan->l2) {
        prefetch_l2(place);
    }
    else {
        prefetch(place);
    }
}

INLINE TARGET void
prefetch_row(const prefetch_plan *plan, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch_ahead(plan, from, at);
    }
}
