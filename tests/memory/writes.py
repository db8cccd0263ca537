"""Every public call that writes to an array of the caller's, on two (4, 6) arrays that have no item in common."""

import numpy as np

import ssop
from ssop import xla

TITLED = [(("a title", "number"), "i4"), (("another", "object"), object)]


def operands(kind):
    """Two arrays (4, 6) of a kind, all of whose items differ; "many ..": of (4, 36000), which are several pieces."""
    shape = (4, 36000) if kind.startswith("many") else (4, 6)
    count = int(np.prod(shape))
    if "record" in kind:
        both = np.zeros(2 * count, TITLED)
        both["number"] = range(2 * count)
        both["object"] = [f"object {i}" for i in range(2 * count)]
    elif "string" in kind:
        both = np.array([f"string {i} " * (i % 3 * 4 + 1) for i in range(2 * count)], np.dtypes.StringDType())
    else:
        both = np.arange(2 * count).astype(object if "object" in kind else np.int64)
    return both[:count].copy().reshape(shape), both[count:].copy().reshape(shape)


def writes(x, y):
    """Calls that write items of `y` to `x`, or move items within `x`: name -> (function, arguments, keywords)."""
    whole, column, part = [(0, 0, 0), (0, 0, 0)], x[:, :1], x[:2, :2]
    return {
        "copyto": (ssop.copyto, (x, y), {}),
        "copyto shifted": (ssop.copyto, (x[1:], x[:-1]), {}),
        "copyto shifted back": (ssop.copyto, (x[:, :-1], x[:, 1:]), {}),
        "copyto reversed": (ssop.copyto, (x, x[::-1]), {}),
        "copy": (ssop.copy, (y.T,), {"out": x.T}),
        "strided_slice": (ssop.strided_slice, (y, [0, 5], [4, 0], [2, -2]), {"out": x[:2, :3]}),
        "strided_slice overlap": (ssop.strided_slice, (x, [3], [0], [-1]), {"out": x[:3]}),
        "slice": (ssop.slice, (y, [0, 1], [3, 4], [1, 2]), {"out": x[1:, 1:3]}),
        "dynamic_slice": (ssop.dynamic_slice, (y, [1, 9], [2, 2]), {"out": part}),
        "dynamic_slice wrap": (ssop.dynamic_slice, (y, [3, 5], [4, 6]), {"out_of_bounds": "wrap", "out": x}),
        "dynamic_slice wrap overlap": (ssop.dynamic_slice, (x, [3, 5], [4, 6]), {"out_of_bounds": "wrap", "out": x}),
        "update": (ssop.dynamic_update_slice, (y, y[:2, :2], [9, 9]), {"out": x}),
        "update in place": (ssop.dynamic_update_slice, (x, y[:1, :2], [1, 1]), {"out": x}),
        "update shifted": (ssop.dynamic_update_slice, (x, x[:3], [1, 0]), {"out": x}),
        "update wrap": (ssop.dynamic_update_slice, (x, y[:2, :2], [3, 5]), {"out_of_bounds": "wrap", "out": x}),
        "grad": (ssop.strided_slice_grad, (x.shape, [0], [4], [2], y[:2]), {"out": x}),
        "grad overlap": (ssop.strided_slice_grad, (x.shape, [0], [2], [1], x[1:3]), {"out": x}),
        "assign": (ssop.strided_slice_assign, (x, [0, 5], [4, 0], [2, -2], y[:2, :3]), {}),
        "assign shifted": (ssop.strided_slice_assign, (x, [1], [3], None, x[:2]), {}),
        "assign nested lists": (ssop.strided_slice_assign, (x, [1], [3], None, y[:2].tolist()), {}),
        "strided update": (ssop.tensor_strided_slice_update, (y, [1], [3], None, y[:2]), {"out": x}),
        "strided update in place": (ssop.tensor_strided_slice_update, (x, [1], [3], None, y[:2]), {"out": x}),
        "tf.slice": (ssop.tf.slice, (y, [1, 2], [-1, 2]), {"out": x[1:, 2:4]}),
        "tf.strided_slice": (ssop.tf.strided_slice, (y, [1], [3]), {"out": x[:2]}),
        "tflite.slice": (ssop.tflite.slice, (y, [1, 2], [-1, 2]), {"out": x[1:, 2:4]}),
        "tflite.strided_slice": (ssop.tflite.strided_slice, (y, [1, 2], [2, 3]), {"offset": True, "out": x[:2, :3]}),
        "openvino.slice": (ssop.openvino.slice, (y, [1], np.array([5]), [2], [-1]), {"out": x[:, :2]}),
        "onnx.slice": (ssop.onnx.slice, (y, [1, 0], [3, 9], None, [1, 2]), {"out": x[:2, :3]}),
        "slice_in_dim": (xla.slice_in_dim, (y, 1, None, 2, 1), {"out": x[:, :3]}),
        "index_in_dim": (xla.index_in_dim, (y, 1, -1, False), {"out": x[:, 0]}),
        "dynamic_slice_in_dim": (xla.dynamic_slice_in_dim, (y, 3, 2), {"out_of_bounds": "wrap", "out": x[:2]}),
        "dynamic_index_in_dim": (xla.dynamic_index_in_dim, (y, 9, 1, False), {"out": x[:, 5]}),
        "update_slice_in_dim": (xla.dynamic_update_slice_in_dim, (y, y[:2], 9, 0), {"out": x}),
        "update_index_in_dim": (xla.dynamic_update_index_in_dim, (x, y[:, 0], 9, 1), {"out": x}),
        "pad": (xla.pad, (y[:2, :3], y[0, 0:1].reshape(()), [(1, 1, 0), (0, 1, 1)]), {"out": x}),
        "pad nothing": (xla.pad, (y, y[0, 0:1].reshape(()), whole), {"out": x}),
        "pad overlap": (xla.pad, (x[1:], y[0, 0:1].reshape(()), [(1, 0, 0), (0, 0, 0)]), {"out": x}),
        "rev": (xla.rev, (y, [0, 1]), {"out": x}),
        "rev overlap": (xla.rev, (x, [0, 1]), {"out": x}),
        "concatenate": (xla.concatenate, ([y[:1], y[:3]], 0), {"out": x}),
        "concatenate overlap": (xla.concatenate, ((x[2:], x[:2]), 0), {"out": x}),
        "broadcast": (xla.broadcast, (y[0], [4]), {"out": x}),
        "broadcast_in_dim": (xla.broadcast_in_dim, (column, [4, 6], (0, 1)), {"out": x}),
        "reshape": (xla.reshape, (y, x.T.shape), {"out": x.T}),
        "collapse": (xla.collapse, (y, [0, 1]), {"out": x.reshape(-1)}),
        "transpose": (xla.transpose, (x, [1, 0]), {"out": x.reshape(x.T.shape)}),
        "plan": (ssop.plan(ssop.StridedSliceSpec([1], [3]), y.shape, y.dtype), (y,), {"out": x[:2]}),
    }
