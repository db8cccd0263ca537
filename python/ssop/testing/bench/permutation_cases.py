"""Permutations: those of other libraries' benchmarks, and those that people use."""

from __future__ import annotations

import random
from functools import partial
from math import prod

from ssop.testing.bench.hptt import permutations
from ssop.testing.bench.kind import Kind
from ssop.testing.bench.work import DTYPES, PAGE, Work, filled, placed


def permuted(shape: tuple[int, ...], axes: tuple[int, ...], nbytes: int, item: int = 4, offset: int = 0) -> Work:
    """Return a permutation; the axis whose length is 0 gets as many indices as fit.

    The result begins `offset` bytes after a line.
    """
    rest = prod(dim for dim in shape if dim)
    x = filled([dim or max(1, nbytes // (item * rest)) for dim in shape], DTYPES[item])
    return Work("transpose", x, placed([x.shape[axis] for axis in axes], x.dtype, PAGE // 2 + offset), (), axes=axes)


def _reversed_axes(rank: int, item: int, nbytes: int) -> Work:
    """From C to F order, with axes of the same length, but for the first."""
    side = int((nbytes / item) ** (1 / rank))
    return permuted((0, *[side] * (rank - 1)), tuple(reversed(range(rank))), nbytes, item)


def _of_qubits(name: str, item: int, nbytes: int) -> Work:
    """A permutation of axes of length 2, as many as the size has."""
    rank = (nbytes // item).bit_length() - 1
    axes = list(range(rank))
    if name == "halves swapped":
        axes = axes[rank // 2 :] + axes[: rank // 2]
    elif name == "one axis to the end":
        axes.append(axes.pop(rank // 2))
    elif name == "reversed":
        axes.reverse()
    else:
        random.Random(rank).shuffle(axes)
    return permuted((2,) * rank, tuple(axes), nbytes, item)


def _permute_kinds() -> list[Kind]:
    """Permutations of rank 2 to 6, with outer axes that are short or long."""
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
        Kind(name, partial(permuted, shape, axes), sizes, name in quick, 1.0, 200_000_000, 32 * 2**20)
        for name, shape, axes in known
    ]


def _hptt_kinds() -> list[Kind]:
    """HPTT's benchmark; of smaller results the longest axis is shorter."""
    kinds: list[Kind] = []
    for name, shape, axes in permutations():
        longest = shape.index(max(shape))
        open_shape = tuple(0 if axis == longest else dim for axis, dim in enumerate(shape))
        build = partial(permuted, open_shape, axes)
        kinds.append(Kind(name, build, ("DRAM",), not kinds, nbytes=4 * prod(shape), quick_nbytes=32 * 2**20))
    return kinds


def _layout_kinds() -> list[Kind]:
    """Images between channels first and channels last, and attention's heads before and after the tokens."""
    first, last, heads = (0, 2, 3, 1), (0, 3, 1, 2), (0, 2, 1, 3)
    sizes = ("L2", "L3", "DRAM")
    known = [
        ("NCHW to NHWC u1, 3 of 128x128", (0, 3, 128, 128), first, 1),
        ("NCHW to NHWC u1, 3 of 32x32", (0, 3, 32, 32), first, 1),
        ("NCHW to NHWC f4, 3 of 64x64", (0, 3, 64, 64), first, 4),
        ("NCHW to NHWC f4, 64 of 14x14", (0, 64, 14, 14), first, 4),
        ("NCHW to NHWC 2 B, 64 of 28x28", (0, 64, 28, 28), first, 2),
        ("NHWC to NCHW u1, 3 of 128x128", (0, 128, 128, 3), last, 1),
        ("NHWC to NCHW u1, 3 of 28x28", (0, 28, 28, 3), last, 1),
        ("NHWC to NCHW f4, 3 of 64x64", (0, 64, 64, 3), last, 4),
        ("NHWC to NCHW f4, 64 of 14x14", (0, 14, 14, 64), last, 4),
        ("NHWC to NCHW 2 B, 64 of 28x28", (0, 28, 28, 64), last, 2),
        ("attention BHND to BNHD f4, 8 of 64", (1, 8, 0, 64), heads, 4),
        ("attention BHND to BNHD 2 B, 12 of 64", (1, 12, 0, 64), heads, 2),
        ("attention BNHD to BHDN 2 B, 12 of 64", (1, 0, 12, 64), (0, 2, 3, 1), 2),
    ]
    return [
        Kind(
            name, partial(permuted, shape, axes, item=item), sizes, quick=item == 1 or name.startswith("attention BHND")
        )
        for name, shape, axes, item in known
    ]


def _numpy_out_kinds() -> list[Kind]:
    """To memory that NumPy has allocated, which begins 16 bytes after a line if it is large."""
    heads, last = (0, 2, 1, 3), (0, 2, 3, 1)
    sizes = ("L2", "L3", "DRAM")
    known = [
        ("attention BHND to BNHD f4, 8 of 64", (1, 8, 0, 64), heads, 4),
        ("attention BNHD to BHND f4, 8 of 64", (1, 0, 8, 64), heads, 4),
        ("attention BHND to BNHD 2 B, 12 of 64", (1, 12, 0, 64), heads, 2),
        ("NCHW to NHWC u1, 100 of 28x28", (0, 100, 28, 28), last, 1),
        ("NCHW to NHWC 2 B, 64 of 28x28", (0, 64, 28, 28), last, 2),
        ("NCHW to NHWC f4, 64 of 14x14", (0, 64, 14, 14), last, 4),
        ("NHWC to NCHW f4, 64 of 14x14", (0, 14, 14, 64), (0, 3, 1, 2), 4),
        ("0,2,1 f4, 100x120", (0, 100, 120), (0, 2, 1), 4),
        ("NHWC to NCHW 2 B, 64 of 41x41", (0, 41, 41, 64), (0, 3, 1, 2), 2),
        ("0,2,1 f4, 64x4", (0, 64, 4), (0, 2, 1), 4),
        ("0,2,1 f8, 32x32", (0, 32, 32), (0, 2, 1), 8),
        ("0,2,1 u1, 256x3", (0, 256, 3), (0, 2, 1), 1),
        ("1,0,2 f4, rows of 25", (0, 40, 25), (1, 0, 2), 4),
        ("2,1,0,3 f4, rows of 80", (0, 3, 40, 80), (2, 1, 0, 3), 4),
    ]
    return [
        Kind(name, partial(permuted, shape, axes, item=item, offset=16), sizes, quick=name.endswith("100x120"))
        for name, shape, axes, item in known
    ]


def _order_kinds() -> list[Kind]:
    """C order to F order of rank 3 to 6, as in NumPy's pull request 32672."""
    return [
        Kind(f"{rank}-D {item} B", partial(_reversed_axes, rank, item), quick=item == 8 and rank in (3, 6))
        for rank in (3, 4, 5, 6)
        for item in (1, 4, 8)
    ]


def _network_kinds() -> list[Kind]:
    """Tensor networks and quantum states: rank 10 to 24, every axis of length 2."""
    names = ("halves swapped", "one axis to the end", "reversed", "random")
    sizes = {4: ("L2", "DRAM"), 8: ("L1", "L2", "L3", "DRAM")}  # f4: rank 15 and 24; f8: rank 10, 14, 18 and 23
    return [
        Kind(f"{item} B {name}", partial(_of_qubits, name, item), sizes[item], quick=item == 8 and name == "random")
        for item in sizes
        for name in names
    ]


PERMUTATION_KINDS = {
    "permute": _permute_kinds(),
    "hptt": _hptt_kinds(),
    "layout": _layout_kinds(),
    "numpy-out": _numpy_out_kinds(),
    "order": _order_kinds(),
    "network": _network_kinds(),
}
"""Class -> its kinds."""
