"""The testing kit as an author of a kernel meets it (reports of 2026-11-26)."""

import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

import child
from ssop import cli
from ssop.testing import check, difftest
from ssop.testing._differential import programs
from ssop.testing._differential import report as reports
from ssop.testing._differential.declaring import Declared
from ssop.testing._differential.run import Run
from ssop.testing._differential.subjects import PythonSubject, load_function, without_masks
from ssop.testing.calls import Answer, Call, Dims, Fault, Rejection
from ssop.testing.calls.call import is_well_formed
from ssop.testing.calls.specs import MASKS, tf_strided_slice
from ssop.testing.corpus.files import read_failure, write_failure
from ssop.testing.corpus.programs import run_code
from ssop.testing.corpus.writing import failures_of
from ssop.testing.models import report as model_reports
from ssop.testing.models.run import difftest_models
from ssop.testing.oracles import ORACLES

MINE = """
import numpy as np

def index(begin, end, strides, begin_mask, end_mask):
    return tuple(
        slice(None if begin_mask >> i & 1 else b, None if end_mask >> i & 1 else e, s)
        for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True))
    )

def right(x, begin, end, strides, begin_mask=0, end_mask=0):
    return x[index(begin, end, strides, begin_mask, end_mask)].copy()

def wrong(x, begin, end, strides, begin_mask=0, end_mask=0):
    return x[index(begin, end, strides, end_mask, begin_mask)].copy()

def several(x, begin, end, strides, begin_mask=0, end_mask=0):
    if len(begin) == 2:
        raise KeyError("two entries")
    if len(begin) == 3:
        return [1]
    return wrong(x, begin, end, strides, begin_mask, end_mask)

def without_masks(x, begin, end, strides):
    return x.copy()

def huge(x, begin, end, strides, **masks):
    return np.broadcast_to(np.int8(0), (2**40,))

right.supports = wrong.supports = several.supports = "ranks=1..4 masks=begin,end"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels.py").write_text(MINE, encoding="utf-8")
    yield tmp_path
    sys.modules.pop("kernels", None)


def run(*words):
    return cli.main(["difftest", "--subject", *words])


# ---- calls -----------------------------------------------------------------------------------------------------------


def test_calls_of_tensorflow_are_well_formed_by_default():
    """Reports: len() of unsized object for any subject with masks=; a right kernel failed for a begin of 1.0."""
    subject = PythonSubject(lambda x, begin, end, strides, **masks: x, "masks=begin,end", 1.0)
    strict = PythonSubject(lambda x, begin, end, strides, **masks: x, "malformed=yes", 1.0)
    drawn = sent = malformed = 0
    for seed in range(21):
        rng = Random(seed)
        for _ in range(400):
            call = subject.adapted(tf_strided_slice(rng))
            drawn += 1
            if subject.supports(call):
                sent += 1
                vectors = [call.args[name] for name in ("begin", "end", "strides")]
                assert all(
                    np.ndim(vector) == 1 and np.asarray(vector).dtype.kind in "iub" or not len(vector)
                    for vector in vectors
                )
                assert len(set(map(len, vectors))) == 1 and not any(call.args[name] for name in MASKS[2:])
            malformed += strict.supports(call) and not is_well_formed(call)
    assert sent >= 0.8 * drawn and malformed >= 100


def test_masks_that_are_not_supported_are_taken_out_of_every_form_of_vector():
    spec = {"begin": [0, 5], "end": np.array([0, 9]), "strides": np.zeros((), int), "new_axis_mask": 1, "end_mask": 2}
    plain = without_masks(spec, ["new_axis_mask"])
    assert plain["begin"] == [5] and plain["end"].tolist() == [9] and plain["end_mask"] == 1
    uneven = without_masks({"begin": [0], "end": np.array([0, 9]), "new_axis_mask": [0, 1]}, ["new_axis_mask"])
    assert uneven["begin"] == [0] and uneven["end"].tolist() == [0] and uneven["new_axis_mask"] == [0]


def test_a_result_that_no_memory_holds_is_a_fault(folder, capsys):
    """Report: a view of one element was copied, element by element, until the memory was used up."""
    assert run("kernels:huge", "--cases", "3") == 1
    out = capsys.readouterr().out
    assert "kernels:huge: gave a result of shape (1099511627776,)" in out and "does not show" not in out


@pytest.mark.parametrize("seed", range(3))
def test_a_right_kernel_passes_and_a_wrong_one_fails(folder, capsys, seed):
    words = ["--cases", "300", "--seed", str(seed), "--junit", "r.xml", "--json", "r.json"]
    assert run("kernels:right", *words) == 0
    assert (
        json.loads((folder / "r.json").read_text())["passed"]
        and ElementTree.parse("r.xml").getroot().get("failures") == "0"
    )
    assert run("kernels:wrong", *words) == 1
    assert not json.loads((folder / "r.json").read_text())["passed"]
    assert ElementTree.parse("r.xml").getroot().get("failures") == "1"


@pytest.mark.parametrize(
    ("op", "oracle", "lacking"),
    [("strided_slice", "reference", "begin_mask"), ("openvino.strided_slice", "reference", "strict")],
)
def test_a_keyword_that_the_subject_lacks_is_one_line_before_the_run(folder, capsys, op, oracle, lacking):
    """Report: it was counted as 50 rejections."""
    supports = [] if lacking == "begin_mask" else ["--supports", "masks="]
    assert run("kernels:without_masks", "--op", op, "--oracle", oracle, "--cases", "10", *supports) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    assert f"{op.removeprefix('tf.')} is called with" in shown.err.replace("tf.", "") and lacking in shown.err


def test_a_shape_function_without_a_parameter_is_told_in_one_line_too():
    with pytest.raises(ValueError, match="subject shape_of: too many positional arguments, when it is called as tf.sl"):
        difftest(shape_of, oracle="reference", op="tf.slice", what="shape", cases=5)


def shape_of(shape, begin):
    return shape


def test_specs_past_the_masks_are_malformed():
    """Report: a right kernel failed against TensorFlow, which takes 31 entries."""
    x = (np.zeros(()),)
    specs = [{name: [0] * count for name in ("begin", "end", "strides")} for count in (31, 32)]
    assert [is_well_formed(Call("tf.strided_slice", x, spec | {"begin_mask": -1})) for spec in specs] == [True, False]


def test_malformed_calls_of_a_subject_without_negative_steps_are_drawn():
    subject = PythonSubject(lambda x, begin, end, strides: x, "masks= negative-steps=no malformed=yes", 1.0)
    rng = Random(0)
    kept = [subject.supports(subject.adapted(tf_strided_slice(rng))) for _ in range(2000)]
    assert sum(kept) >= 1500


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def kernel(:", "importing it raised SyntaxError: "),
        (
            "def kernel():\n    return 1 / 0\nkernel()",
            "ZeroDivisionError: division by zero (bad_module.py:2: return 1 / 0)",
        ),
        ("raise SystemExit(0)", "importing it raised SystemExit: 0"),
        ("import no_such_thing", "No module named 'no_such_thing'"),
        ("kernel = 5", "has no function 'kernel'"),
    ],
)
def test_a_subject_that_cannot_be_imported_is_one_line(folder, capsys, monkeypatch, text, words):
    """A module that ended with SystemExit(0) gave exit code 0, and others were told as errors inside ssop."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (folder / "bad_module.py").write_text(text, encoding="utf-8")
    try:
        assert run("bad_module:kernel", "--cases", "5") == 2
    finally:
        sys.modules.pop("bad_module", None)
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_a_subject_that_changes_a_list_changed_its_input():
    def greedy(x, begin, end, strides, **masks):
        begin.append(0)
        return x.copy()

    report = difftest(greedy, cases=5, shrink=False)
    assert {str(found.ours.error) for found in report.differences} == {"changed its input"}


