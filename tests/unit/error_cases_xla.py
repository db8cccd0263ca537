"""Broken calls for the rules of `ssop.xla`'s own operations."""

import numpy as np

from ssop import _core, xla
from unit.error_case import Case

INT64 = (-(2**63), 2**63 - 1)
X = np.arange(12).reshape(3, 4)
FLAT = [(0, 0, 0)] * 2
LONG = np.broadcast_to(np.int8(0), (2**62,))
COMPLEX = np.zeros(2, complex)
RECORD = np.zeros(2, [("a", "i4")])
UINT64 = np.uint64(2**63 + 5)
PERMUTATION = "they are not a permutation of the operand dimensions"

IN_DIM = [
    Case("in_c1", "xla.slice_in_dim", (xla.slice_in_dim, X, 0, 1, 1, 0.0),
         "axis is a float, not an integer", value=0.0),
    Case("in_c1", "xla.dynamic_index_in_dim", (xla.dynamic_index_in_dim, X, True),
         "index is a bool, not an integer", value=True),
    Case("in_c2", "xla.dynamic_slice_in_dim", (xla.dynamic_slice_in_dim, X, 2**64, 1),
         "start_index does not fit int64: 18446744073709551616 is not in -9223372036854775808..9223372036854775807: "
         "out of range for an int64", value=2**64, allowed=INT64),
    Case("in_c8", "xla.index_in_dim", (xla.index_in_dim, X, 0, 0, "no"), "keepdims is a str, not a bool", value="no"),
    Case("in_c8", "xla.dynamic_update_slice_in_dim",
         (xla.dynamic_update_slice_in_dim, X, X, 0, 0, {"allow_negative_indices": [True]}),
         "allow_negative_indices is a list, not a bool", value=[True]),
    Case("dim_c1", "xla.slice_in_dim", (xla.slice_in_dim, X, 0, 1, 1, 2), "axis 2 is not in -2..1",
         value=2, allowed=(-2, 1)),
    Case("dim_c1", "xla.index_in_dim", (xla.index_in_dim, 5, 0),
         "axis 0 is not in 0..-1: the operand has no axes", value=0, allowed=(0, -1)),
    Case("dim_c1", "xla.dynamic_update_index_in_dim", (xla.dynamic_update_index_in_dim, X, X[0], 0, -3),
         "axis -3 is not in -2..1", value=-3, allowed=(-2, 1)),
    Case("dim_c2", "xla.index_in_dim", (xla.index_in_dim, X, 4, 1),
         "axis 1: index 4 is not in 0..3: index 4 is out of bounds for axis 1 with size 4",
         axis=1, value=4, allowed=(0, 3)),
    Case("dim_c2", "xla.index_in_dim", (xla.index_in_dim, X, -1),
         "axis 0: index -1 is not in 0..2: index -1 is out of bounds for axis 0 with size 3",
         axis=0, value=-1, allowed=(0, 2)),
    Case("dim_c2", "xla.index_in_dim", (xla.index_in_dim, X, -5, -1, {"allow_negative_indices": True}),
         "axis 1: index -5 is not in -4..3: index -5 is out of bounds for axis 1 with size 4",
         axis=1, value=-5, allowed=(-4, 3)),
    Case("sl_c4", "xla.slice_in_dim", (xla.slice_in_dim, X, -1, 3, 1, 1),
         "axis 1: start -1 is not in 0..4: Negative start index to slice: -1.", axis=1, value=-1, allowed=(0, 4)),
    Case("ds_c4", "xla.dynamic_slice_in_dim", (xla.dynamic_slice_in_dim, X, 0, 5, -1),
         "axis 1: size 5 is not in 0..4: Slice dim size 5 greater than dynamic slice dimension: 4.",
         axis=1, value=5, allowed=(0, 4)),
    Case("ds_c5", "xla.dynamic_index_in_dim", (xla.dynamic_index_in_dim, X, UINT64, 1, {"out_of_bounds": "raise"}),
         "axis 1: start 9223372036854775813 is not in 0..3: the window does not fit",
         axis=1, value=2**63 + 5, allowed=(0, 3)),
    Case("ds_c6", "xla.dynamic_index_in_dim", (xla.dynamic_index_in_dim, X, 0, {"out_of_bounds": None}),
         "out_of_bounds is None, not 'clamp', 'wrap', 'raise' or 'fill'"),
    Case("dus_c2", "xla.dynamic_update_index_in_dim", (xla.dynamic_update_index_in_dim, X, 7, 0, 0),
         "update has rank 0, the operand 2: Dynamic update slice update rank does not match argument rank: 0 vs 2.",
         value=0, allowed=(2, 2)),
    Case("dus_c3", "xla.dynamic_update_index_in_dim", (xla.dynamic_update_index_in_dim, X, [1] * 5, 0, 0),
         "axis 1: update dim 5 is not in 0..4: Update dim size 5 greater than dynamic slice dimension: 4.",
         axis=1, value=5, allowed=(0, 4)),
    Case("dus_c4", "xla.dynamic_update_slice_in_dim",
         (xla.dynamic_update_slice_in_dim, X, X.astype(np.float16), 0, 0),
         "Dynamic update slice update element type does not match argument. "
         "operand.element_type: int64 vs update.element_type: float16. update.astype('int64') converts it",
         value=np.dtype(np.float16)),
    Case("dus_c5", "xla.dynamic_update_slice_in_dim",
         (xla.dynamic_update_slice_in_dim, X, X[:2], -1, 0, {"out_of_bounds": "raise"}),
         "axis 0: start -1 is not in 0..1: the window does not fit", axis=0, value=-1, allowed=(0, 1)),
]  # fmt: skip

