"""The operations of `ssop.xla` on arrays of other libraries: the result stays theirs, or is an error (in_c7)."""

import subprocess
import sys

import array_api_strict
import dask.array as da
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import xla

X = np.arange(24).reshape(4, 6)
MAKERS = {"dask": da.from_array, "array_api_strict": array_api_strict.asarray, "masked": ma.array}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def plain(result):
    if isinstance(result, da.Array):
        return result.compute()
    return np.asarray(result) if isinstance(result, np.ndarray) else np.from_dlpack(result)


def operations(make):
    """Name -> (call, what it gives)."""
    x = make(X)
    pad = [(1, -1, 0), (0, 2, 1)]
    return {
        "slice_in_dim": (lambda: xla.slice_in_dim(x, 1, None, 2, -1), X[:, 1::2]),
        "index_in_dim": (lambda: xla.index_in_dim(x, 3, keepdims=False), X[3]),
        "dynamic_slice_in_dim": (lambda: xla.dynamic_slice_in_dim(x, 9, 2), X[2:]),
        "dynamic_index_in_dim": (lambda: xla.dynamic_index_in_dim(x, 9, 1, False), X[:, 5]),
        "update_slice": (lambda: xla.dynamic_update_slice_in_dim(x, make(X[:1, :2]), 9, 0), changed(X[:1, :2])),
        "update_index": (lambda: xla.dynamic_update_index_in_dim(x, make(X[0]), 9, 0), changed(X[:1])),
        "update_list": (lambda: xla.dynamic_update_index_in_dim(x, [7, 8], 3, 0), changed([[7, 8]])),
        "pad": (lambda: xla.pad(x, -1, pad), xla.pad(X, -1, pad)),
        "pad_with_its_own": (lambda: xla.pad(x, make(np.array(5)), pad), xla.pad(X, 5, pad)),
        "crop": (lambda: xla.pad(x, -1, [(-1, -1, 0), (-9, 9, 0)]), np.full((2, 6), -1)),
        "rev": (lambda: xla.rev(x, [0, 1]), X[::-1, ::-1]),
        "concatenate": (lambda: xla.concatenate([x, x, make(X[:1])], 0), np.concatenate([X, X, X[:1]])),
        "broadcast": (lambda: xla.broadcast(x, [2, 3]), np.broadcast_to(X, (2, 3, 4, 6))),
        "broadcast_in_dim": (lambda: xla.broadcast_in_dim(x, [6, 2, 4], [2, 0]), np.stack([X.T, X.T], 1)),
        "repeat": (lambda: xla.broadcast_in_dim(make(X[:, :1]), [3, 4], [1, 0]), np.stack([X[:, 0]] * 3)),
        "reshape": (lambda: xla.reshape(x, [3, 8], [1, 0]), X.T.reshape(3, 8)),
        "collapse": (lambda: xla.collapse(x, [0, 1]), X.ravel()),
        "transpose": (lambda: xla.transpose(x, [1, 0]), X.T),
        "select": (lambda: xla.select(make(X > 7), x, make(-X)), np.where(X > 7, X, -X)),
        "select_scalar": (lambda: xla.select(True, x, x), X),
        "clamp": (lambda: xla.clamp(3, x, make(np.array(9))), X.clip(3, 9)),
        # Nothing to do but to copy.
        "rev_nothing": (lambda: xla.rev(x, []), X),
        "concatenate_one": (lambda: xla.concatenate([x], 0), X),
        "broadcast_nothing": (lambda: xla.broadcast(x, []), X),
        "reshape_to_itself": (lambda: xla.reshape(x, X.shape), X),
        "transpose_nothing": (lambda: xla.transpose(x, [0, 1]), X),
    }


def changed(update):
    expected = X.copy()
    expected[3:, : np.shape(update)[1]] = update
    return expected


@every_maker
@pytest.mark.parametrize("name", operations(np.asarray))
def test_stays_in_its_library(make, name):
    call, expected = operations(make)[name]
    result = call()
    assert isinstance(result, type(make(X)))  # or of a subclass: see _lazy/dask_arrays.py
    assert result.shape == expected.shape and result.dtype == make(X).dtype
    assert np.array_equal(plain(result), expected)


def test_dask_computes_nothing():
    def never(block):
        raise AssertionError("computed")

    def make(x):
        return da.map_blocks(never, da.from_array(x, chunks=3), dtype=x.dtype)

    for name, (call, _) in operations(make).items():
        assert isinstance(call(), da.Array), name


