/* Private views: what a call knows of the caller's arrays (mem_s2). A caller's array may change its shape, strides,
 * dtype and flags whenever Python code runs. Allocation can run the garbage collector and with it finalizers. Comparing
 * dtypes can run the __eq__ of field titles, and polling signals runs handlers. Other threads run wherever the GIL is
 * released. So every array of a call is read once, all of them in one go, before the first check; from then on only
 * these records are used. The strong references keep the memory and the dtype alive. (Freeing memory under a live
 * reference, as ndarray.resize(refcheck=False) does, is outside what can be guarded against.) */
#ifndef SSOP_PYTHON_PRIVATE_VIEW_H
#define SSOP_PYTHON_PRIVATE_VIEW_H

#include "dtypes.h"

typedef struct {
    PyArrayObject *array; /* keeps the memory alive; its shape, dtype and flags are not read again */
    PyArray_Descr *dtype;
    ssop_view view;
    bool writeable, c_order;
    bool apart;  /* found to share no memory with the result of the call (result_save) */
    bool is_new; /* made by this call, so that nobody else knows it yet */
} private_view;

/* The destination that a caller may have given. */
typedef struct {
    PyObject *object; /* borrowed from the caller's arguments; NULL if none was given */
    private_view own; /* of the object, if it is a plain array; else own.array is NULL */
} private_out;

/* Reads `array` (the reference is stolen). Runs no Python code. */
static inline void
private_view_read(private_view *own, PyArrayObject *array)
{
    own->array = array;
    own->dtype = (PyArray_Descr *)Py_NewRef(PyArray_DESCR(array));
    own->writeable = PyArray_ISWRITEABLE(array);
    own->c_order = PyArray_IS_C_CONTIGUOUS(array);
    own->apart = false;
    own->is_new = false;
    own->view.data = PyArray_BYTES(array);
    own->view.item_bytes = PyArray_ITEMSIZE(array);
    own->view.rank = PyArray_NDIM(array);
    for (int32_t axis = 0; axis < own->view.rank; axis++) {
        own->view.dim[axis] = PyArray_DIM(array, axis);
        own->view.stride[axis] = PyArray_STRIDE(array, axis);
    }
}

/* Reads the caller's `out`, which may be NULL, None or no array at all. Runs no Python code. */
void private_out_read_object(private_out *out);

static inline void
private_out_read(private_out *out, PyObject *object)
{
    out->object = object == Py_None ? NULL : object;
    out->own.array = NULL;
    out->own.dtype = NULL;
    if (out->object != NULL) {
        private_out_read_object(out);
    }
}

/* Drops the references, which may run Python code. */
static inline void
private_view_clear(private_view *own)
{
    Py_XDECREF(own->array);
    Py_XDECREF(own->dtype);
}

static inline ssop_shape
private_view_shape(const private_view *own)
{
    return (ssop_shape){own->view.rank, own->view.dim};
}

static inline bool
private_view_moves_as_bytes(const private_view *own)
{
    return dtype_moves_as_bytes(own->dtype);
}

/* True if the two arrays have a byte in common, or if that is too hard to tell. */
static inline bool
private_views_share_memory(const private_view *a, const private_view *b)
{
    return ssop_views_relate(&a->view, &b->view) != SSOP_DISJOINT;
}

/* A part of the array, described by `view`, as an ndarray that only the caller of this function knows (new
 * reference). */
PyArrayObject *private_view_ndarray(const private_view *own, const ssop_view *view);

static inline bool
view_has_shape(const ssop_view *view, ssop_shape shape)
{
    bool same = view->rank == shape.rank;
    for (int32_t axis = 0; same && axis < shape.rank; axis++) {
        same = view->dim[axis] == shape.dim[axis];
    }
    return same;
}

/* The bytes of all items of a view: the product fits for arrays that exist, whose items are distinct. */
static inline int64_t
view_bytes(const ssop_view *view)
{
    int64_t bytes = view->item_bytes;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        bytes *= view->dim[axis];
    }
    return bytes;
}

/* A C-ordered view of this shape over `data`. */
void packed_view(ssop_shape shape, int64_t item_bytes, char *data, ssop_view *packed);

#endif /* SSOP_PYTHON_PRIVATE_VIEW_H */
