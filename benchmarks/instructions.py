"""How many instructions fixed calls take, counted by valgrind: the same on every run, whatever else the machine does.

- `python benchmarks/instructions.py` prints the counts beside the recorded ones.
- `--check` also exits with 1 if one grew by more than 5 %, and with 2 if one has no record.
- `--write` records them in benchmarks/instructions.json.
- `--parts` prints where the instructions of each call are, in the functions of PARTS.

Each call runs in a Python process of its own. Counts hold for one minor version of Python and of NumPy, one compiler,
and the kernels of one CPU tier (SSOP_CPU=avx2), so records are kept per such environment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import ssop

RECORDS = Path(__file__).with_name("instructions.json")
TIER = "avx2"
GROWTH = 1.05
"""How much more than recorded is rejected."""

COUNTS = (100, 300)
"""Calls in the two measured loops; the difference is free of what surrounds them."""

SETUP = """
import numpy as np, ssop
a = np.arange(256, dtype=np.float32).reshape(4, 4, 4, 4)
line, wide = a.reshape(256), np.arange(8192, dtype=np.float32)
square, column = np.arange(4096, dtype=np.float32).reshape(64, 64), np.empty((64, 64), np.float32)
zero, one, two, three = [0, 1, 0, 1], [1, 1, 1, 1], [2, 3, 2, 3], [2, 2, 2, 2]
plan = ssop.plan(ssop.StridedSliceSpec(zero, two, one), a.shape, a.dtype)
at = np.s_[1, ..., ::-1, 1:3]
small, half, update = np.ones(4096, np.float32), np.empty(4096, np.float32), np.ones((2, 2, 2, 2), np.float32)
"""

CALLS = {
    "4-D": "ssop.strided_slice(a, zero, two, one)",
    "1-D": "ssop.strided_slice(line, [2], [8], [1])",
    "4-D, plan": "plan(a)",
    "begin and end masks": "ssop.strided_slice(a, zero, two, one, 5, 10)",
    "shrink": "ssop.strided_slice(a, [1, 0], [2, 2], [1, 1], shrink_axis_mask=1)",
    "ellipsis, new axis": "ssop.strided_slice(a, [0, 0, 1], [0, 0, 3], [1, 1, 1], 0, 0, 2, 1)",
    "index": "ssop.index(a, at)",
    "reverse 4096 f4": "ssop.strided_slice(small, [4095], [-4097], [-1], out=half)",
    "stride 2, 4096 f4": "ssop.strided_slice(wide, [0], [8192], [2], out=half)",
    "dynamic_slice": "ssop.dynamic_slice(a, zero, three)",
    "dynamic_update_slice": "ssop.dynamic_update_slice(a, update, zero)",
    "grad, 8192 f4": "ssop.strided_slice_grad((8192,), [0], [8192], [2], half, out=wide)",
    "transposed 64x64 f4": "ssop.copyto(column, square.T)",
}

PARTS = {
    "operation_run": "the call, without what Python does before and after it",
    "plan_call": "the same of a plan",
    "parse_arguments": "which argument is which parameter",
    "spec_args_read": "begin, end, strides and masks into C",
    "ssop_strided_slice_resolve": "the region",
    "ssop_region_view": "addresses and strides of the region",
    "memory_new_array": "the new array",
    "PyArray_NewFromDescr": "of that, NumPy's own part",
    "ssop_copy_small": "the copy",
    "array_dealloc": "NumPy frees the array",
}
"""Functions of a call (a part of another one stands below it), and what they do."""

LOOP = """
import gc, os
gc.disable()
def loop(count):
    for _ in range(count):
        {call}
