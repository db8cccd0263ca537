"""ONNX's Slice: shape inference (the operator's text), its reference evaluator, and ONNX Runtime."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from ssop.testing.calls import Array, Call, Rejection
from ssop.testing.calls.axes_lists import LISTS, onnx_slice
from ssop.testing.oracles.interface import Oracle


def arrays_of(args: dict[str, Any]) -> dict[str, Array]:
    """The lists that are there, as arrays of one type."""
    index = next((a.dtype for a in args.values() if isinstance(a, np.ndarray)), np.dtype("i8"))
    return {name: np.array(args[name], index) for name in LISTS if args.get(name) is not None}


class ONNXRuntime(Oracle):
    """ONNX Runtime's CPU provider; everything is given at run time."""

    name = "onnxruntime"
    modules: ClassVar[tuple[str, ...]] = ("onnx", "onnxruntime")
    distributions: ClassVar[tuple[str, ...]] = ("onnxruntime", "onnx")
    ops = {"onnx.slice": (1, partial(onnx_slice, engine="ort"))}
    granted = {"engine": "ort"}
    phrases = {
        r"Cannot slice scalars": ("ort_c1",),
        r"Starts and ends shape mismatch": ("ort_c2",),
        r"Starts and axes shape mismatch": ("ort_c3",),
        r"Starts and steps shape mismatch": ("ort_c4",),
        r"'axes' has an axis outside of the tensor dimension count": ("ort_c5",),
        r"'axes' has duplicates": ("ort_c6",),
        r"'step' value cannot be 0": ("ort_c7",),
    }
    limits = "elements of 1, 2, 4 and 8 bytes, and strings"

    def load(self) -> None:
        import onnx

        self.onnx: Any = onnx
        self.helper: Any = onnx.helper
        self.open_model: Callable[..., Any] = cache(self._open_model)
        self.rejections: tuple[type[Exception], ...] = ()
        if "onnxruntime" in self.modules:
            import onnxruntime
            from onnxruntime.capi import onnxruntime_pybind11_state as runtime

            self.onnxruntime: Any = onnxruntime
            self.session: Callable[..., Any] = cache(self._session)
            self.rejections = (runtime.InvalidArgument, runtime.Fail)

    def model(self, data: Any, lists: dict[str, Any]) -> Any:
        """One Slice: `data` and the lists are names to value infos, or to tensors for constants."""
        onnx, helper = self.onnx, self.helper
        infos = [info for info in (data, *lists.values()) if isinstance(info, onnx.ValueInfoProto)]
        tensors = [tensor for tensor in lists.values() if isinstance(tensor, onnx.TensorProto)]
        names = [name if name in lists else "" for name in LISTS]
        node = helper.make_node("Slice", ["data", *names], ["y"])
        y = helper.make_tensor_value_info("y", data.type.tensor_type.elem_type, None)
        graph = helper.make_graph([node], "slice", infos, [y], tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)

    def _open_model(self, dtype: Any, index: Any, names: tuple[str, ...]) -> Any:
        """The model that takes everything at run time, of any shape."""
        number, info = self.helper.np_dtype_to_tensor_dtype, self.helper.make_tensor_value_info
        lists = {name: info(name, number(index), None) for name in names}
        return self.model(info("data", number(dtype), None), lists)

    def _session(self, dtype: Any, index: Any, names: tuple[str, ...]) -> Any:
        content = self.open_model(dtype, index, names).SerializeToString()
        options = self.onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        return self.onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def by_runtime(self, x: Array, args: dict[str, Any]) -> Array:
        """What ONNX Runtime gives."""
        lists = arrays_of(args)
        result: Array = self.session(x.dtype, lists["starts"].dtype, tuple(lists)).run(None, {"data": x, **lists})[0]
        return result

    def evaluate(self, x: Array, args: dict[str, Any]) -> Array:
        """The answer of this engine."""
        return self.by_runtime(x, args)

    def run(self, call: Call) -> Array:
        (x,) = call.arrays
        try:
            return self.evaluate(x, call.args)
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None


