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
