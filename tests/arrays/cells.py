"""A call of every operation that takes arrays of other libraries: with arrays of any library."""

import numpy as np

import ssop
from ssop import onnx, openvino, tf, tflite, vjp, xla

X = np.arange(24.0).reshape(4, 6)
Y = X[:2, :3] * 10
MASKS = {"begin_mask": 2, "ellipsis_mask": 0, "new_axis_mask": 4, "shrink_axis_mask": 1}

FILL = {"out_of_bounds": "fill", "fill_value": 7.0}

# The functions take a function that makes an array of the library from one of NumPy's.
CALLS = {
    "copy": lambda a: ssop.copy(a(X)),
    "strided_slice": lambda a: ssop.strided_slice(a(X), [1, 0, 0], [0, 5, 0], [1, 2, 1], **MASKS),
    "strided_slice backwards": lambda a: ssop.strided_slice(a(X), [3, 5], [0, 0], [-2, -1]),
    "tf.strided_slice": lambda a: tf.strided_slice(a(X), [-1, 1], [0, 6], [1, 2], shrink_axis_mask=1),
    "tf.slice": lambda a: tf.slice(a(X), [1, 2], [-1, 2]),
    "tflite.strided_slice": lambda a: tflite.strided_slice(a(X), [3, 0], [0, 6], [-1, 4]),
    "tflite.slice": lambda a: tflite.slice(a(X), [1, 1], [-1, 2]),
    "openvino.strided_slice": lambda a: openvino.strided_slice(a(X), [2, 1], [0, 3], [-1, 1], [0, 0], [0, 0]),
    "openvino.slice": lambda a: openvino.slice(a(X), [2, 1], [-9, 3], [-1, 1], [1, -2]),
    "onnx.slice": lambda a: onnx.slice(a(X), [5, 1], [0, 3], [1, 0], [-1, 1]),
    "slice": lambda a: ssop.slice(a(X), [1, 0], [4, 6], [2, 5]),
    "dynamic_slice": lambda a: ssop.dynamic_slice(a(X), [9, -9], [2, 3]),
    "dynamic_slice wrapping": lambda a: ssop.dynamic_slice(a(X), [3, 5], [2, 2], out_of_bounds="wrap"),
    "dynamic_slice filled": lambda a: ssop.dynamic_slice(a(X), [-1, 4], [7, 3], **FILL),
    "dynamic_slice of rows": lambda a: ssop.dynamic_slice(a(X), [[9, -9], [1, 2]], [2, 3]),
    "xla.slice_in_dim": lambda a: xla.slice_in_dim(a(X), 1, None, 2, axis=-1),
    "xla.index_in_dim": lambda a: xla.index_in_dim(a(X), 2, axis=1, keepdims=False),
    "xla.dynamic_slice_in_dim": lambda a: xla.dynamic_slice_in_dim(a(X), 9, 2, axis=1),
    "xla.dynamic_index_in_dim": lambda a: xla.dynamic_index_in_dim(a(X), 9, axis=1, keepdims=False),
    "xla.rev": lambda a: xla.rev(a(X), [1]),
    "dynamic_update_slice": lambda a: ssop.dynamic_update_slice(a(X), a(Y), [9, 1]),
    "tensor_strided_slice_update": lambda a: ssop.tensor_strided_slice_update(a(X), [3, 0], [0, 6], [-1, 2], a(Y[0])),
    "tf.tensor_strided_slice_update": lambda a: tf.tensor_strided_slice_update(a(X), [0, 1], [4, 3], [2, 1], 7.0),
    "index": lambda a: ssop.index(a(X), np.s_[::-1, 1:5:2]),
    "index_assign": lambda a: ssop.index_assign(a(X.copy()), np.s_[1:, ::2], a(Y[0])),
    "index_update": lambda a: ssop.index_update(a(X), np.s_[::-2, -1], 7.0),
    "strided_slice_assign": lambda a: ssop.strided_slice_assign(a(X.copy()), [3, 0], [0, 6], [-1, 2], a(Y[0])),
    "tf.strided_slice_assign": lambda a: tf.strided_slice_assign(a(X.copy()), [0, 1], [4, 3], [2, 1], 7.0),
    "xla.dynamic_update_slice_in_dim": lambda a: xla.dynamic_update_slice_in_dim(a(X), a(X[:, :2]), 9, 1),
    "xla.dynamic_update_index_in_dim": lambda a: xla.dynamic_update_index_in_dim(a(X), a(X[:, 0]), 9, 1),
    "strided_slice_grad": lambda a: ssop.strided_slice_grad([4, 6], [3, 0], [0, 5], [-2, 2], a(Y[:, :3])),
    "tf.strided_slice_grad": lambda a: tf.strided_slice_grad([4, 6], [1, 0], [3, 3], [1, 1], a(Y)),
    "xla.pad": lambda a: xla.pad(a(X), 7.0, [(1, 0, 1), (-1, 2, 0)]),
    "xla.pad at the ends": lambda a: xla.pad(a(X), 7.0, [(1, 0, 0), (-1, 2, 0)]),
    "pad": lambda a: ssop.pad(a(X), [(1, 2), (0, 1)], constant_values=[(1.0, 2.0), (3.0, 4.0)]),
    "pad edge": lambda a: ssop.pad(a(X), [(3, 0), (0, 2)], "edge"),
    "pad reflect": lambda a: ssop.pad(a(X), [(9, 1), (0, 2)], "reflect"),
    "roll": lambda a: ssop.roll(a(X), (1, -2), (0, 1)),
    "roll flattened": lambda a: ssop.roll(a(X), 5),
    "xla.concatenate": lambda a: xla.concatenate([a(X), a(X[:1])], 0),
    "xla.broadcast": lambda a: xla.broadcast(a(X), [2]),
    "xla.broadcast_in_dim": lambda a: xla.broadcast_in_dim(a(X), [6, 2, 4], [2, 0]),
    "xla.reshape": lambda a: xla.reshape(a(X), [6, 4], [1, 0]),
    "xla.collapse": lambda a: xla.collapse(a(X), [0, 1]),
    "xla.transpose": lambda a: xla.transpose(a(X), [1, 0]),
    "xla.select": lambda a: xla.select(a(X > 7), a(X), a(-X)),
    "xla.clamp": lambda a: xla.clamp(3.0, a(X), 9.0),
    "vjp.strided_slice": lambda a: vjp.strided_slice(a(Y), [4, 6], [3, 0], [0, 5], [-2, 2]),
    "vjp.pad": lambda a: vjp.pad(a(X), [4, 3], [(0, 0, 0), (1, 0, 1)]),
    "vjp.broadcast_in_dim": lambda a: vjp.broadcast_in_dim(a(X), [6, 1], [4, 6], [1, 0]),
}
ASSIGNMENTS = {"index_assign", "strided_slice_assign", "tf.strided_slice_assign"}


def expected(name):
    """What the call gives for NumPy's arrays, as a list of arrays."""
    return as_list(CALLS[name](lambda x: x))


def as_list(result):
    return list(result) if isinstance(result, tuple) else [result]
