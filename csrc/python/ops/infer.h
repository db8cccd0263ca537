/* Slices whose vectors may be known in part: the shape of the result, which ssop.shapes asks for. */
#ifndef SSOP_PYTHON_INFER_H
#define SSOP_PYTHON_INFER_H

#include "../parse.h"

typedef struct {
    const char *name;          /* of the operation */
    parameter_list parameters; /* the shape is the first one, `mode` the last */
    size_t arguments_bytes;    /* of what `read` fills */
    /* Reads the other arguments. Runs Python code; raises and returns -1 on error. */
    int (*read)(const call_context *call, PyObject *const *found, void *arguments);
    /* Runs none. */
    ssop_status (*infer)(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                         ssop_partial_shape *out, ssop_error *error);
} inferred_slice;

PyObject *infer_slice_run(const inferred_slice *slice, PyObject *module, PyObject *const *args, Py_ssize_t positional,
                          PyObject *kwnames);

/* Defines py_<function> for a record. */
#define SSOP_INFERRED_SLICE(function, record)                                                                          \
    PyObject *py_##function(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)         \
    {                                                                                                                  \
        return infer_slice_run(&(record), module, args, positional, kwnames);                                          \
    }

#endif /* SSOP_PYTHON_INFER_H */
