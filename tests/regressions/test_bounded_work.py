"""Work is bounded by result and spec: an iterator that never ends, and a sequence that claims 10^9 items, are errors.

Found by an attack of 2026-11-26 in twelve functions. The objects count what is asked of them, and stop a hang.
"""

import gc
import os
import signal
from collections.abc import Mapping

import numpy as np
import pytest

import ssop

X = np.zeros(4)
MOST = 5_000
"""Items that may be asked for: far more than any operation takes, far fewer than a second's work."""


class Endless:
    """An iterator that never ends."""

    def __init__(self):
        self.asked = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.asked += 1
        assert self.asked < MOST, "the iterator is consumed without end"
        return 1


class Claiming:
    """A sequence that claims 10^9 items."""

    def __init__(self):
        self.asked = 0

    def __len__(self):
        return 10**9

    def __getitem__(self, index):
        self.asked += 1
        assert self.asked < MOST, "all items are asked for"
        return 1


shapes, explain, vjp, SPEC = ssop.shapes, ssop.explain, ssop.vjp, ssop.StridedSliceSpec([0], [1])
CALLS = {
    "vjp.broadcast": lambda x: vjp.broadcast(X, [4], x),
    "vjp.broadcast operand": lambda x: vjp.broadcast(X, x, [4]),
    "vjp.broadcast_in_dim": lambda x: vjp.broadcast_in_dim(X, [4], [4], x),
    "vjp.broadcast_in_dim shape": lambda x: vjp.broadcast_in_dim(X, [4], x, [0]),
    "vjp.broadcast_in_dim operand": lambda x: vjp.broadcast_in_dim(X, x, [4], [0]),
    "vjp.reshape": lambda x: vjp.reshape(X, x, [4]),
    "vjp.reshape sizes": lambda x: vjp.reshape(X, [4], x),
    "vjp.reshape dimensions": lambda x: vjp.reshape(X, [4], [4], x),
    "vjp.transpose": lambda x: vjp.transpose(X, [4], x),
    "vjp.transpose operand": lambda x: vjp.transpose(X, x, [0]),
    "vjp.rev": lambda x: vjp.rev(X, [4], x),
    "vjp.pad": lambda x: vjp.pad(X, [4], x),
    "vjp.pad triple": lambda x: vjp.pad(X, [4], [x]),
    "vjp.pad operand": lambda x: vjp.pad(X, x, [(0, 0, 0)]),
    "vjp.collapse": lambda x: vjp.collapse(X, [4], x),
    "vjp.collapse operand": lambda x: vjp.collapse(X, x, [0]),
    "vjp.concatenate": lambda x: vjp.concatenate(X, x, 0),
    "vjp.concatenate shape": lambda x: vjp.concatenate(X, [x], 0),
    "vjp.slice": lambda x: vjp.slice(X, [4], x, [4]),
    "vjp.dynamic_slice": lambda x: vjp.dynamic_slice(X, [4], [0], x),
    "vjp.dynamic_update_slice": lambda x: vjp.dynamic_update_slice(X, [4], x, [0]),
    "vjp.strided_slice": lambda x: vjp.strided_slice(X, x, [0], [4]),
    "vjp.tensor_strided_slice_update": lambda x: vjp.tensor_strided_slice_update(X, [4], x, [0], [4]),
    "vjp.tf_slice": lambda x: vjp.tf_slice(X, [4], x, [4]),
    "shapes.broadcast": lambda x: shapes.xla.broadcast([4], x),
    "shapes.broadcast_in_dim": lambda x: shapes.xla.broadcast_in_dim([4], [4], x),
    "shapes.broadcast_in_dim of no rank": lambda x: shapes.xla.broadcast_in_dim(None, [4], x),
    "shapes.reshape": lambda x: shapes.xla.reshape([4], x),
    "shapes.reshape dimensions": lambda x: shapes.xla.reshape([4], [4], x),
    "shapes.collapse": lambda x: shapes.xla.collapse([4], x),
    "shapes.collapse of no rank": lambda x: shapes.xla.collapse(None, x),
    "shapes.transpose": lambda x: shapes.xla.transpose([4], x),
    "shapes.transpose of no rank": lambda x: shapes.xla.transpose(None, x),
    "shapes.concatenate": lambda x: shapes.xla.concatenate([x, x], 0),
    "shapes.pad": lambda x: shapes.xla.pad([4], x),
    "shapes.rev": lambda x: shapes.xla.rev([4], x),
    "shapes.slice": lambda x: shapes.slice([4], x, [4]),
    "shapes.dynamic_slice": lambda x: shapes.dynamic_slice([4], [0], x),
    "shapes.strided_slice": lambda x: shapes.strided_slice([4], x, [4]),
    "shapes.strided_slice of": lambda x: shapes.strided_slice(x, [0], [4]),
    "shapes.onnx.slice": lambda x: shapes.onnx.slice([4], [0], [4], x),
    "shapes.openvino.slice": lambda x: shapes.openvino.slice([4], [0], [4], x),
    "shapes.openvino.strided_slice": lambda x: shapes.openvino.strided_slice([4], [0], [4], begin_mask=x),
    "shapes.PartialShape": shapes.PartialShape,
    "explain": lambda x: explain([4], x, [4]),
    "explain shape": lambda x: explain(x, [0], [4]),
    "explain strides": lambda x: explain([4], [0], [4], x),
    "explain mask": lambda x: explain([4], [0], [4], begin_mask=x, dialect="openvino"),
    "explain.slice": lambda x: explain.slice([4], x, [4]),
    "explain.dynamic_slice": lambda x: explain.dynamic_slice([4], x, [4]),
    "explain.dynamic_slice flags": lambda x: explain.dynamic_slice([4], [0], [4], allow_negative_indices=x),
    "explain.dynamic_update_slice": lambda x: explain.dynamic_update_slice([4], x, [0]),
    "explain.pad": lambda x: explain.pad([4], x),
    "explain.pad triple": lambda x: explain.pad([4], [x]),
    "explain.strided_slice_grad": lambda x: explain.strided_slice_grad([4], [0], [4], None, x),
    "explore": lambda x: ssop.explore([4], x, [4]),
    "spec": lambda x: ssop.StridedSliceSpec(x, [4]),
    "spec.resolve": SPEC.resolve,
    "spec.infer_shape": SPEC.infer_shape,
    "spec.explain": SPEC.explain,
    "plan": lambda x: ssop.plan(SPEC, x, float),
    "Region": lambda x: ssop.Region(x, [(0, 1, 1)], [0]),
    "Region ranges": lambda x: ssop.Region([4], x, [0]),
    "Region out_axes": lambda x: ssop.Region([4], [(0, 4, 1)], x),
    "xla.pad": lambda x: ssop.xla.pad(X, 0.0, x),
    "xla.reshape": lambda x: ssop.xla.reshape(X, x),
    "xla.concatenate": lambda x: ssop.xla.concatenate([X, X], x),
    "dynamic_slice": lambda x: ssop.dynamic_slice(X, [0], x),
}