class ONNXReference(ONNXRuntime):
    """ONNX's reference evaluator, in Python."""

    name = "onnx.reference"
    modules: ClassVar[tuple[str, ...]] = ("onnx",)
    distributions: ClassVar[tuple[str, ...]] = ("onnx",)
    ops = {"onnx.slice": (1, partial(onnx_slice, engine="reference"))}
    granted = {"engine": "reference"}
    phrases = {
        r"too many indices for array: array is \d+-dimensional, but \d+ were indexed": ("onr_c3",),
        r"list assignment index out of range": ("onr_c1",),
        r"slice step cannot be zero": ("onr_c2",),
    }
    limits = "it is NumPy's indexing: lists of unequal length are cut, of an axis listed twice the last entry wins"

    def load(self) -> None:
        super().load()
        from onnx.reference import ReferenceEvaluator

        self.evaluator: Callable[..., Any] = cache(
            lambda names: ReferenceEvaluator(self.open_model(np.dtype("f4"), np.dtype("i8"), names))
        )
        self.rejections = (IndexError, ValueError, TypeError)

    def evaluate(self, x: Array, args: dict[str, Any]) -> Array:
        lists = arrays_of(args)
        return np.asarray(self.evaluator(tuple(lists)).run(None, {"data": x, **lists})[0], x.dtype)


class ONNX(ONNXReference):
    """The operator's text, which its shape inference follows, with values from ONNX Runtime.

    ONNX Runtime's sentinels among the ends are first moved by one.
    """

    name = "onnx"
    modules = ("onnx", "onnxruntime")
    distributions = ("onnx", "onnxruntime")
    ops = {"onnx.slice": (1, partial(onnx_slice, engine="spec"))}
    phrases = {
        r"Incorrect or missing input value for starts and ends": ("onx_c1",),
        r"Input axes has incorrect length": ("onx_c2",),
        r"Input steps has incorrect length": ("onx_c3",),
        r"Unexpected axis value: -?\d+\. Expected range \[-?\d+, \d+\)": ("onx_c4",),
        r"Axis \d+ is referred to more than once\.": ("onx_c5",),
        r"'step' cannot be 0 for Slice": ("onx_c6",),
    }
    limits = "the operator's text has no kernel of its own: values are ONNX Runtime's, where it follows the text"

    def load(self) -> None:
        super().load()
        from onnxruntime.capi import onnxruntime_pybind11_state as runtime

        self.rejections = (runtime.InvalidArgument, runtime.Fail, self.onnx.shape_inference.InferenceError)

    def inferred_shape(self, x: Array, args: dict[str, Any]) -> tuple[int, ...] | None:
        """None where inference keeps silent."""
        data = self.helper.make_tensor_value_info("data", self.onnx.TensorProto.FLOAT, list(x.shape))
        constants = {name: self.onnx.numpy_helper.from_array(a, name) for name, a in arrays_of(args).items()}
        result = self.onnx.shape_inference.infer_shapes(self.model(data, constants), strict_mode=True)
        tensor = result.graph.output[0].type.tensor_type
        return tuple(dim.dim_value for dim in tensor.shape.dim) if tensor.HasField("shape") else None

    def evaluate(self, x: Array, args: dict[str, Any]) -> Array:
        shape = self.inferred_shape(x, args)
        if shape is None:
            assert x.ndim == 0 and len(args["starts"]) == 0
            return super().evaluate(x, args)
        ends = arrays_of(args)["ends"]
        moved = args | {"ends": ends - np.isin(ends, (2**31 - 1, 2**63 - 1)).astype(ends.dtype)}
        y = self.by_runtime(x, moved)
        assert y.shape == shape, f"shape inference: {shape}, ONNX Runtime: {y.shape}"
        return y
