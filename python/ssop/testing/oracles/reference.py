"""`ssop.reference`: the rules of SPEC.md once more in plain Python; it knows every operation and needs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ssop import reference
from ssop.testing.calls import Array, Call, Rejection
from ssop.testing.calls.axes_lists import onnx_slice, openvino_slice
from ssop.testing.calls.movers import DRAWN, drawer
from ssop.testing.calls.specs import (
    openvino_strided_slice,
    tf_grad,
    tf_slice,
    tf_update,
    tflite_slice,
    tflite_strided_slice,
    valid_strided_slice,
)
from ssop.testing.calls.windows import xla_dynamic_slice, xla_dynamic_update_slice, xla_slice
from ssop.testing.oracles.interface import Oracle


class Reference(Oracle):
    """The labels of rejections are compared, too: its exceptions have those of SPEC.md."""

    name = "reference"
    can_crash = False
    ops = {
        "tf.strided_slice": (3, valid_strided_slice),
        "tf.strided_slice_grad": (1, tf_grad),
        "tf.tensor_strided_slice_update": (1, tf_update),
        "tf.slice": (1, tf_slice),
        "tflite.strided_slice": (1, tflite_strided_slice),
        "tflite.slice": (0.5, tflite_slice),
        "openvino.strided_slice": (1, openvino_strided_slice),
        "openvino.slice": (0.5, openvino_slice),
        "onnx.slice": (1, lambda rng: onnx_slice(rng, rng.choice(("spec", "reference", "ort")))),
        "xla.slice": (0.5, xla_slice),
        "xla.dynamic_slice": (0.5, xla_dynamic_slice),
        "xla.dynamic_update_slice": (0.5, xla_dynamic_update_slice),
    } | {f"xla.{name}": (0.1, drawer(name)) for name in DRAWN if name not in ("select", "clamp")}
    limits = "no dtypes and no negative dims: those checks are the binding's"

    def run(self, call: Call) -> Array:
        if len({a.dtype for a in call.arrays}) > 1:
            raise Rejection("TypeError", "the dtypes differ")
        if min(call.args.get("shape", ()), default=0) < 0:
            raise Rejection("ValueError", "a dim is negative")
        tensors, count = [], 0
        for array in call.arrays:
            tensors.append(reference.Tensor(tuple(array.shape), list(range(count, count + array.size))))
            count += array.size
        try:
            result = self.evaluated(call, tensors, {name: listed(value) for name, value in call.args.items()})
        except reference.Rejected as rejected:
            raise Labelled(rejected.label) from None
        if not tensors:
            raise Rejection("ValueError", "no operands")
        items = np.concatenate([np.ascontiguousarray(array).reshape(-1) for array in call.arrays])
        out = np.zeros(len(result.items), items.dtype)
        places = np.array(result.items, int)
        out[places >= 0] = items[places[places >= 0]]
        return out.reshape(result.shape)

    def evaluated(self, call: Call, tensors: list[Any], args: dict[str, Any]) -> Any:
        """A tensor of positions; -1 is a zero."""
        module = import_module(f"ssop.reference.{call.dialect}")
        if call.name == "strided_slice" and call.dialect == "tf":
            return reference.strided_slice(*tensors, **args)
        if call.name == "strided_slice_grad":
            return reference.strided_slice_grad(dy=tensors[0], zero=-1, **args)
        if call.name == "tensor_strided_slice_update":
            x, value = tensors
            return reference.tensor_strided_slice_update(x, value=value, **args)
        if call.name == "concatenate":
            return module.concatenate(tensors, **args)
        return getattr(module, call.name)(*tensors, **args)


class Labelled(Rejection):
    """A rejection with the label of the rule that is broken."""

    def __init__(self, label: str) -> None:
        super().__init__("Rejected", label)
        self.label = label  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Labelled, (self.label,)


def listed(value: Any) -> Any:
    """Arrays of indices as lists of Python's integers."""
    if isinstance(value, np.ndarray):
        return [int(v) for v in value]
    return value
