"""Makes links of words in code style that name something: a rule, a public object, a file of the tree with a line.

So texts of the tree, such as SPEC.md or docs/error_messages.md, need no links of their own. A word that looks like a
file of the tree but names no file is a warning.
"""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from labels import HEADING
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

ROOT = Path(__file__).parents[2]
FILE = re.compile(r"((?:[\w.-]+/)*[\w.-]+\.(?:py|pyi|c|h|def|md|json|js|html|ipynb|sh|toml|svg))(?::(\d+))?")
FOLDERS = ("csrc/", "python/ssop/", "tests/", "tools/", "docs/", "examples/", "benchmarks/", "fuzz/", "notebooks/")
OBJECT = re.compile(r"(ssop(?:\.\w+)+)(?:\(\))?")
LABELS = set(HEADING.findall((ROOT / "SPEC.md").read_text(encoding="utf-8")))
LABEL = re.compile(rf"\b({'|'.join(label for label, _ in sorted(LABELS, reverse=True))})\b")
PAGES = {"SPEC.md": "rules/index", "README.md": "index", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changes",
         "tests/README.md": "tests"}  # fmt: skip
log = logging.getLogger(__name__)


class Linker:
    """Links from one page."""

    def __init__(self, app: Sphinx, docname: str) -> None:
        self.app, self.docname = app, docname
        self.python = app.env.get_domain("py").objects

    def uri(self, target: str) -> str:
        return self.app.builder.get_relative_uri(self.docname, target)

    def rule(self, label: str, content: nodes.Node) -> nodes.reference:
        page = self.app.config.rule_pages[label]
        return nodes.reference("", "", content, internal=True, refuri=f"{self.uri(page)}#{label}")

    def file(self, name: str, line: str | None, content: nodes.Node) -> nodes.Node | None:
        page = PAGES.get(name) or re.sub(r"^docs/(\w+)\.md$", r"\1", name)
        if line is None and page in self.app.env.found_docs:
            return nodes.reference("", "", content, internal=True, refuri=self.uri(page))
        if not (ROOT / name).is_file():
            if name.startswith(FOLDERS):
                log.warning("no file of the tree: %s", name, location=self.docname)
            return None
        if "/" not in name or Path(name).suffix in (".svg", ".html", ".ipynb"):
            return None
        self.app.env.source_files.add(name)
        anchor = f"#L{line}" if line else ""
        return nodes.reference("", "", content, internal=True, refuri=f"{self.uri(f'source/{name}')}{anchor}")

    def object(self, name: str, content: nodes.Node) -> nodes.Node | None:
        found = self.python.get(name)
        if found is None:
            return None
        return make_refnode(self.app.builder, self.docname, found.docname, found.node_id, content)

    def link(self, text: str, content: nodes.Node) -> nodes.Node | None:
        label = text.removeprefix("[").removesuffix("]")
        if label in self.app.config.rule_pages:
            return self.rule(label, content)
        match = FILE.fullmatch(text)
        if match:
            return self.file(match[1], match[2], content)
        match = OBJECT.fullmatch(text)
        return self.object(match[1], content) if match else None


def link_words(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    linker = Linker(app, docname)
    for node in [*doctree.findall(nodes.literal)]:
        if not _is_linked(node):
            link = linker.link(node.astext(), node.deepcopy())
            if link is not None:
                node.replace_self(link)
    for node in [*doctree.findall(nodes.Text)]:
        if not _is_linked(node) and re.search(rf"\[{LABEL.pattern}\]", node):
            pieces = re.split(rf"(?<=\[){LABEL.pattern}(?=\])", node)
            parent, at = node.parent, node.parent.index(node)
            parent[at : at + 1] = [
                linker.rule(piece, nodes.Text(piece)) if odd else nodes.Text(piece)
                for piece, odd in zip(pieces, _alternately(), strict=False)
            ]


def _alternately():
    while True:
        yield from (False, True)


def _is_linked(node: nodes.Node) -> bool:
    parent = node.parent
    while parent is not None:
        if isinstance(parent, (nodes.reference, nodes.title, nodes.literal, nodes.literal_block, nodes.raw)):
            return True
        parent = parent.parent
    return False


def start(app: Sphinx) -> None:
    app.env.source_files = set()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", start)
    app.connect("doctree-resolved", link_words)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
