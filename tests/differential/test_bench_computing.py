"""`ssop bench --computing`: its cases give what jax gives, and its table has a row for each."""

import pytest

from ssop import cli
from ssop.testing.bench import computing

CASES = computing.cases(400)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_is_compared_and_timed(case, monkeypatch):
    monkeypatch.setattr(computing, "LEAST_SECONDS", 0)
    row = computing.measured(case, 1, with_interpreter=case.units < 10_000)
    assert row.ours > 0 and row.jax > 0 and (row.interpreter is None) == (case.units >= 10_000)
    assert len(computing.table([row]).splitlines()) == 3


def test_a_wrong_result_is_told():
    case = CASES[0]._replace(ours=lambda x, y: x - y)
    with pytest.raises(AssertionError):
        computing.measured(case, 1, with_interpreter=False)


def test_it_excludes_the_other_options(capsys):
    assert cli.main(["bench", "--computing", "--quick"]) == 2
    assert "--computing and --quick exclude each other" in capsys.readouterr().err
