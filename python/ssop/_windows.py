"""What gradients, explanations and arrays of other libraries know of windows that are filled."""

from __future__ import annotations

from ssop import _core


def padding_of(kept: _core.Region, place: _core.Region) -> list[tuple[int, int, int]]:
    """Return the padding_config of XLA's Pad that makes this window: what it has of the operand, and where (ds_s5)."""
    config = []
    for dim, size, (start, count, _), (first, _, _) in zip(
        kept.in_shape, place.in_shape, kept.ranges, place.ranges, strict=True
    ):
        low = first - start if count else size
        config.append((low, size - dim - low, 0))
    return config
