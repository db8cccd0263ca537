/* Operations that show all of one array in another order or shape: the path they share from the call to the result. */
#include "view_op.h"

#include "errors.h"
#include "ndarray.h"

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
resolve_and_copy(const view_op *op, const void *arguments, const call_context *call, PyArrayObject *array,
                 PyObject *out)
{
    ssop_view whole, seen;
    view_shape shape;
    ssop_error error;
    if (ndarray_checked_view(call, array, &whole) < 0) {
        return NULL;
    }
    return op->resolve(arguments, &whole, &seen, &shape, &error) == SSOP_OK
             ? ndarray_take_view(call, array, &seen, shape.rank, shape.dim, out)
             : errors_raise(call, &error, NULL);
}

PyObject *
view_op_run(const view_op *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
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
    PyObject *result = resolve_and_copy(op, arguments, &call, array, found[op->signature.count - 1]);
    Py_DECREF(array);
    return result;
}

PyObject *
view_op_shape(const view_op *op, arg_name name, void *arguments, PyObject *module, PyObject *const *args,
              Py_ssize_t positional, PyObject *kwnames)
{
    args_signature signature = op->signature;
    signature.name[0] = (uint8_t)name;
    signature.count--;
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS];
    ssop_view whole = {.data = NULL}, seen;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        op->read(&call, found + 1, arguments) < 0) {
        return NULL;
    }
    whole.rank = args_read_shape(&call, ssop_arg_names[name], found[0], whole.dim);
    if (whole.rank < 0) {
        return NULL;
    }
    view_shape shape;
    ssop_error error;
    return op->resolve(arguments, &whole, &seen, &shape, &error) == SSOP_OK ? args_tuple(shape.rank, shape.dim)
                                                                            : errors_raise(&call, &error, NULL);
}
