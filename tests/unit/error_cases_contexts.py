"""Broken calls for the rules of contexts, of names of operations, and of lists of them, which only Python knows."""

import numpy as np

import ssop
from ssop import shapes
from ssop.shapes import InferenceContext
from unit.error_case import Case

CONTEXT = InferenceContext("Op", [[2, None], []], [None, np.array(-1)])
FILL = InferenceContext("Fill", [[]], [np.array(5)])
X = ("x", "input", [], {"shape": [2]})
NODE = "'{{node Op}} = Op[]' with input shapes: [2,?], []."

TENSORS = [
    Case(
        "sh_c18",
        "Op",
        (CONTEXT.make_shape_from_tensor, np.array([2.0]), [1]),
        "Input tensor must be int32 or int64, but was float64",
        value=np.dtype(float),
    ),
    Case(
        "sh_c18",
        "Op",
        (CONTEXT.scalar_from_tensor, np.array(2, np.uint8)),
        "Scalar input must be int32 or int64, but was uint8",
        value=np.dtype(np.uint8),
    ),
    Case(
        "sh_c19",
        "Fill",
        (FILL.make_shape_from_shape_tensor_treat_scalar_as_unknown_shape, 0),
        "Input tensor must be rank 1, or if its rank 0 it must have value -1 (representing an unknown shape).  Saw "
        "value: 5",
        value=5,
    ),
    Case(
        "sh_c19",
        "Op",
        (CONTEXT.make_shape_from_tensor, np.array([[2, 3]]), [2]),
        "Input tensor must be rank 1, but was rank 2. Saw tensor with shape (1, 2)",
        value=(1, 2),
    ),
    Case(
        "sh_c20",
        "Op",
        (CONTEXT.make_shape_from_tensor, None, [2**25]),
        "Cannot create a tensor with 33554432 dimensions, as these would be more than maximum of 33554432",
        value=2**25,
    ),
    Case("sh_c22", "Op", (CONTEXT.input, 2), "input 2 is not in 0..1", value=2, allowed=(0, 1)),
    Case("sh_c22", "Op", (CONTEXT.set_output, -1, [3]), "output -1 is not in 0..0", value=-1, allowed=(0, 0)),
    Case(
        "sh_c22",
        "Op",
        (CONTEXT.scalar_from_tensor, np.array([1, 2]), 2),
        "element 2 is not in 0..1",
        value=2,
        allowed=(0, 1),
    ),
    Case("sh_c32", "Op", (CONTEXT.scalar_from_tensor, np.array([1])), "Input must be scalar but has rank 1", value=1),
    Case(
        "sh_c32",
        "Op",
        (CONTEXT.make_dim_for_scalar_input, 1),
        "Dimension size, given by scalar input 1, must be non-negative but is -1",
        value=-1,
    ),
    Case(
        "sh_c32",
        "Fill",
        (FILL.make_dim_for_scalar_input_with_negative_indexing, 0, 2),
        "Dimension size, given by scalar input 5 must be in range [-2, 2)",
        value=5,
    ),
]

CALLS = [
    Case(
        "sh_c30",
        "Op",
        (InferenceContext("Op", [[2]], num_inputs=2).run, print),
        "Wrong number of inputs passed: 1 while 2 expected based on NodeDef",
        value=1,
    ),
    Case(
        "sh_c30",
        "Op",
        (InferenceContext("Op", [[2]], [None, None]).run, print),
        "input_tensors has 2 entries for 1 inputs: Wrong number of input tensors passed; expected 1 got 2",
        value=2,
    ),
    Case(
        "sh_c30",
        "Op",
        (CONTEXT.expand_outputs, 0),
        "0 outputs, but there are 1: Trying to reduce number of outputs of op.",
        value=0,
    ),
    Case("sh_c31", "Op", (CONTEXT.attribute, "axis"), "No attr named 'axis' in NodeDef", value="axis"),
    Case(
        "sh_c33",
        "Op",
        (InferenceContext("Op", [[2, None], []]).run, lambda c: int("x")),
        f"invalid literal for int() with base 10: 'x' for {NODE}",
    ),
    Case(
        "sh_c34", "infer_shape", (ssop.infer_shape, "Unheard", [2]), "Op type not registered 'Unheard'", value="Unheard"
    ),
    Case(
        "sh_c34",
        "register",
        (shapes.register, "xla.pad", print),
        "Op with name xla.pad is already registered: it is one of this package",
        value="xla.pad",
    ),
    Case(
        "sh_c36",
        "register",
        (shapes.register, "Outer", 5),
        "function is an int, not a callable that takes an InferenceContext",
        value=5,
    ),
    Case("sh_c35", "infer", (shapes.infer, [X, X]), "two nodes have the name 'x'", value="x"),
    Case(
        "sh_c35",
        "infer",
        (shapes.infer, [("y", "merge", ["x"]), X]),
        "node 'y' reads 'x', which no earlier node gives",
        value="x",
    ),
]

CONTEXTS = TENSORS + CALLS
