"""ONNX's shape inference of Slice against ssop's mode "tf" for it: the tight answer without its intervals."""

import random

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper, shape_inference

import ssop
from differential.partial_shapes import (
    SEED,
    ShapeCall,
    ShapeTally,
    ask,
    ask_ssop,
    hide_dims,
    random_bound,
    random_dims,
)
from ssop import shapes

CALLS = 2000
FLOORS = {"equal": 800, "errors": 100, "unknown rank": 20, "with unknown dims": 300}
LISTS = ("starts", "ends", "axes", "steps")

# ONNX's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"Incorrect or missing input value for starts and ends": ("onx_c1",),
    r"Input axes has incorrect length": ("onx_c2",),
    r"Input steps has incorrect length": ("onx_c3",),
    r"Unexpected axis value: -?\d+\. Expected range \[-?\d+, \d+\)": ("onx_c4",),
    r"Axis \d+ is referred to more than once\.": ("onx_c5",),
    r"'step' cannot be 0 for Slice": ("onx_c6",),
}


def model(call):
    """One Slice: known lists are constants, unknown ones inputs of their length."""
    tensor = helper.make_tensor_value_info
    infos, constants, names = [tensor("data", onnx.TensorProto.FLOAT, call.shape)], [], ["data"]
    for name in LISTS:
        values = call.args[name]
        names.append(name if values is not None else "")
        if values is not None and None in values:
            infos.append(tensor(name, onnx.TensorProto.INT64, [len(values)]))
        elif values is not None:
            constants.append(numpy_helper.from_array(np.array(values, np.int64), name))
    y = tensor("y", onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node("Slice", names, ["y"])], "slice", infos, [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def dims_of(call):
    inferred = shape_inference.infer_shapes(model(call), check_type=True, strict_mode=True)
    shape = inferred.graph.output[0].type.tensor_type
    if not shape.HasField("shape"):
        return None
    return tuple((dim.dim_value,) * 2 if dim.HasField("dim_value") else (0, None) for dim in shape.shape.dim)


def ours(call):
    return shapes.onnx.slice(call.shape, **call.args, mode="tf")


def random_call(rng):
    dims = random_dims(rng)
    count = rng.randint(0, len(dims))
    axes = rng.choice((None, rng.sample(range(-len(dims), len(dims)), count)))
    if axes is not None and axes and rng.random() < 0.1:
        axes[0] = rng.choice((len(dims), -len(dims) - 1, axes[-1]))
    entries = [dims[axis % len(dims)] for axis in (axes if axes is not None else range(count))]
    args = {
        "starts": [random_bound(rng, dim) for dim in entries],
        "ends": [random_bound(rng, dim) for dim in entries],
        "axes": axes,
        "steps": rng.choice((None, [rng.choice((1, 1, -1, 2, -2, 0 if rng.random() < 0.2 else 1)) for _ in entries])),
    }
    name = rng.choice(("starts", "ends", "steps"))
    if args[name] and rng.random() < 0.1:
        args[name] = [None] * len(args[name])
    elif args[name] and rng.random() < 0.05:
        args[name] = args[name][:-1]
    return ShapeCall("slice", hide_dims(rng, dims), args)


def probes():
    """One call for each known divergence."""

    def call(shape, starts, ends, axes=None, steps=None):
        return ShapeCall("slice", shape, dict(zip(LISTS, (starts, ends, axes, steps), strict=True)))

    yield call([], [], [])
    yield call([2, 3], [None], [1])
    yield call([None], [4], [4])
    yield call([2], [None], [1], [5])
    yield call([None], [0], [1], None, [0])
    yield call([2], [0, 0], [1, 1], [0, 0], [1])


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = ShapeTally("onnx", PHRASES)
    for call in [*(random_call(rng) for _ in range(CALLS)), *probes()]:
        result.judge(call, ask(dims_of, call, shape_inference.InferenceError), ask_ssop(ours, call))
    report(f"shapes: onnx {onnx.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.counts["compared"] >= CALLS and tally.below(FLOORS) == {}
