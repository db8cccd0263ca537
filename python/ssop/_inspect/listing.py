"""The slices that a reader finds in one file, within bounds: all that they tell is in memory, and is told again."""

from __future__ import annotations

from collections.abc import Iterator

from ssop._inspect.limits import MAX_ARGUMENTS, MAX_SLICES, Damaged
from ssop._inspect.records import RunTime, SliceNode


class Slices:
    """The slices found so far."""

    def __init__(self) -> None:
        self.nodes: list[SliceNode] = []
        self.left = MAX_ARGUMENTS

    def add(self, node: SliceNode) -> None:
        """Add one; raise `Damaged` if they are too many, or tell too much: each part of a split has all sizes."""
        if len(self.nodes) >= MAX_SLICES:
            raise Damaged(f"it has more than {MAX_SLICES} slices")
        self.left -= sum(_integers(node)) + sum(map(len, _texts(node))) // 8
        if self.left < 0:
            raise Damaged(f"its slices have more than {MAX_ARGUMENTS} integers as arguments")
        self.nodes.append(node)


def _integers(node: SliceNode) -> Iterator[int]:
    for call in node.calls:
        for value in call.arguments.values():
            found = value.values if isinstance(value, RunTime) else value
            yield len(found) if isinstance(found, tuple) else 1


def _texts(node: SliceNode) -> Iterator[str]:
    yield from (node.name, node.operand, node.result, *node.notes)
    for call in node.calls:
        for value in call.at_run_time:
            yield from (value.tensor, value.producer)
