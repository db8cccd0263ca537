"""sh_s5 .. sh_s7: arithmetic of dims over every pair of small intervals; tight results are the smallest intervals.

Each result is compared with all results of single numbers, which the same functions give for known dims.
"""

from itertools import combinations_with_replacement, product

import pytest

import ssop
from ssop._core import Dim, PartialShape

LARGEST = 6
INTERVALS = list(combinations_with_replacement(range(LARGEST + 1), 2))
NUMBERS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b if a >= b else None,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a // b if b else None,
    "divide evenly": lambda a, b: a // b if b and a % b == 0 else None,
    "minimum": min,
    "maximum": max,
}
ERRORS = {"subtract": {"sh_c12"}, "divide": {"sh_c15"}, "divide evenly": {"sh_c15", "sh_c16"}}


def outcome(name, a, b, mode):
    method, *evenly = name.split()
    try:
        return getattr(a, method)(b, mode=mode, **({"evenly": True} if evenly else {}))
    except ssop.SliceError as error:
        assert error.label in ERRORS[name], (name, a, b)
        return None


def is_unknown(dim):
    return dim.value is None and dim.interval == (0, None)


@pytest.mark.parametrize("name", NUMBERS)
def test_sh_s5_sh_s6_sh_s7_every_pair_of_small_intervals(name):
    number, compared, rejected = NUMBERS[name], 0, 0
    for (lo, hi), (low, high) in product(INTERVALS, INTERVALS):
        x, y = Dim((lo, hi)), Dim((low, high))
        pairs = product(range(lo, hi + 1), range(low, high + 1))
        for b, choices in ((y, list(pairs)), (x, [(n, n) for n in range(lo, hi + 1)])):
            if b is x and (low, high) != (0, 0):
                continue  # once is enough
            results = [n for n in (number(*pair) for pair in choices) if n is not None]
            tight, tf = outcome(name, x, b, "tight"), outcome(name, x, b, "tf")
            compared += 1
            if not results:
                rejected += 1
                exact = name != "divide evenly" or b.value is not None
                assert tight is None or not exact, (name, x, b)
                continue
            assert tight is not None and tf is not None, (name, x, b)
            hull = min(results), max(results)
            if name == "divide evenly" and b.value is None and b is not x:  # sound, and no more
                assert tight.interval[0] <= hull[0] and hull[1] <= tight.interval[1], (name, x, b)
            else:
                assert tight.interval == hull, (name, x, b)
            for other in (x, b):  # what keeps an identity is that very number
                if tight.id and tight.same_as(other):
                    assert all(result == pair[other is b] for result, pair in zip(results, choices, strict=False))
            known = x.value is not None and b.value is not None
            assert tf.interval == hull if known else is_unknown(tf) or tf.value == hull[0] or tf in (x, b), (name, x, b)
    assert compared == len(INTERVALS) ** 2 + len(INTERVALS) == 28 * 29
    assert (rejected > 0) == (name in ERRORS)


def test_sh_s12_num_elements_of_every_pair_and_triple():
    compared = 0
    for rank in (0, 1, 2, 3):
        for box in product(INTERVALS if rank < 3 else INTERVALS[::3], repeat=rank):
            products = 1, 1
            for lo, hi in box:
                products = products[0] * lo, products[1] * hi
            assert PartialShape(box).num_elements().interval == products, box
            compared += 1
    assert compared == 1 + 28 + 28**2 + 10**3


def test_sh_s3_sh_s4_every_pair_of_small_intervals():
    compared = conflicts = 0
    for (lo, hi), (low, high) in product(INTERVALS, INTERVALS):
        a, b = Dim((lo, hi)), Dim((low, high))
        assert a.relax(b).interval == (min(lo, low), max(hi, high))
        common = set(range(lo, hi + 1)) & set(range(low, high + 1))
        compared += 1
        if common:
            assert a.merge(b).interval == (min(common), max(common))
            continue
        conflicts += 1
        with pytest.raises(ssop.SliceValueError, match="Dimensions must be equal") as caught:
            a.merge(b)
        assert caught.value.label == "sh_c3"
    assert compared == 28**2 and conflicts == 2 * 126
