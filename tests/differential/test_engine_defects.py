"""The programs of ssop/testing/defects show their defects, on the engines alone."""

import sys

import pytest

from ssop.testing.corpus import replay
from ssop.testing.corpus.programs import missing
from ssop.testing.defects import read_defects

DEFECTS = {one.name: one for one in read_defects()}
NOT_HERE = {"onnxoptimizer", "jax2onnx", "coremltools"}
"""What the environment of these tests does not install: beside the engines, in versions that would not fit."""
SHOWN = [name for name, one in DEFECTS.items() if not NOT_HERE & set(one.program["needs"])]


def test_all_engines_of_the_others_are_here():
    assert len(DEFECTS) - len(SHOWN) == 3
    assert missing(sorted({needed for name in SHOWN for needed in DEFECTS[name].program["needs"]})) == []


@pytest.mark.parametrize("name", SHOWN)
def test_the_program_shows_the_defect(name):
    """One that is mended, or that shows something else, is to be written anew; `ssop difftest --defects` tells both."""
    (found,) = replay([DEFECTS[name]])
    assert found.outcome == "there", (found, sys.version)
