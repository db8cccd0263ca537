"""Shape functions: known shapes give what execution gives, and partly known ones every completion's shape, no more."""

import doctest
import importlib
import inspect
import itertools
import pkgutil

import numpy as np
import pytest

import ssop
from ssop import _core, shapes
from ssop._xla.elementwise import BINARY, UNARY
from ssop.shapes import PartialShape, xla

FULL = (0, None)
DIMS = [0, 1, 2, 3, (0, 1), (1, 2), (0, 3), (2, 3)]
NARROW = [1, 2, (0, 1), (1, 2), (0, 2)]


def completions(shape):
    """All known shapes that a shape of small intervals may be; dims of one identity are one number."""
    return itertools.product(*(range(low, high + 1) for low, high in shapes.PartialShape(shape).intervals))


def executed(function, *arguments, **keywords):
    """What execution gives, or None if it is an error."""
    try:
        return tuple(function(*arguments, **keywords))
    except ssop.SliceError:
        return None


def check_tight(infer, execute, operands, optimal=True):
    """Compare an inference with the shapes that execution gives for all completions of the operands."""
    found = {executed(execute, *known) for known in itertools.product(*map(completions, operands))} - {None}
    try:
        tight = infer(*operands, mode="tight")
    except ssop.SliceError:
        assert not found
        return 0
    assert found or not optimal
    assert all(tight.contains(shape) for shape in found)
    assert infer(*operands, mode="tf").dims == tight.dims
    if optimal:
        hull = tuple((min(dims), max(dims)) for dims in zip(*found, strict=True))
        assert tight.intervals == hull
    return 1


def pairs(dims, rank):
    return itertools.product(dims, repeat=rank)


def shape_of_select(pred, on_true, on_false):
    return ssop.xla.select(np.zeros(pred, bool), np.zeros(on_true), np.zeros(on_false)).shape


def shape_of_clamp(low, operand, high):
    return ssop.xla.clamp(np.zeros(low), np.zeros(operand), np.zeros(high)).shape


def test_sh_s24_concatenate_is_exact():
    checked = 0
    for a, b in itertools.product(pairs(NARROW, 2), repeat=2):
        for axis in (0, 1):
            checked += check_tight(
                lambda x, y, mode, axis=axis: shapes.xla.concatenate([x, y], axis, mode=mode),
                lambda x, y, axis=axis: _core.xla_concatenate_shape([x, y], axis),
                (a, b),
            )
    assert checked == 1050


def test_sh_s25_select_and_clamp_are_exact():
    checked = 0
    for a, b, c in itertools.product([(), *pairs(NARROW, 1)], pairs(NARROW, 1), pairs(NARROW, 1)):
        checked += check_tight(shapes.xla.select, shape_of_select, (a, b, c))
        checked += check_tight(shapes.xla.clamp, shape_of_clamp, (a, b, c))
    assert checked == 208


def test_sh_s32_dims_that_cannot_be_1_are_those_of_the_result():
    wide, any_dim = shapes.Dim((2, 5)), shapes.Dim()
    result = xla.add(PartialShape([wide, any_dim, 1]), PartialShape([None, 3, any_dim]), mode="tight")
    assert result.dim(0).id == wide.id and result.dim(1).value == 3 and result.dim(2).id == any_dim.id
    assert xla.add([None], [None]).intervals == ((0, None),)
    assert xla.add([(0, 3)], [(1, 5)], mode="tight").intervals == ((0, 5),)
    assert xla.add(None, [2]).rank is None and xla.lt([2, None], []).dims == (2, None)
    assert ssop.infer_shape("xla.mul", [2, 3], [3], [1]).dims == (2, 3)


def test_sh_s23_rearranging_is_exact():
    checked = 0
    for a in pairs(DIMS, 2):
        for order in ([0, 1], [1, 0]):
            checked += check_tight(
                lambda x, mode, order=order: shapes.xla.transpose(x, order, mode=mode),
                lambda x, order=order: _core.xla_transpose_shape(x, order),
                (a,),
            )
        for axes in ([], [1], [0, 1]):
            checked += check_tight(
                lambda x, mode, axes=axes: shapes.xla.collapse(x, axes, mode=mode),
                lambda x, axes=axes: _core.xla_collapse_shape(x, axes),
                (a,),
            )
        checked += check_tight(
            lambda x, mode="tf": shapes.xla.broadcast(x, [2], mode=mode),
            lambda x: _core.xla_broadcast_shape(x, [2]),
            (a,),
        )
    assert checked == 6 * 64


