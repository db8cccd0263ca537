"""ONNX's shape inference of Slice: known lists are constants, unknown ones inputs of their length."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

from typing import Any

import numpy as np

from ssop.testing.calls import Answer, Dims, Rejection, ShapeCall
from ssop.testing.calls.axes_lists import LISTS
from ssop.testing.calls.partial_dialects import ONNX_DRAWS
from ssop.testing.oracles.interface import Oracle
from ssop.testing.oracles.onnx import ONNX


class ONNXShapes(Oracle):
    """It is compared with ssop's mode "tf", the tight answer without its intervals."""

    name = "onnx"
    infers = True
    modules = ("onnx",)
    distributions = ("onnx",)
    ops = ONNX_DRAWS
    phrases = ONNX.phrases
    limits = "a list is known or not, as a whole; there are no intervals"

    def load(self) -> None:
        import onnx

        self.onnx: Any = onnx

    def model(self, call: ShapeCall) -> Any:
        """A model of one Slice."""
        helper, proto = self.onnx.helper, self.onnx.TensorProto
        infos = [helper.make_tensor_value_info("data", proto.FLOAT, call.shape)]
        constants, names = [], ["data"]
        for name in LISTS:
            values = call.args[name]
            names.append(name if values is not None else "")
            if values is not None and None in values:
                infos.append(helper.make_tensor_value_info(name, proto.INT64, [len(values)]))
            elif values is not None:
                constants.append(self.onnx.numpy_helper.from_array(np.array(values, np.int64), name))
        y = helper.make_tensor_value_info("y", proto.FLOAT, None)
        graph = helper.make_graph([helper.make_node("Slice", names, ["y"])], "slice", infos, [y], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)

    def answer(self, call: Any) -> Answer:
        try:
            return Answer(dims=self.inferred(call))
        except self.onnx.shape_inference.InferenceError as error:
            return Answer(error=Rejection("InferenceError", str(error)))

    def inferred(self, call: ShapeCall) -> Dims:
        """What ONNX knows of the shape."""
        inferred = self.onnx.shape_inference.infer_shapes(self.model(call), check_type=True, strict_mode=True)
        shape = inferred.graph.output[0].type.tensor_type
        if not shape.HasField("shape"):
            return Dims(None)
        return Dims(tuple((dim.dim_value,) * 2 if dim.HasField("dim_value") else (0, None) for dim in shape.shape.dim))
