"""Sources of the core, preprocessed by the machine's compiler and parsed by pycparser."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pycparser import CParser, c_ast

from proof.c_values import BOOL, INT, ArrayType, FunctionType, Integer, NotSupported, PointerType, StructType

CORE = Path(__file__).resolve().parents[2] / "csrc" / "core"
HEADERS = Path(__file__).resolve().parent / "headers"

INTEGERS = {
    "_Bool": BOOL,
    "char": Integer(8, True, 1),
    "signed char": Integer(8, True, 1),
    "unsigned char": Integer(8, False, 1),
    "short": Integer(16, True, 2),
    "unsigned short": Integer(16, False, 2),
    "int": INT,
    "unsigned int": Integer(32, False, 3),
    "unsigned": Integer(32, False, 3),
    "unsigned long": Integer(64, False, 4),
    "long long": Integer(64, True, 5),
    "unsigned long long": Integer(64, False, 5),
}


@dataclass
class Unit:
    """A source file: its functions, types, constants of enumerations, and data."""

    name: str
    functions: dict[str, c_ast.FuncDef] = field(default_factory=dict)
    types: dict[str, object] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    data: dict[str, c_ast.Decl] = field(default_factory=dict)

    def type_of(self, node: c_ast.Node) -> object:
        if isinstance(node, (c_ast.TypeDecl, c_ast.Typename, c_ast.Decl)):
            return self.type_of(node.type)
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            return None if name == "void" else INTEGERS[name] if name in INTEGERS else self.types[name]
        if isinstance(node, c_ast.Struct):
            return StructType(tuple((item.name, self.type_of(item)) for item in node.decls or ()))
        if isinstance(node, c_ast.Enum):
            self.read_enum(node)
            return INTEGERS["unsigned int"]
        if isinstance(node, c_ast.PtrDecl):
            return FunctionType() if isinstance(node.type, c_ast.FuncDecl) else PointerType(self.type_of(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            return ArrayType(self.type_of(node.type), self.number(node.dim))
        if isinstance(node, c_ast.FuncDecl):
            return FunctionType()
        raise NotSupported(f"type {type(node).__name__}")

    def number(self, node: c_ast.Node) -> int:
        """A constant expression of an enumeration or of an array."""
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.constants[node.name]
        if isinstance(node, c_ast.UnaryOp) and node.op == "-":
            return -self.number(node.expr)
        if isinstance(node, c_ast.BinaryOp) and node.op in OPERATORS:
            return OPERATORS[node.op](self.number(node.left), self.number(node.right))
        raise NotSupported(f"constant {type(node).__name__}")

    def read_enum(self, node: c_ast.Enum) -> None:
        following = 0
        for item in node.values.enumerators if node.values else ():
            following = self.number(item.value) if item.value is not None else following
            self.constants[item.name] = following
            following += 1

    def read(self, tree: c_ast.FileAST) -> None:
        for node in tree.ext:
            if isinstance(node, c_ast.FuncDef):
                self.functions[node.decl.name] = node
            elif isinstance(node, c_ast.Typedef):
                self.types[node.name] = self.type_of(node.type)
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum):
                self.read_enum(node.type)
            elif isinstance(node, c_ast.Decl) and node.init is not None:
                self.data[node.name] = node


OPERATORS = {
    "+": lambda a, b: a + b,
    "|": lambda a, b: a | b,
    "<<": lambda a, b: a << b,
}


@functools.cache
def preprocessed(path: Path, bits: int) -> str:
    """Assertions are in it: a failing one calls __builtin_trap."""
    flags = ["-E", "-P", "-nostdinc", "-I", str(HEADERS), "-DSSOP_DEBUG", f"-DSSOP_BITS={bits}"]
    return subprocess.run(["cc", *flags, str(path)], check=True, capture_output=True, text=True).stdout


@functools.cache
def parse(name: str, text: str) -> Unit:
    unit = Unit(name)
    unit.read(CParser().parse(text, name))
    return unit


def units(names: Iterable[str], bits: int = 64, changed: dict[str, tuple[str, str]] | None = None) -> list[Unit]:
    """The files of these names, with int64_t of so many bits.

    `changed` has for a name a piece of the preprocessed text, and what replaces it.
    """
    found = []
    for name in names:
        text = preprocessed(CORE / f"{name}.c", bits)
        if changed and name in changed:
            old, new = changed[name]
            if text.count(old) != 1:
                raise ValueError(f"{name}.c has {old!r} {text.count(old)} times")
            text = text.replace(old, new)
        found.append(parse(name, text))
    return found
