"""OpenVINO's StridedSlice-1 and Slice-8 against ssop.openvino: results, shapes, refusals and the reasons given.

The shape is that of shape inference. The elements are those of constant folding, or of the CPU plugin where folding is
known to contradict that shape, and now and then in any case.
"""

import random

import numpy as np
import openvino
import pytest
from openvino import opset8, opset15
from openvino.passes import ConstantFolding, Manager

import ssop
from differential.calls import (
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

CALLS = 12_000
ACCEPTED, FILLED, REFUSED, PER_LABEL = 2000, 1000, 500, 20
CPU_SHARE, CPU_FLOOR = 0.03, 150
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
LISTS = ("start", "stop", "step", "axes")
DTYPES = tuple(map(np.dtype, ("f4", "i1", "i8", "f8", "?", "f2", "u2", "i4")))
REFUSALS = (RuntimeError,)

# OpenVINO's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"All masks of StridedSlice must have be 0 or 1": ("ov_c1",),
    r"All masks of StridedSlice must have the same size": ("ov_c2",),
    r"Begin and end need to have same number of values\.": ("ov_c3",),
    r"Stride needs to have same number of values as begin and end\.": ("ov_c4",),
    r"At most one ellipsis is allowed\.": ("ov_c5",),
    r"Input rank plus number of new axis has to be at least the size of Lower and Upper bounds vector\.": ("ov_c6",),
    r"Accessing out-of-range dimension": ("ov_c6",),
    r"Stride must be non-zero": ("ov_c7",),
    r"slice_plan\.cpp": ("ov_c8",),
    r"Slice `data` input can't be a scalar\.": ("ovs_c1",),
    r"Slice `(start|stop|step|axes)` input dim size can't be bigger than `data` rank\.": ("ovs_c2",),
    r"Slice `start`, `stop`, `step` inputs must have compatible shapes\.": ("ovs_c3",),
    r"Slice `axes` input must have compatible shape with `start`, `stop`, `step` inputs\.": ("ovs_c4",),
    r"Slice values in `axes` input must be unique\.": ("ovs_c5",),
    r"Axis -?\d+ out of the tensor rank range \[-?\d+, -?\d+\]\.": ("ovs_c6",),
    r"Step must be non-zero": ("ovs_c7",),
}
WORDED = {label for labels in PHRASES.values() for label in labels} - {"ov_c8"}  # a failed check without a message
core = openvino.Core()


def constant(vector):
    return opset15.constant(np.array(vector, np.int64))


def strided_slice(data, begin, end, strides, strict=True, **masks):
    vectors = map(constant, (begin, end, strides))
    return opset15.strided_slice(data, *vectors, *(list(masks[name]) for name in MASKS))


def slice_8(data, start, stop, step, axes=None):
    vectors = (start, stop, step) if axes is None else (start, stop, step, axes)
    return opset8.slice(data, *map(constant, vectors))


NODES = {"strided_slice": strided_slice, "slice": slice_8}


def folded(node):
    model = openvino.Model([node.output(0)], [], "folded")
    passes = Manager()
    passes.register_pass(ConstantFolding())
    passes.run_passes(model)
    return np.array(model.get_results()[0].input_value(0).get_node().data)


def on_cpu(op, x, args):
    """Positions are sliced in place of the elements, for the plugin computes in 32 bits and flushes what is tiny."""
    data = opset15.parameter(x.shape, np.int32)
    model = openvino.Model([NODES[op](data, **args).output(0)], [data], "compiled")
    positions = core.compile_model(model, "CPU")([np.arange(x.size, dtype=np.int32).reshape(x.shape)])[0]
    return x.ravel()[positions]


def fold_breaks(x, args):
    """Folding expands no ellipsis that shares its entry, reverses an empty axis to one element, and reads no scalar."""
    shared = [e and (n or s) for e, n, s in zip(*(args.get(name, ()) for name in MASKS[:1:-1]), strict=False)]
    reverse = min(args.get("strides", args.get("step")), default=1) < 0
    return any(shared) or (x.size == 0 and reverse) or x.ndim == 0


def run_openvino(op, how, x, args):
    data = opset15.constant(np.array(x, order="C"))
    node = NODES[op](data, **args)
    shape = tuple(node.output(0).shape)
    result = on_cpu(op, x, args) if how == "cpu" else folded(node)
    assert result.shape == shape, (result.shape, shape)
    return result


def judge(tally, call):
    ours = ask(getattr(ssop.openvino, call.op), call.arrays, call.args, ssop.SliceError)
    if tally.too_dangerous(call):
        return
    theirs = ask(run_openvino, (call.op, call.how, *call.arrays, call.args), {}, REFUSALS)
    tally.judge(call, theirs, ours, wrong_reason(PHRASES, theirs, ours, WORDED))
    tally.counts["on the CPU"] += call.how == "cpu"


def random_stride(rng, dim):
    return rng.choice(EXTREMES) if rng.random() < 0.05 else near(rng, dim) or 1


