"""Chains of calls as one copy: a region of the input, a permutation of its axes, and padding around and between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ssop import _core, xla
from ssop._convert.calls import Call, read_calls, read_values
from ssop._convert.errors import OP
from ssop._convert.folding import Folded, check_values, fill_value, fold, with_numbers
from ssop._convert.program import input_order
from ssop._convert.shape import Shape, dims_of, is_foreign, read_shape, shape_of
from ssop._convert.updates import check_no_update
from ssop._convert.values import values_in
from ssop._core import Region
from ssop._display import index_text
from ssop._errors import check_given, value_error


class Fold:
    """The one copy on a known shape."""

    def __init__(self, calls: tuple[Call, ...], shape: tuple[int, ...]) -> None:
        states = fold(calls, shape)
        made = states[-1]
        self.values = made.values
        self.in_shape, self.shape = shape, made.shape
        self.value = fill_value(calls, states)
        self.order = input_order([axis.origin for axis in made.kept])
        self.region = _region(made, self.order, shape)
        self.permutation = tuple(self.order.index(axis) for axis in range(len(self.order)))
        self.padding = _padding(made, self.region is not None) if made.is_padded else None

    def __call__(self, x: np.ndarray[Any, Any], out: Any) -> Any:
        for value in self.values if len(self.values) > 1 or self.value is None else ():
            xla.pad(np.empty(0, x.dtype), value, [(0, 0, 0)])  # raises if the dtype has no such value
        if self.region is None and self.padding is None:
            return _core.copy(np.empty(self.shape, x.dtype), out=out)
        if self.region is None:
            made = xla.pad(np.empty((0,) * max(len(self.shape), 1), x.dtype), self.value, self.padding or [(1, 0, 0)])
            return _core.copy(made.reshape(self.shape), out=out)
        view = x[(*self.region.index, ...)].transpose(self.permutation)
        if self.padding is None:
            return _core.copy(view, out=out)
        return xla.pad(view, self.value, self.padding, out=out)

    def __str__(self) -> str:
        parts = [f"one copy from shape {self.in_shape} to {self.shape}: "]
        if self.region is None:
            return parts[0] + ("nothing" if self.padding is None else f"{self.value!r} everywhere")
        parts.append(f"x{index_text(self.region.index)}")
        if list(self.permutation) != sorted(self.permutation):
            parts.append(f", its axes in the order {self.permutation}")
        if self.padding is not None:
            axes = (_words(axis, padding) for axis, padding in enumerate(self.padding) if any(padding))
            parts.append(f", padded with {self.value!r}: {', '.join(axes)}")
        return "".join(parts)


def _words(axis: int, padding: tuple[int, int, int]) -> str:
    counts = zip(padding, ("before", "behind", "between"), strict=True)
    return f"axis {axis} by {' and '.join(f'{count} {where}' for count, where in counts if count)}"


def _region(made: Folded, order: list[int], shape: tuple[int, ...]) -> Region | None:
    """What is read of the input; None if no region says that nothing is."""
    new = [axis for axis in (*made.kept, *made.dropped) if axis.origin is None]
    if any(axis.taken == 0 for axis in (*made.dropped, *new)):
        return None
    ranges = {axis.origin: (axis.start, axis.taken, axis.step) for axis in (*made.kept, *made.dropped)}
    origins = [made.kept[number].origin for number in order]
    return Region(
        shape, [ranges[axis] for axis in range(len(shape))], [-1 if origin is None else origin for origin in origins]
    )


def _padding(made: Folded, reads: bool) -> tuple[tuple[int, int, int], ...]:
    if not reads:
        return tuple((axis.length, 0, 0) for axis in made.kept)
    return tuple(
        (axis.first, axis.length - axis.first - (axis.taken - 1) * axis.gap - 1, axis.gap - 1)
        if axis.taken
        else (axis.length, 0, 0)
        for axis in made.kept
    )


def _have_values(calls: tuple[Call, ...]) -> bool:
    """Whether calls have run-time values, or bounds that depend on the dims."""
    return any(any(values_in(tuple(call.arguments.values()))) for call in calls)


@lru_cache(maxsize=256)
def _folded(calls: tuple[Call, ...], shape: tuple[int, ...]) -> Fold:
    return Fold(calls, shape)


@dataclass(frozen=True)
class Composition:
    """A chain of calls as one copy; made by `ssop.convert.compose`.

    Calling it on an array gives what the calls give one after the other, in a new array or in `out`. Run-time values
    are given by name. `region`, `permutation`, `padding` and `value` are None on a shape of which a dim is not known,
    and with run-time values: `at` gives them.

    Attributes
    ----------
    calls : the calls
    region : the `Region` of the input that is read; also None if the result is nothing but padding
    permutation : the axis of the region's result that becomes each axis, as for `numpy.transpose`
    padding : for each axis how much there is before, behind and between the elements, as for `ssop.xla.pad`; None if
        nothing is padded
    value : what the padding is filled with

    Examples
    --------
    >>> import numpy as np, ssop
    >>> Call = ssop.convert.Call
    >>> pad = Call("tf.pad", paddings=[(1, 1), (0, 2)])
    >>> one = ssop.convert.compose([np.s_[::-1, 1:], Call("tf.transpose", perm=[1, 0]), pad], shape=[2, 3])
    >>> print(one)
    one copy from shape (2, 3) to (4, 4): x[1::-1, 1:3], its axes in the order (1, 0), \
