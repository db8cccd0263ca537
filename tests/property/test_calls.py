"""What a failure prints is the call again."""

import ml_dtypes
import numpy as np
from hypothesis import given

import ssop
from property.calls import Call, contents, source, with_shape
from ssop.testing import strategies as slicing

NAMES = {"np": np, "ml_dtypes": ml_dtypes, "ssop": ssop}


def arrays_of_any_dtype(shape):
    return slicing.dtypes().flatmap(lambda dtype: slicing.arrays(shape, dtype))


@given(with_shape(slicing.specs, arrays_of_any_dtype))
def test_sources_make_the_values_again(case):
    shape, spec, x = case
    again = eval(source(x), NAMES)
    assert (again.shape, again.dtype, contents(again)) == (x.shape, x.dtype, contents(x))
    assert again.strides == x.strides or not x.nbytes
    for call in (
        Call(spec, (x,), {"out": None}),
        Call(ssop.plan(spec, shape, x.dtype), (x,), {}),
        Call(ssop.slice, (x, [0] * len(shape), shape), {}),
        Call(spec.resolve(shape).split, (), {}),
    ):
        got, expected = eval(repr(call), NAMES), call.function(*call.args, **call.kwargs)
        assert contents(got) == contents(expected) if isinstance(got, np.ndarray) else got == expected
