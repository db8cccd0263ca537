"""XLA's operations that move data, and JAX's one-axis forms, against ssop.xla: results, refusals and their reasons.

Where the parser of HLO text infers the shape, XLA itself gives shape and refusal. All else, and all results, come from
jax.lax: many calls are compiled at once, for compiling takes the time.
"""

import functools
import itertools
import math
import random

import jax
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from jax.errors import JaxRuntimeError
from jaxlib import _hlo
from jaxlib.mlir.ir import MLIRError

import ssop
from differential.calls import (
    DTYPES,
    EXTREMES,
    INT64,
    SEED,
    Answer,
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

jax.config.update("jax_enable_x64", True)

CALLS, BATCH, LARGEST = 3500, 40, 5000
ACCEPTED, REFUSED = 60, 12  # per operation
REFUSALS = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    ZeroDivisionError,
    AssertionError,
    MLIRError,
    JaxRuntimeError,
)
HLO_TYPES = {
    np.dtype(ours): name
    for ours, name in {
        "f4": "f32",
        "f2": "f16",
        "i1": "s8",
        "i8": "s64",
        "u2": "u16",
        "?": "pred",
        "c16": "c128",
        ml_dtypes.bfloat16: "bf16",
        ml_dtypes.float8_e5m2: "f8e5m2",
    }.items()
}

# XLA's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"The rank of the operand and the padding configuration do not match": ("pad_c2",),
    r"Pad operation does not support non-scalar padding values\.": ("pad_c1",),
    r"The element types of the operands to Pad do not match\.": ("pad_c3",),
    r"Padding result in negative size for dimension \d+": ("pad_c6",),
    r"Padding computation overflows": ("pad_c5",),
    r"a dimension number is duplicated in reverse": ("rev_c1",),
    r"One of the reverse dimensions \(-?\d+\) is out-of-bounds": ("rev_c2",),
    r"not a permutation of the operand dimensions": ("tr_c1", "tr_c2", "tr_c3"),
    r"Concatenate expects at least one argument\.": ("cat_c1",),
    r"Concatenate dimension out of bounds: -?\d+\.": ("cat_c2",),
    r"Cannot concatenate arrays with different ranks: \d+": ("cat_c3",),
    r"Cannot concatenate arrays with different element types": ("cat_c4",),
    r"Cannot concatenate arrays that differ in dimensions other than the one being concatenated": ("cat_c5",),
    r"Operands to select must be the same shape": ("sel_c1", "sel_c2"),
    r"Select's pred operand must have PRED element type": ("sel_c3",),
    r"Operands to select and predicate must be the same shape": ("sel_c4",),
    r"Clamp with incompatible element types": ("cl_c1",),
    r"Clamp with incompatible shapes": ("cl_c2",),
}


# XLA, by HLO text


