"""Random calls of XLA's operations that move data, and of JAX's one-axis forms of the slices."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from ssop.testing.calls.call import Array, Call
from ssop.testing.calls.numbers import EXTREMES, bound, broken, dtypes_of, near, random_array, random_shape
from ssop.testing.calls.windows import JAX_DTYPES, Args

Drawn = tuple[Any, Args]


def any_dtype(rng: Random, x: Array) -> np.dtype[Any]:
    """That of x, mostly."""
    return x.dtype if rng.random() < 0.93 else rng.choice(dtypes_of(JAX_DTYPES))


def random_pad(rng: Random, x: Array) -> Drawn:
    shape = () if rng.random() < 0.95 else rng.choice(((1,), x.shape))
    value = random_array(rng, shape, any_dtype(rng, x))
    config: list[Any] = [(rng.randint(-2, 3), rng.randint(-2, 3), rng.choice((0, 0, 1, 2))) for _ in x.shape]
    fault = rng.randrange(10)
    if fault == 0 and config:
        entry = list(config[-1])
        entry[rng.randrange(3)] = rng.choice((-1, -3, -9, *EXTREMES[:6]))  # all negative
        config[-1] = tuple(entry)
    elif fault == 1:
        config = config[1:] or [(0, 0, 0)]
    return (x, value), {"padding_config": config}


def random_axes(rng: Random, x: Array) -> list[int]:
    axes = rng.sample(range(x.ndim), rng.randint(0, x.ndim))
    if rng.random() < 0.25:
        return list(broken(rng, {"axes": axes}, ["axes"])["axes"])
    return axes + axes[: rng.random() < 0.1]


def random_rev(rng: Random, x: Array) -> Drawn:
    return (x,), {"dimensions": random_axes(rng, x)}


def random_concatenate(rng: Random, x: Array) -> Drawn:
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


def random_broadcast(rng: Random, x: Array) -> Drawn:
    return (x,), {"sizes": [rng.randint(0, 3) if rng.random() < 0.92 else -1 for _ in range(rng.randint(0, 3))]}


def random_broadcast_in_dim(rng: Random, x: Array) -> Drawn:
    rank = x.ndim + rng.choice((0, 1, 1, 2))
    dimensions = rng.sample(range(rank), x.ndim)
    dimensions = dimensions if rng.random() < 0.3 else sorted(dimensions)
    shape = [rng.randint(0, 3) for _ in range(rank)]
    x = x[(*(slice(1) if rng.random() < 0.3 else slice(None) for _ in x.shape), ...)]  # of rank 0, too, an array
    for dim, axis in zip(x.shape, dimensions, strict=True):
        shape[axis] = rng.randint(0, 3) if dim == 1 and rng.random() < 0.6 else dim
    args = {"shape": shape, "broadcast_dimensions": dimensions}
    if rng.random() < 0.3:
        args = broken(rng, args, list(args))
        args["shape"] = [min(dim, 9) for dim in args["shape"]]
    return (x,), args


def random_reshape(rng: Random, x: Array) -> Drawn:
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


def random_permutation(rng: Random, x: Array) -> list[int]:
    permutation = rng.sample(range(x.ndim), x.ndim)
    if rng.random() < 0.2:
        return list(broken(rng, {"axes": permutation}, ["axes"])["axes"])
    return permutation


def random_transpose(rng: Random, x: Array) -> Drawn:
    return (x,), {"permutation": random_permutation(rng, x)}


def random_collapse(rng: Random, x: Array) -> Drawn:
    x = np.atleast_1d(x)  # JAX gives a scalar an axis
    start = rng.randrange(x.ndim)
    return (x,), {"dimensions": list(range(start, rng.randint(start, x.ndim - 1) + 1))}


def beside(rng: Random, x: Array, scalars: float = 0.3) -> Array:
    """An array that goes with x: mostly of its dtype and of its shape or none."""
    shape = () if rng.random() < scalars else x.shape
    if rng.random() < 0.06:
        shape = rng.choice((x.shape[1:], (*x.shape, 1)))
    return random_array(rng, shape, any_dtype(rng, x))


def random_select(rng: Random, x: Array) -> Drawn:
    pred = random_array(rng, () if rng.random() < 0.3 else x.shape, np.dtype(bool if rng.random() < 0.95 else "i1"))
    if rng.random() < 0.06:
        pred = pred.reshape((*pred.shape, 1))
    return (pred, x, beside(rng, x, 0.03)), {}


def random_clamp(rng: Random, x: Array) -> Drawn:
    return (beside(rng, x), x, beside(rng, x)), {}


def random_axis(rng: Random, x: Array) -> int:
    return near(rng, x.ndim) if rng.random() < 0.1 or not x.ndim else rng.randint(-x.ndim, x.ndim - 1)


def dim_of(x: Array, axis: int) -> int:
    return x.shape[axis] if -x.ndim <= axis < x.ndim else 3


def random_slice_in_dim(rng: Random, x: Array) -> Drawn:
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    start, limit = (None if rng.random() < 0.15 else n for n in sorted((rng.randint(0, dim), rng.randint(0, dim))))
    if rng.random() < 0.3:
        start, limit = (None if n is None else n - dim for n in (start, limit))
    args = {"start_index": start, "limit_index": limit, "stride": rng.choice((1, 1, 2, dim + 1)), "axis": axis}
    if rng.random() < 0.3:
        args[rng.choice(("start_index", "limit_index", "stride"))] = bound(rng, dim)
    return (x,), args


def random_index_in_dim(rng: Random, x: Array) -> Drawn:
    axis = random_axis(rng, x)
    return (x,), {"index": bound(rng, dim_of(x, axis)), "axis": axis, "keepdims": rng.random() < 0.5}


def random_dynamic_slice_in_dim(rng: Random, x: Array) -> Drawn:
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    size = rng.randint(0, dim) if rng.random() < 0.85 else rng.choice((-1, dim + 1))
    return (x,), {"start_index": bound(rng, dim), "slice_size": size, "axis": axis}


def random_update(rng: Random, x: Array, axis: int, size: int) -> list[int]:
    shape = [dim if rng.random() < 0.7 else rng.randint(0, dim) for dim in x.shape]
    if -x.ndim <= axis < x.ndim:
        shape[axis] = size
    if rng.random() < 0.1:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 1]
    return shape


def random_dynamic_update_slice_in_dim(rng: Random, x: Array) -> Drawn:
    axis = random_axis(rng, x)
    dim = dim_of(x, axis)
    update = random_array(rng, random_update(rng, x, axis, rng.randint(0, dim)), any_dtype(rng, x))
    return (x, update), {"start_index": bound(rng, dim), "axis": axis}


def random_dynamic_update_index_in_dim(rng: Random, x: Array) -> Drawn:
    axis = random_axis(rng, x)
    shape = random_update(rng, x, axis, 1)
    if rng.random() < 0.5 and -x.ndim <= axis < x.ndim == len(shape):
        del shape[axis]
    return (x, random_array(rng, shape, any_dtype(rng, x))), {"index": bound(rng, dim_of(x, axis)), "axis": axis}


DRAWN: dict[str, Callable[[Random, Array], Drawn]] = {
    "pad": random_pad,
    "rev": random_rev,
    "concatenate": random_concatenate,
    "broadcast": random_broadcast,
    "broadcast_in_dim": random_broadcast_in_dim,
    "reshape": random_reshape,
    "transpose": random_transpose,
    "collapse": random_collapse,
    "select": random_select,
    "clamp": random_clamp,
    "slice_in_dim": random_slice_in_dim,
    "index_in_dim": random_index_in_dim,
    "dynamic_index_in_dim": random_index_in_dim,
    "dynamic_slice_in_dim": random_dynamic_slice_in_dim,
    "dynamic_update_slice_in_dim": random_dynamic_update_slice_in_dim,
    "dynamic_update_index_in_dim": random_dynamic_update_index_in_dim,
}
ONE_AXIS = tuple(name for name in DRAWN if name.endswith("in_dim") and name != "broadcast_in_dim")


def drawer(name: str) -> Callable[[Random], Call]:
    """The function that draws calls of `xla.<name>`."""

    def draw(rng: Random) -> Call:
        x = random_array(rng, random_shape(rng, (0, 1, 1, 2, 2, 3, 3, 4)), rng.choice(dtypes_of(JAX_DTYPES)))
        arrays, args = DRAWN[name](rng, x)
        more = {"allow_negative_indices": True} if name in ONE_AXIS else {}
        return Call(f"xla.{name}", tuple(arrays), {**args, **more}, "jit")

    return draw
