"""Where in the sources each rule stands."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from labels import FIELD_OF_RECORD, LISTS, PYTHON, Tree

MAX_FILES, MAX_LINES_OF_FILE = 4, 2
"""That a rule links to, of each kind of source; the commands below the links find all."""
CORE = ("csrc/core/*.c", "csrc/python/**/*.c")
KINDS = {
    "Code": (*CORE, "csrc/**/*.h", *PYTHON),
    "Reference": ("python/ssop/reference/*.py",),
    "Tests": ("tests/unit/*.py", "tests/exhaustive/*.py", "tests/property/*.py", "tests/memory/*.py",
              "tests/threads/*.py", "tests/core/*.c"),
}  # fmt: skip
TELLING = re.compile(r"def test_|Case\(|->|fail|raise|_error\(")
"""Lines that do something about a rule, and do not only mention it."""


class Places:
    """The lines of a tree that name each rule, by kind and by file; those that do most about it come first."""

    def __init__(self, root: Path) -> None:
        self.root, self.tree = root, Tree(root)
        self.lines: dict[tuple[str, str], dict[str, list[tuple[bool, int]]]] = defaultdict(lambda: defaultdict(list))
        for kind, patterns in KINDS.items():
            for name, number, line in self._each_line(patterns):
                for label in self.tree.labels_in(line):
                    self._add(kind, label, name, number, line)
        self._add_uses_of_fields()

    def _each_line(self, patterns: tuple[str, ...]):
        for path in dict.fromkeys(path for pattern in patterns for path in sorted(self.root.glob(pattern))):
            if path.name not in LISTS:
                name = str(path.relative_to(self.root))
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    yield name, number, line

    def _add(self, kind: str, label: str, name: str, number: int, line: str) -> None:
        self.lines[kind, label][name].append((TELLING.search(line) is None, number))

    def _add_uses_of_fields(self) -> None:
        """A rule that the record of a dialect names in a field is checked where code reads that field."""
        lines = list(self._each_line(CORE))
        fields = defaultdict(set)
        for _, _, line in lines:
            for field, label in FIELD_OF_RECORD.findall(line):
                fields[field].add(label.lower())
        for name, number, line in lines:
            for field in re.findall(r"->(\w+)\b", line):
                for label in fields.get(field, ()):
                    self._add("Code", label, name, number, line)

    def of(self, label: str) -> str:
        """The places of a rule as a list in Markdown that a reader unfolds."""
        items = []
        for kind in KINDS:
            files = self.lines[kind, label]
            first = sorted(files, key=lambda name: (min(files[name])[0], -len(files[name])))[:MAX_FILES]
            links = [f"`{name}:{number}`" for name in first for _, number in sorted(files[name])[:MAX_LINES_OF_FILE]]
            if links:
                items.append(f"- {kind}: {', '.join(links)}")
        items.append(f"- All its tests: `pytest -k {label}`; all places: `grep -rin {label} csrc python tests`")
        listed = "\n".join(items)
        return f'<details class="places">\n<summary>Code and tests</summary>\n\n{listed}\n\n</details>'
