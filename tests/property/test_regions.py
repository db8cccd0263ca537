"""Regions: what they take, compositions, splits, and that one set of elements has one region."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, assert_same, call, counting, label, with_shape
from ssop import reference
from ssop.reference._tensors import canonical, region_shape
from ssop.testing import strategies as slicing


@st.composite
def chains(draw, length):
    """A shape and regions, each of what the one before takes."""
    shape = draw(slicing.shapes())
    regions, taken = [], shape
    for _ in range(length):
        regions.append(draw(slicing.specs(taken)).resolve(taken))
        taken = regions[-1].shape
    return shape, *regions


def take(x, region):
    return x[(..., *region.index)]


def again(region):
    """The region from its parts, which are checked: rg_c2 unless they are canonical."""
    return ssop.Region(region.in_shape, region.ranges, region.out_axes)


def whole(shape):
    return ssop.StridedSliceSpec([], []).resolve(shape)


@given(with_shape(slicing.specs))
def test_of_a_spec_equals_the_references(case):
    shape, spec = case
    region = call(spec.resolve, shape)
    masks = [getattr(spec, name) for name in spec.__slots__[3:]]
    expected = reference.strided_slice_region(shape, spec.begin, spec.end, spec.strides, *masks)
    assert (region.ranges, region.out_axes) == expected
    assert region.in_shape == shape
    assert region.shape == region_shape(*expected)


@given(with_shape(slicing.specs))
def test_index_takes_what_the_spec_takes(case):
    shape, spec = case
    x = counting(shape)
    assert_same(take(x, call(spec.resolve, shape)), spec(x))


@given(with_shape(slicing.regions))
def test_index_takes_the_ranges(case):
    shape, region = case
    x = counting(shape)
    assert as_tensor(take(x, region)) == reference.take(as_tensor(x), region.ranges, region.out_axes)


@given(with_shape(slicing.regions))
def test_index_stays_inside(case):
    shape, region = case
    axes = [item for item in region.index if item is not None]
    assert len(axes) == len(shape)
    for dim, item in zip(shape, axes, strict=True):
        places = range(dim)[item]  # raises for an integer outside
        if isinstance(item, slice):
            assert 0 <= item.start <= dim and (item.stop is None or 0 <= item.stop <= dim) and item.step
            assert len(places) == 0 or places.start == item.start


@given(chains(2))
def test_slice_of_slice_is_one_region(case):
    shape, first, second = case
    x = counting(shape)
    both = call(second.of, first)
    expected = take(take(x, first), second)
    assert again(both) == both
    assert both.in_shape == shape
    assert both.shape == expected.shape
    if -2 in both.out_axes:  # rg_c3
        assert label(lambda: both.index) == "rg_c3"
    else:
        assert_same(take(x, both), expected)


@given(chains(3))
def test_composition_is_associative(case):
    _, first, second, third = case
    assert call(third.of, second.of(first)) == call(third.of(second).of, first)


@given(with_shape(lambda shape: slicing.regions(shape, emptied=True)))
def test_the_whole_is_neutral(case):
    shape, region = case
    assert call(region.of, whole(shape)) == region
    assert call(whole(region.shape).of, region) == region


@given(with_shape(lambda shape: slicing.regions(shape, emptied=True), lambda shape: slicing.shapes().map(whole)))
def test_composition_needs_the_same_shape(case):
    _, first, second = case
    if second.in_shape == first.shape:
        assert call(second.of, first) == first
        return
    axis, value, other = None, len(second.in_shape), len(first.shape)
    if value == other:
        axis = next(i for i in range(value) if second.in_shape[i] != first.shape[i])
        value, other = second.in_shape[axis], first.shape[axis]
    assert answer(second.of, first) == ("rg_c1", axis, None, value, (other, other))


@given(with_shape(slicing.regions))
def test_split_is_the_whole(case):
    shape, region = case
    forward, flips = call(region.split)
    x = counting(shape)
    assert again(forward) == forward
    assert all(step > 0 for _, _, step in forward.ranges)
    assert_same(np.asarray(np.flip(take(x, forward), flips)), take(x, region))
    assert call(forward.split) == (forward, ())


@given(with_shape(lambda shape: slicing.regions(shape, emptied=True)))
def test_parts_make_the_region_again(case):
    _, region = case
    assert call(ssop.Region, region.in_shape, region.ranges, region.out_axes) == region


def is_canonical(dim, start, count, step):
    if step == 0 or count < 0:
        return False
    taken = range(start, start + count * step, step)
    inside = count == 0 or (0 <= taken[0] < dim and 0 <= taken[-1] < dim)
    return inside and canonical(taken) == (start, count, step)


@given(st.integers(0, 5).flatmap(lambda dim: st.tuples(st.just(dim), *[slicing.bounds(dim)] * 3)))
def test_only_canonical_ranges_make_a_region(case):
    dim, *parts = case
    expected = None if is_canonical(dim, *parts) else "rg_c2"
    assert label(ssop.Region, (dim,), [parts], (0,)) == expected


@given(with_shape(slicing.regions, lambda shape: st.lists(st.integers(-3, len(shape)), max_size=len(shape) + 1)))
def test_only_ordered_axes_make_a_region(case):
    shape, region, out_axes = case
    named = [axis for axis in out_axes if axis >= 0]
    good = all(-2 <= axis < len(shape) for axis in out_axes) and named == sorted(set(named))
    dropped = set(range(len(shape))) - set(named)
    good = good and all(region.ranges[axis][1] == 1 for axis in dropped)
    assert label(ssop.Region, shape, region.ranges, out_axes) == (None if good else "rg_c2")


@st.composite
def two_specs(draw):
    """Two specs of one entry that is a range."""
    shape = (draw(st.integers(0, 5)),)
    return shape, *(
        ssop.StridedSliceSpec(
            [draw(slicing.bounds(*shape))], [draw(slicing.bounds(*shape))], [draw(slicing.strides(*shape))]
        )
        for _ in range(2)
    )


@given(two_specs())
def test_equal_elements_are_equal_regions(case):
    shape, *specs = case
    x = counting(shape)
    one, two = (call(spec.resolve, shape) for spec in specs)
    same = specs[0](x).tolist() == specs[1](x).tolist()
    assert (one == two) is same
    assert not same or hash(one) == hash(two)
