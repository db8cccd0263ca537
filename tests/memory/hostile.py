"""Objects that no function expects, by kind: each kind makes a new object for each call.

What an object raises of its own bears a mark, so that it is told from the errors of the function that was called. Where
Python or NumPy raises because of what an object is, as ValueError for a negative length, its kind names the error.
"""

import collections
import ctypes
import enum
import itertools
import operator
import types
import weakref
from typing import NamedTuple

import numpy as np

import ssop

PARTS = [np.void(b"abc"), np.str_("x"), np.datetime64("NaT", "s"), np.timedelta64(3, "D"), np.bool(True), np.int8(-1)]
NUMBERS = [np.uint64(2**64 - 1), np.float32("nan"), np.float64(2.0), np.longdouble(1), np.complex64(1j), np.int64(2)]
INTEGERS = [2**31, 2**63 - 1, -(2**63), 2**63, 2**70, -(2**70), 10**5000, -1, 64, 65, 128]
FLOATS = [float("nan"), float("inf"), -0.0, 1.5, 2.0, 1e308, 1j]
TYPES = [int, list, type, object, np.ndarray, np.int64, np.dtype, types.GeneratorType, ssop.Region, ssop.SliceError]
DTYPES = [
    np.dtype("i4"),
    np.dtype(object),
    np.dtype([(("title", "a"), "i2")]),
    np.dtypes.StringDType(),
    np.dtypes.Int8DType,
]
SINGLE = [None, Ellipsis, NotImplemented, True, False]
TEXTS = ["", "\ud800", "a\0b", "\x1b[31m", "tf", "clamp", "x" * 10_000, "7", "é"]
CALLABLES = [lambda *_, **__: None, print, len, operator.index, np.add, ssop.copy]


class Own:
    """Raises errors that bear a mark."""

    def fail(self, *_, **__):
        error = type(self).error("of the object")
        error.of_the_object = True
        raise error


def raising(rng, *names):
    """An object with these methods, which raise one of the errors that calling code may take for its own."""
    error = rng.choice([Exception, ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError])
    error = rng.choice([error, StopIteration, KeyError, MemoryError]) if "__iter__" not in names else error
    return type("Raising", (Own,), dict.fromkeys(names, Own.fail) | {"error": error})()


def answering(**methods):
    """An object whose methods return these values, whatever they are asked."""

    def constant(value):
        return lambda *_, **__: value

    methods = {f"__{name}__": constant(value) for name, value in methods.items()}
    return type("Answering", (), methods)()


class Endless:
    def __getitem__(self, _):
        return 0


class Huge(Endless):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length


class Iterable:
    """Iterable without a length; `__iter__` gives the same iterator again and again."""

    def __init__(self, iterator):
        self.iterator = iterator

    def __iter__(self):
        return self.iterator


class Recursive:
    """Each method asks the same of the object once more."""

    def __index__(self):
        return operator.index(self)

    def __len__(self):
        return len(self)

    def __getitem__(self, item):
        return self[item]

    def __iter__(self):
        return iter(self)

    def __eq__(self, other):
        return self == other

    def __hash__(self):
        return hash(self)

    def __repr__(self):
        return repr(self)

    def __array__(self, *_, **__):
        return np.asarray(self)


class Emptying:
    """Empties the list that it is in, and says that it is 1."""

    def __init__(self):
        self.victims = []

    def act(self):
        for victim in self.victims:
            victim.clear()
        return 1

    def __index__(self):
        return self.act()

    def __len__(self):
        return self.act()

    def __eq__(self, other):
        return bool(self.act())

    def __hash__(self):
        return self.act()

    def __repr__(self):
        return str(self.act())


class LyingList(list):
    """Another length and other items than those that it has."""

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([1, 0, 0, 2, 7])

    def __getitem__(self, item):
        return "x"


class LyingTuple(tuple):
    __slots__ = ()

    def __len__(self):
        return 5


