"""Shapes of which not every dim is known: what the trace says for every dim, and the shape that inference gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from ssop._core import Dim, PartialShape, SliceError
from ssop._errors import type_error
from ssop._explain.specs import Dialect, Spec
from ssop._explain.trace import Axis, Entry, Trace, index_item, traced
from ssop._sequences import plain

STAND_IN = 2**63 - 1
"""The dim with which unknown axes are traced. No begin that is legal for some dim is an error for this one."""

MAX_RANK = 64


NOT_A_NUMBER = (type(None), str, tuple, Dim)
"""What a dim may be beside an integer."""


def known_or_partial(op: str, shape: Any) -> tuple[Any, PartialShape | None]:
    """An ordinary shape and None, or what is given and the shape of which not all is known.

    None is a shape of unknown rank.
    """
    partial = PartialShape(None) if shape is None else shape if isinstance(shape, PartialShape) else None
    if partial is None:
        if not isinstance(shape, (list, tuple)):
            return shape, None
        shape = plain(shape)
        if not any(isinstance(dim, NOT_A_NUMBER) for dim in shape):
            return shape, None
        partial = PartialShape(shape)
    return (partial.dims, None) if partial.is_fully_known else (shape, partial)


def named_dims(shape: PartialShape | Sequence[int]) -> tuple[int | str | None, ...] | None:
    """The dims: numbers, names and formulas, and None where a dim has neither. None for an unknown rank.

    >>> named_dims(PartialShape([2, "batch", (1, 4)])), named_dims((3, 4))
    ((2, 'batch', None), (3, 4))
    """
    if not isinstance(shape, PartialShape):
        return tuple(shape)
    if shape.dims is None or shape.formulas is None:
        return None
    return tuple(formula if dim is None else dim for dim, formula in zip(shape.dims, shape.formulas, strict=True))


def traced_partially(dialect: Dialect, spec: Spec, shape: PartialShape) -> Trace:
    """The trace for every completion of a shape; its outcome is a partial shape, or the error of all of them."""
    dims = shape.dims
    assert dims is not None
    unknown = frozenset(axis for axis, dim in enumerate(dims) if dim is None)
    trace = traced(dialect, spec, tuple(STAND_IN if dim is None else dim for dim in dims))
    infer = import_module(dialect.infer).strided_slice
    try:
        outcome: Any = infer(shape, spec.begin, spec.end, spec.strides, *dialect.masks(spec), mode="tight")
    except SliceError as error:
        outcome = error
    return Trace(dialect, spec, trace.shape, trace.entries, trace.axes, outcome, unknown, shape)


def traced_for_every_rank(dialect: Dialect, spec: Spec) -> Trace:
    """The trace for a shape of unknown rank: that of the least rank which has an axis for each entry."""
    if dialect.ellipsis_reads_rank and spec.mask("ellipsis"):
        message = f"shape is of unknown rank, on which the ellipsis of {dialect.framework} depends"
        raise type_error("explain", "in_c5", message)
    whole = traced(dialect, spec, (STAND_IN,) * min(len(spec.begin), MAX_RANK))
    needed = sum(len(entry.axes) for entry in whole.entries if not entry.is_a("ellipsis"))
    return replace(traced_partially(dialect, spec, PartialShape([None] * needed)), any_rank=True)


def again(trace: Trace, spec: Spec) -> Trace:
    """The trace of another spec for the same shape."""
    if trace.any_rank:
        return traced_for_every_rank(trace.dialect, spec)
    if trace.partial is None:
        return traced(trace.dialect, spec, trace.shape)
    return traced_partially(trace.dialect, spec, trace.partial)


def index_for_every_dim(trace: Trace) -> tuple[Any, ...] | None:
    """Return the index that takes the same for every length of the unknown axes. None if no index does, or on error."""
    if trace.error is not None:
        return None
    if any(begin_is_clamped(trace, axis, entry) for axis, entry in trace.selections()):
        return None
    return tuple(index_item(trace, entry) for entry in trace.entries)


def begin_is_clamped(trace: Trace, axis: Axis, entry: Entry) -> bool:
    """Whether a begin below -dim of an axis of unknown length would be element 0, which no index of NumPy says."""
    begin, stride = trace.spec.begin[entry.number], trace.spec.strides[entry.number]
    reversed_clamp = trace.dialect.reverse_clamps_begin_first and stride < 0
    clamps = trace.dialect.shrink_clamps_below if entry.is_a("shrink_axis") else reversed_clamp
    return axis.number in trace.unknown and clamps and begin < 0 and not entry.is_a("begin")


def shape_text(dims: Sequence[int | str | None] | None) -> str:
    """A tuple of dims as source code, with a name or ? where a dim is not known, and ... for an unknown rank.

    >>> shape_text((None, 6)), shape_text((None,)), shape_text(()), shape_text(None)
    ('(?, 6)', '(?,)', '()', '(...)')
    """
    if dims is None:
        return "(...)"
    words = ["?" if dim is None else str(dim) for dim in dims]
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"
