"""Static shapes: what is known of the shape of a result before there are arrays.

A `PartialShape` is a shape whose dims, and whose rank, may be unknown. A `Dim` is a number, an interval, or unknown,
and two unknown dims may be known to be the same. Every operation of the package has a function of the same name, here
or in `ssop.shapes.tf`, `tflite`, `openvino`, `onnx` and `xla`. It takes shapes instead of arrays; `ssop.infer_shape`
calls it by name. mode="tf" gives TensorFlow's answer, also where that knows less; mode="tight" gives the smallest
interval of every dim.

`InferenceContext` is what TensorFlow gives its shape functions; use it for your own. `register` gives a shape function
a name. `infer` runs a list of operations and says which dims must be equal.

>>> import ssop
>>> ssop.shapes.strided_slice([None, 8], [2], [5], [1])
PartialShape([None, 8])
>>> ssop.shapes.strided_slice([None, 8], [2], [5], [1], mode="tight")
PartialShape([(0, 3), 8])

The examples of TensorFlow's own documentation of merging and relaxing:

>>> c = ssop.shapes.InferenceContext("Op", [[2, None], [2, 2]])
>>> c.merge([2, None], [None, 2])
PartialShape([2, 2])
>>> c.merge([2, 2], [1, 2])  # doctest: +ELLIPSIS
Traceback (most recent call last):
ssop.SliceValueError: ...Dimension 0 in both shapes must be equal, but are 2 and 1. Shapes are [2,2] and [1,2]. [sh_c2]
>>> c.relax([2, None], [None, 2])
PartialShape([None, None])
>>> c.relax([2, 2], [3, 2])
PartialShape([None, 2])
>>> c.relax([2, 2], [1, 2, 3])
PartialShape(None)
"""

from ssop._core import Dim, PartialShape
from ssop.shapes import onnx, openvino, tf, tflite, xla
from ssop.shapes._arguments import unknown
from ssop.shapes._context import InferenceContext
from ssop.shapes._handles import ShapeAndType
from ssop.shapes._numpy import numpy_pad, roll
from ssop.shapes._operations import infer_shape, register
from ssop.shapes._propagation import Inference, Node, infer
from ssop.shapes.tf import strided_slice, strided_slice_assign, strided_slice_grad, tensor_strided_slice_update
from ssop.shapes.xla import (
    broadcast,
    broadcast_in_dim,
    clamp,
    collapse,
    concatenate,
    dynamic_index_in_dim,
    dynamic_slice,
    dynamic_slice_in_dim,
    dynamic_update_index_in_dim,
    dynamic_update_slice,
    dynamic_update_slice_in_dim,
    index_in_dim,
    pad,
    reshape,
    rev,
    select,
    slice,
    slice_in_dim,
    transpose,
)

__all__ = [
    "Dim",
    "Inference",
    "InferenceContext",
    "Node",
    "PartialShape",
    "ShapeAndType",
    "broadcast",
    "broadcast_in_dim",
    "clamp",
    "collapse",
    "concatenate",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "dynamic_update_index_in_dim",
    "dynamic_update_slice",
    "dynamic_update_slice_in_dim",
    "index_in_dim",
    "infer",
    "infer_shape",
    "numpy_pad",
    "onnx",
    "openvino",
    "pad",
    "register",
    "reshape",
    "rev",
    "roll",
    "select",
    "slice",
    "slice_in_dim",
    "strided_slice",
    "strided_slice_assign",
    "strided_slice_grad",
    "tensor_strided_slice_update",
    "tf",
    "tflite",
    "transpose",
    "unknown",
    "xla",
]