def test_masked_arrays_keep_their_masks():
    mask = X % 5 == 0
    x = ma.array(X, mask=mask)

    def hidden(function, *args):
        result, expected = function(x, *args), function(mask, *args)
        assert np.array_equal(ma.getmaskarray(result), expected)
        assert not np.shares_memory(result.data, X) and np.array_equal(x.mask, mask)

    hidden(xla.rev, [1])
    hidden(xla.transpose, [1, 0])
    hidden(xla.reshape, [3, 8], [1, 0])
    hidden(xla.collapse, [0, 1])
    hidden(xla.broadcast, [2])
    hidden(xla.broadcast_in_dim, [6, 2, 4], [2, 0])
    hidden(xla.slice_in_dim, 1, 3)
    hidden(xla.index_in_dim, 1, 1, False)
    hidden(xla.dynamic_slice_in_dim, 9, 2)
    padded = xla.pad(x, 7, [(1, 0, 1), (0, 0, 0)])
    assert np.array_equal(ma.getmaskarray(padded), xla.pad(mask, False, [(1, 0, 1), (0, 0, 0)]))
    joined = xla.concatenate([x, X], 0)  # NumPy's arrays have no mask: nothing is lost
    assert np.array_equal(ma.getmaskarray(joined), np.concatenate([mask, mask & False]))
    chosen = xla.select(X > 7, x, X)
    assert np.array_equal(ma.getmaskarray(chosen), mask & (X > 7))
    assert np.array_equal(ma.getmaskarray(xla.clamp(3, x, 9)), mask)


def one_of_another_dtype(make):
    """Without axes. Masked ones are NumPy's, which converts but for records."""
    return np.zeros((), "V2") if make is ma.array else make(np.int16([0])[0:1].reshape(()))


@every_maker
def test_checks_come_from_the_core(make):
    x = make(X)
    broken = {
        "dim_c1": lambda: xla.index_in_dim(x, 0, 2),
        "dim_c2": lambda: xla.index_in_dim(x, 4),
        "sl_c4": lambda: xla.slice_in_dim(x, -1, 3),
        "ds_c4": lambda: xla.dynamic_slice_in_dim(x, 0, 5),
        "dus_c3": lambda: xla.dynamic_update_index_in_dim(x, make(np.arange(9)), 0, 0),
        "dus_c4": lambda: xla.dynamic_update_slice_in_dim(x, make(X.astype(np.int16)), 0, 0),
        "pad_c1": lambda: xla.pad(x, [0], [(0, 0, 0)] * 2),
        "pad_c2": lambda: xla.pad(x, 0, [(0, 0, 0)]),
        "pad_c3": lambda: xla.pad(x, one_of_another_dtype(make), [(0, 0, 0)] * 2),
        "rev_c2": lambda: xla.rev(x, [2]),
        "cat_c1": lambda: xla.concatenate(x[:0, :] if make is ma.array else [], 0),
        "cat_c2": lambda: xla.concatenate([x], 2),
        "cat_c4": lambda: xla.concatenate([x, make(X.astype(np.int16))], 0),
        "cat_c5": lambda: xla.concatenate([x, x[:, 1:]], 0),
        "bc_c1": lambda: xla.broadcast(x, [-1]),
        "bid_c4": lambda: xla.broadcast_in_dim(x, [5, 6], [0, 1]),
        "rs_c1": lambda: xla.reshape(x, [5]),
        "tr_c3": lambda: xla.transpose(x, [1, 1]),
        "col_c1": lambda: xla.collapse(x, [1, 0]),
        "sel_c1": lambda: xla.select(True, x, x[:2, :]),
        "sel_c3": lambda: xla.select(x, x, x),
        "sel_c4": lambda: xla.select(make(X > 7)[:2, :], x, x),
        "cl_c1": lambda: xla.clamp(make(X.astype(np.int16)), x, 1),
        "cl_c2": lambda: xla.clamp(0, x, make(np.arange(3))),
    }
    found = {}
    for label, call in broken.items():
        with pytest.raises(ssop.SliceError) as info:
            call()
        found[label] = info.value.label
        assert info.value.op.startswith("xla.")
    assert found == {label: label for label in broken}


