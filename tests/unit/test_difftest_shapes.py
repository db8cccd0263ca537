"""`ssop difftest --what shape`: shape functions with seeded faults are found out, and the cases are small."""

from functools import partial

import pytest

from ssop import cli
from ssop.testing import check, difftest
from ssop.testing._differential.comparison import ERRORS, VALUES
from ssop.testing.calls import ShapeCall
from ssop.testing.calls.partial_dialects import ONNX_DRAWS, OPENVINO_DRAWS, TF_DRAWS
from ssop.testing.oracles import SHAPE_ORACLES, oracle
from unit.faulty_shapes import FAULTS, shape_of_slice

CASES = 2000
IN_DEFAULT = ("clamp off by one", "shrink keeps its axis", "unknown dim taken as 0", "unknown rank taken as a scalar")
"""The others are tests of the long stage."""


def test_ssop_infers_what_the_reference_does():
    report = check(None, op=list(SHAPE_ORACLES["reference"].ops), oracle="reference", what="shape", cases=CASES)
    assert report.comparison.compared == CASES
    assert (
        report.comparison.below({"accepted": 1500, "rejected": 150, "with unknown dims": 500, "unknown rank": 50}) == {}
    )


def test_without_a_fault_nothing_is_found():
    report = check(shape_of_slice, oracle="reference", what="shape", cases=CASES)
    assert report.comparison.compared == CASES


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, marks=[pytest.mark.long] * (fault not in IN_DEFAULT)) for fault in FAULTS]
)
def test_faults_are_found_and_shrunk(fault):
    report = difftest(partial(shape_of_slice, fault=fault), oracle="reference", what="shape", cases=CASES)
    assert not report.passed
    call = report.smallest.call
    assert len(call.shape or ()) <= 2 and len(call.args["begin"]) <= 2, str(call)
    assert report.smallest.about == (VALUES if report.comparison.about[VALUES] else ERRORS)


def wrong(shape, *vectors, fault, **masks):
    """Misbehaves in one way."""
    if fault == "raises":
        return 1 / 0
    if fault == "changes its input":
        vectors[0].append(0)
    return "two" if fault == "no shape" else None


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("raises", "raised ZeroDivisionError: division by zero"),
        ("changes its input", "changed its input"),
        ("no shape", "returned 'two', which is no shape"),
    ],
)
def test_misbehaving_shape_functions_get_one_line(fault, line):
    report = difftest(partial(wrong, fault=fault), oracle="reference", what="shape", cases=10, shrink=False)
    told = {str(d.ours.error).partition(" (test_difftest_shapes.py:")[0] for d in report.differences}
    assert report.complete and told == {line}


@pytest.mark.parametrize(
    ("returned", "kind"),
    [((0, None), "the subject knows less"), (1, "the dims differ"), ((1, 2), "the subject knows more")],
)
def test_kinds_of_differences(returned, kind):
    def one(shape, begin, size):
        return [returned for _ in size]

    report = difftest(one, op="tf.slice", oracle="reference", what="shape", cases=400, shrink=False)
    assert kind in {d.kind for d in report.differences}


def test_a_subject_is_tested_on_what_it_supports_alone():
    plain = partial(shape_of_slice, fault="shrink keeps its axis")
    report = difftest(plain, oracle="reference", what="shape", cases=300, supports="masks=begin,end ranks=1..2")
    assert report.passed and report.comparison.compared == 300
    plain = partial(shape_of_slice, fault="negative stride as a positive one")
    assert difftest(plain, oracle="reference", what="shape", cases=300, supports="negative-steps=no").passed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"oracle": "numpy"}, "the oracle numpy infers no shapes; there are reference"),
        ({"oracle": "nobody"}, "no oracle 'nobody'; there are reference"),
        ({"oracle": "reference", "op": "pad"}, "the oracle reference has no op 'pad'"),
        ({"oracle": "reference", "subject": "./mine.so:f"}, "a shape function is one of Python"),
        ({"oracle": "reference", "subject": 5}, "a subject is a function or 'module:function'"),
    ],
)
def test_bad_input_is_a_value_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        difftest(what="shape", **arguments)


def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "my_shapes.py").write_text("def mine(shape, begin, size):\n    return size\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = ["difftest", "--what", "shape", "--op", "tf.slice", "--subject", "my_shapes:mine", "--cases", "200"]
    assert cli.main(command) == 1
    out = capsys.readouterr().out
    assert "The smallest case found" in out and "from my_shapes import mine\n    print(mine(" in out
    assert cli.main(["difftest", "--what", "shape", "--cases", "200"]) == 0
    assert "with unknown dims" in capsys.readouterr().out


@pytest.mark.parametrize("draws", [TF_DRAWS, OPENVINO_DRAWS, ONNX_DRAWS], ids=["tensorflow", "openvino", "onnx"])
def test_code_of_calls_gives_their_answer(draws):
    """The text of a call is Python that infers what the call does."""
    from random import Random

    import ssop

    rng = Random(1)
    for _, draw in draws.values():
        for _ in range(30):
            call = draw(rng)
            try:
                expected = call.run()
            except ssop.SliceError as error:
                with pytest.raises(type(error)) as info:
                    eval(str(call), {"ssop": ssop})
                assert info.value.label == error.label
            else:
                assert str(eval(str(call), {"ssop": ssop})) == str(expected)


def test_code_of_the_reference_gives_its_answer(capsys):
    call = ShapeCall("tf.slice", [None, 4], {"begin": [1, 1], "size": [-1, None]})
    exec(oracle("reference", "shape").code(call))
    assert capsys.readouterr().out == "[(0, None), (0, None)]\n"
