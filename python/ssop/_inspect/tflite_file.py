"""Slices of TFLite models, read with the schema of the `tflite` package: no interpreter, and no weights.

Buffers are read for small tensors of integers only. Large files are mapped, so that their weights stay on the disk.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ssop._errors import kind_of
from ssop._inspect.files import open_file
from ssop._inspect.folding import Folder, argument, progression
from ssop._inspect.limits import Damaged, text
from ssop._inspect.listing import Slices
from ssop._inspect.records import Argument, Model, NodeCall, RunTime, SliceNode, unreadable
from ssop._inspect.tflite_graph import DAMAGED, MAX_SUBGRAPHS, Graph, Operator, Tables
from ssop._inspect.tflite_values import folder, integers_of, masks

SMALL = 1 << 24
"""Bytes of a file that is read instead of mapped."""


def read(source: Any) -> Model:
    """The slices of a model: of a file, or of the bytes of one."""
    path = text(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else f"<{type(source).__name__}>"
    try:
        return _read(_content(source), path)
    except Damaged as error:
        raise unreadable(path, str(error)) from None
    except (struct.error, TypeError, ValueError, IndexError, OverflowError) as error:  # a place outside of the file
        raise unreadable(path, f"it is a damaged model of TFLite: {text(str(error))}") from None


def _content(source: Any) -> memoryview:
    if isinstance(source, (bytes, bytearray, memoryview)):
        view = memoryview(source)
        return view.cast("B").toreadonly() if view.c_contiguous else memoryview(view.tobytes())
    if not isinstance(source, (str, os.PathLike)):
        raise Damaged(f"it is {kind_of(source)}, not a path or bytes")
    with open_file(source) as opened:
        size = os.fstat(opened.fileno()).st_size
        if size <= SMALL:
            return memoryview(opened.read(SMALL + 1))
        return memoryview(mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_READ))


def _read(content: memoryview, path: str) -> Model:
    tables = Tables(content)
    slices = Slices()
    subgraphs = tables.count(tables.model, "Subgraphs", MAX_SUBGRAPHS)
    if not subgraphs:
        raise Damaged("it is no model of TFLite: it has no subgraph")
    for number in range(subgraphs):
        _Reader(Graph(tables, number), slices).read()
    made_by = tables.text(tables.model.Description())
    version = f"schema {tables.model.Version()}"
    return Model(path, "tflite", f"{version}, {made_by}" if made_by else version, tuple(slices.nodes), tables.operators)


class Found(NamedTuple):
    """A slice that an operator takes: numbers of tensors, and the call."""

    call: NodeCall
    operand: int
    result: int
    notes: tuple[str, ...] = ()


class _Reader:
    """Reads the slices of one subgraph."""

    def __init__(self, graph: Graph, slices: Slices) -> None:
        self.graph, self.slices = graph, slices
        self.folder: Folder[int] = folder(graph)

    def read(self) -> None:
        slicing: list[Operator] = []
        for number in range(self.graph.operators):
            operator = self.graph.operator(number)
            self.graph.producers.update(dict.fromkeys(operator.outputs, number))
            if operator.name in _READERS and operator.inputs and operator.outputs:
                slicing.append(operator)
        for operator in slicing:
            for found in _READERS[operator.name](self, operator):
                self.slices.add(self._node(operator, found))

    def _node(self, operator: Operator, found: Found) -> SliceNode:
        operand, result = self.graph.tensor(found.operand), self.graph.tensor(found.result)
        lists = [value for value in found.call.at_run_time if value.producer == DAMAGED]
        damaged = [f"{value.tensor!r} has another number of bytes than its shape says" for value in lists]
        indices = operator.inputs[1] if len(operator.inputs) > 1 and found.operand == operator.inputs[0] else -1
        return SliceNode(
            name=result.name,
            operator=operator.name,
            calls=(found.call,),
            operand=operand.name,
            result=result.name,
            input_shape=operand.dims,
            declared_shape=result.dims,
            dtype=operand.dtype,
            graph=self.graph.path,
            index_dtype=self.graph.tensor(indices).dtype if indices >= 0 else None,
            notes=(*operand.notes, *found.notes, *damaged),
        )

    def given(self, operator: Operator, number: int) -> Argument:
        """The integers of an input; None if the operator does not have it."""
        if number >= len(operator.inputs) or operator.inputs[number] < 0:
            return None
        tensor = operator.inputs[number]
        return argument(self.folder.value(tensor), self.graph.tensor(tensor).name)

    def known(self, operator: Operator, number: int) -> list[int] | None:
        """The integers of an input, if all of them are known."""
        if number >= len(operator.inputs) or operator.inputs[number] < 0:
            return None
        return integers_of(self.folder.value(operator.inputs[number]))

    def options(self, operator: Operator, name: str, union: str = "BuiltinOptions") -> Any:
        return self.graph.tables.options(operator.table, name, union)


_Read: TypeAlias = Callable[[_Reader, Operator], Iterator[Found]]


def _strided_slice(reader: _Reader, operator: Operator) -> Iterator[Found]:
    lists = {name: reader.given(operator, number) for number, name in enumerate(("begin", "end", "strides"), 1)}
    call = NodeCall("tflite.strided_slice", {**lists, **masks(reader.graph, operator)})
    yield Found(call, operator.inputs[0], operator.outputs[0])


def _lists(function: str, *names: str) -> _Read:
    """An operator whose arguments are inputs behind its operand."""

    def read_operator(reader: _Reader, operator: Operator) -> Iterator[Found]:
        lists = {name: reader.given(operator, number) for number, name in enumerate(names, 1)}
        yield Found(NodeCall(function, lists), operator.inputs[0], operator.outputs[0])

    return read_operator


def _dynamic_update_slice(reader: _Reader, operator: Operator) -> Iterator[Found]:
    update = reader.graph.tensor(operator.inputs[1]).dims if len(operator.inputs) > 1 else None
    sizes = tuple(dim for dim in update or () if isinstance(dim, int))
    arguments: dict[str, Argument] = {"start_indices": reader.given(operator, 2)}
    if update is not None and len(sizes) == len(update):
        arguments["sizes"] = sizes
    yield Found(NodeCall("tflite.dynamic_update_slice", arguments), operator.inputs[0], operator.outputs[0])


def _gather(reader: _Reader, operator: Operator) -> Iterator[Found]:
    """A Gather of one element, or of elements that are equally far apart, is a slice; any other is not read."""
    options = reader.options(operator, "Gather")
    indices = reader.known(operator, 1)
    if indices is None or (options is not None and options.BatchDims()):
        return
    dims = reader.graph.tensor(operator.inputs[1]).dims
    if dims is None or len(dims) > 1 or progression(indices) is None:
        return
    axis = options.Axis() if options is not None else 0
    arguments: dict[str, Argument] = {"axis": axis, "indices": tuple(indices) if dims else indices[0]}
    yield Found(NodeCall("tflite.gather", arguments), operator.inputs[0], operator.outputs[0])


def _mirror_pad(reader: _Reader, operator: Operator) -> Iterator[Found]:
    options = reader.options(operator, "MirrorPad")
    mode = "symmetric" if options is not None and options.Mode() else "reflect"
    arguments: dict[str, Argument] = {"paddings": reader.given(operator, 1), "mode": mode}
    yield Found(NodeCall("tflite.mirror_pad", arguments), operator.inputs[0], operator.outputs[0])


def _split(reader: _Reader, operator: Operator) -> Iterator[Found]:
    """SPLIT has its axis before its operand; all parts are of one size."""
    if len(operator.inputs) < 2:
        return
    axis, operand, count = reader.known(operator, 0), operator.inputs[1], len(operator.outputs)
    dims = reader.graph.tensor(operand).dims
    sizes: Argument = None
    if axis is not None and len(axis) == 1 and dims is not None and -len(dims) <= axis[0] < len(dims):
        dim = dims[axis[0]]
        sizes = (dim // count,) * count if isinstance(dim, int) and dim % count == 0 else None
    yield from _parts("tflite.split", reader.given(operator, 0), sizes, operand, operator)


def _split_v(reader: _Reader, operator: Operator) -> Iterator[Found]:
    yield from _parts(
        "tflite.split_v", reader.given(operator, 2), reader.given(operator, 1), operator.inputs[0], operator
    )


def _parts(function: str, axis: Argument, sizes: Argument, operand: int, operator: Operator) -> Iterator[Found]:
    """A slice for each output."""
    axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    for number, result in enumerate(operator.outputs):
        arguments = {"axis": axis, "split": sizes, "output": number, "outputs": len(operator.outputs)}
        yield Found(NodeCall(function, arguments), operand, result)


def _unpack(reader: _Reader, operator: Operator) -> Iterator[Found]:
    options = reader.options(operator, "Unpack")
    axis = options.Axis() if options is not None else 0
    for number, result in enumerate(operator.outputs):
        arguments = {"axis": axis, "output": number, "outputs": len(operator.outputs)}
        yield Found(NodeCall("tflite.unpack", arguments), operator.inputs[0], result)


def _stablehlo_slice(reader: _Reader, operator: Operator) -> Iterator[Found]:
    options = reader.options(operator, "StablehloSlice", "BuiltinOptions2")
    if options is not None:
        names = {"start_indices": "StartIndices", "limit_indices": "LimitIndices", "strides": "Strides"}
        listed = reader.graph.tables.listed
        lists = {name: tuple(listed(options, field)) for name, field in names.items()}
        yield Found(NodeCall("xla.slice", lists), operator.inputs[0], operator.outputs[0])


def _stablehlo_dynamic_slice(reader: _Reader, operator: Operator) -> Iterator[Found]:
    options = reader.options(operator, "StablehloDynamicSlice", "BuiltinOptions2")
    if options is None:
        return
    sizes = tuple(reader.graph.tables.listed(options, "SliceSizes"))
    values = [reader.given(operator, number) for number in range(1, len(operator.inputs))]
    known = [value[0] if isinstance(value, tuple) and len(value) == 1 else None for value in values]
    starts: Argument = tuple(each for each in known if each is not None)
    if None in known:
        producer = next((value.producer for value in values if isinstance(value, RunTime)), "undefined")
        starts = RunTime("start_indices", producer, tuple(known))
    call = NodeCall("xla.dynamic_slice", {"start_indices": starts, "slice_sizes": sizes})
    yield Found(call, operator.inputs[0], operator.outputs[0])


_READERS: Mapping[str, _Read] = {
    "STRIDED_SLICE": _strided_slice,
    "SLICE": _lists("tflite.slice", "begin", "size"),
    "DYNAMIC_UPDATE_SLICE": _dynamic_update_slice,
    "REVERSE_V2": _lists("tflite.reverse_v2", "axis"),
    "GATHER": _gather,
    "PAD": _lists("tflite.pad", "paddings"),
    "PADV2": _lists("tflite.pad_v2", "paddings"),
    "MIRROR_PAD": _mirror_pad,
    "SPLIT": _split,
    "SPLIT_V": _split_v,
    "UNPACK": _unpack,
    "STABLEHLO_SLICE": _stablehlo_slice,
    "STABLEHLO_DYNAMIC_SLICE": _stablehlo_dynamic_slice,
}
