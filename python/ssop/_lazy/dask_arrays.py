"""Arrays of dask: which graph an operation has, and how ssop's engine runs in it.

This module is imported where there is an array of dask: then dask is loaded.

Slices, reversals, transpositions and concatenations are dask's own graphs, whose blocks are views. Reductions read
views as fast as contiguous blocks, so a copy of each block would only cost time. The engine moves the elements where
they have to be moved: when `compute` puts blocks together into one array, and when blocks are stored. Updates and
padding make new blocks, and the engine makes those, in one task for each block that changes.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,misc,override,unused-ignore"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, product
from math import prod
from typing import Any

import dask.array as da
import numpy as np
from dask import config
from dask.array.core import Array, elemwise, finalize
from dask.base import tokenize
from dask.core import flatten
from dask.highlevelgraph import HighLevelGraph
from dask.utils import parse_bytes

from ssop import _core
from ssop._lazy import masks
from ssop._lazy.calls import Chunks


class Moved(Array):
    """An array of dask whose blocks ssop's engine puts together.

    What dask makes of it is an array of dask's own class.
    """

    __slots__ = ()

    def __dask_postcompute__(self) -> tuple[Any, tuple[()]]:
        return assembled, ()

    def _rebuild(self, dsk: Any, *, rename: Any = None) -> Moved:
        rebuilt: Moved = moved(super()._rebuild(dsk, rename=rename))
        return rebuilt

    def store(self, target: Any, **options: Any) -> Any:
        """Store the array as dask does; the engine makes the blocks contiguous."""
        return da.map_blocks(_contiguous, self, dtype=self.dtype, meta=self._meta).store(target, **options)


def has_graph(x: Any) -> bool:
    """True for an array that has a graph; dask's query planning, which is an option, has expressions instead."""
    return type(x) in (Array, Moved)


def moved(x: Any) -> Any:
    """Return a copy of an array with a graph, whose blocks the engine puts together if they are NumPy's arrays."""
    if type(x._meta) is np.ndarray:
        return Moved(x.dask, x.name, x.chunks, meta=x._meta)
    return x.copy()


def without_empty_blocks(x: Any) -> Any:
    """Return the same array without empty blocks beside others: dask's slices of them have wrong shapes (2026.8)."""
    if all(0 not in lengths or len(lengths) == 1 for lengths in x.chunks):
        return x
    return x.rechunk(tuple(tuple(filter(None, lengths)) or (0,) for lengths in x.chunks))


def assembled(blocks: Any) -> Any:
    """Return the blocks of an array, in nested lists, as one array; what is not NumPy's is left to dask."""
    flat = list(flatten(blocks, container=(list, tuple)))
    if not flat or any(type(block) is not np.ndarray or block.dtype != flat[0].dtype for block in flat):
        return finalize(blocks)
    if len(flat) == 1:
        return _core.copy(flat[0])
    lengths = _lengths(blocks, flat[0].ndim)
    result = np.empty([sum(of) for of in lengths], flat[0].dtype)
    for place, block in zip(_places(lengths), flat, strict=True):
        _core.copyto(result[place], block)
    return result


def _lengths(blocks: Any, rank: int) -> list[list[int]]:
    """Return the lengths of the blocks along each axis."""
    lengths = []
    for axis in range(rank):
        lengths.append([_first(block).shape[axis] for block in blocks])
        blocks = blocks[0]
    return lengths


def _first(blocks: Any) -> Any:
    while isinstance(blocks, (list, tuple)):
        blocks = blocks[0]
    return blocks


def _places(lengths: Sequence[Sequence[int]]) -> Iterator[tuple[slice, ...]]:
    """Give the place of each block in the whole array, in C order."""
    edges = [list(accumulate(of, initial=0)) for of in lengths]
    return product(*([slice(*pair) for pair in zip(of, of[1:], strict=False)] for of in edges))


def _contiguous(block: Any) -> Any:
    return _core.copy(block) if type(block) is np.ndarray and not block.flags.c_contiguous else block


# ---- updates ---------------------------------------------------------------------------------------------------------


def updated(x: Any, region: _core.Region, value: Any) -> Any:
    """Return `x` with `value`, which broadcasts to a region of it, over that region.

    The result has the chunks of `x`. Blocks outside the region are those of `x`, blocks inside are those of the value;
    one that is partly inside is made by the engine.
    """
    if 0 in region.shape:
        return x
    forward, value = _by_axes(region, value)
    value, touched = _touched(forward, value, x.chunks)
    name = f"update-{tokenize(x, value, forward.ranges)}"
    steps = tuple(step for _, _, step in forward.ranges)
    graph: dict[Any, Any] = {(name, *block): (x.name, *block) for block in product(*map(range, x.numblocks))}
    for block, (part, theirs) in touched.items():
        begin, length = (tuple(taken[k] for taken in part.ranges) for k in range(2))
        if length == part.in_shape:
            graph[(name, *block)] = theirs
        else:
            update = partial(_block_updated, begin=begin, steps=steps)
            graph[(name, *block)] = (update, graph[(name, *block)], theirs)
    return _made(name, graph, x.chunks, x, value)


