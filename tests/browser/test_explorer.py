"""The explorer page in Chromium: it computes what the package computes, and draws what it draws."""

import dataclasses
import json
import random

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

import ssop
from browser.explorer_page import MODULES, page, result, show, texts
from one_slice import INT64, as_one_slice
from ssop import _core
from ssop._display import index_text

__all__ = ["page"]  # a fixture

CALLS = 2000
DIALECTS = ["tf", "tflite", "openvino"]
ENGINES = {"onnx": "spec", "onnx_reference": "reference", "onnxruntime": "ort"}
EVALUATE = f"""
{MODULES}
const plain = (key, value) => (typeof value === "bigint" ? value.toString() : value);
return JSON.stringify(arguments[0].map((call) => resolve(callOfState(call))), plain);
"""


ENCODE = f"""
{MODULES}
const call = encodeIndex(arguments[0]);
return [...[call.begin, call.end, call.strides].map((list) => list.map(Number)), call.masks];
"""
DRAW = f"""
{MODULES}
return JSON.stringify(arguments[0].map((call) => {{
  const whole = callOfState(call), answer = resolve(whole);
  if (answer.error !== null) return null;
  const picture = pictureOf(whole, answer);
  return {{drawing: draw(picture), title: picture.title, description: description(picture)}};
}}));
"""
NUMBERS = """
const cells = [...document.querySelectorAll("#picture rect.ssop-taken")];
return cells.map((cell) => [cell.nextElementSibling.textContent, cell.x.baseVal.value, cell.y.baseVal.value]);
"""


def random_call(rng):
    rank, count = rng.randint(0, 4), rng.randint(0, 4)
    bound = [*range(-7, 8), *INT64]
    call = {
        "shape": [rng.choice([0, 1, 2, 3, 5, 6, 2**40]) for _ in range(rank)],
        "begin": [rng.choice(bound) for _ in range(count)],
        "end": [rng.choice(bound) for _ in range(count)],
        "strides": [rng.choice([-3, -1, 1, 1, 2, rng.choice([0, *INT64])]) for _ in range(count)],
        "masks": [rng.choice([0, rng.randrange(16), rng.randrange(-4, 64)]) for _ in range(5)],
        "dialect": rng.choice(DIALECTS),
    }
    if rng.random() < 0.05:
        call["end"] = call["end"][:-1]
    return call


def as_words(call):
    """The integers as text: JavaScript's numbers have no 64 bits."""
    return {
        name: [str(n) for n in value] if name not in ("masks", "dialect") else value for name, value in call.items()
    }


def onnx_outcome(call, engine):
    """Shape and index, or the message."""
    arguments = as_one_slice(call) if len({len(call[name]) for name in ("begin", "end", "strides")}) == 1 else None
    if arguments is None:
        return "cannot be written as one Slice: that has no new axes and no shrunk axes, and needs an axis per entry"
    try:
        region = _core.onnx_slice_region(tuple(call["shape"]), *arguments, engine=engine)
    except ssop.SliceError as error:
        return str(error).partition(": ")[2]
    return list(region.shape), index_text(region.index)


def test_onnx_answers_as_by_the_package(page):
    """Each of its engines, to calls of which many can be written as one Slice."""
    rng = random.Random(16)
    calls = []
    for number in range(CALLS):
        call = random_call(rng)
        if rng.random() < 0.8:
            call["masks"] = [rng.randrange(16), rng.randrange(16), rng.choice([0, 1, 2, 4]), 0, 0]
        calls.append({**call, "dialect": list(ENGINES)[number % 3]})
    answers = json.loads(page.execute_script(EVALUATE, [as_words(call) for call in calls]))
    kinds = {"written": 0, "error": 0, "cannot": 0}
    for call, answer in zip(calls, answers, strict=True):
        right = onnx_outcome(call, ENGINES[call["dialect"]])
        if isinstance(right, str):
            assert answer["error"] == right, call
            kinds["cannot" if right.startswith("cannot") else "error"] += 1
        else:
            assert answer["error"] is None and ([int(dim) for dim in answer["shape"]], answer["index"]) == right, call
            kinds["written"] += 1
            for axis in answer["axes"]:
                assert axis["entry"] is None or axis["axis"] in answer["entries"][axis["entry"]]["axes"], call
    assert kinds["written"] >= 500 and kinds["error"] >= 50 and kinds["cannot"] >= 200, kinds


