"""What `inspect` finds in programs that JAX exports, and in damaged ones."""

import json
import random
import re

import numpy as np
import pytest

import ssop
from ssop._inspect.pasted import parse_node
from ssop._inspect.records import RunTime
from ssop._inspect.stablehlo_file import read
from ssop.cli import main

jax = pytest.importorskip("jax")
export = pytest.importorskip("jax.export")
pytestmark = pytest.mark.usefixtures("without_x64")

X = np.arange(6 * 5, dtype=np.float32).reshape(6, 5)


def exported(f, *arguments):
    return export.export(jax.jit(f))(*arguments)


def drawn(generator):
    """A plain index of an array of shape (6, 5)."""
    entries = []
    for dim in X.shape:
        bounds = [generator.choice([None, *range(-dim - 1, dim + 2)]) for _ in range(2)]
        entry = slice(*bounds, generator.choice([None, 1, 2, 3, -1, -2]))
        entries.append(generator.randrange(-dim, dim) if generator.random() < 0.3 else entry)
    return tuple(entries[: generator.choice([1, 2])])


def result_of(model):
    """What the calls of all nodes give, one after the other."""
    x = X
    for node in model.nodes:
        for call in node.calls:
            x = ssop.convert.Call(call.function, **call.arguments)(x)
    return x


def test_the_calls_of_exported_indices_do_what_numpy_does(report):
    generator, count = random.Random(20261127), 0
    for _ in range(200):
        index = drawn(generator)
        wanted = X[index]
        model = read(jax.jit(lambda x, index=index: x[index]).lower(X))
        if wanted.size and model.nodes:  # JAX replaces empty results by constants, and x[:] by nothing
            assert np.array_equal(result_of(model), wanted), index
            count += 1
    report(f"{count} exported indices")
    assert count > 80


@pytest.mark.parametrize("form", ["text", "bytecode", "exported", "lowered"])
def test_every_form_of_a_program(form, tmp_path):
    def f(x, i):
        y = jax.lax.dynamic_slice(x, (i, 0), (2, 2))
        return x[1:3, ::-1], jax.lax.dynamic_update_slice(x, y, (i, 1)), x[::2, -1]

    arguments = X, np.int32(1)
    if form == "text":
        path = tmp_path / "f.mlir"
        path.write_text(jax.jit(f).lower(*arguments).as_text(debug_info=True))
    elif form == "bytecode":
        path = tmp_path / "f.mlirbc"
        path.write_bytes(exported(f, *arguments).mlir_module_serialized)
    else:
        path = exported(f, *arguments) if form == "exported" else jax.jit(f).lower(*arguments)
    model = read(path)
    assert model.format == "stablehlo" and model.operators > 10
    for node in model.nodes:
        assert node.source is not None and "test_inspect_stablehlo.py:" in node.source
        assert node.input_shape == (6, 5) and node.dtype == "f32" and node.graph == "main"
    kinds = sorted(node.operator.replace("stablehlo.", "") for node in model.nodes)
    assert kinds == ["dynamic_slice", "dynamic_update_slice", "slice + reshape", "slice + reverse"]
    update = next(node for node in model.nodes if "update" in node.operator)
    starts = update.calls[0].arguments["start_indices"]
    assert isinstance(starts, RunTime) and starts.values == (None, 1)
    assert starts.producer == "input -> add -> select"


def test_regions_and_functions_have_paths():
    def f(x, i):
        return jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1][::-1]), (i, x))

    (node,) = read(exported(f, X, np.int32(0))).nodes
    assert node.graph.startswith("main/while(%") and node.graph.endswith(".body")
    assert node.calls[0].function == "xla.rev"


def test_gathers_that_are_slices():
    indices = np.array([4, 2, 0])
    (node,) = read(jax.jit(lambda x: jax.numpy.take(x, indices, axis=1, mode="clip")).lower(X)).nodes
    assert [call.function for call in node.calls] == ["xla.slice", "xla.rev"]
    x = X
    for call in node.calls:
        x = ssop.convert.Call(call.function, **call.arguments)(x)
    assert np.array_equal(x, X[:, indices])
    lowered = jax.jit(lambda x: jax.numpy.take(x, np.array([4, 1, 0]), axis=1, mode="clip")).lower(X)
    assert read(lowered).nodes == ()