@pytest.mark.parametrize("hostile", [Endless, Claiming])
@pytest.mark.parametrize("name", CALLS)
def test_what_never_ends_is_an_error(name, hostile):
    x = hostile()
    if hostile is Claiming and name in ("shapes.openvino.strided_slice", "explain mask"):
        CALLS[name](x)  # OpenVINO's masks may have any length (ov_s4)
        return
    try:
        told = CALLS[name](x)
    except ssop.SliceError:
        return
    assert name.startswith(("explain", "spec.explain")) and told.error is not None  # a call that breaks a rule


class EndlessMapping(Mapping):
    """A mapping whose keys never end."""

    def __iter__(self):
        return Endless()

    def __len__(self):
        return 10**9

    def __getitem__(self, key):
        return (0, 7)


def test_mappings_that_never_end_are_read_to_an_end():
    """`InferenceContext(.., attributes=)` and `convert(.., assume=)` read all keys first."""
    assert ssop.shapes.InferenceContext("Op", attributes=EndlessMapping()).attributes == {1: (0, 7)}
    assert ssop.convert(np.s_[1:2], to="tf", shape=[None, 7], assume=EndlessMapping()).certificate is not None


def test_sequences_of_any_kind_are_read():
    """Lists, tuples, arrays and objects with a length and items, as before."""

    class Three:
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return (2, 3, 4)[index]

    assert ssop.vjp.transpose(np.zeros((4, 2, 3)), Three(), np.array([2, 0, 1])).shape == (2, 3, 4)
    assert ssop.vjp.pad(np.zeros(7), [2], np.array([(2, 2, 1)]))[0].shape == (2,)
    assert ssop.shapes.xla.transpose(None, (1, 0), mode="tight").rank == 2
    assert ssop.explain.pad(Three(), [(0, 0, 0)] * 3).shape == (2, 3, 4)
    assert ssop.explain(Three(), [0] * 40, [1] * 40).error.value == 40


def test_rows_without_starts_are_looked_at_once():
    """2^59 rows of no starts are an array of no bytes; each of them was looked at."""
    rows, nothing = np.empty((2**59, 0), np.int64), np.zeros((), "V0")
    assert ssop.shapes.dynamic_slice([], rows, []).dims == (2**59,)
    assert ssop.dynamic_slice(nothing, rows, [], out_of_bounds="raise").shape == (2**59,)


FAR = 10**12
REACH = [(FAR - 1, 0)]
"""The padding that makes two windows of 10^12 places over two elements: one has the first, the other one has both."""


