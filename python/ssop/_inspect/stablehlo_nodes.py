"""The slices of a module that MLIR has parsed: how each is a call of `ssop.xla`, and what computes its bounds."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from ssop._inspect import mlir_dialects
from ssop._inspect.folding import Unknown, Value, argument, array_of, progression, rearranged
from ssop._inspect.limits import Damaged, text
from ssop._inspect.records import Dim, NodeCall, RunTime, SliceNode
from ssop._inspect.stablehlo_values import Values, integers_of, short, tensor_shape
from ssop.stablehlo._parsing import jaxlib, place_of, source_of

Calls = tuple[NodeCall, ...]


class Walk:
    """All operations of a module, in the order of the text, and the slices among them."""

    def __init__(self, module: Any, path: str) -> None:
        self.module, self.path = module, path
        self.operators = 0
        self.values = Values(module)
        self.absorbed: set[Any] = set()
        """Operations that are parts of a node that stands before them."""

    def nodes(self) -> Iterator[SliceNode]:
        for top in self.module.body.operations:
            function = top.operation
            is_function = str(function.name) == "func.func"
            names = Names(function if is_function else self.module.operation)
            graph = self.values.name_of_function(function)
            for operation, place in self._inside(function, graph, names, outermost=is_function):
                self.operators += 1
                reader = READERS.get(str(operation.name))
                if reader is None or operation in self.absorbed:
                    continue
                node = Reading(self, operation, names).node(reader, place)
                if node is not None:
                    yield node

    def _inside(self, top: Any, graph: str, names: Names, outermost: bool) -> Iterator[tuple[Any, str]]:
        """The operations inside of one, each with the path of its region; the stack is a list: files nest deeply."""
        stack = [self._children(top, graph, None) if outermost else iter([(top, graph)])]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
                continue
            yield found
            if len(found[0].regions):
                stack.append(self._children(*found, names))

    @staticmethod
    def _children(operation: Any, place: str, names: Names | None) -> Iterator[tuple[Any, str]]:
        for number, region in enumerate(operation.regions):
            inner = place if names is None else f"{place[:1024]}/{names.of(operation)}.{_region(operation, number)}"
            for block in region.blocks:
                for child in block.operations:
                    yield child.operation, inner


class Names:
    """The names of the values of one function, as MLIR prints them."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.state: Any = None

    def value(self, value: Any) -> str:
        if self.state is None:  # numbers all values of the function
            self.state = jaxlib().ir.AsmState(self.function)
        return text(str(value.get_name(self.state)))

    def of(self, operation: Any) -> str:
        kind = short(operation)
        return f"{kind}({self.value(operation.results[0])})" if len(operation.results) else kind


REGIONS = {"while": ("cond", "body"), "if": ("true", "false")}


def _region(operation: Any, number: int) -> str:
    kind = short(operation)
    names = REGIONS.get(kind, ())
    return names[number] if number < len(names) else f"{'branch' if kind == 'case' else 'region'}{number}"


