"""Words of the command line into indices and integers. Nothing is ever evaluated."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

LONGEST = 10_000
"""More characters than any index of 31 entries has; a bound on the work and the nesting that Python's parser meets."""

WORDS = {"None": None, "newaxis": None, "np.newaxis": None, "numpy.newaxis": None, "...": ..., "Ellipsis": ...}


def parse_index(text: str, *, names: bool = False) -> tuple[Any, ...]:
    """Return the NumPy index that `text` writes, with or without brackets; the inverse of `ssop._display.index_text`.

    Integers, slices of them, `None` (or `newaxis`) and `...` (or `Ellipsis`) are allowed; ValueError for anything else.
    With `names`, bounds may be those of run-time values, as in `parse_number`.

    >>> parse_index("[1, 2:4, None, ..., :-3:-1, :]")
    (1, slice(2, 4, None), None, Ellipsis, slice(None, -3, -1), slice(None, None, None))
    >>> parse_index("0x10"), parse_index("[()]")
    ((16,), ())
    >>> parse_index("[i, j-1:]", names=True)
    ('i', slice('j - 1', None, None))
    """
    shown = f"index {text!r}" if len(text) <= 100 else f"index {text[:100]!r}..."
    if len(text) > LONGEST:
        raise ValueError(f"{shown} is longer than {LONGEST} characters")
    source = f"x[{_unbracketed(text) or '()'}]"
    try:
        with warnings.catch_warnings():  # Python's parser has opinions about literals such as "\d"
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # whatever Python's parser cannot read
        raise ValueError(f"{shown} is not an index like [1, 2:4, None, ..., :-3:-1, :]") from None
    if not (isinstance(tree, ast.Subscript) and isinstance(tree.value, ast.Name)):  # as "0][1" and "0] + [1" would be
        raise ValueError(f"{shown} has unbalanced brackets")
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    try:
        return tuple(_item(source, node, names) for node in items)
    except ValueError as error:
        raise ValueError(f"{shown} {error}") from None


def parse_integers(text: str) -> list[int]:
    """Return the integers that `text` lists, separated by commas; ValueError for anything else.

    >>> parse_integers("0, -1,0x10"), parse_integers("")
    ([0, -1, 16], [])
    """
    return [parse_integer(word) for word in _words(text)]


def parse_numbers(text: str) -> list[int | str]:
    """Return the integers and the run-time values that `text` lists; ValueError for anything else.

    >>> parse_numbers("0, i+4")
    [0, 'i + 4']
    """
    return [parse_number(word) for word in _words(text)]


def _words(text: str) -> list[str]:
    inner = _unbracketed(text)
    return inner.split(",") if inner else []


RUN_TIME = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:([+-])\s*(\d{1,19}))?\s*", re.ASCII)


def parse_number(text: str) -> int | str:
    """Return an integer, or a name that stands for a run-time value, and perhaps a number that is added to it.

    >>> parse_number("0x10"), parse_number("i"), parse_number("i-1")
    (16, 'i', 'i - 1')
    """
    found = RUN_TIME.fullmatch(text)
    if found is not None:
        name, sign, number = found.groups()
        return f"{name} {sign} {int(number)}" if sign else name
    try:
        return parse_integer(text)
    except ValueError:
        message = f"{text.strip()!r} is neither an integer, nor a name and a number such as i+4"
        raise ValueError(message) from None


def _dim_words(text: str) -> list[str]:
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1].strip()
        inner = inner.removesuffix(",")
    inner = _unbracketed(inner)
    return [word.strip() for word in inner.split(",")] if inner else []


def parse_dims(text: str) -> list[Any]:
    """Return the dims that `text` lists, also as a tuple: numbers, names, intervals; `?` and `None` are not known.

    >>> parse_dims("3,4"), parse_dims("(3,)"), parse_dims("[?, 6, None]"), parse_dims("()")
    ([3, 4], [3], [None, 6, None], [])
    >>> parse_dims("8, ?, H, 3.., 2..9")
    [8, None, 'H', (3, None), (2, 9)]
    """
    return [dim if dim.isidentifier() and dim != "None" else _interval(dim) for dim in _dim_words(text)]


def _interval(word: str) -> Any:
    least, dots, most = word.partition("..")
    if dots:
        return parse_integer(least or "0"), parse_integer(most) if most else None
    return None if word in ("?", "None") else parse_integer(word)


def parse_integer(text: str) -> int:
    """Return the integer that `text` writes in decimal, 0b, 0o or 0x; ValueError for anything else.

    >>> parse_integer("0b1010"), parse_integer("-1")
    (10, -1)
    """
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError(f"{text.strip()!r} is not an integer like 10, 0b1010 or 0xa") from None


def bounded_integer(option: str, text: str, low: int, high: int) -> int:
    """Return the integer that an option has, low..high; ValueError, which names the option, for anything else.

    >>> bounded_integer("--rounds", "7", 1, 1000)
    7
    """
    try:
        value = parse_integer(text)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None
    if not low <= value <= high:
        raise ValueError(f"{option}: {value} is not in {low}..{high}")
    return value


def _unbracketed(text: str) -> str:
    text = text.strip()
    return text[1:-1].strip() if text.startswith("[") and text.endswith("]") else text


def _item(source: str, node: ast.expr, names: bool) -> Any:
    if isinstance(node, ast.Slice):
        parts = node.lower, node.upper, node.step
        return slice(*(None if part is None else _bound(source, part, names) for part in parts))
    word = ast.get_source_segment(source, node)
    return WORDS[word] if word in WORDS else _bound(source, node, names)


def _bound(source: str, node: ast.expr, names: bool) -> int | str | None:
    """Return an integer or None, or with `names` the text of a run-time value."""
    if isinstance(node, ast.Constant) and (node.value is None or type(node.value) is int):  # a bool is an int, too
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        if type(node.operand.value) is int:
            return -node.operand.value
    wrong = ast.get_source_segment(source, node) or ""
    if names and RUN_TIME.fullmatch(wrong):
        return parse_number(wrong)
    raise ValueError(f"holds {wrong[:100]}, which is no integer, slice, None or ...")
