"""Files that are written whole: complete, or as they were before."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ssop import _temporaries


def check_folder(path: str) -> None:
    """Raise OSError if no file can be made at `path`."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if os.path.isdir(path) or not os.access(path if os.path.exists(path) else folder, os.W_OK):
        code = errno.EISDIR if os.path.isdir(path) else errno.EACCES
        raise OSError(code, os.strerror(code), path)


@contextmanager
def in_its_place(target: str, suffix: str, replace: Callable[[str, str], None]) -> Iterator[str]:
    """Give the name of a file or directory beside `target` that takes its place if the block succeeds.

    What is unfinished has the mode of `target`, so that it cannot be read by others who may not read that.
    """
    old = os.stat(target) if os.path.exists(target) else None
    mode = 0o777 if old is None else stat.S_IMODE(old.st_mode)
    with _temporaries.unfinished(os.path.dirname(target), suffix, mode) as temporary:
        yield temporary
        if old is not None:
            os.chmod(temporary, mode)
        replace(temporary, target)


def write_whole(path: str, data: bytes) -> None:
    """Write a file that is complete or as it was before; into what is no regular file, such as a pipe, directly."""
    check_folder(path)  # a rename would not ask whether the file may be written
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            file.write(data)
        return
    try:
        with in_its_place(os.path.realpath(path), ".report", os.replace) as made, open(made, "wb") as file:
            file.write(data)
    except OSError as error:  # names the file as the user does, not the temporary one
        raise OSError(error.errno, error.strerror or str(error), path) from None