padded with 0: axis 0 by 1 before and 1 behind, axis 1 by 2 behind
    >>> one(np.arange(6).reshape(2, 3))
    array([[0, 0, 0, 0],
           [4, 1, 0, 0],
           [5, 2, 0, 0],
           [0, 0, 0, 0]])
    """

    __module__, __qualname__ = "ssop", "convert.Composition"

    calls: tuple[Call, ...]
    shape: Shape | None = None
    _fold: Fold | None = field(default=None, repr=False, compare=False)

    @property
    def region(self) -> Region | None:
        return None if self._fold is None else self._fold.region

    @property
    def permutation(self) -> tuple[int, ...] | None:
        return None if self._fold is None else self._fold.permutation

    @property
    def padding(self) -> tuple[tuple[int, int, int], ...] | None:
        return None if self._fold is None else self._fold.padding

    @property
    def value(self) -> complex | None:
        return None if self._fold is None else self._fold.value

    def at(self, shape: Any, **values: Any) -> Composition:
        """The same on a shape all of whose dims are known, with numbers for the run-time values."""
        dims = _core.read_shape(OP, "shape", shape)
        self._check(dims)
        calls = self._with(values, dims)
        return Composition(calls, read_shape(dims), _folded(calls, dims))

    def __call__(self, x: Any, out: Any = None, **values: Any) -> Any:
        """The result of the calls on an array, by one copy of an array of NumPy."""
        check_given(OP, "x", x)
        if is_foreign(x):
            dims = dims_of(x)
            if dims is not None:
                self._check(dims)
            numbers = read_values(values, self._names)
            for call in self.calls:
                x = call(x, **{name: numbers[name] for name in call._names})
            return x if out is None else _core.copy(x, out=out)
        array = _core.as_array(x)[...]
        if self._fold is None or array.shape != self._fold.in_shape or values:
            self._check(array.shape)
            return _folded(self._with(values, array.shape), array.shape)(array, out)
        return self._fold(array, out)

    @property
    def _names(self) -> set[str]:
        return {name for call in self.calls for name in call._names}

    def _with(self, values: Mapping[str, Any], dims: tuple[int, ...]) -> tuple[Call, ...]:
        """The calls with numbers for their run-time values."""
        numbers = read_values(values, self._names)
        return with_numbers(self.calls, numbers, dims) if _have_values(self.calls) else self.calls

    def __str__(self) -> str:
        if self._fold is not None:
            return str(self._fold)
        return f"one copy on every shape {self.shape or ''}".rstrip() + ": " + ", then ".join(map(str, self.calls))

    def _check(self, dims: tuple[int, ...]) -> None:
        if self.shape is not None:
            self.shape.check(dims)


def compose(calls: Any, shape: Any, assume: Mapping[Any, Any] | None) -> Composition:
    """What `ssop.convert.compose` does."""
    chain, shape = read_calls(calls), shape_of(calls, shape)
    check_no_update(chain)
    names = {name for call in chain for name in call._names}
    where = None if shape is None else read_shape(shape).assuming(assume)
    if where is not None:
        where.check_assumed(names)
    elif assume:
        message = "assume says more of the dims of a shape: give one, of which any dims may be unknown"
        raise value_error(OP, "cv_c4", message)
    if "out" in names:
        raise value_error(OP, "cv_c10", "a run-time value is called out, as is the array for the result", value="out")
    if where is not None and not _have_values(chain) and all(lengths.known for lengths in where.lengths):
        return Composition(chain, where).at([lengths.least for lengths in where.lengths])
    check_values(chain)
    return Composition(chain, where)
