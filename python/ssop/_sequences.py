"""Lists and tuples of the user's."""

from __future__ import annotations

from typing import Any


def plain(x: Any) -> Any:
    """A list or a tuple with the items that it holds: the iterator of a subclass may give others, without end.

    What is neither is returned as it is.

    >>> class Endless(list):
    ...     def __iter__(self):
    ...         return iter(int, 1)
    >>> plain(Endless([3, 4]))
    [3, 4]
    """
    if isinstance(x, list):
        return list(list.__iter__(x))
    return tuple(tuple.__iter__(x)) if isinstance(x, tuple) else x
