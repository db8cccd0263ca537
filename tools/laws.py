"""Writes docs/reference/laws.md and docs/laws: the laws of `ssop.convert.laws` as tables.

    python tools/laws.py [--check]

With --check it writes nothing, and exits with 1 if a page is not current.
"""

import sys
from pathlib import Path

import ssop
from ssop._convert.laws import Law

DOCS = Path(__file__).parents[1] / "docs"

HEAD = """# Laws of operations that move data

A compiler may write `slice(slice(x, a, b), c, d)` as `slice(x, a + c, a + d)`: this is a law of two terms.
`ssop.convert.laws` has {count} of them by name. Each is proved for all dims and starts at once, and run with small
ones in the tests. {false} are **false** in products that apply them; each has numbers that show it.

```python
>>> import ssop
>>> law = ssop.convert.laws["dynamic-slice-merge-late-clamp"]
>>> print(law)
{example}
>>> law.run(**law.counterexample)
(array([6]), array([9]))
>>> law.check(N=10, s=4, t=1, a=2, b=3)
True

```

A law *holds* if its sides have equal shapes and elements whenever the left side is no error. A *conditional* law
needs its precondition. The precondition is the weakest one, unless "at least if" stands before it. Then the sides may
be equal in other cases too, and `Law.prove` gives all of them.

```python
>>> print(ssop.convert.laws["slice-of-concatenate-left"].prove().cases[0].equal)
[N, P, a, b] -> {{  : b <= N }}

```

- Functions are those of `jax.lax`. Brackets, as in `x[a:b:k]`, are a NumPy index. A list with one item is written
  without brackets, and strides and interior padding only if they are not 1 and 0.
- Starts of `dynamic_slice` and `dynamic_update_slice` are clamped, as XLA does. `jax.lax` adds the dim to a negative
  start first, unless `allow_negative_indices` is false. Bounds of `slice` outside the axis are errors.
- `N`, `P`, `Q` are the dims of `x`, `y`, `z`, `U` and `W` those of updates, and `v` is a scalar. Other letters are
  any integers.
- A proof needs constants for strides and interior padding. `Law.steps` has the values for which there is one; the
  tables show them as sets.
- Integers have any size in a proof. In a program, sums of starts must fit their type.
- "(read)" stands where the source of a product was read in August 2026, and nothing was run. Sources are rules of
  [TensorRight](https://github.com/ADAPT-uiuc/TensorRight) (POPL 2025) by file and number; laws without a source are
  ours.

`ssop convert --laws` lists the laws, and `ssop convert --law NAME` shows one with its proof. Proofs need islpy: `pip
install islpy`.

```{{toctree}}
../laws/conditional
../laws/holding
```

```{{eval-rst}}
.. autoclass:: ssop.convert.Law
   :members: run, check, example, prove
```
"""
STATUSES = {
    "false": ("Laws that are false as products apply them", "| law | equal | not equal with | applied by |"),
    "conditional": ("Laws with a precondition", "| law | equal | proved for | source |"),
    "holds": ("Laws that hold", "| law | proved for | source |"),
}


def row(law: Law) -> str:
    terms = f"`{law.left} = {law.right}`"
    where = "" if law.where == "always" else f" where `{law.where}`"
    equal = f"{'if' if law.weakest else 'at least if'} `{law.precondition}`"
    steps = ", ".join(f"{name} in {{{', '.join(map(str, values))}}}" for name, values in law.steps.items())
    last = (steps, law.source)
    if law.counterexample is not None:
        last = (", ".join(f"{name} = {value}" for name, value in law.counterexample.items()), law.applied_by)
    cells = [f"{law.name}<br>{terms}{where}", *([] if law.holds else [equal]), *last]
    return f"| {' | '.join(cells)} |"


def table(status: str) -> str:
    """The heading and the laws of a status."""
    heading, columns = STATUSES[status]
    laws = [row(law) for law in ssop.convert.laws.values() if law.status == status]
    return "\n".join([f"# {heading}", "", columns, "| --- " * (columns.count("|") - 1) + "|", *laws, ""])


def pages() -> dict[str, str]:
    """Path in docs/ -> text."""
    laws = ssop.convert.laws
    false = sum(law.status == "false" for law in laws.values())
    head = HEAD.format(count=len(laws), false=false, example=laws["dynamic-slice-merge-late-clamp"])
    return {
        "reference/laws.md": f"{head}\n#{table('false')}",
        "laws/conditional.md": table("conditional"),
        "laws/holding.md": table("holds"),
    }


def main(check: bool, docs: Path = DOCS) -> int:
    texts = {docs / name: text for name, text in pages().items()}
    if check:
        return int(any(not path.exists() or path.read_text(encoding="utf-8") != text for path, text in texts.items()))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
