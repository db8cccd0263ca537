"""Hypothesis strategies for arrays of every layout and dtype; `ssop.testing.strategies` has them all.

The contents count upwards byte by byte, so that an item out of place shows, and a failure prints as something to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from hypothesis import strategies as st

Array: TypeAlias = np.ndarray[Any, Any]
DType: TypeAlias = np.dtype[Any]

ORDERS = ("C", "F", "rotated")
PERIOD = 251  # of the contents: a prime, so that no item size divides it


class Layout(NamedTuple):
    """Where the items of an array lie in its memory.

    >>> Layout().view(np.zeros, (2, 3)).strides, Layout("F", 2, 0b01).view(np.zeros, (2, 3)).strides
    ((24, 8), (-16, 32))
    """

    order: str = "C"
    """Which axis is the innermost: the last one, the first one ("F"), or the first one with the others in C order."""
    spacing: int = 1
    """Items from one item of the innermost axis to the next."""
    backwards: int = 0
    """Bit i: axis i has a negative stride."""
    offset: int = 0
    """Bytes before the first item: odd ones make unaligned arrays."""

    def view(self, make: Callable[[tuple[int, ...]], Array], shape: Sequence[int]) -> Array:
        """An array of `shape` in this layout, within the C-ordered array that `make` gives for some other shape."""
        axes = list(range(len(shape)))
        order = {"C": axes, "F": axes[::-1], "rotated": [*axes[1:], *axes[:1]]}[self.order]
        dims = [shape[axis] for axis in order]
        memory = make((*dims[:-1], dims[-1] * self.spacing) if dims else ())
        if dims:
            memory = memory[..., :: self.spacing]
        turned = memory.transpose(sorted(axes, key=order.__getitem__))
        index: Any = (..., *(slice(None, None, -1 if self.backwards >> axis & 1 else 1) for axis in axes))
        view: Array = turned[index]
        return view


def layouts() -> st.SearchStrategy[Layout]:
    """C, Fortran and transposed order, gaps between items, negative strides on any axes, unaligned starts.

    >>> from hypothesis import find
    >>> find(layouts(), lambda layout: layout.backwards and layout.offset)
    Layout(order='C', spacing=1, backwards=1, offset=1)
    """
    return st.builds(
        Layout, st.sampled_from(ORDERS), st.integers(1, 3), st.integers(0, 15), st.sampled_from((0, 0, 1, 3, 8))
    )


@cache
def every_dtype() -> tuple[DType, ...]:
    """The dtypes that `dtypes()` draws from."""
    try:
        import ml_dtypes
    except ImportError:
        others: list[Any] = []
    else:
        others = [*vars(ml_dtypes).values()]  # its types are found, not listed: new versions bring new ones

    sized = [f"{kind}{size}" for kind in "SUV" for size in (0, 1, 3, 7)]
    dated = [f"{kind}8[{unit}]" for kind in "Mm" for unit in ("generic", "Y", "25s", "ns")]
    numbers = [np.dtype(code) for code in (*np.typecodes["AllInteger"], *np.typecodes["AllFloat"], "?")]
    ordered = [*numbers, *map(np.dtype, sized), *map(np.dtype, dated)]
    small = [np.dtype(t) for t in others if isinstance(t, type) and issubclass(t, np.generic)]
    pair = np.dtype([("a", "<i2"), ("b", "S3")])
    records = [
        pair,
        np.dtype([("flag", "?"), ("value", "g"), ("last", "i1")], align=True),  # with bytes of padding
        np.dtype([("pair", pair, (2, 2)), ("when", ">M8[us]")]),
        np.dtype({"names": ["x", "y"], "formats": ["<u4", ">u2"], "offsets": [4, 5], "itemsize": 11}),  # fields overlap
        np.dtype([(("title", "x"), "<f4")], metadata={"unit": "m"}),
        np.dtype([]),
    ]
    swapped = [dtype.newbyteorder("S") for dtype in ordered]
    return (*ordered, *(dtype for dtype in swapped if dtype not in ordered), *small, *records)


def dtypes() -> st.SearchStrategy[DType]:
    """Every dtype of plain bytes, in both byte orders: numbers, strings, dates, records, ml_dtypes where installed.

    >>> from hypothesis import find
    >>> find(dtypes(), lambda dtype: dtype.names is not None)
    dtype([('a', '<i2'), ('b', 'S3')])
    """
    return st.deferred(lambda: st.sampled_from(every_dtype()))  # ml_dtypes is imported only when something is drawn


@st.composite
def arrays(draw: st.DrawFn, shape: Sequence[int], dtype: Any = np.int64, *, writeable: bool = False) -> Array:
    """Arrays of `shape` and `dtype`, owning their memory or not, in any of the `layouts()`.

    Unless they must be `writeable`, some are read-only, and some have axes of stride 0.

    >>> from hypothesis import find
    >>> find(arrays((2, 3), "u1"), lambda x: x.strides == (0, 1))
    array([[1, 2, 3],
           [1, 2, 3]], dtype=uint8)
    """
    dtype = np.dtype(dtype)
    kind = draw(st.sampled_from(("owning", "view", "view", *(() if writeable else ("frozen", "flat")))))
    if kind == "owning":
        return counting(np.empty(shape, dtype))
    if kind == "flat":
        flat = draw(st.integers(0, 15))
        some = counting(np.empty([1 if flat >> axis & 1 and dim else dim for axis, dim in enumerate(shape)], dtype))
        return np.broadcast_to(some, shape)
    layout = draw(layouts())
    array = counting(layout.view(lambda dims: _in_memory(dims, dtype, layout.offset), shape))
    array.flags.writeable = kind != "frozen"
    return array


@st.composite
def overlapping_arrays(draw: st.DrawFn, *shapes: Sequence[int], dtype: Any = np.int64) -> tuple[Array, ...]:
    """A memory of bytes, then arrays of these shapes within it, which may share items or parts of them.

    All are writeable, and none overlaps itself.

    >>> from hypothesis import find
    >>> memory, x, y = find(overlapping_arrays((2,), (3,), dtype="u1"), lambda three: np.shares_memory(*three[1:]))
    >>> x, y
    (array([1, 2], dtype=uint8), array([1, 2, 3], dtype=uint8))
    """
    dtype = np.dtype(dtype)
    places = [(draw(layouts()), draw(st.integers(0, 4 * dtype.itemsize))) for _ in shapes]
    size = (3 * max(map(prod, shapes)) + 4) * dtype.itemsize  # 3: the widest spacing
    memory = counting(np.empty(size + 1, np.uint8))

    def place(shape: Sequence[int], layout: Layout, at: int) -> Array:
        return layout.view(lambda dims: np.ndarray(dims, dtype, memory, at), shape)

    return memory, *(place(shape, *where) for shape, where in zip(shapes, places, strict=True))


def counting(array: Array) -> Array:
    """The array itself, its bytes now 1, 2, 3, .. in C order, padding inside the items too.

    >>> counting(np.empty(3, "<u2")).view("u1").tolist()
    [1, 2, 3, 4, 5, 6]
    """
    size = array.dtype.itemsize
    if size:
        count = np.arange(array.size * size) % PERIOD + 1
        items(array)[...] = count.astype(np.uint8).view(f"V{size}").reshape(array.shape)
    return array


def items(array: Array) -> Array:
    """The array with its items as bare bytes, so that NumPy moves and compares them whole, padding and all.

    >>> items(np.array([1], ">u2"))
    array([b'\\x00\\x01'], dtype='|V2')
    """
    return array.view(f"V{array.dtype.itemsize}") if array.dtype.itemsize else array


def _in_memory(shape: Sequence[int], dtype: DType, offset: int) -> Array:
    return np.ndarray(shape, dtype, bytearray(offset + max(prod(shape) * dtype.itemsize, 1)), offset)
