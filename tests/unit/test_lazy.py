"""Arrays of other libraries stay in their library; what only converts to an array is converted; no mask is lost."""

import inspect
import subprocess
import sys
import types

import array_api_strict
import dask.array as da
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import _core
from ssop._lazy import operations as operations_table

X = np.arange(24).reshape(4, 6)
CHUNKED = da.from_array(X, chunks=(3, 4))
STRICT = array_api_strict.asarray(X)
SPEC = ssop.StridedSliceSpec([0, 5], [4, 0], [2, -2])


def operations(x):
    """Every operation that takes one region of `x`, and what it takes."""
    yield ssop.copy(x), X
    yield from slices(x)


def slices(x):
    yield ssop.strided_slice(x, [0, 5], [4, 0], [2, -2]), X[::2, 5:0:-2]
    yield ssop.strided_slice(x, [-1], [0], shrink_axis_mask=1), X[-1]
    yield ssop.strided_slice(x, [1, 2], [0, 0], shrink_axis_mask=3), X[1, 2]
    yield ssop.strided_slice(x, [0, 1], [0, 2], new_axis_mask=1), X[None, 1:2]
    yield ssop.strided_slice(x, [2], [2]), X[2:2]
    yield ssop.slice(x, [1, 0], [4, 6], [2, 5]), X[1::2, ::5]
    yield ssop.dynamic_slice(x, [9, -9], [2, 3]), X[2:, :3]
    yield ssop.dynamic_slice(x, [-1, 9], [1, 3], allow_negative_indices=True), X[3:, 3:]
    yield SPEC(x), X[::2, 5:0:-2]


def plain(result):
    if isinstance(result, da.Array):
        return result.compute()
    return np.asarray(result) if isinstance(result, np.ndarray) else np.from_dlpack(result)


def rejected(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceTypeError) as info:
        function(*arguments, **keywords)
    assert info.value.label == "in_c7"
    return info.value


# ---- dask ------------------------------------------------------------------------------------------------------------


def test_dask_stays_lazy():
    for result, expected in operations(CHUNKED):
        assert isinstance(result, da.Array)
        assert result.shape == expected.shape
        assert result.dtype == X.dtype
        assert np.array_equal(result.compute(), expected)


def test_dask_computes_nothing():
    def never(block):
        raise AssertionError("computed")

    lazy = da.map_blocks(never, CHUNKED, dtype=X.dtype)
    assert all(isinstance(result, da.Array) for result, _ in operations(lazy))
    assert isinstance(ssop.dynamic_update_slice(lazy, X[:1, :1], [0, 0]), da.Array)


@pytest.mark.parametrize(
    "update", [X[:2, :3] * 10, da.from_array(X[:2, :3] * 10), [[0, 10, 20], [60, 70, 80]]], ids=type
)
def test_dask_updates(update):
    expected = X.copy()
    expected[2:, 3:] = X[:2, :3] * 10
    result = ssop.dynamic_update_slice(CHUNKED, update, [9, 9])
    assert isinstance(result, da.Array)
    assert np.array_equal(result.compute(), expected)
    assert np.array_equal(CHUNKED.compute(), X)  # the operand is as it was


# ---- the array API standard, to the letter ---------------------------------------------------------------------------


def test_array_api_strict_stays_in_its_library():
    for result, expected in operations(STRICT):
        assert type(result) is type(STRICT)
        assert result.shape == expected.shape
        assert np.array_equal(np.from_dlpack(result), expected)


@pytest.mark.parametrize("update", [STRICT[:2, :3], [[0, 1, 2], [6, 7, 8]]], ids=["array", "list"])
def test_array_api_strict_updates(update):
    expected = X.copy()
    expected[2:, 3:] = X[:2, :3]
    result = ssop.dynamic_update_slice(STRICT, update, [9, 9])
    assert type(result) is type(STRICT)
    assert np.array_equal(np.from_dlpack(result), expected)
    assert np.array_equal(np.from_dlpack(STRICT), X)


# ---- what is an error for foreign arrays (in_c7) ---------------------------------------------------------------------

MAKERS = {"dask": da.from_array, "array_api_strict": array_api_strict.asarray, "masked": ma.array}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
every_foreign = pytest.mark.parametrize("x", [make(X) for make in MAKERS.values()], ids=MAKERS)


