"""The engines that compile a whole chain as one program, each behind the interface of an oracle.

The program that is run is the text that a report prints.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ssop.testing.calls import Array, Rejection
from ssop.testing.chains.drawing import XLA, Kinds, draw_chain
from ssop.testing.chains.files import onnx_text
from ssop.testing.chains.operations import (
    BACKWARDS,
    INTERIOR,
    NEGATIVE_PADDING,
    OPERATIONS,
    PERMUTED,
    RUN_TIME,
    WRAPPING,
    forms_of,
)
from ssop.testing.chains.program import Chain, Step
from ssop.testing.chains.texts import JAX, OPENVINO, TENSORFLOW, TORCH, as_input, function_text, inputs_text
from ssop.testing.oracles import IsolatedOracle, NotInstalled, Oracle


class ChainOracle(Oracle):
    """An engine whose programs are Python: a function of the inputs, and how it is compiled and called."""

    kinds: ClassVar[Kinds]
    """Which chains it takes."""
    batch = 20
    templates: ClassVar[Mapping[str, str]]
    vector: ClassVar[str] = "{}"
    head: ClassVar[str]
    """The lines before the function."""
    call: ClassVar[str]
    """How the function `program` is called with {inputs}."""
    rejections: tuple[type[Exception], ...] = (ValueError, TypeError, RuntimeError, NotImplementedError, IndexError)

    def load(self) -> None:
        self.scope: dict[str, Any] = {}
        exec(compile(self.head, "<head>", "exec"), self.scope)
        self.caller = compile(self.call.format(inputs="*inputs"), "<call>", "eval")

    @classmethod
    def takes(cls, chain: Chain) -> bool:
        """Whether a chain that was not drawn for it has a program for it."""
        return set(chain.operations) <= set(cls.templates) and not forms_of(chain) & cls.kinds.lacks

    def text(self, chain: Chain) -> str:
        """The lines that define `program`."""
        return function_text(chain, self.templates, self.vector)

    def run(self, call: Chain) -> Array:
        scope = self.scope | {"inputs": [as_input(array) for array in call.arrays]}
        exec(compile(self.text(call), "<program>", "exec"), scope)
        try:
            return np.asarray(eval(self.caller, scope))
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None

    def code(self, call: Chain) -> str:
        return f"{self.head}\n{self.text(call)}\nprint({self.call.format(inputs=inputs_text(call))})"


class ChainJAXJit(ChainOracle):
    """JAX: the chain is one program that XLA compiles."""

    name = "jax-jit"
    modules = ("jax",)
    distributions = ("jax", "jaxlib")
    kinds = XLA._replace(ops={**XLA.ops, "vjp.slice": 1, "vjp.dynamic_slice": 1}, lacks=frozenset({PERMUTED}))
    templates = JAX
    head = "import jax, numpy as np\nfrom jax import lax, numpy as jnp\n\njax.config.update('jax_enable_x64', True)\n"
    call = "jax.jit(program)({inputs})"
    limits = "broadcast dimensions increase"


class ChainJAX(ChainJAXJit):
    """JAX, one operation after the other."""

    name = "jax"
    call = "program(*map(jnp.asarray, [{inputs}]))"


class ChainTensorFlow(ChainOracle):
    """TensorFlow: a graph that Grappler rewrites."""

    name = "tensorflow"
    modules = ("tensorflow",)
    distributions = ("tensorflow-cpu", "tensorflow")
    kinds = Kinds(
        {
            "tf.strided_slice": 5, "tf.strided_slice_grad": 1, "xla.slice": 1, "xla.pad": 2, "xla.rev": 2,
            "xla.transpose": 2, "xla.reshape": 2, "xla.concatenate": 2, "xla.broadcast_in_dim": 1, "xla.select": 1,
        },
        lacks=frozenset({INTERIOR, NEGATIVE_PADDING, PERMUTED}),
    )  # fmt: skip
    templates = TENSORFLOW
    head = "import numpy as np, tensorflow as tf\n"
    call = "tf.function(program, autograph=False)(*map(tf.constant, [{inputs}]))"
    limits = "no dynamic slices, which are XLA's; padding is not negative and has no interior"

    def load(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        super().load()
        self.scope["tf"].get_logger().setLevel("ERROR")
        self.rejections = (*self.rejections, self.scope["tf"].errors.OpError)


class ChainTensorFlowJit(ChainTensorFlow):
    """TensorFlow's graph, compiled by XLA."""

    name = "tensorflow-jit"
    kinds = ChainTensorFlow.kinds._replace(lacks=ChainTensorFlow.kinds.lacks | {RUN_TIME})
    call = "tf.function(program, autograph=False, jit_compile=True)(*map(tf.constant, [{inputs}]))"


