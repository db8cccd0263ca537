"""Broken calls for the rules of `ssop.xla.sort`."""

import numpy as np

from ssop import xla
from unit.error_case import Case

X = np.ones((3, 4))
ONES = np.ones(4)


def less(a, b):
    return a < b


SORTING = [
    Case("srt_c1", "xla.sort", (xla.sort, []), "operand has no arrays: Sort requires at least one operand"),
    Case("srt_c2", "xla.sort", (xla.sort, [X, ONES]),
         "operand[1] has shape (4,), not (3, 4): Sort keys and values dimensions must match. Keys shape is: f64[3,4], "
         "Values shape (operand index 1) is: f64[4].", value=(4,)),
    Case("srt_c3", "xla.sort", (xla.sort, X, 2),
         "dimension 2 is not in -2..1: dimension attribute value must be in range [-2, 2), but found 2",
         value=2, allowed=(-2, 1)),
    Case("srt_c3", "xla.sort", (xla.sort, np.float64(3)),
         "dimension -1 is not in 0..-1: dimension attribute value must be in range [-0, 0), but found -1",
         value=-1, allowed=(0, -1)),
    Case("srt_c4", "xla.sort", (xla.sort, X, 0, True, 2), "num_keys is 2, not in 1..1, the number of operands",
         value=2, allowed=(1, 1)),
    Case("srt_c5", "xla.sort", (xla.sort, X, less),
         "dimension is a function, not an int: sort(operand, dimension, comparator=function) sorts by it", value=less),
    Case("srt_c6", "xla.sort", (xla.sort, [X, X], 0, True, 2, {"comparator": less}),
         "num_keys is 2, and there is a comparator, which says the order alone", value=2),
    Case("srt_c7", "xla.sort", (xla.sort, [X], {"out": X}),
         "out is a ndarray, but a list of operands has a tuple of results", value=X),
    Case("in_c8", "xla.sort", (xla.sort, X, 0, "yes"), "is_stable is a str, not a bool", value="yes"),
]  # fmt: skip
