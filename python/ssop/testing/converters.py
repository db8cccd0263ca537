"""Converters, simplifiers and exporters of others as subjects: `--subject ssop.testing.converters:tf2onnx`.

Each takes a model of the kind in its attribute `takes`, and gives one, or a function of arrays. `needs` has the modules
that it imports. A subject of your own is a function like these.
"""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore,no-untyped-call"

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def _subject(takes: str, *needs: str, supports: str = "") -> Callable[[Function], Function]:
    def marked(function: Function) -> Function:
        more: Any = function
        more.takes, more.needs, more.supports = takes, needs, supports or None
        return function

    return marked


# ---- from TensorFlow -----------------------------------------------------------------------------------------------


@_subject("tensorflow", "tensorflow", "tf2onnx")
def tf2onnx(graph_def: bytes) -> bytes:
    """tf2onnx, to ONNX."""
    import tf2onnx
    from tensorflow.compat.v1 import GraphDef

    made, _ = tf2onnx.convert.from_graph_def(GraphDef.FromString(graph_def), None, ["x:0"], ["y:0"], opset=17)
    return bytes(made.SerializeToString())


@_subject("tensorflow", "openvino", "tensorflow")
def openvino_tensorflow(graph_def: bytes) -> Callable[..., Any]:
    """OpenVINO's front end for TensorFlow, and its CPU plugin."""
    import openvino
    from tensorflow.compat.v1 import GraphDef

    return _compiled(openvino.convert_model(GraphDef.FromString(graph_def)))


def _compiled(model: Any) -> Callable[..., Any]:
    import openvino

    compiled = openvino.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    return lambda x, **values: compiled([x, *values.values()])[0].copy()


# ---- from ONNX -----------------------------------------------------------------------------------------------------


@_subject("onnx", "openvino")
def openvino_onnx(model: bytes) -> Callable[..., Any]:
    """OpenVINO's front end for ONNX, and its CPU plugin."""
    import openvino

    return _compiled(openvino.convert_model(io.BytesIO(model)))


@_subject("onnx", "onnx", "onnx2tf", "tensorflow", supports="run-time=no unknown-dims=no")
def onnx2tf(model: bytes) -> Callable[..., Any]:
    """onnx2tf, to a model of Keras, with the axes of the operand in their own order."""
    import onnx
    import onnx2tf

    # What it prints of each failure is longer than the report.
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        made = onnx2tf.convert(
            onnx_graph=onnx.load_model_from_string(model), output_folder_path=folder, non_verbose=True,
            verbosity="error", keep_shape_absolutely_input_names=["x"],
        )  # fmt: skip
    return lambda x: made(x).numpy()


@_subject("onnx", "onnx", "onnxslim")
def onnxslim(model: bytes) -> Any:
    """OnnxSlim, a simplifier."""
    import onnx
    import onnxslim

    return onnxslim.slim(onnx.load_model_from_string(model))


@_subject("onnx", "onnx", "onnxsim")
def onnxsim(model: bytes) -> Any:
    """onnxsim, a simplifier."""
    import onnx
    import onnxsim

    simplified, _ = onnxsim.simplify(onnx.load_model_from_string(model))
    return simplified


@_subject("onnx", "onnx", "onnxoptimizer")
def onnxoptimizer(model: bytes) -> Any:
    """onnxoptimizer, with its own choice of passes."""
    import onnx
    import onnxoptimizer

    return onnxoptimizer.optimize(onnx.load_model_from_string(model))


