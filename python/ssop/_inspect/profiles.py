"""What single engines reject of slices that are right: a row of restrictions for each (docs/reference/inspect.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ssop._convert.program import Program
from ssop._convert.rules import INT32_MAX
from ssop._convert.search import is_equal
from ssop._inspect.hazards import INT32_MIN, REJECTED, Finding, Seen, is_open, told
from ssop._inspect.records import RunTime

Restriction: TypeAlias = Callable[[Seen], str | None]
"""What the engine rejects of a node, in words; None if it takes it."""


def _constant(seen: Seen) -> str | None:
    run_time = [
        name for call in seen.node.calls for name, value in call.arguments.items() if isinstance(value, RunTime)
    ]
    return f"{', '.join(run_time)} must be constants" if run_time else None


def _with_named_dims(seen: Seen) -> str | None:
    dims = seen.node.input_shape
    known = dims is not None and all(isinstance(dim, int) for dim in dims)
    return None if known or _constant(seen) is None else "bounds at run time need an operand whose dims are known"


def _positive(seen: Seen) -> str | None:
    axes = [axis for axis, step, _ in seen.steps() if step.stride < 0]
    return f"the step on axis {axes[0]} must be positive" if axes else None


def _unit(seen: Seen) -> str | None:
    axes = [axis for axis, step, _ in seen.steps() if step.stride != 1]
    return f"the step on axis {axes[0]} must be 1" if axes else None


def _rank_3_or_4(seen: Seen) -> str | None:
    dims = seen.node.input_shape
    return None if dims is None or len(dims) in (3, 4) else f"the rank must be 3 or 4, not {len(dims)}"


def _whole_batch(seen: Seen) -> str | None:
    program, where = seen.judged.program, seen.judged.where
    if program is None or where is None or not where.lengths:
        return None
    chain = program.of(0).chain
    is_whole = bool(program.kept) and program.kept[0].origin == 0 and is_equal(chain, (), where.lengths[0])
    return None if is_whole else "axis 0, the batch, must stay whole"


def _axes_kept(seen: Seen) -> str | None:
    program: Program | None = seen.judged.program
    if program is None or (not program.dropped and all(axis.origin is not None for axis in program.kept)):
        return None
    return "no axis may be new or dropped"


def _int32(seen: Seen) -> str | None:
    for axis, step, _ in seen.steps():
        for bound in (step.begin, step.end):
            if bound is not None and not INT32_MIN <= bound <= INT32_MAX and not is_open(bound):
                return f"axis {axis}: {bound} is outside int32"
    return None


PROFILES: Mapping[str, Sequence[Restriction]] = {
    "tflite-gpu": (_constant, _rank_3_or_4, _positive, _whole_batch, _axes_kept),
    "xnnpack": (_constant, _unit, _axes_kept),
    "tflm": (_constant,),
    "ort": (),
    "ort-web": (_unit,),
    "tensorrt": (_with_named_dims,),
    "openvino": (_int32,),
    "coreml": (_int32,),
    "opencv": (_constant, _positive),
}
"""By name. Hazards say what an engine reads in its own way; these are what it does not take at all."""


def rejections(seen: Seen, profile: str) -> list[Finding]:
    """What a profile's engine rejects of a node."""
    reasons = [told(restriction, seen) for restriction in PROFILES[profile]]
    return [REJECTED.finding(seen.node.name, f"{profile}: {why}") for why in reasons if why is not None]
