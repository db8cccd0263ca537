"""What all tests share: worker processes, numbers of examples, and lines that are printed at the end of a run."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from scale import examples

MAX_WORKERS = 2  # tests start threads and child processes themselves, and some use 512 MiB
PROPERTIES = Path(__file__).parent / "property"
LINES = pytest.StashKey[list]()

# No test may fail because a machine is slow: no deadlines.
ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("dev", max_examples=50, derandomize=True, database=None, **ALWAYS)
settings.register_profile("few", max_examples=10, derandomize=True, database=None, **ALWAYS)
settings.register_profile("ci", max_examples=100, derandomize=True, database=None, **ALWAYS)
settings.register_profile("long", max_examples=examples(1000), database=None, **ALWAYS)
settings.register_profile("nightly", max_examples=100_000, **ALWAYS)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """For `-n auto`: 0, which starts no worker, where one processor is all there is."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, MAX_WORKERS) if processors > 1 else 0


# ---- examples --------------------------------------------------------------------------------------------------------


def is_long(config):
    return config.getoption("markexpr") == "long"


def pytest_configure(config):
    """Each test takes the settings that are there when it is made. HYPOTHESIS_PROFILE names others."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("long" if is_long(config) else "ci"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """The long test stage runs each property once more, with other and with more examples."""
    for item in items:
        if is_long(config) and item.path.is_relative_to(PROPERTIES) and is_hypothesis_test(item.obj):
            item.add_marker("long")


# ---- lines -----------------------------------------------------------------------------------------------------------


def lines_of(config):
    return config.stash.setdefault(LINES, [])


@pytest.fixture(scope="session")
def report(request):
    """A function for lines that stand at the end of the run's output, whether or not it passed."""
    return lines_of(request.config).append


def pytest_sessionfinish(session):
    """A worker process hands its lines over to the process that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["lines"] = lines_of(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    lines_of(node.config).extend(getattr(node, "workeroutput", {}).get("lines", []))


def pytest_terminal_summary(terminalreporter, config):
    if lines_of(config):
        terminalreporter.section("what was compared")
    for line in sorted(lines_of(config)):
        terminalreporter.write_line(line)
