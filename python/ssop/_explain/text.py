"""Explanations as aligned text, with colours if asked for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from ssop._display import index_text
from ssop._explain.facts import Answer, EqualCall, Facts, MaskBit, Stage, Table
from ssop._explain.sentences import run_or_list
from ssop.divergences import DOCUMENTS

BOLD, DIM, RED, RESET = "\033[1m", "\033[2m", "\033[31m", "\033[0m"
WIDTH = 110
"""Characters of a line of prose, if a terminal is not narrower. Tables may be wider."""
LEAST_WIDTH = 60
NO_ENTRIES = "the spec has no such entries"


def as_text(explanation: Facts, *, colour: bool = False, width: int = WIDTH) -> str:
    """Return the whole explanation as lines of text, whose prose has at most `width` characters, but at least 60.

    >>> import ssop
    >>> print(as_text(ssop.explain((5,), [-2], [9])).splitlines()[-1])
    the same            TFLite, OpenVINO, ONNX, onnx.reference, ONNX Runtime
    """
    text = "\n".join(_lines(explanation, max(LEAST_WIDTH, min(width, WIDTH))))
    for code in () if colour else (BOLD, DIM, RED, RESET):
        text = text.replace(code, "")
    return text


def _lines(explanation: Facts, width: int) -> Iterator[str]:
    def wrapped(name: str, text: str) -> list[str]:
        return _wrapped(name, text, width)

    yield f"{BOLD if explanation.error is None else RED}{explanation.answer}{RESET}"
    yield explanation.call
    if explanation.error is not None:
        if explanation.failed is not None:
            yield from wrapped("found by the stage", explanation.failed)
        yield from wrapped("nearest that works", explanation.repair or "none was found")
    else:
        yield from wrapped("result shape", str(explanation.shape))
        for reason in explanation.empty[1:]:
            yield from wrapped("", reason)
        yield from wrapped("NumPy index", _index(explanation))
    for table in explanation.tables:
        yield ""
        yield from _table(table)
    if explanation.stages:
        yield from _section("stages")
        yield from _stages(explanation.stages, width)
    if explanation.bits:
        yield from _section("mask bits")
        yield from _bits(explanation.bits)
    if explanation.documents:
        yield from _section("documents that differ")
        for row in explanation.documents:
            yield DOCUMENTS[row["document"]]
            yield from wrapped("", f"{row['reason']} [{row['label']}]")
    if explanation.elsewhere:
        yield from _section("calls that give the same")
        for equal, *more in grouped_calls(explanation.elsewhere):
            if more:
                frameworks = ", ".join(other.framework for other in (equal, *more))
                yield from wrapped("no call of", f"{frameworks}: {equal.reason}")
                continue
            for number, line in enumerate((equal.code or f"- {equal.reason}").splitlines()):
                yield from wrapped("" if number else equal.framework, line)
    if explanation.others:
        yield from _section("other frameworks, with the same arguments")
        for alike in grouped(explanation.others):
            yield from _answer(alike, width)


def _index(explanation: Facts) -> str:
    if explanation.index is None and explanation.region is None:
        if explanation.in_shape is None or not all(isinstance(dim, int) for dim in explanation.in_shape):
            return "depends on the dims that are not known"
        if any(table.name == "windows" for table in explanation.tables):
            return "none: each row of starts has a window of its own"
        if any(stage.name == "fill" for stage in explanation.stages):
            return "none: the window has elements outside x"
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


def grouped(answers: Sequence[Answer]) -> list[list[Answer]]:
    """The answers, with those that are "the same" together at the place of the first one."""
    groups: dict[Any, list[Answer]] = {}
    for number, answer in enumerate(answers):
        groups.setdefault(answer.outcome if answer.same else number, []).append(answer)
    return list(groups.values())


def grouped_calls(calls: Sequence[EqualCall]) -> list[list[EqualCall]]:
    """The calls, with the frameworks that have none for one reason together at the place of the first one."""
    groups: dict[Any, list[EqualCall]] = {}
    for number, equal in enumerate(calls):
        groups.setdefault(number if equal.reason is None else equal.reason, []).append(equal)
    return list(groups.values())


def _answer(alike: list[Answer], width: int) -> Iterator[str]:
    answer = alike[0]
    if len(alike) > 1:
        yield from _wrapped(answer.outcome, ", ".join(other.framework for other in alike), width)
        return
    by = "" if answer.same or answer.call is None else f", by {answer.call}"
    yield from _wrapped(answer.framework, answer.outcome + by, width)
    for reason in answer.reasons:
        yield from _wrapped("", f"because {reason['reason']} [{reason['label']}]", width)


def _stages(stages: Sequence[Stage], width: int) -> Iterator[str]:
    """Those that change something, and the names of the others."""
    widest = max(len(stage.name) for stage in stages)
    for stage in stages:
        for number, change in enumerate(stage.changes):
            head = "" if number else f"{stage.name:<{widest}}  {stage.label}"
            yield f"{head:<{widest + 10}}{change}"
    idle = idle_stages(stages)
    if idle:
        text = f"{'no change by':<{widest + 10}}{', '.join(stage.name for stage in idle)}"
        lines = textwrap.wrap(text, width, subsequent_indent=" " * (widest + 10))
        yield from (f"{DIM}{line}{RESET}" for line in lines)


def idle_stages(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if not stage.changes]


def _bits(bits: Sequence[MaskBit]) -> Iterator[str]:
    """A line per bit; those of a mask without an entry share one."""
    for alike in grouped_bits(bits):
        bit = alike[0]
        word = "matters" if bit.matters else f"{DIM}ignored{RESET}"
        name, why = f"{bit.mask} bit {bit.entry}", bit.why
        if len(alike) > 1:
            name, why = f"{bit.mask} bits {bit_numbers(alike)}", NO_ENTRIES
        yield f"{name:<24}{word}  {bit.label:<6}  {why}"


def bit_numbers(bits: Sequence[MaskBit]) -> str:
    return run_or_list([bit.entry for bit in bits])


def grouped_bits(bits: Sequence[MaskBit]) -> list[list[MaskBit]]:
    """The bits, with those of one mask for which the spec has no entry together at the place of the first one."""
    groups: dict[Any, list[MaskBit]] = {}
    for number, bit in enumerate(bits):
        groups.setdefault(bit.mask if bit.why == f"the spec has no entry {bit.entry}" else number, []).append(bit)
    return list(groups.values())


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
    return cell in ("-", "before 0") or cell.lstrip("-").isdigit()


def _aligned(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)
