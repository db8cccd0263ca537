"""ss_s10: the counts over partly known shapes and specs, against brute force and against execution."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

import ssop
from counts import strided_slice_counts
from property.calls import call, with_shape
from ssop import reference
from ssop.testing import strategies as slicing


def with_partial(*, legal=True, unknown=False):
    """A shape, a spec, and partial knowledge of both."""

    def add_partial(case):
        shape, spec = case
        return st.tuples(st.just(shape), st.just(spec), slicing.partial_specs(shape, spec, unknown=unknown))

    return with_shape(lambda shape: slicing.specs(shape, legal=legal), max_rank=3).flatmap(add_partial)


def pairs(numbers):
    return [(number, number) if isinstance(number, int) else number for number in numbers]


def rejections(dims, begin, end, strides, *masks):
    """What the completions are rejected for."""
    completions = product(*(range(low, high + 1) for low, high in pairs([*dims, *begin, *end, *strides])))
    rank, length = len(dims), len(begin)
    found = set()
    for numbers in completions:
        ends = [rank, rank + length, rank + 2 * length]
        parts = [numbers[low:high] for low, high in zip([0, *ends], [*ends, None], strict=True)]
        try:
            reference.strided_slice_region(*parts, *masks)
        except reference.Rejected as error:
            found.add((error.label, error.axis, error.entry))
    return found


@given(with_partial(legal=False))
def test_equal_brute_force(case):
    _, _, partial = case
    try:
        expected = reference.strided_slice_counts(*partial)
    except reference.Rejected:
        try:
            counts = call(strided_slice_counts, *partial)
        except ssop.SliceError as error:
            assert (error.label, error.axis, error.entry) in rejections(*partial)
        else:
            raise AssertionError(f"no completion is legal, but {counts}")
    else:
        assert call(strided_slice_counts, *partial) == expected


@st.composite
def one_axis(draw):
    """A dim, a begin, an end and a stride, each known to within three, and the masks of the two bounds."""
    dim = draw(st.integers(0, 12))
    numbers = dim, draw(slicing.bounds(dim)), draw(slicing.bounds(dim)), draw(slicing.strides(dim))
    lowest, highest, margin = (0, *[-(2**63)] * 3), 2**63 - 1, st.integers(0, 1)
    return [
        (max(number - 2 * draw(margin), low), min(number + draw(margin), highest))
        for number, low in zip(numbers, lowest, strict=True)
    ], draw(st.tuples(margin, margin))


@given(one_axis())
def test_of_a_longer_axis_equal_brute_force(case):
    """The exhaustive test walks every box of short axes; here they are longer, and the bounds anywhere."""
    knowledge, masks = case
    partial = *([number] for number in knowledge), *masks
    assert call(strided_slice_counts, *partial) == reference.strided_slice_counts(*partial)


@given(with_partial(unknown=True))
def test_enclose_the_shape_that_execution_gives(case):
    shape, spec, partial = case
    counts = call(strided_slice_counts, *partial)
    taken = spec.resolve(shape).shape
    assert len(counts) == len(taken)
    assert all(low <= count <= high for (low, high), count in zip(counts, taken, strict=True))


@given(with_partial())
def test_are_exact_where_everything_is_known(case):
    shape, spec, partial = case
    counts = call(strided_slice_counts, shape, spec.begin, spec.end, spec.strides, *partial[4:])
    assert counts == tuple((count, count) for count in spec.resolve(shape).shape)


@given(with_partial())
def test_are_as_wide_as_the_knowledge(case):
    """Each number that becomes known leaves counts inside the former ones."""
    shape, spec, partial = case
    known = [shape, spec.begin, spec.end, spec.strides]
    wide = call(strided_slice_counts, *partial)
    for vector in range(4):
        narrower = [*known[: vector + 1], *partial[vector + 1 :]]
        narrow = call(strided_slice_counts, *narrower)
        assert all(low <= least and most <= high for (low, high), (least, most) in zip(wide, narrow, strict=True))
        wide = narrow


@given(slicing.partial_shapes(unknown=True))
def test_of_no_entries_are_the_dims(dims):
    counts = call(strided_slice_counts, dims, [], [], [])
    assert counts == tuple((0, 2**63 - 1) if dim is None else pairs([dim])[0] for dim in dims)
