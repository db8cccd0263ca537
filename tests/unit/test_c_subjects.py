"""A C function as the subject of `ssop difftest`: what it does to memory is found, and told as what it is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ssop
from ssop.testing import difftest
from ssop.testing._differential.subjects import Supports, subject_of

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


@pytest.mark.parametrize("name", ["no_such_function", ""])
def test_a_missing_function_is_a_value_error(library, name):
    path = library("NONE").partition(":")[0]
    with pytest.raises(ValueError, match="subject .*"):
        difftest(f"{path}:{name}")
