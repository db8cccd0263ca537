"""Terms of operations that move data, over symbolic dims and starts: as text, as a call, and as data for a proof.

For each operation `OPERATIONS` has the rule of its shape, when it is no error, and where each element comes from.
These are expressions of the parameters and of the result's indices o0, o1, ..
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ssop._convert.expressions import (
    TRUE,
    Condition,
    Expression,
    Integer,
    Numbers,
    between,
    both,
    ceiling,
    expression,
    if_,
    maximum,
    minimum,
    names,
    negation,
)

Shape: TypeAlias = tuple[Expression, ...]


class Piece(NamedTuple):
    """Under a condition on the indices of the result, its element is this one of an operand."""

    condition: Condition
    operand: int
    place: tuple[Expression, ...]


@dataclass(frozen=True)
class Term:
    """An operation on terms; "array" is an operand, whose arguments are its name and its dims."""

    operation: str
    operands: tuple[Term, ...]
    arguments: tuple[Any, ...]

    @property
    def shape(self) -> Shape:
        return OPERATIONS[self.operation].shape(self)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def valid(self) -> Condition:
        """When neither it nor its operands are errors."""
        return both(*(operand.valid for operand in self.operands), OPERATIONS[self.operation].valid(self))

    @property
    def pieces(self) -> list[Piece]:
        """Where the elements come from; of an operand itself it is empty."""
        return OPERATIONS[self.operation].pieces(self)

    @property
    def arrays(self) -> dict[str, Shape]:
        """The operands by name, in the order of the text."""
        if self.operation == "array":
            return {self.arguments[0]: self.arguments[1]}
        return {name: dims for operand in self.operands for name, dims in operand.arrays.items()}

    def names(self) -> set[str]:
        """The parameters."""
        return set().union(_names(self.arguments), *(operand.names() for operand in self.operands))

    def replaced(self, values: Mapping[str, Integer]) -> Term:
        operands = tuple(operand.replaced(values) for operand in self.operands)
        return Term(self.operation, operands, _mapped(self.arguments, lambda x: x.replaced(values)))

    def run(self, arrays: Mapping[str, Any], numbers: Numbers, functions: Any) -> Any:
        """The value on arrays, by functions that are named like those of jax.lax."""
        if self.operation == "array":
            return arrays[self.arguments[0]]
        operands = [operand.run(arrays, numbers, functions) for operand in self.operands]
        arguments = _mapped(self.arguments, lambda x: x.value(numbers))
        return OPERATIONS[self.operation].run(functions, operands, arguments)

    def __str__(self) -> str:
        return OPERATIONS[self.operation].text(self)


class Operation(NamedTuple):
    """The rules of an operation, as functions of its term."""

    shape: Callable[[Term], Shape]
    valid: Callable[[Term], Condition]
    pieces: Callable[[Term], list[Piece]]
    run: Callable[[Any, list[Any], tuple[Any, ...]], Any]
    text: Callable[[Term], str]


def _mapped(value: Any, function: Callable[[Expression], Any]) -> Any:
    """Nested tuples with each expression replaced."""
    if isinstance(value, tuple):
        return tuple(_mapped(item, function) for item in value)
    return function(value) if isinstance(value, Expression) else value


def _names(value: Any) -> set[str]:
    if isinstance(value, tuple):
        return set().union(*map(_names, value))
    return value.names() if isinstance(value, Expression) else set()


def indices(rank: int) -> list[Expression]:
    return names(" ".join(f"o{axis}" for axis in range(rank)))


def _vector(values: Integer | Sequence[Integer]) -> Shape:
    return tuple(map(expression, values if isinstance(values, (tuple, list)) else [values]))


def _no_condition(term: Term) -> Condition:
    return TRUE


def _listed(term: Term, name: str | None = None, hidden: int = 0) -> str:
    """The term as a call; of lists with one item the item alone is shown, and not the last `hidden` arguments."""
    shown = [_argument(value) for value in term.arguments[: len(term.arguments) - hidden]]
    return f"{name or term.operation}({', '.join([*map(str, term.operands), *shown])})"


def _argument(value: Any) -> str:
    if isinstance(value, tuple):
        items = [_argument(item) for item in value]
        return items[0] if len(items) == 1 and not isinstance(value[0], int) else f"[{', '.join(items)}]"
    return str(value)


# ---- operands ------------------------------------------------------------------------------------------------------


def array(name: str, *dims: Integer) -> Term:
    """An operand; without dims it is a scalar."""
    return Term("array", (), (name, _vector(dims)))


_ARRAY = Operation(
    lambda term: term.arguments[1],
    lambda term: both(*(0 <= dim for dim in term.arguments[1])),
    lambda term: [],
    lambda functions, operands, arguments: None,
    lambda term: str(term.arguments[0]),
)


# ---- slices --------------------------------------------------------------------------------------------------------


def slice_(x: Term, starts: Any, limits: Any, strides: Any = 1) -> Term:
    """XLA's Slice: bounds inside the axis, positive strides. One stride is that of all axes."""
    first = _vector(starts)
    steps = _vector(strides)
    return Term("slice", (x,), (first, _vector(limits), steps * len(first) if len(steps) == 1 else steps))