# ---- reports ---------------------------------------------------------------------------------------------------------


def test_the_report_calls_my_function_and_shows_my_line(folder, capsys):
    """Reports: "For ssop", no line of mine; one case for four kinds of finding."""
    assert run("kernels:several", "--cases", "300", "--json", "r.json") == 1
    out = capsys.readouterr().out
    assert "from kernels import several\n    print(several(np.arange(" in out and "For ssop" not in out
    assert re.search(r"raised KeyError: 'two entries' \(kernels\.py:\d+: raise KeyError", out)
    cases = json.loads((folder / "r.json").read_text())["smallest_by_kind"]
    kinds = [case["kind"] for case in cases]
    assert len(set(kinds)) == len(kinds) >= 3 and "fault: raised KeyError" in kinds
    assert all(f"The smallest case found, {kind}" in out for kind in kinds)
    assert programs.NOT_SHOWN not in out
    for case in cases:  # each program does what the report says
        done = subprocess.run([sys.executable, "-c", case["subject_code"]], capture_output=True, text=True, check=False)
        assert ("Traceback" in done.stderr) == ("raised" in case["kind"])


def test_a_program_that_does_not_show_the_case_says_so(folder):
    (folder / "moody.py").write_text(
        "calls = 0\ndef f(x, begin, end, strides, **masks):\n    global calls\n    calls += 1\n"
        "    return x.copy() if calls < 3 else 1 / 0\n",
        encoding="utf-8",
    )
    report = difftest("moody:f", cases=30, shrink=False)
    (case,) = [case for case in programs.verified(report).cases_found if "raised" in case.difference.kind]
    assert case.subject_program.endswith(programs.NOT_SHOWN) and not case.oracle_program.endswith(programs.NOT_SHOWN)
    sys.modules.pop("moody")