@every_foreign
def test_no_out(x):
    out = np.full_like(X, -1)
    for call in (
        lambda: ssop.copy(x, out=out),
        lambda: ssop.strided_slice(x, [], [], out=out),
        lambda: ssop.slice(x, [0, 0], [4, 6], out=out),
        lambda: ssop.dynamic_slice(x, [0, 0], [4, 6], out=out),
        lambda: ssop.dynamic_update_slice(x, X[:1, :1], [0, 0], out=out),
        lambda: ssop.StridedSliceSpec([], [])(x, out=out),
    ):
        assert rejected(call).value is x
    for call in (lambda: ssop.xla.select(True, x, x, out=out), lambda: ssop.xla.clamp(x, x, x, out=out)):
        assert rejected(call).label == "in_c7"
    assert (out == -1).all()


@every_foreign
def test_no_wrapping_round(x):
    assert "wrap" in str(rejected(ssop.dynamic_slice, x, [3, 5], [2, 2], out_of_bounds="wrap"))
    assert "wrap" in str(rejected(ssop.dynamic_update_slice, x, X[:2, :2], [3, 5], out_of_bounds="wrap"))
    inside = ssop.dynamic_slice(x, [5, 6], [2, 2], out_of_bounds="wrap")  # one piece: nothing wraps
    assert inside.shape == (2, 2)


@every_foreign
@pytest.mark.parametrize("operand", [X, X.tolist(), X.view(type("Ours", (np.ndarray,), {}))], ids=type)
def test_no_update_of_a_numpy_array(x, operand):
    """Neither its library nor its mask would survive."""
    before = X.copy()
    for out in (None, np.empty_like(X)):
        assert rejected(ssop.dynamic_update_slice, operand, x[:1, :1], [0, 0], out=out).op == "dynamic_update_slice"
    assert np.array_equal(X, before)


@every_foreign
def test_no_copy_into_a_numpy_array(x):
    dst = np.full_like(X, -1)
    assert rejected(ssop.copyto, dst, x).value is x
    assert (dst == -1).all()


@every_foreign
def test_no_plan(x):
    rejected(ssop.plan(ssop.StridedSliceSpec([1], [2]), X.shape, X.dtype), x)


@pytest.mark.parametrize("x", [CHUNKED, STRICT], ids=["dask", "array_api_strict"])
def test_no_destination(x):
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.copyto(x, X)
    assert info.value.label == "out_c1"
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.copy(X, out=x)
    assert info.value.label == "out_c1"


@every_maker
def test_the_same_checks_as_for_numpy(make):
    x = make(X)
    for call, label in (
        (lambda: ssop.strided_slice(x, [0], [1], [0]), "ss_c5"),
        (lambda: ssop.strided_slice(x, [9], [0], shrink_axis_mask=1), "ss_c7"),
        (lambda: ssop.slice(x, [0, 0], [9, 9]), "sl_c5"),
        (lambda: ssop.dynamic_slice(x, [0], [9, 9]), "ds_c1"),
        (lambda: ssop.dynamic_slice(x, [9, 9], [1, 1], out_of_bounds="raise"), "ds_c5"),
        (lambda: ssop.dynamic_update_slice(x, make(X[0]), [0, 0]), "dus_c2"),
        (lambda: ssop.dynamic_update_slice(x, make(np.zeros((5, 6), X.dtype)), [0, 0]), "dus_c3"),
    ):
        with pytest.raises(ssop.SliceError) as info:
            call()
        assert info.value.label == label


@every_maker
def test_an_update_of_another_dtype_is_not_converted_in_silence(make):
    """dus_c4: 1.7 would become 1."""
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(make(np.array([1, 2, 3])), make(np.array([1.7])), [0])
    assert info.value.label == "dus_c4"


