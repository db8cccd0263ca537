"""Predict first, and the quiz, in Chromium: questions, answers and grades are those of the package."""

import ast
import json
import random

import numpy as np
import pytest
from axe_selenium_python import Axe
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

import ssop
from browser.explorer_page import MODULES, page, result, show, started, switch
from browser.test_explorer import as_words, random_call
from child import LIMIT_SECONDS
from ssop._widget.model import TOPICS

__all__ = ["page"]  # a fixture

CALLS = 2000
QUESTIONS = 100  # of each difficulty
PLAIN = "(key, value) => typeof value === 'bigint' ? Number(value) : value instanceof Set ? [...value] : value"
SOLUTIONS = f"""
{MODULES}
const {{solutionOf, grade, canMark, cellNames}} = modules["predict.js"];
return JSON.stringify(arguments[0].map((each) => {{
  const call = callOfState(each), solution = solutionOf(call, resolve(call));
  const wrong = {{...solution, shape: "9,9", error: false}};
  return {{...solution, names: canMark(call) ? cellNames(call) : [], right: grade(call, solution).right,
    wrong: grade(call, wrong).right, flipped: grade(call, {{...solution, error: !solution.error}}).right}};
}}), {PLAIN});
"""
DRAWN = f"""
{MODULES}
const {{drawQuiz, quizOf, textOf}} = modules["quiz.js"], {{solutionOf}} = modules["predict.js"];
const {{sourceOf}} = modules["explain.js"];
const quiz = quizOf(arguments[0]);
return JSON.stringify({{text: textOf(quiz), questions: drawQuiz(quiz).map(({{call, topics}}) =>
  ({{source: sourceOf(call), input: call.shape, masks: call.masks, topics, ...solutionOf(call, resolve(call))}}))}},
  {PLAIN});
"""
QUESTION = {"shape": "4,6", "begin": "1,1", "end": "3,5", "strides": "1,2", "masks": "0,0,0,1,1"}
"""A new axis that is shrunk, too: the shape is (1, 2, 6), and without the bit of new_axis_mask it is (3,)."""


def answer_of(shape, take):
    """(error, shape, cells) by the package: `take` slices an array whose elements are the numbers of its cells."""
    try:
        taken = take(np.arange(int(np.prod(shape))).reshape(shape))
    except ssop.SliceError:
        return True, None, None
    return False, taken.shape, sorted(taken.ravel().tolist())


def test_solutions_are_the_answers_of_the_package(page):
    """Which cells, which shape, whether it is an error; of four axes and more, the cells of each axis by itself."""
    rng, calls = random.Random(21), []
    while len(calls) < CALLS:
        call = random_call(rng) | {"dialect": "tf"}
        call["shape"] = [rng.randint(1, 4) for _ in call["shape"]]
        if len(call["begin"]) == len(call["end"]):
            calls.append(call)
    solutions = json.loads(page.execute_script(SOLUTIONS, [as_words(call) for call in calls]))
    errors = 0
    for call, found in zip(calls, solutions, strict=True):
        vectors = [call[name] for name in ("begin", "end", "strides")]
        error, shape, cells = answer_of(
            call["shape"], lambda x, call=call, vectors=vectors: ssop.strided_slice(x, *vectors, *call["masks"])
        )
        assert found["error"] == error and found["right"], call
        assert not found["wrong"] and not found["flipped"], call
        if error:
            errors += 1
            continue
        assert ast.literal_eval(found["shape"]) == shape, call
        if 0 < len(call["shape"]) <= 3:
            assert found["cells"] == cells, call
            names = [str(list(place)) for place in np.ndindex(*call["shape"])]
            assert found["names"] == names
        elif len(call["shape"]) > 3:
            region = ssop.StridedSliceSpec(*vectors, *call["masks"]).resolve(call["shape"])
            firsts = np.cumsum([0, *call["shape"]])
            each = [
                sorted(first + np.arange(n) * step + at)
                for first, (at, n, step) in zip(firsts, region.ranges, strict=False)
            ]
            assert found["cells"] == [int(cell) for axis in each for cell in axis], call
    assert 300 <= errors <= CALLS - 300


@pytest.mark.parametrize("difficulty", [1, 2, 3])
def test_questions_have_answers_of_the_package(page, difficulty):
    """They are about what was asked for, no call is asked twice, and one seed gives one quiz."""
    text = f"{QUESTIONS},{difficulty},5"
    drawn = json.loads(page.execute_script(DRAWN, text))
    assert drawn["text"] == text and drawn == json.loads(page.execute_script(DRAWN, text))
    assert drawn != json.loads(page.execute_script(DRAWN, f"{QUESTIONS},{difficulty},6"))
    questions = drawn["questions"]
    assert len({(each["source"], tuple(each["input"])) for each in questions}) == len(questions) == QUESTIONS
    for number, each in enumerate(questions):
        call = each["source"]
        error, shape, cells = answer_of(each["input"], lambda x, call=call: eval(call, {"ssop": ssop, "x": x}))
        assert each["error"] == error == ("errors" in each["topics"]), each
        assert TOPICS[number % len(TOPICS)] in each["topics"] and sum(map(bool, each["masks"])) == difficulty
        if not error:
            assert (ast.literal_eval(each["shape"]), each["cells"]) == (shape, cells) and cells, each


