"""What recognises the rows of ssop/divergences.json about shape inference, kind "shapes": as narrow as can be.

Calls and answers are those of differential.partial_shapes. Each row must be seen in every run, or it is stale.
"""

import numpy as np

from ssop.reference._strided import dense_spec

INT64 = np.iinfo(np.int64)


def _label(answer):
    return getattr(answer.error, "label", None)


def _both_accept(theirs, ours):
    return theirs.error is None and ours.error is None


def _only_theirs_accepts(theirs, ours, *labels):
    return theirs.error is None and _label(ours) in labels


def _entries(call):
    """Of each entry of a StridedSlice: ellipsis, new axis, shrink."""
    masks = [call.args.get(f"{name}_mask", ()) for name in ("ellipsis", "new_axis", "shrink_axis")]
    length = len(call.args.get("begin", ()))
    return list(zip(*[([*mask] + [0] * length)[:length] for mask in masks], strict=True))


def stacked_negative_size(call, theirs, ours):
    vectors = [call.args.get(name) for name in ("begin", "size", "values")]
    stacked = any(vector and None in vector and any(v is not None and v < -1 for v in vector) for vector in vectors)
    return stacked and theirs.error is None and _label(ours) in ("sh_c17", "tsl_c3")


def strides_before_bounds(call, theirs, ours):
    if call.op != "strided_slice" or theirs.error is None or _label(ours) != "ss_c7":
        return False
    text = str(theirs.error)
    return "must be non-zero" in text or "only stride 1 allowed" in text


def many_unknown_entries(call, theirs, ours):
    return _label(ours) == "ss_c2" and None in call.args["begin"] and theirs.error is None


def ellipses_of_unknown_strides(call, theirs, ours):
    unknown = call.shape is None or None in call.args.get("strides", ())
    return unknown and _only_theirs_accepts(theirs, ours, "ss_c3")


def _run_time(call):
    return any(None in (values or ()) for values in call.args.values())


def _range_of(value):
    """The least and the greatest number of a dim or an element."""
    if value is None:
        return INT64.min, INT64.max
    lo, hi = value if isinstance(value, tuple) else (value, value)
    return lo, INT64.max if hi is None else hi


def _slices_of(call):
    """Dim, begin, end and step of the axes that an OpenVINO call slices, each the least and the greatest number."""
    if call.op == "slice":
        vectors, masks = [call.args[name] for name in ("start", "stop", "step")], None
        places = [(axis, entry) for entry, axis in enumerate(call.args["axes"])]
    else:
        vectors = [call.args[name] for name in ("begin", "end", "strides")]
        bits = [sum(bit << i for i, bit in enumerate(mask)) for mask in zip(*_entries(call), strict=True)] or [0] * 3
        masks = call.args["begin_mask"], call.args["end_mask"]
        dense = dense_spec(len(call.shape), len(vectors[0]), *bits)
        places = [(axis, entry) for kind, axis, entry in dense if kind == "range"]
    for axis, entry in places:
        begin, end, step = (_range_of(vector[entry]) for vector in vectors)
        if masks is not None and masks[0][entry]:
            begin = (0, 0) if step[0] > 0 else (-1, -1)
        if masks is not None and masks[1][entry]:
            end = (INT64.max, INT64.max) if step[0] > 0 else (INT64.min, INT64.min)
        yield _range_of(call.shape[axis]), begin, end, step


def intervals_wider_than_needed(call, theirs, ours):
    return theirs.contains(ours)


def bounds_of_both_signs(call, theirs, ours):
    if not _both_accept(theirs, ours) or theirs.contains(ours):
        return False
    return any(min(begin[0], end[0]) < 0 <= max(begin[1], end[1]) for _, begin, end, _ in _slices_of(call))


def interval_upside_down(call, theirs, ours):
    return _both_accept(theirs, ours) and any(lo < 0 for lo, _ in theirs.dims or ())


def far_negative_begin_of_interval(call, theirs, ours):
    if not _both_accept(theirs, ours) or theirs.contains(ours):
        return False
    return any(step[0] < 0 and begin[0] + dim[0] < 0 for dim, begin, _, step in _slices_of(call))


def shrunk_begin_unchecked(call, theirs, ours):
    return _label(ours) == "ov_c8" and (theirs.error is None or "Stride must be non-zero" in str(theirs.error))


def ellipses_of_unknown_rank(call, theirs, ours):
    return call.shape is None and _only_theirs_accepts(theirs, ours, "ov_c5")


def step_of_unknown_bounds(call, theirs, ours):
    return _run_time(call) and _only_theirs_accepts(theirs, ours, "ovs_c7")


def new_axis_after_ellipsis(call, theirs, ours):
    if call.op != "strided_slice" or not _run_time(call) or not _both_accept(theirs, ours):
        return False
    ellipsis = next((i for i, bit in enumerate(call.args["ellipsis_mask"]) if bit), None)
    return ellipsis is not None and any(call.args["new_axis_mask"][ellipsis + 1 :])


def scalar_shape_missing(call, theirs, ours):
    return call.shape == [] and theirs.contains(ours) and theirs.dims is None


def lists_at_run_time(call, theirs, ours):
    return _run_time(call) and theirs.contains(ours) and set(theirs.dims or ()) <= {(0, None)}


def unknown_dim_sliced(call, theirs, ours):
    if _run_time(call) or not theirs.contains(ours) or theirs.dims is None:
        return False
    dims = zip(call.shape, theirs.dims, ours.dims, strict=True)
    return all(dim is None and their == (0, None) or their == our for dim, their, our in dims)


def run_time_lists_unchecked(call, theirs, ours):
    return _run_time(call) and _only_theirs_accepts(theirs, ours, "onx_c4", "onx_c5", "onx_c6")


def step_of_unknown_dim(call, theirs, ours):
    return None in call.shape and not _run_time(call) and _only_theirs_accepts(theirs, ours, "onx_c6")


def axes_before_steps(call, theirs, ours):
    text = str(theirs.error)
    return _label(ours) == "onx_c3" and ("is referred to more than once" in text or "Unexpected axis value" in text)
