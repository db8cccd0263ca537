"""TensorFlow's graph-mode shape inference against ssop's mode "tf": slices, and the rules for shapes.

Constants are known, placeholders unknown, and stacks of both known in part.
"""

import random

import numpy as np
import pytest
import tensorflow as tf

import ssop
from differential.partial_shapes import (
    SEED,
    ShapeCall,
    ShapeTally,
    ask,
    ask_ssop,
    hide,
    hide_dims,
    random_bound,
    random_dims,
)
from ssop import shapes
from ssop.shapes import Dim, PartialShape

CALLS, RULE_CALLS, GRAPH = 5000, 2000, 100
FLOORS = {"equal": 4000, "errors": 300, "unknown rank": 200, "with unknown dims": 1500}
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
ERRORS = (ValueError, tf.errors.InvalidArgumentError)

# TensorFlow's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"Multiple ellipses in slice spec not allowed": ("ss_c3",),
    r"Index out of range using input dim \d+; input has only \d+ dims": ("ss_c4",),
    r"Attempting to slice scalar input\.": ("ss_c4",),
    r"strides\[\d+\] must be non-zero": ("ss_c5",),
    r"only stride 1 allowed on non-range indexing\.": ("ss_c6",),
    r"slice index -?\d+ of dimension \d+ out of bounds\.": ("ss_c7",),
    r"Expected begin, end, and strides to be 1D equal size tensors": ("ss_c1", "ss_c2"),
    r"From merging shape": ("sh_c1", "sh_c2"),
    r"Dimension 0 in both shapes must be equal, but are \d+ and \d+\.": ("ss_c1", "tsl_c1"),
    r"Shape must be rank \d+ but is rank \d+": ("tsl_c1", "sh_c4"),
    r"Negative dimension size caused by subtracting \d+ from \d+": ("sh_c12",),
    r"Invalid value in tensor used for shape: -\d+": ("sh_c17", "tsl_c3"),
    r"Subshape (start|end) out of bounds: -?\d+, for shape with rank \d+": ("sh_c9",),
    r"Subshape must have computed start [<>]= end( since stride is negative)?, but is \d+ and \d+": ("sh_c10",),
    r"Shapes .* are not compatible": ("sh_c1", "sh_c2"),
    r"must have rank \d+": ("sh_c4",),
    r"must have rank at least \d+": ("sh_c5",),
    r"must have rank at most \d+": ("sh_c6",),
}
UNWORDED = (
    r"From merging shape",
    r"Dimension 0 in both shapes must be equal, but are \d+ and \d+\.",
    r"Shape must be rank \d+ but is rank \d+",
    r"Invalid value in tensor used for shape: -\d+",
    r"Shapes .* are not compatible",
    r"must have rank \d+",
    r"must have rank at least \d+",
    r"must have rank at most \d+",
)


def tensor(vector):
    """A constant, a placeholder, or a stack of scalars of both kinds."""
    if None not in vector:
        return tf.constant(vector, tf.int64, shape=(len(vector),))
    if all(value is None for value in vector):
        return tf.compat.v1.placeholder(tf.int64, [len(vector)])
    return tf.stack([tf.compat.v1.placeholder(tf.int64, []) if v is None else tf.constant(v, tf.int64) for v in vector])


def placeholder(shape):
    return tf.compat.v1.placeholder(tf.float32, shape)


def dims_of(shape):
    return None if shape.rank is None else tuple((0, None) if dim is None else (dim, dim) for dim in shape.as_list())


def subshape(shape, start, end, stride):
    """By TensorFlow's inference of the value of a slice of tf.shape(x)."""
    masks = dict.fromkeys(MASKS, 0) | {"end_mask": int(end is None)}
    vectors = dict(zip(VECTORS, ([start], [0 if end is None else end], [stride]), strict=True))
    part = tf.raw_ops.StridedSlice(input=tf.shape(placeholder(shape)), **vectors, **masks)
    return tf.raw_ops.Empty(shape=part, dtype=tf.float32).shape


def concatenate_values(shape, other):
    joined = tf.concat([tf.shape(placeholder(shape)), tf.shape(placeholder(other))], 0)
    return tf.raw_ops.Empty(shape=joined, dtype=tf.float32).shape


