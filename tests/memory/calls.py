"""Every public call, in each way that takes another path through the binding. The tests of this folder run them all."""

import numpy as np
from numpy import ma

import ssop
from ssop import _core, xla

SPEC = ssop.StridedSliceSpec([0, -1], [3, 0], [2, -1])
STRINGS = np.dtypes.StringDType()
DTYPES = {
    "int64": np.dtype(np.int64),
    "record": np.dtype([("a", "i4"), ("b", "S3")]),
    "object": np.dtype(object),
    "record of objects": np.dtype([("a", "i4"), ("b", object)]),
    "string": STRINGS,
    "no bytes": np.dtype("V0"),
}


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Converts:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


def array_of(dtype):
    """A (4, 6) array; the objects in it are all one."""
    x = np.zeros((4, 6), dtype)
    if dtype.kind == "O":
        x[...] = "one object"
    elif dtype.hasobject and dtype.names:
        x["b"] = "one object"
    elif dtype == STRINGS:
        x[...] = "a string too long to be kept inside its sixteen bytes"
    return x


def on_arrays(x):
    """Calls on a (4, 6) array of any dtype: name -> (function, positional arguments, keyword arguments)."""
    plan = ssop.plan(SPEC, x.shape, x.dtype)
    memory = x.copy()
    return {
        "copy": (ssop.copy, (x,), {}),
        "copy transposed": (ssop.copy, (x.T,), {}),
        "copy out": (ssop.copy, (x,), {"out": x.copy()}),
        "copy overlap": (ssop.copy, (memory[:-1],), {"out": memory[1:]}),
        "copyto": (ssop.copyto, (x.copy(), x), {}),
        "strided_slice": (ssop.strided_slice, (x, [0, 5], [4, 0], [2, -2]), {}),
        "strided_slice masks": (ssop.strided_slice, (x, (0, 0), (0, 0), None, 1, 2, 0, 1, 2), {}),
        "strided_slice arrays": (ssop.strided_slice, (x, np.array([0, 1]), np.array([3, 4], ">i2")), {}),
        "strided_slice objects": (ssop.strided_slice, (x, [Index(0)], np.array([Index(2)], object), range(1, 2)), {}),
        "strided_slice empty": (ssop.strided_slice, (x, [2], [2]), {"out": x[2:2]}),
        "slice": (ssop.slice, (x, [0, 1], [3, 4], [1, 2]), {}),
        "dynamic_slice": (ssop.dynamic_slice, (x, [1, 9], [2, 2]), {}),
        "dynamic_slice uint64": (ssop.dynamic_slice, (x, np.array([1, 2**63], np.uint64), [2, 2]), {}),
        "dynamic_slice flags": (ssop.dynamic_slice, (x, [-1, 0], [1, 1]), {"allow_negative_indices": [True, False]}),
        "dynamic_slice fill": (ssop.dynamic_slice, (x, [-1, 4], [7, 3]), {"out_of_bounds": "fill"}),
        "dynamic_slice fill value": (
            ssop.dynamic_slice,
            (x, [3, 5], [2, 2]),
            {"out_of_bounds": "fill", "fill_value": x[0, 0], "out": x[:2, :2].copy()},
        ),
        "dynamic_index_in_dim fill": (xla.dynamic_index_in_dim, (x, 9, 1, False), {"out_of_bounds": "fill"}),
        "dynamic_slice rows": (ssop.dynamic_slice, (x, [[1, 9], [0, 0]], [2, 2]), {}),
        "dynamic_slice rows of objects": (
            ssop.dynamic_slice,
            (x, np.array([[Index(1), 9], [0, Index(4)]]), [2, 3]),
            {"out_of_bounds": "fill", "fill_value": x[0, 0]},
        ),
        "dynamic_slice rows fill out": (
            ssop.dynamic_slice,
            (x, [[0, 0], [-1, 9]], [2, 2]),
            {"out_of_bounds": "fill", "out": np.ones_like(x, shape=(2, 2, 2))},
        ),
        "dynamic_slice rows overlap": (
            ssop.dynamic_slice,
            (memory[:2], [[1, 1], [0, 0]], [2, 6]),
            {"out": memory.reshape(2, 2, 6)},
        ),
        "dynamic_slice wrap": (ssop.dynamic_slice, (x, [3, 5], [2, 2]), {"out_of_bounds": "wrap"}),
        "dynamic_slice wrap out": (ssop.dynamic_slice, (x, [3, 5], [4, 6]), {"out_of_bounds": "wrap", "out": x.copy()}),
        "dynamic_slice wrap overlap": (
            ssop.dynamic_slice,
            (memory, [3, 5], [4, 6]),
            {"out_of_bounds": "wrap", "out": memory},
        ),
        "update": (ssop.dynamic_update_slice, (x, x[:2, :2], [9, 9]), {}),
        "update in place": (ssop.dynamic_update_slice, (memory, x[:1, :2], [1, 1]), {"out": memory}),
        "update overlap": (ssop.dynamic_update_slice, (memory, memory[:2], [1, 0]), {"out": memory}),
        "update wrap": (ssop.dynamic_update_slice, (x, x[:2, :2], [3, 5]), {"out_of_bounds": "wrap"}),
        "grad": (ssop.strided_slice_grad, (x.shape, [0, 5], [4, 0], [2, -2], x[:2, :3]), {}),
        "grad out": (ssop.strided_slice_grad, (x.shape, [0], [4], [2], x[:2]), {"out": x.copy().T.copy().T}),
        "grad overlap": (ssop.strided_slice_grad, (x.shape, [0], [2], [1], memory[1:3]), {"out": memory}),
        "assign": (ssop.strided_slice_assign, (memory, [0, 5], [4, 0], [2, -2], x[:1, :3]), {}),
        "assign overlap": (ssop.strided_slice_assign, (memory, [1], [3], None, memory[:2]), {}),
        "strided update": (ssop.tensor_strided_slice_update, (x, [0, 5], [4, 0], [2, -2], x[:2, :1]), {}),
        "strided update out": (
            ssop.tensor_strided_slice_update,
            (memory, [1], [3], None, memory[:2]),
            {"out": memory},
        ),
        "tf.strided_slice": (ssop.tf.strided_slice, (x, [1], [3], None, 0, 0, 0, 0, 0, x, "name"), {}),
        "tf.slice": (ssop.tf.slice, (x, [1, 2], [-1, 2]), {}),
        "tflite": (ssop.tflite.strided_slice, (x, [1, 2], [2, 3]), {"offset": True}),
        "tflite.slice": (ssop.tflite.slice, (x, [1, 2], [-1, 2]), {"out": x[1:, 2:4].copy()}),
        "openvino": (ssop.openvino.strided_slice, (x, [1, -99], [2, -99], [0, -1]), {"shrink_axis_mask": [1]}),
        "openvino.slice": (ssop.openvino.slice, (x, [1], np.array([5]), [2], [-1]), {}),
        "onnx": (ssop.onnx.slice, (x, [1, 0], [3, 9], None, [1, 2]), {}),
        "onnx ort": (ssop.onnx.slice, (x, [3], [2**31 - 1], [-1], [-1]), {"engine": "ort"}),
        "slice_in_dim": (xla.slice_in_dim, (x, 1, None, 2, 1), {}),
        "index_in_dim": (xla.index_in_dim, (x, 1, -1, False), {}),
        "dynamic_slice_in_dim": (xla.dynamic_slice_in_dim, (x, 3, 2), {"out_of_bounds": "wrap"}),
        "dynamic_index_in_dim": (xla.dynamic_index_in_dim, (x, 9, 1, False), {}),
        "dynamic_update_slice_in_dim": (xla.dynamic_update_slice_in_dim, (x, x[:2], 9, 0), {}),
        "dynamic_update_index_in_dim": (xla.dynamic_update_index_in_dim, (memory, memory[:, 0], 9, 1), {"out": memory}),
        "pad": (xla.pad, (x, x[0, 0:1].reshape(()), [(1, -1, 0), (0, 2, 1)]), {}),
        "pad with zero": (xla.pad, (x, np.zeros((), x.dtype), [(1, 1, 0), (0, 2, 1)]), {}),
        "pad out": (xla.pad, (memory[1:], x[0, 0:1].reshape(()), [(1, 0, 0), (0, 0, 0)]), {"out": memory}),
        "rev": (xla.rev, (x, [0, 1]), {}),
        "concatenate": (xla.concatenate, ([x, x[:1], x], 0), {}),
        "concatenate out": (xla.concatenate, ((memory[2:], memory[:2]), 0), {"out": memory}),
        "broadcast": (xla.broadcast, (x, [2]), {}),
        "broadcast_in_dim": (xla.broadcast_in_dim, (x, [6, 2, 4], (2, 0)), {}),
        "reshape": (xla.reshape, (x, [3, 8], [1, 0]), {}),
        "reshape out": (xla.reshape, (x, [3, 8]), {"out": x.copy().reshape(8, 3).T}),
        "collapse": (xla.collapse, (x, [0, 1]), {"out": x.copy().reshape(24)}),
        "transpose": (xla.transpose, (memory, [1, 0]), {"out": memory.reshape(6, 4)}),
        "index": (ssop.index, (x, np.s_[::-2, None, 1:5]), {}),
        "index out": (ssop.index, (x, np.s_[..., 2]), {"out": x[:, 0].copy()}),
        "index overlap": (ssop.index, (memory, np.s_[1:, ::-1]), {"out": memory[:-1]}),
        "index_assign": (ssop.index_assign, (memory, np.s_[1], x[0]), {}),
        "index_update": (ssop.index_update, (x, np.s_[::2, 1:3], x[:2, :2]), {}),
        "plan": (plan, (x,), {}),
        "plan strided": (plan, (x[::-1],), {}),
        "plan out": (plan, (x,), {"out": plan(x)}),
        "spec": (SPEC, (x,), {}),
        "make a plan": (ssop.plan, (SPEC, x.shape, x.dtype), {}),
    }