class ChainOpenVINO(ChainOracle):
    """OpenVINO: a model that its CPU plugin compiles."""

    name = "openvino"
    modules = ("openvino",)
    distributions = ("openvino",)
    kinds = Kinds(
        {
            "openvino.slice": 5, "xla.slice": 2, "xla.dynamic_slice": 3, "xla.pad": 2, "xla.rev": 2,
            "xla.transpose": 2, "xla.reshape": 2, "xla.concatenate": 2, "xla.broadcast_in_dim": 1, "xla.select": 1,
        },
        ("int32", "float32", "int64"),
        lacks=frozenset({INTERIOR, PERMUTED, WRAPPING}),
    )  # fmt: skip
    templates = OPENVINO
    vector = "np.array({}, 'int64')"

    @classmethod
    def takes(cls, chain: Chain) -> bool:
        """Padding that removes more than there is damages its memory: see its defect pad_removes_more."""
        return super().takes(chain) and not any(removes_more(step, chain) for step in chain.steps)

    head = """\
import numpy as np, openvino
from openvino import opset15 as ops
from openvino.utils.node_factory import NodeFactory

def computed(program, *inputs):
    parameters = [ops.parameter(x.shape, x.dtype) for x in inputs]
    model = openvino.Model([program(*parameters).output(0)], parameters, "chain")
    return openvino.compile_model(model, "CPU")(inputs)[0]

def reversed_along(x, axes):
    return NodeFactory("opset1").create("Reverse", [x, ops.constant(axes)], {"mode": "index"})
"""
    call = "computed(program, {inputs})"
    limits = "padding has no interior, starts are int64 and are not wrapped"


def removes_more(step: Step, chain: Chain) -> bool:
    """Whether a step is padding that removes more elements at one end of an axis than the axis has."""
    shape = chain.values[step.operands[0]].shape
    entries = zip(step.args.get("padding_config", ()), shape, strict=False)
    return any(min(entry[:2]) < -dim for entry, dim in entries)


class ChainONNXRuntime(ChainOracle):
    """ONNX Runtime: a model that its optimizer rewrites at the highest level."""

    name = "ort"
    modules = ("onnx", "onnxruntime")
    distributions = ("onnxruntime", "onnx")
    kinds = Kinds(
        {
            "onnx.slice": 5, "xla.slice": 2, "xla.dynamic_slice": 3, "xla.pad": 2, "xla.rev": 2, "xla.transpose": 2,
            "xla.reshape": 2, "xla.concatenate": 2, "xla.broadcast_in_dim": 1, "xla.select": 1,
        },
        ("int32", "float32", "int64", "uint8"),
        lacks=frozenset({INTERIOR, PERMUTED, WRAPPING}),
    )  # fmt: skip
    head = """\
import numpy as np, onnx, onnxruntime

def computed(text, *inputs):
    model, options = onnx.parser.parse_model(text), onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {x.name: array for x, array in zip(session.get_inputs(), inputs)})[0]
"""
    call = "computed(program, {inputs})"
    limits = "padding has no interior, starts are not wrapped"

    @classmethod
    def takes(cls, chain: Chain) -> bool:
        return onnx_text(chain) is not None and not forms_of(chain) & cls.kinds.lacks

    def load(self) -> None:
        super().load()
        from onnxruntime.capi import onnxruntime_pybind11_state as runtime

        self.rejections = (runtime.InvalidArgument, runtime.Fail, runtime.NotImplemented, runtime.RuntimeException)

    def text(self, chain: Chain) -> str:
        return f"program = {chr(34) * 3}{onnx_text(chain)}{chr(34) * 3}"