@pytest.mark.parametrize(
    "computation", [ssop.xla.add, np.maximum, lambda a, b: a + b], ids=["add", "maximum", "called"]
)
@pytest.mark.parametrize("apart", [1, FAR])
def test_windows_are_larger_than_what_they_have(computation, apart):
    """Every place of a window was looked at, however few have an element."""
    padding = REACH if apart == 1 else [(FAR - 1, FAR - 1)]
    found = ssop.xla.reduce_window([1.0, 3.0], 0.0, computation, (FAR,), (apart,), padding)
    assert found.tolist() == ([1.0, computation(1.0, 3.0)] if apart == 1 else [1.0, 3.0])


@pytest.mark.parametrize("computation", [ssop.xla.add, lambda a, b: a + b], ids=["known", "called"])
def test_places_without_elements_are_joined_by_halves(computation):
    """Where padding and holes count, the computation was called for each of these places (rw_s1, rw_s2)."""
    found = ssop.xla.reduce_window([[1], [3]], 7, computation, (FAR, FAR), (1, 1), [*REACH, (FAR - 1, 0)])
    exact = [[7 * FAR**2 + 1], [7 * (FAR**2 - 1) + 4]]
    assert found.tolist() == [[(number + 2**63) % 2**64 - 2**63] for (number,) in exact]


@pytest.mark.parametrize("select", [ssop.xla.ge, lambda a, b: a >= b], ids=["known", "called"])
@pytest.mark.parametrize("scatter", [ssop.xla.add, lambda a, b: a + b], ids=["known", "called"])
@pytest.mark.parametrize("first", [1.0, np.nan])
def test_windows_select_few_of_many_places(select, scatter, first):
    """Places were counted one by one, in tables with an item for each."""
    x, source = np.array([[first, 3.0]]), np.array([[5.0, 7.0]])
    found = ssop.xla.select_and_scatter(x, select, (1, FAR), (1, 1), [(0, 0), *REACH], source, 0.0, scatter)
    assert found.tolist() == [[5.0, 7.0]]


SIGNALLED = {
    "rows": lambda: ssop.dynamic_slice(np.zeros(2), np.zeros((2**24, 1), np.int8), [1], out_of_bounds="raise"),
    "list of rows": lambda: ssop.dynamic_slice(np.zeros(2), [(0,)] * 2**24, [1], out_of_bounds="raise"),
    "shape of rows": lambda: ssop.shapes.dynamic_slice(
        [(1, 2**60)], np.zeros((2**22, 1), np.int8), [1], out_of_bounds="raise"
    ),
    "regions of rows": lambda: ssop._core.dynamic_slice_regions([2], np.zeros((2**21, 1), np.int8), [1]),
    "chunks of a range": lambda: ssop.Region([9], [(0, 9, 1)], [0]).chunks([range(2**25)]),
    "chunks of an array": lambda: ssop.Region([9], [(0, 9, 1)], [0]).chunks([np.broadcast_to(0, (2**26,))]),
}


@pytest.mark.skipif(os.name == "nt", reason="there is no such timer")
@pytest.mark.parametrize("name", SIGNALLED)
def test_long_arguments_answer_ctrl_c(name):
    """None of them gave way to a signal before it was read to its end.

    The garbage collector is off: what a handler raises in one of its callbacks, of which Hypothesis has one, is lost.
    """
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            SIGNALLED[name]()
            raise AssertionError("the call came to its end first")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


@pytest.mark.skipif(os.name == "nt", reason="there is no such timer")
@pytest.mark.parametrize("name", ["sizes", "total"])
def test_long_lists_of_chunks_answer_ctrl_c(name):
    """No signal was handled before the last item. One may come after the call, two do not."""
    region, sizes = ssop.Region([2**22], [(0, 2**22, 1)], [0]), [1] * 2**22
    chunks = region.chunks([sizes])
    calls = []
    before = signal.signal(signal.SIGALRM, lambda *_: calls.append(None))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        calls.clear()
        total = chunks.total if name == "total" else region.chunks([sizes])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert name == "sizes" or total == 2**22
    assert len(calls) > 1


class EndlessList(list):
    """A list of one item whose iterator never ends."""

    def __iter__(self):
        return Endless()


class EndlessDict(dict):
    """A dict of one entry whose keys never end."""

    def __iter__(self):
        return iter(self.keys())

    def keys(self):
        return Endless()


def test_subclasses_of_lists_tuples_and_dicts_are_read_to_an_end():
    """What `list` or `dict` made of them never ended, and did not answer Ctrl-C."""
    for call in (ssop.roll, ssop.pad, ssop.vjp.roll):
        with pytest.raises(ssop.SliceError):
            call(np.zeros((2, 2)), EndlessList([1]), *([[0, 1]] if call is not ssop.pad else []))
    assert ssop.pad(np.zeros((2, 2)), EndlessDict({1: 2})).shape == (2, 6)
    assert ssop.explain.dynamic_slice((4,), [EndlessList([1])], [1]).shape == (1, 1)
