"""What the other properties stand on: the strategies draw what their names say, and reach every corner."""

from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, counting, label, with_shape
from ssop import _core, reference
from ssop._masks import MASK_NAMES
from ssop.testing import strategies as slicing
from ssop.testing.arrays import every_dtype

SHAPE = (2, 3, 4)


def entry_bits(spec):
    """The five bits of each entry."""
    masks = [getattr(spec, name) for name in spec.__slots__[3:]]
    return [tuple(mask >> i & 1 for mask in masks) for i in range(len(spec.begin))]


def ranges(spec):
    return [i for i, bits in enumerate(entry_bits(spec)) if not any(bits)]


CORNERS = {
    "scalar": (slicing.shapes(), lambda shape: shape == ()),
    "empty": (slicing.shapes(), lambda shape: 0 in shape and len(shape) == 4),
    "rank 64": (slicing.shapes(max_rank=64, max_dim=2), lambda shape: len(shape) == 64),
    "all kinds": (slicing.specs(SHAPE), lambda s: s.ellipsis_mask and s.new_axis_mask and s.shrink_axis_mask),
    "past the end": (slicing.specs(SHAPE), lambda s: any(4 < s.end[i] < 10 for i in ranges(s))),
    "before the start": (slicing.specs(SHAPE), lambda s: any(-10 < s.begin[i] < -4 for i in ranges(s))),
    "wrong way": (slicing.specs(SHAPE), lambda s: any(s.begin[i] == 0 < -s.strides[i] < s.end[i] for i in ranges(s))),
    "int64": (slicing.specs(SHAPE), lambda s: {-(2**63), 2**63 - 1} <= {*s.begin, *s.end}),
    "long step": (slicing.specs(SHAPE), lambda s: any(s.strides[i] == -(2**63) for i in ranges(s))),
    "three bits": (slicing.specs(SHAPE), lambda s: s.ellipsis_mask & s.new_axis_mask & s.shrink_axis_mask),
    "losing shrink": (slicing.specs(SHAPE), lambda s: s.new_axis_mask & s.shrink_axis_mask & ~s.ellipsis_mask),
    "masked new axis": (slicing.specs(SHAPE), lambda s: s.new_axis_mask & s.begin_mask & s.end_mask),
    "masked ellipsis": (slicing.specs(SHAPE), lambda s: s.ellipsis_mask & s.begin_mask & s.end_mask),
    "masked index": (slicing.specs(SHAPE), lambda s: s.shrink_axis_mask & s.begin_mask & s.end_mask),
    "nothing": (slicing.specs(SHAPE), lambda s: 0 in s.resolve(SHAPE).shape),
    "two flags": (slicing.raw_specs(), lambda raw: raw[6] & raw[7] & 1 and raw[0]),
    "far bits": (slicing.raw_specs(), lambda raw: raw[3] < 0 and raw[4] > 2**20),
    "inside and out": (slicing.dynamic_slices(SHAPE), lambda w: w[0][0] < 0 < w[0][2] <= 4 - w[1][2]),
    "negative index": (slicing.indices(SHAPE), lambda index: -1 in index and None in index),
    "drop and new": (slicing.regions(SHAPE), lambda r: -1 in r.out_axes and len(r.shape) == 3),
    "unknown": (slicing.partial_shapes(unknown=True), lambda dims: None in dims and (1, 4) in dims),
    "C": (slicing.arrays(SHAPE), lambda x: x.flags.c_contiguous and x.flags.owndata),
    "borrowed": (slicing.arrays(SHAPE), lambda x: x.flags.c_contiguous and not x.flags.owndata),
    "F": (slicing.arrays(SHAPE), lambda x: x.flags.f_contiguous),
    "transposed": (slicing.arrays(SHAPE), lambda x: x.strides[0] < x.strides[2] < x.strides[1]),
    "negative": (slicing.arrays(SHAPE), lambda x: x.strides[0] < 0 < x.strides[1]),
    "gaps": (slicing.arrays(SHAPE), lambda x: min(x.strides) == 16),
    "zero stride": (slicing.arrays(SHAPE), lambda x: x.strides[1] == 0 != x.strides[0]),
    "unaligned": (slicing.arrays(SHAPE), lambda x: not x.flags.aligned),
    "read-only": (slicing.arrays(SHAPE), lambda x: not x.flags.writeable and 0 not in x.strides),
    "byte-swapped": (slicing.dtypes(), lambda dtype: dtype == ">f8"),
    "apart": (slicing.overlapping_arrays((2,), (2,)), lambda three: not np.shares_memory(*three[1:])),
    "part of an item": (
        slicing.overlapping_arrays((2,), (2,)),
        lambda three: (three[1].ctypes.data - three[2].ctypes.data) % 8 and np.shares_memory(*three[1:]),
    ),
}  # fmt: skip


