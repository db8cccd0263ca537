"""Every allocation of every public call fails once: MemoryError or the right result, no crash, no change, no leak.

CPython's own test module takes the n-th allocation of Python's allocators away. The memory of array items is not among
them: NumPy asks the system for it, and test_limits.py makes that fail by size. Two kinds of calls are left out, since
NumPy 2.4 itself crashes there without ssop, or never ends. They make arrays of StringDType, or have masked arrays,
which NumPy's own Python code slices and assigns to. So are from_index, select and clamp, which are Python: the
interpreter does not come back from its loop once no allocation succeeds any more.
"""

import numpy as np
import pytest

import child
from memory.calls import DTYPES, array_of, on_arrays, on_others
from memory.writes import writes
from scale import sampled

MASKED = {"masked", "masked by a dialect", "masked update", "masked pad", "masked concatenate"}
NOT_OURS = MASKED | {"from_index", "select", "clamp"}
WITHOUT_NEW_ARRAYS = {"copy out", "copyto", "strided_slice empty"}


def names_of(kind):
    names = on_others() if kind == "others" else on_arrays(array_of(DTYPES[kind]))
    return [name for name in names if name not in NOT_OURS and (kind != "string" or name in WITHOUT_NEW_ARRAYS)]


KINDS = {kind: names_of(kind) for kind in [*DTYPES, "others"]}


def fail_every_allocation(folder, kind, names):
    """Run each call with its first, second, .. allocation failing alone, and with all from that one on failing."""
    import _testcapi
    import gc
    import sys

    sys.path.insert(0, folder)
    from memory.calls import DTYPES, array_of, on_arrays, on_others

    def made(name):
        return (on_others() if kind == "others" else on_arrays(array_of(DTYPES[kind])))[name]

    def shown(value):
        return type(value), str(value) if isinstance(value, np.ndarray) else repr(value)

    def contents(arguments, keywords):
        return [shown(value) for value in (*arguments, *keywords.values()) if isinstance(value, np.ndarray)]

    def outcome(call, first, last):
        """What the call gave, or MemoryError."""
        function, arguments, keywords = call
        _testcapi.set_nomemory(first, last)
        try:
            return function(*arguments, **keywords)
        except MemoryError:
            return MemoryError
        finally:
            _testcapi.remove_mem_hooks()

    for name in names:
        function, arguments, keywords = made(name)
        expected = shown(function(*arguments, **keywords))  # imports and caches are done, too
        gc.collect()
        gc.freeze()  # so that each collection below looks at this call's objects only
        failures = 0
        for alone in (True, False):
            for nth in range(1000):
                call = made(name)
                before = contents(*call[1:])
                gc.collect()
                gc.disable()
                result = outcome(call, nth, nth + 1 if alone else 0)
                gc.enable()
                if result is MemoryError:
                    failures += 1
                    assert contents(*call[1:]) == before, f"{name}: changed by failure {nth}"
                    continue
                assert shown(result) == expected, f"{name}: wrong without allocation {nth}: {result!r}"
                if alone and nth < 60:
                    continue  # a failure may have been coped with: go on to the next
                break
            else:
                raise AssertionError(f"{name}: never done")
        print(name, failures)


SHORT = {"int64", "string", "others"}  # for the default test stage; the other kinds take much longer
KINDS_BY_STAGE = [kind if kind in SHORT else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS_BY_STAGE)
def test_every_allocation_fails_once(kind, request):
    """Needs `_testcapi`: CPython's builds have it; a build without it fails here, for nothing was tested."""
    folder = str(request.path.parents[1])
    names = KINDS[kind] if kind in SHORT else [*sampled(KINDS[kind])]
    lines = child.run(fail_every_allocation, folder, kind, names).splitlines()
    failures = {name: int(count) for name, _, count in (line.rpartition(" ") for line in lines)}
    assert set(failures) == set(names) != set()
    assert sum(failures.values()) >= len(failures)


