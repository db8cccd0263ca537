"""The dialects on every small input against the reference, and against TensorFlow and NumPy but for what is listed."""

from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, around, counting, dims, slices_of
from ssop import divergences, reference

SHORT, DIMS = range(3), range(5)
SHAPES = [(2, 3, 4)[:rank] for rank in range(4)]
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def vectors_of(masks, length):
    """Bit masks as OpenVINO writes them."""
    return {
        mask: [bits >> entry & 1 for entry in range(max(length, bits.bit_length()))] for mask, bits in masks.items()
    }


def functions_of(dialect, name="strided_slice"):
    return getattr(getattr(ssop, dialect), name), getattr(getattr(reference, dialect), name)


def is_listed(dialect, shape, args):
    """The names of the listed divergences that this call is about."""
    return {
        row["predicate"]
        for row in divergences.rows("dialect", of=dialect)
        if getattr(divergences, row["predicate"])(shape, args)
    }


def compare_with_tensorflow(dialect, x, got, args, seen):
    """The same as TensorFlow, in results and in what is rejected, unless the call is listed."""
    expected = answer(ssop.strided_slice, x, **{name: value for name, value in args.items() if name != "offset"})
    same = got == expected if min(len(got), len(expected)) == 2 else len(got) == len(expected)
    listed = is_listed(dialect, x.shape, args)
    assert same or listed, (dialect, x.shape, args, got, expected)
    if not same:
        seen |= listed if len(listed) == 1 else set()


@pytest.mark.parametrize("dim", dims(SHORT, DIMS))
def test_tflite_on_one_axis(dim):
    x, tensor, seen = np.arange(dim), counting(dim), set()
    ours, theirs = functions_of("tflite")
    for offset in (False, True):
        for begin, end, stride, *bits in slices_of(dim):
            masks = dict(zip(("begin_mask", "end_mask", "shrink_axis_mask"), bits, strict=True))
            args = {"begin": [begin], "end": [end], "strides": [stride], **masks, "offset": offset}
            got = answer(ours, x, **args)
            assert got == answer(theirs, tensor, **args), args
            compare_with_tensorflow("tflite", x, got, args, seen)
    assert seen == {"offset"} | ({"begin_mask_on_shrink", "shrink_below_range"} if dim else set())


@pytest.mark.parametrize("dim", dims(SHORT, DIMS))
def test_openvino_on_one_axis(dim):
    x, tensor, seen = np.arange(dim), counting(dim), set()
    ours, theirs = functions_of("openvino")
    for begin, end, stride, *bits in [*slices_of(dim), *((0, 1, 0, 0, 0, shrink) for shrink in (0, 1))]:
        masks = dict(zip(("begin_mask", "end_mask", "shrink_axis_mask"), bits, strict=True))
        vectors = {"begin": [begin], "end": [end], "strides": [stride]}
        got = answer(ours, x, **vectors, **vectors_of(masks, 1))
        assert got == answer(theirs, tensor, **vectors, **vectors_of(masks, 1)), (vectors, masks)
        compare_with_tensorflow("openvino", x, got, vectors | masks, seen)
    assert seen == ({"far_negative_begin", "stride_of_shrunk"} if dim else set())


@pytest.mark.parametrize("dialect", ["tflite", "openvino"])
def test_every_pattern_of_masks(dialect):
    """Specs of up to three entries, ranks to 3: ellipsis, new axis and shrink in every combination, one bit past it."""
    ours, theirs = functions_of(dialect)
    seen, compared = set(), 0
    for shape, length in product(SHAPES, range(4)):
        x, tensor = np.arange(np.prod(shape, dtype=int)).reshape(shape), counting(*shape)
        for ellipsis, new, shrink in product(range(2 << length), repeat=3):
            masks = {"ellipsis_mask": ellipsis, "new_axis_mask": new, "shrink_axis_mask": shrink}
            vectors = {"begin": [1, 0, 1][:length], "end": [2, 2, 3][:length], "strides": [1] * length}
            given = masks if dialect == "tflite" else vectors_of(masks, length)
            got = answer(ours, x, **vectors, **given)
            assert got == answer(theirs, tensor, **vectors, **given), (shape, vectors, masks)
            compare_with_tensorflow(dialect, x, got, vectors | masks, seen)
            compared += 1
    assert compared == 4 * sum((2 << length) ** 3 for length in range(4))
    expected = {"tflite": {"spare_ellipsis_bits", "spare_entries", "ellipsis_takes_one_axis"}}
    assert seen >= expected.get(dialect, {"spare_ellipsis_bits"})


