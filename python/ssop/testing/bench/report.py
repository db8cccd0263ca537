"""Results as text for a terminal, as Markdown for the documents, and as a picture."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from ssop._files import read_text
from ssop._text import printable
from ssop._whole_files import write_whole
from ssop.testing.bench.merging import side_by_side, title
from ssop.testing.bench.results import FORMAT, Results
from ssop.testing.bench.targets import MISSED, NOISE, REACHED

MISFITS = (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What is raised by results that somebody changed, besides ValueError."""

COLOURS = {REACHED: "32", NOISE: "33", MISSED: "31"}

LEGEND = (
    "How many times faster ssop is (memcpy: the fraction of its speed; limit: the fraction of the machine's limit): "
    "medians of per-round ratios, for NumPy, the limit and the best other contender with their quartiles; a cell is "
    "the geometric mean of its cases. The limit is the time of one memcpy of the cache lines that must be read and "
    "written, in L1 and tiny plus that of a call that has nothing to do."
)

VERDICTS = "The verdict of a cell is that of its worst case."


def read_results(path: Path) -> Results:
    """Read what `--json` wrote; ValueError for anything else."""
    try:
        results = _printable(json.loads(read_text(path)))
        if results["format"] != FORMAT:
            raise ValueError(f"format {results['format']}, not {FORMAT}")
        text(results), markdown(results)
    except (*MISFITS, ValueError) as error:
        raise ValueError(f"{path.name}: no results of ssop bench: {error}") from None
    return dict(results)


def _printable(value: Any) -> Any:
    """Data with the control characters of its texts escaped: they are printed."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(name): _printable(one) for name, one in value.items()}
    return [_printable(one) for one in value] if isinstance(value, list) else value


def write_results(results: Results, path: Path) -> None:
    """Write the results as JSON; times in ns, rounded to 0.1."""
    cases = [
        {**case, **{key: _rounded(case[key]) for key in ("times_ns", "limit_times_ns")}} for case in results["cases"]
    ]
    write_whole(str(path), (json.dumps({**results, "cases": cases}, indent=1) + "\n").encode())


def _rounded(times: dict[str, list[float]]) -> dict[str, list[float]]:
    return {name: [round(ns, 1) for ns in values] for name, values in times.items()}


def facts_lines(results: Results) -> list[str]:
    """Return the lines without which no number means anything."""
    machine = ", ".join(text if key == "cpu" else f"{key} {text}" for key, text in results["machine"].items())
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    quick = " (quick: few cases, short batches)" if results["quick"] else ""
    lines = [
        f"command   {results['command']}{quick}",
        f"machine   {machine}",
        f"versions  {versions}",
        f"run       {results['date']}, threads {results['threads']}, rounds {results['rounds']}, "
        f"seed {results['seed']}",
    ]
    if results["ssop_threads"] != results["threads"]:
        lines.append(f"note      this ssop has {results['ssop_threads']} thread")
    if not results["complete"]:
        lines.append("note      interrupted: only what was measured so far")
    return lines + [f"skipped   {name}: {why}" for name, why in results["skipped"].items()]


def text(results: Results, colour: bool = False) -> str:
    """Return the results for a terminal."""
    return "\n".join(
        [*facts_lines(results), "", *_aligned(*_rows(results), colour), "", *notes(results), LEGEND, VERDICTS]
    )


def _aligned(header: list[str], rows: list[list[str]], colour: bool) -> list[str]:
    """Return the lines of a table for a terminal."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [
            cell.ljust(w) if _is_text(i, header) else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        verdict = next((v for v in COLOURS if row[-1].startswith(v)), None)
        if colour and verdict:
            line = line.replace(verdict, f"\033[{COLOURS[verdict]}m{verdict}\033[0m")
        lines.append(line)
    return lines


