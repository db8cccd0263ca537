"""What a report of `ssop difftest` shows first, and in which words."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ssop
from ssop import cli
from ssop.testing import check, difftest
from ssop.testing._differential.comparison import ERRORS, FAULTS, MAX_ERRORS_KEPT, VALUES
from ssop.testing._differential.programs import verified
from ssop.testing._differential.report import as_dict, finding, text
from ssop.testing._differential.run import MAX_DIFFERENCES
from ssop.testing._differential.words import explain_command, titles
from ssop.testing.calls import Call
from ssop.testing.oracles import ORACLES
from ssop.testing.oracles.numpy_indexing import window_of

ROOT = Path(__file__).parents[2]


def plain(x, begin, end, strides):
    return x[tuple(map(slice, begin, end, strides))].copy()


def picky(x, begin, end, strides):
    """Rejects negative begins; wrong for strides of 2 of the second axis."""
    if min(begin, default=0) < 0:
        raise ValueError("negative")
    if len(begin) > 1 and strides[1] == 2:
        return plain(x, begin, end, [strides[0], 1, *strides[2:]])
    return plain(x, begin, end, strides)


# ---- differences -----------------------------------------------------------------------------------------------------


def test_disagreements_about_errors_do_not_hide_wrong_values():
    """Fifty of them ended the run, before any wrong value was met."""
    report = difftest(picky, cases=1500, supports="masks=none")
    about, kinds = report.comparison.about, report.comparison.kinds
    assert report.complete and report.comparison.compared == 1500
    assert about[ERRORS] > MAX_ERRORS_KEPT and about[VALUES] >= 2 and about[FAULTS] == 0
    assert sum(difference.about == ERRORS for difference in report.differences) == MAX_ERRORS_KEPT
    order = [case.difference.about for case in report.cases_found]
    assert order == sorted(order, key=(VALUES, FAULTS, ERRORS).index) and {*order} == {VALUES, ERRORS}
    assert [case.times for case in report.cases_found] == [kinds[case.difference.kind] for case in report.cases_found]
    shown = text(report)
    assert f"differ      {about[VALUES]} in values, 0 are faults, {about[ERRORS]} in whether or why" in shown
    last = shown.splitlines()[-1]
    assert last.startswith(f"FAILED: {kinds.total()} unexplained differences: the ")
    assert last.endswith(f"the oracle accepts, the subject rejects {about[ERRORS]}")
    assert as_dict(report)["about"] == dict(about) | {FAULTS: 0}


def test_wrong_values_end_a_run():
    report = difftest(lambda x, begin, end, strides: x + 1, cases=5000, supports="masks=none", shrink=False)
    assert not report.complete and MAX_DIFFERENCES <= report.comparison.about[VALUES] < 2 * MAX_DIFFERENCES


def hanging(x, begin, end, strides):
    while len(begin) == 2 and strides[0] == -1:
        pass
    return picky(x, begin, end, strides) if len(begin) == 1 else plain(x, begin, end, [abs(s) for s in strides])


def test_hangs_are_shrunk_last():
    report = difftest(hanging, cases=300, supports="masks=none", seconds=0.3)
    kinds = [case.difference.kind for case in report.cases_found]
    assert len(kinds) >= 2 and ["no answer" in kind for kind in kinds] == [False] * (len(kinds) - 1) + [True]


# ---- what is shown ---------------------------------------------------------------------------------------------------


def test_a_finding_begins_with_what_differs():
    report = difftest(picky, cases=600, supports="masks=none")
    first, second = finding(report), text(report)
    assert first.startswith("picky differs from numpy: ") and second.splitlines()[-1].startswith("FAILED: ")
    assert first.index("The smallest case found") < first.index("subject     picky")
    assert sorted(first.splitlines()[1:]) == sorted(second.splitlines()[:-1])
    with pytest.raises(AssertionError) as info:
        check(picky, cases=600, supports="masks=none")
    assert str(info.value).startswith("picky differs from numpy: ")


def test_rules_are_told_in_the_words_of_the_specification():
    shown = text(difftest(None, cases=200))
    assert re.search(
        r"^ +\d+  ss_s4: the dim is added once to a negative bound, then the bound is clamped$", shown, re.M
    )
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "rule_titles.py"), "--check"], check=False)
    assert done.returncode == 0
    spec = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    assert all(f"### {label}: {title}\n" in spec for label, title in titles().items())


def test_the_smallest_case_is_explained_by_a_command_that_works(capsys):
    report = difftest(picky, cases=600, supports="masks=none")
    command = explain_command(report.smallest.call)
    assert f"\nExplained by: {command}\n" in text(report)
    assert {case["explain"] for case in as_dict(report)["smallest_by_kind"]} >= {command}
    assert cli.main(shlex.split(command)[1:]) == 0
    shape = report.smallest.call.arrays[0].shape
    assert f", where x has shape {shape}" in capsys.readouterr().out


def test_calls_of_every_dialect_are_explained(capsys):
    """Each drawn call that has a command is taken by it, and the explained shape is that of the call's result."""
    from random import Random

    explained = dict.fromkeys(("tf.strided_slice", "tflite.strided_slice", "openvino.strided_slice", "onnx.slice"), 0)
    for op in explained:
        rng, draw = Random(1), ORACLES["reference"].ops[op][1]
        for call in [draw(rng) for _ in range(60)]:
            command = explain_command(call)
            if not command:
                continue
            try:
                wanted = list(call.run().shape)
            except ssop.SliceError:
                wanted = None
            assert cli.main([*shlex.split(command)[1:], "--format", "json"]) == 0, command
            told = json.loads(capsys.readouterr().out)
            assert wanted is None or told["shape"] == wanted, command
            explained[op] += 1
    assert min(explained.values()) >= 10 and explain_command(Call("xla.rev", (np.zeros(2),), {"dimensions": []})) == ""


