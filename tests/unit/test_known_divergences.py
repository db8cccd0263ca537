"""Every row of the engines in the table of divergences has its predicate, its probe and its cap."""

import inspect

import pytest

from ssop.divergences import rows
from ssop.testing._differential import known, known_shapes
from ssop.testing._differential.comparison import MIN_CASES_OF_CAP, Comparison
from ssop.testing._differential.predicates import dangers
from ssop.testing._differential.probes import PROBES, probes_of
from ssop.testing._differential.probes_shapes import SHAPE_PROBES, shape_probes_of
from ssop.testing.calls import Answer, Rejection
from ssop.testing.oracles import ORACLES, SHAPE_ORACLES, oracle

ROWS = [(kind, row) for kind in ("divergence", "not_sent") for row in rows(kind)]
SHAPE_ROWS = rows("shapes")
HELPERS = {"label_of", "both_accept", "only_ours_accepts", "only_theirs_accepts", "entries_of"}


def predicates_of(module):
    functions = inspect.getmembers(module, inspect.isfunction)
    return {name for name, f in functions if not name.startswith("_") and f.__module__ == module.__name__}


def test_rows_and_predicates_match():
    assert {row["predicate"] for _, row in ROWS} == predicates_of(known) - HELPERS
    assert len({(row["engine"], row["predicate"]) for _, row in ROWS}) == len(ROWS)
    assert {row["engine"] for _, row in ROWS} <= set(ORACLES)


@pytest.mark.parametrize(
    ("kind", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else value["predicate"]
)
def test_every_row_has_a_probe_and_a_cap(kind, row):
    assert 0 < float(row["cap"]) <= 0.08
    calls = [call for name, call in probes_of(row["engine"]) if name == row["predicate"]]
    assert calls
    if kind == "not_sent":
        assert any(row["predicate"] in dangers(row["engine"], call) for call in calls)


def test_probes_are_of_rows():
    for engine in PROBES:
        named = {row["predicate"] for _, row in ROWS if row["engine"] == engine}
        assert {name for name, _ in probes_of(engine)} == named


def test_rows_about_shapes_have_a_predicate_a_probe_and_a_cap():
    names = [row["predicate"] for row in SHAPE_ROWS]
    assert len(names) == len(set(names)) and set(names) == predicates_of(known_shapes)
    assert all(0 < float(row["cap"]) <= 0.25 for row in SHAPE_ROWS)
    assert set(SHAPE_PROBES) == {row["engine"] for row in SHAPE_ROWS} <= set(SHAPE_ORACLES)
    for engine in SHAPE_PROBES:
        assert {name for name, _ in shape_probes_of(engine)} == {
            r["predicate"] for r in SHAPE_ROWS if r["engine"] == engine
        }


def test_a_row_that_excuses_too_much_fails():
    """A cap is a share of the calls, but never fewer than a few."""
    comparison = Comparison(ORACLES["tensorflow-graph"]())
    ((_, probe),) = probes_of("tensorflow-graph")
    ours = oracle("reference").answer(probe)
    theirs = Answer(error=Rejection("ValueError", "strides[1] must be non-zero"))
    for _ in range(MIN_CASES_OF_CAP):
        comparison.judge(probe, theirs, ours)
    assert comparison.differences == [] and comparison.beyond_cap() == {}
    comparison.judge(probe, theirs, ours)
    assert comparison.beyond_cap() == {"graph_order": MIN_CASES_OF_CAP + 1}
