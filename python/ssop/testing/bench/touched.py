"""How many bytes of memory a piece of work must touch: whole cache lines, computed from the strides."""

from __future__ import annotations

import numpy as np

from ssop.testing.bench.work import INTO_A_WINDOW, Array, Work

LINE = 64
"""Bytes of a cache line, of every processor that ssop has kernels for."""


def touched(work: Work) -> tuple[int, int]:
    """Return the bytes that one result reads and those that it writes; what is not needed is not counted.

    An element of one cache line needs the whole line. A value that repeats is read once, and what an update replaces
    is not read.
    """
    written = lines(work.out[work.index] if work.op in INTO_A_WINDOW else work.out)
    if work.op in ("slice", "new"):
        read = lines(work.x[work.index])
    elif work.op == "update":
        read = lines(work.x) - lines(work.x[work.index]) + lines(work.operands[0])
    elif work.op in ("concatenate", "select"):
        read = sum(map(lines, work.operands))
    else:
        read = lines(work.x)
    return LINE * read, LINE * written


def lines(array: Array) -> int:
    """Return the number of cache lines in which an array has elements.

    The line in which one row of spaced elements ends and the next begins may count twice.

    >>> import numpy as np
    >>> buffer = np.zeros(65536, np.uint8)
    >>> aligned = buffer[-buffer.ctypes.data % 64 :][:32768]
    >>> [lines(aligned[:: step]) for step in (1, 2, 64, 256)], lines(aligned[60:68]), lines(aligned[::-96])
    ([512, 512, 512, 128], 2, 342)
    """
    if array.size == 0:
        return 0
    address, strides = array.ctypes.data, []
    for dim, stride in zip(array.shape, array.strides, strict=True):
        if dim > 1 and stride:
            address += min(0, (dim - 1) * stride)
            strides.append((abs(stride), dim))
    run = array.itemsize
    outer: list[tuple[int, int]] = []
    for stride, dim in sorted(strides):
        if stride - run < LINE and not outer:  # no whole line lies between two neighbours
            run += stride * (dim - 1)
        else:
            outer.append((stride, dim))
    begins = np.zeros(LINE, np.int64)  # how many runs begin at each place in a line
    begins[address % LINE] = 1
    for stride, dim in outer:
        moved = np.zeros_like(begins)
        places, counts = np.unique(np.arange(min(dim, LINE)) * stride % LINE, return_counts=True)
        whole, rest = divmod(dim, LINE)
        if whole:
            counts = counts * whole
            extra = np.arange(rest) * stride % LINE
            np.add.at(counts, np.searchsorted(places, extra), 1)
        for place, count in zip(places.tolist(), counts.tolist(), strict=True):
            moved += count * np.roll(begins, place)
        begins = moved
    return int((begins * ((np.arange(LINE) + run - 1) // LINE + 1)).sum())
