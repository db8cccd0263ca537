"""NumPy indices as a Hypothesis strategy, with switches for what a storage cannot read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ssop.testing.entries import (
    ELLIPSIS,
    KINDS,
    MAX_ENTRIES,
    MAX_RANK,
    NEW,
    SHRINK,
    Draw,
    as_index,
    bounds,
    dims_of,
    entries,
    fitting,
    positions,
    strides,
)


class _Limits(NamedTuple):
    """What the items of an index may be."""

    steps: bool
    negative_steps: bool
    negative: bool
    out_of_range: bool
    empty: bool


def indices(
    shape: Sequence[int],
    *,
    newaxis: bool = True,
    ellipsis: bool = True,
    integers: bool = True,
    steps: bool = True,
    negative_steps: bool = True,
    negative: bool = True,
    out_of_range: bool = True,
    empty: bool = True,
) -> st.SearchStrategy[tuple[Any, ...]]:
    """Tuples that are legal basic NumPy indices for `shape`, with bounds far outside the axes.

    Files, chunked arrays and devices can read less than NumPy. Each switch that is off leaves something out:

    - `newaxis`, `ellipsis`: items None and `...`
    - `integers`: integers, which drop an axis
    - `steps`: steps other than 1; `negative_steps`: only those below 0
    - `negative`: bounds and integers that count from the end; a slice that reads backwards to the first element
      ends with None
    - `out_of_range`: bounds beyond either end of the axis, and steps longer than it
    - `empty`: slices that take nothing of an axis that has elements

    What h5py reads of a dataset is `indices(shape, newaxis=False, negative_steps=False)`.

    >>> from hypothesis import find
    >>> find(indices((3, 4)), lambda index: ... in index)
    (Ellipsis,)
    >>> find(indices((3, 4), negative=False, out_of_range=False), lambda index: index[-1:] == (2,))
    (2,)
    """
    limits = _Limits(steps, steps and negative_steps, negative, out_of_range, empty)
    left_out = {NEW: not newaxis, ELLIPSIS: not ellipsis, SHRINK: not integers}
    kinds = tuple(kind for kind in KINDS if not left_out.get(kind, False))
    return entries(shape).map(as_index) if kinds == KINDS and all(limits) else _limited(tuple(shape), kinds, limits)


@st.composite
def _limited(draw: Draw, shape: Sequence[int], kinds: Sequence[str], limits: _Limits) -> tuple[Any, ...]:
    drawn = draw(st.lists(st.sampled_from(kinds), max_size=min(len(shape) + 3, MAX_ENTRIES)))
    kept = fitting(drawn, len(shape), MAX_RANK - len(shape))
    return tuple(_item(draw, kind, dim, limits) for kind, dim in zip(kept, dims_of(kept, shape), strict=True))


def _item(draw: Draw, kind: str, dim: int, limits: _Limits) -> Any:
    if kind == NEW:
        return None
    if kind == ELLIPSIS:
        return ...
    if kind == SHRINK and dim:
        return draw(positions(dim) if limits.negative else st.integers(0, dim - 1))
    return draw(_slices(dim, limits))


def _slices(dim: int, limits: _Limits) -> st.SearchStrategy[slice]:
    """Slices of an axis of `dim` elements."""
    every = strides(dim, positive=not limits.negative_steps) if limits.steps else st.just(1)
    step = every if limits.out_of_range else every.filter(lambda n: abs(n) <= max(dim, 1))
    found = step.flatmap(
        lambda n: st.builds(slice, _bounds(dim, n, limits), _bounds(dim, n, limits), st.just(None if n == 1 else n))
    )
    return found if limits.empty or not dim else found.filter(lambda part: len(range(*part.indices(dim))) > 0)


def _bounds(dim: int, step: int, limits: _Limits) -> st.SearchStrategy[int | None]:
    """Bounds of a slice: within the axis, its end is one past the last element, forwards alone."""
    last = dim if step > 0 else dim - 1

    def allowed(bound: int) -> bool:
        return (limits.negative or bound >= 0) and (limits.out_of_range or -dim <= bound <= last)

    if not any(map(allowed, range(-dim, dim + 1))):  # of an axis without elements, backwards
        return st.none()
    return st.one_of(st.none(), bounds(dim).filter(allowed))
