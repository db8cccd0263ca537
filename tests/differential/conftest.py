"""What was compared, with versions and seed, at the end of the run whether or not it passed."""

import os
import sys
from pathlib import Path

import pytest

# The processes of `apart` find the engines' functions by the names these files have here: tests.differential.test_*.
sys.path.append(str(Path(__file__).parents[2]))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each refused call
LINES = pytest.StashKey[list]()


@pytest.fixture(scope="session")
def report(request):
    return request.config.stash.setdefault(LINES, []).append


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.section("differential")
    for line in config.stash.get(LINES, []) or ["nothing was compared"]:
        terminalreporter.write_line(line)
