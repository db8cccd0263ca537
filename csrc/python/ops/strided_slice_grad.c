/* ssop.strided_slice_grad: zeros of a shape, with a gradient where the slice was. */
#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../move.h"
#include "../operation.h"
#include "../result.h"
#include "spec_args.h"

typedef struct {
    int32_t rank; /* of the slice's input */
    int64_t dim[SSOP_MAX_RANK];
    ssop_spec spec;
} gradient_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    gradient_arguments *into = arguments;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &into->spec};
    into->rank = args_read_shape(call, "shape", found[0], into->dim);
    return into->rank < 0 || spec_args_read_parts(call, found + 1, found + 5, &parts) < 0
             ? -1
             : spec_args_check(call, &parts);
}

static PyObject *
place_gradient(const call_context *call, const gradient_arguments *arguments, call_arrays *arrays,
               const ssop_region *region)
{
    const ssop_shape shape = {arguments->rank, arguments->dim};
    private_view *dy = &arrays->operand;
    result_array result;
    if (result_begin(call, dy, shape, &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    int status = result_save(&result, dy);
    if (status == 0) {
        status = move_over_zeros(result.to, region, dy, &result.hints);
    }
    return result_end(&result, status);
}

static PyObject *
run_gradient(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    const gradient_arguments *given = arguments;
    int64_t dy_dims[SSOP_MAX_RANK];
    ssop_region region;
    ssop_error error;
    if (ssop_strided_slice_resolve(&given->spec, (ssop_shape){given->rank, given->dim}, &ssop_dialect_tensorflow,
                                   &region, NULL, &error) != SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    for (int32_t axis = 0; axis < region.out_rank; axis++) {
        dy_dims[axis] = ssop_region_dim(&region, axis);
    }
    return check_shape(call, &arrays->operand, "dy", (ssop_shape){region.out_rank, dy_dims}, SSOP_GR_C1) < 0 ||
                   check_addressable(call, &arrays->operand) < 0
             ? NULL
             : place_gradient(call, given, arrays, &region);
}

static const operation_family gradient_family = {.run = run_gradient};

static const operation strided_slice_grad = {
    .name = "strided_slice_grad",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_DY, MASK_NAMES, ARG_OUT), .required = 5,
                   .keyword_only = 1},
    .operand = 4,
    .read = read_arguments,
    .family = &gradient_family,
};

/* TensorFlow's own function has one more parameter, which is ignored. */
static const operation tf_strided_slice_grad = {
    .name = "tf.strided_slice_grad",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_DY, MASK_NAMES, ARG_NAME, ARG_OUT),
                   .required = 5, .keyword_only = 1},
    .operand = 4,
    .read = read_arguments,
    .family = &gradient_family,
};

SSOP_METHOD_OF(strided_slice_grad, strided_slice_grad, gradient_arguments)
SSOP_METHOD_OF(tf_strided_slice_grad, tf_strided_slice_grad, gradient_arguments)
