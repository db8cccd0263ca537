"""A public function with its reference beside it: the same array, or the same refusal."""

from operator import attrgetter

import numpy as np
import pytest

import ssop
from ssop import reference
from ssop.reference import Refused, Tensor


def as_tensor(value):
    """An array, or a list of arrays, in the reference's words; anything else is the same there."""
    if isinstance(value, np.ndarray):
        return Tensor(value.shape, value.ravel().tolist())
    if isinstance(value, list) and any(isinstance(part, np.ndarray) for part in value):
        return [as_tensor(part) for part in value]
    return value


def made(name, *args, **kwargs):
    """What the function `name` of ssop makes, after its namesake of the reference has made the same."""
    result = attrgetter(name)(ssop)(*args, **kwargs)
    expected = attrgetter(name)(reference)(*map(as_tensor, args), **kwargs)
    assert expected == (result.shape, result.ravel().tolist())
    return result


def refused(name, *args, **kwargs):
    """The label under which both refuse the call, for the same axis, entry, value and allowed pair."""
    with pytest.raises(Refused) as own:
        attrgetter(name)(reference)(*map(as_tensor, args), **kwargs)
    with pytest.raises(ssop.SliceError) as public:
        attrgetter(name)(ssop)(*args, **kwargs)
    fields = attrgetter("label", "axis", "entry", "value", "allowed")
    assert fields(public.value) == fields(own.value)
    return public.value.label
