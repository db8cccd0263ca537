"""XLA's Select and Clamp: C for plain arrays; else XLA's checks here, then NumPy's functions or another library's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop import _core
from ssop._errors import conversion, type_error, value_error
from ssop._lazy import libraries, meanings
from ssop._sequences import plain


def select(pred: Any, on_true: Any, on_false: Any, *, out: np.ndarray[Any, Any] | None = None) -> Any:
    """XLA's Select: element by element one of two arrays.

    Parameters
    ----------
    pred : bool, or array_like of bools, of shape () or the shape of the others
    on_true, on_false : array_like of one shape and dtype, any of either
        A scalar or list takes the dtype of the other one, if nothing is lost. Two tuples that hold arrays are
        tuples of XLA's, of which a pred of shape () selects one (tup_s2).
    out : numpy.ndarray of the result's shape and dtype, any layout, optional
        It may overlap the others. Tuples and arrays of other libraries take none.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the shape and dtype of on_true; or `out`; or a tuple of arrays.

    Raises
    ------
    SliceError : `label` names the rule (sel_*, tup_*, val_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `select`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.select([True, False], np.array([1, 2]), np.array([10, 20]))
    array([ 1, 20])
    """
    result = _core.select_plain(pred, on_true, on_false)  # sel_s1
    if result is None:
        result = _select_anything(pred, on_true, on_false)
    return result if out is None else _delivered("xla.select", result, out)


def _delivered(op: str, result: Any, out: Any) -> Any:
    """The array that the user gave, with the elements of the result (out_c1..out_c5)."""
    if not isinstance(result, np.ndarray) or libraries.stays(result):
        raise libraries.foreign_error(op, result, "takes no out=: only results that are NumPy arrays do")
    from ssop._xla.operands import deliver  # loaded on first use

    return deliver(op, result, out)


def _select_anything(pred: Any, on_true: Any, on_false: Any) -> Any:
    if _is_tuple_of_arrays(on_true) and _is_tuple_of_arrays(on_false):
        from ssop._xla.tuples import select_tuple  # tup_s2; loaded on first use

        return select_tuple(pred, on_true, on_false)
    for name, x in (("pred", pred), ("on_true", on_true), ("on_false", on_false)):
        meanings.check("xla.select", name, x)
        libraries.check_storage("xla.select", x, slices=False, assigns=False)
    if any(map(libraries.stays, (pred, on_true, on_false))):
        return _select_in_library(pred, on_true, on_false)
    pred, (on_true, on_false) = _private_view(pred), _of_one_dtype(on_true, on_false)
    check_select(pred, on_true, on_false)
    if not pred.shape:
        return _core.copy(on_true if pred else on_false)  # sel_s2
    contiguous = (x if x.flags.c_contiguous else _core.copy(x) for x in (pred, on_true, on_false))
    if (result := _core.select_plain(*contiguous)) is not None:
        return result
    result = _core.copy(on_false)
    np.copyto(result, on_true, where=pred)
    return result


def _is_tuple_of_arrays(x: Any) -> bool:
    """Whether it is a tuple of XLA's: a tuple of numbers is array_like, as everywhere."""
    return isinstance(x, tuple) and any([isinstance(y, np.ndarray) or _is_tuple_of_arrays(y) for y in plain(x)])


def _select_in_library(pred: Any, on_true: Any, on_false: Any) -> Any:
    first = libraries.leading("xla.select", (on_true, on_false, pred))
    typed = max((x for x in (on_true, on_false) if hasattr(x, "dtype")), key=_dtype_strength, default=None)
    if typed is None:
        on_true, on_false = libraries.as_array(first, on_true), libraries.as_array(first, on_false)
    else:
        on_true = libraries.match_operand("xla.select", typed, on_true, "sel_c2", "on_true")
        on_false = libraries.match_operand("xla.select", typed, on_false, "sel_c2", "on_false")
    pred = pred if libraries.stays(pred) else libraries.as_array(first, pred)
    pred, on_true, on_false = (libraries.accepted("xla.select", x) for x in (pred, on_true, on_false))
    check_select(pred, on_true, on_false)
    libraries.check_memory("xla.select", pred, on_true, on_false)
    return libraries.where("xla.select", first, pred, on_true, on_false)


def check_select(pred: Any, on_true: Any, on_false: Any) -> None:
    """XLA's checks, in XLA's order."""
    if on_true.shape != on_false.shape:
        message = (
            f"on_false has shape {_shape(on_false)}, not {_shape(on_true)}: Operands to select must be the same shape; "
            f"got {_shape(on_true)} and {_shape(on_false)}."
        )
        raise value_error("xla.select", "sel_c1", message, value=_shape(on_false))
    if on_true.dtype != on_false.dtype:
        message = (
            f"on_false has dtype {on_false.dtype}, not {on_true.dtype}: Operands to select must be the same shape; "
            f"got {on_true.dtype} and {on_false.dtype}. {conversion('on_false', on_false, on_true.dtype)}"
        )
        raise type_error("xla.select", "sel_c2", message, value=on_false.dtype)
    if not _is_bool(pred.dtype):
        message = (
            f"pred has dtype {pred.dtype}, not bool: Select's pred operand must have PRED element type; "
            f"got {pred.dtype}."
        )
        raise type_error("xla.select", "sel_c3", message, value=pred.dtype)
    if pred.ndim and pred.shape != on_true.shape:
        message = (
            f"pred has shape {_shape(pred)}, not () or {_shape(on_true)}: Operands to select and predicate must be the "
            f"same shape; got {_shape(on_true)} and {_shape(on_false)} and {_shape(pred)}."
        )
        raise value_error("xla.select", "sel_c4", message, value=_shape(pred))


def clamp(min: Any, operand: Any, max: Any, *, out: np.ndarray[Any, Any] | None = None) -> Any:
    """XLA's Clamp: each element moved to the nearest end of an interval.

    Parameters
    ----------
    min, max : scalar, or array_like of shape () or the operand's shape
        An array must have the operand's dtype; scalars and lists are converted if nothing
        is lost.
    operand : array_like, any shape; numbers but complex ones, bools, dates
    out : numpy.ndarray of the result's shape and dtype, any layout, optional
        It may overlap the others. Arrays of other libraries take none.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape and dtype, or `out`: the lesser of
        max and the greater of min and the element. So min > max gives max; NaN anywhere
        gives NaN.

    Raises
    ------
    SliceError : `label` names the rule (cl_*, val_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `clamp`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.clamp(0, np.array([-1, 5, 9]), 6)
    array([0, 5, 6])
    """
    result = _core.clamp_plain(min, operand, max)  # cl_s1, cl_s2
    if result is None:
        result = _clamp_anything(min, operand, max)
    elif _may_be_zero(min, max):
        result = _with_signs_of_zeros(result, min, operand, max)
    return result if out is None else _delivered("xla.clamp", result, out)


def _may_be_zero(low: Any, high: Any) -> bool:
    """Whether a bound has a zero whose sign is one of the result."""
    has_signs = low.dtype.kind == "f" or low.dtype.isbuiltin == 2
    if not has_signs:
        return False
    with np.errstate(invalid="ignore"):  # NumPy may warn of NaN where it asks for zeros
        return not all(bound.all() if bound.shape else bound.item() for bound in (low, high))


def _with_signs_of_zeros(result: Any, low: Any, operand: Any, high: Any) -> Any:
    """NumPy's functions return either of two zeros; of XLA's, -0 is less than +0 (cl_s1)."""
    from ssop._xla.arithmetic import maximum, minimum

    with np.errstate(all="ignore"):
        if not (low.shape or high.shape) and high > 0 and not np.signbit(low):  # all zeros are +0
            return np.add(result, low.dtype.type(0), out=result)
        return _core.copy(np.asarray(minimum(maximum(operand, low), high), result.dtype))


def _clamp_anything(min: Any, operand: Any, max: Any) -> Any:
    for name, x in (("min", min), ("operand", operand), ("max", max)):
        meanings.check("xla.clamp", name, x)
        libraries.check_storage("xla.clamp", x, slices=False, assigns=False)
    if any(map(libraries.stays, (min, operand, max))):
        return _clamp_in_library(min, operand, max)
    operand = _private_view(operand)
    low = _of_dtype("xla.clamp", "min", min, operand.dtype)
    high = _of_dtype("xla.clamp", "max", max, operand.dtype)
    check_clamp(low, operand, high)
    if not _has_order(operand.dtype):
        raise _unordered(operand.dtype)
    with np.errstate(invalid="ignore"):  # some dtypes warn of signalling NaNs, which are values like others here
        greater = np.asarray(np.maximum(operand, low), operand.dtype)  # not a str, of StringDType at rank 0
        result = np.asarray(np.minimum(greater, high), operand.dtype)  # cl_s1, cl_s2
        if _may_be_zero(low, high):
            result = _with_signs_of_zeros(result, low, operand, high)
    return _core.copy(result)


def _clamp_in_library(min: Any, operand: Any, max: Any) -> Any:
    first = libraries.leading("xla.clamp", (operand, min, max))
    operand = operand if libraries.stays(operand) else libraries.as_array(first, operand)
    low = libraries.match_operand("xla.clamp", operand, min, "cl_c1", "min")
    high = libraries.match_operand("xla.clamp", operand, max, "cl_c1", "max")
    low, operand, high = (libraries.accepted("xla.clamp", x) for x in (low, operand, high))
    check_clamp(low, operand, high)
    libraries.check_memory("xla.clamp", low, operand, high)
    if isinstance(operand.dtype, np.dtype) and operand.dtype.isbuiltin != 2 and not _has_order(operand.dtype):
        raise _unordered(operand.dtype)  # 2: another library's own dtype, of which it knows itself
    if not operand.shape and getattr(operand.dtype, "char", "") == "T" and not libraries.is_masked(operand):
        why = "of rank 0 and StringDType cannot be clamped: NumPy's functions make a str of it"
        raise libraries.foreign_error("xla.clamp", operand, why)
    lesser, greater = (libraries.function("xla.clamp", first, name) for name in ("minimum", "maximum"))
    return lesser(greater(operand, low), high)


def check_clamp(low: Any, operand: Any, high: Any) -> None:
    """XLA's checks, in XLA's order."""
    for name, bound in (("min", low), ("max", high)):
        if bound.dtype != operand.dtype:
            message = (
                f"{name} has dtype {bound.dtype}, not {operand.dtype}: Clamp with incompatible element types: "
                f"{low.dtype}, {operand.dtype}, {high.dtype}. {conversion(name, bound, operand.dtype)}"
            )
            raise type_error("xla.clamp", "cl_c1", message, value=bound.dtype)
    for name, bound in (("min", low), ("max", high)):
        if bound.ndim and bound.shape != operand.shape:
            old_order = "" if operand.ndim or high.ndim else " (the order is min, operand, max)"
            message = (
                f"{name} has shape {_shape(bound)}, not () or {_shape(operand)}{old_order}: "
                f"Clamp with incompatible shapes: {_shape(low)}, {_shape(operand)}, {_shape(high)}."
            )
            raise value_error("xla.clamp", "cl_c2", message, value=_shape(bound))
    if "complex" in str(operand.dtype):
        raise _unordered(operand.dtype)


def _is_common(dtype: np.dtype[Any]) -> bool:
    """Whether it is one of NumPy's own bools, integers or real numbers in the machine's byte order."""
    return dtype.isbuiltin == 1 and dtype.isnative and dtype.kind in "biuf"


def _unordered(dtype: Any) -> Exception:
    return type_error("xla.clamp", "cl_c3", f"elements of dtype {dtype} have no order", value=dtype)


def _has_order(dtype: np.dtype[Any]) -> bool:
    try:
        np.maximum.resolve_dtypes((dtype, dtype, None))
    except TypeError:
        return False
    return dtype.kind != "c"  # which NumPy orders by the real part first


def _of_one_dtype(on_true: Any, on_false: Any) -> tuple[Any, Any]:
    """Return both as arrays. A list or scalar takes the dtype of an array with axes, a list also that of a scalar."""
    if _dtype_strength(on_true) < _dtype_strength(on_false):
        on_false = _private_view(on_false)
        return _converted("xla.select", "on_true", on_true, on_false.dtype), on_false
    weaker, on_true = _dtype_strength(on_true) > _dtype_strength(on_false), _private_view(on_true)
    if weaker:
        return on_true, _converted("xla.select", "on_false", on_false, on_true.dtype)
    return on_true, _private_view(on_false)


def _dtype_strength(x: Any) -> int:
    return 0 if not libraries.has_dtype(x) else 1 if libraries.is_scalar(x) else 2


def _of_dtype(op: str, name: str, x: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array with axes as it is, and anything else converted to the dtype (val_c1..val_s2)."""
    return _private_view(x) if _dtype_strength(x) == 2 else _converted(op, name, x, dtype)


def _converted(op: str, name: str, x: Any, dtype: np.dtype[Any]) -> Any:
    return _private_view(_core.convert_value(op, name, x, dtype))


def _private_view(x: Any) -> Any:
    """Return `x` as an array of its own, whose shape and dtype other code cannot change after they are checked."""
    return _core.as_array(x)[...]


def _is_bool(dtype: Any) -> bool:
    return str(dtype).rpartition(".")[2] in ("bool", "<dtype: 'bool'>")  # torch.bool; TensorFlow's


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape)


select.__module__ = clamp.__module__ = "ssop.xla"  # where users and pickles find them
