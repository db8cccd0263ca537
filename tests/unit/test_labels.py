"""tools/labels.py on copies of this tree: what enforces or tests a rule is missed when it is gone."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "labels.py"
C, PYTHON, TESTS = "csrc/**/*.[ch]", "python/ssop/**/*.py", "tests/**/*.*"

# Lines of each of these kinds are deleted, all that match: label -> (files, pattern, what must be said of the label).
LINES = {
    "sl_c4": (C, r"\bfail\(error, SSOP_SL_C4,", "listed, but not enforced in C"),
    "tfl_c5": (C, r"\.zero_step = SSOP_TFL_C5,", "listed, but not enforced in C"),
    "ov_c8": (C, r"\bfail\w*\(.*rules->shrunk_index,", "listed, but not enforced in C"),
    "as_c2": (C, r"SSOP_AS_C2", "listed, but not enforced in C"),
    "out_c5": (C, r"\.rule = SSOP_OUT_C5;", "listed, but not enforced in C"),
    "sel_c3": (PYTHON, r"raise type_error\(.*\"sel_c3\"", "not enforced"),
    "ix_c1": (C, r"\.rule = SSOP_IX_C1", "listed, but not enforced in C"),
    "th_c1": (TESTS, r"Case\(\"th_c1\"", "not tested"),
    "ort_s1": (TESTS, r"\"ort_s1.*\": \(", "not tested"),
    "mem_s1": (TESTS, r"def test_mem_s1_", "not tested"),
    "ss_c6": ("python/ssop/reference/*.py", r"\"ss_c6\"", "not in the reference"),
}


@pytest.fixture
def tree(tmp_path):
    """A copy of what the script reads."""
    for part in ("csrc", "python", "tests"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("*.so", "__pycache__", "bench"))
    shutil.copy(ROOT / "SPEC.md", tmp_path)
    return tmp_path


def problems(root):
    """label -> what the script says is wrong with it."""
    done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.stderr == "" and done.returncode == (len(lines) > 1)
    return dict(line.split(": ", 1) for line in lines[:-1])


def delete(root, files, pattern):
    """Delete the lines that match. Python stays Python: what a line begins is deleted to its end."""
    deleted = 0
    for path in root.glob(files):
        if not path.is_file() or path.name == Path(__file__).name:
            continue
        text = path.read_text(encoding="utf-8")
        kept = []
        depth = 0
        for line in text.splitlines(keepends=True):
            begins = depth == 0 and re.search(pattern, line)
            if not begins and depth <= 0:
                kept.append(line)
                continue
            deleted += bool(begins)
            indent = line[: len(line) - len(line.lstrip())]
            if begins and path.suffix == ".py" and line.lstrip().startswith(("raise", "def")):
                kept.append(f"{indent}pass\n" if line.lstrip().startswith("raise") else f"{indent}def gone():\n")
            if path.suffix == ".py":
                depth = max(0, depth + sum(line.count(c) for c in "([{") - sum(line.count(c) for c in ")]}"))
        path.write_text("".join(kept), encoding="utf-8")
    return deleted


def test_a_deleted_line_is_missed(tree):
    for label, (files, pattern, _) in LINES.items():
        assert delete(tree, files, pattern) >= 1, label
    found = problems(tree)
    assert {label: found.get(label) for label in LINES} == {label: words for label, (_, _, words) in LINES.items()}
    shared = {label for label in found if label not in LINES}  # by every dialect that has a rule for shrunk indices
    assert shared == {"ss_c7", "tfl_c7"}


def test_lists_of_labels_enforce_and_test_nothing(tree):
    """A rule that only stands in SPEC.md, rules.def, the table of messages, an enum, comments, and a set of labels."""
    with open(tree / "SPEC.md", "a") as spec:
        spec.write("\n### ss_c99: no stride is 99\n")
    with open(tree / "csrc/include/ssop/rules.def", "a") as rules:
        rules.write('RULE(SS_C99, "ss_c99", VALUE_ERROR, SHOWS_VALUE, "stride 99")\n')
    with open(tree / "csrc/core/range.c", "a") as code:
        code.write("/* fail(error, SSOP_SS_C99, NOWHERE, NO_NUMBERS) */\nenum { NEW_RULE = SSOP_SS_C99 };\n")
    with open(tree / "tests/core/test_rules.c", "a") as table:
        table.write('CHECK(SSOP_SS_C99, "ss_c99")\n')
    with open(tree / "tests/unit/test_errors.py", "a") as test:
        test.write('\n\ndef test_nothing():\n    # ss_c99\n    assert not {"ss_c99"} & set()\n')
    done = subprocess.run([sys.executable, SCRIPT, tree], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:-1] == [
        "ss_c99: listed, but not enforced in C",
        "ss_c99: not in the reference",
        "ss_c99: not tested",
    ]
