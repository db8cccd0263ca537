"""The table of divergences: every row is complete, true, told by its dialect's module, and has its predicate."""

import ast
import html
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
        assert set(row) - {"predicate"} == wanted - {"predicate"} | {"operation", "document"}, row
        assert row["document"] in divergences.DOCUMENTS, row
        assert f"\n### {row['label']}:" in SPEC and row["link"].startswith("https://") and len(row["reason"]) >= 30
    assert len({(row["dialect"], row["predicate"]) for row in DIALECTS}) == len(DIALECTS)


STRIDED = [row for row in DOCUMENT if row["document"] != "xla" and "predicate" in row]


def explained(row):
    """`ssop.explain` of the example of a row about a strided slice, and the row's own predicate of that call."""
    call = next(node for node in ast.walk(ast.parse(row["example"])) if getattr(node, "args", None) and is_slice(node))
    first = eval(ast.unparse(call.args[0]), {"np": np})
    shape = first if isinstance(first, tuple) else first.shape
    dialect = "openvino" if "openvino" in ast.unparse(call.func) else "tf"
    given = list(map(ast.literal_eval, call.args[1:]))
    vectors, masks = given[:3] + [None] * (3 - len(given[:3])), given[3:]
    names = [f"{name}_mask" for name in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")]
    masks = dict(zip(names, masks, strict=False)) | {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    return ssop.explain(shape, *vectors, **masks, dialect=dialect)


def is_slice(node):
    return ast.unparse(node.func).endswith("strided_slice")


@pytest.mark.parametrize("row", STRIDED, ids=lambda row: f"{row['document']}-{row['predicate']}")
def test_explain_cites_the_document(row):
    told = explained(row)
    assert row in told.documents and row in told.to_dict()["documents"]
    assert row["reason"][:40] in re.sub(r"\s+", " ", str(told))
    title = divergences.DOCUMENTS[row["document"]]
    assert title in str(told) and title in html.unescape(told._repr_html_())


@pytest.mark.parametrize("dialect", ["tf", "openvino", "tflite"])
def test_explain_cites_no_document_that_agrees(dialect):
    assert ssop.explain((5,), [1], [3], dialect=dialect).documents == ()
    assert "documents that differ" not in str(ssop.explain((5,), [1], [3], dialect=dialect))


@pytest.mark.parametrize("module", MODULES)
def test_the_module_lists_its_divergences(module):
    """In its docstring, in the table's order and words."""
    text = re.sub(r"\n  ", " ", import_module(f"ssop.{module}").__doc__)
    listed = re.findall(r"^- (\w+) \((\w+)\): (.*)\.$", text, flags=re.M)
    rows = [(row["predicate"], row["label"], row["reason"]) for row in divergences.rows("dialect", of=module)]
    assert listed == rows and rows


def test_the_page_lists_the_rows_of_every_dialect_and_engine():
    page = (Path(__file__).parents[2] / "docs/divergences.md").read_text(encoding="utf-8")
    listed = re.findall(r"^```\{divergences\} (\w+) (\S+)$", page, flags=re.M)
    kinds = ("dialect", "divergence", "not_sent", "shapes")
    wanted = {(kind, row.get("dialect", row.get("engine"))) for kind in kinds for row in divergences.rows(kind)}
    assert set(listed) == wanted and len(listed) == len(wanted)


def cited(explanation):
    return [(row["operation"], row["predicate"]) for row in explanation.documents]


def test_explain_cites_xla_s_document():
    explain = ssop.explain
    assert cited(explain.slice((5,), [2], [2])) == [("Slice", "nothing_taken")]
    assert cited(explain.dynamic_slice((5,), [4], [0])) == [("Slice", "nothing_taken")]
    assert cited(explain.dynamic_slice((5,), [4], [2])) == [("DynamicSlice", "window_outside")]
    assert cited(explain.dynamic_update_slice((5,), (2,), [4])) == [("DynamicUpdateSlice", "window_outside")]


def test_explain_cites_no_document_of_xla_that_agrees():
    explain = ssop.explain
    assert cited(explain.slice((5,), [2], [3])) == cited(explain.dynamic_slice((5,), [3], [2])) == []
    assert cited(explain.dynamic_slice((5,), [4], [2], out_of_bounds="wrap")) == []
    assert cited(explain.dynamic_slice((5,), [-2], [2], allow_negative_indices=True)) == []
    assert cited(explain.dynamic_update_slice((5,), (2,), [3])) == []


NEAR_MISSES = {
    "reverse_from_second_last": [((4,), [-1], [0], [-1], {"end_mask": 1}), ((4,), [-2], [0], [-1], {})],
    "end_on_a_reverse_step": [((4,), [3], [0], [-2], {}), ((4,), [0], [3], [1], {}), ((4,), [0], [0], [-1], {})],
    "begin_is_end": [((4,), [1], [2], [1], {}), ((4,), [2], [2], [1], {"end_mask": 1})],
    "begin_past_the_last_element": [((4,), [3], [9], [1], {}), ((4,), [4], [0], [-1], {})],
    "end_past_the_last_element": [((4,), [0], [3], [1], {}), ((4,), [9], [9], [1], {}), ((4,), [3], [9], [-1], {})],
    "masked_begin_in_reverse": [((4,), [3], [4], [1], {"begin_mask": 1}), ((4,), [3], [0], [-1], {"begin_mask": 2})],
    "masked_end_in_reverse": [((4,), [3], [4], [1], {"end_mask": 1}), ((4,), [3], [0], [-1], {"end_mask": 2})],
    "twelve_dims_of_10": [((10,) * 11, [0], [1], [1], {"ellipsis_mask": 1}), ((10,) * 12, [0], [1], [1], {})],
    "new_axis_of_twelve_dims": [((10,) * 12, [0], [1], [1], {"ellipsis_mask": 1})],
    "fewer_entries_than_axes": [((4,), [0], [1], [1], {}), ((4, 4), [0], [1], [1], {"shrink_axis_mask": 1})],
    "more_entries_than_axes": [((4,), [0], [1], [1], {}), ((4,), [0, 0], [1, 1], [1, 1], {})],
    "reverse_range": [((4,), [0], [1], [1], {}), ((4,), [1], [1], [-1], {"shrink_axis_mask": 1})],
    "end_of_shrunk": [((4,), [2], [2], [1], {"shrink_axis_mask": 1}), ((4,), [2], [3], [1], {})],
    "range_after_new_axis": [((4,), [1, 0], [2, 0], [1, 1], {"new_axis_mask": 2})],
    "empty_range_of_dim_1": [((1,), [0], [1], [1], {}), ((2,), [1], [1], [1], {})],
    "stride_of_shrunk": [((4,), [3], [0], [1], {"shrink_axis_mask": 1}), ((4,), [3], [0], [-1], {})],
}
"""Calls that the predicates of `STRIDED` are not about."""


@pytest.mark.parametrize("predicate", sorted({row["predicate"] for row in STRIDED}))
def test_predicates_of_documents_tell_calls_apart(predicate):
    for shape, begin, end, strides, masks in NEAR_MISSES[predicate]:
        args = {"begin": begin, "end": end, "strides": strides, **masks}
        assert not getattr(divergences, predicate)(shape, args), (shape, args)
        assert predicate not in [
            row["predicate"] for row in ssop.explain(shape, begin, end, strides, **masks).documents
        ]
