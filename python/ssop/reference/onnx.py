"""ONNX's Slice, as its text, its reference evaluator and ONNX Runtime understand it."""

from __future__ import annotations

from collections.abc import Sequence

from ssop.reference._axes import entries_of_axes, inclusive_range, region_of_ranges
from ssop.reference._strided import axis_range
from ssop.reference._tensors import INT64_MAX, Region, Rejected, Tensor, take

INT32_MAX = 2**31 - 1


def slice_region(
    shape: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
    engine: str = "spec",
) -> Region:
    """Return the region of `shape` that ONNX's Slice takes; without `axes`, of the first axes.

    `engine` is "spec" (raises `onx_c1`..`onx_c6`), "reference" (`onr_c1`..`onr_c4`) or "ort" (`ort_c1`..`ort_c7`);
    anything else raises `onx_c7`. Source: the text and the shape inference of Slice-13; `onnx.reference`; ONNX Runtime.

    >>> slice_region((5, 6), [-9], [INT32_MAX], [1], [-1])
    (((0, 5, 1), (0, 0, 1)), (0, 1))
    >>> slice_region((5, 6), [-9], [INT32_MAX], [1], [-1], "ort")
    (((0, 5, 1), (0, 1, 1)), (0, 1))
    """
    if engine == "reference":
        return reference_region(shape, starts, ends, axes, steps)
    if engine not in ("spec", "ort"):
        raise Rejected("onx_c7", value=engine)
    ort = engine == "ort"
    rank, length = len(shape), len(starts)
    if ort and rank == 0:
        raise Rejected("ort_c1")
    if len(ends) != length:
        raise Rejected("ort_c2" if ort else "onx_c1")
    if axes is not None and len(axes) != length:
        raise Rejected("ort_c3" if ort else "onx_c2")
    if steps is not None and len(steps) != length:
        raise Rejected("ort_c4" if ort else "onx_c3")
    outside, twice = ("ort_c5", "ort_c6") if ort else ("onx_c4", "onx_c5")
    entries = entries_of_axes(rank, range(length) if axes is None else axes, outside, twice)
    taken = {}
    for axis, i in sorted(entries.items()):
        step = 1 if steps is None else steps[i]
        if step == 0:
            raise Rejected("ort_c7" if ort else "onx_c6", axis=axis, entry=i, value=0)
        to_the_end = ort and ends[i] in (INT32_MAX, INT64_MAX)  # ort_s1
        taken[axis] = inclusive_range(shape[axis], starts[i], ends[i], step, False, to_the_end)  # onx_s1
    return region_of_ranges(shape, taken)


def reference_region(
    shape: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None,
    steps: Sequence[int] | None,
) -> Region:
    """Return the region that ONNX's reference evaluator takes: a NumPy index, a part for each axis that is named.

    The lists go only as far as the shortest of them. Raises `onr_c3`, `onr_c4`, `onr_c1`, then `onr_c2` axis by axis.
    Source: `onnx/reference/ops/op_slice.py`.

    >>> reference_region((5,), [9, 0, 3], [1, 4], [0, -1], [0, 2])
    (((0, 2, 2),), (0,))
    """
    length = min(len(entries) for entries in (starts, ends, axes, steps) if entries is not None)
    if axes is None and length > len(shape):
        raise Rejected("onr_c3", value=length, allowed=(0, len(shape)))
    if length > 128:
        raise Rejected("onr_c4", value=length, allowed=(0, 128))
    entries = entries_of_axes(len(shape), range(length) if axes is None else axes[:length], "onr_c1", None)
    taken = {}
    for axis, i in sorted(entries.items()):
        step = 1 if steps is None else steps[i]
        if step == 0:
            raise Rejected("onr_c2", axis=axis, entry=i, value=0)
        taken[axis] = axis_range(shape[axis], starts[i], ends[i], step, False, False)  # onr_s1
    return region_of_ranges(shape, taken)


def slice(
    x: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
    engine: str = "spec",
) -> Tensor:
    """Return what ONNX's Slice takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [-9], [-9], None, [-1])
    Tensor(shape=(1,), items=[0])
    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [-9], [-9], None, [-1], "reference")
    Tensor(shape=(0,), items=[])
    """
    return take(x, *slice_region(x.shape, starts, ends, axes, steps, engine))
