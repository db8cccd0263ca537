"""What NumPy's own functions drop: the masks of masked arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ma

from ssop import _core


def converted(op: str, name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a list or a scalar, of which items may be masked, as a masked array (val_c1..val_s2)."""
    _core.read_lists(value)  # raises for what has too many items
    items: Any = ma.asarray(value, dtype=object)  # which keeps masked items apart
    mask = ma.getmaskarray(items)
    filled = np.where(mask, np.zeros((), dtype).astype(object), items.data)
    return ma.array(_core.convert_value(op, name, filled if mask.any() else value, dtype), mask=mask)


def repeated(x: Any, shape: tuple[int, ...]) -> Any:
    """Return a masked array that is broadcast to a shape, with its mask."""
    return ma.array(np.broadcast_to(x.data, shape), mask=np.broadcast_to(ma.getmaskarray(x), shape))


def block_repeated(block: Any, shape: tuple[int, ...]) -> Any:
    """Return a block of dask, masked or not, that is broadcast to a shape."""
    return repeated(block, shape) if isinstance(block, ma.MaskedArray) else np.broadcast_to(block, shape)


def block_where(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Return element by element one of two blocks of dask, of which any may be masked."""
    any_masked = any(isinstance(block, ma.MaskedArray) for block in (pred, on_true, on_false))
    return (ma if any_masked else np).where(pred, on_true, on_false)
