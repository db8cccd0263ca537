"""Every notebook runs from top to bottom in a fresh kernel of this very interpreter, and is stored without outputs."""

import ast
import json
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from child import LIMIT_SECONDS

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LEAST = {
    "converting.ipynb": {"cells": 8, "asserts": 12, "tables": 0},
    "copy_engine.ipynb": {"cells": 8, "asserts": 11, "tables": 1, "plots": 5},
    "dialects.ipynb": {"cells": 9, "asserts": 13, "tables": 6, "plots": 1},
    "gradients_and_updates.ipynb": {"cells": 4, "asserts": 5, "tables": 2},
    "hunting_a_bug.ipynb": {"cells": 7, "asserts": 6, "tables": 0},
    "inspecting.ipynb": {"cells": 10, "asserts": 15, "tables": 0},
    "masks.ipynb": {"cells": 25, "asserts": 30, "tables": 14},
    "masks_together.ipynb": {"cells": 6, "asserts": 11, "tables": 4},
    "one_axis.ipynb": {"cells": 6, "asserts": 10, "tables": 4},
    "reverse.ipynb": {"cells": 5, "asserts": 11, "tables": 4},
    "static_shapes.ipynb": {"cells": 12, "asserts": 35, "tables": 0},
    "xla_windows.ipynb": {"cells": 6, "asserts": 9, "tables": 5},
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


def test_a_wrong_claim_is_noticed(execute):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 == 2")])
    with pytest.raises(CellExecutionError, match="AssertionError"):
        execute(notebook)