@pytest.mark.parametrize(
    ("program", "answer", "shown"),
    [
        ("print(np.arange(3))", Answer(np.arange(3)), True),
        ("print(np.arange(3))", Answer(np.arange(3, dtype=np.int32)), False),  # the same text
        ("print(np.arange(3))", Answer(np.array([0, 1, 3])), False),
        ("print(np.arange(3))", Answer(error=Rejection("ValueError", "")), False),
        ("print(np.arange(3)[5])", Answer(error=Rejection("IndexError", "")), True),
        ("print([2, (0, None)])", Answer(dims=Dims(((2, 2), (0, None)))), True),
        ("print([2, 3])", Answer(dims=Dims(((2, 2), (0, None)))), False),
        ("import os; os.abort()", Answer(error=Fault("crashed: SIGABRT")), True),
        ("print(1)", Answer(error=Fault("raised ZeroDivisionError: division by zero")), False),
    ],
)
def test_what_a_program_prints_is_compared_and_not_only_that_it_ends(program, answer, shown):
    assert programs.shows(f"import numpy as np\n{program}", answer) is shown


def test_a_program_for_tensorflow_converts_as_the_engine_does():
    """Report: np.array([1.0], 'int64') hid that TensorFlow rejects 1.0."""
    call = Call("tf.strided_slice", (np.zeros(3),), {"begin": [1.0], "end": [2], "strides": [1]}, "eager")
    assert "begin=tf.constant([1.0], tf.int64)" in ORACLES["tensorflow"]().code(call)


# ---- errors inside ssop ----------------------------------------------------------------------------------------------


def test_an_error_inside_ssop_is_no_difference(folder, capsys, monkeypatch):
    """Report: exit code 1, which means differences, and empty reports."""

    def broken(*arguments):
        raise TypeError("a mistake")

    monkeypatch.setattr("ssop.testing._differential.run.shrunk_difference", broken)
    (folder / "old.json").write_text("{}")
    assert run("kernels:wrong", "--cases", "200", "--junit", "new.xml", "--json", "old.json") == 2
    err = capsys.readouterr().err
    assert "Traceback" in err and err.splitlines()[-1].startswith("ssop: error: an error inside ssop, please report it")
    assert (folder / "old.json").read_text() == "{}" and not (folder / "new.xml").exists()


@pytest.mark.parametrize("path", ["no/such/folder/r.json", "."])
def test_a_report_that_cannot_be_written_is_told_at_once(folder, capsys, path):
    assert run("kernels:right", "--cases", "1000000", "--json", path) == 2
    assert capsys.readouterr().err.count("\n") == 1


# ---- what a subject may do (attack of 2026-11-28) --------------------------------------------------------------------


class Unreadable:
    def __reduce__(self):
        return int, ("no number",)


def unreadable(x, begin, end, strides):
    return np.array([Unreadable()], object)


def killed_by_a_nameless_signal(x, begin, end, strides):
    os.kill(os.getpid(), signal.SIGRTMIN + 3)


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no text")

    def __eq__(self, other):
        raise RuntimeError("no equality")


def unprintable(x, begin, end, strides):
    return np.full(x[tuple(map(slice, begin, end, strides))].shape, Unprintable(), object)


def code_points_that_there_are_not(x, begin, end, strides):
    return np.full(3, 0x7FFFFFFF, np.uint32).view("U1")


def ends_its_process(x, begin, end, strides):
    os._exit(0)


def says_what_is_no_text(x, begin, end, strides):
    raise ValueError("\udcff\x1b[31mno")


def hangs_without_its_files(x, begin, end, strides):
    os.closerange(3, 1000)
    time.sleep(child.LIMIT_SECONDS)


def hangs_in_its_answer(x, begin, end, strides):
    for number in range(3, 1000):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, (1 << 20).to_bytes(4, "big"))
    time.sleep(child.LIMIT_SECONDS)


