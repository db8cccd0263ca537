"""The laws of `ssop.convert.laws` as users see them: on the page, on the command line, and with wrong numbers."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import ssop
from ssop.cli import main
from unit.xla_arrays import label_of

ROOT = Path(__file__).parents[2]
LAWS = ssop.convert.laws


def load_tool():
    spec = spec_from_file_location("laws", ROOT / "tools/laws.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


page = load_tool()


def test_the_pages_are_current_and_have_every_law(tmp_path):
    assert page.main(check=True) == 0
    text = "".join(page.pages().values())
    assert all(f"| {law.name}<br>`{law.left} = {law.right}`" in text for law in LAWS.values())
    assert page.main(check=True, docs=tmp_path) == 1
    assert page.main(check=False, docs=tmp_path) == 0 and page.main(check=True, docs=tmp_path) == 0
    (tmp_path / "laws/holding.md").write_text("other", encoding="utf-8")
    assert page.main(check=True, docs=tmp_path) == 1


def test_the_command_lists_the_laws(capsys):
    assert main(["convert", "--laws"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [[law.status, law.name] for law in LAWS.values()]


def test_the_command_has_a_table_for_terminals(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["convert", "--laws"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in LAWS) and "rev(x, [0, 1])" in out


def test_the_command_shows_a_law_with_its_proof(capsys):
    assert main(["convert", "--law", "dynamic-slice-is-index"]) == 0
    out = capsys.readouterr().out
    assert "  with N = 2, s = 1, a = 2: [1] and []" in out
    assert "no error [N, a, s] -> {  : 0 <= s <= N }" in out and "equal if  [N, a, s] -> {" in out
    assert main(["convert", "--law", "dynamic-slice-merge"]) == 0


def test_the_command_shows_an_error_of_the_right_side(capsys, monkeypatch):
    monkeypatch.setattr(type(LAWS["slice-split"]), "example", lambda law: {"N": 3, "a": 0, "b": 9, "c": 3})
    assert main(["convert", "--law", "slice-split"]) == 0
    assert "and an error: slice: " in capsys.readouterr().out


def test_a_law_that_is_not_there_and_a_proof_without_islpy_are_one_line(capsys, monkeypatch):
    assert main(["convert", "--law", "nothing"]) == 2
    assert "--law: no law is called 'nothing'; --laws lists them" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "islpy", None)
    assert main(["convert", "--law", "slice-whole"]) == 2
    assert "pip install islpy" in capsys.readouterr().err


def test_laws_are_run_without_islpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "islpy", None)
    law = LAWS["slice-whole"]
    assert law.check(**law.example()) and law.holds and str(law).startswith("slice-whole: holds")
    with pytest.raises(ImportError, match="a shape with dims that are not known|proof"):
        law.prove()


def test_cv_c14_numbers_of_a_law():
    law = LAWS["slice-whole"]
    assert label_of(law.run) == label_of(law.run, N=3, k=1) == label_of(law.run, N=10**7) == "cv_c14"
    assert label_of(law.run, N=2.5) == "in_c1" and label_of(law.check, N=2**63) == "in_c2"
    assert np.array_equal(*law.run(N=np.int8(3)))


def test_an_error_of_the_left_side_is_raised_and_one_of_the_right_side_is_given():
    law = LAWS["slice-split"]
    with pytest.raises(ssop.SliceError):
        law.run(N=3, a=2, b=2, c=1)
    left, right = law.run(N=3, a=0, b=9, c=3)
    assert left.tolist() == [0, 1, 2] and isinstance(right, ssop.SliceError) and not law.check(N=3, a=0, b=9, c=3)
