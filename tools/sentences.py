"""Long sentences and mannerisms in documents, docstrings, comments and names of tests.

`python tools/sentences.py [PATH..]` prints each finding with its file and line and exits with 1 if there is one.
Without paths it reads PLACES.

A sentence has at most MAX_WORDS words. A code span, a link and a quotation are one word each. No sentence crosses a
blank line, the end of a list item, the description of a parameter or a change of the indentation. Code, tables, block
quotations and doctests are skipped.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAX_WORDS = 30

MANNERISMS = {
    r"^(?:And |But )?Of (?!course)[^,.;:]+[,:] ": "begin with the subject",
    r"\b(?:is|are) none\b(?! of)": "say what happens: it is an error, there is no .., it does not ..",
    r"\b[Mm]eans? nothing\b": "is ignored",
    r"\b[Ll]ikewise\b": "say what else does the same",
    r"\b[Rr]efus(?:e|es|ed|ing|als?)\b": "reject, raise, is an error",
    r"\bparts? from\b": "differs from",
}
"""A phrase, as a regular expression on a sentence or on the words of a test's name -> what to say."""

EXCEPTIONS: dict[str, str] = {}
"""The beginning of a sentence -> why it stays as it is."""

PLACES = [".", "docs", "python", "tests", "tools", "fuzz", "examples", "notebooks", "benchmarks", "csrc"]
"""What CI reads, and what is read without paths."""

SKIPPED = ("docs/rules", "docs/notebooks", "docs/generated", "csrc/copy", "csrc/wasm/node_modules")


class Block(NamedTuple):
    """Text that no sentence crosses, and the line that it begins at."""

    line: int
    text: str


class Finding(NamedTuple):
    path: str
    line: int
    what: str
    sentence: str


# ---- sentences -------------------------------------------------------------------------------------------------------

ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|etc|vs|resp|no|approx|Fig|Sec)\.(?=\s)")
END = re.compile(r"(?<=[^.][.!?])[\"')\]*_]*\s+(?=[\"'(\[`*_]*[A-Z0-9`])")


def one_word(text: str) -> str:
    """The text with code spans, links and quotations as one word each."""
    text = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "`code`", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    text = re.sub(r"<?https?://\S+", "link", text)
    return re.sub(r"[\"“][^\"“”]*[\"”]", "`quotation`", text)


def sentences(block: Block) -> Iterator[str]:
    text = ABBREVIATION.sub(lambda match: match[0][:-1], one_word(" ".join(block.text.split())))
    yield from (each for each in END.split(text) if each)


def word_count(sentence: str) -> int:
    return sum(any(character.isalnum() for character in word) for word in sentence.split())


def mannerisms(sentence: str) -> Iterator[str]:
    for phrase, advice in MANNERISMS.items():
        match = re.search(phrase, sentence)
        if match:
            yield f'"{match[0].strip()}": {advice}'


def judge(path: str, block: Block) -> Iterator[Finding]:
    for sentence in sentences(block):
        if sentence.startswith(tuple(EXCEPTIONS)):
            continue
        count = word_count(sentence)
        if count > MAX_WORDS:
            yield Finding(path, block.line, f"{count} words", sentence)
        for what in mannerisms(sentence):
            yield Finding(path, block.line, what, sentence)


# ---- blocks ----------------------------------------------------------------------------------------------------------

ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
FENCE = re.compile(r"\s*(?:>\s*)?(`{3,}|~{3,})")
PARAMETER = re.compile(r"\s*\w+(?:, \w+)* : ")  # of a docstring
MEMBER = re.compile(r"\s*\w+: ")  # of a docstring, after a full stop or another member
ROW = re.compile(r"[^\s.!?] {2,}\S")  # of a table without lines: words stand apart from their meanings
NO_PROSE = re.compile(r"\s*(?:[|>#<+]|:::|\.\. |={3,}|-{3,}|\[[^\]]+\]:)")


