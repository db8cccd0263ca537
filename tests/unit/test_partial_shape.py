"""PartialShape: what it is made of, its parts, identity, as a sequence, its rules, copies and pickles."""

import copy
import pickle

import numpy as np
import pytest

import ssop
from ssop import _core
from ssop._core import Dim, PartialShape

UNRANKED, SCALAR, SHAPE = PartialShape(), PartialShape([]), PartialShape([2, None, (1, 4)])


class Index:
    def __index__(self):
        return 3


class Sequence:
    """Neither list nor tuple."""

    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


# ---- construction and parts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "dims", "written", "shown"),
    [
        (None, None, "PartialShape(None)", "?"),
        ([], (), "PartialShape([])", "[]"),
        ([2, 3], (2, 3), "PartialShape([2, 3])", "[2,3]"),
        ((2, None), (2, None), "PartialShape([2, None])", "[2,?]"),
        ([(1, 4), (2, None), (5, 5)], (None, None, 5), "PartialShape([(1, 4), (2, None), 5])", "[1..4,2..,5]"),
        ([Dim(3), Dim()], (3, None), "PartialShape([3, None])", "[3,?]"),
        ([2**40, np.int8(3), Index()], (2**40, 3, 3), f"PartialShape([{2**40}, 3, 3])", f"[{2**40},3,3]"),
        (np.array([2, 3], ">i2"), (2, 3), "PartialShape([2, 3])", "[2,3]"),
        (np.array([2, None], object), (2, None), "PartialShape([2, None])", "[2,?]"),
        (Sequence(None, (1, 2), 3), (None, None, 3), "PartialShape([None, (1, 2), 3])", "[?,1..2,3]"),
        (range(3), (0, 1, 2), "PartialShape([0, 1, 2])", "[0,1,2]"),
        ([1] * 64, (1,) * 64, f"PartialShape([{', '.join(['1'] * 64)}])", f"[{','.join(['1'] * 64)}]"),
    ],
)
def test_sh_s1_what_shapes_are_made_of(given, dims, written, shown):
    shape = PartialShape(given)
    assert (shape.dims, repr(shape), str(shape)) == (dims, written, shown)
    assert shape.rank == (None if dims is None else len(dims))
    assert shape.is_fully_known == (dims is not None and None not in dims)
    assert eval(repr(shape)) == shape


def test_longest_text():
    widest = PartialShape([(2**62 - 3, 2**62 - 2)] * 64)
    assert str(widest) == f"[{','.join([f'{2**62 - 3}..{2**62 - 2}'] * 64)}]"


def test_intervals():
    assert SHAPE.intervals == ((2, 2), (0, None), (1, 4))
    assert UNRANKED.intervals is None and SCALAR.intervals == ()


def test_a_shape_is_returned_itself():
    for shape in (UNRANKED, SCALAR, SHAPE):
        assert PartialShape(shape) is shape
        assert PartialShape(dims=shape) is shape


def test_identities_differ():
    made = [PartialShape(), PartialShape(None), PartialShape([2]), PartialShape([2]), PartialShape((2,))]
    assert len({shape.id for shape in made}) == 5
    assert all(shape.id > 0 for shape in made)
    unknown = PartialShape([None, None])
    assert unknown.dim(0).id != unknown.dim(1).id


def test_parts_cannot_be_changed():
    for name in ("rank", "dims", "intervals", "is_fully_known", "id", "other"):
        with pytest.raises(AttributeError):
            setattr(SHAPE, name, 1)
    with pytest.raises(TypeError):
        SHAPE[0] = 1
    with pytest.raises(TypeError):
        type("Sub", (PartialShape,), {})


def test_equal_shapes_hash_equally():
    """Rank and intervals count; identities do not."""
    assert PartialShape([2, None, (1, 4)]) == SHAPE and hash(PartialShape([2, None, (1, 4)])) == hash(SHAPE)
    assert PartialShape() == UNRANKED and not PartialShape() != UNRANKED
    assert SHAPE != PartialShape([2, None, (1, 5)]) and SHAPE != PartialShape([2, None]) and SCALAR != UNRANKED
    assert len({SHAPE, PartialShape([2, None, (1, 4)]), UNRANKED, PartialShape(), SCALAR}) == 3
    assert PartialShape([2]) != [2] and PartialShape([2]) != (2,)


def test_same_as():
    assert SHAPE.same_as(SHAPE) and UNRANKED.same_as(other=UNRANKED)
    assert not SHAPE.same_as([2, None, (1, 4)]) and not UNRANKED.same_as(None)


