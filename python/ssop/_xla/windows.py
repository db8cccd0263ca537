"""Windows over an array: padding, dilations, strides, and which elements each window has (win_*).

Shared by reduce_window, select_and_scatter and the convolutions, and by the shape functions of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any, Final, NamedTuple

from ssop import _core, _vectors
from ssop._errors import INT64, value_error

PADDINGS: Final = ("VALID", "SAME", "SAME_LOWER")


class Names(NamedTuple):
    """What an operation calls the arguments that say where its windows are."""

    sizes: str = "window_dimensions"
    strides: str = "window_strides"
    padding: str = "padding"
    base_dilation: str = "base_dilation"
    window_dilation: str = "window_dilation"


NAMES: Final = Names()


NOWHERE: Final = slice(0, 0)
"""The windows that have an element at a place where none has one."""


class WindowAxis(NamedTuple):
    """The windows over one axis.

    Place k of window number n is element `n * stride + k * window_dilation` of the axis after it was spread
    (base_dilation - 1 holes between neighbours) and padded (a negative pad removes elements).
    """

    size: int
    stride: int = 1
    low: int = 0
    high: int = 0
    base_dilation: int = 1
    window_dilation: int = 1

    @property
    def extent(self) -> int:
        """How many elements there are from the first place of a window to its last."""
        return dilated(self.size, self.window_dilation)

    def padded(self, dim: int) -> int:
        """How long an axis of this dim is after it was spread and padded; negative if more is cropped than there is."""
        return self.low + dilated(dim, self.base_dilation) + self.high

    def count(self, dim: int) -> int:
        """How many windows there are over an axis of this dim.

        >>> WindowAxis(3, stride=2, low=1, high=1).count(6)
        3
        """
        return max((self.padded(dim) - self.extent) // self.stride + 1, 0)  # win_s1, win_s4

    def meet(self, dim: int, place: int) -> tuple[slice, slice]:
        """Return the windows that have an element of the axis at this place, and these elements, as slices.

        The other windows have a hole or padding there.

        >>> WindowAxis(3, stride=2, low=1, high=1).meet(6, 0)
        (slice(1, 3, 1), slice(1, 4, 2))
        """
        ahead = self.low - place * self.window_dilation  # element i is there in window n if n * stride = i * holes + it
        common = gcd(self.stride, self.base_dilation)
        if ahead % common:
            return NOWHERE, NOWHERE
        stride, step = self.stride // common, self.base_dilation // common  # of the elements, and of the windows
        first = max(-(-ahead // self.stride), 0)
        first += (ahead // common * pow(stride, -1, step) - first) % step  # win_s3
        last = min((ahead + (dim - 1) * self.base_dilation) // self.stride, self.count(dim) - 1)
        if dim == 0 or last < first:
            return NOWHERE, NOWHERE
        count, element = (last - first) // step + 1, (first * self.stride - ahead) // self.base_dilation
        return (
            slice(first, first + (count - 1) * step + 1, step),
            slice(element, element + (count - 1) * stride + 1, stride),
        )

    def places(self, dim: int) -> Sequence[int]:
        """Return the places at which a window may have an element of the axis, in order; at others, none has one.

        They are no more than the pairs of a window and an element, however large the window is.

        >>> WindowAxis(3, low=1).places(6), WindowAxis(1000, 1000, 999, 999).places(2)
        (range(0, 3), [0, 999])
        """
        count, hole = self.count(dim), self.window_dilation
        first = max(-(((count - 1) * self.stride - self.low) // hole), 0)
        behind = min((self.low + (dim - 1) * self.base_dilation) // hole + 1, self.size)
        if behind - first <= count * dim:
            return range(first, behind)
        ahead = [n * self.stride - self.low for n in range(count)]  # of the padding, where element 0 is at place 0
        places = {divmod(i * self.base_dilation - start, hole) for start in ahead for i in range(dim)}
        return sorted(place for place, rest in places if rest == 0 and first <= place < behind)


Window = tuple[WindowAxis, ...]


def dilated(size: int, dilation: int) -> int:
    """The size with `dilation - 1` holes between neighbours.

    >>> dilated(3, 2), dilated(0, 2)
    (5, 0)
    """
    return (size - 1) * dilation + 1 if size else 0


def text(window: Window) -> str:
    """A window as XLA's programs write it; what is 0 or 1 on every axis is left out.

    >>> text((WindowAxis(2, 2), WindowAxis(3, 1, 0, 1)))
    '{size=2x3 stride=2x1 pad=0_0x0_1}'
    """

    def part(name: str, values: Sequence[Any], usual: Any) -> str:
        return "" if all(value == usual for value in values) else f" {name}={'x'.join(map(str, values))}"

    sizes = "x".join(str(axis.size) for axis in window)
    strides = part("stride", [axis.stride for axis in window], 1)
    pads = part("pad", [f"{axis.low}_{axis.high}" for axis in window], "0_0")
    base = part("lhs_dilate", [axis.base_dilation for axis in window], 1)
    return f"{{size={sizes}{strides}{pads}{base}{part('rhs_dilate', [axis.window_dilation for axis in window], 1)}}}"


class WindowArguments(NamedTuple):
    """The arguments of a window, of one length; `kind` says the padding in a word, or is empty."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    kind: str
    pairs: list[tuple[int, int]]
    base_dilation: tuple[int, ...]
    window_dilation: tuple[int, ...]

    def on(self, axis: int) -> WindowArguments:
        """Those of one axis."""
        one = slice(axis, axis + 1)
        return WindowArguments(
            self.sizes[one],
            self.strides[one],
            self.kind,
            self.pairs[one],
            self.base_dilation[one],
            self.window_dilation[one],
        )

    def over(self, shape: Sequence[int]) -> Window:
        """The window over an array of this shape."""
        pairs = self.pairs
        if self.kind:
            extents = map(dilated, self.sizes, self.window_dilation)
            pairs = [pads(self.kind, *each) for each in zip(shape, extents, self.strides, strict=True)]
        rows = zip(self.sizes, self.strides, pairs, self.base_dilation, self.window_dilation, strict=True)
        return tuple([WindowAxis(size, stride, *pair, base, hole) for size, stride, pair, base, hole in rows])


