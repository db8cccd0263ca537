"""Smaller calls of shape inference: the parts of a call, and simpler things that each may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ssop.testing.calls import ShapeCall
from ssop.testing.calls.specs import MASKS

Pick = Callable[[Any, Sequence[Any]], Any]
"""Given what a part is, and simpler things that it may be, one of them."""
OF_ENTRIES = ("begin", "end", "strides", "size", "start", "stop", "step", "starts", "ends", "axes", "steps", "values")
"""The vectors of which an entry is dropped in all at once."""


def smaller_shape_call(call: ShapeCall, pick: Pick) -> ShapeCall:
    """The call with the parts that `pick` takes."""
    args, shape = dict(call.args), None if call.shape is None else list(call.shape)
    vectors = [name for name in OF_ENTRIES if args.get(name) is not None]
    length = max((len(args[name]) for name in vectors), default=0)
    dropped = [pick(False, [True]) for _ in range(length)]
    for name in (*vectors, *(mask for mask in MASKS if isinstance(args.get(mask), list))):
        args[name] = [_simpler(v, pick, name) for i, v in enumerate(args[name]) if i >= length or not dropped[i]]
    for name in MASKS:
        if isinstance(args.get(name), int):
            args[name] = _smaller_mask(args[name], dropped, pick)
    for name in ("rank", "start", "end", "stride"):
        if isinstance(args.get(name), int):
            args[name] = pick(args[name], [n for n in (0, 1, -1, 2) if abs(n) < abs(args[name])])
    if shape is not None:
        shape = _smaller_dims(shape, pick)
    if args.get("other") is not None:
        args["other"] = _smaller_dims(args["other"], pick)
    return ShapeCall(call.op, shape, args, call.mode)


def _smaller_dims(dims: Sequence[Any], pick: Pick) -> list[Any]:
    kept = [pick(True, [False]) for _ in dims]
    return [_simpler(dim, pick, "dims") for dim, keep in zip(dims, kept, strict=True) if keep]


def _simpler(value: Any, pick: Pick, name: str) -> Any:
    """A number in place of an unknown one or an interval, and a small number in place of a large one."""
    numbers = (0, 1) if name.endswith("_mask") else (1, 2, 3) if name == "dims" else (0, 1, -1, 2, -2, 3)
    numbers = (1, 2) if name in ("strides", "step", "steps") else numbers
    return pick(value, [n for n in numbers if size_of_number(n) < size_of_number(value)])


def _smaller_mask(mask: int, dropped: Sequence[bool], pick: Pick) -> int:
    length = len(dropped)
    past = pick(mask >> length, [0]) if mask >> length else 0
    bits = [pick(1, [0]) if mask >> i & 1 else 0 for i in range(length) if not dropped[i]]
    return sum(bit << i for i, bit in enumerate(bits)) | past << len(bits)


def size_of_number(value: Any) -> tuple[int, int]:
    """Numbers are smaller than intervals, and these than what is unknown.

    >>> sorted([None, (1, 3), -1, 1], key=size_of_number)
    [1, -1, (1, 3), None]
    """
    if value is None:
        return 2, 0
    if isinstance(value, tuple):
        return 1, abs(value[0]) + abs(value[1] or 0)
    return 0, min(abs(value), 2**63) * 2 + (value < 0)


def size_of_shape_call(call: ShapeCall) -> tuple[Any, ...]:
    """What makes a call small: few axes, few entries, few bits, and numbers instead of what is unknown."""
    vectors = [value for name, value in call.args.items() if isinstance(value, list) and not name.endswith("_mask")]
    entries = [number for values in vectors for number in values]
    masks = [value for name, value in call.args.items() if name.endswith("_mask")]
    bits = sum((value & 0xFFFFFFFF).bit_count() if isinstance(value, int) else sum(value) for value in masks)
    sizes = [size_of_number(value) for value in (*entries, *(call.shape or ()))]
    rank = 65 if call.shape is None and call.op != "shape.from_tensor" else len(call.shape or ())
    return rank, len(entries), bits, sum(kind for kind, _ in sizes), sum(number for _, number in sizes)
