"""Gradients of dask's arrays: chunks, tasks and values, on what is far larger than memory and on any small chunks."""

import dask.array as da
import numpy as np
import pytest
from dask.core import flatten
from hypothesis import given, settings
from hypothesis import strategies as st

import ssop
from ssop import vjp, xla

SHAPE, CHUNK = (2**15, 2**15), (2**11, 2**12)  # 8 GiB of float64 in chunks of 64 MiB
SIZE = 2**27
"""dask's own size of a chunk, in bytes: the default of `array.chunk-size`."""

SPECS = {
    "a part": ([5, 5], [-5, -7], [1, 1]),
    "steps": ([5, 5], [-5, -7], [3, 5000]),
    "backwards": ([20000, 20000], [7000, 3], [-3, -1]),
    "one item": ([7, 9000], [8, 9001], [1, 1]),
    "nothing": ([7, 3], [7, 4], [1, 1]),
}
PADDING = [(1000, 70000, 0), (9000, 0, 1)]


def needed(x):
    """The number of tasks that dask runs for an array."""
    return len(x.dask.cull(set(flatten(x.__dask_keys__()))))


@pytest.fixture
def operand():
    return da.zeros(SHAPE, chunks=CHUNK)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_gradients_have_the_chunks_of_the_operand_and_a_task_for_each(operand, spec):
    dy = ssop.strided_slice(operand, *spec)
    found = vjp.strided_slice(dy, operand.chunks, *spec)
    assert found.chunks == operand.chunks and found.dtype == operand.dtype
    assert needed(found) <= needed(dy) + dy.npartitions + operand.npartitions + 1  # reversed, placed; the scalar zero
    for call in (lambda: vjp.strided_slice(dy, SHAPE, *spec), lambda: ssop.strided_slice_grad(SHAPE, *spec, dy)):
        other = call()
        assert other.shape == SHAPE and np.prod(other.chunksize) * 8 <= SIZE
        assert other.npartitions <= 2 * operand.npartitions


def test_all_gradients_of_slices_take_chunks(operand):
    x, chunks = operand, operand.chunks
    for found in (
        vjp.tf_slice(x[7:99, 5:], chunks, [7, 5], [92, -1]),
        vjp.slice(x[7:99, 5:77:2], chunks, [7, 5], [99, 77], [1, 2]),
        vjp.dynamic_slice(x[-3:, :], chunks, [2**30, 0], [3, 2**15]),
        vjp.dynamic_slice(x[:0], list(map(list, chunks)), [5, 0], [0, 2**15]),
    ):
        assert found.chunks == chunks
    assert vjp.tf_slice(x[:5], ((0, 2**14, 2**14), chunks[1]), [0, 0], [5, -1]).chunks == ((2**14, 2**14), chunks[1])


def test_gradients_of_regions_padding_and_rolls_take_chunks(operand):
    chunks = operand.chunks
    region = ssop.StridedSliceSpec([9, -1], [30000, 7], [3, -5]).resolve(SHAPE)
    for padding, mode in ((2, "constant"), ((1, 3), "edge"), ((5, 0), "wrap"), (1, "symmetric")):
        dy = ssop.pad(operand, padding, mode)
        found = vjp.numpy_pad(dy, chunks, padding, mode)
        assert found.chunks == chunks and found.dtype == operand.dtype
    for found in (
        vjp.region(operand[9:30000:3, -1:7:-5], region, chunks),
        vjp.roll(operand, chunks, (777, -1), (0, 1)),
        vjp.numpy_pad(operand[:5].rechunk(3), ((5,), chunks[1]), 0),
        vjp.roll(operand[:1], ((1,), chunks[1]), 777),
    ):
        assert found.chunks[1] == chunks[1] and type(found) is type(ssop.copy(operand))
    assert vjp.region(operand[9:30000:3, -1:7:-5], region, chunks).chunks == chunks
    assert vjp.roll(operand, chunks, 3, 0).chunks == chunks
    assert needed(vjp.roll(operand, chunks, (777, -1), (0, 1))) <= 12 * operand.npartitions