SCATTERS = [
    (lambda x: x.at[2:4].set(-1.0), "x[2:4]"),
    (lambda x: x.at[1, 2:].set(-1.0), "x[1:2, 2:]"),
    (lambda x: x.at[::2].set(-1.0), "x[::2]"),
    (lambda x: x.at[-1::-2].set(-1.0), "x[1::2]"),
    (lambda x: x.at[:, np.array([4, 2, 0])].set(-1.0), "x[:, ::2]"),
    (lambda x: x.at[3, 4].set(-1.0), "x[3:4, 4:5]"),
    (lambda x: x.at[1::2, 1].set(-1.0), "x[1::2, 1:2]"),
    (lambda x: x.at[1::2, ::2].set(-1.0), None),
    (lambda x: x.at[np.array([0, 1, 3])].set(-1.0), None),
    (lambda x: x.at[2:4].add(-1.0), None),
    (lambda x: x.at[2:4].multiply(-1.0), None),
    (lambda x: x.at[np.array([2, 9])].set(-1.0, mode="drop"), None),
]


@pytest.mark.parametrize("number", range(len(SCATTERS)))
def test_scatters_that_overwrite_slices_are_updates(number):
    function, index = SCATTERS[number]
    report = ssop.inspect(exported(function, X))
    found = [node for node in report.nodes if node.node.operator == "stablehlo.scatter"]
    if index is None:
        assert found == []
        return
    (node,) = found
    x = np.arange(1.0, 1 + X.size).reshape(X.shape)
    written = np.asarray(function(jax.numpy.asarray(x))) == -1
    assert np.array_equal(np.sort(eval(node.index, {"x": x}).ravel()), x[written])
    assert np.array_equal(np.sort(eval(index, {"x": x}).ravel()), x[written])
    picture = ssop.inspect(exported(function, X), only=node.node.name).to_svg()
    assert len(re.findall(r" is \d+</title>", picture)) == written.sum() and "is written" in picture


def test_dims_that_are_not_known():
    shape = export.symbolic_shape("a, b")
    (node,) = read(exported(lambda x: x[:-1], jax.ShapeDtypeStruct(shape, np.float32))).nodes
    sizes = node.calls[0].arguments["slice_sizes"]
    assert node.input_shape == (None, None) and isinstance(sizes, RunTime)
    assert sizes.producer == "get_dimension_size -> convert -> add"


BOUNDED = """
func.func @main(%x: tensor<?x5xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x5xf32, #stablehlo.bounds<4, ?>> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?x5xf32, #stablehlo.bounds<4, ?>>
  return %0 : tensor<?x5xf32, #stablehlo.bounds<4, ?>>
}"""


def test_bounded_dims_are_intervals_and_lines_are_those_of_the_text(tmp_path):
    (tmp_path / "f.mlir").write_text(BOUNDED)
    (node,) = read(tmp_path / "f.mlir").nodes
    assert node.input_shape == ((0, 4), 5)
    assert node.source == f"{tmp_path / 'f.mlir'}:3"


def test_a_location_that_shares_its_parts_is_not_written_out():
    parts = "".join(f"#l{i} = loc(callsite(#l{i - 1} at #l{i - 1}))\n" for i in range(1, 17))
    kind = "dims = [0] : tensor<?x5xf32, #stablehlo.bounds<4, ?>>"
    text = BOUNDED.replace(kind, f"{kind} loc(#l16)")
    (node,) = read(f'{text}\n#l0 = loc("f.py":7:1)\n{parts}'.encode()).nodes
    assert node.source == "f.py:7"


def test_no_depth_of_brackets_ends_this_process():
    with pytest.raises(ssop.SliceValueError, match="line 1: it is nested deeper than 512") as caught:
        read(b"module {" * 10**5 + b"}" * 10**5)
    assert caught.value.label == "im_c1"


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"ML\xefR", b"ML\xefR\rStableHLO_v1.0.0\0", b"func.func @f(", b"\0"]
)
def test_what_is_no_program_is_one_clear_error(data):
    with pytest.raises(ssop.SliceValueError, match="im_c1") as caught:
        read(data)
    assert "\n" not in str(caught.value)


def test_damaged_bytecode_is_read_or_is_an_error(report):
    whole = exported(lambda x: (x[1:3, ::-1], jax.numpy.pad(x, 1)), X).mlir_module_serialized
    generator, errors = random.Random(42), 0
    for _ in range(8):
        data = bytearray(whole)
        for _ in range(generator.choice([1, 3, 30])):
            data[generator.randrange(len(data))] = generator.randrange(256)
        try:
            read(bytes(data[: generator.choice([len(data), generator.randrange(len(data))])]))
        except ssop.SliceValueError as error:
            assert error.label == "im_c1"
            errors += 1
    report(f"{errors} of 8 damaged programs are errors")
    assert errors > 3


