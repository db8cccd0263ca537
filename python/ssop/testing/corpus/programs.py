"""Python code as a failure: it is run alone, and what it prints tells whether the failure is still there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from typing import Any, NamedTuple

from ssop.testing.oracles.child import died

SECONDS = 300.0
"""The limit of a program, most of whose time is an engine's import."""


LOG = re.compile(r"[IWE]\d{4} |WARNING: All log")
"""Lines of TensorFlow's and XLA's logs."""


class Printed(NamedTuple):
    """How a program ended."""

    out: str
    err: str
    end: str
    """As in "exit 0", "crashed: SIGSEGV", "no answer"."""

    def __str__(self) -> str:
        return "\n".join(part.strip() for part in self) if self.err else f"{self.out.strip()}\n{self.end}"

    @property
    def short(self) -> str:
        """What it printed, or the last line of its error, and how it ended unless well."""
        told = [line for line in self.err.strip().splitlines() if not LOG.match(line)]
        lines = self.out.strip().splitlines()[-6:] or told[-1:]
        return " ".join(" ".join(lines).split())[:300] + ("" if self.end == "exit 0" else f" ({self.end})")


def run_code(code: str) -> Printed:
    """Run code in a process of its own.

    >>> run_code("print(1)").short, run_code("import os; os.abort()").end
    ('1', 'crashed: SIGABRT')
    """
    paths = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, errors="replace", check=False,
            timeout=SECONDS, env=environment,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        told = error.stdout.decode(errors="replace") if isinstance(error.stdout, bytes) else error.stdout or ""
        return Printed(told, "", f"no answer within {SECONDS:g} seconds")
    code_of_exit = done.returncode
    return Printed(done.stdout, done.stderr, died(code_of_exit) if code_of_exit < 0 else f"exit {code_of_exit}")


def check_program(data: Mapping[str, Any]) -> None:
    """Raise ValueError or KeyError for data that is no program."""
    for name, kind in (("needs", list), ("code", list), ("right", str), ("shows", str)):
        if not isinstance(data[name], kind) or not all(isinstance(line, str) for line in data[name]):
            raise ValueError(f"{name} is not {'a list of texts' if kind is list else 'a text'}")
    for name in ("right", "shows"):
        try:
            re.compile(data[name])
        except re.error as error:
            raise ValueError(f"{name} is no regular expression: {error}") from None


def missing(distributions: list[str]) -> list[str]:
    """Those that are not installed."""
    found = []
    for name in distributions:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            found.append(name)
    return found


def matches(pattern: str, printed: Printed) -> bool:
    """Whether a regular expression is found in what a program printed and how it ended."""
    return bool(pattern) and re.search(pattern, str(printed), re.DOTALL) is not None
