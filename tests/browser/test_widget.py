"""`ssop.widget` in Chromium: the module that notebooks load, on a page that has a model as theirs."""

import functools
import http.server
import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
import numpy as np
import pytest
import traitlets
from axe_selenium_python import Axe
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

import ssop
from browser.explorer_page import LARGEST_BYTES, write
from browser.test_explorer import random_call
from child import LIMIT_SECONDS

DOCS = Path(__file__).parents[2] / "docs"
STATES = 2000
PAINT_MILLISECONDS = 150
MAX_PAINTS = 40  # only what is slow by an order of magnitude ends the test
PAGE = """<!DOCTYPE html><html lang="en"><head><title>A notebook</title></head><body><main><h1>A notebook</h1>
<div id="cell"></div></main><script type="module">
const listeners = {}, values = STATE;
window.model = {
  saved: [],
  get: (name) => values[name],
  set(name, value) { values[name] = value; (listeners[`change:${name}`] ?? []).forEach((f) => f()); },
  save_changes() { this.saved.push(structuredClone(values)); },
  on(event, f) { (listeners[event] ??= []).push(f); },
  off(event, f) { listeners[event] = listeners[event].filter((each) => each !== f); },
};
const begun = performance.now(), widget = (await import("./widget.js")).default;
window.undo = await widget.render({ model, el: document.getElementById("cell") });
window.milliseconds = performance.now() - begun;
window.inner = document.querySelector("#cell > div").shadowRoot;
</script></body></html>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")  # pages of one address differ
        super().end_headers()


@pytest.fixture
def served(tmp_path):
    """A folder with its address: browsers import no module from a file."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield tmp_path, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def opened(browser, served):
    """Opens widgets, each on a new page; in the end there is nothing in the console, and nothing was loaded."""
    folder, address = served

    def opener(widget):
        (folder / "widget.js").write_text(widget._esm, encoding="utf-8")
        state = {name: getattr(widget, name) for name in widget.keys if not name.startswith("_") and name != "layout"}
        (folder / "index.html").write_text(PAGE.replace("STATE", json.dumps(state)), encoding="utf-8")
        (folder / "favicon.ico").write_bytes(b"")
        browser.get_log("browser")
        browser.get(f"{address}/index.html")
        WebDriverWait(browser, LIMIT_SECONDS).until(lambda browser: browser.execute_script("return !!window.inner"))
        return browser.find_element(By.CSS_SELECTOR, "#cell > div").shadow_root

    yield opener
    assert browser.get_log("browser") == []


def one(tree, name):
    return tree.find_element(By.CSS_SELECTOR, f"#{name}" if name.isidentifier() else name)


def saved(browser, widget):
    """Gives the model of the kernel what the widget saved, as notebooks do."""
    for name, value in browser.execute_script("return model.saved.at(-1)").items():
        setattr(widget, name, value)
    return widget


def test_what_a_notebook_loads_is_small():
    assert len(ssop.widget((3,))._esm) < LARGEST_BYTES


def test_what_the_reader_does_changes_the_model(browser, opened):
    """A switch, a field, an index and the dialect; text that is no number changes nothing."""
    array = np.arange(48).reshape(6, 8)
    widget = ssop.widget(array, np.s_[::-2, 1:7:2])
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "result")
    tree = opened(widget)
    assert one(tree, "result").text == "shape (3, 3), x[5:0:-2, 1:6:2]"
    one(tree, "[data-mask='4'][data-entry='1']").click()
    assert np.array_equal(saved(browser, widget).result, array[::-2, 1]) and seen[-1] is widget.result
    write(one(tree, "[data-field='begin'][data-entry='1']"), "0x7")
    assert one(tree, "[data-field='begin'][data-entry='1']").get_attribute("value") == "0x7"
    assert saved(browser, widget).spec.begin == (0, 7) and np.array_equal(widget.result, array[::-2, 7])
    one(tree, "[data-field='begin'][data-entry='1']").send_keys("x")
    assert saved(browser, widget).spec.begin == (0, 7)
    one(tree, "index").send_keys("..., 9")
    assert saved(browser, widget).result is None and "[ss_c7]" in widget.error
    assert one(tree, "shape").get_attribute("readonly") and not one(tree, "lesson").is_displayed()
    Select(one(tree, "dialect")).select_by_value("tflite")
    assert saved(browser, widget).dialect == "tflite"


