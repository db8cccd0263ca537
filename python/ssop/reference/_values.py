"""Lists and scalars as items of a dtype: what is converted, and what is an error."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

from ssop.reference._tensors import Rejected, Tensor

KINDS = {bool: 0, int: 1, float: 2, complex: 3, str: 4, bytes: 5}
"""Each kind of number contains those before it."""

FLOATS = {16: "<e", 32: "<f", 64: "<d"}
"""In these formats, struct raises OverflowError for numbers that round to infinity."""


def kind_and_bits(dtype: str) -> tuple[int, int]:
    """Return the kind of a dtype, and its bits; of strings and bytes, the number of characters.

    >>> kind_and_bits("int8"), kind_and_bits("complex64"), kind_and_bits("str3")
    ((1, 8), (3, 64), (4, 3))
    """
    name = dtype.rstrip("0123456789")
    kind = {"bool": bool, "int": int, "uint": int, "float": float, "complex": complex, "str": str, "bytes": bytes}[name]
    return KINDS[kind], int(dtype[len(name) :] or 1)


def convert_value(value: Any, dtype: str) -> Tensor:
    """Return what a value becomes where an array of `dtype` is needed; entries of errors count its items in C order.

    A scalar of NumPy's, or an array without axes, counts as the Python object that it holds (`val_s2`).
    Raises `val_c1`..`val_c4`. Dtypes are "bool", "int8", "uint64", "float16", "complex64", "str3" (at most three
    characters), "bytes3" and the like.

    >>> convert_value([1, True], "float32")
    Tensor(shape=(2,), items=[1.0, 1.0])
    >>> convert_value(300, "int8")
    Traceback (most recent call last):
    ssop.reference._tensors.Rejected: Rejected('val_c2', axis=None, entry=None, value=300, allowed=(-128, 127))
    """
    if getattr(value, "shape", None) == ():
        value = value.item()
    shape = shape_of(value)
    items = list(items_of(value, len(shape)))
    entries = range(len(items)) if shape else [None]
    return Tensor(shape, [convert_item(item, dtype, entry) for item, entry in zip(items, entries, strict=True)])


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape down to where lists differ in length, or stand beside items.

    >>> shape_of(5), shape_of([[1, 2], [3, 4]]), shape_of([[1, 2], [3]])
    ((), (2, 2), (2,))
    """
    if not isinstance(value, list):
        return ()
    shapes = [shape_of(item) for item in value]
    common = []
    for dims in zip(*shapes, strict=False):
        if len(set(dims)) > 1:
            break
        common.append(dims[0])
    return (len(value), *common)


def items_of(value: Any, depth: int) -> Iterator[Any]:
    """Yield what stands at a depth of nesting, in order.

    >>> list(items_of([[1, 2], [3, 4]], 2))
    [1, 2, 3, 4]
    """
    if depth == 0:
        yield value
        return
    for item in value:
        yield from items_of(item, depth - 1)


def convert_item(item: Any, dtype: str, entry: int | None) -> Any:
    """Return one item as a dtype has it."""
    kind, bits = kind_and_bits(dtype)
    if isinstance(item, list):
        raise Rejected("val_c4", entry=entry, value=item)
    given = KINDS.get(type(item))
    is_number = kind <= KINDS[complex]
    if given is None or (given > kind if is_number else given != kind):
        raise Rejected("val_c1", entry=entry, value=item)
    if not is_number:
        if len(item) > bits:
            raise Rejected("val_c3", entry=entry, value=item)
        return item
    if kind == KINDS[bool]:
        return item
    if kind == KINDS[int]:
        low, high = (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if not low <= item <= high:
            raise Rejected("val_c2", entry=entry, value=item, allowed=(low, high))
        return int(item)
    try:
        if kind == KINDS[float]:
            return rounded(float(item), bits)
        number = complex(item)
        return complex(rounded(number.real, bits // 2), rounded(number.imag, bits // 2))
    except OverflowError:
        raise Rejected("val_c2", entry=entry, value=item) from None


def rounded(number: float, bits: int) -> float:
    """Return the nearest number of a format of IEEE 754 (val_s1). Raises OverflowError if that is infinite.

    >>> rounded(0.1, 16), rounded(math.inf, 16)
    (0.0999755859375, inf)
    """
    if not math.isfinite(number):
        return number
    result: float = struct.unpack(FLOATS[bits], struct.pack(FLOATS[bits], number))[0]
    return result
