"""Shapes of NumPy's operations that move data: those of `ssop.pad` and `ssop.roll`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ssop import _padding, _rolling
from ssop._core import PartialShape
from ssop.shapes import xla
from ssop.shapes._arguments import Mode, ShapeLike, check_mode, dims_of

if TYPE_CHECKING:
    from ssop._padding import PadMode, PadWidth
    from ssop._rolling import Integers


def numpy_pad(
    operand_shape: ShapeLike, pad_width: PadWidth, pad_mode: PadMode = "constant", *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of `ssop.pad` of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    pad_width : as for ssop.pad
    pad_mode : the mode of ssop.pad; but for "constant", a padded axis has an element (np_c5)
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (np_*, pad_*, in_*, sh_*) in SPEC.md.

    Source: numpy.pad (sh_s40).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.numpy_pad([None, 3], [(1, 2), (0, 4)], "wrap", mode="tight")
    PartialShape([(4, None), 7])
    """
    check_mode("numpy_pad", mode)
    _padding.check_mode("numpy_pad", pad_mode)
    operand = PartialShape(operand_shape)
    if operand.rank is None:
        return operand
    widths = _padding.widths_of("numpy_pad", pad_width, operand.rank)
    dims = dims_of(operand)
    least = [1 if dim.value is None else dim.value for dim in dims]
    _padding.check_axes("numpy_pad", least, widths, pad_mode)
    for axis, (dim, pair) in enumerate(zip(dims, widths, strict=True)):
        if pad_mode != "constant" and any(pair) and dim.value is None:
            operand = operand.replace_dim(axis, dim.merge((1, None)))
    return xla.pad(operand, [(before, after, 0) for before, after in widths], mode=mode)


def roll(operand_shape: ShapeLike, shift: Integers, axis: Integers | None = None, *, mode: Mode = "tf") -> PartialShape:
    """The shape of `ssop.roll` of an operand of this shape: its own.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    shift, axis : as for ssop.roll
    mode : "tf" or "tight", which are the same here

    Returns
    -------
    PartialShape : the operand's itself.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (np_*, in_*, sh_*) in SPEC.md.

    Source: numpy.roll (sh_s40).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.roll([None, 3], 1, axis=1)
    PartialShape([None, 3])
    """
    check_mode("roll", mode)
    operand = PartialShape(operand_shape)
    if operand.rank is not None:
        _rolling.starts_of("roll", (1,) * operand.rank, shift, axis)
    return operand
