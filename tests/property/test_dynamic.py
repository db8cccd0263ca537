"""DynamicSlice and DynamicUpdateSlice: against the reference under every policy, and against each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import POLICIES, answer, as_tensor, assert_same, call, counting, label, with_shape
from ssop import _core, reference
from ssop.reference import Tensor
from ssop.testing import strategies as slicing

policies = st.sampled_from(POLICIES)
read_policies = st.sampled_from((*POLICIES, "fill"))
never_raises = st.sampled_from(("clamp", "wrap"))


def broken(shape):
    return slicing.dynamic_slices(shape, legal=False)


def negatives(shape):
    """Values of allow_negative_indices: one bool, one per axis, now and then one too many."""
    flags = st.lists(st.booleans(), min_size=len(shape), max_size=len(shape))
    return st.one_of(st.booleans(), flags, flags, flags.map(lambda each: [*each, True]))


def updates(shape):
    """Update shapes, of the operand's rank or not, that may be one too large along an axis."""
    dims = st.tuples(*(st.integers(0, dim + 1) for dim in shape))
    return st.one_of(dims, dims, dims, slicing.shapes())


def update_of(shape):
    """An update that shares no value with `counting(..)`."""
    return np.asarray(-1 - counting(shape))


@given(with_shape(broken, negatives), read_policies, st.sampled_from((None, -1)))
def test_slice_equals_the_reference(case, policy, fill):
    shape, (starts, sizes), negative = case
    x = counting(shape)
    sizes = [min(size, 9) for size in sizes] if policy == "fill" else sizes
    expected = answer(reference.dynamic_slice, as_tensor(x), starts, sizes, policy, negative, fill)
    options = {"out_of_bounds": policy, "allow_negative_indices": negative, "fill_value": fill}
    assert answer(ssop.dynamic_slice, x, starts, sizes, **options) == expected


@given(with_shape(broken, updates, negatives), policies)
def test_update_equals_the_reference(case, policy):
    shape, (starts, _), update_shape, negative = case
    x, update = counting(shape), update_of(update_shape)
    expected = answer(reference.dynamic_update_slice, as_tensor(x), as_tensor(update), starts, policy, negative)
    options = {"out_of_bounds": policy, "allow_negative_indices": negative}
    assert answer(ssop.dynamic_update_slice, x, update, starts, **options) == expected


uint64s = st.one_of(st.integers(0, 9), st.integers(2**63 - 9, 2**63 + 9), st.integers(2**63, 2**64 - 1))


@given(with_shape(lambda shape: st.tuples(*[uint64s] * len(shape)), slicing.dynamic_slices), policies)
def test_uint64_starts_are_numbers(case, policy):
    shape, starts, (_, sizes) = case
    x, starts64 = counting(shape), np.array(starts, np.uint64)
    expected = answer(reference.dynamic_slice, as_tensor(x), starts, sizes, policy)
    assert answer(ssop.dynamic_slice, x, starts64, sizes, out_of_bounds=policy) == expected
    update = update_of(sizes)
    expected = answer(reference.dynamic_update_slice, as_tensor(x), as_tensor(update), starts, policy)
    assert answer(ssop.dynamic_update_slice, x, update, starts64, out_of_bounds=policy) == expected


@given(with_shape(slicing.dynamic_slices))
def test_wrap_is_numpys_take(case):
    shape, (starts, sizes) = case
    x = expected = counting(shape)
    for axis, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        places = np.array([(start + i) % shape[axis] for i in range(size)], int)
        expected = expected.take(places, axis, mode="wrap")
    assert_same(call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds="wrap"), expected)


@given(
    with_shape(
        lambda shape: slicing.dynamic_slices(shape).flatmap(
            lambda window: st.tuples(st.just(window), slicing.dynamic_slices(window[1]))
        )
    )
)
def test_a_window_of_a_window_is_one_clamped_window(case):
    shape, ((starts, sizes), (inner_starts, inner_sizes)) = case
    x = counting(shape)

    def clamped(places, dims, lengths):
        return [int(np.clip(place, 0, dim - size)) for place, dim, size in zip(places, dims, lengths, strict=True)]

    outer, inner = clamped(starts, shape, sizes), clamped(inner_starts, sizes, inner_sizes)
    once = call(ssop.dynamic_slice, x, [a + b for a, b in zip(outer, inner, strict=True)], inner_sizes)
    twice = call(ssop.dynamic_slice, call(ssop.dynamic_slice, x, starts, sizes), inner_starts, inner_sizes)
    assert_same(twice, once)


