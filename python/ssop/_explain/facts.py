"""What an explanation consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ssop._core import PartialShape, Region, SliceError
from ssop._explain.picture import Picture


@dataclass(frozen=True)
class Stage:
    """One step of the resolver: its name, the rule that describes it, and what it did to this call, in words."""

    name: str
    label: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows of cells that are text already; None is a cell without a meaning."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True)
class MaskBit:
    """One bit of a mask: whether another value of it would change this call, as far as the trace shows, and why."""

    mask: str
    entry: int
    matters: bool
    why: str
    label: str


@dataclass(frozen=True)
class Answer:
    """What another framework does with the same arguments. `reasons` are rows of `ssop.divergences`.

    `call` has the arguments where they are written in another way.
    """

    framework: str
    same: bool
    outcome: str
    reasons: tuple[dict[str, str], ...] = ()
    call: str | None = None


@dataclass(frozen=True)
class EqualCall:
    """Statements of another framework whose `y` is the result on `x`, or the reason why no call gives it."""

    framework: str
    code: str | None
    reason: str | None


@dataclass(frozen=True)
class Facts:
    """Everything that an explanation says; `ssop._explain.explanation` gives it its forms.

    `answer` is what one sentence says of it: what is taken of each axis, why one is empty, or what the error is.
    `empty` says for each axis that is empty why it is. A name or None in `in_shape` is a dim that is not known; it is
    None for an unknown rank.
    `documents` has the rows of `ssop.divergences` where a document of the framework says something else about such a
    call.
    """

    call: str
    answer: str
    op: str
    in_shape: tuple[int | str | None, ...] | None
    shape: tuple[int, ...] | PartialShape | None = None
    index: tuple[Any, ...] | None = None
    region: Region | None = None
    error: SliceError | None = None
    failed: str | None = None
    repair: str | None = None
    empty: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    tables: tuple[Table, ...] = ()
    bits: tuple[MaskBit, ...] = ()
    documents: tuple[dict[str, str], ...] = ()
    others: tuple[Answer, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    draw: Callable[[], Picture] | None = field(default=None, repr=False, compare=False)
    convert: Callable[[], tuple[EqualCall, ...]] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def elsewhere(self) -> tuple[EqualCall, ...]:
        """For each other framework the call that gives the same; none for a call that is an error, or no slice."""
        return () if self.convert is None or self.error is not None else self.convert()
