"""Integers that nodes compute: what is folded, and what is told of the rest."""

import numpy as np
import pytest

import ssop
from ssop._inspect import child, folding
from ssop._inspect.files import checked_file
from ssop._inspect.folding import Folder, Unknown, argument, array_of, constant_of, elementwise, progression, wrapped
from ssop._inspect.records import Model, NodeCall, RunTime, SliceNode


def test_known_integers_are_computed_and_the_others_tell_their_producers():
    dims = array_of([Unknown(("Shape", "Gather")), 7])
    less = elementwise("Sub", lambda a, b: a - b, dims, constant_of(np.array(4)))
    assert argument(less, "t") == RunTime("t", "Shape -> Gather -> Sub", (None, 3))
    assert argument(constant_of(np.array([1, -2])), "t") == (1, -2)
    assert argument(Unknown(("input",)), "t") == RunTime("t", "input", None)


def test_what_leaves_the_integers_is_unknown_where_no_engine_defines_it():
    within = folding.checked("Div", lambda a, b: a // b, -128, 127)
    found = elementwise("Div", within, array_of([7, 7, 300, Unknown(("Shape",))]), array_of([2, 0, 1, 1]))
    assert argument(found, "t") == RunTime("t", "Div", (3, None, None, None))
    assert argument(found, "t", lambda: "from the graph") == RunTime("t", "from the graph", (3, None, None, None))


def test_arithmetic_wraps():
    assert wrapped(lambda a: a + 1, 32, True)(2**31 - 1) == -(2**31)
    assert wrapped(lambda a: a - 1, 8, False)(0) == 255


def test_long_chains_of_producers_are_shortened_in_the_middle():
    value = Unknown(("input",))
    for _ in range(100):
        value = value.then("add")
    assert len(value.chain) == folding.MAX_SHOWN and value.chain[0] == "input" and ".." in value.chain


def test_a_value_that_depends_on_itself_is_unknown():
    graph = {"a": ["b"], "b": ["c"], "c": ["a"]}
    folder = Folder(graph.__getitem__, lambda key, values: elementwise(key, lambda x: x, *values))
    assert argument(folder.value("a"), "a") == RunTime("a", "cycle -> c -> b -> a", None)


def test_a_chain_of_many_nodes_needs_no_stack():
    folder = Folder(
        lambda key: [key - 1] if key else [],
        lambda key, values: elementwise("add", lambda x: x + 1, *values) if values else constant_of(np.array(0)),
    )
    assert argument(folder.value(20_000), "t") == (20_000,)


def test_all_integers_of_a_file_together_are_bounded(monkeypatch):
    monkeypatch.setattr(folding, "MAX_ITEMS_IN_ALL", 100)
    folder = Folder(lambda key: [key - 1] if key else [], lambda key, values: constant_of(np.zeros(30, int)))
    assert argument(folder.value(9), "t") == RunTime("t", "too many integers", None)


def test_constants_with_more_integers_than_a_slice_needs_are_unknown():
    assert isinstance(constant_of(np.zeros(folding.MAX_ITEMS + 1, int)), Unknown)
    assert isinstance(constant_of(np.zeros(3)), Unknown)


@pytest.mark.parametrize(
    ("items", "step"),
    [([3], 1), ([0, 2, 4], 2), ([4, 3, 2], -1), ([], None), ([0, 1, 3], None), ([2, 2], None)],
)
def test_a_progression_has_one_step(items, step):
    assert progression(items) == step


def test_records_survive_the_way_out_of_the_child():
    call = NodeCall("xla.slice", {"start_indices": (1,), "limit_indices": RunTime("t", "input", (None, 2)), "axis": 3})
    node = SliceNode("n", "op", (call,), "x", "y", (1, "N", (0, None), None), None, "f4", notes=("a note",))
    model = Model("path", "stablehlo", "text", (node,), 3, ("another",))
    assert child._model(child._data(model)) == model


@pytest.mark.parametrize("name", ["folder", "\0"])
def test_only_regular_files_are_opened(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileNotFoundError):
        checked_file(tmp_path / "missing")
    with pytest.raises(ssop.SliceValueError, match="im_c1"):
        checked_file(f"{tmp_path}/{name}")


def test_a_file_may_be_too_large(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    assert checked_file(tmp_path / "file", 5) == str(tmp_path / "file")
    with pytest.raises(ssop.SliceValueError, match="5 bytes, more than 4"):
        checked_file(tmp_path / "file", 4)
