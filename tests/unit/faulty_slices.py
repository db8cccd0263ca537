"""Strided slices, windows, gradients and updates with one plausible mistake each, by name; "none" has no mistake.

They use NumPy's indexing with bounds made here, so that each mistake is a line of its own.
"""

import os
import time

import numpy as np


def clamped(value, dim, low, high, fault):
    if value < 0:
        value += dim
    if fault == "clamp off by one":
        high -= high > 0
    return min(max(value, low), high)


def entry_range(dim, begin, end, stride, begin_masked, end_masked, fault):
    """The positions that one entry takes."""
    if stride == 0:
        raise ValueError("stride 0")
    if fault == "int32 truncation":
        begin, end = (int(np.array(v, np.int64).astype(np.int32)) for v in (begin, end))
    if fault == "swapped masks":
        begin_masked, end_masked = end_masked, begin_masked
    low, high = (0, dim) if stride > 0 else (-1, dim - 1)
    if fault == "reversed end -1" and stride < 0 and end == -1:
        last = -1
    else:
        last = clamped(end, dim, low, high, fault)
    first = clamped(begin, dim, low, high, "")
    if begin_masked:
        first = 0 if stride > 0 else dim - 1
    if end_masked:
        last = dim if stride > 0 else -1
        if fault == "end_mask of a reversed slice" and stride < 0:
            last = 0
    taken = list(range(first, last, stride))
    if fault == "empty reverse slice has one element" and stride < 0 and not taken and dim:
        taken = [min(max(first, 0), dim - 1)]
    if fault == "count rounded down" and abs(stride) > 1:
        taken = taken[: abs(last - first) // abs(stride)]
    return taken


def strided_slice(x, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
                  shrink_axis_mask=0, fault="none"):  # fmt: skip
    """TensorFlow's; the positions of each axis, then the shape."""
    strides = [1] * len(begin) if strides is None else strides
    if not len(begin) == len(end) == len(strides):
        raise ValueError("lengths")
    if bin(ellipsis_mask & 0xFFFFFFFF).count("1") > 1:
        raise ValueError("two ellipses")
    kinds = [kind_of(i, ellipsis_mask, new_axis_mask, shrink_axis_mask, fault) for i in range(len(begin))]
    wanted = sum(kind in ("range", "shrink") for kind in kinds)
    if wanted > x.ndim:
        raise IndexError("too many entries")
    if "ellipsis" not in kinds:
        kinds.append("ellipsis")
    filled = x.ndim - wanted
    if fault == "ellipsis of width zero" and kinds[-1] != "ellipsis":
        filled = max(filled, 1)
    positions, shape, axis = [], [], 0
    for i, kind in enumerate(kinds):
        if kind == "ellipsis":
            for _ in range(min(filled, x.ndim - axis)):
                positions.append(list(range(x.shape[axis])))
                shape.append(x.shape[axis])
                axis += 1
            continue
        if kind == "new":
            at = (
                0
                if fault == "new axis after the ellipsis on the wrong side" and "ellipsis" in kinds[:i]
                else len(shape)
            )
            shape.insert(at, 1)
            continue
        dim = x.shape[axis]
        if kind == "shrink":
            place = shrunk(dim, begin[i], strides[i], bool(begin_mask >> i & 1), fault)
            positions.append([place])
            if fault == "shrink keeps its axis":
                shape.append(1)
        else:
            masked = bool(begin_mask >> i & 1), bool(end_mask >> i & 1)
            positions.append(entry_range(dim, begin[i], end[i], strides[i], *masked, fault))
            shape.append(len(positions[-1]))
        axis += 1
    if fault == "wrong shape of an empty axis" and 0 in shape:
        shape = [0 for _ in shape]
    return np.array(x[np.ix_(*positions)]).reshape(shape) if x.ndim else x.copy().reshape(shape)


def kind_of(entry, ellipsis, new, shrink, fault):
    if fault == "shrink wins over new axis" and shrink >> entry & 1 and not ellipsis >> entry & 1:
        return "shrink"
    if fault == "new axis wins over the ellipsis" and new >> entry & 1:
        return "new"
    if ellipsis >> entry & 1:
        return "ellipsis"
    if fault == "forgotten unit axis" and new >> entry & 1:
        return "nothing"
    return "new" if new >> entry & 1 else "shrink" if shrink >> entry & 1 else "range"


def shrunk(dim, begin, stride, begin_masked, fault):
    if stride <= 0 and fault != "shrink with any stride":
        raise ValueError("shrink with a stride that is not positive")
    place = begin + dim if begin < 0 else begin
    if fault == "begin_mask on shrink" and begin_masked:
        place = 0
    if not 0 <= place < dim:
        if fault == "missing range check" and dim:
            return min(max(place, 0), dim - 1)
        raise IndexError("outside the axis")
    return place


# Faults that are not in the values


def misbehaving(x, begin, end, strides=None, fault="none", **masks):
    """What a subject must not do."""
    result = strided_slice(x, begin, end, strides, **masks)
    special = len(begin) > 0 and 0 not in x.shape
    if fault == "hangs" and special:
        time.sleep(60)
    if fault == "kills its process" and special:
        os.abort()
    if fault == "exits" and special:
        os._exit(3)
    if fault == "raises" and special:
        raise ZeroDivisionError("division by zero")
    if fault == "returns a list" and special:
        return result.tolist()
    if fault == "returns None" and special:
        return None
    if fault == "returns a view" and special:
        return x[:1]
    if fault == "changes its input" and special and x.dtype.kind != "b":
        x.flat[0] += x.dtype.type(1)
        return result
    if fault == "wrong dtype" and special:
        return result.astype(np.int16)
    return result


# Windows, gradients, updates


def dynamic_slice(x, start_indices, slice_sizes, allow_negative_indices=False, fault="none"):
    flags = [allow_negative_indices] * x.ndim if isinstance(allow_negative_indices, bool) else allow_negative_indices
    if not len(start_indices) == len(slice_sizes) == len(flags) == x.ndim:
        raise ValueError("lengths")
    index = []
    for dim, start, size, counted in zip(x.shape, start_indices, slice_sizes, flags, strict=True):
        if not 0 <= size <= dim:
            raise ValueError("size")
        start = start + dim if counted and start < 0 else start
        if fault == "wrapped uint8 start":
            start %= 256
        if fault == "clamps the end alone":  # the window becomes shorter instead of moving
            index.append(slice(min(max(start, 0), dim), min(max(start, 0) + size, dim)))
            continue
        at = min(max(start, 0), dim - size)
        index.append(slice(at, at + size))
    return x[tuple(index)].copy()


def dynamic_update_slice(x, update, start_indices, allow_negative_indices=False, fault="none"):
    if update.ndim != x.ndim or update.dtype != x.dtype:
        raise ValueError("update")
    dynamic_slice(x, start_indices, update.shape, allow_negative_indices)  # its checks
    result = x.copy()
    flags = [allow_negative_indices] * x.ndim if isinstance(allow_negative_indices, bool) else allow_negative_indices
    index = []
    for dim, size, start, counted in zip(x.shape, update.shape, start_indices, flags, strict=True):
        start = start + dim if counted and start < 0 else start
        at = min(max(start, 0), dim - size)
        if fault == "update clamps the wrong way" and start > dim - size:
            at = 0
        index.append(slice(at, at + size))
    result[tuple(index)] = update
    return result


def grad(shape, begin, end, strides, dy, fault="none", **masks):
    if min(shape, default=0) < 0:
        raise ValueError("shape")
    places = strided_slice(np.arange(int(np.prod(shape))).reshape(shape), begin, end, strides, **masks)
    if places.shape != dy.shape:
        raise ValueError("dy")
    result = np.zeros(int(np.prod(shape)), dy.dtype)
    if fault == "gradient overwrites instead of placing":
        result[: dy.size] = dy.ravel()
    else:
        result[places.ravel()] = dy.ravel()
    return result.reshape(shape)


def tf_slice(x, begin, size, fault="none"):
    if not len(begin) == len(size) == x.ndim:
        raise ValueError("lengths")
    index = []
    for dim, first, length in zip(x.shape, begin, size, strict=True):
        if not 0 <= first <= dim or length < -1 or length > dim - first:
            raise ValueError("range")
        if fault == "size -1 leaves out the last" and length == -1:
            length = max(dim - first - 1, 0)
        index.append(slice(first, dim if length == -1 else first + length))
    return x[tuple(index)].copy()
