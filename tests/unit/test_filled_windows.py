"""Windows with elements outside the operand, by `out_of_bounds="fill"`: against numpy.pad and the reference."""

from itertools import product

import array_api_strict
import dask.array
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import reference, shapes, vjp, xla

X = np.arange(12).reshape(3, 4)
DTYPES = ("i1", "f4", "c16", "?", "O", "M8[s]", "U3", "S2", "i4,f8", "V3")
FILL = {"out_of_bounds": "fill"}
ENDS = (-(2**63), -(2**63) + 1, 2**63 - 1, 2**63 - 9)
WIDE = 12
"""Padding that every window of these tests is inside of."""


def padded(x, starts, sizes, value):
    whole = np.full([dim + 2 * WIDE for dim in x.shape], value, x.dtype)
    whole[tuple(slice(WIDE, WIDE + dim) for dim in x.shape)] = x
    return whole[tuple(slice(start + WIDE, start + WIDE + size) for start, size in zip(starts, sizes, strict=True))]


def test_ds_s5_every_window_of_a_matrix():
    for starts in product(range(-5, 6), range(-6, 7)):
        for sizes in product(range(6), range(0, 7, 2)):
            found = ssop.dynamic_slice(X, starts, sizes, **FILL, fill_value=-1)
            assert np.array_equal(found, padded(X, starts, sizes, -1)), (starts, sizes)


def test_ds_s5_every_dtype_and_layout():
    """The value is None or an item of the operand."""
    rng = np.random.default_rng(3)
    for number in range(600):
        shape = tuple(int(dim) for dim in rng.integers(0 if rng.random() < 0.1 else 1, 5, rng.integers(0, 4)))
        x = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)
        dtype = np.dtype(DTYPES[number % len(DTYPES)])
        x = x.astype("S3").astype(dtype) if dtype.kind in "VSU" and dtype.names is None else x.astype(dtype)
        x = x.T[::-1] if x.ndim and rng.random() < 0.5 else x
        starts = [int(start) for start in rng.integers(-6, 7, x.ndim)]
        sizes = [int(size) for size in rng.integers(0, 7, x.ndim)]
        given = bool(x.size) and rng.random() < 0.5
        value = x.flat[0] if given else np.zeros((), dtype)[()]
        right = padded(x, starts, sizes, value)
        keywords = FILL | ({"fill_value": x[(0,) * x.ndim]} if given else {})
        found = ssop.dynamic_slice(x, starts, sizes, **keywords)
        assert (
            type(found) is np.ndarray
            and found.flags.c_contiguous
            and (found.dtype, found.shape) == (dtype, right.shape)
        )
        assert np.array_equal(found, right), (x.shape, starts, sizes, dtype)
        out = np.zeros(right.shape[::-1], dtype).T
        assert ssop.dynamic_slice(x, starts, sizes, out=out, **keywords) is out and np.array_equal(out, right)


def test_ds_s5_starts_at_the_ends_of_int64():
    for start, size in product((*ENDS, np.uint64(2**64 - 1)), (0, 1, 7)):
        for allow in (False, True):
            found = ssop.dynamic_slice(
                np.arange(5), [start], [size], allow_negative_indices=allow, **FILL, fill_value=9
            )
            assert found.tolist() == [9] * size
    for size in (2**63 - 1, 2**62):
        with pytest.raises((ValueError, MemoryError)):
            ssop.dynamic_slice(np.arange(5), [-(2**63)], [size], **FILL)
        assert shapes.dynamic_slice([5], [2**63 - 1], [size], **FILL).dims == (size,)


def test_ds_s3_negative_starts_of_filled_windows():
    starts, negative = [-2, -2], [True, False]
    found = ssop.dynamic_slice(X, starts, [3, 3], allow_negative_indices=negative, **FILL)
    assert found.tolist() == [[0, 0, 4], [0, 0, 8], [0, 0, 0]]


def test_one_axis_forms():
    for start, axis in product(range(-6, 7), (0, 1, -1)):
        starts, sizes = [0, 0], [3, 4]
        starts[axis], sizes[axis] = start, 5
        found = xla.dynamic_slice_in_dim(X, start, 5, axis, **FILL, fill_value=7)
        assert np.array_equal(found, padded(X, starts, sizes, 7))
        sizes[axis] = 1
        for keepdims in (True, False):
            right = padded(X, starts, sizes, 7)
            found = xla.dynamic_index_in_dim(X, start, axis, keepdims, **FILL, fill_value=7)
            assert np.array_equal(found, right if keepdims else right.squeeze(axis))
            out = np.zeros(found.shape[::-1], int).T
            assert xla.dynamic_index_in_dim(X, start, axis, keepdims, **FILL, fill_value=7, out=out) is out
            assert np.array_equal(out, found)
    item = xla.dynamic_index_in_dim(np.arange(3), 3, keepdims=False, **FILL, fill_value=7)
    assert item.shape == () and item == 7
    assert xla.dynamic_index_in_dim(np.zeros((0, 2), int), 0, **FILL, fill_value=7).tolist() == [[7, 7]]


