"""Slices of TFLite's and TensorFlow's dialects of MLIR, which no parser here knows: operations in generic form."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from ssop._inspect.records import Argument, NodeCall, RunTime
from ssop._masks import MASK_NAMES

Reading: TypeAlias = Any
"""The class of stablehlo_nodes.py, which needs this file."""
Calls = tuple[NodeCall, ...]

CONSTANTS = ("arith.constant", "tfl.pseudo_const", "tf.Const")
"""Operations with an attribute `value`, as stablehlo.constant has one."""

FORMATS = {"tflite": "tflite", "tf": "tensorflow"}
"""The format of a program, by the framework of its calls; that of all others is StableHLO."""

_PROPERTIES = re.compile(r'("tfl?\.[\w.]+"\([^()\n]*\)[ \t]*)<\{((?:(?!<\{)[^\n])*?)\}>([ \t]*\{(?=[^}\n]))?')


def with_attributes(text: str) -> str:
    """A text whose operations of these dialects have attributes in place of properties, which only their dialect knows.

    >>> with_attributes('"tfl.slice"(%0) <{a = 1 : i32}> {b = 2 : i32}')
    '"tfl.slice"(%0) {a = 1 : i32, b = 2 : i32}'
    """
    return _PROPERTIES.sub(lambda found: f"{found[1]}{{{found[2]}" + (", " if found[3] else "}"), text)


def _integer(reading: Reading, name: str) -> int:
    found = reading.attribute(name)
    if found is None:
        return 0
    if not hasattr(found, "value"):
        raise ValueError(f"{name} is no integer")
    return int(found.value)


def _strided(function: str) -> Callable[[Reading], Calls]:
    def calls(reading: Reading) -> Calls:
        vectors = {name: reading.operand(number) for number, name in enumerate(("begin", "end", "strides"), 1)}
        masks = {name: _integer(reading, name) for name in MASK_NAMES}
        offset: dict[str, Argument] = {"offset": True} if _integer(reading, "offset") else {}
        return (NodeCall(function, {**vectors, **masks, **offset}),)

    return calls


def _vectors(function: str, *names: str) -> Callable[[Reading], Calls]:
    def calls(reading: Reading) -> Calls:
        return (NodeCall(function, {name: reading.operand(number) for number, name in enumerate(names, 1)}),)

    return calls


def _tflite_gather(reading: Reading) -> Calls:
    return (NodeCall("tflite.gather", {"indices": _index(reading), "axis": _integer(reading, "axis")}),)


def _gather(reading: Reading) -> Calls:
    axis: Any = reading.operand(2)
    axis = axis if isinstance(axis, RunTime) else axis[0]
    return (NodeCall("tf.gather_v2", {"indices": _index(reading), "axis": axis}),)


def _index(reading: Reading) -> Any:
    """The indices of a gather; one integer, if they are a scalar."""
    found = reading.operand(1)
    kind = reading.operation.operands[1].type
    return found[0] if isinstance(found, tuple) and getattr(kind, "rank", 1) == 0 else found


READERS: dict[str, Callable[[Reading], Calls]] = {
    "tfl.strided_slice": _strided("tflite.strided_slice"),
    "tfl.slice": _vectors("tflite.slice", "begin", "size"),
    "tfl.reverse_v2": _vectors("tflite.reverse_v2", "axis"),
    "tfl.gather": _tflite_gather,
    "tf.StridedSlice": _strided("tf.strided_slice"),
    "tf.Slice": _vectors("tf.slice", "begin", "size"),
    "tf.ReverseV2": _vectors("tf.reverse_v2", "axis"),
    "tf.GatherV2": _gather,
}
