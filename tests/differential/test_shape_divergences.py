"""Every row about shape inference in the table of divergences has its predicate, and every predicate its row."""

import inspect

from differential import shape_divergences
from ssop.divergences import rows


def test_rows_and_predicates_match():
    public = {name for name, f in inspect.getmembers(shape_divergences, inspect.isfunction) if not name.startswith("_")}
    names = [row["predicate"] for row in rows("shapes")]
    assert len(names) == len(set(names)) and set(names) == public - {"dense_spec"}
