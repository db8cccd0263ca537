"""`ssop.xla.gather` and `ssop.xla.scatter` against those of jax.lax on the CPU, by random dimension numbers."""

import random

import jax
import numpy as np
import pytest
from jax import lax

import ssop
from scale import examples, floor
from unit.test_xla_gathering import drawn

CALLS = 500
DTYPES = ("i4", "f4", "u1", "f8")
jax.config.update("jax_enable_x64", True)

SCATTERS = {
    "add": (ssop.xla.add, lax.scatter_add),
    "mul": (ssop.xla.mul, lax.scatter_mul),
    "max": (ssop.xla.max, lax.scatter_max),
    "min": (ssop.xla.min, lax.scatter_min),
    "set": (None, lax.scatter),
}


def case(seed):
    """A generator, an operand, indices and the numbers that both take."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    shape, indices_shape, sizes, window, dropped, index_map, at, batching, places, slices = drawn(rng)
    x = numbers.integers(0, 9, shape).astype(rng.choice(DTYPES))
    indices = numbers.integers(-2, 6, indices_shape).astype(rng.choice(["i4", "i8", "i2"]))
    return numbers, x, indices, sizes, window, dropped, index_map, at, batching, places, slices


def as_jax_has_it(indices, at, places):
    """The indices of one start lie along the last axis."""
    moved = np.moveaxis(indices, at, -1) if at < indices.ndim else indices[..., None]
    return moved, tuple(place - (place > at) for place in places)


def is_partly_outside(indices, shape, sizes, index_map):
    """Whether a slice is neither inside nor wholly outside: of these, XLA stores nothing (sct_s2)."""
    axes = list(index_map)
    starts = indices.reshape(-1, len(axes))
    for start in starts.tolist():
        for axis, number in zip(axes, start, strict=True):
            if -sizes[axis] < number < shape[axis] and not 0 <= number <= shape[axis] - sizes[axis]:
                return True
    return False


def test_gather():
    """ga_s1, ga_s2, ga_s3"""
    compared = 0
    for seed in range(examples(CALLS)):
        _, x, indices, sizes, window, dropped, index_map, at, batching, places, _ = case(seed)
        if any(sizes[axis] != 1 for axis in (*dropped, *batching)):
            continue  # JAX rejects slices without elements there
        moved, others = as_jax_has_it(indices, at, places)
        numbers = lax.GatherDimensionNumbers(tuple(window), tuple(dropped), tuple(index_map), tuple(batching), others)
        expected = np.asarray(lax.gather(x, moved, numbers, tuple(sizes), mode="clip"))
        got = ssop.xla.gather(
            x, indices, sizes, offset_dims=window, collapsed_slice_dims=dropped, start_index_map=index_map,
            index_vector_dim=at, operand_batching_dims=batching, start_indices_batching_dims=places,
        )  # fmt: skip
        assert got.dtype == expected.dtype and got.shape == expected.shape and np.array_equal(got, expected), seed
        compared += 1
    assert compared >= floor(CALLS) * 0.6


@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name):
    """sct_s1, sct_s2, sct_s3"""
    ours, theirs = SCATTERS[name]
    compared = 0
    for seed in range(examples(CALLS // 2)):
        numbers, x, indices, sizes, window, dropped, index_map, at, batching, places, slices = case(seed)
        moved, others = as_jax_has_it(indices, at, places)
        if not index_map or any(sizes[axis] != 1 for axis in (*dropped, *batching)):
            continue  # XLA 0.10.2 fails an internal check, or combines one update of several, for an empty map
        if is_partly_outside(moved, x.shape, sizes, index_map):
            continue
        kept = [axis for axis in range(x.ndim) if axis not in (*batching, *dropped)]
        lengths = {place: sizes[axis] for place, axis in zip(window, kept, strict=True)}
        rank = len(slices) + len(window)
        lengths |= dict(zip([axis for axis in range(rank) if axis not in window], slices, strict=True))
        updates = numbers.integers(0, 9, [lengths[axis] for axis in range(rank)]).astype(x.dtype)
        given = lax.ScatterDimensionNumbers(tuple(window), tuple(dropped), tuple(index_map), tuple(batching), others)
        expected = np.asarray(theirs(x, moved, updates, given))
        got = ssop.xla.scatter(
            x, indices, updates, ours, update_window_dims=window, inserted_window_dims=dropped,
            scatter_dims_to_operand_dims=index_map, index_vector_dim=at, input_batching_dims=batching,
            scatter_indices_batching_dims=places,
        )  # fmt: skip
        assert got.dtype == expected.dtype and np.array_equal(got, expected), seed
        compared += 1
    assert compared >= floor(CALLS // 2) * 0.2


def test_a_slice_partly_outside_is_skipped_by_xla_only():
    """sct_s2"""
    numbers = {"update_window_dims": (0,), "inserted_window_dims": (), "scatter_dims_to_operand_dims": (0,)}
    x, at, updates = np.zeros(4, np.int32), np.array([3], np.int32), np.array([5, 6], np.int32)
    assert lax.scatter(x, at, updates, lax.ScatterDimensionNumbers(**numbers)).tolist() == [0, 0, 0, 0]
    assert ssop.xla.scatter(x, at, updates, **numbers, index_vector_dim=0).tolist() == [0, 0, 0, 5]
