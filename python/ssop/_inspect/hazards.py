"""What is known to go wrong with slices of models: a rule for each, in the order in which reports had them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from ssop._convert.program import inequality, lengths_of, whole
from ssop._convert.proofs import Lengths, result_lengths, valid_lengths
from ssop._convert.rules import INT32_MAX, INT64_MAX, INT64_MIN, RULES, Step
from ssop._convert.search import is_equal
from ssop._inspect.records import NEGATIVE_DIM, NodeCall, RunTime, SliceNode
from ssop._inspect.verdicts import DIFFERS, ERROR, Judged

INT32_MIN = -INT32_MAX - 1


class Seen(NamedTuple):
    """A node with all that a hazard may depend on."""

    node: SliceNode
    judged: Judged
    twin: str | None = None
    """The name of an earlier node that does the same to the same operand."""

    def steps(self) -> Iterator[tuple[int, Step, Lengths]]:
        """The first step on each axis of the operand, and the lengths of the axis.

        An end that counts from its begin is None here: it is no place in the axis.
        """
        program, where = self.judged.program, self.judged.where
        if program is None or where is None:
            return
        for axis in (*program.kept, *program.dropped):
            if axis.chain and axis.origin is not None:
                step = axis.chain[0]
                step = step._replace(end=None) if RULES[step.rule].counts else step
                yield axis.origin, step, lengths_of(axis, where.lengths)


class Finding(NamedTuple):
    """A hazard of a node."""

    hazard: str
    label: str
    severity: str
    node: str
    message: str


class Hazard(NamedTuple):
    """One rule: when it warns, and how severe that is."""

    name: str
    label: str
    severity: str
    summary: str
    find: Callable[[Seen], str | None] = lambda seen: None
    """What is wrong with a node, in words; None if nothing is. Some hazards are not found in a node alone."""

    def finding(self, node: str, message: str) -> Finding:
        """This hazard of a node."""
        return Finding(self.name, self.label, self.severity, node, message)


def findings(seen: Seen, silent: Collection[str] = ()) -> list[Finding]:
    """All hazards of a node, but for those that are silenced by name or label."""
    found = []
    for hazard in HAZARDS:
        message = None if hazard.name in silent or hazard.label in silent else told(hazard.find, seen)
        if message is not None:
            found.append(hazard.finding(seen.node.name, message))
    return found


def told(rule: Callable[[Seen], str | None], seen: Seen) -> str | None:
    """What a rule says of a node; None if that needs a proof, and islpy is not installed."""
    try:
        return rule(seen)
    except ImportError:
        return None


# ---- one function for each rule ------------------------------------------------------------------------------------


def _engines_differ(seen: Seen) -> str | None:  # hz_s1
    verdict = seen.judged.verdict
    return str(verdict) if verdict.kind == DIFFERS else None


def _always_an_error(seen: Seen) -> str | None:  # hz_s2
    verdict = seen.judged.verdict
    return verdict.text if verdict.kind == ERROR else None


def _negative_step(seen: Seen) -> str | None:  # hz_s3
    axes = [axis for axis, step, _ in seen.steps() if step.stride < 0]
    if not axes and any(_known(value) for value in _strides(seen.node)):
        return "a negative step, on bounds that are known at run time only"
    return f"a negative step on {_axes(axes)}: several engines reject it" if axes else None


def _strides(node: SliceNode) -> Iterator[object]:
    for call in node.calls:
        for name in ("steps", "strides", "step"):
            yield call.arguments.get(name)


def _known(value: object) -> bool:
    values = value.values if isinstance(value, RunTime) else value
    return isinstance(values, tuple) and any(one is not None and one < 0 for one in values)


def _max_end(seen: Seen) -> str | None:  # hz_s4
    for axis, step, _ in seen.steps():
        if step.stride < 0 and step.end in (INT32_MAX, INT64_MAX):
            return f"axis {axis}: an end of {step.end} with a negative step is no element, or all, by the engine"
    return None


def _run_time_bounds(seen: Seen) -> str | None:  # hz_s5
    found = [
        f"{name} from {value.producer}"
        for call in seen.node.calls
        for name, value in call.arguments.items()
        if isinstance(value, RunTime)
    ]
    return f"known at run time only: {', '.join(found)}" if found else None


def _zero_end(seen: Seen) -> str | None:  # hz_s7
    for axis, step, _ in seen.steps():
        if step.begin is not None and step.begin < 0 and step.end == 0 and step.stride > 0 and not step.drops:
            return f"axis {axis}: from {step.begin} to 0 is empty for every dim; an open end is {INT64_MAX}"
    return None


def _bounds_outside(seen: Seen) -> str | None:  # hz_s8
    for axis, step, lengths in seen.steps():
        if not lengths.known or step.drops or _is_xla(step):
            continue
        for name, bound in (("start", step.begin), ("end", step.end)):
            if bound is None or is_open(bound) or -lengths.least - (step.stride < 0) <= bound <= lengths.least:
                continue
            return (
                f"axis {axis}: {name} {bound} lies outside the dim {lengths.least}; engines that do not clamp reject it"
            )
    return None


def _is_xla(step: Step) -> bool:
    return step.rule in ("xla", "in_dim", "window", "unit")


def is_open(bound: int) -> bool:
    """Whether converters write this bound for "to the end"."""
    return abs(bound) in (10**9, INT32_MAX, -INT32_MIN, INT64_MAX, -INT64_MIN)


def _lists(seen: Seen) -> str | None:  # hz_s9
    rank = None if seen.node.input_shape is None else len(seen.node.input_shape)
    for call in seen.node.calls:
        axes = call.arguments.get("axes")
        if call.function in ("onnx.slice", "openvino.slice"):
            wrong = _wrong_lists(call, axes, rank)
            if wrong is not None:
                return wrong
        elif rank is not None and isinstance(axes, tuple):
            rank += len(axes) if call.function.endswith("unsqueeze") else -len(axes)
    return None


def _wrong_lists(call: NodeCall, axes: object, rank: int | None) -> str | None:
    lists = {name: len(value) for name, value in call.arguments.items() if isinstance(value, tuple)}
    if len(set(lists.values())) > 1:
        return "lists of unequal length: " + ", ".join(f"{count} {name}" for name, count in lists.items())
    numbers = [axis for axis in axes if isinstance(axis, int)] if isinstance(axes, tuple) else []
    if rank is not None and any(not -rank <= axis < rank for axis in numbers):
        return f"axes {numbers} of an operand of rank {rank}: are lists in each other's place?"
    if len({axis % (rank or 2**31) for axis in numbers}) < len(numbers):
        return f"axes {numbers} has an axis twice"
    return None


def _old_opset(seen: Seen) -> str | None:  # hz_s10
    opset = seen.node.opset
    if opset is None:
        return None
    for call in seen.node.calls:
        axes, steps = call.arguments.get("axes"), call.arguments.get("steps")
        if call.function == "onnx.slice" and opset < 11 and _known(axes):
            return f"axes {axes} are negative, which Slice has from opset 11 on; the file has {opset}"
        if call.function == "onnx.slice" and opset < 10:
            return f"Slice of opset {opset} has attributes, and no steps" + (" (but some are given)" if steps else "")
    return None


def _outside_int32(seen: Seen) -> str | None:  # hz_s11
    for axis, step, _ in seen.steps():
        for name, bound in (("start", step.begin), ("end", step.end)):
            if bound is not None and not INT32_MIN <= bound <= INT32_MAX and not (name == "end" and is_open(bound)):
                return f"axis {axis}: {name} {bound} is outside int32, to which some engines cut bounds"
    return None


def _int64_min(seen: Seen) -> str | None:  # hz_s12
    for call in seen.node.calls:
        if not call.function.startswith("xla."):
            continue
        for name, value in call.arguments.items():
            if isinstance(value, tuple) and INT64_MIN in value:
                return f"{name} has {INT64_MIN}, MLIR's mark of a dim that is not known"
    return None


def _negative_dim(seen: Seen) -> str | None:  # hz_s13
    return f"{NEGATIVE_DIM}; some tools abort on it" if NEGATIVE_DIM in seen.node.notes else None


def _duplicate(seen: Seen) -> str | None:  # hz_s14
    return None if seen.twin is None else f"the same as {seen.twin}"


def _no_op(seen: Seen) -> str | None:  # hz_s15
    program, where = seen.judged.program, seen.judged.where
    if program is None or where is None:
        return None
    for axis in program.kept:
        lengths = lengths_of(axis, where.lengths)
        if not lengths.known and not is_equal(axis.chain, (), lengths):  # on known ones, both may be empty
            return None
    if inequality(program, whole(len(where.lengths)), where.lengths) is not None:
        return None
    return "takes its whole operand: it can be left out"


def _declared_shape(seen: Seen) -> str | None:  # hz_s16
    declared, program, where = seen.node.declared_shape, seen.judged.program, seen.judged.where
    if declared is None or program is None or where is None:
        return None
    if len(declared) != len(program.kept) and (where.known_rank or len(declared) < len(program.kept)):
        rank = len(program.kept) if where.known_rank else f"at least {len(program.kept)}"
        return f"the file declares rank {len(declared)}, the rule gives {rank}"
    for number, (dim, axis) in enumerate(zip(declared, program.kept, strict=False)):  # behind those axes stay whole
        lengths = lengths_of(axis, where.lengths)
        valid = valid_lengths(axis.chain, lengths)
        assert valid is not None
        least, most = result_lengths(axis.chain, valid)
        if isinstance(dim, int) and not least <= dim <= most:
            rule = str(least) if least == most else f"{least}..{most}"
            return f"the file declares {dim} for axis {number} of the result, the rule gives {rule}"
    return None


def _axes(axes: list[int]) -> str:
    return ("axis " if len(axes) == 1 else "axes ") + ", ".join(map(str, axes))


FROZEN = Hazard("frozen-bounds", "hz_s6", "error", "a bound that changes with the exported size")
"""Found between two exports (pairs.py)."""

HAZARDS = (
    Hazard("engines-differ", "hz_s1", "error", "engines give different results for it", _engines_differ),
    Hazard("always-an-error", "hz_s2", "error", "it is an error on every shape", _always_an_error),
    Hazard("negative-step", "hz_s3", "note", "a negative step, which several engines reject", _negative_step),
    Hazard("max-end", "hz_s4", "warning", "an end of MAX with a negative step", _max_end),
    Hazard("run-time-bounds", "hz_s5", "note", "bounds that are known at run time only", _run_time_bounds),
    FROZEN,
    Hazard("zero-end", "hz_s7", "warning", "a negative start with an end of 0, which is empty", _zero_end),
    Hazard("bounds-outside", "hz_s8", "note", "bounds outside the axis", _bounds_outside),
    Hazard("unequal-lists", "hz_s9", "error", "lists of unequal length, or in each other's place", _lists),
    Hazard("old-opset", "hz_s10", "warning", "an opset before steps or negative axes", _old_opset),
    Hazard("outside-int32", "hz_s11", "warning", "bounds outside int32 that mark no open end", _outside_int32),
    Hazard("int64-min", "hz_s12", "error", "INT64_MIN, the mark of a dim that is not known", _int64_min),
    Hazard("negative-dim", "hz_s13", "warning", "a dim of -1 in the file", _negative_dim),
    Hazard("duplicate", "hz_s14", "note", "a slice that is computed twice", _duplicate),
    Hazard("no-op", "hz_s15", "note", "a slice that takes everything", _no_op),
    Hazard("declared-shape", "hz_s16", "warning", "a declared shape that the rule cannot give", _declared_shape),
)
"""In the order in which reports had them."""


REJECTED = Hazard("rejected-by-target", "hz_s17", "error", "the engine of --target does not take it")
"""The hazard of all profiles (profiles.py)."""
DIFFERENT = Hazard("pair-differs", "hz_s18", "error", "two models do different things in one place")
"""Found between two models (pairs.py)."""
