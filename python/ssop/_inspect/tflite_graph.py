"""The tables of a TFLite file, read with the schema of the `tflite` package.

The package does not verify a file. Python raises an error for each place outside of the buffer. The number and the
length of lists are bounded here: several lists may stand in the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ssop._convert.errors import optional_module
from ssop._inspect.folding import Unknown, Value, array_of, is_small, unknown_array
from ssop._inspect.limits import MAX_INTEGERS, MAX_OPERATORS, MAX_RANK, Damaged, text
from ssop._inspect.records import NEGATIVE_DIM, Dim

MAX_ENTRIES = 8_000_000
"""Entries of all lists, and characters of all names, that are read from one file."""
MAX_SUBGRAPHS = 10_000
DAMAGED = "damaged constant"
MAX_TENSORS = 1 << 22
MAX_OPERANDS = 4_096
INTEGERS = {"int8": "<i1", "uint8": "<u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4"} | {
    "int64": "<i8",
    "uint64": "<u8",
}


def schema(name: str) -> Any:
    """The class of this name, which stands in the module of the same name."""
    return getattr(optional_module(f"tflite.{name}", "a model of TFLite"), name)


def names_of(enumeration: str) -> dict[int, str]:
    """The names of the values of an enumeration of the schema."""
    return {value: name for name, value in vars(schema(enumeration)).items() if isinstance(value, int)}


class Tensor(NamedTuple):
    """What a file says of a tensor."""

    name: str
    dims: tuple[Dim, ...] | None
    dtype: str
    buffer: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Operator:
    """An operator of a subgraph."""

    name: str
    table: Any
    inputs: Sequence[int]
    outputs: Sequence[int]


class Tables:
    """A file, and how much of it may still be read."""

    def __init__(self, content: memoryview) -> None:
        if bytes(content[4:8]) != b"TFL3":
            raise Damaged("it is no model of TFLite: its bytes 4 to 7 are not TFL3")
        self.content = content
        self.model = schema("Model").GetRootAs(content, 0)
        self.left = MAX_ENTRIES
        self.operators = 0
        self.types = {number: name.lower() for number, name in names_of("TensorType").items()}
        builtin = names_of("BuiltinOperator")
        self.codes: list[str] = []
        for number in range(self.count(self.model, "OperatorCodes", MAX_OPERANDS)):
            value = self.model.OperatorCodes(number).BuiltinCode()
            self.codes.append(builtin.get(value, f"operator {value}"))

    def spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise Damaged(f"its lists have more than {MAX_ENTRIES} entries")

    def count(self, table: Any, name: str, most: int) -> int:
        """The length of a list, which has four bytes or more for each entry."""
        found: int = getattr(table, f"{name}Length")()
        if found > most or found * 4 > len(self.content):
            raise Damaged(f"a list of {found} {name} is longer than the file, or than {most}")
        return found

    def listed(self, table: Any, name: str, most: int = MAX_OPERANDS) -> list[int]:
        """A list of integers."""
        length = self.count(table, name, most)
        self.spend(length + 1)
        return getattr(table, f"{name}AsNumpy")().tolist() if length else []

    def text(self, value: bytes | None) -> str:
        self.spend(len(value or b""))
        return text(value or b"")

    def options(self, operator: Any, name: str, union: str = "BuiltinOptions") -> Any:
        """The options of an operator; None if it has none, or those of another one."""
        table = getattr(operator, union)()
        if table is None or getattr(operator, f"{union}Type")() != getattr(schema(union), f"{name}Options"):
            return None
        found = schema(f"{name}Options")()
        found.Init(table.Bytes, table.Pos)
        return found

    def data(self, buffer: int, most: int) -> bytes | None:
        """The bytes of a buffer, wherever they stand in the file; None without any, or for more than that."""
        if not 0 <= buffer < self.count(self.model, "Buffers", MAX_TENSORS):
            return None
        table = self.model.Buffers(buffer)
        if table is None:
            return None
        first, length = table.Offset(), table.Size()
        if first > 1:  # behind the tables, in files of more than 2 GB
            if first + length > len(self.content):
                raise Damaged(f"buffer {buffer} ends at byte {first + length}, behind the end of the file")
            return bytes(self.content[first : first + length]) if length <= most else None
        length = table.DataLength()
        return table.DataAsNumpy().tobytes() if 0 < length <= most else None


class Graph:
    """A subgraph: its tensors, and which operator makes each."""

    def __init__(self, tables: Tables, number: int) -> None:
        self.tables = tables
        self.table = tables.model.Subgraphs(number)
        name = tables.text(self.table.Name())
        self.path = "main" if number == 0 else f"subgraph {number}" + (f" ({name})" if name else "")
        self.tensors = tables.count(self.table, "Tensors", MAX_TENSORS)
        self.inputs = set(tables.listed(self.table, "Inputs", MAX_TENSORS))
        self.operators = tables.count(self.table, "Operators", MAX_OPERATORS)
        tables.operators += self.operators
        if tables.operators > MAX_OPERATORS:
            raise Damaged(f"it has more than {MAX_OPERATORS} operators")
        self.producers: dict[int, int] = {}
        self._tensors: dict[int, Tensor] = {}

    def operator(self, number: int) -> Operator:
        table = self.table.Operators(number)
        code = table.OpcodeIndex()
        if code >= len(self.tables.codes):
            raise Damaged(f"operator {number} of {self.path} has code {code} of {len(self.tables.codes)}")
        inputs, outputs = (self.tables.listed(table, name) for name in ("Inputs", "Outputs"))
        return Operator(self.tables.codes[code], table, inputs, outputs)

    def tensor(self, number: int) -> Tensor:
        """A tensor by its number."""
        found = self._tensors.get(number)
        if found is None:
            if not 0 <= number < self.tensors:
                raise Damaged(f"{self.path} has no tensor {number}: it has {self.tensors}")
            found = self._tensors[number] = self._read_tensor(self.table.Tensors(number))
        return found

    def _read_tensor(self, table: Any) -> Tensor:
        tables = self.tables
        kind = table.Type()
        stored, signature = (tables.listed(table, name, MAX_RANK) for name in ("Shape", "ShapeSignature"))
        name = tables.text(table.Name())
        notes: tuple[str, ...] = ()
        dims: tuple[Dim, ...] | None = tuple(stored)
        if signature and len(signature) == len(stored):
            dims = tuple(None if dim < 0 else dim for dim in signature)
            if list(dims) != stored:
                shown = ", ".join("?" if dim is None else str(dim) for dim in dims)
                notes = (f"{name!r} is stored with shape {stored}; by its signature it is [{shown}]",)
        elif not stored and not table.HasRank() and not self.tables.data(table.Buffer(), 64):
            dims = None  # a scalar that is not constant looks the same as a tensor of unknown rank
        if dims is not None and any(isinstance(dim, int) and dim < 0 for dim in dims):
            notes += (NEGATIVE_DIM,)
            dims = tuple(None if isinstance(dim, int) and dim < 0 else dim for dim in dims)
        return Tensor(name, dims, tables.types.get(kind, f"type {kind}"), table.Buffer(), notes)

    def constant(self, number: int) -> Value | None:
        """The integers of a small constant; None if the tensor is no constant of the file."""
        tensor = self.tensor(number)
        if tensor.dtype not in INTEGERS or tensor.dims is None:
            return None
        dtype = np.dtype(INTEGERS[tensor.dtype])
        dims = [dim for dim in tensor.dims if isinstance(dim, int)]
        if len(dims) != len(tensor.dims) or len(dims) > 8 or not is_small(dims, MAX_INTEGERS):
            return None
        raw = self.tables.data(tensor.buffer, MAX_INTEGERS * 8)
        if raw is None and prod(dims) == 0 and number not in self.inputs and number not in self.producers:
            raw = b""
        if raw is None:
            return None
        self.tables.spend(prod(dims))
        if len(raw) != prod(dims) * dtype.itemsize:
            return Unknown((DAMAGED,))
        return array_of(np.frombuffer(raw, dtype).tolist(), dims)

    def unknown(self, number: int, chain: tuple[str, ...]) -> Value:
        """A tensor that is computed at run time: how many integers it has may be known."""
        tensor = self.tensor(number)
        few = tensor.dims is not None and len(tensor.dims) < 2 and all(isinstance(dim, int) for dim in tensor.dims)
        if tensor.dtype not in INTEGERS or not few or prod(tensor.dims or ()) > MAX_INTEGERS:  # type: ignore[arg-type]
            return Unknown(chain)
        self.tables.spend(prod(tensor.dims or ()))  # type: ignore[arg-type]
        return unknown_array(tensor.dims, chain)
