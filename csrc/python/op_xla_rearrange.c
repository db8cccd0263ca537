/* ssop.xla.rev, transpose, broadcast and broadcast_in_dim; and what they would give without data. */
#include "take_op.h"
#include "view_op.h"

enum { MOST_DIMENSIONS = SSOP_MAX_RANK + 1 }; /* as many as the core looks at */

typedef struct {
    Py_ssize_t count;
    int64_t value[MOST_DIMENSIONS];
} dimension_list;

static int
read_list(const call_context *call, const char *name, PyObject *object, dimension_list *into)
{
    into->count = args_read_vector(call, name, object, into->value, MOST_DIMENSIONS);
    return into->count < 0 ? -1 : 0;
}

/* For a result of the very shape in which the operand is seen. */
static ssop_status
with_shape_of(const ssop_view *seen, ssop_status status, view_shape *shape)
{
    if (status == SSOP_OK) {
        shape->rank = seen->rank;
        memcpy(shape->dim, seen->dim, (size_t)seen->rank * sizeof *seen->dim);
    }
    return status;
}

/* ---- rev ------------------------------------------------------------------------------------------------------------ */

static int
read_reversed(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_list(call, "dimensions", found[0], arguments);
}

static ssop_status
resolve_reversed(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    const dimension_list *list = arguments;
    return ssop_reverse_resolve(list->count, list->value, (ssop_shape){rank, dims}, region, error);
}

static const take_op rev_op = {
    {"xla.rev", 3, 2, 2, {ARG_OPERAND, ARG_DIMENSIONS, ARG_OUT}},
    read_reversed,
    resolve_reversed,
};

