"""Every operation that has a shape function: how it is inferred, how it is executed, and small spaces of its calls."""

from functools import partial
from itertools import permutations, product

import numpy as np

import ssop
from shape_operations_windows import REDUCTIONS
from shape_spaces import CUBES, INT64, PARTIAL_SHAPES, SHAPES, Operation, intervals, named
from ssop import shapes

# Slices with masks, of one axis; their masks are in test_shapes_known.py


def masked_call(dim, begin, end, stride, bits, as_mask=int):
    names = ("begin_mask", "end_mask", "shrink_axis_mask")
    masks = dict(zip(names, map(as_mask, bits), strict=True))
    return ([dim],), {"begin": [begin], "end": [end], "strides": [stride], **masks}


BITS = list(product((0, 1), repeat=3))
BOUNDS = (*range(-4, 5), *INT64)
STRIDES = (-2, -1, 0, 1, 2, *INT64)
MASKED = (range(4), BOUNDS, BOUNDS, STRIDES, BITS)
KINDS_OF_BITS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)]
PARTIAL_MASKED = (intervals(range(4)), intervals(range(-3, 4)), intervals(range(-3, 4)), intervals(range(-2, 3)))


def offset_call(dim, begin, end, stride, bits):
    operands, args = masked_call(dim, begin, end, stride, bits)
    return operands, args | {"offset": True}


def listed_call(names, dim, start, end, step):
    return ([3, dim],), dict(zip(names, ([start], [end], [step], [1]), strict=True))


LISTED = (range(5), BOUNDS, BOUNDS, STRIDES)
ONNX_LISTS, OPENVINO_LISTS = ("starts", "ends", "steps", "axes"), ("start", "stop", "step", "axes")


def sized_call(dim, begin, size):
    return ([dim, 2],), {"begin": [begin, 0], "size": [size, -1]}


SIZED = (range(6), (*range(-2, 7), *INT64), (*range(-3, 7), *INT64))
PARTIAL_SIZED = (intervals(range(5)), intervals(range(-2, 6)), intervals(range(-2, 6)))

# XLA's operations; of these only the dims may be intervals


def window_call(dim, start, size, policy, negative):
    options = {"out_of_bounds": policy, "allow_negative_indices": negative}
    return ([dim, 2],), {"start_indices": [start, 0], "slice_sizes": [size, 1], **options}


def one_axis_call(names, dim, *numbers):
    *numbers, axis, negative = numbers
    return ([dim, 2],), dict(zip(names, numbers, strict=True)) | {"axis": axis, "allow_negative_indices": negative}


POLICIES, FLAGS, AXES = ("clamp", "wrap", "raise"), (False, True), (0, -2, 1, 2)
SMALL, NEAR = range(5), (*range(-3, 7), *INT64)
WINDOWS = (SMALL, NEAR, range(-1, 6), POLICIES, FLAGS)


def slice_call(dim, start, limit, stride):
    return ([dim, 2],), {"start_indices": [start, 0], "limit_indices": [limit, 2], "strides": [stride, 1]}


def pad_call(dim, low, high, interior):
    return ([2, dim],), {"padding_config": [(0, 0, 0), (low, high, interior)]}


def pad(x, padding_config):
    return ssop.xla.pad(x, np.int8(0), padding_config)


# Dots and convolutions

NONE, FIRST, SECOND = (), (0,), (1,)
DOT_NUMBERS = [
    ((NONE, NONE), (NONE, NONE)),
    ((FIRST, FIRST), (NONE, NONE)),
    ((SECOND, FIRST), (NONE, NONE)),
    ((SECOND, FIRST), (FIRST, SECOND)),
    ((NONE, NONE), ((1, 0), (0, 1))),
    (((0, 1), (1, 0)), (NONE, NONE)),
    ((FIRST, (0, 1)), (NONE, NONE)),
    ((FIRST, (2,)), (SECOND, FIRST)),
    ((FIRST, FIRST), (FIRST, SECOND)),
]
PADDINGS = ("SAME", "SAME_LOWER", "VALID", ((1, 0),), ((-1, 2),), ((0, -2),))
SPECS = (None, ("NHC", "HIO", "CNH"), ((0, 1, 2), (0, 1, 1), (0, 1, 2)), ((0, 1, 2), (0, 1, 2), (2, 0, 1)))
INTERVALS = [0, 1, 2, (0, 1), (1, 2)]


def conv_call(batch, features, dim, outputs, of_kernel, size, stride, padding):
    return ([batch, features, dim], [outputs, of_kernel, size]), {"window_strides": [stride], "padding": padding}


