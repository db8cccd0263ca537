"""A smaller call with the same difference.

First each part of the failing call is made simpler by itself. What is left becomes a strategy of Hypothesis, where that
is installed: every part is drawn from a few simpler values and, nearly always, its own. So the call itself is what
Hypothesis most likely draws first, and what it shrinks are several parts at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

import numpy as np

from ssop.testing._differential.comparison import Difference
from ssop.testing._differential.shrinking_shapes import Pick, size_of_shape_call, smaller_shape_call
from ssop.testing.calls import Array, Call, ShapeCall
from ssop.testing.calls.specs import MASKS, bit_of, taken_shape, without_entry
from ssop.testing.chains import Chain
from ssop.testing.chains.shrinking import shrink_chain, size_of_chain

MAX_CALLS, MAX_HYPOTHESIS_CALLS = 2500, 400
"""How many calls are tried: counts and not seconds, so that the result does not depend on the machine."""
MAX_SLOW_CALLS = 60
"""The same where an engine has to start again after each failing call."""
MAX_HANGS = 6
"""The same where each failing call waits for the time limit."""

AXIS_LISTS = ("axes", "dimensions", "permutation", "broadcast_dimensions")
OWN = 60
"""The weight of a part's own value to that of each simpler one."""

Draw = Any
AnyCall: TypeAlias = "Call | ShapeCall | Chain"


def shrunk_difference(test: Callable[[Any], Difference | None], first: Difference) -> Difference:
    """The smallest difference of the same kind that was found; `test` returns that of a call, or None.

    Without Hypothesis, only one part of the call is made smaller at a time.
    """
    best, kind, tried = first, first.kind, {f"{first.call} {first.call.how}": True}
    limit = MAX_SLOW_CALLS if kind.startswith("the oracle") else MAX_HANGS if "no answer" in kind else MAX_CALLS

    def fails(call: AnyCall) -> bool:
        nonlocal best
        key = f"{call} {call.how}"
        if key not in tried:
            if len(tried) > limit:
                raise Enough
            found = test(call)
            tried[key] = found is not None and found.kind == kind
            if found is not None and tried[key] and size_of(found.call) < size_of(best.call):
                best = found
        return tried[key]

    try:
        if isinstance(first.call, Chain):
            shrink_chain(first.call, fails)
            return best
        simplified(first.call, fails)
        limit = min(limit, len(tried) + MAX_HYPOTHESIS_CALLS)
        find_smaller(best.call, fails)
    except Enough:
        pass
    return best


def find_smaller(call: AnyCall, fails: Callable[[AnyCall], bool]) -> None:
    """Let Hypothesis, if it is installed, make several parts smaller at a time."""
    try:
        from hypothesis import HealthCheck, Phase, find, settings
        from hypothesis.errors import HypothesisException
    except ImportError:
        return
    options = settings(
        max_examples=200, database=None, deadline=None, suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )  # fmt: skip
    try:
        find(smaller_calls(call), fails, settings=options, random=Random(0))
    except HypothesisException:
        pass  # it drew the call itself in no example


class Enough(BaseException):
    """Ends the search: Hypothesis would take an Exception for a failure of the test."""


def simplified(call: AnyCall, fails: Callable[[AnyCall], bool]) -> AnyCall:
    """The call with one part after the other made as simple as it can be, until no part can be."""
    changed = True
    while changed:
        changed, place = False, 0
        while True:
            part = _Part(place)
            _variant(call, part)
            if part.count <= place:
                break
            for choice in range(part.choices):
                smaller = _variant(call, _Part(place, choice))
                if size_of(smaller) < size_of(call) and fails(smaller):
                    call, changed = smaller, True
                    break
            place += 1
    return call


class _Part:
    """A `pick` that takes the simpler value `choice` of the part at `place`, and what is there of all others."""

    def __init__(self, place: int, choice: int | None = None) -> None:
        self.place, self.choice, self.count, self.choices = place, choice, 0, 0

    def __call__(self, own: Any, simpler: Sequence[Any]) -> Any:
        at, self.count = self.count, self.count + 1
        if at != self.place:
            return own
        self.choices = len(simpler)
        return own if self.choice is None or self.choice >= len(simpler) else simpler[self.choice]


def _variant(call: AnyCall, pick: Pick) -> AnyCall:
    """The call with the parts that `pick` takes."""
    assert not isinstance(call, Chain)
    if isinstance(call, ShapeCall):
        return smaller_shape_call(call, pick)
    return (_smaller_spec if "begin_mask" in call.args else _smaller_lists)(call, pick)


