"""What recognises the engines' rows of ssop/divergences.json: as narrow as can be, lest a new difference hide there.

`divergence`: ssop answers otherwise than the engine, on purpose. `not_sent`: the call could kill the process or damage
its memory, so ssop is compared with NumPy instead. `label` is the rule or the heading of SPEC.md that ssop follows.
Each row must be seen in every run, or it is stale.
"""

import ml_dtypes
import numpy as np

from ssop.reference import _strided

INT64 = np.iinfo(np.int64)
STATIC = ("eager", "jit constant")  # JAX can see the starts' values


def _label(answer):
    return getattr(answer.error, "label", None)


def _both_accept(theirs, ours):
    return theirs.error is None and ours.error is None


def _only_ours_accepts(theirs, ours, message):
    return ours.error is None and message in str(theirs.error)


def _only_theirs_accepts(theirs, ours, *labels):
    return theirs.error is None and _label(ours) in labels


def _starts(call):
    return np.asarray(call.args.get("start_indices", ()))


# TensorFlow


def rank_above_8(call, theirs, ours):
    return call.arrays[0].ndim > 8 and _only_ours_accepts(theirs, ours, "Unhandled input dimensions")


def rank_above_32(call, theirs, ours):
    return call.arrays[0].ndim > 32 and _both_accept(theirs, ours)


def more_axes_than_numpy(call, theirs, ours):
    return _only_theirs_accepts(theirs, ours, "ss_c8") and theirs.array.ndim > 64


def mask_converted(call, theirs, ours):
    masks = [value for name, value in call.args.items() if name.endswith("_mask")]
    return any(type(mask) is not int for mask in masks) and _only_theirs_accepts(theirs, ours, "in_c4")


def index_converted(call, theirs, ours):
    kinds = {np.asarray(call.args[name]).dtype.kind for name in ("begin", "end", "strides")}
    return bool(kinds & set("bf")) and _only_theirs_accepts(theirs, ours, "in_c1")


def index_type_refused(call, theirs, ours):
    return _only_ours_accepts(theirs, ours, "Value for attr 'Index' of uint")


# JAX


def eager_slice_unchecked(call, theirs, ours):
    unchecked = call.op == "slice" and call.how == "eager" and call.args["strides"] is None
    return unchecked and _only_theirs_accepts(theirs, ours, "sl_c1", "sl_c4", "sl_c5")


def static_negative_start(call, theirs, ours):
    message = "is out of bounds for dimension"
    return call.how in STATIC and min(_starts(call), default=0) < 0 and _only_ours_accepts(theirs, ours, message)


def mixed_start_types(call, theirs, ours):
    types = {np.asarray(start).dtype for start in call.args["start_indices"]} if "start_indices" in call.args else ()
    return len(types) > 1 and _only_ours_accepts(theirs, ours, "must be integers of the same type")


