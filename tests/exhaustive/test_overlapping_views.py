"""E7: copying between any two views of one small buffer behaves as if the source had been copied first."""

from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, items, rejection, views_of

LENGTH = 8
VIEWS = list(views_of(LENGTH))
assert len(VIEWS) ** 2 == 136_900

OUT_C5 = ("out_c5", None, None, None, None)


def views_in(buffer):
    return [buffer[start::step][:count] for start, step, count in VIEWS]


def copyto(dst, src):
    ssop.copyto(dst, src)
    return dst


def copyto_in_numpy(dst, src):
    dst[...] = src


def reverse(dst, src):
    assert ssop.strided_slice(src, (-1,), (-LENGTH - 1,), (-1,), out=dst) is dst


def reverse_in_numpy(dst, src):
    dst[...] = src[::-1]


def thin(dst, src):
    """Every other element of `src` into the front of `dst`."""
    front = dst[: (len(src) + 1) // 2]
    assert ssop.strided_slice(src, (0,), (LENGTH,), (2,), out=front) is front


def thin_in_numpy(dst, src):
    dst[: (len(src) + 1) // 2] = src[::2]


@pytest.mark.parametrize("dtype", ["u1", "i4", "f8", "c16", "V3"])
@pytest.mark.parametrize(
    ("operation", "in_numpy"), [(copyto, copyto_in_numpy), (reverse, reverse_in_numpy), (thin, thin_in_numpy)]
)
def test_e7_views_of_equal_length(operation, in_numpy, dtype):
    size = np.dtype(dtype).itemsize
    before = np.arange(LENGTH * size, dtype=np.uint8).view(dtype)
    memory, expected = before.copy(), before.copy()
    compared = 0
    for dst, dst_in_numpy in zip(views_in(memory), views_in(expected), strict=True):
        for src, src_in_numpy in zip(views_in(memory), views_in(before), strict=True):
            if len(dst) != len(src):
                continue
            operation(dst, src)
            in_numpy(dst_in_numpy, src_in_numpy)
            assert memory.tobytes() == expected.tobytes(), (dst.strides, src.strides, len(dst))
            memory[:] = expected[:] = before
            compared += 1
    assert compared == 36_796


def test_e7_out_c2_views_of_unequal_length():
    before = np.arange(LENGTH)
    memory = before.copy()
    views = views_in(memory)
    compared = 0
    for dst in views:
        for src in views:
            if len(dst) == len(src):
                continue
            with pytest.raises(ssop.SliceValueError) as caught:
                ssop.copyto(dst, src)
            assert rejection(caught.value) == ("out_c2", 0, None, src.shape, None)
            compared += 1
    assert memory.tobytes() == before.tobytes()
    assert compared == 100_104


def shares_bytes(shape, strides, itemsize):
    """Tell, by looking at every byte, whether two elements share one."""
    places = np.zeros(shape, int)
    for place, stride in zip(np.indices(shape), strides, strict=True):
        places += place * stride
    return len({int(place) + byte for place in places.flat for byte in range(itemsize)}) < places.size * itemsize


@pytest.mark.parametrize(("longest", "rank"), [(LENGTH, 1), (5, 2), (2, 3), pytest.param(3, 3, marks=pytest.mark.long)])
def test_e7_out_c5_destinations_that_overlap_themselves(longest, rank):
    """An error exactly when two elements share a byte; then nothing is written."""
    before = np.arange(200, dtype=np.uint8)
    memory = before.copy()
    compared = rejected = 0
    for shape in product(range(longest + 1), repeat=rank):
        values = np.arange(np.prod(shape), dtype=np.uint16).reshape(shape)
        for strides in product(range(-7, 8), repeat=rank):
            dst = np.ndarray(shape, np.uint16, memory, 100, strides)
            if shares_bytes(shape, strides, 2):
                assert answer(copyto, dst, values) == OUT_C5, (shape, strides)
                assert answer(ssop.copy, values, out=dst) == OUT_C5, (shape, strides)
                assert memory.tobytes() == before.tobytes()
                rejected += 1
            else:
                assert answer(copyto, dst, values) == items(values), (shape, strides)
                memory[:] = before
            compared += 1
    assert compared == (longest + 1) ** rank * 15**rank
    assert compared // 10 < rejected < compared


ROWS, COLUMNS = 5, 6


def parts_of(length):
    """Start, step and count of every part of an axis that has at least two items."""
    return [
        (start, step, count)
        for start in range(length)
        for step in (-2, -1, 1, 2)
        for count in range(2, length + 1)
        if 0 <= start + (count - 1) * step < length
    ]


@pytest.mark.parametrize("dtype", ["u1", "f4", "V3", pytest.param("c16", marks=pytest.mark.long), "V80"])
def test_e7_shifts_of_two_axes(dtype):
    """All pairs of views of one table that have the same shape and strides, also transposed."""
    before = np.arange(ROWS * COLUMNS * np.dtype(dtype).itemsize).astype("u1").view(dtype).reshape(ROWS, COLUMNS)
    memory, expected = before.copy(), before.copy()
    views = {}
    for first, row_step, rows in parts_of(ROWS):
        for column, column_step, columns in parts_of(COLUMNS):
            index = tuple(
                slice(start, stop if (stop := start + count * step) >= 0 else None, step)
                for start, step, count in ((first, row_step, rows), (column, column_step, columns))
            )
            views.setdefault((row_step, rows, column_step, columns), []).append(index)
    compared = 0
    for same in views.values():
        for to, source in product(same, same):
            for transposed in (False, True):
                dst, src = (memory.T[to[::-1]], memory.T[source[::-1]]) if transposed else (memory[to], memory[source])
                ssop.copyto(dst, src)
                expected[to] = before[source]
                assert memory.tobytes() == expected.tobytes(), (to, source, transposed)
                memory[...] = expected[...] = before
                compared += 1
    assert compared == 2 * sum(len(same) ** 2 for same in views.values()) > 10_000


def test_e7_sources_may_overlap_themselves():
    compared = 0
    for stride in range(-8, 9):
        for count in range(LENGTH + 1):
            src_bytes = np.arange(16 * LENGTH, dtype=np.uint8)
            src = np.ndarray((count,), np.int64, src_bytes, 8 * LENGTH - 8, (stride,))
            dst = np.zeros(count, np.int64)
            ssop.copyto(dst, src)
            assert dst.tobytes() == src.tobytes()
            compared += 1
    assert compared == 17 * (LENGTH + 1)