def test_sh_s23_broadcast_in_dim_is_exact():
    checked = 0
    for a, b in itertools.product(pairs(NARROW, 1), pairs(DIMS, 2)):
        for axis in (0, 1):
            checked += check_tight(
                lambda x, y, mode, axis=axis: shapes.xla.broadcast_in_dim(x, y, [axis], mode=mode),
                lambda x, y, axis=axis: _core.xla_broadcast_in_dim_shape(x, y, [axis]),
                (a, b),
            )
    assert checked == 576


def test_sh_s28_reshape_is_sound_and_exact_for_one_unknown_size():
    sound = exact = 0
    for a in pairs(DIMS, 2):
        for b in pairs(NARROW, 2):
            sound += check_tight(shapes.xla.reshape, _core.xla_reshape_shape, (a, b), optimal=False)
    for a in pairs((0, 1, 2, 3, 4), 2):
        for b in itertools.product((1, 2, 3), ((0, 4), (1, 16), (2, 5))):
            exact += check_tight(shapes.xla.reshape, _core.xla_reshape_shape, (a, b))
    assert (sound, exact) == (1072, 105)


def test_sh_s29_updates_are_exact():
    checked = 0
    for operand, update, start in itertools.product(pairs(DIMS, 1), pairs(NARROW, 1), (-3, -1, 0, 1, 2)):
        for policy, negative in itertools.product(("clamp", "wrap", "raise"), (False, True)):
            options = {"out_of_bounds": policy, "allow_negative_indices": negative}

            def execute(x, y, start=start, options=options):
                return _core.dynamic_update_slice_regions(x, y, [start], **options)[0].in_shape

            checked += check_tight(
                lambda x, y, mode, start=start, options=options: shapes.dynamic_update_slice(
                    x, y, [start], mode=mode, **options
                ),
                lambda x, y, execute=execute: (execute(x, y), x)[1],
                (operand, update),
            )
    assert checked == 899


# ---- every operation -------------------------------------------------------------------------------------------------

X = (3, 4)
SPEC = ([2, 0], [0, 3], [-1, 1])
# operation -> (arguments for arrays of zeros, the shapes among them, the other arguments of its shape function)
CALLS = {
    "strided_slice": ((X,), SPEC),
    "tf.slice": ((X,), ([1, 2], [-1, 2])),
    "tflite.strided_slice": ((X,), (*SPEC, 1)),
    "tflite.slice": ((X,), ([1, 2], [-1, 2])),
    "openvino.strided_slice": ((X,), (*SPEC, [1])),
    "openvino.slice": ((X,), ([9, 1], [-9, 9], [-2, 3])),
    "onnx.slice": ((X,), ([9], [-9], [1], [-2])),
    "slice": ((X,), ([1, 0], [3, 4], [2, 3])),
    "dynamic_slice": ((X,), ([2, 9], [2, 3])),
    "xla.slice_in_dim": ((X,), (1, None, 2, -1)),
    "xla.index_in_dim": ((X,), (1, -1, False)),
    "xla.dynamic_slice_in_dim": ((X,), (9, 2, 1)),
    "xla.dynamic_index_in_dim": ((X,), (9, 1, False)),
    "xla.rev": ((X,), ([1],)),
    "xla.broadcast": ((X,), ([2, 5],)),
    "xla.broadcast_in_dim": ((X,), ([3, 2, 4], [0, 2])),
    "xla.reshape": ((X,), ([2, 6], [1, 0])),
    "xla.collapse": ((X,), ([0, 1],)),
    "xla.transpose": ((X,), ([1, 0],)),
    "xla.select": ((X, X, X), ()),
    "xla.clamp": (((), X, X), ()),
    "dynamic_update_slice": ((X, (2, 2)), ([1, 9],)),
    "xla.dynamic_update_slice_in_dim": ((X, (2, 2)), (1, -1)),
    "xla.dynamic_update_index_in_dim": ((X, (3,)), (9, 1)),
    "xla.dot": ((X, (4, 2)), ()),
    "xla.dot_general": ((X, (4, 3)), ((([1], [0]), ([0], [1])),)),
    "xla.conv": (((2, 3, 7), (4, 3, 3)), ([2], "SAME")),
    "xla.conv_with_general_padding": (((2, 3, 7), (4, 3, 3)), ([2], [(1, -1)], [2], [1])),
    "xla.conv_general_dilated": (((2, 7, 4), (3, 2, 6)), ([1], "VALID", None, [2], ("NHC", "HIO", "NHC"), 2)),
    **{f"xla.{row.name}": ((X, (4,)), ([1],)) for row in BINARY},
    **{f"xla.{row.name}": ((X,), ()) for row in UNARY},
    "xla.convert_element_type": ((X,), ("i4",)),
    "xla.reduce_precision": ((X,), (5, 10)),
    "xla.sort": ((X,), (-2,)),
}
NUMBERS = {  # their arguments differ from those of their shape functions: see test_shapes_xla_numbers.py
    "xla.batch_norm_grad", "xla.batch_norm_inference", "xla.batch_norm_training", "xla.bitcast_convert_type",
    "xla.broadcasted_iota", "xla.iota", "xla.rng_bernoulli", "xla.rng_bit_generator", "xla.rng_normal",
    "xla.rng_uniform",
}  # fmt: skip
UPDATES = ("strided_slice_assign", "tensor_strided_slice_update")


