"""Lists and scalars that are given as values: what TensorFlow and JAX reject, ssop rejects; what all take, is the same.

TensorFlow converts Python values to a dtype by itself (tf.constant). JAX's lax takes none but those of the very dtype,
and `jnp.asarray(value, dtype)` converts on demand, so it is JAX's promotion of weak scalars that is compared.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf

import ssop

jax.config.update("jax_enable_x64", True)

DTYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "uint16", "float16", "float32", "float64", "complex64",
          "complex128")  # fmt: skip
VALUES = (True, False, 0, 1, -1, 127, 128, 300, 2**31, 2**63 - 1, 2**63, 2**70, 10**400, 0.0, 1.9, -2.0, 70000.0, 1e39,
          1e300, math.inf, math.nan, 1j, "7", b"7", None, [1, 2.5],
          [1, "a"], [[1, 2], [3]], [None], [True, 2])  # fmt: skip
REJECTIONS = (TypeError, ValueError, OverflowError, tf.errors.InvalidArgumentError)

# What ssop rejects and TensorFlow changes: integers modulo 2**bits, finite floats to infinity.
WRAPS_OR_OVERFLOWS = "val_c2"


def ours(value, dtype):
    shape = () if not isinstance(value, list) else (len(value),)
    dst = np.zeros(shape, dtype)
    ssop.copyto(dst, value)
    return dst


def outcome(function, *arguments):
    try:
        return np.asarray(function(*arguments))
    except ssop.SliceError as error:
        return "val_c1" if error.label == "in_c12" else error.label  # None that is given alone
    except REJECTIONS:
        return "rejected"


def tensorflow(value, dtype):
    return tf.constant(value, dtype).numpy()


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


@pytest.mark.parametrize("dtype", DTYPES)
def test_val_c1_what_tensorflow_rejects_is_rejected(dtype):
    """But for bools among numbers, which TensorFlow takes for some dtypes and not for others."""
    rejected = 0
    for value in VALUES:
        theirs, mine = outcome(tensorflow, value, dtype), outcome(ours, value, dtype)
        if isinstance(theirs, np.ndarray):
            if isinstance(mine, np.ndarray):
                assert same(mine, theirs), value
            else:
                assert mine == WRAPS_OR_OVERFLOWS, value
                assert not np.array_equal(theirs, np.asarray(value)), value
        elif isinstance(mine, np.ndarray):
            has_bool = isinstance(value, bool) or (isinstance(value, list) and isinstance(value[0], bool))
            assert has_bool or (mine.dtype.kind == "c" and value == mine), value
        rejected += isinstance(theirs, str)
    assert rejected >= 7


@pytest.mark.parametrize("dtype", DTYPES)
def test_val_c1_jax_would_promote_what_is_rejected(dtype):
    """A weak scalar that changes the dtype of a JAX array is one that ssop does not convert to that dtype."""
    for value in (True, 1, 1.5, 1j):
        keeps = jnp.result_type(jnp.zeros((), dtype), value) == np.dtype(dtype)
        assert keeps == isinstance(outcome(ours, value, dtype), np.ndarray), value


@pytest.mark.parametrize("dtype", DTYPES)
def test_val_c2_what_jax_finds_too_large_is_rejected(dtype):
    for value in (300, 2**31, 2**63, 2**70, 10**400):
        if isinstance(outcome(lambda v: np.asarray(jnp.asarray(v)), value), str) and np.dtype(dtype).kind == "i":
            assert outcome(ours, value, dtype) == "val_c2", value


def test_jax_rejects_other_strings_and_none():
    for value in ("7", b"7", None, [None]):
        assert outcome(lambda v: np.asarray(jnp.zeros(2) + v), value) == "rejected"
        assert outcome(ours, value, "float64") == "val_c1"


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_updates_reject_what_tensorflow_and_jax_reject(dtype):
    """As operations: TensorFlow's update, JAX's lax.dynamic_update_slice, and ours."""
    x = np.zeros(3, dtype)
    for value in ([1.9], ["7"], [1j]) if dtype == "int32" else (["7"], [1j]):
        with pytest.raises((TypeError, ValueError)):
            tf.raw_ops.TensorStridedSliceUpdate(
                input=x, begin=[0], end=[1], strides=[1], value=tf.constant(value, dtype)
            )
        with pytest.raises(TypeError):
            jax.lax.dynamic_update_slice(jnp.asarray(x), value, [0])
        with pytest.raises(ssop.SliceTypeError, match=r"\[val_c1\]"):
            ssop.tensor_strided_slice_update(x, [0], [1], [1], value)
        with pytest.raises(ssop.SliceTypeError, match=r"\[val_c1\]"):
            ssop.dynamic_update_slice(x, value, [0])
