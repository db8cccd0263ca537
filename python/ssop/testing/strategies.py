"""Hypothesis strategies for code that slices: shapes, specs, indices, windows, regions, and arrays of every layout.

Hypothesis' own `slices()` and `basic_indices()` never leave the axis, never step in the wrong direction and know no
masks, so they find few of the mistakes that slicing code has. These do all of that, and shrink to few entries. Where
bounds are drawn, they lie within two of the axis or at the extremes of int32 and int64.

>>> import numpy as np, ssop
>>> from hypothesis import given
>>> from hypothesis import strategies as st
>>> from ssop.testing import strategies as slicing
>>> @given(slicing.shapes().flatmap(lambda shape: st.tuples(slicing.arrays(shape), slicing.indices(shape))))
... def test_ours_is_numpys(case):
...     x, index = case
...     assert np.array_equal(ssop.StridedSliceSpec.from_index(index)(x), x[index])
>>> test_ours_is_numpys()
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

import ssop
from ssop._masks import MASK_NAMES
from ssop.testing.arrays import Layout, arrays, dtypes, layouts, overlapping_arrays
from ssop.testing.chains.drawing import chains
from ssop.testing.entries import (
    EXTREMES,
    INT32,
    INT64,
    MOSTLY_NOTHING,
    Dialect,
    Entry,
    as_index,
    bounds,
    encode,
    entries,
    strides,
)
from ssop.testing.indices import indices
from ssop.testing.models.program import Program
from ssop.testing.numeric import element_types, numeric_arrays
from ssop.testing.operations import (
    batch_norm_arguments,
    broadcast_arguments,
    conversion_arguments,
    gather_arguments,
    reduce_arguments,
    reduce_window_arguments,
    scatter_arguments,
    select_and_scatter_arguments,
    sort_arguments,
)
from ssop.testing.products import convolution_arguments, dot_arguments

__all__ = [
    "Dialect",
    "Entry",
    "Layout",
    "arrays",
    "as_index",
    "batch_norm_arguments",
    "bounds",
    "broadcast_arguments",
    "broken_slice_arguments",
    "chains",
    "conversion_arguments",
    "convolution_arguments",
    "dialect_arguments",
    "dot_arguments",
    "dtypes",
    "dynamic_slices",
    "element_types",
    "encode",
    "entries",
    "gather_arguments",
    "indices",
    "layouts",
    "models",
    "numeric_arrays",
    "overlapping_arrays",
    "partial_dims",
    "partial_shapes",
    "partial_specs",
    "ranges",
    "raw_specs",
    "reduce_arguments",
    "reduce_window_arguments",
    "regions",
    "scatter_arguments",
    "select_and_scatter_arguments",
    "shapes",
    "slice_arguments",
    "sort_arguments",
    "specs",
    "strides",
]

Shape: TypeAlias = tuple[int, ...]
Draw: TypeAlias = st.DrawFn

MASKS = (0, -1, *INT32, 1 << 30)


@st.composite
def shapes(draw: Draw, *, min_rank: int = 0, max_rank: int = 4, max_dim: int = 5, max_size: int = 400) -> Shape:
    """Shapes of at most `max_size` elements, ones and now and then zeros among the dims; `max_rank` may be 64.

    >>> from hypothesis import find
    >>> find(shapes(), lambda shape: 0 in shape)
    (0,)
    """
    size, shape = 1, []
    for _ in range(draw(st.integers(min_rank, max_rank))):
        dim = draw(_dims(max_dim))
        shape.append(dim if size * dim <= max_size else 1)
        size *= max(shape[-1], 1)
    return tuple(shape)


@cache
def _dims(max_dim: int) -> st.SearchStrategy[int]:
    return st.sampled_from((*(*range(1, max_dim + 1),) * 2, 0))


# ---- specs and indices ----------------------------------------------------------------------------------------------


def specs(
    shape: Sequence[int], *, legal: bool = True, dialect: Dialect = "tf"
) -> st.SearchStrategy[ssop.StridedSliceSpec]:
    """Specs for an input of `shape`: all kinds of entries, with bits and values that are ignored among them.

    Many have bits that conflict on one entry: an ellipsis bit overrules a new-axis bit, which overrules a shrink bit
    (SPEC.md: ss_s1, ov_s1). Begin and end bits may stand on any entry. What else is legal depends on the dialect, whose
    function takes `dialect_arguments(spec, dialect)`:

    - `"tf"` (`ssop.strided_slice`, `ssop.tf`): ranges have any stride but zero. A shrunk entry has a positive stride,
      and its begin is an index of its axis, whatever its begin bit says. The values of new axes and of the ellipsis are
      ignored, so their strides may be zero. Every other entry has an axis. At most one ellipsis bit.
    - `"tflite"`: a shrunk entry's begin may also be below -dim, and anything if its begin bit is set (tfl_s1, tfl_s2).
      The ellipsis may take an axis that a later entry needed, and entries may find no axis if no new axis follows them
      (tfl_s3, tfl_c4).
    - `"openvino"`: a shrunk entry's stride may be anything, also zero or negative (ov_s3).
    - `"onnx"`: there are no masks: every entry is a range that has both bounds, entry i slices axis i.

    With `legal=False` they may break the rules ss_c4..ss_c8 or the dialect's rules of the same meaning. They may have
    too many entries or new axes, strides of zero, negative strides of shrunk axes, and shrunk indices out of bounds.

    >>> from hypothesis import find
    >>> find(specs((3, 4)), lambda spec: spec.new_axis_mask)
    StridedSliceSpec([0], [0], [1], new_axis_mask=1)
    >>> bool(find(specs((3, 4)), lambda spec: spec.new_axis_mask & spec.shrink_axis_mask).new_axis_mask)
    True
    >>> 0 in find(specs((3, 4), dialect="openvino"), lambda spec: spec.shrink_axis_mask and 0 in spec.strides).strides
    True
    """
    return entries(shape, legal=legal, dialect=dialect).map(encode)


def dialect_arguments(spec: ssop.StridedSliceSpec, dialect: Dialect) -> dict[str, Any]:
    """The arguments, by name, of the dialect's function that takes `spec`: `strided_slice`, or ONNX's `slice`.

    OpenVINO's masks are vectors. A spec with masks has no arguments for ONNX, and is a ValueError.

    >>> import numpy as np
    >>> spec = ssop.StridedSliceSpec([0, 1], [0, 3], end_mask=1)
    >>> ssop.openvino.strided_slice(np.arange(8).reshape(2, 4), **dialect_arguments(spec, "openvino"))
    array([[1, 2],
           [5, 6]])
    """
    masks = {name: getattr(spec, name) for name in MASK_NAMES}
    if dialect == "onnx":
        if any(masks.values()):
            raise ValueError(f"ONNX has no masks: {spec}")
        return {"starts": spec.begin, "ends": spec.end, "steps": spec.strides}
    vectors = {"begin": spec.begin, "end": spec.end, "strides": spec.strides}
    if dialect == "openvino":
        return vectors | {name: [mask >> i & 1 for i in range(len(spec.begin))] for name, mask in masks.items()}
    return vectors | masks


@st.composite
def raw_specs(draw: Draw, *, max_entries: int = 5, max_dim: int = 5) -> tuple[Any, ...]:
    """Arguments `(begin, end, strides, *masks)` of `strided_slice` that were never legal on purpose.

    The five masks are free int32 numbers: contradictory bits, bits past the last entry, negative masks. Now and then
    there are more than 31 entries, no strides, or lists of different lengths.

    >>> from hypothesis import find
    >>> find(raw_specs(), lambda raw: raw[-1] & raw[-2] & 1)  # both a new axis and a shrunk one
    ([], [], [], 0, 0, 0, 1, 1)
    """
    triple = st.tuples(bounds(max_dim), bounds(max_dim), strides(max_dim, zero=True))
    triples = draw(st.lists(triple, max_size=max_entries)) * draw(_MOSTLY_ONCE)
    begin, end, steps = ([triple[part] for triple in triples] for part in range(3))
    shortened = draw(MOSTLY_NOTHING)
    if shortened == "strides":
        del steps[-1:]
    elif shortened == "end":
        del end[-1:]
    masks = [draw(_FREE_MASKS) for _ in MASK_NAMES]
    masks[MASK_NAMES.index("ellipsis_mask")] = draw(_ELLIPSIS_MASKS)
    return begin, end, None if shortened == "all strides" else steps, *masks


_MOSTLY_ONCE = st.sampled_from((*(1,) * 20, 8))
_FREE_MASKS = st.one_of(st.sampled_from((0, 1, 2, 3, 4)), st.sampled_from(MASKS), st.integers(*INT32))
_ELLIPSIS_MASKS = st.sampled_from((*(0, 1, 2, 4, 8) * 4, 1 << 30, INT32[0], 3, 5, -1))


# ---- windows, slices, regions, partial knowledge --------------------------------------------------------------------


@st.composite
def dynamic_slices(draw: Draw, shape: Sequence[int], *, legal: bool = True) -> tuple[list[int], list[int]]:
    """`(start_indices, slice_sizes)` with starts anywhere.

    With `legal=False`, sizes may be one past either end of 0..dim, and either list one too short.

    >>> from hypothesis import find
    >>> find(dynamic_slices((3, 4)), lambda window: window[0][0] == -1)
    ([-1, 0], [0, 0])
    """
    least, past = (0, 0) if legal else (-1, 1)
    starts = [draw(bounds(dim)) for dim in shape]
    sizes = [draw(st.integers(least, dim + past)) for dim in shape]
    if not legal:
        short = draw(MOSTLY_NOTHING)
        del (starts if short == "strides" else sizes if short == "end" else [])[-1:]
    return starts, sizes


SliceArguments: TypeAlias = tuple[list[int], list[int], list[int]]


@st.composite
def slice_arguments(draw: Draw, shape: Sequence[int]) -> SliceArguments:
    """`(start_indices, limit_indices, strides)` that XLA's Slice takes for `shape`.

    >>> from hypothesis import find
    >>> find(slice_arguments((3, 4)), lambda arguments: arguments[2][1] > 1)
    ([0, 0], [0, 0], [1, 2])
    """
    starts = [draw(st.integers(0, dim)) for dim in shape]
    limits = [draw(st.integers(start, dim)) for start, dim in zip(starts, shape, strict=True)]
    return starts, limits, [draw(strides(dim, positive=True)) for dim in shape]


@st.composite
def broken_slice_arguments(draw: Draw, shape: Sequence[int]) -> tuple[str, int | None, SliceArguments]:
    """`(label, axis, arguments)`: arguments of XLA's Slice that break the one rule `label`, at `axis` if at one.

    >>> from hypothesis import find
    >>> find(broken_slice_arguments((3,)), lambda broken: broken[0] == "sl_c6")
    ('sl_c6', 0, ([1], [0], [1]))
    """
    starts, limits, steps = arguments = draw(slice_arguments(shape))
    rules = ["sl_c1", "sl_c2", "sl_c3", *(["sl_c4", "sl_c5", "sl_c6", "sl_c7"] if shape else [])]
    label = draw(st.sampled_from(rules))
    if label in ("sl_c1", "sl_c2", "sl_c3"):
        longer = {"sl_c1": (limits,), "sl_c2": (steps,), "sl_c3": (starts, limits, steps)}[label]
        for vector in longer:
            vector.append(1)
        return label, None, arguments
    axis = draw(st.integers(0, len(shape) - 1))
    dim = shape[axis]
    if label == "sl_c4":
        starts[axis] = draw(st.sampled_from((-1, -dim - 1, *(extreme for extreme in EXTREMES if extreme < 0))))
    elif label == "sl_c5":
        limits[axis] = draw(st.sampled_from((dim + 1, *(extreme for extreme in EXTREMES if extreme > 0))))
    elif label == "sl_c6":
        limits[axis] = draw(st.integers(-1, dim))
        starts[axis] = limits[axis] + draw(st.sampled_from((1, 2, INT64[1] - dim)))
    else:
        steps[axis] = draw(st.sampled_from((0, -1, *(extreme for extreme in EXTREMES if extreme < 0))))
    return label, axis, arguments


@cache
def ranges(dim: int) -> st.SearchStrategy[tuple[int, int, int]]:
    """Every canonical `(start, count, step)` of an axis."""
    taken = [(start, 1, 1) for start in range(dim)]
    for start in range(dim):
        for step in (step for step in range(1 - dim, dim) if step):
            room = (dim - 1 - start if step > 0 else start) // abs(step)
            taken += [(start, count, step) for count in range(2, room + 2)]
    return st.sampled_from([*taken, *taken, (0, 0, 1)])


@st.composite
def regions(draw: Draw, shape: Sequence[int], *, emptied: bool = False) -> ssop.Region:
    """Regions of an input of at most 31 axes, made by hand from their parts; `emptied` allows the output axis -2.

    >>> from hypothesis import find
    >>> find(regions((3,)), lambda region: region.shape == (2,))
    Region((3,), ((0, 2, 1),), (0,))
    """
    taken = [draw(ranges(dim)) for dim in shape]
    new = st.sampled_from(((), (), (-1,), *([(-2,)] if emptied else [])))
    out_axes = [*draw(new)]
    for axis, (_, count, _) in enumerate(taken):
        dropped = count == 1 and draw(st.booleans())
        out_axes += [*([] if dropped else [axis]), *draw(new)]
    return ssop.Region(shape, taken, out_axes)


PartialDim: TypeAlias = "int | tuple[int, int] | None"


@cache
def partial_dims(*, max_dim: int = 5, unknown: bool = False) -> st.SearchStrategy[PartialDim]:
    """Dims of which something is known: an integer, an inclusive pair `(low, high)`, or, with `unknown`, None.

    >>> from hypothesis import find
    >>> find(partial_dims(), lambda dim: isinstance(dim, tuple) and dim[1] > 2)
    (0, 3)
    """
    pairs = [(low, high) for low in range(max_dim + 1) for high in range(low + 1, max_dim + 1)]
    known = st.one_of(st.integers(0, max_dim), st.sampled_from(pairs))
    return st.one_of(known, st.none()) if unknown else known


def partial_shapes(
    *, max_rank: int = 3, max_dim: int = 5, unknown: bool = False
) -> st.SearchStrategy[tuple[PartialDim, ...]]:
    """Shapes of such dims.

    >>> from hypothesis import find
    >>> find(partial_shapes(unknown=True), lambda shape: None in shape)
    (None,)
    """
    return st.lists(partial_dims(max_dim=max_dim, unknown=unknown), max_size=max_rank).map(tuple)


@st.composite
def partial_specs(
    draw: Draw, shape: Sequence[int], spec: ssop.StridedSliceSpec, *, unknown: bool = False
) -> tuple[Any, ...]:
    """`(dims, begin, end, strides, *masks)`: partial knowledge of `shape` and `spec`, which are one of its completions.

    Up to three of the numbers become pairs `(low, high)`, at most five wide, or, with `unknown`, None.

    >>> from hypothesis import find
    >>> spec = ssop.StridedSliceSpec([1], [2])
    >>> find(partial_specs((3,), spec), lambda partial: isinstance(partial[1][0], tuple))
    ([3], [(1, 1)], [2], [1], 0, 0, 0, 0, 0)
    """
    vectors: list[list[Any]] = [[*shape], [*spec.begin], [*spec.end], [*spec.strides]]
    margin = st.integers(0, 2)
    for _ in range(draw(st.integers(0, 3))):
        which = draw(st.integers(0, 3))
        if vectors[which]:
            place = draw(st.integers(0, len(vectors[which]) - 1))
            known = (shape, spec.begin, spec.end, spec.strides)[which][place]
            low, high = max(known - draw(margin), INT64[0] if which else 0), min(known + draw(margin), INT64[1])
            vectors[which][place] = None if unknown and draw(st.booleans()) else (low, high)
    return *vectors, *(getattr(spec, name) for name in MASK_NAMES)


# ---- models ---------------------------------------------------------------------------------------------------------


def models(takes: str = "onnx", *, unknown_dims: bool = True, run_time: bool = True) -> st.SearchStrategy[Program]:
    """Programs of one to four calls that move data, as `ssop difftest` makes them into models for converters.

    `takes` is a word of `ssop.testing.models.TAKES`; `ssop.testing.models.source_of` makes the model of a program, and
    its methods `inputs` and `right` give what it is run on, and the right result.

    >>> from hypothesis import find
    >>> len(find(models("tensorflow"), lambda program: len(program.calls) == 1).dims)
    1
    """
    from ssop.testing.models.drawing import draw_program

    randoms = st.randoms(use_true_random=False)
    return randoms.map(lambda rng: draw_program(rng, takes, unknown=unknown_dims, run_time=run_time))
