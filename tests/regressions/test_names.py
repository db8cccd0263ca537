"""Errors, and what helps to write calls, under the names that users write (reports of 2026-11-26)."""

import inspect

import dask.array as da
import numpy as np
import pytest
from numpy import ma

import ssop

X = np.arange(12).reshape(3, 4)
LIBRARIES = {"numpy": np.asarray, "masked": ma.asarray, "dask": da.from_array}
ZERO_STEP = ([0], [1], [0])
CALLS = {
    "strided_slice": lambda x: ssop.strided_slice(x, *ZERO_STEP),
    "strided_slice_grad": lambda x: ssop.strided_slice_grad([3, 4], *ZERO_STEP, x),
    "strided_slice_assign": lambda x: ssop.strided_slice_assign(x, *ZERO_STEP, 1),
    "tensor_strided_slice_update": lambda x: ssop.tensor_strided_slice_update(x, *ZERO_STEP, 1),
    "tf.strided_slice": lambda x: ssop.tf.strided_slice(x, *ZERO_STEP),
    "tf.strided_slice_grad": lambda x: ssop.tf.strided_slice_grad([3, 4], *ZERO_STEP, x),
    "tf.strided_slice_assign": lambda x: ssop.tf.strided_slice_assign(x, *ZERO_STEP, 1),
    "tf.tensor_strided_slice_update": lambda x: ssop.tf.tensor_strided_slice_update(x, *ZERO_STEP, 1),
    "tf.slice": lambda x: ssop.tf.slice(x, [9], [9]),
    "tflite.strided_slice": lambda x: ssop.tflite.strided_slice(x, *ZERO_STEP),
    "tflite.slice": lambda x: ssop.tflite.slice(x, [9], [9]),
    "openvino.strided_slice": lambda x: ssop.openvino.strided_slice(x, *ZERO_STEP),
    "openvino.slice": lambda x: ssop.openvino.slice(x, *ZERO_STEP),
    "onnx.slice": lambda x: ssop.onnx.slice(x, [0], [1], [0], [0]),
    "slice": lambda x: ssop.slice(x, *ZERO_STEP),
    "dynamic_slice": lambda x: ssop.dynamic_slice(x, [1], [1]),
    "dynamic_update_slice": lambda x: ssop.dynamic_update_slice(x, x, [1]),
    "xla.slice_in_dim": lambda x: ssop.xla.slice_in_dim(x, 2, 1),
    "xla.index_in_dim": lambda x: ssop.xla.index_in_dim(x, 9),
    "xla.dynamic_slice_in_dim": lambda x: ssop.xla.dynamic_slice_in_dim(x, 0, 9),
    "xla.dynamic_index_in_dim": lambda x: ssop.xla.dynamic_index_in_dim(x, 0, 9),
    "xla.dynamic_update_slice_in_dim": lambda x: ssop.xla.dynamic_update_slice_in_dim(x, x, 0, 9),
    "xla.dynamic_update_index_in_dim": lambda x: ssop.xla.dynamic_update_index_in_dim(x, x, 0, 9),
    "xla.pad": lambda x: ssop.xla.pad(x, 0, [(1, 2, 3)]),
    "xla.rev": lambda x: ssop.xla.rev(x, [9]),
    "xla.concatenate": lambda x: ssop.xla.concatenate([x, x], 9),
    "xla.broadcast": lambda x: ssop.xla.broadcast(x, [-1]),
    "xla.broadcast_in_dim": lambda x: ssop.xla.broadcast_in_dim(x, [3], [0]),
    "xla.reshape": lambda x: ssop.xla.reshape(x, [5]),
    "xla.collapse": lambda x: ssop.xla.collapse(x, [1, 0]),
    "xla.transpose": lambda x: ssop.xla.transpose(x, [0]),
    "xla.select": lambda x: ssop.xla.select(x, x, x),
    "xla.clamp": lambda x: ssop.xla.clamp(1.5, x, 2),
    "vjp.strided_slice": lambda x: ssop.vjp.strided_slice(x, [3, 4], *ZERO_STEP),
    "vjp.tf_slice": lambda x: ssop.vjp.tf_slice(x, [3, 4], [9], [9]),
    "vjp.tensor_strided_slice_update": lambda x: ssop.vjp.tensor_strided_slice_update(x, [3, 4], [1], *ZERO_STEP),
    "vjp.slice": lambda x: ssop.vjp.slice(x, [3, 4], *ZERO_STEP),
    "vjp.dynamic_slice": lambda x: ssop.vjp.dynamic_slice(x, [3, 4], [1], [1]),
    "vjp.pad": lambda x: ssop.vjp.pad(x, [3, 4], [(1, 2, 3)]),
    "vjp.transpose": lambda x: ssop.vjp.transpose(x, [3, 4], [0]),
    "index": lambda x: ssop.index(x, np.s_[::0]),
    "index_assign": lambda x: ssop.index_assign(x, np.s_[::0], 1),
    "index_update": lambda x: ssop.index_update(x, np.s_[::0], 1),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", CALLS)
def test_an_error_names_the_function_that_was_called(name, library):
    """Report: errors of ssop.index, and of tf.strided_slice for arrays of dask, spoke of other functions."""
    with pytest.raises(ssop.SliceError) as caught:
        CALLS[name](LIBRARIES[library](X))
    assert caught.value.op == name and str(caught.value).startswith(f"{name}: ")


@pytest.mark.parametrize("bad", [1.5, [0], "a", True, (None,) * 32, np.s_[: 2**70], np.s_[..., ...], np.s_[0, 0, 0], 7])
@pytest.mark.parametrize("name", ["index", "index_assign", "index_update"])
def test_every_error_of_an_index_speaks_of_the_index(name, bad):
    function, value = getattr(ssop, name), () if name == "index" else (0,)
    with pytest.raises(ssop.SliceError) as caught:
        function(X, bad, *value)
    message = str(caught.value)
    assert caught.value.op == name and message.startswith(f"{name}: ")
    assert "from_index" not in message and "tf.newaxis" not in message and "StridedSliceSpec" not in message


def test_ix_s3_indices_write():
    """Report: a StridedSliceSpec and an update had no way to each other."""
    for index in (np.s_[::2, -1], np.s_[1], np.s_[..., None, ::-2], np.s_[3:, 1], np.s_[()], None):
        right, ours = X.copy(), X.copy()
        right[index] = 7
        assert ssop.index_assign(ours, index, 7) is ours
        assert np.array_equal(ours, right)
        updated = ssop.index_update(X, index, 7)
        assert np.array_equal(updated, right) and not np.shares_memory(updated, X)
        out = np.empty_like(X)
        assert ssop.index_update(X, index, 7, out=out) is out and np.array_equal(out, right)
        spec = ssop.StridedSliceSpec.from_index(index)
        ours = X.copy()
        assert spec.assign(ours, 7) is ours and np.array_equal(ours, right)
        assert np.array_equal(spec.update(X, 7), right)
    lazy = ssop.index_update(da.from_array(X), np.s_[1:, 0], [8, 9])
    assert isinstance(lazy, da.Array) and lazy.compute()[:, 0].tolist() == [0, 8, 9]


def test_ix_s3_an_error_changes_nothing():
    ours = X.copy()
    for index, value in ((np.s_[:, 0], [1, 2]), (np.s_[9], 0), (np.s_[:, 0], np.zeros(3)), (np.s_[0.5], 0)):
        for name in ("index_assign", "index_update"):
            with pytest.raises(ssop.SliceError):
                getattr(ssop, name)(ours, index, value)
            assert np.array_equal(ours, X)


def test_the_arguments_of_a_spec():
    spec = ssop.StridedSliceSpec.from_index(np.s_[1, ..., ::-2])
    assert spec.arguments == ((1, 0, 0), (2, 0, 0), (1, 1, -2), 4, 4, 2, 0, 1)
    assert np.array_equal(ssop.tf.strided_slice(X, *spec.arguments), X[1, ..., ::-2])
    assert ssop.StridedSliceSpec(*spec.arguments) == spec
    names = list(inspect.signature(ssop.StridedSliceSpec).parameters)
    assert [getattr(spec, name) for name in names] == list(spec.arguments)


def test_xla_says_which_operations_there_are():
    """Until every operation of XLA's document is there, a name that is missing says what is."""
    with pytest.raises(AttributeError, match=r"no attribute 'DynamicSlice': did you mean dynamic_slice\?") as caught:
        ssop.xla.DynamicSlice  # noqa: B018
    for name in ssop.xla.__all__:
        assert f" {name}" in str(caught.value)
    with pytest.raises(AttributeError, match=r"'zzz'\. It has Computation, abs, add, "):
        ssop.xla.zzz  # noqa: B018
    assert not hasattr(ssop.xla, "__wrapped__") and not hasattr(ssop.xla, "batch_dot")
