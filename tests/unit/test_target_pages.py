"""docs/targets/*.md: what the converter says of each target today."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import ssop
from ssop._convert.targets import TARGETS

ROOT = Path(__file__).parents[2]


def load_tool():
    spec = spec_from_file_location("targets", ROOT / "tools/targets.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


targets = load_tool()


def test_the_pages_are_current():
    assert targets.main(check=True) == 0


def test_every_target_has_a_page_and_a_place_in_the_contents():
    contents = (ROOT / "docs/howto/converter_author.md").read_text(encoding="utf-8")
    assert set(TARGETS) == set(targets.TITLES)
    assert all(f"../targets/{to}\n" in contents for to in TARGETS)


@pytest.mark.parametrize("to", TARGETS)
def test_each_condition_is_needed(to):
    """Without it no calls are equal; with it the calls are, and on the shape that is named they differ."""
    for text, slice_ in targets.SLICES:
        try:
            ssop.convert(slice_, to)
        except ssop.ConversionError as error:
            calls = list(ssop.convert(slice_, to, assume=error.precondition).calls)
            assert ssop.convert.equal(slice_, calls, assume=error.precondition), text
            try:
                assert not ssop.convert.equal(slice_, calls, error.counterexample), text
            except ssop.SliceValueError as both:
                assert both.label == "cv_c5", text  # the given calls are an error on that shape


def test_an_outdated_page_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(targets, "FOLDER", tmp_path / "targets")
    assert targets.main(check=True) == 1
    assert targets.main(check=False) == 0 and targets.main(check=True) == 0
    (tmp_path / "targets/onnx.md").write_text("other", encoding="utf-8")
    assert targets.main(check=True) == 1
