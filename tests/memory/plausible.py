"""Arguments that the public callables of ssop accept, and an instance of each of its classes."""

import numpy as np

import ssop
from ssop._inspect.records import Model, NodeCall, SliceNode
from ssop._xla.elementwise import UNARY

# ---- what it is called with ------------------------------------------------------------------------------------------


def operand():
    return np.arange(12).reshape(3, 4)


def shape_function(c):
    c.set_output(0, c.input(0))


def never(x):
    return False


def nothing(out, operands):
    pass


def computation():
    return ssop.xla.Computation(np.negative, operand())


def model():
    call = NodeCall("onnx.slice", {"starts": (1,), "ends": (3,), "axes": (0,)})
    return Model("m.onnx", "onnx", "made here", (SliceNode("n", "Slice", (call,), "x", "y", (4,)),), 1)


def registered():
    ssop.xla.register_custom_call("tests.memory", nothing)
    return "tests.memory"


def fed():
    ssop.xla.transfer_to_infeed(operand())
    return operand()


def put_out():
    ssop.xla.outfeed(operand())
    return operand()


def received():
    ssop.xla.send(operand(), 5)
    return operand()


MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
ARRAY_PARAMETERS = (
    "input_",
    "input",
    "operand",
    "x",
    "a",
    "data",
    "ref",
    "dst",
    "on_true",
    "on_false",
    "dy",
    "lhs",
    "rhs",
)
BY_NAME = {
    **dict.fromkeys(ARRAY_PARAMETERS, operand),
    "src": operand,
    "value": lambda: np.zeros((2, 2), int),
    "update": lambda: np.zeros((1, 2), int),
    "out": lambda: None,
    "pred": lambda: np.ones((3, 4), bool),
    "min": lambda: np.int64(1),
    "max": lambda: np.int64(5),
    "pad_width": lambda: 1,
    "pad_mode": lambda: "wrap",
    "padding_value": lambda: np.int64(0),
    "padding_config": lambda: [(0, 1, 0), (1, 0, 2)],
    "operands": lambda: [operand(), operand()],
    "lhs_shape": lambda: [3, 4],
    "source_shape": lambda: [2, 3],
    "init_value": lambda: np.int64(0),
    "computation": lambda: ssop.xla.add,
    "select": lambda: ssop.xla.ge,
    "scatter": lambda: ssop.xla.add,
    "source": lambda: np.zeros((2, 3), int),
    "window_dimensions": lambda: (2, 2),
    "window_strides": lambda: (1, 1),
    "base_dilation": lambda: (1, 1),
    "window_dilation": lambda: (1, 1),
    "padding": lambda: "VALID",
    "rhs_shape": lambda: [3, 4],
    "operand_shapes": lambda: [[3, 4], [2, None]],
    "shapes": lambda: [[1, 4], [2, 4]],
    "begin": lambda: [0, 1],
    "start": lambda: [0, 1],
    "starts": lambda: [0, 1],
    "start_indices": lambda: [0, 1],
    "end": lambda: [2, 3],
    "ends": lambda: [2, 3],
    "stop": lambda: [2, 3],
    "limit_indices": lambda: [2, 3],
    "strides": lambda: [1, 1],
    "step": lambda: [1, 1],
    "steps": lambda: [1, 1],
    "axes": lambda: [0, 1],
    "size": lambda: [2, 2],
    "slice_sizes": lambda: [2, 2],
    "sizes": lambda: [2],
    "new_sizes": lambda: [4, 3],
    "permutation": lambda: [1, 0],
    "dimensions": lambda: [0, 1],
    "broadcast_dimensions": lambda: [0, 1],
    "dimension": lambda: 0,
    "axis": lambda: 0,
    "index": lambda: 1,
    "start_index": lambda: 0,
    "limit_index": lambda: 2,
    "slice_size": lambda: 1,
    "stride": lambda: 1,
    "shape": lambda: [3, 4],
    "prefix": lambda: [3],
    **dict.fromkeys(
        ("in_shape", "input_shape", "operand_shape", "data_shape", "ref_shape", "pred_shape"), lambda: [3, 4]
    ),
    **dict.fromkeys(("min_shape", "max_shape", "on_true_shape", "on_false_shape"), lambda: [3, 4]),
    **dict.fromkeys(("value_shape", "dy_shape"), lambda: [2, 2]),
    "update_shape": lambda: [1, 2],
    "ranges": lambda: ((0, 2, 1), (1, 2, 1)),
    "out_axes": lambda: (0, 1),
    # of gather and scatter
    "offset_dims": lambda: [1],
    "collapsed_slice_dims": lambda: [0],
    "start_index_map": lambda: [0],
    "index_vector_dim": lambda: 1,
    "scatter_indices": lambda: np.array([0, 1]),
    "updates": lambda: np.zeros((2, 2), int),
    "update_window_dims": lambda: [1],
    "inserted_window_dims": lambda: [0],
    "scatter_dims_to_operand_dims": lambda: [0],
    **dict.fromkeys(("operand_batching_dims", "start_indices_batching_dims"), tuple),
    **dict.fromkeys(("input_batching_dims", "scatter_indices_batching_dims"), tuple),
    **dict.fromkeys(("start_indices_shape", "scatter_indices_shape"), lambda: [2]),
    "updates_shape": lambda: [2, 2],
    **dict.fromkeys(MASKS, lambda: 0),
    "spec": lambda: ssop.StridedSliceSpec([0, 1], [2, 3]),
    "region": lambda: ssop.Region((3, 4), ((0, 3, 1), (0, 4, 1)), (0, 1)),
    "dtype": lambda: np.dtype("i8"),
    "n": lambda: 2,
    "op": lambda: "strided_slice",
    "kind": lambda: "tflite",
    "of": lambda: None,
    "name": lambda: None,
    "var": lambda: None,
    "out_of_bounds": lambda: "clamp",
    "keepdims": lambda: True,
    "mode": lambda: "tf",
    "engine": lambda: "spec",
    "dialect": lambda: "tf",
    **dict.fromkeys(("strict", "offset", "allow_negative_indices", "evenly", "evenly_divisible"), lambda: False),
    # of shapes and contexts
    "nodes": lambda: [("x", "input", (), {"shape": [2, None]}), ("y", "merge", ("x",))],
    "function": lambda: shape_function,
    "fn": lambda: shape_function,
    "dims": lambda: [3, None, (1, 4)],
    "dim": lambda: 3,
    "i": lambda: 0,
    "rank": lambda: 2,
    "count": lambda: 2,
    "num_outputs": lambda: 1,
    "num_inputs": lambda: 2,
    "graph_def_version": lambda: 2474,
    "input_shapes": lambda: [[3, 4], [None, 4]],
    "input_tensors": lambda: [np.array([3, 4])],
    "input_tensors_as_shapes": lambda: [[3, None]],
    "input_handle_shapes_and_types": lambda: [None, [ssop.shapes.ShapeAndType([3], "float32")]],
    "attributes": lambda: {"axis": 1},
    "tensor": lambda: np.array([3, 4]),
    **dict.fromkeys(("other", "first", "new", "old", "b", "dividend", "divisor", "rows", "columns"), lambda: 4),
    "default": lambda: 1,
    "key": lambda: 0,
    "values": lambda: [3, None],
    "inputs": lambda: (),
    # of computations and values
    **dict.fromkeys(("true_operand", "false_operand", "init", "init_val", "tuple_operand"), operand),
    "tuple_data": lambda: (operand(), operand()),
    "predicate": lambda: True,
    "branch_index": lambda: 1,
    "branch_computations": lambda: [np.negative, np.negative],
    "branch_operands": lambda: [operand(), operand()],
    "channel": lambda: 5,
    # of conversions
    **dict.fromkeys(("calls", "one", "two"), lambda: slice(1, 2)),
    "to": lambda: "onnx",
    "certificate": lambda: ssop.convert(slice(1, 2), to="onnx").certificate,
    "opset": lambda: 18,
    # of models
    "pair": lambda: ssop.inspect(model(), model()).pairs[0],
    "model": model,
    "numbers": lambda: {"N": 5, "a": 1, "b": 2, "c": 4},
    **dict.fromkeys(("branch_shapes", "tuple_shapes", "element_shapes"), lambda: [[3, 4], [3, None]]),
    "init_shape": lambda: [3, None],
}
SLICED = {"dy": lambda: np.zeros((2, 2), int)}
LISTS = dict.fromkeys(MASKS, lambda: [0, 0])
WINDOW = {"update_shape": lambda: [2, 2]}
BOUNDS = {"start": lambda: 0, "end": lambda: 2, "stride": lambda: 1}
HANDLES = {"data": lambda: [ssop.shapes.ShapeAndType([3], "float32")]}
TWO_DIMS = {"a": lambda: 4, "b": lambda: 4}
TWO_SHAPES = {"a": lambda: [3, 4], "b": lambda: [None, 4]}
REAL = {"operand": lambda: np.ones((3, 4))}
FEATURES = {
    **dict.fromkeys(("scale", "offset", "mean", "variance"), lambda: np.ones(4)),
    "grad_output": lambda: np.ones((3, 4)),
    "epsilon": lambda: 0.5,
    "feature_index": lambda: 1,
    **REAL,
}
DRAWN = {
    "a": lambda: 0,
    "b": lambda: 9,
    "mu": lambda: 0.0,
    "sigma": lambda: 1.0,
    "mean": lambda: 0.5,
    "seed": lambda: 3,
}
NUMBERS = {
    "convert_element_type": {"new_element_type": lambda: np.float32},
    "bitcast_convert_type": {"new_element_type": lambda: np.int16},
    "reduce_precision": {"exponent_bits": lambda: 5, "mantissa_bits": lambda: 10, **REAL},
    **dict.fromkeys(("batch_norm_training", "batch_norm_inference", "batch_norm_grad"), FEATURES),
    **dict.fromkeys(("rng_uniform", "rng_normal", "rng_bernoulli"), DRAWN),
    "rng_bit_generator": {"key": lambda: np.zeros(2, np.uint64), "algorithm": lambda: "philox"},
    "iota": {"size": lambda: 3},
    "broadcasted_iota": {},
    "sort": {"comparator": lambda: None, "is_stable": lambda: True, "num_keys": lambda: 1},
}
SHAPES_OF_NUMBERS = {
    **dict.fromkeys(("scale_shape", "offset_shape", "mean_shape", "variance_shape"), lambda: [4]),
    **dict.fromkeys(("a_shape", "b_shape", "mu_shape", "sigma_shape"), lambda: ()),
    "grad_output_shape": lambda: [3, 4],
    "key_shape": lambda: [2],
    "feature_index": lambda: 1,
    "exponent_bits": lambda: 5,
    "mantissa_bits": lambda: 10,
    "element_type": lambda: np.int32,
    "new_element_type": lambda: np.int16,
    "size": lambda: 3,
    "is_stable": lambda: True,
    "num_keys": lambda: 1,
}
CONTRACTED = {"dimension_numbers": lambda: (([1], [1]), ([0], [0]))}
ROLLED = {"shift": lambda: (1, 2), "axis": lambda: (0, 1)}
CONVOLUTIONS = ("", "_general_dilated", "_with_general_padding")
IMAGES = {
    "lhs": lambda: np.ones((2, 3, 6)),
    "rhs": lambda: np.ones((4, 3, 2)),
    "lhs_shape": lambda: [2, 3, 6],
    "rhs_shape": lambda: [4, 3, 2],
    "window_strides": lambda: (1,),
    "padding": lambda: "SAME",
}
FEATURES = dict.fromkeys(("scale", "offset", "mean", "variance"), lambda: np.ones(4))
FEATURES |= {"operand": lambda: np.ones((3, 4)), "grad_output": lambda: np.ones((3, 4))}
FEATURES |= {"feature_index": lambda: 1, "epsilon": lambda: 0.5}
OF_FEATURES = dict.fromkeys(("scale_shape", "offset_shape", "mean_shape", "variance_shape"), lambda: [4])
OF_FEATURES |= {"feature_index": lambda: 1, "grad_output_shape": lambda: [3, 4]}
KINDS_OF_NORM = ("batch_norm_grad", "batch_norm_inference", "batch_norm_training")
OWN = {
    **{f"ssop.xla.{name}": FEATURES for name in KINDS_OF_NORM},
    **{f"ssop.shapes.xla.{name}": OF_FEATURES for name in KINDS_OF_NORM},
    "ssop.inspect.node": {
        "text": lambda: "Slice(starts=[1], ends=[2])",
        "target": lambda: "ort",
        "silent": lambda: ["no-op"],
        "any_dim": lambda: True,
    },
    **dict.fromkeys(
        ("ssop.inspect", "ssop.inspect.__call__"),
        {
            "second": lambda: None,
            "format": lambda: "onnx",
            "target": lambda: "ort",
            "only": lambda: "n",
            "silent": lambda: ["no-op"],
            "any_dim": lambda: True,
        },
    ),
    "ssop.xla.bitcast_convert_type": {"new_element_type": lambda: np.uint64},
    "ssop.shapes.xla.bitcast_convert_type": {"element_type": lambda: np.int64, "new_element_type": lambda: np.uint64},
    "ssop.xla.convert_element_type": {"new_element_type": lambda: np.float32},
    "ssop.xla.reduce_precision": {
        "operand": lambda: np.ones((3, 4)),
        "exponent_bits": lambda: 5,
        "mantissa_bits": lambda: 10,
    },
    "ssop.xla.rng_bernoulli": {"mean": lambda: np.float32(0.5)},
    "ssop.xla.rng_normal": {"mu": lambda: np.float32(0), "sigma": lambda: np.float32(1)},
    "ssop.xla.rng_uniform": {"a": lambda: np.float32(0), "b": lambda: np.float32(1)},
    "ssop.shapes.xla.rng_normal": dict.fromkeys(("mu_shape", "sigma_shape"), list),
    "ssop.shapes.xla.rng_uniform": dict.fromkeys(("a_shape", "b_shape"), list),
    "ssop.xla.rng_bit_generator": {"key": lambda: np.zeros(2, np.uint64)},
    "ssop.shapes.xla.rng_bit_generator": {"key_shape": lambda: [2]},
    **dict.fromkeys(("ssop.xla.iota", "ssop.shapes.xla.iota"), {"size": lambda: 5}),
    **{f"ssop.{home}xla.conv{kind}": IMAGES for home in ("", "shapes.") for kind in CONVOLUTIONS},
    **{f"ssop.{home}xla.dot{kind}": CONTRACTED for home in ("", "shapes.") for kind in ("", "_general")},
    "ssop.xla.Computation": {"f": lambda: np.negative, "shapes": lambda: [operand()]},
    "ssop.xla.Computation.__call__": {"arguments": lambda: [operand()]},
    "ssop.xla.call": {"computation": lambda: np.add, "operands": lambda: [operand(), operand()]},
    "ssop.xla.map": {"computation": lambda: np.add, "static_operands": lambda: ()},
    "ssop.xla.while_": {"condition": lambda: never, "body": lambda: np.negative},
    "ssop.xla.while_loop": {"cond_fun": lambda: never, "body_fun": lambda: np.negative},
    "ssop.xla.cond": {"pred": lambda: True, "true_fun": lambda: np.add, "false_fun": lambda: np.add},
    "ssop.xla.conditional": dict.fromkeys(("true_computation", "false_computation"), lambda: np.negative),
    "ssop.xla.switch": {"branches": lambda: [np.add, np.add]},
    "ssop.xla.tuple": {"elements": lambda: [operand(), operand()]},
    "ssop.xla.register_custom_call": {"target_name": lambda: "tests.memory", "f": lambda: nothing},
    "ssop.xla.unregister_custom_call": {"target_name": registered},
    "ssop.xla.custom_call": {"target_name": registered, "shape": operand},
    "ssop.xla.infeed": {"shape": fed},
    "ssop.xla.recv": {"shape": received},
    "ssop.xla.transfer_from_outfeed": {"shape": put_out},
    "ssop.xla.transfer_to_infeed": {"value": tuple},
    "ssop.xla.outfeed": {"operand": tuple},
    "ssop.xla.send": {"operand": tuple},
    "ssop.shapes.xla.call": {"computation": computation, "operand_shapes": lambda: [[3, None]]},
    "ssop.shapes.xla.cross_replica_sum": {"operand_shapes": lambda: [[3, 4], [None, 4]]},
    "ssop.shapes.xla.map": {"operand_shapes": lambda: [[3, 4], [None, 4]]},
    "ssop.shapes.xla.get_tuple_element": {"index": lambda: 1},
    **{f"ssop.xla.{name}": NUMBERS[name] for name in NUMBERS},
    **{f"ssop.shapes.xla.{name}": SHAPES_OF_NUMBERS for name in NUMBERS},
    "ssop.shapes.xla.rng_bernoulli": {"mean_shape": lambda: ()},
    **{f"ssop.xla.{row.name}": {"operand": lambda: np.ones((3, 4))} for row in UNARY if "signed" not in row.kinds},
    "ssop.xla.reduce": {"operands": operand, "init_values": lambda: np.int64(0)},
    "ssop.xla.gather": {"start_indices": lambda: np.array([0, 1]), "slice_sizes": lambda: [1, 2]},
    "ssop.shapes.xla.gather": {"slice_sizes": lambda: [1, 2]},
    "ssop.xla.scatter": {"operands": operand, "computation": lambda: None},
    "ssop.index": {"index": lambda: (0, slice(None, None, 2))},
    "ssop.index_assign": {"index": lambda: slice(0, 2), "value": lambda: np.zeros((2, 4), int)},
    "ssop.index_update": {"index": lambda: slice(0, 2), "value": lambda: np.zeros((2, 4), int)},
    "ssop.pad": {"mode": lambda: "constant", "constant_values": lambda: 0, "reflect_type": lambda: "even"},
    "ssop.explain.numpy_pad": {"mode": lambda: "edge"},
    "ssop.vjp.numpy_pad": {"operand_shape": lambda: [1, 2]},
    **dict.fromkeys(("ssop.roll", "ssop.explain.roll", "ssop.shapes.roll"), ROLLED),
    "ssop.vjp.roll": {"operand_shape": lambda: [3, 4], **ROLLED},
    "ssop.show_config": {"mode": lambda: "dicts"},
    "ssop.strided_slice_grad": SLICED,
    "ssop.tf.strided_slice_grad": SLICED,
    "ssop.openvino.strided_slice": LISTS,
    "ssop.shapes.openvino.strided_slice": LISTS,
    "ssop.Plan.__call__": {"x": operand, "out": lambda: None},
    "ssop.infer_shape": {
        **dict.fromkeys(("input_tensors", "input_tensors_as_shapes"), tuple),
        "inputs": lambda: ([3, 4],),
        "attributes": lambda: {"begin": [0, 1], "end": [2, 3]},
    },
    "ssop.vjp.strided_slice": SLICED,
    "ssop.vjp.slice": SLICED,
    "ssop.vjp.dynamic_slice": SLICED,
    "ssop.vjp.tf_slice": SLICED,
    "ssop.explain.slice": {},
    "ssop.explain.onnx_slice": {},
    "ssop.explain.dynamic_slice": {"policy": dict},
    **dict.fromkeys(
        (f"ssop.convert.{name}" for name in ("Call.__call__", "Conversion.__call__", "Composition.__call__")),
        {"values": dict},
    ),
    "ssop.convert.Composition.at": {"values": dict},
    "ssop.explain.dynamic_update_slice": {"policy": dict, **WINDOW},
    "ssop.divergences.rows": {"kind": lambda: "dialect"},
    "ssop.shapes.Dim": {"value": lambda: 3},
    "ssop.shapes.register": {"op": lambda: "Another"},
    "ssop.vjp.broadcast": {"operand_shape": lambda: [4], "sizes": lambda: [3]},
    "ssop.vjp.collapse": {"operand_shape": lambda: [3, 2, 2], "dimensions": lambda: [1, 2]},
    "ssop.vjp.pad": {"operand_shape": lambda: [2, 3], "padding_config": lambda: [(0, 1, 0), (1, 0, 0)]},
    "ssop.vjp.reshape": {"operand_shape": lambda: [4, 3], "new_sizes": lambda: [3, 4]},
    "ssop.vjp.transpose": {"operand_shape": lambda: [4, 3]},
    "ssop.shapes.InferenceContext.attribute": {"name": lambda: "axis"},
    "ssop.Region.chunks": {"grid": lambda: (2, [1, 3])},
    "ssop.Region.of": {"first": lambda: ssop.Region((5, 6), ((0, 3, 1), (0, 4, 1)), (0, 1))},
    "ssop.Inference.__getitem__": {"key": lambda: ("x", 0)},
    "ssop.convert.Laws.__getitem__": {"name": lambda: "slice-split"},
    "ssop.shapes.PartialShape.subshape": BOUNDS,
    "ssop.shapes.PartialShape.with_rank": {"rank": lambda: 3},
    "ssop.shapes.PartialShape.with_rank_at_most": {"rank": lambda: 3},
    "ssop.shapes.PartialShape.__deepcopy__": {"memo": dict},
    "ssop.shapes.Dim.__deepcopy__": {"memo": dict},
    **{
        f"ssop.shapes.InferenceContext.{name}": TWO_DIMS
        for name in ("add", "subtract", "multiply", "min", "max", "merge")
    },
    "ssop.shapes.InferenceContext.with_value": {"value": lambda: 3},
    "ssop.shapes.InferenceContext.subshape": BOUNDS,
    "ssop.shapes.InferenceContext.concatenate": TWO_SHAPES,
    "ssop.shapes.InferenceContext.debug_string": {"x": lambda: [3, None]},
    "ssop.shapes.InferenceContext.make_shape_from_shape_tensor": {"i": lambda: 1},
    "ssop.shapes.InferenceContext.make_shape_from_shape_tensor_treat_scalar_as_unknown_shape": {"i": lambda: 1},
    "ssop.shapes.InferenceContext.make_shape_from_tensor": {"shape": lambda: [2]},
    "ssop.shapes.InferenceContext.make_dim_for_scalar_input": {"i": lambda: 2},
    "ssop.shapes.InferenceContext.make_dim_for_scalar_input_with_negative_indexing": {"i": lambda: 2},
}
# For the methods of a class.
OF_CLASS = {
    "ssop.shapes.PartialShape": {**dict.fromkeys(("other", "value"), lambda: [3, None, None]), "key": lambda: 0},
    "ssop.shapes.Dim": dict.fromkeys(("other", "value"), lambda: 3),
    "ssop.shapes.InferenceContext": HANDLES,
}


