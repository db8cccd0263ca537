"""Arrays that are changed while a call is running (mem_s2), by the collector, signals, threads, dtypes and arguments.

A call must not crash, and must not read or write outside of its arrays. An error leaves every array as it was. A
result is that of the arrays before the changes, or after them. The attackers change shape, dtype, strides and flags.

Three things are left out because NumPy alone cannot stand them. `ndarray.resize` with refcheck=False and
`ndarray.__setstate__` free the memory of an array while views, NumPy's own too, still point into it.
`dtype.__setstate__` changes the size of the items of arrays that exist.
"""

import inspect
import os
import sys

import numpy as np
import pytest

import child
import forked
from memory.attacks import ENDLESS
from memory.in_flight import Call
from memory.operations import ON_SHAPES, OPERATIONS, Ints, Sizes
from ssop import _core

WITHOUT_ARRAYS = {
    *("core_config", "cpu_features", "force_variant", "get_num_threads", "policies", "set_num_threads"),
    *("trim_memory", "variants"),
}
WITHOUT_ARRAYS |= {"convert_value", "use_policies"}  # of a list or a scalar, and of a dict: they leave arrays alone
WITHOUT_ARRAYS |= {"read_integers", "read_shape"}  # of a vector, by the reader that all operations have
WITHOUT_ARRAYS |= {"as_array", "read_lists"}  # which make an array of what is given, and then read that

needs_signals = pytest.mark.skipif(os.name == "nt", reason="no signal can be sent to oneself there")
on_operations = pytest.mark.parametrize("name", OPERATIONS)
on_copies = pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "describe_copy"])  # copies nothing


@pytest.fixture(scope="module")
def server():
    with forked.Server("memory.attacks") as started:
        yield started


@on_operations
def test_mem_s2_finalizers_run_while_the_result_is_allocated(server, name):
    server.run("by_collector", name)


@needs_signals
@on_copies
def test_signal_handlers_run_in_a_long_copy(server, name):
    server.run("by_signal", name)


@pytest.mark.skipif(not child.HAS_GIL, reason="without it no thread may change an array in use (docs/support.md)")
@on_copies
def test_another_thread_runs_without_the_gil(server, name):
    server.run("by_thread", name)


@on_operations
def test_titles_of_dtypes_are_compared(server, name):
    server.run("by_titles", name)


@on_operations
def test_messages_show_dtypes(server, name):
    server.run("by_messages", name)


@pytest.mark.parametrize("name", [*OPERATIONS, *ON_SHAPES])
def test_integers_are_read(server, name):
    server.run("by_index", name)


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.values])
def test_values_are_converted(server, name):
    server.run("by_value", name)


@pytest.mark.parametrize("name", [name for name, each in OPERATIONS.items() if each.makes or each.target is not None])
def test_items_are_overwritten(server, name):
    server.run("by_items", name)


@pytest.mark.parametrize("kind", ["collector", "index", "array"])
def test_the_list_of_operands_is_emptied(server, kind):
    server.run("by_emptied_operands", kind)


@pytest.mark.parametrize("name", [*OPERATIONS, *ON_SHAPES])
def test_vectors_without_end(server, name):
    server.run("by_endless_vectors", name, timeout=10)


@pytest.mark.parametrize("function", ["xla", "lists", "foreign", "shape"])
@pytest.mark.parametrize("kind", ENDLESS)
def test_operands_without_end(server, kind, function):
    server.run("by_endless_operands", kind, function, timeout=2)


@needs_signals
@pytest.mark.parametrize("length", [2**20, 2**27])
def test_ctrl_c_while_many_operands_are_read(server, length):
    server.run("by_many_operands", length, timeout=10)


def functions_called():
    """Which functions of the core the tables call."""
    called, sizes = [], Sizes(8, 6, np.dtype("i4"))

    def note(frame, event, function):
        if event == "c_call":
            called.append(function)

    sys.setprofile(note)
    try:
        for operation in OPERATIONS.values():
            outcome = Call(operation, sizes).calm(())
            assert outcome.error is None
        for on_shapes in ON_SHAPES.values():
            on_shapes(sizes, Ints())
    finally:
        sys.setprofile(None)
    return called


def test_every_function_is_attacked():
    functions = {name: each for name, each in vars(_core).items() if inspect.isbuiltin(each)}
    called = functions_called()
    missing = {name for name, function in functions.items() if not any(function is each for each in called)}
    assert missing == WITHOUT_ARRAYS
