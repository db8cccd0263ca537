"""ss_s10: the least and the greatest count over every box of dims, begins, ends and strides of one axis."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from counts import strided_slice_counts
from exhaustive.spaces import answer, mask_patterns
from ssop import _core, reference
from ssop.reference import Rejected

MAX_DIM, MAX_BOUND, MAX_STRIDE = 5, 3, 3
DIMS = range(MAX_DIM + 1)
BOUNDS = range(-MAX_BOUND, MAX_BOUND + 1)
STRIDES = range(-MAX_STRIDE, MAX_STRIDE + 1)

# begin_mask, end_mask and shrink_axis_mask; the first two are ignored beside the third.
# Without masks there are most boxes: for the long test stage.
MASKS = [pytest.param((0, 0, 0), marks=pytest.mark.long), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1)]


def intervals(values):
    return list(combinations_with_replacement(values, 2))


def count_or_rule(dim, begin, end, stride, masks):
    """The count of one completion; for an illegal one, minus the number of the rule it breaks."""
    begin_mask, end_mask, shrink = masks
    try:
        spec = (begin,), (end,), (stride,), begin_mask, end_mask, 0, 0, shrink
        ranges, _ = reference.strided_slice_region((dim,), *spec)
    except Rejected as error:
        return -int(error.label.removeprefix("ss_c"))
    return ranges[0][1]


@pytest.mark.parametrize("masks", MASKS)
def test_ss_s10_one_axis(masks):
    completions = product(DIMS, BOUNDS, BOUNDS, STRIDES)
    table = np.array([count_or_rule(*completion, masks) for completion in completions])
    table = table.reshape(len(DIMS), len(BOUNDS), len(BOUNDS), len(STRIDES))
    begin_mask, end_mask, shrink = masks
    ignored = [(0, 0), (-3, 3)]
    begins = ignored if begin_mask else intervals(BOUNDS)
    ends = ignored if end_mask or shrink else intervals(BOUNDS)
    compared = rejected = 0
    for dim, begin, end, stride in product(intervals(DIMS), begins, ends, intervals(STRIDES)):
        box = (dim, DIMS), (begin, BOUNDS), (end, BOUNDS), (stride, STRIDES)
        counts = table[tuple(slice(low - space[0], high - space[0] + 1) for (low, high), space in box)]
        legal = counts[counts >= 0]
        try:
            got = strided_slice_counts((dim,), (begin,), (end,), (stride,), begin_mask, end_mask, 0, 0, shrink)
        except _core.SliceError as error:
            assert not legal.size and -int(error.label.removeprefix("ss_c")) in counts, (dim, begin, end, stride)
            assert (error.axis, error.entry) == (0, 0)
            rejected += 1
        else:
            expected = () if shrink else ((legal.min(), legal.max()),)
            assert legal.size and got == expected, (dim, begin, end, stride)
        compared += 1
    assert compared == 21 * len(begins) * len(ends) * 28
    assert 0 < rejected < compared // 2


def test_ss_s10_two_axes_and_every_mask():
    spec = [(0, 2), (2, 3)], [(-2, 1), 0], [2, (-1, 1)], [(1, 2), (-1, 1)]
    compared = 0
    for masks in mask_patterns(2):
        try:
            expected = reference.strided_slice_counts(*spec, *masks)
        except Rejected as error:
            assert answer(strided_slice_counts, *spec, *masks)[0] == error.label, masks
        else:
            assert strided_slice_counts(*spec, *masks) == expected, masks
        compared += 1
    assert compared == 1024
