"""Writes the section "Contents" of SPEC.md: a link to each section, and how the labels of its rules begin.

    python tools/contents.py [--check]

With --check it writes nothing, and exits with 1 if the section is not current.
"""

import re
import sys
from pathlib import Path

SPEC = Path(__file__).parents[1] / "SPEC.md"
TITLE = "Contents"


def anchor(heading: str) -> str:
    """The anchor of a heading, as Markdown viewers make it.

    >>> anchor("XLA's one-axis forms")
    'xlas-one-axis-forms'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def contents(spec: str) -> str:
    """The section, of the text of SPEC.md."""
    without_code = re.sub(r"^```.*?^```$", "", spec, flags=re.M | re.S)
    lines = [f"## {TITLE}", ""]
    for part in re.split(r"^## ", without_code, flags=re.M)[1:]:
        heading = part[: part.index("\n")]
        begins = dict.fromkeys(re.findall(r"^### (\w+?_)[cs]\d+:", part, flags=re.M))
        labels = f": {', '.join(f'`{word}`' for word in begins)}" if begins else ""
        lines += [f"- [{heading}](#{anchor(heading)}){labels}"] if heading != TITLE else []
    return "\n".join([*lines, "", ""])


def main(check: bool) -> int:
    spec = SPEC.read_text(encoding="utf-8")
    first, *others = re.split(r"^(?=## )", spec, maxsplit=2 if f"\n## {TITLE}\n" in spec else 1, flags=re.M)
    text = first + contents(spec) + others[-1]
    if check:
        return int(text != spec)
    SPEC.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
