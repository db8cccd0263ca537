"""XLA's Sort in plain Python: sorted lists of rows.

Items have no dtype or memory, and functions are given by their names: `srt_c5` and `srt_c7` do not concern it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key, partial
from typing import Any

from ssop.reference._tensors import Rejected, Tensor, build


def sort(
    operands: Sequence[Tensor],
    dimension: int = -1,
    is_stable: bool = True,
    num_keys: int = 1,
    comparator: Callable[..., bool] | None = None,
) -> list[Tensor]:
    """Return operands sorted together along an axis, equal items in their order (srt_s1, srt_s2, srt_s3).

    Raises `srt_c1`..`srt_c4` and `srt_c6`. Source: XLA's `InferVariadicOpShape`, StableHLO's `sort`, `jax.lax.sort`.

    >>> sort([Tensor((3,), [2, 1, 2]), Tensor((3,), [10, 20, 30])])
    [Tensor(shape=(3,), items=[1, 2, 2]), Tensor(shape=(3,), items=[20, 10, 30])]
    """
    if not operands:
        raise Rejected("srt_c1")
    shape = operands[0].shape
    for operand in operands:
        if operand.shape != shape:
            raise Rejected("srt_c2", value=operand.shape)
    if not -len(shape) <= dimension < len(shape):
        raise Rejected("srt_c3", value=dimension, allowed=(-len(shape), len(shape) - 1))
    if not 1 <= num_keys <= len(operands):
        raise Rejected("srt_c4", value=num_keys, allowed=(1, len(operands)))
    if comparator is not None and num_keys != 1:
        raise Rejected("srt_c6", value=num_keys)
    axis = dimension % len(shape)

    def together(index: tuple[int, ...]) -> list[tuple[Any, ...]]:
        lines = [(*index[:axis], place, *index[axis + 1 :]) for place in range(shape[axis])]
        rows = [tuple(operand.at(line) for operand in operands) for line in lines]
        if comparator is None:
            return sorted(rows, key=lambda row: [part for item in row[:num_keys] for part in key_of(item)])
        return sorted(rows, key=cmp_to_key(partial(order_of, comparator)))

    sorted_rows = build(shape, lambda index: together(index)[index[axis]])
    return [Tensor(shape, [row[n] for row in sorted_rows.items]) for n in range(len(operands))]


def key_of(item: complex) -> list[tuple[bool, float]]:
    """Return what Python orders as JAX orders items: NaN last, and complex numbers by their parts.

    >>> key_of(float("nan")) > key_of(float("inf")), key_of(-0.0) == key_of(0.0)
    (True, True)
    """
    parts = [item.real, item.imag] if isinstance(item, complex) else [item]
    return [(part != part, 0 if part != part else part) for part in parts]


def order_of(comparator: Callable[..., bool], a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return -1, 0 or 1 as `a` comes before `b`, is equal, or comes after it.

    >>> order_of(lambda x, y: x > y, [1], [2])
    1
    """
    if comparator(*[item for pair in zip(a, b, strict=True) for item in pair]):
        return -1
    return 1 if comparator(*[item for pair in zip(b, a, strict=True) for item in pair]) else 0
