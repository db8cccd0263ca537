"""Writes docs/error_messages: what ssop, NumPy, TensorFlow and JAX say to the same mistakes, a page for each subject.

    python tools/mistakes.py

Needs the extra [oracles]. Each mistake is a row of a page of PAGES: what is wrong, and the expression in each library
that has such an operation.
"""

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import tensorflow as tf
from jax import lax

import ssop

X = np.arange(12).reshape(3, 4)
NAMES = {
    "np": np,
    "ssop": ssop,
    "tf": tf,
    "raw": tf.raw_ops,
    "lax": lax,
    "jnp": jax.numpy,
    "x": X,
    "t": tf.constant(X),
    "j": jax.numpy.asarray(X),
    "v": tf.Variable(X),
}
NOISE = re.compile(r"\{\{function_node [^}]*\}\} |\[Op:\w+\]( name:\s*\w*)?|at loc\(.*|\x1b\[[\d;]*m")
"""Where in TensorFlow's graph or in this file an error arose, and colours."""

LIBRARIES = ("ssop", "NumPy", "TensorFlow", "JAX")
LONGEST = 400
"""Characters of a message that are shown."""


class Mistake(NamedTuple):
    what: str
    ssop: str
    numpy: str = ""
    tensorflow: str = ""
    jax: str = ""


def spec(masks: str, begin: str, end: str, strides: str) -> tuple[str, str]:
    """A strided slice in ssop and in TensorFlow."""
    given = f"{begin}, {end}, {strides}{', ' if masks else ''}{masks}"
    return f"ssop.strided_slice(x, {given})", f"tf.strided_slice(t, {given})"


def strided(what: str, begin: str, end: str, strides: str, masks: str = "", numpy: str = "", jax: str = "") -> Mistake:
    ours, theirs = spec(masks, begin, end, strides)
    return Mistake(what, ours, numpy, theirs, jax)


