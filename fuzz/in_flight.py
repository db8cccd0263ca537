"""Random calls of all operations whose arrays are changed by other code while they run.

    python fuzz/in_flight.py --calls 100000 --seed 1

Each call has random sizes, dtypes, layouts and attackers, all from its seed and number: `--first N --calls 1` runs the
call N alone. The calls run in a child process, so that a crash is damage like any other. The number and the kind of the
call are printed, and the next one runs in a new process. The exit code is 1 if there was damage, or if an
attacker never got its turn. tests/memory/in_flight.py says what damage is.
"""

import argparse
import contextlib
import faulthandler
import gc
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests"))

from memory import attackers  # noqa: E402
from memory.guarded_memory import GuardedMemory, has_sanitizer  # noqa: E402
from memory.in_flight import Call, Damage, changes_of  # noqa: E402
from memory.operations import ON_SHAPES, OPERATIONS, Sizes  # noqa: E402

HANG_SECONDS = 120
ATTACKERS = ["finalizer", "signal", "thread", "index", "sequence", "number", "array", "dtype", "item", "names"]
NAMES = [*OPERATIONS, *ON_SHAPES]
PLAIN = ["u1", "i2", ">i4", "f4", "f8", "c16", "V3", "S5", "U2", "M8[s]", [("a", "i2"), ("b", "S5")]]
OBJECTS = [np.dtype(object), np.dtype([("a", "i4"), ("b", object)])]
STRINGS = np.dtypes.StringDType()
LAYOUTS = ["C", "C", "C", "F", "reversed", "stepped", "one row"]
# Rows and bytes of a row: larger arrays are copied without the GIL, then in blocks of ssop's own allocator, then with
# looks for signals on the way. How often they come depends on who has an opportunity there.
SIZES = {"small": (4, 24), "unlocked": (64, 512), "in blocks": (1024, 4096), "polled": (8704, 4096)}
OFTEN = {"small": 9000, "unlocked": 300, "in blocks": 15, "polled": 1}
MORE_OFTEN = {"thread": ("unlocked", 4000), "finalizer": ("in blocks", 300), "signal": ("polled", 15)}


# ---- what the parent knows of the child ------------------------------------------------------------------------------


class Record:
    """Counters in a file that both processes have mapped: they survive the one that counts."""

    def __init__(self, path):
        numbers = 2 + 2 * len(NAMES) + len(ATTACKERS)
        shared = np.memmap(path, np.int64, "r+" if os.path.getsize(path) else "w+", shape=numbers + 64)
        self.position = shared[:2]  # the number of the present call, and its operation
        self.calls = shared[2 : 2 + len(NAMES)]
        self.raised = shared[2 + len(NAMES) : 2 + 2 * len(NAMES)]
        self.fired = shared[2 + 2 * len(NAMES) : numbers]
        self.text = shared[numbers:].view("S512")  # what the present call is


# ---- one call --------------------------------------------------------------------------------------------------------


class Memories:
    """Guarded memory for the arrays of a call, kept for later ones."""

    def __init__(self):
        self._kept = {}

    def of(self, call):
        return [self._of(index, content) for index, content in enumerate(call.contents)]

    def _of(self, index, content):
        size = content.nbytes if content.dtype == np.uint8 else 0
        capacity = 4096 if size < 4000 else 1 << size.bit_length()
        key = index, capacity
        if key not in self._kept:
            self._kept[key] = GuardedMemory(capacity - 64)
        return self._kept[key]