@every_maker
def test_strided_updates_make_the_same_checks_as_for_numpy(make):
    for update in (ssop.tensor_strided_slice_update, ssop.strided_slice_assign):
        for value, label in (
            (make(np.full((2, 6), 1.7)), "as_c2"),  # 1.7 would become 1
            (make(X[:2]), "as_c1"),
            (make(np.zeros((2, 1, 6), X.dtype)), "as_c1"),
            (make(np.zeros((2,), X.dtype)), "as_c1"),
        ):
            x = make(X.copy())
            with pytest.raises(ssop.SliceError) as info:
                update(x, [0], [1], [1], value)
            assert (info.value.op, info.value.label) == (update.__name__, label)
            assert np.array_equal(plain(x), X)


@every_maker
@pytest.mark.parametrize(
    ("spec", "masks", "shape"),
    [
        (([3], [0], [-2]), {}, (6,)),
        (([0, 5], [4, 0], [2, -2]), {}, (2, 1)),
        (([0, 0, 5], [0, 2, 0], [1, 1, -1]), {"new_axis_mask": 1}, (1, 2, 5)),
        (([1, 0, 0], [0, 0, 6], [1, 1, 1]), {"shrink_axis_mask": 1, "new_axis_mask": 2}, (6,)),
        (([0], [2], [1]), {}, (1, 1, 2, 6)),
        (([2], [2], [1]), {}, (7, 7, 7)),  # as_s2: an empty slice takes any shape
        (([0, 0], [1, 0], [1, 1]), {"shrink_axis_mask": 2}, ()),
    ],
    ids=str,
)
def test_strided_updates_broadcast_as_for_numpy(make, spec, masks, shape):
    value = -1 - np.arange(np.prod(shape, dtype=int)).reshape(shape)
    expected = ssop.tensor_strided_slice_update(X, *spec, value, **masks)
    x = make(X.copy())
    result = ssop.tensor_strided_slice_update(x, *spec, make(value), **masks)
    assert isinstance(result, type(x)) and np.array_equal(plain(result), expected)
    assert np.array_equal(plain(x), X)
    assert ssop.strided_slice_assign(x, *spec, make(value), **masks) is x
    assert np.array_equal(plain(x), expected)


def test_updates_do_not_mix_libraries():
    """A mask would be lost, and arrays of one library would be converted to another in silence."""
    for operand, update in (
        (CHUNKED, ma.array(X[:1, :1])),
        (CHUNKED, STRICT[:1, :1]),
        (ma.array(X), CHUNKED[:1, :1]),
        (ma.array(X), STRICT[:1, :1]),
    ):
        assert rejected(ssop.dynamic_update_slice, operand, update, [0, 0]).value is update
        assert rejected(ssop.tensor_strided_slice_update, operand, [0], [1], None, update).value is update


@pytest.mark.parametrize("make", [array_api_strict.asarray, ma.array], ids=["array_api_strict", "masked"])
def test_results_share_no_memory_with_their_operands(make):
    """out_s1: writing to a result never changes an input."""
    x = make(X.copy())
    for result, _ in operations(x):
        result[...] = make(np.full(result.shape, -9))
        assert np.array_equal(plain(x), X)


def test_arguments_by_name_and_by_position():
    for call in (
        lambda: ssop.strided_slice(CHUNKED, [1], [3], None, shrink_axis_mask=1),
        lambda: ssop.strided_slice(shrink_axis_mask=1, end=[3], begin=[1], input_=CHUNKED),
        lambda: ssop.tf.strided_slice(CHUNKED, [1], [3], None, 0, 0, 0, 0, 1, None, "name", out=None),
        lambda: ssop.tf.strided_slice(CHUNKED, [1], [3], var=None, name="name", shrink_axis_mask=1),
        lambda: ssop.tflite.strided_slice(CHUNKED, [1, 0], [1, 6], [1, 1], shrink_axis_mask=1, offset=True),
        lambda: ssop.tf.slice(size=[1, -1], begin=[1, 0], input_=CHUNKED)[0],
        lambda: ssop.openvino.strided_slice(CHUNKED, [1], [3], shrink_axis_mask=[1], strict=False),
        lambda: ssop.openvino.slice(CHUNKED, [1], [2], [1], [-2])[0],
        lambda: ssop.onnx.slice(CHUNKED, [1], [2], engine="ort")[0],
    ):
        assert np.array_equal(call().compute(), X[1])
    with pytest.raises(TypeError, match=r"strided_slice\(\) got an unexpected keyword argument 'axes'"):
        ssop.strided_slice(CHUNKED, [1], [3], axes=[0])
    with pytest.raises(TypeError, match=r"strided_slice\(\) missing required argument 'end'"):
        ssop.strided_slice(CHUNKED, [1])


