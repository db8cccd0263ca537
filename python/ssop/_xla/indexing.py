"""The dimension numbers of Gather and Scatter: which axis of one array belongs to which axis of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ssop._errors import value_error

Array = np.ndarray[Any, Any]
INT64_MAX = 2**63 - 1


class Words(NamedTuple):
    """What an operation calls its dimension numbers."""

    op: str
    title: str
    operand: str
    indices: str
    window: str
    dropped: str
    index_map: str
    batching: str
    indices_batching: str


GATHER = Words(
    "xla.gather", "Gather", "operand", "start_indices", "offset_dims", "collapsed_slice_dims", "start_index_map",
    "operand_batching_dims", "start_indices_batching_dims",
)  # fmt: skip
SCATTER = Words(
    "xla.scatter", "Scatter", "operand", "scatter_indices", "update_window_dims", "inserted_window_dims",
    "scatter_dims_to_operand_dims", "input_batching_dims", "scatter_indices_batching_dims",
)  # fmt: skip


class Problem(NamedTuple):
    """What is wrong with dimension numbers, and the attributes of the error."""

    message: str
    value: int
    axis: int | None = None
    entry: int | None = None
    allowed: tuple[int, int] | None = None


def numbers_error(words: Words, of_gather: str, of_scatter: str, problem: Problem) -> Exception:
    """The error of a problem, by the label that the operation has for it."""
    message, value, axis, entry, allowed = problem
    label = of_gather if words is GATHER else of_scatter
    return value_error(words.op, label, message, value=value, axis=axis, entry=entry, allowed=allowed)


class Numbers(NamedTuple):
    """The dimension numbers of one call; `window` are offset_dims or update_window_dims, `dropped` what slices lack."""

    window: tuple[int, ...]
    dropped: tuple[int, ...]
    index_map: tuple[int, ...]
    batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    index_vector_dim: int

    def slices_shape(self, indices_shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of the indices without the axis along which one start lies: one item for each slice."""
        return tuple([dim for axis, dim in enumerate(indices_shape) if axis != self.index_vector_dim])

    def kept(self, rank: int) -> list[int]:
        """The operand's axes that a slice has."""
        return [axis for axis in range(rank) if axis not in self.dropped and axis not in self.batching]

    def order(self, rank: int) -> list[int]:
        """The axes of the updates: first those of the slices, then those within a slice."""
        return [*[axis for axis in range(rank) if axis not in self.window], *self.window]

    # ---- XLA's checks ----

    def check_index_vector(self, words: Words, indices_shape: Sequence[int]) -> None:
        """Of the axis along which a start lies."""
        at, rank = self.index_vector_dim, len(indices_shape)
        if 0 <= at <= rank:
            return
        told = (
            f"{words.title} index leaf dimension must be within [0, rank({words.indices}) + 1). rank({words.indices}) "
            f"is {rank} and {words.title.lower()} index leaf dimension is {at}."
        )
        problem = Problem(f"index_vector_dim is {at}, not in 0..{rank}: {told}", at, allowed=(0, rank))
        raise numbers_error(words, "ga_c2", "sct_c2", problem)

    def check_window(self, words: Words, rank: int) -> None:
        """Check offset_dims against the result's rank, and update_window_dims against the rank of the updates."""
        name = "Output window dimensions" if words is GATHER else words.window
        outside = (
            "Offset dimension {entry} in gather op is out of bounds; got {axis}, but should have been in [0, {rank})."
            if words is GATHER
            else "Invalid update_window_dims set in scatter op; valid range is [0, {rank}). got: {axis}."
        )
        problem = _not_ascending(self.window, words.window, f"{name} in {words.title.lower()} op")
        problem = problem or _outside(self.window, words.window, rank, outside)
        if problem is not None:
            raise numbers_error(words, "ga_c3", "sct_c7", problem)

    def check_map(self, words: Words, indices_shape: Sequence[int], rank: int) -> None:
        """Of the axes that the numbers of a start are for."""
        name, at, count = words.index_map, self.index_vector_dim, len(self.index_map)
        bound = indices_shape[at] if at < len(indices_shape) else 1
        if count != bound:
            told = (
                f"{words.title} op has {count} elements in {name} and the bound of dimension index_vector_dim={at} of "
                f"{words.indices} is {bound}. These two numbers must be equal."
            )
            problem = Problem(f"{name} has {count} entries, not {bound}: {told}", count, allowed=(bound, bound))
            raise numbers_error(words, "ga_c4", "sct_c11", problem)
        mapping = name if words is GATHER else f"{name} mapping"
        outside = f"Invalid {mapping}; domain is [0, {{rank}}), got: {{entry}}->{{axis}}."
        wrong = _outside(self.index_map, name, rank, outside) or _repeated(words, self.index_map, name)
        wrong = wrong or _shared(self.index_map, self.batching, name, words.batching)
        if wrong is not None:
            raise numbers_error(words, "ga_c5", "sct_c14", wrong)

    def check_dropped(self, words: Words, rank: int) -> None:
        """Of the axes that a slice lacks."""
        name = f"{words.dropped} in {words.title.lower()} op"
        outside = (
            f"Invalid {words.dropped} set in {words.title.lower()} op; valid range is [0, {{rank}}), got: {{axis}}."
        )
        problem = _not_ascending(self.dropped, words.dropped, name)
        problem = problem or _outside(self.dropped, words.dropped, rank, outside)
        if problem is not None:
            raise numbers_error(words, "ga_c6", "sct_c8", problem)

    def check_batching(self, words: Words, indices_shape: Sequence[int], shape: Sequence[int]) -> None:
        """Of the axes of the operand and of the indices that are walked together."""
        problem = self._batching_problem(words, indices_shape, shape)
        if problem is not None:
            raise numbers_error(words, "ga_c7", "sct_c9", problem)

    def _batching_problem(self, words: Words, indices_shape: Sequence[int], shape: Sequence[int]) -> Problem | None:
        axes, others = (self.batching, words.batching), (self.indices_batching, words.indices_batching)
        problem = _not_ascending(*axes, f"{words.batching} in {words.title.lower()} op")
        for numbers, name, rank in ((*axes, len(shape)), (*others, len(indices_shape))):
            outside = f"Invalid {name} set in {words.title.lower()} op; valid range is [0, {{rank}}), got: {{axis}}."
            problem = problem or _outside(numbers, name, rank, outside) or _repeated(words, numbers, name)
        if problem is not None:
            return problem
        wanted, count = len(self.batching), len(self.indices_batching)
        if count != wanted:
            message = f"{words.indices_batching} has {count} entries, and {words.batching} {wanted}"
            return Problem(message, count, allowed=(wanted, wanted))
        if (problem := _shared(*axes[:1], self.dropped, words.batching, words.dropped)) is not None:
            return problem
        if self.index_vector_dim in self.indices_batching:
            message = f"{words.indices_batching} has {self.index_vector_dim}, which is index_vector_dim"
            return Problem(message, self.index_vector_dim)
        for axis, other in zip(self.batching, self.indices_batching, strict=True):
            if shape[axis] != indices_shape[other]:
                message = (
                    f"axis {axis} of {words.operand} has length {shape[axis]}, and axis {other} of {words.indices} "
                    f"{indices_shape[other]}, which must be the same"
                )
                return Problem(message, shape[axis], axis)
        return None