def public(op):
    """The function of `ssop` of this name, and that of `ssop.shapes`."""
    module, _, name = op.rpartition(".")
    homes = (ssop, shapes) if not module else (getattr(ssop, module), getattr(shapes, module))
    return tuple(getattr(home, name) for home in homes)


BETWEEN = {"strided_slice_grad", "xla.pad", "xla.concatenate", "xla.gather", "xla.scatter"}
"""Operations whose arguments stand between the shapes, or have names only."""
ROWS = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}
INTO_ROWS = {
    "update_window_dims": [1], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1,
}  # fmt: skip


def test_sh_s37_gather_and_scatter():
    many, count = shapes.Dim(), shapes.Dim((2, 5))
    gathered = xla.gather(PartialShape([9, many]), PartialShape([count, 1]), [1, 4], **ROWS)
    assert gathered.dim(0).id == count.id and gathered.dims == (None, 4)
    scattered = xla.scatter(PartialShape([many, 7]), [4], PartialShape([4, (3, 9)]), mode="tight", **INTO_ROWS)
    assert scattered.dim(0).id == many.id and scattered.dims == (None, 7)
    assert xla.scatter([None, None], [4], [4, 3], mode="tight", **INTO_ROWS).intervals == ((0, None), (3, None))
    assert xla.gather(None, [2], [1, 4], **ROWS).rank is None
    assert xla.gather(None, [2], [1, 4], **ROWS, mode="tight").dims == (2, 4)
    assert ssop.infer_shape("xla.gather", [3, 4], [2], [1, 4], **ROWS).dims == (2, 4)


@pytest.mark.parametrize("mode", ["tf", "tight"])
@pytest.mark.parametrize("op", CALLS)
def test_known_shapes_give_the_shape_of_execution(op, mode):
    operands, others = CALLS[op]
    execute, infer = public(op)
    logical = op.startswith("xla.logical")
    kinds = [bool if logical or (op == "xla.select" and i == 0) else float for i in range(len(operands))]
    arrays = [np.zeros(shape, kind) for shape, kind in zip(operands, kinds, strict=True)]
    given = infer(*operands, *others, mode=mode)
    assert given.dims == execute(*arrays, *others).shape
    assert given.is_fully_known
    assert ssop.infer_shape(op, *operands, *others, mode=mode) == given


@pytest.mark.parametrize("mode", ["tf", "tight"])
def test_known_shapes_of_operations_with_arguments_between(mode):
    assert shapes.strided_slice_grad(X, *SPEC, (2, 3), mode=mode).dims == X
    for op in UPDATES:
        assert getattr(shapes, op)(X, *SPEC, (3,), mode=mode).dims == X
    assert shapes.xla.pad(X, [(1, -1, 0), (0, 2, 1)], mode=mode).dims == (3, 9)
    assert shapes.xla.concatenate([X, (1, 4)], 0, mode=mode).dims == (4, 4)
    assert shapes.xla.reduce(X, [0], mode=mode).dims == (4,)
    assert shapes.xla.reduce_window(X, (2, 3), (1, 2), mode=mode).dims == (2, 1)
    assert shapes.xla.select_and_scatter(X, (2, 1), (2, 3), (1, 2), mode=mode).dims == X
    assert shapes.xla.gather(X, (5, 1), [1, 2], **ROWS, mode=mode).dims == (5, 2)
    assert shapes.xla.scatter(X, (5, 1), (5, 2), **INTO_ROWS, mode=mode).dims == X


