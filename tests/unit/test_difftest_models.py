"""Converters under test: seeded faults are found and shrunk, bad subjects get one verdict, failures are files."""

import json
from collections import Counter
from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

import ssop
from ssop.testing import strategies
from ssop.testing.calls import Answer
from ssop.testing.corpus import read_folder, replay, write_failure
from ssop.testing.corpus.writing import failures_of
from ssop.testing.models import TAKES, Program, difftest_models, draw_program
from ssop.testing.models.drawing import pairs_of
from ssop.testing.models.judging import LABELS, Finding, rules_of
from ssop.testing.models.report import as_dict, junit, text
from ssop.testing.models.shrinking import size_of, smaller_programs
from ssop.testing.models.subjects import ModelSupports
from unit.faulty_converters import FAULTS, convert

Call = ssop.convert.Call
CASES = 400
IN_DEFAULT = ("no clamp", "inverse permutation", "end is one too far", "begin_mask ignored")
"""The others are tests of the long stage."""
AXES = {"inverse permutation": 3}
"""Every permutation of two axes is its own inverse."""


def test_without_a_fault_nothing_is_found():
    report = difftest_models(convert, cases=300)
    assert report.passed and report.verdicts == {"equal": 300}
    assert report.with_elements >= 0.6 * 300 and len(report.pairs) >= 30 and len(report.calls) >= 15
    assert "passed" in text(report) and report.engines == {}
    assert f"pairs met   {len(report.pairs)} of " in text(report)
    assert not set(report.pairs) & set(report.pairs_not_met) and set(report.pairs) <= set(pairs_of("calls"))


@pytest.mark.parametrize("takes", TAKES)
def test_nearly_every_pair_of_functions_is_met(takes):
    rng, met = Random(5), set()
    for _ in range(1500):
        names = [call.function for call in draw_program(rng, takes).calls]
        met.update(f"{one} > {two}" for one, two in zip(names, names[1:], strict=False))
    possible = set(pairs_of(takes))
    assert met <= possible and len(met) >= (0.6 if takes == "calls" else 0.85) * len(possible), (
        len(met),
        len(possible),
    )


@pytest.mark.parametrize(
    "fault", [pytest.param(name, marks=[pytest.mark.long] * (name not in IN_DEFAULT)) for name in FAULTS]
)
def test_faults_are_found_and_shrunk(fault):
    report = difftest_models(partial(convert, fault=fault), takes="calls", cases=3 * CASES)
    assert not report.passed
    finding = report.cases_found[0].finding
    assert finding.verdict in ("wrong", "invalid")
    assert len(finding.program.calls) <= 2 and len(finding.program.dims) <= AXES.get(fault, 2), str(finding.program)
    assert report.cases_found[0].again


@pytest.mark.parametrize(
    ("fault", "verdict", "kind"),
    [
        ("refuses", "refused", None),
        ("exits", "crashed", "crashed: ended its process with exit code N"),
        ("hangs", "hung", "hung: no answer within N seconds"),
        ("gives no model", "invalid", "invalid"),
    ],
)
def test_bad_subjects_get_a_verdict_each(fault, verdict, kind):
    seconds = 1 if fault == "hangs" else 60
    subject = partial(convert, fault=fault)
    report = difftest_models(subject, takes="calls", cases=10, seconds=seconds, shrink=False)
    assert set(report.verdicts) == {verdict} and not report.passed
    assert [case.finding.kind for case in report.cases_found] == [kind] * (kind is not None)
    if fault == "refuses":
        assert report.reasons.most_common(1)[0][0].startswith("NotImplementedError: not today (faulty_converters.py:")
        assert text(report).endswith("FAILED: no model was equal")


def test_what_a_converter_takes_must_be_known():
    with pytest.raises(ValueError, match="what does it take"):
        difftest_models(lambda model: model)
    with pytest.raises(ValueError, match="rank='2': known are"):
        difftest_models(convert, supports="rank=2")
    with pytest.raises(ValueError, match="no engine 'tensorrt' runs models"):
        difftest_models(convert, engine="tensorrt")


def test_programs_are_those_that_are_supported():
    supports = "ranks=2..2 steps=2..3 dtypes=int32 unknown-dims=no run-time=no pads=no"
    report = difftest_models(partial(convert, fault="dtype lost"), takes="calls", cases=20, supports=supports,
                             shrink=False)  # fmt: skip
    for finding in report.findings:
        program = finding.program
        assert len(program.dims) == 2 and 2 <= len(program.calls) <= 3 and program.dtype == "int32"
        assert None not in program.dims and not any(call.function.endswith(".pad") for call in program.calls)
    assert ModelSupports.of(None) == ModelSupports()


def test_programs_may_be_those_of_some_calls_and_masks_alone():
    supports = "calls=tf.strided_slice,onnx masks=begin,end"
    report = difftest_models(partial(convert, fault="dtype lost"), takes="calls", cases=40, supports=supports,
                             shrink=False)  # fmt: skip
    calls = [call for finding in report.findings for call in finding.program.calls]
    masked = [call for call in calls if call.function == "tf.strided_slice"]
    assert masked and any(call.function == "onnx.slice" for call in calls) and set(report.calls) <= {
        "tf.strided_slice", "onnx.slice", "onnx.transpose", "onnx.pad", "onnx.squeeze", "onnx.unsqueeze"
    }  # fmt: skip
    assert not any(call.arguments["shrink_axis_mask"] or call.arguments["ellipsis_mask"] for call in masked)
    with pytest.raises(ValueError, match="masks='start': known are"):
        difftest_models(convert, supports="masks=start")
    with pytest.raises(ValueError, match=r"none of 2000 drawn programs is supported"):
        difftest_models(convert, supports="calls=tf.nothing", cases=1)


