"""Unfinished outputs: made beside the output, locked while their process lives, and removed by the next run if not.

A process that is killed can remove nothing. Its lock goes with it, so that another run sees what it has left.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ssop._text import printable

try:
    import fcntl
except ImportError:  # a system without such locks, where nothing tells what was left
    fcntl = None  # type: ignore[assignment]

PREFIX = ".ssop-"
ASIDE = ".old"
"""The end of the name of a directory that holds what `set_aside` moved there."""
DIRECTORIES = (".zarr", ASIDE)
FILES = (".npy", ".h5", ".report")

REMOVALS, REMOVAL_SECONDS = 50, 0.1
"""How often an unfinished store is removed at most, and how long after each time it has to stay away."""


@contextmanager
def unfinished(folder: str, suffix: str, mode: int = 0o777) -> Iterator[str]:
    """Give the name of a new file, or of a directory for ".zarr", that is removed if it is still there in the end.

    `mode` has the rights that others get, as far as the umask leaves them.
    """
    _remove_leftovers(folder)
    path, lock = _new(folder, suffix, mode)
    try:
        yield path
    finally:
        _remove_for_good(path)
        os.close(lock)


@contextmanager
def set_aside(path: str) -> Iterator[None]:
    """Move `path` away while another takes its place, and remove it then; it comes back if none has taken its place."""
    folder, name = os.path.split(path)
    aside, lock = _new(folder, ASIDE)
    try:
        os.rename(path, os.path.join(aside, name))
        yield
    finally:
        _put_back(Path(aside))  # if that fails, the next run does it
        remove(aside)
        os.close(lock)


def _new(folder: str, suffix: str, mode: int = 0o777) -> tuple[str, int]:
    """Make and lock it. Another run may remove it before it is locked; then the next name is tried."""
    while True:
        path = os.path.join(folder, f"{PREFIX}{secrets.token_hex(8)}{suffix}")
        try:
            if suffix in DIRECTORIES:
                os.mkdir(path, mode | stat.S_IRWXU)
            else:
                os.close(
                    os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode & 0o666 | stat.S_IRUSR | stat.S_IWUSR)
                )
            lock = _locked(path)
        except FileExistsError:  # this name is another's
            continue
        except BaseException:  # Ctrl-C, perhaps
            remove(path)
            raise
        if lock is not None:
            return path, lock


def _locked(path: str) -> int | None:
    """Return the descriptor of what was made at a path, which holds its lock; None if another run removes it."""
    lock = None
    with suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if _is_locked_now(descriptor) and _is_same(path, descriptor):
                lock = descriptor
        finally:
            if lock is None:
                os.close(descriptor)
    return lock


def _is_locked_now(descriptor: int) -> bool:
    """Lock it; False if another process has."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _is_same(path: str, descriptor: int) -> bool:
    there = os.stat(path)
    return os.path.samestat(there, os.fstat(descriptor))


def _remove_leftovers(folder: str) -> None:
    """Remove what killed runs have left in a folder, or put it back, and say so in a line for each."""
    if fcntl is None:
        return
    for path in sorted(Path(folder or ".").glob(f"{PREFIX}*")):
        if path.suffix in (*FILES, *DIRECTORIES) and _is_left(path):
            with suppress(FileNotFoundError):  # another run was quicker
                _remove_or_put_back(path)


def _remove_or_put_back(path: Path) -> None:
    name = _put_back(path) if path.suffix == ASIDE else None
    remove(str(path))
    if name is None:
        print(f"ssop: removed {printable(path.name)}, which a run that was killed had left", file=sys.stderr)
    else:
        print(f"ssop: put {printable(name)} back, which a run that was killed had moved away", file=sys.stderr)


def _put_back(aside: Path) -> str | None:
    """Move what a directory holds back to its place, and return its name; None if another has that place."""
    for moved in aside.iterdir():
        place = aside.parent / moved.name
        if not place.exists():
            moved.rename(place)
            return moved.name
    return None


def _is_left(path: Path) -> bool:
    """Whether `_new` of this user made it, and no living process has it locked.

    Others may put pipes, and links to this user's own directories, under such names where they can write.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        there = os.fstat(descriptor)
        is_made_so = stat.S_ISDIR if path.suffix in DIRECTORIES else stat.S_ISREG
        if there.st_uid != os.geteuid() or not is_made_so(there.st_mode):
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # it is locked, or the file system has no locks
        return False
    finally:
        os.close(descriptor)
    return True


def remove(path: str) -> None:
    """Remove a file or a directory, if it is there."""
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):  # already gone, or never made
        os.unlink(path)


def _remove_for_good(path: str) -> None:
    """Remove what was not finished.

    After one chunk could not be written, zarr goes on with the others, which makes the directory again.
    """
    for _ in range(REMOVALS):
        if not os.path.exists(path):
            return
        remove(path)
        if path.endswith(".zarr"):
            time.sleep(REMOVAL_SECONDS)
