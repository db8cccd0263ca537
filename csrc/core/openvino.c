/* OpenVINO's masks: converts mask vectors of any length to one flag byte per entry. */
#include "common.h"

enum { ELLIPSIS_VECTOR = 4 };

static const uint8_t flag_of_mask[SSOP_MASK_VECTORS] = {SSOP_BEGIN_MASK, SSOP_END_MASK, SSOP_AXIS_NEW, SSOP_SHRINK,
                                                        SSOP_ELLIPSIS};

static int32_t
readable(const ssop_mask_vector *mask)
{
    return mask->count < SSOP_MAX_ENTRIES ? (int32_t)mask->count : SSOP_MAX_ENTRIES;
}

static ssop_status
check_elements(const ssop_mask_vector masks[SSOP_MASK_VECTORS], ssop_error *error)
{
    for (int32_t m = 0; m < SSOP_MASK_VECTORS; m++) {
        for (int32_t i = 0; i < readable(&masks[m]); i++) {
            if (masks[m].element[i] != 0 && masks[m].element[i] != 1) {
                return fail(error, SSOP_OV_C1, at_entry(i), numbers(masks[m].element[i], m, 0));
            }
        }
    }
    return SSOP_OK;
}

static ssop_status
check_lengths(const ssop_mask_vector masks[SSOP_MASK_VECTORS], ssop_error *error)
{
    for (int32_t m = 1; m < SSOP_MASK_VECTORS; m++) {
        if (masks[m].count != 0 && masks[m].count != masks[0].count) {
            return fail(error, SSOP_OV_C2, NOWHERE, numbers(masks[m].count, m, masks[0].count));
        }
    }
    return SSOP_OK;
}

/* Checks that at most one of the first `count` elements is set. */
static ssop_status
check_ellipses(const ssop_mask_vector *mask, int64_t count, ssop_error *error)
{
    int32_t ellipses = 0;
    for (int32_t i = 0; i < readable(mask) && i < count; i++) {
        ellipses += mask->element[i] != 0;
        if (ellipses > 1) {
            return fail(error, SSOP_OV_C5, at_entry(i), NO_NUMBERS);
        }
    }
    return SSOP_OK;
}

ssop_status
ssop_openvino_spec_init(ssop_spec *spec, ssop_spec_counts counts, const ssop_mask_vector masks[SSOP_MASK_VECTORS],
                        bool strict, ssop_error *error)
{
    if (counts.begin != counts.end) {
        return fail(error, SSOP_OV_C3, NOWHERE, numbers(counts.begin, counts.end, 0));
    }
    if (counts.begin != counts.step) {
        return fail(error, SSOP_OV_C4, NOWHERE, numbers(counts.step, counts.begin, 0));
    }
    if (counts.begin > SSOP_MAX_ENTRIES) {
        return fail(error, SSOP_OV_C9, NOWHERE, numbers(counts.begin, 0, SSOP_MAX_ENTRIES));
    }
    ssop_status status = check_elements(masks, error);
    status = status == SSOP_OK && strict ? check_lengths(masks, error) : status;
    const ssop_mask_vector *ellipsis = &masks[ELLIPSIS_VECTOR];
    status = status == SSOP_OK ? check_ellipses(ellipsis, strict ? ellipsis->count : counts.begin, error) : status;
    if (status != SSOP_OK) {
        return status;
    }
    spec->count = (int32_t)counts.begin;
    spec->no_flags = false;
    for (int32_t i = 0; i < spec->count; i++) { /* ov_s4 */
        uint8_t flags = 0;
        for (int32_t m = 0; m < SSOP_MASK_VECTORS; m++) {
            flags |= i < masks[m].count && masks[m].element[i] != 0 ? flag_of_mask[m] : 0;
        }
        spec->flags[i] = flags;
    }
    return SSOP_OK;
}
