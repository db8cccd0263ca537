"""Shapes of XLA's Reduce, ReduceWindow and SelectAndScatter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ssop import _core
from ssop._core import Dim, PartialShape
from ssop._errors import value_error
from ssop._xla.reduction import check_axes, check_distinct
from ssop._xla.select_and_scatter import SOURCE
from ssop._xla.windows import WindowArguments, read_arguments, window_counts
from ssop.shapes._arguments import MAX_RANK, Mode, ShapeLike, check_mode, dims_of, in_mode, least

INT64_MAX: Final = 2**63 - 1
Interval: TypeAlias = tuple[int, int | None]


def reduce(operand_shape: ShapeLike, dimensions: Sequence[int], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Reduce of operands of this shape: the other axes.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimensions : sequence of int, the axes that go
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result, or of each of several; the dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (red_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Reduce (sh_s33).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.reduce([2, None, 4], [0])
    PartialShape([None, 4])
    """
    op = "xla.reduce"
    check_mode(op, mode)
    operand, axes = PartialShape(operand_shape), _core.read_integers(op, "dimensions", dimensions)
    check_axes(op, axes, MAX_RANK if operand.rank is None else operand.rank, str(operand))
    check_distinct(op, axes)
    if operand.rank is None:
        return operand
    return PartialShape([dim for axis, dim in enumerate(dims_of(operand)) if axis not in axes])


def reduce_window(
    operand_shape: ShapeLike,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's ReduceWindow of operands of this shape: how many windows there are on each axis.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    window_dimensions, window_strides, padding, base_dilation, window_dilation : as for ssop.xla.reduce_window
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result, or of each of several.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (win_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of ReduceWindow (sh_s33).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.reduce_window([(4, 9), None], [2, 3], [2, 1], mode="tight")
    PartialShape([(2, 4), None])
    """
    op = "xla.reduce_window"
    check_mode(op, mode)
    operand = PartialShape(operand_shape)
    arguments = (window_dimensions, window_strides, padding, base_dilation, window_dilation)
    window = read_arguments(op, operand.rank, *arguments)
    if operand.rank is None:
        window_counts(op, (0,) * len(window.sizes), window.over((0,) * len(window.sizes)))
        if mode == "tf":
            return operand
        operand = PartialShape([None] * len(window.sizes))
    window_counts(op, least(operand), window.over(least(operand)))
    dims = [_counted(dim, window, axis) for axis, dim in enumerate(dims_of(operand))]
    return in_mode(mode, PartialShape(dims), operand)


def _counted(dim: Dim, window: WindowArguments, axis: int) -> Dim:
    """How many windows there are on an axis; the dim itself if as many as elements, whatever its number."""
    low, high = dim.interval
    count = _count_on(window, axis)
    [there] = window.on(axis).over((low,))
    if there.stride == there.base_dilation == 1 and there.low + there.high == there.extent - 1:
        return dim
    return Dim((count(low), None if high is None or count(high) > INT64_MAX else count(high)))


def _count_on(window: WindowArguments, axis: int) -> Callable[[int], int]:
    """The number of windows over an axis, as a function of its dim; it never falls."""
    own = window.on(axis)
    return lambda dim: own.over((dim,))[0].count(dim)


def select_and_scatter(
    operand_shape: ShapeLike,
    source_shape: ShapeLike,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's SelectAndScatter of an operand of this shape: its own.

    Parameters
    ----------
    operand_shape, source_shape : None (unknown rank), or a sequence of dims
    window_dimensions, window_strides, padding : as for ssop.xla.select_and_scatter
    mode : "tight" also says of every dim that the source has an element for each window, "tf" a dim only where that is
        one number.

    Returns
    -------
    PartialShape : the shape of the result; the operand's itself if the source says no more.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (sas_*, win_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of SelectAndScatter (sh_s33).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.select_and_scatter([None, 6], [2, None], [2, 3], [2, 3], mode="tight")
    PartialShape([(4, 5), 6])
    """
    op = "xla.select_and_scatter"
    check_mode(op, mode)
    operand, source = PartialShape(operand_shape), PartialShape(source_shape)
    window = read_arguments(op, operand.rank, window_dimensions, window_strides, padding, None, None)
    rank = len(window.sizes)
    known = PartialShape([None] * rank) if operand.rank is None else operand
    counts = window_counts(op, least(known), window.over(least(known)))
    if source.rank is not None and source.rank != rank:
        raise _no_window(op, source, counts)
    if operand.rank is None and mode == "tf":
        return operand
    result = known
    for axis, wanted in enumerate([] if source.rank is None else dims_of(source)):
        dim = known.dim(axis)
        found = _dims_with(_count_on(window, axis), dim.interval, wanted.interval)
        if found is None:
            raise _no_window(op, source, counts)
        if found != dim.interval and (mode == "tight" or found[0] == found[1]):
            result = result.replace_dim(axis, dim.merge(found))
    return result


def _no_window(op: str, source: PartialShape, counts: tuple[int, ...]) -> Exception:
    """The error of execution for a source that can have no operand (sas_c1)."""
    message = f"source has shape {least(source)}: {SOURCE.format(source, PartialShape(counts))}"
    return value_error(op, "sas_c1", message, value=least(source))


def _dims_with(count: Callable[[int], int], dims: Interval, wanted: Interval) -> Interval | None:
    """The dims of an interval over which there are so many windows; None if no dim has so many."""
    highest = INT64_MAX if dims[1] is None else dims[1]
    low = _first(lambda dim: count(dim) >= wanted[0], dims[0], highest)
    most = wanted[1]
    above = highest + 1 if most is None else _first(lambda dim: count(dim) > most, low, highest)
    if low >= above:
        return None
    return low, None if above > INT64_MAX else above - 1


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number from low to high for which it holds, as it does for all that follow; high + 1 if for none."""
    high += 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
