"""`difftest_laws`: random chains that laws rewrite, and both sides run by ssop and an engine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import ssop
from ssop._convert.laws import LAWS, Law
from ssop.testing.calls import Answer, Fault
from ssop.testing.chains.engines import CHAIN_ORACLES, ChainOracle, chain_oracle
from ssop.testing.chains.known import explained_by
from ssop.testing.chains.laws import LawCase, draw_case, shrunk_case
from ssop.testing.chains.program import Chain
from ssop.testing.oracles import Oracle

CASES = 20
MOST_DRAWN = 500
"""Cases in which the sides of a false law are compared until they differ, beyond those that were asked for."""
INDEX = {"ort": "onnx.slice", "openvino": "openvino.slice"}
TENSORFLOW = "tf.strided_slice"
"""The operation that is NumPy's index in the programs of an engine; for others it is TensorFlow's."""


class Sides(NamedTuple):
    """A case and its two programs; the right one is None where it is an error."""

    case: LawCase
    left: Chain
    right: Chain | None

    @property
    def equal(self) -> bool:
        """Whether ssop gives the same for both."""
        return self.right is not None and Answer(self.left.run()).agrees(Answer(self.right.run()))


class LawFinding(NamedTuple):
    """What is wrong, and the smallest case of it."""

    kind: str
    sides: Sides
    which: str = ""
    """The side that an engine makes something else of."""
    given: Answer | None = None
    """The engine's answer."""


@dataclass
class LawCounts:
    """What came of the cases of one law."""

    law: Law
    equal: int = 0
    different: int = 0
    asked: int = 0
    """Programs that the engine ran."""
    rewritten: int = 0
    """Cases whose left side the engine gives the right side's other result for: it applies the law."""
    refuted: Sides | None = None
    """The smallest case in which the sides differ, of a law that is false."""


@dataclass
class LawReport:
    """What came of a run."""

    laws: list[LawCounts]
    oracle: str
    versions: str
    seed: int
    cases: int
    """Of each law."""
    known: Counter[str] = field(default_factory=Counter)
    """Answers of the engine that its known defects explain."""
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[LawFinding] = field(default_factory=list)
    not_run: int = 0
    """Programs that have no form for the engine, or that it rejects."""
    seconds: float = 0.0
    complete: bool = True

    @property
    def compared(self) -> int:
        """Cases in which both sides were compared."""
        return sum(one.equal + one.different for one in self.laws)

    @property
    def not_refuted(self) -> list[str]:
        """The false laws whose sides did not differ in any case."""
        return [one.law.name for one in self.laws if one.law.status == "false" and one.refuted is None]

    @property
    def passed(self) -> bool:
        """The true laws hold, the false ones are refuted, and the engine gives what ssop gives or a known defect."""
        return self.complete and not self.kinds and not self.not_refuted


def chosen_laws(names: str | Sequence[str] | None) -> list[Law]:
    """The laws of these names, or all; ValueError for a name that no law has."""
    given = names.split(",") if isinstance(names, str) else list(names or LAWS)
    unknown = [name for name in given if name not in LAWS]
    if unknown:
        raise ValueError(f"no law is called {unknown[0]!r}; `ssop convert --laws` lists them")
    return [LAWS[name] for name in given]


def difftest_laws(
    names: str | Sequence[str] | None = None,
    *,
    oracle: str = "ssop",
    cases: int = CASES,
    seed: int = 0,
    shrink: bool = True,
    progress: Callable[[int, Any], None] | None = None,
) -> LawReport:
    """Test the laws of `ssop.convert.laws`, each as a rewriting of random chains that its left side matches.

    Parameters
    ----------
    names : str or list of them, optional
        Laws; all of them unless they are given. ValueError for others.
    oracle : str
        "ssop", or an engine that runs both sides, too: a name of `ssop.testing.chains.engines.CHAIN_ORACLES`.
    cases, seed : int
        How many cases of each law, and which.
    shrink : bool
        Whether to look for smaller cases.
    progress : callable, optional
        Called with the number of cases so far and the report.

    Returns
    -------
    LawReport
        `report.passed`, `report.findings`, and for each law in `report.laws` its counts and the refutation.

    Examples
    --------
    >>> report = difftest_laws("dynamic-slice-is-index", cases=50)
    >>> report.passed, str(report.laws[0].refuted.case)
    (True, 'N = 1, a = 1, s = 1')
    """
    if cases < 1:
        raise ValueError(f"cases is {cases}; at least 1 is needed")
    laws = chosen_laws(names)
    engine = None if oracle == "ssop" else chain_oracle(oracle)
    versions = f"ssop {ssop.__version__}" + (f", {engine.version()}" if engine is not None else "")
    report = LawReport([LawCounts(law) for law in laws], oracle, versions, seed, cases)
    run = _Run(report, engine, shrink)
    started = time.perf_counter()
    try:
        for counts in report.laws:
            run.compare(counts)
            if progress is not None:
                progress(report.compared, report)
    except KeyboardInterrupt:
        report.complete = False
    finally:
        report.seconds = time.perf_counter() - started
        if engine is not None:
            engine.close()
    return report


