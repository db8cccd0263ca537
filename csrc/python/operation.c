/* Operations: the path that calls on one or two arrays take. */
#include "operation.h"

#include "args.h"
#include "checks.h"
#include "errors.h"
#include "foreign.h"
#include "nested_lists.h"
#include "types/dim.h"
#include "types/partial_shape.h"
#include "values.h"

/* ---- operands in ------------------------------------------------------------------------------------------------- */

static PyArrayObject *
convert_destination(const call_context *call, PyObject *object)
{
    private_out out;
    private_out_read(&out, object);
    PyArrayObject *array = check_is_array(call, &out) == 0 ? (PyArrayObject *)Py_NewRef(object) : NULL;
    private_view_clear(&out.own);
    return array;
}

/* True for NumPy's own scalars of one of its own number types, which need not be found out. Classes that derive from
 * them may lie in memory in another way. */
static bool
is_number_of(PyObject *object, PyArray_Descr *dtype)
{
    return Py_TYPE(object) == dtype->typeobj && dtype->type_num >= 0 && PyTypeNum_ISNUMBER(dtype->type_num);
}

/* Arrays with axes as they are, the rest converted to `dtype`. New reference; may run Python code, which
 * never sees the new array: subclasses would get it in __array_finalize__ while NumPy still writes it. */
static PyArrayObject *
convert_value(const call_context *call, const char *name, PyObject *object, PyArray_Descr *dtype, bool *converted)
{
    *converted = false;
    if (PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) > 0) {
        return (PyArrayObject *)Py_NewRef(object);
    }
    if (is_number_of(object, dtype)) {
        return (PyArrayObject *)PyArray_FromScalar(object, NULL);
    }
    *converted = true;
    return values_convert(call, name, object, dtype);
}

/* ---- with data --------------------------------------------------------------------------------------------------- */

/* What the path has converted so far. Strong references. */
typedef struct {
    PyArrayObject *operand, *value;
    PyArray_Descr *value_dtype; /* that a list or scalar was converted to; NULL for arrays */
    PyObject *out;              /* borrowed */
} converted_arrays;

/* Whether a converted value has the dtype that NumPy was asked for. The array may be one that __array__ gave and that
 * other code knows. Strings without a length get one, and times without a unit. */
static bool
has_asked_dtype(const private_view *value, PyArray_Descr *asked)
{
    bool without_length = PyDataType_ELSIZE(asked) == 0, time = PyTypeNum_ISDATETIME(asked->type_num);
    return value->dtype == asked || ((without_length || time) && value->dtype->type_num == asked->type_num) ||
           PyArray_EquivTypes(value->dtype, asked);
}

/* Not inlined, so that these large buffers are not on the stack while the caller's Python code runs. */
static SSOP_NOINLINE PyObject *
run_on_private_views(const operation *op, const call_context *call, void *arguments, const converted_arrays *converted)
{
    call_arrays arrays;
    private_view_read(&arrays.operand, converted->operand);
    if (converted->value != NULL) {
        private_view_read(&arrays.value, converted->value);
    }
    if (op->in_place) { /* it was found to be an array, which a class that it got since then does not change */
        private_view_read(&arrays.out.own, (PyArrayObject *)Py_NewRef(converted->operand));
        arrays.out.object = (PyObject *)converted->operand;
    }
    else {
        private_out_read(&arrays.out, converted->out);
    }
    if (converted->value != NULL) { /* comparing dtypes may run Python code: all arrays have been read */
        arrays.value_converted =
            converted->value_dtype == arrays.operand.dtype && has_asked_dtype(&arrays.value, arrays.operand.dtype);
    }
    PyObject *result = op->family->run(op, call, arguments, &arrays);
    if (arrays.out.object != NULL) {
        private_view_clear(&arrays.out.own);
    }
    if (converted->value != NULL) {
        private_view_clear(&arrays.value);
    }
    private_view_clear(&arrays.operand);
    return result;
}

/* What the caller gave as `out`, else NULL. */
static PyObject *
given_out(const operation *op, PyObject *const *found)
{
    int last = op->parameters.count - 1;
    return op->parameters.name[last] == ARG_OUT ? found[last] : NULL;
}

static PyObject *
convert_and_run(const operation *op, const call_context *call, void *arguments, PyObject *const *found)
{
    converted_arrays converted = {.out = given_out(op, found)};
    converted.operand = op->in_place ? convert_destination(call, found[op->operand])
                                     : (PyArrayObject *)nested_lists_to_array(found[op->operand]);
    if (converted.operand == NULL || op->value == 0) {
        return converted.operand != NULL ? run_on_private_views(op, call, arguments, &converted) : NULL;
    }
    bool by_us;
    PyArray_Descr *dtype = (PyArray_Descr *)Py_NewRef(PyArray_DESCR(converted.operand));
    converted.value =
        convert_value(call, ssop_arg_names[op->parameters.name[op->value]], found[op->value], dtype, &by_us);
    converted.value_dtype = by_us ? dtype : NULL;
    PyObject *result = NULL;
    if (converted.value != NULL) {
        result = run_on_private_views(op, call, arguments, &converted);
    }
    else {
        Py_DECREF(converted.operand);
    }
    Py_DECREF(dtype);
    return result;
}

PyObject *
operation_run(const operation *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
              PyObject *kwnames)
{
    const char *out_name = op->in_place ? ssop_arg_names[op->parameters.name[op->operand]] : "out";
    const call_context call = {.state = state_of(module), .op = op->name, .out_name = out_name};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &op->parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!foreign_is_ours(found[op->operand]) || (op->value != 0 && !foreign_is_ours(found[op->value])) ||
        foreign_is_destination(given_out(op, found))) {
        return foreign_call(&call, args, positional, kwnames);
    }
    return op->read == NULL || op->read(&call, found, arguments) == 0 ? convert_and_run(op, &call, arguments, found)
                                                                      : NULL;
}

/* ---- without data ------------------------------------------------------------------------------------------------ */

/* Not inlined for the same reason. */
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
        parameters.required--;
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
operation_describe(const operation *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
                   PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = op->name, .out_name = "out"};
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
             : errors_raise(call, &error, NULL);
}

PyObject *
operation_infer(const operation *op, void *arguments, PyObject *module, PyObject *const *args, Py_ssize_t positional,
                PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = op->name, .out_name = "out", .unknown_starts = true};
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
