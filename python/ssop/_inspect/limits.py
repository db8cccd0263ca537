"""Limits of what a reader takes from one file: far above any model, and so low that memory and time stay bounded."""

from __future__ import annotations

from typing import Any

MAX_OPERATORS = 1_000_000
MAX_SLICES = 200_000
MAX_GRAPH_BYTES = 1 << 29
"""The bytes of a file without its weights."""
MAX_FIELDS = 10_000_000
MAX_NESTING = 60
MAX_RANK = 64
MAX_TEXT = 1_024
"""Characters of a name."""
MAX_INTEGERS = 1_024
"""A tensor whose values are read has at most so many: no list of a slice has more."""
MAX_ARGUMENTS = 1 << 26
"""Integers, or eight characters each, that all slices tell: as many as four splits into 4,096 parts have."""
MAX_GRAPHS = 100_000
"""Graphs inside of graphs: an empty one takes two bytes in a file."""
MAX_FOLDED = 2_000_000
"""Integers that are computed from constants, in the whole file."""


class Damaged(Exception):
    """What is wrong with a file; the readers make a SliceValueError of it (im_c1)."""


def text(value: Any) -> str:
    """A string of a file, which may be no UTF-8, on one line."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = bytes(value[:MAX_TEXT]).decode("utf-8", "backslashreplace")
    shown = value if len(value) <= MAX_TEXT else value[:MAX_TEXT] + ".."
    return shown if shown.isprintable() else "".join(x if x.isprintable() else repr(x)[1:-1] for x in shown)
