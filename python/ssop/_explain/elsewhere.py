"""The calls of other frameworks that are equal to an explained call, as `ssop.convert` writes and proves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ssop._core import SliceError
from ssop._explain.facts import EqualCall

FRAMEWORKS = {
    "tf": "TensorFlow",
    "tflite": "TFLite",
    "openvino": "OpenVINO",
    "onnx": "ONNX",
    "xla": "XLA/StableHLO",
    "torch": "PyTorch",
    "coreml": "CoreML",
}
"""The targets of `ssop.convert` that an explanation shows, in its order. NumPy's index stands above."""


def equal_calls(call: Callable[[], Any], shape: Any, own: str) -> tuple[EqualCall, ...]:
    """The equal calls of all frameworks but `own`; `call` makes the one that is converted, on an input of `shape`."""
    return tuple(_equal_call(call(), shape, to) for to in FRAMEWORKS if to != own)


def convertible(function: str, arguments: Mapping[str, Any]) -> Any:
    """The `ssop.convert.Call` of a function."""
    return import_module("ssop._convert").convert.Call(function, **arguments)


def _equal_call(call: Any, shape: Any, to: str) -> EqualCall:
    converter = import_module("ssop._convert")  # which loads this package for `StridedSliceSpec.explain`
    try:
        return EqualCall(FRAMEWORKS[to], str(converter.convert(call, to, shape)), None)
    except converter.ConversionError as error:
        return EqualCall(FRAMEWORKS[to], None, error.reason)
    except (SliceError, ImportError) as error:  # an error for every dim, or the library of proofs is missing
        return EqualCall(FRAMEWORKS[to], None, str(error))
