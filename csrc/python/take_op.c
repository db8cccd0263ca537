/* Operations that take one region of one array: the path they share from the call to the result. */
#include "take_op.h"

#include "errors.h"
#include "ndarray.h"
#include "region.h"

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
resolve_and_take(const take_op *op, const void *arguments, const call_context *call, PyArrayObject *array,
                 PyObject *out)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(array, dims);
    ssop_region region;
    ssop_error error;
    return op->resolve(arguments, rank, dims, &region, &error) == SSOP_OK ? ndarray_take(call, array, &region, out)
                                                                          : errors_raise(call, &error, NULL);
}

PyObject *
take_op_run(const take_op *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
            PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = op->signature.function};
    PyObject *found[MAX_ARGUMENTS];
    if (args_parse(call.state, &op->signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (op->read(&call, found + 1, arguments) < 0) {
        return NULL;
    }
    PyArrayObject *array = ndarray_operand(found[0]); /* only now: reading may have run code that changed it */
    if (array == NULL) {
        return NULL;
    }
    PyObject *result = resolve_and_take(op, arguments, &call, array, found[op->signature.count - 1]);
    Py_DECREF(array);
    return result;
}

static SSOP_NOINLINE PyObject *
resolve_only(const take_op *op, const void *arguments, const call_context *call, int32_t rank, const int64_t *dims)
{
    ssop_region region;
    ssop_error error;
    return op->resolve(arguments, rank, dims, &region, &error) == SSOP_OK ? region_new(call->state, &region, dims)
                                                                          : errors_raise(call, &error, NULL);
}

PyObject *
take_op_region(const take_op *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
               PyObject *kwnames)
{
    args_signature signature = op->signature;
    signature.name[0] = ARG_SHAPE;
    signature.count--;
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS];
    int64_t dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        op->read(&call, found + 1, arguments) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    return rank < 0 ? NULL : resolve_only(op, arguments, &call, rank, dims);
}