def dilated_call(dim, size, stride, padding, lhs_dilation, rhs_dilation, groups, features):
    dilations = {"lhs_dilation": [lhs_dilation], "rhs_dilation": [rhs_dilation]}
    options = {"window_strides": [stride], "padding": padding, "feature_group_count": groups} | dilations
    return ([2, features * 2, dim], [groups * 2, 2, size]), options


def grouped_call(batch, features, of_kernel, outputs, feature_groups, batch_groups, specs):
    groups = {"feature_group_count": feature_groups, "batch_group_count": batch_groups}
    options = {"window_strides": [1], "padding": "VALID", "dimension_numbers": specs}
    operands = ([batch, features, 3], [outputs, of_kernel, 2])
    if specs and isinstance(specs[0], str):
        operands = ([batch, 3, features], [2, of_kernel, outputs])
    return operands, options | groups


# Operations that rearrange, and operations on several operands


GATHERS = [
    {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1},
    {"offset_dims": [0, 1], "collapsed_slice_dims": [], "start_index_map": [1, 0], "index_vector_dim": 0},
    {"offset_dims": [1], "collapsed_slice_dims": [], "start_index_map": [1], "index_vector_dim": 1,
     "operand_batching_dims": [0], "start_indices_batching_dims": [0]},
    {"offset_dims": [2], "collapsed_slice_dims": [1], "start_index_map": [0], "index_vector_dim": 2},
]  # fmt: skip
SCATTERS = [
    {"update_window_dims": [1], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0],
     "index_vector_dim": 1},
    {"update_window_dims": [0, 1], "inserted_window_dims": [], "scatter_dims_to_operand_dims": [0, 1],
     "index_vector_dim": 0},
    {"update_window_dims": [1], "inserted_window_dims": [], "scatter_dims_to_operand_dims": [1], "index_vector_dim": 1,
     "input_batching_dims": [0], "scatter_indices_batching_dims": [0]},
]  # fmt: skip


def gather_call(operand, indices, sizes, number):
    return (list(operand), list(indices)), {"slice_sizes": sizes, "number": number}


def infer_gather(operand, indices, slice_sizes, number, mode):
    return shapes.xla.gather(operand, indices, slice_sizes, **GATHERS[number], mode=mode)


def gather(operand, indices, slice_sizes, number):
    return ssop.xla.gather(operand, indices, slice_sizes, **GATHERS[number])


def scatter_call(operand, indices, updates, number):
    return (list(operand), list(indices), list(updates)), {"number": number}


def infer_scatter(operand, indices, updates, number, mode):
    return shapes.xla.scatter(operand, indices, updates, **SCATTERS[number], mode=mode)


def scatter(operand, indices, updates, number):
    return ssop.xla.scatter(operand, indices, updates, **SCATTERS[number])


def update_window_call(operand, update, start, policy, negative):
    options = {"out_of_bounds": policy, "allow_negative_indices": negative}
    return (list(operand), list(update)), {"start_indices": [start] * len(operand), **options}


def concatenate(*operands, dimension):
    return ssop.xla.concatenate(operands, dimension)


def infer_concatenate(*operands, dimension, mode):
    return shapes.concatenate(operands, dimension, mode=mode)


def of_list(infer, name):
    """The shape function of an operation on a list of operands, whose shapes are an argument of that name."""
    return lambda *operands, mode, **args: infer(**{name: operands}, **args, mode=mode)


def mapped(*operands, dimensions):
    return ssop.xla.map(operands, lambda *items: items[0], dimensions)


def summed(*operands):
    return ssop.xla.cross_replica_sum(operands)[0]


def chosen(*results):
    """A conditional whose branches are Computations: so their results are compared before one is called."""
    branches = [ssop.xla.Computation(np.copy, x) for x in results]
    return ssop.xla.indexed_conditional(0, branches, results)


def select(pred, on_true, on_false):
    return ssop.xla.select(pred.astype(bool), on_true, on_false)


def assign(x, value, **args):
    ssop.strided_slice_assign(x, value=value, **args)
    return x


def update(x, value, **args):
    return ssop.tensor_strided_slice_update(x, value=value, **args)


def gradient(x, dy, **args):
    return ssop.strided_slice_grad(x.shape, dy=dy, **args)


def of_value(infer, name):
    """The shape function of an operation on a value, whose shape is an argument of that name."""
    return lambda x, value, mode, **args: infer(x, **args, **{name: value}, mode=mode)


def value_call(dim, value, begin, end, stride, shrink):
    (operand,), args = masked_call(dim, begin, end, stride, (0, 0, shrink))
    return (operand, list(value)), args


