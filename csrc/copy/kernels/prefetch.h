/* Template: software prefetch of a source that comes from memory. Hardware prefetchers follow one sequential stream
 * well, but do little for rows with gaps, and they bring lines only into the outer caches. Include once per CPU target,
 * with ISA, TARGET and prefetch. */
#define prefetch_span KERNEL(prefetch_span)
#define prefetch_plan KERNEL(prefetch_plan)
#define plan_prefetch KERNEL(plan_prefetch)
#define prefetch_ahead KERNEL(prefetch_ahead)
#define prefetch_row KERNEL(prefetch_row)

/* How many bytes of the source lie between a load and the prefetch that is issued with it: for rows, and for one stream
 * of small items. Measured on a Zen 5 by `ssop bench --classes rows-64B,stride-4B --sizes DRAM --threads 1`: the best
 * of the powers of two and the means between them. */
enum { ROW_PREFETCH_DISTANCE = 4096, SPAN_PREFETCH_DISTANCE = 6144 };

/* Prefetches all lines of `bytes` bytes. */
INLINE TARGET void
prefetch_span(const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch(address_after(from, at));
    }
}

/* Which place is read ROW_PREFETCH_DISTANCE bytes of rows after a place in the present row: before same_row_end that
 * place is in the same row, from there on it is in a later row, next_row_offset bytes away. */
typedef struct {
    int64_t same_row_end, next_row_offset;
} prefetch_plan;

INLINE TARGET prefetch_plan
plan_prefetch(int64_t row_bytes, int64_t pitch)
{
    prefetch_plan plan = {0, ROW_PREFETCH_DISTANCE / row_bytes * pitch};
    if (row_bytes > ROW_PREFETCH_DISTANCE) {
        plan.same_row_end = row_bytes - ROW_PREFETCH_DISTANCE;
        plan.next_row_offset = pitch - plan.same_row_end;
    }
    return plan;
}

INLINE TARGET void
prefetch_ahead(const prefetch_plan *plan, const char *from, int64_t at)
{
    prefetch(address_after(from, at + (at < plan->same_row_end ? ROW_PREFETCH_DISTANCE : plan->next_row_offset)));
}

INLINE TARGET void
prefetch_row(const prefetch_plan *plan, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch_ahead(plan, from, at);
    }
}

#undef prefetch_span
#undef prefetch_plan
#undef plan_prefetch
#undef prefetch_ahead
#undef prefetch_row
