"""The arrays that commands read: memory-mapped .npy files, zarr arrays, HDF5 datasets, members of .npz files, pipes.

What is neither mapped nor in chunks (a member of an .npz file, a pipe) is read into memory.
"""

from __future__ import annotations

import io
import os
import stat
import sys
import zipfile
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib.format import open_memmap, read_array

from ssop import _core
from ssop._display import index_text
from ssop._lazy import libraries
from ssop.cli import hdf5_files, zarr_stores
from ssop.cli.members import chosen

STDIN = "-"
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")  # the second one is an archive without members


class Source(NamedTuple):
    """An input, by what the user calls it."""

    path: str
    """Of an .npy, .npz or HDF5 file, a pipe or a zarr store; "-" is standard input."""
    member: str | None = None
    """An array of an .npz or HDF5 file or of a zarr group; needed if there are several."""

    def open(self) -> Any:
        """Return a read-only map of an .npy file, a zarr array, a dataset, or an array in memory."""
        return open_input(*self)

    def read(self, x: Any, region: _core.Region) -> np.ndarray:
        """Return the elements of a region of the opened array, of NumPy's a view; ValueError if it is damaged."""
        if isinstance(x, np.ndarray):
            self._check_length(x)
            return x[(*region.index, ...)]  # the ellipsis takes nothing, and keeps a 0-d array an array
        try:
            return np.asarray(libraries.view("ssop run", x, region))
        except MemoryError:
            raise
        except Exception as error:  # codecs let out whatever they say to damaged chunks
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.path}: elements {index_text(region.index)} cannot be read: {why}") from error

    def _check_length(self, x: np.ndarray) -> None:
        """Raise if a mapped file has become shorter than its array: reading beyond its end kills the process."""
        if isinstance(x.base, np.memmap) and os.path.getsize(self.path) < x.base.offset + x.nbytes:
            raise ValueError(f"{self.path}: the file has become shorter while it was read")


def is_read_whole(x: Any) -> bool:
    """True for an opened array that only this process has."""
    return isinstance(x, np.ndarray) and not isinstance(x.base, np.memmap)


def chunks_of(x: Any) -> tuple[int, ...] | None:
    """Return the chunks of an opened zarr array or dataset; None for an array without chunks."""
    return x.chunks if zarr_stores.is_zarr(x) or hdf5_files.is_dataset(x) else None


def stored(x: Any) -> str:
    """Return how an opened array with chunks is stored, in words."""
    return zarr_stores.text(x) if zarr_stores.is_zarr(x) else hdf5_files.text(x)


def open_input(path: str, member: str | None = None) -> Any:
    """Return the array of a source."""
    if path != STDIN and zarr_stores.is_store(path):
        return zarr_stores.open_array(path, member)
    name = "standard input" if path == STDIN else path
    if path == STDIN and sys.stdin.isatty():
        raise ValueError("standard input is a terminal: pipe an .npy or .npz file into it")
    if path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode):
        with open(0 if path == STDIN else path, "rb", closefd=path != STDIN) as pipe:
            return _streamed(pipe, name, member)
    with open(path, "rb") as file:
        head = file.read(len(hdf5_files.MAGIC))
        if head[:4] in ZIP_MAGIC:
            return _member(file, name, member)
    if head == hdf5_files.MAGIC:
        return hdf5_files.open_array(path, member)
    _check_no_member(name, member)
    try:
        return open_memmap(path, mode="r").view(np.ndarray)
    except OSError:
        raise
    except Exception as error:  # NumPy lets out whatever the tokenizer and the dtype say to a bad header
        raise ValueError(f"{path}: no .npy file that can be mapped: {error}") from None


class _Pipe:
    """What was read of a pipe already, then the rest. NumPy would seek in a file object of Python's own."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self.head, self.rest = head, rest

    def read(self, size: int) -> bytes:
        if not self.head:
            return self.rest.read(size)
        data, self.head = self.head[:size], self.head[size:]
        return data


def _streamed(pipe: IO[bytes], name: str, member: str | None) -> np.ndarray:
    head = pipe.read(4)
    if head in ZIP_MAGIC:
        return _member(io.BytesIO(head + pipe.read()), name, member)
    _check_no_member(name, member)
    return _read(_Pipe(head, pipe), name)


def _read(file: object, name: str) -> np.ndarray:
    try:
        return read_array(file, allow_pickle=False)  # type: ignore[arg-type]
    except MemoryError:
        raise ValueError(f"{name}: not enough memory for this array, which is read as a whole") from None
    except Exception as error:  # as above
        if isinstance(error, OSError) and error.errno is not None:  # of the system; that of bz2 has no number
            raise
        raise ValueError(f"{name}: no .npy file that can be read: {error}") from None


def _check_no_member(name: str, member: str | None) -> None:
    if member is not None:
        raise ValueError(f"{name}: --member is for .npz files, and this is none")


def _member(file: IO[bytes], name: str, member: str | None) -> np.ndarray:
    try:
        with zipfile.ZipFile(file) as archive:
            arrays = [entry.removesuffix(".npy") for entry in archive.namelist() if entry.endswith(".npy")]
            array = chosen(arrays, name, ".npz file", member)
            with archive.open(f"{array}.npy") as stream:
                return _read(stream, f"{name}: {array}")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:  # damaged; compression; encryption
        raise ValueError(f"{name}: no .npz file that can be read: {error}") from None
