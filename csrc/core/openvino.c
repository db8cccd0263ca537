/* OpenVINO's border: mask vectors of any length become one flag byte per entry. */
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
                return fail(error, SSOP_OV_C1, -1, i, masks[m].element[i], m, 0);
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
            return fail(error, SSOP_OV_C2, -1, -1, masks[m].count, m, masks[0].count);
        }
    }
    return SSOP_OK;
}

/* Among the first `count` elements. */
static ssop_status
check_ellipses(const ssop_mask_vector *mask, int64_t count, ssop_error *error)
{
    int32_t ellipses = 0;
    for (int32_t i = 0; i < readable(mask) && i < count; i++) {
        ellipses += mask->element[i] != 0;
        if (ellipses > 1) {
            return fail(error, SSOP_OV_C5, -1, i, 0, 0, 0);
        }
    }
    return SSOP_OK;
}

ssop_status
ssop_openvino_spec_init(ssop_spec *spec, int64_t begin_count, int64_t end_count, int64_t step_count,
                        const ssop_mask_vector masks[SSOP_MASK_VECTORS], bool strict, ssop_error *error)
{
    if (begin_count != end_count) {
        return fail(error, SSOP_OV_C3, -1, -1, begin_count, end_count, 0);
    }
    if (begin_count != step_count) {
        return fail(error, SSOP_OV_C4, -1, -1, step_count, begin_count, 0);
    }
    if (begin_count > SSOP_MAX_ENTRIES) {
        return fail(error, SSOP_OV_C9, -1, -1, begin_count, 0, SSOP_MAX_ENTRIES);
    }
    ssop_status status = check_elements(masks, error);
    status = status == SSOP_OK && strict ? check_lengths(masks, error) : status;
    const ssop_mask_vector *ellipsis = &masks[ELLIPSIS_VECTOR];
    status = status == SSOP_OK ? check_ellipses(ellipsis, strict ? ellipsis->count : begin_count, error) : status;
    if (status != SSOP_OK) {
        return status;
    }
    spec->count = (int32_t)begin_count;
    spec->plain = false;
    for (int32_t i = 0; i < spec->count; i++) { /* ov_s4 */
        uint8_t flags = 0;
        for (int32_t m = 0; m < SSOP_MASK_VECTORS; m++) {
            flags |= i < masks[m].count && masks[m].element[i] != 0 ? flag_of_mask[m] : 0;
        }
        spec->flags[i] = flags;
    }
    return SSOP_OK;
}
