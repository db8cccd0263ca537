"""Hazards as a SARIF 2.1.0 log, the format in which code hosts take results of static analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ssop._inspect.hazards import DIFFERENT, HAZARDS, REJECTED, Finding
from ssop._inspect.reports import Report
from ssop._version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def sarif_of(reports: Sequence[Report]) -> dict[str, Any]:
    """One run with the hazards of all these models."""
    return log_of(
        [
            result_of(finding, report.model.path, node.node.name, node.node.graph)
            for report in reports
            for node in report.nodes
            for finding in node.findings
        ]
    )


def log_of(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A log of one run."""
    rules = [_rule(hazard) for hazard in (*HAZARDS, REJECTED, DIFFERENT)]
    driver = {"name": "ssop inspect", "version": __version__, "rules": rules}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results)}]}


def _rule(hazard: Any) -> dict[str, Any]:
    return {
        "id": hazard.label,
        "name": hazard.name,
        "shortDescription": {"text": hazard.summary},
        "defaultConfiguration": {"level": hazard.severity},
    }


def result_of(finding: Finding, path: str, node: str, graph: str) -> dict[str, Any]:
    """A hazard of a node of the file at this path."""
    place = {"artifactLocation": {"uri": quote(path)}}
    logical = {"name": node, "fullyQualifiedName": f"{graph}/{node}", "kind": "object"}
    return {
        "ruleId": finding.label,
        "level": finding.severity,
        "message": {"text": f"{finding.node}: {finding.message}"},
        "locations": [{"physicalLocation": place, "logicalLocations": [logical]}],
    }
