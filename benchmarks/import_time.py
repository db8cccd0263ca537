"""What `import ssop` costs on top of NumPy's import, in milliseconds of wall time and of processor time.

python benchmarks/import_time.py [--processes 41] [--check]

Each figure is of new processes, half of which import NumPy alone, in turns, so that other work on the machine meets
both. A process times its own imports: of NumPy, and then of ssop. All modules are compiled before. With --check, the
exit code is 1 if the median of the processor time of ssop's import is above 30 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence

LIMIT_MS = 30

PROGRAM = """
import json, sys
from time import perf_counter, process_time
before = perf_counter(), process_time()
import numpy
between = perf_counter(), process_time()
if sys.argv[1] == "ssop":
    import ssop
after = perf_counter(), process_time()
print(json.dumps([[1e3 * (b - a) for a, b in zip(*pair)] for pair in ((before, between), (between, after))]))
"""


def measured(what: str, compiled: str) -> list[list[float]]:
    """Wall and processor time of NumPy's import, and of what follows it, in one new process.

    `compiled` is the folder with the compiled modules, which the first process writes.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", PROGRAM, what]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    times: list[list[float]] = json.loads(done.stdout)
    return times


def line(name: str, times: Sequence[float]) -> str:
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{name:32} {middle:7.1f} ms  ({low:.1f} to {high:.1f}, least {min(times):.1f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=41, help="that import NumPy alone, and as many with ssop")
    parser.add_argument("--check", action="store_true", help=f"fail above {LIMIT_MS} ms of processor time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured("ssop", folder)
        rounds = [(measured("numpy", folder), measured("ssop", folder)) for _ in range(arguments.processes)]
    print(f"Python {sys.version.split()[0]}, {arguments.processes} processes each; median (quartiles)")
    for clock, number in (("wall", 0), ("processor", 1)):
        print(line(f"import numpy, {clock}", [alone[0][number] for alone, _ in rounds]))
        print(line(f"import ssop after it, {clock}", [both[1][number] for _, both in rounds]))
    taken = statistics.median(both[1][1] for _, both in rounds)
    return 1 if arguments.check and taken > LIMIT_MS else 0


if __name__ == "__main__":
    raise SystemExit(main())
