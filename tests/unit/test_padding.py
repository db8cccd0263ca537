"""`ssop.pad` against numpy.pad and the reference: modes, widths, constants, other libraries, static shapes."""

import json

import array_api_strict
import dask.array
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import reference, shapes

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
DTYPES = ("i1", "i2", "f4", "f8", "c16", "O", "M8[s]", "U3", "i4,f8")
CALLS = 1500
X = np.arange(12).reshape(3, 4)


def forms(rng, rank):
    """Widths in each form that NumPy takes."""
    most = rng.choice([2, 9, 40])
    a, b = (int(width) for width in rng.integers(0, most, 2))
    rows = [tuple(int(width) for width in rng.integers(0, most, 2)) for _ in range(rank)]
    choices = [a, (a,), (a, b), [[a, b]], np.array([a, b]), [[a]]]
    return [*choices, rows, [[a] for _ in rows], np.array(rows)][rng.integers(len(choices) + (3 if rank else 0))]


def test_np_s1_numpy_gives_the_same():
    """Also np_s2, np_c5: corners of constants, empty axes."""
    rng, raised = np.random.default_rng(7), 0
    for number in range(CALLS):
        shape = tuple(int(dim) for dim in rng.integers(0 if rng.random() < 0.2 else 1, 5, rng.integers(0, 4)))
        mode, dtype = MODES[number % 5], DTYPES[number % len(DTYPES)]
        x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        x = x[(..., *[slice(None, None, -1)] * len(shape))]
        widths = forms(rng, len(shape))
        options = {}
        if mode == "constant" and np.dtype(dtype).kind in "if":
            options = {"constant_values": forms(rng, len(shape))}
        elif mode == "constant":
            options = {"constant_values": x.flat[-1]} if x.size else {"constant_values": np.zeros((), dtype)}
        try:
            right = np.pad(x, widths, mode, **options)
        except ValueError:
            raised += 1
            with pytest.raises(ssop.SliceValueError) as info:
                ssop.pad(x, widths, mode, **options)
            assert info.value.label in ("np_c5", "np_c2")
            continue
        found = ssop.pad(x, widths, mode, **options)
        assert type(found) is np.ndarray and found.flags.c_contiguous and not np.shares_memory(found, x)
        assert (found.dtype, found.shape) == (right.dtype, right.shape), (shape, widths, mode)
        assert np.array_equal(found, right), (shape, widths, mode, options)
    assert 0 < raised < CALLS / 3


def test_np_s3_a_dict_has_the_widths_of_some_axes():
    rows = [(0, 0), (1, 3)]
    for widths in ({1: (1, 3)}, {-1: [1, 3]}, {0: 9, -2: 0, 1: (1, 3)}, {np.int8(1): np.array([1, 3])}):
        assert np.array_equal(ssop.pad(X, widths, "wrap"), np.pad(X, rows, "wrap"))
    assert np.array_equal(ssop.pad(X, {}, "edge"), X)


def test_the_reference_gives_the_same():
    rng = np.random.default_rng(8)
    for number in range(300):
        shape = tuple(int(dim) for dim in rng.integers(0, 4, rng.integers(0, 3)))
        x, mode = np.arange(np.prod(shape, dtype=int)).reshape(shape), MODES[number % 5]
        widths = [[(int(a), int(b)) for a, b in rng.integers(-1 if number % 9 == 0 else 0, 7, (len(shape), 2))], 2][
            number % 2
        ]
        arguments = (widths, mode, [8, 9] if mode == "constant" else 0)
        try:
            told = reference.pad(reference.tensor(x.tolist(), shape), *arguments)
        except reference.Rejected as error:
            with pytest.raises(ssop.SliceError) as info:
                ssop.pad(x, *arguments)
            assert all(getattr(info.value, name) == getattr(error, name) for name in ("label", "axis", "value"))
            continue
        found = ssop.pad(x, *arguments)
        assert told == (found.shape, found.ravel().tolist())


def test_the_reference_rejects_the_same():
    x = reference.tensor(X.tolist(), X.shape)
    calls = [(1, "mean"), ([1, 2, 3],), ([[1, 2]] * 3,), ([[1], 2],), ((1, -2),), ({2: 1},)]
    for arguments in calls:
        with pytest.raises(reference.Rejected) as told:
            reference.pad(x, *arguments)
        with pytest.raises(ssop.SliceError) as info:
            ssop.pad(X, *arguments)
        for name in ("label", "axis", "entry", "value", "allowed"):
            assert getattr(info.value, name) == getattr(told.value, name), arguments
    assert reference.pad(x, {-1: (0, 1)}, "edge").items[:5] == [0, 1, 2, 3, 3]


@pytest.mark.parametrize("mode", MODES)
def test_out_may_overlap_and_have_any_layout(mode):
    right = np.pad(X, ((1, 2), (0, 7)), mode)
    memory = np.zeros((13, 8), int)
    out = memory.T[1:7, 12:1:-1]
    assert ssop.pad(X, ((1, 2), (0, 7)), mode, out=out) is out and np.array_equal(out, right)
    whole = np.zeros((6, 11), int)
    x = whole[1:4, 2:6]
    x[...] = X
    assert ssop.pad(x, ((1, 2), (0, 7)), mode, out=whole) is whole and np.array_equal(whole, right)
    for wrong, label in ((np.zeros((6, 11), "i4"), "out_c3"), (np.zeros((6, 10), int), "out_c2")):
        with pytest.raises(ssop.SliceError) as info:
            ssop.pad(X, ((1, 2), (0, 7)), mode, out=wrong)
        assert (info.value.op, info.value.label) == ("pad", label)


