"""The functions of the frameworks that a conversion reads and writes: a row for each.

A row says how the arguments become entries, how the function runs here, and how its call is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from ssop import onnx, openvino, tf, tflite, xla
from ssop._convert import running, update_nodes
from ssop._convert.offsets import OFFSET, check_offset, with_offset
from ssop._convert.program import Entry
from ssop._convert.rules import INT64_MAX, Step
from ssop._convert.values import Value, check_positive, read_index
from ssop._core import SliceError
from ssop._core import index as copy_of_index
from ssop._errors import value_error
from ssop._explain.specs import DIALECTS, Dialect, Spec
from ssop._masks import MASK_NAMES

Arguments: TypeAlias = Mapping[str, Any]
VECTOR, VECTOR_OR_NONE, INTEGER, INTEGER_OR_NONE, INDEX = "vector", "vector?", "integer", "integer?", "index"
REQUIRED: Any = object()

MAX_RANK = 64
"""NumPy's."""


class RankNeeded(Exception):
    """The entries depend on the rank, which is not known; the argument says why."""


class Function(NamedTuple):
    """How a function is read, run and written."""

    parameters: Mapping[str, tuple[str, Any]]
    """For each parameter its kind and its default."""
    entries: Callable[[int | None, Arguments], list[Entry]]
    """The entries on an operand of this rank, in the order of the result, without whole axes behind the last one."""
    run: Callable[[Any, Arguments], Any]
    code: str
    """The call in source code: {x} is the operand, {arguments} the arguments that are not defaults."""
    update: Callable[[Any, Any, Arguments], Any] | None = None
    """How a function runs that replaces a region by an array `u`; its entries are those of the region."""
    lines: Callable[[str, Arguments], list[str]] | None = None
    """The statements of a call that is more than an expression."""


def axis_number(name: str, axis: int, rank: int | None) -> int:
    """An axis that may count from the end."""
    if rank is None and axis >= MAX_RANK:
        message = f"{name} {axis} is not in 0..{MAX_RANK - 1}"
        raise value_error("convert", "cv_c2", message, value=axis, allowed=(0, MAX_RANK - 1))
    if axis >= 0 and (rank is None or axis < rank):
        return axis
    if rank is None:
        raise RankNeeded(f"{name} {axis} counts from the last axis")
    if not -rank <= axis < rank:
        message = f"{name} {axis} is not in {-rank}..{rank - 1}"
        raise value_error("convert", "cv_c2", message, value=axis, allowed=(-rank, rank - 1))
    return axis + rank


def on_axes(steps: Mapping[int, Step], rank: int | None) -> list[Entry]:
    """Entries for the axes up to the last one that has a step."""
    return [Entry(axis, steps.get(axis)) for axis in range(max(steps, default=-1) + 1 if rank is None else rank)]


# ---- strided slices ------------------------------------------------------------------------------------------------

DIM_LABELS = {"ss_c7", "tfl_c7", "ov_c8"}
"""Errors that depend on the dims, and not on the rank alone."""


