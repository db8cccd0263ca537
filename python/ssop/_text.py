"""Text of other people's files, for a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return a text with its control characters escaped: names in the user's files must not steer his terminal.

    >>> print(printable("weights\x1b[2J"))
    weights\x1b[2J
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
