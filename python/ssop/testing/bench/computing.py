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

from ssop import xla
from ssop.stablehlo._parsing import parse

Array = np.ndarray[Any, Any]
ELEMENTS: Final = 10_000
MANY: Final = 1_000_000
ONE_THREAD: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
LEAST_SECONDS: Final = 0.01
"""Calls are repeated until they take this long together."""


class Case(NamedTuple):
    """One call: `ours` of ssop.xla and `theirs` of jax.lax take the operands."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    operands: tuple[Array, ...]
    units: int
    unit: str = "elements"


def cases(elements: int) -> list[Case]:
    """Every operation, on about so many elements; products and windows on few that have as many parts."""
    lax: Any = import_module("jax.lax")
    rng = np.random.default_rng(0)
    real, other = (rng.standard_normal(elements, np.float32) for _ in range(2))
    whole, divisors = rng.integers(-1000, 1000, elements, np.int32), rng.integers(1, 9, elements, np.int32)
    side = int(elements**0.5)
    square = rng.standard_normal((1, side, side, 1), np.float32)
    windows: dict[str, Any] = dict(window_dimensions=(1, 3, 3, 1), window_strides=(1, 1, 1, 1), padding="SAME")
    pooled = rng.standard_normal((1, side // 2, side // 2, 1), np.float32)
    matrix = rng.standard_normal((256, 256), np.float32)
    image, kernel = rng.standard_normal((1, 64, 56, 56), np.float32), rng.standard_normal((64, 64, 3, 3), np.float32)
    norm = real[: side * side // 64 * 64].reshape(-1, 64), *rng.standard_normal((2, 64), np.float32)

    def pool(reduce_window: Any, computation: Any, first: float) -> Callable[..., Any]:
        return lambda x: reduce_window(x, np.float32(first), computation, **windows)

    def element_wise(name: str, *operands: Array) -> Case:
        return Case(name, getattr(xla, name), getattr(lax, name), operands, elements)

    return [
        *(element_wise(name, real, other) for name in ("add", "mul", "max", "lt")),
        *(element_wise(name, np.abs(real)) for name in ("exp", "log", "tanh", "floor", "sign")),
        *(element_wise(name, whole, divisors) for name in ("div", "rem")),
        Case("convert_element_type", lambda x: xla.convert_element_type(x, np.int32),
             lambda x: lax.convert_element_type(x, np.int32), (real,), elements),
        Case("reduce_precision", lambda x: xla.reduce_precision(x, 5, 10),
             lambda x: lax.reduce_precision(x, 5, 10), (real,), elements),
        Case("reduce, add", lambda x: xla.reduce(x, np.float32(0), xla.add, [0]),
             lambda x: lax.reduce(x, np.float32(0), lax.add, [0]), (real,), elements),
        Case("reduce_window, max of 3 x 3", pool(xla.reduce_window, xla.max, -np.inf),
             pool(lax.reduce_window, lax.max, -np.inf), (square,), 9 * side * side, "window elements"),
        Case("reduce_window, sum of 3 x 3", pool(xla.reduce_window, xla.add, 0),
             pool(lax.reduce_window, lax.add, 0), (square,), 9 * side * side, "window elements"),
        Case("select_and_scatter, 2 x 2", _select_and_scatter(xla), _select_and_scatter(lax), (square, pooled),
             4 * pooled.size, "window elements"),
        Case("sort", lambda x: xla.sort(x), lambda x: lax.sort(x), (real,), elements),
        Case("dot, 256 x 256", lambda x, y: xla.dot(x, y), lambda x, y: lax.dot(x, y), (matrix, matrix), 256**3,
             "multiply-adds"),
        Case("conv, 3 x 3 of 64 x 56 x 56", lambda x, y: xla.conv(x, y, (1, 1), "SAME"),
             lambda x, y: lax.conv(x, y, (1, 1), "SAME"), (image, kernel), image.size * 64 * 9, "multiply-adds"),
        Case("batch_norm_training", lambda x, s, o: xla.batch_norm_training(x, s, o, 1e-5, 1)[0], _batch_norm, norm,
             norm[0].size),
    ]  # fmt: skip


def _select_and_scatter(home: Any) -> Callable[..., Any]:
    window: dict[str, Any] = dict(window_dimensions=(1, 2, 2, 1), window_strides=(1, 2, 2, 1), padding="VALID")
    if home is xla:
        return lambda x, source: xla.select_and_scatter(
            x, xla.ge, source=source, init_value=np.float32(0), scatter=xla.add, **window
        )

    def gradient(x: Any, source: Any) -> Any:
        jax: Any = import_module("jax")
        pool = lambda y: home.reduce_window(y, -np.inf, home.max, **window)  # noqa: E731
        return jax.vjp(pool, x)[1](source)[0]

    return gradient


def _batch_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean = x.mean(0)
    return (x - mean) / (((x - mean) ** 2).mean(0) + 1e-5) ** 0.5 * scale + offset


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
    np.testing.assert_allclose(case.ours(*case.operands), compiled(*on_device), rtol=2e-3, atol=2e-3)
    calls: list[Callable[[], Any]] = [
        lambda: case.ours(*case.operands),
        lambda: jax.block_until_ready(compiled(*on_device)),
    ]
    if with_interpreter:
        calls.append(interpreted(jax.jit(case.theirs).lower(*on_device).as_text(), case.operands))
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


def run(rounds: int) -> int:
    """Measure in a process that has one thread; returns its exit code."""
    command = [sys.executable, "-m", "ssop.testing.bench.computing", str(rounds)]
    return subprocess.run(command, env=os.environ | ONE_THREAD, check=False).returncode


def main(rounds: int) -> None:
    """Print a table for few elements, where the interpreter takes part, and one for many."""
    for elements in (ELEMENTS, MANY):
        few = elements == ELEMENTS
        rows = [measured(case, rounds, with_interpreter=few) for case in cases(elements)]
        print(f"\n{elements:,} elements, one thread; times as multiples of ssop's\n\n{table(rows)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
