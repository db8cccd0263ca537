/* Operations that show all of one array in another order or shape: the path they share from the call to the result. */
#ifndef SSOP_PYTHON_VIEW_OP_H
#define SSOP_PYTHON_VIEW_OP_H

#include "args.h"

/* The shape of a result. */
typedef struct {
    int32_t rank;
    int64_t dim[SSOP_MAX_RANK];
} view_shape;

/* One such operation. Its first parameter is the array, its last, keyword-only, is out. */
typedef struct {
    args_signature signature;
    /* Reads what stands between into `arguments`, of the operation's own type; `found` points at the second parameter.
     * Runs user code; raises and returns -1 on error. */
    int (*read)(const call_context *call, PyObject *const *found, void *arguments);
    /* The operand as the result shows it, and the result's shape, whose elements are those of `seen` in C order. */
    ssop_status (*resolve)(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape,
                           ssop_error *error);
} view_op;

/* The operation on an array; `arguments` is room for what `read` fills. */
PyObject *view_op_run(const view_op *op, void *arguments, PyObject *module, PyObject *const *args,
                      Py_ssize_t positional, PyObject *kwnames);

/* The shape of its result: a shape stands in place of the array, under the name `name`, and there is no out. */
PyObject *view_op_shape(const view_op *op, arg_name name, void *arguments, PyObject *module, PyObject *const *args,
                        Py_ssize_t positional, PyObject *kwnames);

#endif /* SSOP_PYTHON_VIEW_OP_H */
