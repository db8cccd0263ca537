"""The reference of XLA's operations that move data against NumPy, and each of its rules met and broken.

Everything else trusts the reference, so nothing here may use the C core.
"""

import random
from math import nan

import numpy as np
import pytest

from ssop.reference import Rejected, Tensor, tensor, xla
from unit.test_reference import assert_same, breaking, counting

INT64_MAX = 2**63 - 1
POSITIVE, NOT_NEGATIVE = (1, INT64_MAX), (0, INT64_MAX)
NEGATIVE = {"allow_negative_indices": True}


def padded(a, value, config):
    """Interior by strided assignment, then edges by NumPy's pad and its own slices."""
    for axis, (low, high, interior) in enumerate(config):
        dim = a.shape[axis]
        spread = np.full((*a.shape[:axis], dim + max(dim - 1, 0) * interior, *a.shape[axis + 1 :]), value)
        spread[(slice(None),) * axis + (slice(None, None, interior + 1),)] = a
        widths = [(0, 0)] * a.ndim
        widths[axis] = (max(low, 0), max(high, 0))
        wide = np.pad(spread, widths, constant_values=value)
        a = wide[(slice(None),) * axis + (slice(max(-low, 0), wide.shape[axis] - max(-high, 0)),)]
    return a


def test_numpy_pads_the_same():
    rng = random.Random(1)
    compared = 0
    while compared < 1000:
        x, a = counting(*(rng.randint(0, 3) for _ in range(rng.randint(0, 3))))
        config = [(rng.randint(-2, 3), rng.randint(-2, 3), rng.randint(0, 2)) for _ in a.shape]
        sizes = [low + d + max(d - 1, 0) * k + high for d, (low, high, k) in zip(a.shape, config, strict=True)]
        if min(sizes, default=0) >= 0:
            assert_same(xla.pad(x, Tensor((), [-1]), config), padded(a, -1, config))
            compared += 1


def test_numpy_moves_the_same():
    rng = random.Random(2)
    for _ in range(1000):
        x, a = counting(*(rng.randint(0, 3) for _ in range(rng.randint(1, 4))))
        some, order = rng.sample(range(a.ndim), rng.randint(0, a.ndim)), rng.sample(range(a.ndim), a.ndim)
        assert_same(xla.rev(x, some), np.flip(a, some))
        assert_same(xla.transpose(x, order), a.transpose(order))
        assert_same(xla.reshape(x, [a.size]), a.reshape(a.size))
        assert_same(xla.reshape(x, a.shape[::-1], order), a.transpose(order).reshape(a.shape[::-1]))
        sizes = [rng.randint(0, 2) for _ in range(rng.randint(0, 2))]
        assert_same(xla.broadcast(x, sizes), np.broadcast_to(a, (*sizes, *a.shape)))
        first = rng.randrange(a.ndim)
        last = rng.randint(first, a.ndim - 1)
        merged = (*a.shape[:first], int(np.prod(a.shape[first : last + 1])), *a.shape[last + 1 :])
        assert_same(xla.collapse(x, range(first, last + 1)), a.reshape(merged))
        axis = rng.randrange(a.ndim)
        parts = [counting(*a.shape[:axis], rng.randint(0, 2), *a.shape[axis + 1 :]) for _ in range(rng.randint(0, 2))]
        joined = np.concatenate([a, *(array for _, array in parts)], axis)
        assert_same(xla.concatenate([x, *(part for part, _ in parts)], axis), joined)


def test_numpy_broadcasts_the_same_in_dim():
    rng = random.Random(3)
    for _ in range(1000):
        rank = rng.randint(0, 4)
        shape = [rng.randint(0, 3) for _ in range(rank)]
        axes = rng.sample(range(rank), rng.randint(0, rank))
        x, a = counting(*(rng.choice([1, shape[axis]]) for axis in axes))
        order = sorted(range(len(axes)), key=axes.__getitem__)
        aligned = a.transpose(order).reshape([a.shape[axes.index(axis)] if axis in axes else 1 for axis in range(rank)])
        assert_same(xla.broadcast_in_dim(x, shape, axes), np.broadcast_to(aligned, shape))


