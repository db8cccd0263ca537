"""Calls that a failure prints ready to be pasted, what they answer, and byte-wise comparison of arrays."""

import ctypes

import numpy as np
from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st

import ssop
from ssop.reference import Rejected, Tensor
from ssop.testing import strategies as slicing
from ssop.testing.arrays import items

POLICIES = ("clamp", "wrap", "raise")


def with_shape(*parts, **limits):
    """A strategy for tuples: a shape, then what each of `parts`, functions of that shape, draws for it."""
    return slicing.shapes(**limits).flatmap(lambda shape: st.tuples(st.just(shape), *(part(shape) for part in parts)))


class Call:
    """A call as source code; made into text only where a failure shows it."""

    def __init__(self, function, args, kwargs):
        self.function, self.args, self.kwargs = function, args, kwargs

    def __repr__(self):
        words = [*map(source, self.args), *(f"{name}={source(value)}" for name, value in self.kwargs.items())]
        return f"{source(self.function)}({', '.join(words)})"


def call(function, *args, **kwargs):
    """The result of the call, which a failure prints."""
    if currently_in_test_context():  # find() takes no notes
        note(Call(function, args, kwargs))
    return function(*args, **kwargs)


def source(value):
    """Python source of a value, given numpy as np, ml_dtypes, ssop and ssop.reference."""
    if isinstance(value, np.ndarray):
        return array_source(value)
    if isinstance(value, (ssop.StridedSliceSpec, ssop.Region)):
        return f"ssop.{value!r}"
    if isinstance(value, ssop.Plan):
        spec = f"ssop.StridedSliceSpec.from_index({value.region.index})"
        return f"ssop.plan({spec}, {value.region.in_shape}, {source(value.dtype)})"
    if isinstance(value, np.dtype):
        others = value.type.__module__ == "ml_dtypes"
        return f"np.dtype(ml_dtypes.{value.type.__name__})" if others else f"np.{value!r}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(source, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if callable(value) and hasattr(value, "__name__"):
        owner = getattr(value, "__self__", None)
        owned = isinstance(owner, (ssop.StridedSliceSpec, ssop.Region))
        return f"{source(owner) if owned else value.__module__}.{value.__name__}"
    if isinstance(value, Tensor):
        return f"ssop.reference.{value!r}"
    return repr(value)


def array_source(array):
    """An expression for an array of the same bytes and layout."""
    dtype = source(array.dtype)
    if array.dtype.hasobject or array.dtype.kind == "T":
        return f"np.array({array.tolist()}, {dtype})"
    if array.size == 0 or array.dtype.itemsize == 0:
        return f"np.ndarray({array.shape}, {dtype}, bytearray(1))"
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = ctypes.string_at(low, high - low).hex(" ", 8)
    return (
        f"np.ndarray({array.shape}, {dtype}, bytearray.fromhex('{memory}'), {array.ctypes.data - low}, {array.strides})"
    )


def answer(function, *args, **kwargs):
    """Shape and items of the result, or what the rejection says: of ssop or of the reference, so that they compare."""
    try:
        result = call(function, *args, **kwargs)
    except (ssop.SliceError, Rejected) as error:
        return error.label, error.axis, error.entry, error.value, error.allowed
    if isinstance(result, np.ndarray):
        return Tensor(result.shape, result.ravel().tolist())
    return result


def label(function, *args, **kwargs):
    """The rule that the call breaks, or None."""
    try:
        call(function, *args, **kwargs)
    except ssop.SliceError as error:
        return error.label
    return None


def counting(shape):
    """The array of `shape` that holds 0, 1, 2, .."""
    return np.arange(np.prod(shape, dtype=int)).reshape(shape)


def as_tensor(array):
    """The array as the reference takes it."""
    return Tensor(array.shape, array.ravel().tolist())


def contents(array):
    """What the items of an array are, padding and all."""
    if array.dtype.hasobject or array.dtype.kind == "T":
        return array.tolist()
    return items(array).tobytes()


def assert_same(got, expected):
    """Same shape, dtype and bytes."""
    assert type(got) is np.ndarray
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    assert contents(got) == contents(expected)
