"""Smaller programs on which a converter fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import Any, TypeVar

from ssop._convert.calls import Call
from ssop._convert.values import STRIDES, Value
from ssop.testing._differential.shrinking import simpler_integers
from ssop.testing._differential.subjects import mask_without_entry
from ssop.testing.calls.specs import MASKS
from ssop.testing.models.judging import Finding
from ssop.testing.models.program import Program

T = TypeVar("T")

MAX_PROGRAMS = {"hung": 6, "crashed": 24}
"""How many programs are tried where each waits for the time limit, or for a new process with its frameworks."""
MAX_OTHERS = 300
"""How many are tried of the other kinds."""
MAX_ROUND = 40
"""How many of the programs with fewer axes are tried in one round: they are many, and ordered by size."""

ONE_AXIS = ("index", "axis", "dim", "start", "length")
"""Arguments of calls on one axis, which lose no entry."""


def size_of(program: Program) -> tuple[Any, ...]:
    """What makes a program small: few calls, few axes, few entries and masks, few elements, short numbers."""
    numbers = [n for call in program.calls for value in call.given.values() for n in _numbers(value)]
    elements = sum(_elements(shape) for shape in program.shapes)
    names = len(program.names)
    plain = (program.dtype != "float32") + (program.seed != 0)
    lengths = sum(min(abs(n), 2**63) * 2 + (n < 0) for n in numbers)
    known = sum(dim is None for dim in program.dims)
    form = len(program.calls), len(program.dims), len(program.shapes), names, known
    return *form, len(numbers), elements, plain, lengths


def _elements(shape: tuple[int, ...]) -> int:
    """The number of elements; an axis without any is more to think about than one with a few."""
    return prod(dim or 9 for dim in shape)


def _numbers(value: Any) -> list[int]:
    if isinstance(value, tuple):
        return [n for part in value for n in _numbers(part)]
    if isinstance(value, slice):
        return [n for part in (value.start, value.stop, value.step) for n in _numbers(part)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    return [0] if value is None or value is Ellipsis else []


def shrunk_finding(judge: Callable[[Program], Finding | None], first: Finding) -> Finding:
    """The smallest finding of the same kind."""
    best, tried = first, {repr(first.program)}
    limit = MAX_PROGRAMS.get(first.verdict, MAX_OTHERS)

    def fails(program: Program) -> bool:
        nonlocal best
        if repr(program) in tried or len(tried) > limit or size_of(program) >= size_of(best.program):
            return False
        if not program.runs_on(program.shapes[0]):
            return False
        tried.add(repr(program))
        found = judge(program)
        if found is None or found.kind != first.kind:
            return False
        best = found
        return True

    changed = True
    while changed and len(tried) <= limit:
        changed = any(fails(smaller) for smaller in smaller_programs(best))
    return best


def smaller_programs(finding: Finding) -> Iterator[Program]:
    """Programs with one thing less, those first that leave most out."""
    program = finding.program
    if finding.shape and len(program.shapes) > 1:
        yield replace(program, shapes=(finding.shape,))
    for place in range(len(program.calls)):
        yield program.with_calls(program.calls[:place] + program.calls[place + 1 :])
    if len(program.shapes) == 1:
        yield replace(program, dims=program.shapes[0])
        yield from islice(_with_fewer_axes(program), MAX_ROUND)
    if program.dtype != "float32":
        yield replace(program, dtype="float32")
    yield replace(program, seed=0)
    yield from _with_smaller_dims(program)
    for place, call in enumerate(program.calls):
        for smaller in simpler_calls(call):
            yield program.with_calls((*program.calls[:place], smaller, *program.calls[place + 1 :]))
    for name, value in program.values.items():
        for number in simpler_integers(value):
            yield replace(program, values={**program.values, name: number})


def _with_smaller_dims(program: Program) -> Iterator[Program]:
    for axis, dim in enumerate(program.dims):
        for at, shape in enumerate(program.shapes):
            for size in (*range(1, min(shape[axis], 4)), 0):
                changed = (*shape[:axis], size, *shape[axis + 1 :])
                shapes = (*program.shapes[:at], changed, *program.shapes[at + 1 :])
                if dim is None:
                    yield replace(program, shapes=shapes)
                elif len(shapes) == 1:
                    yield replace(program, dims=(*program.dims[:axis], size, *program.dims[axis + 1 :]), shapes=shapes)


def _with_fewer_axes(program: Program) -> Iterator[Program]:
    """Without an axis of the operand, and without an entry of some calls; and entries alone."""
    rank, (shape,) = len(program.dims), program.shapes
    entries = [(None, *range(most_entries(call))) for call in program.calls]
    for axis in (*range(rank if rank > 1 else 0), None):
        for chosen in product(*entries):
            if axis is None and not any(entry is not None for entry in chosen):
                continue
            calls = [
                call if entry is None else without_entry(call, entry)
                for call, entry in zip(program.calls, chosen, strict=True)
            ]
            dims, kept = _without(program.dims, axis), _without(shape, axis)
            smaller = replace(program, calls=tuple(calls), dims=dims, shapes=(kept,))
            if smaller.runs_on(kept):
                yield smaller


def _without(dims: tuple[T, ...], axis: int | None) -> tuple[T, ...]:
    return dims if axis is None else dims[:axis] + dims[axis + 1 :]


def most_entries(call: Call) -> int:
    """The length of the longest list of a call."""
    return max((len(value) for value in call.given.values() if isinstance(value, tuple)), default=0)


def without_entry(call: Call, entry: int) -> Call:
    """The call without one entry of its lists; of a permutation, and of pads of ONNX, without one axis.

    >>> print(without_entry(Call("onnx.transpose", perm=[1, 2, 0]), 0))
    Transpose(x, perm=[1, 0])
    """
    given = dict(call.given)
    for name, value in given.items():
        if name in MASKS:
            given[name] = mask_without_entry(value, entry)
        elif not isinstance(value, tuple) or entry >= len(value):
            continue
        elif name in ("perm", "permutation", "dims") and call.function in PERMUTING:
            number = value[entry]
            given[name] = [n - (n > number) for at, n in enumerate(value) if at != entry]
        elif name == "pads":
            half = len(value) // 2
            given[name] = [n for at, n in enumerate(value) if at % half != entry % half]
        else:
            given[name] = value[:entry] + value[entry + 1 :]
    return Call(call.function, **given)


PERMUTING = ("onnx.transpose", "tf.transpose", "xla.transpose", "torch.permute", "numpy.transpose")


def simpler_calls(call: Call) -> Iterator[Call]:
    """The call with one argument left out, or with one number closer to 0, or one mask bit less."""
    given = call.given
    for name, value in given.items():
        if name in MASKS:
            for bit in range(value.bit_length() if value >= 0 else 32):
                if value >> bit & 1:
                    yield from _changed(call, name, value & ~(1 << bit))
            continue
        yield from _changed(call, name, None)
        if name in ("perm", "permutation"):
            continue
        for simpler in _simpler(value):
            if name not in STRIDES or 0 not in simpler:  # of entries that are ignored, too: 1 is what one would write
                yield from _changed(call, name, simpler)


def _simpler(value: Any) -> Iterator[Any]:
    if isinstance(value, Value):
        return
    if isinstance(value, slice):
        parts = [value.start, value.stop, value.step]
        for at, part in enumerate(parts):
            for simpler in (None, *([n for n in simpler_integers(part) if n or at < 2])) if part is not None else ():
                changed = [simpler if place == at else old for place, old in enumerate(parts)]
                yield slice(changed[0], changed[1], changed[2])
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            for simpler in _simpler(part):
                yield (*value[:at], simpler, *value[at + 1 :])
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from simpler_integers(value)


def _changed(call: Call, name: str, value: Any) -> Iterator[Call]:
    """The call with another argument; nothing if it cannot have it. None: without the argument."""
    given = {key: old for key, old in call.given.items() if key != name}
    if value is not None:
        given[name] = value
    try:
        yield Call(call.function, **given)
    except (ValueError, TypeError, OverflowError):
        return
