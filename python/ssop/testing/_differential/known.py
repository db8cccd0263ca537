"""What recognises the engines' rows of ssop/divergences.json: as narrow as can be, lest a new difference hide there.

`divergence`: ssop answers otherwise than the engine, on purpose. `not_sent`: the call could kill the process or damage
its memory, so the engine is not asked. `label` is the rule or the heading of SPEC.md that ssop follows. Each row has a
cap: the share of the calls that it may excuse. A row that no call meets any more is stale.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ssop.testing.calls import Call, ShapeCall

INT64 = np.iinfo(np.int64)
STATIC = ("eager", "jit constant")  # JAX can see the starts' values


def label_of(answer: Any) -> str | None:
    return getattr(answer.error, "label", None)


def both_accept(theirs: Any, ours: Any) -> bool:
    return theirs.error is None and ours.error is None


def only_ours_accepts(theirs: Any, ours: Any, message: str) -> bool:
    return ours.error is None and message in str(theirs.error)


def only_theirs_accepts(theirs: Any, ours: Any, *labels: str) -> bool:
    return theirs.error is None and label_of(ours) in labels


def _starts(call: Call) -> Any:
    return np.asarray(call.args.get("start_indices", ()))


def _least_normal(dtype: np.dtype[Any]) -> float:
    import ml_dtypes

    info: Any = ml_dtypes.finfo
    return float(info(dtype).smallest_normal)


# TensorFlow


def rank_above_8(call: Call, theirs: Any, ours: Any) -> bool:
    return call.arrays[0].ndim > 8 and only_ours_accepts(theirs, ours, "Unhandled input dimensions")


def rank_above_32(call: Call, theirs: Any, ours: Any) -> bool:
    return call.arrays[0].ndim > 32 and both_accept(theirs, ours)


def more_axes_than_numpy(call: Call, theirs: Any, ours: Any) -> bool:
    return label_of(ours) == "ss_c8" and "more axes than NumPy" in str(theirs.error)


def mask_converted(call: Call, theirs: Any, ours: Any) -> bool:
    masks = [value for name, value in call.args.items() if name.endswith("_mask")]
    return any(type(mask) is not int for mask in masks) and only_theirs_accepts(theirs, ours, "in_c4")


def index_converted(call: Call, theirs: Any, ours: Any) -> bool:
    kinds = {np.asarray(call.args.get(name, 0)).dtype.kind for name in ("begin", "end", "strides")}
    return bool(kinds & set("bf")) and only_theirs_accepts(theirs, ours, "in_c1")


def index_type_rejected(call: Call, theirs: Any, ours: Any) -> bool:
    return only_ours_accepts(theirs, ours, "Value for attr 'Index' of uint")


def graph_order(call: Call, theirs: Any, ours: Any) -> bool:
    strides = "must be non-zero" in str(theirs.error) or "only stride 1 allowed" in str(theirs.error)
    return strides and label_of(ours) in ("ss_c4", "ss_c7", "ss_c6", "ss_c5")


# JAX


def eager_slice_unchecked(call: Call, theirs: Any, ours: Any) -> bool:
    unchecked = call.name == "slice" and call.how == "eager" and call.args["strides"] is None
    return unchecked and only_theirs_accepts(theirs, ours, "sl_c1", "sl_c4", "sl_c5")


def static_negative_start(call: Call, theirs: Any, ours: Any) -> bool:
    message = "is out of bounds for dimension"
    return call.how in STATIC and min(_starts(call), default=0) < 0 and only_ours_accepts(theirs, ours, message)


def mixed_start_types(call: Call, theirs: Any, ours: Any) -> bool:
    types = {np.asarray(start).dtype for start in call.args["start_indices"]} if "start_indices" in call.args else ()
    return len(types) > 1 and only_ours_accepts(theirs, ours, "must be integers of the same type")


def unsigned_constant(call: Call, theirs: Any, ours: Any) -> bool:
    starts = _starts(call)
    if call.how != "jit constant" or starts.dtype.kind != "u" or not both_accept(theirs, ours):
        return False
    return bool((starts > np.iinfo(starts.dtype).max // 2).any())


def narrow_start(call: Call, theirs: Any, ours: Any) -> bool:
    wide = max(call.arrays[0].shape, default=0) > 127
    overflow = both_accept(theirs, ours) or only_ours_accepts(theirs, ours, "out of bounds for int8")
    return wide and _starts(call).dtype == np.int8 and call.args["allow_negative_indices"] is True and overflow


def python_start_beyond_int64(call: Call, theirs: Any, ours: Any) -> bool:
    starts = call.args.get("start_indices")
    large = isinstance(starts, list) and max(starts, default=0) > INT64.max
    return large and only_theirs_accepts(theirs, ours, "in_c2")


def nan_payload(call: Call, theirs: Any, ours: Any) -> bool:
    if call.name != "dynamic_update_slice" or not both_accept(theirs, ours) or theirs.array.dtype.kind not in "fV":
        return False
    bits = np.dtype(f"u{theirs.array.dtype.itemsize}")
    changed = theirs.array.view(bits) != ours.array.view(bits)
    small = theirs.array.dtype.itemsize < 4 and theirs.array.dtype != np.float16
    with np.errstate(invalid="ignore"):
        return small and bool(np.isnan([theirs.array[changed], ours.array[changed]]).all())


# JAX and XLA: operations that move data


def scalar_converted(call: Call, theirs: Any, ours: Any) -> bool:
    dtypes = {array.dtype for array in call.arrays}
    later = ("val_c1", "val_c2", "val_c3", "cl_c2", "cl_c3", "sel_c3", "sel_c4")  # checked after the dtypes
    converted = ours.error is None or label_of(ours) in later
    of_types = re.search("requires arguments to have the same dtypes|[Ee]lement types", str(theirs.error))
    return converted and len(dtypes) > 1 and any(array.ndim == 0 for array in call.arrays) and of_types is not None


def _differ_in(theirs: Any, ours: Any, test: Callable[[Any, Any], Any]) -> bool:
    """Whether all elements that differ, pairs of floats, pass the test."""
    if not both_accept(theirs, ours) or theirs.array.shape != ours.array.shape:
        return False
    if theirs.array.dtype.kind not in "fV":
        return False
    bits = np.dtype(f"u{theirs.array.dtype.itemsize}")
    changed = theirs.array.view(bits) != ours.array.view(bits)
    with np.errstate(invalid="ignore"):
        return bool(test(theirs.array[changed].astype(float), ours.array[changed].astype(float)).all())


def small_nan(call: Call, theirs: Any, ours: Any) -> bool:
    small = theirs.error is None and theirs.array.dtype.itemsize < 4
    return small and _differ_in(theirs, ours, lambda a, b: np.isnan(a) & np.isnan(b))


def clamp_flushes(call: Call, theirs: Any, ours: Any) -> bool:
    if call.name != "clamp" or theirs.error is not None or theirs.array.dtype.kind not in "fV":
        return False
    least = _least_normal(theirs.array.dtype)
    return _differ_in(theirs, ours, lambda a, b: np.isnan(a) & np.isnan(b) | (abs(a) < least) & (abs(b) < least))


def mixed_precision(call: Call, theirs: Any, ours: Any) -> bool:
    if theirs.error is None or label_of(ours) not in ("pad_c3", "cat_c4", "sel_c2", "cl_c1"):
        return False
    return len({array.dtype for array in call.arrays if array.dtype.kind in "fV"}) > 1


def complex_clamp(call: Call, theirs: Any, ours: Any) -> bool:
    return call.name == "clamp" and call.arrays[1].dtype.kind == "c" and only_theirs_accepts(theirs, ours, "cl_c3")


def broadcast_to_itself(call: Call, theirs: Any, ours: Any) -> bool:
    if call.name != "broadcast_in_dim" or theirs.error is not None:
        return False
    x, shape, dimensions = call.arrays[0], tuple(call.args["shape"]), list(call.args["broadcast_dimensions"])
    taken_as_it_is = shape == x.shape or not dimensions and len(shape) == x.ndim
    return taken_as_it_is and dimensions != list(range(x.ndim)) and theirs.array.tobytes() == x.tobytes()


# LiteRT


def _kinds(call: Call) -> Any:
    """What each entry of a TFLite spec is; mask bits past the spec left out."""
    kinds = ("ellipsis", "new_axis", "shrink_axis")
    return [
        next((kind for kind in kinds if call.args[f"{kind}_mask"] >> i & 1), "range")
        for i in range(len(call.args["begin"]))
    ]


def spare_bits(call: Call, theirs: Any, ours: Any) -> bool:
    return call.how == "spare bits" and both_accept(theirs, ours)


def more_than_32_axes(call: Call, theirs: Any, ours: Any) -> bool:
    wrong = both_accept(theirs, ours) or only_ours_accepts(theirs, ours, "crashed")
    return wrong and ours.array.ndim > 32


def longer_strides(call: Call, theirs: Any, ours: Any) -> bool:
    return only_theirs_accepts(theirs, ours, "tfl_c1") and len(call.args["strides"]) > len(call.args["begin"])


def unwritten_shrink(call: Call, theirs: Any, ours: Any) -> bool:
    return only_theirs_accepts(theirs, ours, "tfl_c6", "tfl_c7")


def least_stride(call: Call, theirs: Any, ours: Any) -> bool:
    return "stride value INT32_MIN is not supported" in str(theirs.error) and -(2**31) in list(call.args["strides"])


def litert_order(call: Call, theirs: Any, ours: Any) -> bool:
    fault = label_of(ours) in ("tfl_c1", "tfl_c3", "tfl_c6", "tfl_c7") and "has to be non-zero" in str(theirs.error)
    return fault and 0 in list(call.args["strides"])


def int64_indices(call: Call, theirs: Any, ours: Any) -> bool:
    return np.asarray(call.args["begin"]).dtype == np.int64 and only_ours_accepts(theirs, ours, "INT64 != INT32")


# ONNX: calls with several faults, of which each side names another


def inference_order(call: Call, theirs: Any, ours: Any) -> bool:
    rank, axes = call.arrays[0].ndim, call.args["axes"]
    axes = list(range(len(call.args["starts"])) if axes is None else axes)
    outside = any(not -rank <= axis < rank for axis in axes) and "Unexpected axis value" in str(theirs.error)
    twice = len({axis % max(rank, 1) for axis in axes}) < len(axes) and "more than once" in str(theirs.error)
    return label_of(ours) == "onx_c3" and (outside or twice) or label_of(ours) == "onx_c5" and outside


def runtime_order(call: Call, theirs: Any, ours: Any) -> bool:
    fault = label_of(ours) in ("ort_c5", "ort_c6") and "'step' value cannot be 0" in str(theirs.error)
    return fault and 0 in list(call.args["steps"])


# OpenVINO


def entries_of(call: Call | ShapeCall) -> Any:
    """For each entry of a StridedSlice: whether it is an ellipsis, a new axis, shrunk."""
    masks = [call.args.get(f"{name}_mask", ()) for name in ("ellipsis", "new_axis", "shrink_axis")]
    length = len(call.args.get("begin", ()))
    return list(zip(*[([*mask] + [0] * length)[:length] for mask in masks], strict=True))


def plugin_masks_shrunk_begin(call: Call, theirs: Any, ours: Any) -> bool:
    masked = zip(entries_of(call), call.args.get("begin_mask", ()), strict=False)
    shrunk = any(entry == (0, 0, 1) and bit for entry, bit in masked)
    return call.how == "cpu" and shrunk and both_accept(theirs, ours) and theirs.array.shape == ours.array.shape


def plugin_cuts_bounds(call: Call, theirs: Any, ours: Any) -> bool:
    names = ("begin", "end", "start", "stop")
    return call.how == "run time" and any(not -(2**31) <= v < 2**31 for name in names for v in call.args.get(name, ()))


def stride_before_entries(call: Call, theirs: Any, ours: Any) -> bool:
    fault = label_of(ours) in ("ov_c6", "ov_c8") and "Stride must be non-zero" in str(theirs.error)
    return fault and 0 in list(call.args["strides"])


def rank_before_lengths(call: Call, theirs: Any, ours: Any) -> bool:
    return label_of(ours) in ("ovs_c2", "ovs_c3") and "input dim size can't be bigger than" in str(theirs.error)


# PyTorch


def step_overflows(call: Call, theirs: Any, ours: Any) -> bool:
    return ours.error is None and max(call.args["strides"], default=1) >= 2**61


def several_ellipses(call: Call, theirs: Any, ours: Any) -> bool:
    return only_theirs_accepts(theirs, ours, "ss_c3")


def shrunk_entry_of_no_axis(call: Call, theirs: Any, ours: Any) -> bool:
    kinds = entries_of(call)
    beside = any(ellipsis for ellipsis, _, _ in kinds) and any(kind == (0, 0, 1) for kind in kinds)
    return call.how == "shape" and beside and only_theirs_accepts(theirs, ours, "ov_c6")


# Not sent


def length_in_dim_overflows(call: Call) -> bool:
    return call.name == "slice_in_dim" and call.args["stride"] + max(call.arrays[0].shape, default=0) > INT64.max


def padding_overflows(call: Call) -> bool:
    if call.name != "pad":
        return False
    entries = zip(call.arrays[0].shape, call.args["padding_config"], strict=False)
    return any(dim + max(dim - 1, 0) * max(gap, 0) + low + high > INT64.max for dim, (low, high, gap) in entries)


def second_ellipsis(call: Call) -> bool:
    return call.name == "strided_slice" and _kinds(call).count("ellipsis") > 1


def strides_missing(call: Call) -> bool:
    return call.name == "strided_slice" and len(call.args["strides"]) < len(call.args["begin"])


def new_axis_after_spare_entries(call: Call) -> bool:
    if call.name != "strided_slice":
        return False
    kinds, rank, axis = _kinds(call)[:32], call.arrays[0].ndim, 0
    if len(kinds) > 31:  # rejected
        return False
    for i, kind in enumerate(kinds):
        if kind == "new_axis" and axis > rank:
            return True
        if kind == "ellipsis":
            axis = max(axis + 1, rank - sum(later != "new_axis" for later in kinds[i + 1 :]))
        else:
            axis += kind != "new_axis"
    return False


def offset_of_another_entry(call: Call) -> bool:
    if not call.args.get("offset"):
        return False
    return len(call.args["begin"]) < call.arrays[0].ndim or bool({"ellipsis", "new_axis"} & set(_kinds(call)))


def offset_outside_axis(call: Call) -> bool:
    """Whether a window's stop, wrapped and clamped, leaves another number of elements than are allocated."""
    if not call.args.get("offset"):
        return False
    entries = zip(call.arrays[0].shape, *(call.args[name] for name in ("begin", "end", "strides")), strict=False)
    for i, (dim, begin, end, stride) in enumerate(entries):
        if stride == 0 or call.args["shrink_axis_mask"] >> i & 1:
            continue
        start, stop, _ = slice(begin, None, stride).indices(dim)
        if call.args["begin_mask"] >> i & 1:
            start, _, _ = slice(None, None, stride).indices(dim)
        if not call.args["end_mask"] >> i & 1:
            _, stop, _ = slice(None, start + end, stride).indices(dim)
        if len(range(start, stop, stride)) != max(0, -(-end // stride)):
            return True
    return False


def plugin_reads_outside(call: Call) -> bool:
    if call.how != "cpu" or call.name != "strided_slice":
        return False
    entries = entries_of(call)
    ellipsis, new, shrink = (any(marks) for marks in zip(*entries, strict=True)) if entries else (False,) * 3
    implicit = not ellipsis and len(entries) - sum(n for _, n, _ in entries) < call.arrays[0].ndim
    spare = [call.args[f"{name}_mask"][len(entries) :] for name in ("ellipsis", "new_axis", "shrink_axis")]
    return new and shrink and implicit or any(map(any, spare))


def plugin_reads_behind_masks(call: Call) -> bool:
    if call.how != "cpu" or call.name != "strided_slice" or not call.args.get("strict", True):
        return False
    entries, rank = entries_of(call), call.arrays[0].ndim
    new = sum(bool(new and not ellipsis) for ellipsis, new, _ in entries)
    shrunk = sum(entry == (0, 0, 1) for entry in entries)
    masks = [len(call.args[name]) for name in call.args if name.endswith("_mask")]
    seen: int = max(rank, rank + new - shrunk, min(masks, default=0))
    return seen < len(entries)


def plugin_cuts_strides(call: Call) -> bool:
    return call.how == "cpu" and any(
        abs(step) >= 2**31 for step in call.args.get("strides", call.args.get("step")) or ()
    )


def length_overflows(call: Call) -> bool:
    if call.name != "slice" or call.args["strides"] is None:
        return False
    lengths = {len(call.arrays[0].shape), *map(len, call.args.values())}
    axes = list(zip(call.arrays[0].shape, *call.args.values(), strict=False))
    legal = len(lengths) == 1 and all(0 <= start <= limit <= dim and stride > 0 for dim, start, limit, stride in axes)
    return legal and any(limit - start + stride - 1 > INT64.max for _, start, limit, stride in axes)


def narrow_update(call: Call) -> bool:
    starts = _starts(call)
    if call.name != "dynamic_update_slice" or starts.dtype.kind not in "iu":
        return False
    return max(call.arrays[0].shape, default=0) > np.iinfo(starts.dtype).max


def unsent_stride(call: Call) -> bool:
    return any(abs(int(stride)) > 2**62 for stride in call.args["strides"])


def begin_plus_size_overflows(call: Call) -> bool:
    if call.name != "slice":
        return False
    begin, size = call.args["begin"], call.args["size"]
    same_length = len(begin) == len(size) == call.arrays[0].ndim
    return same_length and any(int(b) + int(s) > INT64.max for b, s in zip(begin, size, strict=True))
