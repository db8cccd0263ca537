"""Lists, tuples and sets of the user's."""

from __future__ import annotations

from typing import Any


def plain(x: Any) -> Any:
    """A list, tuple or set with the items that it holds: the iterator of a subclass may give others, without end.

    Anything else is returned as it is.

    >>> class Endless(list):
    ...     def __iter__(self):
    ...         return iter(int, 1)
    >>> plain(Endless([3, 4]))
    [3, 4]
    """
    kinds: tuple[Any, ...] = (list, tuple, set, frozenset)
    for kind in kinds:
        if isinstance(x, kind):
            return kind(kind.__iter__(x))
    return x
