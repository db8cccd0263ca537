"""The HDF5 datasets that commands read and write, by the user's own installation of h5py."""

from __future__ import annotations

import math
import os
import re
import stat
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
SCALES = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid")
"""Attributes by which dimension scales refer to each other."""


def is_name(path: str) -> bool:
    """True for the name of a file that is written as HDF5."""
    return os.path.splitext(path)[1] in SUFFIXES


def is_dataset(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "h5py"


def open_array(path: str, member: str | None = None) -> Any:
    """Return a dataset that can only be read; a file with several needs `member`, such as "group/data".

    Its elements are in the file, or in files of the folder below it that a virtual dataset names; ValueError if not.
    """
    h5py = _h5py()
    try:
        file = h5py.File(os.path.realpath(path), "r")  # beside a link, HDF5 would look for sources, too
        datasets = _datasets(file, h5py)
    except Exception as error:  # whatever the parser says to a damaged file
        raise ValueError(f"{path}: no HDF5 file that can be read: {error}") from None
    name = chosen(sorted(datasets), path, "HDF5 file", None if member is None else member.strip("/"))
    dataset = datasets[name]
    try:
        shape, _, _ = dataset.shape, dataset.dtype, dataset.chunks  # of a type that NumPy has not, an error
        outside = _outside(dataset, path, h5py)
    except Exception as error:
        raise ValueError(f"{path}: {name} cannot be read: {error}") from None
    if outside is not None:
        raise ValueError(f"{path}: {name} cannot be read: {outside}")
    if shape is None:
        raise ValueError(f"{path}: {name} has no elements, not even a shape")
    return dataset


def _outside(dataset: Any, path: str, h5py: ModuleType) -> str | None:
    """Say what is wrong with the other files that a dataset takes its elements from; None if nothing is.

    HDF5 reads whatever file is named. It waits for pipes, and calls itself without end for a cycle of virtual datasets.
    """
    if dataset.external:
        return f"its elements are raw bytes of another file, {dataset.external[0][0]}, which is not read"
    if not dataset.is_virtual:
        return None
    folder = os.path.dirname(os.path.realpath(path))
    for name, member in sorted({(source.file_name, source.dset_name) for source in dataset.virtual_sources()}):
        wrong = _wrong_source(dataset.file, folder, name, member, h5py)
        if wrong is not None:
            return f"it is virtual, and its source {name}: {member} {wrong}"
    return None


def _wrong_source(file: Any, folder: str, name: str, member: str, h5py: ModuleType) -> str | None:
    if re.search("%[b%]", name + member):
        return "is a pattern, by which HDF5 finds other names"
    if name == ".":
        return _wrong_member(file, member, h5py)
    source = os.path.realpath(os.path.join(folder, name))
    if os.path.commonpath([folder, source]) != folder:
        return "is not in the folder of the file or below it"
    if not os.path.exists(source):
        return "is not there"
    if not stat.S_ISREG(os.stat(source).st_mode):
        return "is no regular file"
    with h5py.File(source, "r") as other:
        return _wrong_member(other, member, h5py)


def _wrong_member(file: Any, member: str, h5py: ModuleType) -> str | None:
    """The same of a dataset in a file that virtual ones name: no link leads out of it, and it has its own elements."""
    node = file
    for part in filter(None, member.split("/")):
        if not (isinstance(node, h5py.Group) and isinstance(node.get(part, getlink=True), h5py.HardLink)):
            return "is not there, or behind a link"
        node = node[part]
    if not isinstance(node, h5py.Dataset):
        return "is no dataset"
    return "has its elements elsewhere, too" if node.is_virtual or node.external else None


def holds_one_array(path: str) -> bool:
    """True for a file with one dataset, and no other object that would be lost with it."""
    h5py = _h5py()
    found: list[Any] = []
    try:
        with h5py.File(path, "r") as file:
            file.visititems(lambda name, node: found.append(node) if not isinstance(node, h5py.Group) else None)
    except Exception:  # whatever the parser says to a damaged file
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
    attributes = _attributes(source, h5py) if like else {}
    if chunks is not None:
        if len(chunks) != len(region.shape) or any(size < 1 for size in chunks):
            raise ValueError(f"--chunks needs {len(region.shape)} positive sizes, not {list(chunks)}")
        options["chunks"] = tuple(min(size, max(1, dim)) for size, dim in zip(chunks, region.shape, strict=True))
    try:
        with h5py.File(path, "w", locking=False) as file:  # a lock on the file is there: that of temporaries
            made = file.create_dataset(source.name if like else NAME, region.shape, source.dtype, **options)
            made.attrs.update(attributes)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # whatever h5py lets out of what HDF5 has not
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

    def note(name: str | bytes, node: Any) -> None:
        if isinstance(node, h5py.Dataset):
            found[os.fsdecode(name)] = node  # h5py gives bytes that are no UTF-8 as they are

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


def _attributes(source: Any, h5py: ModuleType) -> dict[str, Any]:
    """Return the attributes but those of dimension scales, which refer to other datasets of the file."""
    kept = {}
    try:
        for name, value in source.attrs.items():
            kind = getattr(value, "dtype", None)
            holds_references = kind is not None and (h5py.check_ref_dtype(kind) is not None or kind.names is not None)
            if not holds_references and name not in SCALES:
                kept[name] = value
    except Exception as error:  # whatever the parser says to damaged ones
        raise ValueError(f"the attributes of {source.name} cannot be read: {error}") from None
    return kept
