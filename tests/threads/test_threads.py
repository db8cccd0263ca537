"""Copies shared among threads: the same bytes for any number of them, and nothing left behind.

That no copy waits for a thread to come is shown where the pool can be held: in tests/core/test_threads.c.
"""

import multiprocessing
import os
import threading

import numpy as np
import pytest

import child
import ssop

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="nowhere to count threads")


@pytest.fixture(autouse=True)
def same_number_afterwards():
    before = ssop.get_num_threads()
    yield
    ssop.set_num_threads(before)


RNG = np.random.default_rng(7)
BYTES = RNG.integers(0, 256, 1 << 21, np.uint8)  # 2 MiB


def view(dtype, *shape):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    return np.frombuffer(BYTES.tobytes(), np.uint8)[: count * dtype.itemsize].view(dtype).reshape(shape)


FLOATS = view("f4", 512, 1024)
PIXELS = view("u1", 512, 1024, 3)
ODD = view("V5", 400, 1000)
LONGS = view("i8", 2, 131_072)
WINDOW = view("f4", 400, 700)
SPEC = ssop.StridedSliceSpec([511, 0], [-513, 1024], [-1, 1])
UPDATED = FLOATS.copy()
UPDATED[112:, 324:] = WINDOW
ROWS = FLOATS.copy()
ROWS[100:500] = FLOATS[112:]
PADDED = np.pad(FLOATS, ((3, 5), (300, 7)), constant_values=9)
GRADIENT = np.zeros((1024, 1024), "f4")
GRADIENT[::2] = FLOATS
OPERATIONS = {
    "copy": (lambda: ssop.copy(FLOATS), FLOATS),
    "copy transposed": (lambda: ssop.copy(FLOATS.T), FLOATS.T),
    "copy few long rows": (lambda: ssop.copy(LONGS[::-1]), LONGS[::-1]),
    "copy odd items": (lambda: ssop.copy(ODD.T), ODD.T),
    "copy into columns": (lambda: ssop.copy(FLOATS, out=np.empty((1024, 512), "f4").T), FLOATS),
    "copy overlapping": (lambda: overlapping(), FLOATS[:-1]),
    "strided_slice": (lambda: ssop.strided_slice(PIXELS, [0, 0, 2], [512, 1024, -4], [1, 1, -1]), PIXELS[..., ::-1]),
    "slice": (lambda: ssop.slice(PIXELS, [0, 1, 0], [512, 1024, 3], [1, 2, 1]), PIXELS[:, 1::2]),
    "dynamic_slice wrap": (
        lambda: ssop.dynamic_slice(FLOATS, [77, 333], FLOATS.shape, out_of_bounds="wrap"),
        np.roll(FLOATS, (-77, -333), (0, 1)),
    ),
    "dynamic_update_slice": (lambda: ssop.dynamic_update_slice(FLOATS, WINDOW, [500, 500]), UPDATED),
    "dynamic_update_slice of rows": (lambda: ssop.dynamic_update_slice(FLOATS, FLOATS[112:], [100, 0]), ROWS),
    "tensor_strided_slice_update": (
        lambda: ssop.tensor_strided_slice_update(FLOATS, [499, 0], [99, 1024], [-1, 1], FLOATS[:111:-1]),
        ROWS,
    ),
    "pad": (lambda: ssop.xla.pad(FLOATS, np.float32(9), [(3, 5, 0), (300, 7, 0)]), PADDED),
    "strided_slice_grad": (
        lambda: ssop.strided_slice_grad([1024, 1024], [0, 0], [1024, 1024], [2, 1], FLOATS),
        GRADIENT,
    ),
    "zeros of a gradient": (
        lambda: ssop.strided_slice_grad([1024, 1024], [5, 5], [5, 5], [1, 1], np.zeros((0, 0), "f4")),
        np.zeros((1024, 1024), "f4"),
    ),
    "plan": (lambda: ssop.plan(SPEC, FLOATS.shape, FLOATS.dtype)(FLOATS), FLOATS[::-1]),
    "objects": (lambda: ssop.copy(OBJECTS), np.full(100_000, "text", object)),
}
OBJECTS = np.full(100_000, "text", object)


