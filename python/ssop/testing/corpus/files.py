"""The files of a corpus."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ssop._files import read_text
from ssop._whole_files import write_whole

FORMAT = 1
"""The format of a file. It rises when a member changes its meaning."""


@dataclass(frozen=True)
class Failure:
    """One failure; all members are data of JSON."""

    kind: str
    """Who asks again: a key of `REPLAYERS`."""
    program: Mapping[str, Any]
    """What was asked, by the kind's own members; elements of arrays by a seed, or by counting, where they can be."""
    failure: str
    """What was wrong, in the words by which the same failure is recognised."""
    right: str = ""
    """The right answer, or the oracle's."""
    given: str = ""
    """The subject's answer."""
    subject: str | None = None
    """As `--subject` names it; None: ssop; empty: a function that has no name to be imported by."""
    oracle: str = ""
    """The engine that was asked, or that ran the model."""
    versions: str = ""
    rules: list[str] = field(default_factory=list)
    """Labels of SPEC.md by which the right answer is right."""
    text: str = ""
    """The program for a reader."""
    name: str = ""
    """The file has this name, without its ending."""

    @property
    def slug(self) -> str:
        """A file name: what was wrong, and a hash of what was asked.

        >>> Failure("call", {}, "the shapes differ").slug.rpartition("-")[0]
        'call-the-shapes-differ'
        """
        words = re.sub(r"[^a-z0-9]+", "-", self.failure.lower()).strip("-")[:60]
        data = json.dumps([self.kind, self.program, self.failure, self.subject], sort_keys=True)
        return f"{self.kind}-{words}-{hashlib.sha256(data.encode()).hexdigest()[:8]}"


def write_failure(folder: str | Path, failure: Failure) -> Path:
    """Write a file, whole or not at all; the same failure has the same file."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    path = Path(folder) / f"{failure.name or failure.slug}.json"
    data = {"format": FORMAT, **{name: value for name, value in asdict(failure).items() if name != "name"}}
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(str(path), text.encode(errors="backslashreplace"))  # of surrogates, JSON's own escapes
    return path


def read_failure(path: Path) -> Failure:
    """Read a file; ValueError, with its name, for any other file."""
    try:
        data = json.loads(read_text(path))
        if data.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        if not isinstance(data["program"], dict):
            raise ValueError("its program is no object")
        for name in {*data} - {"program", "rules"}:
            if not isinstance(data[name], str | None):
                raise ValueError(f"its {name} is no text")
        return Failure(**data, name=path.stem)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no failure of a corpus: {type(error).__name__}: {error}") from None


def read_folder(folder: str | Path) -> list[Failure]:
    """All failures of a folder, by name; ValueError for a path that is no folder, or one without files."""
    if not str(folder) or not Path(folder).is_dir():
        raise ValueError(f"{folder} is no folder")
    paths = sorted(Path(folder).glob("*.json"))
    if not paths:
        raise ValueError(f"{folder} has no files that end in .json")
    return [read_failure(path) for path in paths]
