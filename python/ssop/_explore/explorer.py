"""The page of the mask explorer, put together from its parts."""

from __future__ import annotations

import base64
import json
from functools import cache
from html import escape
from importlib.resources import files

from ssop._explain.others import quirks

HEIGHT = 900
"""The height of the page inside a notebook, in pixels."""


@cache
def _page() -> str:
    folder = files("ssop") / "_explore"
    core = base64.b64encode((folder / "core.wasm").read_bytes()).decode("ascii")
    style = (files("ssop") / "_explain" / "templates" / "picture.css").read_text("utf-8")
    names = ("page.html", "picture.js", "reasons.js", "explorer.js")
    page, picture, reasons, script = ((folder / name).read_text("utf-8") for name in names)
    known = json.dumps(quirks()).replace("<", "\\u003c")
    parts = {"core": core, "quirks": known, "style": style, "picture": picture, "reasons": reasons, "script": script}
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


class Explorer:
    """The page with the call that it starts with: shows itself in notebooks; `html` is the whole page."""

    def __init__(self, start: dict[str, str]) -> None:
        self.start = start

    @property
    def html(self) -> str:
        words = json.dumps(self.start).replace("<", "\\u003c")
        return _page().replace('"use strict";', f'"use strict";\nwindow.EXPLORER_START = {words};', 1)

    def _repr_html_(self) -> str:
        frame = f'width="100%" height="{HEIGHT}" sandbox="allow-scripts" style="border:0"'
        return f'<iframe title="Mask explorer" srcdoc="{escape(self.html)}" {frame}></iframe>'
