"""The environment of the engines, and the runs that the tests of one file look at."""

import os
from contextlib import suppress

import pytest

with suppress(ImportError):
    import openvino  # noqa: F401 # it forks when it is imported, of which jax warns once it is there

from differential.figures import FIGURES
from scale import examples
from ssop.testing import difftest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each rejected call


def pytest_configure(config):
    # OpenVINO's converter forks, also behind a test. JAX, which has threads in the same process, warns of that.
    config.addinivalue_line("filterwarnings", r"ignore:os\.fork\(\) was called:RuntimeWarning")


@pytest.fixture
def without_x64():
    """JAX as it is by default: other tests of this process have it with int64."""
    import jax

    with jax.enable_x64(False):
        yield


SEED = int(os.environ.get("SSOP_SEED", "20170109"))


@pytest.fixture(scope="module")
def compared(report):
    """A function that makes a run of `differential.figures` and tells what came of it."""

    def run(name):
        oracle, cases, op, what = FIGURES[name]
        result = difftest(oracle=oracle, op=op, cases=examples(cases), seed=SEED, what=what)
        report(f"{result}; SSOP_SEED={SEED}")
        return result

    return run
