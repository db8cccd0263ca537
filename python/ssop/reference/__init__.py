"""The contract once more in plain Python: one formula per operation, to be read, and to hold the C core against.

It shares no code with the C core and needs nothing but the standard library. Every operation makes the checks of
SPEC.md in SPEC.md's order, each under its label, and then walks over the indices of the *result* and says for each of
them where its item comes from. Speed is no aim.

Indices and masks are taken to be ints here, and items have neither dtype nor memory: the rules `in_*`, `out_*`,
`mem_*`, `as_c2` and `dus_c4` have nothing to say about this module.
"""

from ssop.reference import onnx, openvino, tf, tflite, xla
from ssop.reference.strided import strided_slice, strided_slice_counts, strided_slice_region
from ssop.reference.tensors import Refused, Tensor, build, take, tensor
from ssop.reference.tf import strided_slice_grad, tensor_strided_slice_update
from ssop.reference.windows import dynamic_slice, dynamic_update_slice, slice, slice_region

__all__ = [
    "Refused",
    "Tensor",
    "build",
    "dynamic_slice",
    "dynamic_update_slice",
    "onnx",
    "openvino",
    "slice",
    "slice_region",
    "strided_slice",
    "strided_slice_counts",
    "strided_slice_grad",
    "strided_slice_region",
    "take",
    "tensor",
    "tensor_strided_slice_update",
    "tf",
    "tflite",
    "xla",
]
