"""What must be reached (`benchmarks/targets.json`), and whether a run reached it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import ssop
from ssop._files import read_text
from ssop.testing.bench.cases import CLASSES, each_case
from ssop.testing.bench.kind import SIZES
from ssop.testing.bench.measuring import Interval

REACHED, NOISE, MISSED = "reached", "inside the noise", "not reached"
WORST_FIRST = (MISSED, NOISE, REACHED)

LEAST = ("numpy", "memcpy", "limit")
"""Least ratio against NumPy, least fraction of memcpy's speed, least fraction of the machine's limit."""

MEASURES = (*LEAST, "ns")
"""What a floor can demand: also the most nanoseconds per call."""


class Check(NamedTuple):
    """One number against its floor."""

    verdict: str
    text: str
    """Such as "numpy 1.7 < 10"."""


class Targets(NamedTuple):
    """The content of a targets file."""

    floors: list[dict[str, Any]]
    geometric_mean: dict[str, dict[str, float]]
    """CPU target, or "others" -> threads -> least geometric mean of the cells against NumPy."""
    best_other: float
    """Least ratio of any cell against the best of all other contenders but memcpy."""

    def floor(self, group: str, name: str, size: str, threads: int) -> dict[str, float]:
        """Return measure -> number for a case; empty if nothing is demanded of it."""
        fitting = [
            floor
            for floor in self.floors
            if (floor["class"], floor["size"]) == (group, size)
            and floor["threads"] <= threads
            and name in floor.get("cases", [name])
        ]
        most = max((floor["threads"] for floor in fitting), default=0)
        return {key: floor[key] for floor in fitting if floor["threads"] == most for key in MEASURES if key in floor}

    def mean_floor(self, threads: int, kernels: str) -> float | None:
        """Return the least geometric mean for so many threads and this CPU target."""
        floors = self.geometric_mean.get(kernels, self.geometric_mean.get("others", {}))
        fitting = [int(count) for count in floors if int(count) <= threads]
        return floors[str(max(fitting))] if fitting else None


NO_TARGETS = Targets([], {}, 0.0)


def default_file() -> Path | None:
    """Return the targets file of the checkout that ssop runs from, or of the working directory; else None."""
    name = Path("benchmarks", "targets.json")
    found = (root / name for root in (Path(ssop.__file__).parents[2], Path()) if (root / name).is_file())
    return next(found, None)


def read_targets(path: Path) -> Targets:
    """Read a targets file; ValueError if it is malformed, or names a class, case or size that does not exist."""
    try:
        content = json.loads(read_text(path))
        targets = Targets(content["floors"], content["geometric_mean"], float(content["best_other"]))
        known = {(case.group, case.name, case.size) for case in each_case()}
        for floor in targets.floors:
            group, size, names = floor["class"], floor["size"], floor.get("cases")
            if group not in CLASSES or size not in SIZES or not isinstance(floor["threads"], int):
                raise ValueError(f"no class {group!r} with a size {size!r}")
            here = {name for of, name, at in known if (of, at) == (group, size)}
            if not here or not set(names or here) <= here:
                raise ValueError(f"class {group!r} has no cases {names} of size {size}")
            if not any(key in floor for key in MEASURES):
                raise ValueError(f"a floor of {group!r} {size} demands nothing")
            _check_numbers({key: floor[key] for key in MEASURES if key in floor})
        for least in targets.geometric_mean.values():
            _check_numbers({int(count): number for count, number in least.items()})
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path.name}: no targets file: {error}") from None
    return targets


def _check_numbers(floors: Mapping[Any, Any]) -> None:
    for name, number in floors.items():
        if not isinstance(number, int | float):
            raise TypeError(f"the floor of {name} is {number!r}, not a number")


def check_least(what: str, value: Interval, floor: float) -> Check:
    """Compare an interval with the least value it should have.

    >>> check_least("numpy", Interval(4.0, 4.5, 5.5), 5.0)
    Check(verdict='inside the noise', text='numpy 4.5 ~ 5')
    """
    verdict = REACHED if value.low >= floor else MISSED if value.high < floor else NOISE
    return Check(verdict, f"{what} {value.median:.3g} {dict(zip(WORST_FIRST, '<~>', strict=True))[verdict]} {floor:g}")


def check_most(what: str, value: Interval, ceiling: float) -> Check:
    """Compare an interval with the largest value it should have.

    >>> check_most("ns", Interval(80.0, 81.0, 82.0), 85)
    Check(verdict='reached', text='ns 81 < 85')
    """
    verdict = REACHED if value.high <= ceiling else MISSED if value.low > ceiling else NOISE
    return Check(
        verdict, f"{what} {value.median:.3g} {dict(zip(WORST_FIRST, '>~<', strict=True))[verdict]} {ceiling:g}"
    )


def check_case(ratios: Mapping[str, Interval], ns: Interval, floor: Mapping[str, float]) -> Check | None:
    """Return the worst of a case's checks; None if nothing was demanded that was measured."""
    checks = [check_least(name, ratios[name], floor[name]) for name in LEAST if name in floor and name in ratios]
    if "ns" in floor:
        checks.append(check_most("ns", ns, floor["ns"]))
    return worst(checks)


def worst(checks: Iterable[Check]) -> Check | None:
    """Return the worst check, of equals the first."""
    return min(checks, key=lambda check: WORST_FIRST.index(check.verdict), default=None)
