"""The smallest cases of a run as failures of a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssop.testing._differential.comparison import rules_met
from ssop.testing._differential.result import Report
from ssop.testing.calls import Call
from ssop.testing.chains.drawing import rules_met as rules_of_chain
from ssop.testing.chains.program import Chain
from ssop.testing.corpus.calls import call_to_json
from ssop.testing.corpus.chains import chain_to_json
from ssop.testing.corpus.files import Failure
from ssop.testing.models.judging import rules_of
from ssop.testing.models.run import ModelReport


def failures_of(report: Any) -> Iterator[Failure]:
    """One for each kind of failure of a run with calls of one operation, or with models."""
    yield from _of_models(report) if isinstance(report, ModelReport) else _of_calls(report)


def _of_models(report: ModelReport) -> Iterator[Failure]:
    for case in report.cases_found:
        finding = case.finding
        yield Failure(
            "model",
            finding.program.to_json(),
            finding.kind,
            right=str(finding.right) if finding.right is not None else "",
            given=str(finding.given),
            subject=report.subject if ":" in report.subject else "",
            oracle="" if finding.who == "the subject" and finding.model is None else _engine(report, finding.model),
            versions=report.versions,
            rules=rules_of(finding.program),
            text=str(finding.program),
        )


def _engine(report: ModelReport, model: Any) -> str:
    from ssop.testing.models.engines import form_of

    return report.engines.get(form_of(model), "")


def _of_calls(report: Report) -> Iterator[Failure]:
    """Shape inference has no files: its cases are texts of the report. Known defects that chains met have one, too."""
    for case in [*report.cases_found, *report.known_cases.values()]:
        difference = case.difference
        call: Any = difference.call
        if not isinstance(call, Call | Chain):
            continue
        rules = rules_of_chain(call)[0] if isinstance(call, Chain) else rules_met(call, difference.theirs)
        yield Failure(
            "chain" if isinstance(call, Chain) else "call",
            chain_to_json(call, report.takes) if isinstance(call, Chain) else call_to_json(call),
            difference.kind,
            right=str(difference.theirs),
            given=str(difference.ours),
            subject=None if report.subject == "ssop" else report.subject if ":" in report.subject else "",
            oracle=report.oracle,
            versions=report.versions,
            rules=sorted(set(rules)),
            text=str(call),
        )
