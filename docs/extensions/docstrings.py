"""Prepares docstrings for numpydoc, which knows fewer forms than readers of `help` do.

- `name : type: what it means` and `name : type. What it means`: the meaning becomes the description.
- In Returns and Raises, `name : text` is a name and its description.
- A paragraph of examples behind the entries of a section is the section Examples.
- A paragraph that begins with `Source:` stands behind the last section; it becomes a note.
- In docstrings, `SPEC.md` is a link to the rules.
- Sections that say "none" or "nothing" are left out.
- The field of a named tuple is described by the string behind it in the source.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, MethodDescriptorType
from typing import Any

from sphinx.application import Sphinx

ENTRIES = ("Parameters", "Other Parameters", "Attributes", "Returns", "Raises", "Yields")
UNDERLINE = re.compile(r"-{3,}$")
ENTRY = re.compile(r"(\S[^:`]*) : (.*)")
TYPE_AND_MEANING = re.compile(r"([^:;.]*?)(?:; |\. |, (?=[^,:;.]*: ))(.*)|(.*?): (.*)")


def split_sections(lines: list[str]) -> list[tuple[str, list[str]]]:
    """The text before the first heading, with the name "", then each section of a numpydoc docstring."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if UNDERLINE.match(following.strip()) and line.strip():
            sections.append((line.strip(), []))
        elif not UNDERLINE.match(line.strip()):
            if line.startswith(">>> ") and sections[-1][0] in ENTRIES:
                sections.append(("Examples", []))
            sections[-1][1].append(line)
    return sections


def take_source(lines: list[str]) -> tuple[list[str], list[str]]:
    """A section without the paragraph that begins with `Source:`, and this paragraph."""
    start = next((i for i, line in enumerate(lines) if line.startswith("Source: ")), None)
    if start is None:
        return lines, []
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return lines[:start] + lines[end:], [*lines[start:end], ""]


def described(section: str, lines: list[str]) -> list[str]:
    """The entries of a section, each description below its name and type."""
    result = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        entry = ENTRY.fullmatch(line)
        if entry is None or line.startswith(" "):
            result.append(line)
            continue
        name, text = entry.groups()
        goes_on = following.startswith(" ") and not following.strip()[0].isupper()
        meaning = TYPE_AND_MEANING.fullmatch(text)
        if section in ("Returns", "Raises", "Yields"):
            result += [name, f"    {text}"]
        elif meaning:
            result += [f"{name} : {meaning[1] or meaning[3]}", f"    {meaning[2] or meaning[4]}"]
        elif goes_on:
            result += [name, f"    {text}"]
        else:
            result.append(line)
    return result


@cache
def field_texts() -> dict[tuple[str, str], str]:
    """What the sources of the package say of each field of a class: class and field -> text."""
    found = {}
    for path in (Path(__file__).parents[2] / "python" / "ssop").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            body = node.body if isinstance(node, ast.ClassDef) else []
            for field, text in zip(body, body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                    assert isinstance(node, ast.ClassDef)
                    found[node.name, ast.unparse(field.target)] = inspect.cleandoc(ast.literal_eval(text.value))
    return found


def prepare(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    if re.match(r"Alias for field number \d+", "".join(lines)):
        owner, field = name.split(".")[-2:]
        lines[:] = field_texts().get((owner, field), "").splitlines()
    sections, notes = [], []
    for title, text in split_sections(lines):
        if title and "".join(text).strip() in ("none", "nothing"):
            continue
        if title:
            text, source = take_source(text)
            notes += source
        sections.append((title, described(title, text) if title in ENTRIES else text))
    titles = [title for title, _ in sections]
    if notes and "Notes" in titles:
        sections[titles.index("Notes")][1].extend(["", *notes])
    elif notes:
        sections.insert(titles.index("Examples") if "Examples" in titles else len(titles), ("Notes", notes))
    lines[:] = []
    for title, text in sections:
        lines += [title, "-" * len(title)] if title else []
        lines += [re.sub(r"`*\bSPEC\.md\b`*", ":doc:`the rules </rules/index>`", line) for line in text]


def signature(app: Sphinx, what: str, name: str, obj: Any, *rest: Any) -> tuple[str, str] | None:
    """The signature of a function in C, of which numpydoc makes `(/, input_, ..)`."""
    if not isinstance(obj, (BuiltinFunctionType, MethodDescriptorType)):
        return None
    parameters = list(inspect.signature(obj).parameters.values())
    if isinstance(obj, MethodDescriptorType):
        parameters = parameters[1:]
    return str(inspect.Signature(parameters)), ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", prepare, priority=100)
    app.connect("autodoc-process-signature", signature, priority=100)
    return {"parallel_read_safe": True}
