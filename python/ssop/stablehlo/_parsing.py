"""Programs as jaxlib's MLIR parser reads them, and where in the text an operation stands."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ssop._errors import kind_of, type_error, value_error
from ssop.stablehlo._nesting import MAX_DEPTH, MAX_SIZE, line_too_deep, with_newlines
from ssop_command.interruptions import postponed

OP = "stablehlo.run"

TENSOR = r"tensor<[^<>]*(?:<[^<>]*>[^<>]*)*>"

CHECK = re.compile(
    r"\bcheck\.(?P<name>expect_\w+)\s+(?P<actual>%[\w$.#-]+)\s*,\s*"
    rf"(?:(?P<literal>dense<(?:(?!\bcheck\.).)*?>\s*:\s*(?P<of_literal>{TENSOR}))|(?P<expected>%[\w$.#-]+))"
    r"(?P<limits>(?:\s*,\s*\w+\s*=\s*[-+.\w]+)*)(?:\s*\{(?P<attributes>[^{}]*)\})?"
    rf"(?:\s*:\s*(?P<type>{TENSOR})(?:\s*,\s*{TENSOR})?)?",
    flags=re.S,
)
"""A check in StableHLO's own tests: `check.expect_eq_const %0, dense<1> : tensor<i64>`. jaxlib lacks this dialect."""

LIMIT = re.compile(r"(\w+)\s*=\s*([-+.\w]+)")

MAX_PARTS = 64
"""Parts of a location that are looked at: it may share them, so that its text has no bound."""


class Parser(NamedTuple):
    """What is used of jaxlib."""

    ir: Any
    attributes: Any
    """The module `jaxlib.mlir.dialects.stablehlo`, whose classes read StableHLO's attributes."""
    register: Callable[[Any], None]
    """Makes a context of MLIR know the dialects that programs of JAX have."""


def jaxlib() -> Parser:
    """Return the parser; raise if jaxlib is missing or too old (hlo_c1)."""
    try:
        with postponed():  # an interruption of jaxlib's import can end the process by SIGSEGV
            from jaxlib.mlir import ir
            from jaxlib.mlir._mlir_libs import _jax_mlir_ext
            from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo
    except ImportError as error:
        message = f"needs jaxlib 0.8 or later, whose parser reads the program: pip install 'jaxlib>=0.8' ({error})"
        raise type_error(OP, "hlo_c1", message) from None

    def register(context: Any) -> None:
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        for dialect in (stablehlo, chlo, sdy):
            dialect.register_dialect(context)
        mhlo.register_mhlo_dialect(context)
        context.allow_unregistered_dialects = True  # those of `check`

    return Parser(ir, stablehlo, register)


def parse(program: Any) -> Any:
    """Return the module of a text; a module that jaxlib or JAX made is itself the program (hlo_c2, hlo_c3, hlo_s1)."""
    ir, _, register = jaxlib()
    if isinstance(program, ir.Module):
        return program
    if not isinstance(program, str):
        message = f"the program is {kind_of(program, module=True)}, not a text or a jaxlib.mlir.ir.Module"
        raise type_error(OP, "hlo_c2", message, value=program)
    context = ir.Context()
    register(context)
    try:
        return module_of(program, context)
    except (ir.MLIRError, ValueError) as error:
        raise value_error(OP, "hlo_c3", f"the program cannot be parsed: {told(error)}") from None


def module_of(text: str, context: Any) -> Any:
    """The module of a text: the one place where MLIR parses texts, which its parser's stack can take.

    Raises MLIRError, or a ValueError for a text that is nested too deeply.
    """
    text = with_newlines(text)
    line = line_too_deep(text)
    if line is not None:
        limits = f"it is nested deeper than {MAX_DEPTH}, or an alias has more than {MAX_SIZE} parts"
        raise ValueError(f"line {line}: {limits}")
    return jaxlib().ir.Module.parse(in_generic_form(text).encode(), context)


def in_generic_form(text: str) -> str:
    """Return a text whose operations of the dialect `check` are in the form that every parser knows.

    >>> in_generic_form("check.expect_eq_const %0, dense<1> : tensor<i64>")
    '"check.expect_eq_const"(%0) {value = dense<1> : tensor<i64>} : (tensor<i64>) -> ()'
    """
    if "check." not in text:
        return text

    def generic(found: re.Match[str]) -> str:
        kind = found["type"] or found["of_literal"]
        limits = [f"{name} = {size}{_type_of_limit(name)}" for name, size in LIMIT.findall(found["limits"])]
        attributes = [f"value = {found['literal']}"] if found["literal"] else []
        attributes += [*limits, *filter(None, [(found["attributes"] or "").strip()])]
        operands = [found["actual"], *filter(None, [found["expected"]])]
        types = ", ".join([kind] * len(operands))
        stands = f'"check.{found["name"]}"({", ".join(operands)}) {{{", ".join(attributes)}}} : ({types}) -> ()'
        return stands + "\n" * (found[0].count("\n") - stands.count("\n"))  # so that lines keep their numbers

    return CHECK.sub(generic, text)


def _type_of_limit(name: str) -> str:
    return " : f64" if name == "tolerance" else " : ui64"


def told(error: Any) -> str:
    """The first thing that MLIR says, in one line, with "line 3" for "-":3:5; a bytecode has no lines."""
    words = " ".join(str(error).split())
    words = words.removeprefix("Unable to parse module assembly: ").removeprefix("error: ").replace('"-":0:0: ', "")
    words = re.split(r' (?:error|note): (?="-":\d)| note: in bytecode version', words)[0]
    return re.sub(r'"-":(\d+):(\d+)', r"line \1, column \2", words)


class Source(NamedTuple):
    """What a location says: a file and a line, or a name at least."""

    file: str | None
    line: int | None
    name: str | None


def source_of(location: Any) -> Source:
    """The innermost file and line of a location, and the outermost name."""
    ir = jaxlib().ir
    parts, name = [location], None
    for _ in range(MAX_PARTS):
        if not parts:
            break
        part = parts.pop()
        if isinstance(part, ir.FileLineColLoc):
            file = part.filename.value if hasattr(part.filename, "value") else str(part.filename).strip('"')
            return Source(file, part.start_line, name)
        if isinstance(part, ir.NameLoc):
            name = name or str(part.name_str)
            parts.append(part.child_loc)
        elif isinstance(part, ir.CallSiteLoc):
            parts += [part.caller, part.callee]
        elif isinstance(part, ir.FusedLoc):
            parts += list(part.locations)[:8][::-1]
    return Source(None, None, name)


def line_of(operation: Any) -> int | None:
    """Return the line of the text in which an operation stands; None if it was not read from a text."""
    return source_of(operation.location).line


def place_of(operation: Any) -> str:
    """Return where an operation stands, in words: `line 3`, or `f.py:3` if the text names its own source."""
    file, line, name = source_of(operation.location)
    if line is None:
        return "loc(unknown)" if name is None else f'loc("{name}")'
    return f"line {line}" if file == "-" else f"{file}:{line}"
