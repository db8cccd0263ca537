"""What is measured: classes of work, each a few cases in up to four sizes, and the tiny calls.

A size names the bytes of the result; the classes are the rows of the table of targets (`benchmarks/targets.json`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ssop.testing.bench.kind import SIZES, Case, Kind
from ssop.testing.bench.operation_cases import OPERATION_KINDS
from ssop.testing.bench.permutation_cases import PERMUTATION_KINDS
from ssop.testing.bench.work import DTYPES, PAGE, Index, Work, filled, placed, sliced

LARGEST_INPUT = 512 * 2**20
"""Bytes: a size that would need a larger input is left out of a case."""


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


def _fixed(shape: tuple[int, ...], index: Index, nbytes: int) -> Work:
    return sliced(shape, "f4", index)


def _tiny(rank: int, form: str, nbytes: int) -> Work:
    four = (slice(0, 2, 1), slice(1, 3, 1), slice(0, 2, 1), slice(1, 3, 1))
    index: Index = (slice(2, 8, 1),) if rank == 1 else four
    x = filled((256,) if rank == 1 else (4, 4, 4, 4), "f4")
    return Work("new", x, placed(x[index].shape, "f4", PAGE // 2), index, form)


def _rows_kinds(*pairs: tuple[int, int]) -> list[Kind]:
    return [Kind(f"{row}/{pitch}", partial(_rows, row, pitch), quick=i == 0) for i, (row, pitch) in enumerate(pairs)]


def _stride_kinds(*items: int) -> list[Kind]:
    return [
        Kind(f"{item} B ::{step}", partial(_strided, item, step), quick=step == 2, input_per_output=step)
        for item in items
        for step in (2, 3, 4)
    ]


def _column_kinds() -> list[Kind]:
    pairs = ((8, 64), (4, 64), (4, 256), (4, 4096), (4, 4160))
    return [
        Kind(f"{item} B of {pitch}", partial(_rows, item, pitch), quick=i == 0, input_per_output=pitch / item)
        for i, (item, pitch) in enumerate(pairs)
    ]


def _reverse_kinds() -> list[Kind]:
    flat = [Kind(f"{item} B ::-1", partial(_strided, item, -1), quick=item in (1, 4)) for item in DTYPES]
    return flat + [Kind(f"{item} B ::-1, ::-1", partial(_reversed, item)) for item in (1, 4, 8)]


def _transpose_kinds() -> list[Kind]:
    return [
        Kind(f"{item} B {name}", partial(_transposed, item, aligned), quick=item in (1, 4) and not aligned)
        for item in (1, 2, 4, 8)
        for name, aligned in (("misaligned", False), ("power of two", True))
    ]


def _block_kinds() -> list[Kind]:
    every, s = slice(None), slice
    return [
        Kind("rgb flip", partial(_flipped, 3), quick=True),
        Kind("rgba flip", partial(_flipped, 4)),
        Kind("rgb to bgr", partial(_blocks, (3,), "u1", (s(None, None, -1),)), quick=True),
        Kind("rgba to rgb", partial(_blocks, (4,), "u1", (s(0, 3),))),
        Kind("xyz of xyzw f4", partial(_blocks, (4,), "f4", (s(0, 3),))),
        Kind("3x3 of 5x5 u1", partial(_blocks, (5, 5), "u1", (s(1, 4), s(1, 4))), quick=True),
        Kind("3x3 of 5x5 f4", partial(_blocks, (5, 5), "f4", (s(1, 4), s(1, 4)))),
        Kind("2x2 of 4x4 f4", partial(_blocks, (4, 4), "f4", (s(1, 3), s(1, 3)))),
        Kind("1:7 of 8 i2", partial(_blocks, (8,), "i2", (s(1, 7),))),
        Kind("2:14:2 of 16 u1", partial(_blocks, (16,), "u1", (s(2, 14, 2),))),
        Kind("swapped pairs f4", partial(_blocks, (4, 2), "f4", (every, s(None, None, -1)))),
        Kind("::-2 of 6 c16", partial(_blocks, (6,), "c16", (s(None, None, -2),))),
        Kind("::3, ::2 of 3x4 f8", partial(_blocks, (3, 4), "f8", (s(None, None, 3), s(None, None, 2)))),
    ]


def _tensorflow_kinds() -> list[Kind]:
    def columns(n: int) -> Index:
        return slice(10, 110), slice(10, 10 + n)

    return [
        *(
            Kind(f"200x15000 [10:110, 10:{10 + n}]", partial(_fixed, (200, 15000), columns(n)), (size,), n == 1000)
            for n, size in ((100, "L2"), (1000, "L2"), (10000, "L3"))
        ),
        Kind(
            "256^3 [::2, ::1, ::2]",
            partial(_fixed, (256,) * 3, (slice(None, None, 2), slice(None), slice(None, None, 2))),
            ("L3",),
        ),
    ]


def _huge_kinds(op: str) -> list[Kind]:
    build = partial(_copied, op)
    return [
        Kind("64 MiB", build, ("DRAM",), quick=True),
        Kind("256 MiB", build, ("DRAM",), nbytes=256 * 2**20),
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
        Kind(f"{distance} B apart", partial(_aliasing, distance), ("L1", "L2", "L3"), distance == 8)
        for distance in (1, 8, 15)
    ],
    "huge-out": _huge_kinds("copy"),
    "huge-new": _huge_kinds("new"),
    "kept": [
        Kind("128 KiB", _kept, ("L2",), quick=True),
        Kind("1 MiB", _kept, ("L3",), nbytes=2**20),
        Kind("3 MiB", _kept, ("L3",)),
    ],
    **PERMUTATION_KINDS,
    **OPERATION_KINDS,
    "tiny": [
        Kind("4-D", partial(_tiny, 4, "plain"), ("tiny",), True),
        Kind("4-D, NumPy from lists", partial(_tiny, 4, "lists"), ("tiny",)),
        Kind("4-D, plan", partial(_tiny, 4, "plan"), ("tiny",), True),
        Kind("1-D", partial(_tiny, 1, "plain"), ("tiny",), True),
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
