"""What recognises the rows of ssop/divergences.json about shape inference, kind "shapes": as narrow as can be.

Each row has a cap: the share of the calls that it may excuse. A row that no call meets any more is stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ssop.reference._strided import dense_spec
from ssop.testing._differential.known import INT64, both_accept, entries_of, label_of, only_theirs_accepts
from ssop.testing.calls import Answer, Dims, ShapeCall

Pair: TypeAlias = "tuple[int, int]"


def _contains(theirs: Answer, ours: Answer) -> bool:
    return theirs.dims is not None and ours.dims is not None and theirs.dims.contains(ours.dims)


def _intervals(answer: Answer) -> Any:
    return () if answer.dims is None else answer.dims.intervals or ()


def stacked_negative_size(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    vectors = [call.args.get(name) for name in ("begin", "size", "values")]
    stacked = any(vector and None in vector and any(v is not None and v < -1 for v in vector) for vector in vectors)
    return stacked and theirs.error is None and label_of(ours) in ("sh_c17", "tsl_c3")


def strides_before_bounds(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    if call.name != "strided_slice" or theirs.error is None or label_of(ours) != "ss_c7":
        return False
    text = str(theirs.error)
    return "must be non-zero" in text or "only stride 1 allowed" in text


def many_unknown_entries(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return label_of(ours) == "ss_c2" and None in call.args["begin"] and theirs.error is None


def placeholders_of_no_entries(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return call.name == "strided_slice" and call.args["strides"] == () and theirs.dims == Dims(None)


def ellipses_of_unknown_strides(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    unknown = call.shape is None or None in call.args.get("strides", ())
    return unknown and only_theirs_accepts(theirs, ours, "ss_c3")


def _run_time(call: ShapeCall) -> bool:
    return any(None in (values or ()) for values in call.args.values())


def _range_of(value: Any) -> Pair:
    """The least and the greatest number of a dim or an element."""
    if value is None:
        return INT64.min, INT64.max
    lo, hi = value if isinstance(value, tuple) else (value, value)
    return lo, INT64.max if hi is None else hi


def _slices_of(call: ShapeCall) -> Iterator[tuple[Pair, Pair, Pair, Pair]]:
    """Dim, begin, end and step of the axes that an OpenVINO call slices, each the least and the greatest number."""
    if call.name == "slice":
        vectors, masks = [call.args[name] for name in ("start", "stop", "step")], None
        places: list[tuple[Any, Any]] = [(axis, entry) for entry, axis in enumerate(call.args["axes"])]
    else:
        assert call.shape is not None, "of an unknown rank, OpenVINO and ssop know the same"
        vectors = [call.args[name] for name in ("begin", "end", "strides")]
        bits = [sum(bit << i for i, bit in enumerate(mask)) for mask in zip(*entries_of(call), strict=True)] or [0] * 3
        masks = call.args["begin_mask"], call.args["end_mask"]
        dense = dense_spec(len(call.shape), len(vectors[0]), *bits)
        places = [(axis, entry) for kind, axis, entry in dense if kind == "range"]
    dims: Any = call.shape
    for axis, entry in places:
        begin, end, step = (_range_of(vector[entry]) for vector in vectors)
        if masks is not None and masks[0][entry]:
            begin = (0, 0) if step[0] > 0 else (-1, -1)
        if masks is not None and masks[1][entry]:
            end = (INT64.max, INT64.max) if step[0] > 0 else (INT64.min, INT64.min)
        yield _range_of(dims[axis]), begin, end, step


def intervals_wider_than_needed(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return _contains(theirs, ours)


def bounds_of_both_signs(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    if not both_accept(theirs, ours) or _contains(theirs, ours):
        return False
    return any(min(begin[0], end[0]) < 0 <= max(begin[1], end[1]) for _, begin, end, _ in _slices_of(call))


def interval_upside_down(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return both_accept(theirs, ours) and any(lo < 0 for lo, _ in _intervals(theirs))


def far_negative_begin_of_interval(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    if not both_accept(theirs, ours) or _contains(theirs, ours):
        return False
    return any(step[0] < 0 and begin[0] + dim[0] < 0 for dim, begin, _, step in _slices_of(call))


def shrunk_begin_unchecked(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return label_of(ours) == "ov_c8" and (theirs.error is None or "Stride must be non-zero" in str(theirs.error))


def masks_and_steps_of_unknown_rank(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    checked = "ov_c5", "ov_c7", "ss_c8", "ovs_c4", "ovs_c5", "ovs_c6", "ovs_c7"
    return call.shape is None and only_theirs_accepts(theirs, ours, *checked)


def step_of_unknown_bounds(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return _run_time(call) and only_theirs_accepts(theirs, ours, "ovs_c7")


def new_axis_after_ellipsis(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    if call.name != "strided_slice" or not _run_time(call) or not both_accept(theirs, ours):
        return False
    ellipsis = next((i for i, bit in enumerate(call.args["ellipsis_mask"]) if bit), None)
    return ellipsis is not None and any(call.args["new_axis_mask"][ellipsis + 1 :])


def scalar_shape_missing(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return call.shape == [] and _contains(theirs, ours) and theirs.dims == Dims(None)


def lists_at_run_time(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return _run_time(call) and _contains(theirs, ours) and set(_intervals(theirs)) <= {(0, None)}


def unknown_dim_sliced(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    if _run_time(call) or not _contains(theirs, ours) or theirs.dims == Dims(None):
        return False
    dims = zip(call.shape or (), _intervals(theirs), _intervals(ours), strict=True)
    return all(dim is None and their == (0, None) or their == our for dim, their, our in dims)


def lists_of_unknown_rank(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    labels = [f"onx_c{number}" for number in range(1, 7)]
    return call.shape is None and theirs.dims == Dims(None) and label_of(ours) in labels


def run_time_lists_unchecked(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return _run_time(call) and only_theirs_accepts(theirs, ours, "onx_c4", "onx_c5", "onx_c6")


def step_of_unknown_dim(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    return None in (call.shape or ()) and not _run_time(call) and only_theirs_accepts(theirs, ours, "onx_c6")


def axes_before_steps(call: ShapeCall, theirs: Answer, ours: Answer) -> bool:
    text = str(theirs.error)
    return label_of(ours) == "onx_c3" and ("is referred to more than once" in text or "Unexpected axis value" in text)
