"""XLA's convolutions: sums of products of a kernel with each window of an array."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from ssop._xla.convolution_arguments import Arguments, Convolution, convolution, read_arguments
from ssop._xla.operands import as_operands, deliver, public
from ssop._xla.products import check_precision, common_type, finished, multiplied, result_type, spans, working_type
from ssop._xla.types import kind
from ssop._xla.windows import Window, WindowAxis, dilated

Array = np.ndarray[Any, Any]

BLOCK: Final = 2**20
"""How many elements of windows are laid side by side at a time."""

TAPS: Final = 2**17
"""How many elements of the result, which the caches hold, are summed at a time where a feature has a kernel alone."""

ROW: Final = 12
"""How many integers must lie in a row at least."""

ALL: Final = (slice(None),) * 3
"""Of the groups and the two axes after them."""


@public
def conv(
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    out: Array | None = None,
) -> Array:
    """XLA's Conv: the kernel rhs over lhs, with the padding given as a word.

    Parameters
    ----------
    lhs : array_like of shape [batch, features, spatial dims..]; bools, integers, real or complex numbers
    rhs : array_like of shape [output features, features, spatial dims..]
    window_strides : sequence of ints of at least 1, one a spatial dim
    padding : 'SAME', 'SAME_LOWER' or 'VALID', or pairs (low, high)
        SAME leaves a window for every stride-th element; VALID pads nothing.
    precision : None, or one of JAX's names, which change nothing here
    preferred_element_type : dtype of the result and of the sums, not narrower than integers and complex numbers
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape [batch, output features, windows..]: `out`, if it is given.
        Elements are summed as in `dot`.

    Raises
    ------
    SliceError : `label` names the rule (cnv_*, win_*, dot_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics; `jax.lax.conv`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.conv(np.array([[[1, 2, 3, 4]]]), np.array([[[1, 10]]]), [1], "SAME")
    array([[[21, 32, 43,  4]]])
    """
    left, right = as_operands("xla.conv", lhs, rhs)
    given = read_arguments("xla.conv", window_strides, padding)
    return deliver("xla.conv", _evaluated(given, left, right, precision, preferred_element_type), out)


@public
def conv_with_general_padding(
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    out: Array | None = None,
) -> Array:
    """XLA's ConvWithGeneralPadding: `conv` with a number of zeros, or of elements less, for each end of each axis.

    Parameters
    ----------
    lhs, rhs, window_strides, precision, preferred_element_type : as for `conv`
    padding : pairs (low, high), one a spatial dim, or a word as for `conv`
        Negative ones remove elements.
    lhs_dilation, rhs_dilation : None, or sequences of ints of at least 1
        One less is the number of holes between neighbours of lhs (zeros), and of the kernel.
    dimension_numbers, feature_group_count, batch_group_count : as for `conv_general_dilated`
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (cnv_*, win_*, dot_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics; `jax.lax.conv_with_general_padding`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x, kernel = np.array([[[1, 2, 3, 4]]]), np.array([[[1, 10]]])
    >>> ssop.xla.conv_with_general_padding(x, kernel, [2], [(1, 0)], [1], [2])
    array([[[20, 42]]])
    """
    op = "xla.conv_with_general_padding"
    left, right = as_operands(op, lhs, rhs)
    specs = (dimension_numbers, feature_group_count, batch_group_count)
    given = read_arguments(op, window_strides, padding, lhs_dilation, rhs_dilation, *specs)
    return deliver(op, _evaluated(given, left, right, precision, preferred_element_type), out)


@public
def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    window_reversal: Any = None,
    out: Array | None = None,
) -> Array:
    """XLA's convolution with everything that it can be told.

    Parameters
    ----------
    lhs, rhs, window_strides, precision, preferred_element_type : as for `conv`
    padding, lhs_dilation, rhs_dilation : as for `conv_with_general_padding`
    dimension_numbers : None, or specs of lhs, rhs and the result
        Strings such as ("NHWC", "HWIO", "NHWC"): N is the batch, C, I and O are features, the others are spatial dims.
        The kernel's spatial dims have the order of the other arguments. Or sequences of axes: (batch, features, spatial
        dims..), (output features, features, spatial dims..) and (batch, features, spatial dims..).
        None is ("NCHW", "OIHW", "NCHW"), or so with more or fewer spatial dims.
    feature_group_count : int
        The features of lhs are in so many groups, and each sees its part of the output features only.
    batch_group_count : int
        The same for the batch of lhs, which comes out so many times shorter.
    window_reversal : None, or a sequence of bools, one a spatial dim
        Whether the kernel is turned round.
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (cnv_*, win_*, dot_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's builder and `InferConvolveShape`; StableHLO `convolution`; `jax.lax.conv_general_dilated`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x, kernel = np.arange(8).reshape(1, 4, 2), np.array([[[1, 10]]])
    >>> specs = ("NHC", "HIO", "NHC")
    >>> ssop.xla.conv_general_dilated(x, kernel, [1], "VALID", dimension_numbers=specs, feature_group_count=2)
    array([[[ 0, 10],
            [ 2, 30],
            [ 4, 50],
            [ 6, 70]]])
    """
    op = "xla.conv_general_dilated"
    left, right = as_operands(op, lhs, rhs)
    specs = (dimension_numbers, feature_group_count, batch_group_count, window_reversal)
    given = read_arguments(op, window_strides, padding, lhs_dilation, rhs_dilation, *specs)
    return deliver(op, _evaluated(given, left, right, precision, preferred_element_type), out)


def _evaluated(given: Arguments, lhs: Array, rhs: Array, precision: Any, preferred: Any) -> Array:
    check_precision(given.op, precision)
    call = convolution(given, lhs.shape, rhs.shape)
    common = common_type(given.op, lhs, rhs)
    return convolved(call, lhs, rhs, common, result_type(given.op, common, preferred))


class _Parts(NamedTuple):
    """Views of the operands and the result, whose features are those of one group.

    Their axes: (groups, batch, features, spatial..), (groups, output features, features, places of the kernel..) and
    (groups, batch, output features, windows..).
    """

    lhs: Array
    rhs: Array
    result: Array


def convolved(call: Convolution, lhs: Array, rhs: Array, common: np.dtype[Any], dtype: np.dtype[Any]) -> Array:
    """Return the result as a new array, of arguments that were checked (cnv_s1)."""
    working = working_type(common, dtype)
    if _has_kernel_for_each_feature(call, lhs, rhs, working):
        if working == np.int64 and kind(dtype) in ("signed", "unsigned") and dtype.isbuiltin != 2:
            working = dtype  # in which sums wrap round
        sums = np.zeros(call.shape, working)
        _by_taps(call.window, _parts(call, lhs, rhs, sums))
        return finished(sums, dtype) if working != dtype else sums
    if kind(rhs.dtype) in ("float", "complex") and not np.isfinite(rhs).all():
        sums = np.zeros(call.shape, working)
        _by_places(call.window, _parts(call, lhs, rhs, sums), common)
        return finished(sums, dtype)
    result = np.zeros(call.shape, dtype)
    _by_windows(call.window, _parts(call, lhs, rhs, result), common, working)
    return result


def _has_kernel_for_each_feature(call: Convolution, lhs: Array, rhs: Array, working: np.dtype[Any]) -> bool:
    """Whether it is a depthwise convolution that BLAS, whose matrices would have few rows, is slower for.

    BLAS sees integers as numbers of 8 bytes. NumPy's loops are slow over short rows, and where they convert numbers.
    """
    outputs, features = (rhs.shape[axis] for axis in call.specs[1][:2])
    if call.feature_groups == 1 or features != 1 or not 0 < outputs // call.feature_groups <= 8:
        return False
    _, of_features, *spatial = call.specs[0]
    features_last = lhs.strides[of_features] < min((lhs.strides[axis] for axis in spatial), default=0)
    if working == np.int64:
        return features_last or bool(spatial) and call.shape[call.specs[2][-1]] >= ROW
    return features_last and lhs.dtype == rhs.dtype == working


def _parts(call: Convolution, lhs: Array, rhs: Array, result: Array) -> _Parts:
    of_lhs, of_rhs, of_result = call.specs
    x, kernel, y = lhs.transpose(of_lhs), rhs.transpose(of_rhs), result.transpose(of_result)
    groups = max(call.feature_groups, call.batch_groups)  # cnv_s4, cnv_s5
    if call.batch_groups > 1:
        x = x.reshape(groups, x.shape[0] // groups, *x.shape[1:])
    else:
        x = np.moveaxis(x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]), 1, 0)
    kernel = kernel.reshape(groups, kernel.shape[0] // groups, *kernel.shape[1:])
    y = np.moveaxis(y.reshape(y.shape[0], groups, y.shape[1] // groups, *y.shape[2:]), 1, 0)
    flips = (slice(None, None, -1 if flip else None) for flip in call.reversal)  # cnv_s6
    return _Parts(x, kernel[(*ALL, *flips)], y)


def _by_windows(window: Window, parts: _Parts, common: np.dtype[Any], working: np.dtype[Any]) -> None:
    """Lay the elements of a few windows side by side, 0 for the padding, and multiply them with the kernel."""
    lhs, rhs, result = parts
    groups, batch, outputs, *counts = result.shape
    features, places = rhs.shape[2], rhs.shape[3:]
    features_last = lhs.strides[2] < min(lhs.strides[3:], default=0)
    order = (0, *range(3, rhs.ndim), 2, 1) if features_last else (0, 1, *range(2, rhs.ndim))
    depth = features * prod(places)
    kernel = rhs.transpose(order).reshape((groups, depth, outputs) if features_last else (groups, outputs, depth))
    for block in _blocks((groups, batch, *counts), BLOCK // max(depth, 1)):
        group, images, *windows = block
        sizes = [span.stop - span.start for span in block]
        dtype = lhs.dtype if working == np.int64 else working
        beside = _side_by_side(lhs[group, images], window, windows, places, dtype, features_last)
        if features_last:
            flat = beside.reshape(sizes[0], prod(sizes[1:]), depth)
            found = multiplied(flat, kernel[group], common, result.dtype).reshape(*sizes, outputs)
            found = np.moveaxis(found, -1, 2)
        else:
            flat = beside.reshape(sizes[0], depth, prod(sizes[1:]))
            found = multiplied(kernel[group], flat, common, result.dtype).reshape(sizes[0], outputs, *sizes[1:])
            found = np.moveaxis(found, 1, 2)
        result[(group, images, slice(None), *windows)] = found


def _side_by_side(
    lhs: Array, window: Window, windows: list[slice], places: tuple[int, ...], dtype: np.dtype[Any], features_last: bool
) -> Array:
    """Return an array of axes (groups, batch, windows.., places.., features), or (groups, features, places.., batch,
    windows..). Axes that are neighbours in the memory of lhs are neighbours in the result."""
    (groups, batch, features), rank = lhs.shape[:3], len(windows)
    counts = [span.stop - span.start for span in windows]
    if features_last:
        beside = np.zeros((groups, batch, *counts, *places, features), dtype)
        of_windows, of_places, axes = 2, 2 + rank, (0, 1, 2 + 2 * rank)
    else:
        beside = np.zeros((groups, features, *places, batch, *counts), dtype)
        of_windows, of_places, axes = 3 + rank, 2, (0, 2 + rank, 1)
    pairs = (axis for number in range(rank) for axis in (of_windows + number, of_places + number))
    view = beside.transpose(*axes, *pairs)
    dims = lhs.shape[3:]
    meetings = [
        _meetings(axis, dim, span.start, count)
        for axis, dim, span, count in zip(window, dims, windows, counts, strict=True)
    ]
    for each in product(*meetings):
        indices = (index for meeting in each for index in meeting[:2])
        view[(*ALL, *indices)] = lhs[(*ALL, *(meeting[2] for meeting in each))]
    return beside


_Index = int | slice


def _meetings(axis: WindowAxis, dim: int, first: int, count: int) -> list[tuple[_Index, _Index, slice]]:
    """Return where `count` windows of an axis have elements: which windows and places of the kernel, and the elements.

    One of windows and places is a number, whichever there are fewer of.
    """
    part = _part(axis, dim, first, count)
    each: list[tuple[_Index, _Index, slice]] = []
    if axis.size <= count:
        for place in range(axis.size):
            windows, elements = part.meet(dim, place)
            each.append((windows, place, elements))
    else:  # the kernel over the windows: element n * stride + k * window_dilation is that of k and n as well
        met = WindowAxis(count, axis.window_dilation, part.low, part.high, axis.base_dilation, axis.stride)
        for number in range(count):
            places, elements = met.meet(dim, number)
            each.append((number, places, elements))
    return [meeting for meeting in each if meeting[2].stop]


def _part(axis: WindowAxis, dim: int, first: int, count: int) -> WindowAxis:
    """Return the axis with so many of its windows alone."""
    low = axis.low - first * axis.stride
    reach = (count - 1) * axis.stride + (axis.size - 1) * axis.window_dilation + 1
    return axis._replace(low=low, high=reach - low - dilated(dim, axis.base_dilation))


def _by_taps(window: Window, parts: _Parts) -> None:
    """Add for each place of the kernel the elements there times the one number for their feature (cnv_s3).

    Blocks are cut across the axes that are far apart in memory, so that NumPy's inner loops stay long.
    """
    lhs, rhs, sums = parts
    axes = [axis for axis in range(sums.ndim) if axis != 2]
    axes.sort(key=lambda axis: -sums.strides[axis])
    dims = lhs.shape[3:]
    for cut in _blocks(tuple(sums.shape[axis] for axis in axes), TAPS // max(sums.shape[2], 1)):
        group, images, *rest = (span for _, span in sorted(zip(axes, cut, strict=True), key=lambda pair: pair[0]))
        block, x = sums[(group, images, slice(None), *rest)], lhs[group, images]
        met = [
            _part(axis, dim, span.start, span.stop - span.start)
            for axis, dim, span in zip(window, dims, rest, strict=True)
        ]
        products = np.empty_like(block)
        for place in np.ndindex(*rhs.shape[3:]):
            meetings = [axis.meet(dim, number) for axis, dim, number in zip(met, dims, place, strict=True)]
            windows = (*ALL, *(of_sums for of_sums, _ in meetings))
            elements = x[(*ALL, *(of_lhs for _, of_lhs in meetings))]
            with np.errstate(all="ignore"):
                tap = rhs[(group, slice(None), 0, *place)].reshape(-1, 1, rhs.shape[1], *(1 for _ in dims))
                np.multiply(elements, tap, products[windows], dtype=sums.dtype, casting="unsafe")
                block[windows] += products[windows]


def _by_places(window: Window, parts: _Parts, common: np.dtype[Any]) -> None:
    """Add for each place of the kernel its product with the elements there: padding and holes have no NaN or infinity
    to be multiplied with (cnv_s3)."""
    lhs, rhs, sums = parts
    for place in np.ndindex(*rhs.shape[3:]):
        met = [axis.meet(dim, number) for axis, dim, number in zip(window, lhs.shape[3:], place, strict=True)]
        x = np.moveaxis(lhs[(*ALL, *(elements for _, elements in met))], 2, -1)
        kernel = rhs[(*ALL, *place)].transpose(0, 2, 1)
        flat = x.reshape(len(x), prod(x.shape[1:-1]), x.shape[-1])
        found = multiplied(flat, kernel, common, sums.dtype).reshape(*x.shape[:-1], kernel.shape[-1])
        sums[(*ALL, *(windows for windows, _ in met))] += np.moveaxis(found, -1, 2)


def _blocks(counts: tuple[int, ...], limit: int) -> Iterator[tuple[slice, ...]]:
    """Cut a box into parts of at most `limit` indices, as long as can be on the last axes."""
    sizes: list[int] = []
    for count in reversed(counts):
        sizes.append(max(min(count, limit), 1))
        limit //= sizes[-1]
    return product(*map(spans, counts, reversed(sizes)))
