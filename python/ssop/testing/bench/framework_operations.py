"""The frameworks' calls for the operations of `operation_cases`: joining, updates, padding, selection and others.

As in `frameworks`, each framework is imported inside its own functions, and all but the call itself is done before.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,no-any-return,unused-ignore"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.work import Array, Work

OPERATIONS = ("broadcast", "pad", "concatenate", "window", "update", "select", "clamp", "reshape")
"""What the functions of this module do."""


def _no_interior(work: Work) -> list[tuple[int, int]]:
    if any(interior for _, _, interior in work.padding):
        raise Rejected("pads the edges alone")
    return [(low, high) for low, high, _ in work.padding]


def torch_operation(work: Work) -> Call:
    """Into the warm output where PyTorch can."""
    import torch

    x, out, index, value = torch.from_numpy(work.x), torch.from_numpy(work.out), work.index, work.value
    operands = [torch.from_numpy(operand) for operand in work.operands]
    if work.op == "reshape":
        x, part = x.permute(work.order), out.view([work.x.shape[axis] for axis in work.order])
        return Call(lambda: part.copy_(x), lambda _: work.out)
    if work.op in ("select", "clamp"):
        function, arguments = (torch.where, operands) if work.op == "select" else (torch.clamp, [x, *operands])
        return Call(lambda: function(*arguments), lambda result: result.numpy())

    def pad() -> None:
        out.fill_(value)
        out[index].copy_(x)

    def update() -> None:
        out.copy_(x)
        out[index].copy_(operands[0])

    runs: dict[str, Callable[[], object]] = {
        "broadcast": lambda: out.copy_(x),
        "pad": pad,
        "update": update,
        "window": lambda: out[index].copy_(x),
        "concatenate": lambda: torch.cat(operands, work.axes[0], out=out),
    }
    return Call(runs[work.op], lambda _: work.out)


def tensorflow_operation(work: Work) -> Call:
    """A raw operation with ready tensors."""
    import tensorflow as tf

    raw, x = tf.raw_ops, tf.constant(work.x)
    operands = [tf.constant(operand) for operand in work.operands]
    shape, order, axis = tf.constant(work.out.shape), tf.constant(work.order), tf.constant(sum(work.axes[:1]))
    more: dict[str, Any] = {}
    if work.op == "update":
        parts = (*work.lists, operands[0])
        more = dict(zip(("begin", "end", "strides", "value"), map(tf.constant, parts), strict=True))
    elif work.op == "pad":
        more = {"paddings": tf.constant(_no_interior(work)), "constant_values": tf.constant(work.value, x.dtype)}
    runs: dict[str, Callable[[], Any]] = {
        "reshape": lambda: raw.Reshape(tensor=raw.Transpose(x=x, perm=order), shape=shape),
        "update": lambda: raw.TensorStridedSliceUpdate(input=x, **more),
        "pad": lambda: raw.PadV2(input=x, **more),
        "concatenate": lambda: raw.ConcatV2(values=operands, axis=axis),
        "broadcast": lambda: raw.BroadcastTo(input=x, shape=shape),
        "select": lambda: raw.SelectV2(condition=operands[0], t=operands[1], e=operands[2]),
        "clamp": lambda: raw.ClipByValue(t=x, clip_value_min=operands[0], clip_value_max=operands[1]),
    }
    inputs = [np.asarray(memoryview(tensor)) for tensor in (x, *operands)]
    return Call(runs[work.op], lambda tensor: np.asarray(memoryview(tensor)), inputs=inputs)


def jax_operation(work: Work) -> Call:
    """XLA's own operation under `jit`."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    x = jax.device_put(jnp.array(work.x))
    operands = [jax.device_put(jnp.array(operand)) for operand in work.operands]
    shape, axes, padding, order = work.out.shape, work.axes, work.padding if work.op == "pad" else [], work.order
    if work.op in ("update", "window"):
        starts = work.starts
        donated = (0,) if work.op == "window" else ()
        put = jax.jit(lambda ref, value: lax.dynamic_update_slice(ref, value, starts), donate_argnums=donated)
        if work.op == "update":
            return Call(lambda: put(x, operands[0]).block_until_ready(), inputs=_arrays(x, operands))
        state = [jax.device_put(jnp.array(work.out))]

        def replace_window() -> Any:
            state[0] = put(state[0], x).block_until_ready()
            return state[0]

        return Call(replace_window)
    functions: dict[str, Callable[..., Any]] = {
        "broadcast": lambda x: lax.broadcast_in_dim(x, shape, range(len(shape))),
        "pad": lambda x: lax.pad(x, jnp.asarray(work.value, x.dtype), padding),
        "concatenate": lambda x, *operands: lax.concatenate(operands, axes[0]),
        "select": lambda x, *operands: lax.select(*operands),
        "clamp": lambda x, low, high: lax.clamp(low, x, high),
        "reshape": lambda x: lax.reshape(lax.transpose(x, order), shape),
    }
    function = jax.jit(functions[work.op])
    return Call(lambda: function(x, *operands).block_until_ready(), inputs=_arrays(x, operands))


def _arrays(x: Any, operands: list[Any]) -> list[Array]:
    return [np.asarray(array) for array in (x, *operands)]


def onnx_nodes(work: Work) -> tuple[list[Any], list[Any], list[Array]]:
    """Return the nodes that turn inputs x0, x1, .. into y, their constants, and the inputs.

    Rejected if ONNX has no operator for the work.
    """
    from onnx import helper, numpy_helper

    def constant(name: str, value: Any, dtype: Any = np.int64) -> Any:
        return numpy_helper.from_array(np.array(value, dtype), name)

    shape = work.out.shape
    if work.op == "broadcast":
        return [helper.make_node("Expand", ["x0", "s"], ["y"])], [constant("s", shape)], [work.x]
    if work.op == "pad":
        low, high = zip(*_no_interior(work), strict=True)
        constants = [constant("p", [*low, *high]), constant("v", work.value, work.x.dtype)]
        return [helper.make_node("Pad", ["x0", "p", "v"], ["y"])], constants, [work.x]
    if work.op == "reshape":
        nodes = [
            helper.make_node("Transpose", ["x0"], ["t"], perm=work.order),
            helper.make_node("Reshape", ["t", "s"], ["y"]),
        ]
        return nodes, [constant("s", shape)], [work.x]
    inputs = [work.x, *work.operands] if work.op == "clamp" else list(work.operands)
    names = [f"x{i}" for i in range(len(inputs))]
    if work.op == "concatenate":
        return [helper.make_node("Concat", names, ["y"], axis=work.axes[0])], [], inputs
    if work.op in ("select", "clamp"):
        return [helper.make_node("Where" if work.op == "select" else "Clip", names, ["y"])], [], inputs
    raise Rejected("no such operator")
