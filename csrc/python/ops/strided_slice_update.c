/* ssop.strided_slice_assign and ssop.tensor_strided_slice_update: a value written over a slice, in place or in a
 * copy; ssop.index_assign and ssop.index_update. */
#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../operation.h"
#include "../result.h"
#include "index_args.h"

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

static int
read_index(const call_context *call, PyObject *const *found, void *arguments)
{
    update_arguments *into = arguments;
    into->parts = (spec_parts){.dialect = &ssop_dialect_tensorflow, .spec = &into->spec};
    return index_args_read(call, found[1], &into->parts);
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

/* Where the value goes, and whether there is anything to write (as_s2): else `repeated`, the value as it is written,
 * is not set. */
typedef struct {
    ssop_region region;
    ssop_view slice, repeated; /* the region of the target, and the value */
    bool empty;
} resolved_update;

/* All checks, before anything is written. */
static int
resolve_update(const call_context *call, update_arguments *arguments, const call_arrays *arrays,
               const private_view *target, resolved_update *resolved)
{
    ssop_error error;
    if ((!arrays->value_converted && check_dtype_rule(call, &arrays->value, "value", target->dtype, SSOP_AS_C2) < 0) ||
        spec_args_check(call, &arguments->parts) < 0) {
        return -1;
    }
    if (ssop_strided_slice_resolve(&arguments->spec, private_view_shape(target), &ssop_dialect_tensorflow,
                                   &resolved->region, NULL, &error) != SSOP_OK ||
        ssop_region_view(&resolved->region, &target->view, &resolved->slice, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    resolved->empty = ssop_region_is_empty(&resolved->region);
    return resolved->empty ? 0 : broadcast_value(call, &arrays->value, &resolved->slice, &resolved->repeated);
}

/* ---- in place ---------------------------------------------------------------------------------------------------- */

static PyObject *
run_assign(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    resolved_update resolved;
    result_array result;
    if (check_writeable(call, &arrays->out) < 0 ||
        resolve_update(call, arguments, arrays, &arrays->out.own, &resolved) < 0) {
        return NULL;
    }
    result_begin_in_place(&arrays->out, &result);
    int status = resolved.empty ? 0 : result_move(&result, &resolved.slice, &arrays->value, &resolved.repeated);
    return result_end(&result, status);
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

/* TensorFlow's own functions have one more parameter, which is ignored. */
static const operation tf_strided_slice_assign = {
    .name = "tf.strided_slice_assign",
    .parameters = {PARAMETERS(ARG_REF, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES, ARG_NAME),
                   .required = 5},
    .value = 4,
    .in_place = true,
    .read = read_arguments,
    .family = &assign_family,
};

/* A value over x[index] (ix_s3), here and in index_update. */
static const operation index_assign = {
    .name = "index_assign",
    .parameters = {PARAMETERS(ARG_X, ARG_INDEX, ARG_VALUE), .required = 3},
    .value = 2,
    .in_place = true,
    .read = read_index,
    .family = &assign_family,
};

SSOP_METHOD_OF(strided_slice_assign, strided_slice_assign, update_arguments)
SSOP_METHOD_OF(index_assign, index_assign, update_arguments)
SSOP_METHOD_OF(tf_strided_slice_assign, tf_strided_slice_assign, update_arguments)

/* ---- in a copy --------------------------------------------------------------------------------------------------- */

/* The value may have been saved, and goes to the result: both are seen anew. What was resolved fits, so nothing here
 * fails but the moving itself. */
static int
copy_and_write(result_array *result, call_arrays *arrays, const resolved_update *resolved)
{
    private_view *value = &arrays->value;
    const private_view *operand = &arrays->operand;
    if (result_save_value(result, operand, value) < 0 ||
        result_copy_complement(result, operand, &resolved->region) < 0) {
        return -1;
    }
    if (resolved->empty) {
        return 0;
    }
    ssop_view slice, repeated;
    (void)ssop_region_view(&resolved->region, &result->to->view, &slice, NULL);
    (void)ssop_view_broadcast(&value->view, (ssop_shape){slice.rank, slice.dim}, &repeated, NULL);
    return result_move(result, &slice, value, &repeated);
}

static PyObject *
run_update(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    const private_view *input = &arrays->operand;
    resolved_update resolved;
    result_array result;
    if (check_addressable(call, input) < 0 || resolve_update(call, arguments, arrays, input, &resolved) < 0 ||
        result_begin(call, input, private_view_shape(input), &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    return result_end(&result, copy_and_write(&result, arrays, &resolved));
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

static const operation tf_tensor_strided_slice_update = {
    .name = "tf.tensor_strided_slice_update",
    .parameters = {PARAMETERS(ARG_INPUT, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_VALUE, MASK_NAMES, ARG_NAME, ARG_OUT),
                   .required = 5, .keyword_only = 1},
    .value = 4,
    .read = read_arguments,
    .family = &update_family,
};

static const operation index_update = {
    .name = "index_update",
    .parameters = {PARAMETERS(ARG_X, ARG_INDEX, ARG_VALUE, ARG_OUT), .required = 3, .keyword_only = 1},
    .value = 2,
    .read = read_index,
    .family = &update_family,
};

SSOP_METHOD_OF(tensor_strided_slice_update, tensor_strided_slice_update, update_arguments)
SSOP_METHOD_OF(index_update, index_update, update_arguments)
SSOP_METHOD_OF(tf_tensor_strided_slice_update, tf_tensor_strided_slice_update, update_arguments)
