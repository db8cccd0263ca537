"""The examples in the docstrings of all modules, private ones among them, do what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import ssop

PACKAGE = Path(ssop.__file__).parent
# Theirs use names that test_reference.py gives them.
ELSEWHERE = "reference"


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = sorted(
    module_name(path)
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8") and path.relative_to(PACKAGE).parts[0] != ELSEWHERE
)


def test_most_modules_have_examples():
    assert len(MODULES) >= 150


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")  # doctest is interactive
@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    with np.printoptions(legacy=False):
        done = doctest.testmod(module)
    assert done.failed == 0
