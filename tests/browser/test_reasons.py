"""The explorer page gives the reasons of ssop.explain for each dialect that differs, and the same ones."""

import random
from collections import Counter

import pytest

import ssop
from browser.explorer_page import MODULES, show, started, texts
from browser.test_explorer import CALLS, DIALECTS, as_words, random_call
from ssop import divergences

NAMES = {"TensorFlow": "tf", "TFLite": "tflite", "OpenVINO": "openvino", "ONNX": "onnx"}
NAMES |= {"onnx.reference": "onnx_reference", "ONNX Runtime": "onnxruntime"}
NEVER = {"offset", "unequal_lists", "axis_twice", "scalar_rejected"}
"""Reasons of calls that the page cannot make: it has no offset, and writes complete Slices of inputs with axes."""
REASONS = f"""
{MODULES}
const {{DIALECTS}} = modules["core.js"], {{explain, sourceOf}} = modules["explain.js"];
const {{quirksOf, reasons}} = modules["reasons.js"];
return arguments[0].map((each) => {{
  const call = callOfState(each), told = explain(call, resolve(call)), met = quirksOf(call);
  const others = Object.fromEntries(Object.keys(DIALECTS).map((name) => [name, reasons(met, name, call.dialect)]));
  return {{...told, repair: told.repair && sourceOf(told.repair), others}};
}});
"""


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "explorer.html"
    path.write_text(ssop.explore().html, encoding="utf-8")
    browser.get("about:blank")
    browser.get(path.as_uri())
    return started(browser)


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
    """The stages in words, why each bit matters or not, why an axis is empty, the nearest call, and other dialects."""
    given = list(calls())
    told = page.execute_script(REASONS, [as_words(call) for call in given])
    seen, kinds = Counter(), Counter()
    for call, of_page in zip(given, told, strict=True):
        vectors = call["shape"], call["begin"], call["end"], call["strides"]
        right = ssop.explain(*vectors, *call["masks"], dialect=call["dialect"])
        stages = [(stage["name"], stage["label"], tuple(stage["changes"])) for stage in of_page["stages"]]
        assert stages == [(stage.name, stage.label, stage.changes) for stage in right.stages], call
        assert of_page["bits"] == [vars(bit) for bit in right.bits], call
        assert of_page["empty"] == list(right.empty), call
        assert (of_page["failed"], of_page["repair"]) == (right.failed, right.repair), call
        kinds.update(
            {
                "empty": bool(right.empty),
                "repair": bool(right.repair),
                "ignored": any(not b.matters for b in right.bits),
            }
        )
        for answer in right.others:
            if not answer.same and not answer.outcome.startswith("cannot be written"):
                rows = [f"{row['reason']} [{row['label']}]" for row in answer.reasons]
                assert of_page["others"][NAMES[answer.framework]] == rows, (call, answer)
                seen.update(row["predicate"] for row in answer.reasons)
    possible = {
        row["predicate"] for name in ("tflite", "openvino", "onnx") for row in divergences.rows("dialect", of=name)
    }
    assert set(seen) == possible - NEVER and min(seen.values()) >= 3, seen
    assert min(kinds.values()) >= 200, kinds


def test_they_stand_beside_the_answers(page):
    show(page, shape="4,4", begin="-9,-9", end="0,0", strides="-1,1", masks="0,0,0,0,2")
    cells = texts(page, "#dialects tbody tr")
    assert {row[0]: row[4] for row in cells if row[4]} == {
        "TFLite": "on a shrunk axis, a begin below -dim is element 0, not an error [tfl_s2]"
    }
