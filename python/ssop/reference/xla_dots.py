"""XLA's Dot and convolutions: for each item of the result, the sum of products in loops.

Items have no dtypes and arguments have the right forms, so that there is nothing to be said of `dot_c2`, `dot_c9`,
`dot_c10`, `dot_c11`, `dot_s4`, `dot_s6` and `cnv_c3`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ssop.reference._tensors import INT64_MAX, Rejected, Tensor, build
from ssop.reference.xla_elementwise import in_dtype
from ssop.reference.xla_windows import check_windows, windows_of

__all__ = ["conv", "conv_general_dilated", "conv_with_general_padding", "dot", "dot_general"]

Axes = Sequence[int]
DotNumbers = tuple[tuple[Axes, Axes], tuple[Axes, Axes]]
Specs = tuple[Any, Any, Any]
Padding = str | Sequence[tuple[int, int]]


def dot(lhs: Tensor, rhs: Tensor, *, dimension_numbers: DotNumbers | None = None, dtype: str | None = None) -> Tensor:
    """Return the product of vectors or matrices: the last axis of `lhs` is summed over with the first of `rhs`.

    Raises `dot_c1`, and what `dot_general` does. Source: XLA's builder, JAX's `dot`.

    >>> dot(tensor([[1, 2], [3, 4]], (2, 2)), tensor([10, 100], (2,)))
    Tensor(shape=(2,), items=[210, 430])
    """
    if dimension_numbers is None:
        for x in (lhs, rhs):
            if len(x.shape) not in (1, 2):
                raise Rejected("dot_c1", value=len(x.shape), allowed=(1, 2))
        dimension_numbers = ([len(lhs.shape) - 1], [0]), ([], [])
    return dot_general(lhs, rhs, dimension_numbers, dtype=dtype)


def dot_general(lhs: Tensor, rhs: Tensor, dimension_numbers: DotNumbers, *, dtype: str | None = None) -> Tensor:
    """Return the sums of products over the contracting axes, for each index of the batch axes.

    `dtype` says how integers wrap round, and to what sums are rounded. Raises `dot_c3`..`dot_c8`.
    Source: XLA's `InferDotOpShape`, StableHLO's `dot_general`.

    >>> dot_general(tensor([[1, 2], [3, 4]], (2, 2)), tensor([5, 6], (2,)), (([], []), ([1], [0])))
    Tensor(shape=(2, 2), items=[5, 15, 12, 24])
    """
    (lhs_summed, rhs_summed), (lhs_batch, rhs_batch) = dimension_numbers
    check_dot(lhs.shape, rhs.shape, dimension_numbers)
    rows = [axis for axis in range(len(lhs.shape)) if axis not in (*lhs_summed, *lhs_batch)]
    columns = [axis for axis in range(len(rhs.shape)) if axis not in (*rhs_summed, *rhs_batch)]
    shape = [lhs.shape[axis] for axis in (*lhs_batch, *rows)] + [rhs.shape[axis] for axis in columns]
    terms = list(product(*(range(lhs.shape[axis]) for axis in lhs_summed)))

    def item(index: tuple[int, ...]) -> Any:  # dot_s1, dot_s5
        of_batch, others = index[: len(lhs_batch)], index[len(lhs_batch) :]
        left = dict(zip((*lhs_batch, *rows), (*of_batch, *others[: len(rows)]), strict=True))
        right = dict(zip((*rhs_batch, *columns), (*of_batch, *others[len(rows) :]), strict=True))
        pairs = []
        for term in terms:
            left.update(zip(lhs_summed, term, strict=True))
            right.update(zip(rhs_summed, term, strict=True))
            pairs.append((at(lhs, left), at(rhs, right)))
        return total(pairs, dtype)

    return build(shape, item)


def at(x: Tensor, index: dict[int, int]) -> Any:
    """The item at an index that is given axis by axis."""
    return x.at([index[axis] for axis in range(len(x.shape))])


def total(pairs: Sequence[tuple[Any, Any]], dtype: str | None) -> Any:
    """The sum of products, from 0 on; of bools, whether both are true somewhere (dot_s2, dot_s3).

    >>> total([(100, 100), (1, 1)], "int8"), total([(True, False), (True, True)], None), total([], None)
    (17, True, 0)
    """
    if dtype == "bool" or (pairs and all(isinstance(x, bool) for pair in pairs for x in pair)):
        return any(x and y for x, y in pairs)
    value: Any = 0
    for x, y in pairs:
        value = value + x * y
    return in_dtype(value, dtype)


def check_dot(lhs: Sequence[int], rhs: Sequence[int], numbers: DotNumbers) -> None:
    """Raise `dot_c3`..`dot_c8`."""
    (lhs_summed, rhs_summed), (lhs_batch, rhs_batch) = numbers
    sides = ((lhs, lhs_summed, lhs_batch), (rhs, rhs_summed, rhs_batch))
    for shape, *vectors in sides:
        for axes in vectors:
            for entry, axis in enumerate(axes):
                if not 0 <= axis < len(shape):
                    raise Rejected("dot_c3", entry=entry, value=axis, allowed=(0, len(shape) - 1))
    for _, *vectors in sides:
        named = [axis for axes in vectors for axis in axes]
        for entry, axis in enumerate(named):
            if axis in named[:entry]:
                raise Rejected("dot_c4", entry=entry, value=axis)
    for labels, one, other in ((("dot_c5", "dot_c6"), *numbers[0]), (("dot_c7", "dot_c8"), *numbers[1])):
        if len(one) != len(other):
            raise Rejected(labels[0], value=len(other), allowed=(len(one), len(one)))
        for entry, (left, right) in enumerate(zip(one, other, strict=True)):
            if lhs[left] != rhs[right]:
                allowed = (lhs[left], lhs[left])
                raise Rejected(labels[1], axis=right, entry=entry, value=rhs[right], allowed=allowed)


def conv(lhs: Tensor, rhs: Tensor, window_strides: Axes, padding: Padding, *, dtype: str | None = None) -> Tensor:
    """Return the products of a kernel with the windows over `lhs`, as `conv_general_dilated` does.

    >>> conv(tensor([[[1, 2, 3]]], (1, 1, 3)), tensor([[[1, 10]]], (1, 1, 2)), [1], "SAME")
    Tensor(shape=(1, 1, 3), items=[21, 32, 3])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, dtype=dtype)


