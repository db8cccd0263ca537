/* Items from one array to another, as bytes by the copy engine or through NumPy. */
#include "move.h"

#include "memory.h"
#include "run.h"

/* ---- as bytes ---------------------------------------------------------------------------------------------------- */

static int
move_bytes(const ssop_view *dst, const ssop_view *src, bool fresh)
{
    const ssop_hints hints = {.fresh_dst = fresh};
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, &hints);
    return run_nest(&nest);
}

static int
move_overlapping_bytes(const ssop_view *dst, const ssop_view *src)
{
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, NULL);
    char *buffer = PyMem_RawMalloc((size_t)ssop_nest_bytes(&nest));
    if (buffer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    ssop_view copy;
    packed_view((ssop_shape){src->rank, src->dim}, src->item_bytes, buffer, &copy);
    int result = move_bytes(&copy, src, true) < 0 ? -1 : move_bytes(dst, &copy, false);
    PyMem_RawFree(buffer);
    return result;
}

/* ---- through NumPy: references and strings ----------------------------------------------------------------------- */

static int
move_by_numpy(move_side dst, move_side src, bool overlap)
{
    PyArrayObject *to = private_view_ndarray(dst.array, dst.items), *from = NULL;
    if (to != NULL) { /* NumPy copies first only for some overlaps: not where two steps of one sign differ */
        from = overlap ? move_to_new(src.array, src.items) : private_view_ndarray(src.array, src.items);
    }
    int result = from != NULL ? PyArray_CopyInto(to, from) : -1;
    Py_XDECREF(from);
    Py_XDECREF(to);
    return result;
}

/* For objects and strings NumPy's zero is not zero bytes. */
static int
fill_zero_by_numpy(const private_view *dst)
{
    PyArrayObject *to = private_view_ndarray(dst, &dst->view), *zero = NULL;
    if (to != NULL) {
        zero = (PyArrayObject *)PyArray_Zeros(0, NULL, (PyArray_Descr *)Py_NewRef(dst->dtype), 0);
    }
    int result = zero != NULL ? PyArray_CopyInto(to, zero) : -1;
    Py_XDECREF(zero);
    Py_XDECREF(to);
    return result;
}

/* ---- either way -------------------------------------------------------------------------------------------------- */

int
move_apart(move_side dst, move_side src, bool fresh)
{
    if (dst.items->item_bytes == 0) { /* NumPy converts to items of at least one byte: the source may have some */
        return 0;
    }
    return private_view_moves_as_bytes(dst.array) ? move_bytes(dst.items, src.items, fresh)
                                                  : move_by_numpy(dst, src, false);
}

int
move_items(move_side dst, move_side src)
{
    ssop_relation relation = ssop_views_relate(dst.items, src.items);
    if (relation == SSOP_OVERLAP) {
        return private_view_moves_as_bytes(dst.array) ? move_overlapping_bytes(dst.items, src.items)
                                                      : move_by_numpy(dst, src, true);
    }
    return relation == SSOP_SAME ? 0 : move_apart(dst, src, false);
}

int
move_dilated(const private_view *dst, const ssop_region *place, const ssop_view *src, bool fresh)
{
    const ssop_hints hints = {.fresh_dst = fresh};
    ssop_nest nest;
    ssop_nest_dilate(&nest, &dst->view, place, src, &hints);
    return run_nest(&nest);
}

int
move_over_zeros(const private_view *dst, const ssop_region *place, const private_view *src, bool fresh)
{
    if (private_view_moves_as_bytes(dst)) {
        return move_dilated(dst, place, &src->view, fresh);
    }
    ssop_view placed;
    if (fill_zero_by_numpy(dst) < 0) {
        return -1;
    }
    (void)ssop_region_view(place, &dst->view, &placed, NULL); /* inside an array that exists: no address overflows */
    return move_items((move_side){dst, &placed}, (move_side){src, &src->view});
}

PyArrayObject *
move_to_new(const private_view *array, const ssop_view *items)
{
    if (!private_view_moves_as_bytes(array)) {
        PyArrayObject *view = private_view_ndarray(array, items);
        PyArrayObject *copy = view != NULL ? (PyArrayObject *)PyArray_NewCopy(view, NPY_CORDER) : NULL;
        Py_XDECREF(view);
        return copy;
    }
    const ssop_shape shape = {items->rank, items->dim};
    PyArrayObject *made = memory_new_array(array->dtype, shape);
    if (made == NULL) {
        return NULL;
    }
    npy_intp bytes = PyArray_NBYTES(made); /* nobody else knows the new array: reading it is safe */
    if (0 < bytes && bytes <= SSOP_SMALL_BYTES) {
        ssop_copy_small(PyArray_BYTES(made), items->data, items);
        return made;
    }
    ssop_view packed;
    packed_view(shape, items->item_bytes, PyArray_BYTES(made), &packed);
    if (move_bytes(&packed, items, memory_is_fresh(made)) < 0) {
        Py_CLEAR(made);
    }
    return made;
}
