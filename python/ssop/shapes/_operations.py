"""The operations of the package by name, each with its shape function; and shape functions of users' operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, overload

from ssop._core import PartialShape
from ssop._errors import kind_of, type_error, value_error
from ssop._xla.elementwise import BINARY, UNARY
from ssop.shapes import (
    _merging,
    _numpy,
    _strided,
    _xla_control,
    _xla_dots,
    _xla_elementwise,
    _xla_gathering,
    onnx,
    openvino,
    tf,
    tflite,
    xla,
)
from ssop.shapes._arguments import Mode, ShapeLike
from ssop.shapes._checks import count_of, items_of, names_of, near_names, text_of
from ssop.shapes._context import InferenceContext, ShapeFunction
from ssop.shapes._handles import ShapeAndType


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
_ELEMENT_WISE = {
    **_of_module(xla, [row.name for row in UNARY], "operand_shape"),
    **{
        f"xla.{row.name}": Operation(getattr(xla, row.name), ("lhs_shape", "rhs_shape"), _xla_elementwise.merging(row))
        for row in BINARY
    },
}
_CONTROL = {
    "xla.map": Operation(xla.map, ("operand_shapes",), _xla_control.mapped),
    "xla.cross_replica_sum": Operation(xla.cross_replica_sum, ("operand_shapes",), _xla_control.summed),
    **{
        f"xla.{name}": Operation(
            getattr(xla, name), ("branch_shapes",), partial(_xla_control.branched, op=f"xla.{name}")
        )
        for name in ("cond", "conditional", "indexed_conditional", "switch")
    },
    **{f"xla.{name}": Operation(getattr(xla, name), ("init_shape",)) for name in ("while_", "while_loop")},
}
_TWO_SHAPES = ("lhs_shape", "rhs_shape")
_PRODUCTS = {
    "xla.dot": Operation(xla.dot, _TWO_SHAPES, _xla_dots.merge_dot),
    "xla.dot_general": Operation(xla.dot_general, _TWO_SHAPES, _xla_dots.merge_dot_general),
    "xla.conv": Operation(xla.conv, _TWO_SHAPES),
    "xla.conv_general_dilated": Operation(xla.conv_general_dilated, _TWO_SHAPES),
    "xla.conv_with_general_padding": Operation(xla.conv_with_general_padding, _TWO_SHAPES),
}
_XLA = (
    _of_module(xla, _ON_ONE_OPERAND, "operand_shape")
    | _ELEMENT_WISE
    | _PRODUCTS
    | _CONTROL
    | {
        **{f"xla.{name}": Operation(getattr(xla, name), ("operand_shape", "update_shape")) for name in _UPDATES},
        **_of_module(
            xla, ("bitcast_convert_type", "convert_element_type", "reduce_precision", "sort"), "operand_shape"
        ),
        "xla.batch_norm_inference": Operation(
            xla.batch_norm_inference, ("operand_shape", "scale_shape", "offset_shape", "mean_shape", "variance_shape")
        ),
        "xla.clamp": Operation(xla.clamp, ("min_shape", "operand_shape", "max_shape"), _merging.clamp),
        "xla.concatenate": Operation(xla.concatenate, ("operand_shapes",), _merging.concatenate),
        **_of_module(xla, ("reduce", "reduce_window"), "operand_shape"),
        "xla.select_and_scatter": Operation(xla.select_and_scatter, ("operand_shape", "source_shape")),
        "xla.gather": Operation(xla.gather, ("operand_shape", "start_indices_shape"), _xla_gathering.gathered),
        "xla.scatter": Operation(
            xla.scatter, ("operand_shape", "scatter_indices_shape", "updates_shape"), _xla_gathering.scattered
        ),
        "xla.select": Operation(xla.select, ("pred_shape", "on_true_shape", "on_false_shape"), _merging.select),
    }
)


def _tensorflow_pad(
    input_shape: ShapeLike, paddings: Sequence[Sequence[int]], constant_values: object = None, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of TensorFlow's Pad and PadV2, whose paddings are pairs."""
    pairs = items_of("Pad", "paddings", paddings, "pairs")
    rows = [items_of("Pad", "an entry of paddings", row, "two numbers") for row in pairs]
    return xla.pad(input_shape, [(*row, 0) if len(row) == 2 else row for row in rows], mode=mode)


_TENSORFLOW = {
    "StridedSlice": _STRIDED["strided_slice"],
    "StridedSliceGrad": _STRIDED["strided_slice_grad"],
    "StridedSliceAssign": _STRIDED["strided_slice_assign"],
    "ResourceStridedSliceAssign": _STRIDED["strided_slice_assign"],
    "TensorStridedSliceUpdate": _STRIDED["tensor_strided_slice_update"],
    "Slice": Operation(tf.slice, ("input_shape",)),
    "Pad": Operation(_tensorflow_pad, ("input_shape",)),
    "PadV2": Operation(_tensorflow_pad, ("input_shape",)),
}
OPERATIONS: Mapping[str, Operation] = {
    **_STRIDED,
    **{f"tf.{name}": operation for name, operation in _STRIDED.items()},
    **_of_module(tf, ["slice"], "input_shape"),
    **_of_module(tflite, tflite.__all__, "input_shape"),
    **_of_module(openvino, openvino.__all__, "data_shape"),
    **_of_module(onnx, onnx.__all__, "data_shape"),
    "numpy_pad": Operation(_numpy.numpy_pad, ("operand_shape",)),
    "roll": Operation(_numpy.roll, ("operand_shape",)),
    **_XLA,
    **{name.partition(".")[2]: operation for name, operation in _XLA.items()},
    **_TENSORFLOW,
}
"""name -> operation: names of `ssop`, those of `ssop.xla` also without that module's, and TensorFlow's own names."""


