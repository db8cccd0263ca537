"""The dtypes that the functions of each target take: what their engines did with each (cv_c9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ssop._convert.calls import Call
from ssop._convert.errors import OP
from ssop._errors import dtype_or_none, kind_of, value_error

INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
COMMON = INTEGERS | {"bool", "float16", "float32", "float64", "bfloat16"}
COMPLEX = frozenset({"complex64", "complex128"})
FLOAT8 = frozenset({"float8_e4m3fn", "float8_e5m2"})
OTHER_FLOAT8 = frozenset({"float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"})
SMALL = frozenset({"int2", "uint2", "int4", "uint4", "float4_e2m1fn"})

TAKEN: dict[str, frozenset[str] | None] = {
    "tf": COMMON | COMPLEX | FLOAT8 | {"string"},
    "tflite": COMMON | {"complex64", "string"},
    "openvino": COMMON | FLOAT8 | {"float8_e8m0fnu"},
    "onnx": COMMON | {"string"},
    "xla": COMMON | COMPLEX | FLOAT8 | OTHER_FLOAT8 | SMALL,
    "torch": COMMON | COMPLEX | FLOAT8 | OTHER_FLOAT8,
    "torch.flip": (COMMON - {"uint16", "uint32", "uint64"}) | COMPLEX,
    "numpy": None,
    "coreml": frozenset({"bool", "int8", "uint8", "int16", "uint16", "int32", "float16", "float32"}),
}
"""By function, or framework where all functions take the same; None: all. CoreML's are those of its documents.

A dtype of ONNX is in all its engines: ONNX Runtime rejects complex numbers, which ONNX's text has (`IN_ONNX`).
"""

IN_ONNX = COMMON | {"string"} | COMPLEX


def name_of(dtype: Any) -> str:
    """The name of a dtype of NumPy, of ml_dtypes, or of a framework whose name of it is the same."""
    name = getattr(dtype, "name", dtype)  # torch's have none
    text = name if isinstance(name, str) else str(dtype).removeprefix("torch.") if _is_torch(dtype) else ""
    if text in _KNOWN:
        return text
    found = dtype_or_none(dtype)
    if found is None:
        given = repr(dtype) if isinstance(dtype, str) else kind_of(dtype)
        raise value_error(OP, "cv_c9", f"dtype {given} is not known", value=dtype)
    return "string" if found.kind in "SUT" else found.name


def _is_torch(dtype: Any) -> bool:
    return type(dtype).__module__ == "torch"


_KNOWN = COMMON | COMPLEX | FLOAT8 | OTHER_FLOAT8 | SMALL | {"string"}


def taken_by(function: str) -> frozenset[str] | None:
    """The dtypes that a function takes; None: all."""
    return TAKEN[function] if function in TAKEN else TAKEN[function.partition(".")[0]]


def check_dtype(calls: Sequence[Call], to: str, dtype: Any) -> str:
    """The name of the dtype; raises if a call of the target does not take it."""
    name = name_of(dtype)
    for function in [call.function for call in calls] or [to]:
        taken = taken_by(function)
        if taken is not None and name not in taken:
            message = f"{function} does not take {name}: it takes {', '.join(sorted(taken))}"
            raise value_error(OP, "cv_c9", message, value=dtype)
    return name
