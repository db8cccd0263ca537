"""What NumPy's arrays cannot hold is not lost in silence: units, labels, groups; storages are read at the region alone.

The classes here are stand-ins; tests/arrays/test_meanings.py and test_hdf5.py have those of the libraries.
"""

import array
import ctypes
import warnings

import numpy as np
import pytest
from numpy import ma

import ssop
from arrays.cells import ASSIGNMENTS, CALLS
from ssop import vjp, xla

X = np.arange(24.0).reshape(4, 6)


class Units(np.ndarray):
    def __array_ufunc__(self, *arguments, **keywords):
        raise AssertionError("called")


class Labels(np.ndarray):
    def __array_function__(self, *arguments, **keywords):
        raise AssertionError("called")


class Told(np.ndarray):
    def __setitem__(self, index, value):
        raise AssertionError("called")


class Derived(Units):
    pass


class Mixed(type("Mixin", (), {"__array_ufunc__": None}), np.ndarray):
    pass


class Wrapper:
    """As pint's quantities: no subclass, and it converts."""

    def __init__(self, numbers):
        self.numbers = numbers

    shape = property(lambda self: self.numbers.shape)
    dtype = property(lambda self: self.numbers.dtype)

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("converted")

    def __getitem__(self, index):
        raise AssertionError("read")

    __array_ufunc__ = Units.__array_ufunc__


MEANINGS = {
    **{kind.__name__: lambda x, kind=kind: np.array(x).view(kind) for kind in (Units, Labels, Told, Derived, Mixed)},
    "Wrapper": Wrapper,
}
every_meaning = pytest.mark.parametrize("make", MEANINGS.values(), ids=MEANINGS)


def rejected(call, *words):
    with pytest.raises(ssop.SliceTypeError) as info:
        call()
    assert info.value.label == "in_c7", info.value
    assert all(word in str(info.value) for word in words), info.value
    return info.value


@every_meaning
def test_astropy_14706_no_operand_loses_its_unit(make):
    for name, call in CALLS.items():
        error = rejected(lambda call=call: call(make), "would be lost; ", "numpy.asarray(")
        assert error.op in (name, name.partition(" ")[0]), name


@every_meaning
def test_astropy_7582_no_value_and_no_target_loses_its_unit(make):
    target, value, before = make(X), make(X[0]), X.copy()
    plain = X.copy()
    spec = ssop.StridedSliceSpec([0], [1])
    for call in (
        lambda: ssop.strided_slice_assign(plain, [0], [1], [1], value),
        lambda: ssop.strided_slice_assign(target, [0], [1], [1], X[0]),
        lambda: ssop.tf.strided_slice_assign(plain, [0], [1], [1], value),
        lambda: ssop.tensor_strided_slice_update(plain, [0], [1], [1], value),
        lambda: ssop.index_assign(plain, 0, value),
        lambda: ssop.index_assign(target, 0, 1.0),
        lambda: ssop.index_update(plain, 0, value),
        lambda: spec.assign(plain, value),
        lambda: spec.update(plain, value),
        lambda: ssop.dynamic_update_slice(plain, make(X[:1]), [0, 0]),
        lambda: xla.pad(plain, make(1.0), [(1, 0, 0)] * 2),
        lambda: ssop.copyto(plain, target),
        lambda: ssop.copyto(target, plain),
        lambda: xla.concatenate([plain, target], 0),
        lambda: xla.concatenate([target, plain], 0),
        lambda: xla.select(True, plain, target),
        lambda: xla.clamp(make(0.0), plain, 5.0),
        lambda: vjp.rev(target, [4, 6], [0]),
        lambda: ssop.plan(spec, (4, 6), float)(target),
        lambda: spec(target),
        lambda: ssop.index(target, 0),
    ):
        rejected(call)
    assert np.array_equal(plain, before)
    if isinstance(target, np.ndarray):
        assert np.array_equal(np.asarray(target), before)


@pytest.mark.parametrize("kind", [Units, Labels, Told, Derived, Mixed])
def test_no_out_with_a_meaning(kind):
    """in_s2: what is written would change what it means."""
    out = np.zeros((4, 6)).view(kind)
    for call in (
        lambda: ssop.copy(X, out=out),
        lambda: ssop.index(X, ..., out=out),
        lambda: ssop.strided_slice(X, [], [], out=out),
        lambda: ssop.dynamic_update_slice(X, X[:1], [0, 0], out=out),
        lambda: xla.concatenate([X], 0, out=out),
        lambda: xla.pad(X, 0.0, [(0, 0, 0)] * 2, out=out),
        lambda: ssop.plan(ssop.StridedSliceSpec([], []), (4, 6), float)(X, out=out),
    ):
        rejected(call, "out is ", "numpy.asarray(out)")
    assert not np.asarray(out).any()


