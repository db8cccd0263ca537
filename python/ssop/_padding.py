"""`ssop.pad`, NumPy's pad: XLA's pad by the engine, then copies within the result, one or two per side of an axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ssop import _core, _vectors
from ssop._core import SliceError
from ssop._errors import check_given, index_error, kind_of, renamed, value_error
from ssop._lazy import libraries, meanings

PadMode: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "wrap"]
_Row: TypeAlias = "SupportsIndex | Sequence[SupportsIndex]"
PadWidth: TypeAlias = "SupportsIndex | Sequence[_Row] | NDArray[np.integer[Any]] | dict[int, _Row]"
Pairs: TypeAlias = "list[tuple[Any, Any]]"
_T = TypeVar("_T", bound=np.generic)

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
"""What is supported of NumPy's modes: those whose padding consists of elements, or of a constant."""
OP = "pad"


# ---- arguments -------------------------------------------------------------------------------------------------------


def check_mode(op: str, mode: Any, reflect_type: Any = "even", constant_values: Any = 0) -> None:
    """Raise for modes, and options of a mode, that there are not (np_c1)."""
    if not isinstance(mode, str) or mode not in MODES:
        what = repr(mode) if isinstance(mode, str) else kind_of(mode)
        message = f"mode {what} is not supported: it may be {', '.join(map(repr, MODES))}"
        raise value_error(op, "np_c1", message, value=mode)
    if not isinstance(reflect_type, str) or reflect_type != "even":
        what = repr(reflect_type) if isinstance(reflect_type, str) else kind_of(reflect_type)
        raise value_error(op, "np_c1", f"reflect_type is {what}: only 'even' is supported", value=reflect_type)
    if mode != "constant" and (type(constant_values) is not int or constant_values != 0):
        message = f"constant_values has no effect: unsupported keyword arguments for mode {mode!r}"
        raise value_error(op, "np_c1", message, value=mode)


