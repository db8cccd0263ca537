"""The slices of OpenVINO's IR, in hand-made files: whole ones, and ones that lie."""

import random
import tracemalloc

import pytest

import ssop
from ssop._inspect.inspection import inspected
from ssop._inspect.openvino_file import read
from ssop._inspect.records import RunTime
from unit.ir_files import GATHER, PARAMETER, SLICED, WEIGHTS, const, edges, layer, net, port


def written(tmp_path, text, weights=True):
    path = tmp_path / "model.xml"
    path.write_text(text)
    if weights:
        (tmp_path / "model.bin").write_bytes(WEIGHTS)
    return path


def test_bounds_at_run_time_tell_their_producers(tmp_path):
    model = read(written(tmp_path, SLICED))
    (node,) = model.nodes
    assert (node.name, node.operator, node.operand, node.result) == (
        "Slice_7",
        "Slice + Squeeze",
        "Parameter_0",
        "Squeeze_8",
    )
    assert node.input_shape == (None, (2, 8), 5) and node.declared_shape == (None, 5) and node.dtype == "i64"
    stop = RunTime("Subtract_6", "ShapeOf -> Gather -> Subtract", (None,))
    assert node.calls[0].arguments == {"start": (0,), "stop": stop, "step": (1,), "axes": (1,)}
    assert node.calls[1].arguments == {"axes": (1,)}
    assert model.version == "IR 11, 2026.4.1" and model.operators == 5 and model.notes == ()


def test_dims_that_are_known_are_computed_with(tmp_path):
    (node,) = read(written(tmp_path, SLICED.replace("?,2..8,5", "4,6,5"))).nodes
    assert node.calls[0].arguments["stop"] == (5,)


def test_without_the_weights_constants_are_unknown(tmp_path):
    for source in (written(tmp_path, SLICED, weights=False), SLICED.encode()):
        model = read(source)
        assert model.notes == ("the .bin file is missing, so that no constant is known",)
        assert model.nodes[0].calls[0].arguments["start"] == RunTime("Const_3", "Const outside the .bin file", None)


@pytest.mark.parametrize(
    ("old", "new", "producer"),
    [
        ('offset="0"', 'offset="33"', "Const outside the .bin file"),
        ('offset="0"', 'offset="-8"', "Const outside the .bin file"),
        ('offset="0"', f'offset="{2**80}"', "Const outside the .bin file"),
        ('offset="0"', 'offset="x"', "Const without a place"),
        ('shape="1" offset="0"', f'shape="{2**70}" offset="0"', "Const"),
        ('shape="1" offset="0"', 'shape="2" offset="0"', "Const whose size is not that of its shape"),
        ('element_type="i64" shape="1" offset="0"', 'element_type="f32" shape="1" offset="0"', "Const"),
    ],
)
def test_constants_that_lie_are_unknown(tmp_path, old, new, producer):
    (node,) = read(written(tmp_path, SLICED.replace(old, new))).nodes
    start = node.calls[0].arguments["start"]
    assert isinstance(start, RunTime) and start.producer == producer


def test_masks_and_names_of_other_tools(tmp_path):
    info = '<rt_info><attribute name="fused_names_0" version="0" value="a, b"/></rt_info>'
    masks = 'begin_mask="1, 0" end_mask="0, 1" new_axis_mask="" shrink_axis_mask="0, 1" ellipsis_mask="0"'
    strided = layer(4, "StridedSlice", masks, [(-1, -1, 5), (2,), (2,)], (-1, 5), info)
    text = net(
        [PARAMETER, const(2, 0, 1), const(3, 2, 3), strided],
        edges(((0, 0), (4, 0)), ((2, 0), (4, 1)), ((3, 0), (4, 2))),
    )
    (node,) = read(written(tmp_path, text)).nodes
    assert node.notes == ("stands for a, b",)
    vectors = {"begin": (0, 1), "end": (2, 3), "begin_mask": (1, 0), "end_mask": (0, 1)}
    masks = {"new_axis_mask": (), "shrink_axis_mask": (0, 1), "ellipsis_mask": (0,)}
    assert node.calls[0].arguments == vectors | masks


PADS = {"pads_begin": (0, 1), "pads_end": (2, 3), "mode": "constant"}


