/* ssop.strided_slice_assign and ssop.tensor_strided_slice_update: a value written over a slice, in place or in a copy. */
#include "complement.h"
#include "errors.h"
#include "ndarray.h"
#include "spec_args.h"

/* `value` repeated to the slice's shape (as_c1, as_s1). */
static int
broadcast(const call_context *call, PyArrayObject *value, const ssop_view *slice, ssop_view *view)
{
    ssop_view whole;
    ssop_error error;
    ndarray_view(value, &whole);
    if (ssop_view_broadcast(&whole, (ssop_shape){slice->rank, slice->dim}, view, &error) == SSOP_OK) {
        return 0;
    }
    error.form = 1; /* shows the whole shapes */
    PyObject *shape = args_tuple(whole.rank, whole.dim);
    if (shape != NULL) {
        errors_raise_shapes(call, &error, shape, "value", (ssop_shape){whole.rank, whole.dim},
                            (ssop_shape){slice->rank, slice->dim});
        Py_DECREF(shape);
    }
    return -1;
}

/* The views of both sides; 1 if there is nothing to write (as_s2), -1 on error. */
static int
prepare(const call_context *call, PyArrayObject *target, const ssop_spec *spec, PyArrayObject *value,
        ssop_region *region, ssop_view *slice, ssop_view *repeated)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(target, dims);
    ssop_view whole;
    ssop_error error;
    ndarray_view(target, &whole);
    if (ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, region, NULL, &error) !=
            SSOP_OK ||
        ssop_region_view(region, &whole, slice, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return ssop_region_is_empty(region) ? 1 : broadcast(call, value, slice, repeated);
}

PyObject *
py_strided_slice_assign(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "strided_slice_assign", 10, 10, 5, {ARG_REF, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES}};
    call_context call = {.state = state_of(module), .op = signature.function, .out_name = "ref"};
    PyObject *found[MAX_ARGUMENTS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0]) || !ndarray_is_ours(found[4])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (spec_args_read_around(&call, found + 1, &parts) < 0) {
        return NULL;
    }
    PyArrayObject *ref = ndarray_writeable(&call, found[0]);
    PyArrayObject *value = ref != NULL ? ndarray_value(&call, found[4], ref, SSOP_AS_C2) : NULL;
    if (value == NULL) {
        return NULL;
    }
    ssop_region region;
    ssop_view slice, repeated;
    int ready = -1;
    if (ndarray_writeable(&call, found[0]) != NULL && spec_args_check(&call, &parts) == 0) { /* a list ran user code */
        ready = prepare(&call, ref, &spec, value, &region, &slice, &repeated);
    }
    int result = ready == 0 ? ndarray_move(ref, &slice, value, &repeated) : ready;
    Py_DECREF(value);
    return result < 0 ? NULL : Py_NewRef(found[0]);
}

const char py_strided_slice_assign_doc[] =
    "strided_slice_assign($module, /, ref, begin, end, strides, value, begin_mask=0,\n"
    "                     end_mask=0, ellipsis_mask=0, new_axis_mask=0,\n"
    "                     shrink_axis_mask=0)\n"
    "--\n\n"
    "TensorFlow's StridedSliceAssign: writes a value over a slice, in place.\n\n"
    "Parameters\n"
    "----------\n"
    "ref : numpy.ndarray, writeable, any layout\n"
    "begin, end, strides : sequences of integers, as for strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int\n"
    "value : array_like that broadcasts to the slice's shape\n"
    "    Missing leading axes and axes of length 1 repeat, extra leading axes of\n"
    "    length 1 are dropped. An array must have ref's dtype; scalars and lists are\n"
    "    converted. For an empty slice its shape does not matter.\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : ref\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (as_*, ss_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's StridedSliceAssign and its value broadcasting since 2022.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.strided_slice_assign(np.zeros((2, 4), int), [0, 1], [2, 4], [1, 2], [[1], [2]])\n"
    "array([[0, 1, 0, 1],\n"
    "       [0, 2, 0, 2]])\n";

/* A copy of the input, or `out` with the input in it, but for the slice; a value in out's memory is saved first (out_s2). */
static PyArrayObject *
copy_of_input(const call_context *call, PyArrayObject *input, const ssop_region *region, PyArrayObject **value,
              PyObject *out)
{
    if (args_given(out)) {
        int64_t dims[SSOP_MAX_RANK];
        int32_t rank = ndarray_dims(input, dims);
        PyArrayObject *target = ndarray_out(call, out, rank, dims, PyArray_DESCR(input));
        if (target == NULL) {
            return NULL;
        }
        if (ndarray_share_memory(target, *value)) {
            Py_SETREF(*value, (PyArrayObject *)ndarray_take_whole(call, *value, NULL));
            if (*value == NULL) {
                return NULL;
            }
        }
    }
    return (PyArrayObject *)complement_take(call, input, region, out);
}

/* Everything is checked before anything is written. */
static PyObject *
update(const call_context *call, PyArrayObject *input, const ssop_spec *spec, PyArrayObject **value, PyObject *out)
{
    ssop_region region;
    ssop_view slice, repeated;
    if (prepare(call, input, spec, *value, &region, &slice, &repeated) < 0) {
        return NULL;
    }
    bool detour = ndarray_wants_detour(input, out);
    PyArrayObject *result = copy_of_input(call, input, &region, value, detour ? NULL : out);
    if (result != NULL) {
        int ready = prepare(call, result, spec, *value, &region, &slice, &repeated);
        if (ready < 0 || (ready == 0 && ndarray_move(result, &slice, *value, &repeated) < 0)) {
            Py_CLEAR(result);
        }
    }
    return detour ? ndarray_end_detour(call, result, out) : (PyObject *)result;
}

PyObject *
py_tensor_strided_slice_update(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "tensor_strided_slice_update",
        11,
        10,
        5,
        {ARG_INPUT, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0]) || !ndarray_is_ours(found[4])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (spec_args_read_around(&call, found + 1, &parts) < 0) {
        return NULL;
    }
    PyArrayObject *input = ndarray_operand(found[0]);
    if (input == NULL) {
        return NULL;
    }
    PyArrayObject *value = ndarray_value(&call, found[4], input, SSOP_AS_C2);
    PyObject *result = NULL;
    if (value != NULL && spec_args_check(&call, &parts) == 0) {
        result = update(&call, input, &spec, &value, found[10]);
    }
    Py_XDECREF(value);
    Py_DECREF(input);
    return result;
}

const char py_tensor_strided_slice_update_doc[] =
    "tensor_strided_slice_update($module, /, input, begin, end, strides, value,\n"
    "                            begin_mask=0, end_mask=0, ellipsis_mask=0,\n"
    "                            new_axis_mask=0, shrink_axis_mask=0, *, out=None)\n"
    "--\n\n"
    "TensorFlow's TensorStridedSliceUpdate: the input with a slice replaced, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "input : array_like, any shape and dtype\n"
    "begin, end, strides : sequences of integers, as for strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int\n"
    "value : as for strided_slice_assign\n"
    "out : numpy.ndarray of the input's shape and dtype, optional\n"
    "    May be the input itself: then only the slice is written.\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the input's shape and dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (as_*, ss_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's TensorStridedSliceUpdate.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.tensor_strided_slice_update(np.zeros(5, int), [-1], [0], [-2], 7)\n"
    "array([0, 0, 7, 0, 7])\n";