def on_partial_shapes():
    """Calls on what is known of shapes."""
    n = _core.Dim()
    shape, vague = _core.PartialShape([4, (1, 6), n, n]), _core.PartialShape([None, None])
    calls = {
        "infer_strided_slice": (_core.infer_strided_slice, (shape, [0, 1], [4, 3], [2, 1])),
        "infer intervals": (_core.infer_strided_slice, ([4, None, (1, Index(6))], [None], [(Index(2), 3)])),
        "infer arrays": (_core.infer_strided_slice, (np.array([4, 6]), np.array([0, 1]), range(2, 4))),
        "partial_vector": (_core.partial_vector, ("op", "starts", [1000, (None, Index(2)), None, (-(2**40), 2**40)])),
        "infer_tf_slice": (_core.infer_tf_slice, (vague, [0, None], [-1, 2])),
        "infer_tflite_strided_slice": (_core.infer_tflite_strided_slice, (vague, [0], [2], None, 1)),
        "infer_tflite_slice": (_core.infer_tflite_slice, (vague, [0, 0], [-1, 2])),
        "infer_openvino_strided_slice": (_core.infer_openvino_strided_slice, (vague, [0], [2], [1], [1], [0])),
        "infer_openvino_slice": (_core.infer_openvino_slice, (vague, [0], [None], [1], [1])),
        "infer_onnx_slice": (_core.infer_onnx_slice, (vague, [0], [2], None, [1])),
        "infer_slice": (_core.infer_slice, (vague, [0, 0], [1, 2])),
        "infer_dynamic_slice": (_core.infer_dynamic_slice, (None, [None, 0], [1, 2])),
        "infer_xla_pad": (_core.infer_xla_pad, (vague, [(1, 1, 0), (0, 0, 1)])),
        "infer_xla_slice_in_dim": (_core.infer_xla_slice_in_dim, (vague, 1, None)),
        "infer_xla_dynamic_index_in_dim": (_core.infer_xla_dynamic_index_in_dim, (vague, None, 1, False)),
        "partial shape": (_core.PartialShape, ([4, None, (1, 3), n, Index(2)],)),
        "partial shape of an array": (_core.PartialShape, (np.array([2, 3]),)),
        "partial shape itself": (_core.PartialShape, (shape,)),
        "from_tensor": (_core.PartialShape.from_tensor, ([4, -1, (1, 3)],)),
        "merge shapes": (shape.merge, ([None, 3, n, None],)),
        "merge with itself": (shape.merge, (shape,)),
        "relax shapes": (shape.relax, ([4, 3, 2, 2],)),
        "with_rank": (_core.PartialShape().with_rank, (3,)),
        "with_rank_at_least": (shape.with_rank_at_least, (3,)),
        "merge_prefix": (shape.merge_prefix, ([4],)),
        "replace_dim": (shape.replace_dim, (0, n)),
        "subshape": (shape.subshape, (1,)),
        "concatenate shapes": (shape.concatenate, (vague,)),
        "num_elements": (shape.num_elements, ()),
        "contains": (shape.contains, ((4, 2, 3, 3),)),
        "dim": (shape.dim, (2,)),
        "same_as": (shape.same_as, ([4],)),
        "shape parts": (lambda s: (s.dims, s.intervals, s.rank, s.is_fully_known, list(s), s[0], s[1:]), (shape,)),
        "shape texts": (lambda s: (repr(s), str(s), hash(s), s == s), (shape,)),
        "shape reduce": (shape.__reduce__, ()),
        "dim made": (_core.Dim, ((1, Index(4)),)),
        "dim parts": (lambda d: (d.value, d.interval, repr(d), str(d), hash(d), d == d), (_core.Dim((1, 4)),)),
        "dim reduce": (_core.Dim((1, 4)).__reduce__, ()),
        "dims merged": (n.merge, ((1, 4),)),
        "dims relaxed": (n.relax, (3,)),
        "dims added": (lambda d: (d + 1, 1 + d, d - 0, d * (1, 2), d // 2), (n,)),
        "dims compared": (n.minimum, (Index(3),)),
        "dims divided": (_core.Dim(6).divide, (3,)),
    }
    return {name: (*call, {}) for name, call in calls.items()}


def on_others():
    """Calls that convert, stay with their library, or need no array."""
    masked = ma.array(np.arange(6), mask=[0, 1, 0, 0, 0, 0])
    region = SPEC.resolve((4, 6))
    return {
        "list": (ssop.copy, ([[1, 2], [3, 4]],), {}),
        "scalar": (ssop.copy, (1.5,), {}),
        "converts": (ssop.strided_slice, (Converts(np.arange(5)), [1], [3]), {}),
        "copyto list": (ssop.copyto, (np.zeros(3), [1, 2, 3]), {}),
        "update with a list": (ssop.dynamic_update_slice, (np.zeros(3), [1, 2], [0]), {}),
        "update with objects": (ssop.dynamic_update_slice, (np.zeros(3, int), [Index(1)], [0]), {}),
        "assign a list": (ssop.strided_slice_assign, (np.zeros(3), [0], [2], None, [1, Index(2)]), {}),
        "grad of a list": (ssop.strided_slice_grad, ([4], [0], [2], None, [1, 2]), {}),
        "masked by a dialect": (ssop.onnx.slice, (masked, [0], [3]), {}),
        "masked": (ssop.strided_slice, (masked, [0], [3]), {}),
        "masked update": (ssop.dynamic_update_slice, (masked, [7], [1]), {}),
        "masked pad": (xla.pad, (masked, 7, [(1, 1, 1)]), {}),
        "masked concatenate": (xla.concatenate, ([masked, masked], 0), {}),
        "pad with an object": (xla.pad, (np.zeros(3, int), Index(1).value, [(1, 1, Index(1))]), {}),
        "concatenate lists": (xla.concatenate, ([[1, 2], [3]], Index(0)), {}),
        "shapes": (_core.xla_concatenate_shape, ([(1, 2), (3, 2)], 0), {}),
        "pad regions": (_core.xla_pad_regions, ((4, 6), [(1, -1, 0), (0, 2, 1)]), {}),
        "regions of rows": (_core.dynamic_slice_regions, ((4, 6), [[1, 2], [0, 9]], [2, 3]), {}),
        "filled regions": (_core.dynamic_slice_regions, ((4, 6), [-1, 4], [7, 3]), {"out_of_bounds": "fill"}),
        "dynamic regions": (_core.xla_dynamic_index_in_dim_regions, ((4, 6), 1, 0, False), {}),
        "select": (xla.select, ([True, False, True], np.arange(3), np.zeros(3, int)), {}),
        "clamp": (xla.clamp, (0, np.arange(5), 3), {}),
        "cpu_features": (ssop.cpu_features, (), {}),
        "core_config": (_core.core_config, (), {}),
        "variants": (_core.variants, (), {}),
        "describe_copy": (_core.describe_copy, (np.zeros((9, 9)), np.zeros((9, 9)).T), {}),
        "force_variant": (_core.force_variant, (None,), {}),
        "spec made": (ssop.StridedSliceSpec, ([0, 1], (2, 3), None, 1), {}),
        "from_index": (ssop.StridedSliceSpec.from_index, (np.s_[1, 2:4, None, ..., ::-1],), {}),
        "resolve": (SPEC.resolve, ((4, 6),), {}),
        "to_index": (SPEC.to_index, ((4, 6),), {}),
        "region made": (ssop.Region, ((4, 6), ((0, 2, 2), (5, 5, -1)), (0, 1)), {}),
        "region of": (ssop.StridedSliceSpec([0], [1]).resolve(region.shape).of, (region,), {}),
        "region split": (region.split, (), {}),
        "region covering": (region.covering, (), {}),
        "region chunks": (lambda r: list(r.chunks([2] * len(r.in_shape))), (region,), {}),
        "region chunks of sizes": (lambda r: r.chunks([[dim] for dim in r.in_shape]).total, (region,), {}),
        "region index": (getattr, (region, "index"), {}),
        "region parts": (lambda r: (r.in_shape, r.ranges, r.out_axes, r.shape), (region,), {}),
        "region repr": (repr, (region,), {}),
        "region hash": (hash, (region,), {}),
        "region compare": (lambda a, b: (a == b, a != b), (region, SPEC.resolve((4, 6))), {}),
        "region reduce": (region.__reduce__, (), {}),
        "plan parts": (lambda p: (p.dtype, p.region, repr(p)), (ssop.plan(SPEC, (4, 6), int),), {}),
        **on_partial_shapes(),
    }
