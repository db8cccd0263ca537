"""Shape inference of what is known in part: TensorFlow's, OpenVINO's and ONNX's against ssop.infer_shape."""

import random

import pytest
import tensorflow as tf

import ssop
from differential.engine_checks import check, check_rules
from scale import floor
from ssop.testing.calls import Dims
from ssop.testing.calls.partial import dims_of
from ssop.testing.calls.partial_dialects import tf_strided_slice
from ssop.testing.oracles.shapes_tensorflow import TensorFlowShapes

FLOORS = {
    "tensorflow-shapes": {"accepted": 5000, "rejected": 600, "unknown rank": 200, "with unknown dims": 2000},
    "openvino-shapes": {"accepted": 3500, "rejected": 300, "unknown rank": 50, "with unknown dims": 1200},
    "onnx-shapes": {"accepted": 3000, "rejected": 300, "unknown rank": 50, "with unknown dims": 1000},
}
PER_LABEL = {"tensorflow-shapes": 10, "openvino-shapes": 2, "onnx-shapes": 8}
TOO_RARE = {"sh_c10", "sh_c12", "ss_c2"}
"""Rules that TensorFlow's calls break now and then."""


@pytest.fixture(scope="module", params=FLOORS)
def result(compared, request):
    found = compared(request.param)
    found.floors, found.per_label = FLOORS[request.param], PER_LABEL[request.param]
    return found


def test_no_difference(result):
    check(result, result.floors)


def test_every_rule_is_broken(result):
    labels = result.comparison.phrase_labels() - TOO_RARE
    check_rules(result, labels, result.per_label)


def test_every_operation_is_compared(result):
    counts = result.comparison.counts
    for op in result.ops:
        name = op.partition(".")[2]
        assert sum(counts[f"{name} {outcome}"] for outcome in ("accepted", "rejected", "different")) >= floor(100), op


def test_updates_have_the_shape_of_their_operand():
    """TensorStridedSliceUpdate checks nothing about the slice or the value, so neither does ssop's mode "tf"."""
    rng, engine, compared = random.Random(1), TensorFlowShapes(), 0
    engine.load()
    for _ in range(60):
        call = tf_strided_slice(rng)
        args = dict(call.args)
        if len(args["end"]) < len(args["begin"]):
            continue
        with tf.Graph().as_default():
            vectors = {name: engine.vector(args.pop(name)) for name in ("begin", "end", "strides")}
            operands = {"input": engine.placeholder(call.shape), "value": engine.placeholder([7])}
            shape = tf.raw_ops.TensorStridedSliceUpdate(**operands, **vectors, **args).shape
        theirs = None if shape.rank is None else tuple((0, None) if d is None else (d, d) for d in shape.as_list())
        vectors = {name: call.args[name] for name in ("begin", "end", "strides")}
        ours = ssop.shapes.tensor_strided_slice_update(call.shape, **vectors, value_shape=[7], **args)
        assert dims_of(ours) == Dims(theirs), call
        compared += 1
    assert compared >= 50