def test_topics_are_those_of_the_package(page):
    assert tuple(page.execute_script("return Object.keys(modules['quiz.js'].TOPICS)")) == TOPICS
    drawn = json.loads(page.execute_script(DRAWN, "20,2,1,errors,nonsense"))
    assert drawn["text"] == "20,2,1,errors" and all("errors" in each["topics"] for each in drawn["questions"])
    assert json.loads(page.execute_script(DRAWN, "x,9,-1"))["text"] == "1,3,0"


def text_of(page, name):
    return page.find_element(By.ID, name).text


def cell(page, number):
    return page.find_element(By.CSS_SELECTOR, f"[data-cell='{number}']")


def test_nothing_tells_the_answer_before_it_is_given(page):
    """Not the picture, not the reasons, not the fields; after it, all of them, and which cells were wrong."""
    show(page, **QUESTION, practice="predict")
    seen = page.find_element(By.TAG_NAME, "main").text
    assert "What does ssop.strided_slice(x, [1, 1], [3, 5], [1, 2], new_axis_mask=0b1, shrink_axis_mask=0b1)" in seen
    for word in ("(1, 2, 6)", "is ignored:", "matters", "a new axis\n", "x[None"):
        assert word not in seen, word
    assert page.find_elements(By.CSS_SELECTOR, ".unread, td.ignored, [data-strip] svg, .ssop-taken") == []
    page.find_element(By.ID, "check").click()
    assert "Mark the cells" in text_of(page, "verdict") and not page.find_element(By.ID, "result").is_displayed()
    for number in (7, 9):
        cell(page, number).click()
    page.find_element(By.ID, "guess-shape").send_keys("(2,)", Keys.ENTER)
    assert text_of(page, "verdict") == "Not right. The answer: shape (1, 2, 6), x[None, 1:4:2, 0:6]."
    decided = text_of(page, "decided").splitlines()
    assert decided[0] == "10 of the cells are wrong, with an outline."
    assert "shrink_axis_mask, entry 0, is ignored: new_axis has precedence [ss_s1]" in decided
    assert len(page.find_elements(By.CSS_SELECTOR, "#marks [data-differs]")) == 10
    assert result(page) == "shape (1, 2, 6), x[None, 1:4:2, 0:6]"
    assert page.switch_to.active_element.get_attribute("id") == "another"
    switch(page, "new_axis", 0).click()
    assert not page.find_element(By.ID, "result").is_displayed() and text_of(page, "verdict") == ""


def test_the_help_answers_what_learners_ask(page):
    """Which of two masks wins, what an axis without an entry is, and which bit of a binary number is whose."""
    page.find_element(By.TAG_NAME, "summary").click()
    told = page.find_element(By.TAG_NAME, "details").text
    assert "several bits on one entry: if bits of an entry conflict, the ellipsis takes precedence" in told
    assert "an axis without an entry: is kept whole ss_s2" in told and "0b10 is bit 1, that of entry 1" in told