def markdown(results: Results) -> str:
    """Return the results for a document."""
    header, rows = _rows(results)
    table = _table(header[:-1], [row[:-1] for row in rows])  # a document says what was measured, not what was demanded
    first, *facts = (line.partition(" ") for line in (*facts_lines(results), *rejections(results)))
    listed = [f"- {name}: {escape(content.strip(), quote=False)}" for name, _, content in facts]
    return "\n".join([f"`{first[2].strip().replace('`', '')}`", "", *listed, "", LEGEND, "", *table]) + "\n"


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table for a document."""
    rule = [":--" if _is_text(i, header) else "--:" for i in range(len(header))]
    cells = ([escape(cell, quote=False).replace("|", "\\|") for cell in row] for row in (header, rule, *rows))
    return ["| " + " | ".join(row) + " |" for row in cells]


def comparison(groups: Sequence[Results], as_markdown: bool) -> str:
    """Return the cells of several processors side by side."""
    header, rows = side_by_side(groups)
    titles = [title(number, group) for number, group in enumerate(groups, 1)]
    if as_markdown:
        return "\n".join([*(f"- {line}" for line in titles), "", *_table(header, rows), ""])
    return "\n".join([*titles, "", *_aligned(header, rows, False)])


def notes(results: Results) -> list[str]:
    """Return the lines that sum up: the mean, how many cells reached what, where others are ahead, who was rejected."""
    lines = []
    mean = results["geometric_mean"]
    if mean and mean["verdict"]:
        lines.append(f"geometric mean: {mean['verdict']} ({mean['because']})")
    counts = [sum(cell["verdict"] == verdict for cell in results["cells"]) for verdict in COLOURS]
    if any(counts):
        texts = (f"{count} {verdict}" for count, verdict in zip(counts, COLOURS, strict=True))
        lines.append("floors: " + ", ".join(texts) + f", of {len(results['cells'])} cells")
    behind = [
        f"{cell['class']} {cell['size']} ({cell['best_other']['name']} {cell['best_other']['ratio'][1]:.2f})"
        for cell in results["cells"]
        if cell["best_other"] and cell["best_other"]["verdict"] == MISSED
    ]
    if behind:
        lines.append("behind the best other contender: " + ", ".join(behind))
    return lines + rejections(results)


def rejections(results: Results) -> list[str]:
    """Return a line for each reason for which cases of a contender were left out."""
    rejected: dict[str, int] = {}
    for case in results["cases"]:
        for name, why in case["rejected"].items():
            rejected[f"{name}: {why}"] = rejected.get(f"{name}: {why}", 0) + 1
    return [f"rejected   {reason} ({count} cases)" for reason, count in rejected.items()]


def _is_text(column: int, header: Sequence[str]) -> bool:
    return column in (0, 1) or header[column] in ("best other", "verdict")


def _rows(results: Results) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the table, as text."""
    names = [name for name in results["versions"] if name != "ssop"]
    many = len([name for name in names if name != "memcpy"]) > 1
    header = ["class", "size", "cases", *names, "limit", *(["best other"] if many else []), "verdict"]
    rows = []
    for cell in results["cells"]:
        best = cell["best_other"]
        others = [f"{_spread(best['ratio'])} {best['name']}" if best else ""] if many else []
        verdict = cell["verdict"] or "no floor"
        because = f": {cell['because']}" if cell["because"] and verdict != REACHED else ""
        rows.append(
            [
                cell["class"],
                cell["size"],
                str(cell["cases"]),
                *_ratios(cell["ratios"], names),
                _spread(cell["limit"]),
                *others,
                verdict + because,
            ]
        )
    mean = results["geometric_mean"]
    if mean:
        cells = str(len(results["cells"]))
        blank, ratios = [""] if many else [], [*_ratios(mean["ratios"], names), _spread(mean["limit"])]
        rows.append(["geometric mean", "", cells, *ratios, *blank, mean["verdict"] or "no floor"])
    return header, rows


def _ratios(ratios: dict[str, Sequence[float]], names: Sequence[str]) -> list[str]:
    shown = []
    for name in names:
        value = ratios.get(name)
        shown.append("-" if value is None else _spread(value) if name == "numpy" else _number(value[1]))
    return shown


def _number(value: float) -> str:
    """Return three digits.

    >>> _number(0.01234), _number(1.239), _number(123.4)
    ('0.0123', '1.24', '123')
    """
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, digits)}f}"


def _spread(value: Sequence[float]) -> str:
    return f"{_number(value[1])} ({_number(value[0])}..{_number(value[2])})"


def require_matplotlib() -> None:
    """ValueError if it is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError("--plot needs matplotlib: pip install matplotlib") from None


def plot(results: Results, path: Path) -> None:
    """Draw every cell's ratios against NumPy and the best other, and its fraction of the limit, with their floors."""
    from matplotlib.figure import Figure

    cells = [cell for cell in results["cells"] if "numpy" in cell["ratios"]][::-1]
    figure = Figure(figsize=(12, 1.5 + 0.24 * len(cells)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    _points(left, [cell["ratios"]["numpy"] for cell in cells], "o", "against NumPy")
    if any(cell["best_other"] and cell["best_other"]["name"] != "numpy" for cell in cells):
        _points(left, [cell["best_other"]["ratio"] for cell in cells], "x", "against the best other")
    _points(right, [cell["limit"] for cell in cells], "o", "of the limit")
    for axes, measure in ((left, "numpy"), (right, "limit")):
        floors = [
            [case["floor"][measure] for case in _cases(results, cell) if measure in case["floor"]] for cell in cells
        ]
        for row, values in enumerate(floors):
            axes.plot(values, [row] * len(values), "|", color="tab:red", label="floors" if row == 0 else None)
        axes.axvline(1, color="black", linewidth=0.8)
        axes.grid(axis="x", alpha=0.3)
        axes.legend(loc="best")
    left.set(xscale="log", xlabel="times faster", title=f"ssop, threads {results['threads']}")
    right.set(xlabel="fraction of the limit", xlim=(0, None))
    left.set_yticks(range(len(cells)), [f"{cell['class']} {cell['size']}" for cell in cells])
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:])
    write_whole(str(path), drawn.getvalue())


def _points(axes: Any, values: Sequence[Sequence[float]], marker: str, label: str) -> None:
    middle = [value[1] for value in values]
    spread = [[value[1] - value[0] for value in values], [value[2] - value[1] for value in values]]
    axes.errorbar(middle, range(len(values)), xerr=spread, fmt=marker, markersize=4, label=label)


def _cases(results: Results, cell: Results) -> list[Results]:
    key = (cell["class"], cell["size"])
    return [case for case in results["cases"] if (case["class"], case["size"]) == key]
