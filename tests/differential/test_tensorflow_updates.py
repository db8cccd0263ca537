"""TensorFlow's eager StridedSliceGrad, TensorStridedSliceUpdate and Slice against ssop: results, refusals, reasons."""

import random
import re
from collections import Counter

import numpy as np
import pytest
import tensorflow as tf

import ssop
from differential.calls import DTYPES, SEED, Call, ask, bound, broken, near, random_array, random_shape, same

CALLS = 1500
ACCEPTED, FILLED, REFUSED, PER_LABEL = 700, 400, 250, 5
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
REFUSALS = (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError, ValueError, TypeError, OverflowError)

# TensorFlow's own words, and the labels they stand for. ssop's message repeats the first kind.
PHRASES = {
    r"Expected begin, end, and strides to be 1D equal size tensors": ("ss_c1", "ss_c2"),
    r"Multiple ellipses in slice spec not allowed": ("ss_c3",),
    r"Index out of range using input dim \d+; input has only \d+ dims": ("ss_c4",),
    r"Attempting to slice scalar input\.": ("ss_c4",),
    r"strides\[\d+\] must be non-zero": ("ss_c5",),
    r"only stride 1 allowed on non-range indexing\.": ("ss_c6",),
    r"slice index -?\d+ of dimension \d+ out of bounds\.": ("ss_c7",),
    r"shape of dy was \[.*?\] instead of \[.*?\]": ("gr_c1",),
    r"Cannot broadcast input shape \[.*?\] into final shape \[.*?\]": ("as_c1",),
    r"Expected begin and size arguments to be 1-D tensors of size \d+, but got shapes \[\d+\] and \[\d+\] instead\.": (
        "tsl_c1",
    ),
    r"Expected begin\[\d+\] in \[0, \d+\], but got -?\d+": ("tsl_c2",),
    r"Expected size\[\d+\] in \[0, \d+\], but got -?\d+": ("tsl_c3",),
    r"Dimension -\d+ must be >= 0": ("in_c10",),
}
# And what it says of an axis of length 0, in which it does not tell the two rules apart.
OTHER_WORDS = {
    r"Expected begin\[\d+\] == 0 \(got -?\d+\) and size\[\d+\] == 0 \(got -?\d+\) when input.dim_size": (
        "tsl_c2",
        "tsl_c3",
    ),
}


def int64(vector):
    return tf.constant(vector, tf.int64)


def tensorflow_grad(dy, shape, **args):
    args |= {name: int64(args[name]) for name in VECTORS}
    return tf.raw_ops.StridedSliceGrad(shape=int64(shape), dy=dy, **args).numpy()


def tensorflow_update(x, value, **args):
    args |= {name: int64(args[name]) for name in VECTORS}
    return tf.raw_ops.TensorStridedSliceUpdate(input=x, value=value, **args).numpy()


def tensorflow_slice(x, begin, size):
    return tf.raw_ops.Slice(input=x, begin=int64(begin), size=int64(size)).numpy()


THEIRS = {"grad": tensorflow_grad, "update": tensorflow_update, "tf.slice": tensorflow_slice}
OURS = {
    "grad": lambda dy, **args: ssop.strided_slice_grad(dy=dy, **args),
    "update": lambda x, value, **args: ssop.tensor_strided_slice_update(x, value=value, **args),
    "tf.slice": ssop.tf.slice,
}


def random_spec(rng, shape):
    """As one would write it, more often than not legal: bounds near the axis, one entry in six something else."""
    axes = rng.randint(0, len(shape))
    args = {"begin": [], "end": [], "strides": [], **dict.fromkeys(MASKS, 0)}
    for i, dim in enumerate(shape[:axes]):
        entry = [bound(rng, dim), bound(rng, dim), rng.choice((1, 1, -1, 2, -2))]
        masks = [mask for mask in MASKS[:2] if rng.random() < 0.35]
        if dim and rng.random() < 0.15:
            masks.append("shrink_axis_mask")
            entry = [rng.randint(-dim, dim - 1), 0, 1]
        elif rng.random() < 0.08 and not args["ellipsis_mask"]:
            masks.append("ellipsis_mask")
        elif rng.random() < 0.08:
            masks.append("new_axis_mask")
        for name, value in zip(VECTORS, entry, strict=True):
            args[name].append(value)
        for mask in masks:
            args[mask] |= 1 << i
    if rng.random() < 0.12:
        return broken(rng, args, VECTORS)
    if rng.random() < 0.1:
        mask = rng.choice(MASKS)
        args[mask] ^= 1 << rng.randint(0, 4)
    if rng.random() < 0.05 and args["strides"]:
        args["strides"][-1] = 0
    if rng.random() < 0.05:
        for name in VECTORS:
            args[name] = (args[name] + [1] * 7)[: len(shape) + 1]
    return args


def taken_shape(shape, args):
    """Of the slice; of the array, if there is none."""
    try:
        return ssop.strided_slice(np.broadcast_to(np.int8(0), shape), **args).shape
    except ssop.SliceError:
        return shape