THEIRS = {
    "strided_slice": lambda shape, begin, end, strides, **masks: (
        tf.raw_ops.StridedSlice(
            input=placeholder(shape), begin=tensor(begin), end=tensor(end), strides=tensor(strides), **masks
        ).shape
    ),
    "tf_slice": lambda shape, begin, size: (
        tf.raw_ops.Slice(input=placeholder(shape), begin=tensor(begin), size=tensor(size)).shape
    ),
    "from_tensor": lambda shape, values: (
        tf.raw_ops.StridedSliceGrad(
            shape=tensor(values), begin=[0], end=[0], strides=np.array([1]), dy=placeholder(None)
        ).shape
    ),
    "merge": lambda shape, other: tf.TensorShape(shape).merge_with(tf.TensorShape(other)),
    "merge of inputs": lambda shape, other: tf.raw_ops.AddN(inputs=[placeholder(other), placeholder(shape)]).shape,
    "relax": lambda shape, other: tf.TensorShape(shape).most_specific_compatible_shape(tf.TensorShape(other)),
    "concatenate": lambda shape, other: tf.TensorShape(shape).concatenate(tf.TensorShape(other)),
    "concatenate values": concatenate_values,
    "subshape": subshape,
    "with_rank": lambda shape, rank: tf.TensorShape(shape).with_rank(rank),
    "with_rank_at_least": lambda shape, rank: tf.TensorShape(shape).with_rank_at_least(rank),
    "with_rank_at_most": lambda shape, rank: tf.TensorShape(shape).with_rank_at_most(rank),
    "add": lambda shape, other: tf.raw_ops.ConcatV2(values=[placeholder(shape), placeholder(other)], axis=0).shape,
}
OURS = {
    "strided_slice": shapes.strided_slice,
    "tf_slice": shapes.tf.slice,
    "from_tensor": lambda shape, values: PartialShape.from_tensor(values),
    "merge": lambda shape, other: PartialShape(shape).merge(other),
    "merge of inputs": lambda shape, other: PartialShape(shape).merge(other),
    "relax": lambda shape, other: PartialShape(shape).relax(other, mode="tf"),
    "concatenate": lambda shape, other: PartialShape(shape).concatenate(other),
    "concatenate values": lambda shape, other: PartialShape(shape).concatenate(other),
    "subshape": lambda shape, start, end, stride: PartialShape(shape).subshape(start, end, stride),
    "with_rank": lambda shape, rank: PartialShape(shape).with_rank(rank),
    "with_rank_at_least": lambda shape, rank: PartialShape(shape).with_rank_at_least(rank),
    "with_rank_at_most": lambda shape, rank: PartialShape(shape).with_rank_at_most(rank),
    "add": lambda shape, other: PartialShape([Dim(shape[0]).add(other[0], mode="tf")]),
}


def judge(tally, calls):
    """In one graph, as making graphs takes longer than making nodes."""
    with tf.Graph().as_default():
        for call in calls:
            theirs = ask(lambda call: dims_of(THEIRS[call.op](call.shape, **call.args)), call, ERRORS)
            tally.judge(call, theirs, ask_ssop(lambda call: OURS[call.op](call.shape, **call.args), call))


def slice_of_masks(rng):
    dims = random_dims(rng)
    count = max(0, len(dims) + rng.choice((0, 0, 0, -1, -1, 1, -2)))
    entries = (dims + [3] * count)[:count]
    args = {
        "begin": hide(rng, [random_bound(rng, dim) for dim in entries]),
        "end": hide(rng, [random_bound(rng, dim) for dim in entries]),
        "strides": hide(rng, [rng.choice((1, 1, 1, 2, -1, -2, rng.randint(-3, 3))) for _ in entries], 0.1),
        **{mask: rng.randrange(1 << count) if rng.random() < 0.4 else 0 for mask in MASKS},
    }
    if rng.random() < 0.8:
        args["ellipsis_mask"] = rng.choice((0, 1 << rng.randint(0, count)))
    if rng.random() < 0.03:
        args["end"] = args["end"][:-1]
    return ShapeCall("strided_slice", hide_dims(rng, dims), args)


def slice_of_sizes(rng):
    dims = random_dims(rng)
    shape = hide_dims(rng, dims)
    entries = dims if rng.random() < 0.95 else [*dims, 3]
    begin = [random_bound(rng, 0) if rng.random() < 0.05 else rng.randint(0, dim) for dim in entries]
    size = [
        rng.choice((-1, rng.randint(0, max(dim - start, 0)), rng.randint(-1, dim + 1), rng.randint(-2, 9)))
        for dim, start in zip(entries, begin, strict=True)
    ]
    return ShapeCall("tf_slice", shape, {"begin": hide(rng, begin), "size": hide(rng, size)})


