"""What trials found wrong in contexts, registered operations and lists of nodes; and what seed 003 asks for."""

import itertools

import numpy as np
import pytest

import ssop
from ssop import shapes
from ssop.shapes import InferenceContext, ShapeAndType


def error_of(function, *args, **kwargs):
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    return info.value


def label_of(function, *args, **kwargs):
    return error_of(function, *args, **kwargs).label


FAILED = {
    "too many tensors": (lambda: InferenceContext("Op", [[2]], [None, None]), "sh_c30"),
    "no shapes": (lambda: InferenceContext("Op", 5), "sh_c36"),
    "an iterator": (lambda: InferenceContext("Op", itertools.repeat([2])), "sh_c36"),
    "no shape": (lambda: InferenceContext("Op", [[2.5]]), "sh_c23"),
    "ragged": (lambda: InferenceContext("Op", [[2]], [[[1], [1, 2]]]), "sh_c36"),
    "no handles": (lambda: InferenceContext("Op", [[2]], (), (), [5]), "sh_c36"),
    "no handle": (lambda: InferenceContext("Op", [[2]], (), (), [[("x",)]]), "sh_c36"),
    "dtype": (lambda: InferenceContext("Op", [[2]], (), (), [[([2], "DT_FLOAT")]]), "sh_c36"),
    "outputs": (lambda: InferenceContext("Op", [[2]], num_outputs=-1), "sh_c30"),
    "attributes": (lambda: InferenceContext("Op", [[2]], attributes=5), "sh_c36"),
    "names": (lambda: InferenceContext("Op", [[2]], input_names=["a", "b"]), "sh_c30"),
    "same names": (lambda: InferenceContext("Op", [[2], [2]], input_names=["a", "a"]), "sh_c30"),
    "op": (lambda: InferenceContext(5), "sh_c36"),
}
ON_INPUTS = (
    "input",
    "input_tensor",
    "input_tensor_as_shape",
    "requested_input_tensor",
    "requested_input_tensor_as_partial_shape",
    "make_shape_from_shape_tensor",
    "make_dim_for_scalar_input",
    "input_handle_shapes_and_types",
)


@pytest.mark.parametrize("name", FAILED)
def test_tried_a_context_that_failed_in_construction_raises_that(name):
    make, label = FAILED[name]
    context = make()
    assert label_of(context.run, print) == label
    for method in ON_INPUTS:
        assert label_of(getattr(context, method), 0) == label
    assert label_of(context.merge_input, 0, [2]) == label
    assert label_of(context.merge_input_handle_shapes_and_types, 0, []) == label
    assert repr(context)


def test_tried_malformed_arguments_of_a_context():
    c = InferenceContext("Op", [[2, None]])
    assert label_of(c.merge_input, 0.0, [2, 3]) == "in_c1"
    assert label_of(c.merge_input, True, [2, 3]) == "in_c1"
    assert label_of(c.input, None) == "in_c1"
    assert label_of(c.input, "a") == "sh_c22"
    assert label_of(c.merge_input_handle_shapes_and_types, 0, None) == "sh_c36"
    assert label_of(c.relax_output_handle_shapes_and_merge_types, 0, None) == "sh_c36"
    assert label_of(c.set_output_handle_shapes_and_types, 0, [5]) == "sh_c36"
    assert label_of(ShapeAndType, [2], "DT_FLOAT") == "sh_c36"
    assert label_of(c.scalar_from_tensor, [[1], [1, 2]]) == "sh_c36"
    assert label_of(c.expand_outputs, "a") == "in_c1"
    c.set_input_handle_shapes_and_types(0, None)
    assert c.input_handle_shapes_and_types(0) is None


class Endless:
    """A sequence that claims to be as long as can be."""

    def __len__(self):
        return 2**62

    def __getitem__(self, i):
        return [2]


def test_tried_what_claims_to_be_endless_ends():
    assert label_of(InferenceContext("Op", Endless()).run, print) == "sh_c30"
    assert label_of(InferenceContext("Op", [], Endless()).run, print) == "sh_c30"
    assert label_of(shapes.register, "Op", print, inputs=Endless()) == "sh_c30"
    assert label_of(shapes.infer, [Endless()]) == "sh_c30"


