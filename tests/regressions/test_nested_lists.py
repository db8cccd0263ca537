"""Lists that hold the same lists again and again: 2**50 items in the memory of 100.

And sequences of users' classes that hold themselves, claim any length, or never end.
"""

from collections import UserList, deque, namedtuple

import numpy as np
import pytest

import child
import ssop
from ssop._core import as_array


def nested(depth):
    inner = []
    for _ in range(depth):
        inner = [inner, inner]
    return inner


CALLS = {
    "copyto": "ssop.copyto(np.zeros(2), [1.0, inner])",
    "clamp": "ssop.xla.clamp(inner, np.zeros(2), 1.0)",
    "pad": "ssop.xla.pad(np.zeros(2), inner, [(0, 0, 0)])",
    "strided_slice": "ssop.strided_slice(inner, [0], [1])",
    "dynamic_update_slice": "ssop.xla.dynamic_update_slice(np.zeros(2), [inner], [0])",
    "objects": "ssop.strided_slice_assign(np.zeros(4, object), [0], [2], [1], inner)",
    "select": "ssop.xla.select(True, inner, np.zeros(4))",
    "select of lists": "ssop.xla.select(True, inner, inner)",
    "select's pred": "ssop.xla.select(inner, 1.0, 2.0)",
    "clamp's operand": "ssop.xla.clamp(0, inner, 1)",
    "concatenate": "ssop.xla.concatenate([inner, [0.0]], 0)",
    "array without axes": "ssop.copyto(np.zeros(2), boxed(inner))",
    "plan": "ssop.plan(ssop.StridedSliceSpec([0], [2]), (4,), np.float64)(inner)",
    "records": "ssop.copyto(np.zeros(2, 'i4,i4'), inner)",
    "masked value": "ssop.strided_slice_assign(np.ma.zeros(4), [0], [2], [1], inner)",
    "masked select": "ssop.xla.select(inner, np.ma.zeros(2), np.ma.zeros(2))",
    "gradient": "ssop.vjp.select(inner, [True, False])",
    "gradient's pred": "ssop.vjp.select(np.zeros(2), inner)",
    "context": "ssop.shapes.InferenceContext('Op', [[2]], [inner])",
    "tensor": "ssop.shapes.InferenceContext('Op', [[2]]).make_shape_from_tensor(inner, [2])",
}


def visit(call, kind):
    """One of the calls with lists in lists, or in what `kind` says; prints the error that is expected."""

    class Own(list):
        __slots__ = ()

    class Made(list):
        __slots__ = ()

        def __iter__(self):
            return iter(self[:])

    def boxed(x):
        box = np.empty((), object)
        box[()] = x
        return box

    made = {"list": list, "own": Own, "made": Made}[kind]
    inner = made()
    for _ in range(50):
        inner = made([inner, inner])
    try:
        eval(call, {"np": np, "ssop": ssop, "inner": inner, "boxed": boxed})
    except MemoryError as error:
        print(error)


OF_OTHER_KINDS = [(call, kind) for kind in ("own", "made") for call in ("copyto", "select of lists", "context")]


@pytest.mark.parametrize(("call", "kind"), [(call, "list") for call in CALLS] + OF_OTHER_KINDS)
def test_lists_of_lists_are_not_visited_2_to_50_times(call, kind):
    """Neither as an operand nor as a value; in a process of its own, because no signal would end it."""
    told = child.run(visit, CALLS[call], kind)
    assert "nested" in told or (kind == "made" and "too many" in told)


def test_lists_that_hold_the_same_list_are_read():
    row = [0, 1, 2]
    assert ssop.copy([row] * 1000).shape == (1000, 3)
    with pytest.raises(ssop.SliceError):
        ssop.copyto(np.zeros(2), nested(10))


# ---- sequences of users' classes -------------------------------------------------------------------------------------


class Counted:
    """Counts the items that it is asked for, and never ends."""

    MOST = 100

    def __init__(self, length):
        self.length, self.asked = length, 0

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        self.asked += 1
        assert self.asked < self.MOST, "all items are asked for"
        return 1.0


def boxed(x):
    box = np.empty((), object)
    box[()] = x
    return box


