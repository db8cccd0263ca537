"""Results of several runs: pieces of one run become one, and those of different processors stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ssop.testing.bench.cases import CLASSES
from ssop.testing.bench.kind import SIZES
from ssop.testing.bench.results import Results, measured_before, summary
from ssop.testing.bench.targets import Targets

SAME = ("cpu", "cpus", "caches", "kernels", "environment", "system")
"""Facts of the machine that pieces of one run share."""


def merged(runs: Sequence[Results], targets: Targets) -> list[Results]:
    """Return one result per processor, CPU target and number of threads, in the order in which they come first.

    If a case was measured several times, the last measurement counts. All is judged by `targets`.
    """
    groups: dict[tuple[object, ...], list[Results]] = {}
    for run in runs:
        key = (run["threads"], run["quick"], *(run["machine"].get(name) for name in SAME))
        groups.setdefault(key, []).append(run)
    return [_one(group, targets) for group in groups.values()]


def _one(runs: Sequence[Results], targets: Targets) -> Results:
    records = {(case["class"], case["size"], case["case"]): case for run in runs for case in run["cases"]}
    classes, sizes = (dict(zip(names, range(len(names)), strict=True)) for names in (CLASSES, tuple(SIZES)))
    ordered = sorted(records, key=lambda key: (classes.get(key[0], len(classes)), sizes.get(key[1], len(sizes))))
    first = runs[0]
    head = {
        **first,
        "command": "; ".join(dict.fromkeys(run["command"] for run in runs)),
        "versions": {name: text for run in runs for name, text in run["versions"].items()},
        "rounds": min(run["rounds"] for run in runs),
        "complete": all(run["complete"] for run in runs),
        "wrong": sum(run["wrong"] for run in runs),
        "skipped": {name: why for run in runs for name, why in run["skipped"].items()},
    }
    measured = [measured_before(records[key]) for key in ordered]
    return {**head, **summary(measured, targets, first["threads"], first["machine"].get("kernels", ""))}


def side_by_side(groups: Sequence[Results]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table: per processor each cell's ratio to NumPy and fraction of the limit."""
    header = ["class", "size"]
    for number in range(1, len(groups) + 1):
        header += [f"{number}: numpy", f"{number}: limit"]
    cells = [{(cell["class"], cell["size"]): cell for cell in group["cells"]} for group in groups]
    keys = dict.fromkeys(key for one in cells for key in one)
    rows = [[*key, *(text for one in cells for text in _pair(one.get(key)))] for key in keys]
    means = [text for group in groups for text in _pair(group["geometric_mean"])]
    return header, [*rows, ["geometric mean", "", *means]]


def _pair(cell: Results | None) -> list[str]:
    if cell is None:
        return ["-", "-"]
    against = cell["ratios"].get("numpy")
    return [f"{against[1]:.2f}" if against else "-", f"{cell['limit'][1]:.2f}"]


def title(number: int, group: Results) -> str:
    """Return what a number in the table's header stands for."""
    machine = group["machine"]
    target = f", kernels {machine['kernels']}" if "kernels" in machine else ""
    return f"{number}: {machine['cpu']}{target}, threads {group['threads']}"