# Functions of `ssop.xla` that give no array, and `Computation`.
WITHOUT_SHAPE = {
    "Computation",
    "outfeed",
    "register_custom_call",
    "send",
    "transfer_to_infeed",
    "unregister_custom_call",
}
# Shape functions of operations that call computations or move values about: tests/unit/test_shapes_xla_control.py.
OF_COMPUTATIONS = {
    "call",
    "cond",
    "conditional",
    "cross_replica_sum",
    "custom_call",
    "get_tuple_element",
    "indexed_conditional",
    "infeed",
    "map",
    "recv",
    "switch",
    "transfer_from_outfeed",
    "tuple",
    "while_",
    "while_loop",
}


def test_every_operation_of_the_package_is_there():
    listed = {*CALLS, *UPDATES, *BETWEEN}
    listed |= {"xla.reduce", "xla.reduce_window", "xla.select_and_scatter"}
    listed |= {f"xla.{name}" for name in OF_COMPUTATIONS}
    listed |= NUMBERS
    names = {"strided_slice", "slice", "dynamic_slice", "dynamic_update_slice", "strided_slice_grad", *UPDATES}
    for module in ("tf", "tflite", "openvino", "onnx", "xla"):
        without_shape = WITHOUT_SHAPE if module == "xla" else set()
        assert set(getattr(shapes, module).__all__) == set(getattr(ssop, module).__all__) - without_shape
        names |= {f"{module}.{name}" for name in getattr(ssop, module).__all__ if name not in without_shape}
    same = {f"tf.{name}" for name in names} | {f"xla.{name}" for name in names}
    same |= {"xla.bitwise_and", "xla.bitwise_or", "xla.bitwise_not"}
    assert names - same == listed - {"tf.slice"}


def test_names_of_operations():
    for op in (*CALLS, *UPDATES, *BETWEEN):
        infer = public(op)[1]
        assert list(inspect.signature(infer).parameters)[-1] == "mode"
        assert inspect.signature(infer).parameters["mode"].default == "tf"
    assert shapes.pad is shapes.xla.pad and shapes.slice is shapes.xla.slice
    assert ssop.infer_shape("pad", X, [(1, 0, 0)] * 2) == ssop.infer_shape("xla.pad", X, [(1, 0, 0)] * 2)


def public_functions():
    for home in (shapes, shapes.tf, shapes.tflite, shapes.openvino, shapes.onnx, shapes.xla):
        for name in home.__all__:
            if inspect.isfunction(getattr(home, name)):
                yield getattr(home, name)


@pytest.mark.parametrize("function", sorted(set(public_functions()), key=lambda f: (f.__module__, f.__name__)))
def test_docstrings_have_their_sections(function):
    text = inspect.getdoc(function)
    for section in ("Parameters", "Raises", "Source:", "Examples", ">>> "):
        assert section in text, section
    assert function is shapes.register or "Returns" in text
    for parameter in inspect.signature(function).parameters:
        assert parameter in text, parameter


def test_examples_run():
    names = [f"ssop.shapes.{module.name}" for module in pkgutil.iter_modules(shapes.__path__)]
    done = [doctest.testmod(importlib.import_module(name)) for name in ("ssop.shapes", *names)]
    assert sum(result.failed for result in done) == 0
    assert sum(result.attempted for result in done) >= 100


# ---- what is not known -----------------------------------------------------------------------------------------------

UNKNOWN = shapes.unknown(None)