def braces(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


def padding(padding_config):
    return "x".join("_".join(map(str, entry)) for entry in padding_config)


HLO = {
    "pad": lambda padding_config: f", padding={padding(padding_config)}",
    "rev": lambda dimensions: f", dimensions={braces(dimensions)}",
    "concatenate": lambda dimension: f", dimensions={braces([dimension])}",
    "transpose": lambda permutation: f", dimensions={braces(permutation)}",
    "select": lambda: "",
    "clamp": lambda: "",
}


def infer(text):
    """The shape of the result, by XLA's own shape inference."""
    module = _hlo.hlo_module_from_text(text)
    computation = _hlo.XlaComputation(module.as_serialized_hlo_module_proto())
    return tuple(computation.program_shape().result_shape().dimensions())


xla = SubprocessCall(infer)


def hlo_text(call):
    """None for what has no text, or none with a shape left to be inferred."""
    if call.op not in HLO:
        return None
    if call.op == "pad":
        config = call.args["padding_config"]
        if not config or min(interior for _, _, interior in config) < 0:
            return None
    names = [f"p{i}" for i in range(len(call.arrays))]
    lines = [
        f"{name} = {HLO_TYPES[array.dtype]}[{','.join(map(str, array.shape))}] parameter({i})"
        for i, (name, array) in enumerate(zip(names, call.arrays, strict=True))
    ]
    opcode = {"rev": "reverse"}.get(call.op, call.op)
    lines.append(f"ROOT r = {opcode}({', '.join(names)}){HLO[call.op](**call.args)}")
    return "HloModule m\nENTRY e {\n" + "\n".join(lines) + "\n}"


# JAX


def lax_function(op):
    if op == "concatenate":
        return lambda *operands, dimension: lax.concatenate(operands, dimension)
    if op == "collapse":
        return lambda x, dimensions: lax.collapse(x, dimensions[0], dimensions[-1] + 1)
    return getattr(lax, op)


def traced(call):
    """The arguments that the compiled function takes: arrays, and starts that are known at run time only."""
    return [*call.arrays, *(np.int64(call.args[name]) for name in INDICES.get(call.op, ()))]


def run_traced(call, *arguments):
    names = INDICES.get(call.op, ())
    arrays, indices = arguments[: len(call.arrays)], dict(zip(names, arguments[len(call.arrays) :], strict=True))
    return lax_function(call.op)(*arrays, **call.args | indices)


INDICES = {
    "dynamic_slice_in_dim": ("start_index",),
    "dynamic_index_in_dim": ("index",),
    "dynamic_update_slice_in_dim": ("start_index",),
    "dynamic_update_index_in_dim": ("index",),
}
ONE_AXIS = ("slice_in_dim", "index_in_dim", *INDICES)


def run_many(calls):
    """The results of calls whose shapes JAX accepts, compiled as one program."""
    arguments = [traced(call) for call in calls]

    def program(*groups):
        return [run_traced(call, *group) for call, group in zip(calls, groups, strict=True)]

    return list(map(np.asarray, jax.jit(program)(*arguments)))


def run_ssop(call):
    if call.op == "concatenate":
        return ssop.xla.concatenate(call.arrays, **call.args)
    more = {"allow_negative_indices": True} if call.op in ONE_AXIS else {}
    return getattr(ssop.xla, call.op)(*call.arrays, **call.args, **more)


def ask_shape(call):
    """Of the result, from XLA or, where XLA does not say, from JAX; or the refusal, and whether it is XLA's own."""
    text = hlo_text(call)
    if text is not None:
        answer = ask(xla, (text,), {}, (RuntimeError, ProcessDied))
        if answer.error is not None:
            return answer, True
    answer = ask(jax.eval_shape, (functools.partial(run_traced, call), *traced(call)), {}, REFUSALS)
    assert text is None or answer.error is not None or answer.array.shape == xla(text), call
    return answer, False


class Comparison:
    """Judges refusals at once, and results in batches."""

    def __init__(self):
        self.tally = Tally("jax ops")
        self.waiting = []

    def take(self, call):
        if self.tally.too_dangerous(call):
            ours = ask(run_ssop, (call,), {}, ssop.SliceError)
            if ours.error is None:
                self.tally.unexplained.append(f"{call}\n  not sent to XLA\n  ssop: {ours}")
            return
        shape, by_xla = ask_shape(call)
        # empty axes apart: XLA needs memory for the others even if there is nothing to compute
        if shape.error is None and math.prod(max(dim, 1) for dim in shape.array.shape) > LARGEST:
            self.tally.counts["too large"] += 1
            return
        ours = ask(run_ssop, (call,), {}, ssop.SliceError)
        if shape.error is None:
            self.waiting.append((call, ours))
            if len(self.waiting) == BATCH:
                self.flush()
            return
        self.tally.judge(call, shape, ours, wrong_reason(PHRASES, shape, ours) if by_xla else None)
        self.tally.counts["refused by XLA"] += by_xla and ours.error is not None

    def flush(self):
        """If the compiler refuses one of them, each runs by itself."""
        calls = [call for call, _ in self.waiting]
        try:
            answers = list(map(Answer, run_many(calls)))
        except REFUSALS:
            self.tally.counts["batches refused"] += 1
            answers = [ask(lambda *calls: run_many(calls)[0], (call,), {}, REFUSALS) for call in calls]
        for (call, ours), answer in zip(self.waiting, answers, strict=True):
            self.tally.judge(call, answer, ours)
        self.waiting = []


# Random calls


def any_dtype(rng, x):
    """That of x, mostly."""
    return x.dtype if rng.random() < 0.93 else rng.choice(DTYPES)


def random_pad(rng, x):
    shape = () if rng.random() < 0.95 else rng.choice(((1,), x.shape))
    value = random_array(rng, shape, any_dtype(rng, x))
    config = [(rng.randint(-2, 3), rng.randint(-2, 3), rng.choice((0, 0, 1, 2))) for _ in x.shape]
    fault = rng.randrange(10)
    if fault == 0 and config:
        entry = list(config[-1])
        entry[rng.randrange(3)] = rng.choice((-1, -3, -9, *EXTREMES[:6]))  # all negative
        config[-1] = tuple(entry)
    elif fault == 1:
        config = config[1:] or [(0, 0, 0)]
    return (x, value), {"padding_config": config}


def random_axes(rng, x):
    axes = rng.sample(range(x.ndim), rng.randint(0, x.ndim))
    if rng.random() < 0.25:
        return broken(rng, {"axes": axes}, ["axes"])["axes"]
    return axes + axes[: rng.random() < 0.1]


def random_rev(rng, x):
    return (x,), {"dimensions": random_axes(rng, x)}


def random_concatenate(rng, x):
    dimension = rng.randrange(x.ndim) if x.ndim and rng.random() < 0.9 else near(rng, x.ndim)
    operands = [x]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        shape = list(x.shape)
        if 0 <= dimension < x.ndim:
            shape[dimension] = rng.randint(0, 4)
        if shape and rng.random() < 0.06:
            shape[rng.randrange(len(shape))] += 1
        if rng.random() < 0.04:
            shape.append(2)
        operands.append(random_array(rng, shape, any_dtype(rng, x)))
    return operands if rng.random() < 0.97 else (), {"dimension": dimension}


def random_broadcast(rng, x):
    return (x,), {"sizes": [rng.randint(0, 3) if rng.random() < 0.92 else -1 for _ in range(rng.randint(0, 3))]}


def random_broadcast_in_dim(rng, x):
    rank = x.ndim + rng.choice((0, 1, 1, 2))
    dimensions = rng.sample(range(rank), x.ndim)
    dimensions = dimensions if rng.random() < 0.3 else sorted(dimensions)
    shape = [rng.randint(0, 3) for _ in range(rank)]
    x = x[tuple(slice(1) if rng.random() < 0.3 else slice(None) for _ in x.shape)]
    for dim, axis in zip(x.shape, dimensions, strict=True):
        shape[axis] = rng.randint(0, 3) if dim == 1 and rng.random() < 0.6 else dim
    args = {"shape": shape, "broadcast_dimensions": dimensions}
    if rng.random() < 0.3:
        args = broken(rng, args, list(args))
        args["shape"] = [min(dim, 9) for dim in args["shape"]]
    return (x,), args


def random_reshape(rng, x):
    sizes = list(x.shape)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(sizes))
        if len(sizes) - at >= 2 and rng.random() < 0.5:
            sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
        else:
            sizes.insert(at, 1)
    rng.shuffle(sizes)
    if rng.random() < 0.15:
        sizes = broken(rng, {"sizes": sizes}, ["sizes"])["sizes"]
    dimensions = None if rng.random() < 0.5 else random_permutation(rng, x)
    return (x,), {"new_sizes": sizes, "dimensions": dimensions}


