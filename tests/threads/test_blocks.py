"""mem_s1: the memory of large results, which the next ones use again."""

import os
import sys
import threading
import tracemalloc

import numpy as np
import pytest
from numpy._core.multiarray import get_handler_name

import child
import ssop

KIB, MIB = 1 << 10, 1 << 20
CAP = 512 * MIB
OURS, NUMPYS = "ssop", "default_allocator"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems may leave results to NumPy")


@pytest.fixture(autouse=True)
def nothing_kept():
    ssop.trim_memory()
    yield
    ssop.trim_memory()


def test_which_results_have_blocks():
    x = np.ones((4, MIB), np.uint8)
    spec = ssop.StridedSliceSpec([0], [4])
    for result in (
        ssop.copy(x),
        ssop.strided_slice(x, [3], [-5], [-1]),
        ssop.slice(x, [0, 0], [4, MIB]),
        ssop.dynamic_slice(x, [0, 0], [4, MIB]),
        ssop.dynamic_slice(x, [2, 0], [4, MIB], out_of_bounds="wrap"),
        ssop.dynamic_update_slice(x, x[:1], [1, 0]),
        ssop.strided_slice_grad([8, MIB], [0, 0], [8, MIB], [2, 1], x),
        ssop.tensor_strided_slice_update(x, [0, 0], [1, 1], [1, 1], 5),
        ssop.plan(spec, x.shape, x.dtype)(x),
        ssop.copy(x.view("V4")),
    ):
        assert get_handler_name(result) == OURS
        assert result.flags.owndata and result.base is None and result.flags.c_contiguous and result.flags.writeable
        assert result.ctypes.data % (2 * MIB) == 0
    for result in (
        ssop.copy(x[:1]),
        ssop.copy(x[:, 1:]),
        ssop.copy(x[:1, : 64 * KIB]),
        ssop.copy(np.ones((0, 5), "V9999")),
    ):
        like = np.empty(result.shape, result.dtype)
        assert get_handler_name(result) == (OURS if result.size else NUMPYS)
        assert result.ctypes.data % 64 == 0 or not result.size
        assert str(result.flags) == str(like.flags) and result.base is None and result.strides == like.strides
    for result in (ssop.copy(x[0, 1 : 64 * KIB]), ssop.copy(np.full(MIB, "a", object)), ssop.copy(x[:0])):
        assert get_handler_name(result) == NUMPYS
    assert get_handler_name() == NUMPYS


@pytest.mark.parametrize("count", [8 * KIB, 9 * KIB, 128 * KIB, 480 * KIB, MIB])
def test_mem_s1_memory_is_used_again(count):
    x = np.arange(count)
    result = ssop.copy(x)
    address = result.ctypes.data
    del result
    again = ssop.copy(x[::-1])
    assert again.ctypes.data == address
    other = ssop.copy(x)
    assert other.ctypes.data != address
    assert (again == x[::-1]).all() and (other == x).all()
    del again, other
    assert ssop.trim_memory() == 2 * x.nbytes
    assert ssop.trim_memory() == 0


def test_results_of_nearly_one_size_share_memory():
    x = np.arange(128 * KIB)
    results = {ssop.copy(x[: len(x) - k]).ctypes.data for k in range(0, 8 * KIB, 500)}
    assert len(results) == 1
    kept = ssop.trim_memory()
    assert kept == x.nbytes
    for k in range(8 * KIB, 120 * KIB, 777):
        wanted = x[k:].nbytes
        ssop.copy(x[k:])
        assert wanted <= ssop.trim_memory() <= wanted + wanted // 8


