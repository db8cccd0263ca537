"""Reports as plain text, and as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssop._inspect.records import NodeCall, RunTime
from ssop._inspect.reports import NodeReport, Report, dims_text
from ssop.cli.parse import printable

HEADS = ("node", "takes", "of", "gives", "verdict")


def report_text(report: Report) -> str:
    """All nodes, a table of one row each, then the hazards; a single node with everything that is known of it."""
    lines = [*heading(report), ""]
    if len(report.nodes) == 1:
        return "\n".join([*lines, *details(report.nodes[0])])
    rows = [HEADS, *map(row, report.nodes)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADS) - 1)]
    for cells in rows if report.nodes else []:
        lines.append("  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)), cells[-1]]))
    return "\n".join([*lines, *hazards(report)]).rstrip()


def print_tables(report: Report) -> None:
    """The same on a terminal, with a table that fits its width; colours are rich's, which obeys NO_COLOR."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    for line in heading(report):
        console.print(escape(printable(line)))
    table = Table(*HEADS)
    for node in report.nodes:
        table.add_row(*(escape(printable(cell)) for cell in row(node)))
    if report.nodes:
        console.print(table)
    for line in hazards(report):
        colour = "red" if line.startswith("  error") else "yellow" if line.startswith("  warning") else None
        console.print(escape(printable(line)), style=colour, highlight=False)


def heading(report: Report) -> list[str]:
    """What the file is, and how much of it slices."""
    model = report.model
    count = f"{len(model.nodes)} of {model.operators} operators move slices"
    return [f"{model.path}: {model.version}; {count}", *(f"  {note}" for note in model.notes)]


def row(report: NodeReport) -> tuple[str, ...]:
    """One node in five cells."""
    node, judged = report.node, report.judged
    shape = next(iter(judged.shapes.values()), node.declared_shape)
    takes = report.index or " + ".join(call.function.partition(".")[2] for call in node.calls)
    gives = dims_text(shape) if not isinstance(shape, str) else "an error"
    return node.name, takes, dims_text(node.input_shape), gives, judged.verdict.kind


def hazards(report: Report) -> Iterator[str]:
    """Every hazard in a line, and the calls that are equal everywhere below those of a node."""
    for one in report.nodes:
        if not one.findings:
            continue
        yield ""
        yield one.node.name + (f" ({one.node.source})" if one.node.source else "")
        for finding in one.findings:
            yield f"  {finding.severity}: {finding.message} [{finding.hazard} {finding.label}]"
        yield from _rewriting(one)


def details(report: NodeReport) -> Iterator[str]:
    """Everything that is known of one node."""
    node, judged = report.node, report.judged
    yield f"{node.name}: {node.operator} in {node.graph}" + (f", from {node.source}" if node.source else "")
    for call in node.calls:
        yield f"  {call_text(call)}"
    at_run_time = any(call.at_run_time for call in node.calls)
    yield f"  takes     {report.index or ('what is not known before it runs' if at_run_time else '?')}"
    yield f"  of        {node.operand} {dims_text(node.input_shape)}" + (f" {node.dtype}" if node.dtype else "")
    yield f"  declared  {dims_text(node.declared_shape)}"
    for name, shape in judged.shapes.items():
        yield f"  gives     {dims_text(shape)} in {name}"
    yield f"  verdict   {judged.verdict}"
    if report.rules:
        yield f"  rules     {', '.join(report.rules)} (SPEC.md)"
    for finding in report.findings:
        yield f"  {finding.severity + ':':9} {finding.message} [{finding.hazard} {finding.label}]"
    for note in node.notes:
        yield f"  note:     {note}"
    yield from _rewriting(report)


def _rewriting(report: NodeReport) -> Iterator[str]:
    if report.rewriting is not None:
        yield "  instead:"
        yield from (f"    {line}" for line in report.rewriting.splitlines())


def call_text(call: NodeCall) -> str:
    """A call with its arguments by name."""
    shown = ", ".join(f"{name}={_argument(value)}" for name, value in call.arguments.items() if value is not None)
    return f"{call.function}({shown})"


def _argument(value: Any) -> str:
    if isinstance(value, RunTime):
        return str(value)
    return str(list(value)) if isinstance(value, tuple) else repr(value)
