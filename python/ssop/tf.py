"""TensorFlow's slicing operations under TensorFlow's names and signatures.

Results equal those of eager TensorFlow wherever that defines them. Its limits do not apply: ranks above 8 are an error
there (for the gradient, the result is uninitialised memory), and from rank 33 on its slices are wrong. `strided_slice`
takes `var` and `name` as TensorFlow does and ignores them.

>>> import numpy as np, ssop
>>> ssop.tf.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])
array([[ 6,  7],
       [10, 11]])
"""

from ssop._core import (
    strided_slice_assign,
    strided_slice_grad,
    tensor_strided_slice_update,
)
from ssop._core import (
    tf_slice as slice,
)
from ssop._core import (
    tf_strided_slice as strided_slice,
)

__all__ = ["slice", "strided_slice", "strided_slice_assign", "strided_slice_grad", "tensor_strided_slice_update"]
