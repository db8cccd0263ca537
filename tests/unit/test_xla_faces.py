"""What all operations of XLA that compute have in common: how they are found, documented and pickled."""

import doctest
import inspect
import pickle
import re

import numpy as np
import pytest

import ssop

COMPUTING = sorted(ssop.xla._HOMES)
TAKES_NO_ARRAY = set()  # no operand is an array


@pytest.mark.parametrize("name", COMPUTING)
def test_its_place_is_ssop_xla(name):
    operation = getattr(ssop.xla, name)
    assert operation.__module__ == "ssop.xla"
    assert getattr(ssop.xla, operation.__name__) is operation
    assert pickle.loads(pickle.dumps(operation)) is operation
    assert name in ssop.xla.__all__ and name in dir(ssop.xla)


@pytest.mark.parametrize("name", COMPUTING)
def test_its_docstring_says_what_it_takes_and_gives(name):
    operation = getattr(ssop.xla, name)
    text = inspect.getdoc(operation)
    for section in ("Parameters\n", "Returns\n", "Raises\n", "Source: ", "Examples\n", ">>> "):
        assert section in text, section
    for parameter in inspect.signature(operation).parameters:
        assert re.search(rf"\b{parameter}\b", text), parameter
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", COMPUTING)
def test_its_examples_run(name):
    text = inspect.getdoc(getattr(ssop.xla, name))
    runner = doctest.DocTestRunner(verbose=False)
    with np.printoptions(legacy=False):
        runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, 0))
    assert runner.summarize(verbose=False).failed == 0
    assert runner.summarize(verbose=False).attempted > 1


def test_every_name_is_said_once():
    assert len(ssop.xla.__all__) == len(set(ssop.xla.__all__))
    names = filter(str.isidentifier, dir(ssop.xla))  # pytest adds others to the modules of packages with a plugin
    assert set(ssop.xla.__all__) == {name for name in names if not name.startswith("_")}