PAD = [
    Case("in_c1", "xla.pad", (xla.pad, X, 0, [(0, 0, 0), (0, 0.5, 0)]),
         "padding_config[1] entry 1 is a float, not an integer", entry=1, value=0.5),
    Case("in_c5", "xla.pad", (xla.pad, X, 0, 7), "padding_config is an int, not a sequence of (low, high, interior)",
         value=7),
    Case("in_c5", "xla.pad", (xla.pad, X, 0, [0, 0]), "padding_config[0] is an int, not a sequence of integers",
         value=0),
    Case("pad_c1", "xla.pad", (xla.pad, X, [0], FLAT[:1]),
         "padding_value has shape (1,): Pad operation does not support non-scalar padding values.", value=(1,)),
    Case("pad_c1", "xla.pad", (xla.pad, X, np.zeros((2, 3), "f2"), FLAT),
         "padding_value has shape (2, 3): Pad operation does not support non-scalar padding values.", value=(2, 3)),
    Case("pad_c2", "xla.pad", (xla.pad, X, np.void(b"a"), [(0, 0, -1)]),
         "padding_config has 1 entries for rank 2: The rank of the operand and the padding configuration do not match",
         value=1, allowed=(2, 2)),
    Case("pad_c3", "xla.pad", (xla.pad, X, np.void(b"a"), [(0, 0, -1)] * 2),
         "padding_value has dtype |V1, not int64: The element types of the operands to Pad do not match. "
         "padding_value.astype('int64') converts it", value=np.dtype("V1")),
    Case("pad_c4", "xla.pad", (xla.pad, X, 0, [(-9, 0, 0), (0, 0, -1)]),
         "axis 1: interior padding -1 is not in 0..9223372036854775807: Interior padding cannot be negative: -1",
         axis=1, entry=1, value=-1, allowed=(0, INT64[1])),
    Case("pad_c5", "xla.pad", (xla.pad, X, 0, [(0, 0, 2**63 - 1), (0, -9, 0)]),
         "axis 0: the padded size does not fit int64: Padding computation overflows: dim=3, "
         "interior_padding=9223372036854775807", axis=0, entry=0, value=2**63 - 1),
    Case("pad_c6", "xla.pad", (xla.pad, X, 0, [(0, 0, 0), (-3, -2, 0)]),
         "axis 1: the padded size -1 is not in 0..9223372036854775807: Padding result in negative size for dimension 1",
         axis=1, entry=1, value=-1, allowed=(0, INT64[1])),
    Case("pad_c7", "xla.pad", (xla.pad, X, 0, [(0, 0, 0), (1, 1)]),
         "padding_config entry 1 has 2 numbers, not 3: low, high, interior", entry=1, value=2, allowed=(3, 3)),
]  # fmt: skip

