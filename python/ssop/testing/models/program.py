"""A program that a model is made of: calls of one framework, each on the result of the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import ssop
from ssop._convert.calls import Call, call_from_json
from ssop._convert.values import replaced

Array = np.ndarray[Any, Any]

TAKES = ("onnx", "stablehlo", "tensorflow", "torch", "jax", "calls")
"""What a subject may take: the bytes of an ONNX model, the text of a StableHLO program, the bytes of a GraphDef.
A torch.nn.Module with an operand, a function of JAX with its operands, or `ssop.convert.Call`s themselves."""

DIALECTS = {"onnx": ("onnx",), "stablehlo": ("xla",), "tensorflow": ("tf",), "torch": ("torch",), "jax": ("xla",),
            "calls": ("tf", "onnx", "xla", "torch", "numpy")}  # fmt: skip
"""The frameworks whose calls a kind of source can have."""


@dataclass(frozen=True)
class Program:
    """Calls, what is known of the operand, and the operands that it is run on.

    >>> cut = ssop.convert.Call("onnx.slice", starts=[1], ends=[9])
    >>> program = Program("onnx", (cut,), (None,), shapes=((4,), (2,)))
    >>> [program.right(shape).shape for shape in program.shapes]
    [(3,), (1,)]
    >>> Program.from_json(program.to_json()) == program
    True
    """

    takes: str
    """A word of `TAKES`."""
    calls: tuple[Call, ...]
    dims: tuple[int | None, ...]
    """Of the operand "x"; None: the model does not know it."""
    dtype: str = "float32"
    shapes: tuple[tuple[int, ...], ...] = ()
    """Of the operands that it is run on."""
    values: Mapping[str, int] = field(default_factory=dict)
    """What is known at run time only, by name: scalars of int64 beside the operand."""
    seed: int = 0
    """Of the elements."""

    def operand(self, shape: Sequence[int]) -> Array:
        """Different elements in an order that the seed gives; small dtypes repeat them."""
        size = int(np.prod(shape, dtype=int))
        elements = np.random.default_rng(self.seed).permutation(size) + 1
        return (elements % 2 if self.dtype == "bool" else elements).astype(self.dtype).reshape(tuple(shape))

    def inputs(self, shape: Sequence[int]) -> dict[str, Array]:
        """The operand, and the run-time values by their names."""
        return {"x": self.operand(shape), **{name: np.array(self.values[name], np.int64) for name in self.names}}

    @property
    def names(self) -> list[str]:
        """The names of the run-time values, sorted."""
        return sorted({name for call in self.calls for name in call._names})

    def right(self, shape: Sequence[int]) -> Array:
        """What the calls give by the rules of their framework; `ssop.SliceError` where they are an error."""
        x: Any = self.operand(shape)
        for call in self.calls:
            x = call(x, **{name: self.values[name] for name in call._names})
        return np.ascontiguousarray(x).reshape(np.shape(x))

    def runs_on(self, shape: Sequence[int]) -> bool:
        """Whether the calls are no error on this shape."""
        try:
            self.right(shape)
        except ssop.SliceError:
            return False
        return True

    def with_calls(self, calls: Sequence[Call]) -> Program:
        """The same with other calls."""
        return replace(self, calls=tuple(calls))

    def to_json(self) -> dict[str, Any]:
        """The program as data of JSON."""
        return {
            "takes": self.takes,
            "calls": [call._to_json() for call in self.calls],
            "dims": list(self.dims),
            "dtype": self.dtype,
            "shapes": [list(shape) for shape in self.shapes],
            "values": dict(self.values),
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Program:
        """The program that `to_json` told; ValueError or KeyError for other data."""
        if data["takes"] not in TAKES:
            raise ValueError(f"takes is {data['takes']!r}, not one of {', '.join(TAKES)}")
        return cls(
            data["takes"],
            tuple(call_from_json(call) for call in data["calls"]),
            tuple(data["dims"]),
            data["dtype"],
            tuple(tuple(shape) for shape in data["shapes"]),
            dict(data["values"]),
            data["seed"],
        )

    @property
    def text(self) -> str:
        """The calls as statements in which `y` is the result on `x`."""
        lines, operand = [], "x"
        for call in self.calls:
            lines += call._lines(operand)
            operand = "y"
        return "\n".join(lines) or "y = x"

    def __str__(self) -> str:
        shown = ", ".join("?" if dim is None else str(dim) for dim in self.dims)
        values = "".join(f", {name} = {self.values[name]}" for name in self.names)
        return f"{self.text.replace(chr(10), '; ')}  # x: {self.dtype} ({shown}){values}"

    def __repr__(self) -> str:
        calls = "".join(f"{call_code(call)}, " for call in self.calls).strip()
        words = [repr(self.takes), f"({calls})", repr(self.dims)]
        words += [f"dtype={self.dtype!r}"] * (self.dtype != "float32") + [f"shapes={self.shapes!r}"]
        words += [f"values={dict(self.values)!r}"] * bool(self.values) + [f"seed={self.seed}"] * bool(self.seed)
        return f"Program({', '.join(words)})"

    def __hash__(self) -> int:
        return hash(repr(self))


program_from_json = Program.from_json


def call_code(call: Call) -> str:
    """Python code of a call.

    >>> call_code(Call("torch.index", index=(slice(1, None), None)))
    "Call('torch.index', index=(slice(1, None, None), None))"
    """
    arguments = {name: replaced(value, str) for name, value in call.given.items()}
    return f"Call({call.function!r}{''.join(f', {name}={value!r}' for name, value in arguments.items())})"
