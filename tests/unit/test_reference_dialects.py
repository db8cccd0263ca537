"""The reference of TensorFlow Lite, OpenVINO and ONNX against NumPy, and each of its rules met and broken.

Everything else trusts the reference, so nothing here may use the C core.
"""

import random

import numpy as np
import pytest

from ssop.reference import Rejected, Tensor, onnx, openvino, tensor, tflite
from unit.test_reference import assert_same, breaking, counting, random_index, spec_of

INT32_MAX, INT64_MAX = 2**31 - 1, 2**63 - 1
SENTINELS = (INT32_MAX, INT64_MAX)
POSITIVE = (1, INT64_MAX)


def mask_of(bits, length):
    return [bits >> entry & 1 for entry in range(length)]


def numpy_slices(a, starts, ends, axes, steps, from_the_first=True, to_the_end=()):
    """What NumPy takes of the named axes; `from_the_first`: of a begin before the first element, the first one."""
    index = [slice(None)] * a.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        if from_the_first and step < 0 and start < -a.shape[axis]:
            start = 0
        index[axis] = slice(start, None if end in to_the_end else end, step)
    return a[tuple(index)]


# ---- one axis, every begin, end and step near it ---------------------------------------------------------------------


def bounds_of(dim):
    bounds = [*range(-dim - 2, dim + 3), *SENTINELS, -(2**31), -(2**63)]
    steps = [step for step in range(-dim - 1, dim + 2) if step] + [INT64_MAX, -(2**63)]
    return ((begin, end, step) for begin in bounds for end in bounds for step in steps)


@pytest.mark.parametrize("dim", range(5))
def test_numpy_takes_the_same_of_one_axis(dim):
    x, a = counting(dim)
    compared = 0
    for begin, end, step in bounds_of(dim):
        spec, named = ([begin], [end], [step]), ([begin], [end], [0], [step])
        assert_same(tflite.strided_slice(x, *spec), a[begin:end:step])
        inclusive = numpy_slices(a, *named)
        assert_same(openvino.strided_slice(x, *spec), inclusive)
        assert_same(openvino.slice(x, *spec), inclusive)
        assert_same(onnx.slice(x, *named), inclusive)
        assert_same(onnx.slice(x, *named, engine="reference"), a[begin:end:step])
        assert_same(onnx.slice(x, *named, engine="ort"), numpy_slices(a, *named, to_the_end=SENTINELS))
        compared += 1
    assert compared == (2 * dim + 9) ** 2 * (2 * dim + 4)


