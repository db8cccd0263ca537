"""`ssop.vjp` against `jax.vjp` of JAX's own operations; and the same functions on JAX's arrays."""

import os

import jax
import numpy as np
import pytest
from jax import lax

from ssop import vjp

CALLS = 8  # each of which JAX compiles
SEED = int(os.environ.get("SSOP_SEED", "20170109"))
# JAX pads nothing beyond the operand, keeps the order of axes in broadcast_in_dim, and has no wrapping windows.


def rng_shape(rng, least=0):
    return tuple(int(dim) for dim in rng.integers(1, 5, rng.integers(least, 4)))


def of_slice(rng):
    shape = rng_shape(rng)
    starts = [int(rng.integers(0, dim + 1)) for dim in shape]
    limits = [int(rng.integers(low, dim + 1)) for low, dim in zip(starts, shape, strict=True)]
    strides = [int(step) for step in rng.integers(1, 4, len(shape))]
    return (
        [shape],
        lambda x: lax.slice(x, starts, limits, strides),
        lambda dy: [vjp.slice(dy, shape, starts, limits, strides)],
    )


def window(rng):
    shape = rng_shape(rng)
    starts = [int(rng.integers(-dim - 3, dim + 4)) for dim in shape]
    return shape, starts, [int(rng.integers(0, dim + 1)) for dim in shape]


def of_dynamic_slice(rng):
    shape, starts, sizes = window(rng)
    return (
        [shape],
        lambda x: lax.dynamic_slice(x, starts, sizes),
        lambda dy: [vjp.dynamic_slice(dy, shape, starts, sizes, allow_negative_indices=True)],
    )


def of_dynamic_update_slice(rng):
    shape, starts, sizes = window(rng)
    return (
        [shape, sizes],
        lambda x, update: lax.dynamic_update_slice(x, update, starts),
        lambda dy: vjp.dynamic_update_slice(dy, shape, sizes, starts, allow_negative_indices=True),
    )


def of_pad(rng):
    shape = rng_shape(rng)
    config = []
    for dim in shape:
        gap = int(rng.integers(0, 3))
        whole = dim + (dim - 1) * gap
        low = int(rng.integers(-whole, 4))
        config.append((low, int(rng.integers(-whole - low if low < 0 else -whole, 4)), gap))
    return [shape, ()], lambda x, value: lax.pad(x, value, config), lambda dy: vjp.pad(dy, shape, config)


def of_numpy_pad(rng):
    shape, mode = rng_shape(rng), str(rng.choice(["constant", "edge", "reflect", "symmetric", "wrap"]))
    widths = [(int(low), int(high)) for low, high in rng.integers(0, 7, (len(shape), 2))] or 0
    return [shape], lambda x: jax.numpy.pad(x, widths, mode), lambda dy: [vjp.numpy_pad(dy, shape, widths, mode)]


def of_rev(rng):
    shape = rng_shape(rng)
    axes = [axis for axis in range(len(shape)) if rng.random() < 0.5]
    return [shape], lambda x: lax.rev(x, axes), lambda dy: [vjp.rev(dy, shape, axes)]


def of_roll(rng):
    shape = rng_shape(rng, 1)
    axes = tuple(int(axis) for axis in rng.integers(-len(shape), len(shape), 2))
    arguments = [(7,), ((-3, 2), axes), (5, axes[0])][rng.integers(3)]
    return [shape], lambda x: jax.numpy.roll(x, *arguments), lambda dy: [vjp.roll(dy, shape, *arguments)]


def of_concatenate(rng):
    shape = rng_shape(rng, 1)
    axis = int(rng.integers(len(shape)))
    shapes = [(*shape[:axis], int(dim), *shape[axis + 1 :]) for dim in rng.integers(0, 4, rng.integers(1, 4))]
    return shapes, lambda *xs: lax.concatenate(xs, axis), lambda dy: vjp.concatenate(dy, shapes, axis)


def of_broadcast(rng):
    shape, sizes = rng_shape(rng), rng_shape(rng)
    return [shape], lambda x: lax.broadcast(x, sizes), lambda dy: [vjp.broadcast(dy, shape, sizes)]


def of_broadcast_in_dim(rng):
    result = rng_shape(rng)
    axes = [axis for axis in range(len(result)) if rng.random() < 0.6]
    shape = [int(rng.choice([1, result[axis]])) for axis in axes]
    return (
        [shape],
        lambda x: lax.broadcast_in_dim(x, result, axes),
        lambda dy: [vjp.broadcast_in_dim(dy, shape, result, axes)],
    )


def of_reshape(rng):
    shape = rng_shape(rng)
    order = [int(axis) for axis in rng.permutation(len(shape))]
    new = (1, int(np.prod(shape)))
    return [shape], lambda x: lax.reshape(x, new, order), lambda dy: [vjp.reshape(dy, shape, new, order)]


def of_collapse(rng):
    shape = rng_shape(rng, 2)
    return [shape], lambda x: lax.collapse(x, 0, 2), lambda dy: [vjp.collapse(dy, shape, [0, 1])]


def of_transpose(rng):
    shape = rng_shape(rng)
    order = [int(axis) for axis in rng.permutation(len(shape))]
    return [shape], lambda x: lax.transpose(x, order), lambda dy: [vjp.transpose(dy, shape, order)]


def of_select(rng):
    shape = rng_shape(rng)
    pred = rng.random(shape) < 0.5
    return (
        [shape, shape],
        lambda x, y: lax.select(jax.numpy.asarray(pred), x, y),
        lambda dy: vjp.select(dy, pred.tolist()),
    )


CASES = {name.removeprefix("of_"): function for name, function in list(globals().items()) if name.startswith("of_")}


def test_what_jax_has_is_compared():
    assert set(vjp.__all__) - set(CASES) == {"region", "strided_slice", "tensor_strided_slice_update", "tf_slice"}


@pytest.mark.parametrize("name", CASES)
def test_vjp_s1_gradients_are_those_of_jax(name):
    rng = np.random.default_rng([SEED, *name.encode()])
    for _ in range(CALLS):
        shapes, operation, gradient = CASES[name](rng)
        inputs = [jax.numpy.asarray(rng.integers(-9, 10, shape), np.float32) for shape in shapes]
        result, backward = jax.vjp(operation, *inputs)
        dy = rng.integers(-9, 10, result.shape).astype(np.float32)
        expected = backward(jax.numpy.asarray(dy))
        for found, wanted in zip(gradient(dy), expected, strict=True):
            assert type(found) is np.ndarray and found.shape == wanted.shape and np.array_equal(found, wanted)
        for found, wanted in zip(gradient(jax.numpy.asarray(dy)), expected, strict=True):
            assert isinstance(found, jax.Array) and found.shape == wanted.shape and np.array_equal(found, wanted)
