"""Files of models: which can be read."""

from __future__ import annotations

import os
import stat
from typing import Any

from ssop._inspect.records import unreadable


def checked_file(path: Any, most: int | None = None) -> str:
    """The path of a regular file of at most so many bytes; raise for a folder, a pipe or a device (im_c1)."""
    name = os.fsdecode(path)
    try:
        found = os.stat(name)
    except (OSError, ValueError) as error:
        raise unreadable(name, getattr(error, "strerror", None) or "there is no such file") from None
    if not stat.S_ISREG(found.st_mode):
        raise unreadable(name, "it is a folder" if stat.S_ISDIR(found.st_mode) else "it is no file")
    if most is not None and found.st_size > most:
        raise unreadable(name, f"it has {found.st_size} bytes, more than {most}")
    return name
