"""Which of several chains is equal to one: most are refuted by one length; equality is always proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import chain as joined
from math import prod
from typing import NamedTuple, TypeAlias

from ssop._convert.proofs import Difference, Lengths, difference
from ssop._convert.rules import Chain, taken
from ssop._convert.runtime_proofs import RunTimeDifference
from ssop._core import SliceError

Read: TypeAlias = Callable[[Chain], Sequence[Chain]]
"""The steps of a candidate as each engine of the target reads them."""

SAMPLES = 16
"""How many of the shortest lengths, and of long ones, are samples."""
FIRST = 7
"""How many samples are compared before a proof is tried."""


class Refusal(NamedTuple):
    """Why no steps are equal: the best candidate, and where it differs."""

    chain: Chain
    where: Difference


def is_equal(one: Chain, two: Chain, lengths: Lengths) -> bool:
    """Whether `difference` is None of two chains of constants; one of a few lengths refutes most that are not."""
    first = _samples(one, lengths)[:FIRST]
    return not any(_differ(one, two, dim) for dim in first) and difference(one, two, lengths) is None


def first_equal(chain: Chain, candidates: Iterable[Chain], read: Read, lengths: Lengths) -> Chain | Refusal:
    """The first candidate that is equal to a chain on every length as each engine reads it, or the nearest one."""
    first = _samples(chain, lengths)[:FIRST]
    unequal: dict[Chain, None] = {}
    for candidate in candidates:
        if candidate in unequal:
            continue
        if not any(_differ(chain, one, dim) for one in read(candidate) for dim in first):
            if _first_difference(chain, candidate, read, lengths) is None:
                return candidate
        unequal[candidate] = None
    return _nearest(chain, list(unequal), read, lengths)


def _nearest(chain: Chain, unequal: Sequence[Chain], read: Read, lengths: Lengths) -> Refusal:
    """The candidate that is equal on most lengths; of several, the first.

    A candidate that differs on k samples is equal on all lengths but k at most: those behind the best need no proof.
    """
    count = lengths.most - lengths.least + 1
    samples = _samples(chain, lengths)
    queue = [(0, number, 0) for number in range(len(unequal))]
    heapify(queue)
    best: tuple[int, int] | None = None
    found: Refusal | None = None
    while queue:
        differing, number, compared = heappop(queue)
        if best is not None and (count - differing, -number) < best:
            break
        if compared < len(samples):
            behind, one = compared + FIRST, read(unequal[number])[0]
            differing += sum(_differ(chain, one, dim) for dim in samples[compared:behind])
            heappush(queue, (differing, number, behind))
            continue
        where = _first_difference(chain, unequal[number], read, lengths)
        assert where is not None
        size = _size(where)
        if best is None or (size, -number) > best:
            best, found = (size, -number), Refusal(unequal[number], where)
    assert found is not None
    return found


def _first_difference(chain: Chain, candidate: Chain, read: Read, lengths: Lengths) -> Difference | None:
    for one in read(candidate):
        where = difference(chain, one, lengths)
        if where is not None:
            return where
    return None


# ---- with run-time values ------------------------------------------------------------------------------------------

Where: TypeAlias = Difference | RunTimeDifference
NOWHERE_EQUAL = Difference(0, (), "never")


def first_or_nearest(
    candidates: Iterable[Chain], where_differs: Callable[[Chain], Where | None]
) -> Chain | Difference | RunTimeDifference:
    """The first candidate that differs nowhere, or where the one differs that is equal in most cases."""
    nearest: Where = NOWHERE_EQUAL
    for candidate in candidates:
        where = where_differs(candidate)
        if where is None:
            return candidate
        if nearest is NOWHERE_EQUAL or _size(where) > _size(nearest):
            nearest = where
    return nearest


def _size(where: Where) -> int:
    """In how many cases there is no difference."""
    if isinstance(where, RunTimeDifference):
        return where.size
    return sum(lengths.most - lengths.least + 1 for lengths in where.equal or ())


# ---- samples -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _samples(chain: Chain, lengths: Lengths) -> tuple[int, ...]:
    """Lengths on which chains are compared: long ones, the shortest ones, and the longest, in turn."""
    far = max(min(far_length(chain), lengths.most - SAMPLES), lengths.least)
    pairs = joined.from_iterable((far + k, lengths.least + k) for k in range(SAMPLES))
    found = dict.fromkeys((far, lengths.least, lengths.most, *pairs))
    return tuple(dim for dim in found if dim <= lengths.most)


def far_length(chain: Chain) -> int:
    """A length that is longer than what the bounds and strides reach."""
    far = sum(abs(bound) for step in chain for bound in step[1:3] if isinstance(bound, int))
    return far + 2 * abs(prod(step.stride for step in chain))


def _differ(one: Chain, two: Chain, dim: int) -> bool:
    return _at(one, dim) != _at(two, dim)


@lru_cache(maxsize=65536)
def _at(chain: Chain, dim: int) -> tuple[int, int, int] | None:
    """What a chain takes of an axis of this length; None is an error."""
    result = taken(chain, dim)
    return None if isinstance(result, SliceError) else result
