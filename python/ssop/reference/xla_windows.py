"""XLA's Reduce, ReduceWindow and SelectAndScatter, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, product
from typing import Any, NamedTuple

from ssop.reference._tensors import INT64_MAX, Rejected, Tensor, build

__all__ = ["reduce", "reduce_window", "select_and_scatter"]

Padding = str | Sequence[tuple[int, int]]


def reduce(
    operands: Sequence[Tensor],
    inits: Sequence[Tensor],
    computation: Callable[..., Sequence[Any]],
    dimensions: Sequence[int],
) -> list[Tensor]:
    """Return the items along some axes, joined by `computation`: neighbours first, and at last `init` on the left.

    `computation` takes the items of all operands that stand left, then those that stand right, and returns a sequence.
    Raises `red_c1`, `red_c2`, `red_c3`, `red_c4` and `red_c6`. Source: XLA's `InferReduceShape`, StableHLO's `reduce`.

    >>> reduce([tensor([[1, 2], [3, 4]], (2, 2))], [tensor(0, ())], lambda a, b: [a + b], [1])
    [Tensor(shape=(2,), items=[3, 7])]
    """
    check_operands(operands, inits)
    rank = len(operands[0].shape)
    for entry, axis in enumerate(dimensions):
        if not 0 <= axis < rank:
            raise Rejected("red_c3", entry=entry, value=axis, allowed=(0, rank - 1))
    check_inits(inits)
    for entry, axis in enumerate(dimensions):
        if axis in dimensions[:entry]:
            raise Rejected("red_c6", entry=entry, value=axis)

    def joined(index: tuple[int, ...]) -> Any:  # red_s1, red_s2, red_s3
        kept = iter(index)
        along = [range(dim) if axis in dimensions else [next(kept)] for axis, dim in enumerate(operands[0].shape)]
        rows = [[x.at(place) for x in operands] for place in product(*along)]
        begin = [init.at(()) for init in inits]
        return computation(*begin, *tree(computation, rows)) if rows else begin

    shape = [dim for axis, dim in enumerate(operands[0].shape) if axis not in dimensions]
    return split(build(shape, joined), len(operands))


def tree(computation: Callable[..., Sequence[Any]], rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Join rows: pairs of neighbours, then pairs of pairs; one that is left over stays last.

    >>> tree(lambda a, b: [f"({a}{b})"], [["a"], ["b"], ["c"], ["d"], ["e"]])
    ['(((ab)(cd))e)']
    """
    while len(rows) > 1:
        rows = [computation(*rows[i], *rows[i + 1]) if i + 1 < len(rows) else rows[i] for i in range(0, len(rows), 2)]
    return rows[0]


def split(x: Tensor, number: int) -> list[Tensor]:
    """Return a tensor for each of the things that the items of `x` consist of (red_s4).

    >>> split(tensor([[1, 2]], (1,)), 2)
    [Tensor(shape=(1,), items=[1]), Tensor(shape=(1,), items=[2])]
    """
    return [Tensor(x.shape, [item[i] for item in x.items]) for i in range(number)]


def check_operands(operands: Sequence[Tensor], inits: Sequence[Tensor]) -> None:
    """Raise `red_c1` and `red_c2`."""
    if len(operands) != len(inits) or not operands:
        raise Rejected("red_c1", value=len(inits), allowed=(len(operands), len(operands)))
    for entry, x in enumerate(operands):
        if x.shape != operands[0].shape:
            raise Rejected("red_c2", entry=entry, value=x.shape)


def check_inits(inits: Sequence[Tensor]) -> None:
    """Raise `red_c4`."""
    for entry, init in enumerate(inits):
        if init.shape != ():
            raise Rejected("red_c4", entry=entry if len(inits) > 1 else None, value=init.shape)


