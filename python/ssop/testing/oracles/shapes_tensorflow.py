"""TensorFlow's shape inference of graphs: slices, and the rules for shapes.

Constants are known, placeholders are not.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from ssop.testing.calls import Answer, Dims, Rejection, ShapeCall
from ssop.testing.calls.partial_dialects import TF_DRAWS
from ssop.testing.calls.specs import MASKS, VECTORS
from ssop.testing.oracles.interface import Oracle

SHAPE_PHRASES = {
    r"Multiple ellipses in slice spec not allowed": ("ss_c3",),
    r"Index out of range using input dim \d+; input has only \d+ dims": ("ss_c4",),
    r"Attempting to slice scalar input\.": ("ss_c4",),
    r"strides\[\d+\] must be non-zero": ("ss_c5",),
    r"only stride 1 allowed on non-range indexing\.": ("ss_c6",),
    r"slice index -?\d+ of dimension \d+ out of bounds\.": ("ss_c7",),
    r"Expected begin, end, and strides to be 1D equal size tensors": ("ss_c1", "ss_c2"),
    r"From merging shape": ("sh_c1", "sh_c2"),
    r"Dimension 0 in both shapes must be equal, but are \d+ and \d+\.": ("ss_c1", "tsl_c1"),
    r"Shape must be rank \d+ but is rank \d+": ("tsl_c1", "sh_c4"),
    r"Negative dimension size caused by subtracting \d+ from \d+": ("sh_c12",),
    r"Invalid value in tensor used for shape: -\d+": ("sh_c17", "tsl_c3"),
    r"Subshape (start|end) out of bounds: -?\d+, for shape with rank \d+": ("sh_c9",),
    r"Subshape must have computed start [<>]= end( since stride is negative)?, but is \d+ and \d+": ("sh_c10",),
    r"Shapes .* are not compatible": ("sh_c1", "sh_c2"),
    r"must have rank \d+": ("sh_c4",),
    r"must have rank at least \d+": ("sh_c5",),
    r"must have rank at most \d+": ("sh_c6",),
}
UNWORDED = (
    r"From merging shape",
    r"Dimension 0 in both shapes must be equal, but are \d+ and \d+\.",
    r"Shape must be rank \d+ but is rank \d+",
    r"Invalid value in tensor used for shape: -\d+",
    r"Shapes .* are not compatible",
    r"must have rank \d+",
    r"must have rank at least \d+",
    r"must have rank at most \d+",
)


class TensorFlowShapes(Oracle):
    """Shape functions of StridedSlice and Slice; the rules by operations that use them, or by tf.TensorShape."""

    name = "tensorflow"
    infers = True
    modules = ("tensorflow",)
    distributions = ("tensorflow-cpu", "tensorflow")
    ops = TF_DRAWS
    phrases = SHAPE_PHRASES
    unworded: ClassVar[tuple[str, ...]] = UNWORDED
    batch = 100
    limits = "a dim is known or not: there are no intervals"

    def load(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each rejected call
        import tensorflow as tf

        self.tf: Any = tf
        self.rejections = (ValueError, tf.errors.InvalidArgumentError)

    def answers(self, calls: Sequence[Any]) -> Iterator[Answer]:
        """In one graph, as making graphs takes longer than making nodes."""
        with self.tf.Graph().as_default():
            for call in calls:
                yield self.answer(call)

    def answer(self, call: Any) -> Answer:
        try:
            return Answer(dims=self.inferred(call))
        except self.rejections as error:
            return Answer(error=Rejection(type(error).__name__, str(error)))

    def inferred(self, call: ShapeCall) -> Dims:
        """What TensorFlow knows of the shape."""
        shape = getattr(self, call.name)(call.shape, **call.args)
        if shape.rank is None:
            return Dims(None)
        return Dims(tuple((0, None) if dim is None else (dim, dim) for dim in shape.as_list()))

    def placeholder(self, shape: Any) -> Any:
        """A tensor of which the shape alone is known."""
        return self.tf.compat.v1.placeholder(self.tf.float32, shape)

    def vector(self, values: Sequence[int | None]) -> Any:
        """A constant, a placeholder, or a stack of scalars of both kinds; () is a placeholder, [] a constant."""
        tf = self.tf
        if None not in values and values != ():
            return tf.constant(values, tf.int64, shape=(len(values),))
        if all(value is None for value in values):
            return tf.compat.v1.placeholder(tf.int64, [len(values)])
        return tf.stack(
            [tf.compat.v1.placeholder(tf.int64, []) if v is None else tf.constant(v, tf.int64) for v in values]
        )

    def strided_slice(self, shape: Any, begin: Any, end: Any, strides: Any, **masks: int) -> Any:
        vectors = dict(zip(VECTORS, map(self.vector, (begin, end, strides)), strict=True))
        return self.tf.raw_ops.StridedSlice(input=self.placeholder(shape), **vectors, **masks).shape

    def slice(self, shape: Any, begin: Any, size: Any) -> Any:
        operands = {"begin": self.vector(begin), "size": self.vector(size)}
        return self.tf.raw_ops.Slice(input=self.placeholder(shape), **operands).shape

    def from_tensor(self, shape: Any, values: Any) -> Any:
        vectors: dict[str, Any] = {"begin": [0], "end": [0], "strides": np.array([1])}
        return self.tf.raw_ops.StridedSliceGrad(shape=self.vector(values), **vectors, dy=self.placeholder(None)).shape

    def merge(self, shape: Any, other: Any) -> Any:
        return self.tf.TensorShape(shape).merge_with(self.tf.TensorShape(other))

    def merge_of_inputs(self, shape: Any, other: Any) -> Any:
        return self.tf.raw_ops.AddN(inputs=[self.placeholder(other), self.placeholder(shape)]).shape

    def relax(self, shape: Any, other: Any) -> Any:
        return self.tf.TensorShape(shape).most_specific_compatible_shape(self.tf.TensorShape(other))

    def concatenate(self, shape: Any, other: Any) -> Any:
        return self.tf.TensorShape(shape).concatenate(self.tf.TensorShape(other))

    def concatenate_values(self, shape: Any, other: Any) -> Any:
        tf = self.tf
        joined = tf.concat([tf.shape(self.placeholder(shape)), tf.shape(self.placeholder(other))], 0)
        return tf.raw_ops.Empty(shape=joined, dtype=tf.float32).shape

    def subshape(self, shape: Any, start: int, end: int | None, stride: int) -> Any:
        """By the inferred value of a slice of tf.shape(x)."""
        tf = self.tf
        masks = dict.fromkeys(MASKS, 0) | {"end_mask": int(end is None)}
        vectors = dict(zip(VECTORS, ([start], [0 if end is None else end], [stride]), strict=True))
        part = tf.raw_ops.StridedSlice(input=tf.shape(self.placeholder(shape)), **vectors, **masks)
        return tf.raw_ops.Empty(shape=part, dtype=tf.float32).shape

    def with_rank(self, shape: Any, rank: int) -> Any:
        return self.tf.TensorShape(shape).with_rank(rank)

    def with_rank_at_least(self, shape: Any, rank: int) -> Any:
        return self.tf.TensorShape(shape).with_rank_at_least(rank)

    def with_rank_at_most(self, shape: Any, rank: int) -> Any:
        return self.tf.TensorShape(shape).with_rank_at_most(rank)

    def add(self, shape: Any, other: Any) -> Any:
        return self.tf.raw_ops.ConcatV2(values=[self.placeholder(shape), self.placeholder(other)], axis=0).shape

    def code(self, call: Any) -> str:
        if call.dialect == "shape":
            return super().code(call)
        raw = {"strided_slice": "StridedSlice", "slice": "Slice"}[call.name]
        words = [f"input=placeholder(tf.float32, {call.shape})"]
        for name, values in call.args.items():
            if not isinstance(values, list):
                words += [f"{name}={values}"] if values else []
            elif None in values:
                scalars = ["placeholder(tf.int64, [])" if v is None else f"tf.constant({v}, tf.int64)" for v in values]
                stack = f"tf.stack([{', '.join(scalars)}])"
                words.append(
                    f"{name}=" + (f"placeholder(tf.int64, [{len(values)}])" if set(values) == {None} else stack)
                )
            else:
                words.append(f"{name}=tf.constant({values}, tf.int64, shape=[{len(values)}])")
        head = "import tensorflow as tf\nplaceholder = tf.compat.v1.placeholder\nwith tf.Graph().as_default():\n"
        return f"{head}    print(tf.raw_ops.{raw}({', '.join(words)}).shape)"
