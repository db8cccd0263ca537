"""`ssop explain --format html` writes a page, of which a notebook shows the inner part."""

from xml.etree import ElementTree

import pytest

import ssop
from ssop._explain.rendering import render_page


@pytest.mark.parametrize("begin", [1, 9], ids=["a result", "an error"])
def test_html_of_the_command_line_is_a_page_with_a_style(begin):
    explanation = ssop.explain((4, 3), [begin], [2], shrink_axis_mask=1)
    page = ElementTree.fromstring(render_page(explanation))
    assert (page.tag, page.get("lang")) == ("html", "en")
    assert page.findtext("head/title") == explanation.call
    assert "prefers-color-scheme: dark" in page.findtext("head/style")
    part = ElementTree.fromstring(explanation._repr_html_())  # a notebook shows it in a page of its own
    assert part.tag == "div" and part.findall(".//style") == part.findall(".//svg/style")
    assert "".join(part.itertext()).strip() in "".join(page.find("body").itertext())
