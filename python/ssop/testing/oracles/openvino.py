"""OpenVINO: the CPU plugin and constant folding, both held against shape inference."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ssop.testing.calls import Answer, Array, Call, Rejection
from ssop.testing.calls.axes_lists import openvino_slice
from ssop.testing.calls.call import array_text
from ssop.testing.calls.specs import VECTORS, openvino_strided_slice
from ssop.testing.oracles.interface import Oracle

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


def equal_masks(args: dict[str, Any]) -> dict[str, Any]:
    """For calls that are not strict: masks of one length, without the bits past the spec."""
    if args["strict"]:
        return args
    entries = len(args["begin"])
    length = max(entries, *(len(args[name]) for name in MASKS))
    masks = {}
    for name in MASKS:
        mask = [bit if i < entries or bit != 1 else 0 for i, bit in enumerate(args[name])]
        masks[name] = mask + [0] * (length - len(mask))
    return args | masks


def unshared(args: dict[str, Any]) -> dict[str, Any]:
    """The same spec, as shape inference reads it: what shares its entry with the ellipsis does not count."""
    ellipsis = args.get("ellipsis_mask", ())
    masks = {
        name: [int(bit and not e) for bit, e in itertools.zip_longest(args.get(name, ()), ellipsis, fillvalue=0)]
        for name in ("new_axis_mask", "shrink_axis_mask")
    }
    return args | masks


class OpenVINO(Oracle):
    """StridedSlice-1 and Slice-8.

    The shape is that of shape inference. The elements are those of constant folding, or of the CPU plugin for some.
    Both get the spec as shape inference reads it. Otherwise, if an entry is an ellipsis and more, folding aborts or
    gives memory that was never written, and the plugin dies.
    """

    name = "openvino"
    modules = ("openvino",)
    distributions = ("openvino",)
    ops = {"openvino.strided_slice": (7, openvino_strided_slice), "openvino.slice": (3, openvino_slice)}
    phrases = {
        r"All masks of StridedSlice must have be 0 or 1": ("ov_c1",),
        r"All masks of StridedSlice must have the same size": ("ov_c2",),
        r"Begin and end need to have same number of values\.": ("ov_c3",),
        r"Stride needs to have same number of values as begin and end\.": ("ov_c4",),
        r"At most one ellipsis is allowed\.": ("ov_c5",),
        r"Input rank plus number of new axis has to be at least the size of Lower and Upper bounds vector\.": (
            "ov_c6",
        ),
        r"Accessing out-of-range dimension": ("ov_c6",),
        r"Stride must be non-zero": ("ov_c7",),
        r"num_real_axes=": ("ov_c6",),
        r"slice_plan\.cpp": ("ov_c8",),
        r"Slice `data` input can't be a scalar\.": ("ovs_c1",),
        r"Slice `start`, `stop`, `step` inputs must have compatible shapes\.": ("ovs_c2",),
        r"Slice `axes` input must have compatible shape with `start`, `stop`, `step` inputs\.": ("ovs_c3",),
        r"Slice `(start|stop|step|axes)` input dim size can't be bigger than `data` rank\.": ("ovs_c4",),
        r"Axis -?\d+ out of the tensor rank range \[-?\d+, -?\d+\]\.": ("ovs_c5",),
        r"Slice values in `axes` input must be unique\.": ("ovs_c6",),
        r"Step must be non-zero": ("ovs_c7",),
    }
    # ov_c8 is a check without a message
    unworded = (r"Accessing out-of-range dimension", r"num_real_axes=", "ov_c8")
    limits = "what kills the CPU plugin is not sent"

    def load(self) -> None:
        import openvino
        from openvino import opset8, opset15
        from openvino.passes import ConstantFolding, Manager

        self.openvino: Any = openvino
        self.opset8: Any = opset8
        self.opset15: Any = opset15
        self.folding: Any = ConstantFolding
        self.manager: Any = Manager
        self.core = openvino.Core()

    def node(self, name: str, data: Any, args: dict[str, Any], vector: Any = None) -> Any:
        """The operation, given its data; `vector` makes its vectors, constants unless told otherwise."""
        vector = vector or self.opset15.constant
        if name == "slice":
            lists = [vector(np.array(args[key], np.int64)) for key in ("start", "stop", "step", "axes") if key in args]
            return self.opset8.slice(data, *lists)
        args = equal_masks(args)
        vectors = [vector(np.array(args[key], np.int64)) for key in VECTORS]
        return self.opset15.strided_slice(data, *vectors, *(list(args[key]) for key in MASKS))

    def run(self, call: Call) -> Array:
        (x,) = call.arrays
        name, args = call.name, call.args
        try:
            data = self.opset15.constant(np.array(x, order="C"))
            shape = tuple(self.node(name, data, args).output(0).shape)
            if call.how == "shape":
                return x.reshape(shape)
            if call.how == "run time":
                return self.at_run_time(name, x, args)
            args = unshared(args) if name == "strided_slice" else args
            result = self.on_cpu(name, x, args) if call.how == "cpu" else self.folded(self.node(name, data, args))
        except RuntimeError as error:
            raise Rejection("RuntimeError", str(error)) from None
        if result.shape != shape:
            raise Rejection("RuntimeError", f"shape inference: {shape}, {call.how}: {result.shape}")
        return result

    def folded(self, node: Any) -> Array:
        """The node's value by constant folding."""
        model = self.openvino.Model([node.output(0)], [], "folded")
        passes = self.manager()
        passes.register_pass(self.folding())
        passes.run_passes(model)
        return np.array(model.get_results()[0].input_value(0).get_node().data)

    def on_cpu(self, name: str, x: Array, args: dict[str, Any]) -> Array:
        """Positions are sliced instead of the elements: the plugin computes in 32 bits and flushes what is tiny."""
        data = self.opset15.parameter(x.shape, np.int32)
        model = self.openvino.Model([self.node(name, data, args).output(0)], [data], "compiled")
        positions = np.arange(x.size, dtype=np.int32).reshape(x.shape)
        result: Array = x.ravel()[self.core.compile_model(model, "CPU")([positions])[0]]
        return result

    def at_run_time(self, name: str, x: Array, args: dict[str, Any]) -> Array:
        """As on_cpu, but the vectors are inputs of the model, whatever the shape is by inference."""
        inputs, feed = [self.opset15.parameter(x.shape, np.int32)], [np.arange(x.size, dtype=np.int32).reshape(x.shape)]

        def vector(values: Array) -> Any:
            feed.append(values)
            inputs.append(self.opset15.parameter(values.shape, values.dtype))
            return inputs[-1]

        model = self.openvino.Model([self.node(name, inputs[0], args, vector).output(0)], inputs, "inputs")
        result: Array = x.ravel()[self.core.compile_model(model, "CPU")(feed)[0]]
        return result

    def code(self, call: Call) -> str:
        (x,) = call.arrays
        cpu = call.how in ("cpu", "run time")
        args = equal_masks(call.args) if call.name == "strided_slice" else call.args
        names = [*VECTORS, *MASKS] if call.name == "strided_slice" else ["start", "stop", "step", "axes"]
        vectors = {
            name: f"np.array({list(args[name])}, 'int64')" for name in names if name in args and name not in MASKS
        }
        words = [f"{name}={list(args[name])}" if name in MASKS else vectors[name] for name in names if name in args]
        x_text = array_text(x.astype(np.int32) if cpu else x)
        lines = [
            "import numpy as np, openvino",
            f"from openvino import {'opset15' if call.name == 'strided_slice' else 'opset8 as opset15'}",
            f"x = {x_text}",
            f"data = opset15.{'parameter(x.shape, np.int32)' if cpu else 'constant(x)'}",
        ]
        if call.how == "run time":
            lines += [
                f"vectors = [{', '.join(vectors.values())}]",
                "inputs = [opset15.parameter(vector.shape, np.int64) for vector in vectors]",
            ]
            words = ["*inputs", *words[len(vectors) :]]
        lines.append(f"node = opset15.{call.name}(data, {', '.join(words)})")
        if call.how == "shape":
            return "\n".join([*lines, "print(node.get_output_partial_shape(0))"])
        inputs = "data, *inputs" if call.how == "run time" else "data" if cpu else ""
        lines.append(f"model = openvino.Model([node.output(0)], [{inputs}], 'one')")
        if cpu:
            feed = "[x, *vectors]" if call.how == "run time" else "[x]"
            return "\n".join([*lines, f"print(openvino.Core().compile_model(model, 'CPU')({feed})[0])"])
        lines += [
            "from openvino.passes import ConstantFolding, Manager",
            "passes = Manager()",
            "passes.register_pass(ConstantFolding())",
            "passes.run_passes(model)",
            "print(model.get_results()[0].input_value(0).get_node().data)",
        ]
        return "\n".join(lines)

    def counted(self, call: Call, ours: Answer) -> Iterator[str]:
        if call.how == "cpu":
            yield "on the CPU"
