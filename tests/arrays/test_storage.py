"""dask, zarr and xarray: what is computed and read, what names are kept, and what goes wrong."""

import dask.array as da
import numpy as np
import pytest
import xarray
import zarr

import ssop
from arrays.adapters import Dask, Xarray, Zarr
from ssop import xla

LONG = np.arange(300.0)


def test_dask_computes_only_the_chunks_that_are_needed():
    adapter = Dask()
    x = adapter.make(LONG)  # 100 chunks of 3
    for call, wanted, chunks in (
        (lambda: ssop.strided_slice(x, [10], [4], [-1]), LONG[10:4:-1], 3),
        (lambda: ssop.dynamic_slice(x, [999], [3]), LONG[-3:], 1),
        (lambda: ssop.strided_slice(x, [0], [300], [150]), LONG[::150], 2),
    ):
        result = call()
        assert adapter.computed == 0 and isinstance(result, da.Array)
        assert np.array_equal(adapter.plain(result), wanted)
        assert adapter.computed == chunks
        adapter.computed = 0


def test_dask_names_are_those_of_the_call():
    x = da.from_array(LONG, chunks=7)
    names = {ssop.strided_slice(x, [10], [4], [-1]).name for _ in range(3)}
    assert len(names) == 1 and names != {ssop.strided_slice(x, [10], [5], [-1]).name}


def test_dask_axes_of_unknown_length():
    x = da.from_array(LONG, chunks=30)
    unknown = x[x > 7]
    for call in (
        lambda: ssop.strided_slice(unknown, [0], [3]),
        lambda: xla.rev(unknown, [0]),
        lambda: xla.concatenate([x, unknown], 0),
    ):
        with pytest.raises(ssop.SliceTypeError, match="compute_chunk_sizes") as info:
            call()
        assert info.value.label == "in_c7"
    assert ssop.strided_slice(unknown.compute_chunk_sizes(), [0], [2]).compute().tolist() == [8, 9]


def test_dask_negative_steps_behind_an_integer():
    """dask's own assignment fails there; ssop reverses the value."""
    x = np.zeros((4, 6))
    updated = ssop.tensor_strided_slice_update(
        da.from_array(x, chunks=3), [1, 5], [0, 0], [1, -2], np.arange(3.0), shrink_axis_mask=1
    )
    assert updated.compute()[1].tolist() == [0, 2, 0, 1, 0, 0]


def test_zarr_reads_only_the_chunks_that_are_needed():
    adapter = Zarr()
    x = adapter.make(LONG)
    for spec, wanted, chunks in (
        (([10], [4], [-1]), LONG[10:4:-1], 3),  # elements 5..10: of chunks 1, 2 and 3
        (([0], [300], [150]), LONG[::150], 2),
    ):
        found = ssop.strided_slice(x, *spec)
        assert type(found) is np.ndarray and np.array_equal(found, wanted)
        assert adapter.computed == chunks
        adapter.computed = 0


@pytest.mark.parametrize("begin", [[3, 5], [0, 0]], ids=["backwards", "forwards"])
def test_zarr_is_written_in_either_direction(begin):
    x = Zarr().make(np.zeros((4, 6)))
    step = -1 if begin[0] else 1
    spec = (begin, [1, 2] if step < 0 else [2, 3], [step, step])
    value = np.arange(6.0).reshape(2, 3)
    wanted = ssop.strided_slice_assign(np.zeros((4, 6)), *spec, value)
    assert ssop.strided_slice_assign(x, *spec, value) is x and np.array_equal(x[...], wanted)


def test_a_read_only_store_stays_as_it_is():
    store = zarr.storage.MemoryStore()
    zarr.create_array(store, shape=(6,), chunks=(3,), dtype=float)[...] = 1
    with pytest.raises(ValueError, match="read-only"):
        ssop.strided_slice_assign(zarr.open_array(store, mode="r"), [0], [6], [1], 5.0)
    assert zarr.open_array(store, mode="r")[...].tolist() == [1] * 6


def test_a_chunk_that_is_missing_is_the_fill_value():
    x = zarr.create_array(zarr.storage.MemoryStore(), shape=(6,), chunks=(3,), dtype=float, fill_value=7)
    x[:3] = 1
    assert ssop.xla.rev(x, [0]).tolist() == [7, 7, 7, 1, 1, 1]


def test_zarr_says_what_it_can():
    x = Zarr().make(LONG)
    for call in (lambda: xla.transpose(x, [0]), lambda: ssop.copy(x), lambda: xla.concatenate([x, x], 0)):
        with pytest.raises(ssop.SliceTypeError, match=r"dask\.array\.from_zarr\(x\) is lazy \[in_c7\]$"):
            call()


# ---- xarray ----------------------------------------------------------------------------------------------------------

X = np.arange(24.0).reshape(4, 6)


@pytest.mark.parametrize("make", [lambda x: x, lambda x: x.chunk(3)], ids=["numpy", "dask"])
def test_xarray_keeps_what_its_own_indexing_keeps(make):
    x = make(Xarray().make(X).assign_attrs(unit="m"))
    for found, wanted in (
        (ssop.strided_slice(x, [3, 5], [0, 0], [-2, -1]), x[3:0:-2, 5:0:-1]),
        (ssop.strided_slice(x, [-1, 1], [0, 3], shrink_axis_mask=1), x[-1, 1:3]),
        (ssop.dynamic_slice(x, [9, -9], [2, 3]), x[2:, :3]),
        (xla.transpose(x, [1, 0]), x.T),
        (
            ssop.tensor_strided_slice_update(x, [3], [0], [-2], X[:2]),
            x.copy(data=ssop.tensor_strided_slice_update(X, [3], [0], [-2], X[:2])),
        ),
    ):
        xarray.testing.assert_identical(found.compute(), wanted.compute())
        assert type(found.data) is type(x.data)


def test_xarray_says_what_it_can():
    x = Xarray().make(X)
    for call in (lambda: ssop.strided_slice(x, [0], [0], new_axis_mask=1), lambda: xla.reshape(x, [24])):
        with pytest.raises(ssop.SliceTypeError, match=r"x\.data is the array without names \[in_c7\]$"):
            call()


def test_results_do_not_share_memory_with_xarray():
    x = Xarray().make(X)
    ssop.slice(x, [0, 0], [2, 2])[...] = -1
    xla.transpose(x, [1, 0])[...] = -1
    assert np.array_equal(x.data, X)
