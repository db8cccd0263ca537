"""What `inspect` finds in the files that TensorFlow writes, and in damaged ones."""

import random

import numpy as np
import pytest

import ssop
from ssop._inspect.pasted import parse_node
from ssop._inspect.records import RunTime
from ssop._inspect.tensorflow_file import read

tf = pytest.importorskip("tensorflow")

X = np.arange(6 * 5, dtype=np.float32).reshape(6, 5)


def drawn(generator):
    """A plain index of an array of shape (6, 5)."""
    entries = []
    for dim in X.shape:
        bounds = [generator.choice([None, *range(-dim - 1, dim + 2)]) for _ in range(2)]
        entry = slice(*bounds, generator.choice([None, 1, 2, 3, -1, -2]))
        entries.append(generator.randrange(-dim, dim) if generator.random() < 0.3 else entry)
    entries = entries[: generator.choice([1, 2])]
    entries += [...] * (generator.random() < 0.3)
    entries.insert(generator.randrange(len(entries) + 1), None)
    return tuple(entries)


def function_of(f, *specs):
    return tf.function(f, input_signature=specs).get_concrete_function()


def test_the_calls_of_indices_do_what_tensorflow_does(report):
    generator = random.Random(20261127)
    indices = [drawn(generator) for _ in range(150)]
    concrete = function_of(lambda x: [x[index] for index in indices], tf.TensorSpec(X.shape, tf.float32))
    model = read(concrete)
    wanted = [result.numpy() for result in concrete(tf.constant(X))]
    assert [node.operator for node in model.nodes] == ["StridedSlice"] * 150
    for node, result in zip(model.nodes, wanted, strict=True):
        (call,) = node.calls
        assert np.array_equal(ssop.convert.Call(call.function, **call.arguments)(X), result)
        assert node.input_shape == X.shape and node.dtype == "float32" and node.operand == "x"
    report(f"{len(wanted)} indices")


def everything(x, i):
    n = tf.shape(x)[0]
    branches = tf.cond(i > 0, lambda: x[::2], lambda: x[1::2])
    _, total = tf.while_loop(lambda k, s: k < i, lambda k, s: (k + 1, s + tf.reduce_sum(x[k : k + 1])), (0, 0.0))
    update = tf.raw_ops.TensorStridedSliceUpdate(
        input=x, begin=[0, 0], end=[1, 5], strides=[1, 1], value=tf.ones((1, 5)), end_mask=2
    )
    gradient = tf.raw_ops.StridedSliceGrad(shape=[6, 5], begin=[1], end=[4], strides=[2], dy=tf.ones((2, 5)))
    moved = [tf.gather(x, [0, 2, 4], axis=1), tf.pad(x, [[1, 2], [0, 3]]), tf.reverse(x, [-1])]
    moved += [tf.pad(x, [[1, 2], [0, 3]], "REFLECT"), tf.split(x, [2, 3], 1)[0], tf.split(x, 5, 1)[0]]
    return x[1 : n - 1, ::-1], branches, total, update, gradient, *moved, tf.slice(x, [i, 0], [-1, 2])


MASKS = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}


