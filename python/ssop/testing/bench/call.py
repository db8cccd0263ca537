"""One contender's call for one piece of work."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ssop.testing.bench.work import Array


class Rejected(Exception):
    """A contender cannot do this work, or does not really do it."""


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Call:
    """What is timed, and how its answer is read.

    run: does the work once and returns when it is done.
    answer: from what `run` returned to the result as a NumPy array, without a copy where that can be.
    empty: what costs time in `run` but is not the work; it is timed as well and subtracted.
    inputs: the memory of the contender's own copies of the input, to find aliases.
    answers: False if the result is not that of the work (memcpy).
    between: if given, runs after every single call, while the clock stands still.
    prepare: if given, runs before every turn, while the clock stands still.
    """

    run: Callable[[], Any]
    answer: Callable[[Any], Array] = np.asarray
    empty: Callable[[], Any] = _nothing
    inputs: Sequence[Array] = ()
    answers: bool = True
    between: Callable[[], object] | None = None
    prepare: Callable[[], object] | None = None

    def kept(self, count: int) -> Call:
        """Return the call that makes `count` results; between two calls they go, and their memory to the system."""
        run = self.run
        results: list[Any] = []

        def make() -> None:
            results.extend(run() for _ in range(count))

        def drop() -> None:
            results.clear()
            return_memory()

        return replace(self, run=make, between=drop)


def return_memory() -> None:
    """Give what malloc keeps back to the system, where its library can: else new results get old pages."""
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