def test_places_in_one_memory():
    for start in range(-4, 5):
        x = np.arange(1, 6)
        right = padded(x, [start], [5], 0)
        assert ssop.dynamic_slice(x, [start], [5], **FILL, out=x) is x and np.array_equal(x, right)
        x = np.array([{"item": number} for number in range(5)])
        right = padded(x, [start], [5], x[2])
        assert ssop.dynamic_slice(x, [start], [5], **FILL, fill_value=x[2:3].reshape(()), out=x) is x
        assert x.tolist() == right.tolist()


def test_the_reference_and_libraries():
    tensor = reference.tensor(X.tolist(), X.shape)
    for starts, sizes in (([-1, 2], [4, 3]), ([3, 0], [1, 4]), ([1, 1], [2, 2]), ([-9, 9], [2, 0])):
        right = padded(X, starts, sizes, 7)
        assert reference.dynamic_slice(tensor, starts, sizes, "fill", False, 7).items == right.ravel().tolist()
        call = (starts, sizes)
        lazy = ssop.dynamic_slice(dask.array.from_array(X, chunks=2), *call, **FILL, fill_value=7)
        assert isinstance(lazy, dask.array.Array) and np.array_equal(lazy.compute(), right)
        strict = ssop.dynamic_slice(array_api_strict.asarray(X), *call, **FILL, fill_value=7)
        assert type(strict) is type(array_api_strict.asarray(X)) and np.array_equal(np.asarray(strict), right)
        masked = ssop.dynamic_slice(ma.array(X, mask=X % 3 == 0), *call, **FILL, fill_value=7)
        assert np.array_equal(masked.mask, padded(X % 3 == 0, *call, False)) and np.array_equal(masked.data, right)
        assert np.array_equal(ssop.dynamic_slice(X.tolist(), *call, **FILL, fill_value=7), right)


@pytest.mark.parametrize("make", [np.asarray, array_api_strict.asarray, ma.asarray], ids=["numpy", "strict", "masked"])
def test_ds_c8_values_that_do_not_fit(make):
    x = make(X)
    for label, keywords in (
        ("ds_c8", {"fill_value": 7}),
        ("ds_c8", {"fill_value": "no number", "out_of_bounds": "wrap"}),
        ("ds_c6", {"fill_value": 7, "out_of_bounds": "none"}),
        ("val_c1", FILL | {"fill_value": 7.5}),
        ("val_c2", FILL | {"fill_value": 2**63}),
        ("pad_c1", FILL | {"fill_value": np.array([7])}),
    ):
        for function, arguments in (
            (ssop.dynamic_slice, ([0, 0], [3, 3])),
            (xla.dynamic_slice_in_dim, (0, 3)),
            (xla.dynamic_index_in_dim, (5,)),
        ):
            with pytest.raises(ssop.SliceError) as info:
                function(x, *arguments, **keywords)
            assert info.value.label == label, (function, keywords)


def test_gradients_are_transposes():
    rng = np.random.default_rng(4)
    for _ in range(300):
        starts = [int(start) for start in rng.integers(-5, 6, 2)]
        sizes = [int(size) for size in rng.integers(0, 6, 2)]
        x, dy = rng.integers(-9, 9, (3, 4)), rng.integers(-9, 9, sizes)
        found = vjp.dynamic_slice(dy, [3, 4], starts, sizes, **FILL)
        assert (found * x).sum() == (dy * ssop.dynamic_slice(x, starts, sizes, **FILL)).sum()
    with pytest.raises(ssop.SliceError) as info:
        vjp.dynamic_slice([1, 2], [4], [3], [3], **FILL)
    assert info.value.label == "gr_c1"


def test_shapes_have_no_least_dim():
    assert shapes.dynamic_slice([None, 2], shapes.unknown(2), [5, 5], **FILL, mode="tight").dims == (5, 5)
    assert shapes.xla.dynamic_slice_in_dim([None, (1, 3)], None, 5, 1, **FILL, mode="tight") == shapes.PartialShape(
        [None, 5]
    )
    assert shapes.xla.dynamic_index_in_dim([0, 4], None, 0, False, **FILL).dims == (4,)
    assert ssop.infer_shape("dynamic_slice", [None], [9], [4], out_of_bounds="fill").dims == (4,)