def test_numpy_selects_and_clamps_the_same():
    rng = random.Random(4)
    for _ in range(500):
        shape = [rng.randint(0, 3) for _ in range(rng.randint(0, 3))]
        x, a = counting(*shape)
        other, low, high = (np.array([rng.randint(-3, 9) for _ in range(a.size)], int).reshape(shape) for _ in range(3))
        chosen = np.array([rng.random() < 0.5 for _ in range(a.size)], bool).reshape(shape)
        low, high = (bound if rng.random() < 0.5 else np.array(rng.randint(-3, 9)) for bound in (low, high))
        chosen = chosen if rng.random() < 0.5 else np.array(rng.random() < 0.5)
        pred, other_x, low_x, high_x = (Tensor(b.shape, b.ravel().tolist()) for b in (chosen, other, low, high))
        assert_same(xla.select(pred, x, other_x), np.where(chosen, a, other))
        assert_same(xla.clamp(low_x, x, high_x), np.minimum(np.maximum(low, a), high))


def test_numpy_takes_the_same_in_dim():
    x, a = counting(3, 4)
    for axis in (-2, -1, 0, 1):
        dim = a.shape[axis]
        for start in (None, *range(-dim, dim + 1)):
            for limit in (None, *range(-dim, dim + 1)):
                first, last, _ = slice(start, limit).indices(dim)
                if first <= last:
                    index = [slice(None)] * 2
                    index[axis] = slice(start, limit, 2)
                    assert_same(xla.slice_in_dim(x, start, limit, 2, axis, **NEGATIVE), a[tuple(index)])
        for index in range(-dim, dim):
            assert_same(xla.index_in_dim(x, index, axis, **NEGATIVE), a.take([index], axis))
            assert_same(xla.index_in_dim(x, index, axis, False, **NEGATIVE), a.take(index, axis))
        for index in range(-dim - 3, dim + 3):
            inside = min(max(index + dim if index < 0 else index, 0), dim - 1)
            assert_same(xla.dynamic_index_in_dim(x, index, axis, False, **NEGATIVE), a.take(inside, axis))
            assert_same(xla.dynamic_index_in_dim(x, index, axis, **NEGATIVE), a.take([inside], axis))
            clamped = min(max(index, 0), dim - 2)
            assert_same(xla.dynamic_slice_in_dim(x, index, 2, axis), a.take([clamped, clamped + 1], axis))
            wrapped = [index % dim, (index + 1) % dim]
            assert_same(xla.dynamic_slice_in_dim(x, index, 2, axis, "wrap"), a.take(wrapped, axis))
            updated = np.array(a)
            np.moveaxis(updated, axis, 0)[inside, :2] = [70, 80]
            update = Tensor((2,), [70, 80])
            assert_same(xla.dynamic_update_index_in_dim(x, update, index, axis, **NEGATIVE), updated)
            wide = Tensor((1, 2) if axis in (0, -2) else (2, 1), [70, 80])
            assert_same(xla.dynamic_update_slice_in_dim(x, wide, index, axis, **NEGATIVE), updated)


# ---- what each rule says, on numbers that can be checked by eye ------------------------------------------------------

LINE = tensor([0, 1, 2, 3, 4], (5,))
GRID = tensor([[0, 1, 2], [3, 4, 5]], (2, 3))
SCALAR = Tensor((), [7])
ONES = Tensor((1,) * 60, [0])
LONG = Tensor((0, 2**62), [])
WIDE = Tensor((1, 4), [0, 1, 2, 3])