class Reading:
    """What the reader of an operation needs."""

    def __init__(self, walk: Walk, operation: Any, names: Names) -> None:
        self.walk, self.operation, self.names = walk, operation, names
        self.notes: list[str] = []

    def node(self, reader: Callable[[Reading], Calls | None], place: str) -> SliceNode | None:
        try:
            calls = reader(self)
        except (IndexError, ValueError) as error:  # of a dialect whose verifier is not here
            raise Damaged(f"{place_of(self.operation)}: {self.operation.name}: {error}") from None
        if calls is None:
            return None
        kinds, last = [str(self.operation.name)], self.operation
        if self.operation.name in SLICES:
            for following in self._behind():
                calls, last = (*calls, following[0]), following[1]
                kinds.append(str(last.name))
        operand = self.operation.operands[0]
        result = last.results[0]
        return SliceNode(
            name=self.names.value(result),
            operator=" + ".join(kinds),
            calls=calls,
            operand=self.names.value(operand),
            result=self.names.value(result),
            input_shape=tensor_shape(operand),
            declared_shape=tensor_shape(result),
            dtype=_element_type(operand),
            graph=text(place),
            source=_source(self.operation.location, self.walk.path),
            notes=tuple(self.notes),
        )

    def vector(self, name: str, default: int) -> tuple[int, ...]:
        """An attribute that is a vector with an integer per axis."""
        found = self.attribute(name)
        return (default,) * len(self.shape(0)) if found is None else integers_of(found)

    def attribute(self, name: str) -> Any:
        attributes = self.operation.attributes
        return attributes[name] if name in attributes else None

    def shape(self, number: int) -> tuple[Dim, ...]:
        return tensor_shape(self.operation.operands[number]) or ()

    def operand(self, number: int) -> Any:
        """A vector that an operand gives, as an argument of a call."""
        value = self.operation.operands[number]
        return argument(self.walk.values.of(value), self.names.value(value))

    def scalars(self, first: int) -> Any:
        """A vector whose integers are the operands from a number on."""
        values = list(self.operation.operands)[first:]
        found = [self.walk.values.of(value) for value in values]
        items = [value if isinstance(value, Unknown) else value.reshape(-1)[0] for value in found]
        names = [
            self.names.value(value) for value, item in zip(values, items, strict=True) if isinstance(item, Unknown)
        ]
        return argument(array_of(items), ", ".join(names))

    def _behind(self) -> Iterator[tuple[NodeCall, Any]]:
        """The reversal and the reshape that follow a slice, if nothing else uses it: parts of one index."""
        last = self.operation
        for _ in range(MAX_BEHIND):
            users = [use.owner for use in islice(last.results[0].uses, 2)]
            if len(users) != 1 or users[0].operation.name not in FOLLOWERS:
                return
            last = users[0].operation
            call = FOLLOWERS[str(last.name)](last)
            if call is None:
                return
            self.walk.absorbed.add(last)
            yield call, last


def _source(location: Any, path: str) -> str | None:
    """The file and the line of a location, or its name."""
    file, line, name = source_of(location)
    if line is not None:
        return text(f"{path if file == '-' else file}:{line}")
    return None if name is None else text(name)


def _element_type(value: Any) -> str | None:
    return str(value.type.element_type) if hasattr(value.type, "element_type") else None


# ---- readers of one operation each ---------------------------------------------------------------------------------


def _slice(reading: Reading) -> Calls:
    names = ("start_indices", "limit_indices", "strides")
    return (NodeCall("xla.slice", {name: reading.vector(name, 1) for name in names}),)


def _real_dynamic_slice(reading: Reading) -> Calls:
    names = ("start_indices", "limit_indices", "strides")
    return (NodeCall("xla.slice", {name: reading.operand(number) for number, name in enumerate(names, 1)}),)


def _dynamic_slice(reading: Reading) -> Calls:
    sizes = reading.vector("slice_sizes", 1)
    return (NodeCall("xla.dynamic_slice", {"start_indices": reading.scalars(1), "slice_sizes": sizes}),)


def _dynamic_update_slice(reading: Reading) -> Calls:
    sizes: Any = reading.shape(1)
    if not all(isinstance(dim, int) for dim in sizes):
        known = tuple([dim if isinstance(dim, int) else None for dim in sizes])
        sizes = RunTime(reading.names.value(reading.operation.operands[1]), "the update's shape", known)
    return (NodeCall("xla.dynamic_update_slice", {"start_indices": reading.scalars(2), "update_shape": sizes}),)


def _reverse(reading: Reading) -> Calls:
    return (NodeCall("xla.rev", {"dimensions": reading.vector("dimensions", 0)}),)


def _pad(reading: Reading) -> Calls:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return (NodeCall("xla.pad", {name: reading.vector(name, 0) for name in names}),)


def _dynamic_pad(reading: Reading) -> Calls:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return (NodeCall("xla.pad", {name: reading.operand(number) for number, name in enumerate(names, 2)}),)


def _gather(reading: Reading) -> Calls | None:
    return _gathered(reading, reading.vector("slice_sizes", 1))


def _dynamic_gather(reading: Reading) -> Calls | None:
    return _gathered(reading, reading.operand(2))


