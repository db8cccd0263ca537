"""Explanations as aligned text, with colours if asked for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ssop._display import index_text
from ssop._explain.facts import Answer, Facts, Table
from ssop.divergences import DOCUMENTS

BOLD, DIM, RED, RESET = "\033[1m", "\033[2m", "\033[31m", "\033[0m"
WIDTH = 110
"""Characters of a line of prose, if a terminal is not narrower. Tables may be wider."""
LEAST_WIDTH = 60


def as_text(explanation: Facts, *, colour: bool = False, width: int = WIDTH) -> str:
    """Return the whole explanation as lines of text, whose prose has at most `width` characters, but at least 60.

    >>> import ssop
    >>> print(as_text(ssop.explain((5,), [-2], [9])).splitlines()[-1])
    ONNX Runtime        the same
    """
    text = "\n".join(_lines(explanation, max(LEAST_WIDTH, min(width, WIDTH))))
    for code in () if colour else (BOLD, DIM, RED, RESET):
        text = text.replace(code, "")
    return text


def _lines(explanation: Facts, width: int) -> Iterator[str]:
    def wrapped(name: str, text: str) -> list[str]:
        return _wrapped(name, text, width)

    yield f"{BOLD}{explanation.call}{RESET}"
    if explanation.error is not None:
        yield f"{RED}is an error{RESET}"
        yield from wrapped("error", str(explanation.error))
        if explanation.failed is not None:
            yield from wrapped("found by the stage", explanation.failed)
        yield from wrapped("nearest that works", explanation.repair or "none was found")
    else:
        yield from wrapped("result shape", str(explanation.shape))
        for reason in explanation.empty:
            yield from wrapped("", reason)
        yield from wrapped("NumPy index", _index(explanation))
    for table in explanation.tables:
        yield ""
        yield from _table(table)
    if explanation.stages:
        yield from _section("stages")
        widest = max(len(stage.name) for stage in explanation.stages)
        for stage in explanation.stages:
            first, *more = stage.changes or (f"{DIM}changes nothing{RESET}",)
            yield f"{stage.name:<{widest}}  {stage.label:<6}  {first}"
            yield from (" " * (widest + 10) + change for change in more)
    if explanation.bits:
        yield from _section("mask bits")
        for bit in explanation.bits:
            word = "matters" if bit.matters else f"{DIM}ignored{RESET}"
            yield f"{bit.mask + ' bit ' + str(bit.entry):<24}{word}  {bit.label:<6}  {bit.why}"
    if explanation.documents:
        yield from _section("documents that differ")
        for row in explanation.documents:
            yield DOCUMENTS[row["document"]]
            yield from wrapped("", f"{row['reason']} [{row['label']}]")
    if explanation.elsewhere:
        yield from _section("calls that give the same")
        for equal in explanation.elsewhere:
            for number, line in enumerate((equal.code or f"- {equal.reason}").splitlines()):
                yield from wrapped("" if number else equal.framework, line)
    if explanation.others:
        yield from _section("other frameworks, with the same arguments")
        for answer in explanation.others:
            yield from _answer(answer, width)


def _index(explanation: Facts) -> str:
    if explanation.index is None and explanation.region is None:
        if not all(isinstance(dim, int) for dim in explanation.in_shape):
            return "depends on the dims that are not known"
        return "none: the window wraps around the end of an axis, and is several slices"
    if explanation.index is None:
        return "none: an axis of length 0 comes from no input axis"
    return f"x{index_text(explanation.index)}"


def _section(name: str) -> Iterator[str]:
    yield ""
    yield f"{BOLD}{name}{RESET}"


def _wrapped(name: str, text: str, width: int) -> list[str]:
    line = f"{name:<20}{text}"
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent=" " * 20, break_on_hyphens=False)


def _answer(answer: Answer, width: int) -> Iterator[str]:
    by = "" if answer.same or answer.call is None else f", by {answer.call}"
    yield from _wrapped(answer.framework, answer.outcome + by, width)
    for reason in answer.reasons:
        yield from _wrapped("", f"because {reason['reason']} [{reason['label']}]", width)


def _table(table: Table) -> Iterator[str]:
    """The cells of a column are aligned: those with numbers only to the right."""
    yield f"{BOLD}{table.name}{RESET}"
    rows = [["-" if cell is None else cell for cell in row] for row in table.rows]
    columns = list(zip(table.heads, *rows, strict=True))
    numeric = [all(_is_number(cell) for cell in column[1:]) for column in columns]
    widths = [max(map(len, column)) for column in columns]
    for number, row in enumerate([table.heads, *rows]):
        line = "  ".join(_aligned(cell, width, right) for cell, width, right in zip(row, widths, numeric, strict=True))
        yield f"{DIM}{line.rstrip()}{RESET}" if number == 0 else line.rstrip()


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.lstrip("-").isdigit()


def _aligned(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)