def assign(x: Any, region: _core.Region, value: Any) -> None:
    """Write into an array: it gets the graph of the updated one, as at an assignment of dask's."""
    found = updated(without_empty_blocks(x), region, value)
    x._meta, x.dask, x._name, x._chunks = found._meta, found.dask, found.name, found.chunks


def _by_axes(region: _core.Region, value: Any) -> tuple[_core.Region, Any]:
    """Return a region without negative steps, and the value with the axes of the array, as long as the region is."""
    forward, flips = region.split()
    value = repeated(value, region.shape)
    value = value[tuple(slice(None, None, -1 if axis in flips else 1) for axis in range(value.ndim))]
    value = value[tuple(0 if axis < 0 else slice(None) for axis in region.out_axes)]
    return forward, value[tuple(slice(None) if axis in region.out_axes else None for axis in range(len(region.ranges)))]


def _touched(
    region: _core.Region, value: Any, chunks: Chunks
) -> tuple[Any, dict[tuple[int, ...], tuple[_core.Region, tuple[Any, ...]]]]:
    """Return the value of a region with a block for each chunk that it touches; its part of the chunk, and the block.

    Those are by the chunk's number.
    """
    parts = {index: part for index, part, _ in region.chunks(chunks)}
    # Per axis: how many elements each block gets, by the number of the block.
    lengths = [{index[axis]: part.ranges[axis][1] for index, part in parts.items()} for axis in range(len(chunks))]
    value = value.rechunk(tuple(tuple(of.values()) for of in lengths))
    numbers = [{block: number for number, block in enumerate(of)} for of in lengths]
    blocks = {index: tuple(of[k] for of, k in zip(numbers, index, strict=True)) for index in parts}
    return value, {index: (part, (value.name, *blocks[index])) for index, part in parts.items()}


def _block_updated(block: Any, value: Any, begin: tuple[int, ...], steps: tuple[int, ...]) -> Any:
    if all(step == 1 for step in steps):
        return _core.dynamic_update_slice(block, value, begin)
    end = [start + (count - 1) * step + 1 for start, count, step in zip(begin, value.shape, steps, strict=True)]
    return _core.tensor_strided_slice_update(block, begin, end, steps, value)


# ---- masked blocks ---------------------------------------------------------------------------------------------------

# dask's own functions call NumPy's on each block, and some of these drop the mask.


def as_array(x: Any, dtype: Any, *, masked: bool) -> Any:
    """Return an array of dask, with masked blocks or without, of one of NumPy's or a scalar."""
    x = (np.ma if masked else np).asarray(x, dtype=dtype)
    chunks = -1 if x.dtype.kind in "OT" else "auto"  # dask does not know the size of objects
    if masked and x.ndim == 0:  # of which dask forgets that they are masked, unless they are items of masks
        return da.from_array(np.ma.array(x.data, mask=np.ma.getmaskarray(x)).reshape(1), chunks=chunks)[0]
    return da.from_array(x, chunks=chunks)


def repeated(x: Any, shape: tuple[int, ...]) -> Any:
    """Return an array that is broadcast to a shape: each new axis, and each longer one, is one chunk."""
    if x.shape == shape:
        return x
    new = len(shape) - x.ndim
    old = zip(x.chunks, x.shape, shape[new:], strict=True)
    return _repeated(x, (*((dim,) for dim in shape[:new]), *(of if dim == to else (to,) for of, dim, to in old)))


def filled(fill: Any, shape: tuple[int, ...], chunks: Chunks | None) -> Any:
    """Return an array with a scalar everywhere, in these chunks or in some of at most dask's own size."""
    if chunks is None:
        limits = _limits([1] * len(shape), shape, fill.dtype.itemsize)
        chunks = tuple(tuple(_cut(dim, limit)) or (0,) for dim, limit in zip(shape, limits, strict=True))
    return moved(_repeated(fill, chunks))