def unsigned_constant(call, theirs, ours):
    starts = _starts(call)
    if call.how != "jit constant" or starts.dtype.kind != "u" or not _both_accept(theirs, ours):
        return False
    return bool((starts > np.iinfo(starts.dtype).max // 2).any())


def narrow_start(call, theirs, ours):
    wide = max(call.arrays[0].shape, default=0) > 127
    overflow = _both_accept(theirs, ours) or _only_ours_accepts(theirs, ours, "out of bounds for int8")
    return wide and _starts(call).dtype == np.int8 and call.args["allow_negative_indices"] is True and overflow


def python_start_beyond_int64(call, theirs, ours):
    starts = call.args.get("start_indices")
    large = isinstance(starts, list) and max(starts, default=0) > INT64.max
    return large and _only_theirs_accepts(theirs, ours, "in_c2")


def nan_payload(call, theirs, ours):
    if call.op != "dynamic_update_slice" or not _both_accept(theirs, ours) or theirs.array.dtype.kind not in "fV":
        return False
    bits = np.dtype(f"u{theirs.array.dtype.itemsize}")
    changed = theirs.array.view(bits) != ours.array.view(bits)
    small = theirs.array.dtype.itemsize < 4 and theirs.array.dtype != np.float16
    with np.errstate(invalid="ignore"):
        return small and bool(np.isnan([theirs.array[changed], ours.array[changed]]).all())


# JAX and XLA: operations that move data


def _differ_in(theirs, ours, test):
    """Whether all elements that differ, pairs of floats, pass the test."""
    if not _both_accept(theirs, ours) or theirs.array.shape != ours.array.shape:
        return False
    if theirs.array.dtype.kind not in "fV":
        return False
    bits = np.dtype(f"u{theirs.array.dtype.itemsize}")
    changed = theirs.array.view(bits) != ours.array.view(bits)
    with np.errstate(invalid="ignore"):
        return bool(test(theirs.array[changed].astype(float), ours.array[changed].astype(float)).all())


def small_nan(call, theirs, ours):
    small = theirs.error is None and theirs.array.dtype.itemsize < 4
    return small and _differ_in(theirs, ours, lambda a, b: np.isnan(a) & np.isnan(b))


def clamp_flushes(call, theirs, ours):
    if call.op != "clamp" or theirs.error is not None or theirs.array.dtype.kind not in "fV":
        return False
    least = float(ml_dtypes.finfo(theirs.array.dtype).smallest_normal)
    return _differ_in(theirs, ours, lambda a, b: np.isnan(a) & np.isnan(b) | (abs(a) < least) & (abs(b) < least))


def mixed_precision(call, theirs, ours):
    if theirs.error is None or _label(ours) not in ("pad_c3", "cat_c4", "sel_c2", "cl_c1"):
        return False
    return len({array.dtype for array in call.arrays if array.dtype.kind in "fV"}) > 1


def complex_clamp(call, theirs, ours):
    return call.op == "clamp" and call.arrays[1].dtype.kind == "c" and _only_theirs_accepts(theirs, ours, "cl_c3")


def broadcast_to_itself(call, theirs, ours):
    if call.op != "broadcast_in_dim" or theirs.error is not None:
        return False
    x, shape, dimensions = call.arrays[0], tuple(call.args["shape"]), list(call.args["broadcast_dimensions"])
    taken_as_it_is = shape == x.shape or not dimensions and len(shape) == x.ndim
    return taken_as_it_is and dimensions != list(range(x.ndim)) and theirs.array.tobytes() == x.tobytes()


# LiteRT


def _kinds(call):
    """What each entry of a TFLite spec is; mask bits past the spec left out."""
    kinds = ("ellipsis", "new_axis", "shrink_axis")
    return [
        next((kind for kind in kinds if call.args[f"{kind}_mask"] >> i & 1), "range")
        for i in range(len(call.args["begin"]))
    ]


def spare_bits(call, theirs, ours):
    return call.how == "spare bits" and _both_accept(theirs, ours)


def more_than_32_axes(call, theirs, ours):
    wrong = _both_accept(theirs, ours) or _only_ours_accepts(theirs, ours, "the process died")
    return wrong and ours.array.ndim > 32


def longer_strides(call, theirs, ours):
    return _only_theirs_accepts(theirs, ours, "tfl_c1") and len(call.args["strides"]) > len(call.args["begin"])


def unwritten_shrink(call, theirs, ours):
    return _only_theirs_accepts(theirs, ours, "tfl_c6", "tfl_c7")


def least_stride(call, theirs, ours):
    return "stride value INT32_MIN is not supported" in str(theirs.error) and -(2**31) in list(call.args["strides"])


def litert_order(call, theirs, ours):
    fault = _label(ours) in ("tfl_c1", "tfl_c3", "tfl_c6", "tfl_c7") and "has to be non-zero" in str(theirs.error)
    return fault and 0 in list(call.args["strides"])


def int64_indices(call, theirs, ours):
    return np.asarray(call.args["begin"]).dtype == np.int64 and _only_ours_accepts(theirs, ours, "INT64 != INT32")


# ONNX: calls with several faults, of which each side names another


def inference_order(call, theirs, ours):
    rank, axes = call.arrays[0].ndim, call.args["axes"]
    axes = list(range(len(call.args["starts"])) if axes is None else axes)
    outside = any(not -rank <= axis < rank for axis in axes) and "Unexpected axis value" in str(theirs.error)
    twice = len({axis % max(rank, 1) for axis in axes}) < len(axes) and "more than once" in str(theirs.error)
    return _label(ours) == "onx_c3" and (outside or twice) or _label(ours) == "onx_c5" and outside


def runtime_order(call, theirs, ours):
    fault = _label(ours) in ("ort_c5", "ort_c6") and "'step' value cannot be 0" in str(theirs.error)
    return fault and 0 in list(call.args["steps"])


# OpenVINO


def _entries(call):
    """Of each entry of a StridedSlice: ellipsis, new axis, shrink."""
    masks = [call.args.get(f"{name}_mask", ()) for name in ("ellipsis", "new_axis", "shrink_axis")]
    length = len(call.args.get("begin", ()))
    return list(zip(*[([*mask] + [0] * length)[:length] for mask in masks], strict=True))


def plugin_masks_shrunk_begin(call, theirs, ours):
    masked = zip(_entries(call), call.args.get("begin_mask", ()), strict=False)
    shrunk = any(entry == (0, 0, 1) and bit for entry, bit in masked)
    return call.how == "cpu" and shrunk and _both_accept(theirs, ours) and theirs.array.shape == ours.array.shape


def stride_before_entries(call, theirs, ours):
    fault = _label(ours) in ("ov_c6", "ov_c8") and "Stride must be non-zero" in str(theirs.error)
    return fault and 0 in list(call.args["strides"])


def rank_before_lengths(call, theirs, ours):
    return _label(ours) in ("ovs_c2", "ovs_c3") and "input dim size can't be bigger than" in str(theirs.error)


# Not sent


def padding_overflows(call):
    if call.op != "pad":
        return False
    entries = zip(call.arrays[0].shape, call.args["padding_config"], strict=False)
    return any(dim + max(dim - 1, 0) * max(gap, 0) + low + high > INT64.max for dim, (low, high, gap) in entries)


def second_ellipsis(call):
    return call.op == "strided_slice" and _kinds(call).count("ellipsis") > 1


def strides_missing(call):
    return call.op == "strided_slice" and len(call.args["strides"]) < len(call.args["begin"])


def new_axis_after_spare_entries(call):
    if call.op != "strided_slice":
        return False
    kinds, rank, axis = _kinds(call)[:32], call.arrays[0].ndim, 0
    if len(kinds) > 31:  # refused
        return False
    for i, kind in enumerate(kinds):
        if kind == "new_axis" and axis > rank:
            return True
        if kind == "ellipsis":
            axis = max(axis + 1, rank - sum(later != "new_axis" for later in kinds[i + 1 :]))
        else:
            axis += kind != "new_axis"
    return False


def offset_of_another_entry(call):
    if not call.args.get("offset"):
        return False
    return len(call.args["begin"]) < call.arrays[0].ndim or bool({"ellipsis", "new_axis"} & set(_kinds(call)))


def offset_outside_axis(call):
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


def plugin_reads_outside(call):
    if call.how != "cpu" or call.op != "strided_slice":
        return False
    entries = _entries(call)
    ellipsis, new, shrink = (any(marks) for marks in zip(*entries, strict=True)) if entries else (False,) * 3
    implicit = not ellipsis and len(entries) - sum(n for _, n, _ in entries) < call.arrays[0].ndim
    spare = [call.args[f"{name}_mask"][len(entries) :] for name in ("ellipsis", "new_axis", "shrink_axis")]
    return new and shrink and implicit or any(map(any, spare))


def plugin_cuts_strides(call):
    return call.how == "cpu" and any(abs(step) >= 2**31 for step in call.args.get("strides", call.args.get("step")))


def length_overflows(call):
    if call.op != "slice" or call.args["strides"] is None:
        return False
    lengths = {len(call.arrays[0].shape), *map(len, call.args.values())}
    axes = list(zip(call.arrays[0].shape, *call.args.values(), strict=False))
    legal = len(lengths) == 1 and all(0 <= start <= limit <= dim and stride > 0 for dim, start, limit, stride in axes)
    return legal and any(limit - start + stride - 1 > INT64.max for _, start, limit, stride in axes)


def narrow_update(call):
    starts = _starts(call)
    if call.op != "dynamic_update_slice" or starts.dtype.kind not in "iu":
        return False
    return max(call.arrays[0].shape, default=0) > np.iinfo(starts.dtype).max


# Shape inference: calls are those of differential.partial_shapes, answers have dims or an error


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
        dense = _strided.dense_spec(len(call.shape), len(vectors[0]), *bits)
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
    return _label(ours) == "onx_c3" and "is referred to more than once" in str(theirs.error)
