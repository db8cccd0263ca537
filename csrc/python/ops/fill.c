/* Results that have elements of an operand, and one value around them. */
#include "fill.h"

#include "../checks.h"

int
fill_check_value(const call_context *call, const char *name, const call_arrays *arrays, bool checks_dtype)
{
    const private_view *value = &arrays->value;
    if (value->view.rank != 0) {
        const ssop_error error = {.rule = SSOP_PAD_C1, .axis = -1, .entry = -1};
        raise_shapes(call, &error, name, private_view_shape(value), (ssop_shape){0, NULL});
        return -1;
    }
    return arrays->value_converted || !checks_dtype
             ? 0
             : check_dtype_rule(call, value, name, arrays->operand.dtype, SSOP_PAD_C3);
}

static bool
is_all_zero(const private_view *value)
{
    const char *bytes = value->view.data; /* at least one: items of none are not asked about */
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, (size_t)value->view.item_bytes - 1) == 0;
}

/* The value, as if it had the shape of the result. */
static private_view
repeated(const result_array *result, const private_view *value)
{
    private_view all = *value;
    const ssop_view *to = &result->to->view;
    (void)ssop_broadcast_view(to->rank, to->dim, &value->view, &all.view, NULL);
    return all;
}

/* The value around the operand's place, then the operand: for what no single sweep can write. */
static int
fill_and_place(result_array *result, const ssop_region *kept, const ssop_region *place, const call_arrays *arrays)
{
    const private_view around = repeated(result, &arrays->value);
    result_in_parts(result);
    return result_copy_complement(result, &around, place) < 0
             ? -1
             : result_move_region(result, place, &arrays->operand, kept);
}

int
fill_around(result_array *result, const ssop_region *kept, const ssop_region *place, call_arrays *arrays)
{
    private_view *operand = &arrays->operand, *value = &arrays->value;
    if (result_save(result, operand) < 0 || result_save(result, value) < 0) {
        return -1;
    }
    if (operand->view.item_bytes == 0) { /* NumPy converts values to at least one byte */
        return 0;
    }
    const bool bytes = private_view_moves_as_bytes(operand);
    const void *fill = bytes && is_all_zero(value) ? NULL : value->view.data;
    ssop_view items;
    (void)ssop_region_view(kept, &operand->view, &items, NULL);
    return bytes && ssop_dilation_pays(&result->to->view, place, &items, fill)
             ? move_dilated(result->to, place, &items, fill, &result->hints)
             : fill_and_place(result, kept, place, arrays);
}

int
fill_whole(result_array *result, call_arrays *arrays)
{
    if (result_save(result, &arrays->value) < 0) {
        return -1;
    }
    const private_view everywhere = repeated(result, &arrays->value);
    return arrays->operand.view.item_bytes == 0 ? 0
                                                : result_move(result, &result->to->view, &everywhere, &everywhere.view);
}
