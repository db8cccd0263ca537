"""`ssop run` on files and stores that name other files, run code, or are damaged where a library says so late."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numcodecs
import numpy as np
import pytest
import zarr

from arrays.runs import ran, rejected
from child import LIMIT_SECONDS
from ssop.cli import main, outputs, zarr_stores

OUTPUTS = ["o.npy", "o.zarr", "o.h5"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rejected_by_child(*argv):
    """What a command in a process of its own says: a crash or a hang would take this one along."""
    command = [sys.executable, "-m", "ssop", "run", *argv]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 2 and done.stderr.startswith("ssop: error: "), done.stderr
    return done.stderr


# ---- HDF5 ------------------------------------------------------------------------------------------------------------


def plain(path):
    Path(path).parent.mkdir(exist_ok=True)
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(10.0)


def virtual(path, source, member="x"):
    with h5py.File(path, "a") as file:
        layout = h5py.VirtualLayout((10,), "f8")
        layout[:] = h5py.VirtualSource(source, member, (10,))
        file.create_virtual_dataset("v", layout)


def test_elements_in_another_file_are_not_read(folder, capsys):
    (folder / "secret").write_bytes(bytes(100))
    os.mkfifo("pipe")
    for name in ("secret", str(folder / "secret"), "/dev/zero", "pipe"):
        with h5py.File("in.h5", "w") as file:
            file.create_dataset("x", (64,), "u1", external=[(name, 0, 64)])
        said = rejected(capsys, "in.h5", "--index", "...", "-o", "o.npy")
        assert f"in.h5: x cannot be read: its elements are raw bytes of another file, {name}" in said
    assert not os.path.exists("o.npy")


def test_virtual_datasets_of_files_beside_and_below(folder, capsys):
    for source in ("source.h5", "below/source.h5", str(folder / "source.h5")):
        plain(source)
        virtual("in.h5", source)
        ran("in.h5", "--index", "::-3")
        assert capsys.readouterr().out.endswith("[9. 6. 3. 0.]\n")
        os.unlink("in.h5")
    plain("in.h5")
    virtual("in.h5", ".")
    ran("in.h5", "--member", "v", "--index", "::-3")
    assert capsys.readouterr().out.endswith("[9. 6. 3. 0.]\n")


def linked(path):
    plain(path)
    with h5py.File(path, "a") as file:
        file["soft"] = h5py.SoftLink("/x")
        file["away"] = h5py.ExternalLink("/dev/zero", "/x")


SOURCES = {
    "above": ("../source.h5", "x", "is not in the folder of the file or below it"),
    "absolute": ("/etc/passwd", "x", "is not in the folder of the file or below it"),
    "behind a link": ("link.h5", "x", "is not in the folder of the file or below it"),
    "missing": ("none.h5", "x", "is not there"),
    "a pipe": ("pipe", "x", "is no regular file"),
    "no HDF5": ("text", "x", "Unable to"),
    "a soft link": ("linked.h5", "soft", "is not there, or behind a link"),
    "a link out": ("linked.h5", "away", "is not there, or behind a link"),
    "itself": (".", "v", "has its elements elsewhere, too"),
    "a cycle": ("in.h5", "v", "has its elements elsewhere, too"),
    "a group": (".", "/", "is no dataset"),
    "a pattern": ("source%%.h5", "x", "is a pattern, by which HDF5 finds other names"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_virtual_datasets_of_other_files(folder, source):
    """HDF5 itself reads files anywhere, fills in what is missing, waits for pipes, and crashes on cycles."""
    os.mkfifo("pipe")
    os.symlink("/dev/zero", "link.h5")
    (folder / "text").write_text("no HDF5")
    linked("linked.h5")
    plain("source%%.h5")
    os.symlink("/dev/zero", "source%.h5")
    name, member, why = SOURCES[source]
    virtual("in.h5", name, member)
    said = rejected_by_child("in.h5", "--index", "...", "-o", "o.npy")
    assert "in.h5: v cannot be read: " in said and why in said


def test_sources_beside_a_link_to_a_virtual_dataset(folder, capsys):
    """HDF5 looks beside the link first, where another file may have the name of a source."""
    for name in ("secret", "inside/source"):
        plain(f"{name}.h5")
    with h5py.File("secret.h5", "a") as file:
        file["x"][:] = 1000
    virtual("inside/in.h5", "source.h5")
    os.mkdir("links")
    os.symlink("../inside/in.h5", "links/in.h5")
    os.symlink("../secret.h5", "links/source.h5")
    ran("links/in.h5", "--index", "::-3")
    assert capsys.readouterr().out.endswith("[9. 6. 3. 0.]\n")


def test_names_that_are_no_text(capsys):
    with h5py.File("in.h5", "w") as file:
        file[b"a\xff"] = np.arange(4)
    ran("in.h5", "--index", "::-2")
    assert capsys.readouterr().out.endswith("[3 1]\n")
    for out in OUTPUTS:
        ran("in.h5", "--index", "::-2", "-o", out)


def test_damaged_attributes(folder, capsys):
    """An output that keeps attributes says so, and others are written."""
    with h5py.File("in.h5", "w") as file:
        file.create_dataset("x", data=np.arange(4)).attrs["unit"] = np.int32(7)
    content = (folder / "in.h5").read_bytes()
    place = content.index(b"unit\0") + 8  # of the type: its class, its bits, its size
    damaged = content[:place] + b"\x10\x08\0\0\xff\xff\xff\xff" + content[place + 8 :]
    (folder / "in.h5").write_bytes(damaged)
    assert "the attributes of /x cannot be read" in rejected(capsys, "in.h5", "--index", "...", "-o", "o.h5")
    ran("in.h5", "--index", "...", "-o", "o.npy")


def test_types_that_numpy_has_not(capsys):
    with h5py.File("in.h5", "w") as file:
        space = h5py.h5s.create_simple((4,))
        h5py.h5d.create(file.id, b"x", h5py.h5t.UNIX_D32LE, space)
    for out in OUTPUTS:
        assert "in.h5: x cannot be read: " in rejected(capsys, "in.h5", "--index", "...", "-o", out)


# ---- zarr ------------------------------------------------------------------------------------------------------------


def store(name="in.zarr", zarr_format=3, shape=(8,), **changed):
    options = {"chunks": [min(4, dim) for dim in shape], "zarr_format": zarr_format, "compressors": None}
    array = zarr.create_array(name, shape=shape, dtype="u1", **options)
    if len(shape) == 1:
        array[...] = 7
    metadata = Path(name, "zarr.json" if zarr_format == 3 else ".zarray")
    metadata.write_text(json.dumps(json.loads(metadata.read_text()) | changed))


class Code:
    def __reduce__(self):
        return os.mkdir, ("ran",)


@pytest.mark.parametrize("slot", ["filters", "compressor"])
def test_chunks_that_are_pickles_run_nothing(folder, capsys, monkeypatch, slot):
    """Also by a numcodecs that loads them, as all before 0.17 do."""
    monkeypatch.setattr(numcodecs.pickles, "ALLOW_UNSAFE_PICKLE_DECODE", True, raising=False)
    codecs = {"filters": [{"id": "vlen-utf8"}], "compressor": None}
    pickles = {"id": "pickle", "protocol": 2}
    codecs[slot] = [*codecs["filters"], pickles] if slot == "filters" else pickles
    store(zarr_format=2, dtype="|O", fill_value="", **codecs)
    (folder / "in.zarr" / "0").write_bytes(pickle.dumps(Code()))
    for out in [[], *(["-o", name] for name in OUTPUTS)]:
        assert "in.zarr: its chunks are pickles" in rejected(capsys, "in.zarr", "--index", "...", *out)
    assert os.listdir() == ["in.zarr"]


@pytest.mark.parametrize("key", ["c/0", "zarr.json"])
@pytest.mark.parametrize("leads_to", ["a file", "a device", "a pipe"])
@pytest.mark.parametrize("scheme", ["", "file://", "local://"])
def test_links_out_of_a_store(folder, key, leads_to, scheme):
    store()
    place = folder / "in.zarr" / key
    (folder / "secret").write_bytes(place.read_bytes())
    place.unlink()
    if leads_to == "a pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(folder / "secret" if leads_to == "a file" else "/dev/zero")
    said = rejected_by_child(f"{scheme}{folder / 'in.zarr'}", "--index", "...", "-o", "o.npy")
    assert f"{key} {'is no regular file' if leads_to == 'a pipe' else 'leads out of the store'}" in said
    assert not os.path.exists("o.npy")


def test_links_within_a_store_and_to_it(folder, capsys):
    store()
    (folder / "in.zarr" / "c" / "1").unlink()
    (folder / "in.zarr" / "c" / "1").symlink_to("0")
    (folder / "other.zarr").symlink_to("in.zarr")
    ran("other.zarr", "--index", "::3")
    assert capsys.readouterr().out.endswith("[7 7 7]\n")


@pytest.mark.parametrize("attributes", [-1, 1.5, True, [1]])
def test_attributes_that_are_no_mapping(capsys, attributes):
    store(attributes=attributes)
    assert "zarr cannot hold the result" in rejected(capsys, "in.zarr", "--index", "...", "-o", "o.zarr")
    assert os.listdir() == ["in.zarr"]


def test_boxes_that_a_library_cannot_write():
    class Output:
        def __setitem__(self, box, part):
            raise NotImplementedError("33 axes")

    with pytest.raises(ValueError, match="a box of shape .2,. cannot be written: NotImplementedError: 33 axes"):
        outputs.put(Output(), (slice(0, 2),), np.zeros(2))


def test_sizes_that_a_library_has_not(capsys):
    store(shape=(1,) * 33, chunk_grid={"name": "regular", "configuration": {"chunk_shape": [1] * 33}})
    code = main(["run", "in.zarr", "--index", "...", "-o", "o.zarr"])  # some versions of zarr write 33 axes
    said = capsys.readouterr().err
    assert (code, said) == (0, "") or (code == 2 and "cannot be written" in said and said.count("\n") == 1)
    shutil.rmtree("o.zarr", ignore_errors=True)
    store("large.zarr", zarr_format=2, dtype="|S99999999999", fill_value=None)
    for out in OUTPUTS:
        assert "no zarr array that can be read" in rejected(capsys, "large.zarr", "--index", "...", "-o", out)
    assert sorted(os.listdir()) == ["in.zarr", "large.zarr"]


# ---- URLs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["github://x.zarr", "dir://x.zarr", "reference://x.zarr", "no-such://x.zarr"])
def test_urls_that_lack_what_their_protocol_needs(folder, capsys, url):
    """Report: a TypeError of fsspec, as an error inside ssop."""
    np.save("in.npy", np.arange(4))
    rejected(capsys, url, "--index", "0")
    rejected(capsys, "in.npy", "--index", "0", "-o", url)


def test_an_output_on_a_server_that_cannot_say_what_is_there(folder, capsys, monkeypatch):
    class Server:
        def exists(self, path):
            raise RuntimeError("no credentials")

    np.save("in.npy", np.arange(4))
    monkeypatch.setattr(zarr_stores, "_file_system", lambda url: (Server(), "x.zarr"))
    said = rejected(capsys, "in.npy", "--index", "0", "-o", "s3://bucket/x.zarr")
    assert said == "ssop: error: s3://bucket/x.zarr: RuntimeError: no credentials\n"
