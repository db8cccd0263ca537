"""Broken calls for the rules of XLA's dots and convolutions."""

import ml_dtypes
import numpy as np

from ssop import xla
from unit.error_case import Case

A = np.zeros((2, 3))
CUBE = np.zeros((2, 3, 4))
IMAGE, KERNEL = np.zeros((2, 4, 6)), np.zeros((8, 4, 3))
NUMBERS = ((1, 0), ((), ()))
INT64_MAX = 2**63 - 1
SIMPLE = (
    "dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or "
    "vector-vector products"
)
FORM = "((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))"
SPECS = "None or three specs, of lhs, rhs and the result, all strings or all sequences of axes"
AXES = (0, 1, 2)


def general(*numbers):
    return xla.dot_general, CUBE, CUBE, numbers


def dilated(lhs, rhs, *args, **kwargs):
    return xla.conv_general_dilated, lhs, rhs, [1], "VALID", *args, kwargs


DOTS = [
    Case("dot_c1", "xla.dot", (xla.dot, A, CUBE), f"rhs has rank 3, not 1 or 2: {SIMPLE}", value=3, allowed=(1, 2)),
    Case("dot_c2", "xla.dot_general", (xla.dot_general, A, A, 7.0),
         f"dimension_numbers is a float, not a pair of {FORM}", value=7.0),
    Case("dot_c2", "xla.dot", (xla.dot, A, A, {"dimension_numbers": ([[1], [0]], [[], [], []])}),
         f"dimension_numbers[1] has 3 entries, not the 2 of {FORM}", value=3),
    Case("in_c5", "xla.dot_general", general((1, [1]), ([], [])),
         "lhs_contracting is an int, not a sequence of integers", value=1),
    Case("dot_c3", "xla.dot_general", general(([1], [-1]), ([], [])),
         "rhs_contracting entry 0 is -1, not in 0..2: A dimension number is out of range in Dot: rhs has rank 3",
         entry=0, value=-1, allowed=(0, 2)),
    Case("dot_c4", "xla.dot_general", general(([1, 0], [1, 2]), ([0], [0])),
         "lhs_contracting and then lhs_batch have axis 0 of lhs as entry 1 and as entry 2: A dimension number is not "
         "unique in Dot", entry=2, value=0),
    Case("dot_c5", "xla.dot_general", general(([1, 0], [1]), ([], [])),
         "rhs_contracting has 1 entries, lhs_contracting 2: Must specify the same number of contracting dimensions for "
         "lhs and rhs.", value=1, allowed=(2, 2)),
    Case("dot_c6", "xla.dot", (xla.dot, A, A),
         "axis 0 of rhs has dim 2, axis 1 of lhs 3: Contracting dimension sizes are not compatible.",
         axis=0, entry=0, value=2, allowed=(3, 3)),
    Case("dot_c7", "xla.dot_general", general(([1], [1]), ([0], [])),
         "rhs_batch has 0 entries, lhs_batch 1: Must the same number of batch dimensions for lhs and rhs.",
         value=0, allowed=(1, 1)),
    Case("dot_c8", "xla.dot_general", general(([1], [1]), ([0], [2])),
         "axis 2 of rhs has dim 4, axis 0 of lhs 2: Batch dimension sizes are not compatible.",
         axis=2, entry=0, value=4, allowed=(2, 2)),
    Case("dot_c9", "xla.dot", (xla.dot, np.zeros(2, ml_dtypes.float8_e5m2), np.zeros(2, ml_dtypes.float8_e5m2fnuz)),
         "rhs has dtype float8_e5m2fnuz, lhs float8_e5m2, and neither has more range or precision: element types do "
         "not match: f8e5m2[2] and f8e5m2fnuz[2]", value=np.dtype(ml_dtypes.float8_e5m2fnuz)),
    Case("dot_c10", "xla.dot", (xla.dot, A.astype(int), A.T.astype(int), {"preferred_element_type": np.int8}),
         "preferred_element_type is int8, narrower than int64: `preferred_element_type` must not be narrower than the "
         "original type.", value=np.dtype("i1")),
    Case("dot_c11", "xla.dot", (xla.dot, A, A.T, {"precision": "best"}),
         "precision is a str, not None, a pair or one of default, high, highest, fastest, float32, tensorfloat32, "
         "bfloat16, bfloat16_3x", value="best"),
    Case("in_c9", "xla.dot_general", (xla.dot_general, np.zeros((1,) * 40), np.zeros((1,) * 40), (([], []), ([], []))),
         "the result has rank 80, not in 0..64", value=80, allowed=(0, 64)),
]  # fmt: skip

