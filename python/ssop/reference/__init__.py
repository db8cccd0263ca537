"""The contract once more in plain Python: one formula per operation, to be read, and to hold the C core against.

It shares no code with the C core and needs nothing but the standard library. Every operation makes the checks of
SPEC.md in SPEC.md's order, each under its label. It then walks over the indices of the *result* and computes for each
of them where its item comes from. Speed is no aim.

Indices and masks are taken to be ints here, and items have neither dtype nor memory. So these rules do not concern it:

- `out_*`, `mem_*` and most of `in_*`
- `as_c2`, `dus_c4`, `pad_c3`, `cat_c4`, `cat_c7`, `cat_c8`, `sel_c2`, `sel_c3`, `cl_c1`, `cl_c3`
- `red_c5`, `red_c7`, `sas_c2`, `et_c1`, `et_s1`, `ew_c1` and `ew_c9`
"""

from ssop.reference import onnx, openvino, shapes, tf, tflite, xla
from ssop.reference._numpy import pad, roll
from ssop.reference._regions import region_chunks, region_covering
from ssop.reference._strided import strided_slice, strided_slice_counts, strided_slice_region
from ssop.reference._tensors import Rejected, Tensor, build, take, tensor
from ssop.reference._values import convert_value
from ssop.reference._windows import dynamic_slice, dynamic_update_slice, slice, slice_region
from ssop.reference.tf import strided_slice_grad, tensor_strided_slice_update

__all__ = [
    "Rejected",
    "Tensor",
    "build",
    "convert_value",
    "dynamic_slice",
    "dynamic_update_slice",
    "onnx",
    "openvino",
    "pad",
    "region_chunks",
    "region_covering",
    "roll",
    "shapes",
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
