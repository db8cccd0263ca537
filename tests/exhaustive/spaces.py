"""The spaces that the exhaustive tests walk, and how an answer is written down so that two of them can be compared."""

from itertools import product

import pytest

import ssop
from ssop.reference import Rejected, Tensor

INT32 = (-(2**31), 2**31 - 1)
INT64 = (-(2**63), 2**63 - 1)
EXTREMES = (*INT32, *INT64)
POLICIES = ("clamp", "wrap", "raise")


def dims(short, every):
    """The dims of `every`, as parameters of a test; those of `short` are for the default stage, the rest is long."""
    return [dim if dim in short else pytest.param(dim, marks=pytest.mark.long) for dim in every]


def around(margin):
    """Every integer at most `margin` from zero, and the extremes of the index types."""
    return (*range(-margin, margin + 1), *EXTREMES)


def slices_of(dim):
    """E1: begin, end, stride, begin_mask, end_mask and shrink_axis_mask on one axis."""
    strides = (*(step for step in range(-dim - 1, dim + 2) if step), *EXTREMES)
    return product(around(dim + 2), around(dim + 2), strides, (0, 1), (0, 1), (0, 1))


def count_of_slices(dim):
    return (2 * dim + 9) ** 2 * (2 * dim + 6) * 8


def mask_patterns(length):
    """E2: all five masks of a spec of `length` entries."""
    return product(range(1 << length), repeat=5)


def windows_of(dim):
    """E3: size and start of every window that fits into one axis, wherever it starts."""
    return product(range(dim + 1), around(dim + 3))


def count_of_windows(dim):
    return (dim + 1) * (2 * dim + 11)


def views_of(length):
    """E7: start, step and count of every view of a buffer, the empty ones too, that steps to another element."""
    for start in range(length):
        for step in (step for step in range(-length, length + 1) if step):
            room = (length - 1 - start) // step if step > 0 else start // -step
            for count in range(room + 2):
                yield start, step, count


def counting(*shape):
    """The tensor of `shape` that holds 0, 1, 2, ..."""
    size = 1
    for dim in shape:
        size *= dim
    return Tensor(shape, list(range(size)))


def answer(call, *args, **kwargs):
    """Shape and items of the result, or what the rejection says; of either implementation."""
    try:
        result = call(*args, **kwargs)
    except (ssop.SliceError, Rejected) as error:
        return rejection(error)
    return result if isinstance(result, Tensor) else items(result)


def rejection(error):
    return error.label, error.axis, error.entry, error.value, error.allowed


def items(array):
    return array.shape, array.ravel().tolist()
