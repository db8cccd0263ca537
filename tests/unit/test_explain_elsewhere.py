"""Explanations show the calls of other frameworks that give the same: their text is run here, as it is printed."""

import json
import re
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from ssop import cli
from ssop._explain.text import LEAST_WIDTH, WIDTH, as_text

BEGIN, END, STRIDES = [1, -9, 2], [3, -1, 0], [1, 2, -1]
FRAMEWORKS = {"TensorFlow", "TFLite", "OpenVINO", "ONNX", "XLA/StableHLO", "PyTorch", "CoreML"}
CALLS = {
    "tf": ("TensorFlow", ssop.strided_slice),
    "tflite": ("TFLite", ssop.tflite.strided_slice),
}


def element_in_dim(x, index, axis=0, *, keepdims):
    """NumPy's element of an axis."""
    return np.take(x, [index], axis) if keepdims else np.take(x, index, axis)


def in_dim(x, start_index, limit_index, stride=1, axis=0):
    """NumPy's slice of one axis, whose bounds must be inside of it."""
    dim = x.shape[axis]
    assert all(bound is None or -dim <= bound <= dim for bound in (start_index, limit_index))
    return x[(slice(None),) * axis + (slice(start_index, limit_index, stride),)]


def limited(x, start_indices, limit_indices, strides=None):
    """NumPy's slice by bounds that must be inside of every axis."""
    strides = [1] * x.ndim if strides is None else strides
    assert all(0 <= a <= b <= dim for a, b, dim in zip(start_indices, limit_indices, x.shape, strict=True))
    return x[tuple(map(slice, start_indices, limit_indices, strides))]


def bits(vector):
    return sum(1 << entry for entry, bit in enumerate(vector) if bit)


def coreml(x, begin, end, stride, begin_mask, end_mask, squeeze_mask=()):
    return ssop.strided_slice(x, begin, end, stride, bits(begin_mask), bits(end_mask), 0, 0, bits(squeeze_mask))


def squeezed(x, axes=(), dimensions=()):
    return np.squeeze(x, tuple([*axes, *dimensions]))


def expanded(x, axes=(), dimensions=()):
    return np.expand_dims(x, tuple([*axes, *dimensions]))


LAX = SimpleNamespace(
    rev=lambda x, dimensions: np.flip(x, dimensions),
    slice=limited,
    slice_in_dim=in_dim,
    index_in_dim=element_in_dim,
    squeeze=squeezed,
    expand_dims=expanded,
)
MODULES = {
    "TensorFlow": {"tf": ssop.tf},
    "TFLite": {"tf": ssop.tflite},
    "OpenVINO": {"opset8": SimpleNamespace(strided_slice=ssop.openvino.strided_slice, unsqueeze=expanded)},
    "XLA/StableHLO": {"jax": SimpleNamespace(lax=LAX)},
    "PyTorch": {"torch": SimpleNamespace(flip=lambda x, dims: np.flip(x.view(np.ndarray), dims).view(Tensor))},
    "CoreML": {"mb": SimpleNamespace(slice_by_index=coreml, expand_dims=expanded)},
}


class Tensor(np.ndarray):
    """An array without negative steps, as PyTorch's are."""

    def __getitem__(self, index):
        items = index if isinstance(index, tuple) else (index,)
        assert all((item.step or 1) > 0 for item in items if isinstance(item, slice)), index
        return super().__getitem__(index)


def results(equal, x):
    """What the statements make of x; ONNX's by each of its engines."""
    engines = ("spec", "reference", "ort") if equal.framework == "ONNX" else (None,)
    for engine in engines:

        def onnx_slice(x, engine=engine, **lists):
            return ssop.onnx.slice(x, **lists, engine=engine)

        names = MODULES.get(equal.framework, {"Slice": onnx_slice, "Squeeze": squeezed, "Unsqueeze": expanded})
        values = {"x": x.view(Tensor) if equal.framework == "PyTorch" else x, **names}
        exec(equal.code, values)
        yield values["y"]


def check(explanation, x, right, own=None):
    """Every other framework has statements, and these give the result."""
    assert {equal.framework for equal in explanation.elsewhere} == FRAMEWORKS - {own}
    for equal in explanation.elsewhere:
        assert equal.reason is None, (explanation.call, equal)
        for result in results(equal, x):
            assert np.array_equal(result, right), (explanation.call, equal)


@pytest.mark.parametrize("dialect", CALLS)
@pytest.mark.parametrize("shape", [(3, 4), (1, 9), (0, 2)], ids=["3x4", "1x9", "0x2"])
def test_ex_s1_statements_of_other_frameworks_give_the_same(dialect, shape):
    own, function = CALLS[dialect]
    x = np.arange(np.prod(shape)).reshape(shape)
    checked = 0
    for masks in list(mask_patterns(2))[::11]:
        spec = BEGIN[:2], END[:2], STRIDES[:2], *masks
        told = ssop.explain(shape, *spec, dialect=dialect)
        if told.error is None:
            check(told, x, function(x, *spec), own)
            checked += 1
        else:
            assert told.elsewhere == ()
    assert checked > 10


def test_openvino_has_statements_too():
    x = np.arange(12).reshape(3, 4)
    told = ssop.explain((3, 4), [-9, 1], [0, 9], [-1, 2], begin_mask=2, dialect="openvino")
    check(told, x, ssop.openvino.strided_slice(x, [-9, 1], [0, 9], [-1, 2], [0, 1], [0, 0]), "OpenVINO")