PyObject *
py_xla_rev(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return take_op_run(&rev_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_rev_doc[] =
    "rev($module, /, operand, dimensions, *, out=None)\n"
    "--\n\n"
    "XLA's Rev: the elements in reverse order along some axes, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "dimensions : sequence of integers, each an axis, 0 <= axis < rank, none twice\n"
    "out : numpy.ndarray of the operand's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the operand's shape and dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (rev_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `reverse`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.rev(np.arange(6).reshape(2, 3), [1])\n"
    "array([[2, 1, 0],\n"
    "       [5, 4, 3]])\n";

PyObject *
py_xla_rev_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return take_op_region(&rev_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_rev_region_doc[] =
    "xla_rev_region($module, /, shape, dimensions)\n"
    "--\n\n"
    "The Region that xla.rev takes of an operand of this shape.";

/* ---- transpose ------------------------------------------------------------------------------------------------------ */

static int
read_permutation(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_list(call, "permutation", found[0], arguments);
}

static ssop_status
resolve_transposed(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape,
                   ssop_error *error)
{
    const dimension_list *list = arguments;
    return with_shape_of(seen, ssop_transpose_view(list->count, list->value, operand, seen, error), shape);
}

static const view_op transpose_op = {
    {"xla.transpose", 3, 2, 2, {ARG_OPERAND, ARG_PERMUTATION, ARG_OUT}},
    read_permutation,
    resolve_transposed,
};

PyObject *
py_xla_transpose(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return view_op_run(&transpose_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_transpose_doc[] =
    "transpose($module, /, operand, permutation, *, out=None)\n"
    "--\n\n"
    "XLA's Transpose: the axes in another order, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "permutation : sequence of integers, every axis 0 .. rank-1 once\n"
    "    Axis i of the result is axis permutation[i] of the operand.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (tr_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `transpose`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.transpose(np.arange(6).reshape(2, 3), [1, 0])\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

PyObject *
py_xla_transpose_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return view_op_shape(&transpose_op, ARG_SHAPE, &arguments, module, args, positional, kwnames);
}

const char py_xla_transpose_shape_doc[] =
    "xla_transpose_shape($module, /, shape, permutation)\n"
    "--\n\n"
    "The shape of xla.transpose's result for an operand of this shape.";

/* ---- broadcast ------------------------------------------------------------------------------------------------------ */

static int
read_sizes(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_list(call, "sizes", found[0], arguments);
}

static ssop_status
resolve_broadcast(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape,
                  ssop_error *error)
{
    const dimension_list *list = arguments;
    return with_shape_of(seen, ssop_broadcast_view(list->count, list->value, operand, seen, error), shape);
}

static const view_op broadcast_op = {
    {"xla.broadcast", 3, 2, 2, {ARG_OPERAND, ARG_SIZES, ARG_OUT}},
    read_sizes,
    resolve_broadcast,
};

PyObject *
py_xla_broadcast(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return view_op_run(&broadcast_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_broadcast_doc[] =
    "broadcast($module, /, operand, sizes, *, out=None)\n"
    "--\n\n"
    "XLA's Broadcast: the operand repeated along new leading axes, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "sizes : sequence of integers >= 0, the lengths of the new axes\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of shape sizes + operand.shape; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (bc_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.broadcast(np.array([1, 2, 3]), [2])\n"
    "array([[1, 2, 3],\n"
    "       [1, 2, 3]])\n";

PyObject *
py_xla_broadcast_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dimension_list arguments;
    return view_op_shape(&broadcast_op, ARG_SHAPE, &arguments, module, args, positional, kwnames);
}

const char py_xla_broadcast_shape_doc[] =
    "xla_broadcast_shape($module, /, shape, sizes)\n"
    "--\n\n"
    "The shape of xla.broadcast's result for an operand of this shape.";

/* ---- broadcast_in_dim ----------------------------------------------------------------------------------------------- */

typedef struct {
    view_shape shape;
    dimension_list dimensions;
} in_dim_arguments;

static int
read_in_dim(const call_context *call, PyObject *const *found, void *arguments)
{
    in_dim_arguments *into = arguments;
    into->shape.rank = args_read_shape(call, "shape", found[0], into->shape.dim);
    return into->shape.rank < 0 ? -1 : read_list(call, "broadcast_dimensions", found[1], &into->dimensions);
}

static ssop_status
resolve_in_dim(const void *arguments, const ssop_view *operand, ssop_view *seen, view_shape *shape, ssop_error *error)
{
    const in_dim_arguments *given = arguments;
    *shape = given->shape;
    return ssop_broadcast_in_dim_view((ssop_shape){shape->rank, shape->dim}, given->dimensions.count,
                                      given->dimensions.value, operand, seen, error);
}

static const view_op broadcast_in_dim_op = {
    {"xla.broadcast_in_dim", 4, 3, 3, {ARG_OPERAND, ARG_SHAPE, ARG_BROADCAST_DIMENSIONS, ARG_OUT}},
    read_in_dim,
    resolve_in_dim,
};

PyObject *
py_xla_broadcast_in_dim(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    in_dim_arguments arguments;
    return view_op_run(&broadcast_in_dim_op, &arguments, module, args, positional, kwnames);
}

const char py_xla_broadcast_in_dim_doc[] =
    "broadcast_in_dim($module, /, operand, shape, broadcast_dimensions, *, out=None)\n"
    "--\n\n"
    "XLA's BroadcastInDim: each axis at a place of its own in the result, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "shape : sequence of integers >= 0, the shape of the result\n"
    "broadcast_dimensions : sequence of integers, one per axis of the operand\n"
    "    Axis k of the operand becomes axis broadcast_dimensions[k] of the result,\n"
    "    which is as long, or repeats an axis of length 1. None twice; an order that\n"
    "    does not increase transposes.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of shape `shape` and the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (bid_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `broadcast_in_dim`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.broadcast_in_dim(np.array([1, 2]), [2, 3], [0])\n"
    "array([[1, 1, 1],\n"
    "       [2, 2, 2]])\n";

PyObject *
py_xla_broadcast_in_dim_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    in_dim_arguments arguments;
    return view_op_shape(&broadcast_in_dim_op, ARG_IN_SHAPE, &arguments, module, args, positional, kwnames);
}

const char py_xla_broadcast_in_dim_shape_doc[] =
    "xla_broadcast_in_dim_shape($module, /, in_shape, shape, broadcast_dimensions)\n"
    "--\n\n"
    "The shape of xla.broadcast_in_dim's result for an operand of shape in_shape.";
