"""The terms that the proofs are about have the values that the compiled C gives.

With int64_t of 8 bits, ssop_range_between is compared for all arguments, the others for random ones of which many are
near 0 and the ends of the type. With 16 and 64 bits, all are.
"""

import ctypes
import functools
import subprocess

import numpy as np
import pytest

from proof.c_program import Program
from proof.c_source import CORE, HEADERS, units
from proof.c_values import constant
from proof.contracts import terms
from proof.evaluate import Evaluation
from proof.interval_proofs import OPERATORS, any_pair, arithmetic
from proof.range_proofs import resolution
from proof.window_proofs import placement

SAMPLES = {8: 150_000, 16: 50_000, 64: 5_000}
DIALECT_FLAGS = (
    "shrink_reads_begin_mask",
    "shrink_ignores_step",
    "shrink_clamps_below",
    "reverse_clamps_begin_first",
    "end_is_offset",
    "max_end_is_open",
)
TRACE = ("wrapped_begin", "wrapped_end", "clamped_begin", "clamped_end", "begin", "end")
SOURCES = ("range", "dynamic_slice", "dim", "rules")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    @functools.cache
    def compiled(bits):
        target = tmp_path_factory.mktemp("driver") / f"driver{bits}.so"
        flags = ["-O1", "-w", "-shared", "-fPIC", "-nostdinc", f"-DSSOP_BITS={bits}", "-I", HEADERS, "-I", CORE.parent]
        sources = [HEADERS.parent / "driver.c", *(CORE / f"{name}.c" for name in SOURCES)]
        subprocess.run(["cc", *flags, *sources, "-o", target], check=True)
        return ctypes.CDLL(str(target))

    return compiled


def run(library, name, bits, columns, width):
    """The results of C: a row for each result, of numbers that are exact in sums and products."""
    given = np.ascontiguousarray(np.stack(columns, axis=1), dtype=f"i{bits // 8}")
    out = np.zeros((len(given), width), given.dtype)
    getattr(library(bits), f"run_{name}")(ctypes.c_long(len(given)), given.ctypes, out.ctypes)
    return exact(out.T, bits)


def exact(array, bits):
    return array.astype(object if bits == 64 else np.int64)


def draw(rng, bits, low=None):
    """Numbers of the type, not below `low`: any, near 0, near its ends."""
    info, size = np.iinfo(f"i{bits // 8}"), SAMPLES[bits]
    low = info.min if low is None else low
    numbers = rng.integers(low, info.max, size, dtype=np.int64, endpoint=True)
    near = rng.integers(max(low, -12), 12, size)
    top = rng.integers(0, 4, size)
    ends = np.where((low < 0) & (rng.random(size) < 0.5), info.min + top, info.max - top)
    return exact(np.choose(rng.integers(0, 3, size), [numbers, near, ends]), bits)


def choose(rng, bits, values):
    return exact(rng.choice(np.array(values), SAMPLES[bits]), bits)


def compare(program, arguments, expected, found):
    """`expected` are the terms, by their names; `found` are the rows of C."""
    evaluation = Evaluation(arguments, program.arithmetic.defined)
    for (name, term), row in zip(expected.items(), found, strict=True):
        differ = np.argwhere(np.broadcast_to(evaluation.of(term), row.shape) != row)
        assert not len(differ), f"{name}: {case_of(arguments, row, tuple(differ[0]))}"
    assert found[0].size > 0


def case_of(arguments, row, place):
    numbers = {name: int(np.broadcast_to(column, row.shape)[place]) for name, column in arguments.items()}
    return f"C gives {row[place]} for {numbers}"


# ---- ranges ----------------------------------------------------------------------------------------------------------


def between(bits):
    program = Program(units(["range"], bits))
    names = ("begin", "end", "step")
    made = program.run("ssop_range_between", *(program.fresh(program.type_named("int64_t"), name) for name in names))
    return program, dict(zip(("start", "count", "step"), terms(made, "start", "count", "step"), strict=True))


def test_range_between_for_all_numbers_of_8_bits(library):
    program, expected = between(8)
    numbers = np.arange(-128, 128)
    for steps in np.array_split(numbers[numbers != 0], 32):
        grid = np.meshgrid(numbers, numbers, steps, indexing="ij")
        found = run(library, "between", 8, [x.ravel() for x in grid], 3)
        columns = {"begin": numbers[:, None, None], "end": numbers[None, :, None], "step": steps[None, None, :]}
        compare(program, columns, expected, found.reshape(3, *grid[0].shape))


@pytest.mark.parametrize("bits", [16, 64])
def test_range_between(library, bits):
    rng = np.random.default_rng(bits)
    begin, end, step = (draw(rng, bits) for _ in range(3))
    step[step == 0] = 1
    program, expected = between(bits)
    found = run(library, "between", bits, [begin, end, step], 3)
    compare(program, {"begin": begin, "end": end, "step": step}, expected, found)


