/* Private views: what a call knows of the caller's arrays. */
#include "private_view.h"

#include "foreign.h"

void
private_out_read_object(private_out *out)
{
    if (foreign_is_plain(out->object)) {
        private_view_read(&out->own, (PyArrayObject *)Py_NewRef(out->object));
    }
}

PyArrayObject *
private_view_ndarray(const private_view *own, const ssop_view *view)
{
    npy_intp dims[SSOP_MAX_RANK], strides[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < view->rank; axis++) {
        dims[axis] = (npy_intp)view->dim[axis];
        strides[axis] = (npy_intp)view->stride[axis];
    }
    PyArrayObject *array =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)Py_NewRef(own->dtype), view->rank, dims,
                                              strides, view->data, own->writeable ? NPY_ARRAY_WRITEABLE : 0, NULL);
    if (array != NULL && PyArray_SetBaseObject(array, Py_NewRef(own->array)) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

void
packed_view(ssop_shape shape, int64_t item_bytes, char *data, ssop_view *packed)
{
    packed->data = data;
    packed->item_bytes = item_bytes;
    packed->rank = shape.rank;
    int64_t stride = item_bytes;
    for (int32_t axis = shape.rank - 1; axis >= 0; axis--) {
        packed->dim[axis] = shape.dim[axis];
        packed->stride[axis] = stride;
        stride *= shape.dim[axis];
    }
}
