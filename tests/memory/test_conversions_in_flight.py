"""What other code reaches while a call converts its values, keeps its operands, or takes long."""

import os

import numpy as np
import pytest

import forked
import ssop
from memory.conversions import LISTS, SHRINKING, SIZED, TITLED_CALLS, WAYS

NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
NAMES = [
    "strided_slice_assign",
    "tensor_strided_slice_update",
    "copyto",
    "dynamic_update_slice",
    "xla.dynamic_update_slice_in_dim",
    "xla.pad",
]


@pytest.fixture(scope="module")
def server():
    with forked.Server("memory.conversions") as started:
        yield started


@pytest.mark.parametrize("name", ["copyto", "strided_slice_assign"])
def test_destination_that_becomes_masked(server, name):
    server.run("becomes_masked", name)


@pytest.mark.parametrize("name", NAMES)
def test_value_that_gets_another_dtype(server, name):
    server.run("value_of_another_dtype", name)


def test_operands_of_concatenate_are_hidden(server):
    server.run("operands_of_concatenate")


@NEEDS_FORK
def test_fork_while_another_thread_trims(server):
    server.run("fork_while_trimming")


@pytest.mark.parametrize("dtype", ["u1", "O"])
def test_ctrl_c_in_a_window_of_many_pieces(server, dtype):
    server.run("interrupt_wrapped_window", dtype)


def test_ctrl_c_where_every_byte_misses_the_caches(server):
    server.run("interrupt_cache_misses")


def test_bool_that_raises():
    class Undecided(np.ndarray):
        def __bool__(self):
            raise RuntimeError("neither")

    undecided, x = np.array(True).view(Undecided), np.zeros((3, 3))
    for call in (
        lambda: ssop.xla.index_in_dim(x, 0, keepdims=undecided),
        lambda: ssop.dynamic_slice(x, [0, 0], [1, 1], allow_negative_indices=undecided),
        lambda: ssop.tflite.strided_slice(x, [0], [1], [1], offset=undecided),
        lambda: ssop.openvino.strided_slice(x, [0], [1], [1], strict=undecided),
    ):
        with pytest.raises(RuntimeError, match="neither"):
            call()


def test_negative_dims_are_no_intervals():
    for dim, label in ((-(2**63), "in_c10"), ((-(2**63), 1), "in_c11")):
        with pytest.raises(ssop.SliceValueError) as caught:
            ssop._core.infer_strided_slice([dim], [-1], [None], [1])
        assert caught.value.label == label


@pytest.mark.parametrize("kind", ["flat", "nested", "subarray", "titles", "objects", "metadata"])
@pytest.mark.parametrize("name", NAMES)
def test_names_of_a_record_dtype_are_assigned(server, name, kind):
    server.run("names_of_record_dtype", name, kind)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_the_wanted_dtype_are_assigned(server, name):
    server.run("names_of_wanted_dtype", name)


def test_nobody_finds_containers_that_are_filled(server):
    server.run("containers_while_they_are_filled")


@pytest.mark.parametrize("call", LISTS)
@pytest.mark.parametrize("way", WAYS)
def test_list_that_an_item_clears(server, way, call):
    server.run("list_that_is_cleared", way, call)


@pytest.mark.parametrize("call", TITLED_CALLS)
def test_list_of_records_that_a_title_clears(server, call):
    server.run("list_that_a_title_clears", call)


@pytest.mark.parametrize("call", ["operand", "objects"])
def test_list_that_is_an_array_when_asked_first(server, call):
    server.run("list_that_is_an_array_once", call)


def test_lists_among_objects_stay_the_callers():
    class Item:
        pass

    class Own(list):
        pass

    items = [[Item()], (Item(), [1]), Own([Item()]), Item()]
    x = ssop.index_update(np.zeros(4, object), slice(None), [[Item()], *items][1:])
    assert all(a is b for a, b in zip(x, items, strict=True))
    record, whole = ([Item()], (Item(), []), Item()), np.zeros(2, "O,O,O")
    for found in ssop.index_update(whole, slice(None), [record] * 2):
        assert all(a is b for a, b in zip(found.item(), record, strict=True))


def test_empty_tuples_among_objects_stay_the_callers():
    class First(tuple):
        pass

    class Second(tuple):
        pass

    items = [First(), (), Second(), First(), object()]
    x = ssop.index_update(np.zeros(5, object), slice(None), items)
    assert all(a is b for a, b in zip(x, items, strict=True))
    record = tuple(items)
    (found,) = ssop.index_update(np.zeros(1, "O,O,O,O,O"), slice(None), [record])
    assert all(a is b for a, b in zip(found.item(), record, strict=True))


def test_lists_that_store_much_are_nested_too_often():
    whole = [0] * 2**22
    for _ in range(40):
        whole = [whole, whole]
    with pytest.raises(MemoryError, match="too often"):
        ssop.copy(whole)


@pytest.mark.parametrize("count", [2, 400, 4000])
@pytest.mark.parametrize("kind", SIZED)
def test_dtype_of_a_plan_shrinks(server, kind, count):
    server.run("dtype_of_a_plan_shrinks", kind, count)


def test_dtype_of_a_plan_gets_references(server):
    server.run("dtype_of_a_plan_gets_references")


@pytest.mark.parametrize("name", SHRINKING)
def test_dtype_shrinks_while_it_is_compared(server, name):
    server.run("dtype_shrinks_while_it_is_compared", name)


@pytest.mark.parametrize("call", ["flat", "nested", "iota"])
def test_list_of_fields_that_is_cleared(server, call):
    server.run("dtype_of_a_list_that_is_cleared", call)


@pytest.mark.parametrize("change", ["fewer fields", "numbers"])
def test_wanted_dtype_changes(server, change):
    server.run("wanted_dtype_changes", change)


@pytest.mark.parametrize("name", NAMES)
def test_record_dtype_grows(server, name):
    server.run("record_dtype_grows", name)
