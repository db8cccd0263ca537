"""Indices as text, specs and regions as HTML tables for notebooks.

The tables are plain well-formed XHTML without colours, scripts or style sheets, so they read well in light and dark
themes. What is ignored is dimmed; where a site strips styles, `<s>` strikes it through instead.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Protocol

from ssop._core import Region, SliceError
from ssop._masks import MASKS
from ssop._sequences import plain


class Spec(Protocol):
    """What is read of a `StridedSliceSpec`: its vectors, and its masks by name."""

    @property
    def begin(self) -> tuple[int, ...]: ...
    @property
    def end(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...


def index_text(index: Any) -> str:
    """Return a NumPy index of integers, slices, None and the ellipsis as it is written in source code.

    A step of 1 is left out. Raises TypeError for anything that is not basic indexing.

    >>> index_text((1, slice(2, 4), None, ..., slice(None, -3, -1), slice(0, 5, 1)))
    '[1, 2:4, None, ..., :-3:-1, 0:5]'
    >>> index_text(()), index_text(-1)
    ('[()]', '[-1]')
    """
    items = plain(index) if isinstance(index, tuple) else (index,)
    return f"[{', '.join(map(_item_text, items)) or '()'}]"


def spec_html(spec: Spec) -> str:
    """Return a table with a row per entry of `spec`: what it says, what is ignored of it, and what it is.

    >>> from ssop import StridedSliceSpec
    >>> "[1, ..., ::-1]" in spec_html(StridedSliceSpec.from_index((1, ..., slice(None, None, -1))))
    True
    """
    items = [_item(spec, entry) for entry in range(len(spec.begin))]
    rows = [_spec_row(spec, entry, item) for entry, item in enumerate(items)]
    heads = ("entry", "NumPy", "begin", "end", "stride", "mask bits", "takes")
    return _table(f"StridedSliceSpec {index_text(tuple(items))}", heads, rows)


def region_html(region: Region) -> str:
    """Return a table with a row per input axis of `region` and per new axis, in the order of the result.

    >>> from ssop import StridedSliceSpec
    >>> "(3, 4) \N{RIGHTWARDS ARROW} (4,)" in region_html(StridedSliceSpec.from_index(1).resolve((3, 4)))
    True
    """
    try:
        index = index_text(region.index)
    except SliceError:  # rg_c3: an axis of length 0 that comes from nowhere
        index = "has no NumPy index"
    caption = f"Region {region.in_shape} \N{RIGHTWARDS ARROW} {region.shape}: {index}"
    heads = ("input axis", "dim", "start", "count", "step", "output axis")
    return _table(caption, heads, _region_rows(region))


def _item_text(item: Any) -> str:
    if item is None:
        return "None"
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return _integer_text(item)
    bounds = ["" if bound is None else _integer_text(bound) for bound in (item.start, item.stop)]
    step = "" if item.step is None else _integer_text(item.step)
    return ":".join([*bounds, step] if step not in ("", "1") else bounds)


def _integer_text(value: Any) -> str:
    if isinstance(value, bool):  # in NumPy a mask, not an integer
        raise TypeError(f"{value} is not an integer")
    return str(operator.index(value))


def _bits(spec: Spec, entry: int) -> set[str]:
    return {mask for mask in MASKS if getattr(spec, f"{mask}_mask") >> entry & 1}


def _item(spec: Spec, entry: int) -> Any:
    """Return what stands at `entry` in the NumPy index that takes the same elements."""
    bits = _bits(spec, entry)
    if "ellipsis" in bits:  # ss_s1: the order of these tests is the precedence
        return Ellipsis
    if "new_axis" in bits:
        return None
    if "shrink_axis" in bits:
        return spec.begin[entry]
    begin = None if "begin" in bits else spec.begin[entry]
    end = None if "end" in bits else spec.end[entry]
    return slice(begin, end, spec.strides[entry])


def _spec_row(spec: Spec, entry: int, item: Any) -> list[str]:
    """Return the cells of one entry; a shrunk entry's stride stays readable where it is an error (ss_c6)."""
    bits = _bits(spec, entry)
    if item is Ellipsis:
        takes, wins, unread = "every axis that no other entry needs", {"ellipsis"}, {"begin", "end", "stride"}
    elif item is None:
        takes, wins, unread = "a new axis of length 1", {"new_axis"}, {"begin", "end", "stride"}
    elif isinstance(item, slice):
        takes, wins, unread = "a range of an axis", bits, bits
    else:
        unread = {"end", "stride"} if spec.strides[entry] > 0 else {"end"}
        takes, wins = "one index, and drops its axis", {"shrink_axis"}
    values = {"begin": spec.begin[entry], "end": spec.end[entry], "stride": spec.strides[entry]}
    numbers = [_text(value, name in unread) for name, value in values.items()]
    masks = [_text(mask, mask not in wins) for mask in MASKS if mask in bits]
    return [_text(entry), _code(_item_text(item)), *numbers, ", ".join(masks), _text(takes)]


def _region_rows(region: Region) -> Iterator[list[str]]:
    axis, rank = 0, len(region.in_shape)
    for output, source in [*enumerate(region.out_axes), (-1, rank)]:  # the last one stands for the end of the input
        if source < 0:
            yield [_text("new" if source == -1 else "new, emptied"), "", "", "", "", _text(output)]
            continue
        for dropped in range(axis, source):
            yield [*_axis_cells(region, dropped), _text("dropped")]
        if source < rank:
            yield [*_axis_cells(region, source), _text(output)]
        axis = source + 1


def _axis_cells(region: Region, axis: int) -> list[str]:
    return [_text(number) for number in (axis, region.in_shape[axis], *region.ranges[axis])]


def _text(value: object, dimmed: bool = False) -> str:
    text = escape(str(value))
    return f'<s style="opacity:.5;text-decoration:none">{text}</s>' if dimmed else text


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of `rows` of cells that are HTML already; `caption` and `heads` are text."""

    def row(tag: str, cells: Iterable[str]) -> str:
        style = "text-align:left;padding:.15em .75em .15em 0"
        return "<tr>" + "".join(f'<{tag} style="{style}">{cell}</{tag}>' for cell in cells) + "</tr>"

    body = "\n".join(row("td", cells) for cells in rows)
    table = f"<table>\n<thead>{row('th', map(escape, heads))}</thead>\n<tbody>\n{body}\n</tbody></table>"
    return f"<div>{_code(caption)}\n{table}</div>"