@every_meaning
@pytest.mark.parametrize("wrap", [list, tuple], ids=["list", "tuple"])
def test_no_item_of_a_list_loses_its_unit(make, wrap):
    """`numpy.asarray([km, mm])` mixes the numbers."""
    items = wrap([X[0], make(X[1])])
    for call, name in (
        (lambda: ssop.copy(items), "a[1]"),
        (lambda: ssop.strided_slice(items, [0], [1]), "input_[1]"),
        (lambda: ssop.strided_slice_assign(X.copy(), [0], [2], [1], items), "value[1]"),
        (lambda: xla.concatenate([X, items], 0), "operand entry 1[1]"),
        (lambda: xla.select(True, X[:2], items), "on_false[1]"),
    ):
        rejected(call, f"{name} is ")


def test_classes_without_a_meaning_stay_as_they_are(tmp_path):
    """They change their own methods only; a class that names ndarray's methods again changes nothing."""
    again = {"__setitem__": np.ndarray.__setitem__, "__array_function__": np.ndarray.__array_function__}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix(X)
    for x in (
        matrix,
        X.view(np.recarray),
        np.memmap(tmp_path / "x", float, "w+", shape=(4, 6)),
        np.array([["a", "b"]]).view(np.char.chararray),
        X.view(type("Ours", (np.ndarray,), {"__array_wrap__": None, "__array_priority__": 9, "__getitem__": None})),
        X.view(type("Again", (np.ndarray,), again)),
    ):
        wanted = np.array(np.asarray(x)[::-1])
        assert type(xla.rev(x, [0])) is np.ndarray and np.array_equal(xla.rev(x, [0]), wanted)
        out = np.empty_like(x)
        assert xla.rev(x, [0], out=out) is out and np.array_equal(np.asarray(out), wanted)
    masked = ma.array(X, mask=X > 3)
    assert isinstance(ssop.copy(masked), ma.MaskedArray)
    assert ssop.copy([masked[0], masked[1]]).shape == (2, 6)


def test_a_key_of_a_class_runs_no_code():
    """The dictionary of a class may have keys of a subclass of str, whose __eq__ would run."""

    class Key(str):
        def __eq__(self, other):
            raise AssertionError("ran")

        def __hash__(self):
            return hash("__array_ufunc__")

    odd = type("Odd", (np.ndarray,), {Key("other"): 1})
    assert ssop.copy(X, out=X.copy().view(odd)).shape == (4, 6)


def test_buffers_and_other_objects_in_memory_convert():
    for x in (array.array("i", [1, 2, 3]), (ctypes.c_int * 3)(1, 2, 3), bytearray(b"\1\2\3"), memoryview(b"\1\2\3")):
        assert ssop.index(x, np.s_[::-1]).tolist() == [3, 2, 1]
        assert ssop.strided_slice_assign(np.zeros(3, ssop.copy(x).dtype), [0], [3], [1], x).tolist() == [1, 2, 3]


class Group:
    """As those of zarr and h5py: NumPy would make an array of the names."""

    def keys(self):
        raise AssertionError("asked")

    def __len__(self):
        return 2

    def __getitem__(self, name):
        raise AssertionError("asked")


def test_zarr_groups_are_no_arrays():
    for call in (
        lambda: ssop.strided_slice(Group(), [0], [2]),
        lambda: ssop.copy(Group()),
        lambda: ssop.copyto(np.zeros(2), Group()),
        lambda: ssop.strided_slice_assign(np.zeros(2), [0], [2], [1], Group()),
        lambda: xla.concatenate([Group()], 0),
        lambda: xla.select(True, Group(), X),
    ):
        rejected(call, "a group of arrays; pass one of them")


class Recording:
    """An HDF5 dataset of an unlisted library: it reads forwards, and counts."""

    def __init__(self, x):
        self.x, self.shape, self.dtype, self.read = x, x.shape, x.dtype, 0

    def __array__(self, dtype=None, copy=None):
        self.read += self.x.size
        return self.x

    @staticmethod
    def _forward(index):
        for part in index if isinstance(index, tuple) else (index,):
            assert part is Ellipsis or isinstance(part, int) or (isinstance(part, slice) and (part.step or 1) > 0), part
        return index

    def __getitem__(self, index):
        found = self.x[self._forward(index)]
        self.read += np.size(found)
        return found

    def __setitem__(self, index, value):
        self.x[self._forward(index)] = value


