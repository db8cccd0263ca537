/* One axis of a slice with an offset instead of an end (tfl_s4), of which not all is known. */
#ifndef SSOP_CORE_PARTIAL_OFFSETS_H
#define SSOP_CORE_PARTIAL_OFFSETS_H

#include "interval.h"

typedef struct {
    ssop_interval dim, begin, offset, step;
    uint8_t flags;
} partial_offset;

/* The smallest and the largest count over all valid completions; the error of one if none is valid. If there are too
 * many to try them all, any part of the dim. */
ssop_status
ssop_offset_counts(const partial_offset *axis, const ssop_dialect *dialect, ssop_interval *counts, ssop_error *error);

#endif /* SSOP_CORE_PARTIAL_OFFSETS_H */
