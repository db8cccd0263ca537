"""Writes the table of docs/other-arrays.md: every operation is tried with arrays of every library that is installed.

`python tools/other_arrays.py` writes the columns of the libraries of this environment and leaves the others as they
are; `--check` exits with 1 if one of them differs. The calls are those of tests/arrays/cells.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "other-arrays.md"
START, END = "<!-- table: tools/other_arrays.py -->\n", "<!-- end of the table -->"

if str(ROOT / "tests") not in sys.path:
    sys.path.insert(0, str(ROOT / "tests"))

import numpy as np  # noqa: E402

import ssop  # noqa: E402
from arrays.adapters import ADAPTERS  # noqa: E402
from arrays.cells import CALLS, as_list, expected  # noqa: E402
from ssop._lazy import libraries  # noqa: E402

OWN = ("view", "assign", "transposed", "reshaped", "repeated", "joined", "filled", "copied", "function")


def cell(adapter: Any, name: str) -> str:
    """Try one operation; return what came of it, in the words of the page. Fails if the result is wrong."""
    used: list[str] = []
    originals = {name: getattr(libraries, name) for name in OWN}
    for function, original in originals.items():
        setattr(libraries, function, lambda *a, _o=original, _n=function, **k: used.append(_n) or _o(*a, **k))
    try:
        found = as_list(CALLS[name](adapter.make))
    except ssop.SliceTypeError as error:
        assert error.label == "in_c7", (name, error)
        return "raises"
    finally:
        for function, original in originals.items():
            setattr(libraries, function, original)
    lazy = all(adapter.is_lazy(x) for x in found) and adapter.computed == 0
    for x, wanted in zip(found, expected(name), strict=True):
        plain = adapter.plain(x)
        assert x.shape == wanted.shape and (plain is None or np.array_equal(plain, wanted)), name
    classes = {type(x).__module__.partition(".")[0] for x in found}
    if lazy:
        return "lazy, engine" if classes == {"ssop"} else "lazy"
    return "engine" if not used and classes == {"torch"} else "works"


def columns() -> dict[str, dict[str, str]]:
    """Library -> operation -> cell, for the libraries of this environment."""
    return {
        library: {name: cell(kind(), name) for name in CALLS} for library, kind in ADAPTERS.items() if kind.installed()
    }


def table(cells: dict[str, dict[str, str]]) -> str:
    lines = [f"| operation | {' | '.join(ADAPTERS)} |", "| --- |" + " --- |" * len(ADAPTERS)]
    for name in CALLS:
        lines.append(f"| `{name}` | {' | '.join(cells[library][name] for library in ADAPTERS)} |")
    return "\n".join(lines) + "\n"


def read() -> dict[str, dict[str, str]]:
    """The cells of the page; "untried" where it has none."""
    text = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    rows = [[item.strip() for item in line.strip("|").split("|")] for line in text.splitlines()]
    named = {row[0].strip("`"): dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[2:]}
    return {library: {name: named.get(name, {}).get(library, "untried") for name in CALLS} for library in ADAPTERS}


def main(check: bool) -> int:
    before, known, tried = PAGE.read_text(encoding="utf-8"), read(), columns()
    print(f"tried: {len(CALLS)} operations of {', '.join(tried)}")
    head, _, rest = before.partition(START)
    text = head + START + table(known | tried) + END + rest.partition(END)[2]
    if check:
        return int(text != before)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
