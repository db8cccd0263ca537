/* Which entry applies to which axis. That depends on flags and rank alone: exact and partial resolving share it. */
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

/* Errors: the dialect's rules for two ellipses and for an entry without an axis, and ss_c8. */
ssop_status ssop_layout_resolve(entry_flags entries, int32_t rank, const ssop_dialect *dialect, entry_layout *layout,
                                ssop_trace *trace, ssop_error *error);

#endif /* SSOP_CORE_LAYOUT_H */
