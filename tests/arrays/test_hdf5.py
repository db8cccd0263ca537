"""HDF5 by h5py and netCDF4: a slice reads its region, everything else says so before it reads (in_s3)."""

import h5py
import netCDF4
import numpy as np
import pytest
from numpy import ma

import ssop
from arrays.adapters import Hdf5
from ssop import onnx, tf, xla

X = np.arange(24.0).reshape(4, 6)


def test_h5py_1832_reads_only_the_region():
    """pyfive 169: a result of 4 kB took 16 MB."""
    adapter = Hdf5()
    data = np.arange(2_000_000).reshape(4000, 500)
    x = adapter.make(data)
    for call, wanted in (
        (lambda: ssop.index(x, 5), data[5]),
        (lambda: ssop.index(x, (-1, np.s_[::-2])), data[-1, ::-2]),
        (lambda: ssop.strided_slice(x, [3000], [2], [-500]), data[3000:2:-500]),
        (lambda: ssop.slice(x, [5, 0], [6, 500], [1, 3]), data[5:6, ::3]),
        (lambda: ssop.dynamic_slice(x, [9999, 2], [2, 3]), data[3998:, 2:5]),
        (lambda: onnx.slice(x, [9], [5], [0], [-1]), data[9:5:-1]),
        (lambda: tf.slice(x, [5, 1], [1, -1]), data[5:6, 1:]),
        (lambda: ssop.index(x, np.s_[2:2]), data[2:2]),
        (lambda: ssop.StridedSliceSpec.from_index(np.s_[7, None, :3])(x), data[7, None, :3]),
    ):
        found = call()
        assert type(found) is np.ndarray and found.flags.c_contiguous
        assert found.shape == wanted.shape and np.array_equal(found, wanted)
        assert adapter.computed == found.size
        adapter.computed = 0


def test_everything_else_reads_nothing():
    adapter = Hdf5()
    x = adapter.make(X)
    for call in (
        lambda: ssop.copy(x),
        lambda: xla.pad(x, 0.0, [(1, 0, 0)] * 2),
        lambda: xla.concatenate([x, x], 0),
        lambda: xla.select(x, x, x),
        lambda: xla.clamp(0.0, x, 1.0),
        lambda: ssop.vjp.rev(x, [4, 6], [0]),
        lambda: ssop.copyto(X.copy(), x),
        lambda: ssop.dynamic_update_slice(X, x, [0, 0]),
        lambda: ssop.plan(ssop.StridedSliceSpec([], []), (4, 6), float)(x),
        lambda: ssop.dynamic_slice(x, [3, 5], [2, 2], out_of_bounds="wrap"),
        lambda: ssop.copy(x.parent),
    ):
        with pytest.raises(ssop.SliceTypeError) as info:
            call()
        assert info.value.label == "in_c7"
    assert adapter.computed == 0


def test_assignments_write_to_the_file():
    x, wanted = Hdf5().make(X), X.copy()
    assert ssop.index_assign(x, np.s_[::-2, 1:3], X[:2, 4:]) is x
    wanted[::-2, 1:3] = X[:2, 4:]
    ssop.index_assign(x, np.s_[:, 0], 7.0)
    wanted[:, 0] = 7
    assert np.array_equal(x[...], wanted)


@pytest.fixture
def file():
    with h5py.File("x.h5", "w", driver="core", backing_store=False) as file:
        yield file


def test_strings_and_scalars_keep_their_dtype(file):
    fixed = file.create_dataset("fixed", data=np.array([b"ab", b"c"], "S5"))
    assert ssop.index(fixed, 0).dtype == "S5" and ssop.index(fixed, 0).shape == ()
    text = file.create_dataset("text", data=["abc", "d"])
    assert ssop.index(text, np.s_[::-1]).tolist() == [b"d", b"abc"]
    assert ssop.index(text.asstr(), 0).tolist() == "abc"
    scalar = file.create_dataset("scalar", data=np.int16(5))
    assert ssop.strided_slice(scalar, [], []).dtype == np.int16 and ssop.index(scalar, None).tolist() == [5]
    empty = file.create_dataset("empty", data=h5py.Empty("i4"))
    for call in (lambda: ssop.strided_slice(empty, [], []), lambda: xla.concatenate([empty, empty], 0)):
        with pytest.raises(ssop.SliceTypeError, match="has no elements"):
            call()


def test_netcdf_keeps_its_mask(tmp_path):
    with netCDF4.Dataset(tmp_path / "x.nc", "w") as file:
        file.createDimension("y", 4)
        file.createDimension("x", 6)
        x = file.createVariable("v", "f8", ("y", "x"), fill_value=-1)
        x[...] = X
        x[0, 0] = ma.masked
        found = ssop.index(x, np.s_[::-1, ::-5])
        wanted = ma.array(X, mask=np.arange(24).reshape(4, 6) == 0)[::-1, ::-5]
        assert isinstance(found, ma.MaskedArray) and ma.allequal(found, wanted)
        assert np.array_equal(ma.getmaskarray(found), ma.getmaskarray(wanted)) and found.mask.any()
        for call in (
            lambda: ssop.copy(x),
            lambda: ssop.copy(file),
            lambda: ssop.copyto(np.zeros((4, 6)), file),
            lambda: ssop.dynamic_update_slice(file, X, [0, 0]),
        ):
            with pytest.raises(ssop.SliceTypeError) as info:
                call()
            assert info.value.label == "in_c7"
