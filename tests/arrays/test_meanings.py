"""Units of astropy and pint, labels of pandas, sparse arrays of SciPy: rejected or kept, never lost (in_s2)."""

import astropy.units
import numpy as np
import pandas
import pint
import pytest
import scipy.sparse
import zarr
from astropy.table import Column, Table
from astropy.time import Time

import ssop
from arrays.cells import CALLS
from ssop import vjp, xla

X = np.arange(6.0).reshape(2, 3)
KM, MM = astropy.units.km, astropy.units.mm
UNITS = pint.UnitRegistry()
TABLES = {
    "Series": pandas.Series([3.0, 4.0, 1.0]),
    "Int64": pandas.Series([3, None, 1], dtype="Int64"),
    "array": pandas.array([3, None, 1], dtype="Int64"),
    "time zone": pandas.Series(pandas.date_range("2020", periods=3, tz="UTC")),
    "Categorical": pandas.Categorical(["a", "b", "a"]),
    "Index": pandas.Index([1, 2, 3]),
    "DataFrame": pandas.DataFrame({"a": [1, 2, 3]}),
}
QUANTITIES = {"astropy": lambda x: x * KM, "pint": lambda x: UNITS.Quantity(x, "km")}


def rejected(call, *words):
    with pytest.raises(ssop.SliceTypeError) as info:
        call()
    assert info.value.label == "in_c7" and all(word in str(info.value) for word in words), info.value


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("library", QUANTITIES)
def test_astropy_14706_no_operation_loses_a_unit(library, name):
    make = QUANTITIES[library]
    instead = {"astropy": ".value is the array", "pint": ".magnitude is the array"}[library]
    rejected(lambda: CALLS[name](lambda x: make(x) if x.dtype == float else x), instead)


def test_astropy_7582_numbers_are_not_relabelled():
    q, value, before = X * KM, [1, 2, 3] * MM, X.copy()
    for call in (
        lambda: ssop.strided_slice_assign(q, [0], [1], [1], value),
        lambda: ssop.strided_slice_assign(q, [0], [1], [1], [1.0, 2.0, 3.0]),
        lambda: ssop.strided_slice_assign(q, [0], [1], [1], UNITS.Quantity([1.0, 2.0, 3.0], "mm")),
        lambda: ssop.copyto(X * MM, q),
        lambda: ssop.index(q, ..., out=X * MM),
        lambda: ssop.index(X, ..., out=X * MM),
        lambda: xla.concatenate([q, X * MM], 0),
        lambda: ssop.copy([q[0], value]),
        lambda: ssop.copy([1 * KM, 2 * MM]),
        lambda: xla.pad(X, 1 * KM, [(1, 0, 0)] * 2),
        lambda: xla.clamp(0 * KM, X, 1 * MM),
        lambda: vjp.rev(q, [2, 3], [0]),
    ):
        rejected(call)
    assert np.array_equal(q.value, before) and np.array_equal(X, before)


def test_what_the_messages_advise_works():
    q = X * KM
    assert np.array_equal(ssop.index(q.value, np.s_[::-1]), X[::-1])
    assert np.array_equal(ssop.index(UNITS.Quantity(X, "km").magnitude, np.s_[::-1]), X[::-1])
    spec = ssop.StridedSliceSpec.from_index(np.s_[::-1])
    assert q[spec.to_index(q.shape)].unit == KM
    assert ssop.copy(TABLES["Int64"].to_numpy(object, na_value=None)).tolist() == [3, None, 1]


@pytest.mark.parametrize("x", TABLES.values(), ids=TABLES)
def test_pandas_objects_are_errors(x):
    target = np.zeros(3, object)
    for call in (
        lambda: ssop.copy(x),
        lambda: ssop.strided_slice(x, [0], [1]),
        lambda: ssop.index(x, np.s_[::-1]),
        lambda: ssop.strided_slice_assign(target, [0], [3], [1], x),
        lambda: ssop.strided_slice_assign(x, [0], [1], [1], 1),
        lambda: ssop.copyto(target, x),
        lambda: ssop.copy([x, x]),
        lambda: xla.concatenate([x], 0),
        lambda: xla.select(np.array([True, False, True]), x, x),
        lambda: xla.clamp(0, x, 1),
        lambda: vjp.rev(x, [3], [0]),
    ):
        rejected(call, ".to_numpy() is the array without labels")
    assert target.tolist() == [0, 0, 0]


def test_times_columns_and_tables():
    rejected(lambda: ssop.copy(Time(["2020-01-01", "2021-01-01"])))
    rejected(lambda: ssop.copy(Column([1, 2], unit="m")), "a.value")
    rejected(lambda: ssop.copy(Table({"a": [1, 2]})), "a group of arrays")


def test_zarr_groups_are_no_arrays():
    """Arrays of the names of the members."""
    group = zarr.group(zarr.storage.MemoryStore())
    group.create_array("a", shape=(2,), dtype="i4")
    for call in (
        lambda: ssop.strided_slice(group, [0], [2]),
        lambda: ssop.copy(group),
        lambda: ssop.strided_slice_assign(group, [0], [1], [1], 1),
        lambda: ssop.copyto(np.zeros(2), group),
        lambda: xla.concatenate([group], 0),
    ):
        rejected(call, "a group of arrays; pass one of them")


def test_zarr_scalars_keep_their_width():
    x = zarr.create_array(zarr.storage.MemoryStore(), shape=(2,), dtype="S5", zarr_format=2)
    x[:] = np.array([b"ab", b"c"], "S5")
    found = ssop.index(x, 0)
    assert type(found) is np.ndarray and found.dtype == "S5" and found.shape == () and found[()] == b"ab"
    assert ssop.index(x, (None, 1)).dtype == "S5"


@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csr_matrix, scipy.sparse.lil_array])
def test_sparse_arrays_stay_sparse(kind):
    dense = np.arange(24.0).reshape(4, 6) % 5 * (np.arange(24).reshape(4, 6) % 3 == 0)
    x = kind(dense)
    for index in (np.s_[::-1, 1:4], np.s_[:, ::-2], np.s_[1:3]):
        found = ssop.index(x, index)
        assert scipy.sparse.issparse(found) and np.array_equal(found.toarray(), dense[index])
    assert ssop.index(x, (1, 1)).shape == ()
    rejected(lambda: ssop.copy(x), "x.toarray()")
    rejected(lambda: xla.pad(x, 0.0, [(1, 0, 0)] * 2), "x.toarray()")
    rejected(lambda: ssop.copyto(np.zeros((4, 6)), x))
    if kind is scipy.sparse.csr_matrix:
        rejected(lambda: ssop.index(x, 1), "shape (1, 6)", "x.toarray()")