def size_of(call: AnyCall) -> tuple[Any, ...]:
    """What makes a call small: few axes, few entries, few elements, short numbers."""
    if isinstance(call, Chain):
        return size_of_chain(call)
    if isinstance(call, ShapeCall):
        return size_of_shape_call(call)
    rank = max((array.ndim for array in call.arrays), default=0)
    numbers = [n for value in call.args.values() for n in _numbers(value)]
    bits = sum(bin(value & 0xFFFFFFFF).count("1") for name, value in call.args.items()
               if name.endswith("_mask") and isinstance(value, int))  # fmt: skip
    elements = sum(array.size for array in call.arrays)
    own = sum(not _is_counting(array) for array in call.arrays)
    return rank, len(numbers), bits, elements, own, sum(min(abs(n), 2**63) * 2 + (n < 0) for n in map(int, numbers))


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, list | tuple):
        return [n for part in value for n in _numbers(part)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _is_counting(array: Array) -> bool:
    return array.dtype == np.int8 and array.tobytes() == counting(array.shape).tobytes()


def counting(shape: Sequence[int], dtype: Any = np.int8) -> Array:
    """1, 2, 3, ... in C order; of bools, True and False by turns."""
    count = np.arange(1, int(np.prod(shape, dtype=int)) + 1)
    return (count % 2 if dtype == np.bool_ else count).astype(dtype).reshape(tuple(shape))


def smaller_calls(call: AnyCall) -> Any:
    """A strategy of calls that are `call` but for parts that are simpler."""
    from hypothesis import strategies as st

    @st.composite
    def calls(draw: Draw) -> AnyCall:
        def pick(own: Any, simpler: Sequence[Any]) -> Any:
            if not simpler:
                return own
            place = draw(st.integers(0, OWN * (len(simpler) + 1)))
            return simpler[place] if place < len(simpler) else own

        return _variant(call, pick)

    return calls()


def simpler_integers(value: Any) -> list[int]:
    """Integers closer to 0, the closest first.

    >>> simpler_integers(-3), simpler_integers(2**40)
    ([0, 1, -1, 2, -2, 3], [0, 1, -1, 2, -2, 3, -3, 4, -4])
    """
    if not isinstance(value, int | np.integer):
        return []
    near = sorted(range(-4, 5), key=lambda n: (abs(n), n < 0))
    return [n for n in near if (abs(n), n < 0) < (abs(int(value)), value < 0)]


def _simpler_dims(dim: int) -> list[int]:
    return [n for n in range(1, min(dim, 6))]


def _contents(array: Array, dims: Sequence[int], count: bool, simple: bool) -> Array:
    """An array of these dims: counting, or what `array` has at its start."""
    if count:
        small = simple and int(np.prod(dims, dtype=int)) <= 126
        return counting(dims, np.int8 if small else array.dtype)
    return np.resize(array, tuple(dims)) if array.size else np.zeros(tuple(dims), array.dtype)


# Specs with masks: entries before the ellipsis stand for the first axes, those behind it for the last ones


def _axis_of_entries(rank: int, kinds: Sequence[str]) -> list[int | None]:
    """The axis of each entry, None for those without one."""
    ellipsis = kinds.index("ellipsis") if "ellipsis" in kinds else len(kinds)
    addressing = [kind == "axis" for kind in kinds]
    axes: list[int | None] = []
    for i, addresses in enumerate(addressing):
        axis = sum(addressing[:i]) if i < ellipsis else rank - sum(addressing[i:])
        axes.append(axis if addresses and 0 <= axis < rank else None)
    return axes


def _smaller_spec(call: Call, pick: Pick) -> Call:
    args = call.args
    vectors = [name for name in ("begin", "end", "strides") if args.get(name) is not None]
    length = max((np.size(args[name]) for name in vectors), default=0)
    masks = [name for name in MASKS if name in args]
    shape = list(args["shape"] if "shape" in args else call.arrays[0].shape)
    kinds = [
        "ellipsis"
        if bit_of(args.get("ellipsis_mask", 0), i)
        else "new"
        if bit_of(args.get("new_axis_mask", 0), i)
        else "axis"
        for i in range(length)
    ]
    axes = _axis_of_entries(len(shape), kinds)
    count, simple = pick(False, [True]), pick(False, [True])
    keep_entry, keep_axis = [True] * length, [True] * len(shape)
    for i, axis in enumerate(axes):
        keep_entry[i], kept = pick((True, True), [(False, False), (False, True)])
        if axis is not None:
            keep_axis[axis] = kept
    for axis in range(len(shape)):
        if axis not in axes:
            keep_axis[axis] = pick(True, [False])
    dims = [pick(d, _simpler_dims(d)) for d, kept in zip(shape, keep_axis, strict=True) if kept]
    kept_entries = [i for i in range(length) if keep_entry[i]]
    made: dict[str, Any] = dict(args)
    for name in vectors:
        values = args[name]
        if np.ndim(values) != 1:
            continue
        own = [values[i] for i in kept_entries if i < len(values)]
        one = [1] if name == "strides" else []
        smaller = [
            pick(v, [*one, *(n for n in simpler_integers(v) if name != "strides" or n not in (0, 1))]) for v in own
        ]
        made[name] = pick(np.array(smaller, values.dtype), [list(map(int, smaller))]) if isinstance(
            values, np.ndarray) and values.dtype.kind in "iu" else smaller  # fmt: skip
    for name in masks:
        mask = args[name]
        if isinstance(mask, int):
            past = pick(mask >> length, [0]) if mask >> length else 0
            bits = [pick(1, [0]) if bit_of(mask, i) else 0 for i in kept_entries]
            made[name] = sum(bit << i for i, bit in enumerate(bits)) | past << len(bits)
        elif isinstance(mask, list):
            kept = [pick(m, [0]) if m == 1 else m for i, m in enumerate(mask) if i >= length or keep_entry[i]]
            made[name] = kept
    if "shape" in args:
        made["shape"] = tuple(dims)
    return Call(call.op, _spec_arrays(call, made, dims, pick, count, simple), made, call.how)


def _spec_arrays(
    call: Call, args: dict[str, Any], dims: Sequence[int], pick: Pick, count: bool, simple: bool
) -> tuple[Array, ...]:
    """The operand, and of updates and gradients the other array, of the shape that the slice now has."""
    wanted: Any = {name: args[name] for name in ("begin", "end", "strides", *MASKS) if name in args}
    if "shape" in args:
        (dy,) = call.arrays
        taken = taken_shape(tuple(args["shape"]), wanted)
        return (_contents(dy, pick(dy.shape, [taken]), count, simple),)
    x = _contents(call.arrays[0], dims, count, simple)
    if len(call.arrays) == 1:
        return (x,)
    value = call.arrays[1]
    taken = taken_shape(tuple(dims), wanted)
    return x, _contents(
        value, pick(value.shape, [taken, tuple(value.shape[-len(taken) :] if taken else ())]), count, simple
    )


# All other operations: a list that has an entry per axis loses that of an axis that is dropped


def _smaller_lists(call: Call, pick: Pick) -> Call:
    rank = max((array.ndim for array in call.arrays), default=0)
    count, simple = pick(False, [True]), pick(False, [True])
    args, arrays = dict(call.args), [list(array.shape) for array in call.arrays]
    for axis in reversed(range(rank)):
        if pick(False, [True]):
            _drop_axis(args, arrays, axis, rank)
            rank -= 1
    named = [name for name in args if name in ("starts", "ends", "axes", "steps", "start", "stop", "step")]
    entries = max((np.size(args[name]) for name in named if args[name] is not None), default=0)
    for entry in reversed(range(entries)):
        if pick(False, [True]):
            _drop_entry(args, named, entry)
    for axis in range(rank):  # all arrays that have this dim keep having one
        dims = {shape[axis] for shape in arrays if len(shape) == rank}
        new = {dim: pick(dim, _simpler_dims(dim)) for dim in sorted(dims)}
        for shape in arrays:
            if len(shape) == rank:
                shape[axis] = new[shape[axis]]
    args = {name: _simpler_value(name, value, pick) for name, value in args.items()}
    made = tuple(_contents(a, dims, count, simple) for a, dims in zip(call.arrays, arrays, strict=True))
    return Call(call.op, made, args, call.how)


def _drop_axis(args: dict[str, Any], arrays: list[list[int]], axis: int, rank: int) -> None:
    for shape in arrays:
        if len(shape) == rank:
            del shape[axis]
    for name, value in args.items():
        if name in AXIS_LISTS and isinstance(value, list | np.ndarray):
            continue
        if isinstance(value, list | tuple | np.ndarray) and len(value) == rank and "axes" not in args:
            args[name] = without_entry(value, axis)
    for name in AXIS_LISTS:
        value = args.get(name)
        if value is None:
            continue
        for entry in reversed([i for i, a in enumerate(value) if int(a) % max(rank, 1) == axis]):
            _drop_entry(args, [name, *(n for n in args if name == "axes" and n not in ("axes", "engine"))], entry)
        moved = [int(a) - (axis < int(a)) + (int(a) < 0 and int(a) + rank < axis) for a in args[name]]
        args[name] = np.array(moved, value.dtype) if isinstance(value, np.ndarray) else type(value)(moved)


def _drop_entry(args: dict[str, Any], names: Sequence[str], entry: int) -> None:
    for name in names:
        value = args[name]
        if isinstance(value, list | tuple | np.ndarray) and entry < len(value):
            args[name] = without_entry(value, entry)


def _simpler_value(name: str, value: Any, pick: Pick) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return pick(value, simpler_integers(value))
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu":
        least = np.iinfo(value.dtype).min
        own = [pick(int(v), [n for n in simpler_integers(int(v)) if n >= least]) for v in value]
        return np.array(own, value.dtype)
    if isinstance(value, list | tuple):
        return type(value)(_simpler_value(name, part, pick) for part in value)
    return value
