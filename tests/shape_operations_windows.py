"""XLA's reductions and windows, for `shape_operations.py`."""

from itertools import product

import numpy as np

import ssop
from shape_spaces import CUBES, PARTIAL_SHAPES, SHAPES, Operation, named
from ssop import shapes

WINDOW_NAMES = ("window_dimensions", "window_strides", "padding")
WINDOW_SIZES = [[], [1], [2], [1, 2], [3, 1], [0]]
WINDOW_STEPS = [None, [2], [1, 2], [2, 0]]
PADDINGS = ["VALID", "SAME", "SAME_LOWER"]
PARTIAL_LINES = [(), *((dim,) for dim in (0, 1, 2, 3, (0, 2), (1, 3), (2, 3), (3, 7)))]


def scattered(x, source, window_dimensions, window_strides, padding):
    window = window_dimensions, window_strides, padding
    return ssop.xla.select_and_scatter(x, ssop.xla.ge, *window, source, np.int8(0), ssop.xla.add)


REDUCTIONS = {
    "xla.reduce": Operation(
        shapes.xla.reduce,
        lambda x, dimensions: ssop.xla.reduce(x, 0, ssop.xla.add, dimensions),
        1,
        (CUBES, [list(axes) for count in range(3) for axes in product(range(-1, 3), repeat=count)]),
        named("dimensions"),
        (PARTIAL_SHAPES, [[], [0], [1], [1, 0], [0, 0]]),
    ),
    "xla.reduce_window": Operation(
        shapes.xla.reduce_window,
        lambda x, **window: ssop.xla.reduce_window(x, 0, ssop.xla.add, **window),
        1,
        (CUBES, WINDOW_SIZES, WINDOW_STEPS, [*PADDINGS, [[1, -1]], [[0, 2], [-2, 1]]], WINDOW_STEPS, WINDOW_STEPS),
        named(*WINDOW_NAMES, "base_dilation", "window_dilation"),
        (PARTIAL_LINES, [[1], [2], [3], [1, 2]], [None, [2]], PADDINGS, [None, [2]], [None, [2]]),
    ),
    "xla.select_and_scatter": Operation(
        shapes.xla.select_and_scatter,
        scattered,
        2,
        (SHAPES[:4], SHAPES[:4], WINDOW_SIZES[:3], WINDOW_STEPS[:2], [*PADDINGS, [[1, -1]]]),
        named(*WINDOW_NAMES),
        (PARTIAL_LINES, PARTIAL_LINES, [[1], [2], [3], [1, 2]], [None, [2]], PADDINGS),
    ),
}
