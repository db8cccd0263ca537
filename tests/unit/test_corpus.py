"""Failures as files: calls of one operation, programs, and files of other kinds."""

import json
from functools import partial

import numpy as np
import pytest

from ssop.cli import main
from ssop.testing import difftest
from ssop.testing.corpus import REPLAYERS, Failure, read_folder, replay, write_failure
from ssop.testing.corpus.calls import call_from_json, call_to_json
from ssop.testing.corpus.writing import failures_of
from ssop.testing.defects import FOLDER, defect, read_defects, report_of
from ssop.testing.oracles import ORACLES
from unit.faulty_slices import strided_slice


def swapped(input_, begin, end, strides, **masks):
    return strided_slice(input_, begin, end, strides, **masks, fault="swapped masks")


def right(input_, begin, end, strides, **masks):
    return strided_slice(input_, begin, end, strides, **masks)


def test_calls_are_files(tmp_path):
    report = difftest("unit.test_corpus:swapped", cases=300)
    paths = [write_failure(tmp_path, failure) for failure in failures_of(report)]
    assert len(paths) == len(set(paths)) == len(report.cases_found) > 0
    data = json.loads(paths[0].read_text())
    assert data["kind"] == "call" and data["subject"] == "unit.test_corpus:swapped" and data["oracle"] == "numpy"
    assert data["rules"] and data["right"] != data["given"] and "numpy" in data["versions"]
    assert {found.outcome for found in replay(read_folder(tmp_path))} == {"there"}
    assert {found.outcome for found in replay(read_folder(tmp_path), "unit.test_corpus:right")} == {"mended"}


def test_a_subject_without_a_name_has_to_be_named(tmp_path):
    report = difftest(partial(strided_slice, fault="swapped masks"), cases=300)
    for failure in failures_of(report):
        write_failure(tmp_path, failure)
    for found in replay(read_folder(tmp_path)):
        assert found.outcome == "not run" and "give --subject" in found.told
    assert {one.outcome for one in replay(read_folder(tmp_path), "unit.test_corpus:swapped")} == {"there"}


@pytest.mark.parametrize("name", [name for name, kind in ORACLES.items() if kind.ops])
def test_every_drawn_call_is_data(name):
    from random import Random

    rng = Random(0)
    for _, draw in ORACLES[name].ops.values():
        for _ in range(20):
            call = draw(rng)
            again = call_from_json(json.loads(json.dumps(call_to_json(call))))
            assert str(again) == str(call) and again.how == call.how
            for one, two in zip(call.arrays, again.arrays, strict=True):
                assert (one.dtype, one.shape, repr(one.tolist())) == (two.dtype, two.shape, repr(two.tolist()))


def program(code, shows, right, needs=()):
    data = {"needs": list(needs), "code": code.split("\n"), "shows": shows, "right": right}
    return Failure("program", data, "prints 1", right="2", given="1")


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("print(1)", "there"),
        ("print(2)", "mended"),
        ("print(3)", "other"),
        ("import os; os.abort()", "other"),
    ],
)
def test_programs_are_run_and_told(code, outcome):
    (found,) = replay([program(code, "^1", "^2")], runs_code=True)
    assert found.outcome == outcome


def test_files_of_others_run_no_code(tmp_path, capsys):
    ran = tmp_path / "ran"
    write_failure(tmp_path, program(f"open({str(ran)!r}, 'w')", "^1", "^2"))
    assert main(["difftest", "--replay", str(tmp_path)]) == 2
    assert "its program is code" in capsys.readouterr().out and not ran.exists()


def test_what_is_not_installed_is_not_run():
    (found,) = replay([program("print(1)", "^1", "^2", ["no-such-distribution"])], runs_code=True)
    assert (found.outcome, found.told) == ("not run", "not installed: no-such-distribution")


def test_other_kinds_are_named():
    (found,) = replay([Failure("song", {}, "out of tune")])
    assert found.outcome == "not run" and all(kind in found.told for kind in REPLAYERS)


CONTENTS = ["", "[]", "{}", '{"format": 2}', '{"format": 1, "kind": "call", "what": 1}', "[" * 10**5]


