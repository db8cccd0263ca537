"""Writes docs/documents.md: the worked examples of five documents, what they say, and what ssop gives.

    python tools/documents.py [--check]

The examples on which ssop agrees are those of tests/unit/document_examples.py, the others the rows of the kind
"document" in `ssop.divergences`. With --check it writes nothing, and exits with 1 if the page is not current.
"""

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ssop.divergences import rows

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/documents.md"
sys.path.insert(0, str(ROOT / "tests"))

from unit.document_examples import EXAMPLES, VALUES, Example  # noqa: E402

HEAD = """# What documents say of slices

This page follows five documents on slices example by example. Where one differs from its framework, ssop follows the
framework.

"Document" is what the text says; "rejected" means that it forbids the call. "Today" is what the framework and ssop
give. The tests run the examples in {versions}, where these have the function. Labels
such as `ss_s4` are [rules](rules/index.md). `ssop.explain` cites differences that affect a call. Names in the calls:

```python
import numpy as np, ssop

{values}
```
"""

VERSIONS = "TensorFlow 2.21.0, OpenVINO 2026.4.1 and JAX 0.10.2"

DOCUMENTS = {
    "tensorflow": ("TensorFlow: the StridedSlice op", """
The [documentation of the op]({link}) defines the five masks. One example is wrong.
"""),
    "openvino": ("OpenVINO: StridedSlice-1", """
The [specification]({link}) is read in its Japanese form. Masks shorter than the spec, as in two examples, get zeros;
OpenVINO requires one length, and so does `strict=True` (`ov_c2`).
"""),
    "blog": ("An article on tf.strided_slice", """
"stridedslice算子定义" (Definition of the StridedSlice operator), of 2020, calculates how masks interact, and lists
the steps of an implementation. Several of the steps are wrong.
"""),
    "inference": ("An article on TensorFlow's shape inference", """
"tensorflow源码解析之framework-shape_inference" (TensorFlow's sources explained: shape inference), of 2018, describes
`InferenceContext`. "?" is an unknown dim. `mode="tf"` is TensorFlow's relax; by default `PartialShape.relax` keeps the
interval, [2..3,2] in the second example.
"""),
    "xla": ("XLA: Operation Semantics of 2017", """
The document is a Chinese translation of an early form of [XLA's page](https://openxla.org/xla/operation_semantics).
Its programs for CustomCall, Infeed and SelectAndScatter give the same here.
"""),
}  # fmt: skip
"""Key of the examples -> heading, and what a reader has to know."""


def code(text: str) -> str:
    return f"`{text}`"


def answer(text: str) -> str:
    """A result in code style, the label of an error, other words as they are."""
    if re.fullmatch(r"[a-z]+_c\d+", text):
        return f"an error ({code(text)})"
    return code(text) if re.match(r"array|\(|\[|\d|Partial|dtype|Clamp|Reshape|Cross", text) else text


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def agreement(example: Example) -> str:
    return f"- {capital(example.title)} ({code(example.rule)}): {code(example.call)} gives {answer(example.gives)}"


def difference(row: dict[str, str]) -> str:
    lines = [f"{capital(row['reason'])}. ({code(row['label'])})", "", f"- {code(row['example'])}"]
    return "\n".join([*lines, f"- Document: {answer(row['there'])}", f"- Today: {answer(row['here'])}", ""])


def section(document: str) -> Iterator[str]:
    title, text = DOCUMENTS[document]
    differing = rows("document", of=document)
    link = differing[0]["link"] if differing else ""
    yield f"\n## {title}\n{text.format(link=link)}"
    for operation, group in groupby(sorted(differing, key=lambda row: row["operation"]), lambda row: row["operation"]):
        yield f"### {operation if document == 'xla' else 'Differences'}\n"
        yield from (difference(row) for row in group)
    yield f"### {'Examples that hold' if differing else 'Examples'}\n"
    yield from (agreement(example) for example in EXAMPLES if example.document == document)


def page() -> str:
    head = HEAD.format(versions=VERSIONS, values="\n".join(f"{name} = {value}" for name, value in VALUES.items()))
    lines = [head, *(line for document in DOCUMENTS for line in section(document))]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def main(check: bool) -> int:
    text = page()
    if check:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
