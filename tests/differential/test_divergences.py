"""Every row of the engines in the table of divergences has its predicate here, and every predicate its row."""

import inspect

from differential import divergences
from ssop.divergences import rows


def test_rows_and_predicates_match():
    predicates = {name for name, f in inspect.getmembers(divergences, inspect.isfunction) if not name.startswith("_")}
    names = [row["predicate"] for kind in ("divergence", "not_sent") for row in rows(kind)]
    assert len(names) == len(set(names)) and set(names) == predicates
