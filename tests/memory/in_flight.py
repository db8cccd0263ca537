"""Calls whose arrays are changed by other code while they run, and the judgement of what they did.

A `Call` is an operation with all it needs to be run again and again. It runs once in guarded memory under attack, and
calmly in other memory, from the state before the changes and from each state that they may have left. An attacked call
must end like one of the calm ones, or raise an error and leave every byte as it was.
"""

import functools
import itertools
import warnings

import numpy as np

from memory.attackers import Trigger
from memory.guarded_memory import OrdinaryMemory
from memory.operations import Ints

warnings.filterwarnings("ignore", "Setting the strides on a NumPy array", DeprecationWarning)

GUARD_ITEMS = 8  # on both sides of an array of references, where no page without access can stand
LOOKED_AT_BYTES = 2**20


class Damage(Exception):
    """A call did what no state of its arrays accounts for."""


# ---- arrays ----------------------------------------------------------------------------------------------------------

LAYOUTS = {  # how many items an array of this shape takes, and the array out of a vector of so many
    "C": (lambda shape: _count(shape), lambda items, shape: items.reshape(shape)),
    "F": (lambda shape: _count(shape), lambda items, shape: items.reshape(shape[::-1]).T),
    "reversed": (lambda shape: _count(shape), lambda items, shape: items[::-1].reshape(shape)),
    "stepped": (lambda shape: 2 * _count(shape), lambda items, shape: items.reshape(*shape, 2)[..., 1]),
    "one row": (lambda shape: _count(shape[1:]), lambda items, shape: np.broadcast_to(items.reshape(shape[1:]), shape)),
}


def _count(shape):
    count = 1
    for dim in shape:
        count *= dim
    return count


def moves_as_bytes(dtype):
    return not dtype.hasobject and dtype.kind != "T"


class Stored:
    """An array, and `whole`: all that stands in its memory, as bytes or, for references and strings, as items."""

    def __init__(self, shape, dtype, layout, memory, content, at_end=True):
        self._shape, self._dtype, self._layout, self._content = shape, dtype, layout, content
        self.memory = memory if moves_as_bytes(dtype) else OrdinaryMemory()
        if moves_as_bytes(dtype):
            self.whole = memory.claim(len(content), content, at_end)
        else:
            self.whole = content.copy()
        self.renew()

    def renew(self):
        """Another array on the same memory."""
        vector = self.whole.view(self._dtype) if moves_as_bytes(self._dtype) else self.whole[GUARD_ITEMS:-GUARD_ITEMS]
        self.array = LAYOUTS[self._layout][1](vector, self._shape)

    def move_to(self, other):
        """Leave the own memory for that of another array, which is as large."""
        self.memory, self.whole, self._content = other.memory, other.whole, other._content
        self.renew()

    def refill(self):
        self.whole[:] = self._content

    def has_changed(self):
        return not same_content(self.whole, self._content)


def content_of(shape, dtype, layout, bits):
    """Contents for the memory of an array: `bits` gives so many random bytes."""
    items = LAYOUTS[layout][0](shape)
    if moves_as_bytes(dtype):
        content = np.frombuffer(bits(items * dtype.itemsize), np.uint8)
        return content & 1 if dtype.kind == "b" else content
    content = np.empty(items + 2 * GUARD_ITEMS, dtype)
    words = [f"the word {i} is too long to be kept inside a string" for i in range(len(content))]
    if dtype.names is None:
        content[:] = words
    else:
        for name in dtype.names:
            content[name] = words if dtype[name].hasobject else np.arange(len(content))
    return content


def same_content(a, b):
    """True if they are alike; of large ones only each so many-th word is looked at."""
    if a.shape != b.shape:
        return False
    if not moves_as_bytes(a.dtype):
        return a.tolist() == b.tolist()
    a, b = (x.reshape(-1).view(np.uint8) for x in (a, b))
    words = len(a) // 8 * 8
    step = 1 + words // LOOKED_AT_BYTES
    same = (a[:words].view(np.uint64)[::step] == b[:words].view(np.uint64)[::step]).all()
    return bool(same and (a[words:] == b[words:]).all())


# ---- calls -----------------------------------------------------------------------------------------------------------


class Outcome:
    """What a call came to: an error or a result, and the memory of its arrays."""

    def __init__(self, stored, returned=None, error=None):
        self.stored, self.returned, self.error = stored, returned, error

    def is_out(self):
        return any(self.returned is each.array for each in self.stored)

    def is_like(self, other):
        if other.error is not None or self.is_out() != other.is_out():
            return False
        a, b = self.returned, other.returned
        if isinstance(b, np.ndarray) and not other.is_out():
            if a.dtype != b.dtype or a.shape != b.shape:
                return False
            if not same_content(np.ascontiguousarray(a), np.ascontiguousarray(b)):
                return False
        return all(same_content(a.whole, b.whole) for a, b in zip(self.stored, other.stored, strict=True))


