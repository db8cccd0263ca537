"""The folders of zarr stores, of which no file is read that lies elsewhere or has no end.

A link in a store may lead to any file, and zarr would wait for a named pipe or read a device until memory is full.
"""

from __future__ import annotations

import os
import stat
from importlib import import_module
from typing import Any

_zarr: Any = import_module("zarr")


class _Confined(_zarr.storage.LocalStore):  # type: ignore[misc]
    """A folder, by its real path, of which regular files below it are read alone."""

    async def get(self, key: str, *arguments: Any, **options: Any) -> Any:
        _check(str(self.root), key)
        return await super().get(key, *arguments, **options)

    def get_sync(self, key: str, *arguments: Any, **options: Any) -> Any:
        _check(str(self.root), key)
        return super().get_sync(key, *arguments, **options)


def open_confined(path: str) -> Any:
    """Return the zarr array or group in a folder, which can only be read."""
    return _zarr.open(_Confined(os.path.realpath(path), read_only=True), mode="r")


def _check(root: str, key: str) -> None:
    file = os.path.realpath(os.path.join(root, key))
    if os.path.commonpath([root, file]) != root:
        raise ValueError(f"{key} leads out of the store")
    if os.path.exists(file) and not (os.path.isdir(file) or stat.S_ISREG(os.stat(file).st_mode)):
        raise ValueError(f"{key} is no regular file")
