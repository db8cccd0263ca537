"""The explorer page gives the reasons of ssop.explain for each dialect that differs, and the same ones."""

import random
from collections import Counter

import pytest
from selenium.webdriver.common.by import By

import ssop
from browser.test_explorer import CALLS, DIALECTS, as_words, random_call
from ssop import divergences

NAMES = {"TensorFlow": "tf", "TFLite": "tflite", "OpenVINO": "openvino", "ONNX": "onnx"}
NAMES |= {"onnx.reference": "onnx_reference", "ONNX Runtime": "onnxruntime"}
NEVER = {"offset", "unequal_lists", "axis_twice", "scalar_rejected"}
"""Reasons of calls that the page cannot make: it has no offset, and writes complete Slices of inputs with axes."""
REASONS = """
return arguments[0].map((call) => {
  const read = (list) => list.map(BigInt);
  const given = {shape: read(call.shape), begin: read(call.begin), end: read(call.end), strides: read(call.strides)};
  const met = quirksOf({...given, masks: call.masks});
  return Object.fromEntries(Object.keys(DIALECTS).map((name) => [name, reasons(met, name, call.dialect)]));
});
"""


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "explorer.html"
    path.write_text(ssop.explore().html, encoding="utf-8")
    browser.get("about:blank")
    browser.get(path.as_uri())
    return browser


def calls():
    """Half of them without masks that contradict each other, and with entries of 32 and more."""
    rng = random.Random(18)
    for number in range(CALLS):
        call = random_call(rng) | {"dialect": DIALECTS[number % 3]}
        call["end"] = (call["end"] + [2])[: len(call["begin"])]
        if number % 2:
            call["masks"] = [rng.randrange(16), rng.randrange(16), rng.choice([0, 1, 2, 6]), 0, rng.choice([0, 1, 3])]
        if number % 50 == 0:
            more = 32 - len(call["begin"])
            call |= {name: call[name] + [0] * more for name in ("begin", "end")}
            call |= {"strides": call["strides"] + [1] * more, "masks": [0, 0, 0, -1, 0]}
        yield call


def test_the_reasons_are_those_of_explain(page):
    given = list(calls())
    told = page.execute_script(REASONS, [as_words(call) for call in given])
    seen = Counter()
    for call, of_page in zip(given, told, strict=True):
        vectors = call["shape"], call["begin"], call["end"], call["strides"]
        for answer in ssop.explain(*vectors, *call["masks"], dialect=call["dialect"]).others:
            if not answer.same and not answer.outcome.startswith("cannot be written"):
                right = [f"{row['reason']} [{row['label']}]" for row in answer.reasons]
                assert of_page[NAMES[answer.framework]] == right, (call, answer)
                seen.update(row["predicate"] for row in answer.reasons)
    possible = {
        row["predicate"] for name in ("tflite", "openvino", "onnx") for row in divergences.rows("dialect", of=name)
    }
    assert set(seen) == possible - NEVER and min(seen.values()) >= 3, seen


def test_they_stand_beside_the_answers(page):
    page.execute_script(
        "for (const [name, text] of [['shape', '4,4'], ['begin', '-9,-9'], ['end', '0,0'], ['strides', '-1,1']])"
        " byId(name).value = text; state.masks = [0, 0, 0, 0, 2]; changed()"
    )
    rows = page.find_elements(By.CSS_SELECTOR, "#dialects tbody tr")
    cells = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in rows]
    assert {row[0]: row[4] for row in cells if row[4]} == {
        "TFLite": "on a shrunk axis, a begin below -dim is element 0, not an error [tfl_s2]"
    }
