"""Gradients of slices and of the operations that update a slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ssop import _core
from ssop._errors import kind_of, type_error
from ssop._lazy import libraries, results
from ssop._vjp.common import (
    check_addable,
    checked,
    chunks_for,
    placed,
    shape_and_chunks,
    spread_zero,
    summed,
    wide_dtype,
    zeros,
)

if TYPE_CHECKING:
    from ssop._lazy.calls import Chunks
    from ssop._vjp.common import Bools, Dims, Integers, OrFill, Policy

# Each function is the transpose of its operation (vjp_s1), which the dot product of tests/property/test_vjp.py shows.

# ---- slices ----------------------------------------------------------------------------------------------------------


def region(dy: Any, region: _core.Region, chunks: Sequence[Sequence[SupportsIndex]] | None = None) -> Any:
    """The gradient of a slice that takes `region`: zeros, with dy at the region's elements.

    Parameters
    ----------
    dy : array_like of shape region.shape, any dtype
    region : ssop.Region
    chunks : the chunks of dask's operand, as lengths along each axis (vjp_s3), optional

    Returns
    -------
    numpy.ndarray : new, of shape region.in_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, rg_c5, rg_c7..rg_c9, in_*) in SPEC.md.

    Source: the transpose of a selection; TensorFlow's StridedSliceGrad.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.region(np.array([1, 2]), ssop.StridedSliceSpec([3], [0], [-2]).resolve([4]))
    array([0, 2, 0, 1])
    """
    if not isinstance(region, _core.Region):
        raise type_error("vjp.region", "rg_c5", f"region is {kind_of(region)}, not a Region", value=region)
    return placed("vjp.region", dy, region, chunks_for("vjp.region", region, chunks))


def strided_slice(
    dy: Any,
    input_shape: Dims,
    begin: Integers,
    end: Integers,
    strides: Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> Any:
    """The gradient of `ssop.strided_slice`: zeros, with dy at the elements that were taken.

    Parameters
    ----------
    dy : array_like of the slice's shape, any dtype
    input_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
        As for `ssop.strided_slice`.

    Returns
    -------
    numpy.ndarray : new, of shape input_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, ss_*, in_*) in SPEC.md.

    Source: TensorFlow's StridedSliceGrad.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.strided_slice(np.array([1, 2]), [2, 3], [0, 1], [0, 3], shrink_axis_mask=1)
    array([[0, 1, 2],
           [0, 0, 0]])
    """
    op, masks = "vjp.strided_slice", (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    shape, chunks = shape_and_chunks(op, "input_shape", input_shape)
    return placed(op, dy, _core.strided_slice_region(shape, begin, end, strides, *masks), chunks)


def tf_slice(dy: Any, input_shape: Dims, begin: Integers, size: Integers) -> Any:
    """The gradient of `ssop.tf.slice`: zeros, with dy at the elements that were taken.

    Parameters
    ----------
    dy : array_like of the slice's shape, any dtype
    input_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    begin, size : as for `ssop.tf.slice`

    Returns
    -------
    numpy.ndarray : new, of shape input_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, tsl_*, in_*) in SPEC.md.

    Source: the transpose of TensorFlow's Slice.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.tf_slice(np.array([1, 2]), [4], [2], [-1])
    array([0, 0, 1, 2])
    """
    shape, chunks = shape_and_chunks("vjp.tf_slice", "input_shape", input_shape)
    return placed("vjp.tf_slice", dy, _core.tf_slice_region(shape, begin, size), chunks)


def slice(
    dy: Any,
    operand_shape: Dims,
    start_indices: Integers,
    limit_indices: Integers,
    strides: Integers | None = None,
) -> Any:
    """The gradient of `ssop.slice`: zeros, with dy at the elements that were taken.

    Parameters
    ----------
    dy : array_like of the slice's shape, any dtype
    operand_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    start_indices, limit_indices, strides : as for `ssop.slice`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, sl_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Slice; `jax.vjp` of `jax.lax.slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.slice(np.array([1, 2]), [4], [1], [4], [2])
    array([0, 1, 0, 2])
    """
    shape, chunks = shape_and_chunks("vjp.slice", "operand_shape", operand_shape)
    return placed("vjp.slice", dy, _core.slice_region(shape, start_indices, limit_indices, strides), chunks)


def dynamic_slice(
    dy: Any,
    operand_shape: Dims,
    start_indices: Integers,
    slice_sizes: Integers,
    *,
    out_of_bounds: OrFill = "clamp",
    allow_negative_indices: Bools = False,
) -> Any:
    """The gradient of `ssop.dynamic_slice`: zeros, with dy over the window that was taken.

    Parameters
    ----------
    dy : array_like of shape slice_sizes, any dtype
    operand_shape : sequence of integers, or the chunks of dask's operand (vjp_s3)
    start_indices, slice_sizes, out_of_bounds, allow_negative_indices
        As for `ssop.dynamic_slice`: a window that does not fit is moved, or filled, as it was.

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, ds_*, in_*) in SPEC.md.

    Source: the transpose of XLA's DynamicSlice; `jax.vjp` of `jax.lax.dynamic_slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.dynamic_slice(np.array([1, 2]), [4], [9], [2])
    array([0, 0, 1, 2])
    """
    policy: dict[str, Any] = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    op = "vjp.dynamic_slice"
    sizes = _core.read_integers(op, "slice_sizes", slice_sizes)
    shape, chunks = shape_and_chunks(op, "operand_shape", operand_shape)
    regions = _core.dynamic_slice_regions(shape, start_indices, sizes, **policy)
    if results.are_rows(regions):
        dims = _core.read_shape(op, "operand_shape", shape)
        return _of_rows(
            op, checked(op, dy, (len(regions), *sizes)), dims, regions, policy["out_of_bounds"] == "fill", chunks
        )
    first, *others = regions
    if policy["out_of_bounds"] == "fill":
        return _of_filled(op, dy, first, others, chunks)
    if not others and libraries.stays(dy):
        return placed(op, dy, first, chunks)
    dy = checked(op, dy, sizes)
    return _core.dynamic_update_slice(zeros(op, dy, first.in_shape), dy, start_indices, **policy)


def _of_rows(op: str, dy: Any, shape: tuple[int, ...], rows: Sequence[Any], fills: bool, chunks: Chunks | None) -> Any:
    """The gradient of a window for each row of starts: an element that is in several of them has the sum (vjp_c1)."""
    check_addable(op, dy.dtype)
    plain = not libraries.stays(dy)
    total = np.zeros(shape, wide_dtype(dy.dtype)) if plain else zeros(op, dy, shape, chunks)
    for row, (first, *others) in enumerate(rows):
        of_row = _core.xla_index_in_dim(dy, row, 0, False)
        if plain and not others:
            total[first.index] += of_row
        elif fills or not others:
            total = total + _of_filled(op, of_row, first, others, chunks)
        else:
            starts = [start for start, _, _ in first.ranges]
            blank = zeros(op, dy, shape, chunks)
            total = total + _core.dynamic_update_slice(blank, of_row, starts, out_of_bounds="wrap")
    return total.astype(dy.dtype, copy=False) if plain else total


def _of_filled(op: str, dy: Any, kept: _core.Region, place: Sequence[_core.Region], chunks: Chunks | None) -> Any:
    """The gradient of a window that has `kept` of its operand, at `place` if it has more: zero where it has nothing."""
    for of_window in place:
        dy = _core.slice(
            checked(op, dy, of_window.in_shape),
            [start for start, _, _ in of_window.ranges],
            [start + count for start, count, _ in of_window.ranges],
        )
    return placed(op, dy, kept, chunks)


# ---- updates ---------------------------------------------------------------------------------------------------------


def dynamic_update_slice(
    dy: Any,
    operand_shape: Sequence[SupportsIndex],
    update_shape: Sequence[SupportsIndex],
    start_indices: Integers,
    *,
    out_of_bounds: Policy = "clamp",
    allow_negative_indices: Bools = False,
) -> tuple[Any, Any]:
    """The gradients of `ssop.dynamic_update_slice`: dy with zeros over the window, and the window of dy.

    Parameters
    ----------
    dy : array_like of shape operand_shape, any dtype
    operand_shape, update_shape : sequences of integers
    start_indices, out_of_bounds, allow_negative_indices
        As for `ssop.dynamic_update_slice`: a window that does not fit is moved as it was.

    Returns
    -------
    tuple of two numpy.ndarray : new, of shapes operand_shape and update_shape and dy's dtype; or
        arrays of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, dus_*, ds_*, in_*) in SPEC.md.

    Source: the transpose of XLA's DynamicUpdateSlice; `jax.vjp` of `jax.lax.dynamic_update_slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.dynamic_update_slice(np.array([1, 2, 3, 4]), [4], [2], [1])
    (array([1, 0, 0, 4]), array([2, 3]))
    """
    policy: dict[str, Any] = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    op = "vjp.dynamic_update_slice"
    update_shape = _core.read_shape(op, "update_shape", update_shape)
    first, *_ = _core.dynamic_update_slice_regions(operand_shape, update_shape, start_indices, **policy)
    dy = checked(op, dy, first.in_shape)
    outside = _core.dynamic_update_slice(dy, spread_zero(op, dy, update_shape), start_indices, **policy)
    return outside, _core.dynamic_slice(dy, start_indices, update_shape, **policy)


def tensor_strided_slice_update(
    dy: Any,
    input_shape: Sequence[SupportsIndex],
    value_shape: Sequence[SupportsIndex],
    begin: Integers,
    end: Integers,
    strides: Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> tuple[Any, Any]:
    """The gradients of `ssop.tensor_strided_slice_update`: dy with zeros in the slice, and the slice of dy.

    Parameters
    ----------
    dy : array_like of shape input_shape, any dtype
    input_shape : sequence of integers
    value_shape : sequence of integers that broadcasts to the slice's shape
        The gradient of the value is summed over the axes that it was repeated along.
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
        As for `ssop.tensor_strided_slice_update`.

    Returns
    -------
    tuple of two numpy.ndarray : new, of shapes input_shape and value_shape and dy's dtype; or arrays
        of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, vjp_c1, as_c1, ss_*, in_*) in SPEC.md.

    Source: the transpose of TensorFlow's TensorStridedSliceUpdate.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.tensor_strided_slice_update(np.array([1, 2, 3, 4]), [4], [], [0], [4], [2])
    (array([0, 2, 0, 4]), array(4))
    """
    op, spec = "vjp.tensor_strided_slice_update", (begin, end, strides)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    region = _core.strided_slice_region(input_shape, *spec, *masks)
    value_shape = _core.read_shape(op, "value_shape", value_shape)
    dy = checked(op, dy, region.in_shape)
    outside = _core.tensor_strided_slice_update(dy, *spec, spread_zero(op, dy, ()), *masks)
    if 0 in region.shape:  # as_s2
        return outside, zeros(op, dy, value_shape)
    results.check_broadcast(op, value_shape, region.shape)
    inside = _core.strided_slice(dy, *spec, *masks)
    given = (1,) * (len(region.shape) - len(value_shape)) + value_shape[max(0, len(value_shape) - len(region.shape)) :]
    repeated = [axis for axis, dim in enumerate(given) if dim == 1 != region.shape[axis]]
    total = summed(op, inside, repeated)
    return outside, total if tuple(total.shape) == value_shape else _core.xla_reshape(total, value_shape)
