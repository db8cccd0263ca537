"""Lists and tuples whose iterators never end, where Python code reads them before the core does."""

import signal
from contextlib import contextmanager

import numpy as np
import pytest

import ssop

SECONDS = 10


def endless(kind):
    class Endless(kind):
        def __iter__(self):
            return iter(int, 1)

    return Endless


@contextmanager
def limited():
    """Let a call that does not end fail its test."""

    def late(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


CALLS = {
    "a shape of explain": lambda kind: str(ssop.explain(kind([6, 4]), [1], [3])),
    "a partial shape of explain": lambda kind: str(ssop.explain(kind(["n", 4]), [1], [3])),
    "calls of convert": lambda kind: str(ssop.convert(kind([np.s_[1:]]), "tf")),
    "calls of equal": lambda kind: ssop.convert.equal(kind([np.s_[1:]]), kind([np.s_[1:]]), shape=[4]).equal,
}


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("call", CALLS)
def test_the_items_that_it_holds_are_read(call, kind):
    with limited():
        assert CALLS[call](endless(kind)) == CALLS[call](kind)


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_integers_is_no_call(kind):
    with limited(), pytest.raises(ssop.SliceError):
        ssop.convert(endless(kind)([1.5]), "tf")