@pytest.mark.parametrize("content", CONTENTS, ids=range(len(CONTENTS)))
def test_files_that_are_no_failure_are_named(content, tmp_path):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(ValueError, match=r"a\.json is no failure of a corpus"):
        read_folder(tmp_path)


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"has no files that end in \.json"):
        read_folder(tmp_path)


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_and_asks_again(tmp_path, capsys):
    command = ["difftest", "--subject", "unit.test_corpus:swapped", "--cases", "300", "--corpus", str(tmp_path / "c")]
    assert main(command) == 1
    assert f"ssop difftest --replay {tmp_path / 'c'}" in capsys.readouterr().out
    assert main(["difftest", "--replay", str(tmp_path / "c")]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("there ")
    assert main(["difftest", "--replay", str(tmp_path / "c"), "--subject", "unit.test_corpus:right"]) == 0
    assert "mended" in capsys.readouterr().out


def test_the_command_tests_converters(tmp_path, capsys):
    command = ["difftest", "--subject", "unit.faulty_converters:convert", "--cases", "30"]
    assert main([*command, "--json", str(tmp_path / "r")]) == 0
    assert "verdicts    equal 30 (100.0 %)" in capsys.readouterr().out
    assert json.loads((tmp_path / "r").read_text())["verdicts"]["equal"] == 30
    assert main(["difftest", "--takes", "calls"]) == 2
    assert "--takes needs --subject" in capsys.readouterr().err


NO_PROGRAMS = {
    "model": [{}, {"takes": "nothing"}, {"takes": "onnx", "calls": [{}]}],
    "call": [
        {},
        {"args": {}, "op": "slice", "arrays": [{}], "how": ""},
        {"args": {}, "op": "slice", "arrays": [{"dtype": "(2,i4", "shape": [1]}], "how": ""},
    ],
    "chain": [{}, {"inputs": {}, "steps": [{}], "how": ""}],
    "program": [{}, {"needs": [], "code": 3}, {"needs": [], "code": [], "right": "(", "shows": ""}],
    "wat": [{}],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "program"), [(kind, one) for kind, some in NO_PROGRAMS.items() for one in some])
def test_a_changed_program_is_told_and_fails_the_run(tmp_path, capsys, kind, program):
    data = {"format": 1, "kind": kind, "program": program, "failure": "x", "oracle": "numpy"}
    (tmp_path / "x.json").write_text(json.dumps(data))
    assert main(["difftest", "--replay", str(tmp_path)]) == 2
    shown = capsys.readouterr().out
    assert shown.startswith("not run  x: x\n") and ("cannot be read" in shown or "its kind is 'wat'" in shown)


CHANGES = [
    {"args": {}},
    {"args": {"begin": "x", "end": [1], "strides": [1]}},
    {"arrays": []},
    {"how": {"a": 1}},
    {"how": "windows"},
    {"op": True},
    {"op": "dynamic_slice"},
    {"op": "no_such"},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_call_that_lacks_what_it_needs_is_told(tmp_path, capsys, change):
    call = {"op": "strided_slice", "arrays": [{"dtype": "int64", "shape": [3]}], "how": ""}
    call |= {"args": {"begin": [0], "end": [1], "strides": [1]}}
    data = {"format": 1, "kind": "call", "program": call | change, "failure": "x", "oracle": "numpy"}
    (tmp_path / "x.json").write_text(json.dumps(data))
    assert main(["difftest", "--replay", str(tmp_path)]) in (0, 1, 2)
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] in ("not run 1", "mended 1", "other 1") and "inside ssop" not in told.err


