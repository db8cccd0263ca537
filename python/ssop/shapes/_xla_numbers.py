"""Shapes of XLA's conversions, batch normalisation, random numbers, Sort and Iota (sh_s38)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import DTypeLike

from ssop._core import PartialShape, SliceError
from ssop._errors import value_error
from ssop._vectors import integer
from ssop._xla.batch_norm import check as check_batch_norm
from ssop._xla.conversion import as_element_type, bit_width, check_bitcast
from ssop._xla.iota import check_iota
from ssop._xla.sorting import check_dimension
from ssop.shapes._arguments import DimLike, Mode, ShapeLike, check_mode, in_mode, ones, raise_as, stand_in
from ssop.shapes._rules import ShapeRules


def convert_element_type(
    operand_shape: ShapeLike, new_element_type: DTypeLike | None = None, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's ConvertElementType: that of the operand.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    new_element_type : dtype, or None if that is not known; it changes no shape
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (cvt_c1, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferConvertShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.convert_element_type([2, None], "f4")
    PartialShape([2, None])
    """
    check_mode("xla.convert_element_type", mode)
    if new_element_type is not None:
        as_element_type("xla.convert_element_type", "new_element_type", new_element_type)
    return PartialShape(operand_shape)


def bitcast_convert_type(
    operand_shape: ShapeLike, element_type: DTypeLike, new_element_type: DTypeLike, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's BitcastConvertType: with a last axis more or less, unless both types have as many bits.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    element_type, new_element_type : dtypes of the operand and of the result
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all other dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cvt_*, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferBitcastConvertShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.bitcast_convert_type([None, 2], "u2", "f4")
    PartialShape([None])
    """
    op = "xla.bitcast_convert_type"
    check_mode(op, mode)
    operand = PartialShape(operand_shape)
    one = as_element_type(op, "element_type", element_type)
    other = as_element_type(op, "new_element_type", new_element_type)
    ratio = bit_width(other) // bit_width(one)
    if operand.rank is None:
        check_bitcast(op, stand_in(PartialShape([max(ratio, 1)]), one), other)
        return PartialShape(None)
    if ratio > 1 and operand.rank:
        try:
            operand.dim(-1).merge(ratio)
        except SliceError as error:
            raise raise_as(lambda: check_bitcast(op, stand_in(operand, one), other), error) from None
        return operand.subshape(0, -1)
    check_bitcast(op, stand_in(operand, one), other)
    return operand if ratio == 1 else operand.concatenate([bit_width(one) // bit_width(other)])


def reduce_precision(
    operand_shape: ShapeLike, exponent_bits: int | None = None, mantissa_bits: int | None = None, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's ReducePrecision: that of the operand.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    exponent_bits, mantissa_bits : int, or None if these are not known; they change no shape
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (in_*, sh_*) in SPEC.md.

    Source: XLA's `InferReducePrecisionShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.reduce_precision([2, None], 5, 10)
    PartialShape([2, None])
    """
    op = "xla.reduce_precision"
    check_mode(op, mode)
    for name, bits in (("exponent_bits", exponent_bits), ("mantissa_bits", mantissa_bits)):
        if bits is not None:
            integer(op, name, bits)
    return PartialShape(operand_shape)


def batch_norm_training(
    operand_shape: ShapeLike,
    scale_shape: ShapeLike,
    offset_shape: ShapeLike,
    feature_index: int,
    *,
    mode: Mode = "tf",
) -> tuple[PartialShape, PartialShape, PartialShape]:
    """The shapes of XLA's BatchNormTraining: that of the operand, and twice that of its features.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    scale_shape, offset_shape : the shapes of vectors with an element for each feature
    feature_index : int, the axis of the features
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    tuple of PartialShape : of the output, of the means and of the variances.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (bn_*, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferBatchNormTrainingShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.batch_norm_training([2, None], [3], None, 1)
    (PartialShape([2, 3]), PartialShape([3]), PartialShape([3]))
    """
    vectors = {"scale": scale_shape, "offset": offset_shape}
    output, features = _batch_norm("training", mode, operand_shape, feature_index, vectors)
    return output, features, features


def batch_norm_inference(
    operand_shape: ShapeLike,
    scale_shape: ShapeLike,
    offset_shape: ShapeLike,
    mean_shape: ShapeLike,
    variance_shape: ShapeLike,
    feature_index: int,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's BatchNormInference: that of the operand.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    scale_shape, offset_shape, mean_shape, variance_shape : the shapes of vectors with an element for each feature
    feature_index : int, the axis of the features
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (bn_*, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferBatchNormInferenceShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.batch_norm_inference([2, None], [3], None, None, [3], 1)
    PartialShape([2, 3])
    """
    vectors = {"scale": scale_shape, "offset": offset_shape, "mean": mean_shape, "variance": variance_shape}
    return _batch_norm("inference", mode, operand_shape, feature_index, vectors)[0]


def batch_norm_grad(
    operand_shape: ShapeLike,
    scale_shape: ShapeLike,
    mean_shape: ShapeLike,
    variance_shape: ShapeLike,
    grad_output_shape: ShapeLike,
    feature_index: int,
    *,
    mode: Mode = "tf",
) -> tuple[PartialShape, PartialShape, PartialShape]:
    """The shapes of XLA's BatchNormGrad: that of the operand, and twice that of its features.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    scale_shape, mean_shape, variance_shape : the shapes of vectors with an element for each feature
    grad_output_shape : the operand's shape
    feature_index : int, the axis of the features
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    tuple of PartialShape : of the gradients of the operand, of scale and of offset.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (bn_*, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferBatchNormGradShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.batch_norm_grad([2, None], [3], None, None, [None, 3], 1)
    (PartialShape([2, 3]), PartialShape([3]), PartialShape([3]))
    """
    vectors = {"scale": scale_shape, "mean": mean_shape, "variance": variance_shape}
    output, features = _batch_norm("grad", mode, operand_shape, feature_index, vectors, grad_output_shape)
    return output, features, features


def _batch_norm(
    form: str,
    mode: Mode,
    operand_shape: ShapeLike,
    feature_index: Any,
    vector_shapes: dict[str, ShapeLike],
    grad_output_shape: ShapeLike = None,
) -> tuple[PartialShape, PartialShape]:
    """The shape of the operand and that of its features, of which all operands say something."""
    op = f"xla.batch_norm_{form}"
    check_mode(op, mode)
    rules, axis = ShapeRules(mode), integer(op, "feature_index", feature_index)
    operand, grad_output = PartialShape(operand_shape), PartialShape(grad_output_shape)
    vectors = {name: PartialShape(shape) for name, shape in vector_shapes.items()}
    given = (operand, grad_output, *vectors.values())

    def execution(of: Callable[..., Any]) -> None:
        known = of(operand if operand.rank is not None else grad_output, float)
        shapes = {name: PartialShape([None]) if shape.rank is None else shape for name, shape in vectors.items()}
        arrays = {name: of(shape, float) for name, shape in shapes.items()}
        check_batch_norm(op, form, known, axis, arrays, None if grad_output.rank is None else of(grad_output, float))

    if operand.rank is not None or grad_output.rank is not None:
        execution(ones)
    try:
        features = PartialShape([None])
        for shape in vectors.values():
            features = rules.merge(features, shape)
        operand = rules.merge(operand, grad_output)
        if operand.rank is not None:
            features = rules.merge(features, PartialShape([operand.dim(axis)]))
            operand = operand.replace_dim(axis, features.dim(0))
    except SliceError as error:
        raise raise_as(lambda: execution(stand_in), error) from None
    return in_mode(mode, operand, *given), in_mode(mode, features, *given)


def sort(
    operand_shape: ShapeLike, dimension: int = -1, is_stable: bool = True, num_keys: int = 1, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Sort: that of the operand, and of all operands, if there are several.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimension : int, an axis, counted from the end if negative
    is_stable, num_keys : as for ssop.xla.sort; they change no shape
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of each result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (srt_c3, in_*, sh_*) in SPEC.md.

    Source: XLA's `InferVariadicOpShape` (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.sort([2, None], 0)
    PartialShape([2, None])
    """
    check_mode("xla.sort", mode)
    operand, axis = PartialShape(operand_shape), integer("xla.sort", "dimension", dimension)
    integer("xla.sort", "num_keys", num_keys)
    if operand.rank is not None:
        check_dimension("xla.sort", operand.rank, axis)
    return operand


def rng_uniform(a_shape: ShapeLike, b_shape: ShapeLike, shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's RngUniform: its argument `shape`.

    Parameters
    ----------
    a_shape, b_shape : the shapes of the parameters: ()
    shape : the shape of the result, of which not all need be known
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : `label` names the rule (rng_c1, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.rng_uniform([], [], [2, 3])
    PartialShape([2, 3])
    """
    return _drawn("xla.rng_uniform", mode, shape, a=a_shape, b=b_shape)


def rng_normal(mu_shape: ShapeLike, sigma_shape: ShapeLike, shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's RngNormal: its argument `shape`.

    Parameters
    ----------
    mu_shape, sigma_shape : the shapes of the parameters: ()
    shape : the shape of the result, of which not all need be known
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : `label` names the rule (rng_c1, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.rng_normal([], [], [2, 3])
    PartialShape([2, 3])
    """
    return _drawn("xla.rng_normal", mode, shape, mu=mu_shape, sigma=sigma_shape)


def rng_bernoulli(mean_shape: ShapeLike, shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's RngBernoulli: its argument `shape`.

    Parameters
    ----------
    mean_shape : the shape of the parameter: ()
    shape : the shape of the result, of which not all need be known
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : `label` names the rule (rng_c1, in_*, sh_*) in SPEC.md.

    Source: XLA's Operation Semantics of 2017 (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.rng_bernoulli([], [2, 3])
    PartialShape([2, 3])
    """
    return _drawn("xla.rng_bernoulli", mode, shape, mean=mean_shape)


def _drawn(op: str, mode: Mode, shape: ShapeLike, **parameters: ShapeLike) -> PartialShape:
    check_mode(op, mode)
    for name, given in parameters.items():
        if PartialShape(given).rank:
            message = f"{name} has shape {PartialShape(given)}, not (): the parameters of a distribution are scalars"
            raise value_error(op, "rng_c1", message, value=PartialShape(given).dims)
    return PartialShape(shape)


def rng_bit_generator(
    key_shape: ShapeLike, shape: ShapeLike, *, mode: Mode = "tf"
) -> tuple[PartialShape, PartialShape]:
    """The shapes of XLA's RngBitGenerator: that of the state, and its argument `shape`.

    Parameters
    ----------
    key_shape : the shape of the state: a vector of 2, 3 or 4 words
    shape : the shape of the bits, of which not all need be known
    mode : "tight" or "tf"

    Returns
    -------
    tuple of PartialShape : of the next state and of the bits.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (rng_c5, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.rng_bit_generator([2], [5])
    (PartialShape([2]), PartialShape([5]))
    """
    op = "xla.rng_bit_generator"
    check_mode(op, mode)
    given = PartialShape(key_shape)
    try:
        key = given.merge([(2, 4)])
    except SliceError:
        message = f"key has shape {given}, not that of a vector of 2, 3 or 4 words"
        raise value_error(op, "rng_c5", message, value=given.dims) from None
    return in_mode(mode, key, given), PartialShape(shape)


def iota(dtype: DTypeLike, size: DimLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Iota of one axis.

    Parameters
    ----------
    dtype : dtype, or None if that is not known; it changes no shape
    size : a dim: int, None (unknown), (least, greatest), Dim
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : `label` names the rule (cvt_c1, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.iota("f4", 3)
    PartialShape([3])
    """
    check_mode("xla.iota", mode)
    if dtype is not None:
        as_element_type("xla.iota", "dtype", dtype)
    return PartialShape([size])


def broadcasted_iota(dtype: DTypeLike, shape: ShapeLike, dimension: int, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Iota: its argument `shape`.

    Parameters
    ----------
    dtype : dtype, or None if that is not known; it changes no shape
    shape : the shape of the result, of which not all need be known
    dimension : int, an axis
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : `label` names the rule (cvt_c1, io_c3, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s38).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.broadcasted_iota("f4", [2, None], 0)
    PartialShape([2, None])
    """
    op = "xla.broadcasted_iota"
    check_mode(op, mode)
    if dtype is not None:
        as_element_type(op, "dtype", dtype)
    result, axis = PartialShape(shape), integer(op, "dimension", dimension)
    if result.rank is not None:
        check_iota(op, (1,) * result.rank, axis)
    return result
