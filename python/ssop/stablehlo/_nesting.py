"""How deep the text of a program is nested, told before MLIR reads it: its parser recurses, and may end the process.

A process of its own would survive that, but takes much longer than it takes to parse a small program.
"""

from __future__ import annotations

import re

MAX_DEPTH = 512
"""MLIR's parser uses at most 2.7 kB of the stack for a bracket, so these take a sixth of the usual 8 MB."""

MAX_SIZE = 1 << 20
"""Aliases of an alias that is written out, as types are in messages: each may have the one before it twice."""

MAX_OPERATORS = 4_096
"""Operators of one affine expression without brackets, which is a tree as deep as it is long."""

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*("?)')
"""A string; one that no quote ends is matched, too, so that each character is looked at once."""
_ARROW = re.compile(r"->|>=|-(?=[0-9])")
_COMMENT = re.compile(r"//[^\n]*")
_ALIAS = re.compile(r"(?<![\w.$])[#!][A-Za-z_][\w.$-]*(?:\s*=(?!=))?")
_TOKEN = re.compile(rf"[<({{\[]|[>)}}\]]|-|{_COMMENT.pattern}|{_ALIAS.pattern}")
_CODE = re.compile(r'(?<![\w.$@#!])(?:builtin\.module|module|func\.func)\b|%|""\s*$')
"""What is no part of the value of an alias, if it stands outside of brackets."""
_OPERATOR = re.compile(r"[-+*](?![0-9])|\bmod\b|\bfloordiv\b|\bceildiv\b")
_BRACKET = re.compile(r"[<>(){}\[\]]")


def with_newlines(text: str) -> str:
    """The text with one character for the end of a line: a lone "\\r" ends a comment to MLIR, but no string."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_too_deep(text: str) -> int | None:
    """The line at which a text is nested deeper than `MAX_DEPTH`, or an alias larger than `MAX_SIZE`; or None.

    >>> line_too_deep("module {}"), line_too_deep("module {\\n" + "(" * 600)
    (None, 2)
    """
    text = _STRING.sub(lambda string: '""' if string[1] else string[0], with_newlines(text))
    text = _ARROW.sub(" ", text)
    place = _place_too_deep(text)
    if place is None and len(text) > MAX_OPERATORS:
        place = _place_too_long(text)
    return None if place is None else text.count("\n", 0, place) + 1


class _Alias:
    """What aliases that are defined at one place stand for: how deep that is nested, and how many aliases it has."""

    __slots__ = ("depth", "size")

    def __init__(self) -> None:
        self.depth, self.size = 0, 1


def _place_too_deep(text: str) -> int | None:
    """Where brackets, signs and aliases that contain aliases are nested too deeply, in at least MLIR's reading."""
    brackets = angles = signs = end = 0
    aliases: dict[str, _Alias] = {}
    defined, last, in_value = "", _Alias(), False  # the alias that was defined last: what follows may be its value
    for found in _TOKEN.finditer(text):
        token = found[0]
        inside = size = 0
        in_value = in_value and (brackets > 0 or not _CODE.search(text, end, found.start()))
        end = found.end()
        if token in "<({[":
            brackets += 1
            angles += token == "<"
        elif token in ">)}]":
            brackets -= brackets > 0
            angles -= token == ">" and angles > 0
            signs = 0
            continue
        elif token == "-":
            signs += 1
        elif token[0] == "/":
            # Within < >, an attribute of an unknown dialect may have // as text: its brackets count as open ones.
            brackets += len(_BRACKET.findall(token)) if angles else 0
        else:
            name = token.rstrip("= \t\r\n")
            if token[-1] == "=" and not brackets:
                defined, last, in_value = name, _Alias(), True
                aliases[name] = last
            elif name != defined:
                used = aliases.get(name) or _Alias()
                inside, size = used.depth, used.size
                if token[-1] == "=":  # a definition behind brackets that count as open ones, or a part of some text
                    aliases[name] = last
        depth = brackets + signs + inside
        last.depth = max(last.depth, depth + 1)
        last.size += size if in_value else 0
        if depth > MAX_DEPTH or last.size > MAX_SIZE:
            return found.start()
    return None


def _place_too_long(text: str) -> int | None:
    """Where an expression without brackets has too many operators."""
    place = 0
    for part in _BRACKET.split(text):
        if len(part) > 2 * MAX_OPERATORS and len(_OPERATOR.findall(part)) > MAX_OPERATORS:
            return place
        place += len(part) + 1
    return None
