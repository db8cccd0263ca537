"""Gradients: the vector-Jacobian products of the operations that move data, in terms of these operations.

Each function has the name of an operation of `ssop` or `ssop.xla`; `tf_slice` is that of `ssop.tf.slice`, `numpy_pad`
that of `ssop.pad`. It takes the gradient `dy` of the operation's result, and then the operation's own arguments, with
its shape in the place of each array. It returns the gradient of that array, or a tuple of those of several arrays.
Results are new arrays of the library and dtype of `dy`.

These operations are linear, so the gradient is their transpose and does not depend on the values of the inputs. For
every x and y, the dot product of operation(x) and y equals that of x and vjp(y). The gradient of an element that is
used several times is a sum. NumPy adds elements of 16 bits and fewer, if they are not integers, as float32.

Slices of other dialects resolve to a `Region`, whose gradient `region` gives.

>>> import numpy as np, ssop
>>> ssop.vjp.slice(np.array([1, 2]), [5], [1], [5], [2])
array([0, 1, 0, 2, 0])
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ssop._core import SliceError
from ssop._errors import renamed
from ssop._vjp import numpys as _numpys
from ssop._vjp import rearrange as _rearrange
from ssop._vjp import slices as _slices

__all__ = [
    "broadcast",
    "broadcast_in_dim",
    "collapse",
    "concatenate",
    "dynamic_slice",
    "dynamic_update_slice",
    "numpy_pad",
    "pad",
    "region",
    "reshape",
    "rev",
    "roll",
    "select",
    "slice",
    "strided_slice",
    "tensor_strided_slice_update",
    "tf_slice",
    "transpose",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _named(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The same function, whose errors name it: the operations that it is made of name themselves."""

    @wraps(function)
    def gradient(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return function(*args, **kwargs)
        except SliceError as error:
            raise renamed(error, f"vjp.{function.__name__}") from None

    gradient.__module__ = __name__  # where users and pickles find it
    return gradient


broadcast = _named(_rearrange.broadcast)
broadcast_in_dim = _named(_rearrange.broadcast_in_dim)
collapse = _named(_rearrange.collapse)
concatenate = _named(_rearrange.concatenate)
dynamic_slice = _named(_slices.dynamic_slice)
dynamic_update_slice = _named(_slices.dynamic_update_slice)
numpy_pad = _named(_numpys.numpy_pad)
pad = _named(_rearrange.pad)
region = _named(_slices.region)
reshape = _named(_rearrange.reshape)
rev = _named(_rearrange.rev)
roll = _named(_numpys.roll)
select = _named(_rearrange.select)
slice = _named(_slices.slice)
strided_slice = _named(_slices.strided_slice)
tensor_strided_slice_update = _named(_slices.tensor_strided_slice_update)
tf_slice = _named(_slices.tf_slice)
transpose = _named(_rearrange.transpose)
