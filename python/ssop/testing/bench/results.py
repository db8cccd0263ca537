"""A run and its results as a dictionary that goes to JSON: all times, and what follows from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from itertools import groupby
from typing import Any, NamedTuple

import ssop
from ssop.testing.bench.cases import CLASSES, each_case
from ssop.testing.bench.contenders import Team
from ssop.testing.bench.kind import SIZES
from ssop.testing.bench.machine import facts
from ssop.testing.bench.measuring import (
    Interval,
    Measured,
    WrongBytes,
    geometric_mean,
    interval,
    mean_interval,
    measure_case,
    ratios,
)
from ssop.testing.bench.targets import Check, Targets, check_case, check_least, worst

FORMAT = 2

Results = dict[str, Any]


class Options(NamedTuple):
    """What a run measures, and how."""

    classes: Sequence[str] = CLASSES
    sizes: Sequence[str] = tuple(SIZES)
    rounds: int = 15
    threads: int = 1
    seed: int = 0
    quick: bool = False
    command: str = ""


def run(
    options: Options, team: Team, targets: Targets, show: Callable[[int, int, str], object] | None = None
) -> Results:
    """Measure all cases and return the results; after Ctrl-C those of the cases measured so far.

    "wrong" counts the cases in which ssop's own bytes were not NumPy's; they are not measured. `show` is told the
    number of each case, how many there are, and its name.
    """
    rng = random.Random(options.seed)
    machine = facts()
    started = datetime.now(timezone.utc)
    chosen = list(each_case(options.classes, options.sizes, options.quick))
    measured: list[Measured] = []
    skipped: dict[str, str] = {}
    complete, wrong = True, 0
    try:
        for number, case in enumerate(chosen, 1):
            if show is not None:
                show(number, len(chosen), f"{case.group} {case.size} {case.name}")
            try:
                measured.append(measure_case(case, team, options.rounds, rng, options.quick))
            except MemoryError:
                skipped[f"{case.group} {case.size} {case.name}"] = "not enough memory"
            except WrongBytes as error:
                skipped[f"{case.group} {case.size} {case.name}"] = str(error)
                wrong += 1
    except KeyboardInterrupt:
        complete = False
    head = {
        "format": FORMAT,
        "command": options.command,
        "date": started.isoformat(timespec="seconds"),
        "machine": machine,
        "versions": team.versions,
        "threads": options.threads,
        "ssop_threads": options.threads if hasattr(ssop, "set_num_threads") else 1,
        "rounds": options.rounds,
        "seed": options.seed,
        "quick": options.quick,
        "complete": complete,
        "wrong": wrong,
        "skipped": skipped,
    }
    return {**head, **summary(measured, targets, options.threads, machine["kernels"])}


def summary(measured: Iterable[Measured], targets: Targets, threads: int, kernels: str) -> Results:
    """Return the cases, the cells (class x size) and the geometric mean of the cells, with their verdicts.

    `kernels` is the CPU target, on which the floor of the mean depends.
    """
    pairs = [(one, _case(one, targets, threads)) for one in measured]
    cells, columns = [], []
    for _, group in groupby(pairs, key=lambda pair: (pair[0].group, pair[0].size)):
        members = list(group)
        cell, means = _cell(members, targets)
        cells.append(cell)
        columns.append(means)
    return {
        "cases": [record for _, record in pairs],
        "cells": cells,
        "geometric_mean": _mean(columns, targets.mean_floor(threads, kernels)) if cells else None,
    }


def _case(measured: Measured, targets: Targets, threads: int) -> Results:
    times, name, size = measured.times, measured.name, measured.size
    ns = {name: interval(values) for name, values in times.items()}
    against = {name: interval(ratios(times, name)) for name in times if name != "ssop"}
    limit = interval(measured.fractions)
    floor = targets.floor(measured.group, name, size, threads)
    check = check_case({**against, "limit": limit}, ns["ssop"], floor)
    return {
        "class": measured.group,
        "case": name,
        "size": size,
        "bytes": measured.nbytes,
        "gb_per_s": {name: round(measured.nbytes / value.median, 4) for name, value in ns.items()},
        "ns": ns,
        "ratios": against,
        "limit": limit,
        "limit_ns": {name: interval(values) for name, values in measured.limits.items()},
        "touched": dict(zip(("read", "written"), measured.touched, strict=True)),
        "floor": floor,
        **_judged(check),
        "rejected": measured.rejected,
        "times_ns": times,
        "limit_times_ns": measured.limits,
    }


def measured_before(record: Results) -> Measured:
    """Return what a record of a case was made from."""
    return Measured(
        group=record["class"],
        name=record["case"],
        size=record["size"],
        nbytes=record["bytes"],
        times=record["times_ns"],
        rejected=record["rejected"],
        limits=record["limit_times_ns"],
        touched=(record["touched"]["read"], record["touched"]["written"]),
    )


def _judged(check: Check | None, name: str = "") -> Results:
    text = f"{name} {check.text}".strip() if check else None
    return {"verdict": check.verdict if check else None, "because": text}


def _cell(members: Sequence[tuple[Measured, Results]], targets: Targets) -> tuple[Results, dict[str, list[float]]]:
    """Return a cell, and per contender and for the limit the geometric mean of its cases per round."""
    first = members[0][0]
    names = dict.fromkeys(name for one, _ in members for name in one.times if name != "ssop")
    against: dict[str, Interval] = {}
    took_part: dict[str, int] = {}
    means: dict[str, list[float]] = {}
    for name in names:
        columns = [ratios(one.times, name) for one, _ in members if name in one.times]
        against[name], means[name], took_part[name] = mean_interval(columns), _means(columns), len(columns)
    fractions = [one.fractions for one, _ in members]
    means["limit"] = _means(fractions)
    best = _best(members, targets)
    checks = [
        (Check(record["verdict"], record["because"]), record["case"]) for _, record in members if record["verdict"]
    ]
    found = worst(check for check, _ in checks)
    name = next((name for check, name in checks if check is found), "")
    cell = {
        "class": first.group,
        "size": first.size,
        "cases": len(members),
        "ratios": against,
        "limit": mean_interval(fractions),
        "took_part": took_part,
        **_judged(found, name),
        "best_other": best,
    }
    return cell, means


def _means(columns: Sequence[Sequence[float]]) -> list[float]:
    return [geometric_mean(row) for row in zip(*columns, strict=False)]


def _best(members: Sequence[tuple[Measured, Results]], targets: Targets) -> Results | None:
    """Return how ssop stands against the fastest other contender of each case, memcpy aside."""
    winners, columns = [], []
    for one, record in members:
        others = [name for name in one.times if name not in ("ssop", "memcpy")]
        if others:
            winners.append(min(others, key=lambda name: record["ns"][name].median))
            columns.append(ratios(one.times, winners[-1]))
    if not columns:
        return None
    value = mean_interval(columns)
    name = Counter(winners).most_common(1)[0][0]
    return {"name": name, "ratio": value, **_judged(check_least("best other", value, targets.best_other))}


def _mean(columns: Sequence[dict[str, list[float]]], floor: float | None) -> Results:
    """Return the geometric mean of the cells per contender, over the cells in which it took part, and of the limit."""
    names = dict.fromkeys(name for column in columns for name in column)
    of = {name: [column[name] for column in columns if name in column] for name in names}
    against = {name: mean_interval(cells) for name, cells in of.items()}
    check = check_least("numpy", against["numpy"], floor) if floor is not None and "numpy" in against else None
    return {
        "limit": against.pop("limit"),
        "ratios": against,
        "cells": {name: len(of[name]) for name in against},
        **_judged(check),
    }
