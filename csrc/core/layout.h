/* Finds which entry of a spec applies to which axis. That depends only on the flags and the rank, so resolving a known
 * shape and a partly known one share it. */
#ifndef SSOP_CORE_LAYOUT_H
#define SSOP_CORE_LAYOUT_H

#include "common.h"

enum { LAYOUT_WHOLE = -1 };

typedef struct {
    int32_t out_rank;
    int16_t entry[SSOP_MAX_RANK]; /* the entry of each input axis, or LAYOUT_WHOLE */
    int8_t out_axis[SSOP_MAX_RANK];
} entry_layout;

/* One flag byte per entry. */
typedef struct {
    int32_t count;
    const uint8_t *flags;
} entry_flags;

/* Errors: two ellipses or an entry without an axis, by the rules of the dialect, and a result of too high a rank
 * (ss_c8); the layout is incomplete then. */
ssop_status ssop_layout_resolve(entry_flags entries, int32_t rank, const ssop_dialect *dialect, entry_layout *layout,
                                ssop_trace *trace, ssop_error *error);

/* tfl_c8: TFLite reads the offset of axis k from entry k. So every axis must have the entry of its own number. */
ssop_status ssop_offset_layout_check(entry_flags entries, const entry_layout *layout, int32_t rank,
                                     const ssop_dialect *dialect, ssop_error *error);

#endif /* SSOP_CORE_LAYOUT_H */
