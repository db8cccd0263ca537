"""Regions of arrays without chunks, read in blocks: any steps, any distance up to which all is read."""

from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ssop import Region
from ssop._lazy import chunked
from ssop.testing import strategies


@given(st.data(), st.lists(st.integers(1, 12), min_size=1, max_size=4).map(tuple), st.integers(0, 300))
def test_blocks_have_the_elements_within_the_covering_region(data, shape, near):
    region = data.draw(strategies.regions(shape))
    if 0 in region.shape:
        return  # which no index reads
    x = np.arange(prod(shape), dtype="i4").reshape(shape)
    walk = chunked.through_one_piece(region, x.itemsize, near)
    steps = [abs(step) for _, _, step in region.ranges]
    distances = [step * of for step, of in zip(steps, x.strides, strict=True)]
    near_ones = [distance <= near for distance in distances]
    if walk is None:
        assert not any(of and step > 1 for of, step in zip(near_ones, steps, strict=True))
        return
    assert list(walk.covered) == near_ones
    asked = []

    def elements(ranges):
        part = x[tuple(slice(start, start + (count - 1) * step + 1, step) for start, count, step in ranges)]
        assert part.shape == tuple(count for _, count, _ in ranges) and all(step > 0 for _, _, step in ranges)
        asked.append(part)
        return part

    found = walk.read(elements, region)
    assert np.array_equal(found, x[region.index].reshape(region.shape))
    read = np.concatenate([part.ravel() for part in asked])
    assert len(set(read.tolist())) == read.size  # nothing twice
    covering = region.covering()[0]
    assert set(read.tolist()) <= set(x[covering.index].ravel().tolist())


@given(st.integers(1, 5), st.integers(1, 40))
def test_a_block_is_not_larger_than_the_limit(step, rows):
    limit = chunked.BLOCK_BYTES
    columns = limit // rows
    region = Region((4 * rows, columns), ((0, 4 * rows, 1), (0, -(-columns // step), step)), (0, 1))
    walk = chunked.through_one_piece(region, 8, 8 * step)
    assert (walk is None) == (step == 1)
    if walk is not None:
        sizes = []
        walk.read(lambda ranges: sizes.append([n for _, n, _ in ranges]) or np.empty(sizes[-1], "u1"), region)
        assert all(8 * prod(of) <= limit for of in sizes) and len(sizes) < 64 + 8 * rows
