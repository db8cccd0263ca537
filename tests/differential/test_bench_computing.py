"""`ssop bench --computing`: its cases give what jax gives, and its table has a row for each."""

import pytest

from ssop import cli, xla
from ssop.testing.bench import computing
from ssop.testing.bench.computing_cases import CLASSES, cases

CASES = cases(400)
UNMEASURED = {
    "Computation", "broadcasted_iota", "call", "cond", "cross_replica_sum", "custom_call", "get_tuple_element",
    "indexed_conditional", "infeed", "iota", "outfeed", "recv", "register_custom_call", "rng_bit_generator", "send",
    "switch", "transfer_from_outfeed", "transfer_to_infeed", "tuple", "unregister_custom_call", "while_loop",
    "bitwise_and", "bitwise_not", "bitwise_or",
}  # fmt: skip
"""Other names of what is measured, operations that compute nothing, and sums of a few arrays."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_is_compared_and_timed(case, monkeypatch):
    monkeypatch.setattr(computing, "LEAST_SECONDS", 0)
    few = case.units < 10_000
    row = computing.measured(case, 1, with_interpreter=few)
    assert row.ours > 0 and row.jax > 0 and (row.interpreter is None) == (not few or case.is_random)
    assert len(computing.table([row]).splitlines()) == 3


def test_every_operation_that_computes_has_a_case():
    names = {case.name.split(",")[0] for case in CASES}
    assert {"while" if name == "while_" else name for name in set(xla._HOMES) - UNMEASURED} == names


def test_cases_of_some_classes():
    assert {case.name for case in cases(400, ["sort", "dot"])} < {case.name for case in CASES}
    assert [len(cases(400, [name])) > 1 for name in CLASSES] == [True] * len(CLASSES)


def test_an_unknown_class_is_an_error(capsys):
    assert cli.main(["bench", "--computing", "--classes", "sort,fold"]) == 2
    assert "fold" in capsys.readouterr().err


def test_a_wrong_result_is_told():
    case = CASES[0]._replace(ours=lambda x, y: x - y)
    with pytest.raises(AssertionError):
        computing.measured(case, 1, with_interpreter=False)


def test_it_excludes_the_other_options(capsys):
    assert cli.main(["bench", "--computing", "--quick"]) == 2
    assert "--computing and --quick exclude each other" in capsys.readouterr().err
