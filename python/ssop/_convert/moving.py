"""Functions that exchange axes or add elements around and between those of their operand: a row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ssop import xla
from ssop._convert.errors import OP, conversion_error
from ssop._convert.functions import (
    INTEGER,
    REQUIRED,
    VECTOR,
    VECTOR_OR_NONE,
    Arguments,
    Function,
    RankNeeded,
    axis_number,
)
from ssop._convert.program import Entry
from ssop._core import read_integers
from ssop._errors import kind_of, type_error, value_error
from ssop._vectors import items

PAIRS, TRIPLES, WIDTHS, NUMBER = "pairs", "triples", "widths", "number"


class Padding(NamedTuple):
    """What a function of padding adds: one number, around and between the elements of each axis."""

    value: complex
    config: tuple[tuple[int, int, int], ...]
    """For each axis how many before the first element, behind the last, and between two; negative ones crop."""


# ---- arguments -----------------------------------------------------------------------------------------------------


def read_argument(name: str, kind: str, value: Any) -> Any:
    """An argument of a kind that only these functions have."""
    if kind == NUMBER:
        return _number(name, value)
    if kind == WIDTHS and isinstance(value, int | np.integer):
        value = [(value, value)]
    rows = items(OP, name, value)
    if kind == WIDTHS and len(rows) == 2 and all(isinstance(row, int | np.integer) for row in rows):
        rows = [rows]
    width = 3 if kind == TRIPLES else 2
    found = []
    for entry, row in enumerate(rows):
        numbers = tuple(read_integers(OP, name, row))
        if len(numbers) != width:
            message = f"{name}, entry {entry}: {width} integers are needed, not {len(numbers)}"
            raise value_error(OP, "cv_c2", message, entry=entry, value=len(numbers))
        found.append(numbers)
    return tuple(found)


def _number(name: str, value: Any) -> complex:
    number = value.item() if isinstance(value, np.generic) or (type(value) is np.ndarray and value.ndim == 0) else value
    if not isinstance(number, bool | int | float | complex):
        raise type_error(OP, "cv_c3", f"{name} is {kind_of(value)}, not a number", value=value)
    return number


# ---- permutations of axes ------------------------------------------------------------------------------------------


def _permuted(name: str, from_the_end: bool = False) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        axes = arguments[name]
        if axes is None:
            if rank is None:
                raise RankNeeded(f"without {name}, all axes are reversed")
            axes = range(rank)[::-1]
        count = len(axes)
        numbers = [axis + count if from_the_end and axis < 0 else axis for axis in axes]
        if sorted(numbers) != list(range(count)) or rank not in (None, count):
            wanted = "all axes" if rank is None else f"axes 0..{rank - 1}" if rank else "no axes"
            message = f"{name} {tuple(axes)} is no permutation of {wanted}"
            raise value_error(OP, "cv_c2", message, value=tuple(axes))
        return list(map(Entry, numbers))

    return entries


def _exchanged(names: tuple[str, str]) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        one, two = (axis_number(name, arguments[name], rank) for name in names)
        order = list(range(max(one, two) + 1 if rank is None else rank))
        order[one], order[two] = order[two], order[one]
        return list(map(Entry, order))

    return entries


def _run_entries(entries: Callable[[int | None, Arguments], list[Entry]]) -> Callable[[Any, Arguments], Any]:
    def run(x: Any, arguments: Arguments) -> Any:
        return xla.transpose(x, [entry.axis for entry in entries(np.ndim(x), arguments)])  # type: ignore[misc]

    return run


def _transpose(name: str, default: Any, code: str, from_the_end: bool = False) -> Function:
    kind = VECTOR if default is REQUIRED else VECTOR_OR_NONE
    entries = _permuted(name, from_the_end)
    return Function({name: (kind, default)}, entries, _run_entries(entries), code)


def _exchange(names: tuple[str, str], code: str) -> Function:
    entries = _exchanged(names)
    return Function(dict.fromkeys(names, (INTEGER, REQUIRED)), entries, _run_entries(entries), code)


# ---- padding -------------------------------------------------------------------------------------------------------

Read = Callable[[int, Arguments], Padding]


def _pairs(width: str, value: str) -> Read:
    def read(rank: int, arguments: Arguments) -> Padding:
        pairs = arguments[width]
        if width == "pad_width" and len(pairs) == 1:
            pairs *= rank
        _check_count(width, pairs, rank)
        negative = next(((axis, n) for axis, pair in enumerate(pairs) for n in pair if n < 0), None)
        if negative is not None:
            axis, n = negative
            raise value_error(OP, "cv_c2", f"{width}, entry {axis}: {n} is negative", entry=axis, value=n)
        return Padding(arguments[value], tuple((low, high, 0) for low, high in pairs))

    return read


def _check_count(name: str, found: Sequence[Any], rank: int) -> None:
    if len(found) != rank:
        message = f"{name} has {len(found)} entries: one per axis is needed, of {rank}"
        raise value_error(OP, "cv_c2", message, value=len(found), allowed=(rank, rank))


def _of_xla(rank: int, arguments: Arguments) -> Padding:
    _check_count("padding_config", arguments["padding_config"], rank)
    return Padding(arguments["padding_value"], arguments["padding_config"])


def _of_onnx(rank: int, arguments: Arguments) -> Padding:
    pads, axes = arguments["pads"], arguments["axes"]
    numbers = range(rank) if axes is None else [axis_number("axes", axis, rank) for axis in axes]
    if len(pads) != 2 * len(numbers) or len(set(numbers)) != len(numbers):
        what = f"pads has {len(pads)} entries: two per axis are needed, of {len(numbers)} different axes"
        raise value_error(OP, "cv_c2", what, value=len(pads))
    config = [(0, 0, 0)] * rank
    for axis, low, high in zip(numbers, pads, pads[len(numbers) :], strict=False):
        config[axis] = low, high, 0
    return Padding(arguments["constant_value"], tuple(config))


def _of_openvino(rank: int, arguments: Arguments) -> Padding:
    begins, ends = arguments["pads_begin"], arguments["pads_end"]
    _check_count("pads_begin", begins, rank)
    _check_count("pads_end", ends, rank)
    return Padding(arguments["arg_pad_value"], tuple((low, high, 0) for low, high in zip(begins, ends, strict=True)))


def _of_torch(rank: int, arguments: Arguments) -> Padding:
    pad = arguments["pad"]
    if len(pad) % 2 or len(pad) > 2 * rank:
        message = f"pad has {len(pad)} entries: two for each of the last axes are needed, of {rank}"
        raise value_error(OP, "cv_c2", message, value=len(pad))
    config = [(0, 0, 0)] * rank
    for number in range(len(pad) // 2):
        config[rank - 1 - number] = pad[2 * number], pad[2 * number + 1], 0
    return Padding(arguments["value"], tuple(config))


def _pad(parameters: Mapping[str, tuple[str, Any]], read: Read, code: str) -> Function:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        name = code.partition("(")[0]
        reason = f"{name} adds elements that are none of x: ssop.convert.compose takes it, but no conversion yet"
        raise conversion_error("cv_c11", reason)

    def run(x: Any, arguments: Arguments) -> Any:
        return xla.pad(x, *read(np.ndim(x), arguments))

    return Function(parameters, entries, run, code)


_READERS: dict[str, Read] = {
    "tf.pad": _pairs("paddings", "constant_values"),
    "numpy.pad": _pairs("pad_width", "constant_values"),
    "xla.pad": _of_xla,
    "onnx.pad": _of_onnx,
    "openvino.pad": _of_openvino,
    "torch.pad": _of_torch,
}


def padding_of(function: str, arguments: Arguments, rank: int) -> Padding | None:
    """What a call adds to an operand of this rank; None for functions that add nothing."""
    read = _READERS.get(function)
    return None if read is None else read(rank, arguments)


def value_of(function: str, arguments: Arguments) -> complex | None:
    """The number that a function of padding fills with; None for other functions."""
    return (
        next((arguments[name] for name, (kind, _) in MOVING[function].parameters.items() if kind == NUMBER), None)
        if function in MOVING
        else None
    )


MOVING = {
    "numpy.transpose": _transpose("axes", None, "numpy.transpose({x}, {arguments})", from_the_end=True),
    "tf.transpose": _transpose("perm", None, "tf.transpose({x}, {arguments})"),
    "tflite.transpose": _transpose("perm", None, "tf.transpose({x}, {arguments})"),
    "xla.transpose": _transpose("permutation", REQUIRED, "jax.lax.transpose({x}, {arguments})"),
    "torch.permute": _transpose("dims", REQUIRED, "torch.permute({x}, {arguments})", from_the_end=True),
    "onnx.transpose": _transpose("perm", None, "Transpose({x}, {arguments})"),
    "openvino.transpose": _transpose("input_order", REQUIRED, "opset8.transpose({x}, {arguments})"),
    "coreml.transpose": _transpose("perm", REQUIRED, "mb.transpose(x={x}, {arguments})"),
    "numpy.swapaxes": _exchange(("axis1", "axis2"), "numpy.swapaxes({x}, {arguments})"),
    "torch.transpose": _exchange(("dim0", "dim1"), "torch.transpose({x}, {arguments})"),
    "tf.pad": _pad(
        {"paddings": (PAIRS, REQUIRED), "constant_values": (NUMBER, 0)},
        _READERS["tf.pad"],
        "tf.pad({x}, {arguments})",
    ),
    "numpy.pad": _pad(
        {"pad_width": (WIDTHS, REQUIRED), "constant_values": (NUMBER, 0)},
        _READERS["numpy.pad"],
        "numpy.pad({x}, {arguments})",
    ),
    "xla.pad": _pad(
        {"padding_value": (NUMBER, REQUIRED), "padding_config": (TRIPLES, REQUIRED)},
        _of_xla,
        "jax.lax.pad({x}, {arguments})",
    ),
    "onnx.pad": _pad(
        {"pads": (VECTOR, REQUIRED), "constant_value": (NUMBER, 0), "axes": (VECTOR_OR_NONE, None)},
        _of_onnx,
        "Pad({x}, {arguments})",
    ),
    "openvino.pad": _pad(
        {"pads_begin": (VECTOR, REQUIRED), "pads_end": (VECTOR, REQUIRED), "arg_pad_value": (NUMBER, 0)},
        _of_openvino,
        'opset12.pad({x}, pad_mode="constant", {arguments})',
    ),
    "torch.pad": _pad(
        {"pad": (VECTOR, REQUIRED), "value": (NUMBER, 0)},
        _of_torch,
        "torch.nn.functional.pad({x}, {arguments})",
    ),
}
"""By the name of the framework and that of the function."""

TRANSPOSES = {
    "tf": ("tf.transpose", "perm"),
    "tflite": ("tflite.transpose", "perm"),
    "openvino": ("openvino.transpose", "input_order"),
    "openvino.slice": ("openvino.transpose", "input_order"),
    "onnx": ("onnx.transpose", "perm"),
    "xla": ("xla.transpose", "permutation"),
    "torch": ("torch.permute", "dims"),
    "numpy": ("numpy.transpose", "axes"),
    "coreml": ("coreml.transpose", "perm"),
}
"""The function of each target that exchanges axes, and its argument."""
