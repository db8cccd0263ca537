/* Which entry of a slice of listed axes applies to which axis. That does not depend on the numbers of the entries, so
 * known slices and partly known ones share it. */
#ifndef SSOP_CORE_AXES_H
#define SSOP_CORE_AXES_H

#include "common.h"

/* The lengths of the lists, and the list of axes (NULL: 0, 1, ..). */
typedef struct {
    int64_t start_count, stop_count, axes_count, step_count;
    const int64_t *axes;
    bool has_step;
} axes_list;

/* Finds the entry of each axis, -1 if it has none. Errors: by the rules of the dialect. */
ssop_status ssop_axes_find_entries(const axes_list *list, int32_t rank, const ssop_axes_dialect *dialect,
                                   int32_t entry[SSOP_MAX_RANK], ssop_error *error);

#endif /* SSOP_CORE_AXES_H */
