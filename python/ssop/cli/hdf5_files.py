"""The HDF5 datasets that commands read and write, by the user's own installation of h5py."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from ssop import _core
from ssop.cli.members import chosen

MAGIC = b"\x89HDF\r\n\x1a\n"
SUFFIXES = (".h5", ".hdf5")
NAME = "data"
"""Of the dataset that is made of an array without a name."""


def is_name(path: str) -> bool:
    """True for the name of a file that is written as HDF5."""
    return os.path.splitext(path)[1] in SUFFIXES


def is_dataset(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "h5py"


def open_array(path: str, member: str | None = None) -> Any:
    """Return a dataset that can only be read; a file with several needs `member`, such as "group/data"."""
    h5py = _h5py()
    try:
        file = h5py.File(path, "r")
        datasets = _datasets(file, h5py)
    except Exception as error:  # whatever the parser says to a damaged file
        raise ValueError(f"{path}: no HDF5 file that can be read: {error}") from None
    dataset = datasets[chosen(sorted(datasets), path, "HDF5 file", None if member is None else member.strip("/"))]
    if dataset.shape is None:
        raise ValueError(f"{path}: {dataset.name} has no elements, not even a shape")
    return dataset


def holds_one_array(path: str) -> bool:
    """True for a file with one dataset, and no other object that would be lost with it."""
    h5py = _h5py()
    found: list[Any] = []
    try:
        with h5py.File(path, "r") as file:
            file.visititems(lambda name, node: found.append(node) if not isinstance(node, h5py.Group) else None)
    except OSError:
        return False
    return len(found) == 1


def create(path: str, region: _core.Region, source: Any, chunks: Sequence[int] | None) -> None:
    """Make a file with one dataset for the result of a region of `source`.

    It has the name, chunks, compression, checksums and attributes of `source` if that is a dataset, and the name "data"
    otherwise. `chunks` are others. Without any, the elements lie in one piece.
    """
    h5py = _h5py()
    like = is_dataset(source)
    options: dict[str, Any] = _like(region, source) if like else {}
    if chunks is not None:
        if len(chunks) != len(region.shape) or any(size < 1 for size in chunks):
            raise ValueError(f"--chunks needs {len(region.shape)} positive sizes, not {list(chunks)}")
        options["chunks"] = tuple(min(size, max(1, dim)) for size, dim in zip(chunks, region.shape, strict=True))
    try:
        with h5py.File(path, "w", locking=False) as file:  # a lock on the file is there: that of temporaries
            made = file.create_dataset(source.name if like else NAME, region.shape, source.dtype, **options)
            if like:
                _copy_attributes(source, made, h5py)
    except (TypeError, ValueError) as error:
        raise ValueError(f"HDF5 cannot hold an array of {source.dtype}: {error}") from None


@contextmanager
def opened(path: str) -> Iterator[Any]:
    """Give the dataset of a file that `create` made; its elements are in the file after the block."""
    h5py = _h5py()
    with h5py.File(path, "r+", locking=False) as file:
        (dataset,) = _datasets(file, h5py).values()
        yield dataset


def text(x: Any) -> str:
    """Return how a dataset with chunks is stored, in words."""
    number = math.prod(-(-dim // size) for dim, size in zip(x.shape, x.chunks, strict=True))
    return f"{number:,} of {x.chunks}, {x.compression or 'not compressed'}, HDF5"


def _h5py() -> ModuleType:
    try:
        return import_module("h5py")
    except ImportError:
        raise ValueError("HDF5 files need the package h5py: pip install h5py") from None


def _datasets(file: Any, h5py: ModuleType) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def note(name: str, node: Any) -> None:
        if isinstance(node, h5py.Dataset):
            found[name] = node

    file.visititems(note)
    return found


def _like(region: _core.Region, source: Any) -> dict[str, Any]:
    """Return the options by which h5py makes a dataset of the kind of `source` for the axes of a result."""
    if source.chunks is None or not region.shape or 0 in region.shape:
        return {}
    sizes = (1 if axis < 0 else source.chunks[axis] for axis in region.out_axes)
    options = {"chunks": tuple(min(size, dim) for size, dim in zip(sizes, region.shape, strict=True))}
    if source.compression is not None:
        options |= {"compression": source.compression, "compression_opts": source.compression_opts}
    return options | {"shuffle": source.shuffle, "fletcher32": source.fletcher32}


def _copy_attributes(source: Any, made: Any, h5py: ModuleType) -> None:
    """Copy the attributes but those of dimension scales, which refer to other datasets of the file."""
    for name, value in source.attrs.items():
        kind = getattr(value, "dtype", None)
        holds_references = kind is not None and (h5py.check_ref_dtype(kind) is not None or kind.names is not None)
        if not holds_references and name not in ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid"):
            made.attrs[name] = value
