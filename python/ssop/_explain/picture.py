"""Pictures of regions as shapes on a plane: cells, lines, arrows, words. A template writes them as SVG.

One axis is a row of cells. Two axes are a grid, three are a grid for each index of the first axis. With more axes, each
axis is a row. A long axis shows its ends and the first and last cells that are taken; dots stand for the others. Cells
that are taken differ from others by fill, border and number, never by colour alone.

`python/ssop/_explore/picture.js` draws the same for the explorer page; tests/browser compares the two.
"""

from __future__ import annotations

import textwrap
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import prod

from ssop._core import Region

CELL_WIDTH, CELL_HEIGHT = 34, 28
"""The size of a cell in pixels: four digits fit."""

WIDTH = 700
"""The width of a picture in pixels: that of the output cells of a notebook."""

LONGEST = 15
"""Cells of an axis that are drawn without a gap."""

LAYERS = 4
"""Indices of the first of three axes that are drawn."""

MARGIN, LINE = 12, 18
"""Round the picture, and the height of a line of words, in pixels."""

HEAD = 40
"""Above the cells of a grid: the arrow and the bounds of its columns, and their indices, in pixels."""

GAP = 22
"""Between two grids, in pixels."""

BETWEEN = 12
"""Between axes, and rows of grids, one below the other, in pixels."""


BOUNDS = "ticks: begin square, end round, thin if masked"


@dataclass(frozen=True)
class Range:
    """start, start + step, ..: `count` indices of an axis."""

    start: int
    count: int
    step: int

    def place(self, index: int) -> int | None:
        """Which element of the range the index is."""
        place, rest = divmod(index - self.start, self.step)
        return place if rest == 0 and 0 <= place < self.count else None

    def last(self) -> int:
        return self.start + (self.count - 1) * self.step


@dataclass(frozen=True)
class Bound:
    """A begin or an end, between two cells or beyond them: at the left edge of cell `edge`."""

    name: str
    edge: int
    masked: bool
    backward: bool


@dataclass(frozen=True)
class PictureAxis:
    """An axis of an input: what is taken of it, in one part or, where a window wraps, in two, and what is asked for."""

    name: str
    dim: int
    parts: tuple[Range, ...]
    bounds: tuple[Bound, ...] = ()
    asked: Range | None = None  # may lie outside the axis

    def count(self) -> int:
        return sum(part.count for part in self.parts)

    def place(self, index: int) -> int | None:
        before = 0
        for part in self.parts:
            place = part.place(index)
            if place is not None:
                return before + place
            before += part.count
        return None

    def cells(self) -> tuple[int, int]:
        """The first index that is drawn, and the end: cells outside the axis are drawn where they are asked for."""
        if self.asked is None or self.asked.count == 0:
            return 0, self.dim
        first = min(0, max(self.asked.start, -3))
        end = max(self.dim, min(self.asked.start + self.asked.count, self.dim + 3))
        return first, end

    def shown(self, most: int = LONGEST) -> list[int]:
        """The indices that are drawn, in order; where two are no neighbours there is a gap."""
        first, end = self.cells()
        if end - first <= most:
            return list(range(first, end))
        ends = [(part, k) for part in self.parts for k in (*range(min(part.count, 3)), part.count - 1)]
        taken = [part.start + k * part.step for part, k in ends if part.count]
        wanted = {first, end - 1}
        for index in [*taken, *(bound.edge for bound in self.bounds), first + 1]:
            if len(wanted) < most and first <= index < end:
                wanted.add(index)
        return sorted(wanted)


@dataclass(frozen=True)
class Cell:
    x: int
    y: int
    text: str
    kind: str  # "taken", "left", "outside", "padding", "new"
    tip: str


@dataclass(frozen=True)
class Line:
    x: int
    y: int
    x2: int
    y2: int
    kind: str  # "arrow", "bound", "masked", "asked"


@dataclass(frozen=True)
class Words:
    x: int
    y: int
    text: str
    kind: str = "note"  # "note", "head", "index"
    anchor: str = "start"


