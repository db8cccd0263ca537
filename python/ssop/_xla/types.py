"""XLA's element types: which dtype is which, and how XLA writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ssop._errors import type_error

KINDS: Final = {"b": "pred", "i": "signed", "u": "unsigned", "f": "float", "c": "complex"}
"""The kinds of NumPy's own dtypes, by their letters."""

SIZES: Final = {
    "pred": (1,),
    "signed": (1, 2, 4, 8),
    "unsigned": (1, 2, 4, 8),
    "float": (2, 4, 8),
    "complex": (8, 16),
}

ML_DTYPES: Final = {
    **{f"int{bits}": "signed" for bits in (1, 2, 4)},
    **{f"uint{bits}": "unsigned" for bits in (1, 2, 4)},
    "bfloat16": "float",
    "float4_e2m1fn": "float",
    "float6_e2m3fn": "float",
    "float6_e3m2fn": "float",
    "float8_e3m4": "float",
    "float8_e4m3": "float",
    "float8_e4m3b11fnuz": "float",
    "float8_e4m3fn": "float",
    "float8_e4m3fnuz": "float",
    "float8_e5m2": "float",
    "float8_e5m2fnuz": "float",
    "float8_e8m0fnu": "float",
}
"""Those of the package ml_dtypes, by their names; XLA's names are F8E4M3FN and the like."""

KIND_WORDS: Final = {
    "pred": "bools",
    "signed": "signed integers",
    "unsigned": "unsigned integers",
    "float": "real floating-point numbers",
    "complex": "complex numbers",
}


def kind(dtype: np.dtype[Any]) -> str | None:
    """Return what XLA calls elements of this dtype: pred, signed, unsigned, float or complex; None for all others.

    >>> kind(np.dtype("u2")), kind(np.dtype("datetime64[s]"))
    ('unsigned', None)
    """
    if dtype.isbuiltin == 2:  # registered by another package
        return ML_DTYPES.get(dtype.name)
    found = KINDS.get(dtype.kind)
    return found if found is not None and dtype.itemsize in SIZES[found] else None


def primitive_type(dtype: np.dtype[Any]) -> str:
    """Return XLA's name of an element type.

    >>> primitive_type(np.dtype(bool)), primitive_type(np.dtype("f4")), primitive_type(np.dtype("c16"))
    ('PRED', 'F32', 'C128')
    """
    if dtype.isbuiltin == 2:
        name = dtype.name.replace("bfloat", "bf").replace("uint", "u").replace("int", "s").replace("float", "f")
        return name.replace("_", "").upper()
    letter = {"pred": "pred", "signed": "s", "unsigned": "u", "float": "f", "complex": "c"}[kind(dtype) or "pred"]
    return "PRED" if letter == "pred" else f"{letter}{8 * dtype.itemsize}".upper()


def human_string(dtype: np.dtype[Any], shape: Sequence[int]) -> str:
    """Return an array's type as XLA's messages write it.

    >>> human_string(np.dtype("i4"), (2, 3))
    's32[2,3]'
    """
    return f"{primitive_type(dtype).lower()}[{','.join(map(str, shape))}]"


def words_for(kinds: Sequence[str]) -> str:
    """Return what elements of these kinds are called.

    >>> words_for(["pred", "float"])
    'bools or real floating-point numbers'
    """
    words = [KIND_WORDS[name] for name in kinds]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def check_kind(op: str, name: str, dtype: np.dtype[Any]) -> None:
    """Raise for a dtype that XLA has no element type for."""
    if kind(dtype) is None:
        message = f"{name} has dtype {dtype}, which XLA has no element type for"
        raise type_error(op, "et_c1", message, value=dtype)