def test_sh_s20_unknown_vectors():
    assert shapes.unknown(2) == (None, None)
    assert repr(UNKNOWN) == "unknown(None)"
    assert shapes.strided_slice([5, 6], UNKNOWN, UNKNOWN).rank is None
    assert shapes.strided_slice([5, 6], UNKNOWN, UNKNOWN, UNKNOWN, mode="tight").rank is None
    assert shapes.strided_slice([5, 6], UNKNOWN, UNKNOWN, [1]).dims == (None, 6)
    assert shapes.strided_slice([5, 6], [1], [3], UNKNOWN).rank is None  # TensorFlow reads strides as a whole
    assert shapes.strided_slice([5, 6], [1], [3], UNKNOWN, mode="tight").intervals == ((0, 2), (6, 6))
    assert shapes.tf.slice([5, 6], UNKNOWN, UNKNOWN).dims == (None, None)
    assert shapes.tf.slice(None, UNKNOWN, UNKNOWN).rank is None
    assert shapes.tf.slice(None, UNKNOWN, [2, 3]).dims == (2, 3)
    assert shapes.tflite.slice([5, 6], UNKNOWN, [2, -1]).dims == (2, None)
    assert shapes.tflite.slice(None, UNKNOWN, UNKNOWN).rank is None
    assert shapes.tflite.strided_slice([5, 6], UNKNOWN, UNKNOWN).rank is None
    assert shapes.tflite.strided_slice([5, 6], UNKNOWN, [1]).dims == (None, 6)
    assert shapes.openvino.strided_slice([5, 6], UNKNOWN, UNKNOWN).rank is None
    assert shapes.openvino.strided_slice([5, 6], UNKNOWN, [3]).dims == (None, 6)
    assert shapes.openvino.slice([5, 6], UNKNOWN, UNKNOWN, UNKNOWN, mode="tight").intervals == ((0, 5), (0, 6))
    assert shapes.openvino.slice([5, 6], [0], [1], [1], shapes.unknown(1)).dims == (None, None)
    assert shapes.openvino.slice([5, 6], UNKNOWN, UNKNOWN, UNKNOWN, [1]).dims == (5, None)
    assert shapes.onnx.slice([5, 6], UNKNOWN, UNKNOWN).dims == (None, None)
    assert shapes.onnx.slice(None, UNKNOWN, UNKNOWN).rank is None
    assert shapes.onnx.slice([5, 6], [0], [1], UNKNOWN, mode="tight").intervals == ((1, 5), (1, 6))
    assert shapes.dynamic_slice([5, None], UNKNOWN, [2, 3]).dims == (2, 3)
    assert shapes.dynamic_update_slice(None, None, UNKNOWN).rank is None
    assert shapes.strided_slice_grad(UNKNOWN, [0], [1], [1], [1]).rank is None


def test_sh_s22_an_unknown_axis_is_each_of_them():
    assert shapes.onnx.slice([(2, 4), None], [0], [1], [None], mode="tight").intervals == ((1, 4), (0, None))


def test_sh_s23_unknown_ranks():
    assert shapes.xla.transpose(None, [1, 0]).rank is None
    assert shapes.xla.transpose(None, [1, 0], mode="tight").dims == (None, None)
    assert shapes.xla.collapse(None, [1, 2], mode="tight").rank is None
    assert shapes.xla.broadcast(None, [2]).rank is None
    assert shapes.xla.broadcast_in_dim(None, [2, 3], [1]).dims == (2, 3)
    assert shapes.xla.broadcast_in_dim([3], None, [1]).rank is None
    assert shapes.xla.reshape(None, [2, 3]).dims == (2, 3)
    assert shapes.xla.reshape([2], None).rank is None
    assert shapes.xla.concatenate([None, [2, 3]], 0).dims == (None, 3)
    assert shapes.xla.concatenate([None, [2, 3]], 0, mode="tight").intervals == ((2, None), (3, 3))
    assert shapes.xla.concatenate([None, None], 3).rank is None
    assert shapes.xla.select(None, None, [2]).dims == (2,)
    assert shapes.xla.clamp([2], None, None).dims == (2,)
    assert shapes.dynamic_update_slice(None, [2], [0]).rank is None
    assert shapes.dynamic_update_slice(None, [2], [0], mode="tight").intervals == ((2, None),)
    assert shapes.xla.dynamic_update_slice_in_dim(None, [2], 0, 0, mode="tight").intervals == ((2, None),)
    assert shapes.xla.dynamic_update_slice_in_dim(None, None, 0, 0).rank is None
    assert shapes.xla.dynamic_update_index_in_dim(None, [2], 0, 0, mode="tight").rank is None
    assert shapes.xla.dynamic_update_index_in_dim([4], None, 0, 0).dims == (4,)


