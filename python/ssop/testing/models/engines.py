"""What a converter gives, run: models of ONNX and StableHLO, and functions of an array."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ssop.testing.calls import Answer, Rejection

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]
Run = Callable[[Inputs], Array]

BYTECODE = b"ML\xefR"
"""How a file of MLIR begins."""


def form_of(model: Any) -> str:
    """Whether a model is one of "onnx" or "stablehlo", or a "function"; empty for what is none of these.

    >>> form_of("module {}"), form_of(b"..."), form_of(len), form_of(None)
    ('stablehlo', 'onnx', 'function', '')
    """
    if isinstance(model, bytes):
        return "stablehlo" if model.startswith((BYTECODE, b"module", b"#")) else "onnx"
    if isinstance(model, str):
        return "stablehlo"
    if hasattr(model, "SerializeToString"):
        return "onnx"
    return "function" if callable(model) else ""


def plain(model: Any) -> Any:
    """A model that can be sent to another process: a ModelProto as its bytes."""
    return model.SerializeToString() if hasattr(model, "SerializeToString") else model


class ModelEngine(NamedTuple):
    """An engine that runs models of one form."""

    form: str
    modules: tuple[str, ...]
    distributions: tuple[str, ...]
    load: Callable[[Any], Run]
    """From a model, or an exception that says what is wrong with it."""


# ---- ONNX ----------------------------------------------------------------------------------------------------------


def fed(names: Sequence[str], inputs: Inputs) -> dict[str, Array]:
    """The inputs by a model's own names: the same ones, or those of TensorFlow's tensors, or else in order.

    >>> fed(["x:0"], {"x": np.zeros(1)}).keys(), fed(["l_x_"], {"x": np.zeros(1)}).keys()
    (dict_keys(['x:0']), dict_keys(['l_x_']))
    """
    bare = [name.split(":")[0] for name in names]
    if set(bare) <= set(inputs):
        return {name: inputs[own] for name, own in zip(names, bare, strict=True)}
    return dict(zip(names, inputs.values(), strict=False))


def _onnxruntime(content: bytes) -> Run:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    return lambda inputs: np.asarray(session.run(None, fed(names, inputs))[0])


def _onnx_reference(content: bytes) -> Run:
    import onnx
    from onnx.reference import ReferenceEvaluator

    model = onnx.load_model_from_string(content)
    onnx.checker.check_model(model)
    evaluator: Any = ReferenceEvaluator(model)
    return lambda inputs: np.asarray(evaluator.run(None, fed(evaluator.input_names, inputs))[0])


def _openvino(content: bytes) -> Run:
    import openvino

    model = openvino.Core().read_model(content)
    options = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = openvino.compile_model(model, "CPU", options)
    names = [port.any_name for port in compiled.inputs]
    return lambda inputs: np.array(compiled(list(fed(names, inputs).values()))[0])


# ---- StableHLO -----------------------------------------------------------------------------------------------------


def stablehlo_text(program: str | bytes) -> str:
    """A StableHLO program as text, also from MLIR's bytecode of any version."""
    if isinstance(program, str):
        return program
    if not program.startswith(BYTECODE):
        return program.decode()
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir.dialects import stablehlo

    return str(stablehlo.deserialize_portable_artifact(make_ir_context(), program))


def _stablehlo(program: str | bytes) -> Run:
    from ssop import stablehlo

    text = stablehlo_text(program)
    return lambda inputs: np.asarray(stablehlo.run(text, *inputs.values()))


def _jax(program: str | bytes) -> Run:
    import jax
    from jaxlib import _jax

    device = jax.devices("cpu")[0]
    options = jax._src.compiler.get_compile_options(1, 1)
    compiled = device.client.compile_and_load(stablehlo_text(program), _jax.DeviceList((device,)), options)

    def run(inputs: Inputs) -> Array:
        with jax.enable_x64(True):
            buffers = [jax.device_put(array) for array in inputs.values()]
        (shards,) = compiled.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return np.asarray(shards[0])

    return run


MODEL_ENGINES = {
    "onnxruntime": ModelEngine("onnx", ("onnxruntime",), ("onnxruntime",), _onnxruntime),
    "onnx.reference": ModelEngine("onnx", ("onnx",), ("onnx",), _onnx_reference),
    "openvino": ModelEngine("onnx", ("openvino",), ("openvino",), _openvino),
    "jax": ModelEngine("stablehlo", ("jax",), ("jax", "jaxlib"), _jax),
    "stablehlo": ModelEngine("stablehlo", ("jaxlib",), ("jaxlib",), _stablehlo),
}
"""By name; of each form, the first that is installed runs its models unless another is named."""


def engines_for(chosen: str | None) -> dict[str, str]:
    """For each form the name of the engine that runs its models; ValueError for one that is not there."""
    if chosen is not None and chosen not in MODEL_ENGINES:
        raise ValueError(f"no engine {chosen!r} runs models; there are {', '.join(MODEL_ENGINES)}")
    found: dict[str, str] = {}
    for name, engine in MODEL_ENGINES.items():
        installed = all(find_spec(module) is not None for module in engine.modules)
        if name == chosen and not installed:
            package = engine.distributions[0]
            raise ValueError(f"the engine {name} needs {package}: pip install {package}")
        if installed and (name == chosen or engine.form not in found):
            found[engine.form] = name
    return found


def run_model(model: Any, inputs: Inputs, engine: str | None = None) -> Array:
    """The result of a model of ONNX or StableHLO, or of a function, on inputs by name.

    >>> run_model(lambda x: x + 1, {"x": np.zeros(1)})
    array([1.])
    """
    form = form_of(model)
    if form == "function":
        return np.asarray(model(*inputs.values()))
    if not form:
        raise ValueError(f"{type(model).__name__} is no model")
    return MODEL_ENGINES[engine or engines_for(None)[form]].load(plain(model))(inputs)


def be_quiet() -> None:
    """Keep frameworks from logging in a child process: what they say of each model would hide the report."""
    os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "TQDM_DISABLE": "1"}
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")


class Asked(NamedTuple):
    """Models to be run on the same inputs: what a subject gave, and the source, if it is a model too."""

    engine: str
    models: tuple[Any, ...]
    inputs: tuple[Inputs, ...]


class ModelServer:
    """The server in the child process: for each `Asked` the answers of each model."""

    def load(self) -> None:
        """The engines are imported when they are first asked."""
        be_quiet()

    def answers(self, items: Sequence[Asked]) -> Iterator[list[list[Answer]]]:
        """One for each; an error to load a model is the answer on all of its inputs."""
        for item in items:
            load = MODEL_ENGINES[item.engine].load
            yield [_answers(load, model, item.inputs) for model in item.models]


def _answers(load: Callable[[Any], Run], model: Any, inputs: Sequence[Inputs]) -> list[Answer]:
    try:
        run = load(model)
    except Exception as error:  # whatever an engine finds wrong with a model
        return [Answer(error=rejection(error))] * len(inputs)
    return [answer_of(run, given) for given in inputs]


def answer_of(run: Run, inputs: Inputs) -> Answer:
    """The result on some inputs, or the error."""
    try:
        return Answer(np.array(run(inputs), order="C"))
    except Exception as error:  # as above
        return Answer(error=rejection(error))


def rejection(error: BaseException) -> Rejection:
    """An exception of somebody else, in one line, which can be sent to another process."""
    lines = str(error).strip().splitlines()
    return Rejection(type(error).__name__, lines[0] if lines else "")
