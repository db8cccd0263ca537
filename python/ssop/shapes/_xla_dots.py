"""Shapes of XLA's dots and convolutions."""

from __future__ import annotations

from typing import Any

from ssop._core import Dim, PartialShape, SliceError
from ssop._xla.contraction import Numbers, check_axes, check_dot, other_axes, read_numbers, simple_numbers
from ssop._xla.convolution_arguments import Arguments, convolution, out_shape, read_arguments, specs_of
from ssop._xla.windows import WindowAxis, padding_kind, pads
from ssop.shapes._arguments import Mode, ShapeLike, check_mode, dims_of, in_mode, least, raise_as
from ssop.shapes._rules import ShapeRules

Interval = tuple[int, int | None]


def dot(
    lhs_shape: ShapeLike, rhs_shape: ShapeLike, *, dimension_numbers: Any = None, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Dot of operands of these shapes.

    Parameters
    ----------
    lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimension_numbers : as for ssop.xla.dot
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; its dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dot_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Dot (sh_s35).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dot([2, None], [3, (4, 5)], mode="tight")
    PartialShape([2, (4, 5)])
    """
    check_mode("xla.dot", mode)
    return merge_dot(ShapeRules(mode), lhs_shape, rhs_shape, dimension_numbers)


def dot_general(
    lhs_shape: ShapeLike, rhs_shape: ShapeLike, dimension_numbers: Any, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's DotGeneral of operands of these shapes: batch axes, other axes of lhs, other axes of rhs.

    Parameters
    ----------
    lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimension_numbers : ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)), sequences of axes
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; its dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dot_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Dot (sh_s35).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dot_general([None, 3, 4], [2, 4, None], (([2], [1]), ([0], [0])))
    PartialShape([2, 3, None])
    """
    check_mode("xla.dot_general", mode)
    return merge_dot_general(ShapeRules(mode), lhs_shape, rhs_shape, dimension_numbers)


def merge_dot(
    rules: ShapeRules, lhs_shape: ShapeLike, rhs_shape: ShapeLike, dimension_numbers: Any = None
) -> PartialShape:
    """`dot` by the rules of a context."""
    lhs, rhs = PartialShape(lhs_shape), PartialShape(rhs_shape)
    if dimension_numbers is not None:
        return _contracted(rules, "xla.dot", lhs, rhs, read_numbers("xla.dot", dimension_numbers))
    ranked = [() if shape.rank is None else least(shape) for shape in (lhs, rhs)]
    if lhs.rank is None or rhs.rank is None:
        vectors = [(0,) if shape.rank is None else dims for shape, dims in zip((lhs, rhs), ranked, strict=True)]
        simple_numbers("xla.dot", *vectors)
        return PartialShape(None)
    return _contracted(rules, "xla.dot", lhs, rhs, simple_numbers("xla.dot", *ranked))


def merge_dot_general(
    rules: ShapeRules, lhs_shape: ShapeLike, rhs_shape: ShapeLike, dimension_numbers: Any
) -> PartialShape:
    """`dot_general` by the rules of a context."""
    numbers = read_numbers("xla.dot_general", dimension_numbers)
    return _contracted(rules, "xla.dot_general", PartialShape(lhs_shape), PartialShape(rhs_shape), numbers)


def _contracted(rules: ShapeRules, op: str, lhs: PartialShape, rhs: PartialShape, numbers: Numbers) -> PartialShape:
    """What both operands say of axes that belong together, and the other axes (sh_s35)."""
    if lhs.rank is None or rhs.rank is None:
        return PartialShape(None)
    left, right = dims_of(lhs), dims_of(rhs)
    equal = (0,) * lhs.rank, (0,) * rhs.rank
    try:
        check_axes(op, *equal, numbers)
        for one, other in zip(numbers.lhs_contracting, numbers.rhs_contracting, strict=True):
            rules.merge(left[one], right[other])
        check_dot(op, *equal, numbers)  # what is wrong whatever the dims are
        batch = [
            rules.merge(left[one], right[other])
            for one, other in zip(numbers.lhs_batch, numbers.rhs_batch, strict=True)
        ]
    except SliceError as error:
        raise raise_as(lambda: check_dot(op, least(lhs), least(rhs), numbers), error) from None
    rows = other_axes(lhs.rank, numbers.lhs_contracting, numbers.lhs_batch)
    columns = other_axes(rhs.rank, numbers.rhs_contracting, numbers.rhs_batch)
    dims = [*batch, *(left[axis] for axis in rows), *(right[axis] for axis in columns)]
    return in_mode(rules.mode, PartialShape(dims), lhs, rhs)


def conv(
    lhs_shape: ShapeLike, rhs_shape: ShapeLike, window_strides: Any, padding: Any, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Conv of operands of these shapes.

    Parameters
    ----------
    lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    window_strides, padding : as for ssop.xla.conv
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cnv_*, win_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Convolve (sh_s36).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.conv([None, 3, (10, 12)], [8, 3, 5], [2], "VALID", mode="tight")
    PartialShape([None, 8, (3, 4)])
    """
    return _convolved("xla.conv", mode, lhs_shape, rhs_shape, window_strides, padding)


def conv_with_general_padding(
    lhs_shape: ShapeLike,
    rhs_shape: ShapeLike,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    *,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's ConvWithGeneralPadding of operands of these shapes.

    Parameters
    ----------
    lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count, batch_group_count : as
        for ssop.xla.conv_with_general_padding
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cnv_*, win_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Convolve (sh_s36).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.conv_with_general_padding([2, 3, None], [8, 3, 5], [1], [(1, 1)], [2])
    PartialShape([2, 8, None])
    """
    specs = (dimension_numbers, feature_group_count, batch_group_count)
    dilations = (lhs_dilation, rhs_dilation)
    op = "xla.conv_with_general_padding"
    return _convolved(op, mode, lhs_shape, rhs_shape, window_strides, padding, *dilations, *specs)


def conv_general_dilated(
    lhs_shape: ShapeLike,
    rhs_shape: ShapeLike,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    *,
    window_reversal: Any = None,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's convolution of operands of these shapes, with everything that it can be told.

    Parameters
    ----------
    lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count, batch_group_count,
        window_reversal : as for ssop.xla.conv_general_dilated
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cnv_*, win_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Convolve (sh_s36).

    Examples
    --------
    >>> import ssop
    >>> specs = ("NHWC", "HWIO", "NHWC")
    >>> ssop.shapes.xla.conv_general_dilated([None, 8, 8, 3], [3, 3, 3, 4], [2, 2], "SAME", dimension_numbers=specs)
    PartialShape([None, 4, 4, 4])
    """
    specs = (dimension_numbers, feature_group_count, batch_group_count, window_reversal)
    dilations = (lhs_dilation, rhs_dilation)
    op = "xla.conv_general_dilated"
    return _convolved(op, mode, lhs_shape, rhs_shape, window_strides, padding, *dilations, *specs)


def _convolved(op: str, mode: Mode, lhs_shape: ShapeLike, rhs_shape: ShapeLike, *arguments: Any) -> PartialShape:
    """The dims that dimension_numbers name, and how many windows there can be (sh_s36)."""
    check_mode(op, mode)
    given = read_arguments(op, *arguments)
    lhs, rhs = PartialShape(lhs_shape), PartialShape(rhs_shape)
    if lhs.rank is None or rhs.rank is None:
        known = rhs.rank if lhs.rank is None else lhs.rank
        if mode == "tf" or known is None:
            return PartialShape(None)
        lhs, rhs = (PartialShape((None,) * known) if shape.rank is None else shape for shape in (lhs, rhs))
    call = convolution(given, *_likeliest(given, lhs, rhs))
    of_lhs, of_rhs = dims_of(lhs), dims_of(rhs)
    windows = [
        _window_count(axis, of_lhs[spatial], of_rhs[place], given.padding)
        for axis, spatial, place in zip(call.window, call.specs.lhs[2:], call.specs.rhs[2:], strict=True)
    ]
    batch = _divided(of_lhs[call.specs.lhs[0]], call.batch_groups)
    features = _multiples(of_rhs[call.specs.rhs[0]], max(call.feature_groups, call.batch_groups))
    return in_mode(mode, PartialShape(out_shape(call.specs, batch, features, windows)), lhs, rhs)


def _likeliest(given: Arguments, lhs: PartialShape, rhs: PartialShape) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the completion that breaks no rule, if there is one: the least batch and features that groups divide."""
    left, right = list(least(lhs)), list(least(rhs))
    if len(left) != len(right) or min(given.feature_groups, given.batch_groups) < 1:
        return tuple(left), tuple(right)
    specs = specs_of(given.op, given.specs, len(left))
    if any(sorted(spec) != list(range(len(left))) for spec in specs):
        return tuple(left), tuple(right)
    of_lhs, of_rhs = lhs.intervals, rhs.intervals
    assert of_lhs is not None and of_rhs is not None
    (batch, features), (outputs, of_kernel) = specs.lhs[:2], specs.rhs[:2]
    left[batch] = _least_multiple(of_lhs[batch], given.batch_groups)
    right[outputs] = _least_multiple(of_rhs[outputs], max(given.feature_groups, given.batch_groups))
    in_group = max(-(-of_lhs[features][0] // given.feature_groups), of_rhs[of_kernel][0])
    left[features], right[of_kernel] = (
        max(low, min(number, number if high is None else high))
        for number, (low, high) in ((in_group * given.feature_groups, of_lhs[features]), (in_group, of_rhs[of_kernel]))
    )
    for axis in specs.rhs[2:]:
        right[axis] = _least_multiple((max(right[axis], 1), of_rhs[axis][1]), 1)
    return tuple(left), tuple(right)


def _least_multiple(interval: Interval, factor: int) -> int:
    """Return the least multiple in an interval, or any number of it if it has no multiple."""
    low, high = interval
    number = -(-low // factor) * factor
    return number if high is None or number <= high else high


def _divided(dim: Dim, factor: int) -> Dim:
    """Return how long a part of an axis is that so many parts divide."""
    if factor == 1:
        return dim
    low, high = dim.interval
    return Dim((-(-low // factor), None if high is None else high // factor))


def _multiples(dim: Dim, factor: int) -> Dim:
    """Return what a dim can be that is a multiple of a number."""
    low, high = dim.interval
    narrow = _divided(dim, factor).interval
    ends = narrow[0] * factor, None if narrow[1] is None else narrow[1] * factor
    return dim if ends == (low, high) else Dim(ends)


def _window_count(axis: WindowAxis, dim: Dim, size: Dim, padding: Any) -> Dim:
    """Return how many windows there can be: most of the longest axis and the smallest window."""
    kind = padding_kind("", "", padding) if isinstance(padding, str) else ""
    if kind[:4] == "SAME" and axis.stride == 1:
        return dim
    (low, high), (least_size, most) = dim.interval, size.interval

    def count(dim: int, size: int) -> int:
        sized = axis._replace(size=size)
        if kind:
            pair = pads(kind, dim, sized.extent, axis.stride)
            sized = sized._replace(low=pair[0], high=pair[1])
        return sized.count(dim)

    fewest = 0 if most is None and kind[:4] != "SAME" else count(low, axis.size if most is None else most)
    return Dim((fewest, None if high is None else count(high, max(least_size, 1))))