def fail_every_write(folder, kind, names):
    """Run each call that writes with its first, second, .. allocation failing alone: all is written, or nothing.

    Only strings have 60 allocations and more; some of these are tried.
    """
    import _testcapi
    import gc
    import sys

    sys.path.insert(0, folder)
    from memory.writes import operands, writes

    gc.collect()
    gc.freeze()  # so that each collection below looks at few objects only
    for name in names:
        failures = calls = 0
        expected = None
        for nth in [None, *range(60), *(int(60 * 1.4**k) for k in range(34))]:
            x, y = operands(kind)
            function, arguments, keywords = writes(x, y)[name]
            if nth is None:
                function(*arguments, **keywords)  # imports and caches are done, too
                expected = x.tolist()
                continue
            before, read = x.tolist(), y.tolist()
            gc.collect()
            gc.disable()
            _testcapi.set_nomemory(nth, nth + 1)
            try:
                function(*arguments, **keywords)
            except MemoryError:
                failures += 1
                wanted = before
            else:
                calls += 1
                wanted = expected
            finally:
                _testcapi.remove_mem_hooks()
                gc.enable()
            assert x.tolist() == wanted, f"{name}: failure {nth}: {x} instead of {wanted}"
            assert y.tolist() == read, f"{name}: failure {nth} changed what is read"
            assert before != expected, f"{name} changes nothing"
            if calls > 8:
                break  # a failure may have been coped with: go on to the next ones
        assert calls > 8, f"{name}: never done"
        print(name, failures)


WRITES = set(writes(*np.arange(48).reshape(2, 4, 6)))
# Of arrays of more than one piece.
LONG_WRITES = {"copyto", "copyto shifted", "copyto reversed", "copy", "strided_slice overlap", "update shifted", "rev"}
LONG_WRITES |= {"assign shifted", "rev overlap", "concatenate overlap", "transpose"}
# What makes an array of StringDType: NumPy crashes if it has no memory for its store of strings.
WITH_NEW_ARRAYS = {"dynamic_slice wrap", "dynamic_slice wrap overlap", "update", "update in place", "update shifted"}
WITH_NEW_ARRAYS |= {"update wrap", "grad", "grad overlap", "strided update", "strided update in place", "concatenate"}
WITH_NEW_ARRAYS |= {"concatenate overlap", "dynamic_slice_in_dim", "update_slice_in_dim", "update_index_in_dim", "pad"}
WITH_NEW_ARRAYS |= {"pad nothing", "pad overlap", "reshape", "transpose", "assign nested lists"}
# NumPy cannot say of every list of tuples that there was no memory for it.
NOT_OF = {"string": WITH_NEW_ARRAYS, "many strings": WITH_NEW_ARRAYS, "titled record": {"assign nested lists"}}
WRITE_KINDS = {
    kind: sorted((LONG_WRITES if "many" in kind else WRITES) - NOT_OF.get(kind, set()))
    for kind in ("int64", "object", "titled record", "string", "many objects", "many titled records", "many strings")
}
MARKED = [pytest.param(kind, marks=pytest.mark.long) if "many" in kind else kind for kind in WRITE_KINDS]


@pytest.mark.parametrize("kind", MARKED)
def test_th_s2_every_write_is_whole_or_nothing(kind, request):
    folder = str(request.path.parents[1])
    names = [*sampled(WRITE_KINDS[kind])] if "many" in kind else WRITE_KINDS[kind]
    lines = child.run(fail_every_write, folder, kind, names).splitlines()
    failures = {name: int(count) for name, _, count in (line.rpartition(" ") for line in lines)}
    assert set(failures) == set(names) != set()
    assert sum(failures.values()) > len(failures) // 2


def leak_on_failure(folder):
    """Failed calls give back what they took: no array, dtype or item is held any longer."""
    import _testcapi
    import gc
    import sys

    sys.path.insert(0, folder)
    from memory.calls import DTYPES, array_of, on_arrays

    for kind in ("int64", "object", "no bytes"):
        x = array_of(DTYPES[kind])
        for name, (function, arguments, keywords) in on_arrays(x).items():
            things = [value for value in (*arguments, *keywords.values()) if isinstance(value, np.ndarray)]
            things += [x.dtype, *([x[0, 0]] if kind == "object" else [])]
            function(*arguments, **keywords)
            before = [sys.getrefcount(thing) for thing in things]
            for nth in range(20):
                for _ in range(20):
                    try:
                        _testcapi.set_nomemory(nth, nth + 1)
                        try:
                            function(*arguments, **keywords)
                        finally:
                            _testcapi.remove_mem_hooks()
                    except MemoryError:
                        pass
            gc.collect()
            moved = [after - b for after, b in zip(map(sys.getrefcount, things), before, strict=True)]
            assert max(map(abs, moved)) < 20, f"{kind} {name}: {moved}"


def test_failed_calls_hold_nothing(request):
    child.run(leak_on_failure, str(request.path.parents[1]))
