"""Shapes of ONNX's Slice, by the name of `ssop.onnx`.

>>> import ssop
>>> ssop.shapes.onnx.slice([None, 8], [0], [2**63 - 1], axes=[1], steps=[3])
PartialShape([None, 3])
"""

from __future__ import annotations

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes import _formulas
from ssop.shapes._arguments import Engine, Mode, ShapeLike, VectorLike, check_mode, has_unknown_length, read_vectors
from ssop.shapes._axes import Vectors, are_known, axes_slice, zipped_slice

__all__ = ["slice"]


def slice(
    data_shape: ShapeLike,
    starts: VectorLike,
    ends: VectorLike,
    axes: VectorLike | None = None,
    steps: VectorLike | None = None,
    *,
    engine: Engine = "spec",
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of ONNX's Slice of data of this shape.

    Parameters
    ----------
    data_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    starts, ends : sequences of int, None (unknown) or (least, greatest); or `unknown(n)`
    axes : sequence of different axes; None: 0, 1, ..; or `unknown(n)`
    steps : as starts; None: all ones
    engine : "spec", "reference" or "ort", as for ssop.onnx.slice
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result, of the rank of the data. An unknown entry of axes is any axis.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (onx_*, onr_*, ort_*, in_*, sh_*) in SPEC.md.

    Source: ONNX's shape inference of Slice (sh_s22).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.onnx.slice([None], [1], [3], mode="tight")
    PartialShape([(0, 2)])
    """
    if are_known(axes) and not has_unknown_length(starts, ends, axes, steps):
        result = _core.infer_onnx_slice(data_shape, starts, ends, axes, steps, engine=engine, mode=mode)
        if mode != "tight" or not _formulas.has_names(data_shape):
            return result
        return _formulas.onnx_slice(result, data_shape, (starts, ends, axes, steps), engine)
    check_mode("onnx.slice", mode)

    def infer(shape: ShapeLike, given: Vectors) -> PartialShape:
        vectors = given.starts, given.stops, given.axes, given.steps
        return _core.infer_onnx_slice(shape, *vectors, engine=engine, mode="tight")

    starts, ends, axes, steps = read_vectors("onnx.slice", starts=starts, ends=ends, axes=axes, steps=steps)
    function = zipped_slice if engine == "reference" else axes_slice
    return function(infer, data_shape, Vectors(axes, starts, ends, steps), mode)