def test_it_draws_what_the_package_draws(page):
    """Every cell, line and word, the title and the description; also of long axes, layers and axes by bars."""
    rng = random.Random(17)
    calls = []
    for _ in range(500):
        call = random_call(rng)
        call["shape"] = [rng.choice([0, 1, 3, 6, 15, 16, 40, 2**40]) for _ in call["shape"]]
        call["strides"] = [rng.choice([-3, -1, 1, 2]) for _ in call["begin"]]
        calls.append(call)
    drawn = json.loads(page.execute_script(DRAW, [as_words(call) for call in calls]))
    ranks = set()
    for call, answer in zip(calls, drawn, strict=True):
        vectors = (call["shape"], call["begin"], call["end"], call["strides"])
        told = ssop.explain(*vectors, *call["masks"], dialect=call["dialect"])
        assert (answer is None) == (told.draw is None)
        if told.draw is not None:
            picture = told.draw()
            assert answer["drawing"] == dataclasses.asdict(picture.drawing()), call
            assert (answer["title"], answer["description"]) == (picture.title, picture.description()), call
            ranks.add(len(call["shape"]))
    assert ranks == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    "masks", [(0, 0, 8, 9, 4), (0, 0, 0, 0, 0b111), (3, 1, 0, 0, 0)], ids=["blog", "error", "bounds"]
)
def test_the_stages_of_the_axes_are_those_of_the_text(page, masks):
    """Nothing stands where an axis has no entry, and nothing of the end of a shrunk axis."""
    vectors = {"shape": [6, 3, 4, 10], "begin": [1, -1, 2, 2], "end": [3, -9, 4, 8], "strides": [1, -1, 1, 1]}
    words = {name: ",".join(map(str, vector)) for name, vector in vectors.items()}
    show(page, **words, masks=",".join(map(str, masks)))
    shown = texts(page, "#axes tbody tr")
    axes = next(table for table in ssop.explain(*vectors.values(), *masks).tables if table.name == "axes")
    given = [column for column, head in enumerate(axes.heads) if head in ("begin", "end")]  # stand in the entries
    told = [["-" if cell is None else cell for k, cell in enumerate(row) if k not in given] for row in axes.rows]
    assert shown == told and any("-" in row for row in told) == (masks[2:] != (0, 0, 0))


def test_the_dialects_stand_side_by_side(page):
    """TFLite reads the begin mask of a shrunk axis, TensorFlow does not, and ONNX has no shrunk axes."""
    show(page, shape="5", begin="3", end="4", strides="1", masks="1,0,0,0,1")
    why = "on a shrunk axis, a begin whose begin_mask bit is set is element 0; TensorFlow ignores the bit [tfl_s1]"

    def rows():
        return texts(page, "#dialects tbody tr")

    assert rows()[:3] == [
        ["TensorFlow", "()", "x[3]", "yes", ""],
        ["TFLite", "()", "x[0]", "no", why],
        ["OpenVINO", "()", "x[3]", "yes", ""],
    ]
    assert [row[0] for row in rows()[3:]] == ["ONNX", "onnx.reference", "ONNX Runtime"]
    assert all(row[1] == "error" and row[2].startswith("cannot be written") and row[3] == "no" for row in rows()[3:])
    Select(page.find_element(By.ID, "dialect")).select_by_value("tflite")
    assert result(page) == "shape (), x[0]"
    assert [row[3:] for row in rows()[:3]] == [["no", why], ["yes", ""], ["no", why]]


def test_it_computes_what_the_package_computes(page):
    rng = random.Random(14)
    calls = [random_call(rng) for _ in range(CALLS)]
    answers = json.loads(page.execute_script(EVALUATE, [as_words(call) for call in calls]))
    errors = 0
    for call, answer in zip(calls, answers, strict=True):
        vectors = (call["shape"], call["begin"], call["end"], call["strides"])
        told = ssop.explain(*vectors, *call["masks"], dialect=call["dialect"]).to_dict()
        if told["error"]:
            assert told["error"]["message"].partition(": ")[2] == answer["error"], call
            errors += 1
        else:
            assert answer["error"] is None, call
            assert [int(dim) for dim in answer["shape"]] == told["shape"] and answer["index"] == told["index"], call
        assert [entry["kept"] for entry in answer["entries"]] == [entry["kept"] for entry in told["entries"]]
        assert [entry["axes"] for entry in answer["entries"]] == [entry["axes"] for entry in told["entries"]]
        for axis, right in zip(answer["axes"], told["axes"], strict=True):
            assert {name: None if value is None else int(value) for name, value in axis.items()} == {
                name: right[name] for name in axis
            }, call
    assert 300 <= errors <= CALLS - 300


def test_an_index_is_encoded_as_by_the_package(page):
    rng = random.Random(15)
    for _ in range(200):
        items = [rng.choice([-2, 0, 3, None, slice(1, None), slice(None, -1, -2), slice(None)]) for _ in range(4)]
        if rng.random() < 0.5:
            items[rng.randrange(4)] = ...
        spec = ssop.StridedSliceSpec.from_index(tuple(items))
        text = index_text(tuple(items))
        begin, end, strides, masks = page.execute_script(ENCODE, text)
        made = ssop.StridedSliceSpec(begin, end, strides, *masks)
        assert made == spec, text


def test_cells_are_numbered_in_the_order_of_the_result(page):
    show(page, shape="4,6", begin="3,1", end="0,6", strides="-1,2", masks="0,0,0,0,0")
    taken = np.arange(24).reshape(4, 6)[3:0:-1, 1:6:2]
    numbers = page.execute_script(NUMBERS)
    assert sorted(int(number) for number, *_ in numbers) == list(range(taken.size))
    for number, x, y in numbers:
        row, column = round((y - 70) / 28), round((x - 86) / 34)
        assert taken.ravel()[int(number)] == row * 6 + column
