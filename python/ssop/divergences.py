"""The differences between the dialects, and between ssop and the frameworks: one table, `divergences.json`.

Each row has a label of SPEC.md, a reason, a public link and a smallest example. Its `predicate` tells whether a call is
affected. The kinds of rows:

- "dialect": a function of this package differs from TensorFlow's or NumPy's. The predicate is a function of this
  module. `engines` names the engines of the dialect that a row is about, if it has several.
- "document": a document differs from the framework of today, which ssop follows. `document` is a key of `DOCUMENTS`,
  and `there` is what that text says. A row without a predicate is about how a call is written.
- "divergence" and "not_sent": an engine differs from ssop, which is intended. The predicates are in
  `ssop.testing._differential.known`; `cap` is the share of the calls that a row may excuse.
- "shapes": the shape inference of an engine differs from `ssop.shapes`.

>>> row = rows("dialect", of="openvino")[0]
>>> row["predicate"], row["label"], row["here"], row["there"]
('far_negative_begin', 'ov_s2', 'array([0])', 'array([], dtype=int64)')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

GREATEST = (2**31 - 1, 2**63 - 1)

DOCUMENTS = {
    "tensorflow": "TensorFlow's documentation of the StridedSlice op",
    "openvino": "OpenVINO's specification of StridedSlice-1",
    "blog": "an article of 2020 on tf.strided_slice",
    "xla": "XLA's Operation Semantics of 2017",
}
"""The documents that rows of the kind "document" are about, by the key that `document` and `of` have."""


@cache
def _table() -> dict[str, list[dict[str, str]]]:
    import json  # here: with importlib.resources it takes longer to import than ssop
    from importlib.resources import files

    table: dict[str, list[dict[str, str]]] = json.loads((files("ssop") / "divergences.json").read_text("utf-8"))
    return table


def rows(kind: str, *, of: str | None = None) -> list[dict[str, str]]:
    """The rows of one kind: all of them, or those of one dialect, engine or document.

    Raises ValueError for a kind that there is not.
    """
    table = _table()
    if kind not in table:
        raise ValueError(f"kind is {kind!r}, not one of {', '.join(map(repr, table))}")
    return [row for row in table[kind] if of is None or of in map(row.get, ("dialect", "engine", "document"))]


# Predicates of the rows between dialects. A call is its input's shape and its arguments by name, masks as bits.


def _entries(args: Mapping[str, Any]) -> range:
    return range(len(args["begin"]))


def _has(args: Mapping[str, Any], mask: str, entry: int) -> bool:
    return bool(args.get(mask, 0) >> entry & 1)


def _is_shrunk(args: Mapping[str, Any], entry: int) -> bool:
    return _has(args, "shrink_axis_mask", entry) and not _is_of_no_axis(args, entry)


def _is_of_no_axis(args: Mapping[str, Any], entry: int) -> bool:
    return _has(args, "ellipsis_mask", entry) or _has(args, "new_axis_mask", entry)


def _stride(args: Mapping[str, Any], entry: int) -> int:
    return int(args["strides"][entry]) if args.get("strides") is not None else 1


def _axes_wanted(args: Mapping[str, Any]) -> int:
    return sum(not _is_of_no_axis(args, entry) for entry in _entries(args))


def _dims(shape: Sequence[int], args: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """The entries that have an axis, with its dim."""
    covered, axis = max(len(shape) - _axes_wanted(args), 0), 0
    for entry in _entries(args):
        if _has(args, "ellipsis_mask", entry):
            axis += covered
        elif not _is_of_no_axis(args, entry) and axis < len(shape):
            yield entry, shape[axis]
            axis += 1


def begin_mask_on_shrink(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    shrunk = ((entry, dim) for entry, dim in _dims(shape, args) if _is_shrunk(args, entry))
    return any(_has(args, "begin_mask", entry) and args["begin"][entry] not in (0, -dim) for entry, dim in shrunk)


def shrink_below_range(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    shrunk = ((entry, dim) for entry, dim in _dims(shape, args) if _is_shrunk(args, entry))
    return any(not _has(args, "begin_mask", entry) and args["begin"][entry] < -dim for entry, dim in shrunk)


def ellipsis_takes_one_axis(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    entries = _entries(args)
    has_ellipsis = any(_has(args, "ellipsis_mask", entry) for entry in entries)
    is_scalar = len(shape) == 0 and not any(_has(args, "new_axis_mask", entry) for entry in entries)
    return has_ellipsis and not is_scalar and _axes_wanted(args) >= len(shape)


def spare_entries(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return _axes_wanted(args) > len(shape)


def spare_ellipsis_bits(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    bits = args.get("ellipsis_mask", 0) & 0xFFFFFFFF
    return bin(bits).count("1") > 1 and bits >> len(args["begin"]) > 0


def offset(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return bool(args.get("offset", False))


def far_negative_begin(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    ranges = ((entry, dim) for entry, dim in _dims(shape, args) if not _is_shrunk(args, entry))
    reverse = ((entry, dim) for entry, dim in ranges if _stride(args, entry) < 0)
    return any(not _has(args, "begin_mask", entry) and args["begin"][entry] < -dim for entry, dim in reverse)


def stride_of_shrunk(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(_is_shrunk(args, entry) and _stride(args, entry) <= 0 for entry in _entries(args))


def entries_past_31(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len(args["begin"]) > 31


def far_negative_start(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    axes, rank = args.get("axes"), len(shape)
    entries = zip(args["starts"], range(rank) if axes is None else axes, args.get("steps") or (), strict=False)
    reverse = ((start, axis) for start, axis, step in entries if step < 0 and -rank <= axis < rank)
    return any(start < -shape[axis] for start, axis in reverse)


def greatest_ends(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    steps = args.get("steps") or ()
    return any(step < 0 and end in GREATEST for end, step in zip(args["ends"], steps, strict=False))


def unequal_lists(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    lists = (args.get(name) for name in ("starts", "ends", "axes", "steps"))
    return len({len(entries) for entries in lists if entries is not None}) > 1


def axis_twice(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    axes = [axis % max(len(shape), 1) for axis in args.get("axes") or ()]
    return len(axes) > len(set(axes))


def scalar_rejected(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len(shape) == 0


def negative_start(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return not args.get("allow_negative_indices", False) and any(start < 0 for start in args["start_indices"])


def negative_bound(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    bounds = (args.get("start_index"), args.get("limit_index"), args.get("index"))
    return not args.get("allow_negative_indices", False) and any(bound is not None and bound < 0 for bound in bounds)


def window_outside(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    windows = zip(args["start_indices"], args["slice_sizes"], shape, strict=True)
    return any(start < 0 or start > dim - size for start, size, dim in windows)


def nothing_taken(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    if "slice_sizes" in args:
        return 0 in args["slice_sizes"]
    return any(start == limit for start, limit in zip(args["start_indices"], args["limit_indices"], strict=True))


def transposing_broadcast(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    dimensions = list(args["broadcast_dimensions"])
    return tuple(args["shape"]) == tuple(shape) and dimensions != sorted(dimensions)


def scalar_joined(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len(shape) == 0 and len(args["operands"]) == 1


def mixed_dtypes(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len({getattr(operand, "dtype", None) for operand in args["operands"]}) > 1


def unknown_size(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return -1 in args["new_sizes"]


def negative_axis(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(axis < 0 for axis in args.get("permutation", args.get("dimensions", ())))


def cropping(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(low < 0 or high < 0 for low, high, _ in args["padding_config"])


def branch_not_chosen(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return "true_fun" in args or "branches" in args


def branch_of_large_number(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return bool(args.get("index", 0) >= 2**31)


def subnormal_numbers(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    least = {2: 2.0**-14, 4: 2.0**-126, 8: 2.0**-1022}
    real = [x for x in args.values() if getattr(getattr(x, "dtype", None), "kind", "") == "f"]
    return any(bool(((x != 0) & (abs(x) < least[x.dtype.itemsize])).any()) for x in real)


def init_value_in_padding(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return args.get("padding", "VALID") != "VALID" or args.get("base_dilation") is not None


def no_dimensions(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len(args["dimensions"]) == 0


def equal_elements(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(size > 1 for size in args["window_dimensions"])


def nan_without_mantissa(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return bool(args["mantissa_bits"] == 0)


# Predicates of rows about documents of strided slices.


def _ranges(shape: Sequence[int], args: Mapping[str, Any]) -> Iterator[tuple[int, int, int]]:
    """The entries that are ranges, each with the dim of its axis and its stride, which is not 0."""
    for entry, dim in _dims(shape, args):
        if not _is_shrunk(args, entry) and _stride(args, entry) != 0:
            yield entry, dim, _stride(args, entry)


def _indices(args: Mapping[str, Any], entry: int, dim: int) -> range:
    begin = None if _has(args, "begin_mask", entry) else args["begin"][entry]
    end = None if _has(args, "end_mask", entry) else args["end"][entry]
    return range(*slice(begin, end, _stride(args, entry)).indices(dim))


def _with_dim(bound: int, dim: int) -> int:
    return bound + dim if bound < 0 else bound


def reverse_from_second_last(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    reverse = (entry for entry, _, stride in _ranges(shape, args) if stride == -1 and _has(args, "end_mask", entry))
    return any(not _has(args, "begin_mask", entry) and args["begin"][entry] == -2 for entry in reverse)


def end_on_a_reverse_step(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    for entry, dim, stride in _ranges(shape, args):
        end, taken = _with_dim(args["end"][entry], dim), _indices(args, entry, dim)
        if stride < 0 <= end and not _has(args, "end_mask", entry) and taken and taken[-1] + stride == end:
            return True
    return False


def begin_is_end(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    given = (
        (e, dim) for e, dim, _ in _ranges(shape, args) if not (_has(args, "begin_mask", e) or _has(args, "end_mask", e))
    )
    return any(_with_dim(args["begin"][e], dim) == _with_dim(args["end"][e], dim) for e, dim in given)


def begin_past_the_last_element(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    forward = ((entry, dim) for entry, dim, stride in _ranges(shape, args) if stride > 0)
    return any(not _has(args, "begin_mask", entry) and args["begin"][entry] >= dim for entry, dim in forward)


def end_past_the_last_element(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    forward = ((entry, dim) for entry, dim, stride in _ranges(shape, args) if stride > 0)
    given = ((entry, dim) for entry, dim in forward if not _has(args, "end_mask", entry) and _indices(args, entry, dim))
    return any(args["end"][entry] >= dim for entry, dim in given)


def masked_begin_in_reverse(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(stride < 0 and _has(args, "begin_mask", entry) for entry, _, stride in _ranges(shape, args))


def masked_end_in_reverse(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(stride < 0 and _has(args, "end_mask", entry) for entry, _, stride in _ranges(shape, args))


def twelve_dims_of_10(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return tuple(shape) == (10,) * 12 and any(_has(args, "ellipsis_mask", entry) for entry in _entries(args))


def new_axis_of_twelve_dims(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return twelve_dims_of_10(shape, args) and any(_has(args, "new_axis_mask", entry) for entry in _entries(args))


def fewer_entries_than_axes(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    names = ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    are_ranges = not any(_has(args, name, entry) for name in names for entry in _entries(args))
    return are_ranges and len(args["begin"]) < len(shape)


def more_entries_than_axes(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return len(args["begin"]) > len(shape) >= _axes_wanted(args)


def reverse_range(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(stride < 0 for _, _, stride in _ranges(shape, args))


def end_of_shrunk(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(_is_shrunk(args, entry) and args["end"][entry] != args["begin"][entry] for entry in _entries(args))


def range_after_new_axis(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    new = [e for e in _entries(args) if _has(args, "new_axis_mask", e) and not _has(args, "ellipsis_mask", e)]
    return any(entry > new[0] for entry, _, _ in _ranges(shape, args)) if new else False


def empty_range_of_dim_1(shape: Sequence[int], args: Mapping[str, Any]) -> bool:
    return any(dim == 1 and not _indices(args, entry, dim) for entry, dim, _ in _ranges(shape, args))
