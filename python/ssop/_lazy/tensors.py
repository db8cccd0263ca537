"""Tensors of torch in the memory of the CPU: moved by ssop's own engine, with gradients by `ssop.vjp`.

This module is imported where there is a tensor: then torch is loaded.

The engine reads a tensor where it is, through DLPack, and its result becomes a tensor in the same way. `is_in_memory`
says of which tensors: all others are left to torch's own indexing, and so is every tensor while torch records what is
done to it (`is_recording`). DLPack keeps a storage, but not its size. So the C functions get a `Deferred`, and a tensor
is exported when the code of other arguments has run, which might resize the storage.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial, reduce
from operator import or_
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

# How torch's dispatcher sees a tensor whose elements are in the memory of the CPU. Every kind of wrapper, of layout and
# of postponed work (functional, batched, fake, sparse, quantized, conjugated, ..) has a key besides these.
PLAIN_KEYS = ("CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU")
_OTHER_KEYS = ~reduce(
    or_, (torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, name)).raw_repr() for name in PLAIN_KEYS)
)


def moved_directly(op: str, function: Callable[..., Any], given: dict[str, Any], operand: str) -> Any:
    """Return the result of a C function on one tensor; None if the tensor needs more than NumPy's view of its memory.

    Most tensors do not, and small ones have no time for it.
    """
    x = given[operand]
    if type(x) is not torch.Tensor or x.requires_grad or x.dtype not in NATIVE or is_recording():
        return None
    if not is_in_memory(x):
        return None
    return torch.from_numpy(function(**{**given, operand: _core.Deferred(memory, op, x)}))


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
    arrays = _all_exported(call.op, [call.x, call.value])
    if any(array is None for array in arrays):
        return None
    target = _core.Deferred(_written, call.op, call.x)
    getattr(_core, call.op.replace(".", "_"))(**call.arguments, **{operand: target, value: arrays[1]})
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
    arrays = _all_exported(op, tensors)
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
    if any(map(_needs_gradient, tensors)):
        raise libraries.foreign_error(op, tensors[0], "takes no out= where a gradient is needed")
    return written(op, out, lambda target: engine(arrays, target), tensors[0].dtype)


def written(op: str, out: Any, run: Callable[[Any], Any], dtype: Any = None) -> Any:
    """Return the tensor `out`, after an operation has written into its memory: on tensors of `dtype`, or on arrays."""
    if _needs_gradient(out):
        raise libraries.foreign_error(op, out, "takes no out= where a gradient is needed")
    if _all_exported(op, [out])[0] is None:
        raise libraries.foreign_error(op, out, "is no out= that can be written to in the memory of the CPU")
    if out.dtype != dtype and (dtype is not None or out.dtype not in NATIVE):  # both may be moved as integers
        raise type_error(op, "out_c3", f"out has dtype {out.dtype}, not {dtype or 'one of NumPy'}", value=out.dtype)
    run(_core.Deferred(_written, op, out))
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


def _all_exported(op: str, tensors: Sequence[Any]) -> list[Any]:
    check_memory(op, tensors)
    return [exported(op, x) for x in tensors]


def check_memory(op: str, tensors: Sequence[Any]) -> None:
    """Raise for a tensor whose storage is smaller than it is: torch's own operations, too, would read beyond it."""
    for x in () if is_recording() else tensors:
        if _is_plain(x):
            _check_inside_storage(op, x)


def exported(op: str, x: Any) -> Any:
    """Return a tensor as an argument of a C function; None if torch's own indexing is to read it."""
    return _core.Deferred(memory, op, x) if not is_recording() and is_in_memory(x) else None


def memory(op: str, x: Any) -> np.ndarray[Any, Any]:
    """Return the memory of a tensor as a NumPy array, without a copy."""
    _check_inside_storage(op, x)
    return np.from_dlpack(_as_native(x))


def is_recording() -> bool:
    """True while torch notes what is done to tensors: what the engine does would be missing, its result a constant.

    So do `torch.jit.trace`, the transforms of `torch.func`, and modes such as those of `make_fx` and FakeTensor.
    """
    return bool(
        torch._C._is_tracing()
        or torch._C._len_torch_dispatch_stack()
        or torch._C._are_functorch_transforms_active()
        or torch.compiler.is_compiling()
    )


def is_in_memory(x: Any) -> bool:
    """True for a tensor whose own memory, on the CPU, has its elements: decided by what the tensor is.

    Not by whether it can be exported: DLPack takes the wrappers of `functionalize` too, with an address of no memory.
    """
    return _is_plain(x) and forward_ad.unpack_dual(x).tangent is None


def _is_plain(x: Any) -> bool:
    if type(x) not in (torch.Tensor, torch.nn.Parameter):
        return False
    return bool(torch._C._dispatch_keys(x).raw_repr() & _OTHER_KEYS == 0)


def _check_inside_storage(op: str, x: Any) -> None:
    if not _is_inside_storage(x):
        raise libraries.foreign_error(op, x, "has no memory: its storage is smaller than the tensor is")


def _is_inside_storage(x: Any) -> bool:
    """False for a tensor whose storage was made smaller than the tensor is, as sharded training does to free memory."""
    if x.is_contiguous():
        return bool(x.storage_offset() * x.itemsize + x.nbytes <= x.untyped_storage().nbytes()) or x.numel() == 0
    if x.numel() == 0:
        return True
    last = x.storage_offset() + sum((dim - 1) * stride for dim, stride in zip(x.shape, x.stride(), strict=True))
    return bool((last + 1) * x.itemsize <= x.untyped_storage().nbytes())


def outside_graphs(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that `torch.compile` does not look into: it breaks its graph there, and passes real tensors."""
    return partial(_outside_graphs(), function)


@cache
def _outside_graphs() -> Callable[..., Any]:
    disabled: Callable[..., Any] = torch.compiler.disable(_called)
    return disabled


def _called(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _written(op: str, x: Any) -> Any:
    """Return the memory of a tensor that can be exported, to be written to.

    DLPack's is read-only in NumPy 2.0. `Tensor.numpy` is for that alone: it takes from the storage the right to be
    resized, which sharded training needs.
    """
    array = memory(op, x)
    return array if array.flags.writeable else _as_native(x).numpy()


def _as_native(x: Any) -> Any:
    x = x.detach() if x.requires_grad else x
    return x if x.dtype in NATIVE else x.view(BITS[x.element_size()])


def _imported(array: Any, dtype: Any) -> Any:
    return torch.utils.dlpack.from_dlpack(array).view(dtype)
