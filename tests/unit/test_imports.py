"""`import ssop` loads little: modules are counted, since seconds depend on the machine."""

import subprocess
import sys

import pytest

AT_ONCE = {
    "ssop", "ssop._configuration", "ssop._core", "ssop._elementwise", "ssop._errors", "ssop._explain", "ssop._explore",
    "ssop._files", "ssop._lazy", "ssop._lazy.libraries", "ssop._lazy.meanings", "ssop._masks", "ssop._policies",
    "ssop._sequences", "ssop._spec", "ssop._text", "ssop._version", "ssop.onnx", "ssop.openvino", "ssop.tf",
    "ssop.tflite", "ssop.xla",
}  # fmt: skip
LATE = ["divergences", "reference", "shapes", "stablehlo", "testing", "vjp"]


def loaded_by(statement):
    """The modules that a new process loads for a statement, besides those of NumPy's own import."""
    modules = "' '.join(set(sys.modules) - before)"
    program = f"import sys, numpy; before = set(sys.modules); {statement}; print(); print({modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_loads_the_faces_and_the_extension_only():
    """No template library, no bars, no JSON, no regular expressions that NumPy has not loaded: explaining costs nothing
    unless it is asked for."""
    assert loaded_by("import ssop") - {"__future__"} == AT_ONCE


@pytest.mark.parametrize("name", LATE)
def test_a_late_module_is_there_when_it_is_asked_for(name):
    assert f"ssop.{name}" in loaded_by(f"import ssop; ssop.{name}")
    assert f"ssop.{name}" in loaded_by(f"from ssop import {name}")


def test_no_other_name_is_made_up():
    assert loaded_by("import ssop; assert not hasattr(ssop, 'nothing') and set(ssop.__all__) <= set(dir(ssop))")


def test_a_text_needs_no_template_library_and_a_picture_does():
    explain = "import ssop; told = ssop.explain((3,), [0], [1])"
    assert {"jinja2", "rich"}.isdisjoint(loaded_by(f"{explain}; str(told)"))
    assert "jinja2" in loaded_by(f"{explain}; told.to_svg()")


def test_commands_load_no_bars_unless_they_draw_one():
    command = "from ssop import cli; cli.main(['explain', '3', '--index', '0'])"
    assert {"rich", "jinja2", "shtab"}.isdisjoint(loaded_by(command))


@pytest.mark.parametrize("module", ["ssop.testing", "ssop.testing.bench.report", "ssop.testing.models.report"])
def test_the_kit_loads_no_command(module):
    """Commands use the kit, and not the other way round."""
    assert not any(name.startswith("ssop.cli") for name in loaded_by(f"import {module}"))
