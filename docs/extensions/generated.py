"""Writes the pages that are made of other files of the tree: the rules out of SPEC.md, the notebooks, the explorer.

They stand in `docs/rules`, `docs/notebooks` and `docs/generated`, which git ignores.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from labels import HEADING
from places import Places
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
ERROR_OF = """\
In the examples, `x` is `np.arange(12).reshape(3, 4)`. `error_of(f, ..)` calls `f` and returns what its error
carries: the class, then the [attributes](../reference/errors.md) `label`, `axis`, `entry`, `value` and `allowed`."""
"""Stands before the first rule of a page whose examples use the function, which the preamble of SPEC.md defines."""
CONTENTS = "Contents"
"""The section of SPEC.md that is no page: the index of the rules has the same."""
LAST = "Errors"
"""The section of SPEC.md that is read last: the table of errors."""


def without_fences(text: str) -> str:
    """The same text with every character of its code blocks replaced, so that only headings begin with `#`."""
    return re.sub(r"^```.*?^```$", lambda block: re.sub(r"[^\n]", "x", block[0]), text, flags=re.M | re.S)


def sections(text: str) -> list[tuple[str, str]]:
    """The parts of SPEC.md between headings of the second level, each with its heading; the first has none."""
    starts = [match.start() for match in re.finditer(r"^## ", without_fences(text), flags=re.M)]
    parts = [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]
    return [("", parts[0])] + [(part[3 : part.index("\n")], part) for part in parts[1:]]


def page_name(heading: str) -> str:
    return re.sub(r"\W+", "_", heading.replace("'", "").lower())


def page(text: str, places: Places) -> str:
    """A section as a page: headings one level up; of each rule its example, then its source and its places."""
    starts = [match.start() for match in HEADING.finditer(text)]
    bounds = [*starts, len(text)]
    result = text[: bounds[0]]
    if starts and "error_of(" in text:
        result = f"{result.rstrip()}\n\n{ERROR_OF}\n\n"
    for a, b in zip(bounds, bounds[1:], strict=False):
        rule = text[a:b].rstrip().removesuffix("---").rstrip()
        result += f"{source_last(rule)}\n\n{places.of(HEADING.match(rule)[1])}\n\n"
    fenced = without_fences(result)
    heads = [match.start() for match in re.finditer(r"^##+ ", fenced, flags=re.M)]
    for start in reversed(heads):
        result = result[:start] + result[start + 1 :]
    return result.rstrip().removesuffix("---")


def source_last(rule: str) -> str:
    """The rule with its source behind its example, if the source ends the paragraph before the example."""
    text, fence, example = rule.partition("\n```")
    start = re.search(r"(?:(?<=\n)|(?<=[.!)] ))Source: (?:(?!\n\n).)*\Z", text, flags=re.S)
    if start is None or not fence or "Source: " in example:
        return rule
    return f"{text[: start.start()].rstrip()}\n\n```{example}\n\n{start[0].strip()}"


def index(preamble: str, pages: list[tuple[str, str]]) -> str:
    rows = [f"| [{head}]({page_name(head)}.md) | {' '.join(f'`{m[1]}`' for m in HEADING.finditer(text))} |"
            for head, text in pages]  # fmt: skip
    toctree = "\n".join(page_name(head) for head, _ in pages)
    return (
        f"{preamble.rstrip()}\n\n## Find a rule\n\nAn error message ends with the label of its rule, as in `[ss_c7]`. "
        "Each label here and in every message on these pages is a link to the rule. Below the rule, *Code and tests* "
        "opens links to the code that checks it, to its second formulation in plain Python, and to its tests. The "
        f"anchor of a rule is its label.\n\n| section | rules |\n| --- | --- |\n{chr(10).join(rows)}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{toctree}\n```\n"
    )


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def folder(name: str, keep: set[str]) -> Path:
    """A folder of generated files, without those of earlier builds that are made no more."""
    path = DOCS / name
    path.mkdir(exist_ok=True)
    for old in path.iterdir():
        if old.name not in keep:
            old.unlink()
    return path


def write_rules(app: Sphinx) -> None:
    (_, preamble), *parts = sections((ROOT / "SPEC.md").read_text(encoding="utf-8"))
    parts = sorted((part for part in parts if part[0] != CONTENTS), key=lambda part: part[0] == LAST)
    places = Places(ROOT)
    out = folder("rules", {"index.md", *(f"{page_name(head)}.md" for head, _ in parts)})
    write(out / "index.md", index(preamble, parts))
    for head, text in parts:
        write(out / f"{page_name(head)}.md", page(text, places))
    app.config.rule_pages = {m[1]: f"rules/{page_name(head)}" for head, text in parts for m in HEADING.finditer(text)}


def copy_notebooks(app: Sphinx) -> None:
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    out = folder("notebooks", {path.name for path in notebooks})
    for path in notebooks:
        shutil.copy2(path, out)


def write_explorer(app: Sphinx) -> None:
    """The page, in which the label of a rule leads to the page of the rule."""
    from ssop._explore.explorer import Explorer, facts

    pages = {name: f"../{app.config.rule_pages[name]}.html#{name}" for name in facts()["titles"]}
    html = Explorer({}, pages).html
    (folder("generated", {"mask_explorer.html"}) / "mask_explorer.html").write_text(html, encoding="utf-8")


class RuleAnchors(SphinxTransform):
    """The section of a rule has its label as its anchor and an entry in the index."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        if not self.env.docname.startswith("rules/"):
            return
        for section in self.document.findall(nodes.section):
            match = re.match(r"(\w+_[cs]\d+): (.*)", section[0].astext())
            if match:
                section["ids"].insert(0, match[1])
                self.document.ids[match[1]] = section
                section.insert(1, addnodes.index(entries=[("single", match[1], match[1], "", None)]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("rule_pages", {}, "")
    (DOCS / "generated").mkdir(exist_ok=True)  # before Sphinx looks for the folders of html_static_path
    app.connect("builder-inited", write_rules)
    app.connect("builder-inited", copy_notebooks)
    app.connect("builder-inited", write_explorer)
    app.add_transform(RuleAnchors)
    return {"parallel_read_safe": True}
