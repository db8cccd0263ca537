/* Shapes and dtypes of operands against what a rule asks for. */
#include "checks.h"

#include "args.h"
#include "errors.h"
#include "foreign.h"
#include "memory.h"

void
raise_shapes(const call_context *call, const ssop_error *error, const char *name, ssop_shape given, ssop_shape wanted)
{
    PyObject *value = args_tuple(given.rank, given.dim);
    if (value != NULL) {
        errors_raise_shapes(call, error, value, name, given, wanted);
        Py_DECREF(value);
    }
}

int
raise_wrong_shape(const call_context *call, const private_view *array, const char *name, ssop_shape wanted,
                  const ssop_error *as)
{
    ssop_error error = {.rule = as->rule, .axis = -1, .entry = -1, .form = as->form};
    for (int32_t axis = wanted.rank - 1; array->view.rank == wanted.rank && axis >= 0; axis--) {
        error.axis = array->view.dim[axis] != wanted.dim[axis] ? axis : error.axis;
    }
    raise_shapes(call, &error, name, private_view_shape(array), wanted);
    return -1;
}

int
check_addressable(const call_context *call, const private_view *array)
{
    uint64_t bits = 0; /* of dims and strides: sums of 64 products below 2^56 fit without a look at each */
    for (int32_t axis = 0; axis < array->view.rank; axis++) {
        int64_t stride = array->view.stride[axis];
        bits |= (uint64_t)(stride < 0 ? ~stride : stride) | (uint64_t)array->view.dim[axis];
    }
    if (bits >> 28 == 0) {
        return 0;
    }
    ssop_region whole;
    ssop_view view;
    ssop_error error;
    ssop_region_whole(&whole, private_view_shape(array));
    if (ssop_region_view(&whole, &array->view, &view, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

int
check_dtype(const call_context *call, const private_view *array, const char *name, PyArray_Descr *wanted,
            const ssop_error *error)
{
    if (array->dtype == wanted || PyArray_EquivTypes(array->dtype, wanted)) {
        return 0;
    }
    errors_raise_pair(call, error, name, (PyObject *)array->dtype, (PyObject *)wanted);
    return -1;
}

int
check_is_array(const call_context *call, const private_out *out)
{
    if (out->own.array != NULL) {
        return 0;
    }
    if (out->object != NULL && PyArray_Check(out->object) && foreign_reject(call, call->out_name, out->object) < 0) {
        return -1;
    }
    const ssop_error error = {.rule = SSOP_OUT_C1, .axis = -1, .entry = -1};
    errors_raise_type(call, &error, call->out_name, out->object != NULL ? out->object : Py_None, NULL);
    return -1;
}

int
check_writeable(const call_context *call, const private_out *out)
{
    const ssop_view *view = &out->own.view;
    const char *const texts[] = {call->out_name};
    ssop_error error = {.rule = SSOP_OUT_C4, .axis = -1, .entry = -1};
    if (!out->own.writeable) {
        errors_raise_texts(call, &error, NULL, texts);
        return -1;
    }
    if (!out->own.c_order && ssop_view_overlaps_itself(view)) {
        error.rule = SSOP_OUT_C5;
        errors_raise_texts(call, &error, NULL, texts);
        return -1;
    }
    memory_set_warm(out->own.array, view->data, view_bytes(view));
    return 0;
}
