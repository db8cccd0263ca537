"""Which entry of a call's lists is about an axis: what an error of a conversion names beside the axis."""

from __future__ import annotations

from collections.abc import Sequence

from ssop._convert.calls import Call
from ssop._convert.functions import Arguments, numbers_of, spec_of, traced
from ssop._convert.values import read_index
from ssop._explain.specs import DIALECTS, Spec
from ssop._masks import MASK_NAMES


def entry_of(calls: Sequence[Call], axis: int | None, rank: int) -> int | None:
    """The entry of the lists of a single call that is about an axis of its operand; None if there is no such entry."""
    if len(calls) != 1 or axis is None:
        return None
    call, arguments = calls[0], calls[0].arguments
    if "index" in arguments and isinstance(arguments["index"], tuple):
        spec, (begin, end, strides) = read_index(arguments["index"])
        masks = dict(zip(MASK_NAMES, spec.arguments[3:], strict=True))
        return _of_strided("tf", {"begin": begin, "end": end, "strides": strides} | masks, axis, rank)
    if "ellipsis_mask" in arguments:
        return _of_strided(call.function.partition(".")[0], arguments, axis, rank)
    lists = [value for value in arguments.values() if isinstance(value, tuple)]
    if len(lists) < 2:
        return None
    if arguments.get("axes") is None:
        return axis if axis < len(lists[0]) else None
    axes = [each % rank for each in arguments["axes"]]
    return len(axes) - 1 - axes[::-1].index(axis) if axis in axes else None  # the last one, where two may be (onr_s1)


def _of_strided(dialect: str, arguments: Arguments, axis: int, rank: int) -> int | None:
    given = spec_of(arguments)
    spec = Spec(numbers_of(given.begin), numbers_of(given.end), (1,) * len(given.begin), given.masks)
    flags, _ = traced(DIALECTS[dialect], spec, (1,) * rank)
    return next((number for number, (_, first, count) in enumerate(flags) if count == 1 and first == axis), None)