CONCATENATE = [
    Case("in_c1", "xla.concatenate", (xla.concatenate, [X], None), "dimension is None, not an integer"),
    Case("cat_c1", "xla.concatenate", (xla.concatenate, [], 9),
         "no operands: Concatenate expects at least one argument."),
    Case("cat_c1", "xla.concatenate", (_core.xla_concatenate_shape, [], 9),
         "no operands: Concatenate expects at least one argument."),
    Case("cat_c2", "xla.concatenate", (xla.concatenate, [X, X[0]], -1),
         "dimension -1 is not in 0..1: Concatenate dimension out of bounds: -1.", value=-1, allowed=(0, 1)),
    Case("cat_c2", "xla.concatenate", (xla.concatenate, [1, 2], 0),
         "dimension 0 is not in 0..-1, for the operands have no axes: Concatenate dimension out of bounds: 0.",
         value=0, allowed=(0, -1)),
    Case("cat_c3", "xla.concatenate", (xla.concatenate, [X, X[0].astype("f2")], 0),
         "operand entry 1 has 1 axes, not 2: Cannot concatenate arrays with different ranks: 2 vs 1",
         entry=1, value=1, allowed=(2, 2)),
    Case("cat_c4", "xla.concatenate", (xla.concatenate, [X, X, X[1:].astype("f2")], 1),
         "operand entry 2 has dtype float16, not int64: Cannot concatenate arrays with different element types: "
         "int64 vs float16.", entry=2, value=np.dtype("f2")),
    Case("cat_c5", "xla.concatenate", (xla.concatenate, [X, X[:, 1:], X[0]], 0),
         "axis 1 (operand entry 1): dim 3, not 4: Cannot concatenate arrays that differ in dimensions other than the "
         "one being concatenated. Dimension 1 in both shapes must be equal", axis=1, entry=1, value=3, allowed=(4, 4)),
    Case("cat_c6", "xla.concatenate", (xla.concatenate, [LONG, LONG], 0),
         "axis 0 (operand entry 1): with dim 4611686018427387904 the joined size does not fit int64",
         axis=0, entry=1, value=2**62),
    Case("cat_c7", "xla.concatenate", (xla.concatenate, {1, 2}, 0),
         "operands is a set, not a sequence of arrays", value={1, 2}),
    Case("cat_c7", "xla.concatenate", (xla.concatenate, np.array(5), 0),
         "operands is a numpy.ndarray, not a sequence of arrays", value=np.array(5)),
    Case("cat_c8", "xla.concatenate", (xla.concatenate, np.empty((2**40, 0)), 0),
         "operands is a sequence of 1099511627776 items: "
         "at most 65536 are allowed in one that is neither a list nor a tuple",
         value=2**40, allowed=(0, 2**16)),
]  # fmt: skip

REARRANGE = [
    Case("rev_c1", "xla.rev", (xla.rev, X, [7, 0, 7]),
         "dimensions entry 2 is 7 again: a dimension number is duplicated in reverse", entry=2, value=7),
    Case("rev_c2", "xla.rev", (xla.rev, X, [0, -1]),
         "dimensions entry 1: -1 is not in 0..1: One of the reverse dimensions (-1) is out-of-bounds",
         entry=1, value=-1, allowed=(0, 1)),
    Case("bc_c1", "xla.broadcast", (xla.broadcast, X, [2, -1] + [1] * 70),
         "sizes entry 1: -1 is not in 0..9223372036854775807: Broadcast with negative dimension size -1.",
         entry=1, value=-1, allowed=(0, INT64[1])),
    Case("bc_c2", "xla.broadcast", (xla.broadcast, X, [1] * 63),
         "the result would have 65 axes, at most 64 are allowed", value=65, allowed=(0, 64)),
    Case("in_c10", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X, [3, -4], [9]),
         "axis 1: dim -4 is not in 0..9223372036854775807: Dimension -4 must be >= 0",
         axis=1, value=-4, allowed=(0, INT64[1])),
    Case("bid_c1", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X, [3, 4], [9]),
         "Size of broadcast_dimensions has to match operand's rank; operand rank: 2, size of broadcast_dimensions 1.",
         value=1, allowed=(2, 2)),
    Case("bid_c2", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X, [4], [0, 2]),
         "broadcast_dimensions entry 1: 2 is not in 0..0: Broadcast dimension 2 is out of bound",
         entry=1, value=2, allowed=(0, 0)),
    Case("bid_c3", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X, [4], [0, 0]),
         "rank 2 is not in 0..1: InDim style broadcast must be to an equal or higher ranked shape; operand rank: 2; "
         "output rank: 1", value=2, allowed=(0, 1)),
    Case("bid_c4", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X, [5, 3, 7], [1, 0]),
         "axis 1: dim 4 is neither 1 nor 5: Input dimension should be either 1 or equal to the output dimension it is "
         "broadcasting into; the 1th operand dimension is 4, the 0th output dimension is 5.",
         axis=1, entry=1, value=4),
    Case("bid_c5", "xla.broadcast_in_dim", (xla.broadcast_in_dim, X[:1, :1], [3, 4], [1, 1]),
         "broadcast_dimensions entry 1 is 1 again: broadcast_dimensions should not have duplicates", entry=1, value=1),
    Case("in_c9", "xla.reshape", (xla.reshape, 5, [1] * 65), "the shape has 65 axes, at most 64 are allowed",
         value=65, allowed=(0, 64)),
    Case("in_c10", "xla.reshape", (xla.reshape, X, [-1]),
         "axis 0: dim -1 is not in 0..9223372036854775807: Dimension -1 must be >= 0",
         axis=0, value=-1, allowed=(0, INT64[1])),
    Case("rs_c1", "xla.reshape", (xla.reshape, X, [2, 5], [7]),
         "new_sizes, which come before dimensions, hold 10 elements, not 12: Reshape operation has mismatched element "
         "counts: from=12 to=10",
         value=10, allowed=(12, 12)),
    Case("rs_c2", "xla.reshape", (xla.reshape, X, [2**62, 2]), "an element count does not fit int64"),
    Case("tr_c1", "xla.reshape", (xla.reshape, X, [12], [0]), f"1 dimensions for rank 2: {PERMUTATION}",
         value=1, allowed=(2, 2)),
    Case("tr_c1", "xla.transpose", (xla.transpose, X, [9] * 100), f"100 dimensions for rank 2: {PERMUTATION}",
         value=100, allowed=(2, 2)),
    Case("tr_c2", "xla.transpose", (xla.transpose, X, [0, -1]), f"dimension entry 1: -1 is not in 0..1: {PERMUTATION}",
         entry=1, value=-1, allowed=(0, 1)),
    Case("tr_c3", "xla.transpose", (xla.transpose, X, [1, 1]), f"dimension entry 1 is 1 again: {PERMUTATION}",
         entry=1, value=1),
    Case("col_c1", "xla.collapse", (xla.collapse, X, [7, 9]),
         "dimensions entry 1 is 9, not 8: Collapsed dimensions are not in consecutive order.",
         entry=1, value=9, allowed=(8, 8)),
    Case("col_c2", "xla.collapse", (xla.collapse, X, [1, 2]), "dimensions entry 1: 2 is not in 0..1",
         entry=1, value=2, allowed=(0, 1)),
    Case("col_c2", "xla.collapse", (xla.collapse, 5, [0]), "dimensions entry 0: 0 is not in 0..-1",
         entry=0, value=0, allowed=(0, -1)),
    Case("col_c3", "xla.collapse", (_core.xla_collapse_shape, (3, 2**62, 2), [1, 2]),
         "axis 1: the collapsed size does not fit int64", axis=1),
]  # fmt: skip

