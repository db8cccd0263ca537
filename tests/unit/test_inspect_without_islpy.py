"""Models inspected where islpy is not installed: what needs its proofs is unknown, and the rest is told."""

import sys

import pytest

import ssop
from ssop._inspect.comparison import compared
from ssop._inspect.inspection import inspected
from ssop._inspect.pasted import model_of_node
from ssop._inspect.profiles import PROFILES
from ssop._inspect.records import Model, NodeCall, SliceNode
from ssop.cli import main

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
INSTALL = "islpy is not installed: pip install islpy"


@pytest.fixture(autouse=True)
def without_islpy(monkeypatch):
    from ssop._convert import proofs

    monkeypatch.setitem(sys.modules, "islpy", None)
    cached = [value for value in vars(proofs).values() if hasattr(value, "cache_clear")]
    assert cached
    for function in cached:
        function.cache_clear()


def node(start, end, step=1, shape=("n",), name="a", **others):
    call = NodeCall("onnx.slice", {"starts": (start,), "ends": (end,), "axes": (0,), "steps": (step,)})
    return SliceNode(name, "Slice", (call,), "x", name, shape, opset=17, **others)


def model(*nodes):
    return Model("m", "onnx", "made here", nodes, len(nodes))


def test_one_node_that_needs_a_proof_leaves_the_others_told():
    found = inspected(
        model(node(-3, INT64_MIN, -1), node(1, 3, shape=(8,), name="b"), node(-3, 0, shape=(2, "n"), name="c"))
    )
    a, b, c = found.nodes
    assert (a.judged.verdict.kind, a.judged.verdict.text) == ("unknown", f"dims are not known, and {INSTALL}")
    assert [one.hazard for one in a.findings] == ["negative-step"]
    assert (b.judged.verdict.kind, b.index, b.judged.shapes["ONNX Runtime"]) == ("equal everywhere", "x[1:3]", (2,))
    assert c.judged.verdict.kind == "equal everywhere" and c.judged.shapes["ONNX Runtime"] == (0, "n")
    assert INSTALL in found.model.notes[-1] and INSTALL in str(found)
    assert found.to_dict()["notes"] == list(found.model.notes)


def test_known_dims_need_no_note_and_have_rewritings():
    found = inspected(model(node(-3, INT64_MIN, -1, shape=(2,))))
    (one,) = found.nodes
    assert one.judged.verdict.kind == "differs" and one.rewriting and found.model.notes == ()


@pytest.mark.parametrize("target", PROFILES)
def test_every_target_can_be_asked(target):
    nodes = (node(-3, INT64_MIN, -1), node(-3, 0, name="b"), node(0, INT64_MAX, name="c"))
    assert len(inspected(model(*nodes), target=target).nodes) == 3


def test_elements_and_run_time_bounds_are_told():
    text = "tf.strided_slice(x, [-9], [0], [1], shrink_axis_mask=1)"
    (one,) = inspected(model_of_node(text), target="tflite-gpu").nodes
    assert (one.judged.verdict.kind, one.judged.shapes) == ("unknown", dict.fromkeys(one.judged.shapes, ("...",)))
    assert "starts=[?]" in str(inspected(model_of_node("Slice(starts=[i], ends=[3], axes=[0])")))


def test_pairs_are_unknown_equal_or_different():
    ours = model(node(-3, INT64_MIN, -1), node(1, 3, name="b"), node(1, 3, shape=(8,), name="c"))
    theirs = model(node(-2, INT64_MIN, -1), node(1, 3, name="b"), node(1, 4, shape=(8,), name="c"))
    found = compared(ours, theirs)
    assert [(pair.name, pair.kind) for pair in found.pairs] == [("a", "unknown"), ("b", "equal"), ("c", "different")]
    assert INSTALL in found.pairs[0].text and INSTALL in str(found)
    lonely = compared(ours, model(node(1, 3, name="b")))
    assert [pair.kind for pair in lonely.pairs if pair.second is None] == ["unknown", "unknown"]


def test_the_command_tells_of_the_node(capsys):
    assert main(["inspect", "--node", "Slice(starts=[-1], ends=[0], axes=[0])"]) == 0
    assert "zero-end hz_s7" in capsys.readouterr().out
    assert main(["inspect", "--node", "Slice(starts=[-3], ends=[-99], axes=[0], steps=[-1])"]) == 0
    assert f"verdict   unknown: dims are not known, and {INSTALL}" in capsys.readouterr().out


def test_a_conversion_still_says_what_to_install():
    with pytest.raises(ImportError, match="islpy"):
        ssop.convert(slice(-3, None), to="xla")
