/* Which object of a call is which parameter. */
#ifndef SSOP_PYTHON_PARSE_H
#define SSOP_PYTHON_PARSE_H

#include "state.h"

enum { MAX_PARAMETERS = 12 }; /* as many as the longest list has, that of tf.strided_slice */

/* A function's parameters in order: the first `required` must be given, the last `keyword_only` have no position. */
typedef struct {
    int8_t count, required, keyword_only;
    uint8_t name[MAX_PARAMETERS]; /* arg_name */
} parameter_list;

/* For designated initialisers of a parameter_list. */
#define PARAMETERS(...) .name = {__VA_ARGS__}, .count = (int8_t)sizeof((const uint8_t[]){__VA_ARGS__})

/* Sorts a METH_FASTCALL | METH_KEYWORDS call into `found` (borrowed references, NULL where absent). -1 on error. */
int parse_arguments(const call_context *call, const parameter_list *parameters, PyObject *const *args,
                    Py_ssize_t positional, PyObject *kwnames, PyObject *found[MAX_PARAMETERS]);

/* The same for a function that has no parameters. */
int parse_nothing(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);

/* The same for a constructor, whose keywords come in a dict that code which runs meanwhile can empty: so the references
 * are owned. Those of a successful call are given back by `parse_release`. -1 on error. */
int parse_construction(const call_context *call, const parameter_list *parameters, PyObject *args, PyObject *kwargs,
                       PyObject *found[MAX_PARAMETERS]);
void parse_release(const parameter_list *parameters, PyObject *found[MAX_PARAMETERS]);

#endif /* SSOP_PYTHON_PARSE_H */