ELEMENTWISE = [
    Case("sel_c1", "xla.select", (xla.select, 1, X, X[0].astype("f2")),
         "on_false has shape (4,), not (3, 4): Operands to select must be the same shape; got (3, 4) and (4,).",
         value=(4,)),
    Case("sel_c2", "xla.select", (xla.select, 1, X, X.astype("f2")),
         "on_false has dtype float16, not int64: Operands to select must be the same shape; got int64 and float16. "
         "on_false.astype('int64') converts it",
         value=np.dtype("f2")),
    Case("sel_c3", "xla.select", (xla.select, [1], X, X),
         "pred has dtype int64, not bool: Select's pred operand must have PRED element type; got int64.",
         value=np.dtype(int)),
    Case("sel_c4", "xla.select", (xla.select, [True] * 4, X, X),
         "pred has shape (4,), not () or (3, 4): Operands to select and predicate must be the same shape; got (3, 4) "
         "and (3, 4) and (4,).", value=(4,)),
    Case("cl_c1", "xla.clamp", (xla.clamp, np.zeros(7, "f2"), X, 5),
         "min has dtype float16, not int64: Clamp with incompatible element types: float16, int64, int64. "
         "min.astype('int64') converts it",
         value=np.dtype("f2")),
    Case("cl_c1", "xla.clamp", (xla.clamp, 0, X, X.astype(">i8")),
         "max has dtype >i8, not int64: Clamp with incompatible element types: int64, int64, >i8. "
         "max.astype('int64') converts it",
         value=np.dtype(">i8")),
    Case("cl_c2", "xla.clamp", (xla.clamp, [0] * 4, X, 5),
         "min has shape (4,), not () or (3, 4): Clamp with incompatible shapes: (4,), (3, 4), ().", value=(4,)),
    Case("cl_c2", "xla.clamp", (xla.clamp, 0, 5, X),
         "max has shape (3, 4), not () or (): Clamp with incompatible shapes: (), (), (3, 4).", value=(3, 4)),
    Case("cl_c3", "xla.clamp", (xla.clamp, 0, COMPLEX, 1), "elements of dtype complex128 have no order",
         value=COMPLEX.dtype),
    Case("cl_c3", "xla.clamp", (xla.clamp, RECORD[0], RECORD, RECORD[1]),
         "elements of dtype [('a', '<i4')] have no order", value=RECORD.dtype),
]  # fmt: skip

XLA_OPS = IN_DIM + PAD + CONCATENATE + REARRANGE + ELEMENTWISE
