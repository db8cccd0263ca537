"""The operations of `ssop.xla` that only move data: laws between them, on arrays of every layout."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from property.calls import assert_same, call, counting, with_shape
from ssop import xla
from ssop.testing import strategies as slicing


def paddings(edges, interior):
    """One (low, high, interior) per axis."""
    return lambda shape: st.tuples(*(st.tuples(edges, edges, interior) for _ in shape)).map(list)


def permutations(shape):
    return st.permutations(range(len(shape)))


def subsets(shape):
    return st.lists(st.sampled_from(range(len(shape))), unique=True) if shape else st.just([])


def arrays(shape):
    return slicing.arrays(shape, np.int64)


small = {"max_rank": 4, "max_dim": 4}


@given(with_shape(paddings(st.integers(0, 3), st.integers(0, 3)), **small), st.data())
def test_pad_then_crop_gives_the_operand(case, data):
    shape, config = case
    x = data.draw(arrays(shape), "operand")
    padded = call(xla.pad, x, -1, config)
    inside = tuple(
        slice(low, low + (dim - 1) * (gap + 1) + 1 if dim else low, gap + 1)
        for dim, (low, _, gap) in zip(shape, config, strict=True)
    )
    assert_same(padded[(..., *inside)].copy(), x.copy(order="C"))
    assert np.count_nonzero(padded == -1) >= padded.size - x.size
    crop = [(-low, -high, 0) for low, high, _ in config]
    spread = [(0, 0, gap) for _, _, gap in config]
    assert_same(call(xla.pad, padded, -2, crop), call(xla.pad, x, -1, spread))


@given(with_shape(paddings(st.integers(-4, 0), st.just(0)), **small))
def test_negative_padding_is_a_slice(case):
    shape, config = case
    kept = [dim + low + high for dim, (low, high, _) in zip(shape, config, strict=True)]
    if min(kept, default=0) < 0:
        return
    x = counting(shape)
    starts = [min(-low, dim) for dim, (low, _, _) in zip(shape, config, strict=True)]
    expected = x[tuple(slice(start, start + size) for start, size in zip(starts, kept, strict=True))]
    assert_same(call(xla.pad, x, 7, config), expected.copy())


@given(with_shape(paddings(st.integers(-5, 5), st.integers(0, 3)), **small))
def test_pads_of_one_axis_after_the_other_are_the_pad(case):
    shape, config = case
    x = counting(shape)
    try:
        whole = xla.pad(x, -1, config)
    except ValueError:
        return
    for axis, triple in enumerate(config):
        x = call(xla.pad, x, -1, [triple if k == axis else (0, 0, 0) for k in range(len(config))])
    assert_same(whole, x)


@given(slicing.shapes(min_rank=1, **small), st.data())
def test_complementary_slices_concatenate_to_the_operand(shape, data):
    x = data.draw(arrays(shape), "operand")
    axis = data.draw(st.sampled_from(range(len(shape))), "axis")
    cuts = sorted(data.draw(st.lists(st.integers(0, shape[axis]), max_size=4), "cuts"))
    ends = [0, *cuts, shape[axis]]
    parts = [call(xla.slice_in_dim, x, a, b, 1, axis) for a, b in zip(ends[:-1], ends[1:], strict=True)]
    assert_same(call(xla.concatenate, parts, axis), x.copy(order="C"))
    views = [np.moveaxis(np.moveaxis(x, axis, 0)[a:b], 0, axis) for a, b in zip(ends[:-1], ends[1:], strict=True)]
    assert_same(call(xla.concatenate, views, axis), x.copy(order="C"))


@given(with_shape(subsets, **small), st.data())
def test_rev_twice_gives_the_operand(case, data):
    shape, axes = case
    x = data.draw(arrays(shape), "operand")
    assert_same(call(xla.rev, call(xla.rev, x, axes), axes[::-1]), x.copy(order="C"))
    assert_same(call(xla.rev, x, axes), np.flip(x, tuple(axes)).copy(order="C"))


@given(with_shape(permutations, **small), st.data())
def test_transpose_by_the_inverse_gives_the_operand(case, data):
    shape, order = case
    x = data.draw(arrays(shape), "operand")
    turned = call(xla.transpose, x, order)
    assert_same(call(xla.transpose, turned, np.argsort(order)), x.copy(order="C"))
    assert_same(call(xla.broadcast_in_dim, turned, shape, order), x.copy(order="C"))
    assert_same(call(xla.reshape, x, turned.shape, order), turned)


@st.composite
def regrouped(draw, shape):
    """A shape of as many elements: neighbours joined, axes of 1 put in."""
    sizes, rest = [], int(np.prod(shape))
    while len(sizes) < 5 and rest > 1:
        sizes.append(draw(st.sampled_from([n for n in range(1, rest + 1) if rest % n == 0])))
        rest //= sizes[-1]
    return [*sizes, rest]


@given(with_shape(regrouped, **small), st.data())
def test_reshape_round_trip(case, data):
    shape, sizes = case
    x = data.draw(arrays(shape), "operand")
    there = call(xla.reshape, x, sizes)
    assert_same(there, x.reshape(sizes).copy())
    assert_same(call(xla.reshape, there, shape), x.copy(order="C"))


@given(slicing.shapes(min_rank=1, **small), st.data())
def test_collapse_is_a_reshape(shape, data):
    x = data.draw(arrays(shape), "operand")
    first = data.draw(st.integers(0, len(shape) - 1), "first")
    stop = data.draw(st.integers(first + 1, len(shape)), "stop")
    sizes = [*shape[:first], int(np.prod(shape[first:stop])), *shape[stop:]]
    assert_same(call(xla.collapse, x, range(first, stop)), call(xla.reshape, x, sizes))


@given(slicing.shapes(max_rank=3, max_dim=4), st.lists(st.integers(1, 3), max_size=3), st.data())
def test_broadcast_then_index_gives_the_operand(shape, sizes, data):
    x = data.draw(arrays(shape), "operand")
    repeated = call(xla.broadcast, x, sizes)
    assert repeated.shape == (*sizes, *shape)
    for size in sizes:
        index = data.draw(st.integers(0, size - 1), "index")
        repeated = call(xla.index_in_dim, repeated, index, 0, False)
    assert_same(repeated, x.copy(order="C"))
    places = list(range(len(sizes), len(sizes) + len(shape)))
    assert_same(call(xla.broadcast_in_dim, x, [*sizes, *shape], places), call(xla.broadcast, x, sizes))


@given(slicing.shapes(min_rank=1, **small), st.data())
def test_one_axis_forms_are_the_full_forms(shape, data):
    x = counting(shape)
    axis = data.draw(st.sampled_from(range(len(shape))), "axis")
    size = data.draw(st.integers(0, shape[axis]), "size")
    start = data.draw(slicing.bounds(shape[axis]), "start")
    policy = {
        "out_of_bounds": data.draw(st.sampled_from(("clamp", "wrap")), "policy"),
        "allow_negative_indices": data.draw(st.booleans(), "negative"),
    }
    starts = [start if k == axis else 0 for k in range(len(shape))]
    sizes = [size if k == axis else dim for k, dim in enumerate(shape)]
    for form in (axis, axis - len(shape)):
        assert_same(
            call(xla.dynamic_slice_in_dim, x, start, size, form, **policy),
            call(xla.dynamic_slice, x, starts, sizes, **policy),
        )
        update = -1 - counting(sizes)
        assert_same(
            call(xla.dynamic_update_slice_in_dim, x, update, start, form, **policy),
            call(xla.dynamic_update_slice, x, update, starts, **policy),
        )


@given(slicing.shapes(max_rank=3, max_dim=4), st.data())
def test_select_and_clamp_are_numpys(shape, data):
    a, b, c = (data.draw(arrays(shape)) for _ in range(3))
    pred = data.draw(st.sampled_from((a % 2 == 0, True, False)), "pred")
    assert_same(xla.select(pred, a, b), np.where(pred, a, b))
    assert_same(xla.clamp(a, b, c), np.asarray(np.minimum(np.maximum(a, b), c)).copy(order="C"))
