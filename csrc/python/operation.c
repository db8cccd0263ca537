/* Operations: calls with data, without, and for shapes that are known in part. */
#include "operation.h"

#include "args.h"
#include "deferred.h"
#include "errors.h"
#include "operation_path.h"
#include "types/dim.h"
#include "types/partial_shape.h"

/* ---- with data --------------------------------------------------------------------------------------------------- */

PyObject *
operation_run(const operation *op, void *arguments, module_state *state, PyObject *const *args, Py_ssize_t positional,
              PyObject *kwnames)
{
    return operation_path(op, arguments, state, args, positional, kwnames);
}

/* Not inlined, so that these large buffers are not on the stack while operands are converted. */
static SSOP_NOINLINE PyObject *
run_on_private_list(const operation *op, const call_context *call, void *arguments, operand_list *operands,
                    PyObject *out)
{
    call_arrays arrays;
    arrays.operands = operands;
    arrays.operand.view.rank = 0;
    if (operands->count > 0) {
        operand_list_load(operands, 0, &arrays.operand);
    }
    private_out_read(&arrays.out, out);
    PyObject *result = op->family->run(op, call, arguments, &arrays);
    private_view_clear(&arrays.out.own);
    return result;
}

static PyObject *
convert_and_run_on_list(const operation *op, const call_context *call, void *arguments, PyObject *items, PyObject *out)
{
    operand_list operands;
    PyObject *own_out =
        operand_list_read(call, items, &operands) == 0 ? deferred_array(out != NULL ? out : Py_None) : NULL;
    PyObject *result = own_out != NULL ? run_on_private_list(op, call, arguments, &operands, own_out) : NULL;
    Py_XDECREF(own_out);
    operand_list_end(&operands);
    return result;
}

static bool
are_ours(PyObject *items)
{
    bool ours = true;
    for (Py_ssize_t i = 0; ours && i < PyTuple_GET_SIZE(items); i++) {
        ours = foreign_is_ours(PyTuple_GET_ITEM(items, i));
    }
    return ours;
}

PyObject *
operation_run_on_sequence(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                          Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state, .op = op->name, .out_name = "out"};
    PyObject *found[MAX_PARAMETERS], *result = NULL;
    if (parse_arguments(&call, &op->parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *items = operand_list_items(&call, found[op->operand]), *out = given_out(op, found);
    if (items == NULL) {
        return NULL;
    }
    if (!are_ours(items) || foreign_is_destination(out)) {
        /* The operands as they were read, so that nobody reads the sequence again. */
        found[op->operand] = items;
        found[op->parameters.count - 1] = out != NULL ? out : Py_None;
        result = foreign_call(&call, found, op->parameters.count, NULL);
    }
    else if (op->read(&call, found, arguments) == 0) {
        result = convert_and_run_on_list(op, &call, arguments, items, out);
    }
    Py_DECREF(items);
    return result;
}

/* ---- without data ------------------------------------------------------------------------------------------------ */

/* Not inlined, so that these large buffers are not on the stack while the caller's Python code runs. */
static SSOP_NOINLINE PyObject *
describe_shapes(const operation *op, const call_context *call, const void *arguments, PyObject *const found[2],
                const char *name)
{
    int64_t dims[2][SSOP_MAX_RANK];
    ssop_shape shapes[2] = {{0, dims[0]}, {0, dims[1]}};
    shapes[0].rank = args_read_shape(call, name, found[0], dims[0]);
    if (shapes[0].rank >= 0 && found[1] != NULL) {
        shapes[1].rank = args_read_shape(call, "update_shape", found[1], dims[1]);
    }
    return shapes[0].rank < 0 || shapes[1].rank < 0 ? NULL : op->family->describe(op, call, arguments, shapes);
}

/* The arguments of a METH_FASTCALL | METH_KEYWORDS call. */
typedef struct {
    PyObject *const *args;
    Py_ssize_t positional;
    PyObject *kwnames;
} call_objects;

/* The parameters without data: `out` goes, and so does a value that has no shape. */
static parameter_list
description_parameters(const operation *op, arg_name shape_name)
{
    parameter_list parameters = op->parameters;
    parameters.name[op->operand] = (uint8_t)shape_name;
    if (parameters.name[parameters.count - 1] == ARG_OUT) {
        parameters.count--;
        parameters.keyword_only--;
    }
    if (op->value != 0 && !op->scalar_value) {
        parameters.name[op->value] = ARG_UPDATE_SHAPE;
    }
    else if (op->value != 0) {
        parameters.count--;
        if (op->optional_value) {
            parameters.keyword_only--;
        }
        else {
            parameters.required--;
        }
        memmove(&parameters.name[op->value], &parameters.name[op->value + 1], (size_t)(parameters.count - op->value));
    }
    return parameters;
}

/* Parses a call without data into `found`, in the positions that the operation's reader knows. `found` may have one
 * place more than there are parameters. */
static int
parse_without_data(const operation *op, const call_context *call, const parameter_list *parameters,
                   const call_objects *given, PyObject **found)
{
    if (parse_arguments(call, parameters, given->args, given->positional, given->kwnames, found) < 0) {
        return -1;
    }
    if (op->scalar_value) {
        memmove(&found[op->value + 1], &found[op->value], (size_t)(parameters->count - op->value) * sizeof *found);
        found[op->value] = NULL;
    }
    return 0;
}

PyObject *
operation_describe(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                   Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state, .op = op->name, .out_name = "out"};
    const arg_name shape_name = op->shape_name != 0 ? (arg_name)op->shape_name : ARG_SHAPE;
    const parameter_list parameters = description_parameters(op, shape_name);
    PyObject *found[MAX_PARAMETERS + 1];
    if (parse_without_data(op, &call, &parameters, &(const call_objects){args, positional, kwnames}, found) < 0 ||
        (op->read != NULL && op->read(&call, found, arguments) < 0)) {
        return NULL;
    }
    PyObject *const shapes[2] = {found[op->operand], op->value != 0 ? found[op->value] : NULL};
    return describe_shapes(op, &call, arguments, shapes, ssop_arg_names[shape_name]);
}

