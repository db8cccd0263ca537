"""`ssop.xla.gather` and `ssop.xla.scatter` against the reference, each rule met and broken, dtypes and layouts."""

import random

import ml_dtypes
import numpy as np
import pytest

import ssop
from ssop.reference import Rejected, Tensor, xla
from unit.error_cases_xla_gathering import CASES

ONE = {"update_window_dims": [], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0]}
"""Single elements of a vector."""


def drawn(rng):
    """A shape, the shape of the indices, slice sizes and dimension numbers that fit together."""
    rank = rng.randint(0, 3)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 4) for _ in range(rank)]
    axes = rng.sample(range(rank), rank)
    batching = sorted(axes[: rng.randint(0, min(2, rank))]) if rng.random() < 0.4 else []
    rest = [axis for axis in axes if axis not in batching]
    dropped = sorted(rest[: rng.randint(0, len(rest))])
    sizes = [min(1, dim) if a in batching or a in dropped else rng.randint(0, dim) for a, dim in enumerate(shape)]
    index_map = rng.sample(rest, rng.randint(0, len(rest)))
    slices = [rng.randint(0 if rng.random() < 0.05 else 1, 3) for _ in range(rng.randint(0, 2))]
    places = []
    for axis in batching:
        place = rng.randint(0, len(slices))
        slices.insert(place, shape[axis])
        places = [p + (p >= place) for p in places] + [place]
    at = rng.randint(0, len(slices))
    indices_shape = [*slices[:at], len(index_map), *slices[at:]]
    places = [p + (p >= at) for p in places]
    if len(index_map) == 1 and rng.random() < 0.3:
        places, at, indices_shape = [p - (p > at) for p in places], len(slices), slices
    count = rank - len(batching) - len(dropped)
    window = sorted(rng.sample(range(len(slices) + count), count))
    return shape, indices_shape, sizes, window, dropped, index_map, at, batching, places, slices


def arrays(rng, shape, indices_shape):
    values = [rng.randint(-99, 99) for _ in range(int(np.prod(shape)))]
    starts = [rng.randint(-2, 5) for _ in range(int(np.prod(indices_shape)))]
    return Tensor(tuple(shape), values), Tensor(tuple(indices_shape), starts)


def tensor_of(x):
    return Tensor(x.shape, x.ravel().tolist())


def array(tensor, dtype="i4"):
    return np.array(tensor.items, dtype).reshape(tensor.shape)


def test_gather_is_that_of_the_reference():
    """ga_s1, ga_s2, ga_s3: every kind of dimension numbers, indices inside and outside."""
    rng = random.Random(1)
    sizes_met = set()
    for _ in range(400):
        shape, indices_shape, sizes, window, dropped, index_map, at, batching, places, _ = drawn(rng)
        x, indices = arrays(rng, shape, indices_shape)
        numbers = {
            "offset_dims": window, "collapsed_slice_dims": dropped, "start_index_map": index_map,
            "index_vector_dim": at, "operand_batching_dims": batching, "start_indices_batching_dims": places,
        }  # fmt: skip
        if any(sizes[axis] == 0 for axis in dropped):
            continue  # ga_c12, unless the result is empty
        wanted = xla.gather(x, indices, sizes, **numbers)
        result = ssop.xla.gather(array(x), array(indices, "i2"), sizes, **numbers)
        assert result.shape == wanted.shape and result.ravel().tolist() == wanted.items
        assert result.dtype == np.int32 and result.flags.c_contiguous
        sizes_met.add(result.size > 0)
    assert sizes_met == {True, False}


def test_scatter_is_that_of_the_reference():
    """sct_s1, sct_s2, sct_s3: every kind of dimension numbers; functions that are known, others, and none."""
    rng = random.Random(2)
    for number in range(400):
        shape, indices_shape, sizes, window, dropped, index_map, at, batching, places, slices = drawn(rng)
        x, indices = arrays(rng, shape, indices_shape)
        kept = [axis for axis in range(len(shape)) if axis not in (*batching, *dropped)]
        rank = len(slices) + len(window)
        lengths = dict(zip([a for a in range(rank) if a not in window], slices, strict=True))
        lengths |= {place: sizes[axis] for place, axis in zip(window, kept, strict=True)}
        update, _ = arrays(rng, [lengths[axis] for axis in range(rank)], [0])
        numbers = {
            "update_window_dims": window, "inserted_window_dims": dropped, "scatter_dims_to_operand_dims": index_map,
            "index_vector_dim": at, "input_batching_dims": batching, "scatter_indices_batching_dims": places,
        }  # fmt: skip
        known, plain = [
            (ssop.xla.add, lambda old, new: [old + new]),
            (ssop.xla.max, lambda old, new: [max(old, new)]),
            (None, lambda old, new: [new]),
            (lambda old, new: old - 2 * new, lambda old, new: [old - 2 * new]),
        ][number % 4]
        (wanted,) = xla.scatter([x], indices, [update], plain, **numbers)
        result = ssop.xla.scatter(array(x, "i8"), array(indices), array(update, "i8"), known, **numbers)
        assert result.shape == wanted.shape and result.ravel().tolist() == wanted.items
        assert result.dtype == np.int64 and result.flags.c_contiguous


