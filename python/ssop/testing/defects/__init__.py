"""Defects of engines and converters: programs that show them, what is right and why, and reports for their projects.

Each is a file of a corpus whose kind is "program". `ssop difftest --defects` runs all of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ssop.testing.corpus import Failure, read_folder

FOLDER = Path(__file__).parent


def read_defects() -> list[Failure]:
    """All of them, by the names of their projects."""
    return sorted(read_folder(FOLDER), key=lambda one: (str(one.oracle), one.name))


def defect(name: str) -> Failure:
    """One by its name; ValueError for a name that is not known."""
    found = {one.name: one for one in read_defects()}
    if name not in found:
        raise ValueError(f"no defect is called {name!r}: there are {', '.join(found)}")
    return found[name]


def report_of(one: Failure) -> str:
    """The report of a defect in Markdown, as it can be sent to its project.

    >>> report_of(defect("narrow_start")).splitlines()[0]
    '# A negative int8 start overflows where the dim is over 127'
    """
    data: Any = one.program
    danger = ["The program may kill its process or damage its memory."] if data["dangerous"] else []
    return "\n\n".join(
        [
            f"# {one.failure}",
            f"{one.text}.",
            "\n".join(["```python", *data["code"], "```"]),
            "\n".join([f"- Expected: {one.right}", f"- Observed: {one.given}", f"- Versions: {one.versions}"]),
            *danger,
        ]
    )
