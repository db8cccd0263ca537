"""Known defects of engines that only chains show, each with a function that tells whether it explains an answer.

Where an engine computes something else than the chain, that is computed here, too: the answer must be equal to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain as joined
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ssop._core import SliceError
from ssop.testing.calls import Answer, Array, Fault, Rejection, same
from ssop.testing.chains.program import At, Chain, Step, applied, function_of


class Defect(NamedTuple):
    """A defect: in which engines, where it is told, what is wrong, and whether it explains an answer."""

    engines: tuple[str, ...]
    url: str
    text: str
    explains: Callable[[Chain, Answer], bool]


def gives(results: Callable[[Chain], Iterator[Array]]) -> Callable[[Chain, Answer], bool]:
    """A defect that explains certain results."""
    return lambda chain, answer: answer.array is not None and any(same(answer.array, y) for y in results(chain))


# ---- XLA ------------------------------------------------------------------------------------------------------------


class Window(NamedTuple):
    """What is known of the value of a dynamic slice: its source and the starts in that, before they are clamped."""

    source: Array
    starts: Any


def merged_dynamic_slices(chain: Chain) -> Iterator[Array]:
    """The results if slices of slices are merged by adding their starts, in any places where that can be.

    The first start is clamped as if the first slice had the sizes of the second; the second start is not clamped.
    A reshape that adds or removes axes of length 1 may be between them.
    """
    places = [step.name for step in chain.steps if step.op == "xla.dynamic_slice"]
    for merged in joined.from_iterable(combinations(places, count) for count in range(1, len(places) + 1)):
        values: dict[str, Array] = dict(chain.inputs)
        windows: dict[str, Window] = {}
        used = 0
        for step in chain.steps:
            window = windows.get(step.operands[0])
            if step.op != "xla.dynamic_slice":
                values[step.name] = applied(step, values)
                if window is not None and step.op in ("xla.reshape", "xla.broadcast_in_dim"):
                    reshaped = _reshaped(window, values[step.operands[0]].shape, values[step.name].shape)
                    windows |= {} if reshaped is None else {step.name: reshaped}
                continue
            source, first, sizes = values[step.operands[0]], _starts(step, values), step.args["slice_sizes"]
            if step.name in merged and window is not None:
                most = np.array(window.source.shape) - np.array(sizes)
                source, used = window.source, used + 1
                first = first + np.clip(window.starts, 0, most).astype(first.dtype)
            windows[step.name] = Window(source, first)
            values[step.name] = function_of(step.op)(source, first, sizes)
        if used == len(merged):
            yield values[chain.steps[-1].name]


def _starts(step: Step, values: dict[str, Array]) -> Any:
    """The starts after negative ones were wrapped, in their own dtype, in which sums overflow.

    XLA knows that the start of a whole axis is 0.
    """
    args = step.with_args(values)
    starts = np.asarray(args["start_indices"])
    dims = np.array(values[step.operands[0]].shape, starts.dtype)
    wrapped = np.where(starts < 0, starts + dims, starts) if args["allow_negative_indices"] else starts
    return np.where(dims == np.array(args["slice_sizes"]), 0, wrapped).astype(starts.dtype)


def _reshaped(window: Window, old: tuple[int, ...], new: tuple[int, ...]) -> Window | None:
    """The window after a reshape; None unless it adds or removes only axes that are of length 1 in the source, too."""
    dims, starts, axis = [], [], 0
    for dim in new:
        while axis < len(old) and old[axis] != dim and old[axis] == window.source.shape[axis] == 1:
            axis += 1
        if axis < len(old) and old[axis] == dim:
            dims.append(window.source.shape[axis])
            starts.append(window.starts[axis])
            axis += 1
        elif dim == 1:
            dims.append(1)
            starts.append(0)
        else:
            return None
    if any(n != 1 for n in window.source.shape[axis:]):
        return None
    return Window(window.source.reshape(dims), np.array(starts, np.asarray(window.starts).dtype))


FIRST_ID = 2**40
"""Above all elements of chains, also those of starts that are taken for data."""


def updated_in_place(chain: Chain) -> Iterator[Array]:
    """The results if an update is computed from the operand while that is already overwritten, in C order."""
    for place, step in enumerate(chain.steps):
        if step.op != "xla.dynamic_update_slice":
            continue
        whole, update = step.operands
        if whole not in chain.values or whole == update:
            continue
        values: dict[str, Any] = {name: array.astype(int) if array.dtype.kind != "b" else array
                                  for name, array in chain.inputs.items()}  # fmt: skip
        ids = FIRST_ID + np.arange(chain.values[whole].size).reshape(chain.values[whole].shape)
        values[whole] = ids
        for before in chain.steps[:place]:
            if before.name != whole:
                values[before.name] = applied(before, values)
        ids = np.asarray(applied(step, values)).ravel()  # where each element comes from
        buffer = chain.values[whole].astype(int).ravel()
        for at, source in enumerate(ids.tolist()):
            if source != FIRST_ID + at:
                buffer[at] = buffer[source - FIRST_ID] if source >= FIRST_ID else source
        results = dict(chain.values)
        results[step.name] = buffer.astype(chain.values[whole].dtype).reshape(chain.values[whole].shape)
        for later in chain.steps[place + 1 :]:
            results[later.name] = applied(later, results)
        yield results[chain.steps[-1].name]


# ---- OpenVINO -------------------------------------------------------------------------------------------------------


def shape_of_a_slice(chain: Chain, answer: Answer) -> bool:
    """The CPU plugin infers other shapes before a run than in it, where a slice has bounds of run time."""
    run_time = any(isinstance(arg, At) for step in chain.steps for arg in step.args.values())
    return run_time and isinstance(answer.error, Rejection) and "getShape().isCompatible(dims)" in str(answer.error)


def broadcast_of_nothing(chain: Chain, answer: Answer) -> bool:
    """The process dies at a broadcast whose result is empty."""
    empty = any(s.op == "xla.broadcast_in_dim" and not chain.values[s.name].size for s in chain.steps)
    return empty and isinstance(answer.error, Fault) and "SIGFPE" in str(answer.error)


def transpose_of_nothing(chain: Chain, answer: Answer) -> bool:
    """The result of a transpose of an empty array has elements, from memory that is not the input's."""
    empty = any(s.op == "xla.transpose" and not chain.values[s.name].size for s in chain.steps)
    return empty and answer.array is not None and answer.array.shape != chain.run().shape


