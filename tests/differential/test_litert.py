"""LiteRT's STRIDED_SLICE and SLICE kernels against ssop.tflite: results, shapes, rejections and their reasons.

What is known to read or write outside LiteRT's memory is not sent: there ssop must do what its reference does.
"""

import pytest

from differential.engine_checks import check, check_rules

PER_LABEL = 10
FLOORS = {"accepted": 5000, "with elements": 2500, "by offset": 300, "rejected": 800}


@pytest.fixture(scope="module")
def result(compared):
    return compared("litert")


def test_no_difference(result):
    check(result, FLOORS)


def test_every_rule_is_broken(result):
    check_rules(result, result.comparison.phrase_labels(), PER_LABEL)
