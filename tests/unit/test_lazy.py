"""Arrays of other libraries stay in their library; what only converts to an array is converted; no mask is lost."""

import subprocess
import sys
import types

import array_api_strict
import dask.array as da
import numpy as np
import pytest
from numpy import ma

import ssop

X = np.arange(24).reshape(4, 6)
CHUNKED = da.from_array(X, chunks=(3, 4))
STRICT = array_api_strict.asarray(X)
SPEC = ssop.StridedSliceSpec([0, 5], [4, 0], [2, -2])


def operations(x):
    """Every operation that takes one region of `x`, and what it takes."""
    yield ssop.copy(x), X
    yield ssop.strided_slice(x, [0, 5], [4, 0], [2, -2]), X[::2, 5:0:-2]
    yield ssop.strided_slice(x, [-1], [0], shrink_axis_mask=1), X[-1]
    yield ssop.strided_slice(x, [1, 2], [0, 0], shrink_axis_mask=3), X[1, 2]
    yield ssop.strided_slice(x, [0, 1], [0, 2], new_axis_mask=1), X[None, 1:2]
    yield ssop.strided_slice(x, [2], [2]), X[2:2]
    yield ssop.slice(x, [1, 0], [4, 6], [2, 5]), X[1::2, ::5]
    yield ssop.dynamic_slice(x, [9, -9], [2, 3]), X[2:, :3]
    yield ssop.dynamic_slice(x, [-1, 9], [1, 3], allow_negative_indices=True), X[3:, 3:]
    yield SPEC(x), X[::2, 5:0:-2]


def refused(function, *arguments, **keywords):
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


# ---- what foreign arrays refuse (in_c7) ------------------------------------------------------------------------------

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
        assert refused(call).value is x
    assert (out == -1).all()


@every_foreign
def test_no_wrapping_round(x):
    assert "wrap" in str(refused(ssop.dynamic_slice, x, [3, 5], [2, 2], out_of_bounds="wrap"))
    assert "wrap" in str(refused(ssop.dynamic_update_slice, x, X[:2, :2], [3, 5], out_of_bounds="wrap"))
    inside = ssop.dynamic_slice(x, [5, 6], [2, 2], out_of_bounds="wrap")  # one piece: nothing wraps
    assert inside.shape == (2, 2)


@every_foreign
@pytest.mark.parametrize("operand", [X, X.tolist(), X.view(type("Ours", (np.ndarray,), {}))], ids=type)
def test_no_update_of_a_numpy_array(x, operand):
    """Neither its library nor its mask would survive."""
    before = X.copy()
    for out in (None, np.empty_like(X)):
        assert refused(ssop.dynamic_update_slice, operand, x[:1, :1], [0, 0], out=out).op == "dynamic_update_slice"
    assert np.array_equal(X, before)


@every_foreign
def test_no_copy_into_a_numpy_array(x):
    dst = np.full_like(X, -1)
    assert refused(ssop.copyto, dst, x).value is x
    assert (dst == -1).all()


@every_foreign
def test_no_plan(x):
    refused(ssop.plan(ssop.StridedSliceSpec([1], [2]), X.shape, X.dtype), x)


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


class TorchType:
    """A dtype that NumPy does not understand."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    def __eq__(self, other):
        return isinstance(other, TorchType) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


class Tensor:
    """What ssop needs of a torch tensor: no negative steps, flip, clone, assignment of tensors and numbers only."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape
        self.dtype = TorchType(array.dtype)

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("turned into a NumPy array")

    def __getitem__(self, index):
        steps = [part.step for part in index if isinstance(part, slice)]
        assert all(step is None or step > 0 for step in steps), "step must be greater than zero"
        return Tensor(self.array[index])

    def __setitem__(self, index, value):
        if not isinstance(value, Tensor | int | float):
            raise TypeError(f"can't assign a {type(value).__name__} to a torch.LongTensor")
        self.array[index] = value.array if isinstance(value, Tensor) else value

    def flip(self, axes):
        return Tensor(np.flip(self.array, axes))

    def clone(self):
        return Tensor(self.array.copy())


@pytest.fixture
def torch_like(monkeypatch):
    def asarray(value, *, dtype=None):
        return Tensor(np.asarray(value, dtype=None if dtype is None else dtype.dtype))

    monkeypatch.setattr(Tensor, "__module__", "torch")
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(Tensor=Tensor, asarray=asarray))
    return Tensor


def test_torch_steps_forward_and_flips(torch_like):
    for result, expected in operations(torch_like(X)):
        assert type(result) is torch_like
        assert np.array_equal(result.array, expected)


@pytest.mark.parametrize("update", [Tensor(X[:1, :2]), [[0, 1]], ((0.0, 1.0),)], ids=["tensor", "list", "floats"])
def test_torch_updates_a_clone(torch_like, update):
    operand = torch_like(X.copy())
    result = ssop.dynamic_update_slice(operand, update, [9, 9])
    assert type(result) is torch_like
    assert result.array.dtype == X.dtype
    assert result.array[3, 4:].tolist() == [0, 1]
    assert np.array_equal(operand.array, X)


def test_torch_refuses_what_others_refuse(torch_like):
    tensor = torch_like(X.copy())
    refused(ssop.dynamic_update_slice, X, tensor, [0, 0])
    refused(ssop.copy, tensor, out=np.empty_like(X))
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(tensor, torch_like(X[:1].astype(np.float32)), [0, 0])
    assert info.value.label == "dus_c4"


def test_a_library_that_narrows_numpy_arrays(torch_like):
    """JAX makes float32 of float64 unless told otherwise: 1e300 would arrive as infinity."""

    class Narrow(torch_like):
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


@pytest.mark.parametrize("library", ["cupy", "dask.array.core", "jax", "jaxlib", "torch", "xarray", "zarr.core"])
def test_known_libraries_are_never_converted(library, monkeypatch):
    monkeypatch.setattr(Tensor, "__module__", library)
    tensor = Tensor(X)
    assert type(ssop.strided_slice(tensor, [1], [2])) is Tensor
    refused(ssop.copyto, X.copy(), tensor)


def test_no_library_is_imported():
    code = (
        "import sys, numpy as np, ssop\n"
        "ssop.copy(range(3)); ssop.dynamic_update_slice(np.arange(3), [1], [0])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'torch', 'jax', 'dask', 'cupy', 'xarray', 'zarr', 'tensorflow', 'ml_dtypes'}, loaded\n"
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
