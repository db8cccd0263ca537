"""TensorFlow: eager kernels, shape inference of graphs, and XLA (`jit_compile`)."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from ssop.testing.calls import Answer, Array, Call, Rejection
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.calls.specs import VECTORS, tf_grad, tf_slice, tf_strided_slice, tf_update, valid_strided_slice
from ssop.testing.oracles.interface import Oracle

RAW = {
    "strided_slice": "StridedSlice",
    "strided_slice_grad": "StridedSliceGrad",
    "tensor_strided_slice_update": "TensorStridedSliceUpdate",
    "slice": "Slice",
}
INDICES = (*VECTORS, "size", "shape")

SLICE_PHRASES = {
    r"Expected begin, end, and strides to be 1D equal size tensors": ("ss_c1", "ss_c2", "in_c5", "in_c6"),
    r"Multiple ellipses in slice spec not allowed": ("ss_c3",),
    r"Index out of range using input dim \d+; input has only \d+ dims": ("ss_c4",),
    r"Attempting to slice scalar input\.": ("ss_c4",),
    r"strides\[\d+\] must be non-zero": ("ss_c5",),
    r"only stride 1 allowed on non-range indexing\.": ("ss_c6",),
    r"slice index -?\d+ of dimension \d+ out of bounds\.": ("ss_c7",),
}
OTHER_PHRASES = {
    r"out of range for an int32": ("in_c3",),
    r"out-of-range integer": ("in_c2",),
    r"Value for attr 'Index' of (float|double)|Cannot convert .+ to EagerTensor of dtype int64": ("in_c1",),
    r"shape of dy was \[.*?\] instead of \[.*?\]": ("gr_c1",),
    r"Cannot broadcast input shape \[.*?\] into final shape \[.*?\]": ("as_c1",),
    r"Expected begin and size arguments to be 1-D tensors of size \d+, but got shapes \[\d+\] and \[\d+\] instead\.": (
        "tsl_c1",
    ),
    r"Expected begin\[\d+\] in \[0, \d+\], but got -?\d+": ("tsl_c2",),
    r"Expected size\[\d+\] in \[0, \d+\], but got -?\d+": ("tsl_c3",),
    r"Dimension -\d+ must be >= 0": ("in_c10",),
}
# What it says of an axis of length 0, in which it does not tell the two rules apart.
EMPTY_AXIS = r"Expected begin\[\d+\] == 0 \(got -?\d+\) and size\[\d+\] == 0 \(got -?\d+\) when input.dim_size"


class TensorFlow(Oracle):
    """TensorFlow's eager kernels."""

    name = "tensorflow"
    modules = ("tensorflow",)
    distributions = ("tensorflow-cpu", "tensorflow")
    ops = {
        "tf.strided_slice": (4, tf_strided_slice),
        "tf.strided_slice_grad": (1, tf_grad),
        "tf.tensor_strided_slice_update": (1, tf_update),
        "tf.slice": (1, tf_slice),
    }
    phrases = SLICE_PHRASES | OTHER_PHRASES | {EMPTY_AXIS: ("tsl_c2", "tsl_c3")}
    unworded: ClassVar[tuple[str, ...]] = ("in_c1", "in_c2", "in_c3", "in_c5", EMPTY_AXIS)
    limits = "ranks above 8 are mostly unimplemented; specs have at most 31 entries; masks are int32"
    jit = False

    def load(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each rejected call
        import tensorflow as tf

        tf.get_logger().setLevel("ERROR")  # else it warns of every function that is compiled anew
        self.tf: Any = tf
        errors = tf.errors
        self.rejections = (
            errors.InvalidArgumentError, errors.UnimplementedError, errors.InternalError, ValueError, TypeError,
            OverflowError,
        )  # fmt: skip

    def arguments(self, call: Call) -> dict[str, Any]:
        """The attributes, and lists as int64 tensors; arrays keep their type."""
        tf = self.tf
        return {
            name: tf.constant(value, tf.int64) if name in INDICES and isinstance(value, list | tuple) else value
            for name, value in call.args.items()
        }

    def run(self, call: Call) -> Array:
        operands = {name.rstrip("_"): array for name, array in call.operands.items()}
        try:
            array: Array = self.as_array(getattr(self.tf.raw_ops, RAW[call.name])(**operands, **self.arguments(call)))
            return array
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None

    def inferred(self, call: Call) -> tuple[int, ...]:
        """The shape of a StridedSlice by TensorFlow's shape inference, of constant vectors."""
        tf = self.tf
        (x,) = call.arrays
        try:
            with tf.Graph().as_default():
                placeholder = tf.compat.v1.placeholder(x.dtype, x.shape)
                return tuple(tf.raw_ops.StridedSlice(input=placeholder, **self.arguments(call)).shape.as_list())
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None

    def as_array(self, result: Any) -> Any:
        """The tensor's elements; of ranks that NumPy has not, zeros of a dtype and rank that nothing equals."""
        if len(result.shape) > 64:
            raise ManyAxes
        if result.dtype == self.tf.string:  # flat, because numpy() of strings kills the process for ranks above 32
            return self.tf.reshape(result, [-1]).numpy().reshape(result.shape)
        return np.asarray(result.numpy())

    def answer(self, call: Call) -> Answer:
        try:
            return super().answer(call)
        except ManyAxes:
            return Answer(error=Rejection("ManyAxes", "the result has more axes than NumPy takes"))

    def code(self, call: Call) -> str:
        operands = {name.rstrip("_"): array_text(array) for name, array in call.operands.items()}
        args = {
            name: f"tf.constant({list(value)}, tf.int64)" if name in INDICES and isinstance(value, list | tuple)
            else value_text(value) for name, value in call.args.items()
        }  # fmt: skip
        words = ", ".join(f"{name}={text}" for name, text in (operands | args).items())
        return f"import numpy as np, tensorflow as tf\nprint(tf.raw_ops.{RAW[call.name]}({words}))"


class ManyAxes(Exception):
    """The result has more than 64 axes."""


class TensorFlowGraph(TensorFlow):
    """The shapes that TensorFlow infers when a graph is built, of constant begin, end and strides."""

    name = "tensorflow-graph"
    ops = {"tf.strided_slice": (1, valid_strided_slice)}
    only_shapes = True
    phrases = SLICE_PHRASES
    unworded = ()
    limits = "no values: shapes alone are compared; the order of errors differs from the eager kernels'"

    def run(self, call: Call) -> Array:
        shape: Array = np.empty(self.inferred(call), call.arrays[0].dtype)
        return shape

    def code(self, call: Call) -> str:
        eager = super().code(call).splitlines()[1]
        return f"import numpy as np, tensorflow as tf\nwith tf.Graph().as_default():\n    {eager}"


class TensorFlowJit(TensorFlow):
    """StridedSlice compiled by XLA, with constant begin, end and strides; many calls are compiled at once."""

    name = "tensorflow-jit"
    ops = {"tf.strided_slice": (1, valid_strided_slice)}
    phrases = SLICE_PHRASES
    unworded = ()
    batch = 50
    seconds = 120.0
    limits = "compiling takes about 20 ms a call; strides at the ends of int64 are not sent"

    def answers(self, calls: Sequence[Call]) -> Iterator[Answer]:
        """Rejections by shape inference, and the rest at once; if the compiler rejects one, each runs by itself."""
        answers = [self.checked(call) for call in calls]
        waiting = [call for call, answer in zip(calls, answers, strict=True) if answer is None]
        results: Iterator[Answer]
        try:
            results = iter([Answer(array) for array in self.compiled(waiting)] if waiting else [])
        except self.rejections:
            results = map(self.alone, waiting)
        for answer in answers:
            yield next(results) if answer is None else answer

    def checked(self, call: Call) -> Answer | None:
        """The rejection of shape inference, if it rejects."""
        try:
            self.inferred(call)
        except Rejection as rejection:
            return Answer(error=rejection)
        return None

    def alone(self, call: Call) -> Answer:
        """The answer to one call."""
        try:
            return Answer(self.compiled([call])[0])
        except self.rejections as error:
            return Answer(error=Rejection(type(error).__name__, str(error)))

    def compiled(self, calls: Sequence[Call]) -> list[Array]:
        """The results of a program that makes all these calls."""
        tf = self.tf
        arguments = [self.arguments(call) for call in calls]

        def program(*operands: Any) -> Any:
            pairs = zip(operands, arguments, strict=True)
            return [tf.raw_ops.StridedSlice(input=x, **args) for x, args in pairs]

        compiled = tf.function(program, jit_compile=True, autograph=False)
        return [np.asarray(y.numpy()) for y in compiled(*(tf.constant(call.arrays[0]) for call in calls))]

    def code(self, call: Call) -> str:
        eager = super().code(call).splitlines()[1]
        x = array_text(call.arrays[0])
        body = eager.removeprefix("print(").removesuffix(")").replace(f"input={x}", "input=x")
        return f"import numpy as np, tensorflow as tf\nprint(tf.function(lambda x: {body}, jit_compile=True)({x}))"
