"""XLA's dots and convolutions of what the public strategies draw: no rule is broken, and inferred shapes are right."""

import numpy as np
from hypothesis import given, settings

import ssop
from ssop import shapes
from ssop.testing.strategies import convolution_arguments, dot_arguments


@settings(deadline=None)
@given(dot_arguments())
def test_dots(arguments):
    lhs, rhs, numbers = arguments
    result = ssop.xla.dot_general(np.ones(lhs, np.int32), np.ones(rhs, np.int32), numbers)
    assert result.shape == shapes.xla.dot_general(lhs, rhs, numbers).dims
    terms = np.prod([lhs[axis] for axis in numbers[0][0]], dtype=int)
    assert (result == terms).all()


@settings(deadline=None)
@given(convolution_arguments())
def test_convolutions(arguments):
    lhs, rhs, options = arguments
    result = ssop.xla.conv_general_dilated(np.ones(lhs, np.int32), np.ones(rhs, np.int32), **options)
    assert result.shape == shapes.xla.conv_general_dilated(lhs, rhs, **options).dims
    outputs = rhs[options["dimension_numbers"][1].index("O")]
    assert result.size == 0 or 0 <= result.min() <= result.max() <= np.prod(rhs, dtype=int) // outputs
