"""ONNX's Slice as three engines read it, against ssop.onnx.slice: results, shapes, rejections and their reasons."""

import warnings

import numpy as np
import pytest
from onnx.backend.test.loader import load_model_tests

import ssop
from differential.engine_checks import check, check_rules
from ssop.testing.calls import same

PER_LABEL = 20
FLOORS = {"accepted": 5000, "with elements": 3000, "rejected": 1000}
ENGINES = {"onnx": "spec", "onnx.reference": "reference", "onnxruntime": "ort"}


@pytest.fixture(scope="module", params=ENGINES)
def result(compared, request):
    return compared(request.param)


def test_no_difference(result):
    check(result, FLOORS)


def test_every_rule_is_broken(result):
    check_rules(result, result.comparison.phrase_labels(), PER_LABEL)


def test_published_examples():
    """Those of the standard, which all three readings agree with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other operators' examples overflow as they are made
        cases = [case for case in load_model_tests(kind="node") if case.name.startswith("test_slice")]
    assert len(cases) >= 8
    for case in cases:
        for (x, *lists), (y,) in case.data_sets:
            names = [name for name in case.model.graph.node[0].input if name not in ("", "x")]
            args = dict(zip(names, lists, strict=True))
            for engine in ENGINES.values():
                assert same(ssop.onnx.slice(x, **args, engine=engine), np.asarray(y)), (case.name, engine)
