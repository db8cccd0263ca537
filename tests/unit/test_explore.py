"""`ssop.explore` without a browser: one small page that loads nothing. `tests/browser` has what the page does."""

import re
import subprocess
import sys
import webbrowser
from html import unescape
from pathlib import Path

import pytest

import ssop
from ssop import cli
from ssop._explore.explorer import MODULES, Explorer, _plain, facts


def test_the_page_is_one_small_file_that_loads_nothing():
    html = ssop.explore().html
    assert html.startswith("<!DOCTYPE html>") and len(html) < 100_000
    assert "{{" not in html.replace("${", "") and "http:" not in html and "https:" not in html
    assert "default-src 'none'" in html and re.findall(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=[^>]*", html) == [
        '<link rel="icon" href="data:,"'
    ]


def test_the_rules_are_headed_as_in_the_specification():
    """Also those that errors, reasons and stages name; the page has no other words about them."""
    text = (Path(__file__).parents[2] / "SPEC.md").read_text("utf-8")
    headings = dict(re.findall(r"^### ((?:ss|tfl|ov|onx|onr|ort)_[cs]\d+|rg_s4): (.*)$", text, flags=re.M))
    assert facts()["titles"] == {label: head.replace("`", "") for label, head in headings.items()}


def test_modules_need_no_page_but_one():
    """What of the explorer shall be the body of a widget: no module but `page.js` reads the document's own things."""
    for name in MODULES:
        text = _plain(name)
        assert not re.search(r"\b(document|location|history|localStorage|window)\b", text), name
        assert "import " not in text and "export " not in text


def test_it_starts_with_a_call():
    start = ssop.explore((6, 3), [0, 9], [3, 9], [1, 1], 1, shrink_axis_mask=-2).start
    assert start == {"shape": "6,3", "begin": "0,9", "end": "3,9", "strides": "1,1", "masks": "1,0,0,0,-2"}
    assert ssop.explore((6,), [1], [2]).start["strides"] == "1"
    assert '"begin":"0,9"' in ssop.explore((6, 3), [0, 9], [3, 9]).html
    with pytest.raises(ssop.SliceError, match="ss_c1"):
        ssop.explore((6,), [1], [])


def test_in_a_notebook_it_is_a_frame_without_rights():
    html = ssop.explore()._repr_html_()
    source = unescape(re.search(r'srcdoc="([^"]*)"', html)[1])
    assert source == ssop.explore().html and 'sandbox="allow-scripts"' in html


def test_command_line_writes_the_page(tmp_path, capsys):
    path = tmp_path / "page.html"
    assert cli.main(["explore", "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == ssop.explore().html and capsys.readouterr().out == ""
    assert cli.main(["explore", "-o", str(tmp_path / "no" / "page.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_command_line_opens_the_page(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    assert cli.main(["explore"]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert opened == [path.as_uri()] and path.read_text(encoding="utf-8") == ssop.explore().html
    path.unlink()
    path.parent.rmdir()
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    assert cli.main(["explore"]) == 2
    assert "no browser was found" in capsys.readouterr().err


def test_importing_reads_no_page():
    program = "import ssop, sys; print('ssop._explore' in sys.modules, 'ssop._explore.explorer' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "True False\n"


def test_a_text_that_names_a_part_of_the_page_is_a_text():
    page = Explorer({"shape": "{{pages}}{{start}}"}, {"rule": "page"}).html
    assert 'const START = {"shape":"{{pages}}{{start}}"};\nconst PAGES = {"rule":"page"};\n' in page
