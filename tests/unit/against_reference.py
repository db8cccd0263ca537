"""Calls a public function and its reference with the same arguments: both give the same array, or the same error."""

from operator import attrgetter

import numpy as np
import pytest

import ssop
from ssop import reference
from ssop.reference import Rejected, Tensor


def as_tensor(value):
    """The reference's form of an array or of a list of arrays; other arguments are unchanged."""
    if isinstance(value, np.ndarray):
        return Tensor(value.shape, value.ravel().tolist())
    if isinstance(value, list) and any(isinstance(part, np.ndarray) for part in value):
        return [as_tensor(part) for part in value]
    return value


def result_of(name, *args, **kwargs):
    """The result of the function `name` of ssop, which must equal that of the reference."""
    result = attrgetter(name)(ssop)(*args, **kwargs)
    expected = attrgetter(name)(reference)(*map(as_tensor, args), **kwargs)
    assert expected == (result.shape, result.ravel().tolist())
    return result


def error_label(name, *args, **kwargs):
    """The label of the error that both raise, for the same axis, entry, value and allowed pair."""
    with pytest.raises(Rejected) as own:
        attrgetter(name)(reference)(*map(as_tensor, args), **kwargs)
    with pytest.raises(ssop.SliceError) as public:
        attrgetter(name)(ssop)(*args, **kwargs)
    fields = attrgetter("label", "axis", "entry", "value", "allowed")
    assert fields(public.value) == fields(own.value)
    return public.value.label
