"""The laws as rewritings of random chains: `ssop difftest --laws`."""

import json
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

import ssop
from ssop import cli
from ssop._convert.laws import LAWS, Law
from ssop.testing.calls import Answer, Fault, Rejection
from ssop.testing.chains import law_run
from ssop.testing.chains.drawing import XLA, draw_chain
from ssop.testing.chains.engines import CHAIN_ORACLES, ChainJAXJit, ChainOpenVINO, ChainOracle
from ssop.testing.chains.law_report import as_dict, text
from ssop.testing.chains.law_run import difftest_laws
from ssop.testing.chains.laws import LawCase, draw_case, says_something
from ssop.testing.chains.program import Chain, Step

FALSE = [law.name for law in LAWS.values() if law.status == "false"]


@pytest.fixture(scope="module")
def report():
    return difftest_laws(cases=10, seed=2)


def test_true_laws_hold_and_false_ones_are_refuted(report):
    assert report.passed and report.compared == 10 * len(LAWS) and len(FALSE) == 11
    assert {one.law.name for one in report.laws if one.refuted} == set(FALSE)
    assert all(one.equal == 10 for one in report.laws if one.law.status != "false")


def test_counterexamples_are_small_and_refute(report):
    for one in report.laws:
        if one.refuted is None:
            continue
        case = one.refuted.case
        assert (case.first, case.last, case.run_time, case.dtype) == ("", "", False, "int32")
        assert not one.law.check(**case.numbers) and max(map(abs, case.numbers.values())) <= 4, case
        assert sum(case.numbers[name] for name in one.law._dims) <= 6
        assert len(one.refuted.left.steps) <= 3


def test_cases_are_what_the_laws_run():
    """The sides without anything around them, against the terms that `Law.run` evaluates."""
    for law in LAWS.values():
        rng = Random(law.name)
        for _ in range(5):
            case = replace(draw_case(rng, law), first="", last="", dtype="int32")
            left, right = law.run(**case.numbers)
            assert np.array_equal(case.side("left").run(), left), case
            if isinstance(right, ssop.SliceError):
                with pytest.raises(ssop.SliceError):
                    case.side("right")
            else:
                assert np.array_equal(case.side("right").run(), right), case


def test_cases_have_something_around_them():
    rng, found = Random(3), set()
    for _ in range(120):
        case = draw_case(rng, LAWS["dynamic-slice-is-slice"])
        assert says_something(case)
        chain = case.side("left")
        found.update(step.op for step in chain.steps)
        assert chain.pruned().steps == chain.steps
    assert {"xla.rev", "xla.slice", "xla.transpose", "xla.pad", "xla.concatenate"} < found


def test_indices_are_those_of_the_engine():
    case = LawCase("index-back-whole", {"N": 3})
    for index in ("tf.strided_slice", "onnx.slice", "openvino.slice"):
        chain = case.side("left", index)
        assert chain.operations == (index,) and chain.run().tolist() == [2, 1, 0]


def test_a_law_that_is_wrong_is_found(monkeypatch):
    """The condition of a law is missing in the table."""
    law = Law(replace(LAWS["reverse-unit-axis"]._row, precondition=LAWS["reverse-twice"]._row.precondition))
    monkeypatch.setitem(LAWS._laws, law.name, law)
    report = difftest_laws(law.name)
    assert not report.passed and report.kinds["the sides differ"] >= 5
    (finding,) = report.findings
    assert dict(finding.sides.case.numbers) == {"N": 2}
    assert text(report).endswith(f"FAILED: the sides differ {report.kinds['the sides differ']}")
    assert as_dict(report)["findings"][0]["left_result"] == "gives int32 (2,) [1 0]"


def test_a_false_law_that_nothing_refutes_is_told(monkeypatch):
    """A law that holds is given a condition, and said to be applied without it."""
    condition = LAWS["reverse-unit-axis"]._row.precondition
    law = Law(replace(LAWS["reverse-twice"]._row, counterexample={"N": 1}, precondition=condition))
    monkeypatch.setitem(LAWS._laws, law.name, law)
    report = difftest_laws(law.name, cases=2)
    assert report.not_refuted == [law.name] and "the false law reverse-twice is not refuted" in text(report)


