"""The files that commands write: .npy files, zarr arrays and HDF5 files, complete or as they were before.

An output is made under a temporary name beside its own and takes its place when it is complete.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.lib.format import MAGIC_PREFIX, open_memmap

from ssop import _core, _temporaries
from ssop._whole_files import in_its_place
from ssop.cli import exchanges, hdf5_files, zarr_stores
from ssop.cli.inputs import ZIP_MAGIC

WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def is_store(path: str) -> bool:
    """True for the name of a zarr array: it ends in .zarr, or there is a store already."""
    return path.rstrip("/").endswith(".zarr") or zarr_stores.is_store(path)


def has_chunks(path: str) -> bool:
    """True for the name of an output that may have chunks."""
    return is_store(path) or hdf5_files.is_name(path)


def writable(path: str) -> str:
    """Return the file or directory behind `path`; raise OSError if it exists and may not be replaced.

    A name that ends otherwise than what is written is an error: an .npz archive would lose its other members. Root may
    write every file, so the permission bits count too.
    """
    if zarr_stores.is_url(path):
        if zarr_stores.is_there(path):
            raise zarr_stores.occupied(path)
        return path
    suffix = os.path.splitext(path.rstrip("/"))[1]
    if suffix not in ("", ".npy") and not has_chunks(path):
        raise OSError(None, f"the result is written as .npy, .zarr or .h5, not as {suffix}", path)
    target = os.path.realpath(path)  # what is behind a link is replaced, not the link
    if not os.path.exists(target):
        return target
    mode = os.stat(target).st_mode
    if is_store(path) and not (stat.S_ISDIR(mode) and zarr_stores.is_array(target)):
        raise OSError(errno.EEXIST, "there is something else than one zarr array, which is not replaced", path)
    if not is_store(path) and not stat.S_ISREG(mode):
        raise OSError(None, "not a regular file", path)
    if hdf5_files.is_name(path):
        if os.path.getsize(target) > 0 and not hdf5_files.holds_one_array(target):
            raise OSError(errno.EEXIST, "there is something else than one HDF5 dataset, which is not replaced", path)
    elif not is_store(path) and _is_something_else(target, named=suffix == ".npy"):
        raise OSError(errno.EEXIST, "there is something else than an .npy file, which is not replaced", path)
    kind = "directory" if stat.S_ISDIR(mode) else "file"
    if not mode & WRITE_BITS or not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, f"this {kind} is read-only; make it writable or choose another name", path)
    return target


def _is_something_else(target: str, *, named: bool) -> bool:
    """Whether a file holds an archive of arrays or, if its name does not end in .npy, anything but an array."""
    try:
        with open(target, "rb") as file:
            head = file.read(len(MAGIC_PREFIX))
    except OSError:  # the permission bits are looked at next
        return False
    return head[:4] in ZIP_MAGIC or not (named or head in (b"", MAGIC_PREFIX))


@contextmanager
def printed() -> Iterator[str]:
    """Give the name of a temporary file, whose bytes go to standard output if the block succeeds."""
    if sys.stdout.isatty():
        raise ValueError("standard output is a terminal: the bytes of an .npy file belong into a pipe or a file")
    with _temporaries.unfinished(tempfile.gettempdir(), ".npy", mode=0) as temporary:
        yield temporary
        with open(temporary, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)


@contextmanager
def replaced(target: str) -> Iterator[str]:
    """Give a name in the directory of `target` that becomes it if the block succeeds, and is removed if it fails.

    At a URL, where nothing can be renamed, that is `target` itself.
    """
    if zarr_stores.is_url(target):
        with _removed_if_it_fails(target):
            yield target
        return
    suffix = ".zarr" if is_store(target) else ".h5" if hdf5_files.is_name(target) else ".npy"
    with in_its_place(target, suffix, _replace) as temporary:
        yield temporary


@contextmanager
def _removed_if_it_fails(url: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError:  # which another has made since `writable` looked
        raise
    except BaseException:
        zarr_stores.remove(url)
        raise


def create(path: str, region: _core.Region, source: Any, chunks: Sequence[int] | None) -> None:
    """Make the file or the store for the result of a region; its elements are written through `opened`."""
    if is_store(path):
        zarr_stores.create(path, region, source, chunks)
        return
    if hdf5_files.is_name(path):
        hdf5_files.create(path, region, source, chunks)
        return
    if 0 in region.shape or source.dtype.itemsize == 0:  # nothing to map
        np.save(path, np.empty(region.shape, source.dtype))
        return
    open_memmap(path, mode="w+", dtype=source.dtype, shape=region.shape)
    _reserve(path)


@contextmanager
def opened(path: str) -> Iterator[Any]:
    """Give the array that `create` made, to be written to; its elements are in the file after the block."""
    if is_store(path):
        yield zarr_stores.open_output(path)
    elif hdf5_files.is_name(path):
        with hdf5_files.opened(path) as dataset:
            yield dataset
    else:
        mapped = open_memmap(path, mode="r+")
        yield mapped
        mapped.flush()


def put(output: Any, box: tuple[slice, ...], part: np.ndarray) -> None:
    """Write a box of a zarr array or dataset; ValueError for what its library cannot write, such as 33 axes."""
    try:
        output[box] = part
    except (OSError, MemoryError):
        raise
    except Exception as error:  # codecs let out whatever they say
        raise ValueError(f"a box of shape {part.shape} cannot be written: {type(error).__name__}: {error}") from error


def written_chunks(path: str) -> tuple[int, ...] | None:
    """Return the shape of what is written in one piece; None of an array without chunks."""
    if not has_chunks(path):
        return None
    with opened(path) as made:
        return zarr_stores.written_chunks(made) if is_store(path) else made.chunks


def exists(path: str) -> bool:
    """Whether an unfinished output is still wanted. zarr makes a removed directory again, but not its metadata."""
    if zarr_stores.is_url(path):
        return zarr_stores.is_there(path)
    return zarr_stores.is_store(path) if is_store(path) else os.path.exists(path)


def remove(path: str) -> None:
    """Remove an unfinished output."""
    (zarr_stores.remove if zarr_stores.is_url(path) else _temporaries.remove)(path)


def _replace(temporary: str, target: str) -> None:
    """Put a file or a directory in the place of another, which a rename cannot do if that one is not empty.

    Whenever the process is killed, one of them is at `target`, or the next run puts the old one back.
    """
    if not os.path.isdir(temporary):
        os.replace(temporary, target)
    elif not os.path.exists(target):
        os.rename(temporary, target)
    elif exchanges.exchange(temporary, target):
        _temporaries.remove(temporary)  # the old one
    else:
        with _temporaries.set_aside(target):
            os.rename(temporary, target)


def _reserve(path: str) -> None:
    """Ask for a file's disk blocks: a full disk is an error here, where a write to the map would kill the process."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "r+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, os.path.getsize(path))
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):  # file systems that cannot promise
                    raise