@pytest.mark.parametrize("place", ["alone", "in a list", "in a deque"])
@pytest.mark.parametrize("call", [call for call in CALLS if call != "plan"])  # which takes lists only
def test_a_sequence_that_claims_any_length_is_not_read(call, place):
    claiming = Counted(10**9)
    given = {"alone": claiming, "in a list": [claiming, [1.0]], "in a deque": deque([claiming])}[place]
    with pytest.raises(MemoryError, match="too many items"):
        eval(CALLS[call], {"np": np, "ssop": ssop, "inner": given, "boxed": boxed})
    assert claiming.asked == 0


def test_a_sequence_is_read_as_far_as_its_length_says():
    assert ssop.copy(Counted(3)).tolist() == [1.0, 1.0, 1.0]
    out = np.zeros((2, 2), np.float16)
    ssop.copyto(out, [Counted(2), (1, 2)])
    assert out.tolist() == [[1, 1], [1, 2]]


class Items:
    """A sequence without __iter__."""

    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


class Keys(Items):
    """A mapping that says it has a length."""

    def __getitem__(self, index):
        raise KeyError(index)


class NoLength(Items):
    def __len__(self):
        raise ValueError("no length")


class Interrupted(Items):
    def __len__(self):
        raise KeyboardInterrupt


class Converted(Items):
    def __array__(self, dtype=None, copy=None):
        return np.array([7, 8])


Point = namedtuple("Point", "a b")


class Turned(tuple):
    __slots__ = ()

    def __iter__(self):
        return iter(self[::-1])


@pytest.mark.parametrize(
    "given",
    [
        range(5),
        deque([1.5, 2]),
        UserList([[1], [2]]),
        [Point(1, 2), Point(3, 4)],
        [range(2), deque([3, 4]), [5, 6], Items(7, 8)],
        Items(Items(1, 2), np.array([3, 4])),
        Converted(1),
        [Converted(1), [1, 2]],
        [Turned((1, 2)), (3, 4)],
        ["ab", "c"],
        [b"ab", np.str_("c")],
        [Items("ab", "c")],
        [memoryview(b"ab"), [1, 2]],
        [[[[[[[[[[[[[[[[deque([1])]]]]]]]]]]]]]]]],
        Keys(1),
        [Keys(1)],
        [NoLength(1), NoLength(2)],
        Items(),
    ],
    ids=range(18),
)
def test_sequences_are_read_as_numpy_does(given):
    expected, found = np.asarray(given), as_array(given)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert found.tolist() == expected.tolist()


def test_errors_of_the_object_are_raised():
    with pytest.raises(KeyboardInterrupt):
        as_array([Interrupted(1)])
    with pytest.raises(ValueError, match="inhomogeneous"):
        as_array([Items(1, 2), [1]])

    class Looked(Items):
        def __getattr__(self, name):
            raise OSError(name)

    with pytest.raises(OSError, match="__array_struct__"):
        as_array(Looked(1))


def test_objects_keep_their_items():
    """In an array of objects, a sequence of another length than the others is an item itself."""
    items = Items(1, 2), [1, 2, 3]
    out = np.zeros(2, object)
    ssop.copyto(out, list(items))
    assert out[0] is items[0] and out[1] is items[1]


def test_tuples_are_records_by_what_they_store():
    out = np.zeros(2, "i4,i4")
    ssop.copyto(out, [Turned((1, 2)), Point(3, 4)])
    assert out.tolist() == [(1, 2), (3, 4)]


def test_a_sequence_that_holds_itself_ends():
    class Endless(Items):
        def __getitem__(self, index):
            return self if index < 2 else self.items[index]

    with pytest.raises(MemoryError, match="too many items"):
        as_array(Endless(1, 2))


def test_a_list_that_changes_while_it_is_read_is_read_as_it_is():
    whole = []

    class Emptying(Items):
        def __len__(self):
            whole.clear()
            return 1

    whole += [Emptying(1), [2], [3]]
    assert as_array(whole).tolist() == [[1]]


def test_arrays_of_subclasses_become_base_arrays():
    whole = np.arange(2).view(np.recarray)
    made = as_array(whole)
    assert type(made) is np.ndarray and np.shares_memory(made, whole)
    assert as_array(made) is made and as_array(np.int8(3)).dtype == np.int8