VALUES = (range(4), SHAPES, range(-2, 3), range(-2, 4), (-1, 1, 2), (0, 1))
PARTIAL_VALUES = (intervals(range(4)), PARTIAL_SHAPES, range(-2, 3), range(-2, 4), (-1, 1, 2), (0, 1))
IN_DIM = ("start_index", "slice_size")

OPERATIONS = {
    "strided_slice": Operation(
        shapes.strided_slice, ssop.strided_slice, 1, MASKED, masked_call, (*PARTIAL_MASKED, KINDS_OF_BITS)
    ),
    "tflite.strided_slice": Operation(
        shapes.tflite.strided_slice, ssop.tflite.strided_slice, 1, MASKED, masked_call, (*PARTIAL_MASKED, KINDS_OF_BITS)
    ),
    "tflite.strided_slice offset": Operation(
        shapes.tflite.strided_slice,
        ssop.tflite.strided_slice,
        1,
        MASKED,
        offset_call,
        (*PARTIAL_MASKED, KINDS_OF_BITS),
        is_exact=False,
    ),
    "openvino.strided_slice": Operation(
        shapes.openvino.strided_slice,
        ssop.openvino.strided_slice,
        1,
        MASKED,
        partial(masked_call, as_mask=lambda bit: [bit]),
        (*PARTIAL_MASKED, KINDS_OF_BITS),
    ),
    "openvino.slice": Operation(
        shapes.openvino.slice, ssop.openvino.slice, 1, LISTED, partial(listed_call, OPENVINO_LISTS), PARTIAL_MASKED
    ),
    **{
        f"onnx.slice {engine}": Operation(
            partial(shapes.onnx.slice, engine=engine),
            partial(ssop.onnx.slice, engine=engine),
            1,
            LISTED,
            partial(listed_call, ONNX_LISTS),
            PARTIAL_MASKED,
        )
        for engine in ("spec", "reference", "ort")
    },
    "tf.slice": Operation(shapes.tf.slice, ssop.tf.slice, 1, SIZED, sized_call, PARTIAL_SIZED, checks_in_tf=False),
    "tflite.slice": Operation(shapes.tflite.slice, ssop.tflite.slice, 1, SIZED, sized_call, PARTIAL_SIZED),
    "slice": Operation(
        shapes.slice,
        ssop.slice,
        1,
        (SMALL, range(-1, 6), range(-1, 6), range(-1, 4)),
        slice_call,
        (intervals(SMALL), range(-1, 6), range(-1, 6), range(-1, 4)),
    ),
    "dynamic_slice": Operation(
        shapes.dynamic_slice, ssop.dynamic_slice, 1, WINDOWS, window_call, (intervals(SMALL), *WINDOWS[1:])
    ),
    "xla.slice_in_dim": Operation(
        shapes.xla.slice_in_dim,
        ssop.xla.slice_in_dim,
        1,
        (SMALL, (None, *NEAR), (None, *NEAR), range(0, 3), AXES, FLAGS),
        partial(one_axis_call, ("start_index", "limit_index", "stride")),
        (intervals(SMALL), (None, *NEAR), (None, *NEAR), range(0, 3), AXES, FLAGS),
    ),
    "xla.index_in_dim": Operation(
        shapes.xla.index_in_dim,
        ssop.xla.index_in_dim,
        1,
        (SMALL, NEAR, FLAGS, AXES, FLAGS),
        partial(one_axis_call, ("index", "keepdims")),
        (intervals(SMALL), NEAR, FLAGS, AXES, FLAGS),
    ),
    "xla.dynamic_slice_in_dim": Operation(
        shapes.xla.dynamic_slice_in_dim,
        ssop.xla.dynamic_slice_in_dim,
        1,
        (SMALL, NEAR, range(-1, 6), POLICIES, AXES, FLAGS),
        partial(one_axis_call, (*IN_DIM, "out_of_bounds")),
        (intervals(SMALL), NEAR, range(-1, 6), POLICIES, AXES, FLAGS),
    ),
    "xla.dynamic_index_in_dim": Operation(
        shapes.xla.dynamic_index_in_dim,
        ssop.xla.dynamic_index_in_dim,
        1,
        (SMALL, NEAR, FLAGS, POLICIES, AXES, FLAGS),
        partial(one_axis_call, ("index", "keepdims", "out_of_bounds")),
        (intervals(SMALL), NEAR, FLAGS, POLICIES, AXES, FLAGS),
    ),
    "xla.pad": Operation(
        shapes.xla.pad,
        pad,
        1,
        (SMALL, range(-3, 4), range(-3, 4), range(-1, 3)),
        pad_call,
        (intervals(SMALL), range(-3, 4), range(-3, 4), range(-1, 3)),
    ),
    "xla.rev": Operation(
        shapes.xla.rev,
        ssop.xla.rev,
        1,
        (CUBES, [list(axes) for count in range(4) for axes in product(range(-1, 4), repeat=count)]),
        named("dimensions"),
        (PARTIAL_SHAPES, [[], [0], [1], [0, 1], [2], [0, 0]]),
    ),
    "xla.broadcast": Operation(
        shapes.xla.broadcast,
        ssop.xla.broadcast,
        1,
        (SHAPES, [*SHAPES, (-1,)]),
        named("sizes"),
        (PARTIAL_SHAPES, [*SHAPES, (-1,)]),
    ),
    "xla.broadcast_in_dim": Operation(
        shapes.xla.broadcast_in_dim,
        ssop.xla.broadcast_in_dim,
        1,
        (SHAPES, CUBES, [list(axes) for count in range(3) for axes in product(range(-1, 4), repeat=count)]),
        named("shape", "broadcast_dimensions"),
        (PARTIAL_SHAPES, SHAPES, [[], [0], [1], [0, 1], [1, 0], [0, 0]]),
    ),
    "xla.transpose": Operation(
        shapes.xla.transpose,
        ssop.xla.transpose,
        1,
        (CUBES, [list(axes) for count in range(4) for axes in product(range(-1, 4), repeat=count)]),
        named("permutation"),
        (PARTIAL_SHAPES, [list(axes) for count in range(3) for axes in permutations(range(count))]),
    ),
    "xla.collapse": Operation(
        shapes.xla.collapse,
        ssop.xla.collapse,
        1,
        (CUBES, [list(axes) for count in range(4) for axes in product(range(-1, 4), repeat=count)]),
        named("dimensions"),
        (PARTIAL_SHAPES, [[], [0], [1], [0, 1], [1, 0], [2]]),
    ),
    "xla.reshape": Operation(
        shapes.xla.reshape,
        ssop.xla.reshape,
        1,
        (CUBES, [*CUBES, (4,), (8,), (2, 4), (-1,)], [None, [], [0], [1, 0], [0, 1], [0, 0], [0, 2, 1]]),
        named("new_sizes", "dimensions"),
        (PARTIAL_SHAPES, [*SHAPES, (4,), (4, 1)], [None]),
        is_exact=False,
    ),
    "xla.concatenate": Operation(
        infer_concatenate,
        concatenate,
        3,
        (SHAPES, SHAPES, SHAPES, range(-1, 3)),
        named("dimension"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, range(-1, 3)),
    ),
    "xla.select": Operation(shapes.xla.select, select, 3, (SHAPES, SHAPES, SHAPES), named(), (PARTIAL_SHAPES,) * 3),
    "xla.clamp": Operation(
        shapes.xla.clamp, ssop.xla.clamp, 3, (SHAPES, SHAPES, SHAPES), named(), (PARTIAL_SHAPES,) * 3
    ),
    "xla.add": Operation(
        shapes.xla.add,
        ssop.xla.add,
        2,
        (CUBES, CUBES, [None, *(list(axes) for count in range(1, 3) for axes in product(range(-1, 3), repeat=count))]),
        named("broadcast_dimensions"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, [None, [0], [1], [0, 1], [1, 0], [2]]),
    ),
    **REDUCTIONS,
    "xla.map": Operation(
        of_list(shapes.xla.map, "operand_shapes"),
        mapped,
        3,
        (SHAPES, SHAPES, SHAPES, [None, [], [0], [0, 1], [1, 0], [0, 0]]),
        named("dimensions"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, [None, [], [0], [0, 1], [1, 0]]),
    ),
    "xla.cross_replica_sum": Operation(
        of_list(shapes.xla.cross_replica_sum, "operand_shapes"),
        summed,
        3,
        (SHAPES, SHAPES, SHAPES),
        named(),
        (PARTIAL_SHAPES,) * 3,
    ),
    "xla.indexed_conditional": Operation(
        of_list(shapes.xla.indexed_conditional, "branch_shapes"),
        chosen,
        3,
        (SHAPES, SHAPES, SHAPES),
        named(),
        (PARTIAL_SHAPES,) * 3,
    ),
    "xla.gather": Operation(
        infer_gather,
        gather,
        2,
        (SHAPES, SHAPES, [[1, 2], [2, 1], [1, 1], [1], [0, 3]], range(len(GATHERS))),
        gather_call,
        (PARTIAL_SHAPES, PARTIAL_SHAPES, [[1, 2], [1, 1]], range(len(GATHERS))),
        checks_in_tf=False,
    ),
    "xla.scatter": Operation(
        infer_scatter,
        scatter,
        3,
        (SHAPES, SHAPES, SHAPES, range(len(SCATTERS))),
        scatter_call,
        (PARTIAL_SHAPES, PARTIAL_SHAPES, PARTIAL_SHAPES, range(len(SCATTERS))),
        checks_in_tf=False,
    ),
    "xla.dot": Operation(shapes.xla.dot, ssop.xla.dot, 2, (CUBES, CUBES), named(), (PARTIAL_SHAPES, PARTIAL_SHAPES)),
    "xla.dot_general": Operation(
        shapes.xla.dot_general,
        ssop.xla.dot_general,
        2,
        (CUBES, CUBES, DOT_NUMBERS),
        named("dimension_numbers"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, DOT_NUMBERS),
    ),
    "xla.conv": Operation(
        shapes.xla.conv,
        ssop.xla.conv,
        2,
        (range(3), range(3), range(5), (1, 2, 4), range(3), range(4), range(3), PADDINGS),
        conv_call,
        (
            INTERVALS,
            INTERVALS,
            intervals(range(5)),
            intervals((2, 3)),
            INTERVALS,
            intervals(range(4)),
            (1, 2),
            PADDINGS,
        ),
    ),
    "xla.conv_with_general_padding": Operation(
        shapes.xla.conv_with_general_padding,
        ssop.xla.conv_with_general_padding,
        2,
        (range(5), range(4), (1, 2, 3), PADDINGS, range(3), range(3), (1, 2, 3), (1, 2)),
        dilated_call,
        (intervals(range(5)), intervals(range(4)), (1, 2, 3), PADDINGS, (1, 2), (1, 2), (1, 2, 3), (1, 2)),
    ),
    "xla.conv_general_dilated": Operation(
        shapes.xla.conv_general_dilated,
        ssop.xla.conv_general_dilated,
        2,
        (range(5), range(5), range(4), range(5), range(4), (1, 2, 3), SPECS),
        grouped_call,
        (*(intervals(range(n)) for n in (5, 5, 4, 5)), (0, 1, 2, 3), (1, 2, 3), SPECS),
    ),
    "dynamic_update_slice": Operation(
        shapes.dynamic_update_slice,
        ssop.dynamic_update_slice,
        2,
        (SHAPES, SHAPES, (-3, -1, 0, 1, 5), POLICIES, FLAGS),
        update_window_call,
        (PARTIAL_SHAPES, PARTIAL_SHAPES, (-3, -1, 0, 1, 5), POLICIES, FLAGS),
    ),
    "xla.dynamic_update_slice_in_dim": Operation(
        shapes.xla.dynamic_update_slice_in_dim,
        ssop.xla.dynamic_update_slice_in_dim,
        2,
        (SHAPES, SHAPES, (-3, -1, 0, 1, 5), range(-2, 3), POLICIES),
        named("start_index", "axis", "out_of_bounds"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, (-3, -1, 0, 1, 5), range(-2, 3), POLICIES),
    ),
    "xla.dynamic_update_index_in_dim": Operation(
        shapes.xla.dynamic_update_index_in_dim,
        ssop.xla.dynamic_update_index_in_dim,
        2,
        (SHAPES, SHAPES, (-3, -1, 0, 1, 5), range(-2, 3), POLICIES),
        named("index", "axis", "out_of_bounds"),
        (PARTIAL_SHAPES, PARTIAL_SHAPES, (-3, -1, 0, 1, 5), range(-2, 3), POLICIES),
    ),
    "strided_slice_assign": Operation(
        of_value(shapes.strided_slice_assign, "value_shape"),
        assign,
        2,
        VALUES,
        value_call,
        PARTIAL_VALUES,
        checks_in_tf=False,
        is_exact=False,
    ),
    "tensor_strided_slice_update": Operation(
        of_value(shapes.tensor_strided_slice_update, "value_shape"),
        update,
        2,
        VALUES,
        value_call,
        PARTIAL_VALUES,
        checks_in_tf=False,
        is_exact=False,
    ),
    "strided_slice_grad": Operation(
        of_value(shapes.strided_slice_grad, "dy_shape"),
        gradient,
        2,
        VALUES,
        value_call,
        PARTIAL_VALUES,
        checks_in_tf=False,
        is_exact=False,
    ),
}
