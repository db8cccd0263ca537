"""Explanations as HTML and SVG: the only module that imports the template library."""

from __future__ import annotations

from functools import cache, lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from ssop._display import index_text
from ssop._explain.facts import Facts
from ssop._explain.picture import Picture
from ssop._explain.text import NO_ENTRIES, bit_numbers, grouped, grouped_bits, grouped_calls, idle_stages
from ssop.divergences import DOCUMENTS


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ssop._explain"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip


@lru_cache(maxsize=64)
def render_svg(picture: Picture) -> str:
    """The picture as a well-formed SVG element, without a script and without anything from elsewhere.

    The last ones are kept: the HTML of an explanation has the picture that `to_svg` returns, and calls that differ in
    bits which do not matter have the same one.
    """
    template = _environment().get_template("picture.svg")
    return template.render(picture=picture, drawing=picture.drawing(), id=picture.identifier())


def render_html(explanation: Facts) -> str:
    """The picture, the answer, and tables, as a well-formed XHTML element: a part of a page, such as a notebook's."""
    return _render("explanation.html", explanation)


def render_page(explanation: Facts) -> str:
    """The same as a page of its own with a style, as well-formed XHTML."""
    return _render("page.html", explanation)


def _render(template: str, explanation: Facts) -> str:
    index = None if explanation.index is None else f"x{index_text(explanation.index)}"
    picture = None if explanation.draw is None else render_svg(explanation.draw())
    folded = {
        "idle": idle_stages(explanation.stages),
        "bit_numbers": bit_numbers,
        "no_entries": NO_ENTRIES,
        "bits": grouped_bits(explanation.bits),
        "elsewhere": grouped_calls(explanation.elsewhere),
        "others": grouped(explanation.others),
    }
    page = _environment().get_template(template)
    return page.render(e=explanation, index=index, picture=picture, documents=DOCUMENTS, **folded)