def test_constants_lose_nothing():
    assert ssop.pad(np.zeros(1, "i1"), 1, constant_values=(1, np.int64(2))).tolist() == [1, 0, 2]
    for value, label in ((1.5, "val_c1"), (300, "val_c2"), ((0, 300), "val_c2")):
        with pytest.raises(ssop.SliceError) as info:
            ssop.pad(np.zeros(1, "i1"), 1, constant_values=value)
        assert (info.value.op, info.value.label) == ("pad", label)


def test_np_c1_errors_name_what_there_is():
    for mode in ("empty", "linear_ramp", "maximum", "mean", "median", "minimum", lambda *_: None):
        with pytest.raises(ssop.SliceValueError, match="it may be 'constant', 'edge', 'reflect', 'symmetric', 'wrap'"):
            ssop.pad(X, 1, mode)
    with pytest.raises(ssop.SliceValueError, match="only 'even' is supported"):
        ssop.pad(X, 1, "symmetric", reflect_type="odd")


def test_lists_scalars_and_masked_arrays():
    assert ssop.pad([1, 2], 1, "wrap").tolist() == [2, 1, 2, 1]
    assert ssop.pad(7, 1).tolist() == 7 and ssop.pad(7, 1, "edge").shape == ()
    masked = ssop.pad(ma.array([1, 2, 3], mask=[0, 1, 0]), 2, "reflect")
    assert masked.mask.tolist() == [False, True, False, True, False, True, False]
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.pad(None, 1)
    assert info.value.label == "in_c12"


@pytest.mark.parametrize("mode", MODES)
def test_arrays_of_other_libraries_stay_there(mode):
    widths = ((9, 1), (2, 0))
    options = {"constant_values": ((1, 2), (3, 4))} if mode == "constant" else {}
    right = np.pad(X, widths, mode, **options)
    lazy = ssop.pad(dask.array.from_array(X, chunks=2), widths, mode, **options)
    assert isinstance(lazy, dask.array.Array) and np.array_equal(lazy.compute(), right)
    strict = ssop.pad(array_api_strict.asarray(X), widths, mode, **options)
    assert type(strict) is type(array_api_strict.asarray(X)) and np.array_equal(np.asarray(strict), right)
    kept = ssop.pad(array_api_strict.asarray(X), 0, mode)
    assert np.array_equal(np.asarray(kept), X)


def test_a_wide_pad_takes_few_copies(monkeypatch):
    """Periods are repeated twice as often in each round."""
    made = []
    copyto = ssop._core.copyto
    monkeypatch.setattr("ssop._core.copyto", lambda *arrays: made.append(arrays) or copyto(*arrays))
    found = ssop.pad(np.arange(3), (100_000, 50_000), "reflect")
    assert np.array_equal(found, np.pad(np.arange(3), (100_000, 50_000), "reflect")) and len(made) < 40


# ---- without data ----------------------------------------------------------------------------------------------------


def test_sh_s40_the_shape_without_data():
    for mode in MODES:
        found = shapes.numpy_pad(X.shape, ((1, 2), (0, 7)), mode)
        assert found.dims == np.pad(X, ((1, 2), (0, 7)), mode).shape
        assert ssop.infer_shape("numpy_pad", [None, 4], 1, mode).dims[1] == 6
        assert shapes.numpy_pad(None, 1, mode).rank is None
    for mode, least in (("edge", 2), ("constant", 1)):
        found = shapes.numpy_pad([(0, 3), 2], [(1, 0), (0, 0)], mode, mode="tight")
        assert found.intervals == ((least, 4), (2, 2))
    for shape in ([0, 2], [(0, 0), 2]):
        with pytest.raises(ssop.SliceValueError) as info:
            shapes.numpy_pad(shape, 1, "edge")
        assert info.value.label == "np_c5"


@pytest.mark.parametrize("mode", MODES)
def test_ex_s1_the_explanation_has_the_place_of_the_operand(mode):
    for widths in (0, 2, ((9, 1), (0, 1))):
        told = ssop.explain.numpy_pad(X.shape, widths, mode)
        right = np.pad(X, widths, mode)
        assert told.shape == right.shape and np.array_equal(right[told.index], X)
        assert str(right.shape) in told.answer and json.dumps(told.to_dict()) and "<svg" in told.to_svg()


def test_ex_s1_the_explanation_names_the_elements():
    told = ssop.explain.numpy_pad((5,), (2, 1), "reflect")
    assert told.answer == (
        "shape (8,): axis 0 goes from 5 to 8: 2 added before (2..1 in steps of -1), 1 added behind (its element 3)"
    )
    assert "0..4, repeated" in str(ssop.explain.numpy_pad((5,), (12, 0), "wrap"))
    assert "its element 0, repeated" in str(ssop.explain.numpy_pad((1,), (2, 0), "reflect"))
    failed = ssop.explain.numpy_pad((5, 0), 1, "edge")
    assert failed.error.label == "np_c5" and failed.shape is None
    for arguments, label in (((1.5,), "in_c1"), ((-1,), "np_c3"), ((1, 10**5000), "np_c1")):
        with pytest.raises(ssop.SliceError) as info:
            ssop.explain.numpy_pad((5, 0), *arguments)
        assert info.value.label == label