@dataclass(frozen=True)
class Registered:
    """A user's operation: its shape function, and the names of its inputs and outputs, if they have some."""

    function: ShapeFunction
    num_outputs: int
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


_registered: dict[str, Registered] = {}
_Function = TypeVar("_Function", bound=ShapeFunction)


@overload
def register(
    op: str,
    function: ShapeFunction,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    num_outputs: int | None = None,
) -> None: ...
@overload
def register(
    op: str,
    function: None = None,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    num_outputs: int | None = None,
) -> Callable[[_Function], _Function]: ...
def register(
    op: str,
    function: Any = None,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    num_outputs: int | None = None,
) -> Any:
    """Registers the shape function of an operation of your own, so that `infer_shape` and `infer` know it.

    Parameters
    ----------
    op : str, the name; that of an operation of this package is an error
    function : callable that takes an `InferenceContext` and sets its outputs
        A second registration of a name replaces the first. Without a function, what is returned registers one: a
        decorator.
    inputs, outputs : sequences of str, optional
        Names of all inputs and outputs, which the context then takes for their numbers: `c.input("a")`.
    num_outputs : int, as many as `outputs` names, else 1 unless given

    Returns
    -------
    None; without a function, the decorator, which returns its function.

    Raises
    ------
    SliceError : the name is taken (sh_c34); names or numbers contradict each other (sh_c30); a name is invalid or the
        function is not callable (sh_c36).

    Source: TensorFlow's `REGISTER_OP(..).Input(..).Output(..).SetShapeFn(..)` (sh_s17).

    Examples
    --------
    >>> import ssop
    >>> @ssop.shapes.register("Outer", inputs=["a", "b"], outputs=["product"])
    ... def outer(c):
    ...     c.set_output("product", c.concatenate(c.input("a"), c.input("b")))
    >>> ssop.infer_shape("Outer", [2, None], [3])
    PartialShape([2, None, 3])
    """
    text_of("register", "op", op)
    if op in OPERATIONS:
        message = f"Op with name {op} is already registered: it is one of this package"
        raise value_error("register", "sh_c34", message, value=op)
    named = names_of("register", "inputs", inputs), names_of("register", "outputs", outputs)
    count = count_of("register", "num_outputs", (len(named[1]) or 1) if num_outputs is None else num_outputs)
    if named[1] and count != len(named[1]):
        message = f"num_outputs is {count}, but outputs has {len(named[1])} names"
        raise value_error("register", "sh_c30", message, value=count)

    def registering(function: _Function) -> _Function:
        if not callable(function):
            message = f"function is {kind_of(function)}, not a callable that takes an InferenceContext"
            raise type_error("register", "sh_c36", message, value=function)
        _registered[op] = Registered(function, count, *named)
        return function

    if function is None:
        return registering
    registering(function)
    return None


def registered(op: str) -> Registered:
    """The shape function of an operation, its inputs and outputs. Raises `SliceValueError` (sh_c34)."""
    if op in OPERATIONS:
        return Registered(OPERATIONS[op].run, 1)
    if op in _registered:
        return _registered[op]
    near = near_names(op, [*OPERATIONS, *_registered])
    raise value_error("infer_shape", "sh_c34", f"Op type not registered '{op}'{near}", value=op)


def infer_shape(
    op: str,
    /,
    *inputs: Any,
    input_tensors: Sequence[Any] = (),
    input_tensors_as_shapes: Sequence[ShapeLike] = (),
    handles: Sequence[Sequence[ShapeAndType] | None] = (),
    mode: Mode = "tf",
    **attributes: Any,
) -> Any:
    """The shape of what an operation gives, for what is known of its arguments.

    Parameters
    ----------
    op : str, the operation's name below `ssop` ("strided_slice", "tf.slice", "xla.pad"), TensorFlow's name of it
        ("StridedSlice"), or one that was registered
    inputs, attributes : the arguments of the function of that name in `ssop.shapes`, that is those of the operation,
        with shapes for arrays, and without `out`. For a registered operation, inputs are the shapes of its
        inputs, and attributes its attributes; an input that has a name may be given by it.
    input_tensors, input_tensors_as_shapes, handles : sequences, for registered operations
        What is known of the values of the inputs, as `InferenceContext` takes it: arrays, shapes that are values, and
        lists of `ShapeAndType` of the tensors behind handles. None stands for an input of which nothing is known.
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
    >>> ssop.shapes.register("Fill", lambda c: c.set_output(0, c.make_shape_from_shape_tensor(0)))
    >>> import numpy as np
    >>> ssop.infer_shape("Fill", [2], [], input_tensors=[np.array([3, 4])])
    PartialShape([3, 4])
    """
    operation = OPERATIONS.get(op) if isinstance(op, str) else None
    known = (input_tensors, input_tensors_as_shapes, handles)
    if operation is not None:
        names = ("input_tensors", "input_tensors_as_shapes", "handles")
        if any(items_of("infer_shape", name, given, "entries") for name, given in zip(names, known, strict=True)):
            message = f"{op} is no registered operation: what is known of its vectors are its own arguments"
            raise value_error("infer_shape", "sh_c30", message)
        return operation.function(*inputs, mode=mode, **attributes)
    found = registered(text_of("infer_shape", "op", op))
    shapes = [*inputs, *(attributes.pop(name) for name in found.inputs[len(inputs) :] if name in attributes)]
    context = InferenceContext(
        op,
        shapes,
        *known,
        attributes=attributes,
        num_outputs=found.num_outputs,
        input_names=found.inputs,
        output_names=found.outputs,
        mode=mode,
    )
    outputs = context.run(found.function)
    return outputs[0] if found.num_outputs == 1 else outputs


infer_shape.__module__ = "ssop"
