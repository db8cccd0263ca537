"""Calls of shape inference, and random partial knowledge of shapes and vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, TypeAlias

from ssop.testing.calls.call import Answer, Array, Dims, Named
from ssop.testing.calls.numbers import INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN

EXTREMES = (INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, 2**62)
LARGE_END = 2**48
Known: TypeAlias = "int | tuple[int, int | None] | None"
"""What is known of a dim or an element: the number, the least and the greatest number, or nothing."""


@dataclass(frozen=True)
class ShapeCall(Named):
    """A call of `ssop.infer_shape`, or of a rule of `PartialShape` if the dialect is "shape".

    `shape` is None for an unknown rank, else a list of `Known`; so are vectors among the arguments.

    >>> call = ShapeCall("tf.slice", [None, 4], {"begin": [1, 1], "size": [-1, None]})
    >>> print(call, "is", call.answer())
    ssop.infer_shape('tf.slice', [None, 4], begin=[1, 1], size=[-1, None]) is [(0, None), (0, None)]
    """

    op: str
    shape: list[Known] | None
    args: dict[str, Any] = field(default_factory=dict)
    mode: str = "tf"
    how: ClassVar[str] = ""
    arrays: ClassVar[tuple[Array, ...]] = ()

    def run(self) -> Any:
        """What ssop infers; `ssop.SliceError` where it raises."""
        from ssop import shapes

        if self.dialect == "shape":
            return RULES[self.name][0](shapes, self.shape, **self.args)
        return shapes.infer_shape(self.op, self.shape, mode=self.mode, **self.args)  # type: ignore[arg-type]

    def answer(self) -> Answer:
        """The same as an answer."""
        return Answer(dims=dims_of(self.run()))

    def __str__(self) -> str:
        args = {name: value for name, value in self.args.items() if not _is_default(name, value)}
        if self.dialect == "shape":
            return RULES[self.name][1].format(self.shape, **self.args)
        words = [repr(self.op), str(self.shape), *(f"{name}={value}" for name, value in args.items())]
        words += [] if self.mode == "tf" else [f"mode={self.mode!r}"]
        return f"ssop.infer_shape({', '.join(words)})"


def _is_default(name: str, value: Any) -> bool:
    return value is None or name.endswith("_mask") and not any(value if isinstance(value, list) else [value])


def dims_of(shape: Any) -> Dims:
    """The intervals of a `PartialShape`, without the end that no array reaches."""
    return Dims(None if shape.rank is None else tuple(map(without_large_end, shape.intervals)))


def without_large_end(interval: tuple[int, int | None]) -> tuple[int, int | None]:
    """An interval without the end that no array reaches: what is left of "any number" after some arithmetic."""
    lo, hi = interval
    return (lo, None) if hi is not None and hi >= LARGE_END and hi > lo else (lo, hi)


RULES: Mapping[str, tuple[Callable[..., Any], str]] = {
    "from_tensor": (
        lambda shapes, shape, values: shapes.PartialShape.from_tensor(values),
        "ssop.shapes.PartialShape.from_tensor({values})",
    ),
    "merge": (
        lambda shapes, shape, other: shapes.PartialShape(shape).merge(other),
        "ssop.shapes.PartialShape({}).merge({other})",
    ),
    "merge_of_inputs": (
        lambda shapes, shape, other: shapes.PartialShape(shape).merge(other),
        "ssop.shapes.PartialShape({}).merge({other})",
    ),
    "relax": (
        lambda shapes, shape, other: shapes.PartialShape(shape).relax(other, mode="tf"),
        "ssop.shapes.PartialShape({}).relax({other}, mode='tf')",
    ),
    "concatenate": (
        lambda shapes, shape, other: shapes.PartialShape(shape).concatenate(other),
        "ssop.shapes.PartialShape({}).concatenate({other})",
    ),
    "concatenate_values": (
        lambda shapes, shape, other: shapes.PartialShape(shape).concatenate(other),
        "ssop.shapes.PartialShape({}).concatenate({other})",
    ),
    "subshape": (
        lambda shapes, shape, start, end, stride: shapes.PartialShape(shape).subshape(start, end, stride),
        "ssop.shapes.PartialShape({}).subshape({start}, {end}, {stride})",
    ),
    "with_rank": (
        lambda shapes, shape, rank: shapes.PartialShape(shape).with_rank(rank),
        "ssop.shapes.PartialShape({}).with_rank({rank})",
    ),
    "with_rank_at_least": (
        lambda shapes, shape, rank: shapes.PartialShape(shape).with_rank_at_least(rank),
        "ssop.shapes.PartialShape({}).with_rank_at_least({rank})",
    ),
    "with_rank_at_most": (
        lambda shapes, shape, rank: shapes.PartialShape(shape).with_rank_at_most(rank),
        "ssop.shapes.PartialShape({}).with_rank_at_most({rank})",
    ),
    "add": (
        lambda shapes, shape, other: shapes.PartialShape([shapes.Dim(shape[0]).add(other[0], mode="tf")]),
        "ssop.shapes.PartialShape([ssop.shapes.Dim({0[0]}).add({other[0]}, mode='tf')])",
    ),
}
"""The rules of TensorFlow's shape functions: what ssop has for each, and its code."""


# Random knowledge


def random_dims(rng: Random, most: int = 4) -> list[int]:
    """A known shape."""
    return [rng.randint(0, 6) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, most)))]


def random_bound(rng: Random, dim: int) -> int:
    """An integer near the axis or, one in twelve, an extreme one."""
    return rng.choice(EXTREMES) if rng.random() < 0.08 else rng.randint(-dim - 2, dim + 2)


def hide(rng: Random, vector: Sequence[int], share: float = 0.4) -> list[Any]:
    """A vector that is known, or of which some elements are unknown, or all."""
    kind = rng.random()
    if kind < 1 - share:
        return list(vector)
    return [None if kind > 1 - share / 2 or rng.random() < 0.4 else value for value in vector]


def hide_dims(rng: Random, dims: Sequence[int]) -> list[Any] | None:
    """A shape of which each dim, or the rank, is unknown now and then."""
    return None if rng.random() < 0.04 else [None if rng.random() < 0.3 else dim for dim in dims]


def widen(rng: Random, value: int, unbounded: bool = False) -> Known:
    """An interval around a dim."""
    lo = rng.randint(max(0, value - 2), value)
    if unbounded:
        return (lo, None)
    hi = value + rng.randint(0, 3)
    return value if lo == hi else (lo, hi)
