"""`ssop run` on zarr arrays, and by several processes."""

import asyncio
import json
import logging
import os
import resource
import socket
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

import dask.distributed
import numpy as np
import pytest
import zarr

import ssop
from arrays.runs import ran, rejected
from child import LIMIT_SECONDS
from ssop.cli import copying, main, outputs

SHAPE, CHUNKS = (23, 17, 11), (5, 4, 3)
DASHBOARD_PORT = 8787  # of dask, unless told otherwise
INDICES = ["...", "3:20:2, ::-1, -2", "[::-3, None, 4, 1:9]", "5:5", "22, 16, 10", "None, ..., ::-7"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(dtype="i4"):
    return np.arange(np.prod(SHAPE), dtype=dtype).reshape(SHAPE)


def store(path="in.zarr", **options):
    x = zarr.create_array(path, shape=SHAPE, dtype="i4", **{"chunks": CHUNKS} | options)
    x[...] = values()
    return x


def taken(index):
    return values()[eval(f"np.s_[{index.strip('[]')}]")]


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- results ---------------------------------------------------------------------------------------------------------

KINDS = {
    "format 3": {},
    "format 2": {"zarr_format": 2},
    "shards": {"shards": (10, 8, 6)},
    "uncompressed": {"compressors": None},
    "other codecs": {"compressors": zarr.codecs.GzipCodec(level=1)},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index", INDICES)
def test_from_zarr_to_zarr(folder, monkeypatch, kind, index):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    source = store(**KINDS[kind])
    ran("in.zarr", "--index", index, "-o", "out.zarr")
    out = zarr.open_array("out.zarr", mode="r")
    assert out.dtype == source.dtype and out.metadata.zarr_format == source.metadata.zarr_format
    assert out.compressors == source.compressors and (out.shards is None) == (source.shards is None or not out.shape)
    assert np.array_equal(out[...], taken(index))
    assert sorted(os.listdir()) == ["in.zarr", "out.zarr"]


@pytest.mark.parametrize("index", INDICES)
def test_between_zarr_and_npy(folder, monkeypatch, index):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    store()
    ran("in.zarr", "--index", index, "-o", "out.npy")
    assert np.array_equal(np.load("out.npy"), taken(index))
    np.save("in.npy", values())
    ran("in.npy", "--index", index, "-o", "back.zarr")
    assert np.array_equal(zarr.open_array("back.zarr")[...], taken(index))


def test_names_of_axes_and_attributes_are_kept(folder):
    store(dimension_names=["t", "y", "x"], attributes={"unit": "K"})
    ran("in.zarr", "--index", "2:9, 0, None, ::-1", "-o", "out.zarr")
    out = zarr.open_array("out.zarr")
    assert out.metadata.dimension_names == ("t", None, "x") and out.attrs.asdict() == {"unit": "K"}
    assert out.chunks == (5, 1, 3)


def test_chunks_can_be_chosen(folder, capsys):
    store()
    ran("in.zarr", "--index", "1", "-o", "out.zarr", "--chunks", "7,11")
    assert zarr.open_array("out.zarr").chunks == (7, 11)
    for chunks in ("7", "0,1"):
        assert "--chunks needs 2 positive sizes" in rejected(
            capsys, "in.zarr", "--index", "1", "-o", "out.zarr", "--chunks", chunks
        )
    assert "name that ends in .zarr" in rejected(capsys, "in.zarr", "--index", "1", "-o", "o.npy", "--chunks", "7,11")
    assert "needs an output" in rejected(capsys, "in.zarr", "--index", "1", "--chunks", "7,11")


def test_a_member_of_a_group(folder, capsys):
    group = zarr.open_group("group.zarr", mode="w")
    for name in ("level0/data", "level1/data"):
        group.create_array(name, shape=(3,), dtype="i2")[...] = [1, 2, 3]
    ran("group.zarr", "--member", "level1/data", "--index", "::-1")
    assert capsys.readouterr().out.endswith("[3 2 1]\n")
    assert "choose one with --member: level0/data, level1/data" in rejected(capsys, "group.zarr", "--index", "0")
    assert "no array 'data'" in rejected(capsys, "group.zarr", "--member", "data", "--index", "0")
    store()
    assert "this is one array" in rejected(capsys, "in.zarr", "--member", "data", "--index", "0")
    zarr.open_group("empty.zarr", mode="w")
    assert "has no arrays" in rejected(capsys, "empty.zarr", "--index", "0")


def test_what_is_printed(folder, capsys):
    store(shards=(10, 8, 6))
    ran("in.zarr", "--index", "5:8, ::-2")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "chunks    100 of (5, 4, 3) in shards of (10, 8, 6), zarr format 3; 20 hold what is taken"
    assert lines[-10] == "result[0] =" and lines[-9:] == np.array2string(values()[5, ::-2]).splitlines()


# ---- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", ["7:9, 4:8, 3:6", "8:6:-1, -10:-14:-1, 5", "7::100, 4, 3::99"])
def test_only_the_chunks_that_are_needed_are_read(folder, index):
    """All others are damaged."""
    store()
    for path in (folder / "in.zarr" / "c").rglob("*"):
        if path.is_file() and path.relative_to(folder / "in.zarr" / "c") != Path("1/1/1"):
            path.write_bytes(b"damaged")
    ran("in.zarr", "--index", index, "-o", "out.npy")
    assert np.array_equal(np.load("out.npy"), taken(index))


def test_a_preview_reads_corners_alone(folder, capsys):
    x = zarr.create_array("in.zarr", shape=(10**6, 10**6), chunks=(1000, 1000), dtype="u1", fill_value=7)
    x[:3, -3:] = 1
    ran("in.zarr", "--index", "::-1")
    out = capsys.readouterr().out
    assert out.endswith("[7 7 7 ... 1 1 1]]\n") and "1,000,000 of (1000, 1000)" in out


def test_a_chunk_that_is_missing_has_the_fill_value(folder):
    store(fill_value=-1)
    (folder / "in.zarr" / "c" / "1" / "1" / "1").unlink()
    ran("in.zarr", "--index", "5:6, 4:8, 3", "-o", "out.npy")
    assert np.load("out.npy").tolist() == [[-1] * 4]


# ---- errors: one line, and nothing half-written ----------------------------------------------------------------------


def test_a_damaged_chunk(folder, capsys):
    store()
    (folder / "in.zarr" / "c" / "4" / "0" / "0").write_bytes(b"damaged")
    outputs_before = []
    for out in ("out.zarr", "out.npy"):
        ran("in.zarr", "--index", "0:4", "-o", out)
        outputs_before.append(content(folder))
        assert "in.zarr: elements [" in rejected(capsys, "in.zarr", "--index", "::2", "-o", out)
        assert content(folder) == outputs_before[-1]


def test_damaged_metadata(folder, capsys):
    store()
    (folder / "in.zarr" / "zarr.json").write_text("{")
    assert "in.zarr: no zarr array that can be read" in rejected(capsys, "in.zarr", "--index", "0")


@pytest.mark.parametrize("dim", [0, 4])
def test_chunks_of_no_elements(folder, capsys, dim):
    zarr.create_array("in.zarr", shape=(dim,), chunks=(4,), dtype="i4", zarr_format=2)
    metadata = folder / "in.zarr" / ".zarray"
    metadata.write_text(json.dumps(json.loads(metadata.read_text()) | {"chunks": [0]}))
    assert "no zarr array that can be read: chunks of shape (0,)" in rejected(capsys, "in.zarr", "--index", ":")


def test_outputs_that_are_not_replaced(folder, capsys):
    store()
    (folder / "folder.zarr").mkdir()
    (folder / "folder.zarr" / "kept").write_text("")
    (folder / "file.zarr").write_text("")
    zarr.open_group("group.zarr", mode="w").create_array("a", shape=(3,), dtype="i2")
    for name in ("folder.zarr", "file.zarr", "group.zarr"):
        before = content(folder)
        assert f"{name}: there is something else" in rejected(capsys, "in.zarr", "--index", "0", "-o", name)
        assert content(folder) == before
    ran("in.zarr", "--index", "0", "-o", "out.zarr")
    (folder / "out.zarr").chmod(0o555)
    assert "out.zarr: this directory is read-only" in rejected(capsys, "in.zarr", "--index", "1", "-o", "out.zarr")


def test_out_may_exist_and_may_be_in(folder):
    store()
    for index in ("1:", "::-1"):
        ran("in.zarr", "--index", index, "-o", "in.zarr")
    assert np.array_equal(zarr.open_array("in.zarr")[...], values()[1:][::-1])
    assert os.listdir() == ["in.zarr"]


@pytest.mark.parametrize("way", ["an exchange", "two renames"])
def test_a_rename_that_fails_leaves_out_as_it_was(folder, monkeypatch, capsys, way):
    store()
    before, rename, renamed = content(folder), os.rename, []

    def failing(old, new):
        renamed.append(new)
        if len(renamed) == 2 or way == "an exchange":  # the first rename moves the old store away
            raise OSError(28, "No space left on device")
        rename(old, new)

    if way == "an exchange":
        monkeypatch.setattr(outputs.exchanges, "exchange", failing)
    else:
        monkeypatch.setattr(outputs.exchanges, "exchange", lambda *paths: False)
        monkeypatch.setattr(outputs.os, "rename", failing)
    assert "in.zarr: No space left on device" in rejected(capsys, "in.zarr", "--index", "0", "-o", "in.zarr")
    assert content(folder) == before


def test_ctrl_c(folder, monkeypatch):
    store()
    ran("in.zarr", "--index", "0", "-o", "out.zarr")
    before = content(folder)

    def interrupted(x):
        raise KeyboardInterrupt

    monkeypatch.setattr(ssop, "copy", interrupted)
    assert main(["run", "in.zarr", "--index", "1", "-o", "out.zarr"]) == 130
    assert content(folder) == before


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_disk(folder, workers):
    """Files may not become larger than 10,000 bytes; the one chunk is."""
    store(chunks=SHAPE, compressors=None)
    ran("in.zarr", "--index", "0", "-o", "out.zarr")
    before = content(folder)
    argv = [sys.executable, "-m", "ssop", "run", "in.zarr", "--index", "::-1", "--workers", workers, "-o"]
    limits = (10_000, 10_000)
    for out in ("out.zarr", "out.npy"):
        done = subprocess.run(
            [*argv, out],
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
        )
        assert (done.returncode, done.stderr) == (2, f"ssop: error: {out}: File too large\n")
        assert content(folder) == before


def test_a_disk_that_is_full_after_some_chunks(folder, monkeypatch, capsys):
    store()
    ran("in.zarr", "--index", "0", "-o", "out.zarr")
    before, setter, written = content(folder), zarr.storage.LocalStore.set, []

    def write_late(path):
        """After the error: threads cannot be cancelled."""
        time.sleep(0.03)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"late")

    async def limited(self, key, value):
        if "/c/" in f"/{key}":
            written.append(key)
            if len(written) > 20:
                raise OSError(28, "No space left on device")
            if len(written) > 10:
                await asyncio.to_thread(write_late, self.root / key)
        await setter(self, key, value)

    monkeypatch.setattr(zarr.storage.LocalStore, "set", limited)
    assert "out.zarr: No space left on device" in rejected(capsys, "in.zarr", "--index", "::-1", "-o", "out.zarr")
    time.sleep(0.1)
    assert len(written) > 20 and content(folder) == before


def test_zarr_that_is_not_installed(folder, capsys, monkeypatch):
    store()
    monkeypatch.setitem(sys.modules, "zarr", None)
    assert "pip install zarr" in rejected(capsys, "in.zarr", "--index", "0")


# ---- several processes -----------------------------------------------------------------------------------------------


def test_workers(folder, monkeypatch):
    monkeypatch.setattr(copying, "STORE_BYTES", 2000)
    store()
    ran("in.zarr", "--index", "::-1, 1::2", "-o", "out.zarr", "--workers", "2")
    assert np.array_equal(zarr.open_array("out.zarr")[...], values()[::-1, 1::2])
    ran("out.zarr", "--index", "1", "-o", "out.npy", "--workers", "2")
    assert np.array_equal(np.load("out.npy"), values()[::-1, 1::2][1])


def test_workers_of_bad_input(folder, capsys):
    np.savez("in.npz", a=values())
    store()
    (folder / "in.zarr" / "c" / "4" / "0" / "0").write_bytes(b"damaged")
    before = content(folder)
    for path, workers, words in [
        ("in.npz", "2", "read as a whole"),
        ("in.zarr", "0", "--workers needs a positive number"),
        ("in.zarr", "2", "in.zarr: elements ["),
    ]:
        assert words in rejected(capsys, path, "--index", "::2", "-o", "out.zarr", "--workers", workers)
        assert content(folder) == before
    assert "needs an output" in rejected(capsys, "in.zarr", "--index", "0", "--workers", "2")


MORTAL = """
import os
import sys
from pathlib import Path
from ssop.cli import copying, main

class Job(copying.Job):
    def copy(self, first, last):
        try:
            Path("died").touch(exist_ok={always})
        except FileExistsError:
            return super().copy(first, last)
        os.kill(os.getpid(), 9)

if __name__ == "__main__":
    copying.Job, copying.STORE_BYTES = Job, 2000
    sys.exit(main(["run", "in.zarr", "--index", "::-1, 1:", "-o", "out.zarr", "--workers", "2"]))
"""


def run_mortal(*, always):
    """Copy by workers of which the first one dies, or all of them."""
    Path("mortal.py").write_text(MORTAL.format(always=always))
    environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    argv = [sys.executable, "mortal.py"]
    return subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment)


