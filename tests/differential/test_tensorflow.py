"""TensorFlow's kernels, its shape inference and its XLA compiler against ssop.tf: results, rejections, reasons."""

import pytest

from differential.engine_checks import check, check_rules
from differential.figures import UPDATES
from scale import floor

SLICE_LABELS = [f"ss_c{n}" for n in range(1, 8)] + ["in_c1", "in_c2", "in_c3", "in_c6"]
UPDATE_LABELS = ["gr_c1", "as_c1", "tsl_c1", "tsl_c2", "tsl_c3", "ss_c1", "ss_c4", "ss_c5", "in_c10"]


@pytest.fixture(scope="module")
def slices(compared):
    return compared("tensorflow")


@pytest.fixture(scope="module")
def updates(compared):
    return compared("tensorflow-updates")


def test_slices(slices):
    check(slices, {"accepted": 20_000, "with elements": 15_000, "rejected": 2000})


def test_every_rule_of_slices_is_broken(slices):
    check_rules(slices, SLICE_LABELS, 15)


def test_every_meaning_of_slices_is_met(slices):
    meanings = [f"ss_s{n}" for n in range(1, 10)]
    assert {label for label in meanings if slices.comparison.rules[label] < floor(20)} == set()


def test_updates(updates):
    check(updates, {"accepted": 2000, "with elements": 1500, "rejected": 400})
    for op in UPDATES:
        name = op.removeprefix("tf.")
        counts = updates.comparison.counts
        assert min(counts[f"{name} accepted"], counts[f"{name} rejected"]) >= floor(100), name


def test_every_rule_of_updates_is_broken(updates):
    check_rules(updates, UPDATE_LABELS, 3)


def test_shape_inference_of_graphs(compared):
    check(compared("tensorflow-graph"), {"accepted": 7000, "rejected": 100})


def test_compiled_slices(compared):
    check(compared("tensorflow-jit"), {"accepted": 350})
