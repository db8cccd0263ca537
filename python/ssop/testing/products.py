"""Strategies for the shapes and arguments of XLA's dots and convolutions, which break no rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Shape = tuple[int, ...]
Dots = tuple[Shape, Shape, tuple[tuple[Shape, Shape], tuple[Shape, Shape]]]
Convolutions = tuple[Shape, Shape, dict[str, Any]]


@st.composite
def dot_arguments(draw: st.DrawFn, max_rank: int = 5, max_dim: int = 6) -> Dots:
    """The shapes of two operands, and dimension numbers for `ssop.xla.dot_general`.

    >>> lhs, rhs, ((lhs_contracting, _), _) = dot_arguments().example()
    >>> all(axis < len(lhs) for axis in lhs_contracting)
    True
    """
    shared = draw(st.integers(0, max_rank))
    batch = draw(st.integers(0, shared))
    lhs, rhs = (draw(st.lists(st.integers(0, max_dim), min_size=shared, max_size=max_rank)) for _ in range(2))
    left, right = (draw(st.permutations(range(len(dims))))[:shared] for dims in (lhs, rhs))
    for one, other in zip(left, right, strict=True):
        rhs[other] = lhs[one]
    numbers = (tuple(left[batch:]), tuple(right[batch:])), (tuple(left[:batch]), tuple(right[:batch]))
    return tuple(lhs), tuple(rhs), numbers


@st.composite
def convolution_arguments(draw: st.DrawFn, max_spatial: int = 3, max_dim: int = 8) -> Convolutions:
    """The shapes of two operands, and the other arguments of `ssop.xla.conv_general_dilated` by their names.

    >>> lhs, rhs, arguments = convolution_arguments().example()
    >>> len(arguments["window_strides"]) == len(lhs) - 2
    True
    """
    letters = "HWD"[: draw(st.integers(0, max_spatial))]
    specs = tuple("".join(draw(st.permutations(pair + letters))) for pair in ("NC", "OI", "NC"))
    feature_groups, batch_groups = draw(st.sampled_from([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)]))
    batch, features = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    outputs = draw(st.integers(1, 3)) * max(feature_groups, batch_groups)
    lhs = {"N": batch * batch_groups, "C": features * feature_groups}
    rhs = {"O": outputs, "I": features}
    order = [letter for letter in specs[1] if letter in letters]
    arguments: dict[str, Any] = {name: [] for name in ("window_strides", "padding", "lhs_dilation", "rhs_dilation")}
    for letter in order:
        lhs[letter], rhs[letter] = draw(st.integers(0, max_dim)), draw(st.integers(1, max_dim // 2))
        for name in ("window_strides", "lhs_dilation", "rhs_dilation"):
            arguments[name].append(draw(st.integers(1, 3)))
        length = (lhs[letter] - 1) * arguments["lhs_dilation"][-1] + 1 if lhs[letter] else 0
        low = draw(st.integers(-min(length, 2), 4))
        arguments["padding"].append((low, draw(st.integers(-min(length + min(low, 0), 2), 4))))
    shapes = tuple(lhs[letter] for letter in specs[0]), tuple(rhs[letter] for letter in specs[1])
    groups = {"feature_group_count": feature_groups, "batch_group_count": batch_groups}
    return *shapes, arguments | {"dimension_numbers": specs} | groups
