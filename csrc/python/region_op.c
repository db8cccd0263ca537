/* The families of operations that copy a region, or all, of one operand. */
#include "region_op.h"

#include "args.h"
#include "checks.h"
#include "errors.h"
#include "result.h"
#include "types/region.h"

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static PyObject *
run_region(const operation *op, const call_context *call, void *arguments, call_arrays *arrays)
{
    ssop_region region;
    ssop_error error;
    return op->resolve.region(arguments, private_view_shape(&arrays->operand), &region, &error) == SSOP_OK
             ? result_copy_region(call, &arrays->operand, &region, &arrays->out)
             : errors_raise(call, &error, NULL);
}

static PyObject *
describe_region(const operation *op, const call_context *call, const void *arguments, const ssop_shape shapes[2])
{
    ssop_region region;
    ssop_error error;
    return op->resolve.region(arguments, shapes[0], &region, &error) == SSOP_OK
             ? region_new(call->state, &region, shapes[0].dim)
             : errors_raise(call, &error, NULL);
}

static ssop_status
infer_region(const void *call, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK],
             int8_t source[SSOP_MAX_RANK], ssop_error *error)
{
    const operation_call *resolved = call;
    ssop_region region;
    ssop_status status = resolved->op->resolve.region(resolved->arguments, shape, &region, error);
    *rank = status == SSOP_OK ? region.out_rank : 0;
    for (int32_t axis = 0; axis < *rank; axis++) {
        dims[axis] = ssop_region_dim(&region, axis);
        source[axis] = region.out_axis[axis] >= 0 ? region.out_axis[axis] : -1;
    }
    return status;
}

const operation_family region_family = {.run = run_region, .describe = describe_region, .infer = infer_region};

/* ---- views ------------------------------------------------------------------------------------------------------- */

static PyObject *
run_view(const operation *op, const call_context *call, void *arguments, call_arrays *arrays)
{
    ssop_view seen;
    result_shape shape;
    ssop_error error;
    if (check_addressable(call, &arrays->operand) < 0) {
        return NULL;
    }
    return op->resolve.view(arguments, &arrays->operand.view, &seen, &shape, &error) == SSOP_OK
             ? result_copy_reshaped(call, &arrays->operand, &seen, (ssop_shape){shape.rank, shape.dim}, &arrays->out)
             : errors_raise(call, &error, NULL);
}

static PyObject *
describe_view(const operation *op, const call_context *call, const void *arguments, const ssop_shape shapes[2])
{
    ssop_view whole = {.data = NULL, .rank = shapes[0].rank}, seen;
    memcpy(whole.dim, shapes[0].dim, (size_t)whole.rank * sizeof *whole.dim);
    result_shape shape;
    ssop_error error;
    return op->resolve.view(arguments, &whole, &seen, &shape, &error) == SSOP_OK ? args_tuple(shape.rank, shape.dim)
                                                                                 : errors_raise(call, &error, NULL);
}

const operation_family view_family = {.run = run_view, .describe = describe_view};
