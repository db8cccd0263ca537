"""The C programs of tests/core under the machine's own compiler, and what core and copy may depend on.

`python tests/core/run.py --help` lists the other compilers, sanitizers and targets.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from child import LIMIT_SECONDS
from scale import BY_NIGHT

ROOT = Path(__file__).resolve().parents[2]

# A program that checks less than this has lost a part of its space. The default test stage checks a share of the large
# enumerations, the long one all of them.
FLOORS = {
    "test_arithmetic": 2_000_000,
    "test_complement": 100_000,
    "test_axes_slice": 100_000,
    "test_blocks": 700,
    "test_broadcast": 5_000,
    "test_caches": 70,
    "test_chunks": 2_000_000,
    "test_concatenate": 250_000,
    "test_corpus": 30_000,
    "test_cpu": 20,
    "test_dialects": 6_000_000,
    "test_dynamic_slice": 430_000,
    "test_dilate": 70_000,
    "test_dim": 13_000,
    "test_far": 190,
    "test_free_lists": 60_000,
    "test_in_dim": 900_000,
    "test_joined": 15_000,
    "test_guard": 670_000,
    "test_kernels": 138_000,
    "test_loopnest": 4_200_000,
    "test_one_slice": 200_000,
    "test_openvino": 80_000,
    "test_overlap": 12_000_000,
    "test_partial_dialects": 240_000,
    "test_partial_offsets": 2_600_000,
    "test_partial_shape": 150,
    "test_partial_slices": 3_900_000,
    "test_pad": 46_000,
    "test_parts": 160,
    "test_pieces": 7,
    "test_policies": 310,
    "test_processors": 60,
    "test_range": 7_900_000,
    "test_rearrange": 600_000,
    "test_region": 1_700_000,
    "test_rules": 25_000,
    "test_shape_function": 15_000,
    "test_select": 25_000,
    "test_shift": 3_000,
    "test_size_slice": 7_000,
    "test_slice": 780_000,
    "test_small": 60_000,
    "test_strided_slice": 4_800_000,
    "test_tflite": 100_000,
    "test_threads": 8_000,
    "test_tiles": 50_000,
    "test_variant_table": 2_000,
    "test_variants": 700_000,
    "test_view": 2_200_000,
}


def run(*names, root=ROOT, **environment):
    command = [sys.executable, root / "tests" / "core" / "run.py", *names]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=LIMIT_SECONDS)


# Optimised, in full, by night: by day, other stages of the checks have optimised builds of a share.
BUILDS = [("cc-quick", 16), *([pytest.param("cc-default", 1, marks=pytest.mark.long)] if BY_NIGHT else [])]


@pytest.mark.parametrize(("configuration", "share"), BUILDS)
def test_every_program_passes_and_checks_enough(configuration, share):
    done = run(configuration)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = re.findall(rf"^{configuration} +(\w+) +(\d+) checks ", done.stdout, re.M)
    counts = {name: int(count) for name, count in lines}
    assert counts.keys() == FLOORS.keys()
    assert [name for name, floor in FLOORS.items() if counts[name] < floor // share] == []


@pytest.fixture
def copy(tmp_path):
    """Sources and runner without the rest of the repository, to be broken."""
    shutil.copytree(ROOT / "csrc", tmp_path / "csrc", ignore=shutil.ignore_patterns("python"))
    shutil.copytree(ROOT / "tests" / "core", tmp_path / "tests" / "core")
    shutil.copytree(ROOT / "fuzz", tmp_path / "fuzz")
    return tmp_path


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_each_layer_includes_only_what_stands_before_it(copy):
    assert run("layers").returncode == 0
    append(copy / "csrc" / "core" / "slice.c", '#include "../copy/classify.h"\n')
    assert "FAILED: core/slice.c" in run("layers", root=copy).stdout


def test_the_core_does_not_include_the_copy_engine(copy):
    append(copy / "csrc" / "core" / "slice.c", '#include "../include/ssop/ssop.h"\n')
    assert "FAILED: core/slice.c" in run("layers", root=copy).stdout


def test_no_layer_knows_the_runtime_but_the_binding(copy):
    append(copy / "csrc" / "copy" / "execute.c", '#include "../runtime/threads.h"\n')
    assert "FAILED: copy/execute.c" in run("layers", root=copy).stdout


def test_the_runtime_knows_no_python(copy):
    append(copy / "csrc" / "runtime" / "threads.c", "#include <Python.h>\n")
    assert "FAILED: runtime/threads.c" in run("layers", root=copy).stdout


def test_no_operating_system_header(copy):
    append(copy / "csrc" / "copy" / "execute.c", "#include <stdlib.h>\n")
    assert "FAILED: copy/execute.c" in run("layers", root=copy).stdout


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("void abort(void); void ssop_stop(void) { abort(); }", "FAILED: undefined: ['abort']"),
        ("int ssop_calls;", "FAILED: data that can change: ['ssop_calls']"),
        ("void slice(void) { }", "FAILED: global without the prefix ssop_: ['slice']"),
    ],
)
def test_freestanding_sees_what_it_must(copy, line, complaint):
    shutil.rmtree(copy / "csrc" / "copy")  # a file that needs no other takes seconds less to compile
    for path in (copy / "csrc" / "core").glob("*.c"):
        if path.name != "rules.c":
            path.unlink()
    append(copy / "csrc" / "core" / "rules.c", line + "\n")
    assert complaint in run("freestanding", root=copy).stdout


@pytest.mark.long
def test_core_and_copy_stand_alone():
    done = run("freestanding")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) symbols", done.stdout)[1]) >= 30


def test_an_absent_compiler_fails():
    done = run("cc-default", "freestanding", PATH="")
    assert done.returncode == 1
    assert done.stdout.count("cc: not on this machine") == 2


@pytest.mark.long
def test_the_example_prints_what_its_readme_says(tmp_path):
    """Built by the very line of the README, which the program's own comment repeats; by day without optimisation."""
    folder = ROOT / "examples" / "c"
    commands, output = re.findall(r"```\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert commands.splitlines()[0] in (folder / "strided_slice.c").read_text(encoding="utf-8")
    for name in ("csrc", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    script = ["bash", "-ec", commands if BY_NIGHT else commands.replace("-O2", "-O0")]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, output, "")