INDICES = [
    strided("a stride of 0", "[0]", "[2]", "[0]", numpy="x[0:2:0]", jax="lax.slice(j, [0, 0], [2, 4], [0, 1])"),
    strided("an index outside the axis", "[0, 9]", "[1, 0]", "[1, 1]", "shrink_axis_mask=2", "x[0:1, 9]", "j[0:1, 9]"),
    strided("a negative index outside the axis", "[-4]", "[0]", "[1]", "shrink_axis_mask=1", "x[-4]", "j[-4]"),
    Mistake(
        "an index into an empty axis",
        "ssop.strided_slice(x[:0], [0], [1], [1], shrink_axis_mask=1)",
        "x[:0][0]",
        "tf.strided_slice(t[:0], [0], [1], [1], shrink_axis_mask=1)",
        "j[:0][0]",
    ),
    strided("a negative stride with an index", "[1]", "[0]", "[-1]", "shrink_axis_mask=1"),
    strided("two ellipses", "[0, 0]", "[0, 0]", "[1, 1]", "ellipsis_mask=3", "x[..., ...]", "j[..., ...]"),
    strided(
        "more entries than axes",
        "[0, 0, 0]",
        "[1, 1, 1]",
        "[1, 1, 1]",
        numpy="x[0:1, 0:1, 0:1]",
        jax="j[0:1, 0:1, 0:1]",
    ),
    strided(
        "more indices than axes",
        "[0, 0, 0]",
        "[1, 1, 1]",
        "[1, 1, 1]",
        "shrink_axis_mask=7",
        "x[0, 0, 0]",
        "j[0, 0, 0]",
    ),
    Mistake(
        "a slice of a scalar",
        "ssop.strided_slice(5, [0], [1], [1])",
        "np.array(5)[0:1]",
        "tf.strided_slice(tf.constant(5), [0], [1], [1])",
        "jnp.array(5)[0:1]",
    ),
    Mistake("a bad index", "ssop.StridedSliceSpec.from_index('foo')", "x['foo']", "t['foo']", "j['foo']"),
    Mistake("a float as an index", "ssop.StridedSliceSpec.from_index(1.5)", "x[1.5]", "t[1.5]", "j[1.5]"),
    Mistake("a list as an index", "ssop.StridedSliceSpec.from_index([0, 1])", "", "t[[0, 1]]", "j[[0, 1]]"),
]
ARGUMENTS = [
    Mistake("an array where a shape is expected", "ssop.explain(x, [0], [1], [1])", "np.empty(x)", "", "jnp.empty(j)"),
    strided("vectors of different lengths", "[0, 0]", "[1]", "[1, 1]", jax="lax.slice(j, [0, 0], [1])"),
    strided("strides of another length", "[0, 0]", "[1, 1]", "[1]", jax="lax.slice(j, [0, 0], [1, 1], [1])"),
    strided("a float as an entry", "[0.5]", "[2]", "[1]", numpy="x[0.5:2]", jax="lax.slice(j, [0.5, 0], [2, 4])"),
    strided("a string as an entry", "['0']", "[2]", "[1]", numpy="x['0':2]", jax="lax.slice(j, ['0', 0], [2, 4])"),
    strided("None as an entry", "[None]", "[2]", "[1]", jax="lax.slice(j, [None, 0], [2, 4])"),
    strided("a bool as an entry", "[True]", "[2]", "[1]"),
    strided("a scalar where a vector is expected", "0", "[2]", "[1]", jax="lax.slice(j, 0, [2, 4])"),
    strided(
        "a matrix where a vector is expected",
        "np.zeros((1, 1), int)",
        "[2]",
        "[1]",
        jax="lax.slice(j, np.zeros((1, 1), int), [2, 4])",
    ),
    strided(
        "a float array as a vector", "np.array([0.0])", "[2]", "[1]", jax="lax.slice(j, np.array([0.0, 0]), [2, 4])"
    ),
    strided("a number beyond int64", "[2**64]", "[2]", "[1]", numpy="x[2**64]", jax="lax.slice(j, [2**64, 0], [2, 4])"),
    strided("a mask that is a float", "[0]", "[2]", "[1]", "begin_mask=1.0"),
    strided("a mask beyond int32", "[0]", "[2]", "[1]", "begin_mask=2**40"),
    strided("an index (np.s_) where begin is expected", "np.s_[0:2]", "[2]", "[1]"),
    strided("a string where begin is expected", "'0'", "[2]", "[1]", jax="lax.slice(j, '0', [2, 4])"),
    Mistake("no begin", "ssop.strided_slice(x)", "", "tf.strided_slice(t)", "lax.slice(j)"),
    Mistake(
        "a keyword that does not exist",
        "ssop.strided_slice(x, [0], [1], step=[1])",
        "",
        "tf.strided_slice(t, [0], [1], step=[1])",
        "lax.slice(j, [0, 0], [1, 1], step=[1])",
    ),
]
OUT = [
    Mistake(
        "an out of another shape",
        "ssop.strided_slice(x, [0], [2], [1], out=np.empty((9, 9), int))",
        "np.copyto(np.empty((9, 9), int), x[0:2])",
    ),
    Mistake(
        "an out of another dtype",
        "ssop.strided_slice(x, [0], [2], [1], out=np.empty((2, 4), 'f4'))",
        "np.copyto(np.empty((2, 4), 'i1'), x[0:2])",
    ),
    Mistake(
        "an out that is read-only",
        "ssop.copy(x, out=np.broadcast_to(x, (3, 4)))",
        "np.copyto(np.broadcast_to(x, (3, 4)), x)",
    ),
    Mistake("an out that is not an array", "ssop.copy(x, out=[1])", "np.copyto([1], x)"),
]
UPDATES = [
    Mistake(
        "a value of another shape",
        "ssop.strided_slice_assign(x.copy(), [0], [2], [1], np.zeros((3, 3), int))",
        "x.copy().__setitem__(slice(0, 2), np.zeros((3, 3), int))",
        "v[0:2].assign(np.zeros((3, 3), int))",
        "j.at[0:2].set(jnp.zeros((3, 3), int))",
    ),
    Mistake(
        "a value of another dtype",
        "ssop.strided_slice_assign(x.copy(), [0], [2], [1], np.zeros((2, 4), 'f4'))",
        "",
        "v[0:2].assign(np.zeros((2, 4), 'f4'))",
        "lax.dynamic_update_slice(j, jnp.zeros((2, 4), 'float32'), (0, 0))",
    ),
    Mistake(
        "a float into integers",
        "ssop.strided_slice_assign(x.copy(), [0], [2], [1], 1.9)",
        "",
        "v[0:2].assign(1.9)",
        "lax.dynamic_update_slice(j, 1.9, ())",
    ),
    Mistake(
        "a string into integers",
        "ssop.strided_slice_assign(x.copy(), [0], [2], [1], 'a')",
        "x.copy().__setitem__(slice(0, 2), 'a')",
        "v[0:2].assign('a')",
        "j.at[0:2].set('a')",
    ),
    Mistake(
        "an integer out of range",
        "ssop.strided_slice_assign(np.zeros(3, 'i1'), [0], [2], [1], 300)",
        "np.zeros(3, 'i1').__setitem__(0, 300)",
        "tf.Variable(np.zeros(3, 'i1'))[0:2].assign(300)",
        "jnp.zeros(3, 'int8').at[0].set(300)",
    ),
    Mistake(
        "a destination that is a list",
        "ssop.strided_slice_assign([1, 2], [0], [1], [1], 5)",
        "",
        "raw.ResourceStridedSliceAssign(ref=[1, 2], begin=[0], end=[1], strides=[1], value=5)",
    ),
    Mistake(
        "a gradient of another shape",
        "ssop.strided_slice_grad((5,), [0], [4], [2], np.ones(3))",
        "",
        "raw.StridedSliceGrad(shape=[5], begin=[0], end=[4], strides=[2], dy=np.ones(3))",
    ),
    Mistake(
        "a gradient of a negative shape",
        "ssop.strided_slice_grad((-5,), [0], [4], [2], np.ones(2))",
        "",
        "raw.StridedSliceGrad(shape=[-5], begin=[0], end=[4], strides=[2], dy=np.ones(2))",
    ),
]
WINDOWS = [
    Mistake("a limit outside the axis", "ssop.slice(x, [0, 0], [4, 4])", "", "", "lax.slice(j, [0, 0], [4, 4])"),
    Mistake("a start after its limit", "ssop.slice(x, [2, 0], [1, 4])", "", "", "lax.slice(j, [2, 0], [1, 4])"),
    Mistake("a negative start", "ssop.slice(x, [-1, 0], [1, 4])", "", "", "lax.slice(j, [-1, 0], [1, 4])"),
    Mistake("too few starts", "ssop.slice(x, [0], [1])", "", "", "lax.slice(j, [0], [1])"),
    Mistake(
        "a window larger than the axis",
        "ssop.dynamic_slice(x, [0, 0], [4, 1])",
        "",
        "tf.slice(t, [0, 0], [4, 1])",
        "lax.dynamic_slice(j, (0, 0), (4, 1))",
    ),
    Mistake(
        "a window of another rank",
        "ssop.dynamic_slice(x, [0], [1])",
        "",
        "tf.slice(t, [0], [1])",
        "lax.dynamic_slice(j, (0,), (1,))",
    ),
    Mistake(
        "a float start",
        "ssop.dynamic_slice(x, [0.5, 0], [1, 1])",
        "",
        "tf.slice(t, [0.5, 0], [1, 1])",
        "lax.dynamic_slice(j, (0.5, 0.0), (1, 1))",
    ),
    Mistake(
        "a negative size",
        "ssop.dynamic_slice(x, [0, 0], [-2, 1])",
        "",
        "tf.slice(t, [0, 0], [-2, 1])",
        "lax.dynamic_slice(j, (0, 0), (-2, 1))",
    ),
    Mistake(
        "a start outside under 'raise'",
        "ssop.dynamic_slice(x, [3, 0], [1, 1], out_of_bounds='raise')",
        "x[3, 0]",
        "tf.slice(t, [3, 0], [1, 1])",
    ),
    Mistake(
        "an unknown out_of_bounds",
        "ssop.dynamic_slice(x, [3, 0], [1, 1], out_of_bounds='clip')",
        "np.take(x, 3, mode='clamp')",
        "",
        "j.at[3].get(mode='clamp')",
    ),
    Mistake(
        "a value without 'fill'",
        "ssop.dynamic_slice(x, [3, 0], [1, 1], fill_value=7)",
        "",
        "",
        "j.at[3].get(mode='clip', fill_value=7)",
    ),
    Mistake(
        "an update larger than its operand",
        "ssop.dynamic_update_slice(x, np.zeros((4, 4), int), [0, 0])",
        "",
        "",
        "lax.dynamic_update_slice(j, jnp.zeros((4, 4), int), (0, 0))",
    ),
    Mistake(
        "an update of another rank",
        "ssop.dynamic_update_slice(x, np.zeros(4, int), [0, 0])",
        "",
        "",
        "lax.dynamic_update_slice(j, jnp.zeros(4, int), (0, 0))",
    ),
]
XLA = [
    Mistake(
        "padding for too few axes",
        "ssop.xla.pad(x, 0, [(1, 1, 0)])",
        "np.pad(x, [(1, 1), (1, 1), (1, 1)])",
        "tf.pad(t, [(1, 1)])",
        "lax.pad(j, 0, [(1, 1, 0)])",
    ),
    Mistake(
        "padding that removes too much",
        "ssop.xla.pad(x, 0, [(-4, 0, 0), (0, 0, 0)])",
        "np.pad(x, [(-4, 0), (0, 0)])",
        "tf.pad(t, [(-4, 0), (0, 0)])",
        "lax.pad(j, 0, [(-4, 0, 0), (0, 0, 0)])",
    ),
    Mistake(
        "negative interior padding",
        "ssop.xla.pad(x, 0, [(0, 0, -1), (0, 0, 0)])",
        "",
        "",
        "lax.pad(j, 0, [(0, 0, -1), (0, 0, 0)])",
    ),
    Mistake(
        "a padding value of another dtype",
        "ssop.xla.pad(x, np.float32(0), [(0, 0, 0), (0, 0, 0)])",
        "",
        "tf.pad(t, [(0, 0), (0, 0)], constant_values=np.float32(0.5))",
        "lax.pad(j, jnp.float32(0), [(0, 0, 0), (0, 0, 0)])",
    ),
    Mistake(
        "an axis that does not exist", "ssop.xla.rev(x, [2])", "np.flip(x, 2)", "tf.reverse(t, [2])", "lax.rev(j, [2])"
    ),
    Mistake(
        "an axis twice", "ssop.xla.rev(x, [0, 0])", "np.flip(x, (0, 0))", "tf.reverse(t, [0, 0])", "lax.rev(j, [0, 0])"
    ),
    Mistake(
        "axes that are not a permutation",
        "ssop.xla.transpose(x, [0, 0])",
        "x.transpose(0, 0)",
        "tf.transpose(t, [0, 0])",
        "lax.transpose(j, [0, 0])",
    ),
    Mistake(
        "shapes that do not join",
        "ssop.xla.concatenate([x, np.zeros((2, 3), int)], 0)",
        "np.concatenate([x, np.zeros((2, 3), int)], 0)",
        "tf.concat([t, np.zeros((2, 3), int)], 0)",
        "lax.concatenate([j, jnp.zeros((2, 3), int)], 0)",
    ),
    Mistake(
        "nothing to join",
        "ssop.xla.concatenate([], 0)",
        "np.concatenate([], 0)",
        "tf.concat([], 0)",
        "lax.concatenate([], 0)",
    ),
    Mistake(
        "a shape of another size",
        "ssop.xla.reshape(x, [5, 5])",
        "x.reshape(5, 5)",
        "tf.reshape(t, [5, 5])",
        "lax.reshape(j, [5, 5])",
    ),
    Mistake(
        "a shape that does not broadcast",
        "ssop.xla.broadcast_in_dim(x, [3, 5], [0, 1])",
        "np.broadcast_to(x, (3, 5))",
        "tf.broadcast_to(t, [3, 5])",
        "lax.broadcast_in_dim(j, (3, 5), (0, 1))",
    ),
    Mistake(
        "operands of different shapes",
        "ssop.xla.select(np.zeros((3, 3), bool), x, x)",
        "np.where(np.zeros((3, 3), bool), x, x)",
        "tf.where(np.zeros((3, 3), bool), t, t)",
        "lax.select(jnp.zeros((3, 3), bool), j, j)",
    ),
    Mistake(
        "a predicate that is not bool",
        "ssop.xla.select(x, x, x)",
        "",
        "raw.SelectV2(condition=t, t=t, e=t)",
        "lax.select(j, j, j)",
    ),
]


