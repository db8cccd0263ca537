"""Subjects of chains: what they take, what their mistakes are told as, and what they support."""

import json
from functools import partial

import numpy as np
import pytest

from ssop import cli
from ssop.testing import difftest
from ssop.testing._differential.programs import verified
from ssop.testing._differential.report import text
from ssop.testing.chains import Chain, Step
from ssop.testing.chains.drawing import XLA, draw_chain
from ssop.testing.chains.engines import ChainONNXRuntime, shared
from ssop.testing.chains.subjects import ChainSubject, ChainSupports
from ssop.testing.corpus import read_folder, replay, write_failure
from ssop.testing.corpus.writing import failures_of
from ssop.testing.oracles import IsolatedOracle
from unit import chain_subjects

HERE = "unit.chain_subjects"


def run(name, cases=60, **options):
    return difftest(f"{HERE}:{name}", oracle="ssop", chain=(2, 4), cases=cases, **options)


@pytest.mark.parametrize("name", ["text", "Operations"])
def test_right_subjects_pass(name):
    report = run(name, 150)
    assert report.passed and report.comparison.compared == 150 and report.filled_share > 0.6
    assert len(report.comparison.pairs) >= 25


def test_a_mistake_in_a_program_is_found_and_shrunk():
    report = verified(run("forgets_a_reverse", 200, supports="ops=rev,transpose,pad"))
    chain = report.smallest.call
    assert set(chain.operations) == {"xla.rev", "xla.transpose"} and max(x.size for x in chain.arrays) <= 2
    shown = text(report)
    assert "from unit.chain_subjects import forgets_a_reverse" in shown and "stablehlo.reverse" in shown
    assert "does not show it" not in shown


def test_a_mistake_in_an_operation_is_found_and_shrunk():
    report = verified(run("WithoutClamp", 60))
    assert report.smallest.kind == "the shapes differ" and report.smallest.call.operations == ("xla.dynamic_slice",)
    shown = text(report)
    assert "y0 = WithoutClamp.dynamic_slice(x0, [1], [1])" in shown and "does not show it" not in shown


@pytest.mark.parametrize(
    "name, kind",
    [
        ("changes_its_input", "fault: changed its input"),
        ("rejects", "the oracle accepts, the subject rejects"),
        ("raises", "fault: raised ZeroDivisionError"),
        ("gives_no_array", "fault: returned no array"),
    ],
)
def test_bad_subjects_are_told_as_what_they_are(name, kind):
    report = run(name, 10, takes="stablehlo", shrink=False, supports="ranks=1..4 ops=rev,slice dtypes=int32")
    assert set(report.comparison.kinds) == {kind}


def test_a_crash_costs_one_case():
    subject = chain_subjects.crashes_at_a_pad
    report = difftest(subject, oracle="ssop", chain=(2, 4), cases=60, takes="stablehlo", shrink=False)
    pads = report.comparison.kinds["fault: crashed"]
    assert pads >= 10 and report.comparison.counts["accepted"] + pads == report.comparison.compared == 60
    assert all("xla.pad" in found.call.operations for found in report.differences)


def test_a_hang_costs_one_case():
    subject = chain_subjects.hangs_at_a_pad
    report = difftest(subject, oracle="ssop", chain=(2, 4), takes="stablehlo", shrink=False, seconds=1)
    assert report.comparison.kinds["fault: no answer within N seconds"] == 3 and not report.complete
    assert report.comparison.counts["accepted"] == report.comparison.compared - 3


def test_deaths_and_hangs_of_an_engine_cost_one_case_each():
    engine = IsolatedOracle(chain_subjects.Dying)
    engine.kinds = XLA._replace(ops={**dict.fromkeys(("xla.rev", "xla.transpose"), 10.0), "xla.pad": 1.0,
                                     "xla.concatenate": 0.5})  # fmt: skip
    engine.ops = {"chain": (1, partial(draw_chain, kinds=engine.kinds))}
    try:
        report = difftest(oracle=engine, chain=(2, 2), cases=40, shrink=False)
    finally:
        engine.close()
    n, kinds = report.comparison.counts, report.comparison.kinds
    assert n["accepted"] + kinds.total() == report.comparison.compared >= 20 and n["accepted"] >= 10
    assert set(kinds) == {"the oracle: crashed: SIGABRT", "the oracle: no answer within 2 seconds"}
    assert all({"xla.pad", "xla.concatenate"} & set(found.call.operations) for found in report.differences)


def test_functions_are_subjects_too():
    assert difftest(chain_subjects.text, oracle="ssop", chain=(2, 3), cases=20).passed
    report = difftest(lambda program, *inputs: inputs[0], oracle="ssop", chain=(2, 2), cases=20, takes="stablehlo")
    assert "with the program of" in report.cases_found[0].subject_program


