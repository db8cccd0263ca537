"""Gradients of NumPy's pad, whose padding is folded back onto the elements that it repeats, and of NumPy's roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ssop import _core, _padding, _rolling
from ssop._vjp.common import checked, in_chunks, shape_and_chunks, summed, zeros

if TYPE_CHECKING:
    from ssop._padding import PadMode, PadWidth
    from ssop._rolling import Integers
    from ssop._vjp.common import Dims


def numpy_pad(dy: Any, operand_shape: Dims, pad_width: PadWidth, pad_mode: PadMode = "constant") -> Any:
    """The gradient of `ssop.pad`: of every element the sum of dy where the element was put.

    Parameters
    ----------
    dy : array_like of the result's shape; numbers, or of any dtype for the mode "constant"
    operand_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    pad_width : as for `ssop.pad`
    pad_mode : the mode of `ssop.pad`; of "constant", dy at the padding is left out

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, vjp_c1, np_*, in_*) in SPEC.md.

    Source: the transpose of numpy.pad; `jax.vjp` of `jax.numpy.pad`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.numpy_pad(np.array([1, 2, 3, 4]), [3], (0, 1), "reflect")
    array([1, 6, 3])
    """
    op = "vjp.numpy_pad"
    _padding.check_mode(op, pad_mode)
    dims, chunks = shape_and_chunks(op, "operand_shape", operand_shape)
    shape = _core.read_shape(op, "operand_shape", dims)
    widths = _padding.widths_of(op, pad_width, len(shape))
    _padding.check_axes(op, shape, widths, pad_mode)
    _, place = _core.xla_pad_regions(shape, [(low, high, 0) for low, high in widths])
    dy = checked(op, dy, place.in_shape)
    if pad_mode == "constant":
        limits = [low + dim for dim, (low, _) in zip(shape, widths, strict=True)]
        return in_chunks(_core.slice(dy, [low for low, _ in widths], limits), chunks)
    padded = [axis for axis, pair in enumerate(widths) if any(pair)]
    for axis in reversed(padded):  # the axis that was padded last has all of the others' padding
        low, high = widths[axis]
        if pad_mode == "edge" or (pad_mode == "reflect" and shape[axis] == 1):
            dy = _ends_folded(op, dy, axis, low, low + shape[axis])
        else:
            dy = _periods_folded(op, dy, axis, (shape[axis], low, high), pad_mode)
    return in_chunks(dy if padded else _core.copy(dy), chunks)


def _ends_folded(op: str, dy: Any, axis: int, first: int, end: int) -> Any:
    """Each end of an axis with the sum of its padding; the operand is at first..end - 1."""
    if end - first == 1:
        return _summed_to_one(op, dy, axis)
    low = _core.xla_slice_in_dim(dy, 0, first + 1, 1, axis)
    high = _core.xla_slice_in_dim(dy, end - 1, None, 1, axis)
    between = _core.xla_slice_in_dim(dy, first + 1, end - 1, 1, axis)
    return _core.xla_concatenate([_summed_to_one(op, low, axis), between, _summed_to_one(op, high, axis)], axis)


def _summed_to_one(op: str, dy: Any, axis: int) -> Any:
    shape = (*dy.shape[:axis], 1, *dy.shape[axis + 1 :])
    return _core.xla_reshape(summed(op, dy, [axis]), shape)


def _periods_folded(op: str, dy: Any, axis: int, lengths: tuple[int, int, int], mode: str) -> Any:
    """The sum over all periods, each of the elements and, but for "wrap", of their mirror image."""
    dim, low, high = lengths
    skipped = int(mode == "reflect")  # the ends, which the image lacks
    period = dim if mode == "wrap" else 2 * (dim - skipped)
    before = -low % period
    behind = -(before + low + dim + high) % period
    rank = len(dy.shape)
    config = [(before, behind, 0) if number == axis else (0, 0, 0) for number in range(rank)]
    dy = _core.xla_pad(dy, zeros(op, dy, ()), config)
    shape = (*dy.shape[:axis], dy.shape[axis] // period, period, *dy.shape[axis + 1 :])
    periods = _core.xla_reshape(dy, shape)  # the first begins at an element 0, as `before` makes it
    if mode == "wrap":
        return summed(op, periods, [axis])
    elements = _core.xla_slice_in_dim(periods, 0, dim, 1, axis + 1)
    image = _core.xla_rev(_core.xla_slice_in_dim(periods, dim, None, 1, axis + 1), [axis + 1])
    config = [(skipped, skipped, 0) if number == axis + 1 else (0, 0, 0) for number in range(rank + 1)]
    image = _core.xla_pad(image, zeros(op, dy, ()), config)
    return summed(op, _core.xla_concatenate([elements, image], axis), [axis])


def roll(dy: Any, operand_shape: Dims, shift: Integers, axis: Integers | None = None) -> Any:
    """The gradient of `ssop.roll`: dy rolled back.

    Parameters
    ----------
    dy : array_like of shape operand_shape, any dtype
    operand_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    shift, axis : as for `ssop.roll`

    Returns
    -------
    numpy.ndarray : new, of the shape and dtype of dy; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, np_*, in_*) in SPEC.md.

    Source: the transpose of numpy.roll, which is its inverse.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.roll(np.array([1, 2, 3]), [3], 1)
    array([2, 3, 1])
    """
    op = "vjp.roll"
    dims, chunks = shape_and_chunks(op, "operand_shape", operand_shape)
    shape = _core.read_shape(op, "operand_shape", dims)
    starts = _rolling.starts_of(op, shape, shift, axis)
    rolled = _rolling.roll(checked(op, dy, shape), starts, None if axis is None else range(len(shape)))
    return in_chunks(rolled, chunks)
