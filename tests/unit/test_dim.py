"""Dim: what it is made of, its parts, identity, arithmetic, copies and pickles."""

import copy
import operator
import pickle

import numpy as np
import pytest

from ssop._core import Dim, SliceError

LARGEST = 2**63 - 1
UNKNOWN, SOME, MANY = Dim(), Dim((1, 4)), Dim((2, None))


class Index:
    def __index__(self):
        return 3


# ---- construction and parts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "value", "interval", "written", "shown"),
    [
        (3, 3, (3, 3), "Dim(3)", "3"),
        (0, 0, (0, 0), "Dim(0)", "0"),
        (2**40, 2**40, (2**40, 2**40), f"Dim({2**40})", str(2**40)),
        (None, None, (0, None), "Dim(None)", "?"),
        ((1, 4), None, (1, 4), "Dim((1, 4))", "1..4"),
        ((0, 4), None, (0, 4), "Dim((0, 4))", "0..4"),
        ((4, 4), 4, (4, 4), "Dim(4)", "4"),
        ((2, None), None, (2, None), "Dim((2, None))", "2.."),
        ((0, None), None, (0, None), "Dim(None)", "?"),
        ((None, 4), None, (0, 4), "Dim((0, 4))", "0..4"),
        ((None, None), None, (0, None), "Dim(None)", "?"),
        ((Index(), np.int8(5)), None, (3, 5), "Dim((3, 5))", "3..5"),
        (np.int64(3), 3, (3, 3), "Dim(3)", "3"),
        (np.array(3, ">u2"), 3, (3, 3), "Dim(3)", "3"),
        (Index(), 3, (3, 3), "Dim(3)", "3"),
    ],
)
def test_sh_s1_what_dims_are_made_of(given, value, interval, written, shown):
    dim = Dim(given)
    assert (dim.value, dim.interval, repr(dim), str(dim)) == (value, interval, written, shown)
    assert (dim.id == 0) == (value is not None)
    assert eval(repr(dim)) == dim


def test_a_dim_is_returned_itself():
    for dim in (UNKNOWN, SOME, Dim(3)):
        assert Dim(dim) is dim
        assert Dim(value=dim) is dim


def test_identities_differ():
    made = [Dim(), Dim(None), Dim((1, 4)), Dim((1, 4))]
    assert len({dim.id for dim in made}) == 4
    assert all(dim.id > 0 for dim in made)


def test_parts_cannot_be_changed():
    for name in ("value", "interval", "id", "other"):
        with pytest.raises(AttributeError):
            setattr(UNKNOWN, name, 1)
    with pytest.raises(TypeError):
        type("Sub", (Dim,), {})


def test_equal_dims_hash_equally():
    """The interval counts; the identity does not."""
    assert Dim() == UNKNOWN and hash(Dim()) == hash(UNKNOWN)
    assert Dim((1, 4)) == SOME and not Dim((1, 4)) != SOME
    assert Dim((1, 4)) != Dim((1, 5)) and Dim(3) != UNKNOWN
    assert len({Dim(3), Dim((3, 3)), Dim(4), Dim(), Dim()}) == 3
    assert Dim(3) != 3 and Dim() != None  # noqa: E711
    with pytest.raises(TypeError):
        operator.lt(Dim(3), Dim(4))


def test_same_as():
    assert UNKNOWN.same_as(UNKNOWN) and not UNKNOWN.same_as(Dim())
    assert Dim(3).same_as(3) and Dim(3).same_as(other=Dim(3)) and not Dim(3).same_as(4)
    assert not SOME.same_as((1, 4))


def test_copies_are_the_dim():
    for dim in (UNKNOWN, SOME, Dim(3)):
        assert copy.copy(dim) is dim
        assert copy.deepcopy([dim])[0] is dim


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_keep_the_interval(protocol):
    for dim in (UNKNOWN, SOME, MANY, Dim(3)):
        again = pickle.loads(pickle.dumps(dim, protocol))
        assert type(again) is Dim and again == dim
        assert again.same_as(dim) == (dim.value is not None)
    twice = pickle.loads(pickle.dumps([UNKNOWN, UNKNOWN], protocol))
    assert twice[0] is twice[1]


# ---- merge and relax -------------------------------------------------------------------------------------------------


def test_sh_s3_merge_gives_one_of_the_two_if_it_says_as_much():
    assert UNKNOWN.merge(SOME) is SOME
    assert SOME.merge(UNKNOWN) is SOME
    assert UNKNOWN.merge(Dim()) is UNKNOWN
    three = Dim(3)
    assert SOME.merge(three) is three
    assert three.merge(3) is three
    assert SOME.merge(None) is SOME
    made = SOME.merge(MANY)
    assert made == Dim((2, 4)) and made.id not in (SOME.id, MANY.id)


