"""The colours of the pictures: enough contrast for all eyes, and nothing that is told by colour alone.

The model of Machado, Oliveira and Fernandes says how an eye without one kind of cones sees a colour: "A
Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009. It is used with the
matrices of full severity, on linear RGB.

Contrast is that of WCAG 2.1: 4.5 for words (1.4.3), 3 for what else must be seen (1.4.11).
"""

import re
from importlib.resources import files
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop

STYLE = (files("ssop") / "_explain" / "templates" / "picture.css").read_text("utf-8")
PALETTES = {
    name: dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", rule))
    for name, rule in zip(("light", "dark", "print"), STYLE.splitlines()[:3], strict=True)
}
EYES = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "none for colours": [[0.2126, 0.7152, 0.0722]] * 3,
}
WORDS = [("ink", "paper"), ("ink", "fill"), ("soft", "paper")]
SHAPES = [("grid", "paper"), ("edge", "paper"), ("edge", "fill"), ("mark", "paper")]


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other, eye):
    seen = (np.clip(np.array(EYES[eye]) @ linear(colour), 0, 1) for colour in (one, other))
    dark, light = sorted(float(np.dot([0.2126, 0.7152, 0.0722], colour)) for colour in seen)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_is_that_of_the_standard():
    """Black on white is 21, and #767676 on white is the lightest grey of 4.5."""
    assert contrast("#000000", "#ffffff", "normal") == pytest.approx(21)
    assert contrast("#767676", "#ffffff", "normal") > 4.5 > contrast("#777777", "#ffffff", "normal")
    assert contrast("#ff0000", "#808000", "protanopia") < contrast("#ff0000", "#ffffff", "protanopia")


def test_every_eye_is_a_white_that_stays_white():
    for eye in EYES:
        assert np.allclose(np.array(EYES[eye]) @ linear("#ffffff"), 1, atol=1e-3), eye


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("palette", PALETTES)
def test_roles_are_told_apart(palette, eye):
    colours = PALETTES[palette]
    assert set(colours) == {"paper", "ink", "soft", "grid", "fill", "edge", "mark"}
    for least, pairs in ((4.5, WORDS), (3, SHAPES)):
        for one, other in pairs:
            assert contrast(colours[one], colours[other], eye) >= least, (one, other)


def picture(explanation):
    root = ElementTree.fromstring(explanation.to_svg())
    return [element for element in root.iter() if element.tag.endswith(("rect", "text", "line"))]


def test_print_has_no_hues():
    for colour in PALETTES["print"].values():
        assert len({colour[i : i + 2] for i in (1, 3, 5)}) == 1, colour


def test_nothing_is_told_by_colour_alone():
    """Taken cells have a number and a border of their own width. Directions have a head. Begin is square, end is
    round, and both are thin where they are masked; what is outside is dashed, a new axis too; padding is hatched."""
    elements = picture(ssop.explain((6, 5), [1, 0], [4, 3], [1, 2], begin_mask=2))
    taken = [(a, b) for a, b in pairwise(elements) if a.get("class") == "ssop-taken"]
    assert len(taken) == 6 and [int(text.text) for _, text in taken] == list(range(6))
    assert (
        re.search(r"\.ssop-taken \{[^}]*stroke-width: 2.5", STYLE)
        and "rect { fill: none; stroke: var(--grid); }" in STYLE
    )
    lines = {kind: [e for e in elements if e.get("class") == f"ssop-{kind}"] for kind in ("arrow", "bound", "masked")}
    assert [len(found) for found in lines.values()] == [2, 9, 3]
    assert all(line.get("marker-end") for line in lines["arrow"])
    assert not any(line.get("marker-end") for line in lines["bound"] + lines["masked"])
    end = [tuple(int(line.get(name)) for name in ("x1", "y1", "x2", "y2")) for line in lines["bound"][:3]]
    begin = [tuple(int(line.get(name)) for name in ("x1", "y1", "x2", "y2")) for line in lines["masked"]]
    x, y, _, _ = begin[0]
    assert begin == [(x, y, x, y + 14), (x, y, x + 4, y), (x, y + 14, x + 4, y + 14)]
    assert len({end[0][0], end[0][2]}) == 2 and end[0][2:] == end[1][:2] and end[1][2:] == end[2][:2]
    widths = [
        float(re.search(rf"\.ssop-{kind} \{{[^}}]*stroke-width: ([\d.]+)", STYLE)[1]) for kind in ("bound", "masked")
    ]
    assert widths[0] >= 2 * widths[1]
    for kind in ("asked", "outside", "new"):
        assert re.search(rf"\.ssop-{kind} \{{[^}}]*stroke-dasharray", STYLE), kind
    padding = [e for e in picture(ssop.explain.pad((2,), [(1, 0, 1)])) if e.get("class") == "ssop-padding"]
    assert len(padding) == 2 and all(cell.get("style").startswith("fill:url(#") for cell in padding)
