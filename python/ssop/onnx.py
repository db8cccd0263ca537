"""ONNX's Slice as its specification defines it, as its reference evaluator computes it, and as ONNX Runtime does.

The argument `engine` chooses among them: "spec", "reference" or "ort".

Differs from NumPy's slices in:

- far_negative_start (onx_s1): a start below -dim with a negative step is element 0, except with engine="reference".
- greatest_ends (ort_s1): with engine="ort", an end of INT32_MAX or INT64_MAX with a negative step takes all elements
  down to the first.
- unequal_lists (onr_s1): with engine="reference", lists of different lengths are read up to the end of the shortest.
- axis_twice (onr_s1): with engine="reference", if an axis is listed twice, the last entry wins.
- scalar_rejected (ort_c1): with engine="ort", a scalar input is an error.

>>> import numpy as np, ssop
>>> ssop.onnx.slice(np.arange(12).reshape(3, 4), [-1], [-99], axes=[-1], steps=[-2])
array([[ 3,  1],
       [ 7,  5],
       [11,  9]])
"""

from ssop._core import onnx_slice as slice

__all__ = ["slice"]
