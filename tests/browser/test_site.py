"""The documentation site in Chromium, and whether it has everything: `SSOP_SITE` names its folder, else build/docs."""

import inspect
import json
import os
import re
import zlib
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from axe_selenium_python import Axe
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from child import LIMIT_SECONDS

SITE = Path(os.environ.get("SSOP_SITE", Path(__file__).parents[2] / "build" / "docs")).resolve()
PAGES = [
    "index.html",
    "reference/slices.html",
    "rules/stridedslice.html",
    "divergences.html",
    "explorer.html",
    "notebooks/masks.html",
    "source/csrc/core/range.c.html",
]
MODULES = [
    *(f"ssop{name}" for name in ("", ".tf", ".tflite", ".openvino", ".onnx", ".xla", ".vjp", ".shapes", ".reference")),
    *(f"ssop.shapes.{name}" for name in ("tf", "tflite", "openvino", "onnx", "xla")),
    *(f"ssop.testing.{name}" for name in ("strategies", "oracles")),
]
ALSO = {
    *(f"ssop.explain.{name}" for name in ("slice", "dynamic_slice", "dynamic_update_slice", "pad")),
    *(
        "ssop.explain",
        "ssop.testing.difftest",
        "ssop.testing.check",
        "ssop.testing.differential",
        "ssop.testing.run_c",
        "ssop.divergences.rows",
    ),
}


def public_names():
    """Functions, classes and methods in what the modules list as public."""
    for name in MODULES:
        module = import_module(name)
        for public in module.__all__:
            value = getattr(module, public)
            if inspect.isroutine(value) or inspect.isclass(value):
                yield f"{name}.{public}"
            if inspect.isclass(value) and value.__module__.startswith("ssop"):
                methods = (key for key, method in vars(value).items() if callable(method) and method.__doc__)
                yield from (f"{name}.{public}.{key}" for key in methods if not key.startswith("_"))


def test_every_public_name_has_an_entry():
    packed = (SITE / "objects.inv").read_bytes().split(b"\n", 4)[4]  # after four lines in plain text
    entries = {line.split()[0] for line in zlib.decompress(packed).decode().splitlines() if " py:" in line}
    wanted = {*public_names(), *ALSO}
    assert len(wanted) > 150
    assert sorted(wanted - entries) == []


def test_every_link_leads_to_a_page_and_an_anchor_that_exist():
    pages = {path: path.read_text("utf-8") for path in SITE.rglob("*.html") if "_static" not in path.parts}
    anchors = {path: {unescape(name) for name in re.findall(r'\bid="([^"]+)"', text)} for path, text in pages.items()}
    checked, wrong = 0, []
    for path, text in pages.items():
        for link in map(unescape, re.findall(r'<[^>]*\s(?:href|src)="([^"]+)"', text)):
            address, anchor = urldefrag(link)
            if urlsplit(link).scheme:  # another site, or data in the page
                continue
            target = (path.parent / unquote(urlsplit(address).path)).resolve() if address else path
            checked += 1
            if not target.is_file() or (anchor and unquote(anchor) not in anchors.get(target, {unquote(anchor)})):
                wrong.append(f"{path.relative_to(SITE)}: {link}")
    assert checked > 10_000
    assert sorted(set(wrong)) == []


@pytest.fixture
def visit(browser):
    """A function that opens a page; in the end there is nothing in the console, and nothing came from elsewhere."""
    browser.get_log("browser")
    browser.get_log("performance")

    def open_page(name, query=""):
        browser.get("about:blank")
        browser.get((SITE / name).as_uri() + query)
        return browser

    yield open_page
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert sent
    assert [url for url in sent if not url.startswith((SITE.as_uri(), "about:", "data:", "blob:"))] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_loads_nothing_from_elsewhere(visit, name):
    axe = Axe(visit(name))
    axe.inject()
    results = axe.run(options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert len(results["passes"]) >= 10  # the checks did run
    assert results["violations"] == [], axe.report(results["violations"])


SCREEN = {"height": 1000, "deviceScaleFactor": 1, "mobile": False}
WIDTHS = "return [...document.querySelectorAll(arguments[0])].map((each) => [each.scrollWidth, each.clientWidth])"


def test_the_tables_of_an_explanation_fit_into_the_page(visit):
    """Those with the ends of int64 scroll, and never the page."""
    widths = visit("notebooks/masks_together.html").execute_script(WIDTHS, ".ssop-explanation")
    assert widths and all(needed <= there for needed, there in widths)
    for notebook in ("dialects", "reverse"):
        ((needed, there),) = visit(f"notebooks/{notebook}.html").execute_script(WIDTHS, "html")
        assert needed <= there


MIN_PIXELS = 11
SMALL = """
const scale = (each) => {
  const matrix = each.closest("svg") && each.getScreenCTM();
  return matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
};
const words = [...document.querySelectorAll("body *")].filter((each) =>
  [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && each.getClientRects().length);
const small = words.filter((each) => parseFloat(getComputedStyle(each).fontSize) * scale(each) < arguments[0] - 0.01);
const shrunk = [...document.images].filter((each) => each.src.endsWith(".svg") && each.width < each.naturalWidth);
return [...small.map((each) => each.textContent.slice(0, 40)), ...shrunk.map((each) => each.src)];
"""


def test_no_page_scrolls_sideways_or_has_small_text(visit):
    """Wide tables and pictures scroll in their box."""
    names = [str(path.relative_to(SITE)) for path in SITE.rglob("*.html") if not {"_static", "source"} & {*path.parts}]
    page, wide, small = visit("index.html"), [], []
    for name in names:
        visit(name)
        for width in (390, 1400):
            page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREEN | {"width": width})
            ((needed, there),) = page.execute_script(WIDTHS, "html")
            assert there <= width
            wide += [f"{name}: {needed} of {there} pixels"] if needed > there else []
            small += [f"{name}: {text}" for text in page.execute_script(SMALL, MIN_PIXELS)]
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert (wide, small) == ([], [])
    assert len(names) > 60