CONVOLUTIONS = [
    Case("cnv_c1", "xla.conv", (xla.conv, IMAGE, A, [1], "SAME"),
         "rhs has rank 2, lhs 3: Convolution arguments must have same number of dimensions. Got: 3 and 2",
         value=2, allowed=(3, 3)),
    Case("cnv_c2", "xla.conv", (xla.conv, A[0], A[0], [], "SAME"),
         "lhs and rhs have rank 1, not 2 or more: Convolution expects argument arrays with >= 3 dimensions.", value=1),
    Case("cnv_c3", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers="NCW"),
         f"dimension_numbers is a str, not {SPECS}", value="NCW"),
    Case("cnv_c3", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=("NCW", AXES, AXES)),
         f"dimension_numbers has strings and others, not {SPECS}", value=3),
    Case("cnv_c4", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=("NCW", "OIW", "NWW")),
         "dimension_numbers entry 2 is 'NWW': it must contain the characters 'N' and 'C' exactly once",
         entry=2, value="NWW"),
    Case("cnv_c4", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=("NCW", "OIH", "NCW")),
         "dimension_numbers entry 1 is 'OIH': the specs must each have the same set of spatial characters, "
         "every one once",
         entry=1, value="OIH"),
    Case("cnv_c5", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=("NCW", "OIHW", "NCW")),
         "dimension_numbers entry 1 has 4 axes, not the 3 of lhs and rhs: Expected 1 elements for "
         "kernel_spatial_dimensions, but got 2.", entry=1, value=4, allowed=(3, 3)),
    Case("cnv_c6", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=(AXES, AXES, (0, 1, 3))),
         "dimension_numbers[2] entry 2 is 3, not in 0..2: Convolution output_spatial_dimensions[0] is out of bounds: 3",
         entry=2, value=3, allowed=(0, 2)),
    Case("cnv_c6", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=(AXES, (-1, 1, 2), AXES)),
         "dimension_numbers[1] entry 0 is -1, not in 0..2: A dimension number is out of range in convolution",
         entry=0, value=-1, allowed=(0, 2)),
    Case("cnv_c7", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, dimension_numbers=(AXES, (0, 2, 2), AXES)),
         "dimension_numbers[1] has axis 2 again as entry 2: Window dimensions of convolution must contain each "
         "dimension exactly once", entry=2, value=2),
    Case("cnv_c8", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, feature_group_count=0),
         "feature_group_count is 0, not 1 or more: feature_group_count must be a positive number, got 0",
         value=0, allowed=(1, INT64_MAX)),
    Case("cnv_c9", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, feature_group_count=2, batch_group_count=4),
         "there are groups of features and of the batch: both batch_group_count 4 and feature_group_count 2 cannot be "
         "greater than 1", value=4),
    Case("cnv_c10", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, batch_group_count=3),
         "axis 0 of rhs has dim 8: Expected output feature dimension size (value 8) to be a multiple of batch group "
         "count 3", axis=0, value=8),
    Case("cnv_c11", "xla.conv", (xla.conv, IMAGE, KERNEL[:, :3], [1], "SAME"),
         "axis 1 of lhs has dim 4: Expected LHS feature dimension (value 4) to be a multiple of feature_group_count "
         "(value 1), and LHS feature dimension / feature_group_count = RHS feature dimension (value 3)",
         axis=1, value=4),
    Case("cnv_c12", "xla.conv_general_dilated", dilated(IMAGE, KERNEL[:7, :2], feature_group_count=2),
         "axis 0 of rhs has dim 7: Expected output feature dimension (value 7) to be divisible by feature_group_count "
         "(value 2)", axis=0, value=7),
    Case("cnv_c13", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, batch_group_count=4),
         "axis 0 of lhs has dim 2: Expected input batch dimension (value 2) to be divisible by batch_group_count "
         "(value 4)", axis=0, value=2),
    Case("cnv_c14", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, window_reversal=[True, False]),
         "window_reversal has 2 entries, not 1: Window has different number of window dimensions than of window "
         "reversal", value=2, allowed=(1, 1)),
    Case("in_c8", "xla.conv_general_dilated", dilated(IMAGE, KERNEL, window_reversal=[1]),
         "window_reversal entry 0 is an int, not a bool", entry=0, value=1),
    Case("cnv_c15", "xla.conv_with_general_padding", (xla.conv_with_general_padding, IMAGE, KERNEL, [1], "SAME", [2]),
         "padding is 'SAME' where lhs_dilation is not 1, not pairs (low, high): String padding is not implemented for "
         "transposed convolution", value="SAME"),
    Case("win_c2", "xla.conv", (xla.conv, IMAGE, KERNEL, [1, 1], "VALID"),
         "window_strides has 2 entries, not 1, one for each dimension of the window: Window has different number of "
         "window dimensions than of window strides", value=2, allowed=(1, 1)),
    Case("win_c5", "xla.conv", (xla.conv, IMAGE, KERNEL[:, :, :0], [1], "VALID"),
         "axis 0: the kernel's spatial dim is 0, not 1 or more: Window {size=0} has a non-positive dimension.",
         axis=0, entry=0, value=0, allowed=(1, INT64_MAX)),
]  # fmt: skip