def blocks(text: str, first: int = 1, indented_code: bool = False) -> Iterator[Block]:
    """Paragraphs, list items and descriptions of a text."""
    lines, start, depth, fence, doctest = [], first, 0, "", False
    for number, line in enumerate([*text.splitlines(), ""], first):
        mark = FENCE.match(line)
        if fence or mark:
            fence = "" if fence and mark and mark[1].startswith(fence) else fence or (mark[1] if mark else "")
            line = ""
        indentation = len(line) - len(line.lstrip())
        doctest = bool(line.strip()) and (doctest or line.lstrip().startswith(">>>"))
        item = ITEM.match(line)
        defines = PARAMETER.match(line) or ROW.search(line) or (lines and lines[-1][-1] in ".," and MEMBER.match(line))
        ends = not line.strip() or doctest or item or NO_PROSE.match(line) or defines or indentation != depth
        if ends and lines:
            yield Block(start, " ".join(lines))
            lines = []
        if not line.strip() or doctest or NO_PROSE.match(line) or (indented_code and indentation >= 4 and not lines):
            continue
        if not lines:
            start, depth = number, item.end() if item else indentation
        lines.append(line[item.end() :] if item else line.strip())


def without_front_matter(text: str) -> str:
    return re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)


def markdown(text: str) -> Iterator[Block]:
    yield from blocks(without_front_matter(text), indented_code=True)


def notebook(text: str) -> Iterator[Block]:
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        if cell["cell_type"] == "markdown":
            yield from (Block(number, block.text) for block in markdown("".join(cell["source"])))


def comment_blocks(comments: list[tuple[int, str]]) -> Iterator[Block]:
    """Comments of one line each; those of neighbouring lines belong together."""
    text, first, last = "", 0, -1
    for line, comment in [*comments, (-1, "")]:
        if line != last + 1 and text:
            yield from blocks(text, first)
            text = ""
        if not text:
            first = line
        text, last = text + comment + "\n", line


def python(text: str) -> Iterator[Block]:
    tree = ast.parse(text)
    lines = text.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstring = node.value.value
            first, _, rest = docstring.partition("\n")
            margin = min((len(each) - len(each.lstrip()) for each in rest.splitlines() if each.strip()), default=0)
            clean = "\n".join([first, *(each[margin:] for each in rest.splitlines())])
            yield from blocks(clean, node.lineno)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Block(node.lineno, node.name.replace("_", " "))
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_prose = not re.match(r"#(?:!| (?:noqa|type:|fmt:|ruff:|mypy:|pragma|shellcheck|----))", token.string)
        if token.type == tokenize.COMMENT and is_prose:
            alone = not lines[token.start[0] - 1][: token.start[1]].strip()
            if alone:
                comments.append((token.start[0], token.string.lstrip("# ")))
            else:
                yield Block(token.start[0], token.string.lstrip("# "))
    yield from comment_blocks(comments)


C_PIECE = re.compile(r"//[^\n]*|/\*.*?\*/" + r'|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'", flags=re.S)


def c_source(text: str) -> Iterator[Block]:
    comments = []
    for match in C_PIECE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match[0].startswith("//"):
            comments.append((line, match[0].lstrip("/ ")))
        elif match[0].startswith("/*"):
            inner = re.sub(r"^[ \t]*\*? ?", "", match[0][2:-2].strip("* "), flags=re.M)
            yield from blocks(inner, line)
    yield from comment_blocks(comments)


READERS = {".md": markdown, ".ipynb": notebook, ".py": python, ".pyi": python}
READERS |= dict.fromkeys((".c", ".h", ".def"), c_source)


# ---- files -----------------------------------------------------------------------------------------------------------


def files(root: Path, places: list[str]) -> Iterator[Path]:
    for place in places:
        path = root / place
        found = [path] if path.is_file() else path.glob("*") if place == "." else path.rglob("*")
        for each in sorted(found):
            name = each.relative_to(root).as_posix()
            hidden = any(part.startswith((".", "build")) for part in each.relative_to(root).parts)
            if each.suffix in READERS and each.is_file() and not hidden and not name.startswith(SKIPPED):
                yield each


def findings(root: Path, places: list[str]) -> Iterator[Finding]:
    for path in files(root, places):
        for block in READERS[path.suffix](path.read_text(encoding="utf-8")):
            yield from judge(path.relative_to(root).as_posix(), block)


def main(arguments: list[str], root: Path) -> int:
    places = arguments or PLACES
    if not list(files(root, places)):
        print("no files found")
        return 1
    found = sorted(set(findings(root, places)))
    for finding in found:
        print(f"{finding.path}:{finding.line}: {finding.what}: {finding.sentence}")
    print(f"{len(found)} sentences to rewrite")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