def test_every_operation_is_a_row_of_the_table():
    """The C functions look for their own name, and the rows name parameters of theirs."""
    faces = (ssop, ssop.tf, ssop.tflite, ssop.openvino, ssop.onnx, ssop.xla)
    public = {
        function: (face, name)
        for face in reversed(faces)
        for name, function in vars(face).items()
        if inspect.isbuiltin(function) and inspect.signature(function).parameters
    }
    names = {f"{face.__name__}.{name}".removeprefix("ssop.") for face, name in public.values()} - {"set_num_threads"}
    rows = {operation.name: operation for operation in operations_table.OPERATIONS}
    assert names == set(rows) and len(rows) == len(operations_table.OPERATIONS)
    for name, row in rows.items():
        assert getattr(operations_table, name.replace(".", "_")) is row
        parameters = inspect.signature(getattr(_core, name.replace(".", "_"))).parameters
        fields = row._asdict()
        named = {fields.get("operand", "operands"), *fields.get("ignored", ())}
        named |= {fields["source"]} if "source" in fields else {fields["value"].name} if fields.get("value") else set()
        assert named - {"operands"} <= set(parameters), name


# ---- objects that only convert ---------------------------------------------------------------------------------------


class Converts:
    """The array protocol and nothing more."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


class Interface:
    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("kind", [Converts, Interface, memoryview])
def test_converts_as_asarray_does(kind):
    for result, expected in operations(kind(X)):
        assert type(result) is np.ndarray
        assert np.array_equal(result, expected)
    wrapped = ssop.dynamic_slice(kind(X), [3, 5], [2, 2], out_of_bounds="wrap")
    assert np.array_equal(wrapped, X[[3, 0]][:, [5, 0]])
    out = np.empty_like(X)
    assert ssop.copy(kind(X), out=out) is out
    assert np.array_equal(out, X)


def test_lists_take_the_operand_s_dtype_in_strided_updates_too():
    for operand in (np.zeros(3, np.float32), Converts(np.zeros(3, np.float32)), da.zeros(3, dtype=np.float32)):
        result = ssop.tensor_strided_slice_update(operand, [0], [2], [1], [1, 2])
        assert (np.asarray(result).tolist(), result.dtype) == ([1, 2, 0], np.float32)


@pytest.mark.parametrize("ref", [X.copy(), X.copy().view(type("Ours", (np.ndarray,), {}))], ids=["array", "subclass"])
def test_assignment_returns_the_very_array(ref):
    assert ssop.strided_slice_assign(ref, [0], [1], [1], Converts(X[1])) is ref
    assert np.array_equal(ref[0], X[1])
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice_assign(Converts(X), [0], [1], [1], Converts(X[1]))
    assert info.value.label == "out_c1"


@pytest.mark.parametrize("operand", [X, Converts(X)], ids=["array", "object"])
@pytest.mark.parametrize("update", [X[:2, :3] * 10, Converts(X[:2, :3] * 10), [[0, 10, 20], [60, 70, 80]]], ids=type)
def test_updates_with_objects_that_convert(operand, update):
    expected = X.copy()
    expected[2:, 3:] = X[:2, :3] * 10
    assert np.array_equal(ssop.dynamic_update_slice(operand, update, [9, 9]), expected)


def test_lists_take_the_operand_s_dtype_whatever_the_operand_is():
    for operand in (np.zeros(3, np.float32), Converts(np.zeros(3, np.float32)), memoryview(np.zeros(3, np.float32))):
        result = ssop.dynamic_update_slice(operand, [1, 2], [0])
        assert (result.tolist(), result.dtype) == ([1, 2, 0], np.float32)


def test_update_of_a_range():
    assert ssop.dynamic_update_slice(range(5), np.array([9]), [0]).tolist() == [9, 1, 2, 3, 4]
    assert ssop.dynamic_update_slice(np.arange(5), range(7, 9), [1]).tolist() == [0, 7, 8, 3, 4]


def test_copyto_from_objects_that_convert():
    dst = np.zeros_like(X)
    for source in (Converts(X), memoryview(X)):
        ssop.copyto(dst, source)
        assert np.array_equal(dst, X)
        dst[...] = 0


# ---- libraries known by name -----------------------------------------------------------------------------------------


class Stored:
    """What ssop needs of a zarr array: it reads NumPy arrays, takes neither negative steps nor new axes, and repeats
    no value that is written."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, index):
        return np.array(self.array[self._checked(index)])

    def __setitem__(self, index, value):
        assert self.array[self._checked(index)].shape == value.shape
        self.array[index] = value

    @staticmethod
    def _checked(index):
        steps = [part.step for part in index if isinstance(part, slice)] if index is not Ellipsis else []
        assert all(step is None or step > 0 for step in steps) and (index is Ellipsis or None not in index)
        return index