class Page(NamedTuple):
    title: str
    about: str
    mistakes: list[Mistake]


PAGES = {
    "indices": Page(
        "Indices and strides", "Strides, indices, ellipses and entries that the array's axes do not allow.", INDICES
    ),
    "arguments": Page(
        "Vectors and masks",
        "Arguments of a strided slice that have a wrong type, length or number of axes.",
        ARGUMENTS,
    ),
    "results": Page(
        "Outputs, updates and gradients",
        "Arrays that a call writes, and values that do not fit them.",
        [*OUT, *UPDATES],
    ),
    "windows": Page(
        "XLA's windows", "Starts, limits and sizes of `Slice`, `DynamicSlice` and `DynamicUpdateSlice`.", WINDOWS
    ),
    "operations": Page(
        "XLA's other operations", "Arguments of `Pad`, `Rev`, `Concatenate`, `Reshape` and others.", XLA
    ),
}
NAMES_ON_PAGES = """\
`x` is `np.arange(12).reshape(3, 4)`. `t`, `v` and `j` have the same elements: a tensor and a variable of TensorFlow,
and an array of JAX."""
FOLDER = Path(__file__).parents[1] / "docs" / "error_messages"


def answer(expression: str) -> str:
    """What a library says, on one line."""
    if not expression:
        return "-"
    try:
        with contextlib.redirect_stderr(None):
            result = eval(expression, dict(NAMES))
    except Exception as error:
        text = re.sub(r"\s+", " ", NOISE.sub("", str(error))).strip()
        text = text if len(text) <= LONGEST else text[:LONGEST] + " ..."
        return f"{type(error).__name__}: {text}".replace("__", r"\_\_")  # which Markdown reads as bold type
    shape = tuple(getattr(result, "shape", ()))
    return f"no error: a result of shape {shape}"


