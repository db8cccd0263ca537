"""How `ssop run` cuts a result into boxes."""

import math
import random

import numpy as np
import pytest

import ssop
from ssop.cli import boxes

SHAPES = [(), (3,), (40,), (0, 4), (2, 3), (3, 2, 7), (1, 1, 30), (5, 1, 1), (2, 3, 4, 1)]


def visits(cut, shape):
    """How often the boxes visit each element, and the elements in their order."""
    seen, places, order = np.zeros(shape, int), np.arange(math.prod(shape)).reshape(shape), []
    for number in range(len(cut)):
        seen[cut.box(number)] += 1
        order += places[cut.box(number)].ravel().tolist()
    return seen, order


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("itemsize", [0, 2, 100])
def test_rows_are_pieces_of_memory_in_their_order(shape, itemsize):
    cut = boxes.in_rows(shape, itemsize, limit=10)
    seen, order = visits(cut, shape)
    assert (seen == 1).all() and order == list(range(seen.size))
    assert all(
        math.prod(part.stop - part.start for part in cut.box(k)) * itemsize <= max(10, itemsize)
        for k in range(len(cut))
    )


def test_rows_are_as_long_as_the_limit_allows():
    assert len(boxes.in_rows((3, 2, 7), 2, 28)) == 3
    assert len(boxes.in_rows((3, 2, 7), 2, 84)) == 1


def random_grid(rng):
    rank = rng.randint(0, 3)
    grain = tuple(rng.randint(1, 11) for _ in range(rank))
    return boxes.Grid(
        tuple(rng.randint(0, 30) for _ in range(rank)), tuple(rng.randint(1, size) for size in grain), grain
    )


def test_cells_are_cut_nowhere_but_where_the_grid_allows():
    rng = random.Random(1)
    joined = 0
    for _ in range(500):
        grid = random_grid(rng)
        cell = math.prod(max(1, min(size, dim)) for size, dim in zip(grid.grain, grid.shape, strict=True))
        limit = cell * rng.choice([1, 2, 5, 50])
        cut = boxes.in_cells(grid, 1, limit)
        assert (visits(cut, grid.shape)[0] == 1).all()
        for number in range(len(cut)):
            box = cut.box(number)
            assert math.prod(part.stop - part.start for part in box) <= limit
            for part, dim, first, grain in zip(box, *grid, strict=True):
                for place in (part.start, part.stop):
                    assert place in (0, dim) or (place - first) % grain == 0
        joined += len(cut) > 1 and cut.size > grid.grain
    assert joined > 50


@pytest.mark.parametrize("step", [1, 2, 5, -1, -2, -5])
def test_the_grid_of_chunks_is_where_a_step_crosses_from_one_to_the_next(step):
    rng = random.Random(step)
    for _ in range(200):
        dim = rng.randint(1, 60)
        region = ssop.StridedSliceSpec([rng.randrange(dim)], [0], [step], end_mask=1).resolve((dim,))
        chunk = rng.randint(1, 4) * abs(step)
        ((start, count, _),) = region.ranges
        chunk_of = [(start + k * step) // chunk for k in range(count)]
        crossings = [k for k in range(1, count) if chunk_of[k] != chunk_of[k - 1]]
        grid = boxes.of_chunks(region, (chunk,))
        assert crossings == list(range(grid.first[0], count, grid.grain[0]))


def test_dropped_and_new_axes():
    region = ssop.StridedSliceSpec([1, 0, 2], [2, 0, 9], [1, 1, 1], new_axis_mask=2, shrink_axis_mask=1).resolve((4, 9))
    assert boxes.of_chunks(region, (2, 5)) == boxes.Grid((1, 7), (1, 3), (1, 5))


def test_the_region_of_a_box():
    x = np.arange(60).reshape(3, 4, 5)
    box = (slice(1, 3), slice(0, 4), slice(2, 3))
    assert np.array_equal(x[boxes.region_of(box, x.shape).index], x[box])