@pytest.mark.parametrize(
    ("kind", "data", "integers", "function", "arguments"),
    [
        ("Pad", "", [(0, 1), (2, 3)], "openvino.pad", PADS),
        ("Gather", "", [(1, -1), (0,)], "openvino.gather", {"indices": (1, -1), "axis": 0}),
        ("Reverse", 'mode="index"', [(2,)], "openvino.reverse", {"axes": (2,)}),
        ("Reverse", 'mode="mask"', [(0, 1, -1)], "openvino.reverse", {"axes": (1, 2)}),
        (
            "ReverseSequence",
            'batch_axis="0" seq_axis="1"',
            [(2, 3)],
            "openvino.reverse_sequence",
            {"seq_lengths": (2, 3), "batch_axis": 0, "seq_axis": 1},
        ),
    ],
)
def test_other_operators(tmp_path, kind, data, integers, function, arguments):
    constants = [const(key, *values) for key, values in enumerate(integers, 1)]
    whole = layer(9, kind, data, [(-1, -1, 5), *[(len(values),) for values in integers]], (-1, -1, 5))
    pairs = [((0, 0), (9, 0)), *[((key, 0), (9, key)) for key, _ in enumerate(integers, 1)]]
    (node,) = read(written(tmp_path, net([PARAMETER, *constants, whole], edges(*pairs)))).nodes
    assert node.calls == ((function, arguments),)


@pytest.mark.parametrize(
    ("kind", "data", "integers", "sizes"),
    [
        ("Split", 'num_splits="5"', [(2,)], [1, 1, 1, 1, 1]),
        ("VariadicSplit", "", [(2,), (2, 3)], [2, 3]),
        ("VariadicSplit", "", [(2,), (1, -1)], [1, 4]),
    ],
)
def test_outputs_of_splits_are_slices(tmp_path, kind, data, integers, sizes):
    constants = [const(key, *values) for key, values in enumerate(integers, 1)]
    inputs = [(-1, -1, 5), *[(len(values),) for values in integers]]
    outputs = "".join(port(len(inputs) + number, (-1, -1, size)) for number, size in enumerate(sizes))
    whole = layer(9, kind, data, inputs, ()).replace(port(len(inputs), ()), outputs)
    pairs = [((0, 0), (9, 0)), *[((key, 0), (9, key)) for key, _ in enumerate(integers, 1)]]
    model = read(written(tmp_path, net([PARAMETER, *constants, whole], edges(*pairs))))
    assert [node.declared_shape for node in model.nodes] == [(None, None, size) for size in sizes]
    firsts = [sum(sizes[:number]) for number in range(len(sizes))]
    indices = [f"x[:, :, {first}:{first + size}]" for first, size in zip(firsts, sizes, strict=True)]
    assert [node.index for node in inspected(model).nodes] == indices


def test_a_split_with_fewer_sizes_than_outputs_is_unknown(tmp_path):
    outputs = "".join(port(3 + number, (-1, -1, 1)) for number in range(3))
    whole = layer(9, "VariadicSplit", "", [(-1, -1, 5), (1,), (2,)], ()).replace(port(3, ()), outputs)
    pairs = edges(((0, 0), (9, 0)), ((1, 0), (9, 1)), ((2, 0), (9, 2)))
    model = read(written(tmp_path, net([PARAMETER, const(1, 2), const(2, 2, 3), whole], pairs)))
    assert [node.index for node in inspected(model).nodes] == ["x[:, :, 0:2]", "x[:, :, 2:5]", None]


def test_a_layer_that_lacks_inputs_computes_nothing(tmp_path):
    text = SLICED.replace(GATHER, layer(5, "Gather", "", [(3,), (1,)], (1,)))
    text = text.replace('from-layer="5" from-port="3"', 'from-layer="5" from-port="2"')
    (node,) = read(written(tmp_path, text.replace(edges(((3, 0), (5, 2))), ""))).nodes
    assert node.calls[0].arguments["stop"].producer == "Gather -> Subtract"


def test_bodies_have_paths(tmp_path):
    inner = SLICED.partition("<layers>")[2].rpartition("</edges>")[0]
    loop = layer(3, "Loop", "", [(1,)], (1,)).replace("</layer>", f"<body><layers>{inner}</edges></body></layer>")
    (node,) = read(written(tmp_path, net([loop], ""))).nodes
    assert node.graph == "main/Loop_3.body"


def test_layers_in_a_circle_are_unknown(tmp_path):
    text = SLICED.replace('from-layer="1" from-port="1" to-layer="5"', 'from-layer="6" from-port="2" to-layer="5"')
    node = read(written(tmp_path, text)).nodes[-1]
    assert "cycle" in node.calls[0].arguments["stop"].producer


ENTITIES = '<!DOCTYPE net [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no element found"),
        (b"<net><layers>", "no element found"),
        (b"\x00\x01", "not well-formed"),
        (b'<?xml version="1.0" encoding="zip"?><net/>', "'zip' is not a text encoding"),
        (b'<?xml version="1.0" encoding="x-none"?><net/>', "unknown encoding: x-none"),
        (b"<html/>", "the root is <html>, not <net>"),
        (f"{ENTITIES}<net>&b;</net>".encode(), "document type"),
        (b'<!DOCTYPE net SYSTEM "file:///etc/passwd"><net/>', "document type"),
        (b"<net>" + b"<a>" * 10**5, "nested more than"),
        (b"<net><layers><layer name='a' type='b'/></layers></net>", "an attribute 'id' is missing"),
        (b"<net><layers><layer id='1' type='b'/><layer id='1' type='b'/></layers></net>", "two layers with the id '1'"),
        (SLICED.replace("<dim>5</dim>", "<dim>five</dim>").encode(), "a dim is no integer"),
        (SLICED.replace("<dim>5</dim>", f"<dim>{'9' * 10**5}</dim>").encode(), None),
    ],
)
def test_damaged_files_are_one_clear_error(data, reason):
    if reason is None:
        assert len(read(data).nodes) == 1
        return
    with pytest.raises(ssop.SliceValueError) as caught:
        read(data)
    assert caught.value.label == "im_c1" and reason in str(caught.value) and "\n" not in str(caught.value)


