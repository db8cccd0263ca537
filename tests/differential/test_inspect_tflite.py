"""What `_inspect.tflite_file` reads in files that are made table by table; test_inspect_exported.py has other ones."""

import time
import tracemalloc

import numpy as np
import pytest

from differential.tflite_models import Op, Tensor, constant, model
from ssop._inspect import tflite_file
from ssop._inspect.records import NEGATIVE_DIM, NodeCall, RunTime

MASKS = dict(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)


def read(*arguments, **named):
    return tflite_file.read(model(*arguments, **named))


def one(*arguments, **named):
    (node,) = read(*arguments, **named).nodes
    return node


def strided(*tensors, fields=None):
    """A STRIDED_SLICE of these tensors: its operand, its lists; the last one is its result."""
    inputs = tuple(range(len(tensors) - 1))
    return one([Op("STRIDED_SLICE", inputs, (len(tensors) - 1,), "StridedSlice", fields or {})], tensors)


LISTS = [constant("b", (1, -1)), constant("e", (0, 2**31 - 1)), constant("s", (2, 1))]


def test_a_strided_slice_with_all_its_masks():
    fields = {"BeginMask": 1, "EndMask": 2, "EllipsisMask": 4, "NewAxisMask": 8, "ShrinkAxisMask": 16}
    node = strided(Tensor("x", (3, 4)), *LISTS, Tensor("y", (2, 1)), fields=fields)
    assert (node.name, node.operator, node.operand, node.result) == ("y", "STRIDED_SLICE", "x", "y")
    bits = dict(begin_mask=1, end_mask=2, ellipsis_mask=4, new_axis_mask=8, shrink_axis_mask=16)
    arguments = {"begin": (1, -1), "end": (0, 2**31 - 1), "strides": (2, 1), **bits}
    assert node.calls == (NodeCall("tflite.strided_slice", arguments),)
    assert (node.input_shape, node.declared_shape, node.dtype, node.index_dtype) == ((3, 4), (2, 1), "float32", "int32")
    assert node.graph == "main" and node.notes == ()


def test_lengths_instead_of_ends():
    node = strided(Tensor("x", (3, 4)), *LISTS, Tensor("y", (2, 1)), fields={"Offset": True})
    assert node.calls[0].arguments["offset"] == 1
    assert "offset" not in strided(Tensor("x", (3, 4)), *LISTS, Tensor("y", (2, 1))).calls[0].arguments


def test_an_operator_without_options():
    node = one([Op("STRIDED_SLICE", (0, 1, 2, 3), (4,))], [Tensor("x", (3, 4)), *LISTS, Tensor("y", (2, 1))])
    assert node.calls[0].arguments == {"begin": (1, -1), "end": (0, 2**31 - 1), "strides": (2, 1), **MASKS}


def test_the_signature_has_the_dims_that_are_not_known():
    node = strided(Tensor("x", (1, 4), signature=(-1, 4)), *LISTS, Tensor("y", (1, 1), signature=(-1, 1)))
    assert (node.input_shape, node.declared_shape) == ((None, 4), (None, 1))
    assert node.notes == ("'x' is stored with shape [1, 4]; by its signature it is [?, 4]",)
    odd = strided(Tensor("x", (-1, 4)), *LISTS, Tensor("y", (1, 1)))
    assert odd.input_shape == (None, 4)
    assert odd.notes == (NEGATIVE_DIM,)


def test_an_empty_shape_may_be_any():
    node = strided(Tensor("x", ()), *LISTS, Tensor("y", ()))
    assert node.input_shape is None


OPERATORS = {
    "SLICE": ([constant("b", (0, 1)), constant("n", (-1, 2))], None, {"begin": (0, 1), "size": (-1, 2)}),
    "REVERSE_V2": ([constant("a", (1,))], None, {"axis": (1,)}),
    "PAD": ([constant("p", ((0, 0), (1, 2)))], None, {"paddings": (0, 0, 1, 2)}),
    "PADV2": ([constant("p", ((0, 0), (1, 2)), "int64"), Tensor("v")], None, {"paddings": (0, 0, 1, 2)}),
    "MIRROR_PAD": (
        [constant("p", ((0, 0), (1, 2)))],
        ("MirrorPad", {"Mode": 1}),
        {"paddings": (0, 0, 1, 2), "mode": "symmetric"},
    ),
    "DYNAMIC_UPDATE_SLICE": (
        [Tensor("u", (1, 2)), constant("s", (0, 3))],
        None,
        {"start_indices": (0, 3), "sizes": (1, 2)},
    ),
    "GATHER": ([constant("i", 3)], ("Gather", {"Axis": 1}), {"axis": 1, "indices": 3}),
}
FUNCTIONS = {"PADV2": "tflite.pad_v2"}


