"""A call of every function of `ssop.vjp`, more windows, and calls of operations on arrays of rank 0."""

import ssop
from arrays.cells import FILL, MASKS, X, Y
from ssop import onnx, openvino, tf, tflite, vjp, xla

SPEC = ([3, 0], [0, 5], [-2, 2])
REGION = ssop.StridedSliceSpec(*SPEC).resolve([4, 6])
Z = Y[:, :3]  # of the shape of that slice

# The functions take a function that makes an array of the library from one of NumPy's.
GRADIENTS = {
    "region": lambda a: vjp.region(a(Z), REGION),
    "strided_slice": lambda a: vjp.strided_slice(a(Z), [4, 6], *SPEC),
    "strided_slice with masks": lambda a: vjp.strided_slice(a(X[1:2, ::2]), [4, 6], [1, 0], [0, 5], [1, 2], **MASKS),
    "tf_slice": lambda a: vjp.tf_slice(a(Y), [4, 6], [1, 2], [2, 3]),
    "slice": lambda a: vjp.slice(a(Y), [4, 6], [1, 0], [4, 6], [2, 2]),
    "slice without steps": lambda a: vjp.slice(a(Y), [4, 6], [1, 0], [3, 3]),
    "dynamic_slice": lambda a: vjp.dynamic_slice(a(Y), [4, 6], [9, -9], [2, 3]),
    "dynamic_slice wrapping": lambda a: vjp.dynamic_slice(a(Y), [4, 6], [3, 5], [2, 3], out_of_bounds="wrap"),
    "dynamic_slice filled": lambda a: vjp.dynamic_slice(a(X), [3, 4], [-1, 2], [4, 6], out_of_bounds="fill"),
    "dynamic_slice outside": lambda a: vjp.dynamic_slice(a(X), [3, 4], [-1, 9], [4, 6], out_of_bounds="fill"),
    "dynamic_update_slice": lambda a: vjp.dynamic_update_slice(a(X), [4, 6], [2, 3], [1, 9]),
    "tensor_strided_slice_update": lambda a: vjp.tensor_strided_slice_update(a(X), [4, 6], [2, 3], *SPEC),
    "tensor_strided_slice_update repeated": lambda a: vjp.tensor_strided_slice_update(a(X), [4, 6], [3], *SPEC),
    "pad": lambda a: vjp.pad(a(X), [4, 3], [(0, 0, 0), (1, 0, 1)]),
    "numpy_pad": lambda a: vjp.numpy_pad(a(X), [3, 2], [(1, 0), (1, 3)]),
    "numpy_pad edge": lambda a: vjp.numpy_pad(a(X), [1, 2], [(1, 2), (1, 3)], "edge"),
    "numpy_pad reflect": lambda a: vjp.numpy_pad(a(X), [3, 2], [(1, 0), (1, 3)], "reflect"),
    "rev": lambda a: vjp.rev(a(X), [4, 6], [1]),
    "roll": lambda a: vjp.roll(a(X), [4, 6], (1, -2), (0, 1)),
    "concatenate": lambda a: vjp.concatenate(a(X), [[1, 6], [3, 6]], 0),
    "broadcast": lambda a: vjp.broadcast(a(X), [6], [4]),
    "broadcast_in_dim": lambda a: vjp.broadcast_in_dim(a(X), [6, 1], [4, 6], [1, 0]),
    "reshape": lambda a: vjp.reshape(a(X), [4, 6], [4, 6], [1, 0]),
    "collapse": lambda a: vjp.collapse(a(X.reshape(-1)), [4, 6], [0, 1]),
    "transpose": lambda a: vjp.transpose(a(X), [6, 4], [1, 0]),
    "select": lambda a: vjp.select(a(X), a(X > 7)),
}

ROWS = [[-1, 2], [3, 0], [1, 1], [9, 9]]

# Windows beside those that the page has.
WINDOWS = {
    "dynamic_slice outside": lambda a: ssop.dynamic_slice(a(X), [1, -9], [2, 3], **FILL),
    "dynamic_slice of rows filled": lambda a: ssop.dynamic_slice(a(X), ROWS, [2, 3], **FILL),
    "vjp.dynamic_slice of rows": lambda a: vjp.dynamic_slice(a(X.reshape(4, 2, 3)), [4, 6], ROWS, [2, 3]),
    "xla.dynamic_slice_in_dim filled": lambda a: xla.dynamic_slice_in_dim(a(X), 5, 2, 1, out_of_bounds="fill"),
    "xla.dynamic_index_in_dim filled": lambda a: xla.dynamic_index_in_dim(a(X), 6, 1, False, **FILL),
}

