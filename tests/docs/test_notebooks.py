"""Every notebook runs from top to bottom in a fresh kernel of this very interpreter, and is stored without outputs."""

import ast
import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from child import LIMIT_SECONDS

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LEAST = {
    "converting.ipynb": {"cells": 9, "asserts": 15, "tables": 0},
    "copy_engine.ipynb": {"cells": 9, "asserts": 14, "tables": 1, "plots": 5},
    "dialects.ipynb": {"cells": 10, "asserts": 17, "tables": 6, "plots": 1},
    "gradients_and_updates.ipynb": {"cells": 5, "asserts": 8, "tables": 2},
    "hunting_a_bug.ipynb": {"cells": 8, "asserts": 10, "tables": 0},
    "inspecting.ipynb": {"cells": 11, "asserts": 18, "tables": 0},
    "masks.ipynb": {"cells": 30, "asserts": 42, "tables": 23},
    "masks_together.ipynb": {"cells": 8, "asserts": 15, "tables": 5},
    "one_axis.ipynb": {"cells": 8, "asserts": 14, "tables": 5},
    "reverse.ipynb": {"cells": 6, "asserts": 14, "tables": 4},
    "static_shapes.ipynb": {"cells": 13, "asserts": 38, "tables": 0},
    "xla_windows.ipynb": {"cells": 7, "asserts": 12, "tables": 5},
}
"""What must at least have been run and shown, so that a notebook cannot pass by being emptied."""


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def count_asserts(cells):
    return sum(isinstance(node, ast.Assert) for cell in cells for node in ast.walk(ast.parse(cell.source)))


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """A function that runs a notebook in a new kernel of this interpreter, with all its files below `tmp_path`."""
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_PATH"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    spec = tmp_path / "jupyter_path" / "kernels" / "this-python" / "kernel.json"
    spec.parent.mkdir(parents=True)
    command = [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": command, "display_name": "this Python", "language": "python"}))

    def run(notebook):
        limits = {"timeout": LIMIT_SECONDS, "startup_timeout": LIMIT_SECONDS}
        where = {"metadata": {"path": str(tmp_path)}}
        return NotebookClient(notebook, kernel_name="this-python", resources=where, **limits).execute()

    return run


def test_there_are_notebooks_and_each_has_its_floor():
    assert {path.name for path in NOTEBOOKS} == set(LEAST)


FIRST = "masks.ipynb"
"""The one that the default test stage runs; starting a kernel takes seconds."""


NEEDS = {"inspecting.ipynb": "onnx"}
"""A library that the tests' own environment lacks. Where it is missing, the build of the site runs the notebook."""


def in_its_stage(path):
    return pytest.param(path, id=path.name, marks=[] if path.name == FIRST else [pytest.mark.long])


@pytest.mark.parametrize("path", [in_its_stage(path) for path in NOTEBOOKS])
def test_notebook_runs(path, tmp_path, execute):
    if path.name in NEEDS:
        pytest.importorskip(NEEDS[path.name])
    copy = shutil.copy(path, tmp_path)
    notebook = nbformat.read(copy, as_version=4)
    execute(notebook)
    run = [cell for cell in code_cells(notebook) if cell.execution_count]
    assert len(run) == len(code_cells(notebook)) >= LEAST[path.name]["cells"]
    assert count_asserts(run) >= LEAST[path.name]["asserts"]
    assert silent(run) == []
    tables = sum("text/html" in output.get("data", {}) for cell in run for output in cell.outputs)
    assert tables >= LEAST[path.name]["tables"]
    plots = sum("image/png" in output.get("data", {}) for cell in run for output in cell.outputs)
    assert plots >= LEAST[path.name].get("plots", 0)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_is_stored_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code_cells(notebook))


def silent(cells):
    """The cells whose claims leave nothing to see, but for the one behind the hidden answers."""
    return [cell.source for cell in cells[:-1] if count_asserts([cell]) and not cell.outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_says_what_for_and_asks_three_questions(path):
    """The answers are hidden until they are asked for; the last cell asserts them without showing them."""
    first, *_, questions, last = nbformat.read(path, as_version=4).cells
    assert "**After this page you can say** " in first.source
    answers = re.findall(r"<details>\n<summary>Answer</summary>\n\n`(.+?)`\. .+?\n\n</details>", questions.source, re.S)
    claims = [node.test for node in ast.parse(last.source).body if isinstance(node, ast.Assert)]
    asserted = [ast.literal_eval(claim.comparators[0]) for claim in claims]
    values = [ast.literal_eval(answer) for answer in answers]
    assert len(answers) == 3 and [sha256(repr(value).encode()).hexdigest()[:8] for value in values] == asserted
    assert last.metadata.tags == ["hide-input"] and last.metadata.jupyter.source_hidden


def test_a_wrong_claim_is_noticed(execute):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 == 2")])
    with pytest.raises(CellExecutionError, match="AssertionError"):
        execute(notebook)
