"""ssop tune: what it adopts, what it writes, and that it leaves the process as it was. No time is looked at."""

import json
import random

import numpy as np
import pytest

import ssop
from ssop import _core, _policies, cli
from ssop.testing.bench import tuning
from ssop.testing.bench.measuring import Interval

TINY = tuning.Question("tiny", [{"table_items": 7}, {"table_items": 9}], [tuning._strided(2, 400)])


def in_use():
    return {policy.name: policy.value for policy in _policies.policies()}


@pytest.fixture
def faster(monkeypatch):
    """Makes copies under some records faster: name -> how many times; no clock is read."""

    def measure(calls, rounds, pace, rng):
        times = {}
        for name, call in calls.items():
            call.prepare()
            call.run()
            used = in_use()
            times[name] = [1000 / gains.get(used["table_items"], 1.0) * (1 + k / 1000) for k in range(rounds)]
        return times

    gains = {}
    monkeypatch.setattr(tuning, "measure", measure)
    return gains


def test_the_faster_candidate_is_adopted(faster):
    faster.update({7: 1.1, 9: 1.3})
    tuned = tuning.tune([TINY], 5, random.Random(0))
    assert tuned.record == {"table_items": 9}
    assert tuned.gain.median == pytest.approx(1.3)
    assert tuned.answers[0].adopted


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.015])
def test_what_is_not_faster_beyond_the_noise_is_not_adopted(faster, gain):
    faster.update({7: gain, 9: 0.9})
    tuned = tuning.tune([TINY], 5, random.Random(0))
    assert (tuned.record, tuned.gain) == ({}, Interval(1.0, 1.0, 1.0))
    assert not tuned.answers[0].adopted


def test_the_next_question_starts_from_what_was_adopted(faster):
    faster.update({7: 1.5})
    after = tuning.Question("after", [{"table_row_items": 5}], TINY.copies)
    answers = tuning.tune([TINY, after], 3, random.Random(0)).answers
    assert answers[1].record == {"table_items": 7, "table_row_items": 5}


def test_policies_and_threads_are_as_before(faster):
    _core.use_policies({"step_bytes": 65536})
    before, threads = in_use(), ssop.get_num_threads()
    try:
        tuning.tune([TINY._replace(threads=threads + 1)], 2, random.Random(0))
        assert (in_use(), ssop.get_num_threads()) == (before, threads)

        def interrupted(done):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            tuning.tune([TINY], 2, random.Random(0), interrupted)
        assert in_use() == before
        assert tuning.built_in() == before | {"step_bytes": 32768}
    finally:
        _core.use_policies({})


@pytest.mark.parametrize(("cache", "threads"), [(8 << 20, 1), (32 << 20, 2), (64 << 20, 64)])
def test_every_candidate_is_within_the_bounds_and_every_copy_is_one(cache, threads):
    asked = tuning.questions(cache, threads)
    assert [question.threads for question in asked if question.threads > 1] == [threads] * (threads > 1)
    for question in asked:
        for record in question.candidates:
            _core.use_policies(record)
        for copy in question.copies:
            assert copy.nbytes <= 2 * cache
    _core.use_policies({})
    for copy in [asked[0].copies[0], asked[0].copies[5], asked[1].copies[0], asked[6].copies[0], asked[5].copies[0]]:
        call = copy.call({})
        call.run()
        out, source = call.run.args
        assert np.array_equal(out, source)
        assert 0.8 * copy.nbytes <= out.nbytes <= 1.2 * copy.nbytes


def test_turns_are_counted_for_the_bar(faster):
    faster.update({7: 2.0})
    shown = []
    tuning.tune([TINY], 4, random.Random(0), shown.append)
    assert shown[-1] == tuning.turns([TINY], 4)


def run(monkeypatch, *arguments, gain=1.0):
    monkeypatch.setattr(tuning, "questions", lambda cache, threads: [TINY])
    return cli.main(["tune", *arguments])


def test_the_command_writes_what_an_import_reads(faster, monkeypatch, tmp_path, capsys):
    faster.update({7: 1.2})
    path = tmp_path / "new folder" / "tuned.json"
    assert run(monkeypatch, "--file", str(path), "--rounds", "3") == 0
    assert _policies.read_tuned(str(path)) == (str(path), "used", {"table_items": 7})
    out = capsys.readouterr().out
    assert "64 -> 7" in out and "1.200 (" in out and f"written to {path}" in out
    assert list(path.parent.iterdir()) == [path]


def test_another_run_replaces_the_entry_of_this_machine_only(faster, monkeypatch, tmp_path):
    path = tmp_path / "tuned.json"
    other = {"machine": {"processor": "another"}, "policies": {"table_items": 3}}
    here = {"machine": _policies.machine(), "policies": {"table_items": 4}}
    path.write_text(json.dumps({"format": 1, "machines": [here, other]}))
    assert run(monkeypatch, "--file", str(path)) == 0
    expected = [other, {"machine": _policies.machine(), "policies": {}}]
    assert json.loads(path.read_text())["machines"] == expected


@pytest.mark.parametrize("content", ["", "{}", '{"format": 2, "machines": []}', "[]"])
def test_what_is_no_tuned_file_is_not_replaced(faster, monkeypatch, tmp_path, capsys, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    assert run(monkeypatch, "--file", str(path)) == 2
    assert path.read_text() == content
    assert "no tuned file, so it is not replaced" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("file/tuned.json", "No such file or directory"),
        ("file/new/tuned.json", "No such file or directory"),
        ("folder", "Is a directory"),
        ("file", "no tuned file, so it is not replaced"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_the_measurement(monkeypatch, tmp_path, capsys, place, message):
    (tmp_path / "file").write_text("{}")
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(tuning, "tune", lambda *arguments: pytest.fail("it was measured"))
    assert run(monkeypatch, "--file", str(tmp_path / place)) == 2
    assert message in capsys.readouterr().err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]


def test_a_dry_run_writes_nothing(faster, monkeypatch, tmp_path):
    monkeypatch.setenv("SSOP_TUNED_FILE", str(tmp_path / "tuned.json"))
    assert run(monkeypatch, "--dry-run") == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "variable", "value", "message"),
    [
        (["--rounds", "0"], None, "", "--rounds: 0 is not in 1..1000"),
        (["--rounds", "x"], None, "", "--rounds: "),
        ([], "SSOP_TUNED_FILE", "", "SSOP_TUNED_FILE is empty: name a file by --file, or use --dry-run"),
        ([], "SSOP_POLICY_STEP_BYTES", "65536", "the environment must not set any: SSOP_POLICY_STEP_BYTES"),
    ],
)
def test_bad_input_is_one_line(monkeypatch, capsys, arguments, variable, value, message):
    if variable is not None:
        monkeypatch.setenv(variable, value)
    assert run(monkeypatch, *arguments) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_one_line(faster, monkeypatch, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(monkeypatch, "--file", str(tmp_path / "file" / "tuned.json")) == 2
    assert capsys.readouterr().err.count("\n") == 1