def _not_ascending(axes: Sequence[int], name: str, told_name: str) -> Problem | None:
    for entry, (axis, after) in enumerate(zip(axes, axes[1:], strict=False), 1):
        if after <= axis:
            told = "must not repeat" if after == axis else "must be sorted"
            words = f"{told_name} {told}; got: {', '.join(map(str, axes))}."
            message = f"{name} is not in ascending order, entry {entry} is {after}: {words}"
            return Problem(message, after, entry=entry)
    return None


def _repeated(words: Words, axes: Sequence[int], name: str) -> Problem | None:
    for entry, axis in enumerate(axes):
        if axis in axes[:entry]:
            are = "are not" if words is GATHER else "not"
            told = f"Repeated dimensions {are} allowed in {name}; got: {', '.join(map(str, axes))}."
            return Problem(f"{name} entry {entry} is {axis} again: {told}", axis, entry=entry)
    return None


def _outside(axes: Sequence[int], name: str, rank: int, told: str) -> Problem | None:
    for entry, axis in enumerate(axes):
        if not 0 <= axis < rank:
            words = told.format(entry=entry, axis=axis, rank=rank)
            message = f"{name} entry {entry} is {axis}, not in 0..{rank - 1}: {words}"
            return Problem(message, axis, entry=entry, allowed=(0, rank - 1))
    return None


def _shared(axes: Sequence[int], others: Sequence[int], name: str, other_name: str) -> Problem | None:
    shared = set(axes) & set(others)
    return Problem(f"{name} and {other_name} both have {min(shared)}", min(shared)) if shared else None


def starts_of(indices: Array, numbers: Numbers, rank: int) -> dict[int, Array | None]:
    """Return for each axis of the operand where each slice starts there; None where all start at 0."""
    if indices.dtype == np.uint64:
        indices = np.minimum(indices, np.uint64(INT64_MAX))
    wide = indices.astype(np.int64)
    at = numbers.index_vector_dim
    vectors = np.moveaxis(wide, at, 0) if at < wide.ndim else wide[np.newaxis]
    starts: dict[int, Array | None] = dict.fromkeys(range(rank))
    for axis, start in zip(numbers.index_map, vectors, strict=True):
        starts[axis] = start
    shape = vectors.shape[1:]
    for axis, other in zip(numbers.batching, numbers.indices_batching, strict=True):  # ga_s3
        along = other - (other > at)
        position = np.arange(shape[along]).reshape([-1 if k == along else 1 for k in range(len(shape))])
        starts[axis] = np.broadcast_to(position, shape)
    return starts
