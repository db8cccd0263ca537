"""The explorer page, and what tests do with it."""

import json

import pytest
from selenium.webdriver.common.by import By

import ssop
from ssop._masks import MASKS

LARGEST_BYTES = 100_000
MODULES = """
const {resolve} = modules["core.js"], {callOf, encodeIndex, MAX_COLUMNS, stateOf} = modules["state.js"];
const {pictureOf, draw, description} = modules["picture.js"];
const isState = ({begin, end, strides}) => (
  begin.length <= MAX_COLUMNS && begin.length === end.length && begin.length === strides.length
);
const joined = ([name, value]) => [name, Array.isArray(value) ? value.join(",") : value];
const wordsOf = (call) => Object.fromEntries(Object.entries(call).map(joined));
const read = (list) => list.map(BigInt);
const vectors = (call) => ["shape", "begin", "end", "strides"].map((name) => [name, read(call[name])]);
const given = (call) => ({...call, ...Object.fromEntries(vectors(call))});
const callOfState = (call) => (isState(call) ? callOf(stateOf(wordsOf(call))).call : given(call));
"""


def started(browser):
    """Wait until the core is compiled; `explorer` is then the explorer of the page."""
    browser.execute_async_script("const done = arguments[0]; started.then((e) => { window.explorer = e; done(); });")
    return browser


def show(page, **words):
    """Show a state, given in the words of an address."""
    page.execute_script("explorer.show(arguments[0])", words)


def texts(page, rows, cells="td"):
    found = page.find_elements(By.CSS_SELECTOR, rows)
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, cells)] for row in found]


def field(page, name, entry):
    return page.find_element(By.CSS_SELECTOR, f"[data-field='{name}'][data-entry='{entry}']")


def switch(page, mask, entry):
    return page.find_element(By.CSS_SELECTOR, f"[data-mask='{MASKS.index(mask)}'][data-entry='{entry}']")


def write(element, text):
    element.clear()
    element.send_keys(text)


@pytest.fixture
def page(browser, tmp_path):
    """The browser on a new page; in the end there is nothing in its console and nothing was loaded."""
    path = tmp_path / "explorer.html"
    path.write_text(ssop.explore().html, encoding="utf-8")
    assert path.stat().st_size < LARGEST_BYTES
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get("about:blank")
    browser.get(path.as_uri())
    yield started(browser)
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    outside = [url for url in sent if not url.startswith((path.as_uri(), "about:", "data:"))]
    assert sent and outside == []


def result(page):
    return page.find_element(By.ID, "result").text