@pytest.mark.parametrize("starts", [[-1, 2], [9, 0], [1, 1]], ids=["below", "above", "inside"])
@pytest.mark.parametrize("policy", [{}, {"allow_negative_indices": True}, {"out_of_bounds": "wrap"}], ids=str)
def test_windows_have_statements(starts, policy):
    x = np.arange(30).reshape(5, 6)
    told = ssop.explain.dynamic_slice((5, 6), starts, [2, 3], **policy)
    if told.region is None:  # the window wraps around
        assert [(equal.framework, equal.code) for equal in told.elsewhere] == [("every framework", None)]
        assert told.elsewhere[0].reason in str(told) and told.elsewhere[0].reason in told._repr_html_()
        assert "several slices" in str(told)
    else:
        check(told, x, ssop.dynamic_slice(x, starts, [2, 3], **policy), None if policy else "XLA/StableHLO")


def test_windows_that_are_filled_are_pads():
    x = np.arange(30).reshape(5, 6)
    for starts in ([-1, 2], [4, 5], [-9, 0], [5, 6]):
        told = ssop.explain.dynamic_slice((5, 6), starts, [3, 3], out_of_bounds="fill")
        config = re.search(r"ssop\.xla\.pad\(x, fill_value, (.*)\) is the same", told.elsewhere[0].reason)[1]
        right = ssop.dynamic_slice(x, starts, [3, 3], out_of_bounds="fill", fill_value=7)
        assert np.array_equal(ssop.xla.pad(x, 7, json.loads(config.replace("(", "[").replace(")", "]"))), right)
        assert "elements outside x" in str(told) and told.index is None and told.shape == (3, 3)
    check(ssop.explain.dynamic_slice((5, 6), [1, 2], [3, 3], out_of_bounds="fill"), x, x[1:4, 2:5], None)


def test_slices_of_xla_have_statements():
    x = np.arange(30).reshape(5, 6)
    told = ssop.explain.slice((5, 6), [1, 0], [5, 6], [2, 3])
    check(told, x, x[1:5:2, 0:6:3], "XLA/StableHLO")


def test_what_writes_has_none():
    assert ssop.explain.pad((3,), [(1, 0, 0)]).elsewhere == ()
    assert ssop.explain.dynamic_update_slice((5,), (2,), [1]).elsewhere == ()
    assert ssop.explain.strided_slice_grad((5,), [0], [5], [2], (3,)).elsewhere == ()


def test_every_form_has_them():
    told = ssop.explain((6, 3), [1, 0], [5, 1], [2, 1], shrink_axis_mask=2)
    words = " ".join("".join(ElementTree.fromstring(told._repr_html_()).itertext()).split())
    text = " ".join(str(told).split())
    data = json.loads(json.dumps(told.to_dict()))["elsewhere"]
    assert {row["framework"] for row in data} == FRAMEWORKS - {"TensorFlow"}
    for row in data:
        for line in row["code"].splitlines():
            assert line in text and line in words


def test_a_slice_of_onnx_that_differs_is_shown():
    """What its engines answer is about these lists: ONNX Runtime reads the end of int64 as open."""
    told = ssop.explain((9,), [4], [2**63 - 1], [-1])
    by = {answer.framework: answer for answer in told.others}
    assert by["ONNX"].same and not by["ONNX Runtime"].same
    call = "Slice(x, starts=[4], ends=[9223372036854775807], axes=[0], steps=[-1])"
    assert by["ONNX Runtime"].call == call
    assert f"by {call}" in " ".join(str(told).split()) and call in told._repr_html_()


def test_lines_are_as_wide_as_asked_for():
    told = ssop.explain.dynamic_slice((50, 60, 70), [4, -2, 9], [2, 3, 5])
    for width, most in ((LEAST_WIDTH + 10, LEAST_WIDTH + 10), (1, LEAST_WIDTH), (999, WIDTH)):
        lines = as_text(told, width=width).splitlines()
        prose = lines[lines.index("calls that give the same") :]
        assert max(map(len, prose)) <= most
    assert max(map(len, as_text(told, width=LEAST_WIDTH).splitlines())) < max(map(len, str(told).splitlines()))


def test_the_command_line_asks_the_terminal_for_its_width(monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    widths = []
    for columns, terminal in (("70", True), ("200", True), ("70", False)):
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        assert cli.main(["explain", "6,3,4", "--index", "[1, ..., ::-2]"]) == 0
        lines = capsys.readouterr().out.splitlines()
        widths.append(max(map(len, lines[lines.index("calls that give the same") :])))
    assert widths[0] <= 70 < widths[1] <= WIDTH and widths[2] == widths[1]


def test_dims_that_are_not_known():
    told = ssop.explain((None, 4), [-3, 1], [9, 3], [1, 1])
    codes = {equal.framework: equal.code for equal in told.elsewhere}
    (refused,) = (equal for equal in told.elsewhere if equal.code is None)
    assert refused.framework == "XLA/StableHLO"
    assert refused.reason.startswith("axis 0: no call of xla is equal for every dim")
    assert refused.reason in " ".join(str(told).split())
    for dim in range(9):
        x = np.arange(dim * 4).reshape(dim, 4)
        for equal in told.elsewhere:
            for result in results(equal, x) if codes[equal.framework] else ():
                assert np.array_equal(result, x[-3:9, 1:3])


def test_dims_that_are_not_known_without_the_library_of_proofs(monkeypatch):
    monkeypatch.setitem(sys.modules, "islpy", None)
    told = ssop.explain((None, 4), [-61, 1], [43, 3], [1, 1])  # numbers of which no proof is kept
    refused = [equal for equal in told.elsewhere if equal.code is None]
    assert refused and all("islpy" in equal.reason for equal in refused)
    assert "islpy" in str(told)
    for dim in (0, 5, 43, 60, 70):  # what is written alike needs no proof
        x = np.arange(dim * 4).reshape(dim, 4)
        for equal in told.elsewhere:
            for result in results(equal, x) if equal.code else ():
                assert np.array_equal(result, x[-61:43, 1:3])
