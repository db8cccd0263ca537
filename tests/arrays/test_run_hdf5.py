"""`ssop run` from and to HDF5 files."""

import os
import resource
import subprocess
import sys

import h5py
import numpy as np
import pytest
import zarr

from arrays.runs import ran, rejected
from child import LIMIT_SECONDS
from ssop.cli import copying

SHAPE, CHUNKS = (23, 17, 11), (5, 4, 3)
X = np.arange(np.prod(SHAPE), dtype="i4").reshape(SHAPE)
INDICES = ["...", "3:20:2, ::-1, -2", "[::-3, None, 4, 1:9]", "5:5", "22, 16, 10", "None, ..., ::-7"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(path="in.h5", **options):
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("run/depth", data=X, **{"chunks": CHUNKS} | options)
        dataset.attrs["unit"] = "m"


def read(path, name):
    with h5py.File(path, "r") as file:
        return file[name][...]


def taken(index):
    return X[eval(f"np.s_[{index.strip('[]')}]")]


KINDS = {
    "chunks": {},
    "gzip": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "one piece": {"chunks": None},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index", INDICES)
def test_from_hdf5_to_hdf5(folder, monkeypatch, kind, index):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    made(**KINDS[kind])
    ran("in.h5", "--member", "/run/depth", "--index", index, "-o", "out.h5")
    with h5py.File("out.h5", "r") as file:
        out = file["run/depth"]
        assert out.dtype == X.dtype and dict(out.attrs) == {"unit": "m"}
        assert np.array_equal(out[...], taken(index))
        if out.chunks is not None:
            assert out.compression == KINDS[kind].get("compression") and out.fletcher32 == (kind == "gzip")
        assert (out.chunks is None) == (kind == "one piece" or not out.shape or 0 in out.shape)
    assert sorted(os.listdir()) == ["in.h5", "out.h5"]


@pytest.mark.parametrize("index", INDICES)
def test_between_hdf5_and_others(folder, monkeypatch, index):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    made()
    ran("in.h5", "--index", index, "-o", "out.npy")
    assert np.array_equal(np.load("out.npy"), taken(index))
    ran("in.h5", "--index", index, "-o", "out.zarr")
    assert np.array_equal(zarr.open_array("out.zarr", mode="r")[...], taken(index))
    ran("out.zarr", "--index", "...", "-o", "back.h5")
    assert np.array_equal(read("back.h5", "data"), taken(index))
    np.save("in.npy", X)
    ran("in.npy", "--index", index, "-o", "back.h5", *(["--chunks", "7"] if taken(index).ndim == 1 else []))
    assert np.array_equal(read("back.h5", "data"), taken(index))


def test_what_is_printed(folder, capsys):
    made(compression="gzip")
    ran("in.h5", "--index", "5:8, ::-2")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "chunks    100 of (5, 4, 3), gzip, HDF5; 20 hold what is taken"
    assert lines[-9:] == np.array2string(X[5, ::-2]).splitlines()


def test_members(folder, capsys):
    made()
    with h5py.File("in.h5", "r+") as file:
        file["other"] = [1, 2]
        file["nothing"] = h5py.Empty("i4")
    assert "choose one with --member: nothing, other, run/depth" in rejected(capsys, "in.h5", "--index", "0")
    assert "no array 'depth'" in rejected(capsys, "in.h5", "--member", "depth", "--index", "0")
    assert "has no elements" in rejected(capsys, "in.h5", "--member", "nothing", "--index", "...")
    ran("in.h5", "--member", "other", "--index", "::-1")
    assert capsys.readouterr().out.endswith("[2 1]\n")


def test_chunks_that_are_not_needed_are_not_read(folder):
    """All others are damaged: their checksums do not fit."""
    made(fletcher32=True)
    with h5py.File("in.h5", "r") as file:
        dataset = file["run/depth"]
        infos = [dataset.id.get_chunk_info(k) for k in range(dataset.id.get_num_chunks())]
    with open("in.h5", "r+b") as file:
        for info in infos:
            if info.chunk_offset not in ((5, 4, 3), (5, 12, 3)):
                file.seek(info.byte_offset)
                file.write(b"damaged!")
    for index in ("7:9, 4:8, 3:6", "8:6:-1, 14:3:-9, 5"):
        ran("in.h5", "--index", index, "-o", "out.npy")
        assert np.array_equal(np.load("out.npy"), taken(index))


def test_damaged_files(folder, capsys):
    made(fletcher32=True)
    with h5py.File("in.h5", "r") as file:
        place = file["run/depth"].id.get_chunk_info(0).byte_offset
    with open("in.h5", "r+b") as file:
        file.seek(place)
        file.write(b"damaged!")
    ran("in.h5", "--index", "9:0:-1, 4:, 3:", "-o", "out.h5")
    kept = (folder / "out.h5").read_bytes()
    assert "in.h5: elements [0:23, 0:17, 0:11] cannot be read" in rejected(
        capsys, "in.h5", "--index", "...", "-o", "out.h5"
    )
    assert (folder / "out.h5").read_bytes() == kept and sorted(os.listdir()) == ["in.h5", "out.h5"]
    (folder / "cut.h5").write_bytes((folder / "in.h5").read_bytes()[:100])
    assert "no HDF5 file that can be read" in rejected(capsys, "cut.h5", "--index", "...")


def test_outputs_that_are_not_replaced(folder, capsys):
    made()
    np.save("x.npy", X)
    made("two.h5")
    with h5py.File("two.h5", "r+") as file:
        file["other"] = [1]
    (folder / "text.h5").write_text("notes")
    for name in ("two.h5", "text.h5"):
        before = (folder / name).read_bytes()
        assert "something else than one HDF5 dataset" in rejected(capsys, "x.npy", "--index", "0", "-o", name)
        assert (folder / name).read_bytes() == before
    assert "one process alone" in rejected(capsys, "in.h5", "--index", "0", "-o", "o.h5", "--workers", "2")
    assert "--chunks needs 2 positive" in rejected(capsys, "x.npy", "--index", "0", "-o", "o.h5", "--chunks", "3")
    np.save("when.npy", np.zeros(3, "M8[s]"))
    assert "cannot hold an array of datetime64" in rejected(capsys, "when.npy", "--index", "...", "-o", "o.h5")


def test_h5py_that_is_not_installed(folder, capsys, monkeypatch):
    made()
    np.save("x.npy", X)
    monkeypatch.setitem(sys.modules, "h5py", None)
    assert "pip install h5py" in rejected(capsys, "in.h5", "--index", "0")
    assert "pip install h5py" in rejected(capsys, "x.npy", "--index", "0", "-o", "out.h5")
    assert sorted(os.listdir()) == ["in.h5", "x.npy"]


def test_out_may_be_in(folder):
    made()
    ran("in.h5", "--index", "::-2", "-o", "in.h5")
    assert np.array_equal(read("in.h5", "run/depth"), X[::-2])


def test_several_processes_read_one_file(folder, monkeypatch):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    made()
    ran("in.h5", "--index", "::-3, ::2", "-o", "out.zarr", "--workers", "2")
    assert np.array_equal(zarr.open_array("out.zarr", mode="r")[...], X[::-3, ::2])


def test_memory_stays_bounded(folder):
    """1 GiB of zeros in chunks of 8 MiB, of which no file has any, through a process of 700 MiB."""
    with h5py.File("in.h5", "w") as file:
        file.create_dataset("x", shape=(2**15, 2**15), dtype="u1", chunks=(2**10, 2**13), compression="gzip")
    limit = 700 * 2**20

    def limited():
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    argv = ["run", "in.h5", "--index", "::-1, ::-1", "-o", "out.h5"]
    code = f"import sys, ssop.cli; sys.exit(ssop.cli.main({argv}))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_SECONDS, preexec_fn=limited
    )
    assert done.returncode == 0, done.stderr
    with h5py.File("out.h5", "r") as file:
        assert file["x"].shape == (2**15, 2**15) and file["x"].compression == "gzip"
