"""The differential-testing kit finds seeded faults, shrinks them, and survives subjects that misbehave."""

import pickle
import re
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from child import LIMIT_SECONDS
from ssop.testing import check, difftest
from ssop.testing._differential.comparison import ERRORS, RULES, VALUES
from ssop.testing._differential.report import text
from ssop.testing._differential.run import CHUNK, MAX_HANGS, Run
from ssop.testing._differential.subjects import subject_of
from ssop.testing.calls import Answer, Call, Rejection, same
from ssop.testing.oracles import ORACLES
from unit.faulty_slices import dynamic_slice, dynamic_update_slice, grad, misbehaving, strided_slice, tf_slice

CASES = 2000
SLICE_FAULTS = [
    "clamp off by one", "swapped masks", "int32 truncation", "reversed end -1", "end_mask of a reversed slice",
    "empty reverse slice has one element", "count rounded down", "ellipsis of width zero",
    "new axis after the ellipsis on the wrong side", "shrink keeps its axis", "wrong shape of an empty axis",
    "shrink wins over new axis", "new axis wins over the ellipsis", "forgotten unit axis", "shrink with any stride",
    "begin_mask on shrink", "missing range check",
]  # fmt: skip
IN_DEFAULT = ("swapped masks", "shrink wins over new axis", "wrapped uint8 start", "size -1 leaves out the last")
"""The others are tests of the long stage."""
OTHERS = [
    ("xla.dynamic_slice", dynamic_slice, "wrapped uint8 start"),
    ("xla.dynamic_slice", dynamic_slice, "clamps the end alone"),
    ("xla.dynamic_update_slice", dynamic_update_slice, "update clamps the wrong way"),
    ("tf.strided_slice_grad", grad, "gradient overwrites instead of placing"),
    ("tf.slice", tf_slice, "size -1 leaves out the last"),
]


def entries(call):
    """The length of the longest list of the call."""
    return max(len(value) for value in call.args.values() if isinstance(value, list | tuple | np.ndarray))


@pytest.mark.parametrize("function", [strided_slice, dynamic_slice, dynamic_update_slice, grad, tf_slice])
def test_without_a_fault_nothing_is_found(function):
    ops = {strided_slice: "strided_slice", grad: "strided_slice_grad", tf_slice: "tf.slice"}
    report = check(function, op=ops.get(function, function.__name__), oracle="reference", cases=250)
    assert report.comparison.compared == 250 and report.filled_share >= 0.6


def staged(*values):
    """A parameter whose last value is a fault."""
    return pytest.param(*values, marks=[pytest.mark.long] * (values[-1] not in IN_DEFAULT))


@pytest.mark.parametrize("fault", [staged(fault) for fault in SLICE_FAULTS])
def test_faults_of_slices_are_found_and_shrunk(fault):
    report = difftest(partial(strided_slice, fault=fault), oracle="numpy", cases=CASES)
    assert not report.passed
    call = report.smallest.call
    assert call.arrays[0].ndim <= 2 and entries(call) <= 2, str(call)
    assert report.smallest.about == (VALUES if report.comparison.about[VALUES] else ERRORS)


@pytest.mark.parametrize(("op", "function", "fault"), [staged(*other) for other in OTHERS])
def test_faults_of_other_operations_are_found_and_shrunk(op, function, fault):
    report = difftest(partial(function, fault=fault), op=op, oracle="reference", cases=CASES)
    assert not report.passed
    assert report.smallest.call.arrays[0].ndim <= 2 and entries(report.smallest.call) <= 2, str(report.smallest.call)


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("hangs", "no answer within 1 seconds"),
        ("kills its process", "crashed: SIGABRT"),
        ("exits", "ended its process with exit code 3"),
        ("raises", "raised ZeroDivisionError: division by zero"),
        ("returns a list", "returned list, which is no NumPy array"),
        ("returns None", "returned NoneType, which is no NumPy array"),
        ("returns a view", "returned a view of its input"),
        ("changes its input", "changed its input"),
    ],
)
def test_misbehaving_subjects_get_one_line_and_the_run_goes_on(fault, line):
    seconds, cases = (1, 2) if fault == "hangs" else (LIMIT_SECONDS, 6)
    report = difftest(partial(misbehaving, fault=fault), oracle="numpy", cases=cases, seconds=seconds, shrink=False)
    assert report.comparison.compared == cases and report.complete
    faults = [str(d.ours.error) for d in report.differences]
    assert any(fault.startswith(line) for fault in faults) and all(len(fault.splitlines()) == 1 for fault in faults)


def test_a_run_ends_after_a_few_hangs():
    """Each waits for the time limit: a loop over a bound of 2**31 would take hours of them."""
    report = difftest(partial(misbehaving, fault="hangs"), cases=1000, seconds=0.3)
    assert not report.complete and MAX_HANGS <= len(report.differences) <= CHUNK
    assert "no answer in time (--seconds)" in text(report)