def conv_with_general_padding(
    lhs: Tensor,
    rhs: Tensor,
    window_strides: Axes,
    padding: Padding,
    lhs_dilation: Axes | None = None,
    rhs_dilation: Axes | None = None,
    *,
    dtype: str | None = None,
    **groups: Any,
) -> Tensor:
    """Return the products of a kernel with the windows over `lhs`, as `conv_general_dilated` does.

    >>> conv_with_general_padding(tensor([[[1, 2]]], (1, 1, 2)), tensor([[[1, 10]]], (1, 1, 2)), [1], [(1, 0)])
    Tensor(shape=(1, 1, 2), items=[10, 21])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dtype=dtype, **groups)


def conv_general_dilated(
    lhs: Tensor,
    rhs: Tensor,
    window_strides: Axes,
    padding: Padding,
    lhs_dilation: Axes | None = None,
    rhs_dilation: Axes | None = None,
    dimension_numbers: Specs | None = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    *,
    window_reversal: Sequence[bool] | None = None,
    dtype: str | None = None,
) -> Tensor:
    """Return, for each image, output feature and window, the sum of products of the kernel with the elements there.

    Raises `cnv_c1`..`cnv_c15` and the rules of windows.
    Source: XLA's `InferConvolveShape` and the loops in its Operation Semantics; StableHLO's `convolution`.

    >>> conv_general_dilated(tensor([[[1, 2, 3]]], (1, 1, 3)), tensor([[[1, 10]]], (1, 1, 2)), [2], [(1, 0)])
    Tensor(shape=(1, 1, 2), items=[10, 32])
    """
    of_lhs, of_rhs, of_out = read_specs(lhs, rhs, dimension_numbers)
    spatial, sizes = [lhs.shape[axis] for axis in of_lhs[2:]], [rhs.shape[axis] for axis in of_rhs[2:]]
    axes = windows_of(spatial, sizes, window_strides, padding, lhs_dilation, rhs_dilation)
    if isinstance(padding, str) and any(dilation != 1 for dilation in lhs_dilation or ()):
        raise Rejected("cnv_c15", value=padding)
    if window_reversal and len(window_reversal) != len(sizes):
        raise Rejected("cnv_c14", value=len(window_reversal), allowed=(len(sizes), len(sizes)))
    check_groups(feature_group_count, batch_group_count)
    check_specs((of_lhs, of_rhs, of_out), len(lhs.shape))
    check_divided(lhs, rhs, (of_lhs, of_rhs), feature_group_count, batch_group_count)
    check_windows(spatial, axes)
    along = [axis.windows() for axis in axes]
    batch, outputs = lhs.shape[of_lhs[0]] // batch_group_count, rhs.shape[of_rhs[0]]
    features = rhs.shape[of_rhs[1]]
    dims = dict(zip(of_out, (batch, outputs, *map(len, along)), strict=True))

    def item(index: tuple[int, ...]) -> Any:  # cnv_s1, cnv_s2
        image, output, *windows = (index[axis] for axis in of_out)
        feature_group = output // (outputs // feature_group_count)  # cnv_s4
        batch_group = output // (outputs // batch_group_count)  # cnv_s5
        pairs = []
        for feature, *places in product(range(features), *map(range, sizes)):
            there = [along[axis][n][place] for axis, (n, place) in enumerate(zip(windows, places, strict=True))]
            elements = [index for index in there if index is not None]
            if len(elements) < len(there):
                continue  # cnv_s3
            if window_reversal:  # cnv_s6
                flips = zip(places, sizes, window_reversal, strict=True)
                places = [size - 1 - place if flip else place for place, size, flip in flips]
            of_image = (batch_group * batch + image, feature_group * features + feature, *elements)
            left = dict(zip(of_lhs, of_image, strict=True))
            right = dict(zip(of_rhs, (output, feature, *places), strict=True))
            pairs.append((at(lhs, left), at(rhs, right)))
        return total(pairs, dtype)

    return build([dims[axis] for axis in range(len(dims))], item)


def read_specs(lhs: Tensor, rhs: Tensor, given: Specs | None) -> tuple[tuple[int, ...], ...]:
    """The axes of `lhs`, `rhs` and the result. Raises `cnv_c1`, `cnv_c2`, and `cnv_c4`..`cnv_c6` of spatial axes.

    >>> read_specs(tensor([[[]]], (1, 1, 0)), tensor([[[]]], (1, 1, 0)), ("NWC", "WIO", "CNW"))
    ((0, 2, 1), (2, 1, 0), (1, 0, 2))
    """
    rank = len(lhs.shape)
    if len(rhs.shape) != rank:
        raise Rejected("cnv_c1", value=len(rhs.shape), allowed=(rank, rank))
    if rank < 2:
        raise Rejected("cnv_c2", value=rank)
    if given is None:
        return (tuple(range(rank)),) * 3
    for number, spec in enumerate(given):
        if len(spec) != rank:
            raise Rejected("cnv_c5", entry=number, value=len(spec), allowed=(rank, rank))
        for place, axis in enumerate(spec[2:], 2):
            if not isinstance(spec, str) and not 0 <= axis < rank:
                raise Rejected("cnv_c6", entry=place, value=axis, allowed=(0, rank - 1))
    if not isinstance(given[0], str):
        return tuple(map(tuple, given))
    letters = ("NC", "OI", "NC")
    others = [sorted(set(spec) - set(pair)) for spec, pair in zip(given, letters, strict=True)]
    for number, spec in enumerate(given):
        if len(set(spec)) != rank or not set(letters[number]) <= set(spec) or others[number] != others[0]:
            raise Rejected("cnv_c4", entry=number, value=spec)
    order = [letter for letter in given[1] if letter not in "OI"]
    return tuple(tuple(map(spec.index, (*pair, *order))) for spec, pair in zip(given, letters, strict=True))


def check_specs(specs: Sequence[Sequence[int]], rank: int) -> None:
    """Raise `cnv_c6` and `cnv_c7`."""
    for spec in specs:
        for entry, axis in enumerate(spec):
            if not 0 <= axis < rank:
                raise Rejected("cnv_c6", entry=entry, value=axis, allowed=(0, rank - 1))
    for spec in specs:
        for entry, axis in enumerate(spec):
            if axis in spec[:entry]:
                raise Rejected("cnv_c7", entry=entry, value=axis)


def check_groups(feature_groups: int, batch_groups: int) -> None:
    """Raise `cnv_c8` and `cnv_c9`."""
    for count in (feature_groups, batch_groups):
        if count < 1:
            raise Rejected("cnv_c8", value=count, allowed=(1, INT64_MAX))
    if feature_groups > 1 and batch_groups > 1:
        raise Rejected("cnv_c9", value=batch_groups)


def check_divided(
    lhs: Tensor, rhs: Tensor, specs: tuple[Sequence[int], Sequence[int]], feature_groups: int, batch_groups: int
) -> None:
    """Raise `cnv_c10`..`cnv_c13`."""
    (batch_axis, feature_axis), (output_axis, kernel_axis) = specs[0][:2], specs[1][:2]
    outputs, features = rhs.shape[output_axis], lhs.shape[feature_axis]
    if outputs % batch_groups:
        raise Rejected("cnv_c10", axis=output_axis, value=outputs)
    if features != feature_groups * rhs.shape[kernel_axis]:
        raise Rejected("cnv_c11", axis=feature_axis, value=features)
    if outputs % feature_groups:
        raise Rejected("cnv_c12", axis=output_axis, value=outputs)
    if lhs.shape[batch_axis] % batch_groups:
        raise Rejected("cnv_c13", axis=batch_axis, value=lhs.shape[batch_axis])