@pytest.mark.parametrize(
    ("words", "shape", "line"),
    [
        (QUESTION | {"masks": "0,0,0,0,1"}, "2,2", "Yours is the answer without bit 0 of shrink_axis_mask."),
        ({"shape": "5", "begin": "3", "end": "4", "strides": "1", "masks": "1,0,0,0,1"}, None,
         "Yours is the answer of TFLite."),
        ({"shape": "5", "begin": "1", "end": "9", "strides": "2"}, "5",
         "clamp end: axis 0: end 9, clamped to 5 [ss_s4]"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_traced_to_its_rule(page, words, shape, line):
    """To a bit that was overlooked, to another framework, or to what the stages changed."""
    show(page, **words, practice="predict")
    if shape is None:
        cell(page, 0).click()
    else:
        page.find_element(By.ID, "guess-shape").send_keys(shape)
    page.find_element(By.ID, "check").click()
    assert text_of(page, "verdict").startswith("Not right.") and line in text_of(page, "decided").splitlines()


def test_cells_are_marked_by_keyboard(page):
    """Arrows move among them, space marks; one tab comes to them, and one leaves them."""
    show(page, **QUESTION | {"masks": "0,0,0,0,0"}, practice="predict")
    cell(page, 0).send_keys(Keys.ARROW_DOWN)
    page.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    for _ in range(2):
        element = page.switch_to.active_element
        assert element.get_attribute("role") == "checkbox" and element.get_attribute("aria-checked") == "false"
        element.send_keys(Keys.SPACE)
        assert element.get_attribute("aria-checked") == "true"
        element.send_keys(Keys.ARROW_RIGHT)
        page.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    page.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    element = page.switch_to.active_element
    assert element.get_attribute("aria-label") == "cell [2, 5]"
    element.send_keys(Keys.TAB)
    assert page.switch_to.active_element.get_attribute("id") == "guess-shape"
    for number in (13, 15):
        cell(page, number).send_keys(Keys.SPACE)
    page.find_element(By.ID, "guess-shape").send_keys("2, 2", Keys.ENTER)
    assert text_of(page, "verdict").startswith("Right.")


def test_a_quiz_is_taken(page):
    """Its fields are locked, its answers are graded and given as JSON; its address gives the same one."""
    page.find_element(By.ID, "mode-quiz").click()
    page.find_element(By.ID, "count").clear()
    page.find_element(By.ID, "count").send_keys("3")
    Select(page.find_element(By.ID, "difficulty")).select_by_value("2")
    Select(page.find_element(By.ID, "topic")).select_by_value("shrink_axis_mask")
    page.find_element(By.ID, "start").click()
    address = page.execute_script("return explorer.words().practice")
    assert address.startswith("quiz,3,2,") and address.endswith(",shrink_axis_mask")
    first = text_of(page, "question")
    for number in range(3):
        assert text_of(page, "question").startswith(f"Question {number + 1} of 3")
        fields = page.find_elements(By.CSS_SELECTOR, "#editor input, #editor button, #shape, #index, #lesson, #add")
        assert fields and not any(each.is_enabled() for each in fields)
        page.find_element(By.ID, "check").click()
        assert "Type the shape" in text_of(page, "verdict") or "Mark the cells" in text_of(page, "verdict")
        words = page.execute_script("return explorer.words()")
        vectors = [list(map(int, words[name].split(","))) for name in ("begin", "end", "strides", "masks")]
        shape = tuple(map(int, words["shape"].split(",")))
        taken = ssop.strided_slice(np.arange(np.prod(shape)).reshape(shape), *vectors[:3], *vectors[3])
        for each in taken.ravel().tolist()[: 1 if number == 1 else None]:
            cell(page, each).click()
        page.find_element(By.ID, "guess-shape").send_keys(str((*taken.shape, 7) if number == 1 else taken.shape))
        page.find_element(By.ID, "check").click()
        if number < 2:
            page.find_element(By.ID, "another").click()
    assert text_of(page, "score") == "2 of 3 right; that was the last question."
    assert page.switch_to.active_element.get_attribute("id") == "graded"
    record = json.loads(page.find_element(By.ID, "graded").get_attribute("value"))
    assert [each["right"] for each in record] == [True, False, True]
    assert record[0]["given"] == record[0]["answer"] | {"shape": record[0]["given"]["shape"]}
    assert all("shrink_axis_mask" in each["topics"] for each in record)
    show(page, shape="1", practice=address)
    assert text_of(page, "question") == first
    page.find_element(By.ID, "mode-explore").click()
    assert not page.find_element(By.ID, "practice").is_displayed() and page.find_element(By.ID, "shape").is_enabled()


def test_a_link_has_the_quiz(browser, tmp_path):
    path = tmp_path / "explorer.html"
    path.write_text(ssop.explore().html, encoding="utf-8")
    browser.get("about:blank")
    browser.get(f"{path.as_uri()}#practice=quiz,5,1,9,end_mask")
    started(browser)
    WebDriverWait(browser, LIMIT_SECONDS).until(lambda browser: text_of(browser, "question"))
    assert text_of(browser, "question").startswith("Question 1 of 5: what does")


STATES = {
    "asked": QUESTION | {"practice": "predict"},
    "layers": {"shape": "3,2,4", "practice": "predict"},
    "bars": {"shape": "3,2,4,2", "practice": "predict"},
    "long": {"shape": "40", "begin": "3", "end": "9", "strides": "1", "masks": "0,0,0,0,0", "practice": "predict"},
    "choice": QUESTION | {"practice": "quiz"},
    "quiz": QUESTION | {"practice": "quiz,3,2,4"},
}
SIDEWAYS = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_nothing_that_axe_knows_hinders_anyone(page):
    """Before an answer and after it, light and dark, at both widths."""
    axe = Axe(page)
    axe.inject()
    for width in (1400, 390):
        screen = {"deviceScaleFactor": 1, "mobile": False, "width": width, "height": 900}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        for name, words in STATES.items():
            show(page, **words)
            for answered in (False, True):
                if answered and name != "choice":
                    page.find_element(By.ID, "guess-shape").send_keys("7,7", Keys.ENTER)
                violations = axe.run(options={"runOnly": ["wcag2a", "wcag2aa", "best-practice"]})["violations"]
                assert violations == [], f"{name}: {json.dumps(violations, indent=1)[:3000]}"
                assert page.execute_script(SIDEWAYS) == 0, (name, width)
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