@every_maker
def test_what_is_rejected(make):
    x, out = make(X), np.full_like(X, -1)
    calls = [
        lambda: xla.rev(x, [0], out=out),
        lambda: xla.pad(x, 0, [(0, 0, 0)] * 2, out=out),
        lambda: xla.concatenate([x], 0, out=out),
        lambda: xla.broadcast(x, [], out=out),
        lambda: xla.broadcast_in_dim(x, [4, 6], [0, 1], out=out),
        lambda: xla.reshape(x, [4, 6], out=out),
        lambda: xla.collapse(x, [], out=out),
        lambda: xla.transpose(x, [0, 1], out=out),
        lambda: xla.slice_in_dim(x, 0, 4, out=out),
        lambda: xla.index_in_dim(x, 0, out=out),
        lambda: xla.dynamic_slice_in_dim(x, 0, 4, out=out),
        lambda: xla.dynamic_index_in_dim(x, 0, out=out),
        lambda: xla.dynamic_update_slice_in_dim(x, x, 0, 0, out=out),
        lambda: xla.dynamic_update_index_in_dim(x, x, 0, 0, out=out),
        lambda: xla.dynamic_slice_in_dim(x, 3, 2, out_of_bounds="wrap"),
        lambda: xla.dynamic_update_slice_in_dim(x, x[:2, :], 3, 0, out_of_bounds="wrap"),
        lambda: xla.dynamic_update_slice_in_dim(X, x, 0, 0),
        lambda: xla.dynamic_update_index_in_dim(X, x, 0, 0),
        lambda: xla.pad(X, x, [(0, 0, 0)] * 2),
    ]
    for call in calls:
        with pytest.raises(ssop.SliceTypeError) as info:
            call()
        assert info.value.label == "in_c7"
    assert (out == -1).all()


def test_libraries_do_not_mix():
    dask, strict = da.from_array(X), array_api_strict.asarray(X)
    for call in (
        lambda: xla.concatenate([dask, X], 0),
        lambda: xla.select(True, dask, X),
        lambda: xla.clamp(np.int64(0), dask, 5),
        lambda: xla.select(True, dask, strict),
    ):
        with pytest.raises(ssop.SliceTypeError) as info:
            call()
        assert info.value.label == "in_c7"


def test_a_library_without_the_function():
    class Array:
        __module__ = "cupy._core"  # which is not loaded
        shape, dtype = (4, 6), np.dtype(int)

    for call in (
        lambda: xla.transpose(Array(), [1, 0]),
        lambda: xla.reshape(Array(), [24]),
        lambda: xla.broadcast(Array(), [2]),
        lambda: xla.concatenate([Array()], 0),
    ):
        with pytest.raises(ssop.SliceTypeError, match="has no function") as info:
            call()
        assert info.value.label == "in_c7"


class Converts:
    def __array__(self, dtype=None, copy=None):
        return X


def test_what_only_converts_is_converted():
    x = Converts()
    pad = [(0, 0, 0)] * 2
    for result, expected in (
        (xla.slice_in_dim(x, 1, 3), X[1:3]),
        (xla.index_in_dim(x, 1), X[1:2]),
        (xla.dynamic_slice_in_dim(x, 9, 2), X[2:]),
        (xla.dynamic_index_in_dim(x, 9), X[3:]),
        (xla.dynamic_update_slice_in_dim(x, [[0]], 0, 0), X),
        (xla.dynamic_update_index_in_dim(x, Converts(), 0, 0), X),
        (xla.pad(x, 0, pad), X),
        (xla.rev(x, [0]), X[::-1]),
        (xla.concatenate([x, X], 0), np.concatenate([X, X])),
        (xla.broadcast(x, []), X),
        (xla.broadcast_in_dim(x, [4, 6], [0, 1]), X),
        (xla.reshape(x, [24]), X.ravel()),
        (xla.collapse(x, [0, 1]), X.ravel()),
        (xla.transpose(x, [1, 0]), X.T),
        (xla.select(True, x, X), X),
        (xla.clamp(0, x, 5), X.clip(0, 5)),
    ):
        assert type(result) is np.ndarray and np.array_equal(result, expected)


@pytest.mark.parametrize("first", ["ssop._lazy.libraries", "ssop._lazy.operations", "ssop._elementwise", "ssop.xla"])
def test_modules_can_be_imported_in_any_order(first):
    code = f"import {first}, ssop; from ssop._lazy import operations; operations.xla_pad; ssop.xla.select"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scalars_and_lists_keep_their_values_beside_an_array_of_another_type():
    """They do not take the dtype of the predicate or of a bound: 7 would become True, and 1.5 would become 1."""
    chosen = xla.select(da.from_array(np.array([True, False])), [7, 8], [1, 2])
    assert isinstance(chosen, da.Array) and chosen.compute().tolist() == [7, 2]
    with pytest.raises(ssop.SliceTypeError) as info:
        xla.clamp(da.from_array(np.array(0)), [1.5, 2.5], 9)
    assert info.value.label == "cl_c1"


@every_maker
@pytest.mark.parametrize("name", sorted(operations(np.asarray)))
def test_a_result_shares_no_memory_with_its_operand(make, name):
    x = make(X.copy())
    calls = operations(lambda a: x if a is X else make(a))
    result = calls[name][0]()
    result[...] = make(np.full(result.shape, -9))
    assert np.array_equal(plain(x), X)