def overlapping():
    array = FLOATS.copy()
    ssop.copy(array[:-1], out=array[1:])
    return array[1:]


@pytest.mark.parametrize(("call", "expected"), OPERATIONS.values(), ids=OPERATIONS)
def test_th_s1_the_same_bytes_for_any_number_of_threads(call, expected):
    expected = np.ascontiguousarray(expected)
    assert expected.nbytes >= 1 << 19
    for count in range(1, 9):
        ssop.set_num_threads(count)
        assert ssop.get_num_threads() == count
        for _ in range(3):
            result = np.ascontiguousarray(call())
            assert result.dtype == expected.dtype
            assert (result == expected).all() if result.dtype == object else result.tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [2, 5])
def test_many_callers_at_once(threads):
    """One of them has the pool, the others run alone; the number of threads changes meanwhile."""
    ssop.set_num_threads(threads)
    expected = {name: np.ascontiguousarray(right).tobytes() for name, (_, right) in OPERATIONS.items()}
    barrier, failed = threading.Barrier(6), []

    def work(i):
        try:
            barrier.wait(timeout=child.LIMIT_SECONDS)
            for k in range(2 * len(OPERATIONS)):
                name = [*OPERATIONS][(i + k) % len(OPERATIONS)]
                result = OPERATIONS[name][0]()
                if name != "objects" and np.ascontiguousarray(result).tobytes() != expected[name]:
                    failed.append(name)
                if i == 0:
                    ssop.set_num_threads(1 + k % threads)
        except BaseException as error:
            failed.append(error)

    callers = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert failed == []


# ---- how many --------------------------------------------------------------------------------------------------------


def threads_there_are():
    import os

    x = np.ones(1 << 22, np.int8)

    def count():
        return len(os.listdir("/proc/self/task"))

    before = count()  # NumPy's, too
    ssop.set_num_threads(4)
    ssop.strided_slice(x[:1000], [0], [9])
    ssop.copy(x[: 1 << 18])
    assert count() == before, "a thread for a small copy"
    ssop.copy(x)
    assert count() == before + 3
    ssop.copy(x)
    assert count() == before + 3
    ssop.set_num_threads(1)
    ssop.copy(x)


@needs_proc
def test_th_s2_threads_start_with_the_first_large_copy():
    child.run(threads_there_are)
    program = """if True:
        import os
        import numpy
        before = len(os.listdir("/proc/self/task"))
        import ssop
        print(len(os.listdir("/proc/self/task")) - before)
        """
    assert child.run_source(program).stdout == "0\n"


def test_the_environment_sets_the_number():
    program = "import ssop; print(ssop.get_num_threads())"
    for text, number in (("1", 1), ("3", 3), ("64", 64)):
        assert child.run_source(program, SSOP_NUM_THREADS=text).stdout == f"{number}\n"
    assert child.run_source(program, SSOP_NUM_THREADS="").stdout == child.run_source(program).stdout
    for text in ("0", "65", "-1", "two", "2.0", " 2", "2 ", "99999999999999999999"):
        done = child.run_source(program, SSOP_NUM_THREADS=text)
        assert done.returncode == 1
        last = done.stderr.strip().splitlines()[-1]
        assert last == f"ImportError: SSOP_NUM_THREADS={text}: not a number of threads, 1..64"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_the_affinity_mask_counts():
    program = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); import ssop; print(ssop.get_num_threads())"
    )
    assert child.run_source(program).stdout == "1\n"
    assert 1 <= int(child.run_source("import ssop; print(ssop.get_num_threads())").stdout) <= min(8, os.cpu_count())


# ---- fork ------------------------------------------------------------------------------------------------------------


