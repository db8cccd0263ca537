"""Long copies answer Ctrl-C and let other threads run; threads share inputs; a process may fork after use."""

import _thread
import itertools
import os
import signal
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest

import child
import ssop
from memory.calls import on_arrays
from scale import examples

THREADS, ITERATIONS = 8, examples(2000)
with_a_gil = pytest.mark.skipif(not child.HAS_GIL, reason="this Python has no GIL")


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


def interrupt(name):
    """SIGINT during a copy comes out as KeyboardInterrupt, and the rest of the copy is not made.

    The GIL is given up by a copy only, so that another thread can send signals only during one. Two that are handled in
    one call show that the first was handled in the middle of it.
    """
    import os
    import queue
    import signal
    import sys
    import threading

    from numpy.lib.stride_tricks import as_strided

    x = np.ones(1 << 21, np.int8)
    rows = 1 << 16
    wide = as_strided(x, (rows, 1 << 12), (0, 1 << 9))  # 256 MiB out of 2 MiB, a byte from a line: no kernel is fast
    out = np.zeros(wide.shape, np.int8)
    plan = ssop.plan(ssop.StridedSliceSpec([], []), wide.shape, wide.dtype)
    run = {
        "copy": lambda: ssop.copy(wide),
        "copy out": lambda: ssop.copy(wide, out=out),
        "copyto": lambda: ssop.copyto(out, wide),
        "copy overlap": lambda: ssop.copy(out[::-1], out=out),
        "strided_slice": lambda: ssop.strided_slice(wide, [rows], [-2 * rows], [-1], out=out),
        "dynamic_slice wrap": lambda: ssop.dynamic_slice(wide, [3, 0], wide.shape, out_of_bounds="wrap", out=out),
        "dynamic_update_slice": lambda: ssop.dynamic_update_slice(out, wide, [0, 0], out=out),
        "plan": lambda: plan(wide, out=out),
    }[name]

    def begin():
        out[...] = 0
        out[: rows // 2] = name == "copy overlap"  # which swaps the halves

    def is_complete():
        """A new result is lost with the exception: nothing can be said of it."""
        first, second = np.count_nonzero(out[: rows // 2]), np.count_nonzero(out[rows // 2 :])
        return name != "copy" and (first, second) == (0 if name == "copy overlap" else out.size // 2, out.size // 2)

    wanted = queue.SimpleQueue()  # of signals; a handler may put something into it at any time
    copying, handled = False, 0

    def handler(number, frame):
        nonlocal handled
        handled += copying
        wanted.put(True)
        if copying and handled == 2:
            raise KeyboardInterrupt

    def send():
        while wanted.get():
            os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, handler)
    sys.setswitchinterval(1000)
    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    counts = sys.getrefcount(x), sys.getrefcount(wide), sys.getrefcount(out)
    calls, interrupted = 0, False
    while not interrupted:  # a signal may come too late to stop the copy
        assert calls < 100, "no copy was interrupted"
        begin()
        wanted.put(True)
        (lambda: None)()  # here Python handles what was sent while NumPy gave the GIL up
        calls, handled, copying = calls + 1, 0, True
        try:
            run()
            copying = False
        except KeyboardInterrupt:
            copying = False
            interrupted = not is_complete()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wanted.put(False)
    sender.join()
    assert (sys.getrefcount(x), sys.getrefcount(wide), sys.getrefcount(out)) == counts
    assert (x == 1).all()
    assert ssop.copy(x[:5]).tolist() == [1] * 5
    print(f"{name}: interrupted in call {calls}")


LONG = [
    "copy",
    "copy out",
    "copyto",
    "copy overlap",
    "strided_slice",
    "dynamic_slice wrap",
    "dynamic_update_slice",
    "plan",
]


@pytest.mark.skipif(os.name == "nt", reason="no signal can be sent to oneself there")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_during_a_long_copy(name):
    assert f"{name}: interrupted" in child.run(interrupt, name)


def interrupt_dilation(name):
    """SIGINT during the gradient or padding of a batch of one, or of one large item, leaves the end untouched."""
    import os
    import signal
    import threading

    import ssop.xla

    batch, blank = (1, 4096, 4096), 42
    inside, out = np.ones((1, 4094, 4094)), np.empty(batch)
    items, item = np.empty(2, "V67108864"), np.zeros(1, "V67108864")
    run, written = {
        "grad": (lambda: ssop.strided_slice_grad(batch, [0, 1, 1], [1, 4095, 4095], [1, 1, 1], inside, out=out), out),
        "pad": (lambda: ssop.xla.pad(inside, 0.0, [(0, 0, 0), (1, 1, 0), (1, 1, 0)], out=out), out),
        "item": (lambda: ssop.strided_slice_grad([2], [0], [2], [2], item, out=items), items),
    }[name]
    memory = written.view(np.uint8).reshape(-1)
    for _ in range(1000):  # the thread may see the beginning too late, or the signal come between two calls
        memory.fill(blank)
        ended = threading.Event()

        def send(ended=ended):
            while memory[0] == blank and not ended.is_set():
                pass  # until the first piece is there
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send)
        try:
            thread.start()
            run()
            ended.set()
            thread.join()
            signal.pause()
        except KeyboardInterrupt:
            ended.set()
            thread.join()
            if memory[0] == 0 and memory[-1] == blank:
                return
    raise AssertionError("it was never stopped in between")


@pytest.mark.skipif(os.name == "nt", reason="no signal can be sent to oneself there")
@pytest.mark.parametrize("name", ["grad", "pad", "item"])
def test_ctrl_c_during_a_dilation(name):
    child.run(interrupt_dilation, name)


def interrupt_with_an_exception():
    """Whatever a signal's handler raises comes through, and the handler may call ssop itself."""
    import os
    import signal
    import threading

    class Alarm(Exception):
        pass

    seen = []

    def handler(number, frame):
        seen.append(ssop.copy(np.arange(3)).tolist())
        if len(seen) == 3:
            raise Alarm

    signal.signal(signal.SIGINT, handler)
    wide = np.broadcast_to(np.ones((1, 1), np.int8), (1 << 8, 1 << 21))
    stop = threading.Event()

    def send():
        while not stop.wait(0.05):
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()
    try:
        for _ in range(1000):
            assert ssop.copy(wide).all()  # a handler that raises nothing changes nothing
    except Alarm:
        pass
    else:
        raise AssertionError("no signal came")
    finally:
        stop.set()
    assert seen[:3] == [[0, 1, 2]] * 3


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt, also where a shell that runs the tests in the background lets them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


WRITES = {
    "copy": lambda x, out: partial(ssop.copy, x, out=out),
    "copyto": lambda x, out: partial(ssop.copyto, out, x),
    "overlap": lambda _, out: partial(ssop.copyto, out[:768], out[256:]),
    "strided_slice": lambda x, out: partial(ssop.strided_slice, x, [1024], [-1025], [-1], out=out),
    "dynamic_update_slice": lambda x, out: partial(ssop.dynamic_update_slice, out, x, [0, 0], out=out),
    "gradient": lambda x, out: partial(ssop.strided_slice_grad, (1024, 1024), [0], [1024], [2], x[:512], out=out),
}


@pytest.mark.parametrize("name", WRITES)
def test_th_s2_ctrl_c_during_a_copy_of_references(ctrl_c, name):
    """Nothing but C runs between the request and the copy. No item is written and no reference is lost."""
    old, new = object(), object()
    x, out = np.full((1024, 1024), new), np.full((1024, 1024), old)
    out[512:] = new
    call, before = WRITES[name](x, out), out.tolist()
    counts = sys.getrefcount(old), sys.getrefcount(new)
    with pytest.raises(KeyboardInterrupt):
        list(map(partial.__call__, [partial(_thread.interrupt_main), call]))
    assert out.tolist() == before
    assert (sys.getrefcount(old), sys.getrefcount(new)) == counts


@pytest.mark.parametrize("dtype", [object, np.dtypes.StringDType()], ids=["object", "string"])
def test_ctrl_c_during_a_copy_of_references_into_a_new_array(ctrl_c, dtype):
    """Nothing but C runs between the request and the copy, and what comes after the copy is not called."""
    x = np.full(1 << 18, "a text", dtype)
    before, after = sys.getrefcount(x[0]), []
    with pytest.raises(KeyboardInterrupt):
        list(map(partial.__call__, [partial(_thread.interrupt_main), partial(ssop.copy, x), partial(after.append, 1)]))
    now = sys.getrefcount(x[0])
    assert after == [] and now == before


@pytest.mark.skipif(os.name == "nt", reason="no signal can be sent to oneself there")
def test_handlers_may_raise_anything_or_nothing():
    child.run(interrupt_with_an_exception)


# ---- the GIL ---------------------------------------------------------------------------------------------------------


def progress(call):
    """How often another thread gets its turn during `call`: the GIL changes hands only where it is given up."""
    turns, running = itertools.count(), True

    def other():
        while running:
            next(turns)
            time.sleep(0)  # gives the GIL up

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=other)
    try:
        thread.start()
        before = next(turns)
        call()
        return next(turns) - before - 1
    finally:
        running = False
        sys.setswitchinterval(interval)
        thread.join()


BIG = np.ones((8192, 8192), np.int8)


def test_the_gil_is_released_for_large_plain_copies():
    out = np.empty_like(BIG)
    plan = ssop.plan(ssop.StridedSliceSpec([], []), BIG.shape, BIG.dtype)
    for call in (
        lambda: ssop.copy(BIG.T),
        lambda: ssop.copy(BIG.T, out=out),
        lambda: ssop.copy(out.T, out=out),
        lambda: ssop.copyto(out, BIG.T),
        lambda: ssop.strided_slice(BIG, [0], [8192], [2]),
        lambda: ssop.slice(BIG, [0, 0], [8192, 8192], [1, 2]),
        lambda: ssop.dynamic_slice(BIG, [9, 9], [8192, 8192]),
        lambda: ssop.dynamic_slice(BIG, [9, 9], [8192, 8192], out_of_bounds="wrap"),
        lambda: ssop.dynamic_update_slice(BIG, BIG.T, [0, 0]),
        lambda: plan(BIG),
    ):
        assert any(progress(call) for _ in range(2000))  # most are over before the other thread is awake


@with_a_gil
def test_the_gil_is_kept_for_small_copies():
    x = np.zeros(1000)
    out = np.empty_like(x)
    for call in (
        lambda: ssop.copy(x, out=out),
        lambda: ssop.strided_slice(x, [1000], [-1001], [-1], out=out),
        lambda: ssop.dynamic_slice(x, [9], [1000], out_of_bounds="wrap", out=out),
        lambda: ssop.dynamic_update_slice(x, x[:9], [5], out=out),
    ):
        assert not any(progress(call) for _ in range(20))


@with_a_gil
def test_the_gil_is_kept_for_references():
    """In one step, into an array that is there: NumPy itself gives the GIL up to allocate memory for references."""
    x = np.full(60_000, "text", object)
    out = np.empty_like(x)
    for call in (
        lambda: ssop.copy(x, out=out),
        lambda: ssop.strided_slice(x, [60_000], [-60_001], [-1], out=out),
    ):
        assert not any(progress(call) for _ in range(20))


# ---- threads ---------------------------------------------------------------------------------------------------------


def in_threads(work, count=THREADS):
    """Run `work(i)` in that many threads at once; the first exception is raised here."""
    barrier, failed = threading.Barrier(count), []

    def run(i):
        try:
            barrier.wait(timeout=child.LIMIT_SECONDS)
            work(i)
        except BaseException as error:
            failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if failed:
        raise failed[0]


SHARED = np.arange(60 * 50, dtype=np.int64).reshape(60, 50)  # 24 KB: the GIL is given up
PLAN = ssop.plan(ssop.StridedSliceSpec([60], [-99], [-1]), SHARED.shape, SHARED.dtype)
UPDATED = SHARED.copy()
UPDATED[-1:, -1:] = 0
OPERATIONS = {
    "copy": (lambda: ssop.copy(SHARED.T), SHARED.T),
    "strided_slice": (lambda: ssop.strided_slice(SHARED, [60], [-99], [-1]), SHARED[::-1]),
    "slice": (lambda: ssop.slice(SHARED, [0, 1], [60, 50]), SHARED[:, 1:]),
    "dynamic_slice": (lambda: ssop.dynamic_slice(SHARED, [99, 0], [55, 50]), SHARED[5:]),
    "wrap": (
        lambda: ssop.dynamic_slice(SHARED, [7, 9], [60, 50], out_of_bounds="wrap"),
        np.roll(SHARED, (-7, -9), (0, 1)),
    ),
    "update": (lambda: ssop.dynamic_update_slice(SHARED, [[0]], [99, 99]), UPDATED),
    "plan": (lambda: PLAN(SHARED), SHARED[::-1]),
    "resolve": (lambda: ssop.StridedSliceSpec([1], [9], [2]).resolve((50,)).split()[0].shape, (4,)),
}


@pytest.mark.parametrize(("call", "expected"), OPERATIONS.values(), ids=OPERATIONS)
def test_threads_share_inputs(call, expected):
    def work(i):
        for k in range(ITERATIONS):
            result = call()
            if k % 20 == i:
                assert np.array_equal(result, expected)

    before = sys.getrefcount(SHARED)
    in_threads(work)
    assert sys.getrefcount(SHARED) == before


X = np.arange(24).reshape(4, 6)


def last_of_many(name):
    """The last result of many calls of an operation that read X and write arrays of their own."""
    function, arguments, keywords = on_arrays(X)[name]
    for _ in range(ITERATIONS):
        result = function(*arguments, **keywords)
    return result.tobytes() if isinstance(result, np.ndarray) else repr(result)


@pytest.mark.parametrize("name", on_arrays(X))
def test_threads_make_every_call(name):
    alone, before = last_of_many(name), sys.getrefcount(X)
    results = []
    in_threads(lambda i: results.append(last_of_many(name)))
    assert results == [alone] * THREADS
    assert sys.getrefcount(X) == before


def test_threads_raise_their_own_errors():
    def work(i):
        for k in range(500):
            try:
                ssop.strided_slice(SHARED, [100 * i + k + 60], [0], shrink_axis_mask=1)
            except ssop.SliceIndexError as error:
                assert error.value == 100 * i + k + 60
            else:
                raise AssertionError("not rejected")

    in_threads(work)


def test_threads_write_parts_of_one_array():
    out = np.zeros((THREADS, 5000), np.int64)

    def work(i):
        for k in range(100):
            ssop.dynamic_update_slice(out, np.full((1, 5000), 100 * i + k), [i, 0], out=out)

    in_threads(work)
    assert out.tolist() == [[100 * i + 99] * 5000 for i in range(THREADS)]


def test_threads_on_objects_and_strings():
    objects = np.array([object() for _ in range(500)])
    strings = np.array([f"string {i} that is longer than sixteen bytes" for i in range(500)], np.dtypes.StringDType())
    counts = [sys.getrefcount(item) for item in objects]
    expected = strings[::-1].tolist()

    def work(i):
        for _ in range(200):
            assert ssop.dynamic_slice(objects, [9], [500], out_of_bounds="wrap")[0] is objects[9]
            assert ssop.strided_slice(strings, [500], [-501], [-1]).tolist() == expected

    in_threads(work)
    assert [sys.getrefcount(item) for item in objects] == counts


def readers_and_a_writer(writes_objects):
    """Nobody should do this; the bytes may be mixed, but nothing may break."""
    import threading

    x, stop = np.zeros((200, 300), np.int64), threading.Event()
    objects = np.full(5000, "a", object)

    def write():
        k = 0
        while not stop.is_set():
            k += 1
            x[...] = k
            if writes_objects:
                objects[...] = str(k)
            ssop.dynamic_update_slice(x, x[:50], [k % 300, 0], out=x)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        assert ssop.copy(x.T).shape == (300, 200)
        assert ssop.dynamic_slice(x, [150, 250], [100, 100], out_of_bounds="wrap").shape == (100, 100)
        assert all(type(item) is str for item in ssop.strided_slice(objects, [0], [5000], [100]))
    stop.set()


@pytest.mark.skipif(child.THREAD_SANITIZER, reason="its threads write bytes that others read")
def test_readers_and_a_writer():
    """Objects only with a GIL: without one, NumPy's own assignments free an object that another thread reads."""
    child.run(readers_and_a_writer, child.HAS_GIL)


def names_deleted_meanwhile():
    """The last name of an array goes while it is being copied; the call holds it."""
    import threading

    def work():
        for k in range(50):
            holder = [np.full((500, 500), k)]
            call = ssop.copy
            thread = threading.Thread(target=holder.clear)
            thread.start()
            if holder:
                try:
                    assert (call(holder[0].T) == k).all()
                except IndexError:
                    pass
            thread.join()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_names_deleted_meanwhile():
    child.run(names_deleted_meanwhile)


# ---- fork ------------------------------------------------------------------------------------------------------------


def fork_after_use():
    import os
    import threading
    import warnings

    x = np.arange(1_000_000).reshape(1000, 1000)
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            ssop.copy(x.T)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads: what is tested here
    for _ in range(5):
        pid = os.fork()
        if pid == 0:
            good = np.array_equal(ssop.copy(x.T), x.T) and ssop.strided_slice(x, [5], [7]).shape == (2, 1000)
            try:
                ssop.slice(x, [0], [1])
            except ssop.SliceValueError:
                os._exit(0 if good else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    stop.set()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    child.run(fork_after_use)
