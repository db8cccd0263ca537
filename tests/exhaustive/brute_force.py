"""Whether a target has calls for what a conversion rejects, by trying them all.

Only XLA's functions have no open bounds outside the axis; `ssop.convert` says that there are no calls if none of these
is equal for every dim of an interval.
"""

from functools import cache
from itertools import product
from math import prod

from ssop import SliceError
from ssop._convert.rules import Step, taken

BOUNDS = (None, *range(-9, 10))
STRIDES = (1, 2, 3)
SPAN = 24
"""Dims that are looked at, from the least one. Beyond the greatest bound and two periods, both sides repeat."""


def answers(chain, least):
    """Start, count and step of what the steps take, for each dim from the least one on; None for an error."""
    results = (taken(chain, dim) for dim in range(least, least + SPAN))
    return tuple(None if isinstance(result, SliceError) else result for result in results)


REVERSED = Step("tf", None, None, -1)


def valid(steps, least):
    """Those that are an error on no dim, and of those that give the same one."""
    found = {}
    for step in steps:
        result = answers((step,), least)
        if None not in result:
            found.setdefault(result, step)
    return list(found.values())


@cache
def reachable(least):
    """What programs of up to two slices and windows give, with the axis reversed before, between or behind them."""
    slices = [Step("in_dim", begin, end, stride) for begin, end, stride in product(BOUNDS, BOUNDS, STRIDES)]
    windows = [Step("window", begin, begin + size) for begin, size in product(range(10), range(least + 1))]
    singles = [(step,) for step in valid([*slices, *windows, REVERSED], least)]
    found = {answers((), least): ()}
    for _ in range(3):
        for chain, step in product(list(found.values()), singles):
            if prod(abs(each.stride) for each in chain + step) > STRIDES[-1] ** 2:
                continue  # beyond the dims that are looked at
            result = answers(chain + step, least)
            if None not in result:
                found.setdefault(result, chain + step)
        if len(found) > 2_000:
            break
    return found


def calls_for(chain, least):
    """Steps of XLA that take the same, or None."""
    return reachable(least).get(answers(chain, least))