@pytest.mark.parametrize("name", OPERATORS)
def test_other_operators(name):
    tensors, options, arguments = OPERATORS[name]
    last = 1 + len(tensors)
    op = Op(name, tuple(range(last)), (last,), *(options or ()))
    node = one([op], [Tensor("x", (3, 4)), *tensors, Tensor("y", (3, 4))])
    assert node.calls == (NodeCall(FUNCTIONS.get(name, f"tflite.{name.lower()}"), arguments),)


@pytest.mark.parametrize(
    "indices, batch, wanted",
    [((3, 2, 1), 0, (3, 2, 1)), ((1, 1), 0, None), ((0, 1, 3), 0, None), ((0, 1), 1, None)],
    ids=["backwards", "the same", "anything", "a batch"],
)
def test_a_gather_that_is_a_slice(indices, batch, wanted):
    tensors = [Tensor("x", (3, 4)), constant("i", indices), Tensor("y", (3, 2))]
    found = read([Op("GATHER", (0, 1), (2,), "Gather", {"BatchDims": batch})], tensors).nodes
    calls = [each.calls for each in found]
    assert calls == ([] if wanted is None else [(NodeCall("tflite.gather", {"axis": 0, "indices": wanted}),)])


SPLITS = {
    "SPLIT": (Op("SPLIT", (1, 0), (3, 4)), "tflite.split", {"axis": 1, "split": (3, 3)}),
    "SPLIT_V": (Op("SPLIT_V", (0, 2, 1), (3, 4)), "tflite.split_v", {"axis": 1, "split": (2, 4)}),
    "UNPACK": (Op("UNPACK", (0,), (3, 4), "Unpack", {"Axis": 1, "Num": 2}), "tflite.unpack", {"axis": 1}),
}


@pytest.mark.parametrize("op, function, arguments", SPLITS.values(), ids=SPLITS)
def test_each_output_is_a_slice(op, function, arguments):
    tensors = [Tensor("x", (2, 6)), constant("a", 1), constant("n", (2, 4)), Tensor("y", (2, 3)), Tensor("z", (2, 3))]
    found = read([op], tensors).nodes
    assert [node.result for node in found] == ["y", "z"]
    for number, node in enumerate(found):
        assert node.calls == (NodeCall(function, {**arguments, "output": number, "outputs": 2}),)
        assert node.operand == "x"


def test_slices_of_stablehlo():
    fields = {"StartIndices": [0, 1], "LimitIndices": [3, 4], "Strides": [1, 2]}
    op = Op("STABLEHLO_SLICE", (0,), (1,), "StablehloSlice", fields, "BuiltinOptions2")
    arguments = {"start_indices": (0, 1), "limit_indices": (3, 4), "strides": (1, 2)}
    assert one([op], [Tensor("x", (3, 4)), Tensor("y", (3, 2))]).calls == (NodeCall("xla.slice", arguments),)
    fields = {"SliceSizes": [1, 2]}
    op = Op("STABLEHLO_DYNAMIC_SLICE", (0, 1, 2), (3,), "StablehloDynamicSlice", fields, "BuiltinOptions2")
    tensors = [Tensor("x", (3, 4)), constant("i", 1), Tensor("j", (), "int32"), Tensor("y", (1, 2))]
    arguments = one([op], tensors, inputs=(0, 2)).calls[0].arguments
    assert arguments["slice_sizes"] == (1, 2)
    assert arguments["start_indices"] == RunTime("start_indices", "input", (1, None))


COMPUTED = [
    Op("SHAPE", (0,), (1,)),
    Op("STRIDED_SLICE", (1, 2, 3, 3), (4,), "StridedSlice", {"ShrinkAxisMask": 1}),
    Op("SUB", (4, 5), (6,)),
    Op("PACK", (7, 6), (8,), "Pack", {"Axis": 0, "ValuesCount": 2}),
    Op("SLICE", (0, 9, 8), (10,)),
]


