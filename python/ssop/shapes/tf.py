"""Shapes of TensorFlow's slicing operations, by the names of `ssop.tf`.

>>> import ssop
>>> ssop.shapes.tf.slice([None, 4], [1, 1], [-1, 2])
PartialShape([None, 2])
"""

from __future__ import annotations

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes._arguments import Mode, ShapeLike, VectorLike, has_unknown_length, of_unknown_rank, same_length
from ssop.shapes._strided import (
    strided_slice,
    strided_slice_assign,
    strided_slice_grad,
    tensor_strided_slice_update,
)

__all__ = ["slice", "strided_slice", "strided_slice_assign", "strided_slice_grad", "tensor_strided_slice_update"]


def slice(input_shape: ShapeLike, begin: VectorLike, size: VectorLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of TensorFlow's Slice of an input of this shape.

    Parameters
    ----------
    input_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    begin, size : sequences of int, None (unknown) or (least, greatest), one per axis; or `unknown(n)`
        A size of -1 is to the end.
    mode : "tf" answers as TensorFlow does, which does not compare begin and size with a dim; "tight" gives the
        smallest interval of every dim.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (tsl_*, in_*, sh_*) in SPEC.md.

    Source: TensorFlow's shape function of Slice (sh_s21).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.tf.slice([5, None], [1, 2], [-1, 3])
    PartialShape([4, 3])
    >>> ssop.shapes.tf.slice([5, (2, 9)], [1, 2], [-1, None], mode="tight")
    PartialShape([4, (0, 7)])
    """
    if has_unknown_length(begin, size):
        vectors = same_length("tf.slice", PartialShape(input_shape).rank, begin=begin, size=size)
        if vectors is None:
            return of_unknown_rank("tf.slice", mode)
        begin, size = vectors
    return _core.infer_tf_slice(input_shape, begin, size, mode=mode)
