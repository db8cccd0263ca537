"""Counts the rules of SPEC.md: every label must stand in the code, in the reference, in a test that meets or breaks it.

`python tools/labels.py` prints the table and exits with 1 if a label is missing somewhere, or if SPEC.md lacks one that
stands elsewhere. A constraint (`_c`) is broken by the binding's inputs (in_, out_, mem_, pl_, ix_, rg_) or by an
operation's own arguments; only the latter are the reference's business.

A constraint that C has in its list of rules (rules.def) must also be enforced in C: SSOP_SS_C1 stands in the code, not
only in the list and in comments. A row in the table of messages (test_rules.c) is no test of a rule.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^### ((\w+)_[cs]\d+):", flags=re.M)
IN_LIST = re.compile(r"^RULE\(\w+, \"(\w+)\"", flags=re.M)
IN_C = re.compile(r"\bSSOP_((?:[A-Z]+)_C\d+)\b")
COMMENT = re.compile(r"/\*.*?\*/", flags=re.S)
# Rules about Python objects and memory: the reference, which knows numbers only, has no word for them.
BINDING_ONLY = ("in_", "out_", "mem_", "rg_", "ix_", "pl_", "th_", "cfg_")
NO_TESTS = {"test_rules.c"}


def texts(*patterns: str) -> Iterable[str]:
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            if path.name not in NO_TESTS:
                yield path.read_text(encoding="utf-8")


def labels_in(kinds: set[str], *patterns: str) -> set[str]:
    """Labels of these kinds in the files that match, also in their C spelling SSOP_SS_C1."""
    label = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(kinds)})_[cs]\d+(?!\d)")  # also inside names
    found: set[str] = set()
    for text in texts(*patterns):
        found |= set(label.findall(text))
        found |= {name.lower() for name in IN_C.findall(text)}
    return found


def enforced_in_c() -> set[str]:
    """Rules that C code names outside comments."""
    code = (COMMENT.sub("", text) for text in texts("csrc/**/*.c", "csrc/**/*.h"))
    return {name.lower() for text in code for name in IN_C.findall(text)}


def listed_in_c() -> set[str]:
    return set(IN_LIST.findall((ROOT / "csrc/include/ssop/rules.def").read_text(encoding="utf-8")))


def spec_labels() -> tuple[list[str], set[str]]:
    """Every label of SPEC.md, and the kinds there are: what stands before _c and _s."""
    headings = HEADING.findall((ROOT / "SPEC.md").read_text(encoding="utf-8"))
    labels = [label for label, _ in headings]
    if len(labels) != len(set(labels)) or len(labels) < 80:
        raise SystemExit(f"SPEC.md: {len(labels)} headings, some twice or too few")
    return labels, {kind for _, kind in headings}


def main() -> int:
    labels, kinds = spec_labels()
    places = {
        "code": labels_in(kinds, "csrc/**/*.c", "csrc/**/*.h", "python/ssop/*.py"),
        "reference": labels_in(kinds, "python/ssop/reference/*.py"),
        "tests": labels_in(kinds, "tests/**/*.py", "tests/**/*.c"),
    }
    listed, enforced = listed_in_c(), enforced_in_c()
    problems = [f"{label}: listed, but not enforced in C" for label in sorted(listed - enforced)]
    problems += [f"{label}: enforced in C, not in SPEC.md" for label in sorted(listed - set(labels))]
    for label in labels:
        for place, found in places.items():
            if label not in found and not (place == "reference" and label.startswith(BINDING_ONLY)):
                problems.append(f"{label}: not in the {place}")
    for place, found in places.items():
        problems += [f"{label}: in the {place}, not in SPEC.md" for label in sorted(found - set(labels))]
    for problem in problems:
        print(problem)
    print(f"{len(labels)} labels, {len(problems)} missing")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