@given(with_shape(slicing.dynamic_slices), never_raises)
def test_update_then_slice_is_the_update(case, policy):
    shape, (starts, sizes) = case
    update = update_of(sizes)
    updated = call(ssop.dynamic_update_slice, counting(shape), update, starts, out_of_bounds=policy)
    assert_same(call(ssop.dynamic_slice, updated, starts, sizes, out_of_bounds=policy), update)


@given(with_shape(slicing.dynamic_slices), never_raises)
def test_slice_then_update_is_the_operand(case, policy):
    shape, (starts, sizes) = case
    x = counting(shape)
    taken = call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy)
    assert_same(call(ssop.dynamic_update_slice, x, taken, starts, out_of_bounds=policy), x)


@given(with_shape(slicing.dynamic_slices), never_raises)
def test_update_in_place_writes_the_window_alone(case, policy):
    shape, (starts, sizes) = case
    x, update = counting(shape), update_of(sizes)
    window = call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy)  # x counts: these are places
    expected = x.copy()
    expected.ravel()[window] = update
    assert call(ssop.dynamic_update_slice, x, update, starts, out_of_bounds=policy, out=x) is x
    assert_same(x, expected)


@given(with_shape(slicing.dynamic_slices))
def test_raise_takes_what_clamp_does_not_move(case):
    shape, (starts, sizes) = case
    x = counting(shape)
    inside = all(0 <= start <= dim - size for start, dim, size in zip(starts, shape, sizes, strict=True))
    rejected = label(ssop.dynamic_slice, x, starts, sizes, out_of_bounds="raise")
    assert rejected == (None if inside else "ds_c5")
    assert label(ssop.dynamic_update_slice, x, update_of(sizes), starts, out_of_bounds="raise") == (
        None if inside else "dus_c5"
    )
    if inside:
        answers = [call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy) for policy in POLICIES]
        assert_same(answers[1], answers[0])
        assert_same(answers[2], answers[0])


@given(with_shape(slicing.dynamic_slices, lambda shape: st.integers(0, 2 ** len(shape) - 1)), never_raises)
def test_negative_indices_have_the_dim_added_once(case, policy):
    shape, (starts, sizes), bits = case
    x, flags = counting(shape), [bool(bits >> axis & 1) for axis in range(len(shape))]
    added = [s + dim if flag and s < 0 else s for s, dim, flag in zip(starts, shape, flags, strict=True)]
    got = call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy, allow_negative_indices=flags)
    assert_same(got, call(ssop.dynamic_slice, x, added, sizes, out_of_bounds=policy))


@given(with_shape(slicing.dynamic_slices, slicing.dynamic_slices), never_raises)
def test_the_later_of_two_updates_wins(case, policy):
    shape, (first, first_sizes), (second, second_sizes) = case
    once, again = update_of(first_sizes), update_of(second_sizes) - 1000
    x = call(ssop.dynamic_update_slice, counting(shape), once, first, out_of_bounds=policy)
    x = call(ssop.dynamic_update_slice, x, again, second, out_of_bounds=policy)
    places = ssop.dynamic_slice(counting(shape), first, first_sizes, out_of_bounds=policy)
    later = ssop.dynamic_slice(counting(shape), second, second_sizes, out_of_bounds=policy)
    expected = counting(shape)
    expected.ravel()[places] = once
    expected.ravel()[later] = again
    assert_same(x, expected)


@given(with_shape(slicing.dynamic_slices), policies)
def test_pieces_are_the_window_and_no_more_than_its_elements(case, policy):
    """The work is bounded by the size of the result, however many axes wrap round."""
    shape, (starts, sizes) = case
    x = counting(shape)
    window = answer(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy)
    read = answer(_core.dynamic_slice_regions, shape, starts, sizes, out_of_bounds=policy)
    written = answer(_core.dynamic_update_slice_regions, shape, sizes, starts, out_of_bounds=policy)
    if not isinstance(window, Tensor):
        assert read == window and written == ("dus_c5", *window[1:])
        return
    assert read == written
    taken = [item for region in read for item in x[(..., *region.index)].ravel().tolist()]
    assert sorted(taken) == sorted(window.items)
    assert all(ssop.Region(shape, region.ranges, region.out_axes) == region for region in read)
    assert len(read) <= max(len(window.items), 1)
