"""docs/quality/figures.md: the rows are those of benchmarks/quality.json, and say what the tests count."""

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def load_tool():
    spec = spec_from_file_location("figures", ROOT / "tools/figures.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


figures = load_tool()
ROWS = [row for part in figures.rows().values() for row in part]


def test_the_page_is_current():
    assert figures.main(check=True) == 0


def test_rows_are_complete():
    names = {"figure", "required", "measured", "reached", "date", "command"}
    for row in ROWS:
        assert set(row) in (names, names | {"in", "says"}), row
        assert row["figure"] and row["required"] and row["measured"] and row["reached"] in ("yes", "no"), row
        assert re.fullmatch(r"(2026-\d\d-\d\d|every change)?", row["date"]), row
        assert row["reached"] == "no" or (row["date"] and row["command"]), row
    assert len(ROWS) >= 40
    assert sum("in" in row for row in ROWS) >= 30


def properties(path):
    """How many tests of a file are properties."""
    functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    return sum(any(ast.unparse(name).startswith("given(") for name in each.decorator_list) for each in functions)


def test_the_number_of_properties_is_counted():
    (row,) = [row for row in ROWS if row["figure"] == "properties"]
    counted = sum(map(properties, (ROOT / "tests/property").glob("test_*.py")))
    assert counted > int(re.search(r"\d+", row["measured"])[0]) >= 30


@pytest.mark.parametrize("command", sorted({row["command"] for row in ROWS}))
def test_commands_name_files_that_exist(command):
    paths = re.findall(r"(?:tests|fuzz|tools|\.ci)/[\w./]+", command)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_a_count_that_no_test_has_is_found(tmp_path, monkeypatch, capsys):
    page = tmp_path / "figures.md"
    monkeypatch.setattr(figures, "PAGE", page)
    assert figures.main(check=False) == 0 and figures.main(check=True) == 0
    page.write_text("other", encoding="utf-8")
    assert figures.main(check=True) == 1
    row = {"figure": "E1", "in": "tests/exhaustive/test_one_axis.py", "says": "== 1_698_368"}
    monkeypatch.setattr(figures, "rows", lambda: {"part": [ROWS[0] | row]})
    assert list(figures.stale()) == ["E1: tests/exhaustive/test_one_axis.py does not say == 1_698_368"]
