"""The files that commands write: .npy files and zarr arrays, which are complete or as they were before.

An output is made under a temporary name beside its own and takes its place when it is complete.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap

from ssop import _core
from ssop.cli import zarr_stores

REMOVALS, REMOVAL_SECONDS = 50, 0.1
"""How often an unfinished store is removed at most, and how long after each time it has to stay away."""

WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def is_store(path: str) -> bool:
    """True for the name of a zarr array: it ends in .zarr, or there is a store already."""
    return path.rstrip("/").endswith(".zarr") or zarr_stores.is_store(path)


def writable(path: str) -> str:
    """Return the file or directory behind `path`; raise OSError if it exists and may not be replaced.

    Root may write every file, so the permission bits count too.
    """
    target = os.path.realpath(path)  # what is behind a link is replaced, not the link
    if not os.path.exists(target):
        return target
    mode = os.stat(target).st_mode
    if is_store(path) and not (stat.S_ISDIR(mode) and zarr_stores.is_array(target)):
        raise OSError(errno.EEXIST, "there is something else than one zarr array, which is not replaced", path)
    if not is_store(path) and not stat.S_ISREG(mode):
        raise OSError(None, "not a regular file", path)
    kind = "directory" if stat.S_ISDIR(mode) else "file"
    if not mode & WRITE_BITS or not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, f"this {kind} is read-only; make it writable or choose another name", path)
    return target


@contextmanager
def replaced(target: str) -> Iterator[str]:
    """Give a name in the directory of `target` that becomes it if the block succeeds, and is removed if it fails."""
    temporary = _beside(target)
    try:
        yield temporary
        if os.path.isdir(temporary):
            _replace_directory(temporary, target)
            return
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    finally:
        _remove_unfinished(temporary)


def create(path: str, region: _core.Region, source: Any, chunks: Sequence[int] | None) -> None:
    """Make the file or the store for the result of a region; its elements are written through `open_output`."""
    if is_store(path):
        zarr_stores.create(path, region, source, chunks)
        return
    if 0 in region.shape or source.dtype.itemsize == 0:  # nothing to map
        np.save(path, np.empty(region.shape, source.dtype))
        return
    open_memmap(path, mode="w+", dtype=source.dtype, shape=region.shape)
    _reserve(path)


def open_output(path: str) -> Any:
    if is_store(path):
        return zarr_stores.open_output(path)
    return open_memmap(path, mode="r+")


def _beside(target: str) -> str:
    suffix = ".zarr" if is_store(target) else ".npy"
    return os.path.join(os.path.dirname(target), f".ssop-{secrets.token_hex(8)}{suffix}")


def _replace_directory(temporary: str, target: str) -> None:
    """Put a directory in the place of another, which a rename cannot do if that one is not empty."""
    if not os.path.exists(target):
        os.rename(temporary, target)
        return
    old = _beside(target)
    os.rename(target, old)
    try:
        os.rename(temporary, target)
    except BaseException:
        os.rename(old, target)
        raise
    _remove(old)


def _remove(path: str) -> None:
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):  # already gone, or never made
        os.unlink(path)


def _remove_unfinished(path: str) -> None:
    """Remove an output that was not finished.

    After one chunk could not be written, zarr goes on with the others, which makes the directory again.
    """
    for _ in range(REMOVALS):
        if not os.path.exists(path):
            return
        _remove(path)
        if is_store(path):
            time.sleep(REMOVAL_SECONDS)


def _reserve(path: str) -> None:
    """Ask for a file's disk blocks: a full disk is an error here, where a write to the map would kill the process."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "r+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, os.path.getsize(path))
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):  # file systems that cannot promise
                    raise