/* ---- of a shape that is known in part ---------------------------------------------------------------------------- */

/* Not inlined for the same reason. */
static SSOP_NOINLINE PyObject *
infer_shape(const operation *op, const call_context *call, const void *arguments, PyObject *operand, bool tight)
{
    const operation_call resolved = {op, arguments};
    ssop_shape_function function = {
        .arguments = &resolved,
        .rank = SSOP_UNKNOWN_RANK,
        .too_large = op->too_large != NULL ? op->too_large(arguments) : SSOP_NO_RULE,
        .resolve = op->family->infer,
    };
    if (tight && op->rank != NULL) { /* the resolver rejects ranks that no operand has */
        const int64_t rank = op->rank(arguments);
        function.rank = (int32_t)(rank < SSOP_MAX_RANK ? rank : SSOP_MAX_RANK);
    }
    ssop_partial_shape shape, out;
    ssop_error error;
    partial_shape_get(operand, &shape);
    return ssop_shape_function_infer(inference_of(call->state, tight), &function, &shape, &out, &error) == SSOP_OK
             ? partial_shape_result(call->state, &out, (PyObject *const[]){operand, NULL})
         : PyErr_Occurred() ? NULL /* a signal's handler raised */
                            : errors_raise(call, &error, NULL);
}

PyObject *
operation_infer(const operation *op, void *arguments, module_state *state, PyObject *const *args, Py_ssize_t positional,
                PyObject *kwnames)
{
    const call_context call = {.state = state, .op = op->name, .out_name = "out", .unknown_starts = true};
    parameter_list parameters = description_parameters(op, ARG_SHAPE);
    parameters.name[parameters.count++] = ARG_MODE;
    parameters.keyword_only++;
    PyObject *found[MAX_PARAMETERS + 1];
    bool tight;
    if (parse_without_data(op, &call, &parameters, &(const call_objects){args, positional, kwnames}, found) < 0 ||
        op->read(&call, found, arguments) < 0 ||
        dim_read_mode(&call, found[parameters.count - (op->scalar_value ? 0 : 1)], false, &tight) < 0) {
        return NULL;
    }
    PyObject *operand = partial_shape_from(&call, "shape", found[op->operand]);
    PyObject *result = operand != NULL ? infer_shape(op, &call, arguments, operand, tight) : NULL;
    Py_XDECREF(operand);
    return result;
}
