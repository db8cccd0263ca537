"""Code that runs inside of a call and changes its arrays: each attacker fires a `Trigger`, which makes the changes."""

import gc
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager

import numpy as np

from memory.operations import Ints


class Trigger:
    """Makes the changes when the code of an attack runs, inside of the call alone. It counts how often that was."""

    def __init__(self):
        self.inside, self.fired, self.fired_by = False, 0, Counter()
        self._lock = threading.RLock()  # or a thread may make changes that `aim` has just not counted yet
        self._aims, self._only, self._also, self._busy = [], None, None, False

    def aim(self, stored, changes, only=None, also=None):
        """`only`: the changes are made the so many-th time, and not each time. `also`: a function called with them."""
        with self._lock:
            self._aims = [[change, stored[change.index].array, False] for change in changes]
            self.fired, self._only, self._also, self._busy = 0, only, also, False

    def fire(self, attacker):
        with self._lock:
            if self.inside:
                self.fired += 1
                self.fired_by[attacker] += 1
                if not self._busy and (self._only is None or self.fired == self._only):
                    self._busy = True  # a change may run code that fires
                    self._make_changes()
                    self._busy = False

    def _make_changes(self):
        for aim in self._aims:
            change, array, changed = aim
            change.put(array, not changed)
            aim[2] = not changed
        if self._also is not None:
            self._also()


# ---- from outside ----------------------------------------------------------------------------------------------------


class Finalizer:
    """Garbage in a cycle. When the collector comes across it, it fires and leaves the next one behind."""

    wanted, kept = False, []

    def __init__(self, trigger):
        self.trigger, self.cycle = trigger, self
        Finalizer.kept += [set(), set(), set()]  # so many new objects that the very next one starts a collection

    def __del__(self):
        if Finalizer.wanted:
            Finalizer(self.trigger)
            self.trigger.fire("finalizer")


@contextmanager
def collector(trigger):
    """The garbage collector runs as often as it can."""
    thresholds, enabled = gc.get_threshold(), gc.isenabled()
    gc.disable()
    gc.collect(1)  # what the last call has left
    Finalizer.wanted = True
    Finalizer(trigger)
    gc.set_threshold(1)
    gc.enable()
    try:
        yield
    finally:
        Finalizer.wanted = False
        Finalizer.kept.clear()
        gc.set_threshold(*thresholds)
        if not enabled:
            gc.disable()


@contextmanager
def timer(trigger, seconds, again=0):
    """A signal after so many seconds, whose handler fires, and then again so many seconds after the handler's end."""

    def handle(number, frame):
        # The timer has no interval of its own: on a slow machine the next signal would come before this one is handled.
        # Handlers would run within handlers, and the recursion limit would end the call instead of its own checks.
        trigger.fire("signal")
        if running:
            signal.setitimer(signal.ITIMER_REAL, again)

    running = True
    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Thread:
    """A thread that fires as often as it gets its turn."""

    def __init__(self, trigger):
        self._trigger, self._running = trigger, True
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while self._running:
            if self._trigger.inside:
                self._trigger.fire("thread")
            time.sleep(0)

    def __enter__(self):
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._running = False
        self._thread.join()
        sys.setswitchinterval(self._interval)


# ---- dtypes and items ------------------------------------------------------------------------------------------------


class FiringTitle:
    """An object that belongs to a dtype, equal to others of its kind. It fires when it is compared or shown."""

    def __init__(self, trigger):
        self.trigger = trigger

    def __eq__(self, other):
        self.trigger.fire("dtype")
        return isinstance(other, FiringTitle)

    def __hash__(self):
        return 1

    def __repr__(self):
        self.trigger.fire("dtype")
        return "a title"


class FiringItem:
    """An item of an array that fires when the array drops it."""

    def __init__(self, trigger):
        self.trigger = trigger

    def __del__(self):
        self.trigger.fire("item")


class Names:
    """A record dtype, whose names and those of the records in it are assigned."""

    SPECS = (
        [("a", "i4"), ("b", "f4")],
        [("a", "i1"), ("b", [("a", "i4"), ("b", "S3")])],
        [("a", [("a", "i4"), ("b", "u2")], (2,)), ("b", "i1")],
        [("a", "i4"), ("b", object)],
    )

    def __init__(self, spec):
        self.dtype, self._count = np.dtype(spec), 0

    def assign(self):
        """More than once, so that the memory of the first names is that of others."""
        for _ in range(8):
            self._assign(self.dtype)

    def _assign(self, dtype):
        for name in dtype.base.names or ():
            self._assign(dtype.base[name])
        if dtype.base.names:
            self._count += 1
            dtype.base.names = [f"a name of {self._count}, {i}" for i in range(len(dtype.base.names))]