@dataclass
class Drawing:
    """Where everything is, and how large that makes the picture."""

    cells: list[Cell] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    width: int = 0
    height: int = MARGIN

    def grow(self, x: int, y: int) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)


@dataclass(frozen=True)
class Panel:
    """One array with what is taken of it; `left` is the kind of the other cells.

    `prefix` stands before the numbers of the cells that are taken. With `counts_left`, the other cells are numbered
    by their elements in C order, if all cells are in one grid. A new axis of the result stands in `new`: the number of
    axes before it and its number in the result.
    """

    caption: str
    axes: tuple[PictureAxis, ...]
    verb: str = "taken"
    left: str = "left"
    prefix: str = ""
    counts_left: bool = False
    new: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Picture:
    """Panels one below the other, and lines of words under them."""

    title: str
    panels: tuple[Panel, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of_region(
        cls, title: str, axes: tuple[PictureAxis, ...], chips: tuple[str, ...], new: tuple[tuple[int, int], ...] = ()
    ) -> Picture:
        has_bounds = any(axis.bounds for axis in axes)
        return cls(title, (Panel("", axes, new=new),), (*chips, *([BOUNDS] if has_bounds else [])))

    def description(self) -> str:
        """The picture in words, for those who cannot see it."""
        lines = []
        for panel in self.panels:
            taken = prod(axis.count() for axis in panel.axes)
            total = prod(axis.dim for axis in panel.axes)
            caption = f"{panel.caption}: " if panel.caption else ""
            if not any(axis.parts for axis in panel.axes) and panel.axes:
                lines.append(f"{caption}{total} cells")
                continue
            lines.append(f"{caption}{taken} of {total} cells are {panel.verb}")
            lines += [f"{axis.name} of length {axis.dim}: {_in_words(axis)}" for axis in panel.axes]
        return ". ".join([*lines, *self.notes]) + "."

    def identifier(self) -> str:
        """A name that differs between pictures on one page."""
        return f"ssop-{zlib.crc32((self.title + self.description()).encode()):08x}"

    def drawing(self) -> Drawing:
        drawing = Drawing()
        for panel in self.panels:
            if panel.caption:
                drawing.height += LINE // 2 if drawing.cells else 0
                drawing.words.append(Words(MARGIN, drawing.height + 14, panel.caption, "head"))
                drawing.height += LINE + 4
            _draw_panel(drawing, panel)
        for line in (line for note in self.notes for line in _wrapped(note)):
            drawing.height += LINE
            drawing.words.append(Words(MARGIN, drawing.height, line))
            drawing.grow(MARGIN + 8 * len(line), drawing.height)
        drawing.grow(drawing.width + MARGIN, drawing.height + MARGIN)
        return drawing


def _wrapped(note: str) -> list[str]:
    most = WIDTH // 8
    return [note] if len(note) <= most else textwrap.wrap(note, most)


def _in_words(axis: PictureAxis) -> str:
    indices = [index for index in _order(axis)]
    if not indices:
        return "nothing is taken"
    return f"taken at {', '.join(map(str, indices))}" + (", .." if axis.count() > len(indices) else "")


def _order(axis: PictureAxis) -> Iterator[int]:
    left = 12
    for part in axis.parts:
        for k in range(min(part.count, left)):
            yield part.start + k * part.step
        left = max(0, left - part.count)


def axes_of_region(
    region: Region,
    bounds: Mapping[int, tuple[int, int]],
    masked: Mapping[int, tuple[bool, bool]],
    strides: Mapping[int, int],
) -> tuple[PictureAxis, ...]:
    """The axes of a region's input.

    `bounds` are the begin and end of an axis that its resolver used, `masked` says which were masked.
    """
    axes = []
    for axis, (dim, taken) in enumerate(zip(region.in_shape, region.ranges, strict=True)):
        marks: tuple[Bound, ...] = ()
        if axis in bounds:
            backward = strides[axis] < 0  # then the cell at begin is taken and the cell at end is not
            names = zip(("begin", "end"), bounds[axis], masked[axis], strict=True)
            marks = tuple(Bound(name, bound + backward, is_masked, backward) for name, bound, is_masked in names)
        dropped = "" if axis in region.out_axes else ", dropped"
        axes.append(PictureAxis(f"axis {axis}{dropped}", dim, (Range(*taken),), marks))
    return tuple(axes)


def new_axes(region: Region) -> tuple[tuple[int, int], ...]:
    """For each new axis of the result, how many axes of the input stand before it, and its number.

    Axes that are dropped stand as late as they can, as in the index of the region.
    """
    found, before = [], 0
    for output, axis in enumerate(region.out_axes):
        if axis < 0:
            found.append((before, output))
        else:
            before = axis + 1
    return tuple(found)


def whole_axes(shape: Sequence[int]) -> tuple[PictureAxis, ...]:
    """The axes of an array of which everything is taken."""
    return tuple(PictureAxis(f"axis {axis}", dim, (Range(0, dim, 1),)) for axis, dim in enumerate(shape))


def result_chips(region: Region) -> tuple[str, ...]:
    """Lines that tell where the axes of the result come from."""
    parts = []
    for output, axis in enumerate(region.out_axes):
        parts.append(f"{region.shape[output]} ({'new' if axis < 0 else f'axis {axis}'})")
    dropped = [str(axis) for axis in range(len(region.in_shape)) if axis not in region.out_axes]
    product = " \N{MULTIPLICATION SIGN} ".join(parts)
    lines = [f"result: {product or 'a scalar'}"]
    if dropped:
        lines.append(f"dropped: {'axis' if len(dropped) == 1 else 'axes'} {', '.join(dropped)}")
    return tuple(lines)


# ---- layout ---------------------------------------------------------------------------------------------------------


def _draw_panel(drawing: Drawing, panel: Panel) -> None:
    axes = panel.axes
    if len(axes) <= 2:
        _draw_grid(drawing, _Grid(panel, _two(axes), "", 0, 0), MARGIN)
    elif len(axes) == 3:
        _draw_layers(drawing, panel)
    else:
        _draw_bars(drawing, panel)
    if len(axes) <= 3:
        _draw_new_axes(drawing, panel.new)


def _draw_bars(drawing: Drawing, panel: Panel) -> None:
    """Axes one below the other, the new ones between them."""
    row = PictureAxis("", 1, (Range(0, 1, 1),))
    for place in range(len(panel.axes) + 1):
        for output in (output for before, output in panel.new if before == place):
            _draw_new_axis(drawing, output, MARGIN, HEAD + LINE)
            drawing.height += BETWEEN
        for axis in panel.axes[place : place + 1]:
            _draw_grid(drawing, _Grid(panel, (row, axis), "", 0), MARGIN)
            drawing.height += BETWEEN


def _draw_new_axes(drawing: Drawing, new: Sequence[tuple[int, int]]) -> None:
    """Side by side as far as there is room."""
    x, top = MARGIN, drawing.height + (BETWEEN if new else 0)
    for _, output in new:
        width = 7 * len(_name_of_new(output)) + GAP
        if x > MARGIN and x + width > WIDTH:
            x, top = MARGIN, drawing.height
        drawing.height = top
        _draw_new_axis(drawing, output, x, LINE + 4)
        x += width


def _name_of_new(output: int) -> str:
    return f"new axis {output} of the result (1)"


def _draw_new_axis(drawing: Drawing, output: int, x: int, head: int) -> None:
    name, y = _name_of_new(output), drawing.height + head
    drawing.words.append(Words(x, drawing.height + 13, name, "head"))
    drawing.cells.append(Cell(x, y, "new", "new", f"axis {output} of the result, of length 1"))
    drawing.grow(x + 7 * len(name), y + CELL_HEIGHT + 8)


def _two(axes: Sequence[PictureAxis]) -> tuple[PictureAxis, PictureAxis]:
    """Two axes, of which those that are missing have no name and one cell."""
    one = PictureAxis("", 1, (Range(0, 1, 1),))
    padded = [*[one] * (2 - len(axes)), *axes]
    return padded[0], padded[1]


def _draw_layers(drawing: Drawing, panel: Panel) -> None:
    """A grid per index of the first axis, side by side as far as there is room."""
    layers, rows, columns = panel.axes
    x, top, bottom = MARGIN, drawing.height, drawing.height
    for index in layers.shown(LAYERS):
        place = layers.place(index)
        title = f"{layers.name}: index {index}"
        first = None if place is None else place * rows.count() * columns.count()
        grid = _Grid(panel, (rows, columns), title, first, index * rows.dim * columns.dim)
        width = max(_width(grid), 7 * len(title)) + GAP
        if x > MARGIN and x + width > WIDTH:
            x, top = MARGIN, bottom + BETWEEN
        drawing.height = top
        _draw_grid(drawing, grid, x)
        x, bottom = x + width, max(bottom, drawing.height)
    drawing.height = bottom


@dataclass(frozen=True)
class _Grid:
    """Rows and columns; `first` is the number of the first cell that is taken, None where none is.

    `origin` is the number in C order of the first element, None where the cells are no elements.
    """

    panel: Panel
    axes: tuple[PictureAxis, PictureAxis]
    title: str
    first: int | None
    origin: int | None = None


def _positions(axis: PictureAxis, size: int) -> dict[int, int]:
    """Where the cell of each index that is shown is, in pixels from the first; gaps are half a cell wide."""
    shown = axis.shown()
    positions = dict.fromkeys(shown[:1], 0)
    for before, index in pairwise(shown):
        positions[index] = positions[before] + size + (size // 2 if index != before + 1 else 0)
    return positions


def _gaps(positions: Mapping[int, int], size: int) -> list[int]:
    """The middles of the gaps."""
    return [positions[index] - size // 4 for before, index in pairwise(positions) if index != before + 1]


def _width(grid: _Grid) -> int:
    positions = _positions(grid.axes[1], CELL_WIDTH)
    return _side(grid) + max(positions.values(), default=0) + CELL_WIDTH


def _side(grid: _Grid) -> int:
    """The room to the left of the cells: indices, arrow and bounds of the rows."""
    return 74 if grid.axes[0].name else 0


def _draw_grid(drawing: Drawing, grid: _Grid, left: int) -> None:
    rows, columns = grid.axes
    if grid.title:
        drawing.words.append(Words(left, drawing.height + 14, grid.title, "head"))
        drawing.height += LINE
    across, down = _positions(columns, CELL_WIDTH), _positions(rows, CELL_HEIGHT)
    x, y = left + _side(grid), drawing.height + (HEAD + LINE if columns.name else 0)
    _draw_cells(drawing, grid, {i: x + at for i, at in across.items()}, {i: y + at for i, at in down.items()})
    if columns.name:
        drawing.words.append(Words(x, drawing.height + 13, f"{columns.name} ({columns.dim})", "head"))
        middle = x + CELL_WIDTH // 2
        drawing.words += [Words(middle + at, y - 5, str(i), "index", "middle") for i, at in across.items()]
        drawing.words += [
            Words(x + at, y - 5, "\N{HORIZONTAL ELLIPSIS}", "index", "middle") for at in _gaps(across, CELL_WIDTH)
        ]
        drawing.lines += [replace_origin(line, x, y - HEAD + 12) for line in _marks(columns, across, CELL_WIDTH)]
    if rows.name:
        name = f"{rows.name} ({rows.dim})"
        drawing.words.append(Words(left, y + max(down.values(), default=0) + CELL_HEIGHT + 15, name, "head"))
        drawing.words += [Words(x - 6, y + at + CELL_HEIGHT // 2 + 4, str(i), "index", "end") for i, at in down.items()]
        drawing.words += [
            Words(x - 6, y + at + 4, "\N{VERTICAL ELLIPSIS}", "index", "end") for at in _gaps(down, CELL_HEIGHT)
        ]
        drawing.lines += [replace_origin(_turned(line), left + 20, y) for line in _marks(rows, down, CELL_HEIGHT)]
        drawing.grow(left + 7 * len(name), 0)
    bottom = y + max(down.values(), default=0) + CELL_HEIGHT
    right = x + (max(across.values()) + CELL_WIDTH if across else CELL_WIDTH)
    if not across or not down:
        drawing.words.append(Words(x, y + 18, "no cells"))
    drawing.grow(max(right, x + 7 * len(columns.name) + 30), bottom + (LINE + 4 if rows.name else 8))


def _draw_cells(drawing: Drawing, grid: _Grid, across: Mapping[int, int], down: Mapping[int, int]) -> None:
    rows, columns = grid.axes
    for row, y in down.items():
        for column, x in across.items():
            places = rows.place(row), columns.place(column)
            where = ", ".join(str(i) for axis, i in ((rows, row), (columns, column)) if axis.name)
            if not (0 <= row < rows.dim and 0 <= column < columns.dim):
                drawing.cells.append(Cell(x, y, "", "outside", f"[{where}] is outside"))
            elif grid.first is None or places[0] is None or places[1] is None:
                drawing.cells.append(Cell(x, y, _left_text(grid, row, column), grid.panel.left, f"[{where}]"))
            else:
                number = grid.first + places[0] * columns.count() + places[1]
                text = f"{grid.panel.prefix}{number}"
                drawing.cells.append(Cell(x, y, text, "taken", f"[{where}] is {text}"))


def _left_text(grid: _Grid, row: int, column: int) -> str:
    if grid.origin is None or not grid.panel.counts_left:
        return ""
    return str(grid.origin + row * grid.axes[1].dim + column)


def _marks(axis: PictureAxis, positions: Mapping[int, int], size: int) -> Iterator[Line]:
    """The marks of an axis from left to right, at height 0: arrows over what is taken, ticks at the bounds."""
    for part in axis.parts:
        ends = (part.start, part.last())
        if part.count > 0 and all(end in positions for end in ends):
            first, last = (positions[end] + size // 2 for end in ends)
            if part.count > 1:
                yield Line(first, 0, last, 0, "arrow")
    for bound in axis.bounds:
        at = positions[bound.edge] if bound.edge in positions else None
        if at is None and bound.edge - 1 in positions:
            at = positions[bound.edge - 1] + size
        if at is not None:
            yield from _tick(at, bound)
    if axis.asked is not None and axis.asked.count > 0:
        inside = [at for index, at in positions.items() if axis.asked.place(index) is not None]
        if inside:
            yield Line(min(inside), -8, max(inside) + size, -8, "asked")


def _tick(x: int, bound: Bound) -> Iterator[Line]:
    """A square tick opens towards what is taken from it on, a round one closes what is taken before it."""
    kind, inward = "masked" if bound.masked else "bound", -4 if bound.backward else 4
    if bound.name == "begin":
        yield Line(x, -7, x, 7, kind)
        yield from (Line(x, y, x + inward, y, kind) for y in (-7, 7))
    else:
        yield Line(x - inward, -7, x, -3, kind)
        yield Line(x, -3, x, 3, kind)
        yield Line(x, 3, x - inward, 7, kind)


def _turned(line: Line) -> Line:
    """A line of the columns as one of the rows."""
    return replace(line, x=line.y, y=line.x, x2=line.y2, y2=line.x2)


def replace_origin(line: Line, x: int, y: int) -> Line:
    """The line moved by (x, y).

    >>> replace_origin(Line(0, 0, 5, 0, "arrow"), 10, 20)
    Line(x=10, y=20, x2=15, y2=20, kind='arrow')
    """
    return replace(line, x=line.x + x, y=line.y + y, x2=line.x2 + x, y2=line.y2 + y)