class LyingText(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("mode")


class LyingBytes(bytes):
    def __len__(self):
        return 100


class LyingInt(int):
    def __index__(self):
        return 2**70

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class Disguised:
    """Says that it is of another class."""

    def __init__(self, disguise):
        self.disguise = disguise

    @property
    def __class__(self):
        return self.disguise


class Anything:
    """Has every attribute, and each of them is the object itself."""

    def __getattr__(self, name):
        return self

    def __call__(self, *_, **__):
        return self


class Weird(enum.IntEnum):
    LARGE = 2**70
    ONE = 1

    def __index__(self):
        return 2**65


class Flags(enum.Flag):
    A = 1
    B = 2


class Array(np.ndarray):
    """An array that forgets where it came from and whose items are strings."""

    def __array_finalize__(self, _):
        return None

    def __getitem__(self, _):
        return "x"

    def __len__(self):
        return 10**9


class Mapping(collections.abc.Mapping, Own):
    error = ValueError

    def __getitem__(self, key):
        return self.fail()

    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 10**9


def nested(depth, fan):
    inner = []
    for _ in range(depth):
        inner = [inner] * fan
    return inner


def self_containing(kind):
    whole = kind()
    whole[0:0] = [whole, whole]
    return whole


def self_mapping():
    whole = {}
    whole["x"] = whole[0] = whole
    return whole


def dead_proxy():
    return weakref.proxy(type("Gone", (), {})())


def rank_64(rng):
    return np.zeros([1] * 64, rng.choice(["i1", object]))


def array(rng):
    frozen = np.arange(6)
    frozen.flags.writeable = False
    holding = np.empty(2, object)
    holding[:] = [raising(rng, "__index__", "__eq__", "__repr__"), holding]
    return rng.choice(
        [
            np.array(3),
            np.array(2.0),
            np.empty((0, 2**40), np.int8),
            np.empty(0),
            frozen,
            holding,
            np.zeros(2, [("a", "i2"), ("b", object)]),
            np.array(["a", "b"], np.dtypes.StringDType()),
            np.arange(12).view(Array).reshape(3, 4),
            np.broadcast_to(np.int64(1), (2**40, 2)),
            np.arange(4, dtype=">i8")[::-1],
            np.zeros(3, "M8[s]"),
            np.zeros((2, 2), bool),
            np.array([1, 2], np.uint64) + np.uint64(2**63),
            np.zeros(4, "V0"),
            np.matrix([[1, 2]]),
            np.rec.array([(1, 2.0)], dtype=[("x", "i4"), ("y", "f8")]),
            rank_64(rng),
        ]
    )


def masked(rng):
    return rng.choice([np.ma.masked, np.ma.array([1, 2], mask=[0, 1]), np.ma.array(1, mask=True)])


def interface(rng):
    """What it says of its memory is wrong, but not where it is: NumPy could not stand that."""
    good = {"shape": (2,), "typestr": "<i8", "data": b"\0" * 16, "version": 3}
    bad = {"shape": (-1,), "typestr": "no", "data": 5, "version": "x", "descr": 7}
    name = rng.choice([*bad, None])
    value = good if name is None else good | {name: bad[name]}
    if rng.random() < 0.2:
        return answering(array_struct=7)
    described = answering()
    type(described).__array_interface__ = value
    return described


def foreign(rng):
    wrong = rng.choice([answering(dlpack=7, dlpack_device=(1, 0)), answering(dlpack=None, dlpack_device="x")])
    return rng.choice([wrong, raising(rng, "__dlpack__", "__dlpack_device__")])


def of_ssop(rng):
    spec = ssop.StridedSliceSpec([0, 1], [2, 3])
    shapes = [ssop.shapes.PartialShape([2, None, (1, 4)]), ssop.shapes.Dim((0, 3))]
    made = [spec.resolve((3, 4)), ssop.plan(spec, (3, 4), "i8"), spec.explain((3, 4))]
    return rng.choice([spec, *shapes, *made, ssop.shapes.InferenceContext("Op", [[2, 3]])])


def generator(rng):
    def failing():
        yield 1
        Own.fail(raising(rng))

    return rng.choice([failing(), (item for item in ()), (item for item in (0, 1)), iter([2, 1])])


def deep(rng):
    return rng.choice([nested(50, 2), nested(50_000, 1), nested(60, 1), nested(3, 200), [1.0, nested(50, 2)]])


def slices(rng):
    item = rng.choice([raising(rng, "__index__"), answering(index="x"), Recursive(), 2**70, 1.5, "x"])
    return rng.choice([slice(item), slice(None, None, item), slice(0, 2), (slice(None), item), (..., ...)])


def wrong_length(rng):
    return rng.choice([Huge(-1), Huge(2**70), Huge("x"), answering(len=2.5, getitem=0)])


class Kind(NamedTuple):
    make: object  # of a generator of random numbers
    raises: tuple = ()  # what Python or NumPy raise where they use such an object
    is_endless: bool = False  # numpy.asarray reads it without end


def some_of(values):
    return lambda rng: rng.choice(values)


KINDS = {
    "endless iterator": Kind(lambda rng: rng.choice([itertools.count(), itertools.repeat([])]), is_endless=True),
    "endless iterable": Kind(lambda _: Iterable(itertools.count()), is_endless=True),
    # Among other elements it has no length that NumPy could see: "inhomogeneous".
    "endless sequence": Kind(lambda _: Endless(), (ValueError,), is_endless=True),
    "sequence of 10**9 items": Kind(lambda _: Huge(10**9), is_endless=True),
    "wrong length": Kind(wrong_length, (ValueError, OverflowError, TypeError)),
    "lying list": Kind(lambda rng: rng.choice([LyingList([1, 2]), LyingTuple([1, 2])]), (IndexError,)),
    "raising index": Kind(lambda rng: raising(rng, "__index__", "__int__")),
    "raising length": Kind(lambda rng: raising(rng, "__len__", "__getitem__")),
    "raising item": Kind(
        lambda rng: type("", (Huge,), {"__getitem__": Own.fail, "error": rng.choice([ValueError, KeyError])})(2)
    ),
    "raising iterator": Kind(lambda rng: rng.choice([raising(rng, "__iter__"), Iterable(raising(rng, "__next__"))])),
    "raising comparison": Kind(lambda rng: raising(rng, "__eq__", "__hash__", "__bool__", "__ne__", "__lt__")),
    "raising array": Kind(lambda rng: raising(rng, "__array__")),
    "raising text": Kind(lambda rng: raising(rng, "__repr__", "__str__", "__format__")),
    "raising attribute": Kind(lambda rng: raising(rng, "__getattribute__")),
    "lying index": Kind(lambda rng: answering(index=rng.choice(["x", 2**70, 1.0, None])), (TypeError,)),
    "lying comparison": Kind(
        lambda rng: answering(eq=rng.choice([np.ones(3), "x", None, True]), hash=1), (ValueError,)
    ),
    "lying hash": Kind(lambda _: answering(hash="x"), (TypeError,)),
    "lying array": Kind(lambda rng: answering(array=rng.choice(["x", None, [1], np.zeros(2, object)])), (ValueError,)),
    "lying text": Kind(lambda rng: answering(repr=3, str=rng.choice([3, None])), (TypeError,)),
    "lying truth": Kind(lambda _: answering(bool=2), (TypeError,)),
    "lying class": Kind(
        lambda rng: Disguised(rng.choice([int, np.ndarray, dict, list, str, ssop.Region, ssop.StridedSliceSpec])),
        (AttributeError, TypeError),
    ),
    "recursive": Kind(lambda _: Recursive(), (RecursionError,), is_endless=True),
    "emptying": Kind(lambda _: Emptying()),
    "array interface": Kind(interface, (ValueError, TypeError)),
    "dlpack": Kind(foreign),
    "list in itself": Kind(
        lambda rng: self_containing(rng.choice([list, collections.UserList])), (RecursionError,), True
    ),
    "deep list": Kind(deep, (RecursionError, ValueError), True),
    "large integer": Kind(some_of(INTEGERS)),
    "float": Kind(some_of(FLOATS)),
    "bytes": Kind(lambda rng: rng.choice([b"\x01\x02", LyingBytes(b"ab"), bytearray(b"ab"), memoryview(b"abcd")])),
    "text": Kind(some_of(TEXTS)),
    "text of a subclass": Kind(lambda rng: LyingText(rng.choice(TEXTS))),
    "integer of a subclass": Kind(lambda _: LyingInt(1)),
    "array": Kind(array),
    "masked": Kind(masked),
    "dtype": Kind(some_of(DTYPES)),
    "type": Kind(some_of(TYPES)),
    "generator": Kind(generator),
    "enum": Kind(lambda rng: rng.choice([Weird.LARGE, Weird.ONE, Flags.A | Flags.B, Weird]), (KeyError,)),
    "singleton": Kind(some_of(SINGLE)),
    "numpy scalar": Kind(some_of([*PARTS, *NUMBERS])),
    "mapping": Kind(lambda rng: rng.choice([{}, {0: 1}, types.MappingProxyType({"a": 1}), self_mapping()])),
    "endless mapping": Kind(lambda _: Mapping(), is_endless=True),
    "callable": Kind(some_of(CALLABLES)),
    "slice": Kind(slices),
    "of ssop": Kind(of_ssop),
    "shape without a length": Kind(lambda _: ssop.shapes.PartialShape(None), (ValueError,)),
    "half made": Kind(lambda _: object.__new__(ssop.StridedSliceSpec), (AttributeError,)),
    "every attribute": Kind(lambda _: Anything()),
    "dead": Kind(lambda _: dead_proxy(), (ReferenceError,)),
    "set": Kind(lambda rng: rng.choice([set(), {1, 2}, frozenset([0])])),
    "ctypes": Kind(lambda rng: rng.choice([(ctypes.c_long * 3)(1, 2, 3), ctypes.c_int(4), (ctypes.c_char * 0)()])),
}