def fork_after_threads():
    import os
    import warnings

    warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads: what is tested here
    ssop.set_num_threads(3)
    x = np.arange(1 << 19).reshape(512, 1024)
    for _ in range(10):
        assert (ssop.copy(x.T) == x.T).all()
        pid = os.fork()
        if pid == 0:
            alone = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
            right = all((ssop.copy(x.T) == x.T).all() for _ in range(3))
            os._exit(0 if right and alone == 1 and ssop.get_num_threads() == 3 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@needs_fork
def test_th_s2_a_child_starts_without_threads():
    child.run(fork_after_threads)


def transposed_sum(seed):
    x = np.arange(seed, seed + (1 << 19)).reshape(512, 1024)
    return int((ssop.copy(x.T) - x.T).any()), ssop.get_num_threads()


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_multiprocessing_by_fork():
    ssop.set_num_threads(3)
    assert transposed_sum(0) == (0, 3)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(transposed_sum, range(6), chunksize=1) == [(0, 3)] * 6


def fork_in_a_signal_handler():
    """In the middle of a copy: both processes finish it."""
    import os
    import signal
    import warnings

    warnings.simplefilter("ignore", DeprecationWarning)
    ssop.set_num_threads(3)
    x = np.arange(1 << 21, dtype=np.uint32).astype(np.uint8)
    wide = np.lib.stride_tricks.as_strided(x, (1 << 7, 1 << 20), (0, 2))  # 128 MiB, one byte at a time, all even
    out = np.empty(wide.shape, np.uint8)
    child, in_the_middle = None, 0

    def handler(number, frame):
        nonlocal child, in_the_middle
        in_the_middle += out[0, 0] != 1 and out[-1, -1] == 1
        child = os.fork()

    signal.signal(signal.SIGALRM, handler)
    tries = 0
    while in_the_middle < 2:  # a signal may come between two calls
        out[...] = 1
        child = None
        tries += 1
        # From half a millisecond on, because a fast machine copies in five.
        signal.setitimer(signal.ITIMER_REAL, 0.0005 * (1 + tries % 40))
        while child is None:
            ssop.copy(wide, out=out)
        right = (out == wide[0]).all()
        if child == 0:
            os._exit(0 if right and (ssop.copy(x[::-1]) == x[::-1]).all() else 1)
        assert right and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@needs_fork
def test_fork_in_a_signal_handler():
    child.run(fork_in_a_signal_handler)


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


def nothing_runs_after_an_interrupt():
    import os
    import signal
    import time

    def count_threads():
        return len(os.listdir("/proc/self/task"))

    without_workers = count_threads()
    x = np.ones(1 << 21, np.int8)
    wide = np.lib.stride_tricks.as_strided(x, (1 << 8, 1 << 20), (0, 2))  # 256 MiB
    out = np.zeros(wide.shape, np.int8)

    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    signal.signal(signal.SIGALRM, handler)
    dropped = tries = 0
    while dropped < 4:  # a signal may come between two calls
        ssop.set_num_threads(4)
        out[...] = 0
        tries += 1
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.0005 * (1 + tries % 40))
            while True:
                ssop.copy(wide, out=out)
        except Alarm:
            written = np.count_nonzero(out)
        ssop.set_num_threads(1)
        while count_threads() > without_workers:  # a worker ends when it has nothing left to do
            time.sleep(0.001)
        assert np.count_nonzero(out) == written, "a thread went on"
        dropped += written < out.size
        ssop.copy(wide, out=out)
        assert out.all()


@needs_proc
def test_nothing_runs_after_an_interrupt():
    child.run(nothing_runs_after_an_interrupt)


# ---- the end ---------------------------------------------------------------------------------------------------------

AT_THE_END = """
import threading, time
import numpy as np, ssop
ssop.set_num_threads(4)
x = np.ones(1 << 21, np.int8)
wide = np.lib.stride_tricks.as_strided(x, (1 << 6, 1 << 20), (0, 2))
kept = [ssop.copy(wide)]          # freed by the interpreter
ssop.copy(wide)                   # left behind in the cache
cycle = [kept]; cycle.append(cycle)
copied = [False] * {daemons}
def forever(daemon):
    out = np.empty(wide.shape, np.int8)
    while True:
        ssop.copy(wide, out=out)
        copied[daemon] = True
for daemon in range({daemons}):
    threading.Thread(target=forever, args=(daemon,), daemon=True).start()
while not all(copied):
    time.sleep(0.001)
"""


@pytest.mark.parametrize("daemons", [0, 1, 3])
def test_the_interpreter_ends_in_the_middle_of_it(daemons):
    for _ in range(3):
        done = child.run_source(AT_THE_END.format(daemons=daemons))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
