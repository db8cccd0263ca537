/* The path of a call with data, as operation.h describes it. It is inlined where the compiler knows the record and can
 * leave out what the operation does not have: a plan's calls are the shortest. */
#ifndef SSOP_PYTHON_OPERATION_PATH_H
#define SSOP_PYTHON_OPERATION_PATH_H

#include "checks.h"
#include "deferred.h"
#include "errors.h"
#include "foreign.h"
#include "nested_lists.h"
#include "operation_record.h"
#include "values.h"

/* ---- operands in ------------------------------------------------------------------------------------------------- */

static inline PyArrayObject *
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
static inline bool
is_number_of(PyObject *object, PyArray_Descr *dtype)
{
    return Py_TYPE(object) == dtype->typeobj && dtype->type_num >= 0 && PyTypeNum_ISNUMBER(dtype->type_num);
}

/* Arrays with axes as they are, the rest converted to `dtype`. New reference; may run Python code, which
 * never sees the new array: subclasses would get it in __array_finalize__ while NumPy still writes it. */
static inline PyArrayObject *
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
static inline bool
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
    else if (op->optional_value) { /* the family may make one */
        arrays.value.array = NULL;
        arrays.value.dtype = NULL;
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
    if (converted->value != NULL || op->optional_value) {
        private_view_clear(&arrays.value);
    }
    private_view_clear(&arrays.operand);
    return result;
}

/* What the caller gave as `out`, else NULL. */
static inline PyObject *
given_out(const operation *op, PyObject *const *found)
{
    int last = op->parameters.count - 1;
    return op->parameters.name[last] == ARG_OUT ? found[last] : NULL;
}

static inline bool
has_value(const operation *op, PyObject *const *found)
{
    return op->value != 0 && (!op->optional_value || (found[op->value] != NULL && found[op->value] != Py_None));
}

static inline PyObject *
convert_and_run(const operation *op, const call_context *call, void *arguments, PyObject *const *found, PyObject *out)
{
    converted_arrays converted = {.out = out};
    converted.operand = op->in_place ? convert_destination(call, found[op->operand])
                                     : (PyArrayObject *)nested_lists_to_array(found[op->operand]);
    if (converted.operand == NULL || !has_value(op, found)) {
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

static inline PyObject *
raise_foreign(const call_context *call, PyObject *object)
{
    const ssop_error error = {.rule = SSOP_IN_C7, .axis = -1, .entry = -1};
    return errors_raise_type(call, &error, "the input", object, NULL);
}

/* As convert_and_run, of arrays that may be deferred. Their memory is asked for when no code of the arguments runs any
 * more that could free it. */
static SSOP_NOINLINE PyObject *
run_on_deferred(const operation *op, const call_context *call, void *arguments, PyObject *const *given, PyObject *out)
{
    enum { ARRAYS = 3 };
    PyObject *const arrays[ARRAYS] = {given[op->operand], has_value(op, given) ? given[op->value] : Py_None,
                                      out != NULL ? out : Py_None};
    PyObject *found[MAX_PARAMETERS], *own[ARRAYS], *result = NULL;
    int count = 0;
    while (count < ARRAYS && (own[count] = deferred_array(arrays[count])) != NULL) {
        count++;
    }
    if (count == ARRAYS) {
        memcpy(found, given, (size_t)op->parameters.count * sizeof *found);
        found[op->operand] = own[0];
        if (has_value(op, given)) {
            found[op->value] = own[1];
        }
        result = convert_and_run(op, call, arguments, found, own[2]);
    }
    while (count > 0) {
        Py_DECREF(own[--count]);
    }
    return result;
}

static inline PyObject *
operation_path(const operation *op, void *arguments, module_state *state, PyObject *const *args, Py_ssize_t positional,
               PyObject *kwnames)
{
    const char *out_name = op->in_place ? ssop_arg_names[op->parameters.name[op->operand]] : "out";
    const call_context call = {.state = state, .op = op->name, .out_name = out_name};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &op->parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *out = given_out(op, found);
    if (!foreign_is_ours(found[op->operand]) || (has_value(op, found) && !foreign_is_ours(found[op->value])) ||
        (foreign_is_destination(out) && !op->numpy_only)) {
        return op->numpy_only ? raise_foreign(&call, found[op->operand])
                              : foreign_call(&call, args, positional, kwnames);
    }
    if (op->read != NULL && op->read(&call, found, arguments) < 0) {
        return NULL;
    }
    return deferred_is(found[op->operand]) || deferred_is(out) ? run_on_deferred(op, &call, arguments, found, out)
                                                               : convert_and_run(op, &call, arguments, found, out);
}

#endif /* SSOP_PYTHON_OPERATION_PATH_H */
