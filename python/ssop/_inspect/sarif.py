"""Hazards as a SARIF 2.1.0 log, the format in which code hosts take results of static analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ssop._inspect.hazards import HAZARDS, REJECTED, Finding
from ssop._inspect.reports import Report
from ssop._version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def sarif_of(reports: Sequence[Report]) -> dict[str, Any]:
    """One run with the hazards of all these models."""
    results = [
        _result(finding, report, number)
        for report in reports
        for number, node in enumerate(report.nodes)
        for finding in node.findings
    ]
    driver = {
        "name": "ssop inspect",
        "version": __version__,
        "rules": [_rule(hazard) for hazard in (*HAZARDS, REJECTED)],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule(hazard: Any) -> dict[str, Any]:
    return {
        "id": hazard.label,
        "name": hazard.name,
        "shortDescription": {"text": hazard.summary},
        "defaultConfiguration": {"level": hazard.severity},
    }


def _result(finding: Finding, report: Report, number: int) -> dict[str, Any]:
    node = report.nodes[number].node
    place = {"artifactLocation": {"uri": quote(report.model.path)}}
    logical = {"name": node.name, "fullyQualifiedName": f"{node.graph}/{node.name}", "kind": "object"}
    return {
        "ruleId": finding.label,
        "level": finding.severity,
        "message": {"text": f"{finding.node}: {finding.message}"},
        "locations": [{"physicalLocation": place, "logicalLocations": [logical]}],
    }
