"""Windows of `ssop.dynamic_slice` for rows of starts: against single calls, NumPy's gather and the reference."""

import array_api_strict
import dask.array
import numpy as np
import pytest
from numpy import ma
from numpy.lib.stride_tricks import sliding_window_view

import ssop
from ssop import _core, reference, shapes, vjp

X = np.arange(12).reshape(3, 4)
POLICIES = ("clamp", "wrap", "fill", "raise")
DTYPES = ("i1", "f4", "c16", "O", "M8[s]", "U3", "i4,f8", "V3")
FORMS = (
    lambda starts: starts,
    lambda starts: starts.astype(">i2"),
    lambda starts: starts.astype(object),
    lambda starts: np.asfortranarray(starts)[::-1][::-1],
    lambda starts: starts.tolist() if len(starts) else starts,
    lambda starts: [*starts] if len(starts) else starts,
    lambda starts: tuple(map(tuple, starts.tolist())) if len(starts) else starts,
    array_api_strict.asarray,
)


def random_call(rng, policy):
    shape = tuple(int(dim) for dim in rng.integers(0 if rng.random() < 0.1 else 1, 5, rng.integers(0, 4)))
    more = 3 if policy == "fill" else 0
    sizes = [int(rng.integers(0, dim + 1 + more)) for dim in shape]
    starts = rng.integers(-6, 7, (int(rng.integers(0, 5)), len(shape)))
    if policy == "raise":
        for axis, (dim, size) in enumerate(zip(shape, sizes, strict=True)):
            starts[:, axis] %= dim - size + 1
    return shape, starts, sizes


