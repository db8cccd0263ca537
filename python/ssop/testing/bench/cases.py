"""What is measured: classes of work, each a few cases in up to four sizes, and the tiny calls.

A size names the bytes of the result; the classes are the rows of the table of targets (`benchmarks/targets.json`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ssop.testing.bench.hptt import permutations

Array: TypeAlias = np.ndarray[Any, Any]
Index: TypeAlias = tuple[slice, ...]

SIZES = {"tiny": 64, "L1": 8 * 2**10, "L2": 128 * 2**10, "L3": 3 * 2**20, "DRAM": 64 * 2**20}
"""Name -> bytes of the result, about. They fit the caches of that name on most machines."""

LARGEST_INPUT = 512 * 2**20
"""Bytes: a size that would need a larger input is left out of a case."""

DTYPES = {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "c16"}
"""Bytes of an element -> its dtype: those that most frameworks have."""

PAGE = 4096
BLANK = 42
"""Every byte of an output before a checked call."""


@dataclass(frozen=True)
class Work:
    """One piece of work, the same for every contender.

    op: "slice" `out = x[index]`, "transpose" `out = x.transpose(order)`, "copy" `out = x`, "new" a new array of
    `x[index]`, "grad" and "pad" `out = 0` but `out[index] = x`, "assign" `out[index] = x`.
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
    """The permutation of a transposition; empty: all axes backwards."""

    @property
    def order(self) -> tuple[int, ...]:
        """The permutation of a transposition."""
        return self.axes or tuple(reversed(range(self.x.ndim)))

    @property
    def padding(self) -> list[tuple[int, int, int]]:
        """Low, high and interior padding of each axis that put `x` at `index` of `out`."""
        ranges = [range(dim)[part] for part, dim in zip(self.index, self.out.shape, strict=True)]
        return [(r.start, dim - 1 - r[-1], r.step - 1) for r, dim in zip(ranges, self.out.shape, strict=True)]

    @property
    def nbytes(self) -> int:
        """Bytes that one call moves: those of the result, or of the values that are assigned."""
        return (self.x if self.op == "assign" else self.out).nbytes * max(1, self.keep)

    @property
    def lists(self) -> tuple[list[int], list[int], list[int]]:
        """Begin, end and strides that mean `index` and need no mask."""
        dims = self.out.shape if self.op in ("grad", "pad", "assign") else self.x.shape
        bounds = [part.indices(dim) for part, dim in zip(self.index, dims, strict=True)]
        begin, end, strides = ([triple[i] for triple in bounds] for i in range(3))
        return begin, [-dim - 1 if stop < 0 else stop for stop, dim in zip(end, dims, strict=True)], strides

    def reset(self) -> None:
        """Make all bytes of `out` BLANK, which are no right answer."""
        flat_bytes(self.out).fill(BLANK)

    def expected(self) -> Array:
        """NumPy's answer, in memory of its own."""
        if self.op == "transpose":
            return self.x.transpose(self.order).copy()
        if self.op in ("grad", "pad", "assign"):
            result = np.empty_like(self.out)
            flat_bytes(result).fill(BLANK if self.op == "assign" else 0)
            result[self.index] = self.x
            return result
        return self.x[self.index].copy()


class Case(NamedTuple):
    """One kind of work in one size."""

    group: str
    """The class."""
    name: str
    size: str
    nbytes: int
    build: Callable[[int], Work]
    """From bytes of the result to the work; allocates."""
    quick: bool
    """Whether it is among the few of its class that a quick run takes."""

    def work(self) -> Work:
        """Return the work, its arrays filled."""
        return self.build(self.nbytes)


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