def test_tensorflows_test_says_what_a_subshape_is_computed_from():
    error = error_of(InferenceContext("Op").subshape, [1, 2, 3, None, 5], 6, -3)
    assert error.label == "sh_c10"
    assert "but is 5 and 2 (computed from start 6 and end -3 over shape with rank 5)" in str(error)


def matmul(c):
    a, b = c.with_rank(c.input("a"), 2), c.with_rank(c.input("b"), 2)
    c.merge(c.dim(a, 1), c.dim(b, 0))
    c.set_output("product", c.matrix(c.dim(a, 0), c.dim(b, 1)))


def test_seed_003_inputs_and_outputs_have_names():
    shapes.register("MatMul", matmul, inputs=["a", "b"], outputs=["product"])
    assert ssop.infer_shape("MatMul", [2, 3], [3, 4]).dims == (2, 4)
    assert ssop.infer_shape("MatMul", [2, 3], b=[3, 4]).dims == (2, 4)
    assert ssop.infer_shape("MatMul", b=[3, 4], a=[2, 3]).dims == (2, 4)
    assert label_of(ssop.infer_shape, "MatMul", [2, 3], [4, 5]) == "sh_c3"
    assert label_of(ssop.infer_shape, "MatMul", [2, 3]) == "sh_c30"
    inputs = [("x", "input", [], {"shape": [2, 3]}), ("w", "input", [], {"shape": [None, 4]})]
    found = shapes.infer([*inputs, ("y", "MatMul", ["x", "w"])])
    assert found["y"].dims == (2, 4)


def test_seed_003_names_in_a_context():
    c = InferenceContext("Op", [[2, None], [3]], input_names=["a", "b"], output_names=["x", "y"])
    assert c.input("b").dims == (3,) and c.merge_input("a", [2, 5]) and c.relax_input("b", [4])
    assert c.inputs[0].dims == (2, 5) and c.inputs[1].dims == (None,)
    c.set_output("y", [7])
    assert c.output("y").dims == (7,) and c.num_outputs == 2
    assert "there are x, y" in str(error_of(c.set_output, "z", [1]))


def test_seed_003_register_is_a_decorator():
    @shapes.register("Twice", outputs=["x", "y"])
    def twice(c):
        c.set_output("x", c.input(0))
        c.set_output("y", c.input(0))

    assert callable(twice)
    assert [shape.dims for shape in ssop.infer_shape("Twice", [3])] == [(3,), (3,)]


@pytest.mark.parametrize(
    ("args", "kwargs", "label"),
    [
        (("X", 5), {}, "sh_c36"),
        ((5, print), {}, "sh_c36"),
        (("", print), {}, "sh_c36"),
        (("X", print), {"inputs": "ab"}, "sh_c36"),
        (("X", print), {"inputs": ["a", "a"]}, "sh_c30"),
        (("X", print), {"inputs": [5]}, "sh_c36"),
        (("X", print), {"outputs": ["a"], "num_outputs": 2}, "sh_c30"),
        (("X", print), {"num_outputs": -1}, "sh_c30"),
        (("X", print), {"num_outputs": 1.5}, "in_c1"),
        (("StridedSlice", print), {}, "sh_c34"),
    ],
)
def test_seed_003_register_checks_what_it_is_given(args, kwargs, label):
    assert label_of(shapes.register, *args, **kwargs) == label


def test_tried_values_and_handles_reach_registered_functions():
    shapes.register("Fill", lambda c: c.set_output(0, c.make_shape_from_shape_tensor(0)))
    shapes.register("Read", lambda c: c.set_output(0, c.input_handle_shapes_and_types(0)[0].shape))
    assert ssop.infer_shape("Fill", [2], [], input_tensors=[np.array([3, 4])]).dims == (3, 4)
    assert ssop.infer_shape("Fill", [2], [], input_tensors_as_shapes=[[3, None]]).dims == (3, None)
    assert ssop.infer_shape("Read", [], handles=[[ShapeAndType([2, None], "f4")]]).dims == (2, None)
    assert label_of(ssop.infer_shape, "tf.slice", [2], [0], [1], input_tensors=[np.array([1])]) == "sh_c30"