def test_names_in_a_corpus_steer_no_terminal(tmp_path, capsys):
    data = {"format": 1, "kind": "wat\x1b[2J", "program": {}, "failure": "x\x1b[2J\u202e"}
    (tmp_path / "\x1b[2J.json").write_text(json.dumps(data))
    assert main(["difftest", "--replay", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert out.startswith("not run  \\x1b[2J: x\\x1b[2J\\u202e\n") and "\x1b" not in out


@pytest.mark.parametrize("change", [{"program": 3}, {"oracle": 7}, {"more": "x"}, {"format": 2}])
def test_a_file_that_is_no_failure_is_named(tmp_path, capsys, change):
    data = {"format": 1, "kind": "call", "program": {}, "failure": "x"} | change
    (tmp_path / "x.json").write_text(json.dumps(data))
    assert main(["difftest", "--replay", str(tmp_path)]) == 2
    assert "x.json is no failure of a corpus" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--replay", "nowhere"], "nowhere is no folder"),
        (["--replay", ""], " is no folder"),
        (["--defects", "--json", "x"], "--defects is used without --json"),
        (["--defects", "--subject", "a:b"], "--defects is used without --subject"),
        (["--replay", "x", "--defect", "y"], "--replay is used without --defect"),
        (["--corpus", f"{__file__}/deeper", "--cases", "1"], "Not a directory"),
        (["--subject", "unit.test_corpus:takes_a_model"], "its parameter 'model' looks like a model: say --takes onnx"),
    ],
)
def test_input_that_cannot_work_is_told_at_once(capsys, words, told):
    assert main(["difftest", *words]) == 2
    out = capsys.readouterr()
    assert told in out.err and not out.out


def takes_a_model(model):
    return model


# ---- the defects -----------------------------------------------------------------------------------------------------


def test_defects_are_whole():
    found = read_defects()
    assert len(found) >= 45 and {one.kind for one in found} == {"program"}
    for one in found:
        data = one.program
        assert set(data) - {"runs", "chain"} == {
            "needs",
            "project",
            "code",
            "right",
            "shows",
            "dangerous",
            "link",
            "met",
        }
        assert one.failure and one.right and one.given and one.versions and one.rules and one.text, one.name
        assert data["needs"] and data["right"] and not any("ssop" in line for line in data["code"])
        assert report_of(one).startswith(f"# {one.failure}\n") and "\n- Expected: " in report_of(one)
    assert len(list(FOLDER.glob("*.json"))) == len(found)


def test_the_report_of_a_defect_is_printed(capsys):
    assert main(["difftest", "--defect", "plugin_cuts_bounds"]) == 0
    assert capsys.readouterr().out.strip() == report_of(defect("plugin_cuts_bounds")).strip()
    assert main(["difftest", "--defect", "none"]) == 2
    assert "no defect is called 'none'" in capsys.readouterr().err


def test_what_a_defect_prints_is_not_what_is_right():
    """The patterns tell the two apart by what the files say of both."""
    from ssop.testing.corpus.programs import Printed, matches

    for one in read_defects():
        data = one.program
        for ending in ("exit 0", "exit 1"):
            wrong = Printed(one.given, "", ending)
            assert not (matches(data["right"], wrong) and matches(data["shows"], wrong)), one.name
    assert np.all([len(one.program["code"]) <= 45 for one in read_defects()])


# ---- chains ----------------------------------------------------------------------------------------------------------


def test_every_drawn_chain_is_data():
    from random import Random

    from ssop.testing.chains.engines import CHAIN_ORACLES, chain_oracle
    from ssop.testing.corpus.chains import chain_from_json, chain_to_json

    rng, drawn = Random(0), 0
    for name, kind in CHAIN_ORACLES.items():
        if not kind.installed():
            continue
        (_, draw) = chain_oracle(name, (2, 4)).ops["chain"]
        for _ in range(40):
            chain = draw(rng)
            again = chain_from_json(json.loads(json.dumps(chain_to_json(chain))))
            assert str(again) == str(chain) and again.how == chain.how
            drawn += 1
    assert drawn or not any(kind.installed() for kind in CHAIN_ORACLES.values())


def test_every_defect_that_chains_meet_has_its_program():
    from ssop.testing.chains.known import DEFECTS
    from ssop.testing.defects import read_defects

    told = {one.program["chain"]: one for one in read_defects() if "chain" in one.program}
    assert set(told) == set(DEFECTS)
    engines = {"jax": "jax-jit", "onnxruntime": "ort", "openvino": "openvino"}
    assert all(engines[one.oracle] in DEFECTS[name].engines for name, one in told.items())
