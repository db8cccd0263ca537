"""E6: XLA's slice on one axis, every legal triple, and all around them."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import EXTREMES, answer, counting, items
from ssop import reference

DIMS = range(13)


def broken_rules(dim, start, limit, stride):
    """Every rule that a triple breaks, not only the first."""
    rules = {"sl_c4": start < 0, "sl_c5": limit > dim, "sl_c6": limit < start, "sl_c7": stride <= 0}
    return {label for label, broken in rules.items() if broken}


def test_e6_one_axis():
    compared, legal, broken_alone = 0, 0, Counter()
    for dim in DIMS:
        array, tensor = np.arange(dim), counting(dim)
        bounds = (*range(-2, dim + 3), *EXTREMES)
        for start, limit, stride in product(bounds, bounds, (*range(-1, dim + 2), *EXTREMES)):
            triple = (start,), (limit,), (stride,)
            got = answer(ssop.slice, array, *triple)
            assert got == answer(reference.slice, tensor, *triple), (dim, triple)
            broken = broken_rules(dim, start, limit, stride)
            if not broken:
                assert got == items(array[start:limit:stride]), (dim, triple)
                legal += stride <= dim + 1
            else:
                assert got[0] in broken, (dim, triple)
                broken_alone.update(broken if len(broken) == 1 else ())
            compared += 1
    assert legal == 4_550
    assert set(broken_alone) == {"sl_c4", "sl_c5", "sl_c6", "sl_c7"} and broken_alone.total() > 5_000
    assert compared == sum((dim + 9) ** 2 * (dim + 7) for dim in DIMS)


@pytest.mark.parametrize("rank", range(4))
def test_e6_lengths(rank):
    """sl_c1, sl_c2, sl_c3: every mix of lengths, of entries that are illegal themselves."""
    shape = (2,) * rank
    array, tensor = np.arange(2**rank).reshape(shape), counting(*shape)
    compared, labels = 0, set()
    for lengths in product(range(5), repeat=3):
        if lengths == (rank, rank, rank):
            continue
        vectors = [(-1,) * length for length in lengths]
        got = answer(ssop.slice, array, *vectors)
        assert got == answer(reference.slice, tensor, *vectors), lengths
        labels.add(got[0])
        compared += 1
    assert labels == {"sl_c1", "sl_c2", "sl_c3"} and compared == 124