def titled(trigger, name="x"):
    """A structured dtype whose comparison and text run code."""
    return np.dtype({"names": [name], "formats": ["i4"], "titles": [FiringTitle(trigger)]})


def string_with_missing(trigger):
    """A dtype of strings whose comparison runs code."""
    return np.dtypes.StringDType(na_object=FiringTitle(trigger))


# ---- values that are converted ---------------------------------------------------------------------------------------


class FiringNumber:
    """A number that fires when it is converted."""

    def __init__(self, trigger, value, attacker="number"):
        self.trigger, self.value, self.attacker = trigger, value, attacker

    def __float__(self):
        self.trigger.fire(self.attacker)
        return float(self.value)

    def __int__(self):
        self.trigger.fire(self.attacker)
        return int(self.value)

    __index__ = __int__


class FiringArray:
    """An object of no known library that is converted to an array, and fires."""

    def __init__(self, trigger, array):
        self.trigger, self.array = trigger, array

    def __array__(self, dtype=None, copy=None):
        self.trigger.fire("array")
        return self.array


def with_numbers(trigger):
    """A nested list in the place of an array; its first and last numbers fire."""

    def replace(array):
        items = array.astype(object)
        for place in (0, -1):
            index = (place,) * array.ndim
            items[index] = FiringNumber(trigger, array[index].item())
        return items.tolist()

    return replace


def with_rows(trigger):
    """A list of objects that are converted, one for each row."""
    return lambda array: [FiringArray(trigger, row) for row in array] if array.ndim else FiringArray(trigger, array)


def with_records(trigger):
    """Nested lists of records in the place of an array; the ints in the first and the last record fire."""

    def firing(part):
        if isinstance(part, int):
            return FiringNumber(trigger, part, "names")
        return type(part)(map(firing, part)) if isinstance(part, (tuple, list)) else part

    def replace(array):
        items = np.empty(array.size, object)
        items[:] = [_as_lists(item) for item in array.reshape(-1)]
        for place in {0, -1} if array.size else ():
            items[place] = firing(items[place])
        return items.reshape(array.shape).tolist()

    return replace


def _as_lists(part):
    """A record as tuples, and arrays in it as lists."""
    if isinstance(part, np.ndarray):
        return [_as_lists(item) for item in part]
    return tuple(_as_lists(part[i]) for i in range(len(part))) if isinstance(part, np.void) else _item(part)


def _item(scalar):
    return scalar.item() if isinstance(scalar, np.generic) else scalar


# ---- integers and their vectors --------------------------------------------------------------------------------------


class Index:
    """An integer that fires when it is read."""

    def __init__(self, trigger, value):
        self.trigger, self.value = trigger, value

    def __index__(self):
        self.trigger.fire("index")
        return self.value


class FiringInts(Ints):
    """The integers of a call as such objects."""

    def __init__(self, trigger):
        self.trigger = trigger

    def one(self, value):
        return Index(self.trigger, value)


class FiringSequence:
    """A vector of integers that fires for its length and for each of its items."""

    def __init__(self, trigger, values):
        self.trigger, self.values = trigger, values

    def __len__(self):
        self.trigger.fire("sequence")
        return len(self.values)

    def __getitem__(self, index):
        self.trigger.fire("sequence")
        return self.values[index]


class FiringVectors(FiringInts):
    """The vectors fire, and so do their items, in an array of objects."""

    def __call__(self, *values):
        items = np.empty(len(values), object)
        items[:] = [self.one(value) for value in values]
        return FiringSequence(self.trigger, items)


class ExposedVectors(FiringInts):
    """Vectors that other code can reach, as lists or arrays of objects."""

    def __init__(self, trigger, as_arrays):
        super().__init__(trigger)
        self.as_arrays, self.vectors = as_arrays, []

    def __call__(self, *values):
        vector = [self.one(value) for value in values]
        if self.as_arrays:
            vector = np.array(vector, object)
        self.vectors.append(vector)
        return vector


class Endless:
    """A sequence that has an item for each index."""

    def __init__(self, item):
        self.item = item

    def __getitem__(self, index):
        return self.item


class EndlessOfLength(Endless):
    """The same with a length of its own choice."""

    def __init__(self, item, length):
        super().__init__(item)
        self.length = length

    def __len__(self):
        return self.length


class EndlessList(list):
    """A list that is iterated without end."""

    def __iter__(self):
        while True:
            yield self[0]


class EndlessInts(FiringInts):
    """Each vector is one of these."""

    def __init__(self, make):
        self.make = make

    def one(self, value):
        return value

    def __call__(self, *values):
        return self.make(values[0] if values else 0)