RARE = {"rank 64", "wrong way", "before the start"}  # found after hundreds of examples: for the long test stage


@pytest.mark.parametrize(
    "corner", [corner if corner not in RARE else pytest.param(corner, marks=pytest.mark.long) for corner in CORNERS]
)
def test_every_corner_is_reached(corner):
    strategy, is_there = CORNERS[corner]
    assert is_there(find(strategy, is_there, settings=settings(max_examples=5000, phases=[Phase.generate])))


def test_every_dtype_is_there():
    dtypes = every_dtype()
    assert {np.dtype(code) for code in np.typecodes["All"] if code != "O"} <= {*dtypes}
    found = {dtype.type for dtype in dtypes}
    others = [t for t in vars(ml_dtypes).values() if isinstance(t, type) and issubclass(t, np.generic)]
    assert len(others) > 10 and found.issuperset(others)
    assert {"|S0", "<U0", "|V0"} <= {dtype.str for dtype in dtypes}
    assert not any(dtype.hasobject for dtype in dtypes)


@given(with_shape(slicing.specs))
def test_legal_specs_are_legal(case):
    shape, spec = case
    assert label(spec.resolve, shape) is None


# ---- dialects --------------------------------------------------------------------------------------------------------

FUNCTIONS = {
    "tf": (ssop.strided_slice, reference.strided_slice),
    "tflite": (ssop.tflite.strided_slice, reference.tflite.strided_slice),
    "openvino": (ssop.openvino.strided_slice, reference.openvino.strided_slice),
    "onnx": (ssop.onnx.slice, reference.onnx.slice),
}
WITH_MASKS = [dialect for dialect in FUNCTIONS if dialect != "onnx"]


@pytest.mark.parametrize("dialect", FUNCTIONS)
@given(data=st.data())
def test_specs_of_a_dialect_are_legal_there(dialect, data):
    shape = data.draw(slicing.shapes())
    arguments = slicing.dialect_arguments(data.draw(slicing.specs(shape, dialect=dialect)), dialect)
    ours, theirs = FUNCTIONS[dialect]
    got = answer(ours, counting(shape), **arguments)
    assert isinstance(got, reference.Tensor)
    assert got == answer(theirs, as_tensor(counting(shape)), **arguments)


def is_rejected_by_tensorflow(spec):
    return label(spec.resolve, SHAPE) is not None


ONLY_LEGAL_IN = {
    "tflite, before the axis": ("tflite", lambda s: s.shrink_axis_mask == 1 and s.begin[0] < -2),
    "tflite, masked": ("tflite", lambda s: s.shrink_axis_mask & s.begin_mask == 1 and s.begin[0] > 5),
    "tflite, no axis left": ("tflite", lambda s: len(s.begin) > 3 and not s.ellipsis_mask | s.new_axis_mask),
    "openvino, no stride": ("openvino", lambda s: s.shrink_axis_mask & ~s.new_axis_mask == 1 and s.strides[0] == 0),
    "openvino, backwards": ("openvino", lambda s: s.shrink_axis_mask & ~s.new_axis_mask == 1 and s.strides[0] < 0),
}


@pytest.mark.parametrize("corner", ONLY_LEGAL_IN)
def test_what_only_a_dialect_allows_is_drawn(corner):
    dialect, is_there = ONLY_LEGAL_IN[corner]
    found = find(
        slicing.specs(SHAPE, dialect=dialect),
        lambda spec: is_there(spec) and is_rejected_by_tensorflow(spec),
        settings=settings(max_examples=5000, phases=[Phase.generate]),
    )
    assert found is not None


def test_onnx_has_no_masks():
    with pytest.raises(ValueError, match="ONNX has no masks"):
        slicing.dialect_arguments(ssop.StridedSliceSpec([0], [0], end_mask=1), "onnx")


