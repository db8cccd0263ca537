/* Items from one array to another, as bytes by the copy engine or through NumPy. */
#include "move.h"

#include "../runtime/blocks.h"
#include "memory.h"
#include "run.h"
#include "strings.h"

/* ---- as bytes ---------------------------------------------------------------------------------------------------- */

/* The two have no byte in common. */
static int
move_bytes(const ssop_view *dst, const ssop_view *src, const ssop_hints *hints)
{
    if (ssop_view_is_small(dst)) {
        ssop_copy_small(dst->data, src->data, src);
        return 0;
    }
    ssop_nest_room room;
    ssop_nest_copy(ssop_nest_in(&room), dst, src, hints);
    return run_nest(ssop_nest_in(&room));
}

static int
move_overlapping_bytes(const ssop_view *dst, const ssop_view *src)
{
    ssop_shift shift;
    if (ssop_shift_begin(&shift, dst, src)) {
        return run_shift(&shift);
    }
    char *buffer = ssop_block_new((size_t)view_bytes(src), false);
    if (buffer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    const ssop_hints hints = {.fresh_dst = !ssop_block_is_warm(buffer)};
    ssop_view copy;
    packed_view((ssop_shape){src->rank, src->dim}, src->item_bytes, buffer, &copy);
    int result = move_bytes(&copy, src, &hints) < 0 ? -1 : move_bytes(dst, &copy, NULL);
    ssop_block_free(buffer);
    return result;
}

/* ---- through NumPy: references and strings ----------------------------------------------------------------------- */

enum {
    /* Signals are handled after so many items. This was chosen, not measured: a piece takes only some milliseconds even
     * if no object is in the caches. The two arrays that each piece needs are cheap beside its items. */
    NUMPY_PIECE_ITEMS = 64 * 1024,
};

/* True if items are laid out alike in all arrays whose dtypes are equivalent, whichever dtype object they have. Others
 * may have a store of their own. */
static bool
has_plain_references(const PyArray_Descr *dtype)
{
    return dtype->type_num == NPY_OBJECT || dtype->type_num == NPY_VOID;
}

/* All items or, on error, none: NumPy allocates what it needs before it writes the first, and moving references cannot
 * fail. If both sides have the same dtype object it compares no fields, whose titles may have an __eq__ that
 * raises. Strings can fail at each item. */
static int
assign_by_numpy(move_side dst, move_side src)
{
    private_view alike = *src.array;
    if (has_plain_references(dst.array->dtype)) {
        alike.dtype = dst.array->dtype;
    }
    PyArrayObject *to = private_view_ndarray(dst.array, dst.items), *from = NULL;
    if (to != NULL) {
        from = private_view_ndarray(&alike, src.items);
    }
    int result = from != NULL ? PyArray_CopyInto(to, from) : -1;
    Py_XDECREF(from);
    Py_XDECREF(to);
    return result;
}

static ssop_view
part_of_axis(const ssop_view *view, int32_t axis, int64_t first, int64_t count)
{
    ssop_view part = *view;
    part.data += first * part.stride[axis];
    part.dim[axis] = count;
    return part;
}

static bool
is_one_piece(const ssop_view *items)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < items->rank; axis++) {
        count *= items->dim[axis];
    }
    return count <= NUMPY_PIECE_ITEMS;
}

/* Halves the first axis until the parts are small; signals are handled between them. The destination is a new array,
 * which is dropped on error. The source has its shape, or no axes. There are less than 2^63 items, and an axis of n
 * items is halved at most 2 * log2(n) times, so calls are nested less than 100 deep. */
static int
assign_in_pieces(move_side dst, move_side src)
{
    int32_t axis = 0;
    if (is_one_piece(dst.items)) {
        return assign_by_numpy(dst, src);
    }
    while (dst.items->dim[axis] == 1) {
        axis++;
    }
    int64_t dim = dst.items->dim[axis], bound[] = {0, dim / 2, dim};
    int result = 0;
    for (int i = 0; i < 2 && result == 0; i++) {
        int64_t first = bound[i], count = bound[i + 1] - first;
        ssop_view to = part_of_axis(dst.items, axis, first, count);
        ssop_view from = src.items->rank > 0 ? part_of_axis(src.items, axis, first, count) : *src.items;
        result = i > 0 ? PyErr_CheckSignals() : 0;
        result = result < 0 ? -1 : assign_in_pieces((move_side){dst.array, &to}, (move_side){src.array, &from});
    }
    return result;
}

/* All items or, on error, none (th_s2). The items of a long copy are staged in a new array, piece by piece, and
 * written in one piece. So are those that overlap: NumPy copies first only for some overlaps, not where two steps of
 * one sign differ. */