def _slice_valid(term: Term) -> Condition:
    rows = zip(*term.arguments[:2], term.operands[0].shape, strict=True)
    return both(*(between(0, start, limit, dim) for start, limit, dim in rows))


def _slice_pieces(term: Term) -> list[Piece]:
    starts, _, strides = term.arguments
    places = zip(starts, strides, indices(term.rank), strict=True)
    return [Piece(TRUE, 0, tuple(start + stride * o for start, stride, o in places))]


_SLICE = Operation(
    lambda term: tuple(ceiling(limit - start, stride) for start, limit, stride in zip(*term.arguments, strict=True)),
    _slice_valid,
    _slice_pieces,
    lambda functions, operands, arguments: functions.slice(operands[0], *arguments),
    lambda term: _listed(term, hidden=all(stride.number == 1 for stride in term.arguments[2])),
)


def index(x: Term, begin: Integer | None, end: Integer | None, stride: Integer = 1) -> Term:
    """x[begin:end:stride] on the only axis: bounds from the end, outside the axis, or missing; any stride but 0."""
    bounds = (None if bound is None else expression(bound) for bound in (begin, end))
    return Term("index", (x,), (*bounds, expression(stride)))


def _bounds(term: Term) -> tuple[Expression, Expression, int]:
    """First element, end and stride, after the rule for negative and far bounds."""
    begin, end, stride = term.arguments
    (dim,) = term.operands[0].shape
    step = stride.number
    low, high = (expression(0), dim) if step > 0 else (expression(-1), dim - 1)

    def inside(bound: Expression) -> Expression:
        return if_(bound < 0, maximum(low, bound + dim), minimum(high, bound))

    first, last = (low, high) if step > 0 else (high, low)
    return first if begin is None else inside(begin), last if end is None else inside(end), step


def _index_shape(term: Term) -> Shape:
    begin, end, step = _bounds(term)
    span = end - begin if step > 0 else begin - end
    return (maximum(0, ceiling(span, abs(step))),)


def _index_pieces(term: Term) -> list[Piece]:
    begin, _, step = _bounds(term)
    (o,) = indices(1)
    return [Piece(TRUE, 0, (begin + step * o,))]


def _index_text(term: Term) -> str:
    begin, end, stride = ("" if bound is None else str(bound) for bound in term.arguments)
    (x,) = term.operands
    return f"{x}[{begin}:{end}{'' if stride == '1' else f':{stride}'}]"


_INDEX = Operation(
    _index_shape,
    _no_condition,
    _index_pieces,
    lambda functions, operands, arguments: functions.index(operands[0], slice(*arguments)),
    _index_text,
)


def dynamic_slice(x: Term, starts: Any, sizes: Any) -> Term:
    """XLA's DynamicSlice: starts are clamped so that the window lies inside the axis."""
    return Term("dynamic_slice", (x,), (_vector(starts), _vector(sizes)))


def _clamped(starts: Shape, sizes: Shape, dims: Shape) -> list[Expression]:
    return [maximum(0, minimum(a, dim - size)) for a, size, dim in zip(starts, sizes, dims, strict=True)]


def _window_pieces(term: Term) -> list[Piece]:
    starts, sizes = term.arguments
    first = _clamped(starts, sizes, term.operands[0].shape)
    return [Piece(TRUE, 0, tuple(start + o for start, o in zip(first, indices(term.rank), strict=True)))]


_DYNAMIC_SLICE = Operation(
    lambda term: term.arguments[1],
    lambda term: both(*(between(0, s, dim) for s, dim in zip(term.arguments[1], term.operands[0].shape, strict=True))),
    _window_pieces,
    lambda functions, operands, arguments: functions.dynamic_slice(operands[0], *arguments),
    _listed,
)


def dynamic_update_slice(x: Term, update: Term, starts: Any) -> Term:
    """XLA's DynamicUpdateSlice: starts are clamped so that the window lies inside the axis."""
    return Term("dynamic_update_slice", (x, update), (_vector(starts),))


