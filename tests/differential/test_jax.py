"""JAX's lax.slice, dynamic_slice and dynamic_update_slice, eager and compiled, against ssop's."""

import functools
import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jaxlib.mlir.ir import MLIRError

import ssop
from differential.calls import DTYPES, EXTREMES, SEED, Call, Tally, ask, bound, broken, random_array, random_shape, same

jax.config.update("jax_enable_x64", True)

CALLS = 3000
PER_OP = {"accepted": 400, "refused": 100}
LABELS = {"sl": range(1, 8), "ds": (1, 2, 3, 4, 7), "dus": range(1, 5)}  # all that XLA itself refuses
REFUSALS = (TypeError, ValueError, OverflowError, MLIRError, ZeroDivisionError)  # the last for a stride of 0
STARTS = tuple(np.dtype(kind + size) for kind in "iu" for size in "1248")


@functools.cache
def compiled(op, sizes, negative):
    """One jitted function per static part; the starts are its arguments."""
    if op == "dynamic_slice":
        return jax.jit(lambda x, starts: lax.dynamic_slice(x, starts, sizes, allow_negative_indices=negative))
    return jax.jit(lambda x, u, starts: lax.dynamic_update_slice(x, u, starts, allow_negative_indices=negative))


def run_slice(how, x, start_indices, limit_indices, strides):
    def run(a):
        return lax.slice(a, start_indices, limit_indices, strides)

    return np.asarray((jax.jit(run) if how == "jit" else run)(jnp.asarray(x)))


def run_dynamic(op, how, arrays, start_indices, slice_sizes=(), allow_negative_indices=True):
    arrays = [jnp.asarray(a) for a in arrays]
    more = (slice_sizes,) if op == "dynamic_slice" else ()

    def run(*arrays):
        return getattr(lax, op)(*arrays, start_indices, *more, allow_negative_indices=allow_negative_indices)

    if how == "jit constant":
        return np.asarray(jax.jit(run)(*arrays))
    if how == "jit":
        negative = allow_negative_indices if isinstance(allow_negative_indices, bool) else tuple(allow_negative_indices)
        return np.asarray(compiled(op, slice_sizes, negative)(*arrays, start_indices))
    if how == "on device":
        start_indices = jnp.asarray(start_indices)
    return np.asarray(run(*arrays))


def run_jax(call):
    if call.op == "slice":
        return run_slice(call.how, *call.arrays, **call.args)
    return run_dynamic(call.op, call.how, call.arrays, **call.args)


def expected(call):
    """NumPy's answer to a call that is legal but must not be sent."""
    if call.op == "slice":
        return call.arrays[0][tuple(map(slice, *call.args.values()))]
    result, update = np.array(call.arrays[0]), call.arrays[1]
    starts = [
        min(max(int(s), 0), d - n)
        for s, d, n in zip(call.args["start_indices"], result.shape, update.shape, strict=True)
    ]
    result[tuple(slice(s, s + n) for s, n in zip(starts, update.shape, strict=True))] = update
    return result


def judge(tally, call):
    ours = ask(getattr(ssop, call.op), call.arrays, call.args, ssop.SliceError)
    if tally.too_dangerous(call):
        if ours.error is not None or not same(ours.array, expected(call)):
            tally.unexplained.append(f"{call}\n  not sent to JAX\n  ssop: {ours}\n  NumPy: {expected(call)}")
        return
    tally.judge(call, ask(run_jax, (call,), {}, REFUSALS), ours)


def sorted_pair(rng, dim):
    return sorted((rng.randint(0, dim), rng.randint(0, dim)))


def random_slice(rng, x):
    dims = x.shape if rng.random() < 0.95 else rng.choice((x.shape[1:], (*x.shape, 3)))
    pairs = [sorted_pair(rng, d) for d in dims]
    args = {"start_indices": [a for a, _ in pairs], "limit_indices": [b for _, b in pairs], "strides": None}
    names = ["start_indices", "limit_indices"]
    if rng.random() < 0.7:
        args["strides"] = [rng.randint(1, d + 1) if rng.random() < 0.9 else rng.choice(EXTREMES[6:]) for d in dims]
        names.append("strides")
    if rng.random() < 0.4:
        args = broken(rng, args, names)
    return Call("slice", (x,), args, rng.choice(("eager", "jit")))