class Faulty(ChainJAXJit):
    """An engine that adds 1 where it reverses, crashes at a transpose, rejects a pad, and gives ssop's results else."""

    name = "faulty"
    modules = distributions = ()

    def answer(self, call):
        if "xla.transpose" in call.operations:
            return Answer(error=Fault("crashed: SIGABRT"))
        if "xla.pad" in call.operations:
            return Answer(error=Rejection("ValueError", "no pads"))
        return Answer(call.run() + ("xla.rev" in call.operations))

    def close(self):
        pass


def test_what_an_engine_gives_for_both_sides(monkeypatch):
    monkeypatch.setitem(CHAIN_ORACLES, "faulty", Faulty)
    monkeypatch.setattr(law_run, "chain_oracle", lambda name: Faulty())
    report = difftest_laws(["slice-whole", "dynamic-slice-is-index", "transpose-twice"], oracle="faulty", cases=30)
    kinds = {"faulty gives another result for the left side", "faulty gives another result for the right side"}
    assert set(report.kinds) == kinds and report.not_run > 0 and not report.passed
    for finding in report.findings:
        chain = finding.sides.left if finding.which == "left" else finding.sides.right
        assert len(chain.steps) <= 2 and {"xla.rev", "xla.transpose"} & set(chain.operations)
    shown = text(report)
    assert "For faulty:" in shown and "crashed: SIGABRT" in shown and "engine      faulty ran " in shown


def test_an_engine_that_applies_a_false_law(monkeypatch):
    class Applies(Faulty):
        def answer(self, call):
            twice = [step for step in call.steps if step.op == "xla.dynamic_slice"]
            if len(twice) != 2 or len(call.steps) != 2:
                return Answer(call.run())
            (x, first), second = (call.inputs[twice[0].operands[0]], twice[0].with_args(call.inputs)), twice[1]
            starts = np.add(first["start_indices"], second.with_args(call.inputs)["start_indices"])
            return Answer(ssop.xla.dynamic_slice(x, starts, second.args["slice_sizes"]))

    monkeypatch.setitem(CHAIN_ORACLES, "faulty", Applies)
    monkeypatch.setattr(law_run, "chain_oracle", lambda name: Applies())
    report = difftest_laws("dynamic-slice-merge-adds", oracle="faulty", cases=40)
    assert report.laws[0].rewritten >= 2
    assert "faulty gives the right side's result for" in text(report)


def test_what_engines_take():
    chain = LawCase("broadcast-in-dim-merge", {"N": 1, "U": 1, "W": 1, "P": 1, "Q": 1, "V": 1}).side("left")
    assert not ChainJAXJit.takes(chain) and all(isinstance(kind.takes(chain), bool) for kind in CHAIN_ORACLES.values())
    pad = Step("y0", "xla.pad", ("x0", "x1"), {"padding_config": [(-2, 3, 0)]})
    assert not ChainOpenVINO.takes(Chain({"x0": np.arange(1), "x1": np.array(0)}, (pad,)))
    assert ChainOpenVINO.takes(Chain({"x0": np.arange(2), "x1": np.array(0)}, (pad,)))
    rng = Random(1)
    for kind in CHAIN_ORACLES.values():
        drawn = partial(draw_chain, kinds=kind.kinds)
        own = all(kind.takes(drawn(rng)) for _ in range(50))
        assert own and issubclass(kind, ChainOracle), kind
    assert not all(CHAIN_ORACLES["torch"].takes(draw_chain(rng, XLA)) for _ in range(20))


def test_the_command(capsys, tmp_path):
    path = tmp_path / "laws.json"
    assert cli.main(["difftest", "--laws", "slice-whole,index-narrow", "--cases", "3", "--json", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "laws        1 hold, 1 are false as products apply them" in shown and "index-narrow is refuted" in shown
    data = json.loads(path.read_text())
    assert data["passed"] and data["compared"] == 6 and data["laws"][1]["refuted"]["law"] == "index-narrow"
    for arguments, message in [
        (["--laws", "nothing"], "no law is called 'nothing'"),
        (["--laws", "all", "--oracle", "numpy"], "compiles no chains"),
        (["--laws", "all", "--subject", "mine:run"], "leave out --subject"),
        (["--laws", "all", "--cases", "0"], "--cases"),
    ]:
        assert cli.main(["difftest", *arguments]) == 2
        assert message in capsys.readouterr().err, arguments
    with pytest.raises(ValueError, match="at least 1"):
        difftest_laws(cases=0)
