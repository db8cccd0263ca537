"""Deferred arrays, in whose place C functions ask for the array itself when all other arguments have been read."""

import sys

import numpy as np
import pytest

import ssop
from ssop import _core, xla

X = np.arange(12.0).reshape(3, 4)


class Zero:
    """An integer that notes when it is asked for."""

    def __init__(self, notes):
        self.notes = notes

    def __index__(self):
        self.notes.append("index")
        return 0


def call_operand(array, zero):
    return ssop.slice(array(X), [zero, 1], [2, 3])


def call_value(array, zero):
    return ssop.dynamic_update_slice(array(X), array(np.ones((2, 2))), [zero, 1])


def call_out(array, zero):
    return ssop.slice(X, [zero, 1], [2, 3], out=array(np.zeros((2, 2))))


def call_destination(array, zero):
    return ssop.strided_slice_assign(array(X.copy()), [zero], [1], [1], array(np.ones(4)))


def call_sequence(array, zero):
    return xla.concatenate([array(X), X, array(X)], zero, out=array(np.zeros((9, 4))))


CALLS = [call_operand, call_value, call_out, call_destination, call_sequence]


@pytest.mark.parametrize("call", CALLS)
def test_arrays_are_asked_for_once_and_last(call):
    notes = []
    found = call(lambda x: _core.Deferred(lambda y: notes.append("array") or y, x), Zero(notes))
    first = notes.index("array")
    assert set(notes[:first]) == {"index"}
    assert set(notes[first:]) == {"array"}
    assert np.array_equal(found, call(lambda x: x, 0))
    assert len(notes) - first == {call_value: 2, call_destination: 2, call_sequence: 3}.get(call, 1)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_of_the_function_ends_the_call(call, failing):
    made, kept = [], np.zeros((3, 4))
    before = sys.getrefcount(kept), sys.getrefcount(X)

    def deferred(x):
        made.append(x)
        return _core.Deferred(give, x, len(made) - 1, kept)

    def give(x, number, kept):
        if number == min(failing, len(made) - 1):
            raise KeyError(number)
        return x

    for _ in range(20):
        made.clear()
        with pytest.raises(KeyError):
            call(deferred, 0)
    made.clear()
    assert (sys.getrefcount(kept), sys.getrefcount(X)) == before


@pytest.mark.parametrize("call", [call_out, call_destination])
@pytest.mark.parametrize("given", ["text", object(), (1, 2)])
def test_only_an_array_is_written_to(call, given):
    with pytest.raises(ssop.SliceTypeError) as info:
        call(lambda x: _core.Deferred(lambda: given), 0)
    assert info.value.label == "out_c1"


def test_a_function_is_needed():
    with pytest.raises(TypeError, match="takes a function"):
        _core.Deferred()
    with pytest.raises(TypeError, match="takes a function"):
        _core.Deferred(len, x=1)
