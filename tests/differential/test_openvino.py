"""OpenVINO's StridedSlice-1 and Slice-8 against ssop.openvino: results, shapes, refusals and the reasons given.

The shape is that of shape inference. The elements are those of constant folding, or of the CPU plugin for some, both of
the spec as shape inference reads it: where an entry is an ellipsis and more, folding aborts or gives memory that was
never written, and the plugin dies. OpenVINO runs in a process of its own, lest it take the tests along.
"""

import itertools
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
from differential.subprocess_calls import ProcessDied, SubprocessCall

CALLS = 10_000
FLOORS = {"accepted": 6000, "with elements": 3000, "refused": 1500, "on the CPU": 300}
PER_LABEL, CPU_SHARE = 10, 0.03
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
LISTS = ("start", "stop", "step", "axes")
DTYPES = tuple(map(np.dtype, ("f4", "i1", "i8", "f8", "?", "u2", "i4")))
REFUSALS = (RuntimeError, ProcessDied)

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
    r"num_real_axes=": ("ov_c6",),
    r"slice_plan\.cpp": ("ov_c8",),
    r"Slice `data` input can't be a scalar\.": ("ovs_c1",),
    r"Slice `start`, `stop`, `step` inputs must have compatible shapes\.": ("ovs_c2",),
    r"Slice `axes` input must have compatible shape with `start`, `stop`, `step` inputs\.": ("ovs_c3",),
    r"Slice `(start|stop|step|axes)` input dim size can't be bigger than `data` rank\.": ("ovs_c4",),
    r"Axis -?\d+ out of the tensor rank range \[-?\d+, -?\d+\]\.": ("ovs_c5",),
    r"Slice values in `axes` input must be unique\.": ("ovs_c6",),
    r"Step must be non-zero": ("ovs_c7",),
}
UNWORDED = (r"Accessing out-of-range dimension", r"num_real_axes=", "ov_c8")  # ov_c8 is a check without a message
core = openvino.Core()


def constant(vector):
    return opset15.constant(np.array(vector, np.int64))


def strided_slice(data, begin, end, strides, strict, **masks):
    """If not strict, of masks of one length, and without the bits past the spec."""
    vectors = map(constant, (begin, end, strides))
    if not strict:
        length = max(len(begin), *map(len, masks.values()))
        for name, mask in masks.items():
            masks[name] = [bit if i < len(begin) or bit != 1 else 0 for i, bit in enumerate(mask)]
            masks[name] += [0] * (length - len(mask))
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


def unshared(new_axis_mask=(), shrink_axis_mask=(), ellipsis_mask=(), **args):
    """The same spec, as shape inference reads it: what shares its entry with the ellipsis does not count."""
    masks = {"new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}
    for name, mask in masks.items():
        masks[name] = [int(bit and not e) for bit, e in itertools.zip_longest(mask, ellipsis_mask, fillvalue=0)]
    return args | masks | {"ellipsis_mask": ellipsis_mask}


def run_openvino(op, how, x, args):
    data = opset15.constant(np.array(x, order="C"))
    shape = tuple(NODES[op](data, **args).output(0).shape)
    if how == "shape":
        return x.reshape(shape)
    args = unshared(**args) if op == "strided_slice" else args
    result = on_cpu(op, x, args) if how == "cpu" else folded(NODES[op](data, **args))
    if result.shape != shape:
        raise RuntimeError(f"shape inference: {shape}, {how}: {result.shape}")
    return result


engine = SubprocessCall(run_openvino)


def judge(tally, call):
    ours = ask(getattr(ssop.openvino, call.op), call.arrays, call.args, ssop.SliceError)
    if tally.too_dangerous(call):
        return
    theirs = ask(engine, (call.op, call.how, *call.arrays, call.args), {}, REFUSALS)
    tally.judge(call, theirs, ours, wrong_reason(PHRASES, theirs, ours, UNWORDED))
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
        args[mask] = (
            [int(rng.random() < 0.25) for _ in range(length)] if mask in MASKS[:1] or rng.random() < 0.7 else []
        )
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


def best_way(rng, x, args):
    """Folding reads no scalar, and reverses an empty axis to one element."""
    if x.ndim == 0:
        return "shape"
    reverse = min(args.get("strides", args.get("step")), default=1) < 0
    return "cpu" if x.size == 0 and reverse or rng.random() < CPU_SHARE else "folded"


def random_call(rng):
    x = random_array(rng, random_shape(rng), rng.choice(DTYPES))
    if rng.random() < 0.3:
        op, args = "slice", random_slice(rng, x.shape)
    else:
        op, args = "strided_slice", rng.choices((sensible, contradictory, arbitrary), (50, 30, 20))[0](rng, x.shape)
        args["strict"] = rng.random() < 0.7
    return Call(op, (x,), args, best_way(rng, x, args))


def probes():
    """One call or more for each known divergence, and for each kind of call that is not sent."""

    def spec(shape, begin, end, strides, **masks):
        masks = {name: masks.get(name, [0] * len(begin)) for name in MASKS}
        args = {"begin": begin, "end": end, "strides": strides, "strict": True, **masks}
        return Call("strided_slice", (np.arange(np.prod(shape)).reshape(shape),), args, "cpu")

    yield spec((4,), [2], [3], [1], begin_mask=[1], shrink_axis_mask=[1])
    yield spec((4, 4), [7, 0], [0, 4], [1, 0], shrink_axis_mask=[1, 0])
    yield spec((2, 3, 4), [1, 0], [0, 0], [1, 1], shrink_axis_mask=[1, 0], new_axis_mask=[0, 1])
    yield spec((4,), [0], [4], [2**32])
    args = {"start": [0, 0], "stop": [1], "step": [1]}
    yield Call("slice", (np.arange(4),), args, "folded")


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = Tally("openvino")
    while result.compared < CALLS:
        judge(result, random_call(rng))
    for call in probes():
        judge(result, call)
    engine.close()
    report(f"openvino {openvino.__version__}, numpy {np.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.compared >= CALLS and tally.below(FLOORS) == {}


def test_every_rule_is_broken(tally):
    assert tally.rarely_broken(PHRASES, PER_LABEL) == {}
