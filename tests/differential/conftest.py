"""The environment of the engines, and the runs that the tests of one file look at."""

import os

import pytest

from ssop.testing import difftest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each refused call

SEED = int(os.environ.get("SSOP_SEED", "20170109"))


@pytest.fixture(scope="module")
def compared(report):
    """A function that runs ssop against an engine and tells what came of it."""

    def run(oracle, cases, op=None):
        result = difftest(oracle=oracle, op=op, cases=cases, seed=SEED)
        report(f"{result}; {result.filled_share:.0%} accepted with elements; SSOP_SEED={SEED}")
        return result

    return run
