"""Covering regions and chunks of stored arrays: what is read is what is taken, and nothing else is touched."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, assert_same, call, counting, with_shape
from ssop import reference
from ssop.testing import strategies as slicing


@st.composite
def lists_of_sizes(draw, dim):
    """Chunk sizes whose sum is `dim`, some of them 0."""
    bounds = sorted(draw(st.lists(st.integers(0, dim), max_size=4)))
    return [high - low for low, high in pairwise([0, *bounds, dim])]


def grids(shape):
    return st.tuples(*(st.integers(1, dim + 2) | lists_of_sizes(dim) for dim in shape))


def any_grids(shape):
    """Also of other ranks, with sizes that are too small or do not fit."""
    sizes = st.integers(-1, 4)
    return st.lists(sizes | st.lists(sizes, max_size=3), max_size=len(shape) + 1) | grids(shape)


def regions(shape):
    return slicing.regions(shape, emptied=True)


def parts(region):
    return region.ranges, region.out_axes


def take(x, region):
    return x[(..., *region.index)]


@given(with_shape(regions))
def test_rg_s5_the_remainder_of_what_is_covered_is_the_region(case):
    shape, region = case
    covering, remainder, backwards = call(region.covering)
    assert remainder.of(covering) == region
    assert (parts(covering), parts(remainder), backwards) == reference.region_covering(*parts(region))
    assert (covering.in_shape, remainder.in_shape) == (shape, covering.shape)
    if -2 not in region.out_axes:
        x = counting(shape)
        assert_same(take(take(x, covering), remainder), take(x, region))


def listed(region, grid):
    """The chunks, in the reference's form."""
    return [(index, parts(of_chunk), parts(place)) for index, of_chunk, place in region.chunks(grid)]


def of_reference(shape, region, grid):
    return list(reference.region_chunks(shape, *parts(region), grid))


@given(with_shape(regions, grids))
def test_rg_s6_the_chunks_are_the_references(case):
    shape, region, grid = case
    assert call(listed, region, grid) == of_reference(shape, region, grid)
    assert region.chunks(grid).total == len(listed(region, grid))


def chunk_slices(shape, grid, index):
    """The index of a chunk's elements in the whole array."""
    for dim, sizes, number in zip(shape, grid, index, strict=True):
        low = number * sizes if isinstance(sizes, int) else sum(sizes[:number])
        yield slice(low, min(dim, low + (sizes if isinstance(sizes, int) else sizes[number])))


@given(with_shape(slicing.regions, grids))
def test_rg_s6_the_parts_are_the_whole(case):
    shape, region, grid = case
    x = counting(shape)
    result, times = np.empty(region.shape, x.dtype), np.zeros(region.shape, int)
    seen = []
    for index, of_chunk, place in call(region.chunks, grid):
        chunk = x[(..., *chunk_slices(shape, grid, index))]
        assert of_chunk.in_shape == chunk.shape
        assert place.in_shape == region.shape
        assert all(step == 1 for _, _, step in place.ranges)
        assert 0 not in place.shape
        result[(..., *place.index)] = take(chunk, of_chunk)
        times[(..., *place.index)] += 1
        seen.append(index)
    assert seen == sorted(set(seen))
    assert np.all(times == 1)
    assert_same(result, take(x, region))


@given(with_shape(regions, any_grids))
def test_grids_are_rejected_as_by_the_reference(case):
    shape, region, grid = case
    assert answer(listed, region, grid) == answer(of_reference, shape, region, grid)


def test_of_a_million_million_chunks_only_those_with_elements_are_made():
    side = 10**9
    region = ssop.StridedSliceSpec([side - 1, 0], [0, side], [-(10**8), 3 * 10**8]).resolve((side, side))
    chunks = region.chunks((1000, [10**8] * 10))
    assert chunks.total == len(list(chunks)) == 40
    whole = ssop.StridedSliceSpec([], []).resolve((side, side)).chunks((1000, 1000))
    assert whole.total == 10**12
    assert [next(whole)[0] for _ in range(3)] == [(0, 0), (0, 1), (0, 2)]
    assert whole.total == 10**12
