"""Unfinished outputs in folders where others write, too (attack of 2026-11-28): what is theirs, and who may read."""

import os
import secrets
import stat
import subprocess
import sys

import numpy as np
import pytest

import child
from ssop import _temporaries
from ssop._whole_files import write_whole
from ssop.cli import main, outputs


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", np.arange(6))
    return tmp_path


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


# ---- what has such a name, and was not made by a run of this user ----------------------------------------------------


def link(to):
    return lambda path: os.symlink(to, path)


OTHERS = {
    "a pipe": (".ssop-0.npy", os.mkfifo),
    "a link to a folder": (".ssop-0.old", link("mine")),
    "a link to a folder, as a store": (".ssop-0.zarr", link("mine")),
    "a link to a file": (".ssop-0.npy", link("in.npy")),
    "a folder": (".ssop-0.h5", os.mkdir),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_others_made_is_left_alone(folder, kind):
    """Report: a run waited for the pipe without end, and moved a file out of the folder behind a link."""
    name, make = OTHERS[kind]
    os.mkdir("mine")
    (folder / "mine" / "letter").write_text("dear")
    make(name)
    command = [sys.executable, "-m", "ssop", "run", "in.npy", "--index", "0", "-o", "out.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=child.LIMIT_SECONDS)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir()) == sorted([name, "in.npy", "mine", "out.npy"]) and os.listdir("mine") == ["letter"]


def test_what_another_user_left_is_left_alone(folder, monkeypatch, capsys):
    (folder / ".ssop-0.npy").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.stat("in.npy").st_uid + 1)
    with _temporaries.unfinished(str(folder), ".npy"):
        assert os.path.exists(".ssop-0.npy")
    assert capsys.readouterr().err == ""


def test_names_of_leftovers_do_not_steer_the_terminal(folder, capsys):
    (folder / ".ssop-\x1b[2J.npy").touch()
    (folder / ".ssop-0.old").mkdir()
    (folder / ".ssop-0.old" / "a\x1b[2J.zarr").touch()
    with _temporaries.unfinished(str(folder), ".npy"):
        pass
    told = capsys.readouterr().err
    assert told.count("\n") == 2 and "\x1b" not in told and told.count(r"\x1b[2J") == 2


@pytest.mark.parametrize("suffix", [".npy", ".zarr", _temporaries.ASIDE])
def test_a_name_that_another_has_is_not_taken_from_him(folder, monkeypatch, suffix):
    """Report: what had the drawn name was removed."""
    names = iter(["taken", "free"])
    monkeypatch.setattr(secrets, "token_hex", lambda size: next(names))
    os.symlink("nowhere", f".ssop-taken{suffix}")
    with _temporaries.unfinished("", suffix) as path:
        assert path == f".ssop-free{suffix}"
    assert os.path.islink(f".ssop-taken{suffix}") and not os.path.exists(path)


# ---- who may read what is unfinished, and what replaces another ------------------------------------------------------


def test_who_may_not_read_an_output_may_not_read_it_unfinished(folder):
    (folder / "out.npy").touch(0o600)
    with outputs.replaced("out.npy") as temporary:
        assert mode(temporary) == 0o600
        (folder / temporary).write_text("new")
    assert mode("out.npy") == 0o600 and (folder / "out.npy").read_text() == "new"


@pytest.mark.parametrize("bits", [0o700, 0o750])
def test_a_store_keeps_the_mode_of_the_one_that_it_replaces(folder, bits):
    """Report: the folder that replaced a private one could be entered by all."""
    os.mkdir("out.zarr", bits)
    with outputs.replaced("out.zarr") as temporary:
        assert mode(temporary) & ~bits == 0
        (folder / temporary / "zarr.json").write_text("new")
    assert mode("out.zarr") == bits and os.listdir("out.zarr") == ["zarr.json"]


def test_what_is_on_its_way_to_a_pipe_is_private(capfdbinary):
    with outputs.printed() as temporary:
        assert mode(temporary) == 0o600
    assert not os.path.exists(temporary)


def test_a_report_keeps_the_mode_of_the_one_that_it_replaces(folder):
    (folder / "report").touch(0o600)
    write_whole("report", b"new")
    assert mode("report") == 0o600 and (folder / "report").read_bytes() == b"new"


def test_a_report_that_this_user_may_not_write_is_not_replaced(folder, monkeypatch, capsys):
    (folder / "page.html").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: os.path.isdir(path))
    assert main(["explore", "-o", "page.html"]) == 2
    assert capsys.readouterr().err == "ssop: error: page.html: Permission denied\n"
    assert (folder / "page.html").read_text() == "old"


def test_what_a_report_has_left_is_removed(folder, capsys):
    (folder / ".ssop-0.report").touch()
    write_whole("report", b"new")
    assert sorted(os.listdir()) == ["in.npy", "report"] and "removed .ssop-0.report" in capsys.readouterr().err
