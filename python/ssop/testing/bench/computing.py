"""XLA's operations that compute: `ssop.xla` beside jax on one thread and StableHLO's interpreter.

Run by `ssop bench --computing`, in a process of its own, in which BLAS and XLA have one thread. Every case is one call
on the same arrays; results are compared before anything is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np

from ssop.stablehlo._parsing import parse
from ssop.testing.bench.computing_cases import CLASSES, Case, cases

Array = np.ndarray[Any, Any]
ELEMENTS: Final = 10_000
MANY: Final = 1_000_000
ONE_THREAD: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
INTERPRETED: Final = 200_000
"""The most units of a call that StableHLO's interpreter takes a second or so for."""
LEAST_SECONDS: Final = 0.01
"""Calls are repeated until they take this long together."""


class Row(NamedTuple):
    """What was measured of a case: medians of seconds, and ratios of times within rounds."""

    case: Case
    ours: float
    jax: float
    interpreter: float | None


def measured(case: Case, rounds: int, *, with_interpreter: bool) -> Row:
    """Compare the results, then time ssop, jax and the interpreter in turns."""
    jax: Any = import_module("jax")
    compiled = jax.jit(case.theirs)
    on_device = tuple(map(jax.numpy.asarray, case.operands))
    found, expected = np.asarray(case.ours(*case.operands)), np.asarray(compiled(*on_device))
    if case.is_random:
        assert found.shape == expected.shape
    else:
        np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-3)
    calls: list[Callable[[], Any]] = [
        lambda: case.ours(*case.operands),
        lambda: jax.block_until_ready(compiled(*on_device)),
    ]
    if with_interpreter and not case.is_random:
        calls.append(interpreted(jax.jit(case.theirs, keep_unused=True).lower(*on_device).as_text(), case.operands))
    times = [[seconds(call) for call in calls] for _ in range(rounds)]
    ours, theirs, *interpreter = map(median, zip(*times, strict=True))
    return Row(case, ours, theirs, interpreter[0] if interpreter else None)


def seconds(call: Callable[[], Any]) -> float:
    """The time of one call, of as many as take LEAST_SECONDS."""
    start, count = perf_counter(), 0
    while True:
        call()
        count += 1
        if (elapsed := perf_counter() - start) >= LEAST_SECONDS:
            return elapsed / count


def interpreted(text: str, operands: Sequence[Array]) -> Callable[[], Any]:
    """A call of StableHLO's interpreter on a program."""
    ir: Any = import_module("jaxlib.mlir.ir")
    stablehlo: Any = import_module("jaxlib.mlir.dialects.stablehlo")
    module = parse(text)
    with module.context:
        arguments = [ir.DenseElementsAttr.get(np.ascontiguousarray(x)) for x in operands]

    def call() -> Any:
        with module.context:
            return stablehlo.eval_module(module, arguments)

    return call


def table(rows: Sequence[Row]) -> str:
    """The rows in Markdown."""
    lines = [["operation", "us", "million units/s", "unit", "time of jax", "time of the interpreter"], ["---"] * 6]
    for row in rows:
        rate = shown(row.case.units / row.ours / 1e6)
        times = "-" if row.interpreter is None else shown(row.interpreter / row.ours)
        lines.append([row.case.name, shown(row.ours * 1e6), rate, row.case.unit, shown(row.jax / row.ours), times])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(value: float) -> str:
    """Return a number of at least three digits.

    >>> shown(1234.5), shown(12.345), shown(0.12345)
    ('1,234', '12.3', '0.123')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def run(rounds: int, classes: Sequence[str]) -> int:
    """Measure in a process that has one thread; returns its exit code."""
    command = [sys.executable, "-m", "ssop.testing.bench.computing", str(rounds), ",".join(classes)]
    return subprocess.run(command, env=os.environ | ONE_THREAD, check=False).returncode


def main(rounds: int, classes: Sequence[str] = tuple(CLASSES)) -> None:
    """Print a table for few elements, where the interpreter takes part, and one for many."""
    for elements in (ELEMENTS, MANY):
        most = INTERPRETED if elements == ELEMENTS else 0
        rows = [measured(case, rounds, with_interpreter=case.units <= most) for case in cases(elements, classes)]
        print(f"\n{elements:,} elements, one thread; times as multiples of ssop's\n\n{table(rows)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2].split(","))
