"""Arrays of cubed: any chunks, what is read, and the memory that a plan and its tasks take."""

import tracemalloc

import cubed
import cubed.array_api as xp
import numpy as np
import pytest
import zarr
from hypothesis import given, settings
from hypothesis import strategies as st

import ssop
from arrays.adapters import ADAPTERS
from ssop import xla

ALLOWED = 24_000_000
SHAPE, CHUNK = (2048, 4096), (512, 512)  # 64 MiB of float64 in chunks of 2 MiB

LARGE = {
    "steps": lambda x: ssop.index(x, np.s_[5::3, ::2]),
    "backwards": lambda x: ssop.index(x, np.s_[::-3, 7:-7]),
    "reversed": lambda x: xla.rev(x, [0, 1]),
    "rolled": lambda x: ssop.roll(x, (700, -5), (0, 1)),
    "joined": lambda x: xla.concatenate([x, x[:, :3]], 1),
    "transposed": lambda x: xla.transpose(x, [1, 0]),
    "collapsed": lambda x: xla.collapse(x, [0, 1]),
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("cubed") / "x.zarr")
    made = zarr.create_array(path, shape=SHAPE, chunks=CHUNK, dtype="f8", compressors=None)
    made[...] = np.arange(2048 * 4096.0).reshape(SHAPE)
    return path


@pytest.mark.parametrize("name", LARGE)
def test_memory_is_bounded_by_what_is_allowed(stored, tmp_path, name):
    spec = cubed.Spec(str(tmp_path), allowed_mem=ALLOWED, executor_name="single-threaded")
    result = LARGE[name](cubed.from_zarr(stored, spec=spec))
    assert result.plan().max_projected_mem <= ALLOWED
    tracemalloc.start()
    try:
        cubed.to_zarr(result, str(tmp_path / "out.zarr"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= ALLOWED
    wanted = LARGE[name](zarr.open_array(stored, mode="r")[...])
    assert np.array_equal(zarr.open_array(tmp_path / "out.zarr", mode="r")[...], wanted)


def test_only_blocks_with_elements_are_read():
    adapter = ADAPTERS["cubed"]()
    x = np.arange(144).reshape(12, 12)
    found = ssop.index(adapter.make(x), np.s_[::-8, 5])  # rows 11 and 3, of chunks of 3
    assert adapter.computed == 0
    assert np.array_equal(adapter.plain(found), x[::-8, 5]) and adapter.computed == 2


@st.composite
def arrays(draw):
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=3)))
    x = np.arange(np.prod(shape)).reshape(shape)
    spec = cubed.Spec(allowed_mem="100MB", executor_name="single-threaded")
    return x, [xp.asarray(x, chunks=tuple(draw(st.integers(1, dim)) for dim in shape), spec=spec) for _ in range(2)]


@settings(max_examples=25, deadline=None)
@given(st.data(), arrays())
def test_any_chunks(data, made):
    x, (one, other) = made
    axis = data.draw(st.integers(0, x.ndim - 1))
    index = tuple(data.draw(st.one_of(st.slices(dim), st.integers(-dim, dim - 1))) for dim in x.shape)
    sizes = data.draw(st.permutations(factors(x.size)))
    for call in (
        lambda x, other: ssop.index(x, index),
        lambda x, other: xla.concatenate([x, other, x], axis),
        lambda x, other: xla.reshape(x, sizes),
        lambda x, other: ssop.pad(x, 1, "edge"),
    ):
        wanted, found = call(x, x), call(one, other)
        assert found.shape == wanted.shape and np.array_equal(found.compute(), wanted)


def factors(number):
    divisor = next((k for k in range(2, number) if number % k == 0), number)
    return [number] if divisor == number else [divisor, *factors(number // divisor)]
