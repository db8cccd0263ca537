"""Dims have names and formulas (sh_s39), which every operation that keeps a dim keeps."""

import copy
import gc
import pickle

import numpy as np
import pytest

import ssop
from ssop import cli, shapes
from ssop.shapes import Dim, PartialShape


def test_sh_s39_a_name_is_one_number_wherever_it_stands():
    one, two = Dim("batch"), Dim("ba" + "tch")
    assert one == two and hash(one) == hash(two) and one.same_as(two) and one.id == two.id
    assert one.same_as("batch") and not one.same_as("n") and one != Dim("n") and one != Dim() and Dim() != one
    assert (str(one), repr(one), one.formula, one.value, one.interval) == (
        "batch", "Dim('batch')", "batch", None, (0, None),
    )  # fmt: skip
    assert eval(repr(one)) == one
    for same in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert same.same_as(one) and str(same) == "batch"
    assert len({Dim("a"), Dim("b"), Dim("a")}) == 2


def test_sh_s39_names_with_intervals_and_formulas():
    bounded = Dim((1, 8), "batch")
    assert repr(bounded) == "Dim((1, 8), 'batch')" and eval(repr(bounded)) == bounded
    assert bounded.same_as("batch") and bounded.interval == (1, 8)
    length = Dim((0, 8), "min(8, n)")
    assert str(length) == length.formula == "min(8, n)" and eval(repr(length)).same_as(length)
    assert length == Dim((0, 8)) and not length.same_as(Dim((0, 8)))  # a formula is no name
    assert Dim(3, "x").formula == "3" and repr(Dim(3, "x")) == "Dim(3)" and Dim().formula is None


def test_sh_s39_shapes_have_them():
    shape = PartialShape(["batch", 8, None, (1, 4), Dim((0, 8), "min(8, n)")])
    assert str(shape) == "[batch,8,?,1..4,min(8, n)]"
    assert shape.formulas == ("batch", "8", None, None, "min(8, n)")
    assert shape.dims == (None, 8, None, None, None)
    assert repr(shape) == "PartialShape(['batch', 8, None, (1, 4), (0, 8)])"
    assert pickle.loads(pickle.dumps(shape)).formulas[0] == "batch"
    assert PartialShape(["a"]) != PartialShape(["b"]) and PartialShape(["a"]) != PartialShape([None])
    assert PartialShape(["a"]) == PartialShape([Dim("a")]) and hash(PartialShape(["a"])) == hash(PartialShape(["a"]))
    assert PartialShape(None).formulas is None and (str(PartialShape(None)), str(PartialShape([]))) == ("?", "[]")
    assert PartialShape(["n", "n"]).contains((3, 3)) and not PartialShape(["n", "n"]).contains((3, 4))


@pytest.mark.parametrize(
    "made, text",
    [
        (lambda: shapes.xla.transpose(["n", 4], [1, 0]), "[4,n]"),
        (lambda: shapes.xla.rev(["n", 4], [0]), "[n,4]"),
        (lambda: shapes.xla.broadcast(["n"], [2]), "[2,n]"),
        (lambda: shapes.strided_slice(["n", 4], [0, 1], [0, 3], None, 1, 1, mode="tight"), "[n,2]"),
        (lambda: shapes.dynamic_update_slice(["n", 4], [1, 1], [0, 0]), "[n,4]"),
        (lambda: PartialShape(["n", 4]).merge([None, 4]), "[n,4]"),
        (lambda: PartialShape(["n", 4]).concatenate(["m"]), "[n,4,m]"),
        (lambda: PartialShape(["n", 4])[::-1], "[4,n]"),
        (lambda: PartialShape([3, 4]).replace_dim(0, "n"), "[n,4]"),
        (lambda: shapes.InferenceContext("Op", [["n", 4]]).input(0), "[n,4]"),
    ],
)
def test_sh_s39_operations_that_keep_a_dim_keep_its_name(made, text):
    assert str(made()) == text


def test_names_are_read_without_running_code():
    class Name(str):
        def __hash__(self):
            raise AssertionError("the hash of a subclass was asked for")

        def __eq__(self, other):
            raise AssertionError("a subclass was compared")

    assert Dim(Name("batch")).same_as("batch") and type(Dim(Name("other")).formula) is str


def test_nobody_else_finds_the_names():
    """A list that could be found and changed would change dims that exist."""
    Dim("a_name_that_is_looked_for")
    lists = (found for found in gc.get_objects() if type(found) is list)
    assert not any(type(x) is str and x == "a_name_that_is_" + "looked_for" for found in lists for x in found)


@pytest.mark.parametrize("bad", ["", "n+1", "3", "a b", "min(8, n)", "?"])
def test_sh_c37_a_name_is_an_identifier(bad):
    for call in (lambda: Dim(bad), lambda: PartialShape([2, bad]), lambda: shapes.xla.rev([bad], [0])):
        with pytest.raises(ssop.SliceTypeError, match="sh_c37"):
            call()


def test_explanations_have_the_names():
    told = ssop.explain(("batch", 6, (2, 9)), [1, 2], [3, 5])
    assert told.in_shape == ("batch", 6, None) and told.to_dict()["in_shape"] == ["batch", 6, None]
    assert "where x has shape (batch, 6, ?)" in str(told) and "2..9" in str(told)
    assert ssop.explain([Dim(4), Dim(2)], [1], [3]).shape == (2, 2)
    told = ssop.explain.onnx_slice(("batch", 6), [1], [3])
    assert told.in_shape == ("batch", 6) and "(batch, 6)" in str(told)
    assert ssop.explain(PartialShape(None), [1], [3]).shape.rank is None


def test_the_command_line_reads_them(capsys):
    assert cli.main(["explain", "batch,6,2..9", "--index", "[1:3]"]) == 0
    assert "(batch, 6, ?)" in capsys.readouterr().out


def test_conversions_know_the_intervals_and_names_of_shapes():
    """A shape that says "at least 3" is one on which a slice of XLA is equal."""
    for shape in (PartialShape([(3, None), "n"]), [Dim((3, None)), Dim("n")], [(3, None), "n"]):
        conversion = ssop.convert(np.s_[:3], "xla", shape)
        assert str(conversion) == "y = jax.lax.slice_in_dim(x, start_index=None, limit_index=3)"
        assert conversion.shape.names == ("", "n")
    with pytest.raises(ssop.ConversionError, match="equal if the dim is at least 3"):  # an unknown rank is every shape
        ssop.convert(np.s_[:3], "xla", PartialShape(None))