def test_what_the_kernel_does_changes_the_widget(browser, opened):
    widget = ssop.widget((6, 8), np.s_[::-2, 1:7:2])
    tree = opened(widget)

    def sent():
        browser.execute_script("model.set('words', arguments[0])", dict(widget.words))
        return one(tree, "result").text

    widget.spec = np.s_[2, None, ::3]
    assert widget.result == (1, 3) and sent() == "shape (1, 3), x[None, 2, 0:7:3]"
    widget.shape = (3, 2**40)
    assert sent() == f"shape (1, {(2**40 + 2) // 3}), x[None, 2, 0:{2**40}:3]"
    widget.spec, widget.dialect = ssop.StridedSliceSpec([5], [6], shrink_axis_mask=1), "openvino"
    assert widget.error.partition(": ")[2].split(":")[0] in sent()
    browser.execute_script("undo(); model.set('words', {...model.get('words'), shape: '9'})")
    assert one(tree, "shape").get_attribute("value") != "9"


def test_states_of_the_widget_are_answers_of_the_package(browser, opened):
    """Result and error, in every dialect; the page and the kernel have each other's numbers exactly."""
    widget = ssop.widget((3,))
    opened(widget)
    rng, errors = random.Random(20), 0
    states, right = [], []
    dialects = ["tf", "tflite", "openvino", "onnx", "onnx_reference", "onnxruntime"]
    while len(states) < STATES:
        call = random_call(rng)
        if len({len(call[name]) for name in ("begin", "end", "strides")}) == 1:
            words = {name: ",".join(map(str, value)) for name, value in call.items() if name != "dialect"}
            widget.words = words | {"dialect": dialects[len(states) % 6]}
            states.append(dict(widget.words))
            right.append(("error", widget.error) if widget.error else ("shape", list(map(str, widget.result))))
    shown = browser.execute_script(
        """return arguments[0].map((words) => {
        model.set("words", words);
        const shape = inner.querySelector("#result strong"), error = inner.querySelector("#result");
        return error.matches(".error") ? ["error", error.textContent] :
          ["shape", shape.textContent.match(/\\d+/g) ?? []]; });""",
        states,
    )
    for words, (kind, value), (of_page, told) in zip(states, right, shown, strict=True):
        assert kind == of_page, words
        if kind == "error":
            assert told.removeprefix("error: ") in value, words
            errors += 1
        else:
            assert told == value, words
    assert 500 <= errors <= STATES - 500


def test_the_axis_is_drawn_under_its_fields(opened):
    """Each cell of a short axis; a long one to scale; the cells are those that are taken, with begin and end."""
    tree = opened(ssop.widget((8, 2**40, 3), np.s_[1:7:2, : 2**39, 2]))

    def drawn(entry, kind):
        return tree.find_elements(By.CSS_SELECTOR, f"[data-strip='{entry}'] .{kind}")

    assert [len(drawn(0, kind)) for kind in ("left", "taken", "bound", "masked")] == [8, 3, 2, 0]
    assert [float(cell.get_attribute("x")) for cell in drawn(0, "taken")] == [12, 36, 60]
    assert [float(tick.get_attribute("x1")) for tick in drawn(0, "bound")] == [12, 84]
    assert [len(drawn(1, kind)) for kind in ("left", "taken", "bound", "masked")] == [1, 1, 1, 1]
    assert float(drawn(1, "taken")[0].get_attribute("width")) == 48
    assert [len(drawn(2, kind)) for kind in ("left", "taken", "bound", "masked")] == [3, 1, 0, 0]


def test_dialects_that_differ_mark_their_cells(opened):
    """TFLite reads the begin mask of a shrunk axis: row 0 in place of row 3."""
    spec = ssop.StridedSliceSpec([3, 1], [4, 3], begin_mask=1, shrink_axis_mask=1)
    tree = opened(ssop.widget((5, 4), spec))
    (figure,) = tree.find_elements(By.CSS_SELECTOR, "#others figure")
    assert figure.text.splitlines()[0] == "TFLite, x[0, 1:3]: 4 cells differ"
    marked = figure.find_elements(By.CSS_SELECTOR, "[data-differs]")
    tips = [cell.find_element(By.TAG_NAME, "title").get_attribute("textContent") for cell in marked]
    assert sorted(tips) == ["[0, 1] is 0", "[0, 2] is 1", "[3, 1]", "[3, 2]"]
    ids = [each.get_attribute("id") for each in tree.find_elements(By.CSS_SELECTOR, "[id]")]
    assert len(ids) == len(set(ids))


def test_a_link_and_a_frame_have_the_state(browser, opened):
    tree = opened(ssop.widget((5,), np.s_[1:3], page="https://example.org/masks.html"))
    one(tree, "[data-mask='1']").click()
    link = one(tree, "link").get_attribute("value")
    assert link.startswith("https://example.org/masks.html#shape=5&begin=1&end=3&strides=1&masks=0%2C1")
    assert f'src="{link.replace("&", "&amp;")}"' in one(tree, "frame").get_attribute("value")
    tree = opened(ssop.widget((5,), np.s_[1:3]))
    assert not one(tree, "link").is_displayed() and not one(tree, "frame").is_displayed()


