"""Shapes of OpenVINO's slicing operations, by the names of `ssop.openvino`.

OpenVINO writes INT32_MAX or INT64_MAX for a missing upper bound; here that is None.

>>> import ssop
>>> ssop.shapes.openvino.slice([(2, 10)], [1], [2**31 - 1], [2], mode="tight")
PartialShape([(1, 5)])
"""

from __future__ import annotations

from collections.abc import Sequence

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes import _formulas
from ssop.shapes._arguments import (
    Mode,
    ShapeLike,
    VectorLike,
    check_mode,
    has_unknown_length,
    of_unknown_rank,
    read_vectors,
    same_length,
)
from ssop.shapes._axes import Vectors, are_known, axes_slice

__all__ = ["slice", "strided_slice"]


def strided_slice(
    data_shape: ShapeLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None = None,
    begin_mask: Sequence[int] = (),
    end_mask: Sequence[int] = (),
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
    *,
    strict: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of OpenVINO's StridedSlice-1 of data of this shape.

    Parameters
    ----------
    data_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    begin, end, strides : sequences of int, None (unknown) or (least, greatest); or `unknown(n)`
    begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask : sequences of 0 and 1
    strict : bool, as for ssop.openvino.strided_slice
    mode : "tight" gives the smallest interval of every dim, as OpenVINO's own inference aims at; "tf" a dim only where
        that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (ov_*, in_*, sh_*) in SPEC.md.

    Source: OpenVINO's shape inference of StridedSlice-1 (sh_s22).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.openvino.strided_slice([(2, 10), 4], [1], [0], [2], end_mask=[1], mode="tight")
    PartialShape([(1, 5), 4])
    """
    if has_unknown_length(begin, end, strides):
        vectors = same_length("openvino.strided_slice", begin=begin, end=end, strides=strides)
        if vectors is None:
            return of_unknown_rank("openvino.strided_slice", mode)
        begin, end, strides = vectors
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    result = _core.infer_openvino_strided_slice(data_shape, begin, end, strides, *masks, strict=strict, mode=mode)
    if mode != "tight" or not _formulas.has_names(data_shape):
        return result
    return _formulas.strided(result, "openvino", data_shape, (begin, end, strides), masks)


def slice(
    data_shape: ShapeLike,
    start: VectorLike,
    stop: VectorLike,
    step: VectorLike,
    axes: VectorLike | None = None,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of OpenVINO's Slice-8 of data of this shape.

    Parameters
    ----------
    data_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    start, stop, step : sequences of int, None (unknown) or (least, greatest); or `unknown(n)`
    axes : sequence of different axes; None: 0, 1, ..; or `unknown(n)`
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result, of the rank of the data. An unknown entry of axes is any axis.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (ovs_*, in_*, sh_*) in SPEC.md.

    Source: OpenVINO's shape inference of Slice-8 (sh_s22).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.openvino.slice([None, 4], [0], [-1], [1], axes=[-1])
    PartialShape([None, 3])
    """
    if are_known(axes) and not has_unknown_length(start, stop, step, axes):
        return _core.infer_openvino_slice(data_shape, start, stop, step, axes, mode=mode)
    check_mode("openvino.slice", mode)
    start, stop, step, axes = read_vectors("openvino.slice", start=start, stop=stop, step=step, axes=axes)
    return axes_slice(_infer_slice, data_shape, Vectors(axes, start, stop, step), mode)


def _infer_slice(shape: ShapeLike, given: Vectors) -> PartialShape:
    return _core.infer_openvino_slice(shape, given.starts, given.stops, given.steps, given.axes, mode="tight")
