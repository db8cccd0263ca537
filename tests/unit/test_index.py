"""`ssop.index`: NumPy indices, and where the answer differs from NumPy's (ix_s2, ix_c1)."""

import array_api_strict
import dask.array
import numpy as np
import pytest
from numpy import ma

import ssop

X = np.arange(60).reshape(3, 4, 5)
HINT = r"ssop\.index\(x, index\) or of StridedSliceSpec\.from_index\(index\)"
INDICES = [
    np.s_[1],
    np.s_[-1],
    np.s_[np.int8(1), np.uint64(2), -5],
    np.s_[np.array(1)],
    np.s_[()],
    np.s_[...],
    np.s_[None],
    np.s_[:],
    np.s_[1:2, ..., None, ::-2],
    np.s_[9:, :-9],
    np.s_[-9:9:2],
    np.s_[9:-9:-1],
    np.s_[::-1, 1, None, 3:0:-2],
    np.s_[1, 2, 3],
    np.s_[None, ..., None, None, 0],
]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_ix_s2_numpy_shows_the_same(index):
    taken = ssop.index(X, index)
    assert type(taken) is np.ndarray
    assert taken.flags.c_contiguous and not np.shares_memory(taken, X)
    assert (taken.shape, taken.tolist()) == (np.shape(X[index]), X[index].tolist())
    out = np.empty(taken.shape, X.dtype)
    assert ssop.index(X, index, out=out) is out
    assert out.tolist() == taken.tolist()


def test_lists_scalars_and_masked_arrays():
    assert ssop.index([[1, 2], [3, 4]], np.s_[:, 1]).tolist() == [2, 4]
    assert ssop.index(7, ...).tolist() == 7
    masked = ssop.index(ma.array([1, 2, 3], mask=[0, 1, 0]), np.s_[1:])
    assert masked.mask.tolist() == [True, False]


def test_arrays_of_other_libraries_stay_there():
    index = np.s_[1:, None, ..., -1]
    lazy = ssop.index(dask.array.from_array(X), index)
    assert isinstance(lazy, dask.array.Array)
    assert lazy.compute().tolist() == X[index].tolist()
    strict = ssop.index(array_api_strict.asarray(X), index)
    assert type(strict) is type(array_api_strict.asarray(X))
    assert np.asarray(strict).tolist() == X[index].tolist()


@pytest.mark.parametrize("index", [3, -4, np.s_[0, 4], np.s_[..., 5], np.s_[..., -6]], ids=repr)
def test_integers_outside_their_axis_are_errors_in_both(index):
    with pytest.raises(IndexError):
        X[index]
    with pytest.raises(ssop.SliceIndexError) as info:
        ssop.index(X, index)
    assert info.value.label == "ss_c7"


@pytest.mark.parametrize("bad", [[0, 1], np.array([0, 1]), True, np.False_, np.array(True), 1.0, "foo", X > 3])
def test_ix_c1_other_items_are_errors(bad):
    for index in (bad, (0, bad), (..., bad)):
        with pytest.raises(ssop.SliceTypeError, match="valid indices") as info:
            ssop.index(X, index)
        assert (info.value.label, info.value.entry) == ("ix_c1", 1 if isinstance(index, tuple) else 0)
        assert info.value.value is bad


def test_where_numpy_differs():
    assert np.s_[0, 0, 0, 0] == (0,) * 4
    for index, label in [((0,) * 4, "ss_c4"), ((..., ...), "ss_c3"), (np.s_[::0], "ss_c5"), ((None,) * 32, "ss_c2")]:
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.index(X, index)
        assert info.value.label == label
    assert X[: 2**63].shape == X.shape
    with pytest.raises(ssop.SliceOverflowError) as info:
        ssop.index(X, np.s_[: 2**63])
    assert info.value.label == "in_c2"
    assert ssop.index(X, (1, 2, 3)).shape == ()
    assert isinstance(ssop.index(X, (1, 2, 3)), np.ndarray) and not isinstance(X[1, 2, 3], np.ndarray)


# ---- an index where begin is expected --------------------------------------------------------------------------------

BEGINS = [np.s_[1:], ..., np.s_[1, ::2], [None, 1], (0, ...), [slice(None)]]


@pytest.mark.parametrize("begin", BEGINS, ids=repr)
def test_an_index_given_as_begin_is_understood(begin):
    calls = {
        "strided_slice": lambda *a: ssop.strided_slice(X, *a),
        "tf.strided_slice": lambda *a: ssop.tf.strided_slice(X, *a),
        "tflite.strided_slice": lambda *a: ssop.tflite.strided_slice(X, *a),
        "openvino.strided_slice": lambda *a: ssop.openvino.strided_slice(X, *a),
        "tf.slice": lambda *a: ssop.tf.slice(X, *a),
        "StridedSliceSpec": ssop.StridedSliceSpec,
    }
    for op, call in calls.items():
        for arguments in ((begin,), (begin, [1, 1])):
            with pytest.raises(ssop.SliceTypeError, match=HINT) as info:
                call(*arguments)
            label = "in_c1" if isinstance(begin, (tuple, list)) else "in_c5"
            assert (info.value.op, info.value.label) == (op, label)
    with pytest.raises(ssop.SliceTypeError, match=HINT):
        ssop.StridedSliceSpec(begin=begin)


@pytest.mark.parametrize("begin", [[0], (0, 1), 5, None, "ab", [1.5], np.array([0]), []], ids=repr)
def test_other_begins_get_no_such_hint(begin):
    with pytest.raises(TypeError, match="missing .*'end'"):
        ssop.strided_slice(X, begin)
    with pytest.raises(TypeError, match="StridedSliceSpec.* missing .*'end'"):
        ssop.StridedSliceSpec(begin)
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.slice(X, np.s_[1:], [1, 1, 1])  # start_indices, not begin
    assert "ssop.index" not in str(info.value)


def test_subclasses_may_have_other_arguments():
    class First(ssop.StridedSliceSpec):
        def __init__(self, count):
            super().__init__([0], [count])

    assert First(2)(X).tolist() == First(count=2)(X).tolist() == X[:2].tolist()


@pytest.mark.parametrize("bad", [5, None, np.s_[1:], (0, ...), [1], ssop.StridedSliceSpec], ids=repr)
def test_pl_c3_plans_are_made_of_specs(bad):
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.plan(bad, (3,), int)
    assert (info.value.op, info.value.label) == ("plan", "pl_c3")
    assert info.value.value is bad
    assert "StridedSliceSpec.from_index(index)" in str(info.value)
