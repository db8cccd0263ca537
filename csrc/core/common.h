/* First include of every source file of the core: the public headers that it implements, and the functions that report
 * errors. */
#ifndef SSOP_CORE_COMMON_H
#define SSOP_CORE_COMMON_H

#include "../include/ssop/partial.h"
#include "base.h"

/* Where an error is: the number of the axis and of the entry, -1 for one that the error does not have. */
typedef struct {
    int32_t axis, entry;
} error_place;

#define NOWHERE ((error_place){-1, -1})

static inline error_place
at_axis(int32_t axis)
{
    return (error_place){axis, -1};
}

static inline error_place
at_entry(int32_t entry)
{
    return (error_place){-1, entry};
}

static inline error_place
at_axis_entry(int32_t axis, int32_t entry)
{
    return (error_place){axis, entry};
}

/* The numbers in the message of an error: the value as the caller gave it, and the range that is allowed. */
typedef struct {
    int64_t value, low, high;
} error_numbers;

#define NO_NUMBERS ((error_numbers){0, 0, 0})

static inline error_numbers
numbers(int64_t value, int64_t low, int64_t high)
{
    return (error_numbers){value, low, high};
}

/* Fills the error record, unless it is NULL, and returns the status of the rule. `form` 1 selects the second message of
 * a rule that has two. */
static inline ssop_status
fail_form(ssop_error *error, ssop_rule rule, int32_t form, error_place place, error_numbers shown)
{
    if (error != NULL) {
        *error = (ssop_error){.rule = rule,
                              .axis = place.axis,
                              .entry = place.entry,
                              .value = shown.value,
                              .low = shown.low,
                              .high = shown.high,
                              .form = form};
    }
    return ssop_rule_status(rule);
}

static inline ssop_status
fail(ssop_error *error, ssop_rule rule, error_place place, error_numbers shown)
{
    return fail_form(error, rule, 0, place, shown);
}

/* True if a view has no bytes. */
static inline bool
view_is_empty(const ssop_view *view)
{
    bool empty = view->item_bytes == 0;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        empty = empty || view->dim[axis] == 0;
    }
    return empty;
}

/* `bits` is all dims and strides of a view by `|`. True if no offset inside it can overflow int64: each is a sum of at
 * most SSOP_MAX_RANK products below 2^56. */
static inline bool
offset_bits_fit(uint64_t bits)
{
    return bits >> 28 == 0;
}

static inline bool
view_offsets_fit(const ssop_view *view)
{
    uint64_t bits = 0;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        bits |= magnitude(view->stride[axis]) | (uint64_t)view->dim[axis];
    }
    return offset_bits_fit(bits);
}

#endif /* SSOP_CORE_COMMON_H */
