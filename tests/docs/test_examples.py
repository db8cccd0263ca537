"""The example array is what examples/README.md says, and the command given there works."""

import re
import shlex
import shutil
from pathlib import Path

import numpy as np

from ssop import cli

FOLDER = Path(__file__).parents[2] / "examples"
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_array_is_as_described():
    heights = np.load(FOLDER / "jacksboro_dem.npy")
    assert f"`{heights.dtype}`, {heights.shape[0]} rows\nby {heights.shape[1]} columns" in README
    assert f"{heights.min()} m to {heights.max()} m" in README


def test_the_command_works(tmp_path, monkeypatch):
    shutil.copy(FOLDER / "jacksboro_dem.npy", tmp_path)
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall("^    (ssop .*)$", README, re.MULTILINE)
    assert cli.main(shlex.split(command)[1:]) == 0
    assert np.array_equal(np.load("small.npy"), np.load("jacksboro_dem.npy")[::-2, ::2])