@pytest.mark.parametrize("subject", [hangs_without_its_files, hangs_in_its_answer])
def test_a_hang_ends_whatever_became_of_the_connection(subject):
    """Report: the end of a process that had closed its files was waited for, and so was the rest of an answer."""
    report = difftest(subject, supports="masks=none", cases=1, seconds=1, shrink=False)
    assert [difference.kind for difference in report.differences] == ["fault: no answer within N seconds"]


def test_a_subject_ends_with_the_run_that_is_killed():
    """Report: it waited for ever, for it had the other end of its connection, too."""
    program = """
        import os, signal
        from functools import partial
        from ssop.testing._differential.subjects import PythonFunction
        from ssop.testing.oracles.child import Isolated
        Isolated(partial(PythonFunction, len), seconds=1, one_by_one=True, method="fork").start()
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert child.run_source(textwrap.dedent(program)).returncode == -signal.SIGKILL  # its output ends with the last


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        (unreadable, "fault: gave an answer that cannot be read"),
        (killed_by_a_nameless_signal, "fault: crashed"),
        (unprintable, "the elements differ"),
        (code_points_that_there_are_not, "the dtypes differ"),
        (ends_its_process, "fault: ended its process with exit code N"),
        (says_what_is_no_text, "the oracle accepts, the subject rejects"),
    ],
)
def test_the_run_goes_on_whatever_a_subject_does(tmp_path, subject, kind):
    """Reports: an answer that only the child could make, and a signal without a name, ended the run."""
    dtypes = "object" if subject is unprintable else "int8"
    report = difftest(subject, supports=f"masks=none ranks=1..2 dtypes={dtypes}", cases=20, shrink=False)
    report = programs.verified(report)
    assert kind in [difference.kind for difference in report.differences]
    for failure in failures_of(report):
        assert read_failure(write_failure(tmp_path, failure)).given == failure.given
    assert f"subject     {subject.__name__}" in reports.text(report)


def test_what_a_subject_says_steers_no_terminal(folder, capsys):
    """Reports: an escape went to the terminal as it was; a half of a surrogate pair ended the run without a report."""
    (folder / "saying.py").write_text("def slice(*spec):\n    raise RuntimeError('\\x1b[2J \\ud800')\n")
    assert run("saying:slice", "--supports", "masks=none", "--cases", "3", "--no-shrink") == 1
    assert "RuntimeError: \\x1b[2J \\ud800" in capsys.readouterr().out


def test_a_report_whose_programs_cannot_be_run_says_so(folder, capsys, monkeypatch):
    """Report: a full disk lost the report of the run."""
    monkeypatch.setattr(programs.tempfile, "tempdir", str(folder / "nothing"))
    assert run("kernels:wrong", "--cases", "100", "--no-shrink", "--json", "r.json") == 1
    assert "\n    # It could not be run here: No such file or directory.\n" in capsys.readouterr().out
    assert "could not be run" in json.loads((folder / "r.json").read_text())["smallest"]["subject_code"]


def test_a_program_may_print_what_is_no_text():
    """Report: UnicodeDecodeError, and no report of the run."""
    printed = "import os; os.write(1, b'\\xff'); os.write(2, b'\\xff'); "
    assert programs.shows(f"{printed}print(1 / 0)", Answer(error=ValueError()))
    assert run_code(f"{printed}print(1)").out == "\ufffd1\n"


def test_reports_of_what_is_said_in_colour_are_xml():
    def convert(calls, dims, dtype):
        raise ValueError("\x1b[31mno\x1b[0m \udcff")

    report = difftest_models(convert, takes="calls", cases=3)
    written = io.BytesIO()
    model_reports.junit(report).write(written, encoding="utf-8")
    assert "?[31mno?[0m ?" in ElementTree.fromstring(written.getvalue()).find("testcase/failure").text


def test_ctrl_c_is_no_result_of_a_test(monkeypatch):
    """Report: the test passed, and pytest went on to the next one."""

    def interrupt(self, calls):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "compare", interrupt)
    with pytest.raises(KeyboardInterrupt):
        check(unreadable, supports="masks=none")
    declared = Declared(("strided_slice",), ("numpy",), None, None, 1, "values", "masks=none", None)
    with pytest.raises(KeyboardInterrupt):
        declared.found(unreadable, "strided_slice", "numpy", 0, 10)


def test_a_module_may_change_the_folder_and_the_path(folder):
    """Report: ValueError: list.remove(x): x not in list."""
    (folder / "moving.py").write_text("import os, sys\nos.chdir('/')\nsys.path.pop(0)\ndef right(x): pass\n")
    assert load_function("moving:right").__name__ == "right"
