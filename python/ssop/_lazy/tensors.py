"""Tensors of torch in the memory of the CPU: moved by ssop's own engine, with gradients by `ssop.vjp`.

This module is imported where there is a tensor: then torch is loaded.

The engine reads a tensor where it is, through DLPack, and its result becomes a tensor in the same way. What cannot be
read so is left to torch's own indexing: tensors of other devices, without data (meta), of other layouts, of subclasses,
quantized ones, those whose conjugation or negation is still to be done, and what `torch.func` and forward-mode
differentiation pass.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import forward_ad

from ssop import _core
from ssop._errors import type_error
from ssop._lazy import gradients, libraries
from ssop._lazy.calls import Call
from ssop._lazy.gradients import Linear

Run = Callable[[Sequence[Any], Any], Any]

# What NumPy has, too. Others, such as bfloat16, are moved as integers of their size, for no operation looks at values.
NATIVE = frozenset(
    {
        torch.bool,
        torch.uint8,
        torch.uint16,
        torch.uint32,
        torch.uint64,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
    }
    | {torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128}
)
BITS = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32}


def run(call: Call, operand: str, value: str, resolve: Callable[[Call], Any], result: Any, out: Any) -> Any:
    """Return the result of an operation on one operand and perhaps a value; None if it is left to torch."""
    tensors = [call.x] if call.value is None else [call.x, call.value]
    names = [operand, value]

    def engine(arrays: Sequence[Any], target: Any) -> Any:
        keywords = {} if target is None else {"out": target}
        function = getattr(_core, call.op.replace(".", "_"))
        return function(**call.arguments, **dict(zip(names, arrays, strict=False)), **keywords)

    def gradient(resolved: Any) -> Callable[[Any], tuple[Any, ...]]:
        value_shape = None if call.value is None else tuple(call.value.shape)
        linear = Linear(call.op, tuple(call.x.shape), value_shape, call.arguments, resolved)
        return lambda dy: gradients.of(result)(linear, dy)

    return _run(call.op, tensors, engine, lambda: gradient(resolve(call)), out)


def assign(call: Call, operand: str, value: str) -> Any:
    """Write into a tensor and return it; None if torch's own indexing is to do it."""
    if any(map(_needs_gradient, (call.x, call.value))):
        return None
    arrays = [exported(call.x), exported(call.value)]
    if any(array is None for array in arrays):
        return None
    getattr(_core, call.op.replace(".", "_"))(**call.arguments, **{operand: _written(call.x), value: arrays[1]})
    torch.autograd.graph.increment_version(call.x)
    return call.x


def joined(op: str, tensors: Sequence[Any], dimension: int, out: Any) -> Any:
    """Return the concatenation of tensors; None if torch is to do it."""
    from ssop import vjp

    shapes = [tuple(x.shape) for x in tensors]

    def engine(arrays: Sequence[Any], target: Any) -> Any:
        return _core.xla_concatenate(arrays, dimension, out=target)

    return _run(op, tensors, engine, lambda: lambda dy: vjp.concatenate(dy, shapes, dimension), out)


def _run(op: str, tensors: Sequence[Any], engine: Run, gradient: Callable[[], Any], out: Any) -> Any:
    arrays = [exported(x) for x in tensors]
    if any(array is None for array in arrays):
        if out is not None:
            raise libraries.foreign_error(op, tensors[0], "takes out= only if it is in the memory of the CPU")
        return None
    if out is not None:
        return _into(op, tensors, engine, arrays, out)
    if any(map(_needs_gradient, tensors)):
        dtype = tensors[0].dtype
        return _Moved.apply(lambda: _imported(engine(arrays, None), dtype), gradient(), *tensors)
    return _imported(engine(arrays, None), tensors[0].dtype)


def _into(op: str, tensors: Sequence[Any], engine: Run, arrays: Sequence[Any], out: Any) -> Any:
    if not isinstance(out, torch.Tensor):
        raise libraries.foreign_error(op, tensors[0], "takes no out= but a tensor: the result stays in its own library")
    if any(map(_needs_gradient, (*tensors, out))):
        raise libraries.foreign_error(op, tensors[0], "takes no out= where a gradient is needed")
    if exported(out) is None:
        raise libraries.foreign_error(op, out, "is no out= that can be written to in the memory of the CPU")
    if out.dtype != tensors[0].dtype:  # both may be moved as integers
        raise type_error(op, "out_c3", f"out has dtype {out.dtype}, not {tensors[0].dtype}", value=out.dtype)
    engine(arrays, _written(out))
    torch.autograd.graph.increment_version(out)  # as torch's own functions do
    return out


class _Moved(torch.autograd.Function):
    """An operation on tensors of which one needs a gradient."""

    @staticmethod
    def forward(ctx: Any, run: Callable[[], Any], gradient: Callable[[Any], tuple[Any, ...]], *tensors: Any) -> Any:
        ctx.gradient = gradient
        return run()

    @staticmethod
    def backward(ctx: Any, dy: Any) -> tuple[Any, ...]:  # of operations, so that it has a gradient too
        return (None, None, *ctx.gradient(dy))


def _needs_gradient(x: Any) -> bool:
    return torch.is_grad_enabled() and bool(x.requires_grad)


def exported(x: Any) -> Any:
    """Return the memory of a tensor as a NumPy array, without a copy; None if it cannot be had."""
    if type(x) not in (torch.Tensor, torch.nn.Parameter) or x.device.type != "cpu" or x.layout != torch.strided:
        return None
    if x.is_conj() or x.is_neg() or x.is_quantized or forward_ad.unpack_dual(x).tangent is not None:
        return None
    try:
        return np.from_dlpack(_as_native(x))
    except RuntimeError:  # torch.func wraps tensors in others that have no memory
        return None


def _written(x: Any) -> Any:
    """Return the memory of a tensor that can be exported, to be written to: DLPack's is read-only in NumPy 2.0."""
    return _as_native(x).numpy()


def _as_native(x: Any) -> Any:
    x = x.detach()
    return x if x.dtype in NATIVE else x.view(BITS[x.element_size()])


def _imported(array: Any, dtype: Any) -> Any:
    return torch.utils.dlpack.from_dlpack(array).view(dtype)