def test_its_theme_is_that_of_the_notebook(browser, opened):
    """The colour behind it counts, also when that changes; else the theme is that of the page."""
    tree = opened(ssop.widget((5,), np.s_[1:3]))
    ground = "return getComputedStyle(inner.querySelector('.explorer')).backgroundColor"
    assert browser.execute_script(ground) == "rgb(255, 255, 255)"
    light, dark = "rgb(255, 255, 255)", "rgb(22, 26, 31)"
    for colour, right in (("#111", dark), ("oklch(0.97 0 0)", light), ("oklch(0.2 0 0)", dark), ("#fafafa", light)):
        browser.execute_script("document.body.style.background = arguments[0]", colour)
        WebDriverWait(browser, LIMIT_SECONDS).until(
            lambda browser, right=right: browser.execute_script(ground) == right
        )
    assert one(tree, "result").is_displayed()


def test_by_keyboard_alone_and_without_hindrance(browser, opened):
    """Tab comes into the widget; space switches a bit; axe finds nothing, at both widths."""
    tree = opened(ssop.widget((6, 8), np.s_[::-2, 1:7:2], page="https://example.org/"))
    body = browser.find_element(By.TAG_NAME, "body")
    names = []
    for _ in range(60):
        body.send_keys(Keys.TAB) if not names else active(browser).send_keys(Keys.TAB)
        names.append(active(browser).get_attribute("aria-label") or active(browser).get_attribute("id"))
        if names[-1] == "end_mask, entry 0":
            active(browser).send_keys(Keys.SPACE)
            assert one(tree, "result").text == "shape (3, 3), x[5:0:-2, 1:6:2]"
        if names[-1] == "frame":
            break
    assert "frame" in names and names[:2] == ["mode-explore", "lesson"]
    axe = Axe(browser)
    axe.inject()
    for width in (1400, 390):
        screen = {"deviceScaleFactor": 1, "mobile": False, "width": width, "height": 900}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        violations = axe.run(options={"runOnly": ["wcag2a", "wcag2aa"]})["violations"]
        assert violations == [], json.dumps(violations, indent=1)[:3000]
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def active(browser):
    return browser.execute_script("return inner.activeElement ?? document.activeElement")


def test_a_quiz_gives_its_answers_to_the_kernel(browser, opened):
    """The questions are those of the seed; the answers are a list that JSON takes, with the score."""
    widget = ssop.widget.quiz(2, ["end_mask", "strides"], difficulty=1, seed=3)
    tree = opened(widget)
    asked = one(tree, "question").text
    for number in range(2):
        one(tree, "[data-cell='0']").click()
        one(tree, "#guess-shape").send_keys("77", Keys.ENTER)
        assert saved(browser, widget).score == (0, number + 1)
        if number == 0:
            one(tree, "another").click()
    assert json.loads(json.dumps(widget.answers))[0]["call"] in asked
    assert ["end_mask" in widget.answers[0]["topics"], "strides" in widget.answers[1]["topics"]] == [True, True]
    assert one(tree, "score").text == "0 of 2 right; that was the last question."
    tree = opened(ssop.widget.quiz(2, ["end_mask", "strides"], difficulty=1, seed=3))
    assert one(tree, "question").text == asked
    assert one(opened(ssop.widget.quiz(seed=None)), "question").text != asked


@pytest.mark.parametrize("predict", [False, True])
def test_its_html_is_a_page_of_its_own(browser, tmp_path, predict):
    """What a static page shows that loads no widget manager: the same state, without a network and a kernel."""
    widget = ssop.widget((6, 8), np.s_[::-2, 1:7:2], predict=predict)
    widget.spec = np.s_[2, None, ::3]
    data, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    path = tmp_path / "static.html"
    path.write_text(f"<!DOCTYPE html><html lang='en'><body>{data['text/html']}</body></html>", encoding="utf-8")
    browser.get_log("browser")
    browser.get(path.as_uri())
    browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
    WebDriverWait(browser, LIMIT_SECONDS).until(lambda browser: browser.find_elements(By.ID, "result"))
    if predict:
        browser.find_element(By.ID, "guess-shape").send_keys("1,3", Keys.ENTER)
        assert browser.find_element(By.ID, "verdict").text.startswith("Right.")
    assert browser.find_element(By.ID, "result").text == "shape (1, 3), x[None, 2, 0:7:3]"
    browser.find_element(By.CSS_SELECTOR, "[data-mask='3'][data-entry='1']").click()
    assert browser.find_element(By.ID, "result").is_displayed() != predict
    browser.switch_to.default_content()
    assert browser.get_log("browser") == []


