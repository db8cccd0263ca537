"""What is known of one call of an operation on arrays of another library, and of dask's arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Chunks: TypeAlias = tuple[tuple[int, ...], ...]
"""The lengths of the chunks of each axis."""


class Call(NamedTuple):
    """The arguments of one call of an operation."""

    op: str
    x: Any
    """The operand: an array that stays in its library."""
    value: Any
    """The second array, if the operation has one."""
    arguments: dict[str, Any]
    """All other arguments that were given, by name."""