@pytest.mark.parametrize(
    ("text", "function", "shape"),
    [
        ("%0 = stablehlo.slice %arg0 [1:3, 0:5:2] : (tensor<6x5xf32>) -> tensor<2x3xf32>", "xla.slice", (6, 5)),
        ("stablehlo.reverse %x, dims = [0] : tensor<?x5xf32> loc(#loc4)", "xla.rev", (None, 5)),
        (
            "%0 = mhlo.dynamic_slice %a, %i, %i, sizes = [2, 2] : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> "
            "tensor<2x2xf32>",
            "xla.dynamic_slice",
            (6, 5),
        ),
        (
            '"stablehlo.slice"(%0) <{start_indices = array<i64: 1>, limit_indices = array<i64: 3>, '
            "strides = array<i64: 1>}> : (tensor<6xf32>) -> tensor<2xf32>",
            "xla.slice",
            (6,),
        ),
        (BOUNDED, "xla.rev", ((0, 4), 5)),
    ],
)
def test_lines_of_a_program_are_understood(text, function, shape):
    node = parse_node(text)
    assert node.calls[0].function == function and node.input_shape == shape


def test_constants_of_other_lines_are_known():
    node = parse_node(
        """
        %c = stablehlo.constant dense<2> : tensor<i32>
        %0 = stablehlo.dynamic_slice %x, %c, %i, sizes = [2, 2] : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> T
        return %0 : T
    """.replace("T\n", "tensor<2x2xf32>\n")
    )
    assert node.calls[0].arguments["start_indices"].values == (2, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("%0 = stablehlo.slice %x [1:3]", "the types of %x are missing"),
        ("%0 = stablehlo.add %a, %b : tensor<6xf32>", "no node slices in the program"),
        ("%0 = stablehlo.slice %x [1:9] : (tensor<6xf32>) -> tensor<8xf32>", "cannot be parsed"),
        ("%0 = stablehlo.slice %x [1:9] : " + "(" * 50_000, "types"),
        ("%0 = stablehlo.reverse %x, dims = [0] : tensor<6xf32>\n" * 2, "cannot be parsed"),
    ],
)
def test_lines_that_are_unclear(text, reason):
    with pytest.raises(ssop.SliceValueError, match="im_c3") as caught:
        parse_node(text)
    assert reason in str(caught.value)


REJECTED = """module {
  func.func @main(%x: tensor<4x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.slice %x [1:3, 0:5] : (tensor<4x5xf32>) -> tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
}
"""


@pytest.mark.parametrize("form", [[], ["--json"], ["--sarif"]], ids=["text", "json", "sarif"])
def test_what_the_verifier_rejects_is_one_line_with_its_message(form, tmp_path, capsys):
    path = tmp_path / "f.mlir"
    path.write_text(REJECTED)
    assert main(["inspect", str(path), *form]) == 2
    printed = capsys.readouterr()
    message = (
        f"{path}: it cannot be parsed: line 3, column 10: 'stablehlo.slice' op inferred type(s) 'tensor<2x5xf32>' "
        "are incompatible with return type(s) of operation 'tensor<3x5xf32>' [im_c1]"
    )
    assert printed.err == f"ssop: error: inspect: {message}\n"
    if form == ["--json"]:
        data = json.loads(printed.out)
        assert (data["line"], data["error"]) == (3, f"inspect: {message}")
    elif form == ["--sarif"]:
        (result,) = json.loads(printed.out)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    else:
        assert printed.out == ""


@pytest.mark.parametrize("form", [[], ["--json"], ["--sarif"]], ids=["text", "json", "sarif"])
def test_damaged_bytecode_is_one_line(form, tmp_path, capsys):
    whole = exported(lambda x: x[1:3], X).mlir_module_serialized
    path = tmp_path / "f.mlirbc"
    path.write_bytes(whole[: len(whole) // 2])
    assert main(["inspect", str(path), *form]) == 2
    printed = capsys.readouterr()
    assert "cannot be parsed: failed to deserialize module [im_c1]" in printed.err and printed.err.count("\n") == 1
    assert not form or json.loads(printed.out)
