"""OpenVINO's StridedSlice-1 and Slice-8 against ssop.openvino: results, shapes, rejections and their reasons."""

import pytest

from differential.engine_checks import check, check_rules

PER_LABEL = 15
FLOORS = {"accepted": 10_000, "with elements": 9000, "rejected": 1500, "on the CPU": 450}


@pytest.fixture(scope="module")
def result(compared):
    return compared("openvino")


def test_no_difference(result):
    check(result, FLOORS)


def test_every_rule_is_broken(result):
    check_rules(result, result.comparison.phrase_labels(), PER_LABEL)
