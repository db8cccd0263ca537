"""Writes what docs/performance.md shows of the recorded results: its table of processors and its chart.

    python tools/performance.py [--check]

The results are the tables of docs/performance/*.md, which `ssop bench --markdown` made. With --check nothing is
written, and the exit code is 1 if the table or the chart is not current.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
PAGE, CHART, CHARTED = DOCS / "performance.md", DOCS / "performance/against-numpy.svg", "zen4"
PROCESSORS = ("granite_rapids", "emerald_rapids", "zen5", "zen4", "zen3")
RUNS = ("Caches, one thread", "Memory, one thread", "L3 and memory, two threads")
BEGIN, END = "<!-- processors: tools/performance.py -->\n", "<!-- end -->\n"
SIZES = {"L2": "#2166ac", "DRAM": "#c2571a"}

STYLE = """.ssop-chart { --paper: #ffffff; --ink: #1a1a1a; --grid: #c4c4c4; background: var(--paper);
  font: 12px/1.2 system-ui, sans-serif; }
@media screen and (prefers-color-scheme: dark) { .ssop-chart { --paper: #161a1f; --ink: #f0f0f0; --grid: #4a5058; } }
.ssop-chart text { fill: var(--ink); }
.ssop-chart line { stroke: var(--grid); }
.ssop-chart .equal { stroke: var(--ink); }"""


class Cell(NamedTuple):
    """A row of a table."""

    name: str
    size: str
    numpy: float
    limit: float | None


def runs(processor: str) -> Iterator[tuple[str, str, list[Cell]]]:
    """Yield what each table of a page measured, with which kernels, and its rows."""
    text = (DOCS / f"performance/{processor}.md").read_text(encoding="utf-8")
    for title, kernels, body in re.findall(r"^## ([^\n]*) \((\w+)\)\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S):
        lines = [line for line in body.splitlines() if line.startswith("|")]
        table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        column = {name: i for i, name in enumerate(table[0])}
        yield (
            title,
            kernels,
            [
                Cell(row[0], row[1], float(row[column["numpy"]].split()[0]), _first(row, column.get("limit")))
                for row in table[2:]
                if row[column["numpy"]] != "-"
            ],
        )


def _first(row: list[str], column: int | None) -> float | None:
    return None if column is None or row[column] == "-" else float(row[column].split()[0])


def processors() -> str:
    """Return the geometric means of each processor."""
    lines = ["| " + " | ".join(("processor", "kernels", *RUNS)) + " |", "| :-- | :-- | :-- | :-- | :-- |"]
    for processor in PROCESSORS:
        text = (DOCS / f"performance/{processor}.md").read_text(encoding="utf-8")
        means = {(kernels, title): cells[-1] for title, kernels, cells in runs(processor)}
        for kernels in dict.fromkeys(kernels for kernels, title in means if title in RUNS or "All sizes" in title):
            link = f"[{text.partition(chr(10))[0][2:]}](performance/{processor}.md)"
            shown = [_mean(means.get((kernels, name))) for name in RUNS]
            whole = [means.get((kernels, f"All sizes, {threads}")) for threads in ("one thread", "two threads")]
            if all(whole):
                shown = [f"{_mean(whole[0])}, with memory", "-", f"{_mean(whole[1])}, with caches"]
            lines.append(f"| {link} | `{kernels}` | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def _mean(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    assert cell.name == "geometric mean", cell
    return f"{cell.numpy:.2f}" + ("" if cell.limit is None else f", {cell.limit:.2f}")


def chart() -> str:
    """Return an SVG with the ratio to NumPy of every class, in the L2 cache and from memory, one thread."""
    measured: dict[str, dict[str, float]] = {}
    for title, kernels, cells in runs(CHARTED):
        if title in RUNS[:2] and kernels == "avx512":
            for cell in cells:
                if cell.size in SIZES:
                    measured.setdefault(cell.name, {})[cell.size] = cell.numpy
    left, right, top, step, ticks = 140, 700, 50, 17, (0.5, 1, 2, 4, 8, 16, 32)

    def x(ratio: float) -> float:
        return round(left + (right - left) * math.log(ratio / ticks[0]) / math.log(ticks[-1] / ticks[0]), 1)

    bottom = top + step * len(measured)
    label = "Speed of ssop divided by NumPy's for each class of copies, AMD Zen 4, one thread"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ssop-chart" role="img" aria-label="{label}" '
        f'viewBox="0 0 720 {bottom + 30}" width="720" height="{bottom + 30}">',
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="720" height="{bottom + 30}" style="fill: var(--paper)"/>',
        f'<text x="{left}" y="18">times as fast as NumPy, AMD Zen 4, one thread</text>',
    ]
    for i, (size, colour) in enumerate(SIZES.items()):
        text = {"L2": "in the L2 cache", "DRAM": "from memory"}[size]
        lines += [
            f'<circle cx="{left + 6 + 130 * i}" cy="33" r="4.5" fill="{colour}"/>',
            f'<text x="{left + 16 + 130 * i}" y="37">{text}</text>',
        ]
    for tick in ticks:
        kind = ' class="equal"' if tick == 1 else ""
        lines += [
            f'<line{kind} x1="{x(tick)}" x2="{x(tick)}" y1="{top - 4}" y2="{bottom}"/>',
            f'<text x="{x(tick)}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>',
        ]
    for i, (name, ratios) in enumerate(measured.items()):
        y = top + step * i + step // 2
        lines.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{name}</text>')
        for size, ratio in ratios.items():
            assert ticks[0] <= ratio <= ticks[-1], (name, size, ratio)
            lines.append(f'<circle cx="{x(ratio)}" cy="{y}" r="4.5" fill="{SIZES[size]}"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def page() -> str:
    """Return docs/performance.md with the table as it should be."""
    head, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    assert begin, f"{PAGE.name}: no line {BEGIN}"
    return head + begin + "\n" + processors() + "\n" + END + rest.partition(END)[2]


def main() -> int:
    made = {PAGE: page(), CHART: chart()}
    if "--check" in sys.argv[1:]:
        stale = [path.name for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
        for name in stale:
            print(f"{name} is not current: python tools/performance.py")
        return bool(stale)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