MEETS = {
    "pad_s1": (xla.pad, (GRID, SCALAR, [(1, 0, 0), (0, 1, 1)]), [[7] * 6, [0, 7, 1, 7, 2, 7], [3, 7, 4, 7, 5, 7]]),
    "pad_s2": (xla.pad, (LINE, SCALAR, [(-1, 1, 1)]), [7, 1, 7, 2, 7, 3, 7, 4, 7]),
    "pad_s3": (xla.pad, (Tensor((0,), []), SCALAR, [(1, 2, 9)]), [7, 7, 7]),
    "rev_s1": (xla.rev, (GRID, [1]), [[2, 1, 0], [5, 4, 3]]),
    "cat_s1": (xla.concatenate, ([LINE, Tensor((0,), []), LINE], 0), [0, 1, 2, 3, 4] * 2),
    "bc_s1": (xla.broadcast, (LINE, [2]), [[0, 1, 2, 3, 4]] * 2),
    "bid_s1": (xla.broadcast_in_dim, (Tensor((1, 2), [5, 6]), (2, 2, 2), [0, 2]), [[[5, 6]] * 2] * 2),
    "bid_s2": (xla.broadcast_in_dim, (GRID, (3, 2), [1, 0]), [[0, 3], [1, 4], [2, 5]]),
    "bid_s2 square": (xla.broadcast_in_dim, (Tensor((2, 2), [1, 2, 3, 4]), (2, 2), [1, 0]), [[1, 3], [2, 4]]),
    "rs_s1": (xla.reshape, (GRID, [3, 2]), [[0, 1], [2, 3], [4, 5]]),
    "rs_s2": (xla.reshape, (GRID, [6], [1, 0]), [0, 3, 1, 4, 2, 5]),
    "col_s1": (xla.collapse, (GRID, [0, 1]), [0, 1, 2, 3, 4, 5]),
    "col_s2": (xla.collapse, (GRID, []), [[0, 1, 2], [3, 4, 5]]),
    "tr_s1": (xla.transpose, (GRID, [1, 0]), [[0, 3], [1, 4], [2, 5]]),
    "sel_s1": (xla.select, (Tensor((2,), [False, True]), Tensor((2,), [1, 2]), Tensor((2,), [3, 4])), [3, 2]),
    "sel_s2": (xla.select, (Tensor((), [False]), SCALAR, Tensor((), [8])), 8),
    "cl_s1": (xla.clamp, (Tensor((), [1]), LINE, Tensor((), [3])), [1, 1, 2, 3, 3]),
    "cl_s2": (xla.clamp, (Tensor((), [3]), LINE, Tensor((), [1])), [1, 1, 1, 1, 1]),
    "dim_s1": (xla.dynamic_slice_in_dim, (GRID, 9, 1, -1), [[2], [5]]),
    "dim_s2": (xla.dynamic_slice_in_dim, (LINE, -9, 2, 0, "clamp", True), [0, 1]),
    "dim_s2 an update": (xla.dynamic_update_slice_in_dim, (GRID, Tensor((1, 1), [7]), 1, 0), [[0, 1, 2], [7, 4, 5]]),
    "dim_s2 a slice": (xla.slice_in_dim, (LINE, -3, -1, 1, 0, True), [2, 3]),
    "dim_s3": (xla.slice_in_dim, (LINE, None, None, 2), [0, 2, 4]),
    "dim_s4": (xla.index_in_dim, (GRID, -1, 1, False, True), [2, 5]),
    "dim_s4 dynamic": (xla.dynamic_index_in_dim, (GRID, 9, 0, False), [3, 4, 5]),
    "dim_s5": (xla.dynamic_update_index_in_dim, (GRID, Tensor((2,), [7, 8]), 9, 1), [[0, 1, 7], [3, 4, 8]]),
    "dim_s5 as many axes": (xla.dynamic_update_index_in_dim, (GRID, GRID, 9, 1), [[0, 1, 2], [3, 4, 5]]),
}


@pytest.mark.parametrize(("function", "args", "expected"), MEETS.values(), ids=MEETS)
def test_rule_is_met(function, args, expected):
    assert_same(function(*args), np.array(expected))


def test_cl_s1_a_nan_stays():
    number, missing = Tensor((1,), [1.0]), Tensor((1,), [nan])
    for args in ((missing, number, number), (number, missing, number), (number, number, missing)):
        (item,) = xla.clamp(*args).items
        assert item != item


# ---- every rule broken once: (label, axis, entry, value, allowed) and the call that breaks it ------------------------

