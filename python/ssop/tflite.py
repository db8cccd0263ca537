"""TFLite's slicing operations, as LiteRT's kernels do them.

Differs from TensorFlow (`ssop.tf`) in:

- begin_mask_on_shrink (tfl_s1): a masked begin is element 0 also on a shrunk axis.
- shrink_below_range (tfl_s2): a shrunk begin below -dim is element 0, not an error.
- ellipsis_takes_one_axis (tfl_s3): the ellipsis covers an axis even if the entries after it need them all.
- spare_entries (tfl_s3): entries that find no axis are ignored.
- spare_ellipsis_bits (tfl_c3): ellipsis bits past the spec do not count.
- offset (tfl_s4): with offset=True, end counts from the begin that is really used.

What TFLite answers with memory that it never wrote is an error here. Indices may be int64, and any rank will do.

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