def select_of_int64(chain: Chain, answer: Answer) -> bool:
    """It makes int32 of an int64 operand of Select that a reverse gives, and rejects the other operand."""
    selects = any(s.op == "xla.select" and chain.values[s.name].dtype == "int64" for s in chain.steps)
    reverses = "xla.rev" in chain.operations
    return selects and reverses and _rejected(answer, "Argument 1 and 2 element types must match")


def pads_of_scalars(chain: Chain, answer: Answer) -> bool:
    """The CPU plugin raises an error for a value without axes, though there is nothing to pad."""
    scalar = any(step.op == "xla.pad" and not step.args["padding_config"] for step in chain.steps)
    return scalar and _rejected(answer, "has incorrect number of input/output dimensions")


def _rejected(answer: Answer, words: str) -> bool:
    return isinstance(answer.error, Rejection) and words in str(answer.error)


# ---- ONNX Runtime ---------------------------------------------------------------------------------------------------


def pad_of_a_scalar(chain: Chain, answer: Answer) -> bool:
    """It raises an error for a value without axes, though there is nothing to pad."""
    scalar = any(step.op == "xla.pad" and not step.args["padding_config"] for step in chain.steps)
    return scalar and isinstance(answer.error, Rejection) and "running Pad node" in str(answer.error)


def expand_to_nothing(chain: Chain) -> Iterator[Array]:
    """The result if an Expand is dropped whose only change is that axes of length 1 get the length 0."""
    values, dropped = dict(chain.inputs), False
    for step in chain.steps:
        if step.op == "xla.broadcast_in_dim":
            dims = list(step.args["shape"])
            axes = dict(zip(step.args["broadcast_dimensions"], values[step.operands[0]].shape, strict=True))
            kept = [axes.get(axis, 1) for axis in range(len(dims))]
            if kept != dims and all(new in (old, 0) for new, old in zip(dims, kept, strict=True)):
                step, dropped = step._replace(args=step.args | {"shape": kept}), True
        try:
            values[step.name] = applied(step, values)
        except SliceError:
            return
    if dropped:
        yield values[chain.steps[-1].name]


# ---- the table ------------------------------------------------------------------------------------------------------

DEFECTS: dict[str, Defect] = {
    "merged_dynamic_slices": Defect(
        ("jax-jit",),
        "https://github.com/jax-ml/jax/issues/40849",
        "XLA makes one dynamic slice of two by adding their starts, and forgets the clamp between.",
        gives(merged_dynamic_slices),
    ),
    "updated_in_place": Defect(
        ("jax-jit",),
        "https://github.com/openxla/xla/issues/49176",
        "XLA updates an array in place while the update is still read from the same array.",
        gives(updated_in_place),
    ),
    "shape_of_a_slice": Defect(
        ("openvino",),
        "no report is known",
        "OpenVINO's CPU plugin rejects a backwards slice of a slice whose bounds are known at run time.",
        shape_of_a_slice,
    ),
    "broadcast_of_nothing": Defect(
        ("openvino",),
        "no report is known",
        "OpenVINO divides by zero, and the process dies, where it broadcasts to a shape without elements.",
        broadcast_of_nothing,
    ),
    "transpose_of_nothing": Defect(
        ("openvino",),
        "no report is known",
        "OpenVINO's transpose of shape (0, 1) has shape (1, 1), and an element of foreign memory.",
        transpose_of_nothing,
    ),
    "select_of_int64": Defect(
        ("openvino",),
        "no report is known",
        "OpenVINO makes int32 of one int64 operand of Select alone, where the operand is a reversed array.",
        select_of_int64,
    ),
    "pads_of_scalars": Defect(
        ("openvino",),
        "no report is known",
        "OpenVINO's Pad raises an error for a value without axes.",
        pads_of_scalars,
    ),
    "pad_of_a_scalar": Defect(
        ("ort",),
        "no report is known",
        "ONNX Runtime's Pad raises an error for a value without axes.",
        pad_of_a_scalar,
    ),
    "expand_to_nothing": Defect(
        ("ort",),
        "no report is known",
        "ONNX Runtime's optimizer drops an Expand that makes an axis of length 1 one of length 0.",
        gives(expand_to_nothing),
    ),
}
"""The defects by their names."""

CAP = 0.05
"""No defect explains a larger share of the chains of a run."""


def explained_by(engine: str, chain: Chain, theirs: Answer) -> list[str]:
    """The defects of an engine that explain its answer."""
    rows = [(name, row) for name, row in DEFECTS.items() if engine in row.engines]
    return [name for name, row in rows if row.explains(chain, theirs)]


def rows_of(engine: str) -> dict[str, dict[str, str]]:
    """The defects of an engine in the form of the table of divergences."""
    return {name: {"predicate": name, "cap": str(CAP)} for name, row in DEFECTS.items() if engine in row.engines}