class Axis(NamedTuple):
    """The windows over one axis, as the arguments say where they are."""

    dim: int
    size: int
    stride: int
    pads: tuple[int, int]
    base_dilation: int
    window_dilation: int

    def windows(self) -> list[list[int | None]]:
        """Return what each window has at each of its places: the index of an element, or None.

        >>> Axis(2, 2, 1, (1, 0), 2, 1).windows()
        [[None, 0], [0, None], [None, 1]]
        """
        low, high = self.pads
        spread: list[int | None] = []
        for index in range(self.dim):
            spread += [None] * (self.base_dilation - 1 if index else 0) + [index]  # win_s3
        padded = [None] * max(low, 0) + spread[max(-low, 0) :] + [None] * max(high, 0)  # win_s4
        cropped = padded[: max(low + len(spread) + high, 0)]
        places = [place * self.window_dilation for place in range(self.size)]
        starts = range(0, len(cropped) - places[-1], self.stride)  # win_s1
        return [[cropped[start + place] for place in places] for start in starts]


def windows_of(
    shape: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int] | None = None,
    padding: Padding = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> list[Axis]:
    """Read where the windows are. Raises `win_c2`..`win_c4`, and `win_c1` and `win_c6` for padding in a word."""
    if isinstance(padding, str) and padding not in ("VALID", "SAME", "SAME_LOWER"):
        raise Rejected("win_c4", value=padding)
    pairs = [] if isinstance(padding, str) else list(padding)
    for entry, pair in enumerate(pairs):
        if len(pair) != 2:
            raise Rejected("win_c3", entry=entry, value=len(pair))
    if isinstance(padding, str) and len(sizes) != len(shape):
        raise Rejected("win_c1", value=len(sizes), allowed=(len(shape), len(shape)))
    for vector in (strides, pairs, base_dilation, window_dilation):
        if vector and len(vector) != len(sizes):
            raise Rejected("win_c2", value=len(vector), allowed=(len(sizes), len(sizes)))
    ones = [1] * len(sizes)
    strides, base, holes = strides or ones, base_dilation or ones, window_dilation or ones
    if isinstance(padding, str):
        check_positive(strides, "win_c6")
        pairs = [
            pads(padding, dim, (size - 1) * hole + 1, stride)
            for dim, size, hole, stride in zip(shape, sizes, holes, strides, strict=True)
        ]
    pairs = pairs or [(0, 0)] * len(sizes)
    if len(sizes) != len(shape):
        return [Axis(0, *rest) for rest in zip(sizes, strides, pairs, base, holes, strict=True)]
    return [Axis(*rest) for rest in zip(shape, sizes, strides, pairs, base, holes, strict=True)]


def pads(padding: str, dim: int, extent: int, stride: int) -> tuple[int, int]:
    """Return the padding of an axis that gives `dim / stride` windows, rounded up, where there is too little (win_s2).

    >>> pads("SAME", 5, 2, 1), pads("SAME_LOWER", 5, 2, 1)
    ((0, 1), (1, 0))
    """
    if padding == "VALID":
        return 0, 0
    windows = len(range(0, dim, stride))
    total = max((windows - 1) * stride + extent - dim, 0)
    half = total // 2
    return (half, total - half) if padding == "SAME" else (total - half, half)


def check_positive(values: Sequence[int], label: str) -> None:
    """Raise `label` for a number below 1."""
    for axis, value in enumerate(values):
        if value < 1:
            raise Rejected(label, axis=axis, entry=axis, value=value, allowed=(1, INT64_MAX))


def check_windows(shape: Sequence[int], axes: Sequence[Axis]) -> None:
    """Raise `win_c1`, then `win_c5`..`win_c9` axis by axis."""
    if len(axes) != len(shape):
        raise Rejected("win_c1", value=len(axes), allowed=(len(shape), len(shape)))
    for number, axis in enumerate(axes):
        for label, value in (
            ("win_c5", axis.size),
            ("win_c6", axis.stride),
            ("win_c7", axis.base_dilation),
            ("win_c8", axis.window_dilation),
        ):
            if value < 1:
                raise Rejected(label, axis=number, entry=number, value=value, allowed=(1, INT64_MAX))
        spread = (axis.dim - 1) * axis.base_dilation + 1 if axis.dim else 0
        padded = spread + sum(axis.pads)
        if padded > INT64_MAX or (axis.size - 1) * axis.window_dilation + 1 > INT64_MAX:
            raise Rejected("win_c9", axis=number, entry=number, value=axis.dim)


