"""Programs as models: the bytes of ONNX and of GraphDefs, the text of StableHLO, modules of torch, functions of JAX."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

from importlib import import_module
from typing import Any

from ssop._convert.objects import _in_jax, _in_tensorflow, stablehlo_of
from ssop._convert.onnx_model import model_of
from ssop._convert.shape import read_shape
from ssop.testing.models.program import Program

MODULES = {"onnx": ("onnx",), "stablehlo": ("jax",), "tensorflow": ("tensorflow",), "torch": ("torch",),
           "jax": ("jax",), "calls": ()}  # fmt: skip
"""What a source of each kind is written with."""
OPSET = 18


def load_writer(takes: str) -> None:
    """Import what writes a kind of source, which may take many seconds."""
    for name in MODULES[takes]:
        import_module(name)


def source_of(program: Program) -> tuple[Any, ...]:
    """What a subject is called with.

    "onnx": bytes. "stablehlo": text. "tensorflow": the bytes of a GraphDef, from "x" and the run-time values to "y".
    "torch": a module, an operand, and the dims, of which None may be any. "calls": the calls, the dims, the dtype.
    "jax": a function, and its operands, arrays of NumPy: "x", then the run-time values.
    """
    write = {"onnx": _onnx, "stablehlo": _stablehlo, "tensorflow": _tensorflow, "torch": _torch, "jax": _jax,
             "calls": _calls}  # fmt: skip
    return write[program.takes](program)


def _onnx(program: Program) -> tuple[Any, ...]:
    shape = read_shape(program.dims)
    return (model_of(program.calls, "onnx", shape, program.dtype, OPSET).SerializeToString(),)


def _stablehlo(program: Program) -> tuple[Any, ...]:
    return (stablehlo_of(program.calls, "xla", read_shape(program.dims), program.dtype),)


def _jax(program: Program) -> tuple[Any, ...]:
    import jax

    names = program.names

    def function(x: Any, *values: Any) -> Any:
        for call in program.calls:
            x = _in_jax(jax, call, x, (), dict(zip(names, values, strict=True)))
        return x

    return function, list(program.inputs(program.shapes[0]).values())


def _calls(program: Program) -> tuple[Any, ...]:
    return list(program.calls), list(program.dims), program.dtype


def _tensorflow(program: Program) -> tuple[Any, ...]:
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(program.dtype, program.dims, "x")
        for call in program.calls:
            x = _in_tensorflow(tf, call, x, (), {})
        tf.identity(x, "y")
    return (graph.as_graph_def().SerializeToString(),)


def _torch(program: Program) -> tuple[Any, ...]:
    import torch

    code = compile(program.text, "<program>", "exec")

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            scope = {"x": x, "torch": torch}
            exec(code, scope)
            return scope["y"]

    return Module(), torch.from_numpy(program.operand(program.shapes[0])), list(program.dims)
