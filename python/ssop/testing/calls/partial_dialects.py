"""Random calls of shape inference: TensorFlow's slices and its rules for shapes, OpenVINO's and ONNX's slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from ssop.testing.calls.axes_lists import LISTS
from ssop.testing.calls.partial import RULES, Known, ShapeCall, hide, hide_dims, random_bound, random_dims, widen
from ssop.testing.calls.specs import MASKS

ADDED: tuple[Known, ...] = (None, 0, 1, 4)
Draws = dict[str, tuple[float, Callable[[Random], ShapeCall]]]

# TensorFlow


def tf_strided_slice(rng: Random) -> ShapeCall:
    """For `tf.strided_slice`: known, unknown and partly known vectors."""
    dims = random_dims(rng)
    count = max(0, len(dims) + rng.choice((0, 0, 0, -1, -1, 1, -2)))
    entries = (dims + [3] * count)[:count]
    args: dict[str, Any] = {
        "begin": hide(rng, [random_bound(rng, dim) for dim in entries]),
        "end": hide(rng, [random_bound(rng, dim) for dim in entries]),
        "strides": hide(rng, [rng.choice((1, 1, 1, 2, -1, -2, rng.randint(-3, 3))) for _ in entries], 0.1),
        **{mask: rng.randrange(1 << count) if rng.random() < 0.4 else 0 for mask in MASKS},
    }
    if rng.random() < 0.8:
        args["ellipsis_mask"] = rng.choice((0, 1 << rng.randint(0, count)))
    if rng.random() < 0.03:
        args["end"] = args["end"][:-1]
    return ShapeCall("tf.strided_slice", hide_dims(rng, dims), args)


def tf_slice(rng: Random) -> ShapeCall:
    """For `tf.slice`."""
    dims = random_dims(rng)
    shape = hide_dims(rng, dims)
    entries = dims if rng.random() < 0.95 else [*dims, 3]
    begin = [random_bound(rng, 0) if rng.random() < 0.05 else rng.randint(0, dim) for dim in entries]
    size = [
        rng.choice((-1, rng.randint(0, max(dim - start, 0)), rng.randint(-1, dim + 1), rng.randint(-2, 9)))
        for dim, start in zip(entries, begin, strict=True)
    ]
    return ShapeCall("tf.slice", shape, {"begin": hide(rng, begin), "size": hide(rng, size)})


def rule(rng: Random, name: str) -> ShapeCall:
    """For `shape.<name>`."""
    op = f"shape.{name}"
    if name == "from_tensor":
        values = [rng.choice((-1, 0, 1, 5, -2 if rng.random() < 0.1 else 2)) for _ in range(rng.randint(0, 5))]
        return ShapeCall(op, None, {"values": hide(rng, values)})
    dims = random_dims(rng)
    shape = hide_dims(rng, dims)
    if name.startswith("with_rank"):
        return ShapeCall(op, shape, {"rank": rng.randint(0, 4)})
    if name == "add":
        one, two = ([rng.choice(ADDED)] for _ in "ab")
        return ShapeCall(op, one, {"other": two})
    if name == "subshape":
        shape = [None, *(shape or ())]  # else the slice is folded, and is no shape inference
        start, end = rng.randint(-len(shape) - 2, len(shape) + 2), rng.randint(-len(shape) - 2, len(shape) + 2)
        stride = rng.choice((1, 1, 2, -1, -2))
        if not range(len(shape))[slice(start, end, stride)]:  # TensorFlow infers no value of an empty tensor
            return ShapeCall(op, shape, {"start": 0, "end": None, "stride": rng.choice((1, 2, 3))})
        return ShapeCall(op, shape, {"start": start, "end": end, "stride": stride})
    other = list(dims) if rng.random() < 0.8 else random_dims(rng)
    if other and rng.random() < 0.2:
        other[rng.randrange(len(other))] += 1
    hidden = hide_dims(rng, other)
    if name == "concatenate_values" and (shape is None or hidden is None):
        shape, hidden = shape or [], hidden or []
    return ShapeCall(op, shape, {"other": hidden})


_RULES: Draws = {f"shape.{name}": (1, partial(rule, name=name)) for name in RULES if name != "from_tensor"}
TF_DRAWS: Draws = {
    "tf.strided_slice": (15, tf_strided_slice),
    "tf.slice": (7.5, tf_slice),
    "shape.from_tensor": (2.5, partial(rule, name="from_tensor")),
    **_RULES,
}


# OpenVINO


def partial_shape(rng: Random, dims: Sequence[int]) -> list[Any] | None:
    """A shape with intervals; one in thirty of unknown rank."""
    if rng.random() < 0.03:
        return None
    kinds = [rng.random() for _ in dims]
    return [
        dim if kind < 0.5 else None if kind < 0.6 else widen(rng, dim, unbounded=kind < 0.7)
        for dim, kind in zip(dims, kinds, strict=True)
    ]


def partial_vector(rng: Random, values: list[int]) -> list[Any]:
    """Unknown as a whole, or elements of which some are intervals."""
    if values and rng.random() < 0.06:
        return [None] * len(values)
    if rng.random() < 0.8:
        return list(values)
    return [(v, v + rng.randint(1, 3)) if abs(v) < 100 and rng.random() < 0.5 else v for v in values]


def steps(rng: Random, count: int) -> list[Any]:
    """Known steps, 0 among them."""
    return [rng.choice((1, 1, 1, -1, 2, -2, 3, 0 if rng.random() < 0.05 else 1)) for _ in range(count)]


def openvino_strided_slice(rng: Random) -> ShapeCall:
    """For `openvino.strided_slice`."""
    dims = random_dims(rng)
    count = max(0, len(dims) + rng.choice((0, 0, 0, -1, 1)))
    entries = (dims + [3] * count)[:count]
    args: dict[str, Any] = {
        "begin": partial_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "end": partial_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "strides": steps(rng, count),
        **{mask: [0] * count for mask in MASKS},
    }
    for mask in MASKS[:2]:
        args[mask] = [int(rng.random() < 0.2) for _ in entries]
    for i in range(count):
        if rng.random() < 0.25:
            args[rng.choice(MASKS[2:])][i] = 1
    return ShapeCall("openvino.strided_slice", partial_shape(rng, dims), args, "tight")


def openvino_slice(rng: Random) -> ShapeCall:
    """For `openvino.slice`."""
    dims = random_dims(rng) or [3]
    axes = rng.sample(range(len(dims)), rng.randint(1, len(dims)))
    if rng.random() < 0.05:
        axes[0] = rng.choice((len(dims), -len(dims) - 1, axes[-1]))
    entries = [dims[axis] if -len(dims) <= axis < len(dims) else 3 for axis in axes]
    args = {
        "start": partial_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "stop": partial_vector(rng, [random_bound(rng, dim) for dim in entries]),
        "step": steps(rng, len(axes)),
        "axes": axes,
    }
    shape = partial_shape(rng, dims)
    if shape and rng.random() < 0.03:
        shape = rng.choice(([], shape[1:]))
    return ShapeCall("openvino.slice", shape, args, "tight")


OPENVINO_DRAWS: Draws = {
    "openvino.strided_slice": (1, openvino_strided_slice),
    "openvino.slice": (1, openvino_slice),
}


# ONNX


def onnx_slice(rng: Random) -> ShapeCall:
    """For `onnx.slice`: a list is known or not, as a whole."""
    dims = random_dims(rng)
    count = rng.randint(0, len(dims))
    axes = rng.choice((None, rng.sample(range(-len(dims), len(dims)), count)))
    if axes is not None and axes and rng.random() < 0.1:
        axes[0] = rng.choice((len(dims), -len(dims) - 1, axes[-1]))
    entries = [dims[axis % len(dims)] for axis in (axes if axes is not None else range(count))]
    choices = (1, 1, -1, 2, -2, 0 if rng.random() < 0.2 else 1)
    args: dict[str, Any] = {
        "starts": [random_bound(rng, dim) for dim in entries],
        "ends": [random_bound(rng, dim) for dim in entries],
        "axes": axes,
        "steps": rng.choice((None, [rng.choice(choices) for _ in entries])),
    }
    hidden, cut = rng.choice([name for name in LISTS if name != "axes"]), rng.choice(LISTS)
    if args[hidden] and rng.random() < 0.1:
        args[hidden] = [None] * len(args[hidden])
    elif args[cut] and rng.random() < 0.06:
        args[cut] = args[cut][:-1]
    return ShapeCall("onnx.slice", hide_dims(rng, dims), args)


ONNX_DRAWS: Draws = {"onnx.slice": (1, onnx_slice)}
