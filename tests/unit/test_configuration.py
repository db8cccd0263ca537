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
    assert set(build) == {"flags", "optimized", "assertions", "numpy_headers", "sources", "wheel"}
    assert type(build["assertions"]) is bool
    assert build["optimized"] == bool(re.findall(r"-O\w", build["flags"])[-1] != "-O0")  # the last one counts
    assert "-std=c11" in build["flags"].split() and "/" not in build["flags"]
    assert re.fullmatch(r"[0-9a-f]{16}", build["sources"])
    assert tuple(map(int, build["numpy_headers"].split(".")[:2])) >= (2, 0)


def installed(folder, wheel, direct_url):
    """What `wheel` says where the metadata of ssop is this, and its package is the one that is imported."""
    (folder / "ssop").symlink_to(Path(ssop.__file__).parent)
    metadata = folder / "ssop-1.0.dist-info"
    metadata.mkdir()
    for name, text in (("METADATA", "Name: ssop\nVersion: 1.0\n"), ("WHEEL", wheel), ("direct_url.json", direct_url)):
        (metadata / name).write_text(text, encoding="utf-8")
    return rows("build", PYTHONPATH=str(folder))["wheel"]


WHEEL = "Wheel-Version: 1.0\nTag: cp312-cp312-manylinux_2_27_x86_64\nTag: cp312-cp312-manylinux_2_28_x86_64\n"


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        ("", "cp312-cp312-manylinux_2_27_x86_64, cp312-cp312-manylinux_2_28_x86_64"),
        (
            '{"url": "file:///a.whl", "archive_info": {}}',
            "cp312-cp312-manylinux_2_27_x86_64, cp312-cp312-manylinux_2_28_x86_64",
        ),
        ('{"url": "file:///sources", "dir_info": {}}', "built from source"),
        ('{"url": "file:///sources", "dir_info": {"editable": true}}', "built from source"),
    ],
)
def test_build_names_the_tags_of_the_wheel(tmp_path, direct_url, expected):
    assert installed(tmp_path, WHEEL, direct_url) == expected


def test_build_does_not_name_the_wheel_of_another_package(tmp_path):
    (tmp_path / "ssop").mkdir()
    other = tmp_path / "ssop-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Name: ssop\nVersion: 1.0\n", encoding="utf-8")
    (other / "WHEEL").write_text(WHEEL, encoding="utf-8")
    program = (
        f"import ssop, sys; sys.path.insert(0, {str(tmp_path)!r}); print(ssop.show_config('dicts')['build']['wheel'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "built from source\n"


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
