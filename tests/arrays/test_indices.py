"""`strategies.indices` with switches for storages: what they can read, they read as NumPy does."""

import dask.array as da
import h5py
import numpy as np
import pytest
import zarr
from hypothesis import given

from ssop.testing import strategies as slicing

X = np.arange(20).reshape(4, 5)
FORWARDS = {"newaxis": False, "negative_steps": False}


def in_hdf5():
    file = h5py.File("nowhere", "w", driver="core", backing_store=False)
    return file.create_dataset("x", data=X).__getitem__


def in_zarr():
    return zarr.array(X, chunks=(2, 2)).__getitem__


def in_dask():
    array = da.from_array(X, chunks=(2, 2))
    return lambda index: array[index].compute()


@pytest.mark.parametrize(
    ("make", "switches"),
    [(in_hdf5, FORWARDS), (in_zarr, FORWARDS), (in_dask, {"empty": False})],  # dask issue 10555: wrong empty slices
    ids=["h5py", "zarr", "dask"],
)
def test_storages_read_what_the_switches_leave(make, switches):
    read = make()

    @given(slicing.indices(X.shape, **switches))
    def reads(index):
        assert np.array_equal(np.asarray(read(index)), X[index])

    reads()
