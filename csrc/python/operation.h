/* Operations: one record for each, and the path that calls on arrays take. The stages are:
 *
 *     parse -> leave other libraries' arrays to Python -> read integers -> convert operands -> take private views ->
 *     check and resolve -> make or check the result -> move -> hand over
 *
 * Stages up to and including the conversions may run Python code. Later stages use the private views only. Operands
 * that are a sequence become a tuple after the first stage (operand_list.h).
 *
 * select and clamp are the two that do not take the path. Two of their three arrays convert each other, their checks
 * are those of other libraries' arrays and of shapes, and clamp computes by NumPy's functions. So all of this is in
 * ssop/_elementwise.py, and ops/elementwise.c has their frequent calls, which break no rule. */
#ifndef SSOP_PYTHON_OPERATION_H
#define SSOP_PYTHON_OPERATION_H

#include "operation_record.h"

/* A call with data, one on a sequence of operands, one without data, and one for a shape that is known in part.
 * `arguments` is room for what the reader fills. */
PyObject *operation_run(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                        Py_ssize_t positional, PyObject *kwnames);
PyObject *operation_run_on_sequence(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                                    Py_ssize_t positional, PyObject *kwnames);
PyObject *operation_describe(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                             Py_ssize_t positional, PyObject *kwnames);
PyObject *operation_infer(const operation *op, void *arguments, module_state *state, PyObject *const *args,
                          Py_ssize_t positional, PyObject *kwnames);

/* Defines py_<function> for a record; `type` is that of its arguments. */
#define SSOP_ENTRY_(function, path, record, type)                                                                      \
    PyObject *py_##function(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)         \
    {                                                                                                                  \
        type arguments;                                                                                                \
        return path(&(record), &arguments, state_of(module), args, positional, kwnames);                               \
    }
#define SSOP_METHOD_OF(function, record, type) SSOP_ENTRY_(function, operation_run, record, type)
#define SSOP_METHOD_OF_SEQUENCE(function, record, type) SSOP_ENTRY_(function, operation_run_on_sequence, record, type)

/* The same for the function without data, which only this package calls. */
#define SSOP_DESCRIPTION_OF(description, record, type) SSOP_ENTRY_(description, operation_describe, record, type)
#define SSOP_METHODS_OF(function, description, record, type)                                                           \
    SSOP_METHOD_OF(function, record, type)                                                                             \
    SSOP_DESCRIPTION_OF(description, record, type)

/* The same for the function that infers the shape of the result, which ssop.shapes calls. */
#define SSOP_INFERENCE_OF(inference, record, type) SSOP_ENTRY_(inference, operation_infer, record, type)

#endif /* SSOP_PYTHON_OPERATION_H */
