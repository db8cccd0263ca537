"""The ways by which other code gets to run inside of a call, each against one operation. They run in child processes.

An attacker's code gets several opportunities in one call. It takes the first in one run, the second in the next, and
so on. Each function prints how often the code ran, and fails if it never did where it must.
"""

import signal
import sys
import time
from contextlib import nullcontext

import numpy as np

import ssop
from memory import guarded_memory
from memory.attackers import (
    Endless,
    EndlessInts,
    EndlessList,
    EndlessOfLength,
    ExposedVectors,
    FiringArray,
    FiringInts,
    FiringItem,
    FiringVectors,
    Index,
    Thread,
    Trigger,
    collector,
    string_with_missing,
    timer,
    titled,
    with_numbers,
    with_rows,
)
from memory.guarded_memory import GuardedMemory
from memory.in_flight import Call, Change, changes_of
from memory.operations import ON_SHAPES, OPERATIONS, Sizes
from ssop import _core

SMALL = 8, 6  # rows and columns
UNLOCKED = 128, 128  # 64 KiB and more: the GIL is released
IN_BLOCKS = 1024, 1024  # 4 MiB and more: results are in blocks of ssop's own allocator
POLLED = 2176, 4096  # 34 MiB and more: signals are looked for, with one thread
# After how many seconds a signal comes. A copy of 34 MiB takes from one millisecond to a hundred.
SIGNAL_DELAYS = 0.0001, 0.0004, 0.0016, 0.0064
MANY_MOMENTS = 24  # where there are more, these first ones will do

DTYPES = {
    "plain": np.dtype("i4"),
    "record": np.dtype([("a", "i2"), ("b", "S5")]),
    "object": np.dtype(object),
    "record of objects": np.dtype([("a", "i4"), ("b", object)]),
    "string": np.dtypes.StringDType(),
}


class Attack:
    """Calls under attack, again and again in the same guarded memory."""

    def __init__(self, call, trigger=None, compares=True):
        """`compares`: check the results and the bytes of the arrays, and not only the guards around them."""
        self.call, self.trigger, self.fired, self._compares = call, trigger or Trigger(), 0, compares
        self._stored = call.make([GuardedMemory(content.nbytes) for content in call.contents])
        if compares:
            call.calm(())  # what is imported when it is first needed is there from now on

    def run(self, changes, only=None, attacker=nullcontext, ints=None, before=None, after=None):
        """One call, judged. Returns how often the attacker's code ran in it."""
        stored, written = self._stored, self.call.written()
        for each in stored:
            each.renew()
        if written is not None:
            stored[written].refill()
        if before is not None:
            before(stored)
        self.trigger.aim(stored, changes, only)
        prepared = self.call.prepare(stored, ints)
        with attacker(self.trigger):
            outcome = self.call.run(stored, self.trigger, prepared)
        fired = self.trigger.fired
        self.trigger.aim(stored, [])
        if after is not None:
            after(stored)
        self.call.judge(changes, outcome, fired, self._compares)
        self.fired += fired
        return fired

    def run_at_each_moment(self, sets_of_changes, **options):
        """At each moment that there is."""
        moments = self.run([], only=0, **options)
        for changes in sets_of_changes:
            for moment in range(1, min(moments, MANY_MOMENTS) + 1):
                print("out," if self.call.with_out else "", changes, "at", moment, "of", moments, flush=True)
                self.run(changes, moment, **options)


def variants(name, size, dtype=DTYPES["plain"], **options):
    """The operation without `out` and with it; nothing for a dtype that it does not take."""
    operation = OPERATIONS[name]
    if operation.ordered and dtype.kind not in "if":
        return []
    outs = [False] if operation.makes is None else [False, True]
    return [Call(operation, Sizes(*size, dtype), with_out, **options) for with_out in outs]


MAX_ROUNDS = 50  # until an attacker whose time comes by chance had its turn


def changes_for(call, shapes=2):
    """Sets of changes to be made at once: each array takes another shape alone, and all take another dtype."""
    found = [list(changes_of(call, index)) for index in range(len(call.shapes))]
    for changes in found:
        for change in [each for each in changes if each.attribute == "shape"][:shapes]:
            yield [change]
    narrow = [[each for each in changes if each.attribute == "dtype"][:1] for changes in found]
    if any(narrow):
        yield sum(narrow, [])


def by_collector(name):
    """The garbage collector finds garbage with a finalizer while the result is allocated."""
    for call in variants(name, IN_BLOCKS):
        attack = Attack(call)
        attack.run_at_each_moment(changes_for(call, shapes=1), attacker=collector)  # these are large arrays
        print("fired", attack.fired)


