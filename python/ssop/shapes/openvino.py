"""Shapes of OpenVINO's slicing operations, by the names of `ssop.openvino`.

Its upper bounds are written INT32_MAX or INT64_MAX where there is none; here that is None.

>>> import ssop
>>> ssop.shapes.openvino.slice([(2, 10)], [1], [2**31 - 1], [2], mode="tight")
PartialShape([(1, 5)])
"""

from __future__ import annotations

from collections.abc import Sequence

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes._arguments import (
    UNKNOWN_VECTOR,
    Mode,
    ShapeLike,
    VectorLike,
    any_part,
    has_unknown,
    of_unknown_rank,
    same_length,
)

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
    if begin is UNKNOWN_VECTOR or end is UNKNOWN_VECTOR or strides is UNKNOWN_VECTOR:
        vectors = same_length((begin, end, strides))
        if vectors is None:
            return of_unknown_rank("openvino.strided_slice", mode)
        begin, end, strides = vectors
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return _core.infer_openvino_strided_slice(data_shape, begin, end, strides, *masks, strict=strict, mode=mode)


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
    PartialShape : the shape of the result, of the rank of the data; any part of every dim if the axes are unknown.

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
    vectors = same_length((axes, start, stop, step))
    if vectors is None or has_unknown(vectors[0]):
        return any_part("openvino.slice", data_shape, mode)
    known_axes, start, stop, step = vectors
    return _core.infer_openvino_slice(data_shape, start, stop, step, known_axes, mode=mode)
