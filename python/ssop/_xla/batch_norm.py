"""XLA's BatchNormTraining, BatchNormInference and BatchNormGrad.

Sums, means and quotients are computed in the dtype of twice as many bits, if NumPy has it. The results are rounded once
(bn_s4), whereas StableHLO's formulas round after each operation.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ssop import _core
from ssop._errors import conversion, index_error, kind_of, type_error, value_error
from ssop._vectors import integer
from ssop._xla.operands import as_operand, as_operand_of, deliver, public
from ssop._xla.types import kind, primitive_type

Array = np.ndarray[Any, Any]


@public
def batch_norm_training(
    operand: Any, scale: Any, offset: Any, epsilon: float, feature_index: int
) -> tuple[Array, Array, Array]:
    """XLA's BatchNormTraining: each feature less its mean, divided by its standard deviation.

    Parameters
    ----------
    operand : array_like of real floating-point numbers, rank at least 1
    scale, offset : array_like of the operand's dtype, one number for each feature
    epsilon : float, rounded to float32 as in XLA; added to the variances
    feature_index : int, the axis of the features; mean and variance are over all others

    Returns
    -------
    tuple of numpy.ndarray : new, C-ordered, of the operand's dtype: the output of the operand's shape, and the mean and
        the variance of each feature. So there is no `out`.

    Raises
    ------
    SliceError : `label` names the rule (bn_*, et_*, in_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `batch_norm_training`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> ssop.xla.batch_norm_training(x, [1.0, 2.0], [0.0, 5.0], 0.0, 1)
    (array([[-1.,  3.],
           [ 1.,  7.]]), array([2., 3.]), array([1., 1.]))
    """
    op = "xla.batch_norm_training"
    x = as_operand(op, "operand", operand)
    vectors = _vectors(op, x, scale=scale, offset=offset)
    epsilon, feature_index = _epsilon(op, epsilon), integer(op, "feature_index", feature_index)
    check(op, "training", x, feature_index, vectors)
    mean, centered = _centered(x, feature_index)
    with np.errstate(all="ignore"):
        variance = _sum_of_products(centered, centered, feature_index) / _count(x, feature_index)
    output = _scaled(centered, variance, vectors["scale"], vectors["offset"], epsilon, feature_index)
    return _rounded(output, x.dtype), _rounded(mean, x.dtype), _rounded(variance, x.dtype)


@public
def batch_norm_inference(
    operand: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    epsilon: float,
    feature_index: int,
    *,
    out: Array | None = None,
) -> Array:
    """XLA's BatchNormInference: each feature less a given mean, divided by a given standard deviation.

    Parameters
    ----------
    operand : array_like of real floating-point numbers, rank at least 1
    scale, offset, mean, variance : array_like of the operand's dtype, one number for each feature
    epsilon : float, rounded to float32 as in XLA; added to the variances
    feature_index : int, the axis of the features
    out : array of the operand's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape and dtype: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (bn_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `batch_norm_inference`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> ssop.xla.batch_norm_inference(x, [1.0, 2.0], [0.0, 5.0], [2.0, 3.0], [1.0, 1.0], 0.0, 1)
    array([[-1.,  3.],
           [ 1.,  7.]])
    """
    op = "xla.batch_norm_inference"
    x = as_operand(op, "operand", operand)
    vectors = _vectors(op, x, scale=scale, offset=offset, mean=mean, variance=variance)
    epsilon, feature_index = _epsilon(op, epsilon), integer(op, "feature_index", feature_index)
    check(op, "inference", x, feature_index, vectors)
    with np.errstate(all="ignore"):
        centered = x.astype(_wide(x.dtype), order="C")
        centered -= _along(vectors["mean"], x, feature_index)
    result = _scaled(centered, vectors["variance"], vectors["scale"], vectors["offset"], epsilon, feature_index)
    return deliver(op, _rounded(result, x.dtype), out)


@public
def batch_norm_grad(
    operand: Any, scale: Any, mean: Any, variance: Any, grad_output: Any, epsilon: float, feature_index: int
) -> tuple[Array, Array, Array]:
    """XLA's BatchNormGrad: the gradients of BatchNormTraining.

    Parameters
    ----------
    operand : array_like of real floating-point numbers, rank at least 1
    scale, mean, variance : array_like of the operand's dtype, one number for each feature
        Mean and variance are those that batch_norm_training returned.
    grad_output : array_like of the operand's shape and dtype, the gradient of its output
    epsilon : float, rounded to float32 as in XLA; added to the variances
    feature_index : int, the axis of the features

    Returns
    -------
    tuple of numpy.ndarray : new, C-ordered, of the operand's dtype: the gradient of the operand, of its shape, and
        those of scale and offset, one number for each feature. So there is no `out`.

    Raises
    ------
    SliceError : `label` names the rule (bn_*, et_*, in_*, val_*) in SPEC.md.

    Source: XLA's shape inference and its BatchNormExpander; StableHLO `batch_norm_grad`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x, dy = np.array([[0.0], [0.0], [3.0]]), np.array([[1.0], [0.0], [0.0]])
    >>> ssop.xla.batch_norm_grad(x, [1.0], [1.0], [2.0], dy, 2.0, 1)
    (array([[ 0.29166667],
           [-0.20833333],
           [-0.08333333]]), array([-0.5]), array([1.]))
    """
    op = "xla.batch_norm_grad"
    x = as_operand(op, "operand", operand)
    vectors = _vectors(op, x, scale=scale, mean=mean, variance=variance)
    dy = as_operand_of(op, "grad_output", grad_output, x.dtype)
    epsilon, feature_index = _epsilon(op, epsilon), integer(op, "feature_index", feature_index)
    check(op, "grad", x, feature_index, vectors, dy)
    return _gradients(x, dy, vectors, epsilon, feature_index)


def _gradients(x: Array, dy: Array, vectors: dict[str, Array], epsilon: float, axis: int) -> tuple[Array, Array, Array]:
    """Return the gradients of the operand, of scale and of offset (bn_s3)."""
    wide, count = _wide(x.dtype), _count(x, axis)
    with np.errstate(all="ignore"):
        centered = x.astype(wide, order="C")
        centered -= _along(vectors["mean"], x, axis)
        variance = vectors["variance"].astype(wide) + wide.type(epsilon)
        deviation = np.sqrt(variance)
        gradient = dy.astype(wide, order="C")
        grad_offset = gradient.sum(_others(x, axis))
        products = _sum_of_products(gradient, centered, axis)
        gradient -= _along(grad_offset / count, x, axis)
        centered *= _along(products / variance / count, x, axis)
        gradient -= centered
        gradient *= _along(vectors["scale"] / deviation, x, axis)
        grad_scale = products / deviation
    return _rounded(gradient, x.dtype), _rounded(grad_scale, x.dtype), _rounded(grad_offset, x.dtype)


def _centered(x: Array, axis: int) -> tuple[Array, Array]:
    """Return the means of the features, and all numbers less those of their feature."""
    wide = _wide(x.dtype)
    with np.errstate(all="ignore"):
        mean = x.sum(_others(x, axis), dtype=wide) / _count(x, axis)
        centered = x.astype(wide, order="C")
        centered -= _along(mean, x, axis)
    return mean, centered


def _scaled(centered: Array, variance: Array, scale: Array, offset: Array, epsilon: float, axis: int) -> Array:
    """Divide by the standard deviations, scale and shift, in place (bn_s1, bn_s2)."""
    wide = centered.dtype
    with np.errstate(all="ignore"):
        deviation = np.sqrt(variance.astype(wide) + wide.type(epsilon))
        centered /= _along(deviation, centered, axis)
        centered *= _along(scale, centered, axis)
        centered += _along(offset, centered, axis)
    return centered


def _sum_of_products(x: Array, y: Array, axis: int) -> Array:
    """Return the sum of the products over all axes but one, without an array of the products."""
    shape = (prod(x.shape[:axis]), x.shape[axis], prod(x.shape[axis + 1 :]))
    with np.errstate(all="ignore"):
        return np.asarray(np.einsum("ijk,ijk->j", x.reshape(shape), y.reshape(shape)))


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(np.float64 if dtype.itemsize >= 4 else np.float32)


def _rounded(x: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return x.astype(dtype, copy=False)


def _others(x: Array, axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(x.ndim) if other != axis)


def _count(x: Array, axis: int) -> Any:
    """Return the number of elements of each feature: without any, means are NaN and no error."""
    return _wide(x.dtype).type(prod(x.shape[:axis]) * prod(x.shape[axis + 1 :]))


def _along(vector: Array, x: Array, axis: int) -> Array:
    """Return a vector of the features that is broadcast along the other axes of `x`."""
    return np.asarray(vector, _wide(x.dtype)).reshape([-1 if other == axis else 1 for other in range(x.ndim)])


# ---- arguments -------------------------------------------------------------------------------------------------------


def _vectors(op: str, x: Array, **vectors: Any) -> dict[str, Array]:
    return {name: as_operand_of(op, name, vector, x.dtype) for name, vector in vectors.items()}


def _epsilon(op: str, epsilon: Any) -> float:
    """Return the number as a float32 (bn_s5)."""
    with np.errstate(all="ignore"):
        given = _core.convert_value(op, "epsilon", epsilon, np.float64)
        if given.dtype != np.float64:  # records keep their dtype
            message = f"epsilon is {kind_of(epsilon)}, which does not convert to float64"
            raise type_error(op, "val_c1", message, value=epsilon)
        if given.ndim:
            message = f"epsilon has shape {given.shape}, not (): it is one number"
            raise value_error(op, "bn_c6", message, value=given.shape)
        return float(np.float32(given))


FACTORS = ("scale", "offset")
RANKS = {"training": ("offset", "scale"), "inference": ("offset", "scale", "mean", "variance")}
DTYPES = {"grad": ("scale", "mean", "variance")}
"""The order in which XLA checks the vectors; that of grad is another one for their dtypes."""


def check(
    op: str, form: str, x: Array, feature_index: int, vectors: dict[str, Array], grad_output: Array | None = None
) -> None:
    """XLA's checks, in XLA's order; it has none of the ranks of mean and variance that inference is given."""
    order = RANKS.get(form, ("mean", "scale", "variance"))
    _check_ranks(op, f"batch-norm-{form}", x, feature_index, [(name, vectors[name]) for name in order], grad_output)
    typed = [(name, vectors[name]) for name in DTYPES.get(form, order)]
    if grad_output is not None:
        typed.insert(0, ("grad_output", grad_output))
    _check_dtypes(op, f"batch-norm-{form}", x, typed)
    for name in order:
        _check_size(op, name, vectors[name], x.shape[feature_index])
    if grad_output is not None:
        _check_bounds(op, x, grad_output)


def _check_ranks(
    op: str, form: str, x: Array, feature_index: int, vectors: list[tuple[str, Array]], grad_output: Array | None
) -> None:
    if not 0 <= feature_index < x.ndim:
        words = (
            f"be a non-negative number, got {feature_index}."
            if feature_index < 0
            else f"be smaller than the rank of operand_shape; got feature_index {feature_index}, and rank {x.ndim}."
        )
        message = (
            f"feature_index {feature_index} is not in 0..{x.ndim - 1}: Expected feature_index of {form} to {words}"
        )
        raise index_error(op, "bn_c1", message, value=feature_index, allowed=(0, x.ndim - 1))
    if grad_output is not None and grad_output.ndim != x.ndim:
        message = (
            f"grad_output has rank {grad_output.ndim}, the operand {x.ndim}: Expected operand_shape of {form} to have "
            f"the same rank as output_grad_shape; got rank(oprand_shape) {x.ndim}, and "
            f"rank(output_grad_shape) {grad_output.ndim}."
        )
        raise value_error(op, "bn_c5", message, value=grad_output.ndim)
    for name, vector in vectors:
        if vector.ndim != 1:
            message = (
                f"{name} has shape {vector.shape}: {name.capitalize()} input of {form} must have rank 1, "
                f"but has rank {vector.ndim}."
            )
            raise value_error(op, "bn_c2", message, value=vector.shape)


def _check_dtypes(op: str, form: str, x: Array, operands: list[tuple[str, Array]]) -> None:
    if kind(x.dtype) != "float":
        message = (
            f"the operand has dtype {x.dtype}: The operand to {form} must have a floating point element type, "
            f"but the shape is {primitive_type(x.dtype)}."
        )
        raise type_error(op, "bn_c3", message, value=x.dtype)
    for name, operand in operands:
        if operand.dtype != x.dtype:
            message = (
                f"{name} has dtype {operand.dtype}, not {x.dtype}: The inputs should have the same element type for "
                f"{form}, but the element type of {name} is {primitive_type(operand.dtype)} and the element type of "
                f"operand is {primitive_type(x.dtype)}. {conversion(name, operand, x.dtype)}"
            )
            raise type_error(op, "bn_c4", message, value=operand.dtype)


def _check_size(op: str, name: str, vector: Array, features: int) -> None:
    if vector.shape != (features,):
        word = f"{name} factor" if name in FACTORS else name
        message = (
            f"{name} has shape {vector.shape}, not ({features},): The size of {word} should be the same as feature "
            f"count,but the size of {word} is {vector.shape[0]} and the feature count is {features}."
        )
        raise value_error(op, "bn_c2", message, value=vector.shape)


def _check_bounds(op: str, x: Array, grad_output: Array) -> None:
    for axis, (dim, given) in enumerate(zip(x.shape, grad_output.shape, strict=True)):
        if dim != given:
            message = (
                f"axis {axis}: grad_output has length {given}, the operand {dim}: The bounds of operand shape should "
                f"be the same as output_grad's,but the bound of operand_shape at dimension {axis} is {dim} "
                f"and the bound of output_grad_shape is {given}."
            )
            raise value_error(op, "bn_c5", message, axis=axis, value=given)
