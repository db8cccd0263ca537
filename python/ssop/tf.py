"""TensorFlow's slicing operations under TensorFlow's names and signatures.

Nothing differs from eager TensorFlow where that is defined. Its limits are lifted: ranks above 8, which it refuses (or,
for the gradient, leaves as uninitialised memory), and ranks from 33 on, where it slices wrongly. `strided_slice` takes
`var` and `name` as TensorFlow does and ignores them.

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
