"""Objects whose items mean more than their numbers are errors, because ssop would lose the meaning (in_c7, in_s2).

They are quantities with units, labelled tables, arrays with missing items, and groups of arrays. `check` is called for
every array of every operation that is not one of NumPy's own classes; csrc/python/foreign.c recognises the same
classes, and leaves their calls to `ssop._lazy`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop._errors import kind_of, type_error
from ssop._lazy import libraries
from ssop._sequences import plain

OWN_MEANING = ("__array_function__", "__array_ufunc__", "__setitem__")
"""A subclass of ndarray that has one of its own decides what NumPy's functions or assignments do with its items."""

# What to pass in the place of an object of these libraries, by the name of the parameter.
INSTEAD = {
    "astropy": "{0}.value is the array without its unit",
    "pandas": "{0}.to_numpy() is the array without labels",
    "pint": "{0}.magnitude is the array without its unit",
    "polars": "{0}.to_numpy() is the array without labels",
    "pyarrow": "{0}.to_numpy(zero_copy_only=False) is an array of NumPy's",
    "quantities": "{0}.magnitude is the array without its unit",
    "unyt": "{0}.value is the array without its unit",
}
ASARRAY = "numpy.asarray({0}) is the array of its numbers"
_TABLES = ("pandas", "polars", "pyarrow")  # whose classes need not say that NumPy's functions are theirs


def check(op: str, parameter: str, x: Any, entry: int | None = None) -> None:
    """Raise for an object whose items mean more than their numbers, also where it is an item of a list (in_c7)."""
    if isinstance(x, (list, tuple)):
        first = {type(item): (place, item) for place, item in reversed(list(enumerate(plain(x))))}
        for place, item in first.values():
            if not isinstance(item, (list, tuple)):
                _check_item(op, f"{parameter}[{place}]", item, place if entry is None else entry)
    elif x is not None:
        _check(op, parameter, x, entry)


def _check_item(op: str, parameter: str, x: Any, entry: int) -> None:
    """The same of an item of a list, which must not be in a storage either: the list would read it as a whole."""
    _check(op, parameter, x, entry)
    if libraries.is_stored(x):
        why = "which is read by slices only; x[...] reads it as a NumPy array"
        raise type_error(op, "in_c7", f"{parameter} is {kind_of(x, module=True)}, {why}", entry=entry, value=x)


def _check(op: str, parameter: str, x: Any, entry: int | None) -> None:
    if isinstance(x, (int, float, complex, str, bytes, dict, np.generic)) or libraries.is_masked(x):
        return
    if not isinstance(x, np.ndarray) and libraries.has_library(x):
        return
    if has_meaning(x):
        name = "x" if " " in parameter else parameter
        why = (
            f"whose meaning (units, labels, missing items) would be lost; {INSTEAD.get(_root(x), ASARRAY).format(name)}"
        )
    elif _is_group(x):
        why = "a group of arrays; pass one of them"
    else:
        return
    raise type_error(op, "in_c7", f"{parameter} is {kind_of(x, module=True)}, {why}", entry=entry, value=x)


def has_meaning(x: Any) -> bool:
    """True if the class of `x` answers for NumPy's functions or for assignments, or is one of a table's."""
    if isinstance(x, np.ndarray):
        return _overrides(type(x), OWN_MEANING)
    if _root(x) in _TABLES:
        return hasattr(type(x), "__array__") or hasattr(type(x), "__dataframe__")
    return _overrides(type(x), OWN_MEANING[:2])


def _overrides(cls: type, names: tuple[str, ...]) -> bool:
    """Whether a class before ndarray defines one of the names in a way of its own."""
    for base in cls.__mro__:
        if base is np.ndarray:
            return False
        own = vars(base)
        for name in names:
            if name in own and own[name] is not getattr(np.ndarray, name):
                return True
    return False


def _is_group(x: Any) -> bool:
    """Whether it maps names to arrays, of which NumPy would make an array of the names or of records."""
    if isinstance(x, np.ndarray) or hasattr(x, "shape"):
        return False
    mapping = hasattr(type(x), "keys") or _root(x) in ("h5py", "netCDF4", "zarr")
    return mapping and hasattr(type(x), "__getitem__")


def _root(x: Any) -> str:
    return libraries.root_of(x, INSTEAD)