def sensible(rng, shape):
    """A spec as one would write it: slices, indices, new axes and at most one ellipsis, mostly inside their axes."""
    kinds = ["axis"] * rng.randint(0, len(shape))
    for kind in rng.choice(((), ("ellipsis",))) + ("new",) * rng.choice((0, 0, 1, 2)):
        kinds.insert(rng.randint(0, len(kinds)), kind)
    before = kinds.index("ellipsis") if "ellipsis" in kinds else len(kinds)
    left, right = kinds[:before].count("axis"), kinds[before:].count("axis")
    dims = iter(shape[:left] + shape[len(shape) - right :])
    args = {name: [] for name in VECTORS} | {name: [0] * len(kinds) for name in MASKS}
    for i, kind in enumerate(kinds):
        dim = next(dims) if kind == "axis" else rng.randint(0, 6)
        entry = [bound(rng, dim), bound(rng, dim), random_stride(rng, dim)]
        marks = [mask for mask in MASKS[:2] if rng.random() < 0.3]
        if kind != "axis":
            marks.append({"new": "new_axis_mask", "ellipsis": "ellipsis_mask"}[kind])
            entry[2] = rng.randint(-2, 2)
        elif dim and rng.random() < 0.3:
            marks.append("shrink_axis_mask")
            entry = [rng.randint(-dim, dim - 1), entry[1], rng.randint(-1, 2)]
        for name, value in zip(VECTORS, entry, strict=True):
            args[name].append(value)
        for mask in marks:
            args[mask][i] = 1
    return args


def contradictory(rng, shape):
    """A sensible spec with one thing changed: a mask, a stride, a bound, a length."""
    args = sensible(rng, shape)
    mask = rng.choice(MASKS)
    change = rng.randrange(5)
    if change == 0:
        return broken(rng, args, VECTORS)
    if change == 1:
        return broken(rng, args, [mask])
    if change == 2 and args["strides"]:
        args["strides"][rng.randrange(len(args["strides"]))] = 0
    elif change == 3:
        return args | {name: [*args[name], rng.randint(0, 1)] for name in MASKS}
    elif args[mask]:
        args[mask][rng.randrange(len(args[mask]))] ^= 1
    return args


def arbitrary(rng, shape):
    """Anything the op's signature lets through; entries beyond the rank are common."""
    length = rng.randint(0, len(shape) + 1)
    dims = (list(shape) + [3] * length)[:length]
    args = {name: [bound(rng, d) for d in dims] for name in VECTORS[:2]}
    args["strides"] = [random_stride(rng, d) for d in dims]
    for mask in MASKS:
        args[mask] = [int(rng.random() < 0.25) for _ in range(length)] if mask in MASKS[:1] or rng.random() < 0.7 else []
    if sum(args["ellipsis_mask"]) > 1 and rng.random() < 0.8:
        args["ellipsis_mask"] = [int(i == 0) for i in range(length)]
    return args


def random_slice(rng, shape):
    """Distinct axes, all lists equally long; one call in three with something changed."""
    axes = rng.sample(range(len(shape)), rng.randint(0, len(shape)))
    named = rng.random() < 0.7
    dims = [shape[a] for a in axes] if named else shape[: len(axes)]
    args = {"start": [bound(rng, d) for d in dims], "stop": [bound(rng, d) for d in dims]}
    args["step"] = [random_stride(rng, d) for d in dims]
    if named:
        args["axes"] = [a - len(shape) if rng.random() < 0.5 else a for a in axes]
    change = rng.randrange(12)
    if change == 0:
        return broken(rng, args, list(args))
    if change == 1:
        return {name: [*values, 1] for name, values in args.items()}
    if change == 2 and args["step"]:
        args["step"][rng.randrange(len(axes))] = 0
    if change == 3 and args.get("axes"):
        args["axes"][-1] = rng.choice((args["axes"][0], near(rng, len(shape))))
    return args


def random_call(rng):
    x = random_array(rng, random_shape(rng), rng.choice(DTYPES))
    if rng.random() < 0.3:
        op, args = "slice", random_slice(rng, x.shape)
    else:
        op, args = "strided_slice", rng.choices((sensible, contradictory, arbitrary), (50, 30, 20))[0](rng, x.shape)
        args["strict"] = True
    how = "cpu" if fold_breaks(x, args) or rng.random() < CPU_SHARE else "folded"
    return Call(op, (x,), args, how)


def probes():
    """One call or more for each known divergence, and for each kind of call that is not sent."""
    yield from ()


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = Tally("openvino")
    for _ in range(CALLS):
        judge(result, random_call(rng))
    for call in probes():
        judge(result, call)
    report(f"openvino {openvino.__version__}, numpy {np.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.compared >= CALLS
    assert tally.counts["accepted"] >= ACCEPTED and tally.counts["with elements"] >= FILLED
    assert tally.counts["refused"] >= REFUSED
    assert tally.counts["on the CPU"] >= CPU_FLOOR


def test_every_rule_is_broken(tally):
    labels = {label for labels in PHRASES.values() for label in labels}
    assert {label: tally.refused[label] for label in labels if tally.refused[label] < PER_LABEL} == {}
