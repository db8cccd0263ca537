"""zarr and xarray: what is computed and read, what names are kept, and what goes wrong."""

import numpy as np
import pytest
import xarray
import zarr

import ssop
from arrays.adapters import Xarray, Zarr
from ssop import xla

LONG = np.arange(300.0)


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


@pytest.mark.parametrize("make", [lambda x: x, lambda x: x.chunk(3)], ids=["numpy", "dask"])
def test_xarray_pads_joins_and_selects_as_its_own_operations(make):
    x = make(Xarray().make(X).assign_attrs(unit="m"))
    index = xla.dynamic_update_index_in_dim(x, x[:, 0] * 0, 9, 1)
    for found, wanted in (
        (xla.pad(x, -1.0, [(1, 2, 0), (0, 3, 0)]), x.pad(axis0=(1, 2), axis1=(0, 3), constant_values=-1)),
        (xla.pad(x, -1.0, [(-1, 2, 0), (0, -2, 0)]), x[1:, :-2].pad(axis0=(0, 2), constant_values=-1)),
        (xla.concatenate([x, x[:2]], 0), xarray.concat([x, x[:2]], "axis0")),
        (xla.select(x > 7, x, -x), x.where(x > 7, -x)),
        (xla.clamp(3.0, x, 9.0), x.clip(3, 9)),
        (ssop.strided_slice_grad([6, 6], [4, 0], [0, 6], [-1, 1], x), x[::-1].pad(axis0=(1, 1), constant_values=0)),
        (index, x.copy(data=ssop.xla.dynamic_update_index_in_dim(X, 0 * X[:, 0], 9, 1))),
    ):
        xarray.testing.assert_identical(found.compute(), wanted.compute())
        assert isinstance(found.data, type(x.data)) and found.dtype == x.dtype
        assert list(found.coords) == ["axis0", "axis1"]


def test_xarray_does_not_align():
    x = Xarray().make(X)
    moved = x.assign_coords(axis1=x.axis1 + 1)
    renamed = x.rename(axis0="other")
    square = x[:, :4]
    for call in (
        lambda: xla.concatenate([x, moved], 0),
        lambda: xla.concatenate([x, renamed], 0),
        lambda: xla.concatenate([x, X], 0),
        lambda: xla.select(x > 7, x, moved),
        lambda: xla.select(square > 7, square, square.transpose()),
        lambda: xla.clamp(x, renamed, x),
    ):
        with pytest.raises(ssop.SliceError, match=r"x\.data is the array without|another library") as info:
            call()
        assert info.value.label == "in_c7"
    assert np.array_equal(xla.concatenate([x, moved], 1), np.concatenate([X, X], 1))  # along the axis they may differ


def test_xarray_is_updated_by_position():
    """The names and coordinates of a value do not say where it goes."""
    x = xarray.DataArray(np.arange(24).reshape(4, 6), dims=("y", "x"), coords={"y": [0, 1, 2, 3]})
    before = x.copy()
    spec = ([3], [0], [-2])
    for value in (x[:2], x.data[:2], x.data[None, :1], xarray.DataArray(x.data[:2], dims=("a", "b"))):
        result = ssop.tensor_strided_slice_update(x, *spec, value)
        expected = ssop.tensor_strided_slice_update(x.data, *spec, getattr(value, "data", value))
        assert type(result) is xarray.DataArray and np.array_equal(result.data, expected)
        xarray.testing.assert_identical(x, before)


def test_xarray_says_what_it_can():
    x = Xarray().make(X)
    for call in (
        lambda: ssop.strided_slice(x, [0], [0], new_axis_mask=1),
        lambda: xla.reshape(x, [24]),
        lambda: xla.broadcast(x, [2]),
        lambda: xla.pad(x, 0.0, [(0, 0, 1), (0, 0, 0)]),
    ):
        with pytest.raises(ssop.SliceTypeError, match=r"x\.data is the array without names \[in_c7\]$"):
            call()


def test_results_do_not_share_memory_with_xarray():
    x = Xarray().make(X)
    ssop.slice(x, [0, 0], [2, 2])[...] = -1
    xla.transpose(x, [1, 0])[...] = -1
    assert np.array_equal(x.data, X)