@pytest.mark.parametrize("dim", range(5))
def test_an_offset_end_counts_from_the_begin(dim):
    """TensorFlow Lite makes room for `ceil(end / stride)` elements: an error where it does not write as many."""
    x, a = counting(dim)
    accepted = 0
    for begin, end, stride in bounds_of(dim):
        first = slice(begin, None, stride).indices(dim)[0]
        written = a[slice(begin, first + end, stride)]
        if len(written) == max(-(-end // stride), 0):
            assert_same(tflite.strided_slice(x, [begin], [end], [stride], offset=True), written)
            accepted += 1
        else:
            with pytest.raises(Rejected, match="tfl_c9"):
                tflite.strided_slice(x, [begin], [end], [stride], offset=True)
    assert accepted > 100


@pytest.mark.parametrize("dim", range(5))
def test_shrunk_begins(dim):
    x, _ = counting(dim)
    for begin in range(-dim - 3, dim + 3):
        spec = x, [begin], [9], [3]
        if begin >= dim or dim == 0:
            with pytest.raises(Rejected, match="tfl_c7"):
                tflite.strided_slice(*spec, shrink_axis_mask=1)
        else:
            assert tflite.strided_slice(*spec, shrink_axis_mask=1).items == [max(begin + dim * (begin < 0), 0)]
        if dim:
            assert tflite.strided_slice(*spec, begin_mask=1, shrink_axis_mask=1).items == [0]
        if -dim <= begin < dim:
            for stride in (-1, 0, 3):
                shrunk = openvino.strided_slice(x, [begin], [9], [stride], [1], [1], shrink_axis_mask=[1])
                assert shrunk == Tensor((), [begin % dim])
        else:
            with pytest.raises(Rejected, match="ov_c8"):
                openvino.strided_slice(*spec, shrink_axis_mask=[1])


# ---- many axes -------------------------------------------------------------------------------------------------------


def test_numpy_takes_the_same_of_random_indices():
    rng = random.Random(20250917)
    compared = dict.fromkeys(("tflite", "openvino", "strict"), 0)
    for _ in range(4000):
        x, a = counting(*(rng.randint(0, 4) for _ in range(rng.randint(0, 4))))
        # Nothing begins before the first element, backwards: that is where OpenVINO differs.
        index = tuple(
            slice(None, part.stop, part.step) if isinstance(part, slice) and (part.start or 0) < 0 else part
            for part in random_index(rng, a.shape)
        )
        begin, end, strides, *masks = spec_of(index)
        begins, ends, ellipses, news, shrinks = (mask_of(mask, len(index)) for mask in masks)
        strict = rng.random() < 0.5
        vectors = [begins, ends, news, shrinks, ellipses]
        if not strict:  # ov_s4
            vectors = [vector + [1] * rng.randint(0, 2) if rng.random() < 0.5 else vector for vector in vectors]
        assert_same(openvino.strided_slice(x, begin, end, strides, *vectors, strict=strict), a[index])
        compared["strict" if strict else "openvino"] += 1
        # TensorFlow Lite's ellipsis takes an axis from the entries after it rather than none.
        if sum(part is not None for part in index) <= a.ndim or Ellipsis not in index:
            assert_same(tflite.strided_slice(x, begin, end, strides, *masks), a[index])
            compared["tflite"] += 1
    assert min(compared.values()) > 1500


def test_numpy_takes_the_same_of_named_axes():
    rng = random.Random(20130219)
    for _ in range(4000):
        x, a = counting(*(rng.randint(0, 4) for _ in range(rng.randint(1, 4))))
        axes = rng.sample(range(a.ndim), rng.randint(0, a.ndim))
        bounds = [*range(-7, 8), *SENTINELS]
        starts, ends = ([rng.choice(bounds) for _ in axes] for _ in range(2))
        steps = [rng.choice([-3, -2, -1, 1, 2, 3]) for _ in axes]
        named = [axis - a.ndim * rng.randint(0, 1) for axis in axes]
        if axes == sorted(axes) and axes == list(range(len(axes))) and rng.random() < 0.5:
            named = None
        inclusive = numpy_slices(a, starts, ends, axes, steps)
        assert_same(openvino.slice(x, starts, ends, steps, named), inclusive)
        assert_same(onnx.slice(x, starts, ends, named, steps), inclusive)
        numpy_s = numpy_slices(a, starts, ends, axes, steps, from_the_first=False)
        assert_same(onnx.slice(x, starts, ends, named, steps, "reference"), numpy_s)
        runtime_s = numpy_slices(a, starts, ends, axes, steps, to_the_end=SENTINELS)
        assert_same(onnx.slice(x, starts, ends, named, steps, "ort"), runtime_s)
        for engine in ("spec", "reference", "ort"):
            forward = numpy_slices(a, starts, ends, axes, [1] * len(axes))
            assert_same(onnx.slice(x, starts, ends, named, None, engine), forward)


def test_numpy_takes_the_same_of_tflite_slice():
    x, a = counting(3, 4)
    for begin in range(4):
        for size in range(-1, 4 - begin):
            assert_same(tflite.slice(x, [begin, 1], [size, 2]), a[begin : begin + size if size >= 0 else None, 1:3])


# ---- what each rule says, on numbers that can be checked by eye ------------------------------------------------------

TFL, TFS, OV, OVS, ONX = tflite.strided_slice, tflite.slice, openvino.strided_slice, openvino.slice, onnx.slice
LINE = tensor([0, 1, 2, 3, 4], (5,))
GRID = tensor([[0, 1, 2], [3, 4, 5]], (2, 3))
SCALAR = Tensor((), [7])
ONES = Tensor((1,) * 60, [0])
FIRST_TWO = [[0, 1, 2], [3, 4, 5]]

MEETS = {
    "tfl_s1": (TFL, (LINE, [3], [9], [1], 1, 0, 0, 0, 1), 0),
    "tfl_s2": (TFL, (LINE, [-9], [9], [1], 0, 0, 0, 0, 1), 0),
    "tfl_s3 one axis at least": (TFL, (GRID, [0, 0, 1], [1, 0, 2], [1, 1, 1], 0, 0, 0b010), [[0, 1, 2]]),
    "tfl_s3 entries without an axis": (TFL, (LINE, [1, 9], [3, 9], [1, 0]), [1, 2]),
    "tfl_s3 an ellipsis without an axis": (TFL, (LINE, [1, 0], [3, 0], None, 0, 0, 0b10), [1, 2]),
    "tfl_c3 bits past the entries": (TFL, (LINE, [1], [3], None, 0, 0, 0b110), [1, 2]),
    "tfl_s4": (TFL, (LINE, [-4], [3], [2], 0, 0, 0, 0, 0, True), [1, 3]),
    "tfl_s4 backwards": (TFL, (LINE, [9], [-3], [-2], 0, 0, 0, 0, 0, True), [4, 2]),
    "tfl_s4 begin_mask": (TFL, (LINE, [3], [2], [1], 1, 0, 0, 0, 0, True), [0, 1]),
    "tfl_s4 end_mask": (TFL, (LINE, [3], [2], [1], 0, 1, 0, 0, 0, True), [3, 4]),
    "tfl_s4 nothing": (TFL, (LINE, [3], [-2], [1], 0, 0, 0, 0, 0, True), []),
    "tfl_c8 shrunk": (TFL, (GRID, [1, 1], [9, 2], None, 0, 0, 0, 0, 1, True), [4, 5]),
    "tfs_s1": (TFS, (LINE, [2], [-1]), [2, 3, 4]),
    "tfs_c2 at the end": (TFS, (LINE, [5], [0]), []),
    "ov_s1 the ellipsis wins": (OV, (GRID, [1], [2], [0], [], [], [1], [1], [1]), FIRST_TWO),
    "ov_s1 the new axis wins": (OV, (LINE, [1], [2], [0], [], [], [1], [1]), [[0, 1, 2, 3, 4]]),
    "ov_s2": (OV, (LINE, [-9], [-9], [-1]), [0]),
    "ov_s2 an empty axis": (OV, (Tensor((0,), []), [-9], [-9], [-1], [1], [1]), []),
    "ov_s3": (OV, (LINE, [-2], [0], [0], [1], [1], [], [1]), 3),
    "ov_s4": (OV, (GRID, [1, 1], [1, 1], [1, 1], [1, 0, 1], [1], [0, 0, 1], [0, 1], [0, 0, 1, 1]), [1, 4]),
    "ov_c5 past the entries": (OV, (LINE, [1], [3], [1], [], [], [], [], [0, 1, 1]), [1, 2]),
    "ov_c2 strict": (OV, (LINE, [1], [3], [1], [0, 1], [], [0, 1], [], [0, 1], True), [1, 2]),
    "ovs_s1": (OVS, (LINE, [-9], [-9], [-2]), [0]),
    "ovs_s1 named": (OVS, (GRID, [2], [0], [-1], [-1]), [[2, 1], [5, 4]]),
    "onx_s1": (ONX, (LINE, [-9], [-9], None, [-2]), [0]),
    "onx_s1 no sentinel": (ONX, (LINE, [-1], [INT64_MAX], None, [-1]), []),
    "onr_s1": (ONX, (LINE, [-9], [-9], None, [-2], "reference"), []),
    "onr_s1 the last entry of an axis": (ONX, (LINE, [0, 3], [1, 5], [0, -1], [0, 1], "reference"), [3, 4]),
    "onr_s1 as long as the shortest": (ONX, (LINE, [1, 9, 9], [3], None, None, "reference"), [1, 2]),
    "onr_s1 a scalar": (ONX, (SCALAR, [], [], None, None, "reference"), 7),
    "onx_s1 a scalar": (ONX, (SCALAR, [], []), 7),
    "ort_s1": (ONX, (LINE, [-1], [INT32_MAX], None, [-2], "ort"), [4, 2, 0]),
    "ort_s1 far": (ONX, (LINE, [-9], [INT64_MAX], None, [-2], "ort"), [0]),
}


@pytest.mark.parametrize(("function", "args", "expected"), MEETS.values(), ids=MEETS)
def test_rule_is_met(function, args, expected):
    assert_same(function(*args), np.array(expected))


def test_tfl_c2_ov_c9_at_their_limits():
    assert TFL(LINE, [0] * 31, [0] * 31, None, 0, 0, 0, 2**30 - 1).shape == (1,) * 30 + (0,)
    news = [1] * 63 + [0]
    assert OV(LINE, [0] * 64, [2] * 64, None, [], [], news).shape == (1,) * 63 + (2,)
    with pytest.raises(Rejected, match="ov_c6"):
        OV(LINE, [0] * 128, [2] * 128)


# ---- every rule broken once: (label, axis, entry, value, allowed) and the call that breaks it ------------------------

OFFSET = {"offset": True}

BREAKS = [
    breaking("tfl_c1", None, None, None, None, TFL, GRID, [0, 0], [1, 1], [1]),
    breaking("tfl_c1", None, None, None, None, TFL, GRID, [0] * 32, [1], [1]),
    breaking("tfl_c2", None, None, 32, (0, 31), TFL, GRID, [0] * 32, [1] * 32, None, 0, 0, 3),
    breaking("tfl_c3", None, None, 0b11, None, TFL, GRID, [0] * 3, [1] * 3, None, 0, 0, 0b11, 0b100),
    breaking("tfl_c3", None, None, -1, None, TFL, GRID, [0] * 2, [1] * 2, None, 0, 0, -1),
    breaking("tfl_c4", 2, 2, None, None, TFL, GRID, [0] * 4, [1] * 4, [0] * 4, 0, 0, 0, 0b1000),
    breaking("tfl_c4", 1, 1, None, None, TFL, LINE, [0] * 3, [1] * 3, None, 0, 0, 0b001, 0b100),
    breaking("tfl_c4", 1, 1, None, None, TFL, LINE, [0] * 3, [1] * 3, None, 0, 0, 0b010, 0b100),
    breaking("tfl_c5", 1, 2, 0, None, TFL, GRID, [0] * 3, [1] * 3, [0, 1, 0], 0, 0, 0, 1),
    breaking("tfl_c5", 0, 0, 0, None, TFL, GRID, [9], [1], [0], 0, 0, 0, 0, 1),
    breaking("tfl_c6", 0, 1, -1, POSITIVE, TFL, GRID, [0, 9], [1, 1], [1, -1], 0, 0, 0, 1, 2),
    breaking("tfl_c7", 0, 0, 2, (-2, 1), TFL, GRID, [2, 0], [1, 1], [1, 0], 0, 0, 0, 0, 1),
    breaking("tfl_c7", 0, 0, -3, (0, -1), TFL, Tensor((0,), []), [-3], [1], [1], 1, 0, 0, 0, 1),
    breaking("ss_c8", None, None, 65, (0, 64), TFL, ONES, [0] * 6, [0] * 6, [0] * 6, 0, 0, 0, 0b11111),
    breaking("tfl_c8", None, 1, None, None, TFL, GRID, [0] * 2, [1] * 2, [0] * 2, 0, 0, 0b10, **OFFSET),
    breaking("tfl_c8", None, 0, None, None, TFL, GRID, [0] * 3, [1] * 3, [0] * 3, 0, 0, 0, 1, **OFFSET),
    breaking("tfl_c8", 1, None, None, None, TFL, GRID, [0], [1], [0], **OFFSET),
    breaking("tfl_c9", 0, 0, 3, None, TFL, LINE, [3], [3], [1], **OFFSET),
    breaking("tfl_c9", 1, 1, -3, None, TFL, GRID, [0, 0], [1, -3], [1, 1], 0, 0b10, **OFFSET),
    breaking("tfs_c1", None, None, None, None, TFS, GRID, [0], [1, 1]),
    breaking("tfs_c1", None, None, None, None, TFS, GRID, [0] * 3, [1] * 3),
    breaking("tfs_c3", 0, 0, -2, (0, 1), TFS, GRID, [1, 9], [-2, 1]),
    breaking("tfs_c2", 1, 1, 4, (0, 3), TFS, GRID, [0, 4], [1, -9]),
    breaking("tfs_c2", 1, 1, -1, (0, 3), TFS, GRID, [0, -1], [1, 1]),
    breaking("tfs_c4", 1, 1, 3, (0, 2), TFS, GRID, [0, 1], [2, 3]),
    breaking("ov_c3", None, None, None, None, OV, GRID, [0, 0], [1], [1]),
    breaking("ov_c4", None, None, None, None, OV, GRID, [0] * 129, [1] * 129, [1]),
    breaking("ov_c9", None, None, 129, (0, 128), OV, GRID, [0] * 129, [1] * 129, None, [2]),
    breaking("ov_c1", None, 1, 2, None, OV, GRID, [0], [1], [1], [0], [0, 2], [-1], strict=True),
    breaking("ov_c2", None, None, 2, None, OV, GRID, [0], [1], [1], [0], [], [0, 0], [], [1, 1, 1], strict=True),
    breaking("ov_c2", None, None, 1, None, OV, GRID, [0], [1], [1], [], [0], strict=True),
    breaking("ov_c5", None, 1, None, None, OV, GRID, [0] * 2, [1] * 2, None, [], [], [], [], [1, 1]),
    breaking("ov_c5", None, 2, None, None, OV, GRID, [0], [1], None, [0] * 3, [], [], [], [0, 1, 1], strict=True),
    breaking("ov_c6", 2, 2, None, None, OV, GRID, [0] * 3, [1] * 3, [0] * 3),
    breaking("ov_c6", 1, 2, None, None, OV, LINE, [0] * 3, [1] * 3, None, [], [], [], [0, 0, 1], [0, 1]),
    breaking("ss_c8", None, None, 65, (0, 64), OV, ONES, [0] * 6, [0] * 6, [0] * 6, [], [], [1] * 5),
    breaking("ov_c7", 1, 2, 0, None, OV, GRID, [0] * 3, [1] * 3, [0] * 3, [], [], [1], [0, 1]),
    breaking("ov_c8", 0, 0, 2, (-2, 1), OV, GRID, [2, 0], [1, 1], [0, 0], [1], [], [], [1]),
    breaking("ov_c8", 0, 0, 0, (0, -1), OV, Tensor((0,), []), [0], [1], [1], [], [], [], [1]),
    breaking("ovs_c1", None, None, None, None, OVS, SCALAR, [], [0], []),
    breaking("ovs_c2", None, None, None, None, OVS, GRID, [0], [1, 1], [1], [0, 0]),
    breaking("ovs_c2", None, None, None, None, OVS, GRID, [0], [1], [1, 1], [0, 0]),
    breaking("ovs_c3", None, None, None, None, OVS, LINE, [0] * 2, [1] * 2, [1] * 2, [0]),
    breaking("ovs_c4", None, None, 2, (0, 1), OVS, LINE, [0] * 2, [1] * 2, [1] * 2, [0, 5]),
    breaking("ovs_c5", None, 0, 2, (-2, 1), OVS, GRID, [0] * 2, [1] * 2, [0] * 2, [2, 2]),
    breaking("ovs_c6", 0, 1, -2, None, OVS, GRID, [0] * 2, [1] * 2, [0] * 2, [0, -2]),
    breaking("ovs_c7", 0, 1, 0, None, OVS, GRID, [0] * 2, [1] * 2, [0, 0], [-1, 0]),
    breaking("onx_c7", None, None, "tvm", None, ONX, SCALAR, [0], [], engine="tvm"),
    breaking("onx_c1", None, None, None, None, ONX, GRID, [0], [1, 1], [0, 1], [1, 1]),
    breaking("onx_c2", None, None, None, None, ONX, GRID, [0], [1], [0, 1], [1, 1]),
    breaking("onx_c3", None, None, None, None, ONX, LINE, [0, 0], [1, 1], None, [1]),
    breaking("onx_c4", None, 1, -3, (-2, 1), ONX, GRID, [0, 0], [1, 1], [0, -3], [0, 1]),
    breaking("onx_c4", None, 1, 1, (-1, 0), ONX, LINE, [0, 0], [1, 1], None, [0, 1]),
    breaking("onx_c5", 0, 1, -2, None, ONX, GRID, [0, 0], [1, 1], [0, -2], [0, 1]),
    breaking("onx_c6", 0, 1, 0, None, ONX, GRID, [0, 0], [1, 1], [1, 0], [0, 0]),
    breaking("onr_c1", None, 1, 2, (-2, 1), ONX, GRID, [0, 0], [1, 1], [0, 2], [0, 1], "reference"),
    breaking("onr_c3", None, None, 2, (0, 1), ONX, LINE, [0, 0], [1, 1], None, [0, 1], "reference"),
    breaking("onr_c4", None, None, 129, (0, 128), ONX, LINE, [0] * 129, [1] * 130, [9] * 129, None, "reference"),
    breaking("onr_c2", 0, 1, 0, None, ONX, GRID, [0, 0], [1, 1], [1, 0], [0, 0], "reference"),
    breaking("ort_c1", None, None, None, None, ONX, SCALAR, [], [0], engine="ort"),
    breaking("ort_c2", None, None, None, None, ONX, GRID, [0], [1, 1], [0, 1], [1, 1], "ort"),
    breaking("ort_c3", None, None, None, None, ONX, GRID, [0], [1], [0, 1], [1, 1], "ort"),
    breaking("ort_c4", None, None, None, None, ONX, GRID, [0], [1], [2], [0, 0], "ort"),
    breaking("ort_c5", None, 0, 2, (-2, 1), ONX, GRID, [0, 0], [1, 1], [2, 2], [0, 1], "ort"),
    breaking("ort_c5", None, 1, 1, (-1, 0), ONX, LINE, [0, 0], [1, 1], None, None, "ort"),
    breaking("ort_c6", 0, 1, 0, None, ONX, GRID, [0, 0], [1, 1], [-2, 0], [0, 1], "ort"),
    breaking("ort_c7", 0, 1, 0, None, ONX, GRID, [0, 0], [1, 1], [1, 0], [0, 0], "ort"),
]


@pytest.mark.parametrize(("expected", "function", "args", "kwargs"), BREAKS)
def test_rule_is_broken(expected, function, args, kwargs):
    with pytest.raises(Rejected) as caught:
        function(*args, **kwargs)
    error = caught.value
    assert (error.label, error.axis, error.entry, error.value, error.allowed) == expected


def test_every_label_of_the_dialects_is_broken():
    families = {"tfl": 9, "tfs": 4, "ov": 9, "ovs": 7, "onx": 7, "onr": 4, "ort": 7}
    labels = {f"{family}_c{n}" for family, last in families.items() for n in range(1, last + 1)}
    assert {param.values[0][0] for param in BREAKS} == labels | {"ss_c8"}