def reduce_window(
    operands: Sequence[Tensor],
    inits: Sequence[Tensor],
    computation: Callable[..., Sequence[Any]],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: Padding = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> list[Tensor]:
    """Return the places of each window joined by `computation`, `init` on the left; padding and holes are `init`, too.

    Raises `red_c1`, `red_c2`, `win_c1`..`win_c4`, `red_c4`, then `win_c5`..`win_c9`.
    Source: XLA's `InferReduceWindowShape`, StableHLO's `reduce_window`.

    >>> reduce_window([tensor([1, 2, 3], (3,))], [tensor(0, ())], lambda a, b: [a + b], [2], None, "SAME")
    [Tensor(shape=(3,), items=[3, 5, 3])]
    """
    check_operands(operands, inits)
    shape = operands[0].shape
    axes = windows_of(shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    check_inits(inits)
    check_windows(shape, axes)
    along = [axis.windows() for axis in axes]
    begin = [init.at(()) for init in inits]

    def item(place: tuple[int | None, ...]) -> Sequence[Any]:  # rw_s2
        known = [index for index in place if index is not None]
        return begin if len(known) < len(place) else [x.at(known) for x in operands]

    def from_left(place: tuple[int | None, ...], index: tuple[int, ...]) -> Sequence[Any]:
        # rw_s1: the places along the last axis first, and neighbours without an element in any window before others
        if len(place) == len(shape):
            return item(place)
        windows = along[len(place)]
        rows: list[Sequence[Any]] = []
        places = zip(windows[index[len(place)]], zip(*windows, strict=True), strict=True)
        for nowhere, group in groupby(places, lambda each: None in place or {*each[1]} == {None}):
            found = [from_left((*place, element), index) for element, _ in group]
            rows += [tree(computation, found)] if nowhere else found
        total = rows[0]
        for row in rows[1:]:
            total = computation(*total, *row)
        return total

    def joined(index: tuple[int, ...]) -> Any:
        return computation(*begin, *from_left((), index))

    counts = [len(windows) for windows in along]
    return split(build(counts, joined), len(operands))


def select_and_scatter(
    operand: Tensor,
    select: Callable[[Any, Any], bool],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    padding: Padding,
    source: Tensor,
    init_value: Tensor,
    scatter: Callable[[Any, Any], Any],
) -> Tensor:
    """Return `init_value` everywhere, joined with the items of `source` whose windows chose the item at that place.

    Raises `win_c1`..`win_c4`, `red_c4`, `win_c5`..`win_c9`, then `sas_c1`.
    Source: XLA's `InferSelectAndScatterShape`, StableHLO's `select_and_scatter`.

    >>> x, source = tensor([1, 3, 2, 5], (4,)), tensor([7, 8], (2,))
    >>> select_and_scatter(x, lambda a, b: a >= b, [2], [2], "VALID", source, tensor(0, ()), lambda a, b: a + b)
    Tensor(shape=(4,), items=[0, 7, 0, 8])
    """
    axes = windows_of(operand.shape, window_dimensions, window_strides, padding)
    check_inits([init_value])
    check_windows(operand.shape, axes)
    along = [axis.windows() for axis in axes]
    counts = tuple(len(windows) for windows in along)
    if source.shape != counts:
        raise Rejected("sas_c1", value=source.shape)
    result = {index: init_value.at(()) for index in product(*map(range, operand.shape))}
    for window in product(*map(range, counts)):  # sas_s2
        places = product(*(along[axis][n] for axis, n in enumerate(window)))
        chosen: tuple[int, ...] | None = None
        for place in places:  # sas_s1
            here = tuple(index for index in place if index is not None)
            if len(here) < len(place):  # sas_s3
                continue
            if chosen is None or not select(operand.at(chosen), operand.at(here)):
                chosen = here
        if chosen is not None:
            result[chosen] = scatter(result[chosen], source.at(window))
    return Tensor(operand.shape, list(result.values()))
