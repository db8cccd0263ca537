"""SSOP_CPU names the kernels at import; every name gives the same bytes, or an ImportError where it cannot run."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np, ssop
a = np.arange(3 * 5000, dtype=np.uint16).reshape(5000, 3)
for view in (a[::-1], a[:, ::-1], a[::2], a.T, a[:, 1], a[1:, :2]):
    assert ssop.copy(view).tobytes() == view.tobytes()
"""


def run(tier):
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=os.environ | {"SSOP_CPU": tier}, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("tier", ["", "portable"])
def test_kernels_that_are_everywhere(tier):
    done = run(tier)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("tier", ["ssse3", "avx2", "avx512", "neon"])
def test_kernels_that_may_be_missing(tier):
    done = run(tier)
    assert done.returncode == 0 or f"ImportError: SSOP_CPU={tier}: " in done.stderr, done.stderr


@pytest.mark.parametrize("tier", ["avx", "PORTABLE", "avx512 ", "0"])
def test_names_that_are_none(tier):
    assert f"ImportError: SSOP_CPU={tier}: " in run(tier).stderr
