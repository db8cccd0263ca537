"""E2: every bit pattern of the five masks, over specs of up to four entries and ranks up to four."""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, counting, items, mask_patterns, rejection
from scale import count_of_sampled, sampled
from ssop import reference
from ssop.reference import Rejected, Tensor

SHAPE = (3, 4, 2, 3)
RANKS = range(5)

# An entry forwards; one backwards, which must not shrink; one whose begin is only on the axis of 4; a plain one.
BEGIN = (1, -1, -4, 0)
END = (3, -9, 9, 2)
STRIDES = (1, -1, 2, 1)


def numpy_index(length, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask):
    """The spec as a NumPy index, which has no entries of two kinds."""
    index = []
    for i in range(length):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_mask & bit:
            index.append(BEGIN[i])
        else:
            index.append(slice(None if begin_mask & bit else BEGIN[i], None if end_mask & bit else END[i], STRIDES[i]))
    return tuple(index)


def compare_masks(rank, length, patterns):
    """Compare C, reference and NumPy for these patterns; return how many there were and the labels met."""
    shape = SHAPE[:rank]
    tensor, array = counting(*shape), np.arange(np.prod(shape, dtype=int)).reshape(shape)
    spec = BEGIN[:length], END[:length], STRIDES[:length]
    compared, labels = 0, set()

    @cache
    def taken(ranges, out_axes):
        return reference.take(tensor, ranges, out_axes)

    for masks in patterns:
        compared += 1
        try:
            region = reference.strided_slice_region(shape, *spec, *masks)
        except Rejected as error:
            with pytest.raises(ssop.SliceError) as caught:
                ssop.strided_slice(array, *spec, *masks)
            assert rejection(caught.value) == rejection(error), masks
            labels.add(error.label)
            continue
        got = items(ssop.strided_slice(array, *spec, *masks))
        assert got == taken(*region), masks
        assert got == items(array[numpy_index(length, *masks)]), masks
    return compared, labels


@pytest.mark.parametrize("rank", RANKS)
def test_e2_up_to_three_entries(rank):
    compared, labels = 0, set()
    for length in range(4):
        count, met = compare_masks(rank, length, mask_patterns(length))
        compared += count
        labels |= met
    assert compared == 1 + 2**5 + 2**10 + 2**15 == 169_125 // len(RANKS)
    too_many = {"ss_c4"} if rank < 3 else set()
    assert labels == {"ss_c3"} | too_many | ({"ss_c6", "ss_c7"} if rank else set())


@pytest.mark.long
@pytest.mark.parametrize("rank", RANKS)
def test_e2_four_entries(rank, report):
    compared, _ = compare_masks(rank, 4, sampled(mask_patterns(4)))
    assert 2**20 == 5_242_880 // len(RANKS)
    assert compared == count_of_sampled(2**20)
    report(f"E2, four entries, rank {rank}: {compared:,} of {2**20:,} patterns")


def test_e2_regions_are_those_of_the_reference():
    compared = 0
    for masks in mask_patterns(2):
        spec = BEGIN[:2], END[:2], STRIDES[:2]
        try:
            region = ssop.StridedSliceSpec(*spec, *masks).resolve(SHAPE)
        except ssop.SliceError:
            continue
        assert (region.ranges, region.out_axes) == reference.strided_slice_region(SHAPE, *spec, *masks), masks
        compared += 1
    assert compared >= 500


def test_e2_lengths():
    """ss_c1, ss_c2, ss_c3, ss_c4 and ss_c8 in their order: vectors of any length, on few axes and on very many."""
    lengths = (0, 1, 2, 5, 31, 32, 33)
    labels = Counter()
    for shape in ((), (2,), (1,) * 60, (1,) * 64):
        array, tensor = np.zeros(shape, int), Tensor(shape, [0] * 2 ** shape.count(2))
        for begins, ends, steps in product(lengths, repeat=3):
            vectors = (0,) * begins, (1,) * ends, (0,) * steps
            for ellipsis_mask, new_axis_mask in product((0, 1, 3, -(2**31)), (0, 0b110, -1)):
                spec = *vectors, 0, 0, ellipsis_mask, new_axis_mask
                got = answer(ssop.strided_slice, array, *spec)
                assert got == answer(reference.strided_slice, tensor, *spec), (len(shape), spec)
                labels[got[0]] += 1
    assert labels.total() == 4 * 7**3 * 12
    assert {"ss_c1", "ss_c2", "ss_c3", "ss_c4", "ss_c5", "ss_c8"} < set(labels)
