"""`ssop.roll` against numpy.roll and the reference."""

import array_api_strict
import dask.array
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import reference, shapes

X = np.arange(12).reshape(3, 4)
DTYPES = ("i1", "f4", "c16", "O", "M8[s]", "U3", "i4,f8")
ARGUMENTS = [(5,), (-13,), (0,), (1, 0), (-9, -1), ((1, 2), (0, 1)), ((1, 2), 0), (3, (0, 1)), ((1, 2),), (1, ())]


def random_arguments(rng, rank):
    count = int(rng.integers(1, 4))
    shifts = [int(shift) for shift in rng.integers(-9, 9, count)]
    shift = [shifts, tuple(shifts), shifts[0], np.array(shifts)][rng.integers(4)]
    if rank == 0 or rng.random() < 0.4:
        return (shift,)
    axes = [int(axis) for axis in rng.integers(-rank, rank, count)]
    return shift, [axes, tuple(axes), axes[0], np.array(axes)][rng.integers(4)]


def test_np_s4_numpy_gives_the_same():
    """Also np_s5: flattened."""
    rng = np.random.default_rng(5)
    for number in range(1000):
        shape = tuple(int(dim) for dim in rng.integers(0 if rng.random() < 0.2 else 1, 5, rng.integers(0, 4)))
        x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(DTYPES[number % len(DTYPES)])
        x = x.T if rng.random() < 0.5 else x
        arguments = random_arguments(rng, x.ndim)
        right, found = np.roll(x, *arguments), ssop.roll(x, *arguments)
        assert type(found) is np.ndarray and found.flags.c_contiguous and found.base is None
        assert (found.dtype, found.shape) == (right.dtype, right.shape)
        assert np.array_equal(found, right), (shape, arguments)
        out = np.zeros(right.shape[::-1], x.dtype).T
        assert ssop.roll(x, *arguments, out=out) is out and np.array_equal(out, right)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=repr)
def test_the_reference_libraries_and_places_in_memory(arguments):
    right = np.roll(X, *arguments)
    assert reference.roll(reference.tensor(X.tolist(), X.shape), *arguments).items == right.ravel().tolist()
    x = X.copy()
    assert ssop.roll(x, *arguments, out=x) is x and np.array_equal(x, right)
    lazy = ssop.roll(dask.array.from_array(X, chunks=2), *arguments)
    assert isinstance(lazy, dask.array.Array) and np.array_equal(lazy.compute(), right)
    strict = ssop.roll(array_api_strict.asarray(X), *arguments)
    assert type(strict) is type(array_api_strict.asarray(X)) and np.array_equal(np.asarray(strict), right)
    masked = ssop.roll(ma.array(X, mask=X % 3 == 0), *arguments)
    assert np.array_equal(masked.mask, right % 3 == 0)


def test_np_c6_np_c7_axes_and_shifts_that_do_not_fit():
    tensor = reference.tensor(X.tolist(), X.shape)
    for arguments in ((1, 2), (1, -3), (1, (0, 2)), ((1, 2, 3), (0, 1)), ((), (0, 1))):
        with pytest.raises(reference.Rejected) as told:
            reference.roll(tensor, *arguments)
        with pytest.raises(ssop.SliceError) as info:
            ssop.roll(X, *arguments)
        assert [getattr(info.value, name) for name in ("label", "value", "allowed")] == [
            getattr(told.value, name) for name in ("label", "value", "allowed")
        ]
    for shift, label in ((1.5, "in_c1"), (2**63, "in_c2"), (True, "in_c1")):
        with pytest.raises(ssop.SliceError) as info:
            ssop.roll(X, shift)
        assert info.value.label == label
    for out, label in ((np.zeros(12, int), "out_c2"), (np.zeros((3, 4), "i4"), "out_c3"), ([], "out_c1")):
        for axis in (None, 0):
            with pytest.raises(ssop.SliceError) as info:
                ssop.roll(X, 1, axis, out=out)
            assert (info.value.op, info.value.label) == ("roll", label)


# ---- without data ----------------------------------------------------------------------------------------------------


def test_sh_s40_the_shape_without_data():
    for shape in ([None, 3], ["n", (1, 4)], None):
        found = shapes.roll(shape, 1, 0, mode="tight")
        assert found.rank is None if shape is None else found.dims == shapes.PartialShape(shape).dims
    assert ssop.infer_shape("roll", [2, 3], (1, 2), (0, 1)).dims == (2, 3)
    with pytest.raises(ssop.SliceIndexError) as info:
        shapes.roll([None, 3], 1, 2)
    assert info.value.label == "np_c6"


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=repr)
def test_ex_s1_the_explanation_says_what_comes_first(arguments):
    told, right = ssop.explain.roll(X.shape, *arguments), np.roll(X, *arguments)
    assert told.shape == X.shape and "<svg" in told.to_svg()
    if told.index is not None:
        assert np.array_equal(X[told.index], right)
    first = [row["first_element"] for row in told.to_dict()["axes"]]
    assert (X.ravel() if len(first) == 1 else X)[tuple(first)] == right.flat[0]


def test_ex_s1_sentences():
    assert ssop.explain.roll((5,), 2).answer == "shape (5,): axis 0 is 3..4, then 0..2"
    assert ssop.explain.roll((5, 2), 5, 0).answer == "shape (5, 2): every axis is whole, and the result equals x"
    assert "C order" in str(ssop.explain.roll((5, 2), 3))
    assert ssop.explain.roll((0,), 3).empty == ("axis 0 is empty: its dim is 0",)
    with pytest.raises(ssop.SliceIndexError) as info:
        ssop.explain.roll((5,), 2, 1)
    assert info.value.label == "np_c6"
