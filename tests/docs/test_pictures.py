"""The pictures of the documents are what `tools/pictures.py` draws, and are looked at by whoever changes them."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "pictures.py"
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


def test_the_pictures_are_what_the_tool_draws():
    result = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True)
    assert (result.returncode, result.stdout.strip()) == (0, "")
    assert len(PICTURES) >= 12


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_small_and_loads_nothing(path):
    text = path.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert "href" not in text and "<script" not in text and text.count("http") == 1  # the name of SVG itself
    assert len(text) < 25_000