@functools.cache
def some_bits(size):
    return (bytes(range(251)) * (size // 251 + 1))[:size]


class Call:
    """An operation with sizes, layouts and contents. Its arrays can be made as often as one likes.

    `dtype_of` makes the dtype of an array, if they are not to share one. Where a list or another object is to be
    converted, `replace` makes it out of the array in whose place it stands. `shared` maps an array to another one, as
    large as itself, in whose memory it is.
    """

    def __init__(
        self, operation, sizes, with_out=False, layouts=None, bits=some_bits, dtype_of=None, replace=None, shared=None
    ):
        self.operation, self.sizes, self.with_out = operation, sizes, with_out
        self.replace, self.shared = replace or {}, shared or {}
        letters = [*operation.takes, operation.makes] if with_out else list(operation.takes)
        self.shapes = [sizes.shape(text.lstrip("?")) for text in letters]
        self.dtypes = [
            np.dtype(bool) if text[:1] == "?" else dtype_of() if dtype_of else sizes.dtype for text in letters
        ]
        self.layouts = [layouts[i] if layouts and shape else "C" for i, shape in enumerate(self.shapes)]
        self.contents = [content_of(*part, bits) for part in zip(self.shapes, self.dtypes, self.layouts, strict=True)]
        self._calm = {}

    def make(self, memories=None, at_end=True):
        """All arrays of the call, `out` last."""
        memories = memories or [OrdinaryMemory() for _ in self.shapes]
        parts = zip(self.shapes, self.dtypes, self.layouts, memories, self.contents, strict=False)
        stored = [Stored(*part, at_end) for part in parts]
        for index, other in self.shared.items():
            stored[index].move_to(stored[other])
        return stored

    def make_empty(self, index):
        """One of the arrays, in the memory of zeros."""
        shape, dtype, layout = self.shapes[index], self.dtypes[index], self.layouts[index]
        size, view = LAYOUTS[layout]
        return view(np.zeros(size(shape), dtype), shape)

    def written(self):
        """Which array the call writes to, if any."""
        return len(self.shapes) - 1 if self.with_out else self.operation.target

    def prepare(self, stored, ints=None):
        """The function and its arguments: with them nothing but the call itself is left to do."""
        arrays = [each.array for each in stored]
        out = {"out": arrays.pop()} if self.with_out else {}
        for index, made_of in self.replace.items():
            arrays[index] = made_of(arrays[index])
        function, arguments, keywords = self.operation.call(arrays, self.sizes, ints or Ints())
        return function, arguments, {**keywords, **out}

    def run(self, stored, trigger=None, prepared=None):
        """Nothing fires but inside of the call itself."""
        function, arguments, keywords = prepared or self.prepare(stored)
        trigger = trigger or Trigger()
        try:
            trigger.inside = True
            returned = function(*arguments, **keywords)
        except Exception as error:
            trigger.inside = False
            return Outcome(stored, error=error)
        trigger.inside = False
        return Outcome(stored, returned)

    def calm(self, made):
        """What it comes to if these changes are made before."""
        if made not in self._calm:
            stored = self.make()
            for change in made:
                change.put(stored[change.index].array, True)
            self._calm[made] = self.run(stored)
        return self._calm[made]

    def judge(self, changes, outcome, fired, compares=True):
        """Raise Damage if no state of the arrays explains the outcome. `compares`: check results and bytes, too."""
        if not all(each.memory.is_intact() for each in outcome.stored):
            raise Damage("written outside of an array")
        if isinstance(outcome.error, (SystemError, MemoryError, AssertionError, Damage)):
            raise Damage(f"{type(outcome.error).__name__}: {outcome.error}")
        if not compares:
            return
        if outcome.error is not None:
            changed = [index for index, each in enumerate(outcome.stored) if each.has_changed()]
            if changed:
                raise Damage(f"arrays {changed} have changed though the call raised {outcome.error!r}")
            if not fired and self.calm(()).error is None:
                raise Damage(f"raised without reason: {outcome.error!r}")
        elif not any(outcome.is_like(self.calm(made)) for made in subsets(changes if fired else ())):
            raise Damage("the result is that of no state of the arrays")


# ---- changes ---------------------------------------------------------------------------------------------------------


def subsets(items):
    return itertools.chain.from_iterable(itertools.combinations(items, size) for size in range(len(items) + 1))


class Change:
    """One attribute of one array of a call, with another value that the array takes while it lives."""

    def __init__(self, index, attribute, before, after):
        self.index, self.attribute, self.values = index, attribute, (before, after)

    def __repr__(self):
        return f"array {self.index}: {self.attribute} {self.values[0]} -> {self.values[1]}"

    def put(self, array, changed):
        value = self.values[changed]
        if self.attribute == "writeable":
            array.flags.writeable = value
        elif self.attribute == "strides":
            array.strides = value
        else:
            setattr(array, self.attribute, value)


def _wanted(array):
    n, shape, dtype = array.size, array.shape, array.dtype
    yield "shape", (2, n // 2)
    yield "shape", (n // 2, 2)
    yield "shape", (n,)
    yield "shape", (1,) * 30 + shape
    yield "shape", (*shape, 1)
    if moves_as_bytes(dtype):
        bytes_alone = f"V{dtype.itemsize}"
        for other in ("u1", "u2", "f8", "c16", bytes_alone, [("x", bytes_alone)], f"S{dtype.itemsize}"):
            yield "dtype", np.dtype(other)
    if array.ndim > 0:
        yield "strides", (0,) * array.ndim
    yield "writeable", False


def changes_of(call, index, order=iter):
    """The changes that NumPy allows on an array of a call, there and back, that keep it inside its memory."""
    for attribute, after in order(list(_wanted(call.make_empty(index)))):
        array = call.make_empty(index)
        before = array.flags.writeable if attribute == "writeable" else getattr(array, attribute)
        change = Change(index, attribute, before, after)
        if before == after:
            continue
        try:
            for changed in (True, False, True):
                change.put(array, changed)
        except (TypeError, ValueError, AttributeError):
            continue
        yield change
