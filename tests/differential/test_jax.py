"""JAX's slices, eager and compiled, and XLA's operations that move data, against ssop.xla."""

import pytest

from differential.engine_checks import check, check_counts, check_rules
from scale import floor
from ssop.testing.oracles import ORACLES

PER_SLICE = {"accepted": 700, "rejected": 150}
SLICE_LABELS = {"sl": range(1, 8), "ds": (1, 2, 3, 4, 7), "dus": range(1, 5)}  # all that XLA itself rejects
PER_MOVER = {"accepted": 60, "rejected": 8}


@pytest.fixture(scope="module")
def slices(compared):
    return compared("jax")


@pytest.fixture(scope="module")
def movers(compared):
    return compared("jax-ops")


def test_slices(slices):
    check(slices)
    for op in ("slice", "dynamic_slice", "dynamic_update_slice"):
        check_counts(slices, {f"{op} {outcome}": count for outcome, count in PER_SLICE.items()})


def test_every_rule_of_slices_is_broken(slices):
    labels = [f"{op}_c{n}" for op, numbers in SLICE_LABELS.items() for n in numbers]
    check_rules(slices, labels, 1)


def test_movers(movers):
    check(movers, {"rejected by XLA": 150})
    for op in ORACLES["jax-ops"].ops:
        name = op.removeprefix("xla.")
        for outcome, count in PER_MOVER.items():
            no_axes_to_reject = name == "collapse" and outcome == "rejected"  # JAX takes a range of axes
            assert movers.comparison.counts[f"{name} {outcome}"] >= floor(count) or no_axes_to_reject, (name, outcome)


def test_every_rule_of_movers_is_broken(movers):
    check_rules(movers, movers.comparison.phrase_labels(), 1, but={"tr_c3", "pad_c5"})