def random_permutation(rng, x):
    permutation = rng.sample(range(x.ndim), x.ndim)
    if rng.random() < 0.2:
        return broken(rng, {"axes": permutation}, ["axes"])["axes"]
    return permutation


def random_transpose(rng, x):
    return (x,), {"permutation": random_permutation(rng, x)}


def random_collapse(rng, x):
    x = np.atleast_1d(x)  # JAX gives a scalar an axis
    start = rng.randrange(x.ndim)
    return (x,), {"dimensions": list(range(start, rng.randint(start, x.ndim - 1) + 1))}


def beside(rng, x, scalars=0.3):
    """An array that goes with x: mostly of its dtype and of its shape or none."""
    shape = () if rng.random() < scalars else x.shape
    if rng.random() < 0.06:
        shape = rng.choice((x.shape[1:], (*x.shape, 1)))
    return random_array(rng, shape, any_dtype(rng, x))


def random_select(rng, x):
    pred = random_array(rng, () if rng.random() < 0.3 else x.shape, np.dtype(bool if rng.random() < 0.95 else "i1"))
    if rng.random() < 0.06:
        pred = pred.reshape((*pred.shape, 1))
    return (pred, x, beside(rng, x, 0.03)), {}


def random_clamp(rng, x):
    return (beside(rng, x), x, beside(rng, x)), {}


def random_axis(rng, x):
    return near(rng, x.ndim) if rng.random() < 0.1 or not x.ndim else rng.randint(-x.ndim, x.ndim - 1)


def dim_of(x, axis):
    return x.shape[axis] if -x.ndim <= axis < x.ndim else 3


