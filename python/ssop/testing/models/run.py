"""`difftest_models`: draw programs, let a converter make models of them, run these, count verdicts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from random import Random
from typing import Any, NamedTuple

import ssop
from ssop.testing.models.drawing import draw_program, pairs_of
from ssop.testing.models.engines import MODEL_ENGINES, engines_for
from ssop.testing.models.judging import VERDICTS, Finding, Judge
from ssop.testing.models.program import Program
from ssop.testing.models.shrinking import shrunk_finding, size_of
from ssop.testing.models.subjects import Converter

MAX_HANGS, MAX_DEATHS = 3, 20
"""After so many of these, a run ends: each costs a time limit, or a new process."""
MAX_KINDS = 6
"""Of so many kinds of failures a smallest case is looked for."""
TRIES = 2000
"""Draws until one is supported."""


class ModelCase(NamedTuple):
    """The smallest finding of one kind, and how often there were such."""

    finding: Finding
    times: int
    again: bool = True
    """Whether new processes show the same: what came before is no part of it."""


@dataclass
class ModelReport:
    """What came of a run."""

    subject: str
    takes: str
    engines: dict[str, str]
    """For each form of a model that was given, the engine that ran it."""
    versions: str
    seed: int
    cases: int
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    """What the subject raised, and how often."""
    calls: Counter[str] = field(default_factory=Counter)
    """How often each function was in a compared program."""
    pairs: Counter[str] = field(default_factory=Counter)
    """How often each function was on the result of each other."""
    findings: list[Finding] = field(default_factory=list)
    cases_found: list[ModelCase] = field(default_factory=list)
    not_run: int = 0
    """Programs that their own framework or engine does not take."""
    with_elements: int = 0
    seconds: float = 0.0
    complete: bool = True

    @property
    def compared(self) -> int:
        """Programs with a verdict."""
        return sum(self.verdicts.values())

    @property
    def passed(self) -> bool:
        """No failure, and something was equal."""
        return not self.findings and self.verdicts["equal"] > 0

    @property
    def pairs_not_met(self) -> list[str]:
        """The pairs of functions that no compared program had."""
        return [pair for pair in pairs_of(self.takes) if not self.pairs[pair]]

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        self.verdicts[finding.verdict] += 1
        names = [call.function for call in finding.program.calls]
        self.calls.update(names)
        self.pairs.update(f"{one} > {two}" for one, two in zip(names, names[1:], strict=False))
        self.with_elements += finding.program.right(finding.program.shapes[0]).size > 0
        if finding.verdict == "refused":
            self.reasons[_reason(finding)] += 1
        if finding.failed:
            self.findings.append(finding)

    @property
    def enough(self) -> bool:
        """Whether a longer run would cost more than it tells."""
        return self.verdicts["hung"] >= MAX_HANGS or self.verdicts["crashed"] >= MAX_DEATHS


def _reason(finding: Finding) -> str:
    assert finding.given is not None
    return " ".join(str(finding.given.error).split())[:100]


def draws(rng: Random, subject: Converter) -> Iterator[Program]:
    """Programs that the subject supports, without end; ValueError if it supports no program."""
    supports = subject.supports
    options = {"unknown": supports.unknown_dims, "run_time": supports.run_time}
    while True:
        for _ in range(TRIES):
            program = draw_program(rng, subject.takes, **options)
            if program.calls and supports.take(program):
                yield program
                break
        else:
            raise ValueError(f"none of {TRIES} drawn programs is supported by {subject.name}: {supports}")


def difftest_models(
    subject: Any,
    *,
    takes: str | None = None,
    engine: str | None = None,
    cases: int = 200,
    seed: int = 0,
    supports: Any = None,
    seconds: float = 60.0,
    shrink: bool = True,
    progress: Callable[[int, Any], None] | None = None,
) -> ModelReport:
    """Test a converter: random programs as models, what it makes of them run and compared with the right results.

    Parameters
    ----------
    subject : callable or str
        A function of a model that gives a model of ONNX or StableHLO (bytes, text, or a ModelProto), or a function of
        arrays. It rejects a model by raising any exception. As `"module:function"` it is imported in a new process.
    takes : {"onnx", "stablehlo", "tensorflow", "torch", "jax", "calls"}, optional
        What it is given; by default its attribute `takes`. "onnx" is bytes, and "stablehlo" a text. "tensorflow" is the
        bytes of a GraphDef from "x" to "y", and "torch" a module, an operand and the dims. "jax" is a
        function and a list of its operands. "calls" is a list of `ssop.convert.Call`, the dims and the dtype.
    engine : str, optional
        What runs the models that it gives: a name of `ssop.testing.models.engines.MODEL_ENGINES`.
    cases, seed : int
        How many programs, and which.
    supports : str, optional
        Such as "ranks=1..3 dtypes=float32 calls=tf.slice,torch steps=1..2 unknown-dims=no run-time=no pads=no".
    seconds : float
        Time limit of the subject and of the engine for one model.
    shrink : bool
        Whether to look for a smaller program of each kind of failure.
    progress : callable, optional
        Called with the number of programs so far and the report.

    Returns
    -------
    ModelReport
        `report.passed`, the counts in `report.verdicts`, and in `report.cases_found` the smallest failure of each kind.

    Examples
    --------
    >>> def forgets_the_last(calls, dims, dtype):
    ...     return lambda x: calls[0](x)
    >>> report = difftest_models(forgets_the_last, takes="calls", cases=40, supports="steps=1..2")
    >>> report.passed, len(report.cases_found[0].finding.program.calls)
    (False, 2)
    """
    if cases < 1:
        raise ValueError(f"cases is {cases}; at least 1 is needed")
    engines = engines_for(engine)
    converter = Converter(subject, takes, supports, seconds)
    judge = Judge(converter, engines, seconds)
    report = ModelReport(converter.name, converter.takes, {}, "", seed, cases)
    started = time.perf_counter()
    try:
        _judge_all(judge, report, progress)
        report.seconds = time.perf_counter() - started
        report.engines = {form: engine for form, engine in engines.items() if engine in judge.used}
        report.versions = versions_of(converter, report.engines)
        report.cases_found = [_case(judge, found, shrink) for found in _by_kind(report.findings)]
        if report.cases_found:
            judge.close()  # the next question starts new processes
        report.cases_found = [case._replace(again=_is_shown(judge, case)) for case in report.cases_found]
    finally:
        judge.close()
    return report


def versions_of(converter: Converter, engines: dict[str, str]) -> str:
    """The versions of the subject's modules, of the engines, and of ssop."""
    found = dict.fromkeys(filter(None, converter.versions().split(", ")))
    for name in engines.values():
        found |= {f"{one} {metadata.version(one)}": None for one in MODEL_ENGINES[name].distributions}
    return ", ".join([*found, f"ssop {ssop.__version__}"])


