"""OpenVINO's inference of partial shapes: StridedSlice-1 and Slice-8.

Intervals of bounds are the values of ShapeOf of a parameter whose dims are intervals.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ssop.testing.calls import Answer, Dims, Rejection, ShapeCall
from ssop.testing.calls.partial import without_large_end
from ssop.testing.calls.partial_dialects import OPENVINO_DRAWS
from ssop.testing.oracles.interface import Oracle


class OpenVINOShapes(Oracle):
    """Intervals are compared with those of ssop's tight mode."""

    name = "openvino"
    infers = True
    modules = ("openvino",)
    distributions = ("openvino",)
    ops = OPENVINO_DRAWS
    phrases = {
        r"At most one ellipsis is allowed\.": ("ov_c5",),
        r"Input rank plus number of new axis has to be at least the size of Lower and Upper bounds vector\.": (
            "ov_c6",
        ),
        r"Accessing out-of-range dimension": ("ov_c6",),
        r"Stride must be non-zero": ("ov_c7",),
        r"Slice `data` input can't be a scalar\.": ("ovs_c1",),
        r"Slice `(start|stop|step|axes)` input dim size can't be bigger than `data` rank\.": ("ovs_c4",),
        r"Axis -?\d+ out of the tensor rank range \[-?\d+, -?\d+\]\.": ("ovs_c5",),
        r"Slice values in `axes` input must be unique\.": ("ovs_c6",),
        r"Step must be non-zero": ("ovs_c7",),
    }
    unworded: ClassVar[tuple[str, ...]] = (r"Accessing out-of-range dimension",)
    limits = "a vector is unknown as a whole, or its elements are numbers and intervals"

    def load(self) -> None:
        import openvino
        from openvino import opset15

        self.openvino: Any = openvino
        self.opset: Any = opset15

    def dimension(self, value: Any) -> Any:
        """A dim that is known as far as `value` says."""
        if value is None:
            return self.openvino.Dimension()
        lo, hi = value if isinstance(value, tuple) else (value, value)
        return self.openvino.Dimension(lo, -1 if hi is None else hi)

    def parameter(self, shape: Any) -> Any:
        """An input of which the shape alone is known."""
        partial = self.openvino.PartialShape
        dims = partial.dynamic() if shape is None else partial(list(map(self.dimension, shape)))
        return self.opset.parameter(dims, np.float32)

    def vector(self, values: Sequence[Any]) -> Any:
        """A constant, or a parameter, or a constant added to the dims of a parameter."""
        opset = self.opset
        if None in values:
            return opset.parameter(self.openvino.PartialShape([len(values)]), np.int64)
        pairs = [value if isinstance(value, tuple) else (value, value) for value in values]
        least = opset.constant(np.array([lo for lo, _ in pairs], np.int64))
        if all(lo == hi for lo, hi in pairs):
            return least
        return opset.add(opset.shape_of(self.parameter([(0, hi - lo) for lo, hi in pairs]), "i64"), least)

    def answer(self, call: Any) -> Answer:
        try:
            return Answer(dims=self.inferred(call))
        except RuntimeError as error:
            return Answer(error=Rejection("RuntimeError", str(error)))

    def inferred(self, call: ShapeCall) -> Dims:
        """What OpenVINO knows of the shape."""
        vectors = ("begin", "end", "strides") if call.name == "strided_slice" else ("start", "stop", "step", "axes")
        operands = [self.vector(call.args[name]) for name in vectors]
        more = {name: value for name, value in call.args.items() if name not in vectors}
        shape = getattr(self.opset, call.name)(self.parameter(call.shape), *operands, **more)
        shape = shape.get_output_partial_shape(0)
        if shape.rank.is_dynamic:
            return Dims(None)
        ends = [(dim.get_min_length(), dim.get_max_length()) for dim in shape]
        return Dims(tuple(without_large_end((lo, None if hi == -1 else hi)) for lo, hi in ends))

    def code(self, call: Any) -> str:
        if not all(isinstance(v, int) for values in call.args.values() for v in values or ()):
            return super().code(call)

        def text(dim: Any) -> str:
            lo, hi = (0, None) if dim is None else dim if isinstance(dim, tuple) else (dim, dim)
            return f"Dimension({lo}, {-1 if hi is None else hi})"

        dims = "PartialShape.dynamic()"
        if call.shape is not None:
            dims = f"PartialShape([{', '.join(map(text, call.shape))}])"
        words = [f"np.array({values}, 'int64')" if not name.endswith("_mask") else str(values)
                 for name, values in call.args.items()]  # fmt: skip
        names = [f"{name}=" if name.endswith("_mask") else "" for name in call.args]
        operands = ", ".join(name + word for name, word in zip(names, words, strict=True))
        return (
            "import numpy as np\nfrom openvino import Dimension, PartialShape, opset15\n"
            f"data = opset15.parameter({dims}, np.float32)\n"
            f"print(opset15.{call.name}(data, {operands}).get_output_partial_shape(0))"
        )
