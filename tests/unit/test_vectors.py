"""The stored conformance vectors: ssop answers them, `ssop vectors` writes them, and they cover the rules."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ssop import cli
from ssop.testing.calls.specs import MASKS
from ssop.testing.oracles.reference import Reference
from ssop.testing.vectors import decoded, header_of, identified, numbers, vectors_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "vectors"
FAMILIES = [f"{name}_c" for name in (
    "ss gr as tsl tfl tfs ov ovs onx onr ort sl ds dus pad rev cat tr rs bc bid dim").split()]  # fmt: skip


def stored(op):
    header, *cases = map(json.loads, (FOLDER / f"{op}.jsonl").read_text(encoding="utf-8").splitlines())
    assert header == header_of(op, len(cases))
    return cases


def test_there_are_enough_of_every_operation():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(Reference.ops)
    cases = {op: stored(op) for op in Reference.ops}
    assert sum(map(len, cases.values())) >= 2000
    assert min(sum("items" in case for case in found) for found in cases.values()) >= 40
    slices = cases["tf.strided_slice"]
    masks = {name for case in slices for name in MASKS if "items" in case and case["args"][name]}
    assert len(slices) >= 500 and masks == {*MASKS} and sum("error" in case for case in slices) >= 30
    labels = Counter(case["error"] for found in cases.values() for case in found if "error" in case)
    assert len(labels) >= 75
    assert {family for family in FAMILIES if not any(label.startswith(family) for label in labels)} == set()


def test_every_number_is_one_that_javascript_has_and_every_case_has_an_id():
    """A JSON number is a double for many readers (report of 2026-11-26)."""
    cases = [case for op in Reference.ops for case in stored(op)]
    doubles = [json.loads(json.dumps(case), parse_int=lambda text: int(float(text))) for case in cases]
    assert doubles == cases
    assert len({case["id"] for case in cases}) == len(cases)
    large = [case for case in cases if decoded(case["args"]) != case["args"]]
    assert len(large) >= 100
    assert all(abs(n) <= 2**63 for case in large for n in numbers(decoded(case["args"])))


def test_an_id_is_made_of_the_case_alone():
    case = stored("tf.slice")[5]
    plain = {name: decoded(value) for name, value in case.items() if name != "id"}
    assert identified("tf.slice", plain) == case
    assert identified("tf.slice", plain | {"shapes": [[99]]})["id"] != case["id"]


def test_the_documents_say_how_many_there_are():
    count = f"{sum(len(stored(op)) for op in Reference.ops):,}"
    for document in ("CHANGELOG.md", "docs/howto/kernel_author.md", "tests/vectors/README.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        assert re.findall(r"\b(\d+,\d+) (?:calls|cases|conformance vectors)", text) == [count], document


def test_the_runner_finds_no_fault():
    command = [sys.executable, str(ROOT / "examples" / "vectors" / "run.py"), str(FOLDER)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout.endswith(" cases, 0 failed\n")


def test_the_runner_in_c_finds_no_fault_but_the_one_that_is_made(tmp_path):
    folder, program = ROOT / "examples" / "vectors", tmp_path / "run"
    sources = [*folder.glob("*.c"), *(ROOT / "csrc" / "core").glob("*.c")]
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'csrc' / 'include'}", f"-I{ROOT / 'python'}"]
    subprocess.run([shutil.which("cc"), *flags, "-o", str(program), *map(str, sources)], check=True)
    path = FOLDER / "tf.strided_slice.jsonl"
    result = subprocess.run([program, path], capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout == f"{len(stored('tf.strided_slice'))} cases, 0 failed\n"
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(path.read_text(encoding="utf-8").replace('"items": [0, 1, ', '"items": [1, 0, '), encoding="utf-8")
    result = subprocess.run([program, wrong], capture_output=True, text=True, check=False)
    assert result.returncode == 1 and ", 0 failed" not in result.stdout


@pytest.mark.parametrize("op", ["tf.slice", "xla.rev"])
def test_they_are_what_the_command_writes(op):
    assert vectors_of(op) == stored(op)


@pytest.mark.long
def test_the_command_writes_all_of_them(tmp_path, capsys):
    assert cli.main(["vectors", str(tmp_path)]) == 0
    for path in FOLDER.glob("*.jsonl"):
        assert (tmp_path / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    assert "cases in" in capsys.readouterr().out
