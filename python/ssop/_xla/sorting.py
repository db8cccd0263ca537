"""XLA's Sort."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ssop import _vectors
from ssop._errors import index_error, kind_of, type_error, value_error
from ssop._vectors import integer
from ssop._xla import elementwise
from ssop._xla.computation import COMPARATOR, apply
from ssop._xla.operands import as_operand, deliver, public
from ssop._xla.types import human_string, kind

Array = np.ndarray[Any, Any]


@public
def sort(
    operand: Any,
    dimension: int = -1,
    is_stable: bool = True,
    num_keys: int = 1,
    *,
    comparator: Callable[..., Any] | None = None,
    out: Array | None = None,
) -> Any:
    """XLA's Sort: the elements along one axis in ascending order, and other arrays in the same order.

    Parameters
    ----------
    operand : array_like, rank at least 1; or a list or tuple of such, all of one shape, which are sorted together
    dimension : int, the axis along which is sorted, counted from the end if negative
    is_stable : bool, whether elements that the order does not distinguish keep their order
    num_keys : int, how many of the operands say the order, the first one first; the others follow
    comparator : callable, or None for the ascending order
        comparator(a, b) is true where a comes before b; of several operands, comparator(a0, b0, a1, b1, ..).
        It is called with arrays of many elements at once, and must be a strict weak order.
    out : array of the operand's shape and dtype, or None; for one operand only

    Returns
    -------
    numpy.ndarray, or a tuple of as many as there are operands : new, C-ordered: `out`, if it is given.
        Without a comparator, NaNs come last, -0.0 and 0.0 are equal, and complex numbers are in the order of
        their real parts, then of their imaginary parts.

    Raises
    ------
    SliceError : `label` names the rule (srt_*, cm_*, et_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `sort`; `jax.lax.sort`, whose order is the default.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.sort(np.array([3.0, np.nan, -1.0]))
    array([-1.,  3., nan])
    >>> ssop.xla.sort([np.array([2, 1, 2]), np.array([10, 20, 30])])
    (array([1, 2, 2]), array([20, 10, 30]))
    >>> ssop.xla.sort(np.array([2, 1, 3]), comparator=lambda a, b: a > b)
    array([3, 2, 1])
    """
    op = "xla.sort"
    several = isinstance(operand, (list, tuple))
    given = _vectors.items(op, "operand", operand) if several else [operand]
    arrays = [as_operand(op, f"operand[{number}]" if several else "operand", x) for number, x in enumerate(given)]
    if callable(dimension):
        message = "dimension is a function, not an int: sort(operand, dimension, comparator=function) sorts by it"
        raise type_error(op, "srt_c5", message, value=dimension)
    axis, num_keys = integer(op, "dimension", dimension), integer(op, "num_keys", num_keys)
    if not isinstance(is_stable, (bool, np.bool_)):
        raise type_error(op, "in_c8", f"is_stable is {kind_of(is_stable)}, not a bool", value=is_stable)
    check_sort(op, arrays, axis, num_keys, comparator)
    if several and out is not None:
        raise type_error(
            op, "srt_c7", f"out is {kind_of(out)}, but a list of operands has a tuple of results", value=out
        )
    results = sorted_arrays(op, arrays, axis % arrays[0].ndim, bool(is_stable), num_keys, comparator)
    return tuple(results) if several else deliver(op, results[0], out)


def check_sort(op: str, arrays: Sequence[Array], dimension: int, num_keys: int, comparator: object) -> None:
    """XLA's checks, then JAX's of num_keys."""
    if not arrays:
        raise value_error(op, "srt_c1", "operand has no arrays: Sort requires at least one operand")
    first = arrays[0]
    for number, x in enumerate(arrays):
        if x.shape != first.shape:
            message = (
                f"operand[{number}] has shape {x.shape}, not {first.shape}: Sort keys and values dimensions must "
                f"match. Keys shape is: {human_string(first.dtype, first.shape)}, Values shape (operand index "
                f"{number}) is: {human_string(x.dtype, x.shape)}."
            )
            raise value_error(op, "srt_c2", message, value=x.shape)
    check_dimension(op, first.ndim, dimension)
    if not 1 <= num_keys <= len(arrays):
        message = f"num_keys is {num_keys}, not in 1..{len(arrays)}, the number of operands"
        raise value_error(op, "srt_c4", message, value=num_keys, allowed=(1, len(arrays)))
    if comparator is not None and num_keys != 1:
        message = f"num_keys is {num_keys}, and there is a comparator, which says the order alone"
        raise value_error(op, "srt_c6", message, value=num_keys)


def check_dimension(op: str, rank: int, dimension: int) -> None:
    """StableHLO's check: a scalar has no axis."""
    if not -rank <= dimension < rank:
        message = (
            f"dimension {dimension} is not in {-rank}..{rank - 1}: dimension attribute value must be in "
            f"range [-{rank}, {rank}), but found {dimension}"
        )
        raise index_error(op, "srt_c3", message, value=dimension, allowed=(-rank, rank - 1))


def sorted_arrays(
    op: str, arrays: Sequence[Array], axis: int, is_stable: bool, num_keys: int, comparator: Callable[..., Any] | None
) -> list[Array]:
    """Return new arrays, sorted along an axis."""
    moved = [np.ascontiguousarray(np.moveaxis(x, axis, -1)) for x in arrays]
    direction = 1 if comparator is None else _direction(comparator, moved[0])
    if comparator is not None and not direction:
        results = _sorted_by(op, moved, is_stable, comparator)
    elif direction < 0:
        order = moved[0].shape[-1] - 1 - _ascending_order([moved[0][..., ::-1]], True)[..., ::-1]
        results = [np.take_along_axis(x, order, -1) for x in moved]
    elif len(moved) == 1 and moved[0].dtype.isbuiltin != 2 and kind(moved[0].dtype) != "complex":
        results = [_ascending(moved[0])]
    else:
        order = _ascending_order(moved[:num_keys], is_stable)
        results = [np.take_along_axis(x, order, -1) for x in moved]
    return [np.ascontiguousarray(np.moveaxis(x, -1, axis)).reshape(arrays[0].shape) for x in results]


def _direction(comparator: Callable[..., Any], key: Array) -> int:
    """Return 1 for the ascending order, -1 for the descending one, 0 for others: NaN is in neither."""
    if kind(key.dtype) == "complex" or (kind(key.dtype) == "float" and np.isnan(key).any()):
        return 0
    if comparator is elementwise.lt or comparator is np.less:  # by identity: an object may compare as it likes
        return 1
    return -1 if comparator is elementwise.gt or comparator is np.greater else 0


def _ascending(x: Array) -> Array:
    """Return one array, sorted along its last axis: zeros and NaNs, which are equal, in their own order (srt_s1)."""
    result = np.sort(x, -1)
    if kind(x.dtype) == "float":
        for equal in (lambda y: y == 0, np.isnan):
            places = equal(result)
            if places.any():
                result[places] = x[equal(x)]
    return result


def _ascending_order(keys: Sequence[Array], is_stable: bool) -> Array:
    """Return the indices that sort arrays along the last axis by the first of them, then by the others (srt_s2)."""
    parts = [part for key in keys for part in _comparable(key)]
    if len(parts) == 1:
        return np.argsort(parts[0], -1, kind="stable" if is_stable else None)
    return np.asarray(np.lexsort(parts[::-1], -1))


def _comparable(x: Array) -> list[Array]:
    """Return what NumPy sorts as JAX sorts `x`."""
    if kind(x.dtype) == "complex":
        return [x.real, x.imag]
    if x.dtype.isbuiltin == 2:
        return [
            x.astype(np.float32 if kind(x.dtype) == "float" else np.int8 if kind(x.dtype) == "signed" else np.uint8)
        ]
    return [x]


def _sorted_by(op: str, arrays: Sequence[Array], is_stable: bool, comparator: Callable[..., Any]) -> list[Array]:
    """Return arrays sorted along their last axis by a user's order, which is asked about many pairs at once (srt_s3).

    This is Batcher's merge exchange sort (Knuth, The Art of Computer Programming, 5.2.2, Algorithm M). Its pairs depend
    only on the length, so all pairs of a round are compared in one call. The result is a permutation, whatever the
    answers are. Elements that compare equal are ordered by their number, which makes the sort stable.
    """
    numbers = np.broadcast_to(np.arange(arrays[0].shape[-1]), arrays[0].shape)
    columns = [np.moveaxis(x, -1, 0).copy() for x in (*arrays, numbers)]
    pred = [np.dtype(bool)]

    def comes_before(one: Sequence[Array], other: Sequence[Array]) -> Array:
        arguments = [x for pair in zip(one[:-1], other[:-1], strict=True) for x in pair]
        return apply(op, "comparator", comparator, arguments, pred, COMPARATOR)[0]

    empty = [x[:0] for x in columns]
    comes_before(empty, empty)  # checks the comparator
    for lower, upper in _pairs(len(columns[0])):
        one, other = [x[lower] for x in columns], [x[upper] for x in columns]
        swap = comes_before(other, one)
        if is_stable:
            swap |= (one[-1] > other[-1]) & ~comes_before(one, other)
        for x, a, b in zip(columns, one, other, strict=True):
            x[lower], x[upper] = np.where(swap, b, a), np.where(swap, a, b)
    return [np.moveaxis(x, 0, -1) for x in columns[:-1]]


def _pairs(count: int) -> Iterator[tuple[Array, Array]]:
    """Yield the indices that are compared in each round: Algorithm M, whose variables are p, q, r and d."""
    top = 1 << max(count - 1, 0).bit_length() >> 1
    p = top
    while p:
        q, r, d = top, 0, p
        while True:
            lower = np.arange(max(count - d, 0))
            lower = lower[lower & p == r]
            yield lower, lower + d
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1
