"""Strided slices of NumPy arrays with the exact semantics of TensorFlow and XLA.

Every function resolves its arguments to one canonical region (start, count, step per axis) in C and moves the bytes
there. The rules, each with a label, are in SPEC.md; an error names the rule it stands on in `error.label`.

>>> import numpy as np, ssop
>>> ssop.strided_slice(np.arange(10), [-3], [0], [-2])
array([7, 5, 3, 1])
"""

from typing import TYPE_CHECKING

from ssop import onnx, openvino, tf, tflite, xla
from ssop._configuration import show_config
from ssop._core import (
    Plan,
    Region,
    SliceError,
    SliceIndexError,
    SliceOverflowError,
    SliceTypeError,
    SliceValueError,
    copy,
    copyto,
    cpu_features,
    dynamic_slice,
    dynamic_update_slice,
    get_num_threads,
    index,
    index_assign,
    index_update,
    set_num_threads,
    slice,
    strided_slice,
    strided_slice_assign,
    strided_slice_grad,
    tensor_strided_slice_update,
    trim_memory,
)
from ssop._explain import explain
from ssop._explore import explore
from ssop._spec import StridedSliceSpec, plan
from ssop._version import __version__ as __version__

if TYPE_CHECKING:
    from ssop import divergences as divergences
    from ssop import reference as reference
    from ssop import shapes as shapes
    from ssop import stablehlo as stablehlo
    from ssop import testing as testing
    from ssop import vjp as vjp
    from ssop._convert import ConversionError as ConversionError
    from ssop._convert import convert as convert
    from ssop._inspect import inspect as inspect
    from ssop._padding import pad as pad
    from ssop._rolling import roll as roll
    from ssop._widget import widget as widget
    from ssop.shapes import infer_shape as infer_shape
else:
    _LATE = ("divergences", "reference", "shapes", "stablehlo", "testing", "vjp")
    _LATE_NAMES = {
        "ConversionError": "_convert",
        "convert": "_convert",
        "infer_shape": "shapes",
        "inspect": "_inspect",
        "pad": "_padding",
        "roll": "_rolling",
        "widget": "_widget",
    }

    def __getattr__(name):
        """Load a module when it is first needed: most who slice arrays need none of these, and they take time."""
        from importlib import import_module

        if name in _LATE_NAMES:
            globals()[name] = getattr(import_module(f"ssop.{_LATE_NAMES[name]}"), name)
        elif name in _LATE:
            globals()[name] = import_module(f"ssop.{name}")
        else:
            raise AttributeError(f"module 'ssop' has no attribute {name!r}")
        return globals()[name]

    def __dir__():
        return sorted({name for name in globals() if name.startswith("_")} | {*__all__})


__all__ = [
    "ConversionError",
    "Plan",
    "Region",
    "SliceError",
    "SliceIndexError",
    "SliceOverflowError",
    "SliceTypeError",
    "SliceValueError",
    "StridedSliceSpec",
    "convert",
    "copy",
    "copyto",
    "cpu_features",
    "divergences",
    "dynamic_slice",
    "dynamic_update_slice",
    "explain",
    "explore",
    "get_num_threads",
    "index",
    "index_assign",
    "index_update",
    "infer_shape",
    "inspect",
    "onnx",
    "openvino",
    "pad",
    "plan",
    "reference",
    "roll",
    "set_num_threads",
    "shapes",
    "show_config",
    "slice",
    "stablehlo",
    "strided_slice",
    "strided_slice_assign",
    "strided_slice_grad",
    "tensor_strided_slice_update",
    "testing",
    "tf",
    "tflite",
    "trim_memory",
    "vjp",
    "widget",
    "xla",
]