def test_cases_become_small_without_hypothesis(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    report = difftest(partial(strided_slice, fault="swapped masks"), cases=200)
    assert report.smallest.call.arrays[0].ndim == 1 and entries(report.smallest.call) == 1


def test_a_wrong_dtype_is_a_difference():
    report = difftest(partial(misbehaving, fault="wrong dtype"), oracle="numpy", cases=20, supports="dtypes=int8")
    assert report.smallest.kind == "the dtypes differ"


def test_the_same_seed_gives_the_same_calls():
    runs = [difftest(partial(strided_slice, fault="swapped masks"), cases=300, seed=5, shrink=False) for _ in range(2)]
    first, second = [[str(d.call) for d in run.differences] for run in runs]
    assert first == second != []


def test_a_subject_is_tested_on_what_it_supports_alone():
    seen = difftest(
        partial(strided_slice, fault="swapped masks"), cases=300, supports="masks=ellipsis,new_axis ranks=1..2"
    )
    assert seen.passed and seen.comparison.compared == 300
    assert difftest(partial(strided_slice, fault="reversed end -1"), supports={"negative_steps": False}).passed


def test_rules_that_no_call_met_are_listed():
    report = difftest(partial(strided_slice, fault="swapped masks"), cases=50, supports="masks=ellipsis ranks=1..2")
    spec = (Path(__file__).parents[2] / "SPEC.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^### (ss_[cs]\d+): ", spec, flags=re.M)) - {"ss_s10"}  # that one is about unknown dims
    assert {*report.rules_not_met, *report.comparison.rules} == named == set(RULES["tf.strided_slice"])
    assert "not met     ss_c1, " in text(report) and {"ss_c5", "ss_s3"} <= set(report.rules_not_met)


def test_a_rejection_by_label_is_told_with_what_the_rule_says():
    def accepts(shape, begin, size):
        return size

    report = difftest(accepts, oracle="reference", op="tf.slice", what="shape", cases=200, shrink=False)
    (told,) = [line for line in text(report).splitlines() if "reference: rejected" in line]
    assert re.fullmatch(r" +reference: rejected, by the rule (\w+) of SPEC.md: .* \[\1\]", told)
    assert report.rules_not_met == []


def test_check_raises_with_the_report():
    with pytest.raises(AssertionError, match="The smallest case found, the shapes differ") as info:
        check(partial(strided_slice, fault="shrink keeps its axis"), cases=300)
    assert "# ssop.tf.strided_slice(np.arange(" in str(info.value)  # a partial object cannot be imported


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"oracle": "nobody"}, "no oracle 'nobody'; there are numpy, reference"),
        ({"op": "pad"}, "the oracle numpy has no op 'pad'; ask --oracle reference, which has it"),
        ({"what": "colour"}, "what is 'colour'"),
        ({"cases": 0}, "cases is 0"),
        ({"subject": 5}, "a subject is a function"),
        ({"subject": "no_such_module:f"}, "subject 'no_such_module:f': No module named"),
        ({"subject": "os:no_such_function"}, "the module os has no function 'no_such_function'"),
        ({"subject": "nothing"}, "is not of the form module:function"),
        ({"subject": "./none.so:f"}, "there is no file ./none.so"),
        ({"subject": strided_slice, "supports": "colours=3"}, "known are ranks="),
        ({"subject": strided_slice, "supports": "ranks=x"}, "is not of the form 1..4"),
        ({"subject": strided_slice, "supports": "dtypes=float33"}, "NumPy has no dtype 'float33'"),
        ({"subject": strided_slice, "supports": "masks=middle"}, "no mask 'middle'; there are none, begin, end"),
        ({"subject": strided_slice, "supports": "ranks=40..50"}, "is supported by strided_slice"),
    ],
)
def test_bad_input_is_a_value_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        difftest(**arguments)


def test_answers_of_many_axes_reach_the_parent():
    """NumPy itself cannot pickle objects in more than 32 axes."""
    array = np.array([b"a", b"b"], object).reshape((1,) * 33 + (2,))
    answer = pickle.loads(pickle.dumps(Answer(array)))
    assert same(answer.array, array) and answer.error is None


class TooLarge(ORACLES["numpy"]):
    """NumPy that computes nothing."""

    def answer(self, call):
        return Answer(error=Rejection("not run", "(4611686018427387904,)"))


def test_what_is_too_large_for_the_oracle_is_not_asked_of_the_subject():
    run = Run(TooLarge(), subject_of(None))
    huge = Call("xla.broadcast", (np.zeros(2),), {"sizes": [2**61]})
    run.compare([huge, huge])
    assert run.comparison.counts["not run"] == 2 and run.comparison.compared == 0
    assert run.difference(huge) is None
