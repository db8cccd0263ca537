"""The story of each hazard: its node shows it, the one beside it does not, and the page has what the command prints."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ssop
from ssop._inspect.sarif import RULES
from ssop._inspect.stories import BY_NAME, STORIES, models
from ssop.cli import main
from unit.ir_files import SLICED, WEIGHTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/howto/inspect.md").read_text(encoding="utf-8")


def labels(example):
    options = {"target": example.target} if example.target else {}
    return {finding.label for finding in ssop.inspect(*models(example), **options).findings}


def test_every_hazard_has_a_story():
    assert [story.hazard for story in STORIES] == list(RULES)


@pytest.mark.parametrize("story", STORIES, ids=[story.label for story in STORIES])
def test_a_node_shows_the_hazard_and_the_one_beside_it_does_not(story):
    assert story.label in labels(story.shown)
    assert story.label not in labels(story.silent)


def test_the_page_is_current():
    run = subprocess.run([sys.executable, ROOT / "tools/hazards.py", "--check"], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b""), "python tools/hazards.py writes it"
    assert re.findall(r"^## ([\w-]+)$", PAGE, flags=re.M) == [story.hazard.name for story in STORIES]


COMMANDS = re.findall(r"```console\n\$ (ssop inspect .*?[^\\])\n(.*?)\n```", PAGE, flags=re.S)


def test_the_page_shows_what_its_commands_print(capsys):
    assert len(COMMANDS) == len(STORIES) - 1
    for command, shown in COMMANDS:
        code = main(shlex.split(command.replace("\\\n", " "))[1:])
        assert capsys.readouterr().out == shown + "\n", command
        assert code == int(re.search(r"^  error:|\[(frozen-bounds|pair-differs) ", shown, flags=re.M) is not None)


@pytest.mark.parametrize("name", ["zero-end", "hz_s7"])
def test_the_command_tells_of_a_hazard(capsys, name):
    assert main(["inspect", "--about", name]) == 0
    text = capsys.readouterr().out
    assert text.startswith("zero-end (hz_s7, warning): ") and "https://github.com/apple/coremltools/pull/2774" in text
    assert BY_NAME["zero-end"].shown.nodes[0] in text


def test_a_hazard_that_is_not_known_is_an_error(capsys):
    assert main(["inspect", "--about", "caffe"]) == 2
    assert "'caffe' is no hazard: engines-differ, " in capsys.readouterr().err


def test_the_step_of_a_workflow_and_the_hook_work_as_the_page_has_them(tmp_path, monkeypatch, capsys):
    """A hook gets all files that a commit changes in one call; the step writes a log whatever it finds."""
    (step,) = re.findall(r"^- run: ssop (.*) > slices\.sarif$", PAGE, flags=re.M)
    (hook,) = re.findall(r"entry: ssop (.*?),", PAGE)
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second", "third"):
        (tmp_path / f"{name}.xml").write_text(SLICED)
        (tmp_path / f"{name}.bin").write_bytes(WEIGHTS)
    files = ["first.xml", "second.xml", "third.xml"]
    assert main([*shlex.split(hook), *files]) == 0  # notes only
    assert re.findall(r"^(\w+\.xml): IR", capsys.readouterr().out, flags=re.M) == files
    assert main([*shlex.split(hook), *files, "--fail-on", "note"]) == 1
    capsys.readouterr()
    assert main([*shlex.split(hook), *files, "--sarif"]) == 0
    assert {place(result) for result in json.loads(capsys.readouterr().out)["runs"][0]["results"]} == set(files)
    assert main([*shlex.split(hook), *files, "--json"]) == 0
    assert [data["path"] for data in json.loads(capsys.readouterr().out)] == files
    assert main(shlex.split(step.replace("model.onnx", "first.xml"))) == 0
    assert {place(result) for result in json.loads(capsys.readouterr().out)["runs"][0]["results"]} == {"first.xml"}
    (tmp_path / "second.xml").write_text("<net>")
    assert main([*shlex.split(hook), *files]) == 2


def place(result):
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