def random_slice_in_dim(rng, x):
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    start, limit = (None if rng.random() < 0.15 else n for n in sorted((rng.randint(0, dim), rng.randint(0, dim))))
    if rng.random() < 0.3:
        start, limit = (None if n is None else n - dim for n in (start, limit))
    args = {"start_index": start, "limit_index": limit, "stride": rng.choice((1, 1, 2, dim + 1)), "axis": axis}
    if rng.random() < 0.3:
        args[rng.choice(("start_index", "limit_index", "stride"))] = bound(rng, dim)
    return (x,), args


def random_index_in_dim(rng, x):
    axis = random_axis(rng, x)
    return (x,), {"index": bound(rng, dim_of(x, axis)), "axis": axis, "keepdims": rng.random() < 0.5}


def random_dynamic_slice_in_dim(rng, x):
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    size = rng.randint(0, dim) if rng.random() < 0.85 else rng.choice((-1, dim + 1))
    return (x,), {"start_index": bound(rng, dim), "slice_size": size, "axis": axis}


def random_update(rng, x, axis, size):
    shape = [dim if rng.random() < 0.7 else rng.randint(0, dim) for dim in x.shape]
    if -x.ndim <= axis < x.ndim:
        shape[axis] = size
    if rng.random() < 0.1:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 1]
    return shape


def random_dynamic_update_slice_in_dim(rng, x):
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    update = random_array(rng, random_update(rng, x, axis, rng.randint(0, dim)), any_dtype(rng, x))
    return (x, update), {"start_index": bound(rng, dim), "axis": axis}


def random_dynamic_update_index_in_dim(rng, x):
    axis = random_axis(rng, x)
    shape = random_update(rng, x, axis, 1)
    if rng.random() < 0.5 and -x.ndim <= axis < x.ndim == len(shape):
        del shape[axis]
    return (x, random_array(rng, shape, any_dtype(rng, x))), {"index": bound(rng, dim_of(x, axis)), "axis": axis}


RANDOM = {
    name.removeprefix("random_"): function
    for name, function in globals().items()
    if name.startswith("random_") and name.removeprefix("random_") in ssop.xla.__all__
}


def random_call(rng):
    x = random_array(rng, random_shape(rng, (0, 1, 1, 2, 2, 3, 3, 4)), rng.choice(DTYPES))
    op = rng.choice(tuple(RANDOM))
    arrays, args = RANDOM[op](rng, x)
    return Call(op, tuple(arrays), args, "jit")


def probes():
    """One call or more for each known divergence, and for each kind of call that is not sent."""
    quiet = np.array([0x7FC1, 0xFFC2], np.uint16).view(ml_dtypes.bfloat16)
    yield Call("concatenate", (quiet, quiet), {"dimension": 0}, "jit")
    yield Call("clamp", (np.array(1j), np.ones(2, complex), np.array(2j)), {}, "jit")
    yield Call("clamp", (np.float32(0), np.array([1e-40], "f4"), np.float32(1)), {}, "jit")
    f2, f4 = np.ones((2, 2), "f2"), np.ones((2, 3), "f4")
    yield Call("concatenate", (f2, f4), {"dimension": 0}, "jit")
    square = np.arange(4).reshape(2, 2)
    yield Call("broadcast_in_dim", (square,), {"shape": [2, 2], "broadcast_dimensions": [1, 0]}, "jit")
    yield Call("broadcast_in_dim", (square[:1, 0],), {"shape": [3], "broadcast_dimensions": []}, "jit")
    for entry in ((INT64.max, INT64.max, 0), (INT64.max, 0, 0), (0, 0, INT64.max)):
        yield Call("pad", (square[0], square[0, 0]), {"padding_config": [entry]}, "jit")


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    comparison = Comparison()
    calls = itertools.chain((random_call(rng) for _ in range(CALLS)), probes())
    for call in calls:
        comparison.take(call)
    comparison.flush()
    xla.close()
    by_xla = comparison.tally.counts["refused by XLA"]
    report(f"jax.lax {jax.__version__} ({by_xla} refusals by XLA itself), ssop {ssop.__version__}, {comparison.tally}")
    return comparison.tally


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


@pytest.mark.parametrize("op", RANDOM)
def test_enough_was_compared(tally, op):
    assert tally.counts[op, "accepted"] >= ACCEPTED
    assert tally.counts[op, "refused"] >= REFUSED or op == "collapse"  # JAX has no list of axes to refuse


def test_every_rule_is_broken(tally):
    assert tally.counts["refused by XLA"] >= 150
    assert tally.rarely_broken(PHRASES, 1).keys() <= {"tr_c3", "pad_c5"}
