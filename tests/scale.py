"""How much of the long tests is run: SSOP_TEST_SCALE, 1 unless it is set.

It multiplies the examples of each property in the long test stage. Below 1, it is also the share that is checked of the
exhaustive sets of millions of cases; their tests print how many of how many cases they checked.
"""

import os
from itertools import islice
from random import Random

SCALE = float(os.environ.get("SSOP_TEST_SCALE") or 1)
if not 0 < SCALE <= 1000:
    raise ValueError(f"SSOP_TEST_SCALE must be above 0 and at most 1000, not {SCALE:g}")

ONE_CASE_IN = max(1, round(1 / SCALE))


def examples(count):
    """How many of `count` examples this scale asks for, at least one."""
    return max(1, round(count * SCALE))


def sampled(cases):
    """One of every ONE_CASE_IN successive cases, at random: the period of a loop must not leave a kind of case out."""
    if ONE_CASE_IN == 1:
        yield from cases
        return
    rest, rng = iter(cases), Random(ONE_CASE_IN)
    while successive := list(islice(rest, ONE_CASE_IN)):
        yield rng.choice(successive)


def count_of_sampled(count):
    """How many cases `sampled` yields of `count`."""
    return -(-count // ONE_CASE_IN)
