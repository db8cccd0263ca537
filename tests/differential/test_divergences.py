"""The table of known divergences is complete: every row has its predicate and every predicate its row."""

import inspect
from pathlib import Path

from differential import calls, divergences

ROWS = calls.ROWS["divergence"] + calls.ROWS["not_sent"]
SPEC = (Path(__file__).parents[2] / "SPEC.md").read_text(encoding="utf-8")


def test_rows_and_predicates_match():
    predicates = {name for name, f in inspect.getmembers(divergences, inspect.isfunction) if not name.startswith("_")}
    names = [row["name"] for row in ROWS]
    assert len(names) == len(set(names)) and set(names) == predicates


def test_rows_are_complete():
    for row in ROWS:
        assert set(row) == {"engine", "name", "label", "reason", "link"}, row
        assert f"\n### {row['label']}:" in SPEC or f"\n## {row['label']}\n" in SPEC, row
        assert row["link"].startswith("https://") and len(row["reason"]) > 30, row
