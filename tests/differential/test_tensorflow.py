"""TensorFlow's eager StridedSlice against ssop.strided_slice: results, refusals, and the reason given for a refusal."""

import random

import numpy as np
import pytest
import tensorflow as tf

import ssop
from differential.calls import (
    DTYPES,
    EXTREMES,
    SEED,
    Call,
    Tally,
    ask,
    bound,
    broken,
    near,
    random_array,
    random_shape,
    wrong_reason,
)

CALLS = 20_000
FLOORS = {"accepted": 10_000, "with elements": 5000, "refused": 2000}
PER_LABEL = 20
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
REFUSALS = (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError, ValueError, TypeError, OverflowError)

# TensorFlow's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"Expected begin, end, and strides to be 1D equal size tensors": ("ss_c1", "ss_c2", "in_c5", "in_c6"),
    r"Multiple ellipses in slice spec not allowed": ("ss_c3",),
    r"Index out of range using input dim \d+; input has only \d+ dims": ("ss_c4",),
    r"Attempting to slice scalar input\.": ("ss_c4",),
    r"strides\[\d+\] must be non-zero": ("ss_c5",),
    r"only stride 1 allowed on non-range indexing\.": ("ss_c6",),
    r"slice index -?\d+ of dimension \d+ out of bounds\.": ("ss_c7",),
    r"out of range for an int32": ("in_c3",),
    r"out-of-range integer": ("in_c2",),
    r"Value for attr 'Index' of (float|double)|Cannot convert .+ to EagerTensor of dtype int64": ("in_c1",),
}
UNWORDED = ("in_c1", "in_c2", "in_c3", "in_c5")


def tensorflow(x, **args):
    for name in VECTORS:
        if isinstance(args[name], list):
            args[name] = tf.constant(args[name], tf.int64)
    result = tf.raw_ops.StridedSlice(input=x, **args)
    if len(result.shape) > 64:
        return result
    if x.dtype.hasobject:  # flat, because numpy() of strings kills the process for ranks above 32
        return tf.reshape(result, [-1]).numpy().reshape(result.shape)
    return np.asarray(result.numpy())


def judge(tally, call):
    theirs = ask(tensorflow, call.arrays, call.args, REFUSALS)
    ours = ask(ssop.strided_slice, call.arrays, call.args, ssop.SliceError)
    tally.judge(call, theirs, ours, wrong_reason(PHRASES, theirs, ours, UNWORDED))


def sensible(rng, shape):
    """A spec as one would write it: slices, indices, new axes and at most one ellipsis, mostly inside their axes."""
    kinds = ["axis"] * rng.randint(0, len(shape))
    for kind in rng.choice(((), ("ellipsis",))) + ("new",) * rng.choice((0, 0, 1, 2)):
        kinds.insert(rng.randint(0, len(kinds)), kind)
    before = kinds.index("ellipsis") if "ellipsis" in kinds else len(kinds)
    left, right = kinds[:before].count("axis"), kinds[before:].count("axis")
    dims = iter(shape[:left] + shape[len(shape) - right :])
    args = {name: [] for name in VECTORS} | dict.fromkeys(MASKS, 0)
    for i, kind in enumerate(kinds):
        dim = next(dims) if kind == "axis" else rng.randint(0, 6)
        entry = [bound(rng, dim), bound(rng, dim), rng.choice((1, 1, -1)) * rng.randint(1, dim + 1)]
        bits = [mask for mask in MASKS[:2] if rng.random() < 0.3]
        if kind != "axis":
            bits = [{"new": "new_axis_mask", "ellipsis": "ellipsis_mask"}[kind], *bits]
            entry[2] = rng.randint(-2, 2)
        elif dim and rng.random() < 0.3:
            bits.append("shrink_axis_mask")
            entry = [rng.randint(-dim, dim - 1), entry[1], rng.randint(1, 2)]
        for name, value in zip(VECTORS, entry, strict=True):
            args[name].append(value)
        for mask in bits:
            args[mask] |= 1 << i
    return args


def int32(bits):
    """The signed integer of a mask's 32 bits."""
    return bits - 2**32 if bits >= 2**31 else bits