static int
move_by_numpy(move_side dst, move_side src, bool overlap)
{
    if (dst.array->dtype->type_num == NPY_VSTRING) {
        return strings_replace(dst.array, dst.items, src.array, src.items);
    }
    if (dst.array->is_new) {
        return assign_in_pieces(dst, src);
    }
    if (!overlap && (src.array->is_new || is_one_piece(dst.items))) {
        return assign_by_numpy(dst, src);
    }
    PyArrayObject *made = move_to_new(src.array, src.items);
    if (made == NULL) {
        return -1;
    }
    private_view copy;
    private_view_read(&copy, made);
    int result = assign_by_numpy(dst, (move_side){&copy, &copy.view});
    private_view_clear(&copy);
    return result;
}

/* For objects and strings NumPy's zero is not zero bytes. */
static int
fill_zero_by_numpy(const private_view *dst)
{
    PyArrayObject *zero = (PyArrayObject *)PyArray_Zeros(0, NULL, (PyArray_Descr *)Py_NewRef(dst->dtype), 0);
    if (zero == NULL) {
        return -1;
    }
    private_view from;
    private_view_read(&from, zero);
    int result = assign_in_pieces((move_side){dst, &dst->view}, (move_side){&from, &from.view});
    private_view_clear(&from);
    return result;
}

static PyArrayObject *
move_to_new_by_numpy(const private_view *array, const ssop_view *items)
{
    PyArrayObject *view = private_view_ndarray(array, items), *made = NULL;
    if (view != NULL) {
        made = (PyArrayObject *)PyArray_NewLikeArray(view, NPY_CORDER, NULL, 0);
        Py_DECREF(view);
    }
    if (made == NULL) {
        return NULL;
    }
    private_view to;
    private_view_read(&to, (PyArrayObject *)Py_NewRef(made));
    if (assign_in_pieces((move_side){&to, &to.view}, (move_side){array, items}) < 0) {
        Py_CLEAR(made);
    }
    private_view_clear(&to);
    return made;
}

/* ---- either way -------------------------------------------------------------------------------------------------- */

int
move_apart(move_side dst, move_side src, const ssop_hints *hints)
{
    if (dst.items->item_bytes == 0) { /* NumPy converts to items of at least one byte: the source may have some */
        return 0;
    }
    return private_view_moves_as_bytes(dst.array) ? move_bytes(dst.items, src.items, hints)
                                                  : move_by_numpy(dst, src, false);
}

int
move_items(move_side dst, move_side src, const ssop_hints *hints)
{
    ssop_relation relation = ssop_views_relate(dst.items, src.items);
    if (relation == SSOP_OVERLAP) {
        return private_view_moves_as_bytes(dst.array) ? move_overlapping_bytes(dst.items, src.items)
                                                      : move_by_numpy(dst, src, true);
    }
    return relation == SSOP_SAME ? 0 : move_apart(dst, src, hints);
}

move_way
move_way_of(move_side dst, move_side src)
{
    const ssop_relation relation = ssop_views_relate(dst.items, src.items);
    ssop_shift shift;
    if (relation == SSOP_SAME || dst.items->item_bytes == 0) {
        return MOVE_NOTHING;
    }
    if (!private_view_moves_as_bytes(dst.array)) {
        return MOVE_BY_NUMPY;
    }
    if (relation == SSOP_OVERLAP) {
        return ssop_shift_begin(&shift, dst.items, src.items) ? MOVE_SHIFT : MOVE_STAGED;
    }
    return ssop_view_is_small(dst.items) ? MOVE_SMALL : MOVE_NEST;
}

int
move_dilated(const private_view *dst, const ssop_region *place, const ssop_view *src, const void *fill,
             const ssop_hints *hints)
{
    ssop_nest_room room;
    ssop_nest_dilate(ssop_nest_in(&room), &dst->view, place, src, fill, hints);
    return run_nest(ssop_nest_in(&room));
}

int
move_over_zeros(const private_view *dst, const ssop_region *place, const private_view *src, const ssop_hints *hints)
{
    if (private_view_moves_as_bytes(dst)) {
        return move_dilated(dst, place, &src->view, NULL, hints);
    }
    ssop_view placed;
    if (fill_zero_by_numpy(dst) < 0) {
        return -1;
    }
    (void)ssop_region_view(place, &dst->view, &placed, NULL); /* inside an array that exists: no address overflows */
    return move_items((move_side){dst, &placed}, (move_side){src, &src->view}, NULL);
}

PyArrayObject *
move_to_new(const private_view *array, const ssop_view *items)
{
    if (!private_view_moves_as_bytes(array)) {
        return move_to_new_by_numpy(array, items);
    }
    const ssop_shape shape = {items->rank, items->dim};
    PyArrayObject *made = memory_new_array(array->dtype, items->item_bytes, shape);
    if (made == NULL) {
        return NULL;
    }
    if (ssop_is_small(PyArray_NBYTES(made))) { /* nobody else knows the new array: reading it is safe */
        ssop_copy_small(PyArray_BYTES(made), items->data, items);
        return made;
    }
    ssop_view packed;
    packed_view(shape, items->item_bytes, PyArray_BYTES(made), &packed);
    const ssop_hints hints = {.fresh_dst = memory_is_fresh(made)};
    if (move_bytes(&packed, items, &hints) < 0) {
        Py_CLEAR(made);
    }
    return made;
}
