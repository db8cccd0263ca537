/* One axis: what core's files share about ranges. */
#ifndef SSOP_CORE_RANGE_H
#define SSOP_CORE_RANGE_H

#include "common.h"

/* The part of a spec that meets one axis. */
typedef struct {
    int64_t begin, end, step;
    uint8_t flags;
} range_entry;

/* Resolves one entry against one axis. Errors are the dialect's; the caller adds axis and entry. */
ssop_status ssop_range_resolve(int64_t dim, const range_entry *entry, const ssop_dialect *dialect, ssop_range *range,
                               ssop_axis_trace *trace, ssop_error *error);

/* The range that takes `second` of the elements that `first` takes. */
ssop_range ssop_range_compose(ssop_range first, ssop_range second);

#endif /* SSOP_CORE_RANGE_H */
