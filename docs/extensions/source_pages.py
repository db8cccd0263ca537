"""A page for each file of the tree that other pages refer to, with an anchor for each line."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    for name in sorted(app.env.source_files):
        formatter = HtmlFormatter(linenos="inline", linespans="L", wrapcode=True)
        code = highlight((ROOT / name).read_text(encoding="utf-8"), lexer_of(name), formatter)
        code = code.replace('<span id="L-', '<span id="L')
        title = html.escape(name)
        body = f'<h1>{title}</h1><div class="highlight-default notranslate">{code}</div>'
        context = {"title": title, "body": body, "parents": [], "toctree": no_toctree}
        yield f"source/{name}", context, "page.html"


def no_toctree(**options: Any) -> str:
    """The sidebar of these pages is empty: making its tree for each of them takes a third of the time of a build."""
    return ""


def lexer_of(name: str) -> Any:
    try:
        return get_lexer_for_filename(name.removesuffix(".def") + (".h" if name.endswith(".def") else ""))
    except ClassNotFound:
        return TextLexer()


def level_of_captions(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Captions in the sidebar have the role of headings, which needs a level for screen readers."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", level_of_captions, priority=900)  # after furo's
    return {"parallel_read_safe": True}
