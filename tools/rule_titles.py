"""Writes the rules that calls of `ssop difftest` can meet, with their titles in SPEC.md, to a file of the package.

`python tools/rule_titles.py` writes it; with --check it exits with 1 if the file is not what it would write.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TITLES = ROOT / "python" / "ssop" / "testing" / "_differential" / "rule_titles.json"
FAMILIES = (
    "ss gr as tsl tfl tfs ov ovs onx onr ort sl ds dus pad rev cat tr rs bc bid dim col sel cl in val ix sh"
).split()
HEADING = re.compile(r"^### ((\w+)_[cs]\d+): (.*)$", flags=re.M)


def titles(spec: str) -> dict[str, str]:
    """Label -> title."""
    return {label: title for label, family, title in HEADING.findall(spec) if family in FAMILIES}


def main() -> int:
    """Write the file, or check it."""
    text = f"{json.dumps(titles((ROOT / 'SPEC.md').read_text(encoding='utf-8')), indent=0)}\n"
    if "--check" in sys.argv[1:]:
        good = TITLES.exists() and TITLES.read_text(encoding="utf-8") == text
        if not good:
            print("python tools/rule_titles.py writes another file: a title in SPEC.md has changed")
        return not good
    TITLES.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
