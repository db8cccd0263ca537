"""SARIF logs against the JSON schema of the standard, and against what code hosts need to show them."""

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft4Validator

import ssop
from ssop._inspect.inspection import inspected
from ssop._inspect.pasted import model_of_node
from ssop._inspect.records import Model, unreadable
from ssop._inspect.sarif import RULES, line_of
from ssop.cli import main
from unit.test_inspect import SHOWN, onnx
from unit.test_inspect_pairs import crop

FOLDER = Path(__file__).parents[1] / "data/sarif"
SCHEMA = Draft4Validator(json.loads((FOLDER / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")))
ZERO_END = "Slice(starts=[-1], ends=[0], axes=[0], steps=[1])"


def model(path="models/a b.onnx", **changes):
    nodes = [replace(pair[0], name=label, **changes) for label, pair in SHOWN.items()]
    return Model(path, "onnx", "made here", tuple(nodes), len(nodes))


def checked(found):
    """The results of a log, which is valid."""
    log = json.loads(json.dumps(found.to_sarif()))
    assert [error.message for error in SCHEMA.iter_errors(log)] == []
    (run,) = log["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result["locations"] + result.get("relatedLocations", []):
            place = location["physicalLocation"]
            assert place["region"]["startLine"] >= 1
            uri = place["artifactLocation"]["uri"]
            assert " " not in uri and urlsplit(uri).scheme in ("", "file")
    return run["results"]


def test_the_schema_is_the_standard_s_and_finds_mistakes():
    Draft4Validator.check_schema(SCHEMA.schema)
    assert SCHEMA.schema["id"] == ssop.inspect(Model("m", "onnx", "", ())).to_sarif()["$schema"]
    wrong = inspected(model()).to_sarif()
    wrong["runs"][0]["results"][0]["level"] = "hazard"
    wrong["runs"][0]["results"][1]["colour"] = "red"
    assert len(list(SCHEMA.iter_errors(wrong))) == 2


def test_a_log_of_every_hazard_of_one_model_is_valid():
    results = checked(inspected(model()))
    assert {result["ruleId"] for result in results} == {*SHOWN, "hz_s14"}  # two nodes are the same
    assert {result["level"] for result in results} == {"error", "warning", "note"}


def test_a_log_of_two_models_names_nodes_of_the_second():
    results = checked(ssop.inspect(crop(10, 3), crop(14, 5)))
    assert [result["ruleId"] for result in results] == ["hz_s6", "hz_s6"]
    assert results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "main/crop"
    lonely = ssop.inspect(model_of_node(ZERO_END), Model("other.onnx", "onnx", "", ()))
    assert checked(lonely) == []


@pytest.mark.parametrize(
    "path, uri",
    [
        ("models/a b.onnx", "models/a%20b.onnx"),
        ("./m.onnx", "m.onnx"),
        ("/models/m.onnx", "file:///models/m.onnx"),
        ("<node>", "%3Cnode%3E"),
        ("größe.onnx", "gr%C3%B6%C3%9Fe.onnx"),
        ("no text \udcff.onnx", "no%20text%20%FF.onnx"),
    ],
)
def test_paths_are_uris(path, uri):
    results = checked(inspected(model(path)))
    assert {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results} == {uri}


def test_the_line_of_the_program_is_a_related_location():
    results = checked(inspected(model(source="net/model.py:12")))
    for result in results:
        (related,) = result["relatedLocations"]
        place = related["physicalLocation"]
        assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("net/model.py", 12)
    for source in ("model.py", "model.py:0", "model.py:x", ""):
        assert not any("relatedLocations" in result for result in checked(inspected(model(source=source))))


def test_results_keep_their_fingerprints_and_have_different_ones():
    prints = [
        [result["partialFingerprints"]["primaryLocationLineHash"] for result in checked(inspected(model(path)))]
        for path in ("a.onnx", "b.onnx")
    ]
    assert prints[0] == prints[1]
    assert len(set(prints[0])) == len(prints[0]) > len(SHOWN)


def test_names_of_any_characters_stay_valid():
    one = onnx(-1, 0, name='a\x00"\udc80\n/b')
    (result,) = checked(inspected(Model("m.onnx", "onnx", "made here", (one,), 1)))
    assert result["message"]["text"].startswith(one.name)


def test_every_hazard_is_a_rule_of_the_log():
    assert [hazard.label for hazard in RULES] == [f"hz_s{number}" for number in range(1, 19)]


def test_a_file_that_cannot_be_read_is_a_result_and_a_failed_run(tmp_path, capsys):
    (tmp_path / "no model.bin").write_bytes(b"no model")
    (tmp_path / "a.bin").write_bytes(b"\0")
    paths = [str(tmp_path / name) for name in ("no model.bin", "a.bin")]
    assert main(["inspect", "--sarif", "--each", *paths]) == 2
    printed = capsys.readouterr()
    log = json.loads(printed.out)
    assert [error.message for error in SCHEMA.iter_errors(log)] == []
    (run,) = log["runs"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"] and invocation["exitCode"] == 2
    told = invocation["toolExecutionNotifications"]
    assert [one["message"]["text"] for one in told] == [one["message"]["text"] for one in run["results"]]
    assert [one["ruleId"] for one in run["results"]] == ["im_c1", "im_c1"]
    place = told[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("no%20model.bin") and place["region"] == {"startLine": 1}
    assert printed.err.count("\n") == 1 and "and 1 other files cannot be read" in printed.err


def test_a_file_that_cannot_be_read_is_data_too(tmp_path, capsys):
    path = tmp_path / "a.bin"
    path.write_bytes(b"no model")
    assert main(["inspect", "--json", str(path)]) == 2
    data = json.loads(capsys.readouterr().out)
    assert (data["path"], data["line"]) == (str(path), None) and "the format is not known" in data["error"]


def test_the_line_is_that_of_the_parser_not_one_in_a_path():
    assert line_of(unreadable("line 7", "it cannot be parsed: line 3, column 1: no")) == 3
    assert line_of(unreadable("line 7", "it has no functions")) is None
