"""Chains as programs in Python: for each engine the text of each operation, and of the whole.

In the texts, {0}, {1} are operands, {all} their list; other fields are arguments, or what `fields` derives from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ssop._masks import MASK_NAMES
from ssop.testing.calls import Array
from ssop.testing.calls.call import value_text
from ssop.testing.chains.program import At, Chain, Step, input_text
from ssop.testing.oracles.numpy_indexing import index_of

JAX = {
    "tf.strided_slice": "{0}[{index}]",
    "xla.slice": "lax.slice({0}, {start_indices}, {limit_indices}, {strides})",
    "xla.dynamic_slice": "lax.dynamic_slice({0}, {start_indices}, {slice_sizes}, "
    "allow_negative_indices={allow_negative_indices})",
    "xla.dynamic_update_slice": "lax.dynamic_update_slice({0}, {1}, {start_indices}, "
    "allow_negative_indices={allow_negative_indices})",
    "xla.pad": "lax.pad({0}, {1}, {padding_config})",
    "xla.rev": "lax.rev({0}, {dimensions})",
    "xla.transpose": "lax.transpose({0}, {permutation})",
    "xla.reshape": "lax.reshape({0}, {new_sizes})",
    "xla.concatenate": "lax.concatenate({all}, {dimension})",
    "xla.broadcast_in_dim": "lax.broadcast_in_dim({0}, {shape}, {broadcast_dimensions})",
    "xla.select": "lax.select({0}, {1}, {2})",
    "vjp.slice": "jax.vjp(lambda x: lax.slice(x, {start_indices}, {limit_indices}, {strides}), "
    "jnp.zeros({operand_shape}, {0}.dtype))[1]({0})[0]",
    "vjp.dynamic_slice": "jax.vjp(lambda x: lax.dynamic_slice(x, {start_indices}, {slice_sizes}, "
    "allow_negative_indices={allow_negative_indices}), jnp.zeros({operand_shape}, {0}.dtype))[1]({0})[0]",
}

TENSORFLOW = {
    "tf.strided_slice": "tf.raw_ops.StridedSlice(input={0}, begin={begin}, end={end}, strides={strides}{masks})",
    "tf.strided_slice_grad": "tf.raw_ops.StridedSliceGrad(shape={shape}, begin={begin}, end={end}, "
    "strides={strides}, dy={0})",
    "xla.slice": "tf.strided_slice({0}, {start_indices}, {limit_indices}, {strides})",
    "xla.pad": "tf.pad({0}, np.reshape({edges}, (-1, 2)).astype(int), constant_values={1})",
    "xla.rev": "tf.reverse({0}, {dimensions})",
    "xla.transpose": "tf.transpose({0}, {permutation})",
    "xla.reshape": "tf.reshape({0}, tf.constant({new_sizes}, tf.int32))",
    "xla.concatenate": "tf.concat({all}, {dimension})",
    "xla.broadcast_in_dim": "tf.broadcast_to(tf.reshape({0}, tf.constant({expanded}, tf.int32)), {shape})",
    "xla.select": "tf.where({0}, {1}, {2})",
}

OPENVINO = {
    "openvino.slice": "ops.slice({0}, {start}, {stop}, {step}, {axes})",
    "xla.slice": "ops.strided_slice({0}, {start_indices}, {limit_indices}, {strides}, {no_bits}, {no_bits})",
    "xla.dynamic_slice": "ops.slice({0}, start := ops.maximum(ops.minimum("
    "ops.convert({start_indices}, 'i64'), {most}), {zeros}), ops.add(start, {slice_sizes}), {ones})",
    "xla.pad": "ops.pad({0}, {lows}, {highs}, 'constant', np.array({value}, {dtype}))",
    "xla.rev": "reversed_along({0}, {dimensions})",
    "xla.transpose": "ops.transpose({0}, {permutation})",
    "xla.reshape": "ops.reshape({0}, {new_sizes}, False)",
    "xla.concatenate": "ops.concat({all}, {dimension})",
    "xla.broadcast_in_dim": "ops.broadcast(ops.reshape({0}, {expanded}, False), {shape})",
    "xla.select": "ops.select({0}, {1}, {2})",
}

TORCH = {
    "tf.strided_slice": "{0}[{index}]",
    "xla.slice": "{0}[{slices}]",
    "xla.pad": "functional.pad({0}, {flat_edges}, value={value})",
    "xla.rev": "torch.flip({0}, {dimensions})",
    "xla.transpose": "{0}.permute({permutation})",
    "xla.reshape": "{0}.reshape({new_sizes})",
    "xla.concatenate": "torch.cat({all}, {dimension})",
    "xla.broadcast_in_dim": "{0}.reshape({expanded}).expand({shape})",
    "xla.select": "torch.where({0}, {1}, {2})",
}


def fields(step: Step, values: Mapping[str, Array]) -> Iterator[tuple[str, Any]]:
    """What the texts need beside the arguments: shapes are static, so numbers that follow from them are constants."""
    args, shape = step.args, values[step.operands[0]].shape
    if "slice_sizes" in args:
        yield "most", [dim - size for dim, size in zip(shape, args["slice_sizes"], strict=True)]
        yield "zeros", [0] * len(shape)
        yield "ones", [1] * len(shape)
    if "padding_config" in args:
        edges = [entry[:2] for entry in args["padding_config"]]
        yield "edges", edges
        yield "lows", [low for low, _ in edges]
        yield "highs", [high for _, high in edges]
        yield "flat_edges", [n for edge in reversed(edges) for n in edge]
        yield "value", values[step.operands[1]].item()
        yield "dtype", values[step.operands[1]].dtype.name
    if "broadcast_dimensions" in args:
        expanded = [1] * len(args["shape"])
        for axis, dim in zip(args["broadcast_dimensions"], shape, strict=True):
            expanded[axis] = dim
        yield "expanded", expanded


def words(step: Step, values: Mapping[str, Array]) -> Iterator[tuple[str, str]]:
    """The same as texts that are put in as they are."""
    args = step.args
    yield "all", f"[{', '.join(step.operands)}]"
    if step.op == "tf.strided_slice":
        yield "masks", "".join(f", {name}={args[name]}" for name in MASK_NAMES if args.get(name))
        if not any(isinstance(value, At) for value in args.values()):
            yield "index", ", ".join(map(index_text, index_of(args)))
    if step.op == "xla.slice":
        bounds = zip(args["start_indices"], args["limit_indices"], args["strides"], strict=True)
        yield "slices", ", ".join(f"{start}:{limit}:{step}" for start, limit, step in bounds)
        yield "no_bits", str([0] * len(args["strides"]))


def index_text(part: Any) -> str:
    """A part of an index, as it is written between brackets.

    >>> index_text(slice(1, None, 2)), index_text(None)
    ('1::2', 'None')
    """
    if not isinstance(part, slice):
        return str(part).replace("Ellipsis", "...")
    return ":".join("" if bound is None else str(bound) for bound in (part.start, part.stop, part.step))


def step_line(template: str, step: Step, values: Mapping[str, Array], vector: str = "{}") -> str:
    """The text of a step; lists of numbers are written as `vector` says."""
    arguments = {**step.args, **dict(fields(step, values))}
    texts = {
        name: value.name if isinstance(value, At)
        else vector.format(value) if isinstance(value, list) and name != "flat_edges" else value_text(value)
        for name, value in arguments.items()
    }  # fmt: skip
    return f"{step.name} = {template.format(*step.operands, **texts, **dict(words(step, values)))}"


def function_text(chain: Chain, templates: Mapping[str, str], vector: str = "{}") -> str:
    """The whole as a function of its inputs."""
    lines = [f"def program({', '.join(chain.inputs)}):"]
    lines += [f"    {step_line(templates[step.op], step, chain.values, vector)}" for step in chain.steps]
    return "\n".join([*lines, f"    return {chain.steps[-1].name}", ""])


def inputs_text(chain: Chain) -> str:
    """The inputs as the arguments of a call."""
    return ", ".join(input_text(array) for array in chain.inputs.values())


def as_input(array: Array) -> Array:
    """An array that an engine may take for its own: C-ordered, aligned."""
    return np.ascontiguousarray(array).reshape(array.shape)