def test_sh_s4_relax():
    """Two different dims become a new one, which can be either."""
    three = Dim(3)
    for mode in ("tf", "tight"):
        assert three.relax(3, mode=mode) is three
        assert SOME.relax(SOME, mode=mode) is SOME
    assert SOME.relax(UNKNOWN, mode="tf") is UNKNOWN
    for first, second, hull in (
        (SOME, UNKNOWN, None),
        (three, SOME, (1, 4)),
        (SOME, three, (1, 4)),
        (Dim(2), 5, (2, 5)),
    ):
        relaxed = first.relax(second)
        assert relaxed == first.relax(other=second, mode="tight") == Dim(hull)
        assert not relaxed.same_as(first) and not relaxed.same_as(second)
    assert Dim(2).relax(5, mode="tf") == Dim()


def test_sh_c8_with_value():
    three = Dim(3)
    assert three.with_value(3) is three
    assert SOME.with_value(np.int8(4)) == Dim(4)
    with pytest.raises(SliceError, match="sh_c8"):
        SOME.with_value(5)


# ---- arithmetic ------------------------------------------------------------------------------------------------------

ARITHMETIC = {
    "add": (operator.add, Dim((1, 4)), 2, Dim((3, 6))),
    "subtract": (operator.sub, Dim((5, 9)), 2, Dim((3, 7))),
    "multiply": (operator.mul, Dim((1, 4)), 2, Dim((2, 8))),
    "divide": (operator.floordiv, Dim((5, 9)), 2, Dim((2, 4))),
}


@pytest.mark.parametrize("name", ARITHMETIC)
def test_sh_s5_sh_s6_operators_are_the_methods(name):
    sign, left, right, expected = ARITHMETIC[name]
    assert getattr(left, name)(right) == sign(left, right) == sign(left, Dim(right)) == expected
    assert getattr(left, name)(right, mode="tf") == Dim()
    assert sign(9, Dim(2)) == getattr(Dim(9), name)(2) == Dim(sign(9, 2))
    assert sign(Dim(9), np.int64(2)) == Dim(sign(9, 2))
    assert type(sign(None, Dim(1))) is type(sign((1, 3), Dim(1))) is Dim
    for other in (1.5, "2", [2], True):
        with pytest.raises(TypeError):
            sign(left, other)
        with pytest.raises(TypeError):
            sign(other, left)


def test_sh_s5_sh_s6_operands_that_stay():
    for mode in ("tf", "tight"):
        assert UNKNOWN.add(0, mode=mode) is UNKNOWN
        assert UNKNOWN.subtract(0, mode=mode) is UNKNOWN
        assert UNKNOWN.multiply(1, mode=mode) is UNKNOWN
        assert UNKNOWN.divide(1, mode=mode) is UNKNOWN
        assert UNKNOWN.multiply(0, mode=mode) == Dim(0)
        zero = Dim(0)
        assert zero.add(UNKNOWN, mode=mode) is UNKNOWN
        assert UNKNOWN.multiply(zero, mode=mode) is zero
    assert UNKNOWN - UNKNOWN == Dim(0)
    assert UNKNOWN.subtract(UNKNOWN, mode="tf") == Dim()


def test_sh_s7_minimum_and_maximum():
    assert SOME.minimum(3) == Dim((1, 3)) and SOME.maximum(3) == Dim((3, 4))
    assert SOME.minimum(3, mode="tf") == SOME.maximum(3, mode="tf") == Dim()
    assert UNKNOWN.minimum(0, mode="tf") == Dim(0)
    assert UNKNOWN.minimum(UNKNOWN) is UNKNOWN and UNKNOWN.maximum(UNKNOWN) is UNKNOWN
    assert SOME.minimum(Dim((7, 9))) is SOME


def test_divide_evenly():
    assert Dim(6).divide(3, evenly=True) == Dim(2)
    assert Dim(7).divide(3) == Dim(7).divide(3, evenly=False) == Dim(2)
    assert Dim((6, 9)).divide(3, evenly=True) == Dim((2, 3))
    assert Dim(6).divide((2, 3)) == Dim((2, 3))


def test_wrong_calls():
    for call in (
        lambda: Dim(1, 2),
        lambda: Dim(dim=1),
        lambda: UNKNOWN.merge(),
        lambda: UNKNOWN.merge(1, 2),
        lambda: UNKNOWN.relax(1, "tf"),
        lambda: UNKNOWN.divide(1, True),
        lambda: UNKNOWN.add(1, how="tf"),
    ):
        with pytest.raises(TypeError):
            call()


def test_intervals_without_an_end_stay_without():
    assert (MANY + 3).interval == (5, None)
    assert (MANY * 2).interval == (4, None)
    assert Dim((2, LARGEST)) == MANY