@pytest.mark.parametrize("bits", [8, 16, 64])
def test_range_compose(library, bits):
    program = Program(units(["range"], bits))
    first, second = (program.fresh(program.type_named("ssop_range"), name) for name in ("first", "second"))
    made = program.run("ssop_range_compose", first, second)
    rng = np.random.default_rng(bits)
    names = [f"{name}.{part}" for name in ("first", "second") for part in ("start", "count", "step")]
    columns = [choose(rng, bits, range(-5, 6)) for _ in names]
    expected = dict(zip(("start", "count", "step"), terms(made, "start", "count", "step"), strict=True))
    found = run(library, "compose", bits, columns, 3)
    compare(program, dict(zip(names, columns, strict=True)), expected, found)


@pytest.mark.parametrize("bits", [8, 16, 64])
def test_range_resolve(library, bits):
    program = Program(units(["range"], bits))
    one = resolution(program)
    rng = np.random.default_rng(bits)
    columns = {"dim": draw(rng, bits, 0)} | {f"entry.{name}": draw(rng, bits) for name in ("begin", "end", "step")}
    columns["entry.flags"] = choose(rng, bits, [0, 1, 2, 3, 16, 17, 18, 19])
    columns |= {f"dialect.{name}": choose(rng, bits, [0, 1]) for name in DIALECT_FLAGS}
    found = run(library, "resolve", bits, list(columns.values()), 10)
    ok = found[0] == 0
    assert 0.1 < np.mean(ok.astype(float)) < 0.9
    kept = {name: column[ok] for name, column in columns.items()}
    expected = {name: one.range.fields[name].term for name in ("start", "count", "step")}
    expected |= {f"trace.{name}": one.trace.fields[name].term for name in TRACE}
    compare(program, columns, {"status": one.status}, found[:1])
    compare(program, kept, expected, found[1:, ok])


# ---- windows and dims ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [8, 16, 64])
def test_dynamic_slice(library, bits):
    program = Program(units(["dynamic_slice", "range"], bits))
    one = placement(program, 1)
    rng = np.random.default_rng(bits)
    columns = {"dim0": draw(rng, bits, 0), "size0": draw(rng, bits), "start0.value": draw(rng, bits)}
    columns["start0.huge"] = choose(rng, bits, [0, 1]) * (columns["start0.value"] < 0)
    columns |= {
        "add_dim0": choose(rng, bits, [0, 1]),
        "ssop_window_spec.out_of_bounds": choose(rng, bits, [0, 1, 2, 3]),
    }
    columns["size0"] = np.where(rng.random(SAMPLES[bits]) < 0.8, columns["size0"] % (columns["dim0"] + 1), -1)
    found = run(library, "window", bits, list(columns.values()), 8)
    ok = found[0] == 0
    assert 0.1 < np.mean(ok.astype(float)) < 0.9
    kept = {name: column[ok] for name, column in columns.items()}
    parts = {f"{k}.{name}": part.fields[name].term for k, part in enumerate(one.parts[0]) for name in RANGE}
    compare(program, columns, {"status": one.status}, found[:1])
    compare(program, kept, parts | {"before": one.before[0]}, found[1:, ok])


RANGE = ("start", "count", "step")


@pytest.mark.parametrize("bits", [8, 16, 64])
@pytest.mark.parametrize("name", OPERATORS)
def test_arithmetic_of_dims(library, bits, name):
    rng = np.random.default_rng(bits)
    for tight in (False, True):
        pair = any_pair(units(["dim"], bits), tight)
        status, made = arithmetic(pair, name)
        columns = {}
        for side in ("a", "b"):
            ends = np.sort(np.stack([draw(rng, bits, 0), draw(rng, bits, 0)]), axis=0)
            columns |= {f"{side}.value.lo": ends[0], f"{side}.value.hi": ends[1]}
            columns[f"{side}.id"] = choose(rng, bits, [1, 2]) * (ends[0] != ends[1])
        columns["inference.last_id"] = choose(rng, bits, [100])
        operator = choose(rng, bits, [list(OPERATORS).index(name)])
        found = run(library, "arithmetic", bits, [operator, operator * 0 + tight, *list(columns.values())[:6]], 4)
        ok = found[0] == 0
        kept = {key: column[ok] for key, column in columns.items()}
        low, high = terms(made.fields["value"], "lo", "hi")
        compare(pair.program, columns, {"status": status}, found[:1])
        compare(pair.program, kept, {"lo": low, "hi": high, "id": made.fields["id"].term}, found[1:, ok])


def test_a_wrong_term_is_noticed(library):
    program, expected = between(16)
    columns = {"begin": np.array([1, 2]), "end": np.array([5, 9]), "step": np.array([2, 3])}
    found = run(library, "between", 16, list(columns.values()), 3)
    compare(program, columns, expected, found)
    with pytest.raises(AssertionError):
        compare(program, columns, expected | {"count": expected["count"] + constant(1).term}, found)
