"""The limit that a case is compared with: the cache lines that must be touched, and a call that has nothing to do."""

import numpy as np
import pytest

from ssop.testing.bench import cases, contenders, measuring, touched
from ssop.testing.bench.kind import Case
from ssop.testing.bench.work import INTO_A_WINDOW, Work, filled, placed, sliced

SMALL = 4096  # bytes of a result
KINDS = {(case.group, case.name): case for case in cases.each_case()}.values()


def counted(array):
    """The cache lines of an array, element by element."""
    first = np.full(array.shape, array.ctypes.data, np.int64)
    for axis, stride in enumerate(array.strides):
        shape = [-1 if i == axis else 1 for i in range(array.ndim)]
        first += (np.arange(array.shape[axis]) * stride).reshape(shape)
    last = first + array.itemsize - 1
    return np.unique(np.concatenate([(first // 64).ravel(), (last // 64).ravel()])).size


@pytest.mark.parametrize("offset", [0, 1, 60])
@pytest.mark.parametrize(
    "shape, index",
    [
        ((1000,), np.s_[::1]),
        ((1000,), np.s_[3:70]),
        ((4096,), np.s_[::-1]),
        ((4096,), np.s_[::64]),
        ((9000,), np.s_[5::130]),
        ((100, 24), np.s_[:, :8]),
        ((100, 96), np.s_[::3, 1:9]),
        ((30, 300), np.s_[:, 100:201]),
        ((20, 30, 96), np.s_[::2, ::-3, :10:3]),
        ((70, 200), np.s_[:, ::-100]),
        ((7, 9), np.s_[0:0]),
    ],
)
def test_lines_are_those_of_all_elements(shape, index, offset):
    view = placed(shape, "u1", offset)[index]
    assert touched.lines(view) == counted(view)
    assert touched.lines(view.T) == counted(view)


def test_lines_of_wide_and_repeated_elements():
    spaced = placed((5, 64), "f8", 8)[:, ::9]  # where two rows meet, a line may count twice
    assert counted(spaced) <= touched.lines(spaced) <= counted(spaced) + 4
    assert touched.lines(np.broadcast_to(placed((1, 8), "f4"), (1000, 8))) == 1


def test_what_each_operation_touches():
    steps = sliced((4096,), "u1", (slice(None, None, 2),))
    assert touched.touched(steps) == (4096, 64 * touched.lines(steps.out))
    out, window = placed((64, 64), "u1"), np.s_[16:48, 0:32]
    inside = Work("window", filled((32, 32), "u1"), out, window)
    assert touched.touched(inside) == (1024, 32 * 64)
    update = Work("update", filled((64, 64), "u1"), out, np.s_[16:48, :], operands=(filled((32, 64), "u1"),))
    assert touched.touched(update) == (32 * 64 + 32 * 64, 64 * 64)
    parts = (filled((64,), "u1"), filled((128,), "u1"))
    assert touched.touched(Work("concatenate", parts[0], placed((192,), "u1"), (), operands=parts)) == (192, 192)
    fill = Work("copy", np.broadcast_to(filled((1,), "u1"), (640,)), placed((640,), "u1"), (slice(None),))
    assert touched.touched(fill) == (64, 640)


@pytest.mark.parametrize("case", KINDS, ids=lambda case: f"{case.group} {case.name}")
def test_the_empty_call_is_the_same_call(case):
    work = case.build(SMALL)
    work.reset()
    before = work.out.copy()
    empty = work.emptied()
    done = contenders.CONTENDERS["ssop"].call(empty)
    answer = done.answer(done.run())
    assert (empty.op if empty.op != "slice" else work.op) in (work.op, "slice")
    if work.op in INTO_A_WINDOW:
        assert empty.out is work.out and empty.x.size == 0 and np.array_equal(work.out.view("u1"), before.view("u1"))
    else:
        assert answer.size == empty.out.size == 0 and answer.ndim == work.out.ndim


@pytest.mark.parametrize("size, fractions", [("L1", [0.5, 0.25]), ("tiny", [0.5, 0.25]), ("L2", [0.2, 0.1])])
def test_the_fraction_of_the_limit(size, fractions):
    limits = {"memcpy": [2.0, 2.0], "call": [3.0, 3.0]}
    found = measuring.Measured("reverse", "1 B ::-1", size, 1000, {"ssop": [10.0, 20.0]}, {}, limits, (64, 64))
    assert found.fractions == fractions


def test_the_limit_copies_what_must_be_touched():
    work = sliced((4096,), "u1", (slice(None, None, 2),))
    calls = measuring.limit_calls(work)
    copied = calls["limit: memcpy"].answer(calls["limit: memcpy"].run())
    assert copied.nbytes == sum(touched.touched(work)) // 2
    assert calls["limit: call"].run().size == 0


def test_the_limit_of_kept_results_is_that_of_each():
    case = next(case for case in cases.each_case(["kept"], ["L2"]))
    work = Case(*case[:3], 8192, case.build, True).work()
    assert work.keep > 1
    calls = measuring.limit_calls(work)
    assert calls["limit: memcpy"].answer(calls["limit: memcpy"].run()).nbytes == sum(touched.touched(work)) // 2