def read_window(
    op: str,
    base_shape: Sequence[int],
    window_dimensions: Any,
    window_strides: Any = None,
    padding: Any = "VALID",
    base_dilation: Any = None,
    window_dilation: Any = None,
    names: Names = NAMES,
) -> Window:
    """Read the arguments of a window over an array of this shape; those that are None or empty are 1 on every axis.

    Lengths are checked here, as XLA's builder does, and values by `window_counts`, as its shape inference does.
    """
    arguments = (window_dimensions, window_strides, padding, base_dilation, window_dilation)
    return read_arguments(op, len(base_shape), *arguments, names).over(base_shape)


def read_arguments(
    op: str,
    rank: int | None,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any,
    window_dilation: Any,
    names: Names = NAMES,
) -> WindowArguments:
    """Read the arguments of a window and check their lengths (win_c1..win_c4). The rank may be unknown."""
    sizes = _core.read_integers(op, names.sizes, window_dimensions)
    strides, base, holes = (
        _core.read_integers(op, name, () if vector is None else vector)
        for name, vector in (
            (names.strides, window_strides),
            (names.base_dilation, base_dilation),
            (names.window_dilation, window_dilation),
        )
    )
    kind = padding_kind(op, names.padding, padding) if isinstance(padding, str) else ""
    pairs = [] if kind else _pairs(op, names.padding, padding)
    if kind and rank is not None and rank != len(sizes):
        raise _wrong_rank(op, names.sizes, len(sizes), rank, named=True)
    for name, vector, words in (
        (names.strides, strides, "window strides"),
        (names.padding, pairs, "padding entries"),
        (names.base_dilation, base, "lhs dilation factors"),
        (names.window_dilation, holes, "rhs dilation factors"),
    ):
        if vector and len(vector) != len(sizes):
            message = (
                f"{name} has {len(vector)} entries, not {len(sizes)}, one for each dimension of the window: "
                f"Window has different number of window dimensions than of {words}"
            )
            raise value_error(op, "win_c2", message, value=len(vector), allowed=(len(sizes),) * 2)
    if kind:
        for number, stride in enumerate(strides):  # by which XLA divides here
            if stride < 1:
                raise positive_error(op, "win_c6", names.strides, number, stride, f"{kind} divides by it")
    ones = (1,) * len(sizes)
    return WindowArguments(sizes, strides or ones, kind, pairs or [(0, 0)] * len(sizes), base or ones, holes or ones)