def test_seed_003_tensorflows_names():
    for name in ("StridedSlice", "strided_slice"):
        assert ssop.infer_shape(name, [None, 4], [1], [3], [1], mode="tight").intervals == ((0, 2), (4, 4))
    assert ssop.infer_shape("Slice", [5], [1], [2]).dims == (2,)
    assert ssop.infer_shape("StridedSliceGrad", [5, -1], [0], [5], [2], [3, None]).dims == (5, None)
    for name in ("StridedSliceAssign", "ResourceStridedSliceAssign", "TensorStridedSliceUpdate"):
        assert ssop.infer_shape(name, [5], [0], [2], [1], [2], mode="tight").dims == (5,)
        assert label_of(ssop.infer_shape, name, [5], [0], [2], [1], [3], mode="tight") == "as_c1"
    for name in ("Pad", "PadV2"):
        assert ssop.infer_shape(name, [3, None], [[1, 1], [0, 2]], mode="tight").intervals == ((5, 5), (2, None))
        assert ssop.infer_shape(name, [3], np.array([[1, 2]])).dims == (6,)
    assert label_of(ssop.infer_shape, "Pad", [3], [[1]]) == "pad_c7"
    assert label_of(ssop.infer_shape, "Pad", [3], 5) == "sh_c36"


@pytest.mark.parametrize(("name", "near"), [("StridedSlic", "StridedSlice"), ("PAD", "pad")])
def test_seed_003_unknown_names_suggest_the_nearest(name, near):
    message = str(error_of(ssop.infer_shape, name, [2]))
    assert "Op type not registered" in message and f"did you mean '{near}'?".lower() in message.lower()
    assert "did you mean" not in str(error_of(ssop.infer_shape, "Unheard", [2]))


def test_seed_003_relax_nodes():
    nodes = [
        ("x", "input", [], {"shape": [2, 2]}),
        ("y", "input", [], {"shape": [3, None]}),
        ("z", "relax", ["x", "y"]),
        ("other", "relax", ["x"], {"shape": [1, 2, 3]}),
        ("same", "relax", ["y", "y"]),
    ]
    assert shapes.infer(nodes)["z"].dims == (None, None)
    found = shapes.infer(nodes, mode="tight")
    assert found["z"].intervals == ((2, 3), (0, None)) and found["x"].dims == (2, 2) and found["y"].dims == (3, None)
    assert found["other"].rank is None
    assert found.equal == ((("y", 1), ("same", 1)),)
    assert label_of(shapes.infer, [("z", "relax")]) == "sh_c30"


def test_seed_003_what_is_merged_later_narrows_a_relax_node():
    nodes = [
        ("x", "input", [], {"shape": [None]}),
        ("z", "relax", ["x"], {"shape": [4]}),
        ("m", "merge", ["x"], {"shape": [4]}),
    ]
    found = shapes.infer(nodes, mode="tight")
    assert found["z"].dims == (4,) and found["x"].dims == (4,)


@pytest.mark.parametrize(
    ("nodes", "label"),
    [
        (["abc"], "sh_c36"),
        ([("x",)], "sh_c35"),
        ([("x", "input", "y")], "sh_c36"),
        ([("x", 5)], "sh_c36"),
        ([(5, "input")], "sh_c36"),
        ([("x", "input", [5])], "sh_c36"),
        ([("x", "merge", ["x:" + "9" * 5000])], "sh_c35"),
    ],
)
def test_tried_malformed_nodes(nodes, label):
    assert label_of(shapes.infer, nodes) == label


@pytest.mark.parametrize("shape", [np.ones((1, 2), int), np.array([1.5]), 5, np.array(5)], ids=repr)
def test_tried_the_shape_of_a_gradient_is_read_as_execution_does(shape):
    label = label_of(ssop.strided_slice_grad, shape, [1], [2], [1], np.zeros((4, 5)))
    assert label_of(shapes.strided_slice_grad, shape, [1], [2], [1], [4, 5]) == label
    assert shapes.strided_slice_grad(np.array([5, -1]), [0], [5], [2], [3, None]).dims == (5, None)


def test_what_is_known_of_vectors_is_given_as_sequences():
    with pytest.raises(ssop.SliceTypeError, match=r"input_tensors is a generator.*sh_c36"):
        ssop.infer_shape("strided_slice", [4], [0], [1], [1], input_tensors=(i for i in ()))
