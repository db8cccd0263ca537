"""The pytest plugin: subjects are tests, and runs of pytest that have none notice nothing."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from importlib import metadata
from xml.etree import ElementTree

import pytest
from hypothesis import Phase, seed, settings

import pytest_ssop
from ssop.testing import differential
from ssop.testing._differential import declaring
from ssop.testing._differential.declaring import hypothesis_settings

SUBJECTS = '''
from functools import partial

import pytest
from ssop.testing import check, differential


def index(begin, end, strides):
    return tuple(map(slice, begin, end, strides))


@differential(op="tf.strided_slice", oracle=["numpy", "reference"], seeds=2, cases=50, supports="masks=none")
def right(x, begin, end, strides):
    """Mine."""
    return x[index(begin, end, strides)].copy()


@pytest.mark.filterwarnings("ignore:nothing")
@differential(supports="masks=none", cases=60)
def wrong(x, begin, end, strides):
    return x[index(begin, end, map(abs, strides))].copy()


@differential(oracle="nobody")
def unknown(x, begin, end, strides):
    return x


@pytest.mark.skip(reason="not yet")
@differential(supports="masks=none")
def skipped(x, begin, end, strides):
    return x


tested_object = differential(supports="masks=none", cases=20)(partial(right))


def test_by_check():
    check(wrong, supports="masks=none", cases=60)


def test_the_decorated_function_is_itself():
    assert right([7, 8][0:0] or __import__("numpy").arange(3), [1], [2], [1]).tolist() == [1]
    assert right.__doc__ == "Mine."
'''

PLAIN = """
import sys
from unittest import mock


class Strange:
    def __getattr__(self, name):
        raise RuntimeError("outside of its context")


test_strange, test_mock, strange = Strange(), mock.MagicMock(), Strange()


def test_nothing_heavy_is_loaded():
    assert "pytest_ssop" in sys.modules
    assert not {"numpy", "ssop", "hypothesis", "jinja2", "rich"} & sys.modules.keys()
