"""What is known of the tensors behind a handle: their shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ssop._core import PartialShape
from ssop._errors import dtype_or_none, kind_of, type_error
from ssop._sequences import plain
from ssop.shapes._arguments import ShapeLike
from ssop.shapes._checks import items_of


class ShapeAndType:
    """The shape and the dtype of a tensor behind a handle. Immutable.

    `shape` is anything that `PartialShape` takes, `dtype` anything that `numpy.dtype` takes, or None if it is not known
    (TensorFlow's DT_INVALID). Two are equal if their shapes and dtypes are.

    >>> import ssop
    >>> ssop.shapes.ShapeAndType([2, None], "float32")
    ShapeAndType([2,?], float32)
    """

    __module__ = "ssop.shapes"
    __slots__ = ("dtype", "shape")

    shape: PartialShape
    dtype: np.dtype[Any] | None

    def __init__(self, shape: ShapeLike, dtype: Any = None) -> None:
        object.__setattr__(self, "shape", PartialShape(shape))
        object.__setattr__(self, "dtype", None if dtype is None else _dtype_of(dtype))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ShapeAndType is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"ShapeAndType is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShapeAndType):
            return NotImplemented
        return self.shape == other.shape and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.shape, self.dtype)

    def __repr__(self) -> str:
        return f"ShapeAndType({self.shape}, {self.dtype})"

    def __str__(self) -> str:
        return f"{self.shape}:{self.dtype}"


def _dtype_of(dtype: Any) -> np.dtype[Any]:
    found = dtype_or_none(dtype)
    if found is None:
        given = repr(dtype) if isinstance(dtype, str) else kind_of(dtype)
        message = f"dtype is {given}, not a dtype of NumPy, such as 'float32'"
        raise type_error("ShapeAndType", "sh_c36", message, value=dtype)
    return found


HandleData = tuple[ShapeAndType, ...]


def checked(op: str, data: Any) -> HandleData:
    """Handle data as a tuple; pairs (shape, dtype) are converted. Raises sh_c36 for all else."""
    return tuple(_shape_and_type(op, item) for item in items_of(op, "handle data", data, "ShapeAndType"))


def _shape_and_type(op: str, item: Any) -> ShapeAndType:
    if isinstance(item, ShapeAndType):
        return item
    pair = plain(item) if isinstance(item, (tuple, list)) else []
    if len(pair) != 2:
        raise type_error(op, "sh_c36", f"handle data has {kind_of(item)}, not a ShapeAndType", value=item)
    return ShapeAndType(*pair)


def combined(
    old: HandleData, new: HandleData, combine: Callable[[PartialShape, PartialShape], PartialShape]
) -> HandleData | None:
    """`old`, each shape combined with that of `new`; None if the lengths or the dtypes do not fit (sh_s15)."""
    if len(old) != len(new):
        return None
    pairs = list(zip(old, new, strict=True))
    if any(before.dtype not in (None, after.dtype) for before, after in pairs):
        return None
    return tuple(ShapeAndType(combine(before.shape, after.shape), after.dtype) for before, after in pairs)


def is_refined(old: HandleData, new: HandleData) -> bool:
    """True if a shape is another handle than before, or a dtype became known."""
    pairs = zip(old, new, strict=True)
    return any(before.shape.id != after.shape.id or before.dtype != after.dtype for before, after in pairs)
