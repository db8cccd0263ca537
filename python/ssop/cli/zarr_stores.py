"""The zarr arrays that commands read and write, in directories and at URLs, by the user's own zarr and fsspec."""

from __future__ import annotations

import errno
import math
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

from ssop import _core
from ssop.cli.members import chosen

MARKS = ("zarr.json", ".zarray", ".zgroup")
"""Files of which every array and every group has one, in the formats 3 and 2."""


def is_url(path: str) -> bool:
    """True for what fsspec opens, such as s3://bucket/x.zarr; a letter alone is a drive."""
    return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]+://", path) is not None


def is_store(path: str) -> bool:
    """True for a URL, and for a directory that is a zarr array or a zarr group."""
    return is_url(path) or any(os.path.exists(os.path.join(path, mark)) for mark in MARKS)


def is_there(url: str) -> bool:
    """True for a URL where something is, or of a kind that cannot say."""
    system, path = _file_system(url)
    try:
        return bool(system.exists(path))
    except OSError:
        raise
    except Exception as error:  # of credentials and connections, of whatever library the protocol needs
        raise ValueError(f"{url}: {type(error).__name__}: {error}") from None


def occupied(url: str) -> OSError:
    """Return the error for an output at a URL where something is."""
    return OSError(errno.EEXIST, "there is something, and nothing is replaced at a URL", url)


def remove(url: str) -> None:
    """Remove the array at a URL."""
    system, path = _file_system(url)
    with suppress(FileNotFoundError):
        system.rm(path, recursive=True)


def is_array(path: str) -> bool:
    """True for a directory that is a zarr array; what it holds otherwise is not looked at."""
    try:
        return not hasattr(_opened(path), "members")
    except Exception:  # whatever zarr lets out of metadata that it cannot read
        return False


def open_array(path: str, member: str | None = None) -> Any:
    """Return a zarr array that can only be read: the one in `path`, or a member of the group there.

    A group with several arrays needs `member`, which may be a path such as "level0/data".
    """
    zarr = _zarr()
    try:
        node = _opened(path)
        arrays = _arrays(node, zarr) if hasattr(node, "members") else None
    except Exception as error:  # metadata that are damaged let out whatever the parsers say to them
        raise ValueError(f"{path}: no zarr array that can be read: {error}") from None
    if arrays is None:
        if member is not None:
            raise ValueError(f"{path}: --member is for groups of arrays, and this is one array")
        return _with_chunks(node, path)
    return _with_chunks(arrays[chosen(sorted(arrays), path, "zarr group", member)], path)


def _with_chunks(x: Any, path: str) -> Any:
    """Return the array; ValueError for metadata that are damaged, or by which reading it runs code."""
    try:
        shape, _, codecs = x.chunks, x.dtype, (*x.filters, *x.compressors)
    except Exception as error:  # as in `open_array`
        raise ValueError(f"{path}: no zarr array that can be read: {error}") from None
    if 0 in shape:
        raise ValueError(f"{path}: no zarr array that can be read: chunks of shape {shape}")
    if any(getattr(codec, "codec_id", None) == "pickle" for codec in codecs):
        raise ValueError(f"{path}: its chunks are pickles, and loading a pickle runs code")
    return x


def _opened(path: str) -> Any:
    """Return the array or group, which can only be read."""
    zarr = _zarr()
    folder = _folder(path)
    if folder is None:
        return zarr.open(path, mode="r")
    confined: Any = import_module("ssop.cli.confined_stores")
    return confined.open_confined(folder)


def _folder(path: str) -> str | None:
    """Return the folder that a path or a URL such as file:///x names; None for a URL of anything else."""
    if not is_url(path):
        return path
    return _file_system(path)[1] if path.startswith(("file:", "local:")) else None


