"""What a reader finds in a model: its slicing nodes as plain values. No library of a format is needed for these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ssop._core import SliceValueError
from ssop._errors import value_error

OP = "inspect"

NEGATIVE_DIM = "a dim of -1 was read as a dim that is not known"
"""The note that a reader gives a node with such a dim."""

PASTED = "<node>"
"""The path of a model that is one pasted node."""

Dim: TypeAlias = "int | str | tuple[int, int | None] | None"
"""A length, the name of one, an interval (None: without an end), or one that is not known."""


@dataclass(frozen=True)
class RunTime:
    """Integers that are computed when the model runs."""

    tensor: str
    """The name of the tensor that holds them."""
    producer: str
    """The operators that compute it, from the first to the last: "Shape -> Gather -> Sub"; "input" for an input."""
    values: tuple[int | None, ...] | None = None
    """The integers as far as they are known; None if not even their number is."""

    def __str__(self) -> str:
        shown = "?" if self.values is None else str([("?" if value is None else value) for value in self.values])
        return f"{shown.replace(chr(39), '')} from {self.producer}"


Argument: TypeAlias = "tuple[int, ...] | int | str | RunTime | None"


class NodeCall(NamedTuple):
    """One call of a node, by the name of its function in the table of `ssop.convert.Call`, or of one that it lacks.

    The latter are "onnx.gather", "onnx.pad", "onnx.scatter_nd", "tflite.gather", "tflite.pad", ..: named by the format
    and the operator, with the operator's own arguments. They are shown, and compared where their meaning is a slice.
    """

    function: str
    arguments: Mapping[str, Argument]

    @property
    def at_run_time(self) -> list[RunTime]:
        """The arguments that are known at run time only."""
        return [value for value in self.arguments.values() if isinstance(value, RunTime)]


@dataclass(frozen=True)
class SliceNode:
    """A node that slices, updates, reverses or pads, perhaps with the node that drops the axes behind it."""

    name: str
    """Its name in the model; readers give nodes without a name the name of their result."""
    operator: str
    """As the format calls it: "Slice", "STRIDED_SLICE", "stablehlo.slice"; "Slice + Squeeze" for both in one."""
    calls: tuple[NodeCall, ...]
    operand: str
    result: str
    input_shape: tuple[Dim, ...] | None = None
    """None: not even the rank is known."""
    declared_shape: tuple[Dim, ...] | None = None
    """The shape of the result that the file declares."""
    dtype: str | None = None
    graph: str = "main"
    """The graph, subgraph or function that it is in, by its path: "main/If_3.then_branch"."""
    source: str | None = None
    """The line of the program that the model was exported from: "model.py:12"."""
    opset: int | None = None
    index_dtype: str | None = None
    """The dtype of the tensors that hold the bounds: INT32_MAX may mean another end in int32 than in int64."""
    notes: tuple[str, ...] = ()
    """What the reader saw and had to leave out, a sentence each."""


@dataclass(frozen=True)
class Model:
    """The slicing nodes of one model, in the order of the file."""

    path: str
    format: str
    """"onnx", "tflite", "stablehlo", "tensorflow" or "openvino"."""
    version: str
    """The version of the format, and who made the file."""
    nodes: tuple[SliceNode, ...]
    operators: int = 0
    """The number of all operators of the file."""
    notes: tuple[str, ...] = field(default=())
    """What is true of the whole file: no shapes between nodes, external data that was not read, .."""


def names_of(node: SliceNode) -> tuple[str, str, str]:
    """What a node may be called: its name; with its graph before it; the name of its result."""
    return node.name, f"{node.graph}/{node.name}", node.result


def named(nodes: Sequence[SliceNode], name: str) -> list[SliceNode]:
    """The nodes of a name, which is of the first kind of `names_of` that any node has."""
    for kind in range(3):
        found = [node for node in nodes if names_of(node)[kind] == name]
        if found:
            return found
    return []


def unreadable(path: str, reason: str) -> SliceValueError:
    """The error of a file that is no model, or a damaged one; to be raised by the reader (im_c1)."""
    return value_error(OP, "im_c1", f"{path}: {reason}", value=path)
