"""Operations other than slices: fills, padding, joining, updates, gradients, assignments, selection, reshaping."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ssop.testing.bench.kind import Kind
from ssop.testing.bench.work import BLANK, DTYPES, PAGE, Array, Index, Work, filled, flat_bytes, placed

EVERY = slice(None)


def _target(shape: tuple[int, ...], dtype: str) -> Array:
    return placed(shape, dtype, PAGE // 2)


def _repeated(dtype: str, rows: bool, nbytes: int) -> Work:
    """One item everywhere, or one for each row of 1 KiB."""
    item = np.dtype(dtype)
    shape = (max(1, nbytes // 1024), 1024 // item.itemsize) if rows else (nbytes // item.itemsize,)
    values = filled((shape[0], 1) if rows else (1,), item)
    return Work("copy", np.broadcast_to(values, shape), placed(shape, item, PAGE // 2), (slice(None),) * len(shape))


def _repeated_pixel(nbytes: int) -> Work:
    shape = (nbytes // 3, 3)
    return Work("copy", np.broadcast_to(filled((3,), "u1"), shape), placed(shape, "u1", PAGE // 2), (slice(None),) * 2)


def _framed(op: str, batch: bool, nbytes: int) -> Work:
    """A square with a frame of zeros, f4; as a batch of one or without a batch axis."""
    side = max(3, int((nbytes / 4) ** 0.5))
    out = placed((1, side, side) if batch else (side, side), "f4", PAGE // 2)
    index = (slice(None),) * batch + (slice(1, side - 1, 1),) * 2
    return Work(op, filled(out[index].shape, out.dtype), out, index)


def _updated(op: str, item: int, nbytes: int) -> Work:
    """Every second element; grad counts the bytes of its result, assign those of its values."""
    size = nbytes // item * (2 if op == "assign" else 1)
    out = placed((size,), DTYPES[item], PAGE // 2)
    index = (slice(None, None, 2),)
    return Work(op, filled(out[index].shape, out.dtype), out, index)


def _square(item: int, nbytes: int, columns: int = 0) -> tuple[int, int]:
    """Return rows and columns of a result; columns, if not given, as many as rows."""
    columns = columns or max(8, int((nbytes / item) ** 0.5))
    return max(1, nbytes // (item * columns)), columns


def _broadcast(axis: int, item: int, nbytes: int) -> Work:
    """Values repeated along one of three axes: 16 times along the outer and the middle one, 8 times along the inner."""
    dtype = DTYPES[item]
    rest = nbytes // item
    shape = [(16, rest // 16 // 8, 8), (rest // 16 // 8, 16, 8), (rest // 64, 8, 8)][axis]
    x = filled([1 if i == axis else dim for i, dim in enumerate(shape)], dtype)
    return Work("broadcast", x, _target(shape, dtype), (EVERY,) * 3)


def _padded(item: int, value: float, interior: int, nbytes: int) -> Work:
    """A square with four elements of padding round it, or only with padding between its elements."""
    shape = _square(item, nbytes)
    edge = 0 if interior else 4
    out = _target(shape, DTYPES[item])
    index = tuple(slice(edge, dim - edge, interior + 1) for dim in shape)
    return Work("pad", filled(out[index].shape, out.dtype), out, index, value=value)


def _padded_channels(nbytes: int) -> Work:
    """Images of three channels that get a fourth one."""
    out = _target((nbytes // 4, 4), "u1")
    index = (EVERY, slice(0, 3))
    return Work("pad", filled(out[index].shape, "u1"), out, index, value=255)


def _joined(axis: int, count: int, columns: int, nbytes: int) -> Work:
    """Arrays of f4 side by side: `columns` each along the last axis, or equal parts of the rows."""
    shape = _square(4, nbytes, columns * count if axis else 256)
    rows = shape[0] if axis else max(1, shape[0] // count)
    parts = tuple(filled((rows, columns if axis else 256), "f4", 64 * i) for i in range(count))
    out = _target((rows, columns * count) if axis else (rows * count, 256), "f4")
    return Work("concatenate", parts[0], out, (EVERY,) * 2, axes=(axis,), operands=parts)


def _windowed(op: str, fraction: int, item: int, nbytes: int) -> Work:
    """A window of 1 / `fraction` of each side, in the middle; "update" makes a new copy of the rest."""
    side = int((nbytes / item) ** 0.5) * (fraction if op == "window" else 1)
    out = _target((side, side), DTYPES[item])
    size = max(1, side // fraction)
    index = (slice((side - size) // 2, (side - size) // 2 + size),) * 2
    values = filled((size, size), out.dtype)
    if op == "window":
        return Work(op, values, out, index)
    return Work(op, filled(out.shape, out.dtype), out, index, operands=(values,))


def _grad_window(item: int, index: Callable[[int, int], Index], columns: int, nbytes: int) -> Work:
    rows, columns = _square(item, nbytes, columns)
    out = _target((rows, columns), DTYPES[item])
    chosen = index(rows, columns)
    return Work("grad", filled(out[chosen].shape, out.dtype), out, chosen)


def _assigned(item: int, repeated: int, step: int, nbytes: int) -> Work:
    """A row (0), a column (1) or one item (2) assigned to every `step`-th column of a matrix of 1 KiB rows."""
    columns = 1024 // item
    out = _target((max(1, nbytes // 1024), columns * step), DTYPES[item])
    shape = [(1, columns), (out.shape[0], 1), (1, 1)][repeated]
    return Work("assign", filled(shape, out.dtype), out, (EVERY, slice(None, None, step)))


def _selected(item: int, nbytes: int) -> Work:
    count = nbytes // item
    on_true, on_false = (filled((count,), DTYPES[item], offset) for offset in (0, 128))
    pred = filled((count,), "u1") % 2 == 0
    flat_bytes(on_false)[...] += BLANK  # no element is the same in both
    return Work("select", on_true, _target((count,), DTYPES[item]), (EVERY,), operands=(pred, on_true, on_false))


def _clamped(dtype: str, nbytes: int) -> Work:
    x = filled((nbytes // np.dtype(dtype).itemsize,), dtype)
    low, high = np.sort(x[:256])[[64, 192]]
    return Work("clamp", x, _target(x.shape, dtype), (EVERY,), operands=(np.array(low), np.array(high)))


def _reshaped(item: int, shape: tuple[int, ...], axes: tuple[int, ...], nbytes: int) -> Work:
    """A permuted array, flattened: the axis whose length is 0 gets as many indices as fit."""
    rest = int(np.prod([dim for dim in shape if dim]))
    x = filled([dim or max(1, nbytes // (item * rest)) for dim in shape], DTYPES[item])
    return Work("reshape", x, _target((x.size // 8, 8), x.dtype.str), (), axes=axes)


def _fill_kinds() -> list[Kind]:
    items = [Kind(f"{size} B", partial(_repeated, DTYPES[size], False), quick=size in (1, 4)) for size in DTYPES]
    return [
        *items,
        Kind("3 B", _repeated_pixel, quick=True),
        Kind("4 B rows of 1 KiB", partial(_repeated, "f4", True)),
    ]


def _frame_kinds() -> list[Kind]:
    """Gradients of the inside of a square, and padding round it: as fast in a batch of one as without it."""
    return [
        Kind(f"{op} {name}", partial(_framed, op, batch), quick=op == "grad")
        for op in ("grad", "pad")
        for name, batch in (("of a square", False), ("of a batch of one", True))
    ]


def _broadcast_kinds() -> list[Kind]:
    return [
        Kind(f"{item} B {name} axis", partial(_broadcast, axis, item), quick=item == 4)
        for item in (1, 4, 8)
        for axis, name in enumerate(("outer", "middle", "inner"))
    ]


def _pad_kinds() -> list[Kind]:
    return [
        *(Kind(f"{item} B zeros", partial(_padded, item, 0, 0), quick=item == 4) for item in (1, 4, 8)),
        *(Kind(f"{item} B sevens", partial(_padded, item, 7, 0), quick=item == 4) for item in (1, 4, 8)),
        *(Kind(f"{item} B zeros between", partial(_padded, item, 0, 1), quick=item == 4) for item in (1, 4, 8)),
        Kind("4 B sevens between", partial(_padded, 4, 7, 1)),
        Kind("rgb to rgba", _padded_channels, quick=True),
    ]


def _concatenate_kinds() -> list[Kind]:
    return [
        Kind("first axis, 2 arrays", partial(_joined, 0, 2, 0), quick=True),
        Kind("first axis, 8 arrays", partial(_joined, 0, 8, 0)),
        Kind("last axis, 2 arrays of 1", partial(_joined, 1, 2, 1), quick=True),
        Kind("last axis, 2 arrays of 64", partial(_joined, 1, 2, 64)),
        Kind("last axis, 3 arrays of 5", partial(_joined, 1, 3, 5)),
        Kind("last axis, 8 arrays of 16", partial(_joined, 1, 8, 16)),
    ]


def _update_kinds() -> list[Kind]:
    return [
        Kind("4 B half of each side", partial(_windowed, "update", 2, 4), quick=True),
        Kind("1 B half of each side", partial(_windowed, "update", 2, 1)),
        Kind("4 B small window", partial(_windowed, "update", 32, 4), quick=True),
        Kind("4 B in place, half of each side", partial(_windowed, "window", 2, 4), quick=True, input_per_output=4),
        Kind("4 B in place, small window", partial(_windowed, "window", 16, 4), ("L1", "L2"), input_per_output=256),
    ]


def _grad_window_kinds() -> list[Kind]:
    def middle(rows: int, columns: int) -> Index:
        return tuple(slice(dim // 8, dim - dim // 8, 1) for dim in (rows, columns))

    def first_columns(rows: int, columns: int) -> Index:
        return EVERY, slice(0, columns // 2, 1)

    def some_rows(rows: int, columns: int) -> Index:
        return slice(None, None, 2), EVERY

    return [
        *(Kind(f"{item} B middle", partial(_grad_window, item, middle, 0), quick=item == 4) for item in (1, 4, 8)),
        Kind("4 B 8 of 16 columns", partial(_grad_window, 4, first_columns, 16)),
        Kind("4 B 2 of 4 columns", partial(_grad_window, 4, first_columns, 4)),
        Kind("4 B every second row", partial(_grad_window, 4, some_rows, 0)),
    ]


def _assign_broadcast_kinds() -> list[Kind]:
    names = ("a row", "a column", "one item")
    return [
        Kind(f"{item} B {name}{text}", partial(_assigned, item, i, step), quick=item == 4, input_per_output=step)
        for item in (1, 4, 8)
        for step, text in ((1, ""), (2, " ::2"))
        for i, name in enumerate(names)
    ]


def _select_kinds() -> list[Kind]:
    return [
        *(
            Kind(f"select {item} B", partial(_selected, item), quick=item == 4, input_per_output=3)
            for item in (1, 4, 8)
        ),
        *(Kind(f"clamp {dtype}", partial(_clamped, dtype), quick=dtype == "f4") for dtype in ("u1", "f4", "f8")),
    ]


def _reshape_kinds() -> list[Kind]:
    return [
        Kind("4 B rows and columns exchanged", partial(_reshaped, 4, (0, 512), (1, 0)), ("L2", "L3", "DRAM"), True),
        Kind("1 B rows and columns exchanged", partial(_reshaped, 1, (0, 512), (1, 0)), ("L2", "L3", "DRAM")),
        Kind("4 B heads merged", partial(_reshaped, 4, (8, 0, 32), (1, 0, 2)), quick=True),
        Kind("4 B channels last", partial(_reshaped, 4, (0, 32, 8, 8), (0, 2, 3, 1))),
    ]


def _shifted(item: int, by: tuple[int, ...], step: int, nbytes: int) -> Work:
    """A vector, or a matrix of 1000 columns, moved by so many items of each axis; on the last one every `step`-th."""
    lengths = (nbytes // item,) if len(by) == 1 else (nbytes // (item * 1000), 1000)
    steps = (1,) * (len(by) - 1) + (step,)
    shape = [length * each + abs(move) for length, each, move in zip(lengths, steps, by, strict=True)]
    array = filled(shape, DTYPES[item])
    parts = [
        (slice(max(0, -move), dim - max(0, move), each), slice(max(0, move), dim - max(0, -move), each))
        for move, dim, each in zip(by, shape, steps, strict=True)
    ]
    x, out = (array[tuple(part[side] for part in parts)] for side in range(2))
    return Work("shift", x, out, (EVERY,) * len(by), operands=(x.copy(),))


def _shift_kinds() -> list[Kind]:
    return [
        *(
            Kind(f"{item} B by {move}", partial(_shifted, item, (move,), 1), quick=item == 4 and move == -1)
            for item in (1, 4, 8)
            for move in (-1, 1)
        ),
        *(
            Kind(f"4 B ::2 by {move}", partial(_shifted, 4, (move,), 2), quick=move == -2, input_per_output=2)
            for move in (-2, 2)
        ),
        *(Kind(f"4 B by {move} rows", partial(_shifted, 4, (move, 0), 1)) for move in (-1, 1)),
        Kind("4 B by -1 row and 1 column", partial(_shifted, 4, (-1, 1), 1)),
    ]


OPERATION_KINDS = {
    "fill": _fill_kinds(),
    "broadcast": _broadcast_kinds(),
    "pad": _pad_kinds(),
    "frame": _frame_kinds(),
    "concatenate": _concatenate_kinds(),
    "update": _update_kinds(),
    "grad": [Kind(f"{item} B ::2", partial(_updated, "grad", item), quick=item == 4) for item in (1, 2, 4, 8)],
    "grad-window": _grad_window_kinds(),
    "assign": [
        Kind(f"{item} B ::2", partial(_updated, "assign", item), quick=item == 4, input_per_output=2)
        for item in (1, 2, 4, 8)
    ],
    "assign-broadcast": _assign_broadcast_kinds(),
    "select-clamp": _select_kinds(),
    "reshape": _reshape_kinds(),
    "shift": _shift_kinds(),
}
"""Class -> its kinds."""
