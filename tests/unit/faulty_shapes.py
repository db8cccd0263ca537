"""A shape function of strided slices as a user would write one, with mistakes that can be switched on by name."""

FAULTS = (
    "clamp off by one", "count rounded down", "swapped masks", "shrink keeps its axis", "new axis is unknown",
    "ellipsis of width zero", "unknown dim taken as 0", "unknown bounds give the whole axis", "missing range check",
    "zero stride accepted", "unknown rank taken as a scalar", "negative stride as a positive one",
)  # fmt: skip


def shape_of_slice(
    shape, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0,
    *, fault=None,
):  # fmt: skip
    """As TensorFlow infers it: vectors with an unknown element are unknown as a whole."""
    if not len(begin) == len(end) == len(strides):
        raise ValueError("lengths")
    ellipses = bin(ellipsis_mask & 0xFFFFFFFF).count("1")
    if ellipses > 1:
        raise ValueError("two ellipses")
    if shape is None or None in strides:
        return [] if fault == "unknown rank taken as a scalar" else None
    if fault == "swapped masks":
        begin_mask, end_mask = end_mask, begin_mask
    kinds = [
        "..." if ellipsis_mask >> i & 1 else "new" if new_axis_mask >> i & 1 else "axis" for i in range(len(begin))
    ]
    covered = max(len(shape) - kinds.count("axis"), 0)
    if len(shape) < kinds.count("axis"):
        raise ValueError("too many entries")
    bounded = None not in begin and None not in end
    dims, result = iter(shape), []
    for i, kind in enumerate(kinds):
        if kind == "...":
            result += [next(dims) for _ in range(0 if fault == "ellipsis of width zero" else covered)]
        elif kind == "new":
            result.append(None if fault == "new axis is unknown" else 1)
        else:
            masks = begin_mask >> i & 1, end_mask >> i & 1
            first, last = (begin[i], end[i]) if bounded else (None, None)
            result += one_axis(next(dims), first, last, strides[i], masks, shrink_axis_mask >> i & 1, fault)
    return result + list(dims)


def one_axis(dim, first, last, step, masks, shrunk, fault):
    """The dims of an entry: none if it is shrunk."""
    if step == 0 and fault != "zero stride accepted":
        raise ValueError("stride 0")
    known = dim is not None
    if shrunk:
        if known and step < 0:
            raise ValueError("negative stride")
        if known and first is not None and not -dim <= first < dim and fault != "missing range check":
            raise ValueError("out of range")
        return [1] if fault == "shrink keeps its axis" else []
    if not known and fault == "unknown dim taken as 0":
        return [0]
    if first is None and fault == "unknown bounds give the whole axis":
        return [dim]
    if not known or first is None and not all(masks):
        return [None]
    if fault == "negative stride as a positive one":
        step = abs(step)
    first, last = None if masks[0] else first, None if masks[1] else last
    start, stop, step = slice(first, last, step or 1).indices(dim)
    if fault == "clamp off by one" and last is not None and last > dim:
        stop += 1
    if fault == "count rounded down":
        return [max((stop - start) // step, 0)]
    return [len(range(start, stop, step))]
