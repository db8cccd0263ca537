"""`ssop.reference.shapes`: the rules of shape inference once more in plain Python, as TensorFlow has them."""

from __future__ import annotations

from typing import Any

from ssop import reference
from ssop.reference import shapes
from ssop.testing.calls import Answer, Dims
from ssop.testing.calls.numbers import INT64_MAX
from ssop.testing.calls.partial import without_large_end
from ssop.testing.calls.partial_dialects import tf_slice, tf_strided_slice
from ssop.testing.oracles.interface import Oracle
from ssop.testing.oracles.reference import Labelled


class ReferenceShapes(Oracle):
    """TensorFlow's shape functions of StridedSlice and Slice; it needs nothing."""

    name = "reference"
    infers = True
    can_crash = False
    ops = {"tf.strided_slice": (2, tf_strided_slice), "tf.slice": (1, tf_slice)}
    limits = "a dim is known or not: there are no intervals"

    def answer(self, call: Any) -> Answer:
        function = shapes.tf_slice if call.name == "slice" else shapes.strided_slice
        try:
            dims = function(shapes.shape(call.shape), **call.args).dims
        except reference.Rejected as rejected:
            return Answer(error=Labelled(self.label(call, rejected.label)))
        if dims is None:
            return Answer(dims=Dims(None))
        ends = [(dim.lo, None if dim.hi == INT64_MAX else dim.hi) for dim in dims]
        return Answer(dims=Dims(tuple(map(without_large_end, ends))))

    def label(self, call: Any, label: str) -> str:
        """The rule of the operation, where the reference names the rule of shapes that it is made of."""
        if call.name == "slice" and label == "sh_c4":
            return "tsl_c1"
        least = min((start for start in call.args["begin"] if start is not None), default=0)
        return "tsl_c3" if call.name == "slice" and label == "sh_c17" and least >= -1 else label