def check_everything(model, path):
    by_function = {node.calls[0].function: node.calls[0].arguments for node in model.nodes}
    assert by_function["tf.gather_v2"] == {"indices": (0, 2, 4), "axis": 1}
    assert by_function["tf.pad"] == {"before": (1, 0), "after": (2, 3)}
    assert by_function["tf.mirror_pad"] == {"before": (1, 0), "after": (2, 3), "mode": "REFLECT"}
    assert by_function["tf.reverse_v2"] == {"axis": (-1,)}
    assert by_function["tf.split"] == {"axis": 1, "split": (1, 1, 1, 1, 1), "output": 4, "outputs": 5}
    assert by_function["tf.split_v"] == {"axis": 1, "split": (2, 3), "output": 1, "outputs": 2}
    assert by_function["tf.slice"]["size"] == (-1, 2)
    assert by_function["tf.slice"]["begin"].values == (None, 0)
    bounds = {"begin": (0, 0), "end": (1, 5), "strides": (1, 1)}
    assert by_function["tf.tensor_strided_slice_update"] == {**bounds, **MASKS, "end_mask": 2}
    vectors = {"shape": (6, 5), "begin": (1,), "end": (4,), "strides": (2,)}
    assert by_function["tf.strided_slice_grad"] == {**vectors, **MASKS}
    reversed_ = [node for node in model.nodes if node.calls[0].arguments.get("strides") == (1, -1)]
    for node in reversed_:
        end = node.calls[0].arguments["end"]
        assert isinstance(end, RunTime) and end.values == (None, 0)
        assert end.producer == "Shape -> StridedSlice -> Sub" and node.input_shape == (None, 5)
    assert reversed_ and path in {node.graph for node in model.nodes} - {"main"} or path == "main"
    looped = [node for node in model.nodes if "while_body" in node.graph]
    assert looped and all(node.calls[0].arguments["begin"].producer == "a loop" for node in looped)
    inner = {node.graph.rpartition("/")[2].rpartition("_")[0] for node in model.nodes}
    assert {"cond_true", "cond_false", "while_body"} <= inner


def everything_concrete():
    return function_of(everything, tf.TensorSpec([None, 5], tf.float32, "x"), tf.TensorSpec([], tf.int32, "i"))


def test_every_operator_in_every_form(tmp_path):
    concrete = everything_concrete()
    definition = concrete.graph.as_graph_def()
    tf.io.write_graph(definition, str(tmp_path), "graph.pb", as_text=False)
    tf.io.write_graph(definition, str(tmp_path), "graph.pbtxt")
    for source in (definition, concrete, concrete.graph, tmp_path / "graph.pb", tmp_path / "graph.pbtxt"):
        model = read(source)
        assert model.version.startswith("GraphDef of producer ") and model.format == "tensorflow"
        check_everything(model, "main")


def test_saved_models_without_their_variables(tmp_path):
    module = tf.Module()
    module.weight = tf.Variable(tf.ones((300, 300)))
    module.f = everything_concrete()
    tf.saved_model.save(module, str(tmp_path), signatures=module.f)
    for file in (tmp_path / "variables").iterdir():
        file.unlink()  # nothing of them is read
    for source in (tmp_path, tmp_path / "saved_model.pb"):
        model = read(source)
        assert model.version == f"SavedModel of TensorFlow {tf.__version__}"
        check_everything(model, next(node.graph for node in model.nodes if "__inference" in node.graph))
        assert all(node.declared_shape is not None for node in model.nodes)


def test_arguments_of_a_function_that_is_called_once_are_known():
    inner = tf.function(lambda x, n: x[n:])
    inner.get_concrete_function(tf.TensorSpec([4, 3]), tf.TensorSpec([], tf.int32))
    concrete = function_of(lambda x: inner(x, tf.constant(2)), tf.TensorSpec([4, 3], tf.float32))
    (node,) = read(concrete).nodes
    assert node.calls[0].arguments["begin"] == (2,) and node.input_shape == (4, 3)


def damaged(edit):
    """A graph of one slice, of which the edit makes something else."""
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [4, 5], "x")
        tf.raw_ops.StridedSlice(input=x, begin=[1, 2], end=[3, 4], strides=[1, 1], name="slice")
    definition = graph.as_graph_def()
    edit(definition, {node.name: node for node in definition.node})
    (node,) = read(definition.SerializeToString()).nodes
    return node.calls[0].arguments


def set_content(nodes, content):
    nodes["slice/begin"].attr["value"].tensor.tensor_content = content


def set_dim(nodes, dim):
    nodes["slice/begin"].attr["value"].tensor.tensor_shape.dim[0].size = dim


def set_dims(nodes, *dims):
    tensor = nodes["slice/begin"].attr["value"].tensor
    tensor.Clear()
    tensor.dtype = tf.int64.as_datatype_enum
    for dim in dims:
        tensor.tensor_shape.dim.add(size=dim)


def count_to(definition, nodes, *numbers):
    node = nodes["slice/begin"]
    node.op = "Range"
    for name, number in zip("abc", numbers, strict=True):
        made = definition.node.add(name=name, op="Const")
        made.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(number, tf.int64))
        node.input.append(name)


