"""OpenVINO's StridedSlice-1 and Slice-8.

OpenVINO has three implementations that disagree. Here, shapes and the precedence of masks follow its shape inference,
and values follow its slice plan wherever that stays inside the array. Masks are vectors of 0 and 1 of any length.

Differs from TensorFlow (`ssop.tf`) in:

- far_negative_begin (ov_s2): a begin below -dim with a negative stride is element 0; in TensorFlow the slice is empty.
- stride_of_shrunk (ov_s3): the stride of a shrunk entry is ignored.
- spare_ellipsis_bits (ov_s4): ellipsis_mask elements beyond the entries of the spec are ignored, unless strict=True.
- entries_past_31 (ov_c9): a spec has at most 128 entries, not 31.

>>> import numpy as np, ssop
>>> ssop.openvino.strided_slice(np.arange(4), [-9], [-9], [-1])
array([0])
"""

from ssop._core import (
    openvino_slice as slice,
)
from ssop._core import (
    openvino_strided_slice as strided_slice,
)

__all__ = ["slice", "strided_slice"]
