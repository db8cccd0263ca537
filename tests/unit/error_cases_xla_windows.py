"""Broken calls for the rules of `ssop.xla`'s reductions and windows."""

import numpy as np

from ssop import xla
from unit.error_case import Case

INT64_MAX = 2**63 - 1
POSITIVE = (1, INT64_MAX)
X = np.arange(12).reshape(3, 4)
HALF = X[:2]
ACCUMULATOR = "Reduction function's accumulator shape at index {} differs from the init_value shape: s64[] vs {}"
SOURCE = (
    "Source shape does not match the shape of window-reduced operand: source({}), window-reduced operand(s64[1,3])."
)
POOL = (xla.ge, (3, 2), (1, 1), "VALID")


def both(a, b, c, d):
    return a + c, b + d


def reducing(*args, **keywords):
    return (xla.reduce, *args, keywords)


def sliding(*args, **keywords):
    return (xla.reduce_window, X, 0, xla.add, *args, keywords)


REDUCTIONS = [
    Case("red_c1", "xla.reduce", reducing([X, X], [0], both, [0]),
         "operands has 2 arrays, init_values 1, not one each: Must have same total number of operands as init_values: "
         "2 vs. 1", value=1, allowed=(2, 2)),
    Case("red_c1", "xla.reduce_window", (xla.reduce_window, (), (), both, (1, 1)),
         "operand has 0 arrays, init_value 0, not one each: Must have same total number of operands as init_values: "
         "0 vs. 0", value=0, allowed=(0, 0)),
    Case("red_c2", "xla.reduce", reducing([X, HALF], [0, 0], both, [5]),
         "operands entry 1 has shape (2, 4), not (3, 4): All reduced tensors must have the same dimension. Tensor 0 "
         "has shape s64[3,4], Tensor 1 has shape s64[2,4]", entry=1, value=(2, 4)),
    Case("red_c3", "xla.reduce", reducing(X, 0, xla.add, [0, 2]),
         "dimensions entry 1 is 2, not in 0..1: Reducing out-of-bounds dimension 2 in shape s64[3,4].",
         entry=1, value=2, allowed=(0, 1)),
    Case("red_c4", "xla.reduce", reducing(X, X[0], xla.add, [0, 0]),
         f"the init value has shape (4,), not (): {ACCUMULATOR.format(0, 's64[4]')}", value=(4,)),
    Case("red_c4", "xla.reduce_window", (xla.reduce_window, [X, X], [0, X[:1, 0]], both, (0, 0)),
         f"the init value of entry 1 has shape (1,), not (): {ACCUMULATOR.format(1, 's64[1]')}", entry=1, value=(1,)),
    Case("red_c4", "xla.select_and_scatter", (xla.select_and_scatter, X, *POOL, X, X[0], xla.add),
         f"the init value has shape (4,), not (): {ACCUMULATOR.format(0, 's64[4]')}", value=(4,)),
    Case("red_c5", "xla.reduce", reducing(X, np.int8(0), xla.add, [0]),
         f"the init value has dtype int8, not int64: {ACCUMULATOR.format(0, 's8[]')}", value=np.dtype("i1")),
    Case("red_c5", "xla.reduce", reducing([X, X], [0, np.float32(0)], both, [0]),
         f"the init value of entry 1 has dtype float32, not int64: {ACCUMULATOR.format(1, 'f32[]')}",
         entry=1, value=np.dtype("f4")),
    Case("red_c6", "xla.reduce", reducing(X, 0, xla.add, [1, 0, 1]),
         "dimensions entry 2 is 1 once more: Duplicate reduction dimension: 1", entry=2, value=1),
    Case("red_c7", "xla.reduce", reducing([X], [0], xla.add, [0], out=HALF),
         "out is a ndarray, but there are several results", value=HALF),
    Case("cm_c1", "xla.reduce", reducing(X, 0, "add", [0]), "computation is a str, not callable", value="add"),
    Case("cm_c2", "xla.reduce_window", (xla.reduce_window, X, 0, xla.neg, (1, 1)),
         "computation takes 1 arguments, not 2: Reduction function must take 2 parameters, but takes 1 parameter(s).",
         value=1),
    Case("cm_c2", "xla.select_and_scatter",
         (xla.select_and_scatter, X, both, (3, 2), (1, 1), "VALID", X, 0, xla.add),
         "select takes 4 arguments, not 2: Select function must take 2 parameters, but takes 4 parameter(s).",
         value=4),
]  # fmt: skip

