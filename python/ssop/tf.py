"""TensorFlow's slicing operations under TensorFlow's names and signatures.

Results equal those of eager TensorFlow wherever that defines them. Its limits do not apply: ranks above 8 are an error
there (for the gradient, the result is uninitialised memory), and from rank 33 on its slices are wrong. All functions
take `name` as TensorFlow's do, `strided_slice` also `var`, and ignore them.

Slices of TensorFlow's own tensors are tensors: `x[index]` with the index of the region. The elements of tensors cannot
be assigned to, so updates of them are an error (in_c7); `x.numpy()` is an array that can be updated.

>>> import numpy as np, ssop
>>> ssop.tf.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])
array([[ 6,  7],
       [10, 11]])
"""

from ssop._core import (
    tf_slice as slice,
)
from ssop._core import (
    tf_strided_slice as strided_slice,
)
from ssop._core import (
    tf_strided_slice_assign as strided_slice_assign,
)
from ssop._core import (
    tf_strided_slice_grad as strided_slice_grad,
)
from ssop._core import (
    tf_tensor_strided_slice_update as tensor_strided_slice_update,
)

__all__ = ["slice", "strided_slice", "strided_slice_assign", "strided_slice_grad", "tensor_strided_slice_update"]