class ChainTorch(ChainOracle):
    """PyTorch: a graph that TorchDynamo captures and AOTAutograd rewrites."""

    name = "torch"
    modules = ("torch",)
    distributions = ("torch",)
    kinds = Kinds(
        {
            "tf.strided_slice": 5, "xla.slice": 1, "xla.pad": 2, "xla.rev": 2, "xla.transpose": 2, "xla.reshape": 2,
            "xla.concatenate": 2, "xla.broadcast_in_dim": 1, "xla.select": 1,
        },
        ("int32", "float32", "int64"),
        lacks=frozenset({BACKWARDS, INTERIOR, PERMUTED, RUN_TIME}),
    )  # fmt: skip
    templates = TORCH
    head = "import numpy as np, torch\nfrom torch.nn import functional\n"
    call = "torch.compile(program, backend='aot_eager', dynamic=False)(*map(torch.as_tensor, [{inputs}])).numpy()"
    limits = "no negative strides, no run-time starts, no interior padding"


CHAIN_ORACLES: dict[str, type[ChainOracle]] = {
    kind.name: kind
    for kind in (
        ChainJAXJit,
        ChainJAX,
        ChainTensorFlow,
        ChainTensorFlowJit,
        ChainOpenVINO,
        ChainONNXRuntime,
        ChainTorch,
    )
}
"""Every engine that runs chains, by its name."""


class ChainSSOP(Oracle):
    """ssop, one operation after the other: the right results, for a subject of somebody else."""

    name = "ssop"
    can_crash = False
    batch = 20
    kinds: ClassVar[Kinds] = Kinds({op: 1.0 for op in OPERATIONS})

    def run(self, call: Chain) -> Array:
        return call.run()

    def code(self, call: Chain) -> str:
        return call.program()


def chain_oracle(name: str, lengths: tuple[int, int] = (2, 4), takes: Kinds | None = None) -> Oracle:
    """The engine of this name for chains of so many operations, in a process of its own.

    `takes` says which chains a subject can take; without a subject, "ssop" is no engine. ValueError for an unknown
    name, and `NotInstalled` for an engine that is not installed.
    """
    engine: Any
    if name == "ssop" and takes is not None:
        engine, kinds = ChainSSOP(), takes
    elif name not in CHAIN_ORACLES:
        raise ValueError(f"the oracle {name} compiles no chains; there are {', '.join(CHAIN_ORACLES)}")
    else:
        kind = CHAIN_ORACLES[name]
        if not kind.installed():
            packages = " ".join(kind.distributions[:1])
            raise NotInstalled(f"the oracle {name} needs {packages}: pip install {packages}")
        engine, kinds = IsolatedOracle(kind), kind.kinds if takes is None else shared(kind.kinds, takes)
    engine.kinds = kinds._replace(lengths=lengths)
    engine.ops = {"chain": (1, partial(draw_chain, kinds=engine.kinds))}
    found: Oracle = engine
    return found


def shared(one: Kinds, other: Kinds) -> Kinds:
    """The chains that both can take; ValueError without any."""
    ops = {op: weight for op, weight in one.ops.items() if op in other.ops}
    dtypes = tuple(name for name in one.dtypes if name in other.dtypes)
    if not ops or not dtypes:
        raise ValueError("the oracle and the subject have no operation and dtype in common")
    return one._replace(ops=ops, dtypes=dtypes, lacks=one.lacks | other.lacks)
