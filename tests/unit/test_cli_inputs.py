"""Inputs of the command line that are no plain .npy file: archives, pipes, and what nobody could copy."""

import io
import os
import subprocess
import sys
import threading
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from child import LIMIT_SECONDS
from ssop import cli

RUN = [sys.executable, "-m", "ssop", "run"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory with one file, in.npy."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", np.arange(60, dtype=np.int16).reshape(3, 4, 5))
    return tmp_path


def test_a_printed_result_is_not_copied(folder, capsys):
    """A terabyte of zeros that no disk holds: only its corners are read."""
    with open("in.npy", "wb") as file:
        header = {"descr": "|i1", "fortran_order": False, "shape": (2, 2**19, 2**20)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 2**40)
    assert cli.main(["run", "in.npy", "--index", "::-1, ::-1, ::2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-8] == "result[0] =" and lines[-4] == " ..." and lines[-1] == " [0 0 0 ... 0 0 0]]"


def piped(data, *argv):
    """What the command prints of an input that comes through a pipe, in two parts."""
    process = subprocess.Popen([*RUN, *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with suppress(BrokenPipeError):  # it may have ended after an error in the first part
        process.stdin.write(data[:3])
        process.stdin.flush()
        process.stdin.write(data[3:])
    out, err = process.communicate(timeout=LIMIT_SECONDS)
    return process.returncode, out.decode(), err.decode()


def archive(path, **arrays):
    np.savez(path, **arrays)
    return path.read_bytes()


def test_an_npz_file_of_one_array(folder, capsys):
    np.savez_compressed("in.npz", a=np.arange(6).reshape(2, 3))
    assert cli.main(["run", "in.npz", "--index", "1"]) == 0
    assert capsys.readouterr().out.endswith("[3 4 5]\n")


def test_a_member_of_an_npz_file(folder):
    np.savez("in.npz", **{"a": np.arange(6), "b/c": np.arange(5) * 2})
    assert cli.main(["run", "in.npz", "--member", "b/c", "--index", "::-1", "-o", "out.npy"]) == 0
    assert np.load("out.npy").tolist() == [8, 6, 4, 2, 0]


def test_standard_input(folder):
    code, out, err = piped((folder / "in.npy").read_bytes(), "-", "--index", "0, 0")
    assert (code, err) == (0, "") and out.endswith("[0 1 2 3 4]\n")
    npz = archive(folder / "in.npz", a=np.arange(3), b=np.arange(3) * 2)
    code, out, err = piped(npz, "-", "--index", "::-1", "--member", "b")
    assert (code, err) == (0, "") and out.endswith("[4 2 0]\n")


def test_a_named_pipe(folder):
    os.mkfifo("pipe")
    data = (folder / "in.npy").read_bytes()
    writer = threading.Thread(target=lambda: (folder / "pipe").write_bytes(data))
    writer.start()
    assert cli.main(["run", "pipe", "--index", "::-1", "-o", "out.npy"]) == 0
    writer.join()
    assert np.array_equal(np.load("out.npy"), np.load("in.npy")[::-1])


@pytest.mark.parametrize(
    "data, argv, words",
    [
        (b"", [], "standard input: no .npy file that can be read: "),
        (b"no array at all", [], "standard input: no .npy file that can be read: "),
        (b"\x93NUMPY", [], "standard input: no .npy file that can be read: "),
        (b"PK\x03\x04 and no more", [], "standard input: no .npz file that can be read: File is not a zip file"),
        (None, ["--member", "a"], "standard input: --member is for .npz files, and this is none"),
    ],
    ids=["nothing", "text", "cut", "cut archive", "no archive"],
)
def test_bad_standard_input(folder, data, argv, words):
    data = (folder / "in.npy").read_bytes() if data is None else data
    code, out, err = piped(data, "-", "--index", "0", *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"ssop: error: {words}") and err.count("\n") == 1


def test_a_terminal_is_no_input(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert cli.main(["run", "-", "--index", "0"]) == 2
    assert capsys.readouterr().err.startswith("ssop: error: standard input is a terminal: pipe an .npy")


@pytest.mark.parametrize(
    "argv, words",
    [
        (["many.npz", "--index", "0"], "many.npz: this .npz file has 2 arrays; choose one with --member: a, b"),
        (["many.npz", "--index", "0", "--member", "c"], "no array 'c' in this .npz file, which has: a, b"),
        (["objects.npz", "--index", "0"], "objects.npz: a: no .npy file that can be read: Object arrays cannot"),
        (["none.npz", "--index", "0"], "none.npz: this .npz file has no arrays"),
        (["cut.npz", "--index", "0"], "cut.npz: no .npz file that can be read: "),
        (["bad.npz", "--index", "0"], "bad.npz: a: no .npy file that can be read: Bad CRC-32"),
        (["in.npy", "--index", "0", "--member", "a"], "in.npy: --member is for .npz files, and this is none"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_archives(folder, capsys, argv, words):
    whole = archive(folder / "many.npz", a=np.zeros(2), b=np.ones(2))
    np.savez("objects.npz", a=np.array([None]))
    np.savez("none.npz")
    (folder / "cut.npz").write_bytes(whole[:-30])
    (folder / "bad.npz").write_bytes(archive(folder / "bad.npz", a=np.ones(2)).replace(b"\xf0\x3f", b"\xf1\x3f"))
    assert cli.main(["run", *argv]) == 2
    err = capsys.readouterr().err
    assert err.startswith("ssop: error: ") and words in err and err.count("\n") == 1


@pytest.mark.parametrize("method", ["ZIP_STORED", "ZIP_DEFLATED", "ZIP_BZIP2", "ZIP_LZMA"])
def test_a_damaged_member_is_told_with_its_file(tmp_path, capsys, method):
    stream = io.BytesIO()
    np.save(stream, np.arange(1000))
    with zipfile.ZipFile(tmp_path / "in.npz", "w", compression=getattr(zipfile, method)) as archive:
        archive.writestr("a.npy", stream.getvalue())
    content = bytearray((tmp_path / "in.npz").read_bytes())
    content[60:90] = bytes(30)
    (tmp_path / "in.npz").write_bytes(content)
    assert cli.main(["run", str(tmp_path / "in.npz"), "--index", "0"]) == 2
    assert "in.npz: a: no .npy file that can be read: " in capsys.readouterr().err