def create(path: str, region: _core.Region, source: Any, chunks: Sequence[int] | None) -> Any:
    """Make an array for the result of a region of `source`.

    It has the chunks, shards, codecs, dimension names and attributes of `source` if that is a zarr array, and zarr's
    own defaults otherwise. `chunks` are others, without shards.
    """
    if chunks is not None:
        if len(chunks) != len(region.shape) or any(size < 1 for size in chunks):
            raise ValueError(f"--chunks needs {len(region.shape)} positive sizes, not {list(chunks)}")
    zarr = _zarr()
    occupied_by = zarr.errors.ContainsArrayError, zarr.errors.ContainsGroupError, zarr.errors.ContainsArrayAndGroupError
    try:
        options = _like(region, source) if is_zarr(source) else {}
        if chunks is not None:
            options |= {"chunks": tuple(chunks), "shards": None}
        return zarr.create_array(path, shape=region.shape, dtype=source.dtype, **options)
    except occupied_by:
        raise occupied(path) from None
    except (OSError, MemoryError):
        raise
    except Exception as error:  # whatever zarr lets out of attributes and sizes that it cannot write
        raise ValueError(f"zarr cannot hold the result: {type(error).__name__}: {error}") from None


def text(x: Any) -> str:
    """Return how an array is stored, in words."""
    number = math.prod(-(-dim // size) for dim, size in zip(x.shape, x.chunks, strict=True))
    shards = "" if x.shards is None else f" in shards of {x.shards}"
    return f"{number:,} of {x.chunks}{shards}, zarr format {x.metadata.zarr_format}"


def is_zarr(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "zarr"


def open_output(path: str) -> Any:
    return _zarr().open_array(path, mode="r+")


def written_chunks(x: Any) -> tuple[int, ...]:
    """Return the shape of what is written in one piece: the shards, or the chunks of an array without any."""
    written: tuple[int, ...] = getattr(x, "shards", None) or x.chunks
    return written


def _zarr() -> ModuleType:
    try:
        return import_module("zarr")
    except ImportError:
        raise ValueError("zarr arrays need the package zarr: pip install zarr") from None


def _file_system(url: str) -> tuple[Any, str]:
    """Return fsspec's file system of a URL, and the path in it; ValueError for what fsspec cannot open."""
    try:
        found: tuple[Any, str] = import_module("fsspec.core").url_to_fs(url)
    except ImportError as error:
        raise ValueError(f"{url}: URLs need the package fsspec and that of the protocol: {error}") from None
    except (OSError, ValueError):
        raise
    except Exception as error:  # of URLs that lack what their protocol needs
        raise ValueError(f"{url}: {type(error).__name__}: {error}") from None
    return found


def _arrays(group: Any, zarr: ModuleType) -> dict[str, Any]:
    return {name: node for name, node in group.members(max_depth=None) if isinstance(node, zarr.Array)}


def _like(region: _core.Region, source: Any) -> dict[str, Any]:
    """Return the options by which zarr makes an array of the kind of `source` for the axes of a result."""
    chunks = _kept(region, source.chunks)
    one_item = not region.shape  # in a shard, zarr 3.1.6 cannot read it back
    shards = None if source.shards is None or one_item else _kept(region, source.shards)
    if shards is None:  # else the shards must stay multiples of the chunks
        chunks = tuple(min(size, max(1, dim)) for size, dim in zip(chunks, region.shape, strict=True))
    options: dict[str, Any] = {
        "chunks": chunks,
        "shards": shards,
        "compressors": source.compressors,
        "filters": source.filters,
        "fill_value": source.fill_value,
        "zarr_format": source.metadata.zarr_format,
        "attributes": source.attrs.asdict(),
    }
    if source.metadata.zarr_format == 2:
        return options | {"order": source.order}
    options["serializer"] = source.serializer
    names = source.metadata.dimension_names
    if names is not None:
        options["dimension_names"] = [None if axis < 0 else names[axis] for axis in region.out_axes]
    return options


def _kept(region: _core.Region, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return these sizes for the axes of the result; 1 for new axes."""
    return tuple(1 if axis < 0 else sizes[axis] for axis in region.out_axes)
