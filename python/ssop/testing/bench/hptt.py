"""The permutations of HPTT's benchmark: 19 of rank 2 to 6, each of three shapes, about 200 MB of f4.

Source: benchmark/benchmark.sh of https://github.com/springer13/hptt (the set of Springer, Hammond and Bientinesi, "TTC:
A high-performance compiler for tensor transpositions", 2017). There the first axis is the contiguous one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_SHAPES = {
    "1,0": ("7264 7264", "43408 1216", "1216 43408"),
    "0,2,1": ("368 384 384", "2144 64 384", "368 64 2307"),
    "1,0,2": ("384 384 355", "2320 384 59", "384 2320 59"),
    "2,1,0": ("384 355 384", "2320 59 384", "384 59 2320"),
    "0,3,2,1": ("80 96 75 96", "464 16 75 96", "80 16 75 582"),
    "2,1,3,0": ("96 75 96 75", "608 12 96 75", "96 12 608 75"),
    "2,0,3,1": ("96 75 96 75", "608 12 96 75", "96 12 608 75"),
    "1,0,3,2": ("96 96 75 75", "608 96 12 75", "96 608 12 75"),
    "3,2,1,0": ("96 75 75 96", "608 12 75 96", "96 12 75 608"),
    "0,4,2,1,3": ("32 48 28 28 48", "176 8 28 28 48", "32 8 28 28 298"),
    "3,2,1,4,0": ("48 28 28 48 28", "352 4 28 48 28", "48 4 28 352 28"),
    "2,0,4,1,3": ("48 28 48 28 28", "352 4 48 28 28", "48 4 352 28 28"),
    "1,3,0,4,2": ("48 48 28 28 28", "352 48 4 28 28", "48 352 4 28 28"),
    "4,3,2,1,0": ("48 28 28 28 48", "352 4 28 28 48", "48 4 28 28 352"),
    "0,3,2,5,4,1": ("16 32 15 32 15 15", "48 10 15 32 15 15", "16 10 15 103 15 15"),
    "3,2,0,5,1,4": ("32 15 15 32 15 15", "112 5 15 32 15 15", "32 5 15 112 15 15"),
    "2,0,4,1,5,3": ("32 15 32 15 15 15", "112 5 32 15 15 15", "32 5 112 15 15 15"),
    "3,2,5,1,0,4": ("32 15 15 32 15 15", "112 5 15 32 15 15", "32 5 15 112 15 15"),
    "5,4,3,2,1,0": ("32 15 15 15 15 32", "112 5 15 15 15 32", "32 5 15 15 15 112"),
}
"""HPTT's order of the axes -> the shapes."""


class Permutation(NamedTuple):
    """One of HPTT's permutations, in C order: the last axis is the contiguous one."""

    name: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    """As of `numpy.transpose`."""


def permutations() -> Iterator[Permutation]:
    """Give all of them, in HPTT's order.

    >>> list(permutations())[6]
    Permutation(name='355x384x384 0,2,1', shape=(355, 384, 384), axes=(0, 2, 1))
    """
    for order, texts in _SHAPES.items():
        first = [int(axis) for axis in order.split(",")]
        axes = tuple(len(first) - 1 - axis for axis in reversed(first))
        for text in texts:
            shape = tuple(int(dim) for dim in reversed(text.split()))
            name = "x".join(map(str, shape)) + " " + ",".join(map(str, axes))
            yield Permutation(name, shape, axes)
