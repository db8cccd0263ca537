"""What the frameworks of today answer to the worked examples of their documents: the same as ssop.

The expressions of `document_examples` and of the rows "document" of `ssop.divergences` run with the framework's own
functions in place of ssop's.
"""

import re
from types import SimpleNamespace

import jax
import numpy as np
import pytest
import tensorflow as tf
from jax import lax
from openvino import Model, opset15
from openvino.passes import ConstantFolding, Manager

from ssop.divergences import rows
from unit.document_examples import EXAMPLES, NAMES

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
ERRORS = (ValueError, TypeError, RuntimeError, tf.errors.InvalidArgumentError)


# ---- the framework's functions, with the arguments of ssop's --------------------------------------------------------


class OpenVINO:
    """StridedSlice-1 by constant folding; masks are as long as the spec, which OpenVINO requires."""

    @staticmethod
    def node(data, begin, end, strides=None, *given, **named):
        masks = dict(zip(MASKS, given, strict=False)) | named
        vectors = [begin, end, [1] * len(begin) if strides is None else strides]
        masks = [(list(masks.get(name, ())) + [0] * len(begin))[: len(begin)] for name in MASKS]
        return opset15.strided_slice(data, *(opset15.constant(np.array(v, np.int64)) for v in vectors), *masks)

    @classmethod
    def strided_slice(cls, x, *given, **named):
        node = cls.node(opset15.constant(np.array(x)), *given, **named)
        if 0 in node.output(0).shape:
            return np.zeros(tuple(node.output(0).shape), x.dtype)
        model = Model([node.output(0)], [], "folded")
        passes = Manager()
        passes.register_pass(ConstantFolding())
        passes.run_passes(model)
        return np.array(model.get_results()[0].input_value(0).get_node().data)

    @classmethod
    def inferred(cls, shape, *given, **named):
        shape = cls.node(opset15.parameter(list(shape), np.int8), *given, **named).get_output_partial_shape(0)
        return SimpleNamespace(rank=shape.rank.get_length())


class Shape:
    """`tf.TensorShape`, which Python code merges and relaxes by the rules of `InferenceContext`."""

    def __init__(self, dims):
        self.shape = tf.TensorShape(dims)

    def merge(self, dims):
        return Shape(self.shape.merge_with(dims))

    def relax(self, dims, mode="tf"):
        assert mode == "tf"
        return Shape(self.shape.most_specific_compatible_shape(dims))

    def __repr__(self):
        return f"PartialShape({None if self.shape.rank is None else self.shape.as_list()})"


def strided_slice(x, begin, end, strides=None, *masks, **named):
    """The raw op, whose masks come in the order of ssop's."""
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    given = dict.fromkeys(names, 0) | dict(zip(names, masks, strict=False)) | named
    strides = [1] * len(begin) if strides is None else strides
    return tf.raw_ops.StridedSlice(input=x, begin=begin, end=end, strides=strides, **given).numpy()


def array(function):
    """The function of `jax.lax` with a result of NumPy's in 64 bits."""

    def run(*arguments, **named):
        return np.asarray(function(*map(as_array, arguments), **named))

    return run


def as_array(x):
    if isinstance(x, list) and x and isinstance(x[0], np.ndarray):
        return [jax.numpy.asarray(part) for part in x]
    return jax.numpy.asarray(x) if isinstance(x, np.ndarray | np.generic) else x


def filled(function):
    """The same, where the second argument is an init value of the operand's dtype."""
    return array(lambda x, init, *more: function(x, np.asarray(init, x.dtype), *more))


JAX = SimpleNamespace(
    **{name: array(getattr(lax, name)) for name in (
        "broadcast", "concatenate", "dynamic_slice",
        "dynamic_update_slice", "select", "slice", "clamp", "sign", "reduce_precision",
    )},
    add=lax.add,
    dot=lambda x, y: tf.matmul(x, y).numpy(),
    logical_and=array(lax.bitwise_and),
    max=lax.max,
    reduce=filled(lax.reduce),
    reduce_window=filled(lax.reduce_window),
    while_=lax.while_loop,
)  # fmt: skip
JAX.convert_element_type = array(lambda x, dtype: lax.convert_element_type(np.asarray(x), dtype))
JAX.reshape = array(lambda x, sizes, dimensions: lax.reshape(x, sizes, dimensions))
JAX.collapse = array(lambda x, dimensions: lax.collapse(x, dimensions[0], dimensions[-1] + 1))

FRAMEWORKS = SimpleNamespace(
    strided_slice=strided_slice,
    openvino=OpenVINO,
    shapes=SimpleNamespace(PartialShape=Shape, openvino=SimpleNamespace(strided_slice=OpenVINO.inferred)),
    xla=JAX,
)

# ---- the comparison -------------------------------------------------------------------------------------------------

NOT_IN_LAX = ("cross_replica_sum", "get_tuple_element")
"""Functions of XLA that `jax.lax` has no equal of."""

IN_LAX = {
    "Slice", "DynamicSlice", "DynamicUpdateSlice", "Clamp", "Collapse", "Reshape", "Concatenate",
    "Element-wise unary functions", "Element-wise binary arithmetic", "ReducePrecision", "ConvertElementType",
    "ReduceWindow", "While",
}  # fmt: skip
"""Operations of the document of 2017 whose rows are asked in `jax.lax`; test_jax_*.py ask the others there."""

ROWS = [row for row in rows("document") if row["document"] != "xla" or row["operation"] in IN_LAX]


def answer(call):
    try:
        with jax.enable_x64(True):
            result = eval(call, NAMES | {"ssop": FRAMEWORKS, "np": np})
            return repr(np.asarray(result) if isinstance(result, jax.Array) else result)
    except ERRORS:
        return "rejected"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.document}-{example.call[:40]}")
def test_the_framework_agrees_with_its_document(example):
    if any(name in example.call for name in NOT_IN_LAX):
        assert not hasattr(lax, re.search("|".join(NOT_IN_LAX), example.call)[0])
        return
    assert answer(example.call) == (example.gives if "_c" not in example.gives[:5] else "rejected")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['document']}-{row['example'][:60]}")
def test_the_framework_differs_from_the_document_as_ssop_does(row):
    here = row["here"] if not re.fullmatch(r"\w+_c\d+", row["here"]) else "rejected"
    assert answer(row["example"]) == here


def test_openvino_s_functions_require_begin_mask_and_end_mask():
    with pytest.raises(TypeError, match="begin_mask"):
        opset15.strided_slice(opset15.constant(np.arange(4)), [1], [3], [1])