def _judge_all(judge: Judge, report: ModelReport, progress: Callable[[int, Any], None] | None) -> None:
    source = draws(Random(report.seed), judge.subject)
    drawn = 0
    try:
        while drawn < report.cases and not report.enough:
            found = judge.judge(next(source))
            drawn += 1
            if found is None:
                report.not_run += 1
            else:
                report.add(found)
            if progress is not None:
                progress(drawn, report)
        report.complete = drawn >= report.cases
    except KeyboardInterrupt:
        report.complete = False


def _by_kind(findings: list[Finding]) -> list[list[Finding]]:
    """Those of each kind; wrong results first, and what waits for a time limit last."""
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(finding.kind, []).append(finding)
    return [kinds[kind] for kind in sorted(kinds, key=lambda kind: VERDICTS.index(kind.split(":")[0]))][:MAX_KINDS]


def _case(judge: Judge, found: list[Finding], shrink: bool) -> ModelCase:
    smallest = min(found, key=lambda finding: size_of(finding.program))
    if shrink:
        smallest = shrunk_finding(judge.judge, smallest)
    return ModelCase(smallest, len(found))


def _is_shown(judge: Judge, case: ModelCase) -> bool:
    found = judge.judge(case.finding.program)
    return found is not None and found.kind == case.finding.kind
