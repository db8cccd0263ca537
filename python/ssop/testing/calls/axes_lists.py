"""Random calls of the slices that name their axes: ONNX's Slice and OpenVINO's Slice-8."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ssop.testing.calls.call import Array, Call
from ssop.testing.calls.numbers import (
    EXTREMES,
    RANKS,
    Shape,
    bound,
    broken,
    dtypes_of,
    near,
    random_array,
    random_shape,
)
from ssop.testing.calls.specs import OPENVINO, OPENVINO_DTYPES, bounds_of, openvino_way, typed

LISTS = ("starts", "ends", "axes", "steps")
ONNX_DTYPES = "f4 i1 i8 f8 ? f2 u2 O"
Args = dict[str, Any]


def random_step(rng: Random, dim: int) -> int:
    """A step that is not 0, up to two past the dim, or extreme."""
    return rng.choice(EXTREMES) if rng.random() < 0.05 else near(rng, dim) or 1


def named_axes(rng: Random, shape: Shape) -> Args:
    """Distinct axes and lists of one length; most take something. Axes and steps may be left out."""
    axes = rng.sample(range(len(shape)), rng.randint(0, len(shape)))
    named = rng.random() < 0.75
    dims = [shape[a] for a in axes] if named else shape[: len(axes)]
    steps = [random_step(rng, d) if rng.random() < 0.6 else 1 for d in dims]
    pairs = [bounds_of(rng, d, step, OPENVINO) for d, step in zip(dims, steps, strict=True)]
    return {
        "starts": [begin for begin, _ in pairs],
        "ends": [end for _, end in pairs],
        "axes": [a - len(shape) if rng.random() < 0.5 else a for a in axes] if named else None,
        "steps": steps if named or rng.random() < 0.7 else None,
    }


def contradictory(rng: Random, shape: Shape) -> Args:
    """The same with one thing changed: an axis, a step, a bound, a length."""
    args = named_axes(rng, shape)
    change = rng.randrange(3)
    if change == 0:
        return broken(rng, args, [name for name in LISTS if args[name] is not None])
    if change == 1 and args["axes"]:
        args["axes"][-1] = rng.choice((args["axes"][0], near(rng, len(shape))))
    elif args["steps"]:
        args["steps"][rng.randrange(len(args["steps"]))] = 0
    return args


def arbitrary(rng: Random, shape: Shape) -> Args:
    """Lists of lengths of their own, the optional ones there or not."""
    length = rng.randint(0, len(shape) + 1)
    args: Args = {}
    for name in LISTS:
        n = length if rng.random() < 0.9 else rng.randint(0, 4)
        args[name] = [near(rng, len(shape)) if name == "axes" else bound(rng, 4) for _ in range(n)]
        if name in LISTS[2:] and rng.random() < 0.4:
            args[name] = None
    return args


def onnx_slice(rng: Random, engine: str) -> Call:
    """For `onnx.slice`; object arrays hold strings."""
    shape, dtype = random_shape(rng, RANKS if rng.random() < 0.3 else RANKS[1:]), rng.choice(dtypes_of(ONNX_DTYPES))
    x: Array = random_array(rng, shape, np.dtype("i2") if dtype.hasobject else dtype)
    if dtype.hasobject:
        x = x.astype("U").astype(object)
    args = rng.choices((named_axes, contradictory, arbitrary), (78, 12, 10))[0](rng, x.shape)
    args = typed(rng, args, LISTS, (np.int32,)) if rng.random() < 0.5 else args
    return Call("onnx.slice", (x,), {**args, "engine": engine}, "run time")


def openvino_slice(rng: Random) -> Call:
    """For `openvino.slice`: one call in three with something changed."""
    x = random_array(rng, random_shape(rng), rng.choice(dtypes_of(OPENVINO_DTYPES)))
    drawn = named_axes(rng, x.shape)
    args = {"start": drawn["starts"], "stop": drawn["ends"], "step": drawn["steps"] or [1] * len(drawn["starts"])}
    if drawn["axes"] is not None:
        args["axes"] = drawn["axes"]
    change = rng.randrange(16)
    if change == 0:
        args = broken(rng, args, list(args))
    elif change == 1:
        args = {name: [*values, 1] for name, values in args.items()}
    elif change == 2 and args["step"]:
        args["step"][rng.randrange(len(args["step"]))] = 0
    elif change == 3 and args.get("axes"):
        args["axes"][-1] = rng.choice((args["axes"][0], near(rng, x.ndim)))
    return Call("openvino.slice", (x,), args, openvino_way(rng, x, args["step"]))
