"""`ssop inspect` on nodes that are given as text: forms, exit codes and bad input."""

import json

import pytest

from ssop._inspect.inspection import inspected
from ssop._inspect.records import Model, NodeCall, SliceNode
from ssop._inspect.text import print_tables
from ssop.cli import main

ZERO_END = "Slice(starts=[-1], ends=[0], axes=[0], steps=[1])"
RUN = ["inspect", "--node"]


def printed(capsys, *words):
    code = main([*RUN, *words])
    return code, capsys.readouterr().out


def test_one_node_is_shown_whole(capsys):
    code, text = printed(capsys, ZERO_END)
    assert code == 0  # a warning is below --fail-on
    assert "x[-1:0]" in text and "[zero-end hz_s7]" in text


@pytest.mark.parametrize("fail_on, code", [("note", 1), ("warning", 1), ("error", 0), ("never", 0)])
def test_the_exit_code_follows_the_severity(capsys, fail_on, code):
    assert printed(capsys, ZERO_END, "--fail-on", fail_on)[0] == code
    assert printed(capsys, ZERO_END, "--fail-on", fail_on, "--silent", "zero-end")[0] == 0


def test_json_and_sarif(capsys):
    data = json.loads(printed(capsys, ZERO_END, "--json")[1])
    assert data["nodes"][0]["index"] == "x[-1:0]"
    log = json.loads(printed(capsys, ZERO_END, "--sarif")[1])
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["hz_s7"]


def test_what_a_target_rejects_is_an_error(capsys):
    code, text = printed(capsys, ZERO_END.replace("steps=[1]", "steps=[2]"), "--target", "ort-web")
    assert code == 1 and "ort-web: the step on axis 0 must be 1" in text


@pytest.mark.parametrize(
    "words, message",
    [
        (["inspect"], "inspect needs a model, or --node with the text of a node, once or twice, or --each"),
        (
            ["inspect", "m.onnx", "--node", ZERO_END],
            "inspect needs a model, or --node with the text of a node, once or twice, or --each",
        ),
        ([*RUN, ZERO_END, *["--node", ZERO_END] * 2], "once or twice"),
        (["inspect", "m.onnx", "--each", "m.onnx"], "or --each"),
        ([*RUN, ZERO_END, "--node", ZERO_END, "--target", "ort"], "options of one model"),
        ([*RUN, ZERO_END, "--silent", "caffe"], "'caffe' is no hazard"),
        ([*RUN, ZERO_END, "--only", "z"], "no slicing node is named 'z'"),
        (["inspect", "there is no such file.onnx"], "No such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, words, message):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_two_nodes_are_compared(capsys):
    code, text = printed(
        capsys, "tf.strided_slice(begin=[-1], end=[0])", "--node", ZERO_END.replace("ends=[0]", "ends=[1]")
    )
    assert code == 1 and text.splitlines()[0] == "<node> against <node>: 1 different"
    assert printed(capsys, "tf.strided_slice(begin=[-1], end=[0])", "--node", ZERO_END)[0] == 0


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_table_of_a_terminal_fits_its_width_and_parts_the_nodes(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    calls = [NodeCall("tf.strided_slice", {"begin": (-step,), "end": (0,), "strides": (step,)}) for step in (1, 2, 3)]
    nodes = [SliceNode(f"/crop/[red]{number}", "StridedSlice", (call,), "x", f"y{number}", ("batch", 8, None))
             for number, call in enumerate(calls)]  # fmt: skip
    print_tables(inspected(Model("m.pb", "tensorflow", "made here", tuple(nodes), 9)))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    lines = [line.rstrip() for line in out.splitlines()]
    for node in nodes:
        assert lines[lines.index(node.name) - 1] == ""
        assert lines[lines.index(node.name) + 1].startswith("  warning: axis 0: from -")
    assert lines[-1].startswith("3 warnings. More:") and lines[-2] == ""
    assert sum("batch" in line for line in lines) == 3
