"""Tensors of TensorFlow, torch and JAX: as inputs they stay in their library, as indices they are integers.

The libraries are not installed here: what ssop needs of them stands in for them. tests/differential has the real ones.
"""

import inspect
import sys
import types

import numpy as np
import pytest

import ssop

X = np.arange(24).reshape(4, 6)


class Tensor:
    """What ssop needs of a tensor of TensorFlow: it is indexed like NumPy's arrays, and never assigned to."""

    def __init__(self, array):
        self.array = np.asarray(array)
        self.shape = self.array.shape
        self.dtype = f"<dtype: {self.array.dtype}>"

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("turned into a NumPy array")

    def __getitem__(self, index):
        return Tensor(self.array[index])


@pytest.fixture
def tensor(monkeypatch):
    monkeypatch.setattr(Tensor, "__module__", "tensorflow.python.framework.ops")
    functions = {
        "identity": lambda x: Tensor(x.array.copy()),
        "concat": lambda values, axis: Tensor(np.concatenate([x.array for x in values], axis)),
        "transpose": lambda x, perm: Tensor(x.array.transpose(perm)),
        "reshape": lambda x, shape: Tensor(x.array.reshape(shape)),
        "broadcast_to": lambda x, shape: Tensor(np.broadcast_to(x.array, shape)),
        "convert_to_tensor": lambda x, dtype: Tensor(np.asarray(x)),
    }
    monkeypatch.setitem(sys.modules, "tensorflow", types.SimpleNamespace(**functions))
    return Tensor(X)


def test_slices_of_tensorflow_s_tensors_are_tensors(tensor):
    for result, expected in [
        (ssop.strided_slice(tensor, [3, 0], [0, 6], [-1, 2]), X[3:0:-1, ::2]),
        (ssop.tf.strided_slice(tensor, [0, 1], [0, 2], new_axis_mask=1, name="n"), X[None, 1:2]),
        (ssop.tf.slice(tensor, [1, 2], [-1, 2], "n"), X[1:, 2:4]),
        (ssop.slice(tensor, [1, 0], [4, 6], [2, 5]), X[1::2, ::5]),
        (ssop.dynamic_slice(tensor, [9, -9], [2, 3]), X[2:, :3]),
        (ssop.StridedSliceSpec([-1], [0], shrink_axis_mask=1)(tensor), X[-1]),
        (ssop.xla.rev(tensor, [1]), X[:, ::-1]),
        (ssop.xla.transpose(tensor, [1, 0]), X.T),
        (ssop.xla.concatenate([tensor, tensor], 0), np.concatenate([X, X])),
        (ssop.xla.broadcast(tensor, [2]), np.broadcast_to(X, (2, 4, 6))),
        (ssop.copy(tensor), X),
    ]:
        assert type(result) is Tensor
        assert result.shape == expected.shape and np.array_equal(result.array, expected)


def test_updates_of_tensorflow_s_tensors_say_what_to_do(tensor):
    for function, *arguments in [
        (ssop.strided_slice_assign, tensor, [0], [1], [1], 7),
        (ssop.tf.strided_slice_assign, tensor, [0], [1], [1], tensor),
        (ssop.tensor_strided_slice_update, tensor, [0], [1], [1], 7),
        (ssop.dynamic_update_slice, tensor, X[:1], [0, 0]),
        (ssop.xla.pad, tensor, 0, [(1, 0, 0), (0, 0, 0)]),
    ]:
        with pytest.raises(ssop.SliceTypeError, match=r"pass x\.numpy\(\), or call TensorFlow's own") as info:
            function(*arguments)
        assert info.value.label == "in_c7" and info.value.value is tensor


def test_in_c7_tensors_are_not_converted_to_update_numpy_arrays(tensor):
    x = X.copy()
    for function, *arguments in [
        (ssop.strided_slice_assign, x, [0], [4], [1], tensor),
        (ssop.tensor_strided_slice_update, x, [0], [4], [1], tensor),
        (ssop.dynamic_update_slice, x, tensor, [0, 0]),
        (ssop.xla.dynamic_update_slice_in_dim, x, tensor, 0, 0),
        (ssop.xla.pad, x, Tensor(0), [(1, 0, 0), (0, 0, 0)]),
        (ssop.copyto, x, tensor),
    ]:
        with pytest.raises(ssop.SliceTypeError, match=r"numpy\.asarray\(\w+\) converts it \[in_c7\]$") as info:
            function(*arguments)
        assert info.value.label == "in_c7" and type(info.value.value) is Tensor
        assert np.array_equal(x, X)


