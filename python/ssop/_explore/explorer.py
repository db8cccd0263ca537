"""The page of the mask explorer, put together from its parts.

The JavaScript is written as modules, of which only `page.js` needs a page of its own. `script` puts modules into one
script: each becomes a function, so that names of one do not meet those of another.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from ssop._explain.others import quirks
from ssop._explain.repair import CONDITIONS, SPEC_STAGE, STAGES
from ssop._explain.specs import DIALECTS
from ssop._explain.words import BITS, WORDS
from ssop._explain.words import STAGES as NAMED_STAGES

HEIGHT = 900
"""The height of the page inside a notebook, in pixels."""

MODULES = (
    "core.js",
    "state.js",
    "explain.js",
    "picture.js",
    "reasons.js",
    "lessons.js",
    "markup.js",
    "view.js",
    "explorer.js",
)
"""The explorer, without a page: each after those that it imports."""

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+\.js)";$', flags=re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", flags=re.M)
IDLE = re.compile(r"^(?:\s*//.*\n|[ \t]+)", flags=re.M)  # lines of comments, and the space before others


def _read(name: str) -> str:
    return (files("ssop") / "_explore" / name).read_text("utf-8")


def script(names: tuple[str, ...]) -> str:
    """The modules as one script, in which `modules` has what each exports, by its file name."""
    functions = (
        f'modules["{name}"] = (() => {{\n{_plain(name)}return {{ {", ".join(EXPORT.findall(_read(name)))} }};\n}})();\n'
        for name in names
    )
    return "const modules = {};\n" + "".join(functions)


def _plain(name: str) -> str:
    """A module that takes what it imports from `modules`, and exports nothing."""
    return EXPORT.sub("", IMPORT.sub(r'const \1 = modules["\2"];', IDLE.sub("", _read(name))))


def facts() -> dict[str, Any]:
    """What the modules get of the package: the core, and the words of all reasons."""
    packer = zlib.compressobj(9, wbits=-15)
    core = packer.compress((files("ssop") / "_explore" / "core.wasm").read_bytes()) + packer.flush()
    dialects = {
        name: {
            "labels": dict(rules.labels),
            "function": rules.function,
            "vectors": rules.vectors,
            "readsShrunkBeginMask": rules.shrink_reads_begin_mask,
        }
        for name, rules in DIALECTS.items()
    }
    explained = {
        "words": WORDS,
        "stages": NAMED_STAGES,
        "bits": BITS,
        "dialects": dialects,
        "conditions": CONDITIONS,
        "stageOf": STAGES,
        "specStage": SPEC_STAGE,
    }
    return {
        "core": base64.b64encode(core).decode("ascii"),
        "quirks": quirks(),
        "explained": explained,
        "titles": json.loads(_read("rules.json")),
    }


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _page() -> str:
    style = (files("ssop") / "_explain" / "templates" / "picture.css").read_text("utf-8")
    parts = {
        "style": style + _read("explorer.css") + _read("page.css"),
        "facts": _json(facts()),
        "script": script(MODULES) + _plain("page.js"),
    }
    page = _read("page.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


class Explorer:
    """The page with the call that it starts with: shows itself in notebooks; `html` is the whole page.

    `pages` has the addresses of rules that have a page, by their labels.
    """

    def __init__(self, start: dict[str, str], pages: dict[str, str] | None = None) -> None:
        self.start = start
        self.pages = pages or {}

    @property
    def html(self) -> str:
        start = _json(self.start) if self.start else "null"
        return _page().replace("{{start}}", start, 1).replace("{{pages}}", _json(self.pages), 1)

    def _repr_html_(self) -> str:
        frame = f'width="100%" height="{HEIGHT}" sandbox="allow-scripts" style="border:0"'
        return f'<iframe title="Mask explorer" srcdoc="{escape(self.html)}" {frame}></iframe>'
