"""Updates: calls that replace a region of their operand by an array `u` (cv_s4).

Two updates are equal if the slices are that read their regions. An update is a call alone, with a slice of each axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ssop._convert.calls import Call, program_of
from ssop._convert.errors import OP
from ssop._convert.program import Entry, Program, difference_of, lengths_of
from ssop._convert.proofs import Difference, Lengths
from ssop._convert.rules import INT64_MAX, RULES, Chain, Step
from ssop._convert.runtime import candidates_of, size_of
from ssop._convert.runtime_proofs import Limits, RunTimeDifference
from ssop._convert.search import NOWHERE_EQUAL, first_or_nearest
from ssop._convert.shape import Shape
from ssop._convert.targets import TARGETS, Stage, as_engine, strided
from ssop._convert.values import has_values
from ssop._convert.writing import Abilities, as_read, of_region
from ssop._errors import value_error


def is_update(calls: Sequence[Call]) -> bool:
    """Whether these calls are one update; an error if they are an update and others."""
    updates = [call for call in calls if call._row.update is not None]
    if updates and len(calls) > 1:
        raise value_error(OP, "cv_c15", f"{updates[0].function} is an update, which has no calls before or behind it")
    return bool(updates)


def same_kind(one: Sequence[Call], two: Sequence[Call]) -> None:
    """An error unless both are updates, or none is."""
    if is_update(one) != is_update(two):
        raise value_error(OP, "cv_c15", "an update and calls that are none are not compared")


def check_no_update(calls: Sequence[Call]) -> None:
    """An error if one of the calls is an update."""
    for call in calls:
        if call._row.update is not None:
            raise value_error(OP, "cv_c15", f"{call.function} is an update, which is not composed")


def check_region(program: Program) -> None:
    """An error unless the region has all axes of the operand."""
    if program.dropped or any(axis.origin is None for axis in program.kept):
        raise value_error(OP, "cv_c15", "an update has neither new axes nor dropped ones")


# ---- writing -------------------------------------------------------------------------------------------------------


def update_chain(
    chain: Chain, to: str, lengths: Lengths, where: Shape, clamps: bool
) -> Chain | Difference | RunTimeDifference:
    """A single step of the target that is equal to that of an axis, or none for a whole axis; or where it differs."""
    abilities = TARGETS[to].abilities._replace(exact=None)  # a region has no function that is an error outside the axis
    candidates = _candidates(chain, abilities, lengths, clamps)
    return first_or_nearest(candidates, lambda candidate: _first_difference(chain, candidate, to, lengths, where))


def _candidates(chain: Chain, abilities: Abilities, lengths: Lengths, clamps: bool) -> Iterator[Chain]:
    yield ()
    for step in chain:
        forms = of_region(chain, abilities, lengths.least) if lengths.known and not has_values((step,)) else iter(())
        for candidate in (*forms, *candidates_of(step, abilities, lengths, clamps)):
            if len(candidate) == 1:
                yield (_as_window(candidate[0]),) if abilities.windows else candidate


def _as_window(step: Step) -> Step:
    """A slice as a window, which is all that XLA's update writes."""
    size = size_of(step)
    if size is None or step.stride != 1 or RULES[step.rule].window:
        return step
    return Step("window", step.begin or 0, (step.begin or 0) + size)


def _first_difference(
    chain: Chain, candidate: Chain, to: str, lengths: Lengths, where: Shape
) -> Difference | RunTimeDifference | None:
    abilities = TARGETS[to].abilities
    if abilities.windows and any(not RULES[step.rule].window for step in candidate):
        return NOWHERE_EQUAL
    if to == "onnx" and any(step.stride != 1 for step in candidate):
        return NOWHERE_EQUAL
    for rule in abilities.rules:
        read = as_read(candidate, rule)
        differs = difference_of(chain, read, lengths, where.assumed, Limits(abilities.most))
        if differs is None and to == "onnx":
            differs = _parts_differ(read, lengths, where)
        if differs is not None:
            return differs
    return None


def _parts_differ(read: Chain, lengths: Lengths, where: Shape) -> Difference | RunTimeDifference | None:
    """Where ONNX's slices before and behind a region are not those: XLA's rule has no other reading of a bound."""
    for rule, begin, end, _, _ in read:
        for bounds in ((0, begin), (end, None)):
            spelled = Step(rule, bounds[0], INT64_MAX if bounds[1] is None else bounds[1])
            differs = difference_of((Step("xla", *bounds),), (spelled,), lengths, where.assumed)
            if differs is not None:
                return differs
    return None


def parts_differ(call: Call, where: Shape, rule: str) -> bool:
    """Whether the slices beside the region of an update of ONNX are others than they are meant to be."""
    if call.function != "onnx.update":
        return False
    program = program_of(as_engine((call,), rule), len(where.lengths), updates=True)
    return any(_parts_differ(axis.chain, lengths_of(axis, where.lengths), where) is not None for axis in program.kept)


def _write_xla(stage: Stage) -> Call:
    starts = [0 if step is None else step.begin for _, step in stage]
    sizes = [-1 if step is None else size_of(step) for _, step in stage]
    return Call("xla.dynamic_update_slice", start_indices=starts, update_shape=sizes)


def _write_onnx(stage: Stage) -> Call:
    sliced = [(axis, step) for axis, step in stage if step is not None]
    bounds = {"starts": [step.begin for _, step in sliced], "ends": [step.end for _, step in sliced]}
    return Call("onnx.update", **bounds, axes=[axis for axis, _ in sliced])


def _write_assigned(framework: str) -> Callable[[Stage], Call]:
    def write(stage: Stage) -> Call:
        whole = slice(None)
        items = [whole if step is None else slice(step.begin, step.end, step.stride) for _, step in stage]
        return Call(f"{framework}.assign", index=tuple(items))

    return write


def _write_tensorflow(stage: Stage) -> Call:
    (call,) = strided("tf.tensor_strided_slice_update")(stage) or [
        Call("tf.tensor_strided_slice_update", begin=[], end=[], strides=[])
    ]
    return call


WRITERS: dict[str, Callable[[Stage], Call]] = {
    "tf": _write_tensorflow,
    "onnx": _write_onnx,
    "xla": _write_xla,
    "torch": _write_assigned("torch"),
    "numpy": _write_assigned("numpy"),
}
"""The targets that have updates."""


def write_update(entries: Sequence[Entry], to: str) -> Call:
    """The update of a target."""
    return WRITERS[to](entries)


def check_target(to: str) -> None:
    if to not in WRITERS:
        raise value_error(OP, "cv_c15", f"{to} has no updates here; {', '.join(WRITERS)} have", value=to)
