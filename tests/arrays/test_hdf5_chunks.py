"""HDF5 and netCDF4, chunk by chunk: which chunks are read, how many bytes, and how much memory that takes."""

import io
import tracemalloc

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from numpy import ma

import ssop
from ssop._lazy import chunked

SHAPE, CHUNKS = (23, 17), (5, 4)
X = np.arange(23 * 17).reshape(SHAPE)
INDICES = [
    np.s_[::2, ::-3],
    np.s_[20:3:-4, 5],
    np.s_[None, 7::9, None, 2:15:11],
    np.s_[::-22, ::16],
    np.s_[3:3:2, ::2],
    np.s_[4:9, ::-1],
    np.s_[..., 3::5],
]


class Counted(io.BytesIO):
    """A file in memory that notes which bytes are read."""

    def __init__(self):
        super().__init__()
        self.reads = []

    def readinto(self, buffer):
        start = self.tell()
        count = super().readinto(buffer)
        self.reads.append((start, start + count))
        return count


@pytest.fixture
def counted():
    return Counted()


def opened(file, **options):
    """A dataset in a file that was just opened, so that nothing of it is in memory."""
    with h5py.File(file, "w") as made:
        made.create_dataset("x", data=X, chunks=CHUNKS, **options)
    dataset = h5py.File(file, "r")["x"]
    dataset.id.get_num_chunks()
    file.reads.clear()
    return dataset


