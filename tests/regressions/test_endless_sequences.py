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


def doubled(times):
    calls = [np.s_[1:]]
    for _ in range(times):
        calls = [calls, calls]
    return calls


def deep(times):
    calls = [np.s_[1:]]
    for _ in range(times):
        calls = [calls]
    return calls


def cyclic():
    calls = [np.s_[1:]]
    calls.append(calls)
    return calls


@pytest.mark.parametrize("calls", [doubled(40), cyclic(), deep(20_000), [[np.s_[1:]] * 20_000]])
def test_lists_of_lists_that_have_calls_without_bound(calls):
    with limited(), pytest.raises(ssop.SliceTypeError, match=r"more than 10000.*\[cv_c3\]"):
        ssop.convert(calls, "tf")


def test_lists_of_lists():
    """In their order, also of a list that stands in another several times."""
    pair = [np.s_[1:], np.s_[::2]]
    one, two = ssop.convert([pair, [[np.s_[:3]], pair]], "tf", shape=[9]), [*pair, np.s_[:3], *pair]
    assert str(one) == str(ssop.convert(two, "tf", shape=[9]))
    assert str(ssop.convert(deep(5_000), "tf", shape=[9])) == str(ssop.convert(np.s_[1:], "tf", shape=[9]))
