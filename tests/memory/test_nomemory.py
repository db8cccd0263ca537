"""Every allocation of every public call fails once: MemoryError and nothing else, no crash, nothing changed, no leak.

CPython's own test module takes the n-th allocation of Python's allocators away. The memory of array items is not among
them: NumPy asks the system for it; test_limits.py makes that fail by size.
"""

import importlib.util

import child
import pytest
from memory.calls import DTYPES, array_of, on_arrays, on_others

AVAILABLE = importlib.util.find_spec("_testcapi") is not None


def fail_every_allocation(module, kinds, names):
    """Run each call with its first, second, .. allocation failing until none fails any more."""
    import gc
    import importlib
    import sys

    import _testcapi

    sys.path[:0] = [module]
    calls = importlib.import_module("memory.calls")

    def held(keywords, arguments):
        """The bytes or items of the arrays in the call: what must not change."""
        arrays = [a for a in (*arguments, *keywords.values()) if isinstance(a, np.ndarray)]
        return [a.tolist() for a in arrays]

    def fail_once(function, arguments, keywords, nth):
        """True if the call was done before its n-th allocation."""
        try:
            _testcapi.set_nomemory(nth, nth + 1)
            try:
                function(*arguments, **keywords)
            finally:
                _testcapi.remove_mem_hooks()
        except MemoryError:
            return False
        return True

    for kind in kinds:
        dtype = calls.DTYPES.get(kind)
        table = calls.on_others() if dtype is None else calls.on_arrays(calls.array_of(dtype))
        for name in names[kind]:
            function, arguments, keywords = table[name]
            function(*arguments, **keywords)  # imports and caches are done
            failures = 0
            for nth in range(1000):
                table = calls.on_others() if dtype is None else calls.on_arrays(calls.array_of(dtype))
                function, arguments, keywords = table[name]
                before = held(keywords, arguments)
                gc.disable()
                done = fail_once(function, arguments, keywords, nth)
                gc.enable()
                if done:
                    break
                failures += 1
                assert held(keywords, arguments) == before, f"{kind} {name}: changed by failure {nth}"
            else:
                raise AssertionError(f"{kind} {name}: never done")
            print(f"{kind} {name}: {failures} failures")
