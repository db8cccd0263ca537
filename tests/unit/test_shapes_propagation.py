"""Operations by name, those of users among them, and inference over lists of operations."""

import subprocess
import sys

import pytest

import ssop
from ssop import shapes
from ssop.shapes import Dim, Node, infer


def error_of(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceError) as caught:
        function(*arguments, **keywords)
    return caught.value


# ---- names -----------------------------------------------------------------------------------------------------------


def test_shapes_are_loaded_when_they_are_needed():
    code = (
        "import sys, ssop; assert 'ssop.shapes' not in sys.modules and 'shapes' in dir(ssop)\n"
        "assert ssop.infer_shape is ssop.shapes.infer_shape and 'ssop.shapes' in sys.modules\n"
        "from ssop import *; assert shapes.unknown(1) == (None,)\n"
        "try: ssop.nothing\nexcept AttributeError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("module 'ssop' has no attribute 'nothing'\n", "")


def split(c):
    """Two halves of an axis: a user's operation of two outputs."""
    axis = c.attribute("axis", 0)
    half = c.divide(c.dim(c.input(0), axis), 2, evenly_divisible=True)
    for i in range(c.num_outputs):
        c.set_output(i, c.replace_dim(c.input(0), axis, half))


def matmul(c):
    a, b = c.with_rank(c.input(0), 2), c.with_rank(c.input(1), 2)
    c.merge(c.dim(a, 1), c.dim(b, 0))
    c.set_output(0, c.matrix(c.dim(a, 0), c.dim(b, 1)))


@pytest.fixture(autouse=True)
def registered():
    shapes.register("Split", split, num_outputs=2)
    shapes.register("MatMul", matmul)


def test_sh_s17_registered_operations_take_part():
    assert ssop.infer_shape("Split", [None, 6], axis=1) == (shapes.PartialShape([None, 3]),) * 2
    assert ssop.infer_shape("MatMul", [2, None], [3, None]).dims == (2, None)
    assert ssop.infer_shape("MatMul", [2, (1, 4)], [3, (5, 6)], mode="tight").intervals == ((2, 2), (5, 6))
    error = error_of(ssop.infer_shape, "MatMul", [2, 4], [3, None])
    assert (
        error.label == "sh_c3"
        and "are 4 and 3 for '{{node MatMul}} = MatMul[]' with input shapes: [2,4], [3,?]" in (str(error))
    )
    shapes.register("MatMul", lambda c: c.set_output(0, c.scalar()))  # the last registration counts
    assert ssop.infer_shape("MatMul", [2, 4], [3, None]).dims == ()


def test_sh_c34_names_of_operations():
    error = error_of(ssop.infer_shape, "Unheard", [2])
    assert (error.label, error.value) == ("sh_c34", "Unheard") and "Op type not registered 'Unheard'" in str(error)
    for taken in ("strided_slice", "xla.pad", "pad", "tf.strided_slice_grad"):
        assert error_of(shapes.register, taken, split).label == "sh_c34"


def test_spec_infers_shapes():
    spec = ssop.StridedSliceSpec([0, -2], [0, 9], [1, 1], shrink_axis_mask=1)
    assert spec.infer_shape([5, None]).dims == (None,)
    assert spec.infer_shape([5, None], mode="tight").intervals == ((0, 2),)
    assert error_of(spec.infer_shape, [0, None]).label == "ss_c7"
    assert error_of(spec.infer_shape, [5, 5], mode="loose").label == "sh_c25"


# ---- lists of operations ---------------------------------------------------------------------------------------------


def given(name, *dims):
    return Node(name, "input", [], {"shape": dims})


def test_a_chain_of_slices():
    found = infer(
        [
            given("x", None, 8, 10),
            (
                "y",
                "strided_slice",
                ["x"],
                {"begin": [0, 1], "end": [0, 7], "strides": [1, 2], "begin_mask": 1, "end_mask": 1},
            ),
            ("z", "tf.slice", ["y"], {"begin": [0, 1, 2], "size": [-1, 2, 3]}),
            ("w", "xla.index_in_dim", ["z"], {"index": 1, "axis": 1, "keepdims": False}),
        ],
        mode="tight",
    )
    assert [str(found[name]) for name in "xyz"] == ["[?,8,10]", "[?,3,10]", "[?,2,3]"]
    assert found["w"].dims == (None, 3)
    assert repr(found).startswith("<Inference x: [?,8,10]; y: [?,3,10]; z: [?,2,3]; w: ")


def test_sh_s30_what_is_merged_is_true_everywhere():
    nodes = [
        given("x", None, None),
        given("y", 5, None),
        ("head", "strided_slice", ["x"], {"begin": [1], "end": [9]}),
        ("joined", "xla.concatenate", ["x", "y"], {"dimension": 1}),
        ("product", "MatMul", ["y", "head"]),
    ]
    found = infer(nodes, mode="tight")
    assert found["x"].dim(0) == Dim(5) and found["head"].dim(0) == Dim(4)
    assert found["y"].dims == (5, 4)  # merged with head's rows
    assert found["product"].dim(1).same_as(found["x"].dim(1))
    assert found["joined"].dim(0) == Dim(5)
    assert found.learned[("x", 0)] == Dim(5) and found.learned[("y", 1)] == Dim(4)
    assert (("x", 1), ("head", 1), ("product", 1)) in found.equal
    assert found.rounds >= 2


def test_sh_s30_contradictions_between_operations_are_found():
    nodes = [
        given("x", None),
        ("four", "merge", ["x"], {"shape": [4]}),
        ("five", "merge", ["x"], {"shape": [5]}),
    ]
    error = error_of(infer, nodes)
    assert error.label == "sh_c2" and "for '{{node five}} = merge[shape=[5]]' with input shapes: [4]" in str(error)
    late = [given("x", None), ("y", "xla.rev", ["x"], {"dimensions": [0]}), ("four", "merge", ["x"], {"shape": [4]})]
    assert infer(late)["y"].dims == (4,)
    assert error_of(infer, [*late, ("five", "merge", ["y"], {"shape": [5]})]).label == "sh_c2"


def test_sh_s30_unknown_ranks_become_known():
    found = infer([Node("x", "input", [], {"shape": None}), ("m", "merge", ["x"], {"shape": [None, 3]})])
    assert found["x"].dims == found["m"].dims == (None, 3)
    assert found.equal == ((("x", 0), ("m", 0)),)
    found = infer(
        [given("p", 1), Node("x", "input", [], {"shape": None}), ("m", "merge", ["x", "x"]), ("q", "merge", ["p", "x"])]
    )
    assert found["x"].dims == found["m"].dims == (1,)


def test_merge_input_and_relax_input_of_users():
    shapes.register("Narrow", lambda c: (c.merge_input(0, [None, 7]), c.set_output(0, c.input(0))))
    found = infer([given("x", None, None), ("n", "Narrow", ["x"])])
    assert found["x"].dims == found["n"].dims == (None, 7)
    assert found.equal == ((("x", 0), ("n", 0)),)


def test_outputs_of_several_and_their_names():
    nodes = [given("x", 8), ("s", "Split", ["x"]), ("t", "Split", ["s:1"]), ("u", "merge", ["t", "t:1"])]
    found = infer(nodes)
    assert (found["s", 1].dims, found["t"].dims, found["u"].dims) == ((4,), (2,), (2,))
    unknown = infer([given("x", None), ("s", "Split", ["x"]), ("u", "merge", ["s:0", "s:1"])])
    assert unknown.equal == ((("s", 0, 0), ("s", 1, 0), ("u", 0)),)
    named = infer([given("a:0", 3), ("b", "merge", ["a:0"])])  # a name that looks like an output
    assert named["b"].dims == (3,)


def test_every_kind_of_operation_runs_in_a_list():
    slice_1d = {"begin": [0], "end": [2], "strides": [1]}
    found = infer(
        [
            given("x", 4),
            given("two", 2),
            given("none"),
            ("grad", "strided_slice_grad", ["two"], {"shape": [4], **slice_1d}),
            ("update", "tensor_strided_slice_update", ["x", "two"], slice_1d),
            ("window", "dynamic_update_slice", ["x", "two"], {"start_indices": shapes.unknown(1)}),
            ("chosen", "select", ["none", "x", "grad"]),
            ("bounded", "xla.clamp", ["none", "chosen", "x"]),
            ("joined", "concatenate", ["bounded", "two", "two"], {"dimension": 0}),
        ],
        mode="tight",
    )
    dims = {name: found[name].dims for name in found.shapes}
    assert dims.pop("joined") == (8,) and dims.pop("none") == () and dims.pop("two") == (2,)
    assert set(dims.values()) == {(4,)}


def test_sh_s30_grad_says_what_its_gradient_is():
    nodes = [
        given("dy", None),
        ("g", "strided_slice_grad", ["dy"], {"shape": [9], "begin": [1], "end": [9], "strides": [3]}),
    ]
    assert infer(nodes, mode="tight")["dy"].dims == (3,)
    assert infer(nodes)["dy"].dims == (None,)  # TensorFlow's function looks at shape only


def test_sh_s31_narrowing_for_ever_ends():
    def less(c):
        c.merge(c.input(0), c.make_shape([c.subtract(c.dim(c.input(0), 0), 1)]))
        c.set_output(0, c.input(0))

    shapes.register("Less", less)
    found = infer([given("x", (0, 10**6)), ("y", "Less", ["x"])], mode="tight")
    assert found.rounds == 100 and found["x"].intervals[0][1] < 10**6
    assert error_of(infer, [given("x", (0, 9)), ("y", "Less", ["x"])], mode="tight").label == "sh_c12"


def test_sh_c35_nodes():
    x = given("x", 4)
    for nodes, value in (
        ([x, x], "x"),
        ([x, ("y", "merge", ["z"])], "z"),
        ([x, ("y", "merge", ["y"])], "y"),
        ([x, ("y", "merge", ["x:1"])], "x:1"),
        ([("y", "merge", ["x"]), x], "x"),
    ):
        error = error_of(infer, nodes)
        assert (error.label, error.value) == ("sh_c35", value)
    assert error_of(infer, [x, ("y", "Unheard", ["x"])]).label == "sh_c34"
    assert error_of(infer, [x], mode="loose").label == "sh_c25"
    error = error_of(infer, [x, ("y", "xla.select", ["x"])])
    assert error.label == "sh_c30" and "Wrong number of inputs passed: 1 while 3 expected" in str(error)
    assert infer([]).shapes == {}


class Nodes:
    """Iterable, by an iterator that is not."""

    def __iter__(self):
        class Iterator:
            left = [("x", "input", [], {"shape": [2]})]

            def __next__(self):
                if not self.left:
                    raise StopIteration
                return self.left.pop()

        return Iterator()


def test_an_iterator_need_not_be_iterable():
    assert str(ssop.shapes.infer(Nodes())["x"]) == "[2]"
