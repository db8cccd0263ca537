"""Gradients: the vector-Jacobian products of the operations that move data, in terms of these operations.

Each function has the name of an operation of `ssop` or `ssop.xla`; `tf_slice` is that of `ssop.tf.slice`. It takes the
gradient `dy` of the operation's result, and then the operation's own arguments, with its shape in the place of each
array. It returns the gradient of that array, or a tuple of those of several arrays. Results are new arrays of the
library and dtype of `dy`.

These operations are linear. So the gradient is their transpose, whatever the values of their inputs are: for every x
and y, the dot product of operation(x) and y is that of x and vjp(y). Gradients of elements that are used several times
are sums. NumPy adds elements of 16 bits and fewer, if they are not integers, as float32.

Slices of other dialects resolve to a `Region`, whose gradient `region` gives.

>>> import numpy as np, ssop
>>> ssop.vjp.slice(np.array([1, 2]), [5], [1], [5], [2])
array([0, 1, 0, 2, 0])
"""

from ssop._vjp.rearrange import (
    broadcast,
    broadcast_in_dim,
    collapse,
    concatenate,
    pad,
    reshape,
    rev,
    select,
    transpose,
)
from ssop._vjp.slices import (
    dynamic_slice,
    dynamic_update_slice,
    region,
    slice,
    strided_slice,
    tensor_strided_slice_update,
    tf_slice,
)

__all__ = [
    "broadcast",
    "broadcast_in_dim",
    "collapse",
    "concatenate",
    "dynamic_slice",
    "dynamic_update_slice",
    "pad",
    "region",
    "reshape",
    "rev",
    "select",
    "slice",
    "strided_slice",
    "tensor_strided_slice_update",
    "tf_slice",
    "transpose",
]

for _name in __all__:
    globals()[_name].__module__ = __name__  # where users and pickles find them
