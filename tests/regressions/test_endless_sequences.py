"""Lists and tuples whose iterators never end, where Python code reads them before the core does."""

import signal
from contextlib import contextmanager

import numpy as np
import pytest

import ssop

SECONDS = 10


def endless(kind):
    class Endless(kind):
        def __iter__(self):
            return iter(int, 1)

    return Endless


@contextmanager
def limited():
    """Let a call that does not end fail its test."""

    def late(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


CALLS = {
    "a shape of explain": lambda kind: str(ssop.explain(kind([6, 4]), [1], [3])),
    "a partial shape of explain": lambda kind: str(ssop.explain(kind(["n", 4]), [1], [3])),
    "calls of convert": lambda kind: str(ssop.convert(kind([np.s_[1:]]), "tf")),
    "calls of equal": lambda kind: ssop.convert.equal(kind([np.s_[1:]]), kind([np.s_[1:]]), shape=[4]).equal,
    "init values": lambda kind: ssop.xla.reduce([X, X], kind([0.0, 1.0]), lambda *x: (x[0] + x[2], x[1] * x[3]), [0]),
    "init values of windows": lambda kind: ssop.xla.reduce_window([X], kind([0.0]), ssop.xla.add, [2]),
    "a result for all elements": lambda kind: ssop.xla.map([X, X], lambda x, y: kind([x + y])),
    "a result for each element": lambda kind: ssop.xla.map([X, X], lambda x, y: kind([x if x > y else y])),
    "a result of scatter": lambda kind: scattered(X, X[:1], lambda x, y: kind([x + y])),
    "a result of reduce": lambda kind: ssop.xla.reduce([X], [0.0], lambda x, y: kind([x + y]), [0]),
    "results of reduce": lambda kind: ssop.xla.reduce([X, X], [0.0, 0.0], lambda *x: kind(x[:2]), [0]),
    "a result of select": lambda kind: selected_and_scattered(lambda x, y: kind([x >= y])),
    "a result of while": lambda kind: ssop.xla.while_(lambda x: x[0] < 3, lambda x: kind([x[0] + 1]), (0,)),
    "handle data": lambda kind: handled(kind([[3], "float32"])).input_handle_shapes_and_types(0),
    "a described sequence": lambda kind: handled([]).debug_string(kind([ssop.shapes.ShapeAndType([3], "float32")])),
    "a shape with names": lambda kind: ssop.shapes.strided_slice(kind(["n", 4]), [0, 1], [2, 3]),
    "strides of convert": lambda kind: ssop.convert(sliced([0], [4], kind([2])), "onnx"),
    "values of convert": lambda kind: ssop.convert(sliced(kind(["n"]), [4], [1]), "onnx"),
    "chunks of a gradient": lambda kind: ssop.vjp.slice(X, kind([(2, 2)]), [0], [3]),
}
X = np.arange(3.0)


def handled(data):
    return ssop.shapes.InferenceContext("Op", [[2]], input_handle_shapes_and_types=[data and [data]])


def sliced(begin, end, strides):
    return ssop.convert.Call("tf.strided_slice", begin=begin, end=end, strides=strides)


def scattered(operands, updates, computation):
    dims = {"update_window_dims": [], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0]}
    return ssop.xla.scatter(operands, [[1]], updates, computation, **dims, index_vector_dim=1)


def selected_and_scattered(select):
    return ssop.xla.select_and_scatter(X, select, [2], [1], "VALID", X[:2], 0.0, ssop.xla.add)


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("call", CALLS)
def test_the_items_that_it_holds_are_read(call, kind):
    with limited():
        assert str(CALLS[call](endless(kind))) == str(CALLS[call](kind))


@pytest.mark.parametrize("kind", [list, tuple])
def test_operands_of_scatter_end(kind):
    with limited(), pytest.raises(ssop.SliceError):
        scattered(endless(kind)([X]), [X[:1]], ssop.xla.add)


def test_a_tuple_of_numbers_is_no_tuple_of_arrays():
    with limited():
        assert ssop.xla.select(True, endless(tuple)([1, 2]), [3, 4]).shape == (2,)


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_names_of_hazards_are_read_once(kind):
    with limited(), pytest.raises(ssop.SliceError, match="is no hazard"):
        ssop.inspect("", silent=endless(kind)([0]))


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_integers_is_no_call(kind):
    with limited(), pytest.raises(ssop.SliceError):
        ssop.convert(endless(kind)([1.5]), "tf")


def doubled(times):
    calls = [np.s_[1:]]
    for _ in range(times):
        calls = [calls, calls]
    return calls


def deep(times):
    calls = [np.s_[1:]]
    for _ in range(times):
        calls = [calls]
    return calls


def cyclic():
    calls = [np.s_[1:]]
    calls.append(calls)
    return calls


@pytest.mark.parametrize("calls", [doubled(40), cyclic(), deep(20_000), [[np.s_[1:]] * 20_000]])
def test_lists_of_lists_that_have_calls_without_bound(calls):
    with limited(), pytest.raises(ssop.SliceTypeError, match=r"more than 10000.*\[cv_c3\]"):
        ssop.convert(calls, "tf")


def test_lists_of_lists():
    """In their order, also of a list that stands in another several times."""
    pair = [np.s_[1:], np.s_[::2]]
    one, two = ssop.convert([pair, [[np.s_[:3]], pair]], "tf", shape=[9]), [*pair, np.s_[:3], *pair]
    assert str(one) == str(ssop.convert(two, "tf", shape=[9]))
    assert str(ssop.convert(deep(5_000), "tf", shape=[9])) == str(ssop.convert(np.s_[1:], "tf", shape=[9]))


class Shaped:
    """An array of a library that follows the standard, but for its shape."""

    dtype = np.dtype("f8")

    def __init__(self, shape):
        self.shape = shape

    def __array_namespace__(self, **_):
        return np

    def __getitem__(self, index):
        return X[index]


class WithoutEnd:
    def __len__(self):
        return 1

    def __getitem__(self, _):
        return 3


SHAPED = {
    "a slice": lambda x: ssop.slice(x, [0], [2]),
    "a gradient": lambda x: ssop.strided_slice_grad((8,), [0], [3], [1], x),
    "another gradient": lambda x: ssop.vjp.slice(x, (8,), [0], [3]),
    "NumPy's pad": lambda x: ssop.pad(x, 1),
    "an update": lambda x: ssop.dynamic_update_slice(x, x, [0]),
    "operands": lambda x: ssop.xla.concatenate([x, x], 0),
}


@pytest.mark.parametrize("shape", [endless(list)([3]), endless(tuple)([3]), WithoutEnd(), 3])
@pytest.mark.parametrize("call", SHAPED)
def test_shapes_of_arrays_are_tuples(call, shape):
    with limited(), pytest.raises(ssop.SliceTypeError, match="for a shape, not a tuple") as info:
        SHAPED[call](Shaped(shape))
    assert info.value.label == "in_c7"
    assert ssop.slice(Shaped((3,)), [0], [2]).tolist() == ssop.slice(Shaped([3]), [0], [2]).tolist() == [0, 1]