def _strided(dialect: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        given, row = spec_of(arguments), DIALECTS[dialect]
        strides = tuple(1 if isinstance(stride, Value) else stride for stride in given.strides)
        spec = Spec(numbers_of(given.begin), numbers_of(given.end), strides, given.masks)
        if rank is None:
            rank = _least_rank(spec)
        if arguments.get(OFFSET):
            check_offset(arguments, spec, rank)
        flags, outcome = traced(row, spec, (1,) * rank)
        if isinstance(outcome, SliceError) and outcome.label in DIM_LABELS:
            _, outcome = traced(row, spec, _long_enough(spec, flags, rank))  # which other rules does it break?
        if isinstance(outcome, SliceError) and outcome.label not in DIM_LABELS:
            raise outcome
        found: list[Entry] = []
        for number, (bits, first, count) in enumerate(flags):
            if bits & 8:
                found.append(Entry(None))
            elif bits & 4:
                found.extend(Entry(axis) for axis in range(first, first + count))
            elif count:
                step = _strided_step(dialect, given, number, bits)
                found.append(Entry(first, step if not arguments.get(OFFSET) else with_offset(step, given.end[number])))
        return found

    return entries


def numbers_of(bounds: tuple[Any, ...]) -> tuple[int, ...]:
    """Bounds with 0 for run-time values, on which the flags of the entries do not depend."""
    return tuple(0 if isinstance(bound, Value) else bound for bound in bounds)


def traced(dialect: Dialect, spec: Spec, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """For each entry its flags, first axis and count of axes; and the region or the error."""
    flags, _, outcome = dialect.trace(shape, spec.begin, spec.end, spec.strides, *dialect.masks(spec))
    return flags, outcome


def _long_enough(spec: Spec, flags: Any, rank: int) -> tuple[int, ...]:
    """A shape in which every dropped element is inside its axis, if there is one."""
    dims = [1] * rank
    for begin, (bits, first, _) in zip(spec.begin, flags, strict=False):
        if bits & 16:
            dims[first] = min(max(begin + 1, -begin), INT64_MAX)
    return tuple(dims)


def spec_of(arguments: Arguments) -> Spec:
    begin, end = arguments["begin"], arguments["end"]
    strides = (1,) * len(begin) if arguments["strides"] is None else arguments["strides"]
    masks = [arguments[name] for name in MASK_NAMES]
    bits = tuple(
        sum(1 << entry for entry, bit in enumerate(mask) if bit) if isinstance(mask, tuple) else mask % 2**32
        for mask in masks
    )
    return Spec(begin, end, strides, bits)  # type: ignore[arg-type]


def _least_rank(spec: Spec) -> int:
    if spec.mask("ellipsis") & ((1 << len(spec.begin)) - 1):
        raise RankNeeded("an ellipsis stands for all axes that no other entry names")
    return sum(not spec.mask("new_axis") >> entry & 1 for entry in range(len(spec.begin)))


def _strided_step(dialect: str, spec: Spec, number: int, bits: int) -> Step:
    begin, end, stride = spec.begin[number], spec.end[number], spec.strides[number]
    if bits & 16:
        if isinstance(stride, Value):
            message = f"stride unknown: entry {number} drops its axis, where {stride} must be positive"
            raise value_error("convert", "cv_c10", message, entry=number, value=str(stride))
        masked = dialect == "tflite" and bits & 1
        return Step(dialect, 0 if masked else begin, None, 1, True)
    return Step(dialect, None if bits & 1 else begin, None if bits & 2 else end, stride)


STRIDED = {
    "begin": (VECTOR, REQUIRED),
    "end": (VECTOR, REQUIRED),
    "strides": (VECTOR_OR_NONE, None),
    **dict.fromkeys(MASK_NAMES, (INTEGER, 0)),
}
VECTOR_MASKS = {
    "begin": (VECTOR, REQUIRED),
    "end": (VECTOR, REQUIRED),
    "strides": (VECTOR_OR_NONE, None),
    "begin_mask": (VECTOR, REQUIRED),
    "end_mask": (VECTOR, REQUIRED),
    **dict.fromkeys(("new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), (VECTOR, ())),
}


def _indexed(rule: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        spec, (begin, end, strides) = read_index(arguments["index"])
        masks = dict(zip(MASK_NAMES, spec.arguments[3:], strict=True))
        vectors = {"begin": begin, "end": end, "strides": strides}
        found = _strided("tf")(rank, vectors | masks)
        return [Entry(axis, None if step is None else step._replace(rule=rule)) for axis, step in found]

    return entries


def _torch_indexed(rank: int | None, arguments: Arguments) -> list[Entry]:
    for entry, item in enumerate(arguments["index"]):
        if isinstance(item, slice) and isinstance(item.step, int) and item.step < 0:
            message = f"entry {entry}: step {item.step} is negative, which torch rejects"
            raise value_error("convert", "cv_c2", message, entry=entry, value=item.step)
    return _indexed("tf")(rank, arguments)


def _coreml(rank: int | None, arguments: Arguments) -> list[Entry]:
    masks = {name: arguments[name] for name in ("begin_mask", "end_mask")} | {
        "ellipsis_mask": 0,
        "new_axis_mask": 0,
        "shrink_axis_mask": arguments["squeeze_mask"],
    }
    for name in ("begin_mask", "end_mask", "squeeze_mask"):
        if len(arguments[name]) not in (0, len(arguments["begin"])):
            raise value_error("convert", "cv_c2", f"{name} has {len(arguments[name])} bits, not one for each entry")
    vectors = {"begin": arguments["begin"], "end": arguments["end"], "strides": arguments["stride"]}
    return _strided("tf")(rank, vectors | masks)


# ---- slices of listed axes, and by size ----------------------------------------------------------------------------


def _listed(rule: Callable[[Arguments], str], names: tuple[str, str, str]) -> Any:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        starts, ends, steps = (arguments[name] for name in names)
        axes = range(len(starts)) if arguments["axes"] is None else arguments["axes"]
        steps = (1,) * len(starts) if steps is None else steps
        if not len(starts) == len(ends) == len(axes) == len(steps):
            lists = f"{len(starts)} {names[0]}, {len(ends)} {names[1]}, {len(axes)} axes, {len(steps)} {names[2]}"
            raise value_error("convert", "cv_c2", f"lists of one length are needed, not {lists}")
        found: dict[int, tuple[int, Step]] = {}
        last_wins = rule(arguments) == "onnx_reference"  # onr_s1
        for entry, (axis, start, end, step) in enumerate(zip(axes, starts, ends, steps, strict=True)):
            number = axis_number("axis", axis, rank)
            if number in found and not last_wins:
                what = f"entry {entry}: axis {number} is listed twice"
                raise value_error("convert", "cv_c2", what, entry=entry, value=axis)
            found[number] = entry, Step(rule(arguments), start, end, step)
        for entry, taken in found.values():
            if taken.stride == 0:
                raise value_error("convert", "cv_c2", f"entry {entry}: the step is 0", entry=entry, value=0)
        return on_axes({number: taken for number, (_, taken) in found.items()}, rank)

    return entries


ENGINE_RULES = {"spec": "onnx", "reference": "onnx_reference", "ort": "onnxruntime"}


def _sized(rule: str, names: tuple[str, str]) -> Any:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        starts, sizes = (arguments[name] for name in names)
        if len(starts) != len(sizes) or (rank is not None and rank != len(starts)):
            lists = f"{len(starts)} {names[0]} and {len(sizes)} {names[1]} for rank {'?' if rank is None else rank}"
            raise value_error("convert", "cv_c2", f"one entry per axis is needed, not {lists}")
        for entry, size in enumerate(sizes):
            if size < (0 if rule == "window" else -1):
                raise value_error(
                    "convert", "cv_c2", f"entry {entry}: size {size} is negative", entry=entry, value=size
                )
        pairs = zip(starts, sizes, strict=True)
        steps = (Step(rule, start, None if size < 0 else start + size) for start, size in pairs)
        return on_axes(dict(enumerate(steps)), rank)

    return entries


def _updated(rank: int | None, arguments: Arguments) -> list[Entry]:
    """The window that is replaced; a size of -1 is a whole axis."""
    sizes = arguments["update_shape"]
    windows = _sized("window", ("start_indices", "update_shape"))
    found = windows(rank, {**arguments, "update_shape": tuple(max(size, 0) if size == -1 else size for size in sizes)})
    return [Entry(axis, None if sizes[axis] == -1 else step) for axis, step in found]


def _replaced(rank: int | None, arguments: Arguments) -> list[Entry]:
    slices = _listed(lambda arguments: ENGINE_RULES[arguments["engine"]], ("starts", "ends", "steps"))
    return list(slices(rank, {**arguments, "steps": None}))


def _limited(rank: int | None, arguments: Arguments) -> list[Entry]:
    starts, limits, strides = (arguments[name] for name in ("start_indices", "limit_indices", "strides"))
    strides = (1,) * len(starts) if strides is None else strides
    if not len(starts) == len(limits) == len(strides) or (rank is not None and rank != len(starts)):
        raise value_error("convert", "cv_c2", "start_indices, limit_indices and strides have one entry per axis")
    for stride in strides:
        check_positive(stride)
    steps = (Step("xla", *entry) for entry in zip(starts, limits, strides, strict=True))
    return on_axes(dict(enumerate(steps)), rank)


# ---- functions of one axis, or of unit axes ------------------------------------------------------------------------


def _slice_in_dim(rank: int | None, arguments: Arguments) -> list[Entry]:
    axis = axis_number("axis", arguments["axis"], rank)
    bounds = (arguments["start_index"], arguments["limit_index"], arguments["stride"])
    check_positive(arguments["stride"])
    return on_axes({axis: Step("in_dim", *bounds)}, rank)


def _dynamic_slice_in_dim(rank: int | None, arguments: Arguments) -> list[Entry]:
    axis, start, size = axis_number("axis", arguments["axis"], rank), arguments["start_index"], arguments["slice_size"]
    if size < 0:
        raise value_error("convert", "cv_c2", f"size {size} is negative", value=size)
    return on_axes({axis: Step("window", start, start + size)}, rank)


def _element(name: str, rule: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        axis = axis_number(name, arguments[name], rank)
        return on_axes({axis: Step(rule, arguments["index"], None, 1, True)}, rank)

    return entries


def _narrow(rank: int | None, arguments: Arguments) -> list[Entry]:
    start, length = arguments["start"], arguments["length"]
    end = start + length
    axis = axis_number("dim", arguments["dim"], rank)
    if isinstance(start, Value) and length >= 0:
        bounds: tuple[Any, Any] = start, end
        return on_axes({axis: Step("narrow", *bounds)}, rank)
    if length < 0 or start < 0 < end:
        what = "is negative" if length < 0 else f"from {start} leaves every axis"
        raise value_error("convert", "cv_c2", f"length {length} {what}", value=length)
    return on_axes({axis: Step("in_dim", start, None if start < 0 and end == 0 else end)}, rank)


def _reversed(name: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        axes = {axis_number(name, axis, rank) for axis in arguments[name]}
        return on_axes({axis: Step("tf", None, None, -1) for axis in axes}, rank)

    return entries


def _squeezed(name: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        axes = {axis_number(name, axis, rank) for axis in running.axes_of(arguments[name])}
        return on_axes({axis: Step("unit", 0, 1) for axis in axes}, rank)

    return entries


def _expanded(name: str) -> Callable[[int | None, Arguments], list[Entry]]:
    def entries(rank: int | None, arguments: Arguments) -> list[Entry]:
        axes = running.axes_of(arguments[name])
        total = None if rank is None else rank + len(axes)
        new = {axis_number(name, axis, total) for axis in axes}
        old = iter(range(max(new, default=-1) + 1 if rank is None else rank))
        return [Entry(None if axis in new else next(old)) for axis in range(max(new, default=-1) + 1)] + (
            [] if rank is None else [Entry(axis) for axis in old]
        )

    return entries


def _named(function: Callable[..., Any]) -> Callable[[Any, Arguments], Any]:
    """A function of this package that has the same parameters."""
    return lambda x, arguments: function(x, **arguments)


def _in_order(function: Callable[..., Any]) -> Callable[[Any, Arguments], Any]:
    """A function that has the same parameters by other names."""
    return lambda x, arguments: function(x, *arguments.values())


AXES = {"axes": (VECTOR, REQUIRED)}

FUNCTIONS = {
    "tf.strided_slice": Function(
        STRIDED, _strided("tf"), _named(tf.strided_slice), "tf.strided_slice({x}, {arguments})"
    ),
    "tf.tensor_strided_slice_update": Function(
        STRIDED,
        _strided("tf"),
        update_nodes.needs_update,
        "tf.raw_ops.TensorStridedSliceUpdate(input={x}, value=u, {arguments})",
        update_nodes.run_tensorflow,
    ),
    "tf.slice": Function(
        {"begin": (VECTOR, REQUIRED), "size": (VECTOR, REQUIRED)},
        _sized("xla", ("begin", "size")),
        _named(tf.slice),
        "tf.slice({x}, {arguments})",
    ),
    "tf.reverse": Function(
        {"axis": (VECTOR, REQUIRED)}, _reversed("axis"), _in_order(running.flip), "tf.reverse({x}, {arguments})"
    ),
    "tf.squeeze": Function(
        {"axis": (VECTOR, REQUIRED)}, _squeezed("axis"), _in_order(running.squeeze), "tf.squeeze({x}, {arguments})"
    ),
    "tf.expand_dims": Function(
        {"axis": (INTEGER, REQUIRED)}, _expanded("axis"), _in_order(running.expand), "tf.expand_dims({x}, {arguments})"
    ),
    "tflite.strided_slice": Function(
        {**STRIDED, OFFSET: (OFFSET, False)},
        _strided("tflite"),
        _named(tflite.strided_slice),
        "tf.strided_slice({x}, {arguments})",
    ),
    "tflite.slice": Function(
        {"begin": (VECTOR, REQUIRED), "size": (VECTOR, REQUIRED)},
        _sized("xla", ("begin", "size")),
        _named(tflite.slice),
        "tf.slice({x}, {arguments})",
    ),
    "openvino.strided_slice": Function(
        VECTOR_MASKS,
        _strided("openvino"),
        _named(openvino.strided_slice),
        "opset8.strided_slice({x}, {arguments})",
    ),
    "openvino.slice": Function(
        {
            "start": (VECTOR, REQUIRED),
            "stop": (VECTOR, REQUIRED),
            "step": (VECTOR, REQUIRED),
            "axes": (VECTOR_OR_NONE, None),
        },
        _listed(lambda arguments: "openvino", ("start", "stop", "step")),
        _named(openvino.slice),
        "opset8.slice({x}, {arguments})",
    ),
    "openvino.squeeze": Function(
        AXES, _squeezed("axes"), _in_order(running.squeeze), "opset8.squeeze({x}, {arguments})"
    ),
    "openvino.unsqueeze": Function(
        AXES, _expanded("axes"), _in_order(running.expand), "opset8.unsqueeze({x}, {arguments})"
    ),
    "onnx.slice": Function(
        {
            "starts": (VECTOR, REQUIRED),
            "ends": (VECTOR, REQUIRED),
            "axes": (VECTOR_OR_NONE, None),
            "steps": (VECTOR_OR_NONE, None),
            "engine": ("engine", "spec"),
        },
        _listed(lambda arguments: ENGINE_RULES[arguments["engine"]], ("starts", "ends", "steps")),
        _named(onnx.slice),
        "Slice({x}, {arguments})",
    ),
    "onnx.update": Function(
        {
            "starts": (VECTOR, REQUIRED),
            "ends": (VECTOR, REQUIRED),
            "axes": (VECTOR, REQUIRED),
            "engine": ("engine", "spec"),
        },
        _replaced,
        update_nodes.needs_update,
        "",
        update_nodes.run_onnx,
        update_nodes.onnx_lines,
    ),
    "onnx.squeeze": Function(AXES, _squeezed("axes"), _in_order(running.squeeze), "Squeeze({x}, {arguments})"),
    "onnx.unsqueeze": Function(AXES, _expanded("axes"), _in_order(running.expand), "Unsqueeze({x}, {arguments})"),
    "xla.slice": Function(
        {"start_indices": (VECTOR, REQUIRED), "limit_indices": (VECTOR, REQUIRED), "strides": (VECTOR_OR_NONE, None)},
        _limited,
        _named(xla.slice),
        "jax.lax.slice({x}, {arguments})",
    ),
    "xla.dynamic_slice": Function(
        {"start_indices": (VECTOR, REQUIRED), "slice_sizes": (VECTOR, REQUIRED)},
        _sized("window", ("start_indices", "slice_sizes")),
        _named(xla.dynamic_slice),
        "jax.lax.dynamic_slice({x}, {arguments}, allow_negative_indices=False)",
    ),
    "xla.dynamic_slice_in_dim": Function(
        {"start_index": (INTEGER, REQUIRED), "slice_size": (INTEGER, REQUIRED), "axis": (INTEGER, 0)},
        _dynamic_slice_in_dim,
        _in_order(running.dynamic_slice_in_dim),
        "jax.lax.dynamic_slice_in_dim({x}, {arguments}, allow_negative_indices=False)",
    ),
    "xla.dynamic_update_slice": Function(
        {"start_indices": (VECTOR, REQUIRED), "update_shape": (VECTOR, REQUIRED)},
        _updated,
        update_nodes.needs_update,
        "",
        update_nodes.run_xla,
        update_nodes.xla_lines,
    ),
    "xla.rev": Function(
        {"dimensions": (VECTOR, REQUIRED)},
        _reversed("dimensions"),
        _named(xla.rev),
        "jax.lax.rev({x}, {arguments})",
    ),
    "xla.slice_in_dim": Function(
        {
            "start_index": (INTEGER_OR_NONE, REQUIRED),
            "limit_index": (INTEGER_OR_NONE, REQUIRED),
            "stride": (INTEGER, 1),
            "axis": (INTEGER, 0),
        },
        _slice_in_dim,
        _in_order(running.slice_in_dim),
        "jax.lax.slice_in_dim({x}, {arguments})",
    ),
    "xla.index_in_dim": Function(
        {"index": (INTEGER, REQUIRED), "axis": (INTEGER, 0)},
        _element("axis", "in_dim"),
        _in_order(running.index_in_dim),
        "jax.lax.index_in_dim({x}, {arguments}, keepdims=False)",
    ),
    "xla.squeeze": Function(
        {"dimensions": (VECTOR, REQUIRED)},
        _squeezed("dimensions"),
        _in_order(running.squeeze),
        "jax.lax.squeeze({x}, {arguments})",
    ),
    "xla.expand_dims": Function(
        {"dimensions": (VECTOR, REQUIRED)},
        _expanded("dimensions"),
        _in_order(running.expand),
        "jax.lax.expand_dims({x}, {arguments})",
    ),
    "torch.index": Function({"index": (INDEX, REQUIRED)}, _torch_indexed, _named(copy_of_index), ""),
    "torch.assign": Function(
        {"index": (INDEX, REQUIRED)},
        _indexed("tf"),
        update_nodes.needs_update,
        "",
        update_nodes.run_assigned,
        update_nodes.torch_lines,
    ),
    "torch.flip": Function(
        {"dims": (VECTOR, REQUIRED)}, _reversed("dims"), _in_order(running.flip), "torch.flip({x}, {arguments})"
    ),
    "torch.select": Function(
        {"dim": (INTEGER, REQUIRED), "index": (INTEGER, REQUIRED)},
        _element("dim", "in_dim"),
        _in_order(running.select),
        "torch.select({x}, {arguments})",
    ),
    "torch.narrow": Function(
        {"dim": (INTEGER, REQUIRED), "start": (INTEGER, REQUIRED), "length": (INTEGER, REQUIRED)},
        _narrow,
        _in_order(running.narrow),
        "torch.narrow({x}, {arguments})",
    ),
    "torch.unsqueeze": Function(
        {"dim": (INTEGER, REQUIRED)}, _expanded("dim"), _in_order(running.expand), "torch.unsqueeze({x}, {arguments})"
    ),
    "numpy.index": Function({"index": (INDEX, REQUIRED)}, _indexed("tf"), _named(copy_of_index), ""),
    "numpy.assign": Function(
        {"index": (INDEX, REQUIRED)},
        _indexed("tf"),
        update_nodes.needs_update,
        "",
        update_nodes.run_assigned,
        update_nodes.numpy_lines,
    ),
    "numpy.flip": Function(
        {"axis": (VECTOR, REQUIRED)}, _reversed("axis"), _in_order(running.flip), "numpy.flip({x}, {arguments})"
    ),
    "numpy.squeeze": Function(
        {"axis": (VECTOR, REQUIRED)}, _squeezed("axis"), _in_order(running.squeeze), "numpy.squeeze({x}, {arguments})"
    ),
    "coreml.expand_dims": Function(
        AXES, _expanded("axes"), _in_order(running.expand), "mb.expand_dims(x={x}, {arguments})"
    ),
    "coreml.slice_by_index": Function(
        {
            "begin": (VECTOR, REQUIRED),
            "end": (VECTOR, REQUIRED),
            "stride": (VECTOR_OR_NONE, None),
            **dict.fromkeys(("begin_mask", "end_mask", "squeeze_mask"), (VECTOR, ())),
        },
        _coreml,
        _in_order(running.coreml),
        "mb.slice_by_index(x={x}, {arguments})",
    ),
}
"""By the name of the framework and that of the function."""