def shape_tensor(rng):
    values = [rng.choice((-1, 0, 1, 5, -2 if rng.random() < 0.1 else 2)) for _ in range(rng.randint(0, 5))]
    return ShapeCall("from_tensor", None, {"values": hide(rng, values)})


def random_rule(rng):
    op = rng.choice([op for op in OURS if op not in ("strided_slice", "tf_slice", "from_tensor")])
    dims = random_dims(rng)
    shape = hide_dims(rng, dims)
    if op.startswith("with_rank"):
        return ShapeCall(op, shape, {"rank": rng.randint(0, 4)})
    if op == "add":
        one, two = ([rng.choice((None, 0, 1, 4))] for _ in "ab")
        return ShapeCall(op, one, {"other": two})
    if op == "subshape":
        shape = [None, *(shape or ())]  # else the slice is folded, and is no shape inference
        start, end = rng.randint(-len(shape) - 2, len(shape) + 2), rng.randint(-len(shape) - 2, len(shape) + 2)
        stride = rng.choice((1, 1, 2, -1, -2))
        if not range(len(shape))[slice(start, end, stride)]:  # TensorFlow infers no value of an empty tensor
            start, end, stride = 0, None, rng.choice((1, 2, 3))
        return ShapeCall(op, shape, {"start": start, "end": end, "stride": stride})
    other = list(dims) if rng.random() < 0.8 else random_dims(rng)
    if other and rng.random() < 0.2:
        other[rng.randrange(len(other))] += 1
    other = hide_dims(rng, other)
    if op == "concatenate values" and (shape is None or other is None):
        shape, other = shape or [], other or []
    return ShapeCall(op, shape, {"other": other})


def probes():
    """One call for each known divergence."""
    yield ShapeCall("from_tensor", None, {"values": [-2, None]})
    yield ShapeCall("tf_slice", [4, 4], {"begin": [0, 0], "size": [-2, None]})
    masks = dict.fromkeys(MASKS, 0)
    spec = {"begin": [9, 0], "end": [0, 0], "strides": [1, 0], **masks, "shrink_axis_mask": 1}
    yield ShapeCall("strided_slice", [4, 4], spec)
    many = {"begin": [None] * 40, "end": [0] * 40, "strides": [1] * 40, **masks, "new_axis_mask": -1}
    yield ShapeCall("strided_slice", [4], many)
    two = {name: [1, 1] for name in VECTORS}
    yield ShapeCall("strided_slice", None, {**two, **masks, "ellipsis_mask": 3})


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = ShapeTally("tensorflow", PHRASES, UNWORDED)
    kinds = (slice_of_masks, slice_of_sizes, shape_tensor)
    for _ in range(CALLS // GRAPH):
        judge(result, [rng.choices(kinds, (60, 30, 10))[0](rng) for _ in range(GRAPH)])
    for _ in range(RULE_CALLS // GRAPH):
        judge(result, [random_rule(rng) for _ in range(GRAPH)])
    judge(result, probes())
    report(f"shapes: tensorflow {tf.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.counts["compared"] >= CALLS + RULE_CALLS and tally.below(FLOORS) == {}
    assert tally.below(dict.fromkeys(OURS, 100)) == {}


def test_updates_and_assignments_have_the_shape_of_their_operand():
    """TensorStridedSliceUpdate checks nothing about the slice or the value, so neither does ssop's mode "tf"."""
    rng = random.Random(SEED)
    for _ in range(50):
        call = slice_of_masks(rng)
        with tf.Graph().as_default():
            vectors = {name: tensor(call.args[name]) for name in VECTORS}
            masks = {name: call.args[name] for name in MASKS}
            operands = {"input": placeholder(call.shape), "value": placeholder([7])}
            if len(call.args["end"]) < len(call.args["begin"]):
                continue
            theirs = dims_of(tf.raw_ops.TensorStridedSliceUpdate(**operands, **vectors, **masks).shape)
        vectors = {name: call.args[name] for name in VECTORS}
        ours = ssop.shapes.tensor_strided_slice_update(call.shape, **vectors, value_shape=[7], **masks)
        assert (None if ours.rank is None else tuple(ours.intervals)) == theirs, call
