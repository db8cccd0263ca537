"""TFLite's slicing operations, as LiteRT's kernels do them.

Differs from TensorFlow (`ssop.tf`) in:

- begin_mask_on_shrink (tfl_s1): on a shrunk axis, a begin whose begin_mask bit is set is element 0; TensorFlow ignores
  the bit.
- shrink_below_range (tfl_s2): on a shrunk axis, a begin below -dim is element 0, not an error.
- ellipsis_takes_one_axis (tfl_s3): the ellipsis covers at least one axis, even if the entries after it need them all.
- spare_entries (tfl_s3): entries beyond the axes of the input are ignored, not an error.
- spare_ellipsis_bits (tfl_c3): ellipsis_mask bits beyond the entries of the spec are ignored.
- offset (tfl_s4): with offset=True, end is relative to the begin that is used.

A call whose output TFLite leaves uninitialised is an error here. Indices may be int64, and the rank is not limited to
TFLite's.

>>> import numpy as np, ssop
>>> ssop.tflite.strided_slice(np.arange(4), [-9], [0], shrink_axis_mask=1)
array(0)
"""

from ssop._core import (
    tflite_slice as slice,
)
from ssop._core import (
    tflite_strided_slice as strided_slice,
)

__all__ = ["slice", "strided_slice"]