def random_starts(rng, shape):
    """Starts in a form and a type of JAX's, near the axes and at the type's ends, and the way to run them."""
    how = rng.choices(("eager", "on device", "jit", "jit constant"), (40, 35, 20, 5))[0]
    if how == "eager" and rng.random() < 0.7:
        return how, [bound(rng, d) for d in shape]
    info = np.iinfo(rng.choice(STARTS))
    ends = (info.min, info.min + 1, info.max // 2, info.max // 2 + 1, info.max - 1, info.max)
    starts = [rng.choice(ends) if rng.random() < 0.2 else max(rng.randint(-d - 2, d + 2), int(info.min)) for d in shape]
    return how, np.array(starts, info.dtype)


def random_flag(rng, rank):
    return rng.choice((True, True, False, [rng.random() < 0.5 for _ in range(rank)]))


def random_dynamic(rng, x):
    """A window that fits, or does so but for one number, or for the number of starts."""
    op = rng.choice(("dynamic_slice", "dynamic_update_slice"))
    sizes = tuple(rng.randint(0, d) if rng.random() < 0.3 else (d + 1) // 2 for d in x.shape)
    if rng.random() < 0.15:
        sizes = broken(rng, {"sizes": sizes}, ["sizes"])["sizes"]
        sizes = tuple(min(n, 7) for n in sizes) if op == "dynamic_slice" else tuple(n % 8 for n in sizes)
    if rng.random() < 0.03:
        sizes = tuple(d + 1 for d in x.shape)
    shape = x.shape if rng.random() < 0.95 else rng.choice((x.shape[1:], (*x.shape, 3)))
    how, starts = random_starts(rng, shape)
    flag = how == "eager" and rng.random() < 0.8 or random_flag(rng, x.ndim + (rng.random() < 0.05))
    args = {"start_indices": starts, "allow_negative_indices": flag}
    if op == "dynamic_slice":
        return Call(op, (x,), args | {"slice_sizes": sizes}, how)
    dtype = x.dtype if rng.random() < 0.95 else rng.choice(DTYPES)
    return Call(op, (x, random_array(rng, sizes, dtype)), args, how)


def random_call(rng):
    x = random_array(rng, random_shape(rng, (0, 1, 1, 2, 2, 3, 3, 4, 5)), rng.choice(DTYPES))
    return random_slice(rng, x) if rng.random() < 0.3 else random_dynamic(rng, x)


def probes():
    """One call or more for each known divergence, and for each kind of call that is not sent."""

    def dynamic(dim, starts, how, negative=True):
        args = {"start_indices": starts, "slice_sizes": (1,) * len(starts), "allow_negative_indices": negative}
        return Call("dynamic_slice", (np.arange(dim ** len(starts)).reshape((dim,) * len(starts)),), args, how)

    ten = (np.arange(10),)
    yield Call("slice", ten, {"start_indices": [9], "limit_indices": [12], "strides": None})
    yield Call("slice", ten, {"start_indices": [0], "limit_indices": [5], "strides": [EXTREMES[-2]]})
    yield dynamic(10, [-1], "eager", negative=False)
    yield dynamic(3, [np.int32(1), np.int64(2)], "eager")
    yield dynamic(300, np.array([200], np.uint8), "jit constant")
    yield dynamic(300, np.array([200], np.uint8), "jit")
    yield dynamic(10, np.array([2**63], np.uint64), "jit constant")
    yield dynamic(10, np.array([2**63], np.uint64), "jit")
    yield dynamic(200, np.array([-1], np.int8), "on device")
    yield dynamic(200, np.array([-1], np.int8), "eager")
    yield dynamic(10, [2**63], "eager")
    quiet = np.array([0x7FC1, 0xFFC2], np.uint16).view(DTYPES[7])
    yield Call("dynamic_update_slice", (quiet, quiet[:1]), {"start_indices": [0], "allow_negative_indices": True})
    for dtype, dim, start in ((np.uint8, 300, 200), (np.int8, 130, 127)):
        starts = {"start_indices": np.array([start], dtype), "allow_negative_indices": False}
        yield Call("dynamic_update_slice", (np.arange(dim), np.array([-1])), starts, "on device")


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = Tally("jax")
    while result.compared < CALLS:
        judge(result, random_call(rng))
    for call in probes():
        judge(result, call)
    report(f"jax {jax.__version__}, numpy {np.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


@pytest.mark.parametrize("op", ["slice", "dynamic_slice", "dynamic_update_slice"])
def test_enough_was_compared(tally, op):
    for outcome, floor in PER_OP.items():
        assert tally.counts[op, outcome] >= floor, outcome


def test_every_rule_is_broken(tally):
    labels = [f"{op}_c{n}" for op, numbers in LABELS.items() for n in numbers]
    assert [label for label in labels if not tally.refused[label]] == []
