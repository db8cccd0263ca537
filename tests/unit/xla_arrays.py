"""What the tests of `ssop.xla` share: arrays, exact comparison, the label of an error."""

import numpy as np
import pytest

import ssop

X = np.arange(24).reshape(4, 6)
CUBE = np.arange(60).reshape(3, 4, 5)
VECTOR = np.arange(7)
EMPTY = np.zeros((0, 3), int)
SCALAR = np.array(5)


def assert_same(got, expected):
    assert type(got) is np.ndarray and got.flags.c_contiguous and got.base is None
    assert (got.shape, got.dtype, got.tolist()) == (expected.shape, expected.dtype, expected.tolist())


def label_of(function, *args, **kwargs):
    """The label of the error that the call raises."""
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    return info.value.label
