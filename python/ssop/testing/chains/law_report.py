"""The report of a run with laws, as text and as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from ssop.testing.calls import Answer
from ssop.testing.chains.engines import CHAIN_ORACLES
from ssop.testing.chains.law_run import LawCounts, LawFinding, LawReport, Sides
from ssop.testing.chains.program import Chain

FORMAT = 1
"""The format of the JSON report."""
STATUS = {"holds": "hold", "conditional": "hold under a condition", "false": "are false as products apply them"}
MOST_SHOWN = 5
"""Of findings of one kind."""


def text(report: LawReport) -> str:
    """What a person reads."""
    of = Counter(one.law.status for one in report.laws)
    lines = [
        f"laws        {', '.join(f'{of[status]} {words}' for status, words in STATUS.items() if of[status])}",
        f"versions    {report.versions}",
        f"cases       {report.compared}, {report.cases} of each law, in {report.seconds:.1f} s; seed {report.seed}",
        f"sides       equal in {sum(one.equal for one in report.laws)}, different in "
        f"{sum(one.different for one in report.laws)}",
    ]
    if report.oracle != "ssop":
        lines += engine_lines(report)
    for one in report.laws:
        if one.refuted is not None:
            lines += ["", *refuted_lines(one, report.oracle)]
    for kind in dict.fromkeys(finding.kind for finding in report.findings):
        for finding in [found for found in report.findings if found.kind == kind][:MOST_SHOWN]:
            lines += ["", *finding_lines(report, finding)]
    return "\n".join([*lines, "", verdict(report)])


def engine_lines(report: LawReport) -> list[str]:
    """What the engine made of the programs."""
    asked = sum(one.asked for one in report.laws)
    lines = [f"engine      {report.oracle} ran {asked} programs, and {report.not_run} have no form for it"]
    if report.known:
        lines.append(f"known       {', '.join(f'{name} {count}' for name, count in sorted(report.known.items()))}")
    if untold := [one.law.name for one in report.laws if not one.asked]:
        lines.append(f"not run     {', '.join(untold)}")
    return lines


def refuted_lines(one: LawCounts, oracle: str) -> list[str]:
    """The smallest counterexample of a false law."""
    assert one.refuted is not None
    times = f"{one.different} of {one.equal + one.different} cases"
    lines = [f"{one.law.name} is refuted, in {times}; the smallest that was found:", ""]
    lines += side_lines(one.refuted)
    if one.rewritten:
        lines += ["", f"    {oracle} gives the right side's result for {one.rewritten} programs of the left side."]
    return lines


def side_lines(sides: Sides) -> list[str]:
    """Both sides of a case as programs, with what they give."""
    law = sides.case.law
    return [
        f"    {law.left} = {law.right}",
        f"    with {sides.case}",
        *program_lines("left", sides.left),
        *program_lines("right", sides.right),
    ]


def program_lines(name: str, chain: Chain | None) -> list[str]:
    """A side with its result, line by line."""
    words = [*(chain.statements() if chain is not None else ()), told(chain)]
    return [f"    {name if not place else '':<8}{word}" for place, word in enumerate(words)]


def told(chain: Chain | None) -> str:
    """The result of a side."""
    return "an error" if chain is None else f"gives {Answer(chain.run())}"


def finding_lines(report: LawReport, finding: LawFinding) -> list[str]:
    """A case that is wrong."""
    lines = [f"{finding.sides.case.name}: {finding.kind}:", "", *side_lines(finding.sides)]
    chain = finding.sides.left if finding.which == "left" else finding.sides.right
    if finding.given is not None and chain is not None:
        code = CHAIN_ORACLES[report.oracle]().code(chain)
        lines += [f"    {report.oracle}: {finding.given}", "", f"For {report.oracle}:", ""]
        lines += [f"    {line}" for line in code.splitlines()]
    return lines


def verdict(report: LawReport) -> str:
    """Whether all is as the table of laws says, in a line."""
    wrong = [f"{kind} {count}" for kind, count in report.kinds.items()]
    wrong += [f"the false law {name} is not refuted" for name in report.not_refuted]
    wrong += [] if report.complete else ["ended before all cases were compared"]
    return f"FAILED: {', '.join(wrong)}" if wrong else "passed"


def as_dict(report: LawReport) -> dict[str, Any]:
    """What JSON has."""
    return {
        "format": FORMAT,
        "passed": report.passed,
        "oracle": report.oracle,
        "versions": report.versions,
        "python": sys.version.split()[0],
        "seed": report.seed,
        "cases": report.cases,
        "complete": report.complete,
        "seconds": round(report.seconds, 3),
        "compared": report.compared,
        "not_run": report.not_run,
        "known": dict(report.known),
        "kinds": dict(report.kinds),
        "not_refuted": report.not_refuted,
        "laws": [law_dict(one) for one in report.laws],
        "findings": [
            sides_dict(found.sides) | {"kind": found.kind, "side": found.which, "engine": str(found.given or "")}
            for found in report.findings
        ],
    }


def law_dict(one: LawCounts) -> dict[str, Any]:
    """The counts of a law as data of JSON."""
    return {
        "name": one.law.name,
        "status": one.law.status,
        "equal": one.equal,
        "different": one.different,
        "asked": one.asked,
        "rewritten": one.rewritten,
        "refuted": None if one.refuted is None else sides_dict(one.refuted),
    }


def sides_dict(sides: Sides) -> dict[str, Any]:
    """A case as data of JSON."""
    return {
        "law": sides.case.name,
        "numbers": dict(sides.case.numbers),
        "left": str(sides.left),
        "right": None if sides.right is None else str(sides.right),
        "left_result": told(sides.left),
        "right_result": told(sides.right),
    }