def test_contains():
    n = Dim((0, 5))
    shape = PartialShape([n, 3, n])
    assert shape.contains((4, 3, 4)) and shape.contains(np.array([0, 3, 0]))
    assert not shape.contains((4, 3, 5)) and not shape.contains((6, 3, 6))
    assert not shape.contains((4, 2, 4)) and not shape.contains((4, 3))
    assert UNRANKED.contains(()) and UNRANKED.contains([2] * 64) and SCALAR.contains([])


# ---- as a sequence ---------------------------------------------------------------------------------------------------


def test_items_and_length():
    assert (len(SHAPE), list(SHAPE), SHAPE[0], SHAPE[-1], SHAPE[np.int8(1)]) == (3, [2, None, None], 2, None, None)
    assert 2 in SHAPE and 3 not in SHAPE
    assert tuple(reversed(SHAPE)) == (None, None, 2)
    for index in (3, -4, 2**70):
        with pytest.raises(IndexError):
            SHAPE[index]
    for index in (1.0, "a", None, (0,)):
        with pytest.raises(TypeError):
            SHAPE[index]


def test_known_shapes_are_shapes_for_other_functions():
    assert np.zeros(PartialShape([2, 3])).shape == (2, 3)
    assert ssop.StridedSliceSpec([0], [1]).resolve(PartialShape([2, 3])).shape == (1, 3)
    assert PartialShape(SHAPE.dims) == PartialShape([2, None, None])


def test_slices_are_as_those_of_tuples():
    shape = PartialShape([2, (1, 4), None, 7])
    for start in (None, *range(-6, 7)):
        for stop in (None, *range(-6, 7)):
            for step in (None, 1, 2, -1, -3):
                part = slice(start, stop, step)
                assert shape[part].dims == shape.dims[part]
    assert shape[1:].dim(1).same_as(shape.dim(2))
    with pytest.raises(ValueError, match="zero"):
        shape[::0]


def test_the_whole_is_the_shape_itself():
    assert SHAPE[:] is SHAPE and SHAPE[0:9] is SHAPE and SCALAR[::-1] is SCALAR
    assert not SHAPE[::-1].same_as(SHAPE)


def test_unknown_rank_as_a_sequence():
    assert UNRANKED[5] is None and UNRANKED[1:] == PartialShape()
    for call in (len, list, tuple, iter, bool):
        with pytest.raises(ValueError, match="unknown rank"):
            call(UNRANKED)


# ---- rules -----------------------------------------------------------------------------------------------------------


def test_sh_s3_merge():
    a, b = PartialShape([2, None]), PartialShape([None, 2])
    assert a.merge(b) == PartialShape([2, 2])
    assert a.merge(a) is a
    assert a.merge([None, None]) is a
    assert UNRANKED.merge(a) is a and a.merge(UNRANKED) is a and a.merge(None) is a
    full = PartialShape([2, 2])
    assert a.merge(full) is full
    assert UNRANKED.merge(PartialShape()) is UNRANKED
    merged = a.merge(PartialShape([(1, 3), 4]))
    assert merged == PartialShape([2, 4]) and merged.id not in (a.id, b.id)


def test_sh_s3_dims_of_a_merge_keep_their_identity():
    n, m = Dim(), Dim((1, 9))
    merged = PartialShape([n, n, 3]).merge([m, None, None])
    assert merged.dim(0).same_as(m) and merged.dim(1).same_as(n)


def test_nothing_is_changed_by_a_failed_merge():
    a, b = PartialShape([2, None]), PartialShape([None, 3])
    before = repr(a), repr(b), a.id, b.id, a.dim(1).id, b.dim(0).id
    with pytest.raises(ssop.SliceValueError, match="Dimension 0 .* 2 and 4"):
        a.merge([4, 3])
    assert before == (repr(a), repr(b), a.id, b.id, a.dim(1).id, b.dim(0).id)


def test_sh_s4_relax():
    a, b = PartialShape([2, None]), PartialShape([None, 2])
    for mode in ("tf", "tight"):
        assert a.relax(b, mode=mode) == PartialShape([None, None])
        assert a.relax(a, mode=mode) is a
        assert a.relax(UNRANKED, mode=mode) is UNRANKED
        assert UNRANKED.relax(a, mode=mode) == PartialShape()
        assert a.relax([1, 2, 3], mode=mode) == PartialShape()
    assert PartialShape([2, 2]).relax([3, 2], mode="tf") == PartialShape([None, 2])
    assert PartialShape([2, 2]).relax([3, 2]) == PartialShape([(2, 3), 2])