def test_a_page_of_nbconvert_needs_no_network(browser, tmp_path):
    """By the command of the page on the explorer: else nbconvert's page loads a widget manager."""
    data, _ = ssop.widget((6, 8), np.s_[::-2, 1:7:2])._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data)
    path = tmp_path / "notebook.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[output])]), path)
    text = (DOCS / "explorer.md").read_text(encoding="utf-8")
    command = next(line for line in text.splitlines() if line.startswith("jupyter nbconvert"))
    subprocess.run([sys.executable, "-m", *command.split()[1:]], cwd=tmp_path, check=True, capture_output=True)
    browser.get(path.with_suffix(".html").as_uri())
    browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
    WebDriverWait(browser, LIMIT_SECONDS).until(lambda browser: browser.find_elements(By.ID, "result"))
    assert browser.find_element(By.ID, "result").text == "shape (3, 3), x[5:0:-2, 1:6:2]"
    browser.switch_to.default_content()
    browser.get_log("browser")  # the page's own scripts, for formulas, are not there


def test_the_answer_waits_for_a_prediction(opened):
    tree = opened(ssop.widget((5,), np.s_[::2], predict=True))
    assert not one(tree, "result").is_displayed()
    one(tree, "#guess-shape").send_keys("3", Keys.ENTER)
    assert one(tree, "verdict").text.startswith("Right.") and one(tree, "result").text == "shape (3,), x[0:5:2]"


WORDS = {
    "shape": [None, [6, 8], "6,8,1", "-6,8", "6;8"],
    "begin": ["NaN", "1e3", "1_0,0", "9" * 5000, ["0", "0"]],
    "masks": ["", "0,0,0", "0,0,0,0,0,0", "0,0,0,0,<b>"],
    "dialect": [None, ["tf"], "<script>"],
}


@pytest.mark.parametrize("name", WORDS)
def test_words_that_no_explorer_sends(name):
    """They are traitlets' own error, and change nothing."""
    widget = ssop.widget(np.zeros((6, 8)), np.s_[::-2, 1:7])
    before = dict(widget.words)
    for word in WORDS[name]:
        for words in ({**before, name: word}, {other: text for other, text in before.items() if other != name}):
            with pytest.raises(traitlets.TraitError, match="words"):
                widget.set_state({"words": words})
            assert widget.words == before and widget.result.shape == (3, 6) and widget.error == ""


def test_words_of_calls_that_are_errors():
    """Each is told by the attribute `error`; a scalar has no dims."""
    widget = ssop.widget((6,), np.s_[1:])
    for dialect in ("tf", "onnx"):
        for name, word, label in (("shape", "-1", "in_c10"), ("shape", ",".join("1" * 65), "in_c9")):
            widget.set_state({"words": {**widget.words, "dialect": dialect, "shape": "6"}})
            assert widget.result == (5,) and widget.error == ""
            widget.set_state({"words": {**widget.words, name: word}})
            assert widget.result is None and label in widget.error
    assert ssop.widget(np.array(3)).result == 3


@pytest.mark.parametrize("answers", [[1], [{}], [{"right": "yes"}], [{"right": 10}], "x"])
def test_answers_that_no_quiz_gives(answers):
    widget = ssop.widget.quiz(3, seed=1)
    with pytest.raises(traitlets.TraitError, match="answers"):
        widget.set_state({"answers": answers})
    assert widget.score == (0, 0)


@pytest.mark.parametrize(
    "arguments", [{"n": 0}, {"n": 101}, {"difficulty": 4}, {"seed": -1}, {"topics": ["masks"]}, {"topics": "errors"}]
)
def test_a_quiz_checks_its_arguments(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        ssop.widget.quiz(**arguments)


def test_the_first_paint_is_soon(browser, theme, opened, measured):
    """With the unpacking of the module and the compiling of the core; the aim is 150 ms."""
    opened(ssop.widget((6, 8), np.s_[::-2, 1:7:2]))
    milliseconds = browser.execute_script("return milliseconds")
    measured.append(f"widget, {theme}: shown {milliseconds:.0f} ms after it is asked for")
    assert milliseconds < MAX_PAINTS * PAINT_MILLISECONDS


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (((3,), [1]), ssop.SliceTypeError),
        (((-3,), 1), ssop.SliceValueError),
        ((3, 1), ssop.SliceTypeError),
    ],
)
def test_arguments_are_checked(arguments, error):
    with pytest.raises(error):
        ssop.widget(*arguments)
    with pytest.raises(ssop.SliceValueError, match="ex_c1"):
        ssop.widget((3,), 1, dialect="jax")
    with pytest.raises(ValueError, match="the shape is that of the array"):
        ssop.widget(np.arange(3)).shape = (4,)