def by_signal(name):
    """The handler of a signal, which a long copy looks for."""
    ssop.set_num_threads(1)
    rows, columns = POLLED
    if "hc" in OPERATIONS[name].takes:  # a copy of half the rows
        rows *= 2
    call = variants(name, (rows, columns))[-1]  # with out if there is one: fewer new pages
    attack = Attack(call, compares=False)  # comparing so many bytes would take most of the time
    for _ in range(MAX_ROUNDS):
        for changes in changes_for(call, shapes=1):
            for delay in SIGNAL_DELAYS:
                attack.run(changes, attacker=lambda trigger, delay=delay: timer(trigger, delay))
        if attack.fired:
            break
    print("fired", attack.fired)
    assert attack.fired, "no signal came in time"


def by_thread(name):
    """Another thread, which has its turn while a copy does not need the GIL."""
    for call in variants(name, UNLOCKED):
        attack = Attack(call)
        with Thread(attack.trigger):
            for _ in range(MAX_ROUNDS):  # a copy may be over before the other thread is awake
                for changes in changes_for(call):
                    for _ in range(40):
                        attack.run(changes)
                if attack.fired:
                    break
        print("fired", attack.fired)
        assert attack.fired, "the thread never had its turn"


def by_titles(name):
    """Dtypes are compared, and with them the titles of their fields, or the objects that stand for missing strings."""
    trigger = Trigger()
    for make in (titled, string_with_missing):
        for call in variants(name, SMALL, make(trigger), dtype_of=lambda make=make: make(trigger)):
            attack = Attack(call, trigger)
            attack.run_at_each_moment(changes_for(call))
            print("fired", attack.fired)


def by_messages(name):
    """A dtype is not the right one, and the message shows both, which only their arrays refer to."""
    trigger = Trigger()
    for call in variants(name, SMALL, titled(trigger)):
        for wrong in range(len(call.shapes)):
            moments, moment = 1, 0
            while moment <= moments:
                outcome = call_with_wrong_dtype(call, wrong, trigger, moment)
                moments = max(moments, trigger.fired)
                print(f"array {wrong} at {moment} of {moments}: {outcome.error!r}", flush=True)
                print(getattr(outcome.error, "value", None), flush=True)
                moment += 1


def call_with_wrong_dtype(call, wrong, trigger, moment):
    """The changes take the dtypes away from the arrays."""
    stored = call.make()
    changes = []
    for index, each in enumerate(stored):
        if call.dtypes[index].kind != "b":
            each.array = np.zeros(call.shapes[index], titled(trigger, "y" if index == wrong else "x"))
            changes.append(Change(index, "dtype", None, np.dtype("V4")))
    trigger.aim(stored, changes, moment)
    return call.run(stored, trigger)


def by_index(name):
    """The integers of the call, and the vectors they are in."""
    if name in ON_SHAPES:
        return by_index_on_shapes(name)
    trigger = Trigger()
    for kind, dtype in DTYPES.items():
        for call in variants(name, SMALL, dtype):
            attack = Attack(call, trigger)
            for ints in (FiringInts(trigger), FiringVectors(trigger)):
                print(kind, type(ints).__name__)
                attack.run_at_each_moment(changes_for(call), ints=ints)
            print("fired", attack.fired)


def by_index_on_shapes(name):
    trigger, fired = Trigger(), 0

    def attempt(ints, only, also):
        nonlocal fired
        trigger.aim([], [], only, also)
        trigger.inside = True
        try:
            ON_SHAPES[name](Sizes(*SMALL, np.dtype("i4")), ints)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            print(repr(error))
        trigger.inside = False
        fired += trigger.fired
        return trigger.fired

    moments = attempt(FiringInts(trigger), 0, None)
    for moment in range(1, moments + 1):
        for change in (list.clear, lambda x: x.extend([1] * 100), lambda x: x.pop(), lambda x: x.insert(0, x[0])):
            ints = ExposedVectors(trigger, False)
            attempt(ints, moment, lambda ints=ints, change=change: [change(x) for x in ints.vectors if x])
        for attribute, value in (("shape", (1, -1)), ("shape", (-1, 1)), ("strides", (0,))):
            ints = ExposedVectors(trigger, True)
            attempt(ints, moment, lambda ints=ints, a=attribute, v=value: [setattr(x, a, v) for x in ints.vectors])
    print("fired", fired)
    assert fired, "no integer was read"


def by_value(name):
    """A value is converted to the dtype of the array that it goes to."""
    trigger, fired = Trigger(), 0
    for kind in ("plain", "object", "string"):
        for replace in (with_numbers(trigger), with_rows(trigger), lambda array: FiringArray(trigger, array)):
            if kind != "plain" and replace.__qualname__.startswith("with_numbers"):
                continue
            values = OPERATIONS[name].values
            for call in variants(name, SMALL, DTYPES[kind], replace=dict.fromkeys(values, replace)):
                attack = Attack(call, trigger)
                attack.run_at_each_moment(changes_for(call))
                fired += attack.fired
    print("fired", fired)
    assert fired, "nothing was converted"