def test_sh_s26_grad_reads_its_shape():
    assert shapes.strided_slice_grad([5, -1, None, (1, 2)], [], [], [], [9]).intervals == ((5, 5), FULL, FULL, (1, 2))
    assert shapes.strided_slice_grad(None, [], [], [], [9]).rank is None
    given = shapes.PartialShape([5, None])
    assert shapes.strided_slice_grad(given, [0], [2], [1], [2, 7], mode="tight") is given
    error = error_of(shapes.strided_slice_grad, [5], [0], [2], [1], [3], mode="tight")
    assert (error.label, error.value) == ("gr_c1", (3,))
    assert "shape of dy was [3] instead of [2]" in str(error)


def test_sh_s27_updates_keep_their_target():
    for op in UPDATES:
        infer = getattr(shapes, op)
        target = shapes.PartialShape([None, (2, 4)])
        assert infer(target, [9], [0], [0], [1, 2, 3]) is target  # TensorFlow's checks nothing
        assert infer(target, [0], [9], [1], [7, 1, 3], mode="tight") is target  # the slice may be empty
        assert error_of(infer, [3, (2, 4)], [0], [9], [1], [7, 1, 3], mode="tight").label == "as_c1"
        assert infer([3, (2, 4)], [0], [9], [1], [1, 1, 3], mode="tight").intervals == ((3, 3), (2, 4))
        assert error_of(infer, [3, (2, 4)], [0], [9], [1], [5], mode="tight").label == "as_c1"
        assert infer([3, 4], [0], [9], [1], None, mode="tight").dims == (3, 4)
        assert error_of(infer, [3, 4], [0], [9], [0], [1], mode="tight").label == "ss_c5"


def test_sh_s28_reshape_keeps_a_dim():
    dim = shapes.Dim()
    for mode in ("tf", "tight"):
        assert shapes.xla.reshape([dim, 6], [2, None, 3], mode=mode).dim(1).same_as(dim)
    assert shapes.xla.reshape([dim, 6], [None, 3], mode="tight").dims == (None, 3)
    assert shapes.xla.reshape([None, 2**40], [2**62, None, None]).dims == (2**62, None, None)


# ---- contradictions --------------------------------------------------------------------------------------------------


def error_of(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceError) as caught:
        function(*arguments, **keywords)
    return caught.value


CONTRADICTIONS = {
    "cat_c1": (shapes.xla.concatenate, [], 0),
    "cat_c2": (shapes.xla.concatenate, [[None], [2]], 1),
    "cat_c3": (shapes.xla.concatenate, [[None], None, [2, 3]], 0),
    "cat_c5": (shapes.xla.concatenate, [[None, 2], [None, 3]], 0),
    "cat_c6": (shapes.xla.concatenate, [[2**62], [2**62], None], 0),
    "in_c1": (shapes.xla.concatenate, [[None, 2]], True),
    "sel_c1": (shapes.xla.select, [], [None, 2], [None, 3]),
    "sel_c4": (shapes.xla.select, [None, 4], [None, None], [None, 3]),
    "cl_c2": (shapes.xla.clamp, [], [None, 3], [2]),
    "bc_c1": (shapes.xla.broadcast, None, [-1]),
    "bc_c2": (shapes.xla.broadcast, [None], [1] * 64),
    "bid_c1": (shapes.xla.broadcast_in_dim, [None], [2], []),
    "bid_c2": (shapes.xla.broadcast_in_dim, None, [2], [1]),
    "bid_c4": (shapes.xla.broadcast_in_dim, [(2, 3)], [None, 4], [1]),
    "bid_c5": (shapes.xla.broadcast_in_dim, [None, None], [2, 2], [1, 1]),
    "rs_c1": (shapes.xla.reshape, [None, 3], [7]),
    "rs_c2": (shapes.xla.reshape, [2**62, 2, None], [(2**62, None), 4]),
    "tr_c1": (shapes.xla.reshape, [None, 3], [None, 3], [0]),
    "tr_c2": (shapes.xla.transpose, None, [1]),
    "tr_c3": (shapes.xla.transpose, [None, 3], [1, 1]),
    "col_c1": (shapes.xla.collapse, [None, 3], [1, 0]),
    "col_c2": (shapes.xla.collapse, [None, 3], [1, 2]),
    "col_c3": (shapes.xla.collapse, [2**62, (2, 3)], [0, 1]),
    "dus_c1": (shapes.dynamic_update_slice, [None, 3], [1, 1], [0]),
    "dus_c2": (shapes.dynamic_update_slice, [None, 3], [1], [0, 0]),
    "dus_c3": (shapes.dynamic_update_slice, [(0, 3)], [(4, 5)], [None]),
    "dus_c5": (shapes.dynamic_update_slice, [(0, 3)], [(2, 5)], [2], {"out_of_bounds": "raise"}),
    "dim_c1": (shapes.xla.dynamic_update_slice_in_dim, [None], [1], 0, 1),
    "sh_c25": (shapes.xla.concatenate, [[1]], 0, {"mode": "loose"}),
}