def page(page: Page) -> str:
    lines = [f"# {page.title}", "", page.about, NAMES_ON_PAGES]
    for mistake in page.mistakes:
        lines += ["", f"## {mistake.what[0].upper()}{mistake.what[1:]}", ""]
        for library, expression in zip(LIBRARIES, mistake[1:], strict=True):
            if expression:
                lines += [f"- {library}: `{expression}`", f"  > {answer(expression)}"]
    return "\n".join([*lines, ""])


def index() -> str:
    versions = f"NumPy {np.__version__}, TensorFlow {tf.__version__} and JAX {jax.__version__}"
    count = sum(len(page.mistakes) for page in PAGES.values())
    example = answer(INDICES[1].ssop)
    return f"""# Error messages

An error message of ssop says which argument is wrong, where, and what is allowed. It ends with the label of the rule:

- `{INDICES[1].ssop}`
  > {example}

[Error classes](reference/errors.md) has the attributes of an error, such as its axis, entry and label.

These pages compare what ssop {ssop.__version__}, {versions} say to {count} mistakes.
A message is cut after {LONGEST} characters.

{chr(10).join(f"- [{page.title}](error_messages/{name}.md): {page.about}" for name, page in PAGES.items())}

`python tools/mistakes.py` makes these pages.

```{{toctree}}
:hidden:

{chr(10).join(f"error_messages/{name}" for name in PAGES)}
```
"""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, content in PAGES.items():
        (FOLDER / f"{name}.md").write_text(page(content), encoding="utf-8")
    FOLDER.with_suffix(".md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