@pytest.mark.parametrize("name", CALLS)
def test_h5py_1832_reads_only_the_region(name):
    """pyfive 169, too: each call reads what it returns, or nothing and says so (in_s3)."""
    made = []

    def make(x):
        made.append(Recording(np.array(x)))
        return made[-1]

    wanted = CALLS[name](lambda x: x)
    if name in ASSIGNMENTS:
        found = CALLS[name](make)
        assert found is made[0] and np.array_equal(found.x, wanted)
        assert found.read == 0
        return
    try:
        found = CALLS[name](make)
    except ssop.SliceTypeError as error:
        assert error.label == "in_c7" and error.op == name.partition(" ")[0]
        assert sum(x.read for x in made) == 0
    else:
        assert type(found) is np.ndarray and found.dtype == wanted.dtype and np.array_equal(found, wanted)
        inside = 8 if name == "dynamic_slice filled" else wanted.size  # of its 21 elements
        assert sum(x.read for x in made) == inside and not np.shares_memory(found, made[0].x)


SLICES = ("strided_slice", "slice", "dynamic_slice", "onnx.slice", "tf.slice", "xla.rev", "strided_slice backwards")


@pytest.mark.parametrize("name", SLICES)
def test_slices_of_unknown_storages_work(name):
    found = CALLS[name](Recording)
    assert np.array_equal(found, CALLS[name](lambda x: x))


def test_the_region_of_an_index_is_read():
    x = Recording(X)
    for index in (5 - 6, (1, 1), (None, 1), np.s_[::-2, 4:1:-3], np.s_[2:2], ..., (slice(None), None, -1)):
        x.read = 0
        found = ssop.index(x, index)
        assert type(found) is np.ndarray and np.array_equal(found, X[index]) and found.shape == np.shape(X[index])
        assert x.read == found.size
    x.read = 0
    rejected(lambda: ssop.plan(ssop.StridedSliceSpec([0], [1]), (4, 6), float)(x))
    rejected(lambda: ssop.dynamic_update_slice(X, x, [0, 0]), "numpy.asarray(update)")
    rejected(lambda: ssop.strided_slice_assign(X.copy(), [0], [4], [1], x), "numpy.asarray(value)")
    rejected(lambda: ssop.copyto(X.copy(), x), "numpy.asarray(src)")
    rejected(lambda: ssop.copy(x), "x[...] reads it")
    rejected(lambda: ssop.index(x, 0, out=X[0].copy()), "takes no out=")
    assert x.read == 0


def test_a_list_of_storages_is_not_read():
    """`numpy.asarray` would read each of them as a whole."""
    x = Recording(X)
    for call in (
        lambda: ssop.copy([x, x]),
        lambda: ssop.index([X, x], 0),
        lambda: ssop.strided_slice_assign(X[None].copy(), [0], [1], [1], [x]),
        lambda: xla.concatenate([X[None], (x,)], 0),
    ):
        rejected(call, "] is a tests.regressions.test_meanings.Recording, which is read by slices only")
    assert x.read == 0


def test_a_storage_without_dtype_is_read_at_the_region():
    class Bare:
        shape = (4, 6)

        def __array__(self, dtype=None, copy=None):
            raise AssertionError("read as a whole")

        def __getitem__(self, index):
            return X[index]

    assert ssop.index(Bare(), -1).tolist() == X[-1].tolist()


def test_scalars_of_a_storage_keep_their_width():
    """An S5 scalar loses its width in NumPy's own conversion."""

    class Items(Recording):
        def __getitem__(self, index):
            found = super().__getitem__(index)
            return found.item() if found.shape == () else found

    for x in (Items(np.array([b"ab", b"c"], "S5")), Recording(np.array([b"ab", b"c"], "S5"))):
        found = ssop.index(x, 0)
        assert type(found) is np.ndarray and found.shape == () and found.dtype == "S5" and found[()] == b"ab"
    whole = ssop.strided_slice(Items(np.array(b"ab", "S5")), [], [])
    assert whole.shape == () and whole.dtype == "S5"


def test_masks_of_a_storage_stay():
    """netCDF4's variables give masked arrays."""
    found = xla.rev(Recording(ma.array([1, 2, 3], mask=[1, 0, 0])), [0])
    assert isinstance(found, ma.MaskedArray) and found.mask.tolist() == [False, False, True]


def test_a_storage_with_another_notion_of_slices_is_an_error():
    class Matrix(Recording):  # as SciPy's: always two axes
        def __getitem__(self, index):
            return super().__getitem__(index).reshape(1, -1)

    rejected(lambda: ssop.index(Matrix(X), np.s_[1:3]), "gave an array of shape (1, 12)")


def test_a_storage_that_is_read_only_is_not_assigned_to():
    class ReadOnly:
        shape, dtype = (3,), np.dtype(float)

        def __getitem__(self, index):
            raise AssertionError("read")

    rejected(lambda: ssop.strided_slice_assign(ReadOnly(), [0], [1], [1], 1.0), "cannot be assigned to")


def test_what_converts_to_one_object_is_no_array():
    class Shaped:
        shape, dtype = (3,), np.dtype(float)

    rejected(lambda: ssop.copy(Shaped()), "does not convert to a NumPy array")