def by_items(name):
    """Objects are overwritten, which nothing else refers to."""
    trigger = Trigger()
    for call in variants(name, SMALL, DTYPES["object"]):
        if call.written() is None:
            continue
        index = call.written()
        places = [8, 8 + call.shapes[index][-1], -9]  # behind the guards

        def place(stored, index=index, places=places):
            for i in places:
                stored[index].whole[i] = FiringItem(trigger)

        def take_back(stored, call=call, index=index, places=places):
            for i in places:
                if isinstance(stored[index].whole[i], FiringItem):
                    stored[index].whole[i] = call.contents[index][i]

        attack = Attack(call, trigger)
        attack.run_at_each_moment(changes_for(call), before=place, after=take_back)
        print("fired", attack.fired)
        assert attack.fired, "nothing was overwritten"


def by_emptied_operands(kind):
    """The list of the operands loses them, and nothing else refers to them."""
    trigger = Trigger()
    axis = Index(trigger, 0) if kind == "index" else 0
    moments, moment = 1, 0
    while moment <= moments:
        operands = [np.full((2, 3), i) for i in range(50)]
        if kind == "array":
            operands[7] = FiringArray(trigger, operands[7])
        trigger.aim([], [], moment, operands.clear)
        with collector(trigger) if kind == "collector" else nullcontext():
            trigger.inside = True
            try:
                result = ssop.xla.concatenate(operands, axis)
                assert np.array_equal(result, np.repeat(np.arange(50), 2)[:, None] * np.ones((1, 3)))
            except ssop.SliceError as error:
                print(repr(error))
            trigger.inside = False
        moments = max(moments, min(trigger.fired, MANY_MOMENTS))
        print(f"at {moment} of {moments}", flush=True)
        moment += 1


# ---- sequences without end -------------------------------------------------------------------------------------------


ENDLESS = {
    "no length": Endless,
    "short": lambda item: EndlessOfLength(item, 3),
    "2**30": lambda item: EndlessOfLength(item, 2**30),
    "2**62": lambda item: EndlessOfLength(item, 2**62),
    "list": lambda item: EndlessList([item] * 3),
}


def limit_memory(extra_bytes):
    """MemoryError for what takes more; not under AddressSanitizer, which needs terabytes of addresses."""
    if sys.platform == "linux" and not guarded_memory.has_sanitizer():
        import resource

        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + extra_bytes,) * 2)


def must_end(name, call):
    """The call ends soon, by itself."""
    began = time.monotonic()
    try:
        call()
    except (MemoryError, ssop.SliceError, TypeError, ValueError, IndexError) as error:
        print(name, type(error).__name__, str(error)[:100])
    seconds = time.monotonic() - began
    print(name, f"{seconds:.2f} s", flush=True)
    assert seconds < 5


def run_with(call, ints):
    stored = call.make()
    return call.run(stored, prepared=call.prepare(stored, ints))


def by_endless_vectors(name):
    """Vectors of integers that say they are long, or do not end."""
    limit_memory(2**29)
    sizes = Sizes(*SMALL, DTYPES["plain"])
    for kind, make in ENDLESS.items():
        ints = EndlessInts(make)
        if name in ON_SHAPES:
            must_end(kind, lambda ints=ints: ON_SHAPES[name](sizes, ints))
        else:
            call = Call(OPERATIONS[name], sizes)
            must_end(kind, lambda ints=ints, call=call: run_with(call, ints))


def by_endless_operands(kind, function):
    """The operands of concatenate are arrays of NumPy, lists or masked arrays; or their shapes alone are given."""
    limit_memory(2**29)
    item = {"xla": np.zeros(1, np.int8), "lists": [1], "foreign": np.ma.zeros(1, np.int8), "shape": (1,)}[function]
    join = _core.xla_concatenate_shape if function == "shape" else ssop.xla.concatenate
    must_end(kind, lambda: join(ENDLESS[kind](item), 0))


def by_many_operands(length):
    """As many operands as there are rows of no bytes. Reading them takes time, which Ctrl-C ends, and memory."""
    limit_memory(2**31)
    rows = np.zeros((length, 0), np.int8)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    began = time.monotonic()
    try:
        result = ssop.xla.concatenate(rows, 0)
        assert result.shape == (0,)
    except (KeyboardInterrupt, MemoryError, ssop.SliceError) as error:
        print(type(error).__name__)
    seconds = time.monotonic() - began
    print(f"{seconds:.2f} s", flush=True)
    assert seconds < 1.5
