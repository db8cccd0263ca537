"""Counts the rules of SPEC.md: every label must stand in the code, in the reference, in a test that meets or breaks it.

`python tools/labels.py` prints the table and exits with 1 if a label is missing somewhere, or if SPEC.md lacks one that
stands elsewhere. A constraint (`_c`) is broken by the binding's inputs (in_, out_, mem_, pl_, ix_, rg_) or by an
operation's own arguments; only the latter are the reference's business.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^### ((\w+)_[cs]\d+):", flags=re.M)
# Rules about Python objects and memory: the reference, which knows numbers only, has no word for them.
BINDING_ONLY = ("in_", "out_", "mem_", "rg_", "ix_", "pl_", "th_", "cfg_")


def labels_in(kinds: set[str], *patterns: str) -> set[str]:
    """Labels of these kinds in the files that match, also in their C spelling SSOP_SS_C1."""
    label = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(kinds)})_[cs]\d+(?!\d)")  # also inside names
    found: set[str] = set()
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            text = path.read_text(encoding="utf-8")
            found |= set(label.findall(text))
            found |= {name.lower() for name in re.findall(r"\bSSOP_((?:[A-Z]+)_C\d+)\b", text)}
    return found


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
    missing = 0
    for label in labels:
        for place, found in places.items():
            if place == "reference" and label.startswith(BINDING_ONLY):
                continue
            if label not in found:
                print(f"{label}: not in the {place}")
                missing += 1
    for place, found in places.items():
        for label in sorted(found - set(labels)):
            print(f"{label}: in the {place}, not in SPEC.md")
            missing += 1
    print(f"{len(labels)} labels, {missing} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