def test_models_of_onnx():
    side = ChainSubject(lambda model, *inputs: inputs[0] if isinstance(model, bytes) else None, "onnx", None, 10.0)
    chain = Chain({"x0": np.arange(3)}, (Step("y0", "xla.rev", ("x0",), {"dimensions": [0]}),))
    assert np.array_equal(side.answers([chain])[0].array, np.arange(3))
    assert "onnx.parser.parse_model(program)" in ChainSubject(f"{HERE}:text", "onnx", None, 10.0).program(chain)
    side.close()


def test_what_is_supported_is_drawn_alone():
    report = run("rejects", 40, takes="stablehlo", shrink=False,
                 supports="ranks=1..2 dtypes=int32,float32 ops=pad,dynamic_slice,xla.rev interior=no run-time=no "
                 "negative-padding=no negative-starts=no")  # fmt: skip
    for found in report.differences:
        call = found.call
        assert set(call.operations) <= {"xla.pad", "xla.dynamic_slice", "xla.rev"}
        assert {x.dtype.name for x in call.arrays} <= {"int32", "float32"} and len(call.values) >= 3
        assert all(value.ndim <= 2 for value in call.values.values())
        for step in call.steps:
            config = step.args.get("padding_config", [])
            assert min((min(entry) for entry in config), default=0) >= 0 == max((n for *_, n in config), default=0)
            assert not step.args.get("allow_negative_indices")
    assert ChainSupports.of(None) == ChainSupports()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"takes": "torch"}, "what does it take of a chain"),
        ({"takes": "stablehlo", "supports": "rank=2"}, "rank='2': known are"),
        ({"takes": "stablehlo", "supports": "ranks=x"}, "ranks='x'"),
        ({"takes": "stablehlo", "supports": "ops=turn"}, "no 'xla.turn'"),
        ({"takes": "stablehlo", "supports": "ops=onnx.slice"}, "no operation and dtype is left"),
        ({"takes": "stablehlo", "supports": {"ranks": 2}}, "is a text"),
        ({"takes": "operations"}, "no operation and dtype is left"),
    ],
)
def test_what_a_subject_takes_and_supports_must_be_known(options, message):
    with pytest.raises(ValueError, match=message):
        run("rejects", **options)


def test_a_signature_that_does_not_fit_is_told_before_the_run():
    with pytest.raises(ValueError, match="WithoutSizes.dynamic_slice: too many positional arguments"):
        run("WithoutSizes")
    with pytest.raises(ValueError, match="too many positional arguments, when it is called as the chain is"):
        difftest(lambda program: None, oracle="ssop", chain=(2, 2), takes="stablehlo")


def test_chains_that_two_can_take():
    both = shared(ChainONNXRuntime.kinds, XLA)
    assert "onnx.slice" not in both.ops and "xla.dynamic_update_slice" not in both.ops and "float16" not in both.dtypes
    with pytest.raises(ValueError, match="in common"):
        shared(XLA, XLA._replace(ops={"onnx.slice": 1.0}))


def test_failures_are_files_that_are_asked_again(tmp_path):
    for failure in failures_of(run("WithoutClamp", 100)):
        write_failure(tmp_path, failure)
    again = list(replay(read_folder(tmp_path)))
    assert again and {found.outcome for found in again} == {"there"}
    assert {found.outcome for found in replay(read_folder(tmp_path), f"{HERE}:Operations")} == {"mended"}


def test_the_command(capsys, tmp_path):
    path = tmp_path / "report.json"
    command = [
        "difftest",
        "--chain",
        "2..3",
        "--subject",
        f"{HERE}:forgets_a_reverse",
        "--cases",
        "100",
        "--supports",
        "ops=rev,transpose",
    ]
    assert cli.main([*command, "--corpus", str(tmp_path / "failures"), "--json", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "oracle      ssop" in shown and "The smallest case found, " in shown
    assert json.loads(path.read_text())["subject"] == f"{HERE}:forgets_a_reverse"
    assert cli.main(["difftest", "--replay", str(tmp_path / "failures")]) == 1
    assert "there" in capsys.readouterr().out
    assert cli.main(["difftest", "--chain", "2", "--subject", f"{HERE}:rejects"]) == 2
    assert "say --takes stablehlo, onnx, operations" in capsys.readouterr().err
    assert cli.main(["difftest", "--takes", "operations", "--subject", f"{HERE}:Operations"]) == 2
    assert "what does it take" in capsys.readouterr().err
