"""Texts of users and of their files."""

from __future__ import annotations

from typing import Any


def printable(text: str) -> str:
    r"""Return a text with its control characters escaped: names in the user's files must not steer his terminal.

    >>> print(printable("weights\x1b[2J"))
    weights\x1b[2J
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """The same of a text of several lines, which stay lines."""
    return "\n".join(map(printable, text.split("\n")))


def parse_dtype(text: str) -> Any:
    """Return NumPy's dtype of this name; ValueError for any other text.

    >>> parse_dtype("uint8"), parse_dtype("(2,3)f4").shape
    (dtype('uint8'), (2, 3))
    """
    import numpy as np

    try:
        return np.dtype(text)
    except (TypeError, ValueError, SyntaxError):  # the last of shapes such as "(2,i4"
        raise ValueError(f"{text} is no dtype of NumPy") from None