class _Run:
    """One run, with its engine or without."""

    def __init__(self, report: LawReport, engine: Oracle | None, shrink: bool) -> None:
        self.report, self.engine, self.shrink = report, engine, shrink
        self.kind: type[ChainOracle] | None = CHAIN_ORACLES.get(report.oracle)
        self.index = INDEX.get(report.oracle, TENSORFLOW)

    def sides(self, case: LawCase) -> Sides:
        """The programs of a case; `ssop.SliceError` of the left side."""
        left = self.side(case, "left")
        try:
            right = self.side(case, "right")
        except ssop.SliceError:
            return Sides(case, left, None)
        return Sides(case, left, right)

    def side(self, case: LawCase, which: str) -> Chain:
        """The program of a side, in which the engine's own slice is NumPy's index where both take the same.

        Elsewhere it is TensorFlow's, which such an engine is not sent.
        """
        plain = case.side(which)
        if self.index == TENSORFLOW:
            return plain
        own = case.side(which, self.index)
        return own if Answer(own.run()).agrees(Answer(plain.run())) else plain

    def compare(self, counts: LawCounts) -> None:
        """All cases of a law."""
        rng = Random(f"{self.report.seed} {counts.law.name}")
        run_time = self.kind is None or "run-time starts" not in self.kind.kinds.lacks
        all_sides = [self.sides(draw_case(rng, counts.law, run_time=run_time)) for _ in range(self.report.cases)]
        differ = [sides for sides in all_sides if not sides.equal]
        counts.equal, counts.different = len(all_sides) - len(differ), len(differ)
        wrong = [sides for sides in differ if counts.law.status != "false" or sides.case.claimed]
        if wrong:
            self.found("the sides differ", wrong[0], lambda case: not self.sides(case).equal, len(wrong))
        elif differ := differ or self.until_refuted(counts.law, rng, run_time):
            counts.refuted = min(differ, key=lambda sides: sides.case.size)
            if self.shrink:
                counts.refuted = self.sides(shrunk_case(counts.refuted.case, lambda case: not self.sides(case).equal))
        if self.engine is not None:
            self.ask(counts, all_sides)

    def until_refuted(self, law: Law, rng: Random, run_time: bool) -> list[Sides]:
        """Further cases of a false law until its sides differ, for a run with few of them."""
        if law.status != "false":
            return []
        more = (self.sides(draw_case(rng, law, run_time=run_time)) for _ in range(MOST_DRAWN))
        found = next((sides for sides in more if not sides.equal), None)
        return [] if found is None else [found]

    def ask(self, counts: LawCounts, all_sides: Sequence[Sides]) -> None:
        """What the engine makes of both sides."""
        assert self.engine is not None and self.kind is not None
        programs = [(sides, which, chain) for sides in all_sides for which, chain in zip(("left", "right"), sides[1:],
                    strict=True) if chain is not None]  # fmt: skip
        sent = [row for row in programs if self.kind.takes(row[2])]
        self.report.not_run += len(programs) - len(sent)
        answers = self.engine.answers([chain for _, _, chain in sent])
        for (sides, which, chain), theirs in zip(sent, answers, strict=True):
            if theirs.error is not None and not isinstance(theirs.error, Fault):
                self.report.not_run += 1
                continue
            counts.asked += 1
            if theirs.error is None and theirs.agrees(Answer(chain.run())):
                continue
            applied = which == "left" and sides.right is not None and theirs.error is None
            counts.rewritten += applied and theirs.agrees(Answer(sides.right.run()))  # type: ignore[union-attr]
            if names := explained_by(self.report.oracle, chain, theirs):
                self.report.known.update(names)
            else:
                self.differs(sides, which, theirs)

    def differs(self, sides: Sides, which: str, theirs: Answer) -> None:
        """An answer of the engine that nothing explains."""
        given = theirs

        def fails(case: LawCase) -> bool:
            nonlocal given
            again = self.sides(case)
            chain = again.left if which == "left" else again.right
            if chain is None or self.kind is None or self.engine is None or not self.kind.takes(chain):
                return False
            answer = self.engine.answer(chain)
            right = answer.error is None and answer.agrees(Answer(chain.run()))
            rejected = answer.error is not None and not isinstance(answer.error, Fault)
            if right or rejected or explained_by(self.report.oracle, chain, answer):
                return False
            given = answer
            return True

        kind = f"{self.report.oracle} gives another result for the {which} side"
        self.found(kind, sides, fails, 1)
        self.report.findings[-1] = self.report.findings[-1]._replace(which=which, given=given)

    def found(self, kind: str, sides: Sides, fails: Callable[[LawCase], bool], times: int) -> None:
        """Count what is wrong, and keep its smallest case."""
        self.report.kinds[kind] += times
        if self.shrink:
            sides = self.sides(shrunk_case(sides.case, fails))
        self.report.findings.append(LawFinding(kind, sides))