def padding_kind(op: str, name: str, padding: str) -> str:
    """Return one of PADDINGS, which may be in small letters and, as in XLA's C++, begin with a k (kSame)."""
    kind = padding.rpartition(":")[2].rpartition(".")[2]
    kind = (kind[1:] if kind[:2] in ("kS", "kV") else kind).upper()
    if kind not in PADDINGS:
        message = (
            f"{name} is {padding[:40]!r}, not one of {', '.join(PADDINGS)} and no pairs (low, high): "
            "Unrecognized padding type"
        )
        raise value_error(op, "win_c4", message, value=padding)
    return kind


def pads(kind: str, dim: int, extent: int, stride: int) -> tuple[int, int]:
    """The padding of an axis that is given as a word: SAME leaves a window for every stride-th element (win_s2).

    >>> pads("SAME", 6, 3, 2), pads("SAME_LOWER", 6, 3, 2), pads("VALID", 6, 3, 2)
    ((0, 1), (1, 0), (0, 0))
    """
    if kind == "VALID":
        return 0, 0
    missing = max((-(-dim // stride) - 1) * stride + extent - dim, 0)
    less, more = missing // 2, missing - missing // 2
    return (less, more) if kind == "SAME" else (more, less)


def window_counts(op: str, base_shape: Sequence[int], window: Window, names: Names = NAMES) -> tuple[int, ...]:
    """How many windows there are on each axis, after XLA's checks of the window, in XLA's order."""
    if len(window) != len(base_shape):
        raise _wrong_rank(op, names.sizes, len(window), len(base_shape))
    counts = []
    for number, (dim, axis) in enumerate(zip(base_shape, window, strict=True)):
        why = f"Window {text(window)} has a non-positive"
        if axis.size < 1:
            raise positive_error(op, "win_c5", names.sizes, number, axis.size, f"{why} dimension.")
        if axis.stride < 1:
            raise positive_error(op, "win_c6", names.strides, number, axis.stride, f"{why} stride.")
        if axis.base_dilation < 1:
            why = f"{why} base area dilation factor."
            raise positive_error(op, "win_c7", names.base_dilation, number, axis.base_dilation, why)
        if axis.window_dilation < 1:
            why = f"{why} window dilation factor."
            raise positive_error(op, "win_c8", names.window_dilation, number, axis.window_dilation, why)
        if max(axis.padded(dim), axis.extent) > INT64[1]:
            message = f"axis {number}: dim {dim} after dilation and padding, or the window over it, does not fit int64"
            raise value_error(op, "win_c9", message, axis=number, entry=number, value=dim)
        counts.append(axis.count(dim))
    return tuple(counts)


def _pairs(op: str, name: str, padding: Any) -> list[tuple[int, int]]:
    pairs = []
    for entry, pair in enumerate(_vectors.vectors(op, name, padding)):
        if len(pair) != 2:
            message = f"{name} entry {entry} has {len(pair)} numbers, not 2, low and high"
            raise value_error(op, "win_c3", message, entry=entry, value=len(pair), allowed=(2, 2))
        pairs.append((pair[0], pair[1]))
    return pairs


def positive_error(op: str, label: str, name: str, axis: int, value: int, why: str) -> Exception:
    """The error for a number that is not positive."""
    message = f"axis {axis}: {name} is {value}, not 1 or more: {why}"
    return value_error(op, label, message, axis=axis, entry=axis, value=value, allowed=(1, INT64[1]))


def _wrong_rank(op: str, name: str, given: int, rank: int, named: bool = False) -> Exception:
    phrase = (
        f"Want input dimensions size {rank} = window dimensions size {given}"
        if named
        else f"Window has dimension {given} but base shape has dimension {rank}."
    )
    message = f"{name} has {given} entries, not {rank}, one an axis: {phrase}"
    return value_error(op, "win_c1", message, value=given, allowed=(rank, rank))
