/* Copies of the complement of a window: what is overwritten afterwards is never copied. */
#include "complement.h"

#include "args.h"
#include "ndarray.h"

static int
move_parts(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view,
           ssop_complement *complement)
{
    ssop_region part;
    int result = 0;
    while (result == 0 && ssop_complement_next(complement, &part)) {
        ssop_view to, from;
        (void)ssop_region_view(&part, dst_view, &to, NULL); /* parts of what was checked */
        (void)ssop_region_view(&part, src_view, &from, NULL);
        result = ndarray_move(dst, &to, src, &from);
    }
    return result;
}

int
complement_move(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view,
                const ssop_region *window)
{
    ssop_complement complement;
    return ssop_complement_begin(&complement, window, dst_view->dim, dst_view->item_bytes)
             ? move_parts(dst, dst_view, src, src_view, &complement)
             : ndarray_move(dst, dst_view, src, src_view);
}

PyObject *
complement_take(const call_context *call, PyArrayObject *array, const ssop_region *window, PyObject *out)
{
    ssop_complement complement;
    ssop_view from, to;
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(array, dims);
    bool given = args_given(out), plain = ndarray_moves_as_bytes(PyArray_DESCR(array));
    if (!plain || !ssop_complement_begin(&complement, window, dims, PyArray_ITEMSIZE(array))) {
        return ndarray_take_whole(call, array, out);
    }
    PyArrayObject *result = given
                              ? (PyArrayObject *)Py_XNewRef(ndarray_out(call, out, rank, dims, PyArray_DESCR(array)))
                              : ndarray_new_like(array, rank, dims);
    if (result != NULL && given && ndarray_share_memory(result, array)) { /* the parts would spoil each other */
        Py_DECREF(result);
        return ndarray_take_whole(call, array, out);
    }
    if (result != NULL && ndarray_checked_view(call, array, &from) < 0) {
        Py_CLEAR(result);
    }
    if (result != NULL) {
        ndarray_view(result, &to);
        if (move_parts(result, &to, array, &from, &complement) < 0) {
            Py_CLEAR(result);
        }
    }
    return (PyObject *)result;
}