def _gathered(reading: Reading, sizes: Any) -> Calls | None:
    """The calls that a gather is, if it is a slice."""
    numbers = jaxlib().attributes.GatherDimensionNumbers(reading.attribute("dimension_numbers"))
    if list(numbers.operand_batching_dims):
        return None
    indices = reading.walk.values.of(reading.operation.operands[1])
    axis, dims = numbers.index_vector_dim, tensor_shape(reading.operation.operands[1])
    if dims is None or not all(isinstance(dim, int) for dim in dims):
        return None
    vectors = 1
    for place, dim in enumerate(dims):
        vectors *= 1 if place == axis or not isinstance(dim, int) else dim
    if vectors == 1:
        return _one_window(reading, numbers, indices, sizes)
    return _progression(reading, numbers, indices, sizes) if len(dims) - (axis < len(dims)) == 1 else None


def _one_window(reading: Reading, numbers: Any, indices: Value, sizes: Any) -> Calls:
    """A gather of one window: a dynamic slice that loses its collapsed axes and has a new axis per axis of indices."""
    mapped = list(numbers.start_index_map)
    flat = rearranged("gather", lambda x: x.reshape(-1), indices)
    items: list[Any] = [0] * len(reading.shape(0))
    for place, axis in enumerate(mapped):
        items[axis] = flat if isinstance(flat, Unknown) else flat[place]
    start = argument(array_of(items), reading.names.value(reading.operation.operands[1]))
    calls = [NodeCall("xla.dynamic_slice", {"start_indices": start, "slice_sizes": sizes})]
    if len(numbers.collapsed_slice_dims):
        calls.append(NodeCall("xla.squeeze", {"dimensions": tuple(numbers.collapsed_slice_dims)}))
    rank = len(tensor_shape(reading.operation.results[0]) or ())
    new = tuple([axis for axis in range(rank) if axis not in list(numbers.offset_dims)])
    if new:
        calls.append(NodeCall("xla.expand_dims", {"dimensions": new}))
    return tuple(calls)


def _progression(reading: Reading, numbers: Any, indices: Value, sizes: Any) -> Calls | None:
    """A gather of whole windows at equal distances along one axis: a slice, reversed if the distance is negative."""
    mapped, collapsed = list(numbers.start_index_map), list(numbers.collapsed_slice_dims)
    shape = reading.shape(0)
    if isinstance(indices, Unknown) or len(mapped) != 1 or collapsed != mapped or isinstance(sizes, RunTime):
        return None
    (axis,) = mapped
    others = [place for place in range(len(shape)) if place != axis]
    dim, items = shape[axis], indices.reshape(-1).tolist()
    if not isinstance(dim, int) or any(isinstance(item, Unknown) for item in items):
        return None
    if list(numbers.offset_dims) != others or any(sizes[place] != shape[place] for place in others):
        return None
    clamped = [min(max(item, 0), dim - 1) for item in items]  # as XLA does
    step = progression(clamped)
    if step is None:
        return None
    if clamped != items:
        reading.notes.append("some indices are outside the axis, and are clamped")
    starts = [min(clamped) if place == axis else 0 for place in range(len(shape))]
    limits = [max(clamped) + 1 if place == axis else shape[place] for place in range(len(shape))]
    strides = [abs(step) if place == axis else 1 for place in range(len(shape))]
    vectors = {"start_indices": starts, "limit_indices": limits, "strides": strides}
    calls = [NodeCall("xla.slice", {name: tuple(vector) for name, vector in vectors.items()})]  # type: ignore[arg-type]
    return tuple(calls if step > 0 else [*calls, NodeCall("xla.rev", {"dimensions": (axis,)})])


def _scatter(reading: Reading) -> Calls | None:
    """A scatter of one window, or of windows at equal distances along one axis, that overwrites a slice."""
    numbers = jaxlib().attributes.ScatterDimensionNumbers(reading.attribute("scatter_dimension_numbers"))
    shape, found = reading.shape(0), _scattered(reading, numbers)
    if found is None or not _overwrites(reading.operation) or len(reading.operation.operands) != 3:
        return None
    starts, counts, strides = found
    limits = [start + (count - 1) * stride + 1 for start, count, stride in zip(starts, counts, strides, strict=True)]
    inside = zip(starts, limits, shape, strict=True)
    if not all(0 <= start <= limit and isinstance(dim, int) and limit <= dim for start, limit, dim in inside):
        return None  # what is outside of the operand is not written
    vectors = {"start_indices": starts, "limit_indices": limits, "strides": strides}
    return (NodeCall("xla.scatter", {name: tuple(vector) for name, vector in vectors.items()}),)


