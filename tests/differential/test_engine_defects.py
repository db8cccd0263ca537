"""The programs of ssop/testing/defects show their defects, on the engines alone."""

import sys

import pytest

from scale import sampled
from ssop.testing.corpus import replay
from ssop.testing.corpus.programs import missing
from ssop.testing.defects import read_defects

DEFECTS = {one.name: one for one in read_defects()}


def test_all_engines_are_here():
    assert missing(sorted({needed for one in DEFECTS.values() for needed in one.program["needs"]})) == []


@pytest.mark.parametrize("name", list(sampled(DEFECTS)))
def test_the_program_shows_the_defect(name):
    """One that is mended, or that shows something else, is to be written anew; `ssop difftest --defects` tells both."""
    (found,) = replay([DEFECTS[name]], runs_code=True)
    assert found.outcome == "there", (found, sys.version)