def _repeated(x: Any, chunks: Chunks) -> Any:
    new = len(chunks) - x.ndim
    name = f"broadcast_to-{tokenize(x, chunks)}"
    graph: dict[Any, Any] = {
        (name, *block): (partial(masks.block_repeated, shape=of_block), (x.name, *block[new:]))
        for block, of_block in zip(product(*(range(len(of)) for of in chunks)), product(*chunks), strict=True)
    }
    return Array(HighLevelGraph.from_collections(name, graph, dependencies=[x]), name, chunks, meta=x._meta)


def where(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Return element by element one of two arrays of one dtype."""
    return elemwise(masks.block_where, pred, on_true, on_false, dtype=on_true.dtype)


# ---- padding ---------------------------------------------------------------------------------------------------------


def spread(x: Any, fill: Any, region: _core.Region, chunks: Chunks | None) -> Any:
    """Return an array with the shape that a region is of: with `x` at the region, and the scalar `fill` elsewhere.

    It has these chunks. Without any, each block of `x` becomes one, together with the padding next to it. Padding
    before and behind all blocks joins them if it is no longer than the longest of those blocks. It is cut into blocks
    of at most dask's own size otherwise.
    """
    forward, x = _by_axes(region, x)
    if chunks is None:
        chunks = _padded_chunks(forward, x)
    x, touched = _touched(forward, x, chunks)
    name = f"pad-{tokenize(x, fill, forward.ranges, chunks)}"
    graph: dict[Any, Any] = {}
    for block, shape in zip(product(*(range(len(of)) for of in chunks)), product(*chunks), strict=True):
        part, ours = touched.get(block, (None, None))
        if part is None:
            graph[(name, *block)] = (partial(_block_filled, shape=shape), (fill.name,))
        elif tuple(count for _, count, _ in part.ranges) == shape:
            graph[(name, *block)] = ours
        else:
            padding = tuple(_padding(of, dim) for of, dim in zip(part.ranges, shape, strict=True))
            graph[(name, *block)] = (partial(_block_padded, padding=padding), ours, (fill.name,))
    return _made(name, graph, chunks, x, fill)


def _padding(of: tuple[int, int, int], dim: int) -> tuple[int, int, int]:
    """Return how many elements stand before, behind and between those of a range."""
    start, count, step = of
    return start, dim - (start + (count - 1) * step + 1), step - 1


def _padded_chunks(region: _core.Region, x: Any) -> Chunks:
    longest = [max(of) * step for of, (_, _, step) in zip(x.chunks, region.ranges, strict=True)]
    limits = _limits(longest, region.in_shape, x.dtype.itemsize)
    axes = zip(region.ranges, region.in_shape, x.chunks, longest, limits, strict=True)
    return tuple(tuple(_padded_lengths(*axis)) for axis in axes)


def _padded_lengths(
    of: tuple[int, int, int], dim: int, chunks: Sequence[int], longest: int, limit: int
) -> Iterator[int]:
    """Give the lengths of an axis's chunks with the padding next to each, and those of padding alone."""
    start, count, step = of
    behind = dim - (start + (count - 1) * step + 1)
    before_first, behind_last = (gap if gap <= longest else 0 for gap in (start, behind))
    yield from _cut(start - before_first, limit)
    for number, length in enumerate(chunks):
        low = before_first if number == 0 else 0
        high = behind_last if number == len(chunks) - 1 else step - 1
        yield low + (length - 1) * step + 1 + high
    yield from _cut(behind - behind_last, limit)


def _limits(least: Sequence[int], shape: Sequence[int], itemsize: int) -> list[int]:
    """Return how long blocks of one scalar may be: so long, or longer where they stay within dask's own size."""
    limits, nbytes = list(least), parse_bytes(config.get("array.chunk-size"))
    while True:
        axis = min((k for k, dim in enumerate(shape) if limits[k] < dim), key=limits.__getitem__, default=None)
        if axis is None or 2 * prod(limits) * max(1, itemsize) > nbytes:
            return limits
        limits[axis] = min(2 * limits[axis], shape[axis])


def _cut(length: int, limit: int) -> Iterator[int]:
    """Give the lengths of pieces of at most so many elements."""
    return (min(limit, length - begin) for begin in range(0, length, limit))


def _block_padded(block: Any, fill: Any, padding: tuple[tuple[int, int, int], ...]) -> Any:
    return _core.xla_pad(block, fill, padding)


def _block_filled(fill: Any, shape: tuple[int, ...]) -> Any:
    return _core.xla_broadcast(fill, shape)


def _made(name: str, graph: dict[Any, Any], chunks: Chunks, x: Any, other: Any) -> Any:
    whole = HighLevelGraph.from_collections(name, graph, dependencies=[x, other])
    return moved(Array(whole, name, chunks, meta=x._meta))
