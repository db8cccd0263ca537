"""`ssop.explain.copy`: which loops copy one array into another, and what decides it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssop import _core

WAYS = {
    "nothing": "no byte moves: there are none, or each item is already where it belongs",
    "small": "few bytes into contiguous memory: one loop over the items, without a plan",
    "nest": "loops around a kernel",
    "shift": "within one array: item by item, each before it is overwritten",
    "staged": "the two overlap: the source is copied to a buffer first",
    "numpy": "items are references or strings, which NumPy copies one by one",
}
FLAGS = {
    "streams": "non-temporal stores: the destination does not stay in the caches",
    "collects": "tiles are written to a write-combining buffer, and from there as whole lines",
    "prefetches_source": "the source is prefetched",
    "prefetches_into_l2": "prefetched into the L2 cache",
    "prefetches_destination": "the destination is prefetched for writing",
    "source_order": "loops follow the source, not the destination",
    "strips": "transposed in strips of rows",
    "rep_movsb": "rows are copied by rep movsb",
}


@dataclass(frozen=True)
class Variant:
    """A way of copying a tile."""

    name: str
    pattern: str
    about: str
    when: str


@dataclass(frozen=True)
class Loop:
    """One loop of a copy, the outermost first; strides are in bytes. `part` is what it is to the kernel."""

    count: int
    dst_stride: int
    src_stride: int
    part: str


@dataclass(frozen=True)
class CopyExplanation:
    """How a copy is done. What follows `way` is None or empty unless `way` is "nest".

    `rows`, `columns` and `item_bytes` are of the first tile, `others` the variants that could copy it, too. `threads`
    is how many are used at most.
    """

    shape: tuple[int, ...]
    itemsize: int
    way: str
    variant: Variant | None = None
    target: str | None = None
    loops: tuple[Loop, ...] = ()
    rows: int | None = None
    columns: int | None = None
    item_bytes: int | None = None
    flags: tuple[str, ...] = ()
    steps: int | None = None
    threads: int | None = None
    others: tuple[Variant, ...] = ()

    def __str__(self) -> str:
        """Return the explanation as lines of text."""
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, for JSON."""
        return {
            **{name: getattr(self, name) for name in ("itemsize", "way", "target", "rows", "columns", "item_bytes")},
            "steps": self.steps,
            "threads": self.threads,
            "shape": list(self.shape),
            "flags": list(self.flags),
            "variant": None if self.variant is None else vars(self.variant),
            "loops": [vars(loop) for loop in self.loops],
            "others": [vars(other) for other in self.others],
        }


def explain_copy(dst: NDArray[Any], src: Any) -> CopyExplanation:
    """Return how `ssop.copyto(dst, src)` is done; `ssop.explain.copy` says what the arguments are."""
    found = _core.describe_copy(dst, src)
    whole = {"shape": tuple(np.shape(dst)), "itemsize": int(np.asarray(dst).itemsize), "way": found["way"]}
    if found["way"] != "nest":
        return CopyExplanation(**whole)
    variants = {row[0]: Variant(*row) for row in _core.variants()}
    rows = [(*loop, part) for loop, part in zip(found["loops"], _parts(found), strict=True)]
    return CopyExplanation(
        **whole,
        variant=variants[found["variant"]],
        loops=tuple(Loop(count, to, from_, part) for count, to, from_, part in rows),
        flags=tuple(found["flags"]),
        others=tuple(variants[name] for name in found["fits"] if name != found["variant"]),
        **{name: found[name] for name in ("target", "rows", "columns", "item_bytes", "steps", "threads")},
    )


def _parts(found: dict[str, Any]) -> list[str]:
    """Return what each loop is to the kernel."""
    count = len(found["loops"])
    names = {found["column_axis"]: "columns", found["row_axis"]: "rows"}
    inner = count - found["item_axes"]
    return ["one item" if axis >= inner else names.get(axis, "outside") for axis in range(count)]


def _counted(count: int | None, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _lines(copy: CopyExplanation) -> list[str]:
    items = math.prod(copy.shape)
    lines = [f"{_counted(items, 'item')} of {_counted(copy.itemsize, 'byte')}"]
    if copy.variant is None:
        return [*lines, f"way       {WAYS[copy.way]}"]
    lines += [
        f"variant   {copy.variant.name}, with the kernels of {copy.target}",
        f"does      {copy.variant.about}",
        f"taken if  {copy.variant.when}",
        "",
        "loops" + "count".rjust(17) + "to".rjust(14) + "from".rjust(14) + "  (strides in bytes)",
        *(f"  {loop.part:<9}{loop.count:>11,}{loop.dst_stride:>+14,}{loop.src_stride:>+14,}" for loop in copy.loops),
        f"tile      {_counted(copy.rows, 'row')} of {_counted(copy.columns, 'column')}, items of "
        f"{_counted(copy.item_bytes, 'byte')}",
        f"steps     {copy.steps:,}, by {'one thread' if copy.threads == 1 else f'up to {copy.threads} threads'}",
    ]
    memory = [FLAGS[name] for name in copy.flags] or ["as a copy in the caches: nothing special"]
    lines += [f"{'memory' if at == 0 else '':<10}{text}" for at, text in enumerate(memory)]
    if copy.others:
        width = max(len(other.name) for other in copy.others)
        lines += ["", "fits, too, but is taken only if", *(f"  {o.name:<{width}}  {o.when}" for o in copy.others)]
    return lines
