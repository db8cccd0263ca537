"""The report of a run as text, as JSON and as JUnit XML."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from ssop.testing.calls import Answer
from ssop.testing.differential.comparison import Difference
from ssop.testing.differential.run import MAX_HANGS, Report

FORMAT = 1
"""Of the JSON report: a higher number means that what was there means something else."""


def share(part: int, whole: int) -> str:
    """A percentage.

    >>> share(1, 3)
    '33.3 %'
    """
    return f"{100 * part / max(whole, 1):.1f} %"


def listed(counts: Mapping[str, int]) -> str:
    """Names with their counts."""
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count) or "none"


def text(report: Report) -> str:
    """What a person reads."""
    comparison = report.comparison
    n, compared = comparison.counts, comparison.compared
    rate = f", {compared / report.seconds:.0f} a second" if report.seconds else ""
    lines = [
        f"subject     {report.subject}",
        f"oracle      {report.versions}",
        f"calls       {', '.join(report.ops)}; seed {report.seed}; {report.what}",
        f"compared    {compared} calls in {report.seconds:.1f} s{rate}"
        + (f"; {n['not sent']} not sent, for they could kill the oracle" if n["not sent"] else ""),
        f"accepted    {share(n['accepted'], compared)} by both sides; {accepted_kinds(report)}",
        f"rejected    {share(n['rejected'], compared)} by both sides: {listed(comparison.rejected)}",
    ]
    if comparison.rules:
        lines.append(f"rules met   {listed(comparison.rules)}")
    if comparison.seen:
        lines.append(f"known       {listed(comparison.seen)} (see ssop.divergences)")
    for name, count in comparison.beyond_cap().items():
        lines.append(f"FAILED      the known divergence {name} explains {count} calls, more than its cap allows")
    for name in report.vanished:
        lines.append(f"FAILED      the known divergence {name} is not seen any more: its row is stale")
    if not report.complete:
        hangs = sum("no answer" in difference.kind for difference in report.differences)
        why = f": {hangs} calls had no answer in time (--seconds)" if hangs >= MAX_HANGS else ""
        why = why or (": there were differences enough" if report.differences else "")
        lines.append(f"ended       before all {report.cases} calls were compared{why}")
    if report.smallest is not None:
        lines += ["", *difference_lines(report, report.smallest)]
    total = len(report.differences)
    lines.append("" if total else "passed" if report.passed else "failed")
    if total:
        lines[-1] = f"FAILED: {total} unexplained {'difference' if total == 1 else 'differences'}: {kinds(report)}"
    return "\n".join(lines)


def accepted_kinds(report: Report) -> str:
    """How much both sides accept of each kind of result."""
    n, compared = report.comparison.counts, report.comparison.compared
    if report.what == "shape":
        unknown = share(n["unknown rank"], compared)
        return f"with unknown dims {share(n['with unknown dims'], compared)}, of unknown rank {unknown}"
    empty = share(n["accepted"] - n["with elements"], compared)
    return f"with elements {share(n['with elements'], compared)}, empty {empty}"


def kinds(report: Report) -> str:
    """How many differences there are of each kind."""
    counts: dict[str, int] = {}
    for difference in report.differences:
        counts[difference.kind] = counts.get(difference.kind, 0) + 1
    return listed(counts)


def difference_lines(report: Report, smallest: Difference) -> list[str]:
    """The smallest case, as code for either side."""
    lines = [
        f"The smallest case found, {smallest.kind}:",
        "",
        f"    {report.oracle}: {_indented(smallest.theirs)}",
        f"    {report.subject}: {_indented(smallest.ours)}",
    ]
    if smallest.complaint:
        lines.append(f"    ({smallest.complaint})")
    lines += ["", "For ssop:", "", "    import numpy as np, ssop", f"    print({smallest.call})"]
    lines += ["", f"For {report.oracle}:", "", *(f"    {line}" for line in report.code.splitlines())]
    return lines


def _indented(answer: Answer) -> str:
    return str(answer).replace("\n", "\n        ")


def as_dict(report: Report) -> dict[str, Any]:
    """What JSON has."""
    comparison = report.comparison

    def of(difference: Difference) -> dict[str, str]:
        return {
            "kind": difference.kind,
            "call": str(difference.call),
            "how": difference.call.how,
            "oracle": str(difference.theirs),
            "subject": str(difference.ours),
            "complaint": difference.complaint,
        }

    return {
        "format": FORMAT,
        "passed": report.passed,
        "oracle": report.oracle,
        "subject": report.subject,
        "versions": report.versions,
        "python": sys.version.split()[0],
        "ops": report.ops,
        "what": report.what,
        "seed": report.seed,
        "cases": report.cases,
        "complete": report.complete,
        "seconds": round(report.seconds, 3),
        "compared": comparison.compared,
        "counts": dict(comparison.counts),
        "rejected": dict(comparison.rejected),
        "rules": dict(comparison.rules),
        "known": dict(comparison.seen),
        "beyond_cap": comparison.beyond_cap(),
        "vanished": report.vanished,
        "differences": [of(difference) for difference in report.differences],
        "smallest": None if report.smallest is None else of(report.smallest) | {"code": report.code},
    }


def junit(report: Report) -> ElementTree.ElementTree:
    """One test case per operation, and one for the known divergences."""
    failed = {op: [d for d in report.differences if d.call.op == op] for op in report.ops}
    stale = [*report.comparison.beyond_cap(), *report.vanished]
    failures = sum(bool(found) for found in failed.values()) + bool(stale)
    suite = ElementTree.Element(
        "testsuite",
        name=f"ssop difftest {report.oracle}",
        tests=str(len(report.ops) + 1),
        failures=str(failures),
        errors="0",
        time=f"{report.seconds:.3f}",
    )
    for op in report.ops:
        case = ElementTree.SubElement(suite, "testcase", classname=f"difftest.{report.oracle}", name=op)
        if failed[op]:
            shown = "\n".join(f"{d.kind}: {d.call}" for d in failed[op][:5])
            if report.smallest is not None and report.smallest.call.op == op:
                shown = "\n".join(difference_lines(report, report.smallest)) + "\n" + shown
            ElementTree.SubElement(case, "failure", message=failed[op][0].kind).text = _printable(shown)
    case = ElementTree.SubElement(suite, "testcase", classname=f"difftest.{report.oracle}", name="known divergences")
    if stale:
        ElementTree.SubElement(case, "failure", message="stale or beyond the cap").text = ", ".join(stale)
    return ElementTree.ElementTree(suite)


def _printable(shown: str) -> str:
    """Without control characters, which XML cannot have."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in shown)