def test_medium_results_take_an_eighth_of_the_cap():
    program = (
        "import numpy as np, ssop; x = np.ones(1 << 15); kept = [ssop.copy(x) for _ in range(20)]; "
        "kept.clear(); print(ssop.trim_memory())"
    )
    for cap, kept in ((2 * MIB - 1, 0), (20 * MIB, 10 * MIB // 4), (1 << 40, 5 * MIB)):
        assert child.run_source(program, SSOP_CACHE_BYTES=str(cap)).stdout == f"{kept}\n"


def test_the_cap_holds():
    program = (
        "import numpy as np, ssop; x = np.ones(1 << 20); kept = [ssop.copy(x) for _ in range(5)]; "
        "kept.clear(); print(ssop.trim_memory())"
    )
    for cap, kept in ((8 * MIB - 1, 0), (8 * MIB, 8 * MIB), (20 * MIB, 16 * MIB), (0, 0), (1 << 40, 40 * MIB)):
        assert child.run_source(program, SSOP_CACHE_BYTES=str(cap)).stdout == f"{kept}\n"
    for text in ("-1", "1M", "1e9", "lots", str(1 << 64)):
        done = child.run_source(program, SSOP_CACHE_BYTES=text)
        assert done.returncode == 1
        last = done.stderr.strip().splitlines()[-1]
        assert last == f"ImportError: SSOP_CACHE_BYTES={text}: not a number of bytes, 0..{sys.maxsize}"


def test_the_cache_can_be_off():
    program = (
        "import numpy as np, ssop; from numpy._core.multiarray import get_handler_name; "
        "print(get_handler_name(ssop.copy(np.ones(1 << 20))))"
    )
    assert child.run_source(program, SSOP_CACHE_BYTES="0").stdout == f"{NUMPYS}\n"
    assert child.run_source(program, SSOP_CACHE_BYTES="").stdout == f"{OURS}\n"


@pytest.mark.parametrize("count", [8 * KIB, MIB])
def test_tracemalloc_sees_blocks(count):
    x = np.ones(count)
    ssop.copy(x)  # the second time it comes out of the cache
    tracemalloc.start()
    try:
        only = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
        for _ in range(2):
            result = ssop.copy(x)
            traces = tracemalloc.take_snapshot().filter_traces([only])
            assert sum(trace.size for trace in traces.traces) == result.nbytes
            del result, traces
            assert not tracemalloc.take_snapshot().filter_traces([only]).traces
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("before", [8 * KIB, 100 * KIB, MIB])
def test_resize_goes_through_the_handler(before):
    for count in (1000, 9 * KIB, 300 * KIB, 2 * MIB, 5 * MIB, 40 * MIB):
        x = np.arange(before)
        array = ssop.copy(x)
        array.resize(count, refcheck=False)
        assert get_handler_name(array) == OURS and len(array) == count
        both = min(before, count)
        assert (array[:both] == x[:both]).all() and not array[both:].any()


@pytest.mark.parametrize("count", [8 * KIB, MIB])
def test_blocks_are_freed_by_other_threads(count):
    results = [ssop.copy(np.full(count, k)) for k in range(6)]
    threads = [threading.Thread(target=results.pop) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ssop.trim_memory() == 48 * count


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize(("unit", "steps"), [(MIB, 60), (64 * KIB, 60)])
def test_memory_stays_flat(unit, steps):
    """As many results as would fill the memory, of sizes that do not fit each other's blocks."""
    x = np.ones(64 * unit, np.uint8)
    ssop.copy(x)
    ssop.trim_memory()
    before = resident_bytes()
    for k in range(300):
        size = (4 + 7 * k % steps) * unit
        assert ssop.copy(x[:size]).nbytes == size
    assert resident_bytes() - before <= CAP + 64 * MIB
    assert 0 < ssop.trim_memory() <= CAP
    assert resident_bytes() - before < 32 * MIB


def blocks_that_are_given_back():
    import os

    def resident_bytes():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    x = np.ones(1 << 20, np.uint8)
    ssop.copy(x)
    ssop.trim_memory()
    before = resident_bytes()
    results = [ssop.copy(x[: (k + 1) * 8 << 10]) for k in range(128)]
    used = sum(result.nbytes for result in results)
    assert resident_bytes() - before > used // 2
    last = results[-1:]
    del results
    assert resident_bytes() - before > used // 4  # cached
    assert ssop.trim_memory() > used // 2
    assert resident_bytes() - before < used // 4
    assert (last[0] == 1).all()


def test_memory_goes_back_to_the_system():
    """In a process of its own: elsewhere, results take memory that other tests have left."""
    child.run(blocks_that_are_given_back)


def fork_with_blocks():
    import os

    x = np.arange(1 << 20)
    held = ssop.copy(x)
    ssop.copy(x)
    ssop.copy(x[: 1 << 15])
    pid = os.fork()
    if pid == 0:
        right = (held == x).all()
        del held
        again = ssop.copy(x[::-1])
        right &= (again == x[::-1]).all() and ssop.trim_memory() == (8 << 20) + (1 << 18)
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert (held == x).all()
    del held
    assert ssop.trim_memory() == (16 << 20) + (1 << 18)


def test_a_child_has_its_own_cache():
    child.run(fork_with_blocks)


def no_memory():
    """A result that does not fit: MemoryError, and NumPy's allocator is in its place again."""
    import resource

    from numpy._core.multiarray import get_handler_name

    huge = np.broadcast_to(np.int8(1), (1 << 20, 1 << 22))  # 4 TiB
    small = np.ones(1 << 20)
    ssop.copy(small)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
    for _ in range(3):
        try:
            ssop.copy(huge)
        except MemoryError:
            pass
        else:
            raise AssertionError("4 TiB")
        assert get_handler_name() == "default_allocator"
        assert get_handler_name(ssop.copy(small)) == "ssop"
    # So are medium results, up to the last byte: then the error is NumPy's. Arrays that nobody writes take the rest.
    medium, results, rest = np.ones(1 << 17), [], []
    try:
        while True:
            rest.append(np.empty(1 << 27, np.int8))
    except MemoryError:
        pass
    try:
        while True:
            results.append(ssop.copy(medium))
    except MemoryError as error:
        assert "1.00 MiB" in str(error)
    assert all((result == 1).all() for result in results)
    del results[::2]
    assert get_handler_name(ssop.copy(medium)) == "ssop"
    del results, rest
    # What the cache holds is given back before anything fails.
    kept = [np.broadcast_to(np.int8(1), (n, 1 << 20)) for n in (300, 400)]
    for array in kept:
        ssop.copy(array)
    free = 1 << 32
    while free > 1 << 22:
        try:
            kept.append(np.empty(free, np.int8))
        except MemoryError:
            free //= 2
    del kept[2]
    assert get_handler_name(ssop.copy(small)) == "ssop"


def under_address_sanitizer():
    with open("/proc/self/maps") as file:
        return "libasan" in file.read()


@pytest.mark.skipif(
    child.THREAD_SANITIZER or (sys.platform == "linux" and under_address_sanitizer()),
    reason="that sanitizer needs terabytes of addresses itself",
)
def test_no_memory():
    child.run(no_memory)


def own_allocator():
    """A handler of the user's, made here of libc's functions."""
    import ctypes

    from numpy._core import _multiarray_umath
    from numpy._core.multiarray import get_handler_name

    size, pointer = ctypes.c_size_t, ctypes.c_void_p
    libc = ctypes.CDLL(None)
    for name, arguments in (("malloc", [size]), ("calloc", [size, size]), ("realloc", [pointer, size])):
        getattr(libc, name).argtypes, getattr(libc, name).restype = arguments, pointer
    libc.free.argtypes = [pointer]
    calls = []

    def noted(name, function):
        def call(context, *arguments):
            calls.append((name, arguments))
            return function(*arguments)

        return call

    makers = [
        ctypes.CFUNCTYPE(pointer, pointer, size)(noted("malloc", libc.malloc)),
        ctypes.CFUNCTYPE(pointer, pointer, size, size)(noted("calloc", libc.calloc)),
        ctypes.CFUNCTYPE(pointer, pointer, pointer, size)(noted("realloc", libc.realloc)),
        ctypes.CFUNCTYPE(None, pointer, pointer, size)(noted("free", lambda block, bytes_: libc.free(block))),
    ]

    class Handler(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char * 127), ("version", ctypes.c_uint8), ("context", pointer)]
        _fields_ += [(name, pointer) for name in ("malloc", "calloc", "realloc", "free")]

    handler = Handler(b"users own", 1, None, *(ctypes.cast(maker, pointer) for maker in makers))
    api = ctypes.pythonapi
    api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = ctypes.py_object, [pointer, ctypes.c_char_p, pointer]
    api.PyCapsule_GetPointer.restype = pointer
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    name = ctypes.c_char_p(b"mem_handler")
    capsule = api.PyCapsule_New(ctypes.byref(handler), name, None)
    table = ctypes.cast(api.PyCapsule_GetPointer(_multiarray_umath._ARRAY_API, None), ctypes.POINTER(pointer))
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[304])

    x = np.ones(1 << 20)
    before = ssop.copy(x)
    numpys = set_handler(capsule)
    assert get_handler_name() == "users own"
    result = ssop.copy(x)
    assert get_handler_name(result) == "users own" and (result == 1).all()
    assert [call for call in calls if call[0] == "malloc" and call[1][0] == x.nbytes]
    assert get_handler_name() == "users own"
    assert get_handler_name(ssop.copy(x[: 1 << 13])) == "users own"
    address = result.ctypes.data
    del before  # by ssop's, whatever is set now
    del result
    assert [call for call in calls if call[0] == "free" and call[1][0] == address]
    set_handler(numpys)
    assert get_handler_name(ssop.copy(x)) == "ssop"


def test_an_allocator_of_the_users_is_respected():
    child.run(own_allocator)
