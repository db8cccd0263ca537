"""MLIR's types as NumPy's dtypes, and its constants as arrays."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import re
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ssop._errors import type_error
from ssop.stablehlo._parsing import OP, jaxlib

Array = np.ndarray[Any, Any]

OWN = {
    "i1": "?",
    **{f"i{bits}": f"i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"si{bits}": f"i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"u{bits // 8}" for bits in (8, 16, 32, 64)},
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
    "complex<f32>": "c8",
    "complex<f64>": "c16",
}
"""NumPy's dtypes by the names of MLIR's element types."""

ML_DTYPES = {
    **{f"i{bits}": f"int{bits}" for bits in (2, 4)},
    **{f"ui{bits}": f"uint{bits}" for bits in (2, 4)},
    "bf16": "bfloat16",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f8E3M4": "float8_e3m4",
    "f8E4M3": "float8_e4m3",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
}
"""Those of the package ml_dtypes, on which jaxlib depends."""

TOKEN = re.compile(r"0x[0-9A-Fa-f]+|[-+]?[A-Za-z0-9][A-Za-z0-9.+-]*")


DENSE = re.compile(r"\bdense<(.*?)> : tensor<", flags=re.S)


class TensorType(NamedTuple):
    """The type of a value; None in the shape is a dim that only the value has."""

    shape: tuple[int | None, ...]
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"{self.dtype}{['?' if dim is None else dim for dim in self.shape]}".replace("'", "")


def dtype_of(element_type: Any, where: str) -> np.dtype[Any]:
    """Return the dtype of an element type; raise if NumPy has no such dtype, as for quantized types (hlo_c5)."""
    name = str(element_type)
    if name in OWN:
        return np.dtype(OWN[name])
    if name in ML_DTYPES:
        import ml_dtypes

        dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, ML_DTYPES[name]))
        return dtype
    raise type_error(OP, "hlo_c5", f"{where}: elements of type {name} have no NumPy dtype", value=name)


def tensor_type(kind: Any, where: str) -> TensorType:
    """Return the type of a tensor; raise for a type of anything else (hlo_c5)."""
    ir = jaxlib().ir
    if not isinstance(kind, ir.RankedTensorType):
        raise type_error(OP, "hlo_c5", f"{where}: values of type {kind} are not supported", value=str(kind))
    shape = tuple([None if kind.is_dynamic_dim(axis) else kind.shape[axis] for axis in range(kind.rank)])
    return TensorType(shape, dtype_of(kind.element_type, where))


def constant(operation: Any, kind: TensorType, where: str) -> Array:
    """Return the array of an operation's attribute `value`, a constant `dense<..>` of the type (hlo_s2)."""
    shape = tuple([dim or 0 for dim in kind.shape])
    if kind.dtype.isbuiltin == 1 and kind.dtype.kind != "c":
        attribute = operation.attributes["value"]
        if isinstance(attribute, jaxlib().ir.DenseElementsAttr):
            return np.array(attribute, kind.dtype).reshape(shape)
    found = DENSE.search(str(operation))  # other constants cannot be read through Python's buffers
    if found is None:
        raise type_error(OP, "hlo_c5", f"{where}: a constant that is not dense<..> is not supported")
    items = _items(found[1], kind.dtype)
    return np.array(items.reshape(shape) if items.size == prod(shape) else np.broadcast_to(items, shape), order="C")


def _items(text: str, dtype: np.dtype[Any]) -> Array:
    """The items of a constant as MLIR prints it: the bytes of many of them as one string, else one by one."""
    if text.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(text[3:-1]), dtype)
    part = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
    numbers = np.array([_number(token, part) for token in TOKEN.findall(text)], part)
    return numbers.view(dtype) if dtype.kind == "c" else numbers


def _number(token: str, dtype: np.dtype[Any]) -> Any:
    if token.startswith("0x"):  # the bits of NaN and of infinities
        return np.array(int(token, 16), f"u{dtype.itemsize}").view(dtype)
    return dtype.type(int(token) if token.lstrip("+-").isdigit() else float(token))
