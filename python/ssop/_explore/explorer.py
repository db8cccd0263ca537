"""The page of the mask explorer, put together from its parts.

The JavaScript is written as modules, of which only `page.js` needs a page of its own. `script` puts modules into one
script: each becomes a function, so that names of one do not meet those of another. The script is deflated, and the
page unpacks it: readers of the source find it in the modules.
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
    "unpack.js",
    "core.js",
    "state.js",
    "explain.js",
    "picture.js",
    "strip.js",
    "reasons.js",
    "lessons.js",
    "predict.js",
    "quiz.js",
    "markup.js",
    "dialects.js",
    "practice.js",
    "view.js",
    "explorer.js",
)
"""The explorer, without a page: each after those that it imports."""

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+\.js)";$', flags=re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", flags=re.M)
PART = re.compile(r"\{\{(start|pages)\}\}")
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


def packed(content: bytes) -> str:
    """Deflated, as base64: `unpack.js` reads it."""
    packer = zlib.compressobj(9, wbits=-15)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")


def facts() -> dict[str, Any]:
    """What the modules get of the package: the core, and the words of all reasons."""
    core = (files("ssop") / "_explore" / "core.wasm").read_bytes()
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
        "core": packed(core),
        "quirks": quirks(),
        "explained": explained,
        "titles": json.loads(_read("rules.json")),
    }


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _style() -> str:
    """The style of an explorer, on its page and in a widget."""
    return (files("ssop") / "_explain" / "templates" / "picture.css").read_text("utf-8") + _read("explorer.css")


@cache
def _page() -> str:
    code = f"const FACTS = {_json(facts())};\n{script(MODULES)}{_plain('page.js')}"
    parts = {
        "style": _style() + _read("page.css"),
        "unpack": _plain("unpack.js"),
        "script": packed(code.encode("utf-8")),
    }
    page = _read("page.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


@cache
def widget_module() -> str:
    """The explorer as a module for anywidget, which exports `render`; the host of notebooks imports it from a text."""
    code = (
        f"const FACTS = {_json(facts())}, STYLE = {_json(_style())};\n{script((*MODULES, 'widget.js'))}"
        'export const render = (given) => modules["widget.js"].render(given, FACTS, STYLE);'
    )
    return f"""{_plain("unpack.js")}
const code = unpacked("{packed(code.encode("utf-8"))}").text().then((text) => {{
const url = URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }}));
return import(url).finally(() => URL.revokeObjectURL(url));
}});
export default {{ render: async (given) => (await code).render(given) }};
"""


class Explorer:
    """The page with the call that it starts with: shows itself in notebooks; `html` is the whole page.

    `pages` has the addresses of rules that have a page, by their labels.
    """

    def __init__(self, start: dict[str, str], pages: dict[str, str] | None = None) -> None:
        self.start = start
        self.pages = pages or {}

    @property
    def html(self) -> str:
        parts = {"start": _json(self.start) if self.start else "null", "pages": _json(self.pages)}
        return PART.sub(lambda found: parts[found[1]], _page())  # at once: a text of one may name the other

    def _repr_html_(self) -> str:
        frame = f'width="100%" height="{HEIGHT}" sandbox="allow-scripts" style="border:0"'
        return f'<iframe title="Mask explorer" srcdoc="{escape(self.html)}" {frame}></iframe>'