# ---- instances -------------------------------------------------------------------------------------------------------


def spec():
    return ssop.StridedSliceSpec([0, 1], [2, 3])


def context():
    shapes = ssop.shapes
    handles = [[shapes.ShapeAndType([3], "float32")], None]
    tensors = [np.array([3, 4]), np.array([3, 4]), np.array(1)]
    return shapes.InferenceContext("Op", [[2], [2], []], tensors, [[3, 4]], handles, attributes={"axis": 1})


def error():
    try:
        ssop.strided_slice(np.arange(3), [0], [1], [0])
    except ssop.SliceError as caught:
        return caught


INSTANCES = {
    "Computation": computation,
    "Plan": lambda: ssop.plan(spec(), (3, 4), np.int64),
    "Region": lambda: spec().resolve((3, 4)),
    "StridedSliceSpec": spec,
    "Explanation": lambda: spec().explain((3, 4)),
    "Explorer": lambda: ssop.explore([3, 4], [0, 1], [2, 3]),
    "_Explain": lambda: ssop.explain,
    "_Convert": lambda: ssop.convert,
    "_Inspect": lambda: ssop.inspect,
    "Call": lambda: ssop.convert.Call("onnx.slice", starts=[1], ends=[2]),
    "Composition": lambda: ssop.convert.compose(slice(1, 2)),
    "Conversion": lambda: ssop.convert(slice(1, 2), to="onnx"),
    "Comparison": lambda: ssop.inspect(model(), model()),
    "Inspection": lambda: ssop.inspect(model()),
    "Equality": lambda: ssop.convert.equal(slice(1, 2), slice(1, 3)),
    "Law": lambda: ssop.convert.laws["slice-split"],
    "Laws": lambda: ssop.convert.laws,
    "Proof": lambda: ssop.convert.laws["slice-split"].prove(),
    "SliceError": error,
    "Dim": lambda: ssop.shapes.Dim((1, 5)),
    "PartialShape": lambda: ssop.shapes.PartialShape([3, None, (1, 4)]),
    "InferenceContext": context,
    "Inference": lambda: ssop.shapes.infer(BY_NAME["nodes"]()),
    "Node": lambda: ssop.shapes.Node("x", "input"),
    "ShapeAndType": lambda: ssop.shapes.ShapeAndType([3], "float32"),
}
