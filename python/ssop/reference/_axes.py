"""What the slices that name their axes share: OpenVINO's Slice and ONNX's."""

from __future__ import annotations

from collections.abc import Sequence

from ssop.reference._strided import axis_range
from ssop.reference._tensors import Region, Rejected, canonical


def inclusive_range(dim: int, begin: int, end: int, stride: int, begin_masked: bool, end_masked: bool) -> range:
    """Return the indices `begin:end:stride` takes of an axis where a begin before the first element is the first one.

    Only with a negative stride it makes a difference: TensorFlow and NumPy start one before the first element there.

    >>> list(inclusive_range(4, -9, -9, -1, False, False)), list(axis_range(4, -9, -9, -1, False, False))
    ([0], [])
    """
    return axis_range(dim, max(begin, -dim), end, stride, begin_masked, end_masked)


def entries_of_axes(rank: int, axes: Sequence[int], outside: str, twice: str | None) -> dict[int, int]:
    """Return the entry of each axis that `axes` names, negative ones counted from the end.

    Raises `outside` and `twice`; without the latter, the last entry of an axis wins.

    >>> entries_of_axes(3, [-1, 0, 2], "onr_c1", None)
    {2: 2, 0: 1}
    """
    entries: dict[int, int] = {}
    for entry, axis in enumerate(axes):
        if not -rank <= axis < rank:
            raise Rejected(outside, entry=entry, value=axis, allowed=(-rank, rank - 1))
        if twice is not None and axis % rank in entries:
            raise Rejected(twice, axis=axis % rank, entry=entry, value=axis)
        entries[axis % rank] = entry
    return entries


def region_of_ranges(shape: Sequence[int], taken: dict[int, range]) -> Region:
    """Return the region that takes `taken` of its axes, and the others whole.

    >>> region_of_ranges((5, 6), {1: range(4, 0, -2)})
    (((0, 5, 1), (4, 2, -2)), (0, 1))
    """
    ranges = [canonical(taken.get(axis, range(dim))) for axis, dim in enumerate(shape)]
    return tuple(ranges), tuple(range(len(shape)))
