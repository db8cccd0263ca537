"""tools/operation.py: every operation has its places, and a place that is gone is reported."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import ssop

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "operation.py"


@pytest.fixture(scope="module")
def tool():
    spec = spec_from_file_location("operation_places", SCRIPT)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tree(tool):
    return tool.Tree(ROOT)


def run(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def delete(tree, lines):
    """Empty these lines in what was read of the tree."""
    gone = {tuple(line.split(": ")[0].rsplit(":", 1)) for line in lines}
    for glob, texts in [*tree.read.items()]:
        if not any(path == of for path, _ in texts for of, _ in gone):
            continue
        tree.read[glob] = [
            (path, "\n".join("" if (path, str(n)) in gone else line for n, line in enumerate(text.split("\n"), 1)))
            for path, text in texts
        ]


def test_every_operation_has_its_places(tool):
    code, lines = run("--check")
    assert lines == [f"{len(tool.Tree(ROOT).operations)} operations, 0 places missing"] and code == 0


def test_every_public_operation_is_known(tool, tree):
    public = {f"{m}.{name}" for m in tool.MODULES for name in getattr(ssop, m).__all__}
    others = {f"xla.{name}" for name in (*tool.HELPERS, *tool.OTHER_NAMES, *tool.IN_BOTH)}
    assert public - others == {name for name in tree.operations if "." in name}
    assert {name for name in tree.operations if "." not in name} == {*tool.FAMILY, *tool.IN_BOTH}
    assert {operation.kind for operation in tree.operations.values()} == {*tool.PLACES}
    assert len(tool.PLACES["C"]) == 16


@pytest.mark.parametrize(
    "name",
    ["slice", "strided_slice_grad", "tf.slice", "tflite.slice", "openvino.strided_slice", "onnx.slice", "xla.pad",
     "xla.dynamic_update_slice_in_dim", "xla.concatenate", "xla.add", "xla.tanh", "xla.gather", "xla.clamp", "xla.cond",
     "xla.while_"],
)  # fmt: skip
def test_a_deleted_place_is_missed(tool, tree, name):
    operation = tree.operations[name]
    for place in tool.PLACES[operation.kind]:
        lines = tree.find(operation, place)
        if not lines:
            assert tool.REASONS[place.name][name]
            continue
        before = dict(tree.read)
        delete(tree, lines)
        assert any(found.startswith(f"{name}: no {place.name} in ") for found in tool.problems(tree, operation))
        tree.read = before


def test_a_reason_for_what_is_there_is_reported(tool, tree, monkeypatch):
    monkeypatch.setitem(tool.REASONS, "stub", {"xla.pad": "it has none"})
    (found,) = tool.problems(tree, tree.operations["xla.pad"])
    assert found.startswith("xla.pad: has a stub (python/ssop/_core_rearrange.pyi:")


def test_reasons_name_places_and_operations(tool, tree):
    names = {place.name for places in tool.PLACES.values() for place in places}
    assert set(tool.REASONS) <= names
    for place, reasons in tool.REASONS.items():
        for name in reasons:
            assert place in {row.name for row in tool.PLACES[tree.operations[name].kind]}, name


def test_without_check_the_places_are_printed(tool):
    code, lines = run("pad")
    assert code == 0 and [line for line in lines if not line.startswith("    ")] == [
        f"{place.name}:" for place in tool.PLACES["C"]
    ]
    assert any(line.startswith("    csrc/core/pad.c:") for line in lines)
    code, lines = run("xla.select")
    assert code == 0 and f"module: {tool.IMPORTED}" in lines


def test_names_that_are_no_operations():
    code, (line,) = run("xla.padd", "--check")
    assert code == 1 and line.startswith("xla.padd is no operation")
