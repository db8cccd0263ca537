"""Files of models: which can be read."""

from __future__ import annotations

import os
import stat
from typing import Any, BinaryIO

from ssop._files import at_once
from ssop._inspect.limits import Damaged
from ssop._inspect.records import unreadable


def checked_file(path: Any, most: int | None = None) -> str:
    """The path of a regular file of at most so many bytes; raise for a folder, a pipe or a device (im_c1).

    Raise OSError for what is not there, or may not be read.
    """
    name = os.fsdecode(path)
    try:
        found = os.stat(name)
    except ValueError:
        raise unreadable(repr(name), "no path has a null character") from None
    if not stat.S_ISREG(found.st_mode):
        raise unreadable(name, "it is a folder" if stat.S_ISDIR(found.st_mode) else "it is no file")
    if most is not None and found.st_size > most:
        raise unreadable(name, f"it has {found.st_size} bytes, more than {most}")
    return name


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """The file, if it is one: a pipe or a device has no end that could be known."""
    try:
        opened = open(path, "rb", buffering=0, opener=at_once)
    except ValueError as error:
        raise Damaged(f"no file has this name: {error}") from None
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise Damaged("it is no regular file")
    return opened