def test_ds_s6_each_row_is_a_single_call():
    rng = np.random.default_rng(6)
    for number in range(1200):
        policy = POLICIES[number % 4]
        shape, starts, sizes = random_call(rng, policy)
        dtype = np.dtype(DTYPES[number // 4 % len(DTYPES)])
        x = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)
        x = x.astype("S3").astype(dtype) if dtype.kind in "VU" and dtype.names is None else x.astype(dtype)
        x = x.T[::-1].T if x.ndim and rng.random() < 0.5 else x
        options = {"out_of_bounds": policy, "allow_negative_indices": policy != "raise" and rng.random() < 0.5}
        right = np.zeros((len(starts), *sizes), dtype)
        for row, start in enumerate(starts.tolist()):
            right[row] = ssop.dynamic_slice(x, start, sizes, **options)
        form = FORMS[number % len(FORMS)](starts)
        found = ssop.dynamic_slice(x, form, sizes, **options)
        assert type(found) is np.ndarray and found.flags.c_contiguous
        assert (found.dtype, found.shape) == (dtype, right.shape)
        assert np.array_equal(found, right), (shape, starts, sizes, options)
        out = np.zeros(right.shape[::-1], dtype).T
        assert ssop.dynamic_slice(x, form, sizes, out=out, **options) is out and np.array_equal(out, right)


def test_ds_s6_numpy_gathers_the_same():
    x, rng = np.arange(64.0).reshape(8, 8), np.random.default_rng(7)
    starts = rng.integers(0, 6, (256, 2))
    assert np.array_equal(ssop.dynamic_slice(x, starts, [3, 2]), sliding_window_view(x, (3, 2))[tuple(starts.T)])


def test_starts_at_the_ends_of_the_types():
    x = np.arange(8)
    huge = np.array([[2**63 + 5], [2**64 - 1]], np.uint64)
    assert ssop.dynamic_slice(x, huge, [2]).tolist() == [[6, 7], [6, 7]]
    assert ssop.dynamic_slice(x, huge, [2], out_of_bounds="wrap").tolist() == [[5, 6], [7, 0]]
    ends = [[-(2**63)], [2**63 - 1]]
    assert ssop.dynamic_slice(x, ends, [2]).tolist() == [[0, 1], [6, 7]]
    assert ssop.dynamic_slice(x, ends, [2], out_of_bounds="fill", fill_value=9).tolist() == [[9, 9], [9, 9]]


def test_overlapping_results():
    x = np.arange(12)
    right = ssop.dynamic_slice(x.copy(), [[5], [2], [8]], [4])
    assert np.array_equal(ssop.dynamic_slice(x, [[5], [2], [8]], [4], out=x.reshape(3, 4)), right)


@pytest.mark.parametrize(
    ("label", "starts", "options"),
    [
        ("ds_c9", [[0, 0], [1]], {}),
        ("ds_c1", [[0], [1]], {}),
        ("ds_c1", np.zeros((2, 65), int), {}),
        ("ds_c1", np.zeros((0, 1), int), {}),
        ("in_c1", [[0, 0.5]], {}),
        ("in_c1", np.zeros((2, 2)), {}),
        ("in_c1", np.zeros((2, 2), bool), {}),
        ("in_c2", [[0, 2**63]], {}),
        ("in_c5", [[0, 0], 1], {}),
        ("in_c6", np.zeros((1, 1, 2), int), {}),
        ("ds_c7", [[0, 0]], {"allow_negative_indices": [True]}),
    ],
)
def test_starts_that_do_not_fit(label, starts, options):
    for function in (ssop.dynamic_slice, shapes.dynamic_slice, _core.dynamic_slice_regions):
        x = X if function is ssop.dynamic_slice else X.shape
        with pytest.raises(ssop.SliceError) as info:
            function(x, starts, [1, 1], **options)
        assert info.value.label == label


def test_a_row_outside_writes_nothing():
    out = np.full((2, 2), -1)
    with pytest.raises(ssop.SliceIndexError, match="start 9") as info:
        ssop.dynamic_slice(np.arange(8), [[0], [9]], [2], out_of_bounds="raise", out=out)
    assert info.value.label == "ds_c5" and (out == -1).all()
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.dynamic_slice(np.ones((1,) * 64), np.zeros((1, 64), int), [1] * 64)
    assert info.value.label == "in_c9"


@pytest.mark.parametrize("policy", ["clamp", "fill"])
def test_the_reference_and_libraries(policy):
    starts, sizes, options = [[-1, 2], [2, 0], [1, 1]], [2, 3], {"out_of_bounds": policy}
    right = ssop.dynamic_slice(X, starts, sizes, **options)
    tensor = reference.tensor(X.tolist(), X.shape)
    assert reference.dynamic_slice(tensor, starts, sizes, policy).items == right.ravel().tolist()
    for rows in (starts, np.array(starts), np.zeros((0, 2), int)):
        lazy = ssop.dynamic_slice(dask.array.from_array(X, chunks=2), rows, sizes, **options)
        assert isinstance(lazy, dask.array.Array) and np.array_equal(lazy.compute(), right[: len(rows)])
        strict = ssop.dynamic_slice(array_api_strict.asarray(X), rows, sizes, **options)
        assert type(strict) is type(array_api_strict.asarray(X)) and np.array_equal(
            np.asarray(strict), right[: len(rows)]
        )
        masked = ssop.dynamic_slice(ma.array(X, mask=X % 3 == 0), rows, sizes, **options)
        wanted = ssop.dynamic_slice(X % 3 == 0, rows, sizes, **options)
        assert np.array_equal(ma.getmaskarray(masked), wanted) and masked.shape == wanted.shape


@pytest.mark.parametrize("make", [np.asarray, array_api_strict.asarray], ids=["numpy", "strict"])
def test_gradients_are_transposes(make):
    rng = np.random.default_rng(8)
    for number in range(120):
        policy = POLICIES[number % 4] if make is np.asarray else POLICIES[::2][number % 2]
        shape, starts, sizes = random_call(rng, policy)
        x, dy = rng.integers(-9, 9, shape), rng.integers(-9, 9, (len(starts), *sizes))
        found = np.asarray(vjp.dynamic_slice(make(dy), shape, starts, sizes, out_of_bounds=policy))
        assert found.shape == shape
        assert (found * x).sum() == (dy * ssop.dynamic_slice(x, starts, sizes, out_of_bounds=policy)).sum()
    ones = vjp.dynamic_slice(np.ones((4096, 1), np.float16), [1], np.zeros((4096, 1), int), [1])
    assert ones.dtype == np.float16 and ones[0] == 4096
    for label, dy in (("gr_c1", np.ones((2, 3))), ("vjp_c1", np.full((1, 3), "a"))):
        with pytest.raises(ssop.SliceError) as info:
            vjp.dynamic_slice(dy, [4], [[0]], [3])
        assert info.value.label == label


def test_shapes_have_an_axis_of_rows():
    assert shapes.dynamic_slice([None, 5], [[None, 1], [0, None]], [2, 3], mode="tight").dims == (2, 2, 3)
    assert shapes.dynamic_slice([4], np.zeros((0, 1), int), [2]).dims == (0, 2)
    with pytest.raises(ssop.SliceError) as info:
        shapes.dynamic_slice([4], [[0], [3]], [2], out_of_bounds="raise")
    assert info.value.label == "ds_c5"


def test_updates_take_one_start():
    with pytest.raises(ssop.SliceError) as info:
        ssop.dynamic_update_slice(X, [[1]], np.zeros((2, 2), int))
    assert info.value.label == "in_c6"


def taken_by(x, words):
    """The elements of an axis that a cell of the table names: "3..4 and 0..1", or None."""
    spans = [part.split("..") for part in words.split(" and ")] if words else []
    return x[[index for first, last in spans for index in range(int(first), int(last) + 1)]]


def test_ex_s1_rows_are_explained_one_by_one():
    rng = np.random.default_rng(7)
    policies = ("clamp", "wrap", "raise")
    for policy in policies * 40:
        shape, starts, sizes = random_call(rng, policy)
        told = ssop.explain.dynamic_slice(shape, FORMS[rng.integers(7)](starts), sizes, out_of_bounds=policy)
        cells = told.to_dict()["windows"]
        assert told.shape == (len(starts), *sizes) and len(cells) == starts.size and told.index is None
        for cell in cells if 0 not in sizes else []:  # an empty window takes nothing
            axis = cell["axis"]
            x = np.arange(shape[axis])
            window = ssop.dynamic_slice(x, [starts[cell["row"], axis]], [sizes[axis]], out_of_bounds=policy)
            np.testing.assert_array_equal(taken_by(x, cell["indices"]), window)
        if 0 not in told.shape:
            changed = sum(
                not np.array_equal(x[tuple(map(slice, row, row + sizes))], window) if row.min(initial=0) >= 0 else True
                for x in [np.arange(np.prod(shape)).reshape(shape)]
                for row, window in zip(starts, ssop.dynamic_slice(x, starts, sizes, out_of_bounds=policy), strict=True)
            )
            assert (f", {changed} of which " in told.answer) == (changed > 0)
        assert told.draw is not None and (0 in told.shape or told.to_svg().startswith("<svg"))


def test_ex_s1_rows_that_are_many_filled_or_errors():
    told = ssop.explain.dynamic_slice([4], np.arange(1000)[:, None] - 1, [2], out_of_bounds="fill")
    assert told.answer == "shape (1000, 2): a window for each of 1000 rows, 997 of which have filled elements"
    assert len(told.to_dict()["windows"]) == 8 and "[[-1], [0], ..]" in told.call and len(str(told)) < 2000
    assert told.stages[1].changes[0] == "row 0, axis 0: the window from -1 on stays there: 1..1 of 2 are elements"
    assert ssop.explain.dynamic_slice([4], np.zeros((0, 1), int), [2]).empty == (
        "axis 0 is empty: start_indices has no rows",
    )
    for label, rows in (("ds_c5", [[0], [3]]), ("ds_c9", [[0], [1, 2]]), ("ds_c1", [[0, 1]])):
        told = ssop.explain.dynamic_slice([4], rows, [2], out_of_bounds="raise")
        assert told.error.label == label and told.repair is None and told.answer.startswith("the call is an error: ")
    with pytest.raises(ssop.SliceTypeError):
        ssop.explain.dynamic_slice([4], [["a"]], [2])