@_subject("onnx", "onnx", "onnxruntime")
def onnxruntime_optimizer(model: bytes) -> bytes:
    """The model as ONNX Runtime optimizes it, without what only its own kernels can run."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = os.path.join(folder, "optimized.onnx")
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        with open(options.optimized_model_filepath, "rb") as file:
            return file.read()


@_subject("onnx", "onnx")
def onnx_shape_inference(model: bytes) -> Any:
    """The model with the shapes that onnx infers: nothing may change."""
    import onnx

    return onnx.shape_inference.infer_shapes(onnx.load_model_from_string(model), strict_mode=True)


# ---- from torch ----------------------------------------------------------------------------------------------------


@_subject("torch", "torch", "onnxscript")
def torch_onnx(module: Any, x: Any, dims: list[int | None]) -> bytes:
    """torch.onnx, by torch.export."""
    torch: Any = import_module("torch")
    unknown = {axis: torch.export.Dim.AUTO for axis, dim in enumerate(dims) if dim is None}
    made = torch.onnx.export(module, (x,), dynamo=True, verbose=False, dynamic_shapes={"x": unknown})
    return bytes(made.model_proto.SerializeToString())


@_subject("torch", "torch", "onnx")
def torch_onnx_legacy(module: Any, x: Any, dims: list[int | None]) -> bytes:
    """torch.onnx, by the older exporter that traces."""
    torch: Any = import_module("torch")
    content = io.BytesIO()
    unknown = [axis for axis, dim in enumerate(dims) if dim is None]
    torch.onnx.export(
        module, (x,), content, dynamo=False, opset_version=17, input_names=["x"], dynamic_axes={"x": unknown}
    )
    return content.getvalue()


@_subject("torch", "torch", "coremltools", supports="unknown-dims=no dtypes=float32")
def coremltools(module: Any, x: Any, dims: list[int | None]) -> Callable[..., Any]:
    """coremltools, to its own program, whose operations are computed as its own passes fold constants."""
    coremltools, torch = import_module("coremltools"), import_module("torch")
    inputs = [coremltools.TensorType("x", shape=x.shape, dtype=x.numpy().dtype.type)]
    traced = torch.jit.trace(module, x)
    made = coremltools.convert(
        traced, inputs=inputs, convert_to="milinternal", compute_precision=coremltools.precision.FLOAT32
    )
    return partial(_folded, coremltools.converters.mil.mil, made.functions["main"])


def _folded(mil: Any, function: Any, x: Any) -> Any:
    """The result of a program of coremltools on an operand that is a constant."""
    known = {"x": x}

    def value(given: Any) -> Any:
        return known.get(given.name, given.val)

    with mil.Function({}):  # the builder's operations belong to a function
        for operation in function.operations:
            inputs = {name: value(given) for name, given in operation.inputs.items()}
            (output,) = operation.outputs
            if operation.op_type != "const":
                made = getattr(mil.Builder, operation.op_type)(**inputs)
                if made.val is None:
                    raise NotImplementedError(f"{operation.op_type} is not folded")
                known[output.name] = made.val
    return known[function.outputs[0].name]


# ---- from JAX ------------------------------------------------------------------------------------------------------


@_subject("jax", "jax")
def jax_export(function: Any, operands: list[Any]) -> Callable[..., Any]:
    """jax.export, serialized and read again."""
    jax: Any = import_module("jax")
    with jax.enable_x64(True):
        made = jax.export.deserialize(jax.export.export(jax.jit(function))(*operands).serialize())

    def run(x: Any, **values: Any) -> Any:
        with jax.enable_x64(True):
            return made.call(x, *values.values())

    return run


@_subject("jax", "jax", "jax2onnx", supports="run-time=no dtypes=float32,int32")
def jax2onnx(function: Any, operands: list[Any]) -> Any:
    """jax2onnx, to ONNX."""
    jax: Any = import_module("jax")
    jax2onnx = import_module("jax2onnx")
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in operands]
    return jax2onnx.to_onnx(function, shapes)


# ---- from StableHLO ------------------------------------------------------------------------------------------------


def _passes(program: str, pipeline: str) -> str:
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo

    stablehlo.register_stablehlo_passes()
    with make_ir_context():
        module = ir.Module.parse(program)
        passmanager.PassManager.parse(pipeline).run(module.operation)
        return str(module)


@_subject("stablehlo", "jax")
def stablehlo_passes(program: str) -> str:
    """MLIR's canonicalizer and the passes of StableHLO that jaxlib has."""
    functions = "canonicalize,cse,stablehlo-canonicalize-dynamism"
    return _passes(program, f"builtin.module(stablehlo-refine-shapes,func.func({functions}))")


@_subject("stablehlo", "jax")
def stablehlo_bytecode(program: str) -> bytes:
    """The program as a portable artifact of StableHLO, as jax.export writes it."""
    from jaxlib.mlir.dialects import stablehlo

    written: bytes = stablehlo.serialize_portable_artifact_str(program, stablehlo.get_minimum_version())
    return written


# ---- ssop's own ----------------------------------------------------------------------------------------------------


def _converted(calls: Any, to: Any, dims: list[int | None], dtype: str) -> Any:
    import ssop

    return ssop.convert(calls, to=to, shape=dims, dtype=dtype, check="runtime")


@_subject("calls", "onnx", supports="pads=no")
def ssop_onnx(calls: Any, dims: list[int | None], dtype: str) -> Any:
    """`ssop.convert` to ONNX."""
    return _converted(calls, "onnx", dims, dtype).to_onnx()


@_subject("calls", "jax", supports="pads=no unknown-dims=no")
def ssop_stablehlo(calls: Any, dims: list[int | None], dtype: str) -> Any:
    """`ssop.convert` to StableHLO."""
    return _converted(calls, "xla", dims, dtype).to_stablehlo()


@_subject("calls")
def ssop_compose(calls: Any, dims: list[int | None], dtype: str) -> Any:
    """`ssop.convert.compose`: the calls as one copy."""
    import ssop

    return ssop.convert.compose(calls, dims)


@_subject("calls", "tensorflow", supports="pads=no")
def ssop_tensorflow(calls: Any, dims: list[int | None], dtype: str) -> Any:
    """`ssop.convert` to a function of TensorFlow."""
    return _converted(calls, "tf", dims, dtype).to_tf()


CONVERTERS: tuple[Callable[..., Any], ...] = (
    tf2onnx, openvino_tensorflow, openvino_onnx, onnx2tf, onnxslim, onnxsim, onnxoptimizer, onnxruntime_optimizer,
    onnx_shape_inference, torch_onnx, torch_onnx_legacy, coremltools, jax_export, jax2onnx, stablehlo_passes,
    stablehlo_bytecode, ssop_onnx, ssop_stablehlo, ssop_compose, ssop_tensorflow,
)  # fmt: skip
"""All of them."""