"""


def run(folder, *words, **environment):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("subjects")
    (folder / "test_subjects.py").write_text(SUBJECTS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def outcome(folder):
    """What pytest prints of these tests, run by two workers, and a dict of their outcomes."""
    done = run(folder, "-v", "-n", "2", "--strict-markers", "--junit-xml", "r.xml")
    cases = ElementTree.parse(folder / "r.xml").iter("testcase")
    return done.stdout, {case.get("name"): [child.tag for child in case] for case in cases}


def test_there_is_a_test_for_each_operation_oracle_and_seed(outcome):
    shown, tests = outcome
    right = [f"right[tf.strided_slice-{oracle}-{n}]" for oracle in ("numpy", "reference") for n in (0, 1)]
    good = [*right, "tested_object[strided_slice-numpy-0]", "test_the_decorated_function_is_itself"]
    bad = ["wrong[strided_slice-numpy-0]", "unknown[strided_slice-nobody-0]", "test_by_check"]
    assert tests == dict.fromkeys(good, []) | dict.fromkeys(bad, ["failure"]) | {
        "skipped[strided_slice-numpy-0]": ["skipped"]
    }
    assert {"gw0", "gw1"} <= {*re.findall(r"^\[(gw\d)\]", shown, flags=re.M)}


def test_a_failure_begins_with_the_finding(outcome):
    shown, _ = outcome
    parts = re.split(r"^_+ (.*) _+$", shown, flags=re.M)
    failures = dict(zip(parts[1::2], parts[2::2], strict=True))
    lines = failures["wrong[strided_slice-numpy-0]"].strip().splitlines()
    lines = lines[lines[0].startswith("[gw") :]
    assert re.match(r"wrong differs from numpy: \d+ unexplained differences: the ", lines[0])
    assert "The smallest case found, the" in lines[2] and "    from test_subjects import wrong" in lines
    assert "pytest_ssop.py" not in shown and "declaring.py" not in shown
    errors = [line for line in failures["test_by_check"].splitlines() if line.startswith("E ")]
    assert errors[0].startswith("E       AssertionError: wrong differs from numpy: ")
    assert "difftest(" not in failures["test_by_check"] and "checking.py" not in failures["test_by_check"]
    assert failures["unknown[strided_slice-nobody-0]"].count("not run: no oracle 'nobody'; there are numpy, ") == 1
    assert "FAILED test_subjects.py::wrong[strided_slice-numpy-0] - " in shown


def test_options_come_first_and_tests_can_be_chosen(folder):
    done = run(folder, "-v", "-n", "0", "--ssop-cases", "37", "--ssop-seed", "4", "test_subjects.py::wrong")
    assert "test_subjects.py::wrong[strided_slice-numpy-4] FAILED" in done.stdout
    assert re.search(r"^compared    37 calls", done.stdout, flags=re.M) and "; seed 4; " in done.stdout
    chosen = run(folder, "-q", "-n", "0", "--collect-only", "-m", "ssop", "-k", "right and reference-1")
    assert chosen.stdout.splitlines()[0] == "test_subjects.py::right[tf.strided_slice-reference-1]"
    without = run(folder, "-q", "-n", "0", "--collect-only", "-p", "no:ssop")
    assert "right[" not in without.stdout and "test_by_check" in without.stdout


@pytest.mark.parametrize("words", [("--ssop-cases", "0"), ("--ssop-cases", "x"), ("--ssop-seed", "-1")])
def test_bad_options_are_told(folder, words):
    done = run(folder, *words)
    assert done.returncode == 4 and f"'{words[1]}' is not an integer of at least " in done.stderr


def test_runs_without_subjects_load_nothing_and_meet_strange_objects(tmp_path):
    (tmp_path / "test_plain.py").write_text(PLAIN, encoding="utf-8")
    done = run(tmp_path, "-q", "-p", "ssop", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout


def test_the_plugin_is_installed_and_imports_pytest_alone():
    (found,) = [entry for entry in metadata.entry_points(group="pytest11") if entry.value == "pytest_ssop"]
    assert found.name == "ssop" and pytest_ssop.DECLARATIONS == declaring.DECLARATIONS
    code = "import sys, pytest; before = {*sys.modules}; import pytest_ssop; print(sorted({*sys.modules} - before))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "['pytest_ssop']\n"


# ---- settings --------------------------------------------------------------------------------------------------------


class Config:
    def __init__(self, **options):
        self.options = {"ssop_cases": None, "ssop_seed": None} | options

    def getoption(self, name, default=None):
        return self.options.get(name, default)


def subject(x, begin, end, strides):
    return x[tuple(map(slice, begin, end, strides))].copy()


def fresh():
    def function(x, begin, end, strides):
        return subject(x, begin, end, strides)

    return function


@pytest.fixture
def called(monkeypatch):
    """What `difftest` is called with."""
    calls = []

    class Passed:
        passed, interrupted = True, False

    def recorded(subject, **options):
        calls.append(options)
        return Passed()

    monkeypatch.setattr("ssop.testing._differential.run.difftest", recorded)

    def run_all(function, **options):
        calls.clear()
        for declared in function.__dict__[pytest_ssop.DECLARATIONS]:
            for _, test in declared.tests(function, Config(**options)):
                assert test() == ""
        return calls

    return run_all


def test_hypothesis_settings_are_respected(called):
    few = settings(max_examples=33, deadline=timedelta(seconds=2), phases=[Phase.generate])
    function = differential()(seed(5)(few(fresh())))
    (call,) = called(function)
    assert (call["cases"], call["seed"], call["seconds"], call["shrink"]) == (33, 5, 2.0, False)
    (call,) = called(function, ssop_cases=7, ssop_seed=8)
    assert (call["cases"], call["seed"]) == (7, 8)
    (call,) = called(differential(cases=40, seed=2, seconds=3)(seed(5)(few(fresh()))))
    assert (call["cases"], call["seed"], call["seconds"]) == (40, 2, 3)
    assert [call["seed"] for call in called(differential(seeds=2)(fresh()), hypothesis_seed="9")] == [9, 10]
    assert [call["seed"] for call in called(differential()(fresh()), hypothesis_seed="random")] == [0]


def test_profiles_of_hypothesis_are_respected(called, monkeypatch):
    before = settings.default
    settings.register_profile("ssop-many", max_examples=77, deadline=None)
    try:
        settings.load_profile("ssop-many")
        assert hypothesis_settings(subject) == (77, None, True)
        assert called(differential()(fresh()))[0]["cases"] == 77
    finally:
        settings.register_profile("ssop-before", before)
        settings.load_profile("ssop-before")
    plain = settings.get_profile("default")
    assert plain.max_examples == declaring.HYPOTHESIS_EXAMPLES
    assert plain.deadline == declaring.HYPOTHESIS_DEADLINE
    usual = before.max_examples == declaring.HYPOTHESIS_EXAMPLES
    assert called(differential()(fresh()))[0]["cases"] == (declaring.CASES if usual else before.max_examples)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    assert hypothesis_settings(subject) == (None, None, True)


def test_several_decorators_are_several_tests(called):
    function = differential(op="slice", oracle="reference")(differential(op=["tf.slice", None], cases=3)(fresh()))
    assert [(call["op"], call["oracle"], call["cases"]) for call in called(function)][:2] == [
        ("tf.slice", "numpy", 3),
        (None, "numpy", 3),
    ]
    assert len(called(function)) == 3


def test_what_cannot_be_declared_is_an_error():
    with pytest.raises(TypeError, match="differential is for functions, not for './lib.so:f'; check"):
        differential()("./lib.so:f")
    for words in ({"seeds": 0}, {"cases": 0}):
        with pytest.raises(ValueError, match="each is at least 1"):
            differential(**words)
