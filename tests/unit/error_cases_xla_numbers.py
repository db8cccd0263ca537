"""Broken calls for the rules of `ssop.xla`'s operations on numbers."""

import numpy as np

from ssop import xla
from unit.error_case import Case

X = np.ones((3, 4))
ONES = np.ones(4)
STATE = np.zeros(2, np.uint64)
TRAINING, GRAD = "batch-norm-training", "batch-norm-grad"


CONVERSION = [
    Case("cvt_c1", "xla.convert_element_type", (xla.convert_element_type, X, "U3"),
         "new_element_type is <U3, which XLA has no element type for", value=np.dtype("U3")),
    Case("cvt_c1", "xla.bitcast_convert_type", (xla.bitcast_convert_type, X, None),
         "new_element_type is None, of which NumPy makes no dtype"),
    Case("cvt_c1", "xla.iota", (xla.iota, "no such", 3), "dtype is a str, of which NumPy makes no dtype",
         value="no such"),
    Case("cvt_c2", "xla.bitcast_convert_type", (xla.bitcast_convert_type, X, "c8"),
         "the operand has dtype float64, new_element_type is complex64: Conversion between complex and real type "
         "f64[3,4] => C64.", value=np.dtype("c8")),
    Case("cvt_c3", "xla.bitcast_convert_type", (xla.bitcast_convert_type, X, bool),
         "the operand has dtype float64, new_element_type is bool: Cannot bitcast types with undivisible bit-widths: "
         "F64 => PRED.", value=np.dtype(bool)),
    Case("cvt_c4", "xla.bitcast_convert_type", (xla.bitcast_convert_type, X.astype("i2"), "f4"),
         "the operand has shape (3, 4), whose last axis is not of length 2: Last dimension of input shape=4 is not "
         "equal to ratio of bit-widths=2 for bitcast-convert from s16[3,4] to F32", value=(3, 4)),
    Case("cvt_c4", "xla.bitcast_convert_type", (xla.bitcast_convert_type, np.int16(1), "f4"),
         "the operand has shape (), whose last axis is not of length 2: Last dimension of input shape=None is not "
         "equal to ratio of bit-widths=2 for bitcast-convert from s16[] to F32", value=()),
]  # fmt: skip

PRECISION = [
    Case("rp_c1", "xla.reduce_precision", (xla.reduce_precision, np.arange(3), 5, 10),
         "the operand has dtype int64, not one of bfloat16, float16, float32, float64, float8_e3m4, float8_e4m3, "
         "float8_e5m2: Expected element type in shape to be floating point for ReducePrecision operation; got S64.",
         value=np.dtype("i8")),
    Case("rp_c2", "xla.reduce_precision", (xla.reduce_precision, X, 0, 8),
         "exponent_bits, the argument before mantissa_bits, is 0: Expected exponent_bits >= 1; got 0.", value=0),
    Case("rp_c3", "xla.reduce_precision", (xla.reduce_precision, X, 8, -1),
         "mantissa_bits is -1: Expected non-negative mantissa_bits; got -1.", value=-1),
    Case("in_c1", "xla.reduce_precision", (xla.reduce_precision, X, 5.0, 10),
         "exponent_bits is a float, not an integer", value=5.0),
]  # fmt: skip

BATCH_NORM = [
    Case("bn_c1", "xla.batch_norm_training", (xla.batch_norm_training, X, ONES, ONES, 0.0, 2),
         f"feature_index 2 is not in 0..1: Expected feature_index of {TRAINING} to be smaller than the rank of "
         "operand_shape; got feature_index 2, and rank 2.", value=2, allowed=(0, 1)),
    Case("bn_c1", "xla.batch_norm_grad", (xla.batch_norm_grad, X, ONES, ONES, ONES, X, 0.0, -1),
         f"feature_index -1 is not in 0..1: Expected feature_index of {GRAD} to be a non-negative number, got -1.",
         value=-1, allowed=(0, 1)),
    Case("bn_c2", "xla.batch_norm_training", (xla.batch_norm_training, X, ONES, X, 0.0, 1),
         f"offset has shape (3, 4): Offset input of {TRAINING} must have rank 1, but has rank 2.", value=(3, 4)),
    Case("bn_c2", "xla.batch_norm_inference", (xla.batch_norm_inference, X, ONES[:3], ONES, ONES, ONES, 0.0, 1),
         "scale has shape (3,), not (4,): The size of scale factor should be the same as feature count,but the size of "
         "scale factor is 3 and the feature count is 4.", value=(3,)),
    Case("bn_c3", "xla.batch_norm_training", (xla.batch_norm_training, X > 0, X[0] > 0, X[0] > 0, 0.0, 1),
         f"the operand has dtype bool: The operand to {TRAINING} must have a floating point element type, but the "
         "shape is PRED.", value=np.dtype(bool)),
    Case("bn_c4", "xla.batch_norm_grad", (xla.batch_norm_grad, X, ONES, ONES, ONES, X.astype("f4"), 0.0, 1),
         f"grad_output has dtype float32, not float64: The inputs should have the same element type for {GRAD}, but "
         "the element type of grad_output is F32 and the element type of operand is F64. grad_output.astype('float64') "
         "converts it", value=np.dtype("f4")),
    Case("bn_c5", "xla.batch_norm_grad", (xla.batch_norm_grad, X, ONES, ONES, ONES, ONES, 0.0, 1),
         f"grad_output has rank 1, the operand 2: Expected operand_shape of {GRAD} to have the same rank as "
         "output_grad_shape; got rank(oprand_shape) 2, and rank(output_grad_shape) 1.", value=1),
    Case("bn_c5", "xla.batch_norm_grad", (xla.batch_norm_grad, X, ONES, ONES, ONES, X[:2], 0.0, 1),
         "axis 0: grad_output has length 2, the operand 3: The bounds of operand shape should be the same as "
         "output_grad's,but the bound of operand_shape at dimension 0 is 3 and the bound of output_grad_shape is 2.",
         axis=0, value=2),
    Case("bn_c6", "xla.batch_norm_training", (xla.batch_norm_training, X, ONES, ONES, [0.0], 1),
         "epsilon has shape (1,), not (): it is one number", value=(1,)),
]  # fmt: skip