def widths_of(op: str, pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """Return (before, after) of every axis (np_c2, np_c3, np_c4)."""
    pairs = _of_dict(op, pad_width, rank) if isinstance(pad_width, dict) else pairs_of(op, "pad_width", pad_width, rank)
    widths = []
    for axis, pair in enumerate(pairs):
        before = _vectors.integer(op, "pad_width", pair[0])
        after = before if pair[1] is pair[0] else _vectors.integer(op, "pad_width", pair[1])
        if before < 0 or after < 0:
            message = f"pad_width of axis {axis} is ({before}, {after}): index can't contain negative values"
            raise value_error(op, "np_c3", message, axis=axis, value=min(before, after), allowed=(0, 2**63 - 1))
        widths.append((before, after))
    return widths


def _of_dict(op: str, pad_width: dict[Any, Any], rank: int) -> Pairs:
    """np_s3: the axes that a dict has, which may be negative; the others are not padded."""
    pairs: Pairs = [(0, 0)] * rank
    for key, width in _vectors.entries(pad_width).items():
        axis = _vectors.integer(op, "an axis of pad_width", key)
        if not -rank <= axis < rank:
            message = f"pad_width has axis {axis}, which is not in {-rank}..{rank - 1}"
            raise index_error(op, "np_c4", message, value=axis, allowed=(-rank, rank - 1))
        pairs[axis] = _pair(op, "pad_width", width)
    return pairs


def pairs_of(op: str, name: str, given: Any, rank: int) -> Pairs:
    """Return (before, after) of every axis: of one item, one pair, or one of either per axis (np_c2)."""
    if not is_list(given):
        return [(given, given)] * rank
    rows = _vectors.items(op, name, given)
    if not any(map(is_list, rows)):
        return [_pair(op, name, rows)] * rank
    if len(rows) not in (1, rank) or not all(map(is_list, rows)):
        raise _form_error(op, name, f"has {len(rows)} entries", len(rows))
    pairs = [_pair(op, name, row) for row in rows]
    return pairs * rank if len(pairs) == 1 else pairs


def is_list(x: object) -> bool:
    """Whether it has several items, rather than being one."""
    if isinstance(x, (list, tuple)):
        return True
    scalars = (int, float, str, bytes, bytearray, np.generic, dict)  # of which some have items
    return not isinstance(x, scalars) and _vectors.has_items(x)


def _pair(op: str, name: str, row: Any) -> tuple[Any, Any]:
    items = _vectors.items(op, name, row) if is_list(row) else [row]
    if len(items) not in (1, 2) or any(map(is_list, items)):
        raise _form_error(op, name, f"has an entry of {len(items)} items", len(items))
    return items[0], items[-1]


def _form_error(op: str, name: str, what: str, value: int) -> SliceError:
    words = "it is one item, (before, after), or one of them per axis: operands could not be broadcast together"
    return value_error(op, "np_c2", f"{name} {what}; {words}", value=value)


def check_axes(op: str, shape: Sequence[int], widths: Sequence[tuple[int, int]], mode: str) -> None:
    """Raise for an empty axis of which there are no elements to repeat (np_c5)."""
    if mode == "constant":
        return
    for axis, (dim, pair) in enumerate(zip(shape, widths, strict=True)):
        if dim == 0 and any(pair):
            words = f"can't extend empty axis {axis} using modes other than 'constant'"
            message = f"axis {axis} is empty and mode is {mode!r}: {words}"
            raise value_error(op, "np_c5", message, axis=axis, value=mode)


# ---- what goes where -------------------------------------------------------------------------------------------------


class Band(NamedTuple):
    """Elements of the padded axis from `at` on, and where they are copied from: from `source` on, in steps."""

    at: int
    source: int
    size: int
    step: int


def rounds(dim: int, low: int, high: int, mode: str) -> Iterator[tuple[Band, Band]]:
    """Bands before and behind the part of an axis that is known, which is then larger (np_s1).

    The first round mirrors the elements, or repeats the ends. Each further one repeats whole periods, twice as many as
    the one before.
    """
    first, end = low, low + dim
    if mode == "edge" or (mode == "reflect" and dim == 1):
        yield Band(0, first, low, 0), Band(end, end - 1, high, 0)
        return
    period = dim
    if mode != "wrap":
        skipped = int(mode == "reflect")  # the ends are not repeated
        period = 2 * (dim - skipped)
        left, right = min(low, dim - skipped), min(high, dim - skipped)
        yield Band(first - left, first + skipped + left - 1, left, -1), Band(end, end - 1 - skipped, right, -1)
        first, end = first - left, end + right
    while first > 0 or end < low + dim + high:
        span = (end - first) // period * period
        left, right = min(first, span), min(low + dim + high - end, span)
        yield Band(first - left, first - left + span, left, 1), Band(end, end - span, right, 1)
        first, end = first - left, end + right


# ---- pad -------------------------------------------------------------------------------------------------------------


@overload
def pad(
    x: NDArray[_T],
    pad_width: PadWidth,
    mode: PadMode = "constant",
    constant_values: ArrayLike = 0,
    *,
    reflect_type: Literal["even"] = "even",
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def pad(
    x: Any,
    pad_width: PadWidth,
    mode: PadMode = "constant",
    constant_values: Any = 0,
    *,
    reflect_type: Literal["even"] = "even",
    out: Any = None,
) -> Any: ...
def pad(
    x: Any,
    pad_width: Any,
    mode: Any = "constant",
    constant_values: Any = 0,
    *,
    reflect_type: Any = "even",
    out: Any = None,
) -> Any:
    """NumPy's pad: `x` with constants, or with elements of its own, before and behind each axis.

    Parameters
    ----------
    x : array_like, any dtype
    pad_width : int, (before, after), or one of them per axis; a dict has them for some axes (np_s3)
    mode : "constant", "edge" (the last element), "reflect" (mirrored without the last element), "symmetric" (with it),
        or "wrap" (from the other end). Widths may be larger than the axis (np_s1).
    constant_values : scalar, (before, after), or one of them per axis; for the mode "constant"
        They are converted to the dtype of `x` if nothing is lost (val_c1..val_s2), while NumPy rounds.
    reflect_type : "even", the only one that is supported
    out : numpy.ndarray of the result's shape and dtype, any layout, optional
        It may overlap `x`.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the dtype of `x`; or `out`; or an array of the library of `x`.

    Raises
    ------
    SliceError : `label` names the rule (np_*, val_*, pad_*, out_*, in_*) in SPEC.md.

    Source: numpy.pad. XLA's own is `ssop.xla.pad`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.pad(np.array([1, 2, 3]), (2, 4), "reflect")
    array([3, 2, 1, 2, 3, 2, 1, 2, 3])
    >>> ssop.pad(np.array([[1, 2]]), [(0, 1), (1, 0)], constant_values=7)
    array([[7, 1, 2],
           [7, 7, 7]])
    """
    check_mode(OP, mode, reflect_type, constant_values)
    x = operand_of(OP, x)
    shape = tuple(x.shape)
    widths = widths_of(OP, pad_width, len(shape))
    check_axes(OP, shape, widths, mode)
    try:
        if mode == "constant":
            return _with_constants(x, widths, pairs_of(OP, "constant_values", constant_values, len(shape)), out)
        if libraries.stays(x):
            return _extended_in_library(x, widths, mode, out)
        return _extended(x, widths, mode, out)
    except SliceError as error:
        raise renamed(error, OP) from None


pad.__module__ = "ssop"  # where users and pickles find it


def operand_of(op: str, x: Any) -> Any:
    """Return `x` as an array of NumPy's or of its own library."""
    if type(x) is np.ndarray:
        return x
    check_given(op, "x", x)
    meanings.check(op, "x", x)
    libraries.check_storage(op, x, slices=False, assigns=False)
    return libraries.accepted(op, x) if libraries.stays(x) else libraries.as_numpy(op, x)


def _config(widths: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    return [(before, after, 0) for before, after in widths]


def _with_constants(x: Any, widths: list[tuple[int, int]], values: Pairs, out: Any) -> Any:
    if not values:  # of rank 0
        return _core.copy(x, out=out)
    fill = values[0][0]
    same = all([value is fill for pair in values for value in pair])
    if libraries.stays(x):
        return _core.xla_pad(x, fill, _config(widths), out=out) if same else _filled_in_library(x, widths, values, out)
    fill = _core.convert_value(OP, "constant_values", fill, x.dtype)
    if same:
        return _core.xla_pad(x, fill, _config(widths), out=out)
    converted = [[_core.convert_value(OP, "constant_values", v, x.dtype) for v in pair] for pair in values]
    result = _core.xla_pad(x, fill, _config(widths), out=out)
    for (area, head), dim, (before, after), pair in zip(
        _areas(result, x.shape, widths), x.shape, widths, converted, strict=True
    ):
        behind = before + dim
        for part, value in zip((slice(before), slice(behind, behind + after)), pair, strict=True):
            _repeat(area[(*head, part)], value)
    return result


def _repeat(to: NDArray[Any], value: NDArray[Any]) -> None:
    _core.strided_slice_assign(to, [], [], [], value)  # which broadcasts (as_s1)


def _filled_in_library(x: Any, widths: list[tuple[int, int]], values: Pairs, out: Any) -> Any:
    """One side of one axis after the other, as NumPy does (np_s2)."""
    rank = len(widths)
    sides = [(axis, side) for axis in range(rank) for side in (0, 1)]
    for axis, side in sides:
        config = [(0, 0, 0)] * rank
        config[axis] = (widths[axis][0], 0, 0) if side == 0 else (0, widths[axis][1], 0)
        x = _core.xla_pad(x, values[axis][side], config, out=out if (axis, side) == sides[-1] else None)
    return x


def _areas(
    result: Any, shape: Sequence[int], widths: Sequence[tuple[int, int]]
) -> Iterator[tuple[NDArray[Any], tuple[slice, ...]]]:
    """What is padded along each axis, and the index of the axes before it; of those behind it the operand (np_s2)."""
    whole = np.asarray(result)
    inner = [slice(before, before + dim) for dim, (before, _) in zip(shape, widths, strict=True)]
    for axis in range(len(inner)):
        head = (slice(None),) * axis
        yield whole[(*head, slice(None), *inner[axis + 1 :])], head


def _extended(x: NDArray[Any], widths: list[tuple[int, int]], mode: str, out: Any) -> Any:
    result = _core.xla_pad(x, np.zeros((), x.dtype), _config(widths), out=out)
    if result.size == 0:
        return result
    for (area, head), dim, (low, high) in zip(_areas(result, x.shape, widths), x.shape, widths, strict=True):
        if low or high:
            for bands in rounds(dim, low, high, mode):
                for band in bands:
                    if band.size:
                        _copy_band(area, head, band)
    return result


def _copy_band(area: NDArray[Any], head: tuple[slice, ...], band: Band) -> None:
    at, source, size, step = band
    to = area[(*head, slice(at, at + size))]
    if step == 0:
        _repeat(to, area[(*head, slice(source, source + 1))])
        return
    last = source + size * step
    _core.copyto(to, area[(*head, slice(source, last if last >= 0 else None, step))])


def _extended_in_library(x: Any, widths: list[tuple[int, int]], mode: str, out: Any) -> Any:
    steps = [
        (axis, *bands)
        for axis, (dim, pair) in enumerate(zip(x.shape, widths, strict=True))
        if any(pair)
        for bands in rounds(dim, *pair, mode)
    ]
    if not steps:
        return _core.copy(x, out=out)
    for number, (axis, left, right) in enumerate(steps, 1):
        first = left.at + left.size
        known = [_piece(x, axis, left, first), x, _piece(x, axis, right, first)]
        parts = [part for part in known if part is not None]
        x = _core.xla_concatenate(parts, axis, out=out if number == len(steps) else None)
    return x


def _piece(x: Any, axis: int, band: Band, first: int) -> Any:
    """The elements of a band, out of an array that begins at `first` of the padded axis."""
    if band.size == 0:
        return None
    start = band.source - first
    if band.step == 0:
        part = _core.xla_slice_in_dim(x, start, start + 1, 1, axis)
        while part.shape[axis] < band.size:
            part = _core.xla_concatenate([part, part], axis)
        return _core.xla_slice_in_dim(part, 0, band.size, 1, axis)
    if band.step == 1:
        return _core.xla_slice_in_dim(x, start, start + band.size, 1, axis)
    return _core.xla_rev(_core.xla_slice_in_dim(x, start - band.size + 1, start + 1, 1, axis), [axis])
