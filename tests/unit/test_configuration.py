"""show_config: each row against another source of the same fact."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import child
import ssop

MIB = 1 << 20
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def rows(subject, **environment):
    """A subject as a new process with these variables has it."""
    program = f"import ssop; print(ssop.show_config('dicts')[{subject!r}])"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SSOP_")}
    command, limit = [sys.executable, "-c", program], child.LIMIT_SECONDS
    done = subprocess.run(command, env=kept | environment, capture_output=True, text=True, timeout=limit, check=True)
    return eval(done.stdout)


def test_versions():
    assert ssop.show_config("dicts")["versions"] == {
        "ssop": ssop.__version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }


def test_build():
    build = ssop.show_config("dicts")["build"]
    assert re.match(r"(GCC|clang) \d+\.\d+", build.pop("compiler"))
    assert set(build) == {"optimized", "assertions"}
    assert all(type(value) is bool for value in build.values())


def test_kernels():
    features = ssop.cpu_features()
    kernels = ssop.show_config("dicts")["kernels"]
    assert kernels["built"] == list(features)
    assert kernels["usable"] == [name for name in features if features[name]]
    assert rows("kernels") == kernels | {"chosen": kernels["usable"][0], "chosen_by": "the processor"}
    assert rows("kernels", SSOP_CPU="portable") == kernels | {"chosen": "portable", "chosen_by": "SSOP_CPU"}


def test_threads():
    before = ssop.get_num_threads()
    try:
        ssop.set_num_threads(7)
        assert ssop.show_config("dicts")["threads"]["count"] == 7
    finally:
        ssop.set_num_threads(before)
    threads = rows("threads")
    assert threads["count"] == min(threads["processors"], 8)
    if hasattr(os, "sched_getaffinity"):
        assert 1 <= threads["processors"] <= len(os.sched_getaffinity(0))
    assert rows("threads", SSOP_NUM_THREADS="3") == threads | {"count": 3}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the caches")
def test_copies_reckon_with_the_last_cache_of_this_machine():
    told = rows("memory")["last_cache_bytes_told"]
    unified = [folder for folder in CACHES.glob("index*") if (folder / "type").read_text() == "Unified\n"]
    if unified:
        last = max(unified, key=lambda folder: (folder / "level").read_text())
        assert told == int((last / "size").read_text().rstrip("K\n")) * 1024
    assert rows("policies", SSOP_TUNED_FILE="")["last_cache_bytes"] == (
        min(max(told, 8 * MIB), 64 * MIB) if told else 32 * MIB
    )


def test_memory():
    assert rows("memory", SSOP_CACHE_BYTES="12345678")["most_kept_bytes"] == 12345678
    assert rows("memory", SSOP_CACHE_BYTES="0")["most_kept_bytes"] == 0
    told = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    expected = told.read_text() if told.exists() else "[None]"
    assert f"[{rows('memory')['huge_pages']}]" in expected


def test_environment():
    assert rows("environment") == {}
    given = {"SSOP_CPU": "portable", "SSOP_NUM_THREADS": "2", "SSOP_CACHE_BYTES": ""}
    assert rows("environment", **given, SSOP_SEED="1") == given


def test_what_is_printed_is_what_is_returned(capsys):
    assert ssop.show_config() is None
    printed = capsys.readouterr().out.splitlines()
    expected = []
    for subject, found in ssop.show_config(mode="dicts").items():
        expected.append(f"{subject}:")
        for name, value in found.items():
            expected.append(f"  {name}: {', '.join(value) if type(value) is list else value}")
    assert printed == expected and len(printed) >= 20
