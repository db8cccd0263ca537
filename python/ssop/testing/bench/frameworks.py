"""The frameworks as contenders: the fastest call each has for a piece of work, found by measuring.

Each is imported inside its own functions. Index tensors, models and inputs are ready before the clock runs.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,no-any-return,unused-ignore"

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.framework_operations import (
    OPERATIONS,
    jax_operation,
    onnx_nodes,
    tensorflow_operation,
    torch_operation,
)
from ssop.testing.bench.work import INTO_A_WINDOW, Array, Work

_THREADS: dict[str, int] = {}
"""Framework -> threads, of those that are told per model."""


def _steps(work: Work) -> list[int]:
    return [1 if part.step is None else part.step for part in work.index]


def _flipped_axes(work: Work) -> list[int]:
    return [axis for axis, step in enumerate(_steps(work)) if step < 0]


def _only_reverses(work: Work) -> bool:
    return work.op == "slice" and work.out.shape == work.x.shape and -1 in _steps(work)


# PyTorch: into the warm output where it can, else new


def load_torch(threads: int) -> str:
    """Import PyTorch and set its threads."""
    import torch

    torch.set_num_threads(threads)
    return str(torch.__version__)


def torch_call(work: Work) -> Call:
    """`out.copy_(view)`, `torch.flip` for negative steps, `clone` for new outputs."""
    import torch

    if work.op in OPERATIONS:
        return torch_operation(work)
    x, out, index = torch.from_numpy(work.x), torch.from_numpy(work.out), work.index
    if work.op == "grad":
        part = out[index]

        def grad() -> Any:
            out.zero_()
            part.copy_(x)
            return out

        return Call(grad, _torch_array)
    if work.op == "assign":
        return Call(lambda: out[index].copy_(x), lambda _: work.out)
    flips = _flipped_axes(work)
    if flips:
        if any(step < -1 for step in _steps(work)):
            raise Rejected("no steps below -1")
        kept = tuple(slice(None) if step < 0 else part for part, step in zip(index, _steps(work), strict=True))
        return Call(lambda: torch.flip(x[kept], flips), _torch_array)
    if work.op == "new":
        return Call(lambda: x[index].clone(memory_format=torch.contiguous_format), _torch_array)
    if work.op == "transpose":
        return Call(lambda: out.copy_(x.permute(work.order)), _torch_array)
    return Call(lambda: out.copy_(x[index]), _torch_array)


def _torch_array(result: Any) -> Array:
    return result.numpy()


# TensorFlow: always a new output; aliases of the input are forced into copies


def load_tensorflow(threads: int) -> str:
    """Import TensorFlow and set its threads."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.set_visible_devices([], "GPU")
    return str(tf.__version__)


def tensorflow_call(work: Work) -> Call:
    """`raw_ops.StridedSlice` with ready index tensors, `tf.reverse`, Transpose, the gradient's and variable's ops."""
    import tensorflow as tf

    if work.op in OPERATIONS and work.op != "window":
        return tensorflow_operation(work)
    raw = tf.raw_ops
    x = tf.constant(work.x)
    if work.op == "copy":
        raise Rejected("no output of the caller's")
    if work.op == "transpose":
        order = tf.constant(work.order)
        return Call(lambda: raw.Transpose(x=x, perm=order), _tensor_array, inputs=[_tensor_array(x)])
    begin, end, strides = (tf.constant(part, tf.int64) for part in work.lists)
    if work.op == "grad":
        shape = tf.constant(work.out.shape, tf.int64)
        return Call(
            lambda: raw.StridedSliceGrad(shape=shape, begin=begin, end=end, strides=strides, dy=x), _tensor_array
        )
    if work.op in INTO_A_WINDOW:
        handle = tf.Variable(work.out)
        return Call(
            lambda: raw.ResourceStridedSliceAssign(ref=handle.handle, begin=begin, end=end, strides=strides, value=x),
            lambda _: handle.numpy(),
        )
    inputs = [_tensor_array(x)]
    if _only_reverses(work):
        axes = tf.constant(_flipped_axes(work))
        return Call(lambda: raw.ReverseV2(tensor=x, axis=axes), _tensor_array, inputs=inputs)

    def take() -> Any:
        return raw.StridedSlice(input=x, begin=begin, end=end, strides=strides)

    if np.may_share_memory(_tensor_array(take()), inputs[0]):
        return Call(lambda: raw.DeepCopy(x=take()), _tensor_array, inputs=inputs)
    return Call(take, _tensor_array, inputs=inputs)


def _tensor_array(tensor: Any) -> Array:
    """Return an eager tensor's own memory."""
    return np.asarray(memoryview(tensor))


# JAX: compiled, always a new output


def load_jax(threads: int) -> str:
    """Import JAX for the CPU; XLA reads its number of threads from the environment, once."""
    os.environ["NPROC"] = str(threads)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_enable_x64", True)
    return str(jax.__version__)


