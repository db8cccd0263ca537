"""TFLite, OpenVINO and ONNX on random calls: the reference, and TensorFlow or NumPy but for the listed divergences."""

from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, assert_same, call, counting, with_shape
from ssop import divergences, reference
from ssop._masks import MASK_NAMES
from ssop.reference import Tensor
from ssop.testing import strategies as slicing


def illegal(shape):
    return slicing.specs(shape, legal=False)


def arguments(spec):
    masks = {name: getattr(spec, name) for name in MASK_NAMES}
    return {"begin": spec.begin, "end": spec.end, "strides": spec.strides} | masks


def with_vectors(args, lengths):
    """Bit masks as vectors of 0 and 1, each of a length of its own that holds all its bits."""
    count = len(args["begin"])
    vectors = {}
    for name, length in zip(MASK_NAMES, lengths, strict=True):
        bits = args[name] & 2**31 - 1
        vectors[name] = [bits >> entry & 1 for entry in range(max(length, min(count, bits.bit_length())))]
    return args | vectors


def is_listed(dialect, shape, args):
    rows = divergences.rows("dialect", of=dialect)
    return any(getattr(divergences, row["predicate"])(shape, args) for row in rows)


@given(with_shape(illegal), st.booleans())
def test_tflite_equals_the_reference(case, offset):
    shape, spec = case
    x, args = counting(shape), arguments(spec)
    got = answer(ssop.tflite.strided_slice, x, **args, offset=offset)
    assert got == answer(reference.tflite.strided_slice, as_tensor(x), **args, offset=offset)


@given(with_shape(illegal), st.tuples(*[st.integers(0, 7)] * 5), st.booleans())
def test_openvino_equals_the_reference(case, lengths, strict):
    shape, spec = case
    x, args = counting(shape), with_vectors(arguments(spec), lengths)
    got = answer(ssop.openvino.strided_slice, x, **args, strict=strict)
    assert got == answer(reference.openvino.strided_slice, as_tensor(x), **args, strict=strict)


@given(with_shape(illegal), st.tuples(*[st.integers(0, 7)] * 5))
def test_dialects_are_tensorflow_outside_their_listed_divergences(case, lengths):
    shape, spec = case
    x, args = counting(shape), arguments(spec)
    expected = answer(ssop.strided_slice, x, **args)
    for dialect, given_args in (("tflite", args), ("openvino", with_vectors(args, lengths))):
        got = answer(getattr(ssop, dialect).strided_slice, x, **given_args)
        same = got == expected if isinstance(expected, Tensor) else not isinstance(got, Tensor)
        assert same or is_listed(dialect, shape, args)


@given(with_shape(slicing.specs), st.data())
def test_an_offset_says_where_the_window_ends(case, data):
    """With offset, begin and a length that fits are the slice from begin of that length."""
    shape, _ = case
    begin = [data.draw(st.integers(-dim, dim)) for dim in shape]
    first = [start % dim if start < 0 else start for start, dim in zip(begin, shape, strict=True)]
    length = [data.draw(st.integers(0, dim - start)) for start, dim in zip(first, shape, strict=True)]
    x = counting(shape)
    got = call(ssop.tflite.strided_slice, x, begin, length, offset=True)
    assert_same(got, x[tuple(slice(start, start + n) for start, n in zip(first, length, strict=True))])
    assert_same(call(ssop.tflite.slice, x, first, length), got)


@st.composite
def axes_slices(draw, shape):
    """Start, stop, step and axis of several entries; at times an axis outside, an axis twice, a step of 0."""
    rank = len(shape)
    axes = draw(st.lists(st.integers(-rank - 1, rank), max_size=rank + 1))
    if draw(st.booleans()):
        axes = draw(st.permutations(range(rank)))[: len(axes)]
    dims = [shape[axis % rank] if rank else 0 for axis in axes]
    bounds = [[draw(slicing.bounds(dim)) for dim in dims] for _ in range(2)]
    steps = [draw(slicing.strides(dim, zero=draw(st.integers(0, 9)) == 0)) for dim in dims]
    return *bounds, steps, draw(st.sampled_from((axes, axes, None)))


@given(with_shape(axes_slices), st.sampled_from(("spec", "reference", "ort")), st.tuples(*[st.integers(0, 5)] * 3))
def test_onnx_equals_the_reference(case, engine, cut):
    shape, (starts, ends, steps, axes) = case
    x = counting(shape)
    short = [entries[: len(entries) - (n == 0)] for n, entries in zip(cut, (starts, ends, steps), strict=True)]
    for lists in ((starts, ends, axes, steps), (starts, ends, axes, None), (short[0], short[1], axes, short[2])):
        got = answer(ssop.onnx.slice, x, *lists, engine=engine)
        assert got == answer(reference.onnx.slice, as_tensor(x), *lists, engine=engine)


@given(with_shape(axes_slices))
def test_openvino_slice_equals_the_reference(case):
    shape, (starts, ends, steps, axes) = case
    x = counting(shape)
    got = answer(ssop.openvino.slice, x, starts, ends, steps, axes)
    assert got == answer(reference.openvino.slice, as_tensor(x), starts, ends, steps, axes)


@given(with_shape(axes_slices))
def test_onnx_is_numpy_outside_its_listed_divergences(case):
    shape, (starts, ends, steps, axes) = case
    x = counting(shape)
    args = {"starts": starts, "ends": ends, "steps": steps, "axes": axes}
    for engine in ("spec", "reference", "ort"):
        got = answer(ssop.onnx.slice, x, **args, engine=engine)
        if not isinstance(got, Tensor):
            continue
        index = [slice(None)] * len(shape)
        for entry, axis in enumerate(range(len(starts)) if axes is None else axes):
            index[axis] = slice(starts[entry], ends[entry], steps[entry])
        expected = x[tuple(index)]
        assert got == as_tensor(expected) or is_listed("onnx", shape, args)


@given(with_shape(slicing.specs))
def test_plain_slices_are_the_same_in_every_dialect(case):
    """Positive strides and bounds inside: nobody differs there."""
    shape, _ = case
    begin, end = [dim // 3 for dim in shape], [dim - dim // 4 for dim in shape]
    x, ones = counting(shape), [1] * len(shape)
    expected = ssop.strided_slice(x, begin, end)
    assert_same(call(ssop.tflite.strided_slice, x, begin, end), expected)
    assert_same(call(ssop.openvino.strided_slice, x, begin, end, ones), expected)
    assert_same(call(ssop.onnx.slice, x, begin, end), expected)
    if shape:
        assert_same(call(ssop.openvino.slice, x, begin, end, ones), expected)
        assert_same(call(ssop.onnx.slice, x, begin, end, engine="ort"), expected)