@pytest.mark.parametrize("options", [{}, {"compression": "gzip", "shuffle": True}], ids=["plain", "gzip"])
@pytest.mark.parametrize("index", INDICES)
def test_of_hdf5_only_the_chunks_with_elements_are_read(counted, index, options):
    dataset = opened(counted, **options)
    found = ssop.index(dataset, index)
    assert type(found) is np.ndarray and found.dtype == X.dtype and np.array_equal(found, X[index])
    reads = list(counted.reads)
    region = ssop.StridedSliceSpec.from_index(index).resolve(SHAPE)
    infos = [dataset.id.get_chunk_info(k) for k in range(dataset.id.get_num_chunks())]
    place = {tuple(k // size for k, size in zip(i.chunk_offset, CHUNKS, strict=True)): i for i in infos}
    touched = {
        at
        for at, info in place.items()
        if any(start < info.byte_offset + info.size and info.byte_offset < stop for start, stop in reads)
    }
    expected = {at for at, _, _ in region.chunks(CHUNKS)}
    assert touched == expected
    chunk_bytes = sum(place[at].size for at in expected)
    metadata = sum(stop - start for start, stop in reads if not _in_a_chunk(start, infos))
    assert sum(stop - start for start, stop in reads) - metadata <= chunk_bytes


def _in_a_chunk(start, infos):
    return any(info.byte_offset <= start < info.byte_offset + info.size for info in infos)


def with_peak(dataset, index):
    """The elements at an index, and how many bytes Python had at most to get them."""
    ssop.index(dataset, np.s_[:2:2, :2])  # which loads modules
    tracemalloc.start()
    try:
        found = ssop.index(dataset, index)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_there_is_one_chunk_in_memory_beside_the_result():
    with h5py.File("x.h5", "w", driver="core", backing_store=False) as file:
        dataset = file.create_dataset("x", shape=(8000, 8000), dtype="u1", chunks=(2000, 2000), fillvalue=3)
        found, peak = with_peak(dataset, np.s_[::-3, ::5])
    assert np.all(found == 3)
    # HDF5's own cache of chunks is not Python's memory; other threads of this process may allocate a little.
    assert peak <= found.nbytes + 1.2 * 2000 * 2000


def test_what_a_chunk_holds_is_kept():
    with h5py.File("x.h5", "w", driver="core", backing_store=False) as file:
        text = file.create_dataset("text", data=[f"{k}" for k in range(9)], chunks=(2,))
        assert ssop.index(text, np.s_[::-4]).tolist() == [b"8", b"4", b"0"]
        assert ssop.index(text.asstr(), np.s_[::-4]).tolist() == ["8", "4", "0"]
        pairs = np.array([(k, k / 2) for k in range(9)], "i2, f8")
        found = ssop.index(file.create_dataset("pairs", data=pairs, chunks=(2,)), np.s_[1::3])
        assert found.dtype == pairs.dtype and np.array_equal(found, pairs[1::3])


@pytest.mark.parametrize("always", [True, False])
@pytest.mark.parametrize("index", INDICES)
def test_netcdf_keeps_its_mask(tmp_path, index, always):
    wanted = ma.array(X.astype("f8"), mask=X % 7 == 3)
    wanted.mask[:5] = False  # chunks without a masked element
    with netCDF4.Dataset(tmp_path / "x.nc", "w") as file:
        file.createDimension("y", SHAPE[0])
        file.createDimension("x", SHAPE[1])
        x = file.createVariable("v", "f8", ("y", "x"), fill_value=-1, chunksizes=CHUNKS)
        x[...] = wanted
        x.set_always_mask(always)
        found = ssop.index(x, index)
        assert found.dtype == wanted.dtype and found.shape == wanted[index].shape
        assert np.array_equal(ma.getmaskarray(found), ma.getmaskarray(wanted[index]))
        assert ma.allequal(found, wanted[index])
        assert isinstance(found, ma.MaskedArray) or not always


def contiguous(kind, tmp_path, data):
    """A dataset that was just opened, whose elements lie in one piece."""
    if kind in ("sec2", "core"):
        with h5py.File(tmp_path / "x.h5", "w") as file:
            file.create_dataset("x", data=data)
        return h5py.File(tmp_path / "x.h5", "r", driver=None if kind == "sec2" else kind)["x"]
    with netCDF4.Dataset(tmp_path / "x.nc", "w", format=kind) as file:
        for name, dim in zip("yx", data.shape, strict=True):
            file.createDimension(name, dim)
        file.createVariable("x", data.dtype, ("y", "x"))[...] = data
    return netCDF4.Dataset(tmp_path / "x.nc")["x"]


@pytest.mark.parametrize("block_bytes", [64, chunked.BLOCK_BYTES])
@pytest.mark.parametrize("kind", ["sec2", "core", "NETCDF4", "NETCDF3_CLASSIC"])
@pytest.mark.parametrize("dtype", ["i1", "i4"])
def test_of_one_piece_steps_are_taken_in_memory(tmp_path, monkeypatch, kind, dtype, block_bytes):
    monkeypatch.setattr(chunked, "BLOCK_BYTES", block_bytes)
    dataset, data = contiguous(kind, tmp_path, X.astype(dtype)), X.astype(dtype)
    library = "netCDF4" if kind.startswith("NET") else "h5py"
    walked = 0
    for index in INDICES:
        region = ssop.StridedSliceSpec.from_index(index).resolve(SHAPE)
        walked += chunked.walk_of(library, dataset, region) is not None
        found = ssop.index(dataset, index)
        assert found.dtype == data.dtype and np.array_equal(found, data[index])
    assert walked >= (1 if kind == "NETCDF4" else 3)


def test_a_file_object_is_not_called_for_each_element(counted):
    data = np.arange(300 * 400.0).reshape(300, 400)
    with h5py.File(counted, "w") as made:
        made.create_dataset("x", data=data)
    dataset = h5py.File(counted, "r")["x"]
    first = dataset.id.get_offset()

    def reads(function):
        counted.reads.clear()
        assert np.array_equal(function(), data[index])
        return [(a - first, b - first) for a, b in counted.reads if first <= a < first + data.nbytes]

    index = np.s_[20:200:3, 5:300:2]  # covers 178 rows, of 295 columns each
    assert len(reads(lambda: dataset[index])) == 60 * 148
    found = reads(lambda: ssop.index(dataset, index))
    assert len(found) <= 178 and sum(b - a for a, b in found) <= 178 * 295 * 8
    for a, b in found:
        assert 20 <= a // 3200 < 198 and 5 * 8 <= a % 3200 and a % 3200 + b - a <= 300 * 8
    index = np.s_[::250, :]  # rows that lie far apart are read alone
    assert sum(b - a for a, b in reads(lambda: ssop.index(dataset, index))) == 2 * 3200
    index = np.s_[::250, ::-2]
    assert sum(b - a for a, b in reads(lambda: ssop.index(dataset, index))) <= 2 * 3200


def test_of_one_piece_there_is_one_block_in_memory_beside_the_result(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        dataset = file.create_dataset("x", data=np.full((4000, 4000), 3, "u1"))
        found, peak = with_peak(dataset, np.s_[::-3, ::5])
    assert np.all(found == 3) and peak <= found.nbytes + 1.2 * chunked.BLOCK_BYTES


def test_what_is_not_in_its_place_is_left_to_the_library(tmp_path):
    """Strings of any length, and datasets that are made of others."""
    region = ssop.StridedSliceSpec([0], [9], [2]).resolve([9])
    with h5py.File(tmp_path / "x.h5", "w") as file:
        text = file.create_dataset("text", data=[f"{k}" for k in range(9)])
        layout = h5py.VirtualLayout((9,), "i8")
        layout[:] = h5py.VirtualSource(file.create_dataset("x", data=np.arange(9)))
        virtual = file.create_virtual_dataset("v", layout)
        assert chunked.walk_of("h5py", text, region) is None is chunked.walk_of("h5py", virtual, region)
        assert ssop.index(text, np.s_[::-4]).tolist() == [b"8", b"4", b"0"]
        assert ssop.index(virtual, np.s_[::-4]).tolist() == [8, 4, 0]


@pytest.mark.parametrize("backed", [False, True], ids=["netCDF4", "xarray"])
@pytest.mark.parametrize("index", [np.s_[9:4:-2, 4:8], np.s_[8, 7:3:-1], np.s_[5:10:4, 4:8:3]])
def test_of_netcdf_only_the_chunks_with_elements_are_read(tmp_path, index, backed):
    """All others are damaged: their checksums do not fit."""
    path = tmp_path / "x.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("y", SHAPE[0])
        file.createDimension("x", SHAPE[1])
        file.createVariable("v", "i8", ("y", "x"), fletcher32=True, chunksizes=CHUNKS)[...] = X
    with h5py.File(path, "r") as file:
        infos = [file["v"].id.get_chunk_info(k) for k in range(file["v"].id.get_num_chunks())]
    with open(path, "r+b") as file:
        for info in infos:
            if info.chunk_offset != (5, 4):
                file.seek(info.byte_offset)
                file.write(b"damaged!")
    with xarray.open_dataset(path, engine="netcdf4") if backed else netCDF4.Dataset(path) as file:
        x = file["v"] if backed else file.variables["v"]
        assert np.array_equal(np.asarray(ssop.index(x, index)), X[index])
        with pytest.raises((OSError, RuntimeError)):
            np.asarray(ssop.index(x, np.s_[::-2, 4:8]))
