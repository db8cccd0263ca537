"""Texts that commands read, which may never end, and texts that they write, which are whole or as they were."""

import errno
import io
import json
import os
import shutil
import sys

import pytest

from ssop import _files, _policies, cli
from ssop.cli import stablehlo
from ssop.testing import vectors
from unit.test_bench_files import a_run

COMMANDS = {
    "certificate": ["convert", "--check"],
    "results": ["bench", "--render"],
    "floors": ["bench", "--quick", "--sizes", "tiny", "--targets"],
    "program": ["stablehlo", "run"],
}


@pytest.fixture(params=COMMANDS)
def reading(request, capsys):
    """Runs a command on a file, and gives the line that it says."""

    def said(path):
        assert cli.main([*COMMANDS[request.param], str(path)]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        return err

    return said


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_devices_and_folders_are_no_files(reading, tmp_path):
    assert "/dev/zero: it is no regular file" in reading("/dev/zero")
    assert f"{tmp_path}: Is a directory" in reading(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_without_a_writer_is_empty(reading, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "error" in reading(tmp_path / "pipe")


def test_files_that_are_too_long_are_told(tmp_path):
    (tmp_path / "a").write_text("äb", encoding="utf-8")
    assert _files.read_text(tmp_path / "a", 3) == "äb"
    with pytest.raises(OSError, match="it has more than 2 bytes"):
        _files.read_text(tmp_path / "a", 2)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_is_read_as_far_as_it_may_be_long():
    reader, writer = os.pipe()
    os.write(writer, b"x" * 1000)
    with pytest.raises(OSError, match="it has more than 100 bytes"):
        _files.read_text(f"/dev/fd/{reader}", 100)
    os.write(writer, b"{}")
    os.close(writer)
    assert _files.read_text(f"/dev/fd/{reader}").endswith("{}")
    os.close(reader)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_corpus_and_a_tuned_file_may_be_devices(tmp_path, capsys):
    (tmp_path / "a.json").symlink_to("/dev/zero")
    assert cli.main(["difftest", "--replay", str(tmp_path)]) == 2
    assert "a.json: it is no regular file" in capsys.readouterr().err
    assert "it is no regular file" in _policies.read_tuned("/dev/zero").state


def test_a_program_on_standard_input_is_bounded(monkeypatch, capsys):
    monkeypatch.setattr(stablehlo, "MAX_PROGRAM", 10)
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * 20))
    assert cli.main(["stablehlo", "run", "-"]) == 2
    assert "standard input has more than 10 characters" in capsys.readouterr().err


def test_outputs_are_whole_or_as_they_were(monkeypatch, tmp_path, capsys):
    """A page, results and vectors are written beside their place; here the disk is full at the end."""
    results = tmp_path / "r.json"
    monkeypatch.setattr(vectors.Reference, "ops", dict([next(iter(vectors.Reference.ops.items()))]))
    (op,) = vectors.Reference.ops
    writers = {
        "page.html": lambda path: cli.main(["explore", "-o", str(path)]),
        "all.json": lambda path: cli.main(["bench", "--render", str(results), "--json", str(path)]),
        f"{op}.jsonl": lambda path: cli.main(["vectors", str(path.parent)]),
    }
    results.write_text(json.dumps(a_run("one", "reverse", "1 B ::-1", [10])))

    replaced = []

    def full(source, target):
        replaced.append(target)
        raise OSError(errno.ENOSPC, "No space left on device")

    for name, write in writers.items():
        folder = tmp_path / "out"
        folder.mkdir()
        assert write(folder / name) == 0 and len(whole := (folder / name).read_bytes()) > 1_000
        with monkeypatch.context() as patched:
            patched.setattr("os.replace", full)
            assert write(folder / name) == 2 and replaced.pop() == str(folder / name) and not replaced
        assert [path.name for path in folder.iterdir()] == [name] and (folder / name).read_bytes() == whole
        shutil.rmtree(folder)
        assert name.endswith(".jsonl") or write(folder / name) == 2
    assert f"{tmp_path / 'out' / 'all.json'}: No such file or directory" in capsys.readouterr().err
