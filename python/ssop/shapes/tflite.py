"""Shapes of TFLite's slicing operations, by the names of `ssop.tflite`.

>>> import ssop
>>> ssop.shapes.tflite.strided_slice([None, 4], [1], [3], shrink_axis_mask=1)
PartialShape([4])
"""

from __future__ import annotations

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes import _formulas
from ssop.shapes._arguments import Mode, ShapeLike, VectorLike, has_unknown_length, of_unknown_rank, same_length

__all__ = ["slice", "strided_slice"]


def strided_slice(
    input_shape: ShapeLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    offset: bool = False,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of TFLite's StridedSlice of an input of this shape.

    Parameters
    ----------
    input_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    begin, end, strides : sequences of int, None (unknown) or (least, greatest); or `unknown(n)`
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask, offset : as for ssop.tflite.strided_slice
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (tfl_*, in_*, sh_*) in SPEC.md.

    Source: LiteRT's StridedSlice kernel (sh_s22).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.tflite.strided_slice([None], [2], [5], mode="tight")
    PartialShape([(0, 3)])
    """
    if has_unknown_length(begin, end, strides):
        vectors = same_length("tflite.strided_slice", begin=begin, end=end, strides=strides)
        if vectors is None:
            return of_unknown_rank("tflite.strided_slice", mode)
        begin, end, strides = vectors
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    result = _core.infer_tflite_strided_slice(input_shape, begin, end, strides, *masks, offset, mode=mode)
    if mode != "tight" or offset or not _formulas.has_names(input_shape):
        return result
    return _formulas.strided(result, "tflite", input_shape, (begin, end, strides), masks)


def slice(input_shape: ShapeLike, begin: VectorLike, size: VectorLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of TFLite's Slice of an input of this shape.

    Parameters
    ----------
    input_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    begin, size : sequences of int, None (unknown) or (least, greatest), one per axis; or `unknown(n)`
        A size of -1 is to the end.
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (tfs_*, in_*, sh_*) in SPEC.md.

    Source: LiteRT's Slice kernel (sh_s22).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.tflite.slice([5, None], [1, 2], [-1, 3])
    PartialShape([4, 3])
    """
    if has_unknown_length(begin, size):
        vectors = same_length("tflite.slice", PartialShape(input_shape).rank, begin=begin, size=size)
        if vectors is None:
            return of_unknown_rank("tflite.slice", mode)
        begin, size = vectors
    return _core.infer_tflite_slice(input_shape, begin, size, mode=mode)
