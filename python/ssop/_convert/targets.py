"""How each target writes steps of several axes, new axes and dropped ones as calls."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from ssop._convert.calls import Call, program_of
from ssop._convert.functions import ENGINE_RULES
from ssop._convert.program import Axis, Entry
from ssop._convert.rules import INT64_MAX, RULES, Step, spelled, taken
from ssop._convert.values import Clamp, Value, has_values, replaced
from ssop._convert.writing import REVERSED, UNIT, Abilities, has_own_rule
from ssop._core import SliceError
from ssop._masks import MASK_NAMES

Stage = Sequence[Entry]
"""Entries of one call in the order of its result; those that are dropped stand where they were."""


Write: TypeAlias = Callable[[Stage], list[Call]]
"""What writes the entries of a stage as calls."""


class Target(NamedTuple):
    """What a target can say, and how it writes the entries of a stage."""

    abilities: Abilities
    write: Write


def stages(axes: Sequence[Axis]) -> list[list[Entry]]:
    """Axes in the order of the result, dropped ones among them, as entries of calls; last steps in the last call."""
    apart = any(axis.chain[-1:] == (UNIT,) for axis in axes)  # slices of other axes go with those before the last call
    steps = [axis.chain + (None,) * (apart and axis.origin is not None and axis.chain[-1:] != (UNIT,)) for axis in axes]
    count = max([1, *(len(chain) + (axis.origin is None) for chain, axis in zip(steps, axes, strict=True))])
    found = []
    for stage in range(count):
        entries: list[Entry] = []
        number = 0
        for chain, axis in zip(steps, axes, strict=True):
            position = stage - count + len(chain)
            if axis.origin is None and position < 0:  # a new axis is made in the call before its first step
                entries += [Entry(None)] if position == -1 else []
                continue
            entries.append(entry_on(number, chain[position] if position >= 0 else None))
            number += 1
        found.append(entries)
    return found


def entry_on(axis: int, step: Step | None) -> Entry:
    """A step whose values are clamped to the dim of this axis of the operand."""

    def clamped(value: Value) -> Value:
        relative = value.clamp is not None and value.clamp.axis is not None
        return replace(value, clamp=Clamp(axis, value.clamp.most)) if relative and value.clamp else value

    if step is None or not has_values((step,)):
        return Entry(axis, step)
    return Entry(axis, step._replace(begin=replaced(step.begin, clamped), end=replaced(step.end, clamped)))


# ---- strided slices ------------------------------------------------------------------------------------------------


def strided(function: str, vectors: bool = False) -> Write:
    """What writes the entries of a stage as a call of a strided slice."""

    def write(stage: Stage) -> list[Call]:
        entries = list(stage)
        while entries and entries[-1] == Entry(entries[-1].axis) and entries[-1].axis is not None:
            entries.pop()  # whole axes behind the last entry need none
        if not entries:
            return []
        begin, end, strides, masks = [], [], [], dict.fromkeys(MASK_NAMES, 0)
        for number, (axis, step) in enumerate(entries):
            bits = _mask_bits(axis, step)
            begin.append(0 if step is None or step.begin is None else step.begin)
            end.append(_end(step))
            strides.append(1 if step is None else step.stride)
            for name in bits:
                masks[name] |= 1 << number
        arguments: dict[str, Any] = {"begin": begin, "end": end, "strides": strides}
        if vectors:
            return [Call(function, **arguments, **_as_vectors(masks, len(entries)))]
        return [Call(function, **arguments, **{name: mask for name, mask in masks.items() if mask})]

    return write


def _mask_bits(axis: int | None, step: Step | None) -> list[str]:
    if axis is None:
        return ["new_axis_mask"]
    if step is None:
        return ["begin_mask", "end_mask"]
    if step.drops:
        return ["shrink_axis_mask"]
    bounds = (("begin_mask", step.begin), ("end_mask", step.end))
    return [name for name, bound in bounds if bound is None]


def _end(step: Step | None) -> int:
    if step is None or (step.end is None and not step.drops):
        return 0
    if isinstance(step.begin, Value):
        return step.begin + 1 if step.drops else step.end
    return min(step.begin + 1, INT64_MAX) if step.drops else step.end  # type: ignore[operator, return-value]


def _as_vectors(masks: dict[str, int], count: int) -> dict[str, list[int]]:
    always = ("begin_mask", "end_mask")
    return {
        name: [mask >> entry & 1 for entry in range(count)] for name, mask in masks.items() if mask or name in always
    }


def _openvino(stage: Stage) -> list[Call]:
    """New axes apart from dropped ones: the CPU plugin reads outside the input where axes follow both."""
    new = _new_axes(stage)
    write = strided("openvino.strided_slice", vectors=True)
    if not (new and any(entry.drops for entry in stage)):
        return write(stage)
    return [*write([entry for entry in stage if entry.axis is not None]), Call("openvino.unsqueeze", axes=new)]


def _coreml(stage: Stage) -> list[Call]:
    calls = []
    for call in strided("openvino.strided_slice", vectors=True)([entry for entry in stage if entry.axis is not None]):
        begin, end, strides, begins, ends, _, dropped, _ = call.arguments.values()
        masks = {"begin_mask": begins, "end_mask": ends, "squeeze_mask": dropped}
        calls.append(Call("coreml.slice_by_index", begin=begin, end=end, stride=strides, **masks))
    new = _new_axes(stage)
    return calls + ([Call("coreml.expand_dims", axes=new)] if new else [])


def _plain(function: str) -> Write:
    """Strided slices of positive steps without masks of axes, and calls of their own that reverse, drop or add axes."""

    def write(stage: Stage) -> list[Call]:
        old = [entry for entry in stage if entry.axis is not None]
        flipped = [entry.axis for entry in old if entry.step == REVERSED]
        apart = (REVERSED, UNIT)
        calls = strided(function)([Entry(axis, None if step in apart else step) for axis, step in old])
        if flipped:
            calls.append(Call("tf.reverse", axis=flipped))
        dropped = [entry.axis for entry in old if entry.drops]
        calls += [Call("tf.squeeze", axis=dropped)] if dropped else []
        return calls + [Call("tf.expand_dims", axis=axis) for axis in _new_axes(stage)]

    return write


def _squeezing(write: Write, function: str, name: str) -> Write:
    """What writes a stage with a call behind it that drops the axes which must have length 1."""

    def with_squeeze(stage: Stage) -> list[Call]:
        kept = [entry for entry in stage if not entry.drops or entry.step == UNIT]
        units = [place for place, entry in enumerate(kept) if entry.step == UNIT]
        calls = write([Entry(entry.axis) if entry.step == UNIT else entry for entry in stage])
        return calls + ([Call(function, **{name: units})] if units else [])

    return with_squeeze


def _with_tf_slice(dialect: str) -> Write:
    """Slices that may be errors as one tf.slice of all axes, in front of the call for the other entries."""
    write = _squeezing(strided(f"{dialect}.strided_slice"), "tf.squeeze", "axis")

    def with_slice(stage: Stage) -> list[Call]:
        old = [entry for entry in stage if entry.axis is not None]
        if not any(entry.step is not None and has_own_rule(entry.step) for entry in old):
            return write(stage)
        exact = [entry.step if entry.step is not None and has_own_rule(entry.step) else Step("xla") for entry in old]
        begin = [0 if step.begin is None else step.begin for step in exact]
        size = [-1 if step.end is None else step.end - (step.begin or 0) for step in exact]
        rest = [Entry(axis) if step is not None and has_own_rule(step) else Entry(axis, step) for axis, step in stage]
        return [Call(f"{dialect}.slice", begin=begin, size=size), *write(rest)]

    return with_slice


def _with_elements(write: Write, rule: str, drops: bool = True) -> Write:
    """Elements that may be outside their axis as calls that drop the axis and make it again, before the other calls."""

    def with_elements(stage: Stage) -> list[Call]:
        own = {axis: step for axis, step in stage if axis is not None and step is not None and has_own_rule(step)}
        if not own:
            return write(stage)
        old = [entry for entry in stage if entry.axis is not None]
        calls = []
        if not drops:
            ranges = {axis: step._replace(rule=rule) for axis, step in own.items()}
            calls += write([Entry(axis, ranges.get(axis)) for axis, _ in old if axis is not None])
        dropped = {axis: Step(rule, step.begin, None, 1, True) if drops else UNIT for axis, step in own.items()}
        calls += write([Entry(axis, dropped.get(axis)) for axis, _ in old if axis is not None])
        others = iter(range(len(old)))
        calls += write([Entry(None) if axis in own else Entry(next(others)) for axis, _ in old])
        return calls + write([Entry(axis, None if axis in own else step) for axis, step in stage])

    return with_elements


def _with_narrow(stage: Stage) -> list[Call]:
    """Slices that may be errors as torch.narrow, each in front of the index for the other entries."""
    calls, rest = [], []
    for axis, step in stage:
        if step is not None and axis is not None and has_own_rule(step):
            start = step.begin or 0
            calls.append(Call("torch.narrow", dim=axis, start=start, length=(step.end or 0) - start))
            rest.append(Entry(axis))
        else:
            rest.append(Entry(axis, step))
    return calls + _indexed("torch", "dims")(rest)


# ---- slices of listed axes -----------------------------------------------------------------------------------------


def _listed(dialect: str, names: tuple[str, str, str]) -> Write:
    def write(stage: Stage) -> list[Call]:
        calls = []
        sliced = [(axis, step) for axis, step in stage if step is not None and not RULES[step.rule].whole]
        if sliced:
            starts, ends = zip(*(spelled(step) for _, step in sliced), strict=True)
            steps = [step.stride for _, step in sliced]
            arguments = dict(zip(names, (starts, ends, steps), strict=True)) | {"axes": [axis for axis, _ in sliced]}
            if names[2] == "steps" and set(steps) == {1}:
                del arguments["steps"]
            calls.append(Call(f"{dialect}.slice", **arguments))
        return calls + _units(stage, f"{dialect}.squeeze", f"{dialect}.unsqueeze", "axes")

    return write


def _new_axes(stage: Stage) -> list[int]:
    """The positions of new axes in the result."""
    return [number for number, entry in enumerate(e for e in stage if not e.drops) if entry.axis is None]


def _units(stage: Stage, squeeze: str, unsqueeze: str, name: str) -> list[Call]:
    dropped = [entry.axis for entry in stage if entry.drops]
    new = _new_axes(stage)
    calls = [Call(squeeze, **{name: dropped})] if dropped else []
    return calls + ([Call(unsqueeze, **{name: new})] if new else [])


# ---- indices -------------------------------------------------------------------------------------------------------


def _indexed(framework: str, flip: str) -> Write:
    def write(stage: Stage) -> list[Call]:
        flipped = [entry.axis for entry in stage if entry.step == REVERSED and framework == "torch"]
        calls = [Call(f"{framework}.flip", **{flip: flipped})] if flipped else []
        items: list[Any] = []
        for axis, step in stage:
            if axis is None:
                items.append(None)
            elif step is not None and step.drops:
                items.append(step.begin)
            elif step is None or axis in flipped:
                items.append(builtins.slice(None))
            else:
                items.append(builtins.slice(step.begin, step.end, step.stride))
        while items and items[-1] == builtins.slice(None):
            items.pop()
        return calls + ([Call(f"{framework}.index", index=tuple(items))] if items else [])

    return write


# ---- XLA -----------------------------------------------------------------------------------------------------------


def _xla(stage: Stage) -> list[Call]:
    calls = []
    flipped = [entry.axis for entry in stage if entry.step == REVERSED]
    sliced = {
        entry.axis: entry.step
        for entry in stage
        if entry.step is not None and entry.axis not in flipped and not entry.drops
    }
    for axis, step in sliced.items():
        if RULES[step.rule].window:
            size = step.end - step.begin  # type: ignore[operator]
            calls.append(Call("xla.dynamic_slice_in_dim", start_index=step.begin, slice_size=size, axis=axis))
            continue
        bounds = {"start_index": step.begin, "limit_index": step.end, "stride": step.stride}
        calls.append(Call("xla.slice_in_dim", **bounds, axis=axis))
    if flipped:
        calls.append(Call("xla.rev", dimensions=flipped))
    for number, entry in enumerate(
        sorted((e for e in stage if e.drops and e.step and e.step.drops), key=lambda e: e.axis or 0)
    ):
        assert entry.axis is not None and entry.step is not None
        calls.append(Call("xla.index_in_dim", index=entry.step.begin, axis=entry.axis - number))
    rest = [entry for entry in stage if not (entry.step is not None and entry.step.drops)]
    numbers = iter(range(len(rest)))
    renumbered = [Entry(None) if entry.axis is None else Entry(next(numbers), entry.step) for entry in rest]
    return calls + _units(renumbered, "xla.squeeze", "xla.expand_dims", "dimensions")


def with_known_dims(calls: Sequence[Call], dims: Sequence[int]) -> tuple[Call, ...]:
    """Slices of one axis after each other as a Slice of all axes, which StableHLO has, but which needs the dims."""
    found: list[Call] = []
    shape = list(dims)
    ranges: dict[int, tuple[int, int, int]] = {}

    def add(call: Call) -> None:
        found.append(call)
        shape[:] = _shape_behind(call, shape)

    def add_ranges() -> None:
        if ranges:
            limits = [ranges.get(axis, (0, dim, 1)) for axis, dim in enumerate(shape)]
            ranges.clear()
            names = ("start_indices", "limit_indices", "strides")
            add(Call("xla.slice", **dict(zip(names, zip(*limits, strict=True), strict=True))))

    for call in calls:
        in_dim = call.function == "xla.slice_in_dim"
        if not in_dim or call.arguments["axis"] in ranges:
            add_ranges()
        if in_dim:
            start, limit, stride, axis = call.arguments.values()
            ranges[axis] = _limits(Step("in_dim", start, limit, stride), shape[axis])
        else:
            add(call)
    add_ranges()
    return tuple(found)


def _limits(step: Step, dim: int) -> tuple[int, int, int]:
    """Start, limit and stride of what a step takes of an axis of known length."""
    result = taken((step,), dim)
    assert not isinstance(result, SliceError)
    start, count, stride = result
    return start, start + (count - 1) * stride + 1 if count else start, stride


def _shape_behind(call: Call, shape: Sequence[int]) -> list[int]:
    found = []
    for origin, chain in program_of([call], len(shape)).kept:
        result = taken(chain, 1 if origin is None else shape[origin])
        assert not isinstance(result, SliceError)
        found.append(result[1])
    return found


TARGETS = {
    "tf": Target(Abilities(("tf",), squeezes=True, exact="xla"), _with_tf_slice("tf")),
    "tflite": Target(Abilities(("tflite",), squeezes=True, int32=True, exact="xla"), _with_tf_slice("tflite")),
    "openvino": Target(
        Abilities(("openvino",), squeezes=True, cuts_inputs=True), _squeezing(_openvino, "openvino.squeeze", "axes")
    ),
    "openvino.slice": Target(
        Abilities(("openvino",), drops=False, open_bounds=False, cuts_inputs=True),
        _listed("openvino", ("start", "stop", "step")),
    ),
    "onnx": Target(
        Abilities(("onnx", "onnx_reference", "onnxruntime"), drops=False, open_bounds=False, elements=True),
        _with_elements(_listed("onnx", ("starts", "ends", "steps")), "onnx", drops=False),
    ),
    "xla": Target(Abilities(("in_dim",), reverse=False, squeezes=True, windows=True, named_strides=False), _xla),
    "torch": Target(Abilities(("tf",), reverse=False, exact="in_dim"), _with_narrow),
    "numpy": Target(
        Abilities(("tf",), squeezes=True, elements=True),
        _with_elements(_squeezing(_indexed("numpy", "axis"), "numpy.squeeze", "axis"), "tf"),
    ),
    "coreml": Target(Abilities(("tf",), int32=True, elements=True, named_strides=False), _with_elements(_coreml, "tf")),
}
"""By name. Each engine of ONNX reads some bounds in its own way: its steps are proved equal by all three."""


PLAIN = {
    "tf": Target(Abilities(("tf", "tflite", "openvino"), reverse=False, drops=False), _plain("tf.strided_slice")),
    "tflite": Target(Abilities(("tflite", "tf"), reverse=False, drops=False), _plain("tflite.strided_slice")),
}
"""For engines that take no negative steps, new axes or dropped ones within a strided slice."""


ENGINES = {rule: engine for engine, rule in ENGINE_RULES.items()}


def as_engine(calls: tuple[Call, ...], rule: str) -> tuple[Call, ...]:
    """Calls of ONNX's Slice as the engine reads them that a rule describes; other calls as they are."""
    if rule not in ENGINES:
        return calls
    return tuple(
        Call(call.function, **{**call.arguments, "engine": ENGINES[rule]})
        if call.function in ("onnx.slice", "onnx.update")
        else call
        for call in calls
    )