GROUNDS = """
return [...document.querySelectorAll("body, .ssop-picture")].map((each) => getComputedStyle(each).backgroundColor);
"""


FITS = "return document.documentElement.offsetHeight <= window.innerHeight && window.innerHeight > 700"


def test_the_explorer_in_its_frame_has_the_theme_of_the_page_and_room(visit):
    page = visit("explorer.html")
    wait, seen, chosen = WebDriverWait(page, LIMIT_SECONDS), {}, "return document.documentElement.style.colorScheme"
    for _ in range(3):
        theme = page.execute_script("return document.body.dataset.theme")
        page.switch_to.frame(page.find_element(By.TAG_NAME, "iframe"))
        scheme = "" if theme == "auto" else theme
        wait.until(lambda page, scheme=scheme: page.execute_script(chosen) == scheme)
        seen[theme] = {*page.execute_script(GROUNDS)}
        wait.until(lambda page: page.execute_script(FITS))
        page.switch_to.default_content()
        page.execute_script("document.querySelector('.theme-toggle').click()")  # of two, one is hidden
    page.get_log("browser")  # the theme's own notes on each change
    assert seen["light"] == {"rgb(255, 255, 255)"} and seen["dark"] == {"rgb(22, 26, 31)"}


def test_the_label_of_an_error_is_seen_on_the_front_page(visit):
    widths = visit("index.html").execute_script(WIDTHS, ".highlight pre")
    assert widths and all(needed <= there for needed, there in widths)


def test_the_front_page_works_by_keyboard(visit):
    page = visit("index.html")
    found = []
    while "tutorial.html" not in found and len(found) < 40:
        ActionChains(page).send_keys(Keys.TAB).perform()
        active = page.switch_to.active_element
        found.append(active.get_dom_attribute("href") or active.get_dom_attribute("name"))
        assert page.execute_script("return getComputedStyle(arguments[0]).outlineStyle", active) != "none", found
    assert found[0] == "#furo-main-content" and found[-1] == "tutorial.html" and "q" in found
    left = page.execute_script("return arguments[0].getBoundingClientRect().left", active)
    assert left >= 0  # the sidebar, which a narrow page hides, comes in with the focus
    ActionChains(page).send_keys(Keys.ENTER).perform()
    WebDriverWait(page, LIMIT_SECONDS).until(lambda page: page.title.startswith("Tutorial"))


def test_search_finds_a_rule_by_the_label_of_an_error(visit):
    page = visit("search.html", "?q=ss_c7")
    links = "#search-results li a"
    WebDriverWait(page, LIMIT_SECONDS).until(lambda page: page.find_elements(By.CSS_SELECTOR, links))
    found = [link.get_attribute("href") for link in page.find_elements(By.CSS_SELECTOR, links)]
    assert any("rules/stridedslice.html" in address for address in found)


def test_a_label_leads_to_the_rule_its_code_and_its_test(visit):
    page = visit("index.html")
    page.find_element(By.LINK_TEXT, "[ss_c7]").send_keys(Keys.ENTER)
    assert page.current_url.endswith("rules/stridedslice.html#ss_c7")
    rule = page.find_element(By.ID, "ss_c7")
    links = [link.get_attribute("href") for link in rule.find_elements(By.CSS_SELECTOR, "li a")]
    for kind in ("csrc/core/", "python/ssop/reference/", "tests/unit/"):
        (first, *_) = [link for link in links if f"source/{kind}" in link]
        page.get(first)
        line = page.find_element(By.ID, first.rpartition("#")[2])
        assert line.is_displayed()
