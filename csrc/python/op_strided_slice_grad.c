/* ssop.strided_slice_grad: zeros of a shape, with a gradient where the slice was. */
#include "errors.h"
#include "ndarray.h"
#include "spec_args.h"

/* Zero is what NumPy says it is: for objects and strings it is not zero bytes. */
static int
fill_zero(PyArrayObject *result)
{
    if (ndarray_moves_as_bytes(PyArray_DESCR(result))) {
        ssop_view view;
        ssop_nest nest;
        ndarray_view(result, &view);
        ssop_nest_zero(&nest, &view, NULL);
        return ndarray_run_nest(&nest);
    }
    PyArray_Descr *dtype = PyArray_DESCR(result);
    Py_INCREF(dtype);
    PyArrayObject *zero = (PyArrayObject *)PyArray_Zeros(0, NULL, dtype, 0);
    int status = zero != NULL ? PyArray_CopyInto(result, zero) : -1;
    Py_XDECREF(zero);
    return status;
}

/* Zeros, then the gradient: where zero is not zero bytes. */
static int
fill_then_assign(const call_context *call, PyArrayObject *result, const ssop_region *region, PyArrayObject *dy)
{
    int64_t dims[SSOP_MAX_RANK];
    ssop_region whole;
    ssop_region_whole(&whole, (ssop_shape){ndarray_dims(dy, dims), dims});
    if (fill_zero(result) < 0) {
        return -1;
    }
    return ndarray_assign(call, result, region, dy, &whole);
}

static int
fill(const call_context *call, PyArrayObject *result, const ssop_region *region, PyArrayObject *dy)
{
    if (!ndarray_moves_as_bytes(PyArray_DESCR(result))) {
        return fill_then_assign(call, result, region, dy);
    }
    ssop_view dst, src;
    ndarray_view(result, &dst);
    ndarray_view(dy, &src);
    return ndarray_dilate(&dst, region, &src);
}

/* The array to fill: new, or `out`, from which a `dy` in the same memory is saved first (out_s2). */
static PyArrayObject *
target(const call_context *call, PyArrayObject **dy, int32_t rank, const int64_t *dims, PyObject *out)
{
    if (!args_given(out)) {
        return ndarray_new_like(*dy, rank, dims);
    }
    PyArrayObject *result = ndarray_out(call, out, rank, dims, PyArray_DESCR(*dy));
    if (result != NULL && ndarray_share_memory(result, *dy)) {
        Py_SETREF(*dy, (PyArrayObject *)ndarray_take_whole(call, *dy, NULL));
        if (*dy == NULL) {
            return NULL;
        }
    }
    return (PyArrayObject *)Py_XNewRef(result);
}

PyObject *
py_strided_slice_grad(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "strided_slice_grad", 11, 10, 5, {ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_DY, MASK_NAMES, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    int64_t dims[SSOP_MAX_RANK], dy_dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[4])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    if (rank < 0 || spec_args_read_around(&call, found + 1, &parts) < 0 || spec_args_check(&call, &parts) < 0) {
        return NULL;
    }
    PyArrayObject *dy = ndarray_operand(found[4]), *result = NULL;
    if (dy == NULL) {
        return NULL;
    }
    ssop_region region;
    ssop_error error;
    if (ssop_strided_slice_resolve(&spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, NULL, &error) !=
        SSOP_OK) {
        errors_raise(&call, &error, NULL);
        Py_DECREF(dy);
        return NULL;
    }
    for (int32_t axis = 0; axis < region.out_rank; axis++) {
        dy_dims[axis] = ssop_region_dim(&region, axis);
    }
    if (ndarray_check_shape(&call, dy, "dy", region.out_rank, dy_dims, SSOP_GR_C1) == 0) {
        bool detour = ndarray_wants_detour(dy, found[10]);
        result = target(&call, &dy, rank, dims, detour ? NULL : found[10]);
        if (result != NULL && fill(&call, result, &region, dy) < 0) {
            Py_CLEAR(result);
        }
        if (detour) {
            result = (PyArrayObject *)ndarray_end_detour(&call, result, found[10]);
        }
    }
    Py_XDECREF(dy);
    return (PyObject *)result;
}

const char py_strided_slice_grad_doc[] =
    "strided_slice_grad($module, /, shape, begin, end, strides, dy, begin_mask=0,\n"
    "                   end_mask=0, ellipsis_mask=0, new_axis_mask=0,\n"
    "                   shrink_axis_mask=0, *, out=None)\n"
    "--\n\n"
    "TensorFlow's StridedSliceGrad: zeros, with dy where the slice of them would be.\n\n"
    "Parameters\n"
    "----------\n"
    "shape : sequence of integers, the shape of the slice's input\n"
    "begin, end, strides : sequences of integers, as for strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int\n"
    "dy : array_like of exactly the slice's shape, any dtype\n"
    "out : numpy.ndarray of that shape and dy's dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of shape `shape` and dy's dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (gr_*, ss_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's StridedSliceGrad OpDef and kernel.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.strided_slice_grad([5], [0], [5], [2], np.array([1, 2, 3]))\n"
    "array([1, 0, 2, 0, 3])\n";