def reverses_alone(calls, dims, dtype):
    """A function that says what it cannot do when it is called."""

    def run(x):
        if calls[0].function != "numpy.flip":
            raise NotImplementedError(calls[0].function)
        raise TypeError("not flipped either")

    return run


def test_a_failure_without_calls_is_shown():
    """A converter that fails for the operand itself is shrunk to no call at all."""
    report = difftest_models(lambda calls, dims, dtype: lambda x: x[None], takes="calls", cases=10)
    assert report.cases_found[0].finding.program.calls == () and "    y = x\n" in text(report)


def test_a_function_may_raise_for_what_it_cannot_do():
    report = difftest_models(reverses_alone, takes="calls", cases=40, supports="calls=numpy steps=1..1", shrink=False)
    assert report.verdicts["refused"] > 5 and report.verdicts["invalid"] > 0 and len(report.verdicts) == 2


@pytest.mark.parametrize("takes", TAKES)
def test_drawn_programs(takes):
    rng, filled, named, unknown = Random(1), 0, 0, 0
    functions = Counter()
    for _ in range(300):
        program = draw_program(rng, takes)
        assert Program.from_json(json.loads(json.dumps(program.to_json()))) == program
        assert eval(repr(program), {"Program": Program, "Call": Call}) == program
        assert all(program.runs_on(shape) for shape in program.shapes)
        assert all(call.function in LABELS or not rules_of(program.with_calls([call])) or "strided" in call.function
                   for call in program.calls)  # fmt: skip
        filled += program.right(program.shapes[0]).size > 0
        named += bool(program.names)
        unknown += None in program.dims
        functions.update(call.function for call in program.calls)
    assert filled >= 180 and len(functions) >= 4
    assert bool(named) == (takes in ("onnx", "stablehlo", "jax"))
    assert bool(unknown) == (takes not in ("stablehlo", "jax"))


def test_smaller_programs_are_smaller_or_legal():
    rng = Random(3)
    for takes in TAKES:
        program = draw_program(rng, takes)
        finding = Finding(program, "wrong", program.shapes[0], Answer(np.zeros(0)), Answer(np.zeros(1)))
        smaller = [one for one in smaller_programs(finding) if one.runs_on(one.shapes[0])]
        assert any(size_of(one) < size_of(program) for one in smaller)


@given(strategies.models("onnx"))
@settings(max_examples=20, deadline=None)
def test_a_strategy_of_models(program):
    assert program.takes == "onnx" and program.runs_on(program.shapes[0])


class Strict(Random):
    """An empty range is no error that a draw recovers from: Hypothesis's Random gives a number nevertheless."""

    def randint(self, a, b):
        assert a <= b
        return super().randint(a, b)

    def randrange(self, start, stop=None, step=1):
        assert start > 0 if stop is None else start < stop
        return super().randrange(start, stop, step)


@pytest.mark.parametrize("takes", TAKES)
def test_no_number_is_drawn_of_an_empty_range(takes):
    """Report: FlakyStrategyDefinition."""
    for seed in range(500):
        assert draw_program(Strict(seed), takes).calls


@given(strategies.models("calls", unknown_dims=False, run_time=False))
@settings(max_examples=20, deadline=None)
def test_a_strategy_without_unknown_dims(program):
    assert None not in program.dims and not program.names


# ---- reports and files -----------------------------------------------------------------------------------------------


def faulty(calls, dims, dtype):
    return convert(calls, dims, dtype, fault="end is one too far")


faulty.takes = "calls"


@pytest.fixture(scope="module")
def report():
    return difftest_models("unit.test_difftest_models:faulty", cases=CASES)


def test_the_report_has_the_program_and_both_answers(report):
    shown = text(report)
    assert "verdicts    equal " in shown and "The smallest case found, wrong: " in shown
    assert "from unit.test_difftest_models import faulty" in shown and "    onx_s1: " in shown
    assert "    on [" in shown and ", right: " in shown and "    the subject: " in shown
    data = json.loads(json.dumps(as_dict(report)))
    assert data["verdicts"]["wrong"] == report.verdicts["wrong"] > 0
    assert data["smallest_by_kind"][0]["rules"] == ["onx_s1"]
    (suite,) = junit(report).iter("testsuite")
    assert int(suite.get("failures")) == len(report.cases_found) > 0


def test_the_printed_program_shows_the_failure(report, capsys):
    from ssop.testing.models.report import program_code

    finding = report.cases_found[0].finding
    exec(program_code(report.subject, finding), {})
    given, right = capsys.readouterr().out.split("right:")
    assert given.strip() != right.strip()


def test_failures_are_files_that_are_asked_again(report, tmp_path):
    failures = list(failures_of(report))
    paths = {write_failure(tmp_path, failure) for failure in failures * 2}
    assert len(paths) == len(failures) == len(report.cases_found)
    again = list(replay(read_folder(tmp_path)))
    assert {found.outcome for found in again} == {"there"}
    mended = list(replay(read_folder(tmp_path), "unit.faulty_converters:convert"))
    assert {found.outcome for found in mended} == {"mended"}
    absent = list(replay(read_folder(tmp_path), "unit.faulty_converters:nothing"))
    assert {found.outcome for found in absent} == {"not run"} and "no function 'nothing'" in absent[0].told