S, B = X[2, 3], X[2, 3] > 7  # of rank 0

SCALARS = {
    "copy": lambda a: ssop.copy(a(S)),
    "strided_slice": lambda a: ssop.strided_slice(a(S), [], []),
    "strided_slice with a new axis": lambda a: ssop.strided_slice(a(S), [0], [0], new_axis_mask=1),
    "tf.strided_slice": lambda a: tf.strided_slice(a(S), [], []),
    "tf.slice": lambda a: tf.slice(a(S), [], []),
    "tflite.strided_slice": lambda a: tflite.strided_slice(a(S), [], []),
    "tflite.slice": lambda a: tflite.slice(a(S), [], []),
    "openvino.strided_slice": lambda a: openvino.strided_slice(a(S), [], [], None, [], []),
    "openvino.slice": lambda a: openvino.slice(a(S), [], [], []),
    "onnx.slice": lambda a: onnx.slice(a(S), [], []),
    "index": lambda a: ssop.index(a(S), ()),
    "index_assign": lambda a: ssop.index_assign(a(S.copy()), ..., a(-S)),
    "index_update": lambda a: ssop.index_update(a(S), (), a(-S)),
    "slice": lambda a: ssop.slice(a(S), [], []),
    "dynamic_slice": lambda a: ssop.dynamic_slice(a(S), [], []),
    "dynamic_update_slice": lambda a: ssop.dynamic_update_slice(a(S), a(-S), []),
    "tensor_strided_slice_update": lambda a: ssop.tensor_strided_slice_update(a(S), [], [], [], a(-S)),
    "tf.tensor_strided_slice_update": lambda a: tf.tensor_strided_slice_update(a(S), [], [], [], a(-S)),
    "strided_slice_assign": lambda a: ssop.strided_slice_assign(a(S.copy()), [], [], [], a(-S)),
    "tf.strided_slice_assign": lambda a: tf.strided_slice_assign(a(S.copy()), [], [], [], a(-S)),
    "strided_slice_grad": lambda a: ssop.strided_slice_grad([], [], [], [], a(S)),
    "strided_slice_grad into an axis": lambda a: ssop.strided_slice_grad([3], [1], [2], [1], a(S), shrink_axis_mask=1),
    "tf.strided_slice_grad": lambda a: tf.strided_slice_grad([], [], [], [], a(S)),
    "xla.pad": lambda a: xla.pad(a(S), a(-S), []),
    "xla.rev": lambda a: xla.rev(a(S), []),
    "xla.broadcast": lambda a: xla.broadcast(a(S), [2, 3]),
    "xla.broadcast_in_dim": lambda a: xla.broadcast_in_dim(a(S), [2], []),
    "xla.reshape": lambda a: xla.reshape(a(S), [1, 1]),
    "xla.transpose": lambda a: xla.transpose(a(S), []),
    "xla.select": lambda a: xla.select(a(B), a(S), a(-S)),
    "xla.clamp": lambda a: xla.clamp(a(S), a(-S), a(S)),
    "vjp.dynamic_slice": lambda a: vjp.dynamic_slice(a(S), [], [], []),
    "vjp.dynamic_update_slice": lambda a: vjp.dynamic_update_slice(a(S), [], [], []),
    "vjp.tensor_strided_slice_update": lambda a: vjp.tensor_strided_slice_update(a(S), [], [], [], []),
    "vjp.pad": lambda a: vjp.pad(a(S), [], []),
    "vjp.broadcast": lambda a: vjp.broadcast(a(S), [], []),
    "vjp.select": lambda a: vjp.select(a(S), a(B)),
}
# Operations along an axis, of which rank 0 has none: an error of the same rule in every library.
ALONG_AN_AXIS = {
    "copyto",  # which writes into NumPy's arrays alone
    "xla.slice_in_dim",
    "xla.index_in_dim",
    "xla.dynamic_slice_in_dim",
    "xla.dynamic_index_in_dim",
    "xla.dynamic_update_slice_in_dim",
    "xla.dynamic_update_index_in_dim",
    "xla.concatenate",
    "xla.collapse",
}
