"""Converters, simplifiers and exporters under test: what is broken is found, and what is right is not accused."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from scale import SCALE, examples
from ssop.testing.converters import CONVERTERS
from ssop.testing.models import difftest_models, draw_program, run_model, source_of
from ssop.testing.models.run import ModelReport

RIGHT = {
    "ssop_onnx": 200, "ssop_compose": 300, "ssop_tensorflow": 100, "stablehlo_passes": 100, "stablehlo_bytecode": 60,
    "onnxruntime_optimizer": 200, "onnx_shape_inference": 200, "torch_onnx": 12, "onnxslim": 100, "onnxoptimizer": 200,
    "onnxsim": 100, "jax_export": 60,
}  # fmt: skip
BROKEN = {"tf2onnx": 100, "openvino_tensorflow": 60, "torch_onnx_legacy": 150, "jax2onnx": 80, "onnx2tf": 60}
SLOW = {"openvino_tensorflow", "onnx2tf", "jax2onnx"}
"""Each try of these costs a second, or a process with TensorFlow."""
PARTIAL = {"openvino_onnx": "unknown-dims=no", "coremltools": None}
"""These reject many models."""


def run_of(name, cases, **options):
    return difftest_models(f"ssop.testing.converters:{name}", cases=cases, **options)


@pytest.mark.parametrize("takes", ["onnx", "stablehlo", "torch"])
def test_sources_mean_what_the_calls_mean(takes):
    """The engines run the source itself, before any converter has it."""
    rng = Random(5)
    for _ in range(examples(150)):
        program = draw_program(rng, takes)
        source = source_of(program)
        for shape in program.shapes[: 1 if takes == "torch" else None]:
            given = source[0](source[1]).numpy() if takes == "torch" else run_model(source[0], program.inputs(shape))
            right = program.right(shape)
            assert given.dtype == right.dtype and given.shape == right.shape, program
            np.testing.assert_array_equal(given, right, err_msg=str(program))


def test_sources_of_tensorflow_mean_what_the_calls_mean():
    import tensorflow as tf

    rng = Random(5)
    for _ in range(examples(60)):
        program = draw_program(rng, "tensorflow")
        graph = tf.Graph()
        with graph.as_default():
            definition = tf.compat.v1.GraphDef.FromString(source_of(program)[0])
            (y,) = tf.import_graph_def(definition, return_elements=["y:0"], name="")
        with tf.compat.v1.Session(graph=graph) as session:
            for shape in program.shapes:
                given = session.run(y, {"x:0": program.operand(shape)})
                np.testing.assert_array_equal(given, program.right(shape), err_msg=str(program))


@pytest.mark.parametrize("name", RIGHT)
def test_right_converters_pass(name):
    report = run_of(name, examples(RIGHT[name]))
    assert not report.findings, [str(case.finding) for case in report.cases_found]
    assert report.verdicts["equal"] >= 0.6 * report.cases
    assert report.with_elements >= 0.6 * report.compared - 2 * report.compared**0.5  # chance counts in small runs
    assert report.not_run <= 0.1 * report.cases


def test_conversions_to_stablehlo_are_right_or_an_error():
    """XLA has no call for some slices of dims that are known; those are errors."""
    report = run_of("ssop_stablehlo", examples(150))
    assert set(report.verdicts) <= {"equal", "refused"} and report.verdicts["equal"] > 0.5 * report.cases


@pytest.mark.parametrize("name", BROKEN)
def test_broken_converters_are_found(name):
    shrink = name not in SLOW or SCALE >= 1
    report = run_of(name, max(examples(BROKEN[name]), 20 if name in SLOW else 40), shrink=shrink)
    assert report.verdicts["wrong"] and report.verdicts["equal"] > 0.25 * report.compared
    wrong = [case.finding for case in report.cases_found if case.finding.verdict == "wrong"]
    assert not shrink or min(len(finding.program.calls) for finding in wrong) == 1
    assert name.partition("_")[0] in report.versions


def test_every_converter_is_tested():
    assert {one.__name__ for one in CONVERTERS} == {*RIGHT, *BROKEN, *PARTIAL, "ssop_stablehlo"}


@pytest.mark.parametrize("engine", ["onnx.reference", "onnxruntime", "openvino"])
def test_engines_of_models_agree_on_conversions(engine):
    """OpenVINO reads what is far outside of int32 as other numbers: see its defects."""
    report = run_of("ssop_onnx", examples(40), engine=engine, supports="pads=no unknown-dims=no dtypes=float32")
    assert isinstance(report, ModelReport) and report.engines == {"onnx": engine}
    assert report.verdicts["equal"] >= 0.9 * report.cases, Counter(f.kind for f in report.findings)


@pytest.mark.parametrize("name", PARTIAL)
def test_converters_that_reject_much_have_answers(name):
    """A wrong result is a finding, and no error of the run."""
    report = run_of(name, examples(40), supports=PARTIAL[name], shrink=False)
    assert report.compared + report.not_run == report.cases and report.verdicts["equal"] > 0.3 * report.compared
