/* ssop.strided_slice_assign and ssop.tensor_strided_slice_update: a value written over a slice, in place or in a copy. */
#include "../args.h"
#include "../checks.h"
#include "../docs.h"
#include "../errors.h"
#include "../move.h"
#include "../operation.h"
#include "../result.h"
#include "spec_args.h"

/* What both read: a spec whose rules are checked after the arrays. */
typedef struct {
    ssop_spec spec;
    spec_parts parts;
} update_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    update_arguments *into = arguments;
    into->parts = (spec_parts){.dialect = &ssop_dialect_tensorflow, .spec = &into->spec};
    return spec_args_read_parts(call, found + 1, found + 5, &into->parts);
}

/* The value repeated to the slice's shape (as_c1, as_s1). */
static int
broadcast_value(const call_context *call, const private_view *value, const ssop_view *slice, ssop_view *repeated)
{
    ssop_error error;
    if (ssop_view_broadcast(&value->view, (ssop_shape){slice->rank, slice->dim}, repeated, &error) == SSOP_OK) {
        return 0;
    }
    error.form = 1; /* the message with the whole shapes */
    raise_shapes(call, &error, "value", private_view_shape(value), (ssop_shape){slice->rank, slice->dim});
    return -1;
}

/* Where the value goes, and whether there is anything to write (as_s2): all checks, before anything is written. */
static int
resolve_update(const call_context *call, update_arguments *arguments, const call_arrays *arrays, ssop_region *region,
               bool *empty)
{
    const private_view *target = &arrays->operand;
    ssop_view slice, repeated;
    ssop_error error;
    if ((!arrays->value_converted &&
         check_dtype_rule(call, &arrays->value, "the array", target->dtype, SSOP_AS_C2) < 0) ||
        spec_args_check(call, &arguments->parts) < 0) {
        return -1;
    }
    if (ssop_strided_slice_resolve(&arguments->spec, private_view_shape(target), &ssop_dialect_tensorflow, region, NULL,
                                   &error) != SSOP_OK ||
        ssop_region_view(region, &target->view, &slice, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    *empty = ssop_region_is_empty(region);
    return *empty ? 0 : broadcast_value(call, &arrays->value, &slice, &repeated);
}

/* What was resolved fits: nothing here fails but the moving itself. */
static int
write_value(const private_view *target, const ssop_region *region, const private_view *value, bool fresh)
{
    ssop_view slice, repeated;
    (void)ssop_region_view(region, &target->view, &slice, NULL);
    (void)ssop_view_broadcast(&value->view, (ssop_shape){slice.rank, slice.dim}, &repeated, NULL);
    return move_items((move_side){target, &slice}, (move_side){value, &repeated}, fresh);
}

/* ---- in place ------------------------------------------------------------------------------------------------------- */

static PyObject *
run_assign(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    ssop_region region;
    bool empty;
    if (check_writeable(call, &arrays->out) < 0 || resolve_update(call, arguments, arrays, &region, &empty) < 0 ||
        (!empty && write_value(&arrays->out.own, &region, &arrays->value, false) < 0)) {
        return NULL;
    }
    return Py_NewRef(arrays->out.object);
}

static const operation_family assign_family = {.run = run_assign};

static const operation strided_slice_assign = {
    .name = "strided_slice_assign",
    .parameters = {PARAMETERS(ARG_REF, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES), .required = 5},
    .value = 4,
    .in_place = true,
    .read = read_arguments,
    .family = &assign_family,
};

SSOP_METHOD_OF(strided_slice_assign, strided_slice_assign, update_arguments)

const char py_strided_slice_assign_doc[] =
    "strided_slice_assign($module, /, ref, begin, end, strides, value, begin_mask=0,\n"
    "                     end_mask=0, ellipsis_mask=0, new_axis_mask=0,\n"
    "                     shrink_axis_mask=0)\n--\n\n"
    "TensorFlow's StridedSliceAssign: writes a value over a slice, in place.\n\n" DOC_PARAMETERS
    "ref : numpy.ndarray, writeable, any layout\n"
    "begin, end, strides : sequences of integers, as for strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int\n"
    "value : array_like that broadcasts to the slice's shape\n"
    "    Missing leading axes and axes of length 1 repeat, extra leading axes of\n"
    "    length 1 are dropped. An array must have ref's dtype; scalars and lists are\n"
    "    converted. For an empty slice its shape does not matter.\n\n" DOC_RETURNS "numpy.ndarray : ref\n\n" DOC_RAISES
    "as_*, ss_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's StridedSliceAssign and its value broadcasting since 2022.\n\n" DOC_EXAMPLES
    ">>> ssop.strided_slice_assign(np.zeros((2, 4), int), [0, 1], [2, 4], [1, 2], [[1], [2]])\n"
    "array([[0, 1, 0, 1],\n"
    "       [0, 2, 0, 2]])\n";

/* ---- in a copy ------------------------------------------------------------------------------------------------------ */

static int
copy_and_write(const result_array *result, call_arrays *arrays, const ssop_region *region, bool empty)
{
    if (result_save(result, &arrays->value) < 0 || result_copy_around(result, &arrays->operand, region) < 0) {
        return -1;
    }
    return empty ? 0 : write_value(result->to, region, &arrays->value, result->fresh);
}

static PyObject *
run_update(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    const private_view *input = &arrays->operand;
    ssop_region region;
    bool empty;
    result_array result;
    if (check_addressable(call, input) < 0 || resolve_update(call, arguments, arrays, &region, &empty) < 0 ||
        result_begin(call, input, private_view_shape(input), &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    return result_end(&result, copy_and_write(&result, arrays, &region, empty));
}

static const operation_family update_family = {.run = run_update};

static const operation tensor_strided_slice_update = {
    .name = "tensor_strided_slice_update",
    .parameters = {PARAMETERS(ARG_INPUT, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES, ARG_OUT),
                   .required = 5, .keyword_only = 1},
    .value = 4,
    .read = read_arguments,
    .family = &update_family,
};

SSOP_METHOD_OF(tensor_strided_slice_update, tensor_strided_slice_update, update_arguments)

const char py_tensor_strided_slice_update_doc[] =
    "tensor_strided_slice_update($module, /, input, begin, end, strides, value,\n"
    "                            begin_mask=0, end_mask=0, ellipsis_mask=0,\n"
    "                            new_axis_mask=0, shrink_axis_mask=0, *, out=None)\n--\n\n"
    "TensorFlow's TensorStridedSliceUpdate: the input with a slice replaced, as a new array.\n\n" DOC_PARAMETERS
    "input : array_like, any shape and dtype\n"
    "begin, end, strides : sequences of integers, as for strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int\n"
    "value : as for strided_slice_assign\n"
    "out : numpy.ndarray of the input's shape and dtype, optional\n"
    "    May be the input itself: then only the slice is written.\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of the input's shape and dtype; or `out`.\n\n" DOC_RAISES
    "as_*, ss_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's TensorStridedSliceUpdate.\n\n" DOC_EXAMPLES
    ">>> ssop.tensor_strided_slice_update(np.zeros(5, int), [-1], [0], [-2], 7)\n"
    "array([0, 0, 7, 0, 7])\n";
