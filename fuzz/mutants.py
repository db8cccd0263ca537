"""Mutants of C sources: each has one small fault, at one place."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

TOKEN = re.compile(
    r"(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b)"
    r"|(?P<name>\b[A-Za-z_]\w*\b)"
    r"|(?P<operator>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!&|^~?:;,.(){}\[\]])",
    re.M | re.S,
)
# What stands instead of an operator between two operands.
INSTEAD = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "%": ("/",),
    "&": ("|",),
    "|": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "+=": ("-=", "="),
    "-=": ("+=", "="),
    "*=": ("+=", "="),
    "|=": ("&=", "="),
    "&=": ("|=", "="),
}
NAMES = {"true": "false", "false": "true", "INT64_MAX": "INT32_MAX", "INT64_MIN": "INT32_MIN", "int64_t": "int32_t"}
# A line that is one statement, which can be left out.
STATEMENT = re.compile(
    r"^[ \t]+(?!return\b|break\b|case\b|default\b|[\w ]+\*?\b\w+(?:\[\w*\])? =)[\w*(][^;{}]*;[ \t]*$", re.M
)
CONDITION = re.compile(r"\b(if|while) \(")


@dataclass(frozen=True)
class Mutant:
    """`key` says what it is, also after the file has changed elsewhere."""

    key: str
    line: int
    start: int
    end: int
    text: str

    def of(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


def replacements(source: str):
    """Triples of start, end and the text instead."""
    tokens = [match for match in TOKEN.finditer(source) if match.lastgroup != "skip"]
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        kind, text = token.lastgroup, token[0]
        if kind == "number":
            yield token.start(), token.end(), f"({text} + 1)"
        elif text in NAMES:
            yield token.start(), token.end(), NAMES[text]
        elif text == "!" and after is not None:
            yield token.start(), token.end(), ""
        elif text == "?":
            yield token.start(), token.end(), "&& 0 ?"
            yield token.start(), token.end(), "|| 1 ?"
        elif text in INSTEAD and is_operand(before):
            for other in INSTEAD[text]:
                yield token.start(), token.end(), other
    for match in STATEMENT.finditer(source):
        yield match.start(), match.end(), ";"
    for match in CONDITION.finditer(source):
        end = closing(source, match.end())
        condition = source[match.end() : end]
        yield match.end(), end, f"0 && ({condition})"
        if match[1] == "if":
            yield match.end(), end, f"1 || ({condition})"


def is_operand(token) -> bool:
    """Whether an operator after this token has an operand on its left."""
    return token is not None and (token.lastgroup in ("number", "name") or token[0] in (")", "]"))


def closing(source: str, start: int) -> int:
    depth = 1
    for at in range(start, len(source)):
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        if depth == 0:
            return at
    raise ValueError("a parenthesis that is not closed")


def mutants_of(source: str) -> list[Mutant]:
    skipped = [match.span() for match in TOKEN.finditer(source) if match.lastgroup == "skip"]
    found, seen = [], Counter()
    for start, end, text in sorted(set(replacements(source))):
        if any(low <= start < high for low, high in skipped):
            continue
        first, last = source.rfind("\n", 0, start) + 1, source.find("\n", end)
        changed = " ".join((source[first:start] + text + source[end:last]).split())
        key = f"{' '.join(source[first:last].split())} => {changed}"
        seen[key] += 1
        key = key if seen[key] == 1 else f"{key} [{seen[key]}]"
        found.append(Mutant(key, source.count("\n", 0, start) + 1, start, end, text))
    return found


def sample_of(mutants: list[Mutant], count: int) -> list[Mutant]:
    """So many of them: the same ones after the file has changed elsewhere, unless new mutants come before them."""
    drawn = sorted(mutants, key=lambda mutant: hashlib.sha256(mutant.key.encode()).digest())[:count]
    return [mutant for mutant in mutants if mutant in drawn]