RANDOM = [
    Case("rng_c1", "xla.rng_uniform", (xla.rng_uniform, ONES, 2.0, [3]),
         "a has shape (4,), not (): the parameters of a distribution are scalars", value=(4,)),
    Case("rng_c2", "xla.rng_uniform", (xla.rng_uniform, np.int8(1), np.float32(2), [3]),
         "b has dtype float32, not int8: the parameters of a distribution have one dtype", value=np.dtype("f4")),
    Case("rng_c2", "xla.rng_normal", (xla.rng_normal, np.int8(1), np.int8(2), [3]),
         "mu has dtype int8: the numbers of this distribution are real floating-point numbers", value=np.dtype("i1")),
    Case("rng_c2", "xla.rng_bernoulli", (xla.rng_bernoulli, np.float64(0.5), [3]),
         "mean has dtype float64: the numbers of this distribution are float32", value=np.dtype("f8")),
    Case("rng_c3", "xla.rng_uniform", (xla.rng_uniform, 2, 2, [3]),
         "a is 2, b is 2, not finite numbers with a < b: XLA leaves open what the result is then"),
    Case("rng_c3", "xla.rng_normal", (xla.rng_normal, 0.0, -1.0, [3]),
         "sigma is -1.0, which is no standard deviation: at least 0"),
    Case("rng_c3", "xla.rng_bernoulli", (xla.rng_bernoulli, 1.5, [3]),
         "mean is 1.5, not in 0..1: the probability of a one"),
    Case("rng_c4", "xla.rng_normal", (xla.rng_normal, 0.0, 1.0, [3], {"seed": "x"}),
         "seed is a str, not an int, a numpy.random.Generator or None", value="x"),
    Case("rng_c4", "xla.rng_normal", (xla.rng_normal, 0.0, 1.0, [3], {"seed": -1}),
         "seed is -1, not an int of at least 0", value=-1),
    Case("rng_c5", "xla.rng_bit_generator", (xla.rng_bit_generator, np.zeros(3, np.uint64), [2], "u4", "three_fry"),
         "key has dtype uint64 and shape (3,), not uint64 of shape (2,) or uint32 of shape (4,), with algorithm "
         "'three_fry'", value=(3,)),
    Case("rng_c6", "xla.rng_bit_generator", (xla.rng_bit_generator, STATE, [2], "u4", "mt19937"),
         "algorithm is 'mt19937', not 'default', 'three_fry' or 'philox'", value="mt19937"),
    Case("rng_c7", "xla.rng_bit_generator", (xla.rng_bit_generator, STATE, [2], bool),
         "dtype is bool, not of integers or real numbers of 8, 16, 32 or 64 bits", value=np.dtype(bool)),
    Case("in_c10", "xla.rng_uniform", (xla.rng_uniform, 0, 1, [-3]),
         "axis 0: dim -3 is not in 0..9223372036854775807: Dimension -3 must be >= 0",
         axis=0, value=-3, allowed=(0, 2**63 - 1)),
]  # fmt: skip

IOTA = [
    Case("io_c1", "xla.iota", (xla.iota, bool, 3), "dtype is bool, not of integers, real or complex numbers",
         value=np.dtype(bool)),
    Case("io_c2", "xla.iota", (xla.iota, "f4", -1), "size is -1, not at least 0", value=-1),
    Case("io_c3", "xla.broadcasted_iota", (xla.broadcasted_iota, "f4", [2, 3], 2),
         "dimension 2 is not in 0..1: iota dimension cannot go beyond the output rank or be negative.",
         value=2, allowed=(0, 1)),
]  # fmt: skip

NUMBERS = [*CONVERSION, *PRECISION, *BATCH_NORM, *RANDOM, *IOTA]