def contradictory(rng, shape):
    """A sensible spec with one thing changed: a mask, a stride, a bound, a length."""
    args = sensible(rng, shape)
    mask = rng.choice(MASKS)
    change = rng.randrange(4)
    if change == 0:
        return broken(rng, args, VECTORS)
    if change == 1 and args["strides"]:
        args["strides"][rng.randrange(len(args["strides"]))] = rng.choice((0, 0, -1, *EXTREMES))
        return args
    return args | {mask: int32(args[mask] ^ (1 << rng.choice((0, 1, 2, 3, 4, rng.randint(0, 30), 31))))}


def random_mask(rng, length):
    bits = rng.getrandbits(32) if rng.random() < 0.05 else rng.getrandbits(length + 1) & rng.getrandbits(length + 1)
    return int32(bits)


def arbitrary(rng, shape):
    """Anything the op's signature lets through; entries beyond the rank are common."""
    length = rng.randint(0, len(shape) + 1) if rng.random() < 0.97 else rng.randint(30, 33)
    dims = (list(shape) + [3] * length)[:length]
    vectors = (
        [bound(rng, d) for d in dims],
        [bound(rng, d) for d in dims],
        [rng.choice(EXTREMES) if rng.random() < 0.05 else near(rng, d) or 1 for d in dims],
    )
    args = dict(zip(VECTORS, vectors, strict=True)) | {mask: random_mask(rng, length) for mask in MASKS}
    if length > 8:
        args["new_axis_mask"] = -1
    if rng.random() < 0.85:
        args["ellipsis_mask"] = rng.choice((0, int32(1 << rng.randint(0, 31))))
    return args


def malformed(rng, shape):
    """A sensible spec but for one argument of no legal type, range or form."""
    args = sensible(rng, shape)
    fault, name = rng.randrange(4), rng.choice(VECTORS)
    if fault == 0:
        return args | {rng.choice(MASKS): rng.choice((2**31, -(2**31) - 1, 2**33))}
    if fault == 1:
        return args | {name: rng.choice((np.array(args[name], np.int64)[None], np.zeros((), np.int64)))}
    if fault == 2 and args[name]:
        return args | {n: np.array(args[n], rng.choice((np.float32, np.float64))) for n in VECTORS}
    if args[name]:
        args[name][rng.randrange(len(args[name]))] = rng.choice((1.0, 2**63, -(2**63) - 1))
    return args


def typed(rng, args):
    """The same spec in arrays of one index type, where it fits."""
    dtype = np.iinfo(rng.choice((np.int16, np.int32, np.int64)))
    if all(isinstance(args[n], list) and all(dtype.min <= v <= dtype.max for v in args[n]) for n in VECTORS):
        return args | {name: np.array(args[name], dtype.dtype) for name in VECTORS}
    return args


def random_call(rng):
    kind = rng.choices((sensible, contradictory, arbitrary, malformed), (37, 30, 28, 5))[0]
    ranks = (7, 8) if rng.random() < 0.05 else (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6)
    shape = random_shape(rng, ranks)
    x = random_array(rng, shape, rng.choice((*DTYPES, np.dtype(object))))
    args = kind(rng, shape)
    if kind is not malformed and rng.random() < 0.5:
        args = typed(rng, args)
    return Call("strided_slice", (x,), args)


def probes():
    """One call for each known divergence."""

    def call(shape, begin, end, strides, **masks):
        return Call(
            "strided_slice",
            (np.arange(np.prod(shape, dtype=int)).reshape(shape),),
            {"begin": begin, "end": end, "strides": strides, **masks},
        )

    yield call((2,) * 9, [0, 0], [2, 2], [1, 2])
    yield call((3,) + (1,) * 32, [1], [2], [1])
    yield call((1,) * 60, [0] * 5, [0] * 5, [1] * 5, new_axis_mask=31)
    yield call((4,), [1], [2], [1], begin_mask=1.5)
    yield call((4,), [True], [2], [1])
    yield call((4,), [1], [2], np.array([1.0]))
    yield call((4,), *np.array([[1], [2], [1]], np.uint8))


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = Tally("tensorflow")
    for _ in range(CALLS):
        judge(result, random_call(rng))
    for call in probes():
        judge(result, call)
    report(f"tensorflow {tf.__version__}, numpy {np.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.compared >= CALLS and tally.below(FLOORS) == {}
    assert tally.rarely_broken(PHRASES, PER_LABEL).keys() <= {"in_c5"}
