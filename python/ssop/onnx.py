"""ONNX's Slice, as its text says (engine="spec"), as its reference evaluator does it, and as ONNX Runtime does it.

Differs from NumPy's slices in:

- far_negative_start (onx_s1): a start below -dim with a negative step is element 0; not so with engine="reference".
- greatest_ends (ort_s1): with engine="ort", the greatest int32 and int64 as an end mean all that the step reaches.
- unequal_lists (onr_s1): with engine="reference", lists are read as far as the shortest.
- axis_twice (onr_s1): with engine="reference", the last of several entries for one axis holds.
- scalar_refused (ort_c1): with engine="ort", a scalar is refused.

>>> import numpy as np, ssop
>>> ssop.onnx.slice(np.arange(12).reshape(3, 4), [-1], [-99], axes=[-1], steps=[-2])
array([[ 3,  1],
       [ 7,  5],
       [11,  9]])
"""

from ssop._core import onnx_slice as slice

__all__ = ["slice"]