loop(50)  # the interpreter has adapted, caches of free blocks are filled
os.getppid()  # valgrind writes what was counted so far
loop({counts[0]})
os.getppid()
loop({counts[1]})
os.getppid()
"""


def _run(call: str, folder: str) -> list[Path]:
    """Return callgrind's files of the two measured loops."""
    program = SETUP + LOOP.format(call=call, counts=COUNTS)
    environment = {**os.environ, "SSOP_CPU": TIER, "SSOP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    command = ["valgrind", "--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={folder}/out"]
    child = subprocess.run(
        [*command, sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    if child.returncode != 0:
        said = [line for line in child.stderr.splitlines() if not line.startswith("==")]  # else it is valgrind's
        raise RuntimeError(f"{call}: {said[-1] if said else child.returncode}")
    return [Path(folder, f"out.{part}") for part in (2, 3)]


def count(call: str) -> float:
    """Return the instructions of one call, the loop round it included."""
    with tempfile.TemporaryDirectory() as folder:
        totals = [_total(path) for path in _run(call, folder)]
    return (totals[1] - totals[0]) / (COUNTS[1] - COUNTS[0])


def parts(call: str) -> dict[str, float]:
    """Return the instructions of one call in each function of PARTS that it calls, with what that one calls."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", _run(call, folder)[1]]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = {}
    for instructions, name in re.findall(r"^ *([\d,]+) .*:(\w+)(?: \[.*)?$", text, re.MULTILINE):
        if name in PARTS:  # a line for each file whose lines the function has: the first one has most
            found.setdefault(name, int(instructions.replace(",", "")) / COUNTS[1])
    return found


def print_parts(calls: dict[str, str]) -> None:
    for name, call in calls.items():
        found = parts(call)
        print(f"instructions per call of {name!r}")
        for function, what in PARTS.items():
            if function in found:
                print(f"{found[function]:8.0f}  {function:28} {what}", flush=True)


def _total(path: Path) -> int:
    match = re.search(r"^(?:totals|summary): (\d+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise RuntimeError("callgrind wrote no total")
    return int(match.group(1))


def environment() -> str:
    """Return what the counts depend on besides our source."""
    python, numpy = (".".join(version.split(".")[:2]) for version in (platform.python_version(), np.__version__))
    compiler = ssop.show_config("dicts")["build"]["compiler"].partition(".")[0]
    return f"Python {python}, NumPy {numpy}, {compiler}, {platform.machine()}, {TIER}"


def records() -> dict[str, dict[str, int]]:
    """Return environment -> call -> recorded instructions."""
    return json.loads(RECORDS.read_text(encoding="utf-8")) if RECORDS.exists() else {}


def grown(now: dict[str, int], recorded: dict[str, int]) -> list[str]:
    """Return the calls that take more than GROWTH times what is recorded."""
    return [name for name, value in now.items() if name in recorded and value > GROWTH * recorded[name]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--only", metavar="TEXT", default="", help="calls whose name contains TEXT")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: nothing can be counted", file=sys.stderr)
        return 2
    here, all_records = environment(), records()
    recorded = all_records.get(here, {})
    calls = {name: call for name, call in CALLS.items() if arguments.only in name}
    if arguments.parts:
        print_parts(calls)
        return 0
    unknown = [name for name in calls if name not in recorded]
    if arguments.check and unknown:
        print(f"no record for {here}: {', '.join(unknown)}", file=sys.stderr)
        print(f"--write makes one, to be compared by eye with the others in {RECORDS.name}", file=sys.stderr)
        return 2
    print(f"instructions per call; {here}")
    print(f"{'call':24} {'now':>10} {'recorded':>10} {'change':>8}")
    now = {}
    for name, call in calls.items():
        now[name] = round(count(call))
        before = recorded.get(name)
        change = f"{now[name] / before - 1:+8.1%}" if before else ""
        print(f"{name:24} {now[name]:10} {before or '-':>10} {change}".rstrip(), flush=True)
    if arguments.write:
        all_records[here] = {**recorded, **now}
        RECORDS.write_text(json.dumps(all_records, indent=2) + "\n", encoding="utf-8")
    worse = grown(now, recorded)
    if worse:
        print(f"grown by more than {GROWTH - 1:.0%}: {', '.join(worse)}")
    return 1 if worse and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