def test_a_worker_that_is_killed_costs_nothing_but_time(folder):
    store()
    done = run_mortal(always=False)
    assert done.returncode == 0, done.stderr
    assert Path("died").exists() and np.array_equal(zarr.open_array("out.zarr")[...], values()[::-1, 1:])


def test_workers_that_are_killed_again_and_again(folder):
    store()
    ran("in.zarr", "--index", "0", "-o", "out.zarr")
    before = content(folder)
    done = run_mortal(always=True)
    assert done.returncode == 2
    message = "ssop: error: worker processes were killed again and again: too little memory, perhaps"
    assert message in done.stderr.splitlines()  # beside what the processes themselves may write as they die
    for name in ("died", "mortal.py"):
        Path(name).unlink()
    assert content(folder) == before


def test_an_error_of_the_clusters_close_does_not_hide_the_outcome(folder, capsys, monkeypatch):
    """As when a killed worker is just being started again: close() raised what dask's connections say, and a
    connection wrote a line of its log after that."""

    logged = []

    class Cluster(dask.distributed.LocalCluster):
        def close(self, timeout=None):
            super().close(timeout)
            logged.append(logging.getLogger("distributed.core").isEnabledFor(logging.ERROR))
            raise RuntimeError("ConnectionPool is closed")

    monkeypatch.setattr(dask.distributed, "LocalCluster", Cluster)
    store()
    ran("in.zarr", "--index", "::2", "-o", "out.zarr", "--workers", "2")
    assert np.array_equal(zarr.open_array("out.zarr")[...], values()[::2])
    (folder / "in.zarr" / "c" / "4" / "0" / "0").write_bytes(b"damaged")
    assert "in.zarr: elements [" in rejected(capsys, "in.zarr", "--index", "::2", "-o", "out.zarr", "--workers", "2")
    assert logged and not any(logged)


def test_clusters_beside_others(folder):
    """No warning where the port that dask's scheduler would take is in use."""
    store()
    with socket.socket() as holder, warnings.catch_warnings():
        with suppress(OSError):  # another process holds it already
            holder.bind(("", DASHBOARD_PORT))
            holder.listen()
        warnings.simplefilter("error")
        ran("in.zarr", "--index", "::2", "-o", "out.zarr", "--workers", "2")


# ---- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_memory_stays_bounded(folder):
    """2 GiB, which are not stored since they have the fill value."""
    zarr.create_array("in.zarr", shape=(2**11, 2**10, 2**10), chunks=(2**7, 2**7, 2**7), dtype="u1")
    argv = ["run", "in.zarr", "--index", "::-1, 1:, ::2", "-o", "out.zarr"]
    script = (
        f"import resource, sys; from ssop.cli import main; assert main({argv}) == 0; print(resource.getrusage(0)[2])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) < 800 * 2**10  # KiB
