/* ssop.xla.reshape and collapse; and the shapes they would give. */
#include "view_op.h"

enum { MOST_DIMENSIONS = SSOP_MAX_RANK + 1 }; /* as many as the core looks at */

/* ---- reshape -------------------------------------------------------------------------------------------------------- */

typedef struct {
    view_shape shape;
    int64_t permutation[MOST_DIMENSIONS];
    ssop_reshape_spec spec;
} reshape_arguments;

static int
read_reshape(const call_context *call, PyObject *const *found, void *arguments)
{
    reshape_arguments *into = arguments;
    into->shape.rank = args_read_shape(call, "new_sizes", found[0], into->shape.dim);
    if (into->shape.rank < 0) {
        return -1;
    }
    into->spec = (ssop_reshape_spec){.shape = {into->shape.rank, into->shape.dim}};
    if (args_given(found[1])) {
        into->spec.permutation = into->permutation;
        into->spec.permutation_count =
            args_read_vector(call, "dimensions", found[1], into->permutation, MOST_DIMENSIONS);
    }
    return into->spec.permutation_count < 0 ? -1 : 0;
}

static ssop_status
resolve_reshape(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape, ssop_error *error)
{
    const reshape_arguments *given = arguments;
    *shape = given->shape;
    return ssop_reshape_view(&given->spec, operand, seen, error);
}

static const view_op reshape_op = {
    {"xla.reshape", 4, 3, 2, {ARG_OPERAND, ARG_NEW_SIZES, ARG_DIMENSIONS, ARG_OUT}},
    read_reshape,
    resolve_reshape,
};

PyObject *
py_xla_reshape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    reshape_arguments arguments;
    return view_op_run(&reshape_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_reshape_doc[] =
    "reshape($module, /, operand, new_sizes, dimensions=None, *, out=None)\n"
    "--\n\n"
    "XLA's Reshape: the same elements in another shape, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "new_sizes : sequence of integers >= 0, with as many elements; -1 has no meaning\n"
    "dimensions : sequence of integers, every axis 0 .. rank-1 once, optional\n"
    "    The operand is transposed by it first; without it the elements keep their\n"
    "    C order, whatever the operand's memory looks like.\n"
    "out : numpy.ndarray of shape new_sizes and the same dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of shape new_sizes and the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (rs_*, tr_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; `dimensions` as until February 2025.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.reshape(np.arange(6).reshape(2, 3), [3, 2], [1, 0])\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

PyObject *
py_xla_reshape_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    reshape_arguments arguments;
    return view_op_shape(&reshape_op, ARG_SHAPE, &arguments, module, args, positional, kwnames);
}

const char py_xla_reshape_shape_doc[] =
    "xla_reshape_shape($module, /, shape, new_sizes, dimensions=None)\n"
    "--\n\n"
    "The shape of xla.reshape's result for an operand of this shape.";

/* ---- collapse ------------------------------------------------------------------------------------------------------- */

typedef struct {
    Py_ssize_t count;
    int64_t dimension[MOST_DIMENSIONS];
} collapse_arguments;

static int
read_collapse(const call_context *call, PyObject *const *found, void *arguments)
{
    collapse_arguments *into = arguments;
    into->count = args_read_vector(call, "dimensions", found[0], into->dimension, MOST_DIMENSIONS);
    return into->count < 0 ? -1 : 0;
}

static ssop_status
resolve_collapse(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape, ssop_error *error)
{
    const collapse_arguments *given = arguments;
    *seen = *operand;
    return ssop_collapse_dims(given->count, given->dimension, (ssop_shape){operand->rank, operand->dim}, &shape->rank,
                              shape->dim, error);
}

static const view_op collapse_op = {
    {"xla.collapse", 3, 2, 2, {ARG_OPERAND, ARG_DIMENSIONS, ARG_OUT}},
    read_collapse,
    resolve_collapse,
};

PyObject *
py_xla_collapse(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    collapse_arguments arguments;
    return view_op_run(&collapse_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_collapse_doc[] =
    "collapse($module, /, operand, dimensions, *, out=None)\n"
    "--\n\n"
    "XLA's Collapse: neighbouring axes become one, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "dimensions : sequence of integers, consecutive ascending axes, 0 <= axis < rank\n"
    "    None or one of them leaves the shape as it is. A list of axes, as in XLA; not\n"
    "    JAX's start and stop.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (col_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and its builder.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.collapse(np.zeros((4, 2, 3)), [0, 1]).shape\n"
    "(8, 3)\n";

PyObject *
py_xla_collapse_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    collapse_arguments arguments;
    return view_op_shape(&collapse_op, ARG_SHAPE, &arguments, module, args, positional, kwnames);
}

const char py_xla_collapse_shape_doc[] =
    "xla_collapse_shape($module, /, shape, dimensions)\n"
    "--\n\n"
    "The shape of xla.collapse's result for an operand of this shape.";
