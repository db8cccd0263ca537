"""Strategies for the shapes and arguments of XLA's reductions, sorts, conversions, gathers and scatters.

What they draw breaks no rule. Arrays of these shapes come from `numeric_arrays`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ssop import shapes
from ssop._xla.conversion import bit_width
from ssop.testing.arrays import DType
from ssop.testing.numeric import element_types

Shape = tuple[int, ...]
Arguments = dict[str, Any]

PADDINGS = ("VALID", "SAME", "SAME_LOWER")


def _dims(max_dim: int, least: int = 0) -> st.SearchStrategy[int]:
    """Dims that are 0 now and then, if they may be."""
    return st.sampled_from((*(*range(1, max_dim + 1),) * 3, *([0] if least == 0 else [])))


def _shapes(min_rank: int, max_rank: int, max_dim: int, least: int = 0) -> st.SearchStrategy[Shape]:
    return st.lists(_dims(max_dim, least), min_size=min_rank, max_size=max_rank).map(tuple)


@st.composite
def broadcast_arguments(draw: st.DrawFn, max_rank: int = 3, max_dim: int = 4) -> tuple[Shape, Shape, Shape | None]:
    """The shapes of two operands of an element-wise operation, and its `broadcast_dimensions`.

    Both have one shape, or one of them is a scalar, or the one of lower rank has some of the other one's dims.

    >>> from hypothesis import find
    >>> find(broadcast_arguments(), lambda found: found[2] == (0,) and len(found[0]) == 2)
    ((1, 1), (1,), (0,))
    """
    shape = draw(_shapes(0, max_rank, max_dim))
    form = draw(st.sampled_from(("same", "scalar", "fewer")))
    if form == "same" or not shape:
        return shape, shape, None
    if form == "scalar":
        return (shape, (), None) if draw(st.booleans()) else ((), shape, None)
    axes = tuple(sorted(draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]))
    fewer = tuple(shape[axis] for axis in axes)
    swapped = len(axes) < len(shape) and draw(st.booleans())
    return (fewer, shape, axes) if swapped else (shape, fewer, axes)


@st.composite
def reduce_arguments(draw: st.DrawFn, max_rank: int = 4, max_dim: int = 6) -> tuple[Shape, Shape]:
    """The shape of the operands of `ssop.xla.reduce`, and the dimensions that it reduces, at least one.

    >>> shape, dimensions = reduce_arguments().example()
    >>> all(axis < len(shape) for axis in dimensions)
    True
    """
    shape = draw(_shapes(1, max_rank, max_dim))
    count = draw(st.integers(1, len(shape)))
    return shape, tuple(sorted(draw(st.permutations(range(len(shape))))[:count]))


@st.composite
def reduce_window_arguments(draw: st.DrawFn, max_rank: int = 3, max_dim: int = 6) -> tuple[Shape, Arguments]:
    """The shape of the operands of `ssop.xla.reduce_window`, and its window's arguments by their names.

    >>> from hypothesis import find
    >>> find(reduce_window_arguments(), lambda found: found[1]["padding"] == "SAME")[0]
    (1,)
    """
    shape = draw(_shapes(1, max_rank, max_dim))
    window = _window(draw, shape, -1)
    for name in ("base_dilation", "window_dilation"):
        window[name] = tuple(draw(st.sampled_from((1, 1, 2))) for _ in shape)
    return shape, window


@st.composite
def select_and_scatter_arguments(
    draw: st.DrawFn, max_rank: int = 3, max_dim: int = 6
) -> tuple[Shape, Shape, Arguments]:
    """The shapes of operand and source of `ssop.xla.select_and_scatter`, and its window's arguments by their names.

    >>> operand, source, window = select_and_scatter_arguments().example()
    >>> len(operand) == len(source) == len(window["window_strides"])
    True
    """
    shape = draw(_shapes(1, max_rank, max_dim, least=1))
    window = _window(draw, shape, 0)
    source: Any = shapes.xla.reduce_window(shape, **window).dims
    return shape, source, window


def _window(draw: st.DrawFn, shape: Shape, least_padding: int) -> Arguments:
    sizes, strides = (tuple(draw(st.integers(1, 3)) for _ in shape) for _ in range(2))
    pairs = st.tuples(st.integers(least_padding, 3), st.integers(least_padding, 3))
    padding = draw(st.sampled_from((*PADDINGS, None))) or tuple(draw(pairs) for _ in shape)
    return {"window_dimensions": sizes, "window_strides": strides, "padding": padding}


@st.composite
def sort_arguments(
    draw: st.DrawFn, max_operands: int = 3, max_rank: int = 3, max_dim: int = 8
) -> tuple[Shape, int, Arguments]:
    """The shape and number of the operands of `ssop.xla.sort`, and its other arguments by their names.

    >>> shape, count, arguments = sort_arguments().example()
    >>> arguments["num_keys"] <= count and -len(shape) <= arguments["dimension"] < len(shape)
    True
    """
    shape, count = draw(_shapes(1, max_rank, max_dim)), draw(st.integers(1, max_operands))
    return shape, count, {
        "dimension": draw(st.integers(-len(shape), len(shape) - 1)),
        "is_stable": draw(st.sampled_from((True, True, False))) or count > 1,
        "num_keys": draw(st.integers(1, count)),
    }  # fmt: skip


@st.composite
def conversion_arguments(
    draw: st.DrawFn, max_rank: int = 3, max_dim: int = 5, *, bitcast: bool = False
) -> tuple[Shape, DType, DType]:
    """The shape and dtype of an operand, and another dtype, for `ssop.xla.convert_element_type`.

    With `bitcast`, for `bitcast_convert_type`: bool and complex dtypes are not drawn, and where the new dtype is the
    wider one, the last dim makes up for it.

    >>> import numpy as np
    >>> from hypothesis import find
    >>> find(conversion_arguments(bitcast=True), lambda found: found[1:] == (np.int8, np.int64))[0][-1]
    8
    """
    types = element_types(("signed", "unsigned", "float")) if bitcast else element_types()
    shape, source, target = draw(_shapes(0, max_rank, max_dim)), draw(types), draw(types)
    if bitcast:
        narrow, wide = sorted((bit_width(source), bit_width(target)))
        if wide % narrow:
            return shape, source, source
        if bit_width(source) < bit_width(target):
            shape = (*shape, wide // narrow)
    return shape, source, target


@st.composite
def batch_norm_arguments(draw: st.DrawFn, max_rank: int = 4, max_dim: int = 5) -> tuple[Shape, int]:
    """The shape of the operand of the three forms of batch normalisation, and their `feature_index`.

    >>> shape, feature_index = batch_norm_arguments().example()
    >>> 0 <= feature_index < len(shape)
    True
    """
    shape = draw(_shapes(2, max_rank, max_dim, least=1))
    return shape, draw(st.integers(0, len(shape) - 1))


@st.composite
def gather_arguments(draw: st.DrawFn, max_rank: int = 3, max_dim: int = 4) -> tuple[Shape, Shape, Arguments]:
    """The shapes of operand and indices of `ssop.xla.gather`, and its other arguments by their names.

    >>> operand, indices, arguments = gather_arguments().example()
    >>> len(arguments["slice_sizes"]) == len(operand)
    True
    """
    plan = _gathering(draw, max_rank, max_dim)
    return plan["shape"], plan["indices"], {
        "slice_sizes": plan["sizes"],
        "offset_dims": plan["window"],
        "collapsed_slice_dims": plan["dropped"],
        "start_index_map": plan["index_map"],
        "index_vector_dim": plan["at"],
        "operand_batching_dims": plan["batching"],
        "start_indices_batching_dims": plan["places"],
    }  # fmt: skip


@st.composite
def scatter_arguments(draw: st.DrawFn, max_rank: int = 3, max_dim: int = 4) -> tuple[Shape, Shape, Shape, Arguments]:
    """The shapes of operand, indices and updates of `ssop.xla.scatter`, and its dimension numbers by their names.

    >>> operand, indices, updates, numbers = scatter_arguments().example()
    >>> len(numbers["update_window_dims"]) <= len(updates)
    True
    """
    plan = _gathering(draw, max_rank, max_dim)
    removed = (*plan["batching"], *plan["dropped"])
    lengths = [size for axis, size in enumerate(plan["sizes"]) if axis not in removed]
    updates, rest, kept = [], iter(plan["slices"]), iter(lengths)
    for axis in range(len(plan["slices"]) + len(lengths)):
        updates.append(next(kept) if axis in plan["window"] else next(rest))
    return plan["shape"], plan["indices"], tuple(updates), {
        "update_window_dims": plan["window"],
        "inserted_window_dims": plan["dropped"],
        "scatter_dims_to_operand_dims": plan["index_map"],
        "index_vector_dim": plan["at"],
        "input_batching_dims": plan["batching"],
        "scatter_indices_batching_dims": plan["places"],
    }  # fmt: skip


def _gathering(draw: st.DrawFn, max_rank: int, max_dim: int) -> Arguments:
    """Dimension numbers of a gather: where its slices begin, which axes they lose, where the others go."""
    shape = draw(_shapes(0, max_rank, max_dim))
    axes = list(draw(st.permutations(range(len(shape)))))
    full = [axis for axis in axes if shape[axis]]  # the others have no slice of size 1, which is to be dropped
    batching = sorted(full[: draw(st.sampled_from((0, 0, 1, 2)))])
    rest = [axis for axis in axes if axis not in batching]
    full = [axis for axis in full if axis not in batching]
    dropped = sorted(full[: draw(st.integers(0, len(full)))])
    sizes = [1 if a in batching or a in dropped else draw(st.integers(0, dim)) for a, dim in enumerate(shape)]
    index_map = list(draw(st.permutations(rest)))[: draw(st.integers(0, len(rest)))]
    slices = list(draw(_shapes(0, 2, 3)))
    places = _insert(draw, [shape[axis] for axis in batching], slices)
    at = draw(st.integers(0, len(slices)))
    indices = [*slices[:at], len(index_map), *slices[at:]]
    if len(index_map) == 1 and draw(st.booleans()):  # the indices may do without an axis of their own
        indices, at = slices, len(slices)
    places = [place + (place >= at) for place in places]
    count = len(shape) - len(batching) - len(dropped)
    window = sorted(draw(st.permutations(range(len(slices) + count)))[:count])
    return {
        "shape": shape, "indices": tuple(indices), "slices": slices, "sizes": sizes, "window": window, "at": at,
        "dropped": dropped, "index_map": index_map, "batching": batching, "places": places,
    }  # fmt: skip


def _insert(draw: st.DrawFn, dims: Sequence[int], into: list[int]) -> list[int]:
    """Insert dims anywhere; returns their places."""
    places: list[int] = []
    for dim in dims:
        place = draw(st.integers(0, len(into)))
        into.insert(place, dim)
        places = [other + (other >= place) for other in places] + [place]
    return places
