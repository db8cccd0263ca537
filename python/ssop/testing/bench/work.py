"""Pieces of work: arrays at known places, what is to be done with them, and NumPy's answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Index: TypeAlias = tuple[slice, ...]

DTYPES = {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "c16"}
"""Bytes of an element -> its dtype: those that most frameworks have."""

PAGE = 4096
BLANK = 42
"""Every byte of an output before a checked call."""

INTO_A_WINDOW = ("assign", "window")
"""Operations that write a part of an array that exists, and leave the rest as it is."""

WRITES_ITS_INPUT = (*INTO_A_WINDOW, "shift")
"""Operations whose output may share memory with what they read."""

AROUND = ("grad", "pad")
"""Operations whose result is one value, and `x` at `index`."""


@dataclass(frozen=True)
class Work:
    """One piece of work, the same for every contender.

    op, and what it means in NumPy's words:

    - "slice" `out = x[index]`, "new" a new array of `x[index]`, "copy" `out = x`,
    - "shift" `out = x`, both of them parts of one array: first `x = operands[0]`,
    - "transpose" `out = x.transpose(order)`, "reshape" `out = x.transpose(order).reshape(out.shape)`,
    - "broadcast" `out = x`, repeated along the axes in which `x` has length 1,
    - "grad" and "pad" `out = value` but `out[index] = x` (for "grad" the value is 0),
    - "assign" and "window" `out[index] = x` (XLA's form of it has starts instead of steps),
    - "update" `out = x` but `out[index] = operands[0]`,
    - "concatenate" `out = concatenate(operands, axes[0])`,
    - "select" a new array of `where(*operands)`, "clamp" a new array of `clip(x, *operands)`.
    """

    op: str
    x: Array
    out: Array
    index: Index
    form: str = "plain"
    """How tiny calls are made: "plain", "lists" (NumPy makes its index from lists, too) or "plan"."""
    keep: int = 0
    """If not 0: so many results are made and kept before all are dropped."""
    axes: tuple[int, ...] = ()
    """The permutation of a transposition (empty: all axes backwards), or the axis along which operands are joined."""
    operands: tuple[Array, ...] = ()
    """What is read besides `x`, or instead of it."""
    value: float = 0
    """What pads."""

    @property
    def order(self) -> tuple[int, ...]:
        """The permutation of a transposition."""
        return self.axes or tuple(reversed(range(self.x.ndim)))

    @property
    def padding(self) -> list[tuple[int, int, int]]:
        """Low, high and interior padding of each axis that put `x` at `index` of `out`."""
        ranges = [range(dim)[part] for part, dim in zip(self.index, self.out.shape, strict=True)]
        return [
            (r.start, dim - 1 - r[-1], r.step - 1) if r else (0, 0, 0)
            for r, dim in zip(ranges, self.out.shape, strict=True)
        ]

    @property
    def starts(self) -> list[int]:
        """Where the window begins on each axis."""
        return [range(dim)[part].start for part, dim in zip(self.index, self.out.shape, strict=True)]

    @property
    def nbytes(self) -> int:
        """Bytes that one call moves: those of the result, or of the window that is written."""
        return (self.out[self.index] if self.op in INTO_A_WINDOW else self.out).nbytes * max(1, self.keep)

    @property
    def lists(self) -> tuple[list[int], list[int], list[int]]:
        """Begin, end and strides that mean `index` and need no mask."""
        dims = self.out.shape if self.op in (*AROUND, *INTO_A_WINDOW, "update") else self.x.shape
        bounds = [part.indices(dim) for part, dim in zip(self.index, dims, strict=True)]
        begin, end, strides = ([triple[i] for triple in bounds] for i in range(3))
        return begin, [-dim - 1 if stop < 0 else stop for stop, dim in zip(end, dims, strict=True)], strides

    def reset(self) -> None:
        """Make all bytes of `out` BLANK, which are no right answer; those of a shift are what is to be shifted."""
        if self.op == "shift":
            self.x[...] = self.operands[0]
        else:
            flat_bytes(self.out).fill(BLANK)

    def expected(self) -> Array:
        """NumPy's answer, in memory of its own."""
        x, shape = self.x, self.out.shape
        answers: dict[str, Callable[[], Array]] = {
            "transpose": lambda: x.transpose(self.order).copy(),
            "reshape": lambda: x.transpose(self.order).copy().reshape(shape),
            "broadcast": lambda: np.broadcast_to(x, shape).copy(),
            "shift": lambda: self.operands[0].copy(),
            "concatenate": lambda: np.concatenate(self.operands, self.axes[0]),
            "select": lambda: np.where(*self.operands),
            "clamp": lambda: np.clip(x, *self.operands),
        }
        if self.op in answers:
            return answers[self.op]()
        if self.op not in (*AROUND, *INTO_A_WINDOW, "update"):
            return x[self.index].copy()
        result = np.empty_like(self.out)
        if self.op in INTO_A_WINDOW:
            flat_bytes(result).fill(BLANK)
        else:
            result[...] = x if self.op == "update" else self.value
        result[self.index] = self.operands[0] if self.op == "update" else x
        return result

    def emptied(self) -> Work:
        """Return the same call with a result of no elements, which goes into an output that exists."""
        x, out = self.x[:0], self.out[:0]
        if self.op in ("slice", "new", *INTO_A_WINDOW):
            begin, _, step = self.index[0].indices(self.out.shape[0] if self.op in INTO_A_WINDOW else self.x.shape[0])
            index = (slice(begin, begin, step), *self.index[1:])
            if self.op in INTO_A_WINDOW:
                return replace(self, x=np.empty_like(self.out[index]), index=index)
            return replace(self, op="slice", out=placed(self.x[index].shape, self.x.dtype), index=index, keep=0)
        index = tuple(slice(0, 0) if axis == 0 else part for axis, part in enumerate(self.index))
        if self.op in ("transpose", "reshape"):
            axes = self.order
            shape = [x.shape[axis] for axis in axes] if self.op == "transpose" else (0, *self.out.shape[1:])
            return replace(self, x=x, out=placed(shape, x.dtype), axes=axes)
        operands = tuple(operand[:0] if operand.ndim else operand for operand in self.operands)
        if self.op == "concatenate" and self.axes[0]:
            out = np.concatenate(operands, self.axes[0])
        return replace(self, x=x, out=out, index=index, operands=operands)


def flat_bytes(array: Array) -> Array:
    """Return the bytes of a C-contiguous array, 1-D."""
    memory: Array = array.reshape(-1).view(np.uint8)
    return memory


def placed(shape: Sequence[int], dtype: Any, offset: int = 0) -> Array:
    """Return an array `offset` bytes behind a page boundary, its pages mapped.

    The copying of libc and others depends on the distance of input and output modulo a page, so it is always set.
    """
    dtype = np.dtype(dtype)
    nbytes = prod(shape) * dtype.itemsize
    memory = np.empty(nbytes + offset + PAGE, np.uint8)
    memory.fill(BLANK)
    start = -memory.ctypes.data % PAGE + offset
    array: Array = memory[start : start + nbytes].view(dtype).reshape(shape)
    return array


def filled(shape: Sequence[int], dtype: Any, offset: int = 0) -> Array:
    """Return a placed array of varied bytes from 1 to 41: normal numbers in any float type, and nothing BLANK."""
    array = placed(shape, dtype, offset)
    memory = flat_bytes(array)
    tile = np.random.default_rng(0).integers(1, BLANK, 999_983, np.uint8)  # a prime, so that no row is like the next
    for start in range(0, memory.size, tile.size):
        memory[start : start + tile.size] = tile[: memory.size - start]
    return array


def sliced(shape: Sequence[int], dtype: Any, index: Index, distance: int = PAGE // 2) -> Work:
    """Return a slice into a warm output whose first byte is `distance` bytes from the input's first, modulo a page."""
    x = filled(shape, dtype)
    view = x[index]
    offset = (view.ctypes.data + distance) % PAGE
    return Work("slice", x, placed(view.shape, dtype, offset), index)