def test_gradients_of_updates_and_padding_have_the_chunks_of_dy(operand):
    kept, update = vjp.dynamic_update_slice(operand, SHAPE, [9000, 3], [1, 1])
    assert kept.chunks == operand.chunks and max(map(max, update.chunks)) <= max(CHUNK)
    padded = xla.pad(operand, 1.0, PADDING)
    assert np.prod(padded.chunksize) * 8 <= 2 * SIZE and padded.npartitions < 4 * operand.npartitions
    inside, around = vjp.pad(padded, SHAPE, PADDING)
    assert inside.chunks == operand.chunks and around.shape == ()
    assert needed(inside) + needed(around) < 20 * padded.npartitions
    assert all(np.prod(key.chunksize) * 8 <= 2 * SIZE for key in (inside, around))


@pytest.mark.parametrize("dtype", ["f8", "U3", "M8[s]", "S0", object])
def test_zeros_of_any_dtype(dtype):
    x = np.empty(7, dtype)
    dy = da.from_array(x[2:3], chunks=1)
    for dims in (((3, 4),), [7]):
        found = vjp.slice(dy, dims, [2], [3])
        wanted = vjp.slice(x[2:3], [7], [2], [3])
        assert found.dtype == wanted.dtype and np.array_equal(found.compute(scheduler="synchronous"), wanted)


def test_dask_s_own_size_is_that_of_its_configuration():
    import dask

    dy = da.ones(1, chunks=1)
    with dask.config.set({"array.chunk-size": "64 B"}):
        assert vjp.slice(dy, [20], [10], [11]).chunks == ((8, 2, 1, 8, 1),)


@st.composite
def chunks(draw, dim):
    borders = sorted(draw(st.lists(st.integers(0, dim), max_size=4)))
    edges = [0, *borders, dim]
    return tuple(high - low for low, high in zip(edges, edges[1:], strict=False))


@settings(max_examples=60, deadline=None)
@given(st.data(), st.lists(st.integers(0, 9), min_size=1, max_size=3).map(tuple))
def test_vjp_s3_any_chunks(data, shape):
    bounds = [[data.draw(st.integers(-9, 9)) for _ in shape] for _ in range(2)]
    spec = (*bounds, [data.draw(st.sampled_from([-3, -1, 1, 2])) for _ in shape])
    result = ssop.StridedSliceSpec(*spec).resolve(shape).shape
    dy = np.arange(1, 1 + np.prod(result, dtype=int)).reshape(result)
    lazy = da.from_array(dy, chunks=tuple(data.draw(chunks(dim)) for dim in result))
    wanted = np.zeros(shape, int)
    wanted[tuple(slice(*of) for of in zip(*spec, strict=True))] = dy
    grid = tuple(data.draw(chunks(dim)) for dim in shape)
    found = vjp.strided_slice(lazy, grid, *spec)
    assert found.chunks == tuple(tuple(filter(None, of)) or (0,) for of in grid)
    assert np.array_equal(found.compute(scheduler="synchronous"), wanted)
    assert np.array_equal(vjp.strided_slice(dy, grid, *spec), wanted)  # NumPy's take the shape
    region = ssop.StridedSliceSpec(*spec).resolve(shape)
    assert vjp.region(lazy, region, grid).chunks == found.chunks
    assert np.array_equal(vjp.region(lazy, region, grid).compute(scheduler="synchronous"), wanted)
    assert np.array_equal(vjp.region(dy, region, grid), wanted)
    check_rolled_and_padded(data, grid, shape)


def check_rolled_and_padded(data, grid, shape):
    axes = [None, *range(len(shape))]
    shift, axis = data.draw(st.integers(-12, 12)), data.draw(st.sampled_from(axes))
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    widths = [(data.draw(st.integers(0, 9)), data.draw(st.integers(0, 9))) for _ in shape]
    mode = data.draw(st.sampled_from(["constant", "edge", "reflect", "wrap"])) if 0 not in shape else "constant"
    padded = ssop.pad(x, widths, mode)
    for dy, gradient in (
        (x, lambda dy: vjp.roll(dy, grid, shift, axis)),
        (padded, lambda dy: vjp.numpy_pad(dy, grid, widths, mode)),
    ):
        lazy = da.from_array(dy, chunks=tuple(data.draw(chunks(dim)) for dim in dy.shape))
        found = gradient(lazy)
        assert found.chunks == tuple(tuple(filter(None, of)) or (0,) for of in grid)
        assert np.array_equal(found.compute(scheduler="synchronous"), gradient(dy))
