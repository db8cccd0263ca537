"""The shape that a conversion is proved for: an interval of lengths per axis, perhaps with a name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from ssop._convert.errors import OP
from ssop._convert.proofs import Lengths
from ssop._convert.rules import INT64_MAX
from ssop._convert.runtime_proofs import Assumed, read_assumed
from ssop._core import Dim, PartialShape, SliceError, read_integers
from ssop._errors import kind_of, renamed, type_error, value_error
from ssop._vectors import entries, items


class Shape(NamedTuple):
    """The lengths of each axis, and their names ("" where an axis has none)."""

    lengths: tuple[Lengths, ...]
    names: tuple[str, ...]
    known_rank: bool = True
    assumed: Assumed = ()
    """What is assumed of run-time values."""

    def __str__(self) -> str:
        shown = [
            name
            + ("" if name and dim == Lengths() else f" in {dim}" if name else str(dim) if dim != Lengths() else "?")
            for name, dim in zip(self.names, self.lengths, strict=True)
        ]
        return "(" + ", ".join([*shown] if self.known_rank else [*shown, "..."]) + ")"

    def assuming(self, assume: Mapping[Any, Any] | None) -> Shape:
        """The shape with fewer lengths on some axes: what `assume` allows of each."""
        if assume is None:
            return self
        if not isinstance(assume, Mapping):
            message = f"assume is {kind_of(assume)}, not a dict from axes to dims such as {{0: (3, None)}}"
            raise type_error(OP, "cv_c3", message, value=assume)
        given = entries(assume)
        assumed = read_assumed({name: bounds for name, bounds in given.items() if isinstance(name, str)})
        lengths = list(self.lengths)
        for axis, dim in given.items():
            if isinstance(axis, str):
                continue
            (number,) = read_integers(OP, "assume", [axis])
            if not 0 <= number < len(lengths):
                message = f"assume has axis {number}, not in 0..{len(lengths) - 1}"
                raise value_error(OP, "cv_c2", message, value=number, allowed=(0, len(lengths) - 1))
            least, most = _interval("assume", number, dim)
            lengths[number] = Lengths(max(least, lengths[number].least), min(most, lengths[number].most))
            if lengths[number].least > lengths[number].most:
                message = f"axis {number}: no dim of the shape is as assumed: {dim} and {self.lengths[number]}"
                raise value_error(OP, "cv_c2", message, axis=number)
        return self._replace(lengths=tuple(lengths), assumed=assumed)

    def check(self, dims: tuple[int, ...]) -> None:
        """Raise for the dims of an array that are none of this shape."""
        enough = len(dims) == len(self.lengths) or (len(dims) > len(self.lengths) and not self.known_rank)
        pairs = zip(dims, self.lengths, strict=False)
        if not (enough and all(lengths.least <= dim <= lengths.most for dim, lengths in pairs)):
            raise value_error(OP, "cv_c13", f"the shape is {dims}, not {self}", value=dims)

    def check_assumed(self, names: Collection[str]) -> None:
        """Raise if something is assumed of a name that none of the run-time values has."""
        unused = next((name for name, _ in self.assumed if name not in names), None)
        if unused is not None:
            known = f"the run-time values are {', '.join(sorted(names))}" if names else "there are no run-time values"
            hint = f"; dim {unused!r} is axis {self.names.index(unused)}" if unused in self.names else ""
            raise value_error(OP, "cv_c10", f"assume has {unused!r}, but {known}{hint}", value=unused)

    def at_most(self, most: int) -> Shape:
        """The shape without the lengths that a target's tensors cannot have."""
        for axis, dim in enumerate(self.lengths):
            if dim.least > most:
                message = (
                    f"shape: dim {axis} is at least {dim.least}; tensors of the target have dims of at most {most}"
                )
                raise value_error(OP, "cv_c9", message, axis=axis, value=dim.least, allowed=(0, most))
        return self._replace(lengths=tuple(Lengths(dim.least, min(dim.most, most)) for dim in self.lengths))


def read_shape(shape: Any) -> Shape:
    """A shape of dims: integers, None, pairs, names, or `ssop.shapes.Dim`; or a `ssop.shapes.PartialShape`."""
    if isinstance(shape, Shape):
        return shape
    dims = _dims(shape) if isinstance(shape, PartialShape) else items(OP, "shape", shape)
    names = tuple(dim if isinstance(dim, str) else _name(dim) if isinstance(dim, Dim) else "" for dim in dims)
    lengths = tuple(Lengths(*_interval("shape", axis, dim)) for axis, dim in enumerate(dims))
    return Shape(lengths, names)


def shape_of(calls: Any, shape: Any) -> Any:
    """The shape that is given, or that of a node of a model; None for every shape."""
    if isinstance(shape, PartialShape) and shape.rank is None:
        shape = None
    return getattr(calls, "_operand_shape", None) if shape is None else shape


PLAIN = (list, tuple, int, float, complex, np.generic)


def is_foreign(x: object) -> bool:
    """Whether an operand is an array of another library, or of a subclass, which has meanings of its own."""
    return type(x) is not np.ndarray and not isinstance(x, PLAIN)


def dims_of(x: Any) -> tuple[int, ...] | None:
    """The dims of an array of another library; None if it does not say all of them."""
    try:
        dims = tuple(x.shape)
    except (AttributeError, TypeError):
        return None
    return dims if all(isinstance(dim, int) for dim in dims) else None


def _dims(shape: PartialShape) -> list[Any]:
    if shape.rank is None:
        raise type_error(OP, "in_c5", "shape is of unknown rank, not a sequence of dims", value=shape)
    return [shape.dim(axis) for axis in range(shape.rank)]


def _name(dim: Dim) -> str:
    return dim.formula if dim.value is None and dim.formula is not None else ""


def any_shape(rank: int) -> Shape:
    """Every shape of this rank or a greater one: axes behind the last one that the calls name stay whole."""
    return Shape((Lengths(),) * rank, ("",) * rank, False)


def _interval(argument: str, axis: int, dim: Any) -> tuple[int, int]:
    if isinstance(dim, tuple) and len(dim) == 2:  # read once, exactly: a Dim of over 2^61 has no greatest number
        dim = tuple(None if bound is None else read_integers(OP, "shape", [bound])[0] for bound in dim)
    try:
        least, most = Dim(dim).interval
    except SliceError as error:
        if error.label != "sh_c24":
            raise _of_axis(error, argument, axis) from None
        message = f"{argument}: dim {axis} is {dim}, not in 0..{INT64_MAX}; None is a dim that is not known"
        raise value_error(OP, "sh_c24", message, value=dim, allowed=(0, INT64_MAX)) from None
    if most is None and isinstance(dim, tuple):
        most = dim[1]
    return least, INT64_MAX if most is None else most


def _of_axis(error: SliceError, argument: str, axis: int) -> SliceError:
    """The error of a Dim as one of the dim of a shape."""
    where = f"Dim: {argument}: dim {axis}"
    error.args = (str(error).replace("Dim: value: ", f"{where}, ", 1).replace("Dim: value", where, 1),)
    return renamed(error, OP)
