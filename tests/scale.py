"""How much of the long tests and of the comparisons is run: SSOP_TEST_SCALE, 1 unless it is set.

It multiplies the examples of each property in the long test stage. Below 1, it is also a share:

- of the cases that are checked in large exhaustive sets, whose tests print how many of how many they checked,
- of the calls without memory, of the known defects of engines,
- of the calls that are compared with each real engine, and of the least counts there,
- of the calls that many threads make at the same time.
"""

import os
from itertools import islice
from random import Random

import pytest

SCALE = float(os.environ.get("SSOP_TEST_SCALE") or 1)
if not 0 < SCALE <= 1000:
    raise ValueError(f"SSOP_TEST_SCALE must be above 0 and at most 1000, not {SCALE:g}")

ONE_CASE_IN = max(1, round(1 / SCALE))


def examples(count):
    """How many of `count` examples this scale asks for, at least one."""
    return max(1, round(count * SCALE))


def floor(count):
    """What must be counted at least, of which all calls or cases give `count`: a share of it, and at least one."""
    return max(1, int(count * min(SCALE, 1)))


def sampled(cases):
    """One of every ONE_CASE_IN successive cases, at random: the period of a loop must not leave a kind of case out."""
    if ONE_CASE_IN == 1:
        yield from cases
        return
    rest, rng = iter(cases), Random(ONE_CASE_IN)
    while successive := list(islice(rest, ONE_CASE_IN)):
        yield rng.choice(successive)


BY_NIGHT = SCALE >= 0.1
"""Whether what takes minutes and what other stages of the checks show, too, is done."""


def one_in_five(cases):
    """What the default test stage has the time for; nothing repeats itself with a period of five."""
    return list(cases)[::5]


def all_in_the_long_tests(function):
    """The test takes one of every five `chosen` cases by default, and `sampled` ones in the long test stage."""
    return pytest.mark.parametrize(
        "chosen", [pytest.param(one_in_five, id="share"), pytest.param(sampled, id="all", marks=pytest.mark.long)]
    )(function)


def count_of_sampled(count):
    """How many cases `sampled` yields of `count`."""
    return -(-count // ONE_CASE_IN)
