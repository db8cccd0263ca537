/* Arrays: operands in, results out, and the bytes between them. */
#ifndef SSOP_PYTHON_NDARRAY_H
#define SSOP_PYTHON_NDARRAY_H

#include "module.h"

/* True for what ssop moves itself: arrays (but masked ones), lists, tuples and scalars. ssop._lazy has everything else. */
bool ndarray_is_ours(PyObject *object);

/* Calls the function of ssop._lazy.operations that has the name of `call`, with the very same arguments. */
PyObject *
ndarray_leave_to_lazy(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);

/* An operand of ours as an array (new reference), as numpy.asarray makes it (in_s1). */
PyArrayObject *ndarray_operand(PyObject *object);

/* An update or value for `target` (new reference): arrays must have its dtype (`dtype_rule`), the rest is converted. */
PyArrayObject *ndarray_value(const call_context *call, PyObject *object, PyArrayObject *target, ssop_rule dtype_rule);

/* Shape of an array as the core wants it; returns the rank. */
int32_t ndarray_dims(PyArrayObject *array, int64_t dims[SSOP_MAX_RANK]);

/* Raises for an array whose shape or dtype is not the one that rule asks for; -1 then, else 0. */
int ndarray_check_shape(const call_context *call, PyArrayObject *array, const char *name, int32_t rank,
                        const int64_t *dims, ssop_rule rule);
int ndarray_check_dtype(const call_context *call, PyArrayObject *array, const char *name, PyArray_Descr *dtype,
                        ssop_rule rule);

/* `object` as a destination of this shape and dtype (out_c1 .. out_c5); borrowed, NULL on error. */
PyArrayObject *
ndarray_out(const call_context *call, PyObject *object, int32_t rank, const int64_t *dims, PyArray_Descr *dtype);

/* The same for an array that already has its shape and dtype (out_c1, out_c4, out_c5). */
PyArrayObject *ndarray_writeable(const call_context *call, PyObject *object);

/* The array for use in more than one step (new reference). Where a step runs code, as dropping references does, it is a
 * view that nobody else can reshape in between. */
PyArrayObject *ndarray_alias(PyArrayObject *array);

/* A new C-ordered array of that shape and the dtype of `like`. Its items are arbitrary bytes or null references. */
PyArrayObject *ndarray_new_like(PyArrayObject *like, int32_t rank, const int64_t *dims);

/* What `region` takes of `array`: a new C-ordered base array of the same dtype (out_s1), or `out` (borrowed, NULL or None
 * for none). New reference. */
PyObject *ndarray_take(const call_context *call, PyArrayObject *array, const ssop_region *region, PyObject *out);

/* The same for all of the array. */
PyObject *ndarray_take_whole(const call_context *call, PyArrayObject *array, PyObject *out);

/* True if a result is better made apart from `out` (NULL or None for none) and put there in one step: moving items that are
 * no plain bytes takes memory, which may run out halfway. */
bool ndarray_wants_detour(PyArrayObject *like, PyObject *out);

/* The second half of it: `made` (stolen, or NULL on error) is copied to `out`. */
PyObject *ndarray_end_detour(const call_context *call, PyArrayObject *made, PyObject *out);
/* A view of `array` with these elements in C order, copied to a result of that shape: a new C-ordered base array of the
 * same dtype, or `out` (borrowed, NULL or None for none). New reference. */
PyObject *ndarray_take_view(const call_context *call, PyArrayObject *array, const ssop_view *seen, int32_t rank,
                            const int64_t *dims, PyObject *out);

/* dst[dst_region] <- src[src_region], safe against overlap; shapes and dtypes agree. -1 on error. */
int ndarray_assign(const call_context *call, PyArrayObject *dst, const ssop_region *dst_region, PyArrayObject *src,
                   const ssop_region *src_region);

/* The same between views of the two arrays. */
int ndarray_move(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view);

/* True if the two arrays have a byte in common, or if that is too hard to tell. */
bool ndarray_share_memory(PyArrayObject *a, PyArrayObject *b);

/* The whole array as the core sees it. */
void ndarray_view(PyArrayObject *array, ssop_view *view);

/* The same, of an array whose every item has an address (mem_c1). -1 on error. */
int ndarray_checked_view(const call_context *call, PyArrayObject *array, ssop_view *view);

/* A C-ordered view of these dims over `data`. */
void ndarray_packed_view(int32_t rank, const int64_t *dims, int64_t item_bytes, char *data, ssop_view *packed);

/* The view as an array of its own that keeps `base` alive (new reference). */
PyArrayObject *ndarray_of_view(PyArrayObject *base, const ssop_view *view);

/* Runs a nest; where it is long, in pieces, with the help of threads, without the GIL, and so that Ctrl-C is answered
 * (th_s1, th_s2). -1 on error. */
int ndarray_run_nest(const ssop_nest *nest);

/* dst <- zero bytes, but `src` at `place`; they share no memory. -1 on error. */
int ndarray_dilate(const ssop_view *dst, const ssop_region *place, const ssop_view *src);

/* True for dtypes whose items are plain bytes; the others are NumPy's to move. */
bool ndarray_moves_as_bytes(PyArray_Descr *dtype);

#endif /* SSOP_PYTHON_NDARRAY_H */