def _update_pieces(term: Term) -> list[Piece]:
    x, update = term.operands
    outs = indices(x.rank)
    first = _clamped(term.arguments[0], update.shape, x.shape)
    places = [o - start for o, start in zip(outs, first, strict=True)]
    inside = both(*(both(0 <= place, place < size) for place, size in zip(places, update.shape, strict=True)))
    return [Piece(inside, 1, tuple(places)), Piece(negation(inside), 0, tuple(outs))]


_DYNAMIC_UPDATE_SLICE = Operation(
    lambda term: term.operands[0].shape,
    lambda term: both(*(u <= dim for u, dim in zip(term.operands[1].shape, term.operands[0].shape, strict=True))),
    _update_pieces,
    lambda functions, operands, arguments: functions.dynamic_update_slice(*operands, *arguments),
    _listed,
)


# ---- pad, reverse, concatenate ---------------------------------------------------------------------------------------


def pad(x: Term, value: Term, low: Any, high: Any, interior: Any = 0) -> Term:
    """XLA's Pad: negative low and high remove elements, after interior padding. One interior is that of all axes."""
    first = _vector(low)
    inner = _vector(interior)
    return Term("pad", (x, value), (first, _vector(high), inner * len(first) if len(inner) == 1 else inner))


def _padded_shape(term: Term) -> Shape:
    rows = zip(*term.arguments, term.operands[0].shape, strict=True)
    return tuple(low + high + dim + interior * maximum(dim - 1, 0) for low, high, interior, dim in rows)


def _padded_pieces(term: Term) -> list[Piece]:
    low, _, interior = term.arguments
    dims = term.operands[0].shape
    inside, places = TRUE, []
    for o, before, inner, dim in zip(indices(term.rank), low, interior, dims, strict=True):
        place = (o - before) // (inner + 1)
        inside &= both(0 <= place, place < dim, ((o - before) % (inner + 1)).equals(0))
        places.append(place)
    return [Piece(inside, 0, tuple(places)), Piece(negation(inside), 1, ())]


_PAD = Operation(
    _padded_shape,
    lambda term: both(*(0 <= dim for dim in term.shape), *(0 <= interior for interior in term.arguments[2])),
    _padded_pieces,
    lambda functions, operands, arguments: functions.pad(*operands, list(zip(*arguments, strict=True))),
    lambda term: _listed(term, hidden=all(interior.number == 0 for interior in term.arguments[2])),
)


def rev(x: Term, *dimensions: int) -> Term:
    return Term("rev", (x,), (dimensions,))


def _reversed_pieces(term: Term) -> list[Piece]:
    (dimensions,) = term.arguments
    outs = zip(indices(term.rank), term.shape, strict=True)
    return [Piece(TRUE, 0, tuple(dim - 1 - o if axis in dimensions else o for axis, (o, dim) in enumerate(outs)))]


_REV = Operation(
    lambda term: term.operands[0].shape,
    _no_condition,
    _reversed_pieces,
    lambda functions, operands, arguments: functions.rev(operands[0], *arguments),
    lambda term: _listed(term, hidden=term.rank == 1),
)


def concatenate(terms: Sequence[Term], dimension: int = 0) -> Term:
    return Term("concatenate", tuple(terms), (dimension,))


def _joined_shape(term: Term) -> Shape:
    (axis,) = term.arguments
    dims = list(term.operands[0].shape)
    for operand in term.operands[1:]:
        dims[axis] = dims[axis] + operand.shape[axis]
    return tuple(dims)


def _joined_valid(term: Term) -> Condition:
    (axis,) = term.arguments
    first, *others = [operand.shape for operand in term.operands]
    pairs = (pair for other in others for pair in enumerate(zip(first, other, strict=True)))
    return both(*(one.equals(two) for number, (one, two) in pairs if number != axis and one != two))


def _joined_pieces(term: Term) -> list[Piece]:
    (axis,) = term.arguments
    outs = indices(term.rank)
    before = expression(0)
    pieces = []
    for number, operand in enumerate(term.operands):
        place = outs[axis] - before
        condition = both(0 <= place, place < operand.shape[axis])
        pieces.append(Piece(condition, number, (*outs[:axis], place, *outs[axis + 1 :])))
        before = before + operand.shape[axis]
    return pieces


def _joined_text(term: Term) -> str:
    axis = f", {term.arguments[0]}" if term.rank > 1 else ""
    return f"concatenate([{', '.join(map(str, term.operands))}]{axis})"


_CONCATENATE = Operation(
    _joined_shape,
    _joined_valid,
    _joined_pieces,
    lambda functions, operands, arguments: functions.concatenate(operands, *arguments),
    _joined_text,
)


# ---- axes ------------------------------------------------------------------------------------------------------------


def transpose(x: Term, *permutation: int) -> Term:
    return Term("transpose", (x,), (permutation,))


