"""OpenVINO's inference of partial shapes against ssop's tight mode: StridedSlice-1 and Slice-8.

Intervals of bounds are the values of ShapeOf of a parameter whose dims are intervals.
"""

import random

import numpy as np
import openvino
import pytest
from openvino import Dimension, opset15

import ssop
from differential.partial_shapes import (
    SEED,
    ShapeCall,
    ShapeTally,
    ask,
    ask_ssop,
    random_bound,
    random_dims,
    widen,
    without_large_end,
)
from ssop import shapes

CALLS = 2000
FLOORS = {"equal": 1500, "errors": 50, "unknown rank": 20, "with unknown dims": 500}
MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")

# OpenVINO's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"At most one ellipsis is allowed\.": ("ov_c5",),
    r"Input rank plus number of new axis has to be at least the size of Lower and Upper bounds vector\.": ("ov_c6",),
    r"Accessing out-of-range dimension": ("ov_c6",),
    r"Stride must be non-zero": ("ov_c7",),
    r"Slice `data` input can't be a scalar\.": ("ovs_c1",),
    r"Slice `(start|stop|step|axes)` input dim size can't be bigger than `data` rank\.": ("ovs_c4",),
    r"Axis -?\d+ out of the tensor rank range \[-?\d+, -?\d+\]\.": ("ovs_c5",),
    r"Slice values in `axes` input must be unique\.": ("ovs_c6",),
    r"Step must be non-zero": ("ovs_c7",),
}
UNWORDED = (r"Accessing out-of-range dimension",)


def dimension(value):
    if value is None:
        return Dimension()
    lo, hi = value if isinstance(value, tuple) else (value, value)
    return Dimension(lo, -1 if hi is None else hi)


def parameter(shape):
    shape = openvino.PartialShape.dynamic() if shape is None else openvino.PartialShape(list(map(dimension, shape)))
    return opset15.parameter(shape, np.float32)


def vector(values):
    """A constant, or a parameter, or a constant added to the dims of a parameter."""
    if None in values:
        assert values.count(None) == len(values)
        return opset15.parameter(openvino.PartialShape([len(values)]), np.int64)
    pairs = [value if isinstance(value, tuple) else (value, value) for value in values]
    least = opset15.constant(np.array([lo for lo, _ in pairs], np.int64))
    if all(lo == hi for lo, hi in pairs):
        return least
    return opset15.add(opset15.shape_of(parameter([(0, hi - lo) for lo, hi in pairs]), "i64"), least)


def strided_slice(shape, begin, end, strides, **masks):
    return opset15.strided_slice(parameter(shape), vector(begin), vector(end), vector(strides), **masks)


def slice_8(shape, start, stop, step, axes):
    return opset15.slice(parameter(shape), *map(vector, (start, stop, step, axes)))


def dims_of(call):
    shape = {"strided_slice": strided_slice, "slice": slice_8}[call.op](call.shape, **call.args)
    shape = shape.get_output_partial_shape(0)
    if shape.rank.is_dynamic:
        return None
    ends = [(dim.get_min_length(), dim.get_max_length()) for dim in shape]
    return tuple(without_large_end((lo, None if hi == -1 else hi)) for lo, hi in ends)


def ours(call):
    function = {"strided_slice": shapes.openvino.strided_slice, "slice": shapes.openvino.slice}[call.op]
    return function(call.shape, **call.args, mode="tight")


def random_partial_shape(rng, dims):
    if rng.random() < 0.03:
        return None
    kinds = [rng.random() for _ in dims]
    return [
        dim if kind < 0.5 else None if kind < 0.6 else widen(rng, dim, unbounded=kind < 0.7)
        for dim, kind in zip(dims, kinds, strict=True)
    ]


def random_vector(rng, values):
    """Unknown as a whole, or elements of which some are intervals."""
    if values and rng.random() < 0.06:
        return [None] * len(values)
    if rng.random() < 0.8:
        return values
    return [(v, v + rng.randint(1, 3)) if abs(v) < 100 and rng.random() < 0.5 else v for v in values]


def steps(rng, count):
    return [rng.choice((1, 1, 1, -1, 2, -2, 3, 0 if rng.random() < 0.05 else 1)) for _ in range(count)]


def slice_of_masks(rng):
    dims = random_dims(rng)
    count = max(0, len(dims) + rng.choice((0, 0, 0, -1, 1)))
    entries = (dims + [3] * count)[:count]
    args = {
        "begin": random_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "end": random_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "strides": steps(rng, count),
        **{mask: [0] * count for mask in MASKS},
    }
    for mask in MASKS[:2]:
        args[mask] = [int(rng.random() < 0.2) for _ in entries]
    for i in range(count):
        if rng.random() < 0.25:
            args[rng.choice(MASKS[2:])][i] = 1
    return ShapeCall("strided_slice", random_partial_shape(rng, dims), args)


def slice_of_axes(rng):
    dims = random_dims(rng) or [3]
    axes = rng.sample(range(len(dims)), rng.randint(1, len(dims)))
    if rng.random() < 0.05:
        axes[0] = rng.choice((len(dims), -len(dims) - 1, axes[-1]))
    entries = [dims[axis] if -len(dims) <= axis < len(dims) else 3 for axis in axes]
    args = {
        "start": random_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "stop": random_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "step": steps(rng, len(axes)),
        "axes": axes,
    }
    return ShapeCall("slice", random_partial_shape(rng, dims), args)


def probes():
    """One call for each known divergence."""
    for start, stop, step in ((-3, 6, 1), (-4, 4, 1), (-3, -3, -2)):
        yield ShapeCall("slice", [(1, None)], {"start": [start], "stop": [stop], "step": [step], "axes": [0]})
    yield ShapeCall("slice", [(5, 8)], {"start": [-4], "stop": [7], "step": [1], "axes": [0]})
    yield ShapeCall("slice", [4], {"start": [None], "stop": [2], "step": [0], "axes": [0]})
    masks = {mask: [0, 0] for mask in MASKS}
    spec = {"begin": [9, 0], "end": [1, 1], "strides": [1, 1]}
    yield ShapeCall("strided_slice", [3, 3], {**spec, **masks, "shrink_axis_mask": [1, 0]})
    yield ShapeCall("strided_slice", None, {**spec, **masks, "ellipsis_mask": [1, 1]})
    spec["begin"] = [None, None]
    yield ShapeCall("strided_slice", [3, 5], {**spec, **masks, "ellipsis_mask": [1, 0], "new_axis_mask": [0, 1]})


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = ShapeTally("openvino", PHRASES, UNWORDED)
    for call in [*(rng.choice((slice_of_masks, slice_of_axes))(rng) for _ in range(CALLS)), *probes()]:
        result.judge(call, ask(dims_of, call, RuntimeError), ask_ssop(ours, call))
    report(f"shapes: openvino {openvino.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.counts["compared"] >= CALLS and tally.below(FLOORS) == {}