@cache
def drawn_specs(dialect, count=300):
    """Shapes and legal specs for them, as a test would meet them: many draws of Hypothesis resemble each other."""
    cases = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate])
    @given(with_shape(lambda shape: slicing.specs(shape, dialect=dialect)))
    def collect(case):
        cases.append(case)

    collect()
    return cases


@pytest.mark.parametrize("dialect", WITH_MASKS)
def test_a_share_of_the_specs_has_conflicting_bits(dialect):
    specs = [spec for _, spec in drawn_specs(dialect)]
    masks = [(spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask) for spec in specs]
    pairs = {
        "new axis and shrink": sum(new & shrink & ~ellipsis != 0 for ellipsis, new, shrink in masks),
        "ellipsis and new axis": sum(ellipsis & new != 0 for ellipsis, new, _ in masks),
        "ellipsis and shrink": sum(ellipsis & shrink != 0 for ellipsis, _, shrink in masks),
    }
    assert min(pairs.values()) >= len(specs) / 50 and sum(pairs.values()) >= len(specs) / 5, pairs


WRONG_PRECEDENCE = {
    "shrink beats new axis": lambda s: {"new_axis_mask": s.new_axis_mask & ~(s.shrink_axis_mask & ~s.ellipsis_mask)},
    "new axis beats ellipsis": lambda s: {"ellipsis_mask": s.ellipsis_mask & ~s.new_axis_mask},
    "shrink beats ellipsis": lambda s: {
        "ellipsis_mask": s.ellipsis_mask & ~s.shrink_axis_mask,
        "new_axis_mask": s.new_axis_mask & ~(s.ellipsis_mask & s.shrink_axis_mask),
    },
}


@pytest.mark.parametrize("dialect", WITH_MASKS)
@pytest.mark.parametrize("mistake", WRONG_PRECEDENCE)
def test_a_kernel_with_the_wrong_precedence_is_caught(mistake, dialect):
    """A kernel that is right but for the bits that conflict."""
    function, _ = FUNCTIONS[dialect]

    def agrees(case):
        shape, spec = case
        masks = {name: getattr(spec, name) for name in MASK_NAMES} | WRONG_PRECEDENCE[mistake](spec)
        wrong = ssop.StridedSliceSpec(spec.begin, spec.end, spec.strides, **masks)
        answers = [answer(function, counting(shape), **slicing.dialect_arguments(s, dialect)) for s in (spec, wrong)]
        return answers[0] == answers[1]

    assert not all(map(agrees, drawn_specs(dialect)))


def broken_by_spec(case):
    shape, spec, _ = case
    return label(spec.resolve, shape)


def broken_by_raw(case):
    shape, _, raw = case
    return label(_core.strided_slice_region, shape, *raw)


RULES = {None, *(f"ss_c{rule}" for rule in range(1, 8))}
RULES_OF_SPECS = {None, *(f"ss_c{rule}" for rule in range(4, 8))}


def test_every_rule_is_broken_and_no_other():
    """Specs with legal=False and raw ones break every rule of ss_* that their arguments can break."""
    broken = {broken_by_spec: set(), broken_by_raw: set()}

    @settings(max_examples=1000, derandomize=True, database=None)
    @given(with_shape(lambda shape: slicing.specs(shape, legal=False), lambda shape: slicing.raw_specs()))
    def collect(case):
        for broken_by, rules in broken.items():
            rules.add(broken_by(case))

    collect()
    assert broken == {broken_by_spec: RULES_OF_SPECS, broken_by_raw: RULES}


@given(with_shape(slicing.broken_slice_arguments, slicing.slice_arguments))
def test_broken_slices_are_broken(case):
    shape, (rule, _, broken), legal = case
    assert label(_core.slice_region, shape, *broken) == rule
    assert label(_core.slice_region, shape, *legal) is None


@given(with_shape(lambda shape: slicing.overlapping_arrays(shape, shape)))
def test_arrays_in_one_memory_do_not_overlap_themselves(case):
    _, (memory, *arrays) = case
    for array in arrays:
        array[...] = np.arange(array.size).reshape(array.shape)
        assert array.ravel().tolist() == list(range(array.size))
        assert array.size == 0 or np.shares_memory(array, memory)
