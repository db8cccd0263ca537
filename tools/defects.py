"""Writes docs/engine-defects.md and the pages of its folder from the files of ssop/testing/defects.

`python tools/defects.py` writes them; `--check` exits with 1 if they are not current.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ssop.testing.corpus import Failure
from ssop.testing.defects import read_defects, report_of

ROOT = Path(__file__).parents[1]
PAGE, FOLDER = ROOT / "docs" / "engine-defects.md", ROOT / "docs" / "engine-defects"
RULE = re.compile(r"^### (\w+): (.*)$", re.MULTILINE)
NAMES = {
    "tensorflow-cpu": "TensorFlow", "jax": "JAX and XLA", "openvino": "OpenVINO", "ai-edge-litert": "LiteRT",
    "torch": "PyTorch", "tf2onnx": "tf2onnx", "onnx": "onnx", "onnxruntime": "ONNX Runtime",
    "onnxoptimizer": "onnxoptimizer", "jax2onnx": "jax2onnx", "coremltools": "coremltools",
    "onnx2tf": "onnx2tf", "onnxsim": "onnxsim",
}  # fmt: skip

HEAD = """# Defects of engines and converters

Each of these gives a wrong result, an invalid model, or damages memory. The pages have the smallest program of each
defect, the right result with its rule, and how often it is met. A report can be sent to its project as it is.

One command says which are mended in the versions that are installed here, and prints what each program gives:

    ssop difftest --defects

`ssop difftest --defect NAME` prints the report of one. The files are in `python/ssop/testing/defects`: failures of a
corpus, as `ssop difftest --corpus` writes them. `python tools/defects.py` writes these pages.
"""


def rules() -> Mapping[str, str]:
    """The headings of SPEC.md by their labels."""
    return dict(RULE.findall((ROOT / "SPEC.md").read_text(encoding="utf-8")))


def section(one: Failure, headings: Mapping[str, str]) -> str:
    """A defect on its page."""
    data: Any = one.program
    facts = [
        *(f"- Right by `{label}`: {headings[label]}." for label in one.rules),
        f"- Met: {data['met']}.",
        f"- For: `{data['project']}`. See <{data['link']}>.",
    ]
    return "\n".join([f"## {one.name}", "", *facts, "", "````markdown", report_of(one), "````"])


def pages() -> dict[Path, str]:
    """All pages with their texts."""
    headings, groups = rules(), dict[str, list[Failure]]()
    for one in read_defects():
        groups.setdefault(one.oracle, []).append(one)
    made, rows = {}, []
    for name in sorted(groups, key=lambda name: NAMES[name].lower()):
        found = groups[name]
        page = FOLDER / f"{name}.md"
        text = [f"# Defects of {NAMES[name]}", *(section(one, headings) for one in found)]
        made[page] = "\n\n".join(text) + "\n"
        dangerous = sum(bool(one.program["dangerous"]) for one in found)
        rows.append(f"| [{NAMES[name]}](engine-defects/{name}.md) | {len(found)} | {dangerous} |")
    table = ["| of | defects | that may kill the process |", "| --- | --- | --- |", *rows]
    toctree = ["```{toctree}", ":hidden:", *(f"engine-defects/{path.stem}" for path in made), "```"]
    made[PAGE] = "\n".join([HEAD, *table, "", *toctree]) + "\n"
    return made


def main() -> int:
    made = pages()
    old = [path for path in FOLDER.glob("*.md") if path not in made]
    stale = [p for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text] + old
    if "--check" in sys.argv:
        print("\n".join(f"{path.relative_to(ROOT)} is not current" for path in stale))
        return int(bool(stale))
    FOLDER.mkdir(exist_ok=True)
    for path in old:
        path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