def test_zarr_is_read_and_written_forwards(monkeypatch):
    monkeypatch.setattr(Stored, "__module__", "zarr.core.array")
    stored = Stored(X.copy())
    for result, expected in slices(Stored(X)):
        assert type(result) is np.ndarray and np.array_equal(result, expected) and result.shape == expected.shape
    assert rejected(ssop.copy, stored).value is stored
    rejected(ssop.dynamic_update_slice, stored, X[:1, :1], [0, 0])
    spec, masks = ([0, 3, 5], [0, 1, 0], [1, -1, -2]), {"new_axis_mask": 1}
    for value in ([[1, 2, 3]], X[:2, :3], Stored(X[:2, :3]), 7):
        number = value.array if isinstance(value, Stored) else value
        expected = ssop.strided_slice_assign(X.copy(), *spec, number, **masks)
        assert ssop.strided_slice_assign(stored, *spec, value, **masks) is stored
        assert np.array_equal(stored.array, expected)
        stored.array[...] = X


def test_a_library_that_narrows_numpy_arrays():
    """JAX makes float32 of float64 unless told otherwise: 1e300 would arrive as infinity."""

    class Narrow(Stored):
        def __array_namespace__(self):
            return types.SimpleNamespace(asarray=narrowed)

    def narrowed(value, dtype=None):
        made = Narrow(np.asarray(value).astype(np.float32))
        made.dtype = np.dtype(np.float32)
        return made

    operand = narrowed(np.zeros(3))
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(operand, np.array([0.1]), [0])
    assert info.value.label == "dus_c4"


class Known(Stored):
    """An array of which ssop knows no more than the name of its library."""

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("turned into a NumPy array")

    def __getitem__(self, index):
        return type(self)(self.array[index])

    data = property(lambda self: self)  # of xarray


@pytest.mark.parametrize("library", ["cupy", "dask.array.core", "tensorflow", "xarray", "zarr.core"])
def test_known_libraries_are_never_converted(library, monkeypatch):
    monkeypatch.setattr(Known, "__module__", library)

    class Derived(Known):
        __module__ = "users.own"

    for kind in (Known, Derived):
        assert type(ssop.strided_slice(kind(X), [1], [2])) is kind
        rejected(ssop.copyto, X.copy(), kind(X))


def test_no_library_is_imported():
    code = (
        "import sys, numpy as np, ssop\n"
        "ssop.copy(range(3)); ssop.dynamic_update_slice(np.arange(3), [1], [0])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "libraries = {'torch', 'jax', 'dask', 'cupy', 'xarray', 'zarr', 'tensorflow', 'ml_dtypes', 'hypothesis'}\n"
        "assert not loaded & libraries, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numpy_s_own_arrays_are_at_home():
    """NumPy arrays and scalars have __array_namespace__, too: they are not foreign, whatever stands beside them."""
    for operand in (X, X.view(type("Ours", (np.ndarray,), {}))):
        for update in (Converts(X[:1, :1]), memoryview(X[:1, :1]), [[0]], ((0,),)):
            out = np.empty_like(X)
            assert ssop.dynamic_update_slice(operand, update, [0, 0], out=out) is out
            assert np.array_equal(out, X)
    assert ssop.dynamic_update_slice(X, [[0, 0]], [3, 5], out_of_bounds="wrap")[3, 0] == 0
    assert ssop.copy(np.float64(1.5)).item() == 1.5