def _scattered(reading: Reading, numbers: Any) -> tuple[list[int], list[int], list[int]] | None:
    """For each axis of the operand the first element, how many there are, and their distance."""
    rank, updates = len(reading.shape(0)), reading.shape(2)
    indices = reading.walk.values.of(reading.operation.operands[1])
    inserted, mapped = list(numbers.inserted_window_dims), list(numbers.scattered_dims_to_operand_dims)
    windows = iter([updates[axis] for axis in numbers.update_window_dims])
    counts = [1 if axis in inserted else next(windows, None) for axis in range(rank)]
    if list(numbers.input_batching_dims) or isinstance(indices, Unknown) or not (mapped and indices.size):
        return None
    vector = numbers.index_vector_dim
    last = indices[..., None] if vector == indices.ndim else np.moveaxis(indices, vector, -1)
    columns = dict(zip(mapped, last.reshape(-1, len(mapped)).T.tolist(), strict=True))
    if not all(isinstance(one, int) for one in chain(counts, *columns.values())):
        return None
    starts = [min(columns.get(axis, [0])) for axis in range(rank)]
    strides = [1] * rank
    several = [axis for axis, column in columns.items() if len({*column}) > 1]
    for axis in several:
        step = progression(columns[axis])
        if step is None or counts[axis] != 1 or len(several) > 1:
            return None
        counts[axis], strides[axis] = len(columns[axis]), abs(step)
    return starts, [count for count in counts if isinstance(count, int)], strides


def _overwrites(operation: Any) -> bool:
    """Whether the region of a scatter gives the element of the update."""
    (block,) = operation.regions[0].blocks
    (only, *more) = block.operations
    return not more and only.operands[0] == block.arguments[1]


def _then_reverse(operation: Any) -> NodeCall:
    return NodeCall("xla.rev", {"dimensions": integers_of(operation.attributes["dimensions"])})


def _then_squeeze(operation: Any) -> NodeCall | None:
    """A reshape that only drops axes of length 1."""
    before, after = tensor_shape(operation.operands[0]), tensor_shape(operation.results[0])
    dropped = [] if before is None or after is None else dropped_axes(before, after)
    return NodeCall("xla.squeeze", {"dimensions": tuple(dropped)}) if dropped else None


def dropped_axes(before: Sequence[Dim], after: Sequence[Dim]) -> list[int]:
    """The axes of length 1 without which one shape is the other; none if there are no such axes."""
    left, dropped = list(after), []
    for axis, dim in enumerate(before):
        if left and dim == left[0] and dim is not None:
            del left[0]
        elif dim == 1:
            dropped.append(axis)
        else:
            return []
    return [] if left else dropped


READERS: dict[str, Callable[[Reading], Calls | None]] = {
    "stablehlo.slice": _slice,
    "stablehlo.real_dynamic_slice": _real_dynamic_slice,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.reverse": _reverse,
    "stablehlo.pad": _pad,
    "stablehlo.dynamic_pad": _dynamic_pad,
    "stablehlo.gather": _gather,
    "stablehlo.dynamic_gather": _dynamic_gather,
    "stablehlo.scatter": _scatter,
    **mlir_dialects.READERS,
}

MAX_BEHIND = 5
"""Operations behind a slice that are part of its index: no index needs more, and a chain of them has any length."""

SLICES = {"stablehlo.slice", "stablehlo.dynamic_slice", "stablehlo.real_dynamic_slice"}

FOLLOWERS: dict[str, Callable[[Any], NodeCall | None]] = {
    "stablehlo.reverse": _then_reverse,
    "stablehlo.reshape": _then_squeeze,
}