@pytest.mark.parametrize("label", CONTRADICTIONS)
def test_contradiction_is_the_error_of_execution(label):
    function, *arguments = CONTRADICTIONS[label]
    keywords = arguments.pop() if type(arguments[-1]) is dict else {}
    error = error_of(function, *arguments, **keywords)
    assert error.label == label
    assert error.op == ("dynamic_update_slice" if label.startswith("dus") else f"xla.{function.__name__}")


def test_sh_c25_every_function_checks_its_mode():
    for op, (operands, others) in CALLS.items():
        assert error_of(public(op)[1], *operands, *others, mode="loose").label == "sh_c25", op
    for op in UPDATES:
        assert error_of(getattr(shapes, op), X, *SPEC, (3,), mode=5).label == "sh_c25"
    assert error_of(shapes.strided_slice, X, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"
    assert error_of(shapes.tflite.strided_slice, X, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"
    assert error_of(shapes.openvino.strided_slice, X, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"
    assert error_of(shapes.onnx.slice, X, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"
    assert error_of(shapes.tf.slice, None, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"
    assert error_of(shapes.tflite.slice, None, UNKNOWN, UNKNOWN, mode="").label == "sh_c25"


def test_intervals_that_were_given_stay_in_the_mode_of_tensorflow():
    given = shapes.PartialShape([(1, 4), 2])
    assert shapes.xla.transpose(given, [1, 0]).intervals == ((2, 2), (1, 4))
    assert shapes.xla.select([], given, given).intervals == ((1, 4), (2, 2))
    assert shapes.xla.concatenate([given, given], 1).intervals == ((1, 4), (4, 4))
    assert shapes.xla.concatenate([given, given], 0).intervals == (FULL, (2, 2))


class Two:
    """An integer that is no int."""

    def __index__(self):
        return 2


@pytest.mark.parametrize("kind", [np.int64, np.uint8, lambda axis: Two() if axis == 2 else axis])
def test_axes_of_any_kind_of_integer(kind):
    axes = [kind(1), kind(2)]
    assert xla.broadcast_in_dim([3, None], [2, None, 4], axes) == xla.broadcast_in_dim([3, None], [2, None, 4], [1, 2])
    joined = xla.concatenate([[1, None, 3], [1, None, 4]], kind(2))
    assert joined == PartialShape([1, None, 7])


@pytest.mark.parametrize(
    ("operand", "sizes"),
    [
        ([None], [3037000499, 0, 4294967296]),
        ([12, (2**63 - 6, None), None], [0, 2**63 - 1, 12]),
        ([(7, 11), 0, None], [(2**63 - 1, 2**63 - 1), 0, 8]),
        ([0, (0, 1), (3, None)], [(0, 0), 2**63 - 1, (12, None)]),
        ([2**62, 8, None], [None]),
    ],
)
def test_sizes_of_an_array_without_elements_may_have_any_product(operand, sizes):
    for mode in ("tf", "tight"):
        found = xla.reshape(operand, sizes, mode=mode)
        assert 0 in [low for low, _ in found.intervals]


def test_long_vectors_are_rejected_without_being_read():
    long = range(10**12)
    for call in (
        lambda: xla.broadcast([1], long),
        lambda: xla.collapse([1], long),
        lambda: xla.collapse(None, long),
        lambda: xla.broadcast_in_dim([1], [1], long),
        lambda: ssop.shapes.dynamic_update_slice([1], [1], long),
        lambda: ssop.shapes.dynamic_update_slice(None, None, long),
    ):
        with pytest.raises(ssop.SliceError):
            call()
