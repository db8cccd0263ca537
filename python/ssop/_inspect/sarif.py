"""Hazards as a SARIF 2.1.0 log, the format in which code hosts take results of static analysis."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ssop._core import SliceError
from ssop._inspect.hazards import DIFFERENT, HAZARDS, REJECTED, Finding, Hazard
from ssop._inspect.records import SliceNode
from ssop._inspect.reports import Report
from ssop._version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RULES: Sequence[Hazard] = (*HAZARDS, REJECTED, DIFFERENT)
INDICES = {hazard.label: index for index, hazard in enumerate(RULES)}


def sarif_of(reports: Sequence[Report]) -> dict[str, Any]:
    """One run with the hazards of all these models."""
    return log_of(
        [
            result_of(finding, report.model.path, node.node)
            for report in reports
            for node in report.nodes
            for finding in node.findings
        ]
    )


def log_of(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A log of one run."""
    driver = {"name": "ssop inspect", "version": __version__, "rules": [_rule(hazard) for hazard in RULES]}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results)}]}


def with_unreadable(log: dict[str, Any], errors: Sequence[SliceError]) -> dict[str, Any]:
    """A log whose run failed on some files; each is a result, too, since code hosts show nothing else."""
    (run,) = log["runs"]
    for error in errors:
        place = {"physicalLocation": _place(str(error.value), line_of(error) or 1)}
        told = {"level": "error", "message": {"text": str(error)}, "locations": [place]}
        run["results"].append({"ruleId": error.label, **told})
        run.setdefault("invocations", [{"executionSuccessful": False, "exitCode": 2}])
        run["invocations"][0].setdefault("toolExecutionNotifications", []).append(told)
    return log


def line_of(error: SliceError) -> int | None:
    """The line of a file that cannot be read, if its parser told it."""
    path, message = str(error.value), str(error)
    found = re.search(r"\bline ([1-9]\d{0,8})\b", message.partition(f"{path}: ")[2] or message)
    return None if found is None else int(found[1])


def _rule(hazard: Hazard) -> dict[str, Any]:
    from ssop._inspect.stories import BY_LABEL, markdown, plain

    told = markdown(BY_LABEL[hazard.label])
    return {
        "id": hazard.label,
        "name": hazard.name,
        "shortDescription": {"text": hazard.summary},
        "help": {"text": plain(told), "markdown": told},
        "defaultConfiguration": {"level": hazard.severity},
    }


def result_of(finding: Finding, path: str, node: SliceNode | None) -> dict[str, Any]:
    """A hazard of a node of the file at this path; the node is None if this file does not have it."""
    graph, name = ("main", finding.node) if node is None else (node.graph, node.name)
    logical = {"name": name, "fullyQualifiedName": f"{graph}/{name}", "kind": "object"}
    place = {"physicalLocation": _place(path, 1), "logicalLocations": [logical]}
    source = None if node is None or node.source is None else re.fullmatch(r"(.+):(\d+)", node.source)
    told = sha256(
        "\0".join((finding.label, graph, name, finding.message)).encode("utf-8", "backslashreplace")
    ).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.label,
        "ruleIndex": INDICES[finding.label],
        "level": finding.severity,
        "message": {"text": f"{finding.node}: {finding.message}"},
        "locations": [place],
        "partialFingerprints": {"primaryLocationLineHash": told[:16] + ":1"},
    }
    if source is not None and int(source[2]) > 0:
        line = {
            "physicalLocation": _place(source[1], int(source[2])),
            "message": {"text": "the line that it is made of"},
        }
        result["relatedLocations"] = [line]
    return result


def _place(path: str, line: int) -> dict[str, Any]:
    """A line of a file. Code hosts show no result without a line, so a model has its first."""
    parts = PurePath(path)
    uri = parts.as_uri() if parts.is_absolute() else quote(os.fsencode(parts.as_posix()))
    return {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
