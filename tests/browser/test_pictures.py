"""Pictures and explanations in Chromium: every word is inside its picture, and axe finds nothing that hinders."""

import json
from pathlib import Path

from axe_selenium_python import Axe

import ssop

PICTURES = sorted((Path(__file__).parents[2] / "docs" / "pictures").glob("*.svg"))
OUTSIDE = """
const outside = [];
for (const svg of document.querySelectorAll("svg")) {
  const {width, height} = svg.viewBox.baseVal;
  for (const word of svg.querySelectorAll("text")) {
    const box = word.getBBox();
    if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height) {
      outside.push(`${svg.querySelector("title").textContent}: ${word.textContent}`);
    }
  }
}
return outside;
"""
OVERLAPPING = """
const overlapping = [];
for (const svg of document.querySelectorAll("svg")) {
  const words = [...svg.querySelectorAll("text")].map((word) => [word.textContent, word.getBBox()]);
  words.forEach(([one, a], i) => words.slice(i + 1).forEach(([other, b]) => {
    const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
    const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
    if (across > 1 && down > 3) overlapping.push(`${svg.querySelector("title").textContent}: ${one}, ${other}`);
  }));
}
return overlapping;
"""


def show(browser, tmp_path, parts):
    path = tmp_path / "page.html"
    head = "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><link rel='icon' href='data:,'><title>t</title>"
    style = "<style>body { color-scheme: light dark }</style></head>"
    path.write_text(f"{head}{style}<body><main><h1>Pictures</h1>{''.join(parts)}</main></body></html>", "utf-8")
    browser.get_log("browser")
    browser.get(path.as_uri())


def test_every_word_of_every_picture_is_inside_and_alone(browser, tmp_path):
    show(browser, tmp_path, [path.read_text("utf-8") for path in PICTURES])
    assert len(PICTURES) >= 15
    assert browser.execute_script("return document.querySelectorAll('svg text').length") > 500
    assert browser.execute_script(OUTSIDE) == []
    assert browser.execute_script(OVERLAPPING) == []
    assert browser.get_log("browser") == []


def test_nothing_that_axe_knows_hinders_readers_of_an_explanation(browser, tmp_path):
    """What a notebook shows, with a picture each, and of an error."""
    explain = ssop.explain
    explanations = [
        explain((6, 3, 4), [0, 1], [5, 0], [2, 1], shrink_axis_mask=2, end_mask=1),
        explain((3,), [7], [0], [1], shrink_axis_mask=1),
        explain.dynamic_update_slice((4, 6), (2, 3), [3, 1]),
        explain.strided_slice_grad((4, 6), [3, 1], [0, 6], [-1, 2], (3, 3)),
        explain.pad((3, 4), [(1, 0, 1), (-1, 2, 0)]),
    ]
    show(browser, tmp_path, [explanation._repr_html_() for explanation in explanations])
    axe = Axe(browser)
    axe.inject()
    violations = axe.run(options={"runOnly": ["wcag2a", "wcag2aa"]})["violations"]
    assert violations == [], json.dumps(violations, indent=1)[:3000]
    assert browser.get_log("browser") == []
