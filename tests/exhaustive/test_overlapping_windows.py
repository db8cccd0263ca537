"""E7 for the dynamic operations: a window that wraps is two copies, and the first must not spoil the second."""

import numpy as np
import pytest

import ssop
from exhaustive.spaces import views_of
from scale import count_of_sampled, sampled

LENGTH = 7
VIEWS = list(views_of(LENGTH))


def views_in(buffer):
    return [buffer[start::step][:count] for start, step, count in VIEWS]


def test_e7_dynamic_slice_into_its_operand():
    before = np.arange(LENGTH)
    memory, expected = before.copy(), before.copy()
    compared = 0
    for operand, untouched in zip(views_in(memory), views_in(before), strict=True):
        dim = len(operand)
        for out, out_in_numpy in zip(views_in(memory), views_in(expected), strict=True):
            size = len(out)
            for start in range(dim if size <= dim else 0):
                result = ssop.dynamic_slice(operand, (start,), (size,), out_of_bounds="wrap", out=out)
                out_in_numpy[...] = np.roll(untouched, -start)[:size]
                assert result is out and memory.tobytes() == expected.tobytes(), (dim, size, start)
                memory[:] = expected[:] = before
                compared += 1
    assert compared == 82_340


def updates(triples, in_place):
    """Operand, update, start and `out` of every update of a window, `out` among all views of the operand's length."""
    for operand in triples:
        dim = len(operand[0])
        outs = [operand] if in_place else [triple for triple in triples if len(triple[0]) == dim]
        for update in triples:
            for start in range(dim if 0 < len(update[0]) <= dim else 0):
                for out in outs:
                    yield operand, update, start, out


@pytest.mark.parametrize(
    ("in_place", "choose", "count"),
    [
        pytest.param(True, iter, 48_628, id="in place"),
        pytest.param(False, sampled, count_of_sampled(1_709_336), id="into any view", marks=pytest.mark.long),
    ],
)
def test_e7_dynamic_update_slice_among_views(in_place, choose, count, report):
    """In place, and into any other view of the memory that operand and update lie in."""
    before = np.arange(LENGTH)
    memory, expected = before.copy(), before.copy()
    triples = list(zip(views_in(memory), views_in(expected), views_in(before), strict=True))
    compared = 0
    for operand, update, start, out in choose(updates(triples, in_place)):
        dim, size = len(operand[0]), len(update[0])
        result = ssop.dynamic_update_slice(operand[0], update[0], (start,), out_of_bounds="wrap", out=out[0])
        out[1][...] = operand[2]
        out[1][np.arange(start, start + size) % dim] = update[2]
        assert result is out[0] and memory.tobytes() == expected.tobytes(), (dim, size, start)
        memory[:] = expected[:] = before
        compared += 1
    assert compared == count
    if not in_place:
        report(f"E7, updates into any view: {compared:,} of 1,709,336")
