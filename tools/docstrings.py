"""Makes a C header with the docstrings and signatures of ssop._core out of its stubs, where they are written.

    python tools/docstrings.py OUT.h python/ssop/_core*.pyi

For each function f there is a macro DOC_f; for each class C and each of its members m there are DOC_C and DOC_C_m. They
begin with the signature without the name, in the form that `inspect` reads. The build calls `write_header`.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from objects import write_changed

HEADER = "/* Docstrings of ssop._core, made by tools/docstrings.py out of the stubs. */\n"


def text_signature(function: ast.FunctionDef, first: str) -> str:
    """The parameters as `inspect` reads them from a C function, whose first one is the module or the instance."""
    arguments = function.args
    named = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(named) - len(arguments.defaults)) + arguments.defaults
    positional = [_parameter(a, d) for a, d in zip(named, defaults, strict=True)]
    bound = 0 if first == "$module" else 1
    only = len(arguments.posonlyargs)
    parameters = [first, *positional[bound:only], "/", *positional[max(only, bound) :]]
    if arguments.kwonlyargs:
        parameters.append("*")
        parameters += [_parameter(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return f"({', '.join(parameters)})"


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return argument.arg if default is None else f"{argument.arg}={ast.unparse(default)}"


def _docstrings(stub: ast.Module) -> Iterator[tuple[str, str]]:
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, text_signature(node, "$module") + "\n--\n\n" + (ast.get_docstring(node) or "")
        elif isinstance(node, ast.ClassDef) and ast.get_docstring(node):
            yield from _members(node)


def _is_property(method: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "property" for each in method.decorator_list)


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    made = methods.get("__new__")  # a class that has none is not made by calls
    signature = text_signature(made, "$cls").replace("$cls, /, ", "") + "\n--\n\n" if made else ""
    yield node.name, signature + ast.get_docstring(node)
    for name, method in methods.items():
        if ast.get_docstring(method):
            prefix = "" if _is_property(method) else text_signature(method, "$self") + "\n--\n\n"
            yield f"{node.name}_{name}", prefix + ast.get_docstring(method)


def _literal(text: str) -> str:
    lines = text.replace("\\", "\\\\").replace('"', '\\"').splitlines(keepends=True)
    return " \\\n".join('    "' + line.replace("\n", "\\n") + '"' for line in lines)


def write_header(path: Path, stubs: list[Path]) -> None:
    """Write the header."""
    found: dict[str, str] = {}
    for stub in stubs:
        for name, text in _docstrings(ast.parse(stub.read_text(encoding="utf-8"))):
            if not found.setdefault(name, text).startswith(text):
                raise SystemExit(f"{stub}: overloads of {name} have other parameters than the first, or a docstring")
    macros = (f"\n#define DOC_{name} \\\n{_literal(text)}\n" for name, text in found.items())
    write_changed(path, HEADER + "".join(macros))


if __name__ == "__main__":
    write_header(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