def test_other_objects_of_a_library_convert_as_ever(monkeypatch):
    """What has no shape is no array: TensorFlow's TensorShape, for one."""
    shape = type("TensorShape", (), {"__len__": lambda self: 2, "__getitem__": lambda self, i: [3, 4][i]})
    monkeypatch.setattr(shape, "__module__", "tensorflow.python.framework.tensor_shape")
    assert ssop.copy(shape()).tolist() == [3, 4]
    assert ssop.StridedSliceSpec([1], [3]).resolve(shape()).shape == (2, 4)


# ---- tensors as indices ----------------------------------------------------------------------------------------------


class Unsequential:
    """A tensor that converts to a NumPy array and is no sequence, as torch's."""

    def __init__(self, values, dtype=np.int64, error=None):
        self.array, self.error = np.array(values, dtype), error

    def __array__(self, dtype=None, copy=None):
        if self.error is not None:
            raise self.error
        return self.array


class Sequential(Unsequential):
    """A tensor whose items are tensors: JAX's and TensorFlow's."""

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        return Scalar(self.array[index])


class Scalar(Sequential):
    """An item of a tensor. TensorFlow's answer like this if they are no integers."""

    def __index__(self):
        return self.array.item().__index__()


KINDS = pytest.mark.parametrize("kind", [Unsequential, Sequential])


@KINDS
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, ">i2"])
def test_tensors_of_integers_are_indices(kind, dtype):
    def vector(*values):
        return kind(values, dtype)

    assert np.array_equal(ssop.strided_slice(X, vector(1, 0), vector(4, 6), vector(2, 3)), X[1:4:2, 0:6:3])
    assert np.array_equal(ssop.dynamic_slice(X, vector(1, 2), vector(2, 2)), X[1:3, 2:4])
    assert np.array_equal(ssop.xla.transpose(X, vector(1, 0)), X.T)
    assert ssop.strided_slice_grad(vector(4), [0], [2], [1], [7, 8]).tolist() == [7, 8, 0, 0]
    assert ssop.StridedSliceSpec(vector(1), vector(2)) == ssop.StridedSliceSpec([1], [2])


def test_items_of_tensors_are_indices():
    assert ssop.strided_slice(X, [Scalar(1)], [Scalar(2)], begin_mask=Scalar(1)).tolist() == X[:2].tolist()


@KINDS
@pytest.mark.parametrize(
    ("values", "dtype", "label"),
    [([0.0], float, "in_c1"), ([True], bool, "in_c1"), ([[0]], int, "in_c6"), (0, int, "in_c6")],
    ids=["floats", "bools", "two axes", "no axis"],
)
def test_other_tensors_are_no_indices(kind, values, dtype, label):
    with pytest.raises(ssop.SliceError) as info:
        ssop.strided_slice(X, kind(values, dtype), [1])
    assert info.value.label == label


def test_items_that_are_no_integers_are_no_indices():
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice(X, [Scalar(0.5, float)], [1])
    assert info.value.label == "in_c1"


def test_tensors_that_do_not_convert():
    """A TypeError means that it is none of NumPy's; then the items are asked, as of CuPy's. Other errors come out."""
    assert ssop.strided_slice(X, Sequential([1], error=TypeError("implicit")), [2]).tolist() == X[1:2].tolist()
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice(X, Unsequential([1], error=TypeError("implicit")), [2])
    assert info.value.label == "in_c5"
    with pytest.raises(RuntimeError, match="on the device"):
        ssop.strided_slice(X, Unsequential([1], error=RuntimeError("on the device")), [2])


# ---- TensorFlow's parameters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ssop.tf.__all__)
def test_every_function_of_tf_takes_a_name(name):
    assert inspect.signature(getattr(ssop.tf, name)).parameters["name"].default is None


def test_names_are_ignored():
    grad = ssop.tf.strided_slice_grad([4], [0], [4], [2], [1, 2], name="n")
    assert grad.tolist() == ssop.strided_slice_grad([4], [0], [4], [2], [1, 2]).tolist() == [1, 0, 2, 0]
    x = np.zeros(4, int)
    assert ssop.tf.tensor_strided_slice_update(x, [1], [2], [1], 7, name="n").tolist() == [0, 7, 0, 0]
    assert ssop.tf.strided_slice_assign(x, [0], [4], [2], 5, name="n") is x and x.tolist() == [5, 0, 5, 0]
    assert ssop.tf.slice(x, [1], [2], "n").tolist() == ssop.tf.slice(x, [1], [2], name="n").tolist() == [0, 5]
    for function in (ssop.strided_slice_grad, ssop.strided_slice_assign, ssop.tensor_strided_slice_update):
        with pytest.raises(TypeError, match="unexpected keyword argument 'name'"):
            function([4], [0], [4], [2], [1, 2], name="n")
