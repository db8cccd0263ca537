"""Results of which several parts are written block by block (csrc/copy/parts.c): joined arrays and padding.

All have more than half a MiB, and rows that are shorter than a page.
"""

import numpy as np
import pytest

import ssop
from ssop import xla

SHAPES = [(9000, 17), (3, 4000, 13), (40000, 2, 2), (2, 3, 9000, 3), (70000, 1)]
SHARES = [(1, 1), (5, 0, 3), (16, 16, 16, 16, 16, 16, 16, 16), (64, 64)]
MOST_BYTES = 20 * 2**20
LAYOUTS = ["new", "C", "F", "reversed", "gaps"]


def filled(shape, dtype):
    """Numbers that differ from item to item."""
    return (np.arange(np.prod(shape, dtype=int)) * 2654435761 % 251).astype(dtype).reshape(shape)


def out_of(layout, shape, dtype):
    if layout == "new":
        return None
    if layout == "reversed":
        return np.zeros(shape, dtype)[::-1]
    if layout == "gaps":
        return np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2]
    return np.zeros(shape, dtype, layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shares", SHARES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_joined_along_the_last_axis(shape, shares, layout):
    for dtype in ("u1", "f4", "c16"):
        if np.prod(shape[:-1]) * sum(shares) * np.dtype(dtype).itemsize > MOST_BYTES:
            continue  # of wide shares and items, smaller shapes are joined
        operands = [filled((*shape[:-1], share), dtype) for share in shares]
        operands[0] = np.asfortranarray(operands[0])
        expected = np.concatenate(operands, -1)
        out = out_of(layout, expected.shape, dtype)
        result = xla.concatenate(operands, expected.ndim - 1, out=out)
        assert out is None or result is out
        np.testing.assert_array_equal(result, expected, strict=True)


def test_joined_along_a_middle_axis():
    operands = [filled((5000, share, 3, 5), "i2") for share in (1, 4, 2)]
    np.testing.assert_array_equal(xla.concatenate(operands, 1), np.concatenate(operands, 1), strict=True)


def test_joined_with_several_threads():
    operands = [filled((200_000, share), "f8") for share in (3, 2)]
    before = ssop.get_num_threads()
    try:
        for threads in (1, 2):
            ssop.set_num_threads(threads)
            np.testing.assert_array_equal(xla.concatenate(operands, 1), np.concatenate(operands, 1), strict=True)
    finally:
        ssop.set_num_threads(before)


def test_operands_in_the_memory_of_the_result_are_copied_first():
    out = filled((100_000, 6), "i4")
    left, right = out[:, 3:], out[:, :3]
    expected = np.concatenate([left, right], 1)
    np.testing.assert_array_equal(xla.concatenate([left, right], 1, out=out), expected, strict=True)


def test_padding_of_what_lies_in_the_result():
    out = filled((100_000, 8), "u1")
    x, value = out[:, 2:5], out[3, 3]
    expected = np.full(out.shape, value)
    expected[:, 5:8] = x
    result = xla.pad(x, value, [(0, 0, 0), (5, 0, 0)], out=out)
    np.testing.assert_array_equal(result, expected, strict=True)


def test_references_are_joined():
    operands = [np.full((40_000, share), share, object) for share in (1, 2)]
    np.testing.assert_array_equal(xla.concatenate(operands, 1), np.concatenate(operands, 1), strict=True)


def test_more_operands_than_blocks_have():
    operands = [np.full((2000, 1), k % 128, "i1") for k in range(300)]
    np.testing.assert_array_equal(xla.concatenate(operands, 1), np.concatenate(operands, 1), strict=True)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("shape", "config"),
    [
        ((200_000, 3), [(0, 0, 0), (0, 1, 0)]),
        ((700, 500), [(2, 3, 1), (1, 0, 1)]),
        ((300_001,), [(1, 4, 2)]),
        ((3, 40_000, 3), [(1, 0, 0), (5, 9, 1), (0, 2, 1)]),
        ((90_000, 7), [(-3, 4, 0), (-1, 2, 0)]),
        ((40, 700, 3), [(0, 0, 0), (0, 0, 0), (0, 1, 0)]),
        ((3, 70_000), [(0, 0, 0), (1, 2, 1)]),
    ],
    ids=str,
)
def test_padded(shape, config, layout):
    for dtype in ("u1", "f4"):
        x, value = filled(shape, dtype), np.dtype(dtype).type(7)
        dims = [
            low + high + dim + interior * (dim - 1) for dim, (low, high, interior) in zip(shape, config, strict=True)
        ]
        expected = np.full(dims, value)
        kept = x[tuple(slice(max(0, -low), None) for low, _, _ in config)]
        expected[tuple(slice(max(0, low), None, step + 1) for low, _, step in config)][
            tuple(slice(dim) for dim in kept.shape)
        ] = kept
        out = out_of(layout, expected.shape, dtype)
        np.testing.assert_array_equal(xla.pad(x, value, config, out=out), expected, strict=True)
