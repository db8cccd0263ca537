"""A store that takes the place of another, in a process that is killed at any moment: one of the two is there."""

import errno
import os

import pytest

import child
from ssop import _temporaries
from ssop.cli import exchanges, outputs

# Forks, and kills the child at its first, second, .. action on files; then another run goes over the folder.
KILLED = """
import os, signal, sys
from ssop import _temporaries
from ssop.cli import exchanges, outputs

ACTIONS = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "shutil.rmtree", "ctypes.dlsym")

def killed_at(number):
    seen = 0
    def hook(event, arguments):
        nonlocal seen
        seen += event in ACTIONS
        if event in ACTIONS and seen == number:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)

def store(path, text):
    os.makedirs(path, exist_ok=True)
    with open(path + "/zarr.json", "w") as file:
        file.write(text)

def replace(target):
    with outputs.replaced(target) as temporary:
        store(temporary, "new")

if sys.argv[1] == "two renames":
    exchanges.exchange = lambda *paths: False
target, found, number = os.getcwd() + "/out.zarr", [], 0
while True:
    number += 1
    store(target, "old")
    pid = os.fork()
    if pid == 0:
        killed_at(number)
        replace(target)
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with _temporaries.unfinished(".", ".npy"):
        pass
    with open(target + "/zarr.json") as file:
        found.append(file.read())
    assert os.listdir() == ["out.zarr"] and os.listdir(target) == ["zarr.json"], os.listdir()
    if ended == 0:
        break
    assert ended == -signal.SIGKILL, ended
print(*found)
"""


@pytest.mark.parametrize("way", ["an exchange", "two renames"])
def test_one_of_two_stores_is_there_after_a_kill_at_any_moment(tmp_path, monkeypatch, way):
    monkeypatch.chdir(tmp_path)
    done = child.run_source(f"import sys\nsys.argv = ['', {way!r}]\n{KILLED}")
    assert done.returncode == 0, done.stderr
    found = done.stdout.split()
    first_new = found.index("new")
    assert first_new >= 3 and set(found[:first_new]) == {"old"} and set(found[first_new:]) == {"new"}
    assert len(found) >= first_new + 3
    put_back = done.stderr.count("ssop: put out.zarr back, which a run that was killed had moved away\n")
    assert put_back == (way == "two renames")  # at the second rename alone the place is empty


def test_a_store_comes_back_if_none_takes_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(exchanges, "exchange", lambda *paths: False)
    target = tmp_path / "out.zarr"
    target.mkdir()
    (target / "zarr.json").write_text("old")
    with pytest.raises(OSError), outputs.replaced(str(target)) as temporary:
        monkeypatch.setattr(os, "rename", failing(os.rename, temporary))
    assert [path.name for path in tmp_path.iterdir()] == ["out.zarr"] and (target / "zarr.json").read_text() == "old"


def failing(rename, source):
    def renamed(path, *arguments):
        if path == source:
            raise OSError("no")
        rename(path, *arguments)

    return renamed


class Library:
    def renameat2(self, *arguments):
        return -1


def library(monkeypatch, made, code=0):
    monkeypatch.setattr(exchanges.ctypes, "CDLL", lambda *arguments, **keywords: made)
    monkeypatch.setattr(exchanges.ctypes, "get_errno", lambda: code)


@pytest.mark.parametrize("code", exchanges.LACKS_IT)
def test_a_system_may_lack_the_exchange(monkeypatch, code):
    library(monkeypatch, Library(), code)
    assert not exchanges.exchange("a", "b")
    library(monkeypatch, object())
    assert not exchanges.exchange("a", "b")


def test_an_exchange_that_fails_is_an_error(monkeypatch):
    library(monkeypatch, Library(), errno.EACCES)
    with pytest.raises(PermissionError):
        exchanges.exchange("a", "b")


@pytest.mark.parametrize("suffix", [".npy", ".h5", ".zarr", _temporaries.ASIDE])
def test_what_was_left_is_removed(tmp_path, capsys, suffix):
    left = tmp_path / f".ssop-0{suffix}"
    left.mkdir() if suffix in (".zarr", _temporaries.ASIDE) else left.touch()
    with _temporaries.unfinished(str(tmp_path), ".npy"):
        assert not left.exists()
    assert capsys.readouterr().err == f"ssop: removed {left.name}, which a run that was killed had left\n"
