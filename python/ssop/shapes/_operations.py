"""The operations of the package by name, each with its shape function; and shape functions of users' operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ssop._core import PartialShape
from ssop._errors import value_error
from ssop.shapes import _merging, _strided, onnx, openvino, tf, tflite, xla
from ssop.shapes._arguments import Mode, ShapeLike
from ssop.shapes._context import InferenceContext, ShapeFunction


@dataclass(frozen=True)
class Operation:
    """An operation of the package.

    `operands` are those of its parameters that are shapes of arrays, in order; if there is only one and it ends in
    "shapes", it is a list of them. `merging` is the same as `function`, but is given the rules of a context, which
    record what is merged.
    """

    function: Callable[..., PartialShape]
    operands: tuple[str, ...]
    merging: Callable[..., PartialShape] | None = None

    def run(self, c: InferenceContext) -> None:
        """Sets the output of a context from its inputs and its attributes: a shape function."""
        arguments = c.attributes | self._operands_of(c)
        if self.merging is None:
            shape = self.function(**arguments, mode=c.mode)
        else:
            shape = self.merging(c, **arguments)
        c.set_output(0, shape)

    def _operands_of(self, c: InferenceContext) -> dict[str, Any]:
        if self.operands[0].endswith("shapes"):
            return {self.operands[0]: c.inputs}
        if c.num_inputs != len(self.operands):
            message = (
                f"Wrong number of inputs passed: {c.num_inputs} while {len(self.operands)} expected based on NodeDef"
            )
            raise value_error(c.op, "sh_c30", message, value=c.num_inputs)
        return dict(zip(self.operands, c.inputs, strict=True))


def _of_module(module: Any, names: Sequence[str], operand: str) -> dict[str, Operation]:
    """The operations of a dialect, each on one operand of this name."""
    dialect = module.__name__.rpartition(".")[2]
    return {f"{dialect}.{name}": Operation(getattr(module, name), (operand,)) for name in names}


_ON_ONE_OPERAND = (
    "broadcast",
    "broadcast_in_dim",
    "collapse",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "index_in_dim",
    "pad",
    "reshape",
    "rev",
    "slice",
    "slice_in_dim",
    "transpose",
)
_UPDATES = ("dynamic_update_index_in_dim", "dynamic_update_slice", "dynamic_update_slice_in_dim")
_STRIDED = {
    "strided_slice": Operation(tf.strided_slice, ("input_shape",)),
    "strided_slice_grad": Operation(tf.strided_slice_grad, ("dy_shape",), _strided.grad),
    "strided_slice_assign": Operation(tf.strided_slice_assign, ("ref_shape", "value_shape")),
    "tensor_strided_slice_update": Operation(tf.tensor_strided_slice_update, ("input_shape", "value_shape")),
}
_XLA = _of_module(xla, _ON_ONE_OPERAND, "operand_shape") | {
    **{f"xla.{name}": Operation(getattr(xla, name), ("operand_shape", "update_shape")) for name in _UPDATES},
    "xla.clamp": Operation(xla.clamp, ("min_shape", "operand_shape", "max_shape"), _merging.clamp),
    "xla.concatenate": Operation(xla.concatenate, ("operand_shapes",), _merging.concatenate),
    "xla.select": Operation(xla.select, ("pred_shape", "on_true_shape", "on_false_shape"), _merging.select),
}
OPERATIONS: Mapping[str, Operation] = {
    **_STRIDED,
    **{f"tf.{name}": operation for name, operation in _STRIDED.items()},
    **_of_module(tf, ["slice"], "input_shape"),
    **_of_module(tflite, tflite.__all__, "input_shape"),
    **_of_module(openvino, openvino.__all__, "data_shape"),
    **_of_module(onnx, onnx.__all__, "data_shape"),
    **_XLA,
    **{name.partition(".")[2]: operation for name, operation in _XLA.items()},
}
"""name -> operation: names of `ssop`, and those of `ssop.xla` also without that module's."""


@dataclass(frozen=True)
class Registered:
    """A user's operation."""

    function: ShapeFunction
    num_outputs: int


_registered: dict[str, Registered] = {}


def register(op: str, function: ShapeFunction, *, num_outputs: int = 1) -> None:
    """Registers the shape function of an operation of your own, so that `infer_shape` and `infer` know it.

    Parameters
    ----------
    op : str, the name; that of an operation of this package is an error
    function : callable that takes an `InferenceContext` and sets its outputs
        A second registration of a name replaces the first.
    num_outputs : int

    Raises
    ------
    SliceValueError : the name is taken (sh_c34).

    Source: TensorFlow's `REGISTER_OP(..).SetShapeFn(..)` (sh_s17).

    Examples
    --------
    >>> import ssop
    >>> def outer(c):
    ...     c.set_output(0, c.concatenate(c.input(0), c.input(1)))
    >>> ssop.shapes.register("Outer", outer)
    >>> ssop.infer_shape("Outer", [2, None], [3])
    PartialShape([2, None, 3])
    """
    if op in OPERATIONS:
        message = f"Op with name {op} is already registered: it is one of this package"
        raise value_error("register", "sh_c34", message, value=op)
    _registered[op] = Registered(function, num_outputs)


def shape_function_of(op: str) -> tuple[ShapeFunction, int]:
    """The shape function of an operation, and how many outputs it has. Raises `SliceValueError` (sh_c34)."""
    if op in OPERATIONS:
        return OPERATIONS[op].run, 1
    if op in _registered:
        return _registered[op].function, _registered[op].num_outputs
    raise value_error("infer_shape", "sh_c34", f"Op type not registered '{op}'", value=op)


def infer_shape(op: str, /, *inputs: Any, mode: Mode = "tf", **attributes: Any) -> Any:
    """The shape of what an operation gives, for what is known of its arguments.

    Parameters
    ----------
    op : str, the operation's name below `ssop` ("strided_slice", "tf.slice", "xla.pad"), or one that was registered
    inputs, attributes : the arguments of the function of that name in `ssop.shapes`, that is those of the operation,
        with shapes for arrays, and without `out`. For a registered operation, inputs are the shapes of its
        inputs, and attributes its attributes.
    mode : "tf" or "tight" (sh_s2)

    Returns
    -------
    PartialShape; for registered operations of several outputs, a tuple of them.

    Raises
    ------
    SliceError : if every completion is an error, by the rules of the operation; sh_c34 if there is none of that name.

    Source: TensorFlow's shape functions (sh_s17).

    Examples
    --------
    >>> import ssop
    >>> ssop.infer_shape("strided_slice", [None, 4], [-1], [0], [1], shrink_axis_mask=1)
    PartialShape([4])
    >>> ssop.infer_shape("xla.pad", [(1, 4)], [(1, 1, 1)], mode="tight")
    PartialShape([(3, 9)])
    """
    operation = OPERATIONS.get(op)
    if operation is not None:
        return operation.function(*inputs, mode=mode, **attributes)
    function, num_outputs = shape_function_of(op)
    shapes: Sequence[ShapeLike] = inputs
    context = InferenceContext(op, shapes, attributes=attributes, num_outputs=num_outputs, mode=mode)
    outputs = context.run(function)
    return outputs[0] if num_outputs == 1 else outputs


infer_shape.__module__ = "ssop"
