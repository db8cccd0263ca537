"""What `inspect` finds in the files that OpenVINO writes."""

import random

import numpy as np
import pytest

import ssop
from ssop._inspect.openvino_file import read

openvino = pytest.importorskip("openvino")


def drawn(generator, rank):
    """Vectors and masks of a strided slice on small dims."""
    length = generator.randrange(1, rank + 1)
    vectors = {name: tuple(generator.randrange(-6, 7) for _ in range(length)) for name in ("begin", "end")}
    vectors["strides"] = tuple(generator.choice([1, 2, -1]) for _ in range(length))
    masks = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    return vectors, {name: tuple(generator.randrange(2) if name < "f" else 0 for _ in range(length)) for name in masks}


def test_strided_slices_are_read_as_they_were_written(tmp_path, report):
    from openvino import opset13 as op

    generator, wanted, results = random.Random(7), [], []
    x = op.parameter(openvino.PartialShape([4, openvino.Dimension(1, 9), -1]), np.float32, name="x")
    for number in range(100):
        vectors, masks = drawn(generator, 3)
        masks["ellipsis_mask"] = (0,) * len(vectors["begin"])
        operands = [op.constant(np.array(vector, np.int64)) for vector in vectors.values()]
        node = op.strided_slice(x, *operands, *map(list, masks.values()))
        node.set_friendly_name(f"slice_{number}")
        wanted.append((f"slice_{number}", vectors | masks))
        results.append(node)
    openvino.save_model(openvino.Model(results, [x], "m"), tmp_path / "m.xml")
    model = read(tmp_path / "m.xml")
    assert all(node.input_shape == (4, (1, 9), None) and node.operand == "x" for node in model.nodes)
    assert sorted((node.name, dict(node.calls[0].arguments)) for node in model.nodes) == sorted(wanted)
    report(f"{len(model.nodes)} strided slices")


def test_calls_give_what_the_engine_gives(tmp_path):
    from openvino import opset13 as op

    generator, compared = random.Random(8), 0
    array = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    for number in range(40):
        x = op.parameter([3, 4, 5], np.float32, name="x")
        axes = generator.sample(range(3), generator.randrange(1, 4))
        rows = [[generator.randrange(-6, 7) for _ in axes] for _ in range(2)]
        steps = [generator.choice([1, 2, -1]) for _ in axes]
        node = op.slice(x, *[op.constant(np.array(row, np.int64)) for row in (*rows, steps, axes)])
        model = openvino.Model([node], [x], "m")
        openvino.save_model(model, tmp_path / f"{number}.xml")
        (found,) = read(tmp_path / f"{number}.xml").nodes
        (call,) = found.calls
        expected = openvino.compile_model(model, "CPU")([array])[0]
        assert np.array_equal(ssop.convert.Call(call.function, **call.arguments)(array), expected)
        assert found.declared_shape == expected.shape
        compared += 1
    assert compared == 40


def test_models_in_memory_are_read_like_their_files(tmp_path):
    from openvino import opset13 as op

    x = op.parameter(openvino.PartialShape([4, openvino.Dimension(2, 9), -1]), np.float32, name="x")
    zero, one = (op.constant(np.array([value], np.int64)) for value in (0, 1))
    last = op.subtract(op.gather(op.shape_of(x), one, op.constant(0)), one)
    cut = op.slice(x, zero, last, one, one)
    strided = op.strided_slice(cut, zero, one, one, [1], [0], [0], [0], [0])
    parts = op.variadic_split(strided, op.constant(0), op.constant(np.array([1], np.int64)))
    model = openvino.Model([parts.output(0)], [x], "m")
    openvino.save_model(model, tmp_path / "m.xml")
    there, here = read(model), read(tmp_path / "m.xml")
    assert [node.calls for node in there.nodes] == [node.calls for node in here.nodes]
    assert [node.operator for node in there.nodes] == ["Slice", "StridedSlice", "VariadicSplit"]
    assert there.nodes[0].input_shape == here.nodes[0].input_shape == (4, (2, 9), None)
    assert there.nodes[0].calls[0].arguments["stop"].producer == "ShapeOf -> Gather -> Subtract"
    assert there.nodes[1].input_shape == (4, (1, 8), None)  # OpenVINO has computed it


def test_bodies_of_models_in_memory():
    tf = pytest.importorskip("tensorflow")

    def f(x, i):
        branches = tf.cond(i > 0, lambda: x[::2], lambda: x[1::2])
        return branches, tf.while_loop(lambda k, s: k < i, lambda k, s: (k + 1, s[::-1]), (0, x))[1]

    specs = [tf.TensorSpec([None, 5], tf.float32), tf.TensorSpec([], tf.int32)]
    model = openvino.convert_model(tf.function(f, input_signature=specs).get_concrete_function())
    paths = sorted(node.graph.rpartition(".")[2] for node in read(model).nodes)
    assert {"then_body", "else_body", "body"} <= set(paths)