# ---- programs for NumPy ----------------------------------------------------------------------------------------------


def test_programs_for_numpy_are_numpy():
    """They imported ssop's own modules for windows, and for indices that NumPy does not have."""
    from random import Random

    engine, rejected = ORACLES["numpy"](), 0
    for op in engine.ops:
        rng = Random(2)
        for call in [engine.ops[op][1](rng) for _ in range(80)]:
            program, answer = engine.code(call), engine.answer(call)
            assert "ssop" not in program
            if program.startswith("#"):
                assert answer.error is not None and str(answer.error).partition(": ")[2] in program
                rejected += 1
                continue
            printed = []
            scope = {"print": printed.append}
            try:
                exec(program, scope)
            except (ValueError, IndexError, TypeError):
                assert answer.error is not None, program
            else:
                assert answer.error is None and np.asarray(printed[0]).tobytes() == answer.array.tobytes(), program
    assert rejected >= 5


def test_a_window_of_numpy_is_an_index():
    call = Call("xla.slice", (np.arange(9),), {"start_indices": [1], "limit_indices": [8], "strides": [3]})
    assert window_of(call) == (slice(1, 8, 3),)
    assert ORACLES["numpy"]().code(call) == "import numpy as np\nprint(np.arange(0, 9, dtype='int64')[1:8:3])"


# ---- operations and folders ------------------------------------------------------------------------------------------


def test_an_operation_that_the_oracle_lacks_names_one_that_has_it(capsys):
    assert cli.main(["difftest", "--op", "onnx.slice"]) == 2
    assert (
        "the oracle numpy has no op 'onnx.slice'; ask --oracle reference, which has it, or " in capsys.readouterr().err
    )
    with pytest.raises(ValueError, match="has no op 'nothing'; it has tf.strided_slice, "):
        difftest(op="nothing")
    with pytest.raises(ValueError, match="the oracle reference has no op 'stack'; it has tf.strided_slice, "):
        difftest(op="stack", oracle="reference", what="shape")


def test_include_prints_one_folder_with_the_header(capsys):
    assert cli.main(["difftest", "--include"]) == 0
    (folder,) = capsys.readouterr().out.splitlines()
    assert (Path(folder) / "ssop" / "testing" / "subject.h").is_file()


def test_programs_of_a_report_are_run_before_they_are_shown():
    (case, *_) = verified(difftest(picky, cases=600, supports="masks=none")).cases_found
    assert "import numpy as np\nprint(" in case.oracle_program and "# Run by itself" not in case.oracle_program