def _transposed_pieces(term: Term) -> list[Piece]:
    (permutation,) = term.arguments
    outs = indices(term.rank)
    return [Piece(TRUE, 0, tuple(outs[permutation.index(axis)] for axis in range(term.rank)))]


_TRANSPOSE = Operation(
    lambda term: tuple(term.operands[0].shape[axis] for axis in term.arguments[0]),
    _no_condition,
    _transposed_pieces,
    lambda functions, operands, arguments: functions.transpose(operands[0], *arguments),
    _listed,
)


def expand_dims(x: Term, axis: int) -> Term:
    """A reshape that adds an axis of length 1."""
    return Term("expand_dims", (x,), ((axis,),))


def squeeze(x: Term, axis: int) -> Term:
    """A reshape that drops an axis of length 1."""
    return Term("squeeze", (x,), ((axis,),))


def _without(axis: int, items: Sequence[Any]) -> tuple[Any, ...]:
    return (*items[:axis], *items[axis + 1 :])


def _with(axis: int, items: Sequence[Any], item: Any) -> tuple[Any, ...]:
    return (*items[:axis], item, *items[axis:])


def _reshaped(change: Callable[..., tuple[Any, ...]], *item: Any) -> Callable[[Any, list[Any], tuple[Any, ...]], Any]:
    def run(functions: Any, operands: list[Any], arguments: tuple[Any, ...]) -> Any:
        (x,), ((axis,),) = operands, arguments
        return functions.reshape(x, change(axis, x.shape, *item))

    return run


_EXPAND_DIMS = Operation(
    lambda term: _with(term.arguments[0][0], term.operands[0].shape, expression(1)),
    _no_condition,
    lambda term: [Piece(TRUE, 0, _without(term.arguments[0][0], indices(term.rank)))],
    _reshaped(_with, 1),
    _listed,
)
_SQUEEZE = Operation(
    lambda term: _without(term.arguments[0][0], term.operands[0].shape),
    lambda term: term.operands[0].shape[term.arguments[0][0]].equals(1),
    lambda term: [Piece(TRUE, 0, _with(term.arguments[0][0], indices(term.rank), expression(0)))],
    _reshaped(_without),
    _listed,
)


def broadcast(x: Term, *sizes: Integer) -> Term:
    """XLA's Broadcast: new axes before those of the operand."""
    return Term("broadcast", (x,), (_vector(sizes),))


_BROADCAST = Operation(
    lambda term: (*term.arguments[0], *term.operands[0].shape),
    lambda term: both(*(0 <= size for size in term.arguments[0])),
    lambda term: [Piece(TRUE, 0, tuple(indices(term.rank)[len(term.arguments[0]) :]))],
    lambda functions, operands, arguments: functions.broadcast(operands[0], *arguments),
    _listed,
)


def broadcast_in_dim(x: Term, shape: Sequence[Integer], *dimensions: int) -> Term:
    """XLA's BroadcastInDim: axis k of the operand, repeated if it has length 1, becomes axis `dimensions[k]`."""
    return Term("broadcast_in_dim", (x,), (_vector(tuple(shape)), dimensions))


def _spread_valid(term: Term) -> Condition:
    shape, dimensions = term.arguments
    pairs = zip(term.operands[0].shape, dimensions, strict=True)
    fits = (dim.equals(shape[axis]) | dim.equals(1) for dim, axis in pairs if dim != shape[axis])
    return both(*(0 <= dim for dim in shape), *fits)


def _spread_pieces(term: Term) -> list[Piece]:
    _, dimensions = term.arguments
    outs = indices(term.rank)
    pairs = zip(term.operands[0].shape, dimensions, strict=True)
    return [Piece(TRUE, 0, tuple(if_(dim.equals(1), 0, outs[axis]) for dim, axis in pairs))]


_BROADCAST_IN_DIM = Operation(
    lambda term: term.arguments[0],
    _spread_valid,
    _spread_pieces,
    lambda functions, operands, arguments: functions.broadcast_in_dim(operands[0], *arguments),
    _listed,
)

OPERATIONS = {
    "array": _ARRAY,
    "slice": _SLICE,
    "index": _INDEX,
    "dynamic_slice": _DYNAMIC_SLICE,
    "dynamic_update_slice": _DYNAMIC_UPDATE_SLICE,
    "pad": _PAD,
    "rev": _REV,
    "concatenate": _CONCATENATE,
    "transpose": _TRANSPOSE,
    "expand_dims": _EXPAND_DIMS,
    "squeeze": _SQUEEZE,
    "broadcast": _BROADCAST,
    "broadcast_in_dim": _BROADCAST_IN_DIM,
}
