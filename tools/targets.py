"""Writes docs/targets/*.md: what each target of `ssop.convert` can say, and what it cannot, as the converter finds it.

    python tools/targets.py [--check]

With --check it writes nothing, and exits with 1 if a page is not current. Dims that are not known need islpy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ssop
from ssop._convert.dtypes import taken_by
from ssop._convert.targets import TARGETS

FOLDER = Path(__file__).parents[1] / "docs/targets"
Call = ssop.convert.Call

TITLES = {
    "tf": "TensorFlow",
    "tflite": "TFLite (LiteRT)",
    "openvino": "OpenVINO: StridedSlice-1",
    "openvino.slice": "OpenVINO: Slice-8",
    "onnx": "ONNX",
    "xla": "XLA (jax.lax)",
    "torch": "torch",
    "numpy": "NumPy",
    "coreml": "CoreML",
}

SLICES: list[tuple[str, Any]] = [
    ("`x[2:9]`", np.s_[2:9]),
    ("`x[-3:]`", np.s_[-3:]),
    ("`x[:-3:2]`", np.s_[:-3:2]),
    ("`x[-1:0]`", np.s_[-1:0]),
    ("`x[::-1]`", np.s_[::-1]),
    ("`x[8:2:-2]`", np.s_[8:2:-2]),
    ("`x[-3::-1]`", np.s_[-3::-1]),
    ("`x[2]`", np.s_[2]),
    ("`x[-1]`", np.s_[-1]),
    ("`x[None, 2:]`", np.s_[None, 2:]),
    ("`x[0, 1:]`", np.s_[0, 1:]),
    ("`x[:2147483647]`", np.s_[: 2**31 - 1]),
    ("`tf.slice(x, [2], [-1])`", Call("tf.slice", begin=[2], size=[-1])),
    ("`jax.lax.dynamic_slice(x, [3], [2])`", Call("xla.dynamic_slice", start_indices=[3], slice_sizes=[2])),
]
"""How it is written in Python, and the call."""

HEAD = """# {title}

`ssop.convert(.., to="{name}")` writes these calls for arrays whose dims are not known. Where the last column has a
condition, no calls are equal on every shape: without it, `ssop.convert` raises an error. `python tools/targets.py`
makes this page by the converter.

| slice | calls | equal |
| --- | --- | --- |
"""


def code(conversion: Any) -> str:
    return " then ".join(f"`{line}`" for line in str(conversion).splitlines())


def condition(dims: tuple[int, int | None]) -> str:
    least, most = dims
    return f"if dim 0 is at least {least}" if most is None else f"if dim 0 is in {least}..{most}"


def row(slice_: Any, to: str) -> tuple[str, str]:
    """The calls, and the dims for which they are equal."""
    try:
        return code(ssop.convert(slice_, to)), "always"
    except ssop.ConversionError as error:
        if error.precondition is None:
            return "no call", f"never; shape {error.counterexample} differs"
        conversion = ssop.convert(slice_, to, assume=error.precondition)
        (dims,) = error.precondition.values()
        return code(conversion), f"{condition(dims)}, but not for shape {error.counterexample}"


def facts(to: str) -> Iterator[str]:
    """What the target's own description says of it."""
    abilities = TARGETS[to].abilities
    if not abilities.reverse:
        yield "Steps are positive: a call of its own reverses the axis that a forward slice leaves."
    if not abilities.drops:
        yield "A slice keeps its axes: a taken element is a slice of one, whose axis is then squeezed."
    if not abilities.open_bounds:
        yield "Bounds are always numbers: those of int64 that are furthest outside the axis stand for an open bound."
    if abilities.int32:
        yield "Dims and bounds are of int32: greater dims are an error, and greater bounds become the nearest of int32."
    if len(abilities.rules) > 1:
        rules = ", ".join(f"`{rule}`" for rule in abilities.rules)
        yield f"Its engines read bounds in different ways: the calls are equal by each of their rules, {rules}."
    taken = taken_by(to)
    missing = [] if taken is None else sorted(((taken_by("xla") or frozenset()) | {"string"}) - taken)
    yield f"Dtypes that it does not take: {', '.join(missing)}." if missing else "Every dtype is taken."


def page(to: str) -> str:
    lines = [HEAD.format(title=TITLES[to], name=to)]
    for text, slice_ in SLICES:
        calls, equal_if = row(slice_, to)
        lines.append(f"| {text} | {calls} | {equal_if} |\n")
    return "".join([*lines, "\n", *(f"- {fact}\n" for fact in facts(to))])


def pages() -> dict[Path, str]:
    return {FOLDER / f"{to}.md": page(to) for to in TARGETS}


def main(check: bool) -> int:
    wanted = pages()
    if check:
        current = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
        return int(current != wanted)
    FOLDER.mkdir(exist_ok=True)
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