def jax_call(work: Work) -> Call:
    """`lax.slice` and `lax.rev` (an index would become a gather), `.at[].set`, each under `jit` and waited for."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    if work.op in OPERATIONS:
        return jax_operation(work)
    x, index = jax.device_put(jnp.array(work.x)), work.index
    if work.op == "copy":
        raise Rejected("no output of the caller's")
    if work.op == "grad":
        zeros = jax.jit(lambda dy: jnp.zeros(work.out.shape, dy.dtype).at[index].set(dy))
        return Call(lambda: zeros(x).block_until_ready())
    if work.op == "assign":
        update = jax.jit(lambda ref, value: ref.at[index].set(value), donate_argnums=0)
        state = [jax.device_put(jnp.array(work.out))]

        def assign() -> Any:
            state[0] = update(state[0], x).block_until_ready()
            return state[0]

        return Call(assign)
    if work.op == "transpose":
        function = jax.jit(lambda x: lax.transpose(x, work.order))
    else:
        function = jax.jit(lambda x: _jax_slice(lax, work, x))
    inputs = [np.asarray(x)]
    if np.may_share_memory(np.asarray(function(x)), inputs[0]):
        raise Rejected("its result is an alias of the input")
    return Call(lambda: function(x).block_until_ready(), inputs=inputs)


def _jax_slice(lax: Any, work: Work, x: Any) -> Any:
    if work.op == "new" and work.out.shape == work.x.shape:
        return lax.copy_p.bind(x) if hasattr(lax, "copy_p") else x.copy()
    starts, stops, steps = [], [], []
    for part, dim in zip(work.index, work.x.shape, strict=True):
        picks = range(*part.indices(dim))
        first, last = sorted((picks[0], picks[-1]))
        starts.append(first)
        stops.append(last + 1)
        steps.append(abs(picks.step))
    flips = _flipped_axes(work)
    part_of_x = lax.slice(x, starts, stops, steps)
    return lax.rev(part_of_x, flips) if flips else part_of_x


# ONNX Runtime: bound input and output


def load_onnxruntime(threads: int) -> str:
    """Import ONNX Runtime; each session gets these threads."""
    import onnxruntime

    _THREADS["onnxruntime"] = threads
    return str(onnxruntime.__version__)


def onnxruntime_call(work: Work) -> Call:
    """A model of one operator, for a reshaping of two; new outputs come from its arena."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = _THREADS["onnxruntime"]
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    model, inputs = _onnx_model(work)
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    sources = [ort.OrtValue.ortvalue_from_numpy(array) for array in inputs]
    binding = session.io_binding()
    for i, source in enumerate(sources):
        binding.bind_ortvalue_input(f"x{i}", source)
    if work.op in ("new", "select", "clamp"):

        def fresh() -> Any:
            binding.bind_output("y")
            session.run_with_iobinding(binding)
            return binding.get_outputs()[0]

        return Call(fresh, lambda value: value.numpy())
    binding.bind_ortvalue_output("y", ort.OrtValue.ortvalue_from_numpy(work.out))
    return Call(lambda: session.run_with_iobinding(binding), lambda _: binding.get_outputs()[0].numpy())


def _onnx_model(work: Work) -> tuple[bytes, list[Array]]:
    """Return a model whose inputs are x0, x1, .. and whose output is y, and its inputs."""
    try:
        from onnx import helper, numpy_helper
    except ImportError:
        raise Rejected("needs the package onnx to build its model") from None
    inputs, constants = [work.x], []
    if work.op == "transpose":
        nodes = [helper.make_node("Transpose", ["x0"], ["y"], perm=work.order)]
    elif work.op in ("slice", "new", "copy"):
        begin, end, strides = work.lists
        axes = list(range(work.x.ndim))
        named = dict(zip(("begin", "end", "axes", "strides"), (begin, end, axes, strides), strict=True))
        constants = [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in named.items()]
        nodes = [helper.make_node("Slice", ["x0", *named], ["y"])]
    else:
        nodes, constants, inputs = onnx_nodes(work)

    def described(name: str, array: Array) -> Any:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    declared = [described(f"x{i}", array) for i, array in enumerate(inputs)]
    graph = helper.make_graph(nodes, "bench", declared, [described("y", work.out)], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString(), inputs


# OpenVINO: both tensors given


def load_openvino(threads: int) -> str:
    """Import OpenVINO; each compiled model gets these threads."""
    import openvino

    _THREADS["openvino"] = threads
    return str(openvino.__version__).split("-")[0]


def openvino_call(work: Work) -> Call:
    """A model of one StridedSlice, Transpose or SliceScatter, with the input's and the output's memory bound."""
    import openvino as ov
    from openvino import opset15 as ops

    if work.op == "new":
        raise Rejected("its outputs are its own, and kept")
    if work.op in OPERATIONS:
        raise Rejected("measured for slices, transposition, gradients and assignments alone")
    kinds = {"u1": ov.Type.u8, "i2": ov.Type.bf16, "f4": ov.Type.f32, "f8": ov.Type.f64}
    kind = kinds.get(work.x.dtype.str[1:])
    if kind is None:
        raise Rejected("no such element type")

    def tensor(array: Array) -> Any:
        if kind == ov.Type.bf16:  # it would compute int16 in a wider type
            return ov.Tensor(array, list(array.shape), kind)
        return ov.Tensor(array, shared_memory=True)

    arrays = [work.x]  # kept by the Call: a tensor over an array's memory does not keep the array
    x = ops.parameter(list(work.x.shape), kind, name="x")
    parameters = [x]
    if work.op == "transpose":
        node = ops.transpose(x, list(work.order))
    elif work.op in ("grad", "assign"):
        begin, end, strides = work.lists
        base = np.zeros_like(work.out) if work.op == "grad" else work.out.copy()
        arrays.append(base)
        parameters.append(ops.parameter(list(base.shape), kind, name="base"))
        node = ops.slice_scatter(parameters[1], x, begin, end, strides)
    else:
        begin, end, strides = work.lists
        none = [0] * len(begin)
        node = ops.strided_slice(x, begin, end, strides, none, none)
    settings = {"INFERENCE_NUM_THREADS": _THREADS["openvino"], "INFERENCE_PRECISION_HINT": "f32"}
    model = ov.Model([node], parameters, "bench")
    request = ov.compile_model(model, "CPU", settings).create_infer_request()
    for i, array in enumerate(arrays):
        request.set_input_tensor(i, tensor(array))
    request.set_output_tensor(0, tensor(work.out))
    return Call(request.infer, lambda _: work.out, inputs=arrays)