def numpy_slices(x, starts, ends, axes=None, steps=None):
    index = [slice(None)] * x.ndim
    for entry, axis in enumerate(range(len(starts)) if axes is None else axes):
        index[axis] = slice(starts[entry], ends[entry], steps[entry] if steps is not None else None)
    return x[tuple(index)]


@pytest.mark.parametrize("engine", ["spec", "reference", "ort"])
def test_onnx_on_one_axis(engine):
    seen = set()
    for dim in DIMS:
        x, tensor = np.arange(2 * dim).reshape(2, dim), counting(2, dim)
        steps = [*range(-dim - 1, dim + 2), -(2**31), 2**31 - 1, -(2**63), 2**63 - 1]
        for start, end, step in product(around(dim + 2), around(dim + 2), steps):
            args = {"starts": [start], "ends": [end], "axes": [-1], "steps": [step]}
            got = answer(ssop.onnx.slice, x, **args, engine=engine)
            assert got == answer(reference.onnx.slice, tensor, **args, engine=engine), args
            if step == 0:
                continue
            expected = numpy_slices(x, **args)
            same = got == (expected.shape, expected.ravel().tolist())
            listed = is_listed("onnx", x.shape[1:], args)
            assert same or listed, (args, got)
            seen |= listed if not same and len(listed) == 1 else set()
    expected = {"spec": {"far_negative_start"}, "reference": set(), "ort": {"far_negative_start", "greatest_ends"}}
    assert seen == expected[engine]


@pytest.mark.parametrize("engine", ["spec", "reference", "ort"])
def test_onnx_lists_of_every_length_and_axis(engine):
    compared = 0
    for shape in SHAPES:
        x, tensor = np.arange(np.prod(shape, dtype=int)).reshape(shape), counting(*shape)
        for starts, ends, steps in product(range(4), range(4), (None, 0, 1, 2, 3)):
            for axes in [None, *(axes for length in range(3) for axes in product(range(-3, 4), repeat=length))]:
                given = {
                    "starts": [1, 0, 1][:starts],
                    "ends": [2, 3, 4][:ends],
                    "axes": axes,
                    "steps": None if steps is None else [1, -1, 2][:steps],
                }
                got = answer(ssop.onnx.slice, x, **given, engine=engine)
                assert got == answer(reference.onnx.slice, tensor, **given, engine=engine), (shape, given)
                compared += 1
    assert compared == 4 * 4 * 4 * 5 * 58


def test_openvino_slice():
    compared = 0
    for dim in DIMS:
        x, tensor = np.arange(2 * dim).reshape(2, dim), counting(2, dim)
        steps = [*range(-dim - 1, dim + 2), -(2**63), 2**63 - 1]
        for start, stop, step in product(around(dim + 2), around(dim + 2), steps):
            args = [start], [stop], [step], [1]
            assert answer(ssop.openvino.slice, x, *args) == answer(reference.openvino.slice, tensor, *args), args
            compared += 1
    for shape in SHAPES:
        x, tensor = np.arange(np.prod(shape, dtype=int)).reshape(shape), counting(*shape)
        for starts, stops, steps in product(range(5), repeat=3):
            for axes in [None, *(axes for length in range(3) for axes in product(range(-3, 4), repeat=length))]:
                args = [1, 0, 1, 0][:starts], [2, 3, 4, 5][:stops], [1, -1, 2, 0][:steps], axes
                assert answer(ssop.openvino.slice, x, *args) == answer(reference.openvino.slice, tensor, *args), args
                compared += 1
    assert compared > 30_000


@pytest.mark.parametrize("dim", DIMS)
def test_tflite_slice(dim):
    x, tensor = np.arange(2 * dim).reshape(2, dim), counting(2, dim)
    for begin, size in product(around(dim + 2), repeat=2):
        args = [1, begin], [-1, size]
        assert answer(ssop.tflite.slice, x, *args) == answer(reference.tflite.slice, tensor, *args), args
        args = [begin, 0], [size, 1]
        assert answer(ssop.tflite.slice, x, *args) == answer(reference.tflite.slice, tensor, *args), args