def computed(dims, signature):
    return [
        Tensor("x", dims, signature=signature),
        Tensor("shape", (2,), "int32"),
        constant("one", (1,)),
        constant("two", (2,)),
        Tensor("width", (), "int32"),
        constant("less", 3),
        Tensor("difference", (), "int32"),
        constant("rows", 2),
        Tensor("size", (2,), "int32"),
        constant("begin", (0, 1)),
        Tensor("y", (2, 1)),
    ]


def test_sizes_that_follow_from_dims():
    ops = [op if op.name != "STRIDED_SLICE" else op._replace(inputs=(1, 2, 3, 2)) for op in COMPUTED]
    last = read(ops, computed((5, 9), None)).nodes[-1]
    assert last.calls[0].arguments == {"begin": (0, 1), "size": (2, 6)}
    last = read(ops, computed((5, 1), (5, -1))).nodes[-1]
    assert last.calls[0].arguments["size"] == RunTime("size", "SHAPE -> SUB", (2, None))


def test_what_cannot_be_computed_has_its_operator():
    tensors = [Tensor("x", (5,)), Tensor("i", (1,), "int64"), constant("n", (1,), "int64"), Tensor("y", (1,))]
    ops = [Op("ARG_MAX", (0, 2), (1,)), Op("SLICE", (0, 1, 2), (3,))]
    assert one(ops, tensors).calls[0].arguments["begin"] == RunTime("i", "ARG_MAX", (None,))
    assert one(ops[1:], tensors).calls[0].arguments["begin"] == RunTime("i", "undefined", (None,))


def test_all_subgraphs():
    tensors = [Tensor("x", (3, 4)), *LISTS, Tensor("y", (2, 1))]
    op = Op("STRIDED_SLICE", (0, 1, 2, 3), (4,))
    found = read([op], tensors, others=[([op, op], tensors)])
    assert [node.graph for node in found.nodes] == ["main", "subgraph 1 (graph1)", "subgraph 1 (graph1)"]
    assert found.operators == 3 and found.version == "schema 3, made by hand" and found.format == "tflite"


def test_buffers_behind_the_tables():
    """Files of more than 2 GB have their buffers there."""
    lists = [each._replace(behind=True) for each in LISTS]
    node = strided(Tensor("x", (3, 4)), *lists, Tensor("y", (2, 1)))
    assert node.calls[0].arguments == {"begin": (1, -1), "end": (0, 2**31 - 1), "strides": (2, 1), **MASKS}


def test_a_constant_that_is_not_as_long_as_it_says():
    node = strided(Tensor("x", (3, 4)), LISTS[0]._replace(data=b"12345"), *LISTS[1:], Tensor("y", (2, 1)))
    assert node.calls[0].arguments["begin"] == RunTime("b", "damaged constant")
    assert node.notes == ("'b' has another number of bytes than its shape says",)


def test_weights_are_not_loaded(tmp_path):
    """A GiB behind the tables, in a file that has holes there."""
    content = model([Op("SLICE", (0, 1, 1), (0,))], [Tensor("x", (3, 4)), constant("b", (0, 1))])
    path = tmp_path / "large.tflite"
    with open(path, "wb") as file:
        file.write(content)
        file.truncate(2**30)
    tracemalloc.start()
    try:
        assert len(tflite_file.read(path).nodes) == 1
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_3000_slices_take_less_than_two_seconds(report):
    tensors, ops = [Tensor("x0", (3, 4))], []
    for number in range(3_000):
        first = len(tensors)
        tensors += [constant(f"b{number}", (0, number % 7)), Tensor(f"x{number + 1}", (3, 4))]
        ops.append(Op("SLICE", (max(0, first - 1), first, first), (first + 1,)))
    content = model(ops, tensors)
    before = time.process_time()
    assert len(tflite_file.read(content).nodes) == 3_000
    seconds = time.process_time() - before
    report(f"3,000 slices: {seconds:.2f} s")
    assert seconds < 2


def test_a_path(tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(model([Op("SLICE", (0, 1, 1), (0,))], [Tensor("x", (3, 4)), constant("b", (0, 1))]))
    assert tflite_file.read(path).path == str(path)
    assert tflite_file.read(np.fromfile(path, np.uint8).data).path == "<memoryview>"
