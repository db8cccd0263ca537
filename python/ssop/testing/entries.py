"""Entries of a spec, drawn one by one: where each begins and ends, how it steps, and what kind it is.

`ssop.testing.strategies` has what is public here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from hypothesis import strategies as st

import ssop
from ssop._masks import MASK_NAMES

Draw: TypeAlias = st.DrawFn
Dialect: TypeAlias = Literal["tf", "tflite", "openvino", "onnx"]

INT32 = (-(2**31), 2**31 - 1)
INT64 = (-(2**63), 2**63 - 1)
EXTREMES = (*INT32, INT32[1] + 1, *INT64, INT64[0] + 1, INT64[1] - 1)
MAX_ENTRIES, MAX_RANK = 31, 64

RANGE, SHRINK, NEW, ELLIPSIS = "range", "shrink", "new", "ellipsis"
MASK_OF = {SHRINK: "shrink_axis_mask", NEW: "new_axis_mask", ELLIPSIS: "ellipsis_mask"}
KINDS = (RANGE, RANGE, RANGE, SHRINK, NEW, ELLIPSIS)  # simplest first, ranges as often as all others
LOSING_BITS = {  # of an entry of each kind, which may have them besides its own; simplest first (ss_s1, ov_s1)
    RANGE: ((),),
    SHRINK: ((),),
    NEW: ((), (SHRINK,)),
    ELLIPSIS: ((), (NEW,), (SHRINK,), (NEW, SHRINK)),
}
MOSTLY_NOTHING = st.sampled_from((*(None,) * 12, "strides", "end", "all strides"))
"""What a strategy of mostly legal calls shortens."""


class Entry(NamedTuple):
    """One entry of a spec, before it is encoded into vectors and masks."""

    kind: str
    """One of the words range, shrink, new and ellipsis."""
    begin: int
    """Of the vector begin."""
    end: int
    """Of the vector end."""
    stride: int
    """Of the vector strides."""
    begin_masked: bool
    """Whether its bit of begin_mask is set."""
    end_masked: bool
    """Whether its bit of end_mask is set."""
    losing_bits: tuple[str, ...] = ()
    """Kinds whose bits the entry also has, and which its own kind overrules."""

    @property
    def item(self) -> Any:
        """What stands for this entry in a NumPy index."""
        if self.kind == RANGE:
            begin, end = None if self.begin_masked else self.begin, None if self.end_masked else self.end
            return slice(begin, end, None if self.stride == 1 else self.stride)
        return {SHRINK: self.begin, NEW: None, ELLIPSIS: Ellipsis}[self.kind]


def encode(entries: Sequence[Entry]) -> ssop.StridedSliceSpec:
    """The spec of these entries.

    >>> encode([Entry(NEW, 0, 0, 0, False, False), Entry(RANGE, 1, 3, 1, False, True)])
    StridedSliceSpec([0, 1], [0, 3], [0, 1], end_mask=2, new_axis_mask=1)
    """
    begin, end, stride = [e.begin for e in entries], [e.end for e in entries], [e.stride for e in entries]
    masks = dict.fromkeys(MASK_NAMES, 0)
    for i, entry in enumerate(entries):
        masks["begin_mask"] |= entry.begin_masked << i
        masks["end_mask"] |= entry.end_masked << i
        for kind in (entry.kind, *entry.losing_bits):
            if kind != RANGE:
                masks[MASK_OF[kind]] |= 1 << i
    return ssop.StridedSliceSpec(begin, end, stride, **masks)


def as_index(entries: Sequence[Entry]) -> tuple[Any, ...]:
    """The NumPy index that takes the same as `encode(entries)`.

    >>> as_index([Entry(NEW, 0, 0, 0, False, False), Entry(RANGE, 1, 3, 1, False, True)])
    (None, slice(1, None, None))
    """
    return tuple(entry.item for entry in entries)


@cache
def bounds(dim: int) -> st.SearchStrategy[int]:
    """Integers within two of the axis on either side, and the extremes; 0 is the simplest."""
    near = sorted(range(-dim - 2, dim + 3), key=lambda bound: (abs(bound), bound < 0))
    return st.sampled_from((*near, *near, *EXTREMES))


@cache
def strides(dim: int, *, positive: bool = False, zero: bool = False) -> st.SearchStrategy[int]:
    """Strides up to one past the dim and the extremes, the short ones more often; 1 is the simplest."""
    near = (1, -1, 2, -2, 1, -1, 2, -2, *(sign * step for step in range(3, dim + 2) for sign in (1, -1)))
    every = (*near, *EXTREMES, *([0, 0] if zero else []))
    return st.sampled_from([stride for stride in every if stride > 0 or not positive])


@st.composite
def entries(draw: Draw, shape: Sequence[int], *, legal: bool = True, dialect: Dialect = "tf") -> list[Entry]:
    """Lists of entries for an input of `shape`, for `encode` and `as_index`.

    `specs` says what is legal in which dialect, and what `legal=False` means. `as_index` gives the NumPy index of
    entries that are legal for `dialect="tf"`.

    >>> from hypothesis import find
    >>> find(entries((3, 4)), lambda entries: "shrink" in [entry.kind for entry in entries])
    [Entry(kind='shrink', begin=0, end=0, stride=1, begin_masked=False, end_masked=False, losing_bits=())]
    """
    rank = len(shape)
    spare = 2 if legal and dialect == "tflite" else 0
    drawn = draw(st.lists(_kinds(dialect), max_size=min(rank + 3, MAX_ENTRIES)))
    unbounded = not legal and draw(MOSTLY_NOTHING) is not None
    kinds = fitting(drawn, MAX_ENTRIES if unbounded else rank + spare, MAX_RANK if unbounded else MAX_RANK - rank)
    if legal and dialect == "tflite":
        return [_entry(draw, kind, dim, legal, dialect) for kind, dim in _placed_by_tflite(kinds, shape)]
    dims = dims_of(kinds, shape)
    return [_entry(draw, kind, dim, legal, dialect) for kind, dim in zip(kinds, dims, strict=True)]


@cache
def _kinds(dialect: Dialect) -> st.SearchStrategy[str]:
    return st.sampled_from((RANGE,) if dialect == "onnx" else KINDS)


def fitting(kinds: Sequence[str], rank: int, new_axes: int) -> list[str]:
    """The kinds without those that an input of `rank` has no place for."""
    room = {RANGE: rank, SHRINK: rank, NEW: new_axes, ELLIPSIS: 1}
    fitting = []
    for kind in kinds:
        if room[kind] > 0:
            fitting.append(kind)
            for taken in (RANGE, SHRINK) if kind in (RANGE, SHRINK) else (kind,):
                room[taken] -= 1
    return fitting


def dims_of(kinds: Sequence[str], shape: Sequence[int]) -> list[int]:
    """The dim that each entry stands at; 1 for those that have none."""
    rank = len(shape)
    ellipsis = kinds.index(ELLIPSIS) if ELLIPSIS in kinds else len(kinds)
    addressing = [kind in (RANGE, SHRINK) for kind in kinds]
    dims = []
    for i in range(len(kinds)):
        axis = sum(addressing[:i]) if i < ellipsis else rank - sum(addressing[i:])
        dims.append(shape[axis] if addressing[i] and 0 <= axis < rank else 1)
    return dims


def _placed_by_tflite(kinds: Sequence[str], shape: Sequence[int]) -> list[tuple[str, int]]:
    """Pair the kinds with the dims that TFLite takes them to; leave out new axes after an entry without an axis."""
    placed: list[tuple[str, int]] = []
    axis, rank, spare = 0, len(shape), False
    for i, kind in enumerate(kinds):
        spare = spare or (kind != NEW and axis >= rank)
        if spare and kind == NEW:
            continue
        has_axis = kind in (RANGE, SHRINK) and axis < rank
        placed.append((kind, shape[axis] if has_axis else 1))
        if kind == ELLIPSIS:
            axis = max(axis + 1, rank - sum(later != NEW for later in kinds[i + 1 :]))
        else:
            axis += has_axis
    return placed


def _entry(draw: Draw, kind: str, dim: int, legal: bool, dialect: Dialect) -> Entry:
    if kind == SHRINK and legal and dim == 0:
        kind = RANGE
    begin, end, step, masked = bounds(dim), bounds(dim), strides(dim, zero=not legal), st.booleans()
    if dialect == "onnx":
        masked = st.just(False)
    begin_masked = draw(masked)
    if kind == SHRINK and legal:
        tflite = dialect == "tflite"
        begin = bounds(dim) if tflite and begin_masked else positions(dim, below=tflite)
        step = strides(dim, zero=True) if dialect == "openvino" else strides(dim, positive=True)
    elif kind in (NEW, ELLIPSIS):  # nobody reads them
        step = strides(dim, zero=True)
    losing = draw(st.sampled_from(LOSING_BITS[kind]))
    return Entry(kind, draw(begin), draw(end), draw(step), begin_masked, draw(masked), losing)


@cache
def positions(dim: int, *, below: bool = False) -> st.SearchStrategy[int]:
    """Indices of an axis, and with `below` also integers before all of them."""
    return st.sampled_from([*range(dim), *range(-dim, 0), *((-dim - 1, -dim - 2, INT32[0], INT64[0]) if below else ())])
