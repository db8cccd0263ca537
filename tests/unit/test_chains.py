"""Chains of operations: what is drawn, how it is printed, and that wrong rewriting rules are found and made small."""

import pickle
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

import ssop
from rewriting_faults import FAULTS, KINDS, Rewriting
from ssop import cli
from ssop.testing import difftest, strategies
from ssop.testing._differential.report import as_dict, text
from ssop.testing.chains import At, Chain, Step
from ssop.testing.chains.drawing import XLA, Kinds, draw_chain, pairs_of, rules_met
from ssop.testing.chains.files import mlir_type, onnx_text, stablehlo_text
from ssop.testing.chains.known import merged_dynamic_slices
from ssop.testing.chains.operations import OPERATIONS
from ssop.testing.chains.shrinking import size_of_chain, without_axis

ALL = Kinds(dict.fromkeys(OPERATIONS, 1.0))


def drawn(count, kinds=ALL, seed=1):
    rng = Random(seed)
    return [draw_chain(rng, kinds) for _ in range(count)]


def test_a_compiler_without_a_fault_passes():
    report = difftest(oracle=Rewriting(lambda step, inner, values: None), chain=(2, 4), cases=300)
    assert report.passed and report.comparison.compared == 300


IN_DEFAULT = (
    "clamp_forgotten_at_a_merge",
    "start_without_the_inner_stride",
    "slice_not_mirrored_by_a_reverse",
    "edges_not_exchanged_by_a_reverse",
    "pad_through_a_negative_slice",
)
"""The others are tests of the long stage."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in IN_DEFAULT)) for name in FAULTS]
)
def test_faults_of_rewriting_rules_are_found_and_shrunk(name):
    report = difftest(oracle=Rewriting(FAULTS[name]), chain=(2, 4), cases=6000)
    assert report.differences, name
    call = report.smallest.call
    assert len(call.steps) <= 3 and max(array.size for array in call.arrays) <= 8, call


def test_there_are_twenty_faults():
    assert len(FAULTS) >= 20


def test_chains_have_their_lengths_and_mostly_elements():
    chains = drawn(600)
    lengths = Counter(len(chain.steps) for chain in chains)
    assert set(lengths) == {2, 3, 4} and min(lengths.values()) > 100
    assert sum(chain.run().size > 0 for chain in chains) > 0.8 * len(chains)


def test_every_rule_and_nearly_every_pair_is_met():
    rules, pairs = Counter(), Counter()
    for chain in drawn(3000, XLA):
        met, beside = rules_met(chain)
        rules.update(met)
        pairs.update(beside)
    assert set(XLA.rules) == set(rules) and min(rules.values()) > 20, rules
    possible = pairs_of(XLA.rules)
    assert set(pairs) <= set(possible) and len(pairs) > 0.85 * len(possible), len(pairs) / len(possible)


def test_all_steps_are_needed():
    for chain in drawn(200):
        assert chain.pruned().steps == chain.steps and set(chain.pruned().inputs) == set(chain.inputs)


def test_a_chain_prints_as_a_program_that_gives_its_result():
    for chain in drawn(100):
        printed = []
        exec(chain.program(), {"print": printed.append})
        assert np.array_equal(printed[0], chain.run()) and printed[0].dtype == chain.run().dtype


def test_chains_go_to_other_processes():
    chain = drawn(1)[0]
    chain.run()
    copy = pickle.loads(pickle.dumps(chain))
    assert "values" not in copy.__dict__ and np.array_equal(copy.run(), chain.run())


def test_an_axis_less_is_an_axis_less():
    smaller = 0
    for chain in drawn(200):
        name = chain.steps[0].operands[-1]
        for axis in range(chain.values[name].ndim):
            less = without_axis(chain, name, axis)
            if less is not None:
                smaller += size_of_chain(less) < size_of_chain(chain)
                assert less.operations == chain.operations
    assert smaller > 100


def test_stablehlo_has_no_form_of_strided_slices():
    x = {"x0": np.arange(3)}
    args = {"begin": [0], "end": [1], "strides": [1], "begin_mask": 0, "end_mask": 0}
    chain = Chain(x, (Step("y0", "tf.strided_slice", ("x0",), args),))
    assert stablehlo_text(chain) is None and onnx_text(chain) is None


def test_types_of_stablehlo():
    assert mlir_type(np.zeros((0, 2), np.uint8)) == "tensor<0x2xui8>"


def two_slices(first, second, sizes=((4,), (1,))):
    steps = [
        Step(f"y{i}", "xla.dynamic_slice", (operand,), {
            "start_indices": At(start), "slice_sizes": list(size), "allow_negative_indices": False,
        })
        for i, (operand, start, size) in enumerate(zip(("x0", "y0"), ("x1", "x2"), sizes, strict=True))
    ]  # fmt: skip
    return Chain({"x0": np.arange(10), "x1": np.array([first]), "x2": np.array([second])}, tuple(steps))


def test_the_model_of_jax_40849():
    assert two_slices(9, 0).run() == 6
    assert [list(result) for result in merged_dynamic_slices(two_slices(9, 0))] == [[9]]


def test_a_report_of_chains():
    report = difftest(oracle=Rewriting(FAULTS["reverses_of_any_axes_cancel"], (2, 2)), chain=(2, 2), cases=400, seed=3)
    shown, members = text(report), as_dict(report)
    assert "chains of 2 to 2 of xla.slice" in shown and "pairs met" in shown and "ssop.xla.rev(y0" in shown
    assert "As a file of StableHLO:" in shown and "stablehlo.reverse" in members["smallest"]["stablehlo"]
    assert "Slice (" in members["smallest"]["onnx"]
    assert members["chain"] == [2, 2] and members["pairs"]["rev_s1 > rev_s1"] > 0
    assert set(members["pairs"]) | set(members["pairs_not_met"]) == set(pairs_of(KINDS.rules))


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"chain": (3, 2)}, "chain is 3..2"),
        ({"chain": (0, 2)}, "chain is 0..2"),
        ({"chain": (2, 9)}, "lengths are 1 to 8"),
        ({"chain": (2, 4), "subject": print}, "print: what does it take of a chain"),
        ({"chain": (2, 4), "what": "shape"}, "values alone"),
        ({"chain": (2, 4), "oracle": "ssop"}, "compiles no chains"),
        ({"chain": (2, 4), "oracle": "numpy"}, "compiles no chains; there are jax-jit"),
    ],
)
def test_bad_input_is_a_value_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        difftest(**({"oracle": "jax-jit"} | arguments))


@settings(max_examples=50)
@given(strategies.chains())
def test_the_strategy_draws_chains(chain):
    assert 2 <= len(chain.steps) <= 4 and set(chain.operations) <= set(XLA.ops)
    assert isinstance(chain.run(), np.ndarray)


@pytest.mark.parametrize("arguments", [{"ops": ["xla.sort"]}, {"ops": []}, {"lengths": (3, 2)}, {"lengths": (0, 1)}])
def test_the_strategy_rejects_what_it_cannot_draw(arguments):
    with pytest.raises(ValueError, match="ops is|lengths is"):
        strategies.chains(**arguments)


def test_the_command_line(capsys):
    for arguments, message in [
        (["--chain", "2..x"], "--chain"),
        (["--chain", "9"], "--chain"),
        (["--chain", "2..4", "--op", "slice"], "leave out --op"),
        (["--chain", "2..4", "--oracle", "jax,jax-jit", "--json", "report.json"], "one --oracle"),
        (["--chain", "2..4", "--oracle", "numpy"], "compiles no chains"),
    ]:
        assert cli.main(["difftest", *arguments]) == 2
        assert message in capsys.readouterr().err, arguments


def test_ssop_raises_its_own_errors():
    chain = Chain({"x0": np.arange(2)}, (Step("y0", "xla.rev", ("x0",), {"dimensions": [1]}),))
    with pytest.raises(ssop.SliceError, match="rev"):
        chain.run()