def _rows(row: int, pitch: int, nbytes: int) -> Work:
    item = 4 if row % 4 == 0 and pitch % 4 == 0 else 1
    index = (slice(None), slice(0, row // item))
    return sliced((max(1, nbytes // row), pitch // item), DTYPES[item], index)


def _strided(item: int, step: int, nbytes: int) -> Work:
    return sliced((nbytes // item * abs(step),), DTYPES[item], (slice(None, None, step),))


def _reversed(item: int, nbytes: int) -> Work:
    return sliced((nbytes // item // 64, 64), DTYPES[item], (slice(None, None, -1),) * 2)


def _transposed(item: int, aligned: bool, nbytes: int) -> Work:
    size = nbytes // item
    if aligned:  # the input's rows are a power of two
        columns = 2 ** round(np.log2(size) / 2)
        shape = (size // columns, columns)
    else:  # no row of either side is a multiple of a line
        side = int(0.98 * size**0.5)
        while side * item % 64 == 0:
            side -= 1
        shape = (side, side)
    x = filled(shape, DTYPES[item])
    return Work("transpose", x, placed(x.T.shape, x.dtype, PAGE // 2), ())


def _permuted(shape: tuple[int, ...], axes: tuple[int, ...], nbytes: int) -> Work:
    """A permutation of f4; the axis whose length is 0 gets as many indices as fit."""
    rest = prod(dim for dim in shape if dim)
    x = filled([dim or max(1, nbytes // (4 * rest)) for dim in shape], "f4")
    return Work("transpose", x, placed([x.shape[axis] for axis in axes], "f4", PAGE // 2), (), axes=axes)


def _repeated(dtype: str, rows: bool, nbytes: int) -> Work:
    """One item everywhere, or one for each row of 1 KiB."""
    item = np.dtype(dtype)
    shape = (max(1, nbytes // 1024), 1024 // item.itemsize) if rows else (nbytes // item.itemsize,)
    values = filled((shape[0], 1) if rows else (1,), item)
    return Work("copy", np.broadcast_to(values, shape), placed(shape, item, PAGE // 2), (slice(None),) * len(shape))


def _repeated_pixel(nbytes: int) -> Work:
    shape = (nbytes // 3, 3)
    return Work("copy", np.broadcast_to(filled((3,), "u1"), shape), placed(shape, "u1", PAGE // 2), (slice(None),) * 2)


def _framed(op: str, batch: bool, nbytes: int) -> Work:
    """A square with a frame of zeros, f4; as a batch of one or without a batch axis."""
    side = max(3, int((nbytes / 4) ** 0.5))
    out = placed((1, side, side) if batch else (side, side), "f4", PAGE // 2)
    index = (slice(None),) * batch + (slice(1, side - 1, 1),) * 2
    return Work(op, filled(out[index].shape, out.dtype), out, index)


def _blocks(inner: tuple[int, ...], dtype: str, index: Index, nbytes: int) -> Work:
    """Slices along the inner axes; in front of them as many outer items as the result needs."""
    block = np.empty(inner, dtype)[index].nbytes
    return sliced((max(1, nbytes // block), *inner), dtype, (slice(None), *index))


def _flipped(channels: int, nbytes: int) -> Work:
    width = 64
    shape = (max(1, nbytes // (width * channels)), width, channels)
    return sliced(shape, "u1", (slice(None), slice(None, None, -1), slice(None)))


def _aliasing(distance: int, nbytes: int) -> Work:
    return sliced((nbytes + 64,), "u1", (slice(32, 32 + nbytes),), distance)


def _copied(op: str, nbytes: int, *, keep: int = 0) -> Work:
    x = filled((nbytes // 4,), "f4")
    return Work(op, x, placed(x.shape, "f4", PAGE // 2), (slice(None),), keep=keep)


def _kept(nbytes: int) -> Work:
    return _copied("new", nbytes, keep=min(64, SIZES["DRAM"] // nbytes))


def _updated(op: str, item: int, nbytes: int) -> Work:
    """Every second element; grad counts the bytes of its result, assign those of its values."""
    size = nbytes // item * (2 if op == "assign" else 1)
    out = placed((size,), DTYPES[item], PAGE // 2)
    index = (slice(None, None, 2),)
    return Work(op, filled(out[index].shape, out.dtype), out, index)


def _fixed(shape: tuple[int, ...], index: Index, nbytes: int) -> Work:
    return sliced(shape, "f4", index)


def _tiny(rank: int, form: str, nbytes: int) -> Work:
    four = (slice(0, 2, 1), slice(1, 3, 1), slice(0, 2, 1), slice(1, 3, 1))
    index: Index = (slice(2, 8, 1),) if rank == 1 else four
    x = filled((256,) if rank == 1 else (4, 4, 4, 4), "f4")
    return Work("new", x, placed(x[index].shape, "f4", PAGE // 2), index, form)


class _Kind(NamedTuple):
    """A case in all its sizes."""

    name: str
    build: Callable[[int], Work]
    sizes: tuple[str, ...] = ("L1", "L2", "L3", "DRAM")
    quick: bool = False
    input_per_output: float = 1.0
    """Bytes of the input for each byte of the result."""
    nbytes: int = 0
    """Of the result, if not those of the size."""
    quick_nbytes: int = 0
    """The same in a quick run."""


def _rows_kinds(*pairs: tuple[int, int]) -> list[_Kind]:
    return [_Kind(f"{row}/{pitch}", partial(_rows, row, pitch), quick=i == 0) for i, (row, pitch) in enumerate(pairs)]


def _stride_kinds(*items: int) -> list[_Kind]:
    return [
        _Kind(f"{item} B ::{step}", partial(_strided, item, step), quick=step == 2, input_per_output=step)
        for item in items
        for step in (2, 3, 4)
    ]


def _column_kinds() -> list[_Kind]:
    pairs = ((8, 64), (4, 64), (4, 256), (4, 4096), (4, 4160))
    return [
        _Kind(f"{item} B of {pitch}", partial(_rows, item, pitch), quick=i == 0, input_per_output=pitch / item)
        for i, (item, pitch) in enumerate(pairs)
    ]


def _reverse_kinds() -> list[_Kind]:
    flat = [_Kind(f"{item} B ::-1", partial(_strided, item, -1), quick=item in (1, 4)) for item in DTYPES]
    return flat + [_Kind(f"{item} B ::-1, ::-1", partial(_reversed, item)) for item in (1, 4, 8)]


def _transpose_kinds() -> list[_Kind]:
    return [
        _Kind(f"{item} B {name}", partial(_transposed, item, aligned), quick=item in (1, 4) and not aligned)
        for item in (1, 2, 4, 8)
        for name, aligned in (("misaligned", False), ("power of two", True))
    ]


def _block_kinds() -> list[_Kind]:
    every, s = slice(None), slice
    return [
        _Kind("rgb flip", partial(_flipped, 3), quick=True),
        _Kind("rgba flip", partial(_flipped, 4)),
        _Kind("rgb to bgr", partial(_blocks, (3,), "u1", (s(None, None, -1),)), quick=True),
        _Kind("rgba to rgb", partial(_blocks, (4,), "u1", (s(0, 3),))),
        _Kind("xyz of xyzw f4", partial(_blocks, (4,), "f4", (s(0, 3),))),
        _Kind("3x3 of 5x5 u1", partial(_blocks, (5, 5), "u1", (s(1, 4), s(1, 4))), quick=True),
        _Kind("3x3 of 5x5 f4", partial(_blocks, (5, 5), "f4", (s(1, 4), s(1, 4)))),
        _Kind("2x2 of 4x4 f4", partial(_blocks, (4, 4), "f4", (s(1, 3), s(1, 3)))),
        _Kind("1:7 of 8 i2", partial(_blocks, (8,), "i2", (s(1, 7),))),
        _Kind("2:14:2 of 16 u1", partial(_blocks, (16,), "u1", (s(2, 14, 2),))),
        _Kind("swapped pairs f4", partial(_blocks, (4, 2), "f4", (every, s(None, None, -1)))),
    ]


def _permute_kinds() -> list[_Kind]:
    """Of rank 2 to 6, with outer axes that are short or long."""
    known: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = [
        ("2-D", (0, 7480), (1, 0)),
        ("3-D 0,2,1", (0, 384, 384), (0, 2, 1)),
        ("3-D 2,1,0", (384, 0, 384), (2, 1, 0)),
        ("3-D 1,0,2", (400, 0, 440), (1, 0, 2)),
        ("3-D 1,2,0 short", (6, 0, 9), (1, 2, 0)),
        ("3-D 2,0,1", (1000, 0, 53), (2, 0, 1)),
        ("4-D 0,2,3,1", (0, 12, 256, 256), (0, 2, 3, 1)),
        ("4-D 0,3,1,2", (0, 256, 256, 12), (0, 3, 1, 2)),
        ("4-D 3,2,1,0", (80, 81, 0, 100), (3, 2, 1, 0)),
        ("5-D 1,3,2,0,4", (0, 28, 28, 8, 176), (1, 3, 2, 0, 4)),
        ("6-D 5,1,3,0,4,2", (8, 0, 30, 16, 6, 96), (5, 1, 3, 0, 4, 2)),
        ("6-D 5,1,3,0,4,2 short", (0, 18, 20, 12, 24, 16), (5, 1, 3, 0, 4, 2)),
        ("6-D 2,0,1,5,3,4", (0, 16, 12, 10, 30, 31), (2, 0, 1, 5, 3, 4)),
    ]
    quick = ("3-D 0,2,1", "5-D 1,3,2,0,4")
    sizes: tuple[str, ...] = ("DRAM",)
    return [
        _Kind(name, partial(_permuted, shape, axes), sizes, name in quick, 1.0, 200_000_000, 32 * 2**20)
        for name, shape, axes in known
    ]


def _hptt_kinds() -> list[_Kind]:
    """HPTT's benchmark; of smaller results the longest axis is shorter."""
    kinds: list[_Kind] = []
    for name, shape, axes in permutations():
        longest = shape.index(max(shape))
        open_shape = tuple(0 if axis == longest else dim for axis, dim in enumerate(shape))
        build = partial(_permuted, open_shape, axes)
        kinds.append(_Kind(name, build, ("DRAM",), not kinds, nbytes=4 * prod(shape), quick_nbytes=32 * 2**20))
    return kinds


def _fill_kinds() -> list[_Kind]:
    items = [_Kind(f"{size} B", partial(_repeated, DTYPES[size], False), quick=size in (1, 4)) for size in DTYPES]
    return [
        *items,
        _Kind("3 B", _repeated_pixel, quick=True),
        _Kind("4 B rows of 1 KiB", partial(_repeated, "f4", True)),
    ]


def _frame_kinds() -> list[_Kind]:
    """Gradients of the inside of a square, and padding round it: as fast in a batch of one as without it."""
    return [
        _Kind(f"{op} {name}", partial(_framed, op, batch), quick=op == "grad")
        for op in ("grad", "pad")
        for name, batch in (("of a square", False), ("of a batch of one", True))
    ]


def _tensorflow_kinds() -> list[_Kind]:
    def columns(n: int) -> Index:
        return slice(10, 110), slice(10, 10 + n)

    return [
        *(
            _Kind(f"200x15000 [10:110, 10:{10 + n}]", partial(_fixed, (200, 15000), columns(n)), (size,), n == 1000)
            for n, size in ((100, "L2"), (1000, "L2"), (10000, "L3"))
        ),
        _Kind(
            "256^3 [::2, ::1, ::2]",
            partial(_fixed, (256,) * 3, (slice(None, None, 2), slice(None), slice(None, None, 2))),
            ("L3",),
        ),
    ]


def _huge_kinds(op: str) -> list[_Kind]:
    build = partial(_copied, op)
    return [
        _Kind("64 MiB", build, ("DRAM",), quick=True),
        _Kind("256 MiB", build, ("DRAM",), nbytes=256 * 2**20),
    ]


_KINDS = {
    "rows-16B": _rows_kinds((8, 16), (12, 24), (16, 32), (16, 64), (16, 96)),
    "rows-64B": _rows_kinds((24, 48), (32, 64), (48, 96), (64, 128), (24, 96), (64, 192)),
    "rows-512B": _rows_kinds((128, 256), (100, 200), (256, 512), (512, 1024)),
    "rows-1K": _rows_kinds((1024, 2048), (4096, 8192), (4096, 7168)),
    "stride-1B": _stride_kinds(1),
    "stride-2B": _stride_kinds(2),
    "stride-4B": _stride_kinds(4),
    "stride-8-16B": _stride_kinds(8, 16),
    "column": _column_kinds(),
    "reverse": _reverse_kinds(),
    "transpose": _transpose_kinds(),
    "blocks": _block_kinds(),
    "aliasing": [
        _Kind(f"{distance} B apart", partial(_aliasing, distance), ("L1", "L2", "L3"), distance == 8)
        for distance in (1, 8, 15)
    ],
    "huge-out": _huge_kinds("copy"),
    "huge-new": _huge_kinds("new"),
    "kept": [
        _Kind("128 KiB", _kept, ("L2",), quick=True),
        _Kind("1 MiB", _kept, ("L3",), nbytes=2**20),
        _Kind("3 MiB", _kept, ("L3",)),
    ],
    "permute": _permute_kinds(),
    "hptt": _hptt_kinds(),
    "fill": _fill_kinds(),
    "frame": _frame_kinds(),
    "grad": [_Kind(f"{item} B ::2", partial(_updated, "grad", item), quick=item == 4) for item in (1, 2, 4, 8)],
    "assign": [
        _Kind(f"{item} B ::2", partial(_updated, "assign", item), quick=item == 4, input_per_output=2)
        for item in (1, 2, 4, 8)
    ],
    "tiny": [
        _Kind("4-D", partial(_tiny, 4, "plain"), ("tiny",), True),
        _Kind("4-D, NumPy from lists", partial(_tiny, 4, "lists"), ("tiny",)),
        _Kind("4-D, plan", partial(_tiny, 4, "plan"), ("tiny",), True),
        _Kind("1-D", partial(_tiny, 1, "plain"), ("tiny",), True),
    ],
    "tensorflow": _tensorflow_kinds(),
}

CLASSES = tuple(_KINDS)


def each_case(
    classes: Sequence[str] = CLASSES, sizes: Sequence[str] = tuple(SIZES), quick: bool = False
) -> Iterator[Case]:
    """Give the cases of these classes and sizes, class by class, of a quick run only a few of each class.

    >>> [(case.group, case.name, case.size) for case in each_case(["huge-out"])]
    [('huge-out', '64 MiB', 'DRAM'), ('huge-out', '256 MiB', 'DRAM')]
    """
    for group in classes:
        for size in sizes:
            for kind in _KINDS[group]:
                nbytes = (kind.quick_nbytes if quick else 0) or kind.nbytes or SIZES[size]
                fits = size in kind.sizes and nbytes * kind.input_per_output <= LARGEST_INPUT
                if fits and (kind.quick or not quick):
                    yield Case(group, kind.name, size, nbytes, kind.build, kind.quick)
