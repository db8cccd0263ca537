"""Files that are read whole: a pipe or a device may have no end, and opening a pipe may wait for ever."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

MAX_BYTES = 1 << 26
"""The bytes of a file of JSON: far more than any has, and so few that what is made of them fits the memory."""


def at_once(name: str, flags: int) -> int:
    """An opener for `open` that waits for no writer of a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: str | os.PathLike[str], most: int = MAX_BYTES, errors: str = "strict") -> str:
    """The text of a file, or of a pipe, of at most so many bytes.

    Raises OSError for what is longer, and for a folder or a device; ValueError for what is no UTF-8.
    """
    with open(path, "rb", opener=at_once) as file:
        return _content(file, os.fsdecode(path), most).decode("utf-8", errors)


def _content(file: BinaryIO, name: str, most: int) -> bytes:
    mode = os.fstat(file.fileno()).st_mode
    if stat.S_ISFIFO(mode) and hasattr(os, "O_NONBLOCK"):
        os.set_blocking(file.fileno(), True)
    elif not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):
        raise OSError(None, "it is no regular file", name)
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(None, f"it has more than {most} bytes", name)
    return data