def test_no_mutation_of_a_file_does_anything_else(tmp_path):
    generator, errors = random.Random(42), 0
    path, whole = written(tmp_path, SLICED), SLICED.encode()
    for _ in range(500):
        data = bytearray(whole)
        for _ in range(generator.choice([1, 2, 20])):
            data[generator.randrange(len(data))] = generator.choice(b'09-<>"/ ?,.x')
        path.write_bytes(data[: generator.choice([len(data), len(data), generator.randrange(len(data))])])
        try:
            read(path)
        except ssop.SliceValueError as error:
            assert error.label == "im_c1"
            errors += 1
    assert 100 < errors < 500


def test_a_name_of_a_body_is_not_repeated_in_each_body():
    """A body of a long name had 10^5 bodies inside: a file of 2.7 MB, and 10^11 characters of paths."""
    name = "a" * 10**6
    data = f"<net><{name}_body>{'<b_body></b_body>' * 300}</{name}_body></net>".encode()
    tracemalloc.start()
    assert read(data).nodes == ()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20
    with pytest.raises(ssop.SliceValueError, match="it has more than 10000 bodies"):
        read(f"<net>{'<b_body></b_body>' * 10_001}</net>".encode())


def test_a_port_has_as_many_dims_as_numpy_has_axes():
    assert read(SLICED.replace("<dim>5</dim>", "<dim>5</dim>" * 62, 1).encode()).nodes
    with pytest.raises(ssop.SliceValueError, match="a port has more than 64 dims"):
        read(SLICED.replace("<dim>5</dim>", "<dim>5</dim>" * 63, 1).encode())


@pytest.mark.parametrize(
    ("shape", "dims"),
    [
        ("4,6,5", (4, 6, 5)),
        ("-1,-7,5", (None, None, 5)),
        (f"{2**63},{2**63 - 1},{10**400}", (None, 2**63 - 1, None)),
        (f"2..{2**63},9..2,-3..4", ((2, None), None, None)),
        ("1," * 65, None),
        ("...", None),
        ("one", None),
    ],
)
def test_lengths_that_no_axis_has_are_unknown(tmp_path, shape, dims):
    model = read(written(tmp_path, SLICED.replace("?,2..8,5", shape)))
    assert model.nodes[0].input_shape == dims and str(inspected(model))


def test_what_a_layer_says_once_is_not_told_without_end_by_its_outputs(tmp_path):
    """Each output of a split repeats the names that the layer stands for, its type and its precision."""
    info = "".join(f'<attribute name="fused_names_{number}" value="v{number}"/>' for number in range(100))
    outputs = "".join(port(2 + number, (-1, -1, 1)) for number in range(5))
    whole = layer(9, "Split", 'num_splits="5"', [(-1, -1, 5), (1,)], (), f"<rt_info>{info}</rt_info>")
    text = net([PARAMETER, const(1, 2), whole.replace(port(2, ()), outputs)], edges(((0, 0), (9, 0)), ((1, 0), (9, 1))))
    model = read(written(tmp_path, text))
    assert [len(node.notes) for node in model.nodes] == [8] * 5


def test_types_and_masks_are_cut_to_what_a_slice_may_have(tmp_path):
    kind = "K\x85" * 10**4
    text = SLICED.replace('type="Gather"', f'type="{kind}"')
    (node,) = read(written(tmp_path, text)).nodes
    producer = node.calls[0].arguments["stop"].producer
    assert producer.startswith("K\\x85K") and len(producer) < 400
    masks = f'begin_mask="{"1," * 2_000}" end_mask="{"1," * 10_000}"'
    strided = layer(4, "StridedSlice", masks, [(-1, -1, 5), (2,), (2,)], (-1, 5))
    pairs = edges(((0, 0), (4, 0)), ((2, 0), (4, 1)), ((3, 0), (4, 2)))
    (node,) = read(written(tmp_path, net([PARAMETER, const(2, 0, 1), const(3, 2, 3), strided], pairs))).nodes
    assert node.calls[0].arguments["begin_mask"] == (1,) * 1_024 and node.calls[0].arguments["end_mask"] == ()
