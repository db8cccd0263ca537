"""cfg_s1: SSOP_CPU names the kernels at import; each gives the same bytes, or an ImportError where it cannot run."""

import platform
import sys

import pytest

import child
import ssop

PROGRAM = """
import numpy as np, ssop
a = np.arange(3 * 5000, dtype=np.uint16).reshape(5000, 3)
for view in (a[::-1], a[:, ::-1], a[::2], a.T, a[:, 1], a[1:, :2]):
    assert ssop.copy(view).tobytes() == view.tobytes()
kernels = ssop.show_config("dicts")["kernels"]
print(kernels["chosen"], kernels["chosen_by"], sep=", ")
"""

# What Linux says that the processor and the system can do together.
FLAGS = {
    "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512vbmi"},
    "avx512bw": {"avx512f", "avx512bw", "avx512vl"},
    "avx2": {"avx2"},
    "ssse3": {"ssse3"},
}


def run(tier):
    return child.run_source(PROGRAM, SSOP_CPU=tier)


def test_cfg_s1_the_best_kernels_without_a_name():
    done = run("")
    best = next(name for name, usable in ssop.cpu_features().items() if usable)
    assert done.stdout == f"{best}, the processor\n", done.stderr


@pytest.mark.parametrize("tier", ["portable", "ssse3", "avx2", "avx512bw", "avx512", "neon"])
def test_cfg_s1_named_kernels(tier):
    done = run(tier)
    if ssop.cpu_features().get(tier, False):
        assert done.stdout == f"{tier}, SSOP_CPU\n", done.stderr
    else:
        assert f"ImportError: SSOP_CPU={tier}: " in done.stderr


@pytest.mark.parametrize("tier", ["avx", "PORTABLE", "avx512 ", "0"])
def test_unknown_names_are_errors(tier):
    assert f"ImportError: SSOP_CPU={tier}: " in run(tier).stderr


def test_features_are_what_linux_says():
    features = ssop.cpu_features()
    assert features["portable"] is True and list(features)[-1] == "portable"
    if platform.machine() == "x86_64":
        assert list(features) == ["avx512", "avx512bw", "avx2", "ssse3", "portable"]
        if sys.platform == "linux":
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                flags = next(line for line in file if line.startswith("flags")).split()
            assert {name: features[name] for name in FLAGS} == {
                name: need <= set(flags) for name, need in FLAGS.items()
            }
    elif platform.machine() in ("aarch64", "arm64"):
        assert features == {"neon": True, "portable": True}
    features.clear()
    assert ssop.cpu_features()["portable"]
