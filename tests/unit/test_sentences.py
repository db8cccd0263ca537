"""tools/sentences.py on small files: long sentences and mannerisms are found, and what is not prose is skipped."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import sentences

LONG = "A " + "very " * 29 + "long sentence."
SHORT = "A " + "very " * 27 + "long sentence."


@pytest.fixture
def find(tmp_path):
    def run(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return [(each.line, each.what.partition(":")[0]) for each in sentences.findings(tmp_path, [name])]

    return run


def notebook(text):
    cells = [{"cell_type": "code", "source": [LONG]}, {"cell_type": "markdown", "source": [text]}]
    return json.dumps({"cells": cells})


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.md", "# Title\n\n{}\n", 3),
        ("a.md", "- item\n- {}\n", 2),
        ("a.py", '"""{}"""\n', 1),
        ("a.pyi", 'def f() -> None:\n    """First.\n\n    {}\n    """\n', 4),
        ("a.py", 'def f(): ...\n\nx = 1\n"""{}"""\n', 4),
        ("a.py", "x = 1  # {}\n", 1),
        ("a.c", "int x;  // {}\n", 1),
        ("a.h", "/* First.\n *\n * {}\n */\n", 3),
        ("a.ipynb", "{}", 2),
    ],
)
def test_a_long_sentence_is_found(find, name, text, line):
    def filled(sentence):
        return notebook(sentence) if name.endswith("ipynb") else text.format(sentence)

    assert find(name, filled(LONG)) == [(line, "32 words")]
    assert find(name, filled(SHORT)) == []


def test_a_comment_of_several_lines_is_one_text(find):
    comment = LONG.replace("very very ", "very\nvery ")
    assert find("a.py", "".join(f"# {line}\n" for line in comment.splitlines())) == [(1, "32 words")]
    assert find("a.c", "".join(f"// {line}\n" for line in comment.splitlines())) == [(1, "32 words")]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{LONG}\n```\n",
        f"````\n```\n{LONG}\n```\n{LONG}\n````\n",
        f"| {LONG} |\n",
        f"> {LONG}\n",
        f"    {LONG}\n",
        f"It says `{LONG}` here.\n",
        f'It says "{LONG}" here.\n',
        f"<!-- {LONG} -->\n",
        f">>> print(1)\n{LONG}\n",
        f"[{LONG}]: x\n",
    ],
)
def test_what_is_not_prose_is_skipped(find, text):
    assert find("a.md", text) == []


def test_a_sentence_ends_at_its_full_stop_only():
    def split(text):
        return list(sentences.sentences(sentences.Block(1, text)))

    assert split("One e.g. Two. Three, .. Four! (Five?) Six 3.5") == [
        "One e.g Two.",
        "Three, .. Four!",
        "(Five?",
        "Six 3.5",
    ]
    assert split("See [the page](x.md). `a b` follows") == ["See the page.", "`code` follows"]


def test_a_parameter_and_a_member_are_texts_of_their_own(find):
    half = "very " * 20
    assert find("a.py", f"# a    {half}\n# b    {half}\n") == []
    assert find("a.py", f'"""\na, b : {half}\nc : {half}\n"""\n') == []
    assert find("a.py", f'"""\none: {half},\ntwo: {half}.\n"""\n') == []
    assert find("a.py", f'"""\none {half}\ntwo: {half}.\n"""\n') == [(2, "42 words")]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Of the axes, two are long.", '"Of the axes,"'),
        ("A bound of 3 is none.", '"is none"'),
        ("Its bits mean nothing.", '"mean nothing"'),
        ("Ends are likewise clamped.", '"likewise"'),
        ("A stride of 0 is refused by all.", '"refused"'),
        ("It parts from TensorFlow.", '"parts from"'),
    ],
)
def test_a_mannerism_is_found(find, text, phrase):
    assert find("a.md", text) == [(1, phrase)]


@pytest.mark.parametrize("text", ["Of course, it is.", "It is None.", "It is none of these.", "It imparts form."])
def test_what_looks_like_a_mannerism_is_allowed(find, text):
    assert find("a.md", text) == []


def test_the_name_of_a_test_is_read(find):
    name = "test_bits_that_lose_mean_nothing"
    assert find("a.py", f"def {name}(): ...\n") == [(1, '"mean nothing"')]
    assert find("a.py", f"def {name[5:]}(): ...\n") == []


def test_an_exception_is_skipped(find, monkeypatch):
    monkeypatch.setitem(sentences.EXCEPTIONS, "A very very", "for this test")
    assert find("a.md", LONG) == []


def test_generated_and_hidden_files_are_skipped(tmp_path):
    for name in ("docs/rules/a.md", "csrc/copy/a.c", "docs/.hidden/a.md", "docs/a.txt", "docs/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in sentences.files(tmp_path, ["docs", "csrc"])] == ["a.md"]


def test_the_exit_code_tells_the_outcome(tmp_path, capsys):
    assert sentences.main(["a.md"], tmp_path) == 1
    (tmp_path / "a.md").write_text(SHORT)
    assert sentences.main(["a.md"], tmp_path) == 0
    (tmp_path / "a.md").write_text(LONG)
    assert sentences.main(["a.md"], tmp_path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "no files found",
        "0 sentences to rewrite",
        f"a.md:1: 32 words: {LONG}",
        "1 sentences to rewrite",
    ]


def test_the_places_are_clean():
    script = Path(sentences.__file__)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("0 sentences to rewrite\n", 0)
