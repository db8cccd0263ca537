"""Reports as plain text, and as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ssop._inspect.hazards import Finding
from ssop._inspect.moved import is_pad, is_update
from ssop._inspect.records import NEGATIVE_DIM, PASTED, NodeCall, RunTime
from ssop._inspect.reports import NodeReport, Report, dims_text
from ssop._inspect.verdicts import DIFFERS, ERROR, Judged
from ssop._text import printable

HEADS = ("node", "takes", "of", "gives", "verdict")


def report_text(report: Report) -> str:
    """All nodes, a table of one row each, then the hazards; a single node with everything that is known of it."""
    lines = [] if report.model.path == PASTED else [*heading(report), ""]
    if len(report.nodes) == 1:
        return "\n".join([*lines, *details(report.nodes[0])])
    rows = [HEADS, *map(row, report.nodes)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADS) - 1)]
    for cells in rows if report.nodes else []:
        lines.append("  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)), cells[-1]]))
    return "\n".join([*lines, *hazards(report)]).rstrip()


def print_tables(report: Report) -> None:
    """The same on a terminal, with a table that fits its width; colours are rich's, which obeys NO_COLOR."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Column, Table
    from rich.text import Text

    console = Console(highlight=False)
    for line in heading(report):
        console.print(escape(printable(line)))
    table = Table(*(Column(head, overflow="fold") for head in HEADS), box=SIMPLE_HEAD, pad_edge=False)
    for node in report.nodes:
        table.add_row(*(escape(printable(cell)) for cell in row(node)))
    if report.nodes:
        console.print(table)
    for line in hazards(report):
        line = printable(line)
        text = line.lstrip(" ")
        if not text:
            console.print()
            continue
        colour = "red" if text.startswith("error:") else "yellow" if text.startswith("warning:") else ""
        console.print(Padding(Text(text, colour), (0, 0, 0, len(line) - len(text)), expand=False))


def heading(report: Report) -> list[str]:
    """What the file is, and how much of it slices."""
    model = report.model
    count = f"{len(model.nodes)} of {model.operators} operators slice"
    return [f"{model.path}: {model.version}; {count}", *(f"  {note}" for note in model.notes)]


def row(report: NodeReport) -> tuple[str, ...]:
    """One node in five cells."""
    node, judged = report.node, report.judged
    shape = next(iter(judged.shapes.values()), node.declared_shape)
    formulas = next(iter(judged.formulas.values()), ())
    functions = " + ".join(call.function.partition(".")[2] for call in node.calls)
    if report.index is not None:
        takes = f"{'writes ' if is_update(node) else ''}{report.index}"
    else:
        takes = functions + (" of run-time bounds" if any(call.at_run_time for call in node.calls) else "")
    gives = dims_text(shape, formulas) if not isinstance(shape, str) else "an error"
    return node.name, takes, dims_text(node.input_shape), gives, judged.verdict.kind.removesuffix(" everywhere")


def hazards(report: Report) -> Iterator[str]:
    """Every hazard in a line, and the calls that are equal everywhere below those of a node; how many there are."""
    for one in report.nodes:
        if not one.findings:
            continue
        yield ""
        yield one.node.name + (f" ({one.node.source})" if one.node.source else "")
        for finding in by_severity(one.findings):
            yield f"  {finding.severity}: {finding.message} [{finding.hazard} {finding.label}]"
        yield from _rewriting(one)
    if report.findings:
        yield ""
        yield counts(report.findings)


SEVERITIES = ("error", "warning", "note")


def by_severity(found: Sequence[Finding]) -> list[Finding]:
    """Errors first."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def counts(found: Sequence[Finding]) -> str:
    """How many hazards of each severity there are, and what tells of the first."""
    numbers = [(sum(finding.severity == severity for finding in found), severity) for severity in SEVERITIES]
    told = ", ".join(f"{number} {severity}{'s' * (number > 1)}" for number, severity in numbers if number)
    return f"{told}. More: ssop inspect --about {by_severity(found)[0].hazard}"


def details(report: NodeReport) -> Iterator[str]:
    """Everything that is known of one node."""
    node, judged = report.node, report.judged
    yield f"{node.name}: {node.operator} in {node.graph}" + (f", from {node.source}" if node.source else "")
    for call in node.calls:
        yield f"  call      {call_text(call)}"
    yield f"  {'writes' if is_update(node) else 'takes '}    {_takes(report)}"
    yield f"  of        {node.operand} {dims_text(node.input_shape)}" + (f" {node.dtype}" if node.dtype else "")
    for outcome, engines in _by_outcome(judged).items():
        yield f"  gives     {outcome} in {engines}" if outcome.startswith("(") else f"  gives     {engines}: {outcome}"
    if node.declared_shape is not None:
        yield f"  declared  {dims_text(node.declared_shape)} in the file"
    yield f"  verdict   {judged.verdict}"
    if report.rules:
        yield f"  rules     {', '.join(report.rules)} (SPEC.md)"
    for finding in by_severity(report.findings):
        yield f"  {finding.severity + ':':9} {finding.message} [{finding.hazard} {finding.label}]"
    yield from (f"  note:     {note}" for note in node.notes if note != NEGATIVE_DIM)
    yield from _rewriting(report)


def _takes(report: NodeReport) -> str:
    if report.index is not None:
        return report.index
    if report.judged.verdict.kind == ERROR:
        return "nothing: it is an error"
    if any(call.at_run_time for call in report.node.calls):
        return "what its bounds say when it runs"
    if is_pad(report.node):
        return "x, padded"
    return "what no index of NumPy takes" if report.judged.verdict.kind == DIFFERS else "?"


def _by_outcome(judged: Judged) -> dict[str, str]:
    """Each shape, or the words of an error, with the engines that give it."""
    engines: dict[str, list[str]] = {}
    for name, shape in judged.shapes.items():
        text = dims_text(shape, judged.formulas.get(name, ()))
        outcome = f"an error: {text}" if isinstance(shape, str) else text
        engines.setdefault(outcome, []).append(name)
    return {
        outcome: "every engine" if len(names) == len(judged.shapes) > 1 else ", ".join(names)
        for outcome, names in engines.items()
    }


def _rewriting(report: NodeReport) -> Iterator[str]:
    if report.rewriting is not None:
        yield "  instead:"
        yield from (f"    {line}" for line in report.rewriting.splitlines())


def call_text(call: NodeCall) -> str:
    """A call with its arguments by name, without masks that have no bit."""
    given = {name: value for name, value in call.arguments.items() if value is not None}
    shown = ", ".join(
        f"{name}={_argument(value)}" for name, value in given.items() if value or not name.endswith("_mask")
    )
    return f"{call.function}({shown})"


def _argument(value: Any) -> str:
    if isinstance(value, RunTime):
        return str(value)
    return str(list(value)) if isinstance(value, tuple) else repr(value)