BREAKS = [
    breaking("pad_c7", None, 1, 2, (3, 3), xla.pad, LINE, LINE, [(0, 0, -1), (0, 0)]),
    breaking("pad_c1", None, None, (5,), None, xla.pad, LINE, LINE, []),
    breaking("pad_c2", None, None, 1, (2, 2), xla.pad, GRID, SCALAR, [(0, 0, -1)]),
    breaking("pad_c4", 1, 1, -1, NOT_NEGATIVE, xla.pad, GRID, SCALAR, [(-9, 0, 0), (0, 0, -1)]),
    breaking("pad_c5", 0, 0, 2**61, None, xla.pad, LINE, SCALAR, [(-(2**63), 0, 2**61)]),
    breaking("pad_c5", 0, 0, 0, None, xla.pad, GRID, SCALAR, [(2**62, 2**62, 0), (-9, 0, 0)]),
    breaking("pad_c5", 0, 0, 0, None, xla.pad, LINE, SCALAR, [(-(2**63), -6, 0)]),
    breaking("pad_c6", 0, 0, -(2**63), NOT_NEGATIVE, xla.pad, LINE, SCALAR, [(-(2**63), -5, 0)]),
    breaking("pad_c6", 1, 1, -1, NOT_NEGATIVE, xla.pad, GRID, SCALAR, [(0, 0, 0), (-5, 1, 0)]),
    breaking("rev_c1", None, 2, 0, None, xla.rev, GRID, [9, 0, 0]),
    breaking("rev_c2", None, 1, -1, (0, 1), xla.rev, GRID, [1, -1]),
    breaking("cat_c1", None, None, None, None, xla.concatenate, [], 9),
    breaking("cat_c2", None, None, -1, (0, 1), xla.concatenate, [GRID, LINE], -1),
    breaking("cat_c2", None, None, 0, (0, -1), xla.concatenate, [SCALAR], 0),
    breaking("cat_c3", None, 1, 1, (2, 2), xla.concatenate, [GRID, LINE, WIDE], 0),
    breaking("cat_c5", 1, 1, 4, (3, 3), xla.concatenate, [GRID, WIDE, LINE], 0),
    breaking("cat_c6", 1, 1, 2**62, None, xla.concatenate, [LONG, LONG, SCALAR], 1),
    breaking("bc_c1", None, 1, -1, NOT_NEGATIVE, xla.broadcast, ONES, [1, -1, 1, 1, 1]),
    breaking("bc_c2", None, None, 65, (0, 64), xla.broadcast, ONES, [1] * 5),
    breaking("in_c9", None, None, 65, (0, 64), xla.broadcast_in_dim, LINE, [-1] * 65, []),
    breaking("in_c10", 1, None, -1, NOT_NEGATIVE, xla.broadcast_in_dim, LINE, [5, -1], []),
    breaking("bid_c1", None, None, 1, (2, 2), xla.broadcast_in_dim, GRID, [3], [9]),
    breaking("bid_c2", None, 1, 2, (0, 1), xla.broadcast_in_dim, GRID, [9, 3], [0, 2]),
    breaking("bid_c3", None, None, 2, (0, 1), xla.broadcast_in_dim, GRID, [2], [0, 0]),
    breaking("bid_c4", 1, 1, 3, None, xla.broadcast_in_dim, GRID, [2, 4], [0, 1]),
    breaking("bid_c5", None, 1, 0, None, xla.broadcast_in_dim, Tensor((1, 1), [0]), [1, 1], [0, 0]),
    breaking("tr_c1", None, None, 1, (2, 2), xla.transpose, GRID, [9]),
    breaking("tr_c2", None, 1, -1, (0, 1), xla.transpose, GRID, [0, -1]),
    breaking("tr_c3", None, 1, 0, None, xla.transpose, GRID, [0, 0]),
    breaking("in_c10", 0, None, -2, NOT_NEGATIVE, xla.reshape, GRID, [-2, -3], [0, 0]),
    breaking("rs_c2", None, None, None, None, xla.reshape, GRID, [2**40, 2**40], [0, 0]),
    breaking("rs_c1", None, None, 5, (6, 6), xla.reshape, GRID, [5], [0, 0]),
    breaking("tr_c3", None, 1, 0, None, xla.reshape, GRID, [6], [0, 0]),
    breaking("col_c1", None, 1, 0, (2, 2), xla.collapse, GRID, [1, 0]),
    breaking("col_c1", None, 2, 9, (2, 2), xla.collapse, GRID, [0, 1, 9]),
    breaking("col_c2", None, 1, 2, (0, 1), xla.collapse, GRID, [1, 2]),
    breaking("col_c3", 1, None, None, None, xla.collapse, Tensor((0, 2**62, 2), []), [1, 2]),
    breaking("sel_c1", None, None, (2, 3), None, xla.select, Tensor((2,), [1, 0]), LINE, GRID),
    breaking("sel_c4", None, None, (2,), None, xla.select, Tensor((2,), [1, 0]), LINE, LINE),
    breaking("cl_c2", None, None, (2, 3), None, xla.clamp, GRID, LINE, WIDE),
    breaking("cl_c2", None, None, (5,), None, xla.clamp, SCALAR, SCALAR, LINE),
    breaking("dim_c1", None, None, 2, (-2, 1), xla.slice_in_dim, GRID, 9, 0, 0, 2),
    breaking("sl_c4", 1, None, -9, (0, 3), xla.slice_in_dim, GRID, -9, None, 0, 1, **NEGATIVE),
    breaking("sl_c4", 1, None, -1, (0, 3), xla.slice_in_dim, GRID, -1, 9, 0, -1),
    breaking("sl_c5", 0, None, 3, (0, 2), xla.slice_in_dim, GRID, 9, 3, 0),
    breaking("sl_c6", 0, None, -2, (1, 2), xla.slice_in_dim, GRID, 1, -2, 0, **NEGATIVE),
    breaking("sl_c7", 0, None, 0, POSITIVE, xla.slice_in_dim, GRID, 1, 1, 0),
    breaking("dim_c2", 1, None, -1, (0, 2), xla.index_in_dim, GRID, -1, -1),
    breaking("dim_c2", 1, None, -4, (-3, 2), xla.index_in_dim, GRID, -4, 1, **NEGATIVE),
    breaking("ds_c6", None, None, "none", None, xla.dynamic_slice_in_dim, GRID, 0, -1, 9, "none"),
    breaking("ds_c8", None, None, 7, None, xla.dynamic_slice_in_dim, GRID, 0, -1, 9, "clamp", False, 7),
    breaking("dim_c1", None, None, 9, (-2, 1), xla.dynamic_slice_in_dim, GRID, 0, -1, 9),
    breaking("ds_c3", 1, None, -1, (0, 3), xla.dynamic_slice_in_dim, GRID, 0, -1, 1),
    breaking("ds_c4", 0, None, 1, (0, 0), xla.dynamic_index_in_dim, Tensor((0,), []), 0),
    breaking("ds_c5", 1, None, -4, (0, 2), xla.dynamic_index_in_dim, GRID, -4, 1, True, "raise", True),
    breaking("dus_c2", None, None, 1, (2, 2), xla.dynamic_update_slice_in_dim, GRID, LINE, 0, 0),
    breaking("dus_c3", 1, None, 4, (0, 3), xla.dynamic_update_slice_in_dim, GRID, WIDE, 0, 0),
    breaking("dus_c5", 0, None, 1, (0, 0), xla.dynamic_update_slice_in_dim, GRID, GRID, 1, 0, "raise"),
    breaking("ds_c6", None, None, "fill", None, xla.dynamic_update_index_in_dim, GRID, LINE, 0, 9, "fill"),
    breaking("dim_c1", None, None, -3, (-2, 1), xla.dynamic_update_index_in_dim, GRID, SCALAR, 0, -3),
    breaking("dus_c2", None, None, 0, (2, 2), xla.dynamic_update_index_in_dim, GRID, SCALAR, 0, 0),
    breaking("dus_c3", 1, None, 5, (0, 3), xla.dynamic_update_index_in_dim, GRID, LINE, 0, 0),
]


@pytest.mark.parametrize(("expected", "function", "args", "kwargs"), BREAKS)
def test_rule_is_broken(expected, function, args, kwargs):
    with pytest.raises(Rejected) as caught:
        function(*args, **kwargs)
    error = caught.value
    assert (error.label, error.axis, error.entry, error.value, error.allowed) == expected


def test_every_label_of_xla_is_broken():
    families = dict(pad=7, rev=2, cat=8, bc=2, bid=5, rs=2, col=3, tr=3, sel=4, cl=3, dim=2)
    labels = {f"{family}_c{n}" for family, last in families.items() for n in range(1, last + 1)}
    broken = {param.values[0][0] for param in BREAKS}
    assert labels - broken == {
        "pad_c3",
        "cat_c4",
        "cat_c7",
        "cat_c8",
        "sel_c2",
        "sel_c3",
        "cl_c1",
        "cl_c3",
    }  # of dtypes and objects
    shared = {"in_c9", "in_c10", "sl_c4", "sl_c5", "sl_c6", "sl_c7", "ds_c3", "ds_c4", "ds_c5", "ds_c6", "ds_c8"}
    assert broken - labels == shared | {"dus_c2", "dus_c3", "dus_c5"}
