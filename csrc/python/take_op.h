/* Operations that take one region of one array: the path they share from the call to the result. */
#ifndef SSOP_PYTHON_TAKE_OP_H
#define SSOP_PYTHON_TAKE_OP_H

#include "args.h"

/* One such operation. Its first parameter is the array, its last, keyword-only, is out. */
typedef struct {
    args_signature signature;
    /* Reads what stands between into `arguments`, of the operation's own type; `found` points at the second parameter.
     * Runs user code; raises and returns -1 on error. */
    int (*read)(const call_context *call, PyObject *const *found, void *arguments);
    ssop_status (*resolve)(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region,
                           ssop_error *error);
} take_op;

/* The operation on an array; `arguments` is room for what `read` fills. */
PyObject *take_op_run(const take_op *op, void *arguments, PyObject *module, PyObject *const *args,
                      Py_ssize_t positional, PyObject *kwnames);

/* The Region it would take: a shape stands in place of the array, and there is no out. */
PyObject *take_op_region(const take_op *op, void *arguments, PyObject *module, PyObject *const *args,
                         Py_ssize_t positional, PyObject *kwnames);

#endif /* SSOP_PYTHON_TAKE_OP_H */