def test_sh_s8_ranks():
    assert SHAPE.with_rank(3) is SHAPE.with_rank_at_least(3) is SHAPE.with_rank_at_most(3) is SHAPE
    assert SHAPE.with_rank_at_least(0) is SHAPE.with_rank_at_most(99) is SHAPE
    assert UNRANKED.with_rank(2) == PartialShape([None, None])
    assert UNRANKED.with_rank_at_least(2) is UNRANKED.with_rank_at_most(rank=2) is UNRANKED


def test_dim():
    assert SHAPE.dim(0) == Dim(2) and SHAPE.dim(axis=-1) == Dim((1, 4))
    assert SHAPE.dim(1).same_as(SHAPE.dim(1)) and not SHAPE.dim(1).same_as(SHAPE.dim(2))
    assert UNRANKED.dim(7) == Dim() and not UNRANKED.dim(7).same_as(UNRANKED.dim(7))


def test_replace_dim():
    n = Dim()
    assert SHAPE.replace_dim(-2, 5) == PartialShape([2, 5, (1, 4)])
    assert SHAPE.replace_dim(0, n).dim(0).same_as(n)
    assert UNRANKED.replace_dim(0, 5) == PartialShape()
    assert SHAPE == PartialShape([2, None, (1, 4)])


def test_merge_prefix():
    shape, prefix = PartialShape([None, 3, 4]).merge_prefix([2, None])
    assert (shape, prefix) == (PartialShape([2, 3, 4]), PartialShape([2, 3]))
    shape, prefix = UNRANKED.merge_prefix(prefix=SHAPE)
    assert shape is UNRANKED and prefix is SHAPE


def test_sh_s9_subshape():
    assert SHAPE.subshape() is SHAPE.subshape(0) is SHAPE.subshape(0, 3, 1) is SHAPE.subshape(end=None) is SHAPE
    assert SHAPE.subshape(1) == PartialShape([None, (1, 4)])
    assert SHAPE.subshape(-1, 3).dim(0).same_as(SHAPE.dim(2))
    assert SHAPE.subshape(start=2, end=0, stride=-1) == PartialShape([(1, 4), None])
    assert UNRANKED.subshape(1, 2) == PartialShape()


def test_sh_s10_concatenate():
    whole = PartialShape([2]).concatenate(SHAPE)
    assert whole == PartialShape([2, 2, None, (1, 4)]) and whole.dim(2).same_as(SHAPE.dim(1))
    assert SHAPE.concatenate(None) == UNRANKED.concatenate(other=SHAPE) == PartialShape()
    assert SHAPE.subshape(0, 1).concatenate(SHAPE.subshape(1)) == SHAPE


def test_sh_s11_from_tensor():
    assert PartialShape.from_tensor([2, -1, None, (3, 5)]) == PartialShape([2, None, None, (3, 5)])
    assert PartialShape.from_tensor(values=np.array([2, -1])) == PartialShape([2, None])
    assert PartialShape.from_tensor(()) == SCALAR
    assert SHAPE.from_tensor([1]) == PartialShape([1])


def test_sh_s12_num_elements():
    assert PartialShape([2, 3]).num_elements() == Dim(6) and SCALAR.num_elements() == Dim(1)
    assert PartialShape([2, (1, 3)]).num_elements() == Dim((2, 6))
    assert PartialShape([2, (1, 3)]).num_elements(mode="tf") == Dim() == UNRANKED.num_elements()
    assert PartialShape([None, 0]).num_elements(mode="tf") == Dim(0)


# ---- copies and pickles ----------------------------------------------------------------------------------------------


def test_copies_are_the_shape():
    for shape in (UNRANKED, SCALAR, SHAPE):
        assert copy.copy(shape) is shape
        assert copy.deepcopy([shape])[0] is shape


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_keep_which_dims_are_the_same(protocol):
    n = Dim((1, 4))
    for shape in (UNRANKED, SCALAR, SHAPE, PartialShape([n, 2, n, None, 2])):
        again = pickle.loads(pickle.dumps(shape, protocol))
        assert type(again) is PartialShape and again == shape and not again.same_as(shape)
        for first in range(shape.rank or 0):
            for second in range(shape.rank):
                expected = shape.dim(first).same_as(shape.dim(second))
                assert again.dim(first).same_as(again.dim(second)) == expected


# ---- inferred shapes -------------------------------------------------------------------------------------------------