WINDOWS = [
    Case("win_c1", "xla.reduce_window", sliding((2,)),
         "window_dimensions has 1 entries, not 2, one an axis: Want input dimensions size 2 = window dimensions size 1",
         value=1, allowed=(2, 2)),
    Case("win_c1", "xla.reduce_window", sliding((2, 2, 2), padding=[(0, 0)] * 3),
         "window_dimensions has 3 entries, not 2, one an axis: Window has dimension 3 but base shape has dimension 2.",
         value=3, allowed=(2, 2)),
    Case("win_c2", "xla.reduce_window", sliding((2, 2), (1,)),
         "window_strides has 1 entries, not 2, one for each dimension of the window: Window has different number of "
         "window dimensions than of window strides", value=1, allowed=(2, 2)),
    Case("win_c2", "xla.reduce_window", sliding((2, 2), padding=[(0, 0)] * 3),
         "padding has 3 entries, not 2, one for each dimension of the window: Window has different number of window "
         "dimensions than of padding entries", value=3, allowed=(2, 2)),
    Case("win_c2", "xla.reduce_window", sliding((2, 2), base_dilation=(1, 1, 1)),
         "base_dilation has 3 entries, not 2, one for each dimension of the window: Window has different number of "
         "window dimensions than of lhs dilation factors", value=3, allowed=(2, 2)),
    Case("win_c3", "xla.select_and_scatter",
         (xla.select_and_scatter, X, xla.ge, (3, 2), (1, 1), [(0, 0), (0,)], X, 0, xla.add),
         "padding entry 1 has 1 numbers, not 2, low and high", entry=1, value=1, allowed=(2, 2)),
    Case("win_c4", "xla.reduce_window", sliding((2, 2), None, "FULL"),
         "padding is 'FULL', not one of VALID, SAME, SAME_LOWER and no pairs (low, high): Unrecognized padding type",
         value="FULL"),
    Case("win_c5", "xla.reduce_window", sliding((2, 0)),
         "axis 1: window_dimensions is 0, not 1 or more: Window {size=2x0} has a non-positive dimension.",
         axis=1, entry=1, value=0, allowed=POSITIVE),
    Case("win_c6", "xla.reduce_window", sliding((2, 2), (1, 0)),
         "axis 1: window_strides is 0, not 1 or more: VALID divides by it",
         axis=1, entry=1, value=0, allowed=POSITIVE),
    Case("win_c6", "xla.reduce_window", sliding((2, 2), (-1, 1), [(0, 1), (0, 0)]),
         "axis 0: window_strides is -1, not 1 or more: Window {size=2x2 stride=-1x1 pad=0_1x0_0} has a non-positive "
         "stride.", axis=0, entry=0, value=-1, allowed=POSITIVE),
    Case("win_c7", "xla.reduce_window", sliding((2, 2), None, (), (1, 0), (1, 0)),
         "axis 1: base_dilation is 0, not 1 or more: Window {size=2x2 lhs_dilate=1x0 rhs_dilate=1x0} has a "
         "non-positive base area dilation factor.", axis=1, entry=1, value=0, allowed=POSITIVE),
    Case("win_c8", "xla.reduce_window", sliding((2, 2), None, (), None, (1, -3)),
         "axis 1: window_dilation is -3, not 1 or more: Window {size=2x2 rhs_dilate=1x-3} has a non-positive window "
         "dilation factor.", axis=1, entry=1, value=-3, allowed=POSITIVE),
    Case("win_c9", "xla.reduce_window", sliding((2, 2), None, [(0, 0), (INT64_MAX, 0)]),
         "axis 1: dim 4 after dilation and padding, or the window over it, does not fit int64",
         axis=1, entry=1, value=4),
    Case("win_c9", "xla.reduce_window", sliding((2, 2**62), None, (), None, (1, 3)),
         "axis 1: dim 4 after dilation and padding, or the window over it, does not fit int64",
         axis=1, entry=1, value=4),
    Case("sas_c1", "xla.select_and_scatter", (xla.select_and_scatter, X, *POOL, HALF, 0, xla.add),
         f"source has shape (2, 4), not (1, 3): {SOURCE.format('s64[2,4]')}", value=(2, 4)),
    Case("sas_c2", "xla.select_and_scatter",
         (xla.select_and_scatter, X, *POOL, np.zeros((1, 3), "i1"), np.int8(0), xla.add),
         f"source has dtype int8, not int64: {SOURCE.format('s8[1,3]')}", value=np.dtype("i1")),
]  # fmt: skip

WINDOW_CASES = REDUCTIONS + WINDOWS
