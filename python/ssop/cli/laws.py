"""`ssop convert --laws` and `--law`: the laws of operations that move data, and the proof of one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import ssop

if TYPE_CHECKING:
    from ssop._convert.laws import Law, Laws


def show_laws(name: str | None) -> int:
    """Print all laws, or one with an example and its proof. Raise ValueError for a name that no law has."""
    laws = ssop.convert.laws
    if name is None:
        if sys.stdout.isatty():
            _print_table(laws)
        else:
            print(laws)
        return 0
    if name not in laws:
        raise ValueError(f"--law: no law is called {name!r}; --laws lists them")
    print(laws[name], _example(laws[name]), sep="\n")
    try:
        print("", laws[name].prove(), sep="\n")
    except ImportError as error:
        raise ValueError(str(error)) from None
    return 0


def _example(law: Law) -> str:
    numbers = law.example()
    left, right = law.run(**numbers)
    given = ", ".join(f"{name} = {value}" for name, value in numbers.items())
    if isinstance(right, ssop.SliceError):
        return f"  with {given}: {left.tolist()}, and an error: {right}"
    return f"  with {given}: {left.tolist()} and {right.tolist()}"


def _print_table(laws: Laws) -> None:
    """A table as wide as the terminal, by rich."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for heading, whole in (("law", True), ("", True), ("left", False), ("right", False)):
        table.add_column(heading, no_wrap=whole, overflow="fold")
    for law in laws.values():
        table.add_row(law.name, law.status, *(text.replace("[", "\\[") for text in (law.left, law.right)))
    Console().print(table)
