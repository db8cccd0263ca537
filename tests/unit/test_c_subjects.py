"""A C function as the subject of `ssop difftest`: what it does to memory is found, and told as what it is."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import ssop
from ssop.testing import difftest, run_c
from ssop.testing._differential.comparison import VALUES
from ssop.testing._differential.programs import NOT_SHOWN, verified
from ssop.testing._differential.report import text
from ssop.testing._differential.subjects import Supports, subject_of
from ssop.testing.calls import Fault, Rejection, same

SOURCE = Path(__file__).with_name("faulty_subject.c")
INCLUDE = Path(ssop.__file__).parents[1]
COMPILER = shutil.which("cc") or shutil.which("gcc")
FAULTS = {
    "WRITES_PAST": r"wrote \d+ bytes past the end of the output",
    "WRITES_BEFORE": r"wrote 1 bytes before the start of the output",
    "READS_PAST": r"read outside the input",
    "UNWRITTEN": r"left bytes of the output unwritten",
    "CRASHES": r"crashed: SIGABRT",
    "CHANGES_INPUT": r"changed its input",
}
IN_DEFAULT = ("WRITES_PAST", "UNWRITTEN", "CHANGES_INPUT")
"""The others are tests of the long stage."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A function that builds the subject with one fault."""
    assert COMPILER, "a C compiler built the extension"
    folder = tmp_path_factory.mktemp("subject")

    def build(fault, *more):
        path = folder / f"lib{fault.lower()}{len(more)}.so"
        flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", f"-DFAULT={fault}", f"-I{INCLUDE}", *more]
        subprocess.run([COMPILER, *flags, str(SOURCE), "-o", str(path)], check=True)
        return f"{path}:my_slice"

    return build


def test_without_a_fault_nothing_is_found(library):
    report = difftest(library("NONE"), oracle="numpy", cases=300)
    assert report.passed and report.comparison.compared == 300 and report.filled_share >= 0.6


@pytest.mark.parametrize("more", [(), ("-DSUPPORTS_IS_POINTER",)], ids=["array", "pointer"])
def test_what_a_subject_supports_is_an_array_or_a_pointer(library, more):
    declared = subject_of(library("NONE", *more)).declared
    assert declared == Supports.of("ranks=1..3 dtypes=int8,float32,int64 masks=begin,end")


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, marks=[pytest.mark.long] * (fault not in IN_DEFAULT)) for fault in FAULTS]
)
def test_faults_are_told_as_what_they_are(library, fault):
    report = difftest(library(fault), oracle="numpy", cases=40)
    assert re.match(FAULTS[fault], str(report.smallest.ours.error))
    call = report.smallest.call
    assert call.arrays[0].ndim <= 2 and len(call.args["begin"]) <= 2, str(call)
    assert report.comparison.compared == 40


def test_swapped_masks_are_shrunk_to_one_entry(library):
    report = difftest(library("SWAPPED"), oracle="numpy", cases=200)
    assert len(report.smallest.call.args["begin"]) == 1 and report.smallest.call.arrays[0].ndim == 1


def test_a_hang_ends_at_the_time_limit(library):
    report = difftest(library("HANGS"), oracle="numpy", cases=4, seconds=0.5, shrink=False)
    assert report.comparison.compared == 4
    assert "no answer within 0.5 seconds" in {str(d.ours.error) for d in report.differences}


def test_a_hang_is_shrunk_last(library):
    report = difftest(library("HANGS_TOO"), oracle="numpy", cases=400, seconds=0.3)
    kinds = [case.difference.kind for case in report.cases_found]
    assert kinds[-1] == "fault: no answer within N.N seconds" and len(kinds) >= 2
    assert report.smallest.about == VALUES and not any("no answer" in kind for kind in kinds[:-1])


def test_the_program_of_a_case_calls_the_function_in_its_own_process(library):
    """So that a debugger stops in the function (issue 44)."""
    report = verified(difftest(library("SWAPPED"), oracle="numpy", cases=200))
    case, path = report.cases_found[0], library("SWAPPED")
    call = case.difference.call
    assert case.subject_program.startswith(
        f"import numpy as np\nfrom ssop.testing import run_c\nprint(run_c({path!r}, "
    )
    assert NOT_SHOWN not in case.subject_program
    assert same(run_c(path, call.op, *call.arrays, **call.args), case.difference.ours.array)
    shown = text(report)
    assert "-ex 'break my_slice' -ex run --args python case.py" in shown and "saved as case.py" in shown


@pytest.mark.parametrize("fault", ["WRITES_PAST", "UNWRITTEN", "CHANGES_INPUT"])
def test_the_program_of_a_fault_shows_it(library, fault):
    (case, *_) = verified(difftest(library(fault), oracle="numpy", cases=40)).cases_found
    assert "run_c(" in case.subject_program and NOT_SHOWN not in case.subject_program


def test_what_run_c_cannot_call_is_an_error(library):
    x = np.arange(4, dtype=np.int8)
    with pytest.raises(ValueError, match="no C function can be tested on 'xla.pad'; there are tf.slice, "):
        run_c(library("NONE"), "xla.pad", x)
    with pytest.raises(Rejection, match="returned 1"):
        run_c(library("NONE"), "tf.strided_slice", x, begin=[0], end=[1], strides=[0])
    taken = run_c(library("NONE"), "tf.strided_slice", x, begin=[3], end=[0], strides=[-2], end_mask=1)
    assert taken.tolist() == [3, 1]
    with pytest.raises(Fault, match="left bytes of the output unwritten"):
        run_c(library("UNWRITTEN"), "tf.strided_slice", x, begin=[0], end=[3], strides=[1])


@pytest.mark.parametrize("name", ["no_such_function", ""])
def test_a_missing_function_is_a_value_error(library, name):
    path = library("NONE").partition(":")[0]
    with pytest.raises(ValueError, match="subject .*"):
        difftest(f"{path}:{name}")