# name -> arguments after the shape, a known shape, and the operation with a region, a tuple of regions or two regions
INFERRED = {
    "strided_slice": (([0, -1], [2, -9], [1, -2]), (3, 4)),
    "tf_slice": (([1, 0], [-1, 2]), (3, 4)),
    "tflite_strided_slice": (([1, 0], [2, 3], None, 0, 0, 0, 0, 1, True), (3, 4)),
    "tflite_slice": (([1, 0], [-1, 2]), (3, 4)),
    "openvino_strided_slice": (([1, 0], [2, 3], [1, 1], [1], [0], [0, 0], [0, 1]), (3, 4)),
    "openvino_slice": (([2], [-9], [-1], [1]), (3, 4)),
    "onnx_slice": (([2], [2**31 - 1], [-1], [1]), (3, 4)),
    "slice": (([0, 1], [3, 4], [2, 1]), (3, 4)),
    "dynamic_slice": (([5, 0], [2, 4]), (3, 4)),
    "xla_slice_in_dim": ((1, None, 2, 1), (3, 4)),
    "xla_index_in_dim": ((1, 0, False), (3, 4)),
    "xla_dynamic_slice_in_dim": ((9, 2, 1), (3, 4)),
    "xla_dynamic_index_in_dim": ((9, 1, False), (3, 4)),
    "xla_pad": (([(1, -1, 2), (0, 0, 1)],), (3, 4)),
    "xla_rev": (([1],), (3, 4)),
}


def shape_by_regions(name, shape, arguments):
    """What the function without data says of a known shape."""
    for kind in ("region", "regions"):
        if hasattr(_core, f"{name}_{kind}"):
            regions = getattr(_core, f"{name}_{kind}")(shape, *arguments)
            return regions.shape if kind == "region" else regions[0].shape if name != "xla_pad" else regions[1].in_shape
    raise AssertionError(name)


@pytest.mark.parametrize("mode", ["tf", "tight"])
@pytest.mark.parametrize("name", INFERRED)
def test_ss_s10_of_a_known_shape_it_is_the_shape_of_the_result(name, mode):
    arguments, shape = INFERRED[name]
    inferred = getattr(_core, f"infer_{name}")(shape, *arguments, mode=mode)
    assert inferred.dims == shape_by_regions(name, shape, arguments)


@pytest.mark.parametrize("name", INFERRED)
def test_every_infer_function_takes_partial_shapes(name):
    arguments, shape = INFERRED[name]
    infer = getattr(_core, f"infer_{name}")
    known = infer(shape, *arguments)
    for mode in ("tf", "tight"):
        assert infer([None, None], *arguments, mode=mode).contains(known.dims)
        assert infer(PartialShape([(3, 4), (4, 6)]), *arguments, mode=mode).contains(known.dims)
        assert infer(shape=PartialShape(), **dict(zip(names_of(infer), arguments, strict=False)), mode=mode).contains(
            known.dims
        )


def names_of(function):
    import inspect

    return list(inspect.signature(function).parameters)[1:]


def test_every_infer_function_has_a_row():
    assert {name for name in dir(_core) if name.startswith("infer_")} == {f"infer_{name}" for name in INFERRED}


@pytest.mark.parametrize("name", ["strided_slice", "tflite_strided_slice", "openvino_strided_slice"])
def test_unknown_elements_of_specs(name):
    infer = getattr(_core, f"infer_{name}")
    for begin, end, strides, dims in (
        ([None], [3], [1], [(0, 3)]),
        ([1], [None], [1], [(0, 4)]),
        ([1], [3], [None], [(0, 2)]),
        ([(1, 2)], [(3, None)], [1], [(1, 4)]),
        ([(None, 1)], [2], None, [(0, 2)]),
        (np.array([None, 0], object), [3, 1], [1, 1], [(0, 3), 1]),
        (Sequence((0, 0)), (2,), [Index()], [1]),
    ):
        shape = [5, 5][: len(dims)]
        assert infer(shape, begin, end, strides, mode="tight") == PartialShape(dims)


def test_unknown_elements_of_sizes_and_axes():
    for infer in (_core.infer_tf_slice, _core.infer_tflite_slice):
        assert infer([5], [None], [-1], mode="tight") == PartialShape([(0, 5)])
        assert infer([5], [(1, 2)], [None], mode="tight") == PartialShape([(0, 4)])
    assert _core.infer_openvino_slice([5, 5], [None], [3], [1], [-1], mode="tight") == PartialShape([5, (0, 3)])
    assert _core.infer_onnx_slice([5, 5], [1], [None], [0], [2], mode="tight") == PartialShape([(0, 2), 5])
    assert _core.infer_onnx_slice([5, 5], [1], [4], [0], [None], engine="ort", mode="tight") == PartialShape(
        [(0, 3), 5]
    )