class RandomCall:
    """All that is random about a call of an operation."""

    def __init__(self, name, rng, trigger):
        self.name, self.rng, self.trigger = name, rng, trigger
        self.operation = OPERATIONS[name]
        self.compares = True  # results and bytes with those of calm calls
        self.attackers = {rng.choice(ATTACKERS) for _ in range(rng.choice([1, 1, 2, 3]))}
        self.kind = self._choose_kind()
        self.names = None  # the record dtype whose names are assigned
        self.call = self._make_call()
        self.changes = self._choose_changes()
        self.only = rng.choice([None, 1, 1, 2, 3, 5])

    def _choose_kind(self):
        often = dict(OFTEN)
        for attacker, (kind, more) in MORE_OFTEN.items():
            often[kind] += more if attacker in self.attackers else 0
        return self.rng.choices(list(often), often.values())[0]

    def _make_call(self):
        rng, operation = self.rng, self.operation
        dtype, dtype_of = self._choose_dtype()
        rows, row_bytes = SIZES[self.kind]
        if self.kind == "small":
            rows, columns = 2 * rng.randint(1, rows), rng.randint(1, row_bytes // 4)
        else:
            columns = max(1, row_bytes // dtype.itemsize)
        with_out = operation.makes is not None and rng.random() < 0.6
        count = len(operation.takes) + with_out
        written = count - 1 if with_out else operation.target
        layouts = [rng.choice(LAYOUTS if i != written else LAYOUTS[:-1]) for i in range(count)]
        bits = rng.randbytes if self.kind == "small" else None
        options = {"bits": bits} if bits else {}
        call = Call(
            operation,
            Sizes(rows, columns, dtype),
            with_out,
            layouts,
            dtype_of=dtype_of,
            replace=self._choose_values(written, dtype),
            **options,
        )
        self._share(call, written)
        return call

    def _choose_dtype(self):
        """A dtype that the attackers can do with; if the arrays do not share it, also the function that makes one."""
        rng, trigger = self.rng, self.trigger
        if self.operation.ordered:
            return np.dtype(rng.choice(["u1", "i2", ">i4", "i8"])), None
        if "dtype" in self.attackers:
            make = rng.choice([attackers.titled, attackers.titled, attackers.string_with_missing])
            self.kind = "small" if make is attackers.string_with_missing else self.kind
            return make(trigger), lambda: make(trigger)
        if "item" in self.attackers:
            self.kind = "small"
            return OBJECTS[0], None
        if "names" in self.attackers:
            self.names = attackers.Names(rng.choice(attackers.Names.SPECS))
            self.kind = "small" if self.names.dtype.hasobject or rng.random() < 0.7 else self.kind
            return self.names.dtype, None
        if rng.random() < 0.2:
            self.kind = "small"
            return rng.choice([*OBJECTS, STRINGS]), None
        return np.dtype(rng.choice(PLAIN)), None

    def _choose_values(self, written, dtype):
        """Lists and other objects in the place of arrays."""
        rng, replace = self.rng, {}
        if self.kind != "small":
            return replace
        if "number" in self.attackers and dtype.kind in "iuf" and self.operation.values:
            replace[rng.choice(self.operation.values)] = attackers.with_numbers(self.trigger)
        if self.names is not None and self.operation.values:
            replace[rng.choice(self.operation.values)] = attackers.with_records(self.trigger)
        # NumPy reads the dtypes of a list's arrays one after the other: names that change between them differ.
        if "array" in self.attackers and self.names is None:
            index = rng.randrange(len(self.operation.takes))
            if index != written:
                rows = attackers.with_rows(self.trigger)
                replace[index] = rng.choice([rows, lambda array: attackers.FiringArray(self.trigger, array)])
        return replace

    def _share(self, call, written):
        """Now and then what is written is in the memory of an operand of the same size."""
        if written is None or self.rng.random() < 0.8:
            return
        for index in range(len(call.shapes)):
            if index != written and len(call.contents[index]) == len(call.contents[written]):
                if call.dtypes[index] == call.dtypes[written] and index not in call.replace:
                    call.shared[written] = index
                    call.contents[written] = call.contents[index]

    def _choose_changes(self):
        found = []
        for index in range(len(self.call.shapes)):
            if self.rng.random() < 0.6:
                changes = changes_of(self.call, index, lambda each: self.rng.sample(each, len(each)))
                found += [change for change in [next(changes, None)] if change is not None]
        return found

    def _ints(self):
        """How the integers are written, and what else is done when an attacker fires."""
        rng, trigger = self.rng, self.trigger
        if "sequence" in self.attackers:
            return attackers.FiringVectors(trigger), None
        if "index" not in self.attackers:
            return attackers.Ints(), None
        if rng.random() < 0.6:
            return attackers.FiringInts(trigger), None
        self.compares = False  # what is read of vectors that change is not defined
        return vectors_that_change(rng, trigger)

    def describe(self):
        call = self.call
        return (
            f"{self.name}{' out' if call.with_out else ''} {self.kind} {call.sizes.r}x{call.sizes.c} {call.layouts} "
            f"{sorted(self.attackers)} at {self.only} {self.changes} {call.sizes.dtype.kind}"
        )

    def run(self, memories):
        call, rng, trigger = self.call, self.rng, self.trigger
        stored = call.make(memories.of(call), at_end=rng.random() < 0.5)
        ints, also = self._ints()
        prepared = call.prepare(stored, ints)
        if rng.random() < 0.1:
            also = self._empty_lists(prepared[1], also)
        altered = bool(self.changes) or also is not None  # or the outcome is that of a calm call
        if self.names is not None:
            also = both(self.names.assign, also)
        items = self._place_items(stored)
        trigger.aim(stored, self.changes, self.only, also)
        with contextlib.ExitStack() as stack:
            for attacker in self._from_outside():
                stack.enter_context(attacker)
            outcome = call.run(stored, trigger, prepared)
        fired = trigger.fired
        trigger.aim([], [])
        for whole, index, before in items:
            if isinstance(whole[index], attackers.FiringItem):
                whole[index] = before
        call.judge(self.changes, outcome, fired if altered else 0, self.compares)
        return outcome.error

    def _empty_lists(self, arguments, also):
        """Lists among the arguments lose their items, and with them the references to arrays.

        Not those that NumPy converts: it goes on reading the items of a list that has lost them (known_limits.py).
        """
        lists = [each for each in arguments if type(each) is list and not self._has_rows(each)]
        self.compares = self.compares and not lists

        def empty():
            for each in lists:
                each.clear()

        return both(empty, also)

    def _has_rows(self, values):
        return any(isinstance(each, (list, tuple, attackers.FiringArray)) for each in values)

    def _place_items(self, stored):
        written = self.call.written()
        if "item" not in self.attackers or written is None or written in self.call.shared:
            return []
        whole = stored[written].whole
        if whole.dtype != object:
            return []
        places = []
        for index in {8, len(whole) // 2, len(whole) - 9}:
            places.append((whole, index, whole[index]))
            whole[index] = attackers.FiringItem(self.trigger)
        return places

    def _from_outside(self):
        if "signal" in self.attackers:
            seconds = 10 ** self.rng.uniform(-4.5, -2.5)
            yield attackers.timer(self.trigger, seconds, seconds)
        if "thread" in self.attackers:
            yield attackers.Thread(self.trigger)
        if "finalizer" in self.attackers:
            yield attackers.collector(self.trigger)


def both(first, second):
    def run():
        first()
        if second is not None:
            second()

    return run


def vectors_that_change(rng, trigger):
    """Lists or arrays of integers, and a function that changes them."""
    ints = attackers.ExposedVectors(trigger, as_arrays=rng.random() < 0.5)
    if ints.as_arrays:
        attribute, value = rng.choice([("shape", (1, -1)), ("shape", (-1, 1)), ("strides", (0,))])
        return ints, lambda: [setattr(each, attribute, value) for each in ints.vectors if each.ndim == 1]
    change = rng.choice(
        [list.clear, lambda x: x.extend([1] * 100), lambda x: x.pop(), lambda x: x.insert(0, x[0]), list.reverse]
    )
    return ints, lambda: [change(each) for each in ints.vectors if each]


def run_on_shapes(name, rng, trigger):
    """A call without arrays: only its vectors change."""
    ints, also = rng.choice([vectors_that_change(rng, trigger), (attackers.FiringVectors(trigger), None)])
    trigger.aim([], [], rng.choice([None, 1, 2, 3, 5, 8]), also)
    with attackers.collector(trigger) if rng.random() < 0.3 else contextlib.nullcontext():
        trigger.inside = True
        try:
            ON_SHAPES[name](Sizes(2 * rng.randint(1, 4), rng.randint(1, 6), np.dtype("i4")), ints)
        except (SystemError, MemoryError, AssertionError) as error:
            raise Damage(repr(error)) from error
        except Exception as error:
            return error
        finally:
            trigger.inside = False


# ---- the child -------------------------------------------------------------------------------------------------------


def run_call(seed, number, names, record, memories):
    """Raises Damage. The random numbers of a call are its own, so that it is the same whatever came before."""
    rng, trigger = random.Random(f"{seed}/{number}"), attackers.Trigger()
    on_arrays = rng.random() < 0.85
    name = rng.choice([each for each in names if (each in OPERATIONS) == on_arrays] or names)
    record.position[:] = number, NAMES.index(name)
    record.text[0] = name.encode()
    try:
        if name in OPERATIONS:
            random_call = RandomCall(name, rng, trigger)
            record.text[0] = random_call.describe().encode()[:512]
            error = random_call.run(memories)
        else:
            error = run_on_shapes(name, rng, trigger)
    finally:
        for attacker, count in trigger.fired_by.items():
            record.fired[ATTACKERS.index(attacker)] += count
    record.calls[NAMES.index(name)] += 1
    record.raised[NAMES.index(name)] += error is not None


def run_child(options):
    if not has_sanitizer():  # whose own report of a signal says more
        faulthandler.enable()
    record, memories = Record(options.record), Memories()
    gc.collect()
    gc.freeze()  # collections look at what a call has made, and not at all modules
    gc.disable()
    for number in range(options.first, options.first + options.calls):
        try:
            run_call(options.seed, number, names_of(options), record, memories)
        except Exception as damage:
            if not isinstance(damage, Damage):
                traceback.print_exc()
            print(f"{type(damage).__name__}: {damage}", file=sys.stderr, flush=True)
            return 1
    return 0


# ---- the parent ------------------------------------------------------------------------------------------------------


def names_of(options):
    return [name for name in NAMES if options.operation in (None, name)]


def run_to_damage(options, first, record, log):
    """Calls from this number on, in a child. Returns the number of the call that did damage and how, or None."""
    last = options.first + options.calls
    command = [sys.executable, __file__, "--record", options.record, "--seed", str(options.seed), "--first", str(first)]
    command += ["--calls", str(last - first)] + (["--operation", options.operation] if options.operation else [])
    child = subprocess.Popen(command, stderr=log)
    seen, since = -1, time.monotonic()
    while child.poll() is None:
        time.sleep(0.05)
        if record.position[0] != seen:
            seen, since = int(record.position[0]), time.monotonic()
        elif time.monotonic() - since > HANG_SECONDS:
            child.kill()
            child.wait()
            return seen, "hangs"
    if child.returncode == 0:
        return None
    if child.returncode < 0:
        return int(record.position[0]), signal.Signals(-child.returncode).name
    return int(record.position[0]), "exit code 1"


def run_all(options):
    """Returns a list of damage: number of the call, how it ended, what it was."""
    record, found, first = Record(options.record), [], options.first
    while first < options.first + options.calls:
        with tempfile.TemporaryFile("w+") as log:
            ended = run_to_damage(options, first, record, log)
            log.seek(0)
            printed = log.read()
        if ended is None:
            break
        number, how = ended
        found.append((number, how, NAMES[record.position[1]]))
        print(f"--- call {number}: {how}: {record.text[0].decode(errors='replace')}")
        print(shorten(printed), flush=True)
        if len(found) >= options.stop_after:
            break
        first = number + 1
    return record, found


def shorten(printed):
    """The lines that say what happened: the sanitizer's first stack, or the last lines."""
    lines = printed.splitlines()
    start = next((i for i, line in enumerate(lines) if "AddressSanitizer" in line or "runtime error" in line), None)
    return "\n".join(lines[start : start + 12] if start is not None else lines[-6:])


def report(options, record, found, seconds):
    print(f"{'operation':40} {'calls':>8} {'raised':>8} {'damage':>8}")
    for i, name in enumerate(NAMES):
        if record.calls[i] or name in names_of(options):
            damage = sum(operation == name for _, _, operation in found)
            print(f"{name:40} {record.calls[i]:8} {record.raised[i]:8} {damage:8}")
    for attacker, count in zip(ATTACKERS, record.fired, strict=True):
        print(f"fired by {attacker:31} {count:8}")
    calls = int(record.calls.sum())
    print(
        f"{calls} calls of seed {options.seed}, {len(found)} did damage, {seconds:.0f} s, {calls / seconds:.0f} calls/s"
    )
    print("with AddressSanitizer" if has_sanitizer() else "without AddressSanitizer")
    silent = [attacker for attacker, count in zip(ATTACKERS, record.fired, strict=True) if not count]
    if silent and options.operation is None and options.calls >= 1000:
        print("never had their turn:", ", ".join(silent))
        return 1
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first call")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SSOP_SEED", "1")))
    parser.add_argument("--operation", choices=NAMES, help="this one alone")
    parser.add_argument("--stop-after", type=int, default=20, help="give up after so many calls that did damage")
    parser.add_argument("--record", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        return run_child(options)
    began = time.monotonic()
    with tempfile.NamedTemporaryFile() as file:
        options.record = file.name
        record, found = run_all(options)
        return report(options, record, found, time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
