"""Broken calls for the rules of XLA's element-wise operations."""

import numpy as np

from ssop import xla
from unit.error_case import Case

X = np.zeros((2, 3))
V = np.zeros(3)
MASKED = np.ma.array([1.0])
F32, INT = np.dtype("f4"), np.dtype("i8")

ELEMENT_WISE = [
    Case("et_c1", "xla.add", (xla.add, np.array(["a"]), np.array(["b"])),
         "lhs has dtype <U1, which XLA has no element type for", value=np.dtype("U1")),
    Case("et_c1", "xla.exp", (xla.exp, np.array([0], "M8[s]")),
         "operand has dtype datetime64[s], which XLA has no element type for", value=np.dtype("M8[s]")),
    Case("ew_c1", "xla.ceil", (xla.ceil, np.array([1, 2])),
         "elements of dtype int64 are not real floating-point numbers: Expected element type in shape to be floating "
         "for ceil operation; got S64.", value=INT),
    Case("ew_c1", "xla.sub", (xla.sub, np.array([True]), np.array([True])),
         "dtype bool: Expected element type in shape to be arithmetic type for operation subtract; got PRED.",
         value=np.dtype(bool)),
    Case("ew_c1", "xla.logical_and", (xla.logical_and, X, X),
         "elements of dtype float64 are not bools, signed integers or unsigned integers: Expected pred or integral "
         "type in argument to and/or operation; got F64.", value=X.dtype),
    Case("ew_c1", "xla.lt", (xla.lt, np.zeros(2, complex), np.zeros(2, complex)),
         "elements of dtype complex128 are not bools, signed integers, unsigned integers or real floating-point "
         "numbers",
         value=np.dtype(complex)),
    Case("ew_c2", "xla.add", (xla.add, X, V),
         "the operands have shapes (3,) and (2, 3), and there are no broadcast_dimensions: Shapes must be "
         "equal rank, but are f64[3] and f64[2,3]", value=(3,)),
    Case("ew_c3", "xla.add", (xla.add, X, V, [0, 1]),
         "broadcast_dimensions has 2 entries, not 1: Size of broadcast_dimensions has to match lower-rank operand's "
         "rank;  lower-rank operand's rank is 1, size of broadcast_dimensions is 2.", value=2),
    Case("ew_c4", "xla.add", (xla.add, X, V, [2]),
         "broadcast_dimensions entry 0: 2 is not in 0..1: Broadcast dimension number (2) too large; "
         "higher-rank operand has rank 2.",
         entry=0, value=2, allowed=(0, 1)),
    Case("ew_c4", "xla.max", (xla.max, V, X, [-1]),
         "broadcast_dimensions entry 0: -1 is not in 0..1: Broadcast dimension number (-1) cannot be negative.",
         entry=0, value=-1, allowed=(0, 1)),
    Case("ew_c5", "xla.add", (xla.add, X, V, [0]),
         "broadcast_dimensions entry 0: an axis of length 3 is aligned with axis 0 of length 2, and neither is 1: "
         "Broadcast dimension 0 mismatch: 3 != 2; f64[3] and f64[2,3].",
         axis=0, entry=0, value=3),
    Case("ew_c6", "xla.add", (xla.add, np.zeros((2, 3, 4)), np.zeros((3, 2)), [1, 0]),
         "broadcast_dimensions entry 1: 0 is not greater than the one before it: "
         "Broadcast dimensions order is wrong: 0 comes after 1.", entry=1, value=0),
    Case("ew_c7", "xla.mul", (xla.mul, X, X, [1, 0]),
         "broadcast_dimensions is (1, 0), not (0, 1): Broadcast dimensions field must either be not set or be the "
         "identity on binary operations with operands of the same rank.", value=(1, 0)),
    Case("ew_c8", "xla.add", (xla.add, X, np.zeros((2, 4))),
         "axis 1 of shapes (2, 3) and (2, 4) has lengths 3 and 4, and neither is 1: "
         "Binary op add with incompatible shapes: f64[2,3] and f64[2,4].",
         axis=1, value=(2, 4)),
    Case("ew_c9", "xla.add", (xla.add, V, V.astype("f4")),
         "rhs has dtype float32, not float64; rhs.astype(..) converts it: Binary op add with different element types: "
         "f64[3] and f32[3].", value=F32),
    Case("in_c7", "xla.add", (xla.add, V, MASKED),
         "rhs is a numpy.ma.MaskedArray, not a NumPy array: call that library's own function", value=MASKED),
]  # fmt: skip