def test_elements_that_are_no_dims_come_first():
    """TensorFlow's shape function reads both vectors as shapes before it subtracts (sh_s22)."""
    for begin, size, label, entry in (
        ([1, 0], [-1, -2], "tsl_c3", 1),
        ([1, -3], [-2, -1], "sh_c17", 1),
        ([1, 0], [-1, 0], "sh_c12", 0),
    ):
        with pytest.raises(ssop.SliceValueError) as error:
            _core.infer_tf_slice([0, 4], begin, size)
        assert (error.value.label, error.value.entry) == (label, entry)


def test_unknown_start_indices():
    for policy in ("clamp", "wrap", "raise"):
        assert _core.infer_dynamic_slice([4, 9], [None, 3], [2, 2], out_of_bounds=policy) == PartialShape([2, 2])
        assert _core.infer_xla_dynamic_slice_in_dim([4, 9], None, 2, 1, out_of_bounds=policy) == PartialShape([4, 2])
    assert _core.infer_xla_dynamic_index_in_dim([4, 9], None, 1, False) == PartialShape([4])
    for call in (
        lambda: _core.dynamic_slice_regions([4], [None], [2]),
        lambda: _core.dynamic_slice(np.zeros(4), [None], [2]),
        lambda: _core.infer_dynamic_slice([4], [0], [None]),
        lambda: _core.infer_slice([4], [None], [2]),
    ):
        with pytest.raises(ssop.SliceTypeError, match="entry 0 is None, not an integer"):
            call()


def test_a_start_from_the_end_before_a_limit_from_the_start():
    """The longer the axis, the fewer elements: none for 5, and an error for 6."""
    for dims, expected in (((0, 9), (0, 2)), ((3, 4), (1, 2)), ((5, None), 0)):
        inferred = _core.infer_xla_slice_in_dim([dims], -3, 2, allow_negative_indices=True, mode="tight")
        assert inferred == PartialShape([expected])
    with pytest.raises(ssop.SliceValueError, match="sl_c6"):
        _core.infer_xla_slice_in_dim([(6, None)], -3, 2, allow_negative_indices=True, mode="tight")


def test_sh_s2_the_rank_that_arguments_are_made_for():
    for infer, arguments, dims in (
        (_core.infer_slice, ([0, 1], [3, 4]), [3, 3]),
        (_core.infer_dynamic_slice, ([0, 0], [2, 3]), [2, 3]),
        (_core.infer_xla_pad, ([(1, 0, 0), (0, 0, 0)],), [(1, None), None]),
    ):
        assert infer(None, *arguments, mode="tight") == PartialShape(dims)
        assert infer(None, *arguments, mode="tf") == PartialShape()
    with pytest.raises(ssop.SliceValueError, match="sl_c3"):
        _core.infer_slice(None, [0] * 65, [1] * 65, mode="tight")


def test_dims_that_are_taken_whole_stay_the_same_number():
    n = Dim()
    shape = PartialShape([n, 5])
    assert _core.infer_slice([5, n], [0, 0], [3, 0]).dim(0) == Dim(3)
    assert _core.infer_xla_rev(shape, [0]).dim(0).same_as(n)
    assert _core.infer_strided_slice(shape, [0, 0], [0, 2], [1, 1], 1, 1, mode="tight").dim(0).same_as(n)
    assert _core.infer_xla_dynamic_slice_in_dim(shape, None, 2, 1).dim(0).same_as(n)


def test_doctests_of_the_types_and_functions():
    """The modules of users have names of their own for these; their docstrings stand here."""
    import doctest

    runner, parser = doctest.DocTestRunner(verbose=False), doctest.DocTestParser()
    found = {name: getattr(_core, name) for name in dir(_core) if name.startswith("infer_")}
    for kind in (Dim, PartialShape):
        found[kind.__name__] = kind
        found |= {f"{kind.__name__}.{name}": part for name, part in vars(kind).items() if not name.startswith("_")}
    for name, part in found.items():
        assert part.__doc__, name
        runner.run(parser.get_doctest(part.__doc__, {}, name, None, 0))
    assert (runner.failures, runner.tries > 80) == (0, True)
