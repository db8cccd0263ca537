"""A kind of work, which exists in some sizes, and a case, which is a kind in one size."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ssop.testing.bench.work import Work

SIZES = {"tiny": 64, "L1": 8 * 2**10, "L2": 128 * 2**10, "L3": 3 * 2**20, "DRAM": 64 * 2**20}
"""Name -> bytes of the result, about. They fit the caches of that name on most machines."""


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


class Kind(NamedTuple):
    """A case in all its sizes."""

    name: str
    build: Callable[[int], Work]
    sizes: tuple[str, ...] = ("L1", "L2", "L3", "DRAM")
    quick: bool = False
    input_per_output: float = 1.0
    """Bytes of the input for each byte of the result."""
    nbytes: int = 0
    """The bytes of the result, if not those of the size."""
    quick_nbytes: int = 0
    """The same in a quick run."""
