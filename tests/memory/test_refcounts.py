"""Every reference that a call takes it gives back, on success and on error; memory stays flat over 100,000 calls."""

import gc
import sys

import numpy as np
import pytest

import child
import ssop
from memory.calls import DTYPES, array_of, on_arrays, on_others
from unit.error_cases import CASES

CALLS, NOISE = 1000, 200  # caches of NumPy and of Python come and go; a leak moves a count by CALLS
ARRAY_CALLS = [(kind, name) for kind, dtype in DTYPES.items() for name in on_arrays(array_of(dtype))]


@pytest.fixture(scope="module", autouse=True)
def frozen():
    """Each garbage collection looks at the objects of one test only, and not at all that pytest has collected."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def parts(value, depth=0):
    """The objects whose references can leak: arguments, what they hold, their dtypes, bases and items."""
    yield value
    if isinstance(value, np.ndarray):
        yield value.dtype
        if value.base is not None:
            yield value.base
        if value.dtype.hasobject and value.size:
            yield value.ravel()[0] if value.dtype.names is None else value.ravel()[0]["b"]
    elif isinstance(value, list | tuple) and depth < 3:
        for item in value:
            yield from parts(item, depth + 1)
    elif isinstance(value, dict):
        yield from parts(list(value.values()), depth)
    elif isinstance(value, ssop.Plan):
        yield value.dtype
        yield value.region


def counts(objects):
    return [sys.getrefcount(thing) for thing in objects]


def watched(*arguments):
    """Everything worth watching, once each; the list is made before counting and kept meanwhile."""
    things = {id(thing): thing for argument in arguments for thing in parts(argument)}
    ours = ssop._core
    types_of_ours = ssop.Region, ssop.Plan, ours.Chunks, ours.Dim, ours.PartialShape, ours.Deferred
    for kind in (np.ndarray, *types_of_ours, ssop.SliceValueError, ssop.SliceTypeError, dict, str):
        things[id(kind)] = kind
    return [*things.values(), None, True, False, ()]


def assert_balanced(call, *arguments):
    """No count moves by more than noise, and those of arrays by nothing at all."""
    things = watched(*arguments)
    call()
    gc.collect()
    before = counts(things)
    for _ in range(CALLS):
        call()
    gc.collect()
    after = counts(things)
    moved = [(type(t).__name__, b, a) for t, b, a in zip(things, before, after, strict=True) if abs(a - b) > NOISE]
    assert not moved
    exact = [(b, a) for t, b, a in zip(things, before, after, strict=True) if isinstance(t, np.ndarray) and a != b]
    assert not exact


@pytest.mark.parametrize(("kind", "name"), ARRAY_CALLS, ids=[f"{kind}-{name}" for kind, name in ARRAY_CALLS])
def test_calls_on_arrays(kind, name):
    x = array_of(DTYPES[kind])
    function, arguments, keywords = on_arrays(x)[name]
    assert_balanced(lambda: function(*arguments, **keywords), function, arguments, keywords, x)


@pytest.mark.parametrize("name", on_others())
def test_other_calls(name):
    function, arguments, keywords = on_others()[name]
    assert_balanced(lambda: function(*arguments, **keywords), function, arguments, keywords)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.label}-{case.op}")
def test_error_paths(case):
    def call():
        try:
            case.run()
        except ssop.SliceError:
            return
        raise AssertionError("not rejected")

    assert_balanced(call, case.call, case.value)


class Bang(Exception):
    pass


class Bad:
    def __index__(self):
        raise Bang

    __int__ = __float__ = __index__

    def __array__(self, *arguments, **keywords):
        raise Bang

    def __len__(self):
        raise Bang

    def __getitem__(self, i):
        raise Bang


X = np.arange(24).reshape(4, 6)
OBJECTS = np.full((4, 6), object())
BAD = Bad()
RAISING = {
    "operand": lambda: ssop.strided_slice(BAD, [0], [1]),
    "vector": lambda: ssop.strided_slice(X, BAD, [1]),
    "second vector": lambda: ssop.strided_slice(X, [0], BAD),
    "list entry": lambda: ssop.strided_slice(X, [0, BAD], [1, 1]),
    "array entry": lambda: ssop.strided_slice(X, np.array([0, BAD], object), [1]),
    "mask": lambda: ssop.strided_slice(X, [0], [1], shrink_axis_mask=BAD),
    "start": lambda: ssop.dynamic_slice(X, (0, BAD), [1, 1]),
    "size": lambda: ssop.dynamic_slice(X, [0, 0], [1, BAD]),
    "update": lambda: ssop.dynamic_update_slice(X, [[BAD]], [0, 0]),
    "update of objects with out": lambda: ssop.dynamic_update_slice(OBJECTS, OBJECTS[:1], [0, BAD], out=OBJECTS),
    "copyto": lambda: ssop.copyto(X[0], [BAD] * 6),
    "shape": lambda: ssop.plan(ssop.StridedSliceSpec([0], [1]), [BAD], int),
    "range": lambda: ssop.Region((5,), ((0, BAD, 1),), (0,)),
    "chunk size": lambda: ssop.Region((5,), ((0, 1, 1),), (0,)).chunks((BAD,)),
    "chunk sizes": lambda: ssop.Region((5,), ((0, 1, 1),), (0,)).chunks([(2, BAD)]),
    "out axes": lambda: ssop.Region((5,), ((0, 1, 1),), (BAD,)),
    "dim": lambda: ssop._core.Dim((1, BAD)),
    "dim of a shape": lambda: ssop._core.PartialShape([2, None, (BAD, 3)]),
    "partial shape": lambda: ssop._core.PartialShape([2]).merge(BAD),
    "interval": lambda: ssop._core.infer_strided_slice([3], [(0, BAD)], [1]),
    "shape of an inference": lambda: ssop._core.infer_slice([BAD], [0], [1]),
}


@pytest.mark.parametrize("call", RAISING.values(), ids=RAISING)
def test_exceptions_of_others(call):
    def run():
        with pytest.raises(Bang):
            call()

    assert_balanced(run, X, OBJECTS, BAD, Bang)


def test_wrong_calls():
    def call():
        for arguments, keywords in (((), {}), ((X,) * 20, {}), ((X, [0]), {"begin": [0]}), ((X, [0], [1]), {"no": X})):
            with pytest.raises(TypeError):
                ssop.strided_slice(*arguments, **keywords)

    assert_balanced(call, X)


def test_results_hold_one_reference_to_each_item():
    item = object()
    x = np.full((4, 6), item)
    before = sys.getrefcount(item)
    kept = [
        ssop.copy(x),
        ssop.strided_slice(x, [0], [2]),
        ssop.dynamic_slice(x, [3, 5], [2, 2], out_of_bounds="wrap"),
        ssop.dynamic_update_slice(x, x[:2, :2], [3, 5], out_of_bounds="wrap"),
    ]
    assert sys.getrefcount(item) == before + 24 + 12 + 4 + 24
    kept.clear()
    assert sys.getrefcount(item) == before


def test_results_hold_one_reference_to_their_dtype():
    dtype = np.dtype([("a", "i4"), ("b", "f8")])
    x = np.zeros((4, 6), dtype)
    before = sys.getrefcount(dtype)
    kept = [
        ssop.copy(x),
        ssop.dynamic_slice(x, [0, 0], [1, 1]),
        ssop.plan(ssop.StridedSliceSpec([], []), (4, 6), dtype),
    ]
    held = sys.getrefcount(dtype)
    kept.clear()
    assert (held, sys.getrefcount(dtype)) == (before + 3, before)


def memory_is_flat():
    """Resident pages after 20,000 and after 120,000 rounds of calls, errors among them."""
    import gc
    import os
    import resource

    x = np.arange(600).reshape(20, 30)
    objects = x.astype(object)
    strings = np.full(20, "a string too long to be kept inside its sixteen bytes", np.dtypes.StringDType())
    spec = ssop.StridedSliceSpec([0], [9], [2])
    plan = ssop.plan(spec, x.shape, x.dtype)
    out = np.empty_like(x)

    def resident():
        gc.collect()
        if os.path.exists("/proc/self/statm"):
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def rounds(count):
        for i in range(count):
            ssop.strided_slice(x, [0, 5], [i % 20, 0], [1, -1])
            ssop.dynamic_slice(x, [19, 29], [5, 5], out_of_bounds="wrap")
            ssop.dynamic_update_slice(x, x[:3, :3], [i, 0], out=x)
            ssop.copy(x.T[::-1].T, out=out)
            plan(x)
            if i % 10 == 0:
                ssop.copy(strings)
                ssop.dynamic_slice(objects, [19, 29], [3, 3], out_of_bounds="wrap")
                spec.resolve((i, 3)).of(ssop.StridedSliceSpec([], []).resolve((i, 3))).split()
            try:
                ssop.strided_slice(x, [i], [0], [0])
            except ssop.SliceError as error:
                assert error.label == "ss_c5"

    rounds(20_000)
    before = resident()
    rounds(100_000)
    grown = resident() - before
    assert grown < 400_000, f"{grown} bytes more after 100,000 rounds"  # 4 bytes a round: less than any object


def test_memory_is_flat_over_100_000_calls():
    child.run(memory_is_flat)
