"""The report of a run as text, as JSON and as JUnit XML."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree

from ssop.testing._differential.comparison import ERRORS, FAULTS, VALUES, Difference, ssop_answer
from ssop.testing._differential.result import Case, Report
from ssop.testing._differential.run import MAX_HANGS
from ssop.testing._differential.words import explain_command, rule_lines
from ssop.testing.calls import Answer
from ssop.testing.chains import Chain
from ssop.testing.chains.files import file_texts
from ssop.testing.chains.known import DEFECTS

FORMAT = 1
"""The format of the JSON report. It rises when a member changes its meaning."""
SHOWN_PAIRS = 6


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
    """What a person reads: the counts, the smallest case of each kind, and the verdict as the last line."""
    lines = counts_lines(report)
    for name, case in report.known_cases.items():
        lines += ["", f"{DEFECTS[name].text} ({DEFECTS[name].url})", *case_lines(report, case, f"known as {name}")]
    for case in report.cases_found:
        lines += ["", *case_lines(report, case)]
    return "\n".join([*lines, "", verdict(report)])


def finding(report: Report) -> str:
    """The same for a test that fails: the verdict and the smallest cases first, then the counts."""
    lines = [verdict(report, f"{report.subject} differs from {report.oracle}")]
    for case in report.cases_found:
        lines += ["", *case_lines(report, case)]
    return "\n".join([*lines, "", *counts_lines(report)])


def verdict(report: Report, failure: str = "FAILED") -> str:
    """Whether the subject passed, in a line, and the unexplained differences by their kinds."""
    kinds = report.comparison.kinds
    if not kinds:
        return "passed" if report.passed else "failed"
    total = kinds.total()
    names = list(dict.fromkeys([*(case.difference.kind for case in report.cases_found), *sorted(kinds)]))
    found = ", ".join(f"{name} {kinds[name]}" for name in names)
    return f"{failure}: {total} unexplained {'difference' if total == 1 else 'differences'}: {found}"


def counts_lines(report: Report) -> list[str]:
    """What was compared, and which rules the calls met."""
    comparison = report.comparison
    n, compared = comparison.counts, comparison.compared
    rate = f", {compared / report.seconds:.0f} a second" if report.seconds else ""
    lines = [
        f"subject     {report.subject}",
        f"oracle      {report.versions}",
        f"calls       {drawn(report)}; seed {report.seed}; {report.what}",
        f"compared    {compared} {'calls' if report.kinds is None else 'chains'} in {report.seconds:.1f} s{rate}"
        + (f"; {n['not sent']} not sent, for they could kill the oracle" if n["not sent"] else ""),
        f"accepted    {share(n['accepted'], compared)} by both sides; {accepted_kinds(report)}",
        f"rejected    {share(n['rejected'], compared)} by both sides",
    ]
    if comparison.kinds:
        about = comparison.about
        lines.append(
            f"differ      {about[VALUES]} in values, {about[FAULTS]} are faults, "
            f"{about[ERRORS]} in whether or why the call is an error"
        )
    if met := comparison.rules + (comparison.rejected - comparison.rules):
        lines += ["rules met", *rule_lines(met)]
    if unmet := report.rules_not_met:
        lines.append(f"not met     {', '.join(unmet)} (try more --cases; what the subject supports may exclude some)")
    if report.kinds is not None:
        lines.append(pairs_line(len(report.comparison.pairs), report.pairs_not_met, "rules"))
    if comparison.seen:
        where = "see below" if report.known_cases else "see ssop.divergences"
        lines.append(f"known       {listed(comparison.seen)} ({where})")
    for name, count in comparison.beyond_cap().items():
        lines.append(f"FAILED      the known divergence {name} explains {count} calls, more than its cap allows")
    for name in report.vanished:
        lines.append(f"FAILED      the known divergence {name} is not seen any more: its row is stale")
    if not report.complete:
        hangs = sum("no answer" in difference.kind for difference in report.differences)
        why = f": {hangs} calls had no answer in time (--seconds)" if hangs >= MAX_HANGS else ""
        why = why or (": there were differences enough" if report.differences else "")
        lines.append(f"ended       before all {report.cases} calls were compared{why}")
    return lines


def accepted_kinds(report: Report) -> str:
    """How much both sides accept of each kind of result."""
    n, compared = report.comparison.counts, report.comparison.compared
    if report.what == "shape":
        unknown = share(n["unknown rank"], compared)
        return f"with unknown dims {share(n['with unknown dims'], compared)}, of unknown rank {unknown}"
    empty = share(n["accepted"] - n["with elements"], compared)
    return f"with elements {share(n['with elements'], compared)}, empty {empty}"


def drawn(report: Report) -> str:
    """What was drawn: operations, or chains of them."""
    if report.kinds is None:
        return ", ".join(report.ops)
    low, high = report.kinds.lengths
    return f"chains of {low} to {high} of {', '.join(report.kinds.ops)}"


def pairs_line(met: int, unmet: list[str], of: str) -> str:
    """How many pairs of rules, or of functions, were met, and some of those that were not."""
    shown = ", ".join(unmet[:SHOWN_PAIRS]) + (", .." if len(unmet) > SHOWN_PAIRS else "")
    not_met = f"; not met {len(unmet)}: {shown}" if unmet else ""
    return f"pairs met   {met} of {met + len(unmet)} pairs of {of}{not_met}"


def case_lines(report: Report, case: Case, kind: str = "") -> list[str]:
    """The smallest case of a kind, as a program for either side."""
    smallest = case.difference
    number = f" ({case.times} of this kind)" if case.times > 1 else ""
    lines = [
        f"The smallest case found, {kind or smallest.kind}{number}:",
        "",
        f"    {report.oracle}: {_indented(smallest.theirs)}{_meaning(smallest)}",
        f"    {report.subject}: {_indented(smallest.ours)}",
    ]
    if smallest.kind == "the reasons differ":
        lines.append(f"    ({smallest.complaint})")
    if command := explain_command(smallest.call):
        lines += ["", f"Explained by: {command}"]
    for name, program in ((report.subject, case.subject_program), (report.oracle, case.oracle_program)):
        lines += ["", f"For {name}:", "", *(f"    {line}" for line in program.splitlines())]
        if program is case.subject_program and case.debugger:
            lines += ["", *case.debugger]
    for name, written in files_of(smallest).items():
        lines += ["", f"As a file of {name}:", "", *(f"    {line}" for line in written.splitlines())]
    return lines


def files_of(difference: Difference) -> dict[str, str]:
    """A chain as files of other formats; nothing for other calls."""
    return file_texts(difference.call) if isinstance(difference.call, Chain) else {}


def _meaning(difference: Difference) -> str:
    """What the rule says by which an oracle without messages of its own rejects the call, if ssop agrees."""
    label = getattr(difference.theirs.error, "label", None)
    own = ssop_answer(difference.call).error if label is not None else None
    return f": {own}" if own is not None and getattr(own, "label", None) == label else ""


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
            **{name.lower(): written for name, written in files_of(difference).items()},
        }

    cases = [
        of(case.difference)
        | {"count": case.times, "code": case.oracle_program, "subject_code": case.subject_program}
        | {"explain": explain_command(case.difference.call)}
        for case in report.cases_found
    ]
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
        "rules_not_met": report.rules_not_met,
        "kinds": dict(comparison.kinds),
        "about": {name: comparison.about[name] for name in (VALUES, FAULTS, ERRORS)},
        **chain_members(report, of),
        "known": dict(comparison.seen),
        "beyond_cap": comparison.beyond_cap(),
        "vanished": report.vanished,
        "differences": [of(difference) for difference in report.differences],
        "smallest": cases[0] if cases else None,
        "smallest_by_kind": cases,
    }


def chain_members(report: Report, of: Callable[[Difference], dict[str, str]]) -> dict[str, Any]:
    """What JSON has of a run of chains alone."""
    if report.kinds is None:
        return {}
    known = {
        name: of(case.difference) | {"count": case.times, "code": case.oracle_program}
        for name, case in report.known_cases.items()
    }
    return {
        "chain": list(report.kinds.lengths),
        "pairs": dict(report.comparison.pairs),
        "pairs_not_met": report.pairs_not_met,
        "known_cases": known,
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
        element = ElementTree.SubElement(suite, "testcase", classname=f"difftest.{report.oracle}", name=op)
        if failed[op]:
            shown = "\n".join(["", *(f"{d.kind}: {d.call}" for d in failed[op][:5])])
            for case in reversed([case for case in report.cases_found if case.difference.call.op == op]):
                shown = "\n".join(case_lines(report, case)) + "\n" + shown
            ElementTree.SubElement(element, "failure", message=failed[op][0].kind).text = shown
    element = ElementTree.SubElement(suite, "testcase", classname=f"difftest.{report.oracle}", name="known divergences")
    if stale:
        ElementTree.SubElement(element, "failure", message="stale or beyond the cap").text = ", ".join(stale)
    return tree_of(suite)


def tree_of(suite: ElementTree.Element) -> ElementTree.ElementTree:
    """An element as a tree, without control characters, which XML cannot have."""
    for element in suite.iter():
        element.text = _without_controls(element.text or "")
        element.attrib.update({name: _without_controls(value) for name, value in element.attrib.items()})
    return ElementTree.ElementTree(suite)


def _without_controls(text: str) -> str:
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)
