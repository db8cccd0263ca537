"""The policies of the copy engine: what suits the machine, what `ssop tune` found, what the environment says.

A policy is a size by which the engine decides how a copy treats memory. It changes how fast copies are, never a result.
At import, the policies are those of the machine. An entry of the tuned file for this machine replaces them, and the
environment's variables replace both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from ssop import _core
from ssop._files import read_text

PREFIX = "SSOP_POLICY_"
FILE_VARIABLE = "SSOP_TUNED_FILE"
FORMAT = 1
"""Version of the tuned file; files of other versions are not used."""


class Policy(NamedTuple):
    """One policy: its value now and its bounds, each an integer."""

    name: str
    value: int
    low: int
    high: int
    about: str
    """What it decides."""

    @property
    def variable(self) -> str:
        """The environment variable that replaces it at import."""
        return PREFIX + self.name.upper()


class Tuned(NamedTuple):
    """What the tuned file says of this machine."""

    path: str
    """"" if no file is to be read."""
    state: str
    """"used", or why it is not."""
    values: dict[str, int]


def policies() -> list[Policy]:
    """Return the policies that are in use."""
    return [Policy(*row) for row in _core.policies()]


def tuned_file() -> str:
    """Return the path of the file that `ssop tune` writes; "" if the environment turns the file off."""
    named = os.environ.get(FILE_VARIABLE)
    if named is not None:
        return named
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "ssop", "tuned.json")


def machine() -> dict[str, Any]:
    """Return what must be equal for tuned policies to be used: processor, CPU target, last-level cache, processors."""
    config = _core.core_config()
    return {
        "processor": config["kernels"]["processor"],
        "kernels": config["kernels"]["chosen"],
        "last_cache_bytes_told": config["memory"]["last_cache_bytes_told"],
        "processors": config["threads"]["processors"],
    }


def fits(policy: Policy, value: Any) -> bool:
    """Return whether a value is an int within the bounds of a policy."""
    return type(value) is int and policy.low <= value <= policy.high


def read_tuned(path: str) -> Tuned:
    """Read the tuned file. Nothing in it is an error: what does not fit is not used, and `state` says why."""
    if not path:
        return Tuned(path, f"not read: {FILE_VARIABLE} is empty", {})
    try:
        text = read_text(path)
    except FileNotFoundError:
        return Tuned(path, "there is none", {})
    except (OSError, ValueError) as error:
        return Tuned(path, f"not used: {error}", {})
    import json  # slow to load, and most machines have no such file

    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            return Tuned(path, f"not used: its format is {content['format']!r}, not {FORMAT}", {})
        here = machine()
        found = [entry["policies"] for entry in content["machines"] if entry["machine"] == here]
        if not found:
            return Tuned(path, "not used: it has no entry for this machine and these kernels", {})
        known = {policy.name: policy for policy in policies()}
        strange = [name for name, value in found[-1].items() if name not in known or not fits(known[name], value)]
        if strange:
            return Tuned(path, f"not used: no such policy or value: {', '.join(sorted(strange))}", {})
        return Tuned(path, "used", dict(found[-1]))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        return Tuned(path, f"not used: no tuned file: {type(error).__name__}: {error}", {})


def from_environment(environment: Mapping[str, str]) -> dict[str, int]:
    """Return the policies that variables name; ImportError for one that makes no sense."""
    found = {}
    for policy in policies():
        text = environment.get(policy.variable, "")
        if text:
            value = int(text) if text.isascii() and text.isdigit() and len(text) <= 100 else -1
            if not fits(policy, value):
                raise ImportError(f"{policy.variable}={text[:100]}: not an integer, {policy.low}..{policy.high}")
            found[policy.name] = value
    return found


def load() -> tuple[Tuned, dict[str, int]]:
    """Use the policies of the tuned file and of the environment; return both."""
    named = from_environment(os.environ)
    tuned = read_tuned(tuned_file())
    if tuned.values or named:
        _core.use_policies(tuned.values | named)
    return tuned, named


TUNED, NAMED = load()
