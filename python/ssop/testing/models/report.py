"""The report of a run with a converter, as text, as JSON, and as JUnit XML."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

from ssop.testing._differential.report import pairs_line, share, tree_of
from ssop.testing._differential.subjects import importable
from ssop.testing._differential.words import explain_command, in_words
from ssop.testing.calls import Call
from ssop.testing.models.engines import form_of, stablehlo_text
from ssop.testing.models.judging import VERDICTS, Finding, rules_of
from ssop.testing.models.run import ModelCase, ModelReport

FORMAT = 1
"""The format of the JSON report."""
MOST_LINES = 24
"""Of a model that is shown."""


def text(report: ModelReport) -> str:
    """What a person reads."""
    n, compared = report.verdicts, report.compared
    rate = f", {compared / report.seconds:.1f} a second" if report.seconds else ""
    lines = [
        f"subject     {report.subject}, which takes {report.takes}",
        f"versions    {report.versions}",
        f"models      {compared} in {report.seconds:.1f} s{rate}; seed {report.seed}{runs(report)}",
        f"verdicts    {', '.join(f'{name} {n[name]} ({share(n[name], compared)})' for name in VERDICTS if n[name])}",
        f"with elements {share(report.with_elements, compared)}",
        f"calls       {', '.join(f'{name} {count}' for name, count in report.calls.most_common())}",
        pairs_line(len(report.pairs), report.pairs_not_met, "functions"),
    ]
    if report.not_run:
        lines.append(f"not run     {report.not_run} programs that their own framework or the engine does not take")
    for reason, count in report.reasons.most_common(5):
        lines.append(f"refused     {count} times: {reason}")
    if not report.complete:
        lines.append(f"ended       before all {report.cases} models were made: each crash or hang costs a new process")
    for case in report.cases_found:
        lines += ["", *case_lines(report, case)]
    lines.append("")
    lines.append("" if report.findings else "passed" if report.passed else "FAILED: no model was equal")
    if report.findings:
        told = ", ".join(f"{name} {n[name]}" for name in VERDICTS[1:] if n[name] and name != "refused")
        lines[-1] = f"FAILED: {told} of {compared} models"
    return "\n".join(lines)


def runs(report: ModelReport) -> str:
    """The engines that ran what the subject gave; nothing if it gave functions."""
    return f"; run by {', '.join(report.engines.values())}" if report.engines else ""


def case_lines(report: ModelReport, case: ModelCase) -> list[str]:
    """The smallest case of a kind: the program, both results, the model that was given, and how to run it."""
    finding = case.finding
    number = f" ({case.times} of this kind)" if case.times > 1 else ""
    lines = [f"The smallest case found, {finding.kind}{number}:", ""]
    lines += [f"    {line}" for line in finding.program.text.splitlines()]
    dims = ", ".join("?" if dim is None else str(dim) for dim in finding.program.dims)
    values = "".join(f", {name} = {finding.program.values[name]}" for name in finding.program.names)
    lines += [f"    # x: {finding.program.dtype} ({dims}){values}", ""]
    lines += [f"    {in_words(label)}" for label in rules_of(finding.program)]
    if command := explained(finding):
        lines.append(f"    {command}")
    if finding.right is not None:
        lines += [f"    on {list(finding.shape)}, right: {finding.right}"]
    lines += [f"    {finding.who}: {finding.given}"]
    if shown := model_text(finding.model):
        lines += ["", "The model that it gave:", "", *(f"    {line}" for line in shown)]
    lines += ["", "To run it:", "", *(f"    {line}" for line in program_code(report.subject, finding).splitlines())]
    if not case.again:
        lines.append("    # In a new process, this does not show it: it depends on models before it.")
    return lines


def explained(finding: Finding) -> str:
    """The command that explains a program of one call; nothing where `ssop explain` does not take it."""
    if len(finding.program.calls) != 1 or finding.program.names:
        return ""
    (call,) = finding.program.calls
    operand = finding.program.operand(finding.shape or finding.program.shapes[0])
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in call.arguments.items()}
    return explain_command(Call(call.function, (operand,), given))


def model_text(model: Any) -> list[str]:
    """A model as lines of text, shortened; nothing where it cannot be told."""
    try:
        if form_of(model) == "onnx":
            onnx: Any = import_module("onnx")
            shown = onnx.printer.to_text(onnx.load_model_from_string(model))
        else:
            shown = stablehlo_text(model) if model is not None else ""
    except Exception:  # of a model that nobody can read
        return []
    lines: list[str] = shown.splitlines()
    return lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], f"(and {len(lines) - MOST_LINES} lines more)"]


def program_code(subject: str, finding: Finding) -> str:
    """A program that asks the subject and runs what it gives."""
    module, name = importable(subject, None) if ":" in subject else ("", subject)
    line = f"from {module} import {name}\n" if module else f"# {name} is the subject\n"
    shape = finding.shape or finding.program.shapes[0]
    return (
        "import ssop\nfrom ssop.testing.models import Program, run_model, source_of\n"
        f"{line}\nCall = ssop.convert.Call\nprogram = {finding.program!r}\n"
        f"model = {name}(*source_of(program))\n"
        f"print(run_model(model, program.inputs({shape})), 'right:', program.right({shape}))"
    )


def as_dict(report: ModelReport) -> dict[str, Any]:
    """What JSON has."""
    return {
        "format": FORMAT,
        "passed": report.passed,
        "subject": report.subject,
        "takes": report.takes,
        "engines": report.engines,
        "versions": report.versions,
        "python": sys.version.split()[0],
        "seed": report.seed,
        "cases": report.cases,
        "complete": report.complete,
        "seconds": round(report.seconds, 3),
        "verdicts": {name: report.verdicts[name] for name in VERDICTS},
        "not_run": report.not_run,
        "with_elements": report.with_elements,
        "refusals": dict(report.reasons),
        "calls": dict(report.calls),
        "pairs": dict(report.pairs),
        "pairs_not_met": report.pairs_not_met,
        "smallest_by_kind": [finding_dict(case.finding) | {"count": case.times} for case in report.cases_found],
    }


def finding_dict(finding: Finding) -> dict[str, Any]:
    """A finding as data of JSON."""
    return {
        "kind": finding.kind,
        "verdict": finding.verdict,
        "program": finding.program.to_json(),
        "text": str(finding.program),
        "shape": list(finding.shape),
        "right": str(finding.right) if finding.right is not None else None,
        "given": str(finding.given),
        "rules": rules_of(finding.program),
    }


def junit(report: ModelReport) -> ElementTree.ElementTree:
    """A test case for each verdict that fails a run."""
    kinds = {case.finding.kind: case for case in report.cases_found}
    names = list(kinds) or ["equal"]
    suite = ElementTree.Element(
        "testsuite", name=f"ssop difftest {report.subject}", tests=str(len(names)), failures=str(len(kinds)),
        errors="0", time=f"{report.seconds:.3f}",
    )  # fmt: skip
    for name in names:
        element = ElementTree.SubElement(suite, "testcase", classname=f"difftest.{report.subject}", name=name)
        if name in kinds:
            shown = "\n".join(case_lines(report, kinds[name]))
            ElementTree.SubElement(element, "failure", message=name).text = shown
        elif not report.passed:
            ElementTree.SubElement(element, "failure", message="no model was equal").text = text(report)
    return tree_of(suite)