def test_several_operands_are_scattered_together():
    """sct_s1: the computation sees an element of each operand and then one of each update."""
    best, where = np.array([5.0, 1.0, 7.0]), np.array([0, 0, 0])
    new, places = np.array([6.0, 2.0, 9.0, 3.0]), np.array([10, 11, 12, 13])

    def greater(old, old_place, update, place):
        taken = update > old
        return np.where(taken, update, old), np.where(taken, place, old_place)

    results = ssop.xla.scatter((best, where), np.array([0, 1, 1, 2]), (new, places), greater, index_vector_dim=1, **ONE)
    assert isinstance(results, tuple)
    assert [x.tolist() for x in results] == [[6.0, 9.0, 7.0], [10, 12, 0]]
    assert best.tolist() == [5.0, 1.0, 7.0]


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "c8", "bfloat16", "int4", "float8_e4m3fn"])
def test_every_kind_of_elements(dtype):
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    x = np.array([1, 0, 1, 1]).astype(dtype)
    rows = {"offset_dims": [], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}
    gathered = ssop.xla.gather(x, np.array([1, 2, 2**64 - 1], np.uint64), [1], **rows)
    assert gathered.dtype == dtype and gathered.real.astype("i4").tolist() == [0, 1, 1]
    for computation in (None, ssop.xla.add, ssop.xla.max):
        if computation is ssop.xla.max and dtype.kind == "c":
            continue
        result = ssop.xla.scatter(x, np.array([1, 9]), x[2:], computation, index_vector_dim=1, **ONE)
        assert result.dtype == dtype and result.real.astype("i4").tolist() == [1, 1, 1, 1]


def test_signs_of_zeros_and_nan_are_those_of_xla():
    x, updates = np.array([-0.0, 0.0, 1.0]), np.array([0.0, -0.0, np.nan])
    result = ssop.xla.scatter(x, np.array([0, 1, 2]), updates, ssop.xla.max, index_vector_dim=1, **ONE)
    assert np.signbit(result[:2]).tolist() == [False, False] and np.isnan(result[2])


def test_operands_and_indices_of_any_layout():
    x, indices = np.arange(24.0).reshape(4, 6)[::-1, ::2], np.array([[3, 9], [0, 9]])[:, :1]
    rows = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}
    out = np.zeros((3, 2)).T
    assert ssop.xla.gather(x, indices, [1, 3], **rows, out=out) is out
    assert out.tolist() == x[[3, 0]].tolist()
    other = x.astype(">f8")
    assert ssop.xla.gather(other, indices.astype(">i8"), [1, 3], **rows).tolist() == out.tolist()


OF_NUMBERS = [case for case in CASES if case.label not in ("ga_c1", "sct_c1", "sct_c5")]
"""Dtypes are not the business of the reference."""


@pytest.mark.parametrize("case", OF_NUMBERS, ids=lambda case: f"{case.label}-{case.op}")
def test_the_reference_rejects_the_same(case):
    function, *arguments, numbers = case.call
    name = function.__name__
    if name == "gather":
        made = [tensor_of(x) if isinstance(x, np.ndarray) else x for x in arguments]
    else:
        operands, indices, updates = [x if isinstance(x, tuple) else (x,) for x in arguments]
        made = [[*map(tensor_of, operands)], tensor_of(*indices), [*map(tensor_of, updates)], lambda old, new: [new]]
    with pytest.raises(Rejected) as info:
        getattr(xla, name)(*made, **numbers)
    error = info.value
    assert (error.label, error.axis, error.entry, error.value, error.allowed) == (
        case.label, case.axis, case.entry, case.value, case.allowed,
    )  # fmt: skip
