"""Writes docs/quality/figures.md: every figure that ssop aims at, what was measured, on which day, by which command.

    python tools/figures.py [--check]

The rows are those of benchmarks/quality.json. A row whose count stands in a test names the file and the text there
("in", "says"). If the test has another count, the row fails until it is written again. With --check it writes nothing,
and exits with 1 if the page is not current.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/quality/figures.md"
DATA = ROOT / "benchmarks/quality.json"

HEAD = """# Figures

Every figure that ssop aims at, and what was measured. "Not reached" stands where it is so. Commands are run in the
tree; `SSOP_TEST_SCALE=1` is the whole of a set that the checks after every change take a share of.
"""


def rows() -> dict[str, list[dict[str, str]]]:
    """Return the rows of each part of the page."""
    found: dict[str, list[dict[str, str]]] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def stale() -> Iterator[str]:
    """Yield what the tests no longer say."""
    for row in (row for part in rows().values() for row in part if "in" in row):
        if row["says"] not in (ROOT / row["in"]).read_text(encoding="utf-8"):
            yield f"{row['figure']}: {row['in']} does not say {row['says']}"


def line(row: dict[str, str]) -> str:
    measured = row["measured"] if row["reached"] == "yes" else f"**not reached**: {row['measured']}"
    command = f"`{row['command']}`" if row["command"] else ""
    return f"| {row['figure']} | {row['required']} | {measured} | {row['date']} | {command} |\n"


def page() -> str:
    text = HEAD
    for part, of_it in rows().items():
        text += f"\n## {part}\n\n| figure | required | measured | date | command |\n| --- | --- | --- | --- | --- |\n"
        text += "".join(map(line, of_it))
    return text


def main(check: bool) -> int:
    problems = list(stale())
    print(*problems, sep="\n")
    if check:
        return int(problems != [] or PAGE.read_text(encoding="utf-8") != page())
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    return int(problems != [])


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
