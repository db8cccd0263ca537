"""The pytest plugin of ssop: functions decorated with `ssop.testing.differential` are tests.

pytest imports this file whenever it starts, in every project. So it imports pytest alone, neither ssop nor NumPy, and
looks at nothing but plain functions. `-p no:ssop` leaves it out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

DECLARATIONS = "__ssop_differential__"
"""The attribute of a function that `ssop.testing.differential` sets."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("ssop", "differential tests (ssop.testing.differential)")
    group.addoption(
        "--ssop-cases", metavar="N", type=_at_least(1), help="calls of each test, in place of its own number"
    )
    group.addoption("--ssop-seed", metavar="N", type=_at_least(0), help="first seed, in place of each test's own")


def _at_least(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not an integer of at least {least}")
        return int(text)

    return read


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker that all these tests have."""
    config.addinivalue_line("markers", "ssop: a function compared with an engine by ssop.testing.differential")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> list[pytest.Function] | None:
    """Make a test for each operation, oracle and seed of a decorated function; leave all else to pytest."""
    if type(obj) is not FunctionType or DECLARATIONS not in obj.__dict__ or not isinstance(collector, pytest.Module):
        return None
    items: list[pytest.Function] = []
    for declared in obj.__dict__[DECLARATIONS]:
        for words, run in declared.tests(obj, collector.config):
            item = pytest.Function.from_parent(collector, name=f"{name}[{words}]", callobj=_test(obj, run))
            item.add_marker("ssop")
            items.append(item)
    return items


def _test(subject: Any, run: Callable[[], str]) -> Callable[[], None]:
    """A test function; `run` returns what was found, or an empty text."""

    def test() -> None:
        if found := run():
            pytest.fail(found, pytrace=False)

    test.__doc__ = subject.__doc__
    test.place_as = subject  # type: ignore[attr-defined] # where pytest says that it stands
    test.pytestmark = [*getattr(subject, "pytestmark", ())]  # type: ignore[attr-defined]
    return test
