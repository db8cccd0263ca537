"""The table of divergences: every row is complete, true, told by its dialect's module, and has its predicate."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import ssop
from ssop import divergences

DIALECTS = divergences.rows("dialect")
ENGINES = divergences.rows("divergence") + divergences.rows("not_sent")
SHAPES = divergences.rows("shapes")
DOCUMENT = divergences.rows("document")
MODULES = ("onnx", "openvino", "tflite", "xla")
SPEC = (Path(__file__).parents[2] / "SPEC.md").read_text(encoding="utf-8")


def result_of(call):
    """As the table writes it: what comes out, or the label of the rejection."""
    try:
        return repr(eval(call, {"np": np, "ssop": ssop}))
    except ssop.SliceError as error:
        return error.label


def test_an_unknown_kind_is_an_error_that_names_the_kinds():
    with pytest.raises(ValueError, match="kind is 'dialects', not one of .*'dialect', .*'divergence'"):
        divergences.rows("dialects")


@pytest.mark.parametrize(
    "row", DIALECTS + ENGINES + SHAPES + DOCUMENT, ids=lambda row: row.get("predicate", row.get("operation"))
)
def test_the_example_shows_the_divergence(row):
    assert result_of(row["example"]) == row["here"]
    assert row["here"] != row["there"]


@pytest.mark.parametrize("row", [row for row in DIALECTS if row["against"] == "tf"], ids=lambda row: row["predicate"])
def test_tensorflow_does_the_other_thing(row):
    call = row["example"].replace(f"ssop.{row['dialect']}.", "ssop.tf.").replace(", offset=True", "")
    for vector in re.findall(r"_mask=(\[.*?\](?: \+ \[.*?\] \* \d+)?)", call):  # elements become bits
        bits = sum(element << i for i, element in enumerate(eval(vector))) & 0x7FFFFFFF
        call = call.replace(f"_mask={vector}", f"_mask={bits}")
    assert result_of(call) == row["there"]


def test_every_predicate_has_its_row():
    public = {
        name for name, f in inspect.getmembers(divergences, inspect.isfunction) if f.__module__ == "ssop.divergences"
    }
    predicates = {name for name in public if not name.startswith("_")} - {"rows"}
    assert predicates == {row["predicate"] for row in DIALECTS + DOCUMENT if "predicate" in row}


def test_rows_are_complete():
    wanted = {"predicate", "label", "reason", "link", "example", "here", "there"}
    for row in DIALECTS + ENGINES + SHAPES:
        kinds = {"dialect", "against"}, {"dialect", "against", "engines"}, {"engine", "cap"}, {"engine"}
        assert set(row) - wanted in kinds and ("engines" in row) == (row.get("dialect") == "onnx"), row
        assert f"\n### {row['label']}:" in SPEC or f"\n## {row['label']}\n" in SPEC, row
        assert row["link"].startswith("https://") and len(row["reason"]) >= 30, row
    for row in DOCUMENT:
        assert set(row) - {"predicate"} == wanted - {"predicate"} | {"operation"}, row
        assert f"\n### {row['label']}:" in SPEC and row["link"].startswith("https://") and len(row["reason"]) >= 30
    assert len({(row["dialect"], row["predicate"]) for row in DIALECTS}) == len(DIALECTS)


@pytest.mark.parametrize("module", MODULES)
def test_the_module_lists_its_divergences(module):
    """In its docstring, in the table's order and words."""
    text = re.sub(r"\n  ", " ", import_module(f"ssop.{module}").__doc__)
    listed = re.findall(r"^- (\w+) \((\w+)\): (.*)\.$", text, flags=re.M)
    rows = [(row["predicate"], row["label"], row["reason"]) for row in divergences.rows("dialect", of=module)]
    assert listed == rows and rows
