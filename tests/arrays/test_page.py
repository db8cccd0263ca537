"""docs/other-arrays.md: every cell is tried, its table is current, its examples work."""

import doctest

import numpy as np
import pytest

from arrays.adapters import ADAPTERS, load_tool
from arrays.cells import CALLS

other_arrays = load_tool()
INSTALLED = [library for library, kind in ADAPTERS.items() if kind.installed()]


def test_all_but_jax_are_here():
    assert set(ADAPTERS) - set(INSTALLED) <= {"JAX"}  # which tests/differential has


@pytest.mark.parametrize("library", INSTALLED)
def test_every_cell_is_as_the_page_says(library):
    page = other_arrays.read()[library]
    assert {name: other_arrays.cell(ADAPTERS[library](), name) for name in CALLS} == page
    assert set(page.values()) <= {"engine", "lazy", "lazy, engine", "works", "raises"}


def test_the_page_is_what_the_tool_writes():
    assert other_arrays.main(check=True) == 0


def test_a_wrong_result_is_noticed(monkeypatch):
    class Wrong(ADAPTERS["dask"]):
        def plain(self, x):
            return super().plain(x) + 1

    with pytest.raises(AssertionError, match="xla.rev"):
        other_arrays.cell(Wrong(), "xla.rev")


@pytest.mark.parametrize(("page", "floor"), [("other-arrays.md", 5), ("howto/storage_author.md", 20)])
def test_the_examples_of_the_pages(page, floor):
    with np.printoptions(legacy=False):
        results = doctest.testfile(str(other_arrays.PAGE.parent / page), module_relative=False)
    assert results.failed == 0 and results.attempted >= floor
