/* Functions on ranges that are not public. */
#ifndef SSOP_CORE_RANGE_H
#define SSOP_CORE_RANGE_H

#include "common.h"

/* The part of a spec that applies to one axis. */
typedef struct {
    int64_t begin, end, step;
    uint8_t flags;
} range_entry;

/* Resolves one entry against one axis. Errors name rules of the dialect; the caller adds the axis and the entry to
 * them. */
ssop_status ssop_range_resolve(int64_t dim, const range_entry *entry, const ssop_dialect *dialect, ssop_range *range,
                               ssop_axis_trace *trace, ssop_error *error);

/* The range of the elements that `second` selects from those that `first` selects. */
ssop_range ssop_range_compose(ssop_range first, ssop_range second);

#endif /* SSOP_CORE_RANGE_H */
