"""E1: every slice of one axis, in C, in the reference, and in NumPy. E9: regions are canonical."""

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, around, count_of_slices, counting, dims, items, slices_of, views_of
from ssop import reference

SHORT, DIMS = range(7), range(11)
assert sum(map(count_of_slices, DIMS)) == 698_368


def numpy_answer(array, begin, end, stride, begin_mask, end_mask, shrink):
    """What NumPy says; None where it has no such slice."""
    if not shrink:
        return items(array[None if begin_mask else begin : None if end_mask else end : stride])
    if stride < 0:
        return None
    try:
        return items(array[begin])
    except IndexError:
        return "ss_c7"


@pytest.mark.parametrize("dim", dims(SHORT, DIMS))
def test_e1_c_reference_and_numpy_agree(dim):
    array, tensor = np.arange(dim), counting(dim)
    compared = with_numpy = 0
    for begin, end, stride, begin_mask, end_mask, shrink in slices_of(dim):
        spec = (begin,), (end,), (stride,), begin_mask, end_mask, 0, 0, shrink
        got = answer(ssop.strided_slice, array, *spec)
        assert got == answer(reference.strided_slice, tensor, *spec), spec
        compared += 1
        wanted = numpy_answer(array, begin, end, stride, begin_mask, end_mask, shrink)
        if wanted is not None:
            assert wanted in (got, got[0]), spec
            with_numpy += 1
    assert compared == count_of_slices(dim)
    assert with_numpy == compared * 3 // 4


@pytest.mark.parametrize("dim", DIMS)
def test_e1_ss_c5_a_stride_of_zero(dim):
    array, tensor = np.arange(dim), counting(dim)
    compared = 0
    for begin in around(dim + 2):
        for masks in np.ndindex(2, 2, 2):
            spec = (begin,), (0,), (0,), *masks[:2], 0, 0, masks[2]
            got = answer(ssop.strided_slice, array, *spec)
            assert got == answer(reference.strided_slice, tensor, *spec) == ("ss_c5", 0, 0, 0, None), spec
            compared += 1
    assert compared == (2 * dim + 9) * 8


@pytest.mark.parametrize("dim", dims(SHORT, DIMS))
def test_e9_equal_behaviour_is_equal_region(dim):
    """rg_s1: what is taken and the region determine each other; and there is a region for whatever a slice can take."""
    array = np.arange(dim)
    region_of, taken_by = {}, {}
    compared = 0
    for begin, end, stride, begin_mask, end_mask, shrink in slices_of(dim):
        spec = (begin,), (end,), (stride,), begin_mask, end_mask, 0, 0, shrink
        try:
            region = ssop.StridedSliceSpec(*spec).resolve((dim,))
        except ssop.SliceError:
            assert shrink, spec
            continue
        assert (region.ranges, region.out_axes) == reference.strided_slice_region((dim,), *spec), spec
        shape, taken = answer(ssop.strided_slice, array, *spec)
        assert region.shape == shape and region.in_shape == (dim,), spec
        taken = shape, tuple(taken)
        assert region_of.setdefault(taken, region) == region, spec
        assert taken_by.setdefault(region, taken) == taken, spec
        compared += 1
    progressions = {(start, step, count) for start, step, count in views_of(dim) if count > 1}
    assert len(taken_by) == len(region_of) == 1 + dim + len(progressions) + dim
    assert compared >= count_of_slices(dim) // 2
