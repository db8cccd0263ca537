"""E7 for the dynamic operations: a window that wraps is two copies, and the first must not spoil the second."""

import numpy as np
import pytest

import ssop
from exhaustive.spaces import views_of

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


@pytest.mark.parametrize("in_place", [False, True])
def test_e7_dynamic_update_slice_among_views(in_place):
    """In place, and into any other view of the memory that operand and update lie in."""
    before = np.arange(LENGTH)
    memory, expected = before.copy(), before.copy()
    triples = list(zip(views_in(memory), views_in(expected), views_in(before), strict=True))
    compared = 0
    for operand, operand_in_numpy, operand_before in triples:
        dim = len(operand)
        outs = [(operand, operand_in_numpy)] if in_place else [pair[:2] for pair in triples if len(pair[0]) == dim]
        for update, _, update_before in triples:
            size = len(update)
            for start in range(dim if 0 < size <= dim else 0):
                for out, out_in_numpy in outs:
                    result = ssop.dynamic_update_slice(operand, update, (start,), out_of_bounds="wrap", out=out)
                    out_in_numpy[...] = operand_before
                    out_in_numpy[np.arange(start, start + size) % dim] = update_before
                    assert result is out and memory.tobytes() == expected.tobytes(), (dim, size, start)
                    memory[:] = expected[:] = before
                    compared += 1
    assert compared == (48_628 if in_place else 1_709_336)