def repeating(rng, shape):
    """A shape that broadcasts to `shape`, in one of the ways it can."""
    cut = tuple(1 if rng.random() < 0.3 else dim for dim in shape[rng.choice((0, 0, 0, rng.randint(0, len(shape)))) :])
    return (1,) * rng.randint(0, 2) + cut if len(cut) == len(shape) and len(cut) < 5 and rng.random() < 0.3 else cut


def spoilt(rng, shape):
    """Another shape."""
    dims = list(shape)
    at = rng.randint(0, len(dims))
    dims[at : at + rng.randint(0, 1)] = [rng.randint(0, 4)] * (len(dims) < 6)
    return tuple(dims)


def random_slice(rng, shape):
    """A begin and a size per axis: legal, or with one entry changed."""
    begin = [rng.randint(0, dim) for dim in shape]
    size = [rng.choice((-1, *range(dim - first + 1))) for dim, first in zip(shape, begin, strict=True)]
    args = {"begin": begin, "size": size}
    if rng.random() < 0.5:
        args = broken(rng, args, ("begin", "size"))
    if rng.random() < 0.1 and shape:
        args["begin"] = [near(rng, dim) for dim in shape]
    return args


def too_dangerous(shape, begin, size):
    """TensorFlow adds begin and size without a look at the overflow, and allocates what it gets."""
    return len(begin) == len(size) == len(shape) and any(b + s > 2**63 - 1 for b, s in zip(begin, size, strict=True))


def random_call(rng):
    shape, dtype = random_shape(rng), rng.choice(DTYPES)
    op = rng.choice(tuple(THEIRS))
    if op == "tf.slice":
        args = random_slice(rng, shape)
        while too_dangerous(shape, **args):
            args = random_slice(rng, shape)
        return Call(op, (random_array(rng, shape, dtype),), args)
    args = random_spec(rng, shape)
    part = taken_shape(shape, args)
    if op == "update":
        dtype = rng.choice(DTYPES[:-1])  # TensorFlow updates no float8_e5m2
        wanted = spoilt(rng, part) if rng.random() < 0.2 else repeating(rng, part)
        return Call(op, (random_array(rng, shape, dtype), random_array(rng, wanted, dtype)), args)
    wanted = spoilt(rng, part) if rng.random() < 0.15 else part
    if rng.random() < 0.03:
        shape = (*shape[1:], -rng.randint(1, 3))
    return Call(op, (random_array(rng, wanted, dtype),), args | {"shape": shape})


def wrong_reason(theirs, ours):
    """What is wrong with ssop's reason for a refusal, given TensorFlow's."""
    for phrases, worded in ((PHRASES, True), (OTHER_WORDS, False)):
        for phrase, labels in phrases.items():
            if found := re.search(phrase, str(theirs)):
                if ours.label not in labels:
                    return f"label is not one of {labels}"
                return f"message lacks {found.group()!r}" if worded and found.group() not in str(ours) else None
    return "TensorFlow's reason is not known"


@pytest.fixture(scope="module")
def tally(report):
    """Counts of outcomes and labels, and all differences: none is known."""
    rng = random.Random(SEED)
    counts, differences = Counter(), []
    for _ in range(CALLS):
        call = random_call(rng)
        theirs = ask(THEIRS[call.op], call.arrays, call.args, REFUSALS)
        ours = ask(OURS[call.op], call.arrays, call.args, ssop.SliceError)
        complaint = None
        if theirs.error is None and ours.error is None:
            outcome = "accepted" if same(theirs.array, ours.array) else "different"
            counts["with elements"] += ours.array.size > 0
        elif theirs.error is not None and ours.error is not None:
            complaint = wrong_reason(theirs.error, ours.error)
            outcome = "different" if complaint else "refused"
            counts[ours.error.label] += 1
        else:
            outcome = "different"
        counts[outcome] += 1
        counts[f"{call.op} {outcome}"] += 1
        if outcome == "different":
            differences.append(f"{call}\n  tensorflow: {theirs}\n  ssop: {ours}\n  {complaint or ''}")
    report(f"tensorflow {tf.__version__}, updates: SSOP_SEED={SEED}: {dict(sorted(counts.items()))}")
    return counts, differences


def test_no_difference(tally):
    assert not tally[1], f"{len(tally[1])}\n" + "\n".join(tally[1][:10])


def test_enough_was_compared(tally):
    counts = tally[0]
    assert counts["accepted"] >= ACCEPTED and counts["with elements"] >= FILLED and counts["refused"] >= REFUSED
    for op in THEIRS:
        assert min(counts[f"{op} accepted"], counts[f"{op} refused"]) >= 50


@pytest.mark.parametrize("label", ["gr_c1", "as_c1", "tsl_c1", "tsl_c2", "tsl_c3", "ss_c1", "ss_c4", "ss_c5", "in_c10"])
def test_every_rule_was_broken(tally, label):
    assert tally[0][label] >= PER_LABEL


def test_an_empty_slice_takes_any_value():
    """as_s2, in TensorFlow as here."""
    x, value = np.zeros(3, np.float32), np.zeros((7, 7), np.float32)
    args = {"begin": [2], "end": [1], "strides": [1]}
    assert same(tensorflow_update(x, value, **args), ssop.tensor_strided_slice_update(x, value=value, **args))
