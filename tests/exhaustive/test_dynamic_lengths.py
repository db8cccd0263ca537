"""The checks of the dynamic operations that come before any axis, in their order: each length against each other."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, counting
from ssop import reference

LENGTHS = range(4)
NEGATIVE = [False, True, *((True,) * length for length in LENGTHS)]


@pytest.mark.parametrize("rank", LENGTHS)
def test_e3_dynamic_slice(rank):
    array, tensor = np.arange(2**rank).reshape((2,) * rank), counting(*(2,) * rank)
    labels = Counter()
    for starts, sizes, negative, policy in product(LENGTHS, LENGTHS, NEGATIVE, ("clamp", "raise", "fill", "reflect")):
        args = (-3,) * starts, (3,) * sizes
        options = {"out_of_bounds": policy, "allow_negative_indices": negative}
        got = answer(ssop.dynamic_slice, array, *args, **options)
        assert got == answer(reference.dynamic_slice, tensor, *args, **options), (args, options)
        labels[got[0]] += 1
    assert labels.total() == 4 * 4 * 6 * 4
    assert {"ds_c1", "ds_c2", "ds_c6", "ds_c7"} <= set(labels)


@pytest.mark.parametrize("rank", LENGTHS)
def test_e4_dynamic_update_slice(rank):
    array, tensor = np.arange(2**rank).reshape((2,) * rank), counting(*(2,) * rank)
    labels = Counter()
    for starts, update_rank, negative, policy in product(
        LENGTHS, LENGTHS, NEGATIVE, ("clamp", "raise", "fill", "reflect")
    ):
        shape = (3,) * update_rank
        update, update_tensor = np.arange(3**update_rank).reshape(shape), counting(*shape)
        options = {"out_of_bounds": policy, "allow_negative_indices": negative}
        got = answer(ssop.dynamic_update_slice, array, update, (-3,) * starts, **options)
        assert got == answer(reference.dynamic_update_slice, tensor, update_tensor, (-3,) * starts, **options)
        labels[got[0]] += 1
    assert labels.total() == 4 * 4 * 6 * 4
    assert {"dus_c1", "dus_c2", "ds_c6", "ds_c7"} <= set(labels)
