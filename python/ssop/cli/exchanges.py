"""Two directories exchanged in one step, where the system can: Linux, on most of its file systems."""

from __future__ import annotations

import ctypes
import errno
import os

AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h

LACKS_IT = (errno.ENOSYS, errno.EINVAL)
"""What a kernel and a file system say that have no such exchange."""


def exchange(path: str, other: str) -> bool:
    """Exchange two paths, which exist; False if the system cannot, and nothing was done."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # a C library without it, or no name for the C library
        return False
    if renameat2(AT_FDCWD, os.fsencode(path), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in LACKS_IT:
        return False
    raise OSError(code, os.strerror(code), other)