def point_to_itself(definition, nodes):
    nodes["slice/begin"].op = "Identity"
    nodes["slice/begin"].input.append("slice/begin")


@pytest.mark.parametrize(
    ("edit", "producer"),
    [
        (lambda definition, nodes: set_content(nodes, b"123"), "Const whose size is not that of its shape"),
        (lambda definition, nodes: set_dim(nodes, 2**62), "Const"),
        (lambda definition, nodes: set_dim(nodes, -1), "Const"),
        (lambda definition, nodes: nodes["slice/begin"].attr["value"].Clear(), "Const"),
        (lambda definition, nodes: nodes["slice/begin"].attr.pop("value"), "Const"),
        (lambda definition, nodes: definition.node.remove(nodes["slice/begin"]), "a node that does not exist"),
        (lambda definition, nodes: set_dims(nodes, 0, 2**62, 2**62), "Const"),
        (lambda definition, nodes: set_dims(nodes, *[1] * 65), "Const"),
        (lambda definition, nodes: count_to(definition, nodes, -(2**63), 2**63 - 1, 1), "Range"),
        (point_to_itself, "cycle"),
    ],
)
def test_constants_that_lie_are_unknown(edit, producer):
    begin = damaged(edit)["begin"]
    assert isinstance(begin, RunTime) and begin.producer == producer


def test_a_chain_of_many_nodes():
    def edit(definition, nodes):
        nodes["slice"].input[1] = "chain_0"
        for number in range(20_000):
            node = definition.node.add(name=f"chain_{number}", op="Neg")
            node.input.append(f"chain_{number + 1}" if number < 19_999 else "slice/begin")

    assert damaged(edit)["begin"] == (1, 2)


@pytest.mark.parametrize("data", [b"", b"\x0a\xff\xff\xff\xff\x0f", b"\x08\x01", b"text", b"\x0b" * 10**6])
def test_what_is_no_model_is_one_clear_error(data, tmp_path):
    with pytest.raises(ssop.SliceValueError, match="im_c1") as caught:
        read(data)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_models(tmp_path):
    (tmp_path / "deep.pbtxt").write_text("library { function { signature { " * 10**4)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.pb")
    for source in (tmp_path, tmp_path / "deep.pbtxt"):
        with pytest.raises(ssop.SliceValueError, match="im_c1"):
            read(source)


def test_damaged_bytes_are_read_or_are_an_error(report):
    from ssop._inspect.tensorflow_file import model_of

    whole = everything_concrete().graph.as_graph_def().SerializeToString()
    generator, errors = random.Random(42), 0
    for _ in range(300):  # in this process: the parser is that of protobuf, which is made for what comes from a network
        data = bytearray(whole)
        for _ in range(generator.choice([1, 3, 30])):
            data[generator.randrange(len(data))] = generator.randrange(256)
        try:
            model_of(bytes(data[: generator.choice([len(data), generator.randrange(len(data))])]), "file")
        except ssop.SliceValueError as error:
            assert error.label == "im_c1"
            errors += 1
    report(f"{errors} of 300 damaged graphs are errors")
    assert 50 < errors < 300


DEFINITION = """
name: "cut" op: "StridedSlice" input: "x" input: "begin" input: "end" input: "strides"
attr { key: "begin_mask" value { i: 1 } }
attr { key: "T" value { type: DT_FLOAT } }
"""


@pytest.mark.parametrize("text", [DEFINITION, f"node {{ {DEFINITION} }}"])
def test_definitions_of_nodes_are_understood(text):
    node = parse_node(text)
    unknown = {name: RunTime(name, "input") for name in ("begin", "end", "strides")}
    assert node.calls[0] == ("tf.strided_slice", {**unknown, **MASKS, "begin_mask": 1})


def test_a_definition_of_another_node_is_unclear():
    with pytest.raises(ssop.SliceValueError, match="no node slices in the graph: one node is needed"):
        parse_node('op: "Relu" name: "r" input: "x"')
