"""InferenceContext: all that a shape function may ask and say about one operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ssop._core import Dim, PartialShape, SliceError
from ssop._errors import kind_of, type_error, value_error
from ssop._sequences import plain
from ssop._vectors import entries, integer
from ssop.shapes._arguments import Mode, ShapeLike
from ssop.shapes._checks import array_of, count_of, items_of, names_of, place_of, text_of
from ssop.shapes._handles import HandleData, ShapeAndType, checked, combined, is_refined
from ssop.shapes._rules import ShapeRules

ShapeFunction: TypeAlias = "Callable[[InferenceContext], object]"

GRAPH_DEF_VERSION = 2474  # of TensorFlow 2.21.0
MAX_SHAPE_TENSOR = 2**25  # TensorFlow's limit since CVE-2022-23580
MAX_VALUES_SHOWN = 256
_MISSING: Any = object()


class InferenceContext(ShapeRules):
    """What a shape function is given: the inputs of one operation, the rules for shapes, a place for the outputs.

    Parameters
    ----------
    op : str, the name of the operation
    input_shapes : sequence of shapes, one per input, each anything that `PartialShape` takes
    input_tensors : sequence of arrays or None, optional
        The values of those inputs that are constants; missing ones at the end are None.
    input_tensors_as_shapes : sequence of shapes or None, optional
        What is known of the values of those inputs that are used as shapes.
    input_handle_shapes_and_types : sequence of sequences of `ShapeAndType`, or None, optional
        What is known of the tensors behind those inputs that are handles.
    name : str, the name of the node; `op` unless given
    attributes : mapping of names to anything, optional
    num_inputs : int, as many inputs as the operation has; those that are given unless told otherwise
    num_outputs : int
    input_names, output_names : sequences of str, optional
        Names by which inputs and outputs can be meant instead of their numbers; `output_names` say how many there are.
    graph_def_version : int
    mode : "tf" or "tight", how dims are computed (sh_s2)

    Raises
    ------
    SliceError : by `run`, and by whatever takes the number of an input, what is wrong with these arguments (sh_c30,
        sh_c36 and the errors of `PartialShape`).

    Source: TensorFlow's `shape_inference::InferenceContext`.

    Examples
    --------
    >>> import ssop
    >>> def matmul(c):
    ...     a, b = c.with_rank(c.input(0), 2), c.with_rank(c.input(1), 2)
    ...     c.merge(c.dim(a, 1), c.dim(b, 0))
    ...     c.set_output(0, c.matrix(c.dim(a, 0), c.dim(b, 1)))
    >>> c = ssop.shapes.InferenceContext("MatMul", [[2, 3], [None, 4]])
    >>> c.run(matmul)
    (PartialShape([2, 4]),)
    >>> ssop.shapes.InferenceContext("MatMul", [[2, 3], [4, 5]], name="product").run(matmul)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ssop.SliceValueError: ...but are 3 and 4 for '{{node product}} = MatMul[]' with input shapes: [2,3], [4,5]. [sh_c3]
    """

    __module__ = "ssop.shapes"

    def __init__(
        self,
        op: str,
        input_shapes: Sequence[ShapeLike] = (),
        input_tensors: Sequence[Any] = (),
        input_tensors_as_shapes: Sequence[ShapeLike] = (),
        input_handle_shapes_and_types: Sequence[Sequence[ShapeAndType] | None] = (),
        *,
        name: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        num_inputs: int | None = None,
        num_outputs: int = 1,
        input_names: Sequence[str] = (),
        output_names: Sequence[str] = (),
        graph_def_version: int = GRAPH_DEF_VERSION,
        mode: Mode = "tf",
    ) -> None:
        super().__init__(mode)
        self.op, self.name = op, op if name is None else name
        self.attributes: dict[str, Any] = {}
        self.graph_def_version = graph_def_version
        self.construction_error: SliceError | None = None
        self._inputs: list[PartialShape] = []
        self._tensors: list[np.ndarray[Any, Any] | None] = []
        self._tensors_as_shapes: list[PartialShape | None] = []
        self._input_handles: list[HandleData | None] = []
        self._outputs: list[PartialShape | None] = []
        self._input_names: tuple[str, ...] = ()
        self._output_names: tuple[str, ...] = ()
        self._requested_tensor: set[int] = set()
        self._requested_shape: set[int] = set()
        try:
            self._set_names(attributes, input_names, output_names, num_outputs)
            self._inputs = [PartialShape(shape) for shape in items_of(op, "input_shapes", input_shapes, "shapes")]
            self._tensors = self._one_per_input("input_tensors", input_tensors, self._as_array)
            as_shapes = self._one_per_input("input_tensors_as_shapes", input_tensors_as_shapes, PartialShape)
            self._tensors_as_shapes = as_shapes
            self._input_handles = self._one_per_input(
                "input_handle_shapes_and_types", input_handle_shapes_and_types, self._checked_handles
            )
            self._check_number_of_inputs(len(self._input_names) if self._input_names else num_inputs)
        except SliceError as error:
            self.construction_error = error
        self._output_handles: list[HandleData | None] = [None] * len(self._outputs)

    def _set_names(self, attributes: Any, input_names: Any, output_names: Any, num_outputs: Any) -> None:
        text_of("InferenceContext", "op", self.op)
        text_of(self.op, "name", self.name)
        if not isinstance(attributes, (Mapping, type(None))):
            message = f"attributes is {kind_of(attributes)}, not a mapping of names"
            raise type_error(self.op, "sh_c36", message, value=attributes)
        self.attributes = {} if attributes is None else entries(attributes)
        self._input_names = names_of(self.op, "input_names", input_names)
        self._output_names = names_of(self.op, "output_names", output_names)
        count = count_of(self.op, "num_outputs", num_outputs)
        self._outputs = [None] * (len(self._output_names) or count)

    def _one_per_input(self, name: str, given: Sequence[Any], convert: Callable[[Any], Any]) -> list[Any]:
        count, items = len(self._inputs), items_of(self.op, name, given, "one entry per input")
        if len(items) > count:
            message = (
                f"{name} has {len(items)} entries for {count} inputs: Wrong number of {name.replace('_', ' ')} passed; "
                f"expected {count} got {len(items)}"
            )
            raise value_error(self.op, "sh_c30", message, value=len(items))
        return [None if item is None else convert(item) for item in items] + [None] * (count - len(items))

    def _as_array(self, tensor: Any) -> np.ndarray[Any, Any]:
        return array_of(self.op, "an input tensor", tensor)

    def _checked_handles(self, data: Any) -> HandleData:
        return checked(self.op, data)

    def _check_number_of_inputs(self, expected: int | None) -> None:
        count = len(self._inputs)
        if expected is not None and count_of(self.op, "num_inputs", expected) != count:
            message = f"Wrong number of inputs passed: {count} while {expected} expected based on NodeDef"
            raise value_error(self.op, "sh_c30", message, value=count)

    def __repr__(self) -> str:
        shapes = ", ".join(map(str, self._inputs))
        return f"<InferenceContext of {self._node()} with input shapes: {shapes}>"

    # ---- running shape functions ----

    def run(self, fn: ShapeFunction) -> tuple[PartialShape, ...]:
        """Runs a shape function on this context, and returns the outputs; those it did not set are unknown (sh_s16).

        Errors of the rules come back with the operation's name and the shapes of its inputs, and with those values that
        the function asked for. A ValueError of the function itself becomes a `SliceValueError` (sh_c33). Other
        exceptions pass through. What went wrong in the construction of the context is raised before the function is
        called.
        """
        if self.construction_error is not None:
            raise self.construction_error.with_traceback(None)  # which would grow with every run
        self._forget_merges()
        try:
            fn(self)
        except (SliceError, ValueError) as error:
            self._forget_merges()
            raise self._with_context(error) from error
        self._outputs = [PartialShape(None) if shape is None else shape for shape in self._outputs]
        return self.outputs

    def _with_context(self, error: Exception) -> SliceError:
        """The error to raise where a shape function raised this one."""
        if isinstance(error, SliceError):
            return self._decorated(error)
        return value_error(self.op, "sh_c33", self._message(str(error)))

    def _decorated(self, error: SliceError) -> SliceError:
        text, label = str(error), f" [{error.label}]"
        text = text[: -len(label)] if text.endswith(label) else text
        text = text.removeprefix(f"{error.op}: ")
        decorated = type(error)(f"{self.op}: {self._message(text)}{label}")
        decorated.op, decorated.label, decorated.axis, decorated.entry = self.op, error.label, error.axis, error.entry
        decorated.value, decorated.allowed = error.value, error.allowed
        return decorated

    def _message(self, text: str) -> str:
        """What went wrong, and where, in TensorFlow's words."""
        shapes = ", ".join(map(str, self._inputs))
        message = f"{text} for '{self._node()}' with input shapes: {shapes}"
        values, as_shapes = [], []
        for i in range(self.num_inputs):
            shape, tensor = self._tensors_as_shapes[i], self._tensors[i]
            if i in self._requested_shape and shape is not None and shape.rank is not None:
                as_shapes.append(f"input[{i}] = {shape}")
            elif i in self._requested_tensor and tensor is not None:
                values.append(f"input[{i}] = <{_summary(tensor)}>")
        if values:
            message += " and with computed input tensors: " + ", ".join(values)
        if as_shapes:
            message += " and with input tensors computed as partial shapes: " + ",".join(as_shapes)
        return message + "."

    def _node(self) -> str:
        attributes = ", ".join(f"{name}={value}" for name, value in sorted(self.attributes.items()))
        return f"{{{{node {self.name}}}}} = {self.op}[{attributes}]"

    # ---- attributes ----

    def attribute(self, name: str, default: Any = _MISSING) -> Any:
        """The value of an attribute. Raises `SliceValueError` (sh_c31) if it has no value and no default."""
        text_of(self.op, "the name of an attribute", name)
        if name in self.attributes:
            return self.attributes[name]
        if default is _MISSING:
            raise value_error(self.op, "sh_c31", f"No attr named '{name}' in NodeDef", value=name)
        return default

    # ---- inputs ----

    @property
    def num_inputs(self) -> int:
        """How many inputs there are."""
        return len(self._inputs)

    @property
    def inputs(self) -> tuple[PartialShape, ...]:
        """The shapes of all inputs, as far as they are known by now."""
        return tuple(self._inputs)

    def input(self, i: int | str) -> PartialShape:
        """The shape of an input, by its number or name. Raises `SliceIndexError` (sh_c22), as all that takes either."""
        return self._inputs[self._input_place(i)]

    def set_input(self, i: int | str, shape: ShapeLike) -> None:
        """Replaces the shape of an input."""
        self._inputs[self._input_place(i)] = PartialShape(shape)

    def merge_input(self, i: int | str, shape: ShapeLike) -> bool:
        """Merges the shape of an input with another one (sh_s3). True if the input is another shape than before.

        A contradiction changes nothing and gives False, as in TensorFlow; `merge` raises the error.

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [[2, None]])
        >>> c.merge_input(0, [None, 2]), c.input(0)
        (True, PartialShape([2, 2]))
        >>> c.merge_input(0, [1, 2]), c.input(0)
        (False, PartialShape([2, 2]))
        """
        place, given = self._input_place(i), PartialShape(shape)
        before = self._inputs[place]
        try:
            self._inputs[place] = self.merge(before, given)
        except SliceError:
            return False
        return self._inputs[place].id != before.id

    def relax_input(self, i: int | str, shape: ShapeLike) -> bool:
        """Relaxes the shape of an input by another one (sh_s4). True if the input is another shape than before.

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [[2, 2]])
        >>> c.relax_input(0, [3, 2]), c.input(0)
        (True, PartialShape([None, 2]))
        """
        place = self._input_place(i)
        before = self._inputs[place]
        self._inputs[place] = self.relax(before, PartialShape(shape))
        return self._inputs[place].id != before.id

    def _input_place(self, i: int | str) -> int:
        """The number of an input, which may be its name; the error of a context that could not be made comes first."""
        if self.construction_error is not None:
            raise self.construction_error.with_traceback(None)
        return place_of(self.op, "input", i, self.num_inputs, self._input_names)

    def _output_place(self, i: int | str) -> int:
        return place_of(self.op, "output", i, self.num_outputs, self._output_names)

    # ---- values of inputs ----

    def input_tensor(self, i: int | str) -> np.ndarray[Any, Any] | None:
        """The value of an input, or None if it is not known. Remembers that it was asked for (sh_s13)."""
        place = self._input_place(i)
        self._requested_tensor.add(place)
        return self._tensors[place]

    def requested_input_tensor(self, i: int | str) -> bool:
        """True if a shape function asked for the value of this input."""
        return self._input_place(i) in self._requested_tensor

    def input_tensor_as_shape(self, i: int | str) -> PartialShape | None:
        """What is known of an input whose value is a shape, or None. Remembers that it was asked for (sh_s13)."""
        place = self._input_place(i)
        self._requested_shape.add(place)
        return self._tensors_as_shapes[place]

    def requested_input_tensor_as_partial_shape(self, i: int | str) -> bool:
        """True if a shape function asked for the shape that the value of this input is."""
        return self._input_place(i) in self._requested_shape

    def make_shape_from_shape_tensor(self, i: int | str) -> PartialShape:
        """The shape that the value of an input is; unknown dims where it is unknown (sh_s11).

        Raises `SliceValueError`: sh_c4 for an input that is no vector, sh_c17 for dims below -1, sh_c20 for 2^25
        dims and more. Raises `SliceTypeError` (sh_c18) for a dtype other than int32 and int64.

        >>> import numpy as np, ssop
        >>> c = ssop.shapes.InferenceContext("Fill", [[2], []], [np.array([3, -1])])
        >>> c.make_shape_from_shape_tensor(0)
        PartialShape([3, None])
        """
        shape = self.with_rank(self.input(i), 1)
        as_shape = self.input_tensor_as_shape(i)
        if as_shape is not None and as_shape.rank is not None:
            return as_shape
        return self.make_shape_from_tensor(self.input_tensor(i), shape)

    def make_shape_from_shape_tensor_treat_scalar_as_unknown_shape(self, i: int | str) -> PartialShape:
        """As `make_shape_from_shape_tensor`, but the scalar -1 is a shape of unknown rank. Others raise (sh_c19)."""
        shape = self.with_rank_at_most(self.input(i), 1)
        as_shape = self.input_tensor_as_shape(i)
        if as_shape is not None and as_shape.rank is not None:
            return as_shape
        return self._shape_of_value(self.input_tensor(i), shape)

    def make_shape_from_tensor(self, tensor: Any, shape: ShapeLike) -> PartialShape:
        """The shape that a tensor of this shape is; None is a tensor of unknown value. Raises as those above."""
        return self._shape_of_value(tensor, self.with_rank(shape, 1))

    def _shape_of_value(self, tensor: Any, shape: PartialShape) -> PartialShape:
        if tensor is None:
            return self._shape_of_length(shape)
        array = self._checked_integers(tensor, "Input tensor must be int32 or int64")
        if array.ndim == 0:
            if array == -1:
                return self.unknown_shape()
            message = (
                "Input tensor must be rank 1, or if its rank 0 it must have value -1 (representing an unknown shape).  "
                f"Saw value: {array}"
            )
            raise value_error(self.op, "sh_c19", message, value=int(array))
        if array.ndim != 1:
            message = f"Input tensor must be rank 1, but was rank {array.ndim}. Saw tensor with shape {array.shape}"
            raise value_error(self.op, "sh_c19", message, value=array.shape)
        return PartialShape.from_tensor(array.tolist())

    def _shape_of_length(self, shape: PartialShape) -> PartialShape:
        """The shape of unknown dims that a vector of this length and of unknown values is."""
        length = shape.dim(0).value if shape.rank == 1 else None
        if length is None:
            return self.unknown_shape()
        if length >= MAX_SHAPE_TENSOR:
            message = (
                f"Cannot create a tensor with {length} dimensions, as these would be more than maximum of "
                f"{MAX_SHAPE_TENSOR}"
            )
            raise value_error(self.op, "sh_c20", message, value=length)
        return self.unknown_shape_of_rank(length)

    def _checked_integers(self, tensor: Any, words: str) -> np.ndarray[Any, Any]:
        array = array_of(self.op, "the tensor", tensor)
        if array.dtype not in (np.int32, np.int64):
            raise type_error(self.op, "sh_c18", f"{words}, but was {array.dtype}", value=array.dtype)
        return array

    def scalar_from_tensor(self, tensor: Any, i: int | None = None) -> int:
        """The integer that a scalar tensor is, or that stands at index `i` of a vector.

        Raises `SliceValueError` (sh_c32) for another rank, `SliceIndexError` (sh_c22) for an index outside the vector,
        and `SliceTypeError` (sh_c18) for a dtype other than int32 and int64.
        """
        array = array_of(self.op, "the tensor", tensor)
        if i is None and array.ndim != 0:
            message = f"Input must be scalar but has rank {array.ndim}"
            raise value_error(self.op, "sh_c32", message, value=array.ndim)
        if i is not None and array.ndim != 1:
            raise value_error(self.op, "sh_c32", f"Input must be 1D but has rank {array.ndim}", value=array.ndim)
        words = "Scalar input must be int32 or int64" if i is None else "Tensor input must be int32 or int64"
        array = self._checked_integers(array, words)
        return int(array if i is None else array[place_of(self.op, "element", i, array.size)])

    def make_dim_for_scalar_input(self, i: int | str) -> Dim:
        """The dim that the value of an input is; unknown if the value is. Raises `SliceValueError` (sh_c32)."""
        tensor = self.input_tensor(i)
        if tensor is None:
            return self.unknown_dim()
        value = self.scalar_from_tensor(tensor)
        if value < 0:
            message = f"Dimension size, given by scalar input {i}, must be non-negative but is {value}"
            raise value_error(self.op, "sh_c32", message, value=value)
        return self.make_dim(value)

    def make_dim_for_scalar_input_with_negative_indexing(self, i: int | str, rank: int | None) -> Dim:
        """The axis of a shape of this rank that the value of an input is; negative ones count from the end.

        Unknown if the value is, or if it is negative and the rank is unknown. Raises `SliceValueError` (sh_c32).
        """
        tensor = self.input_tensor(i)
        if tensor is None:
            return self.unknown_dim()
        value = self.scalar_from_tensor(tensor)
        if rank is None:
            return self.make_dim(value) if value >= 0 else self.unknown_dim()
        rank = integer(self.op, "rank", rank)
        if not -rank <= value < rank:
            message = f"Dimension size, given by scalar input {value} must be in range [-{rank}, {rank})"
            raise value_error(self.op, "sh_c32", message, value=value)
        return self.make_dim(value % rank)

    # ---- outputs ----

    @property
    def num_outputs(self) -> int:
        """How many outputs there are."""
        return len(self._outputs)

    @property
    def outputs(self) -> tuple[PartialShape, ...]:
        """The shapes of all outputs; unknown where none was set."""
        return tuple(PartialShape(None) if shape is None else shape for shape in self._outputs)

    def output(self, i: int | str) -> PartialShape:
        """The shape of an output; unknown if none was set. Raises `SliceIndexError` (sh_c22)."""
        shape = self._outputs[self._output_place(i)]
        return PartialShape(None) if shape is None else shape

    def set_output(self, i: int | str, shape: ShapeLike) -> None:
        """Sets the shape of an output. Raises `SliceIndexError` (sh_c22)."""
        self._outputs[self._output_place(i)] = PartialShape(shape)

    def expand_outputs(self, count: int) -> None:
        """Makes place for more outputs. Raises `SliceValueError` (sh_c30) for fewer than there are."""
        count = count_of(self.op, "count", count)
        if count < self.num_outputs:
            message = f"{count} outputs, but there are {self.num_outputs}: Trying to reduce number of outputs of op."
            raise value_error(self.op, "sh_c30", message, value=count)
        missing = count - self.num_outputs
        self._outputs += [None] * missing
        self._output_handles += [None] * missing

    # ---- handles ----

    def input_handle_shapes_and_types(self, i: int | str) -> HandleData | None:
        """What is known of the tensors behind an input; None if nothing was said."""
        data: HandleData | None = self._input_handles[self._input_place(i)]
        return data

    def set_input_handle_shapes_and_types(self, i: int | str, data: Sequence[ShapeAndType] | None) -> None:
        """Replaces what is known of the tensors behind an input."""
        self._input_handles[self._input_place(i)] = None if data is None else self._checked_handles(data)

    def output_handle_shapes_and_types(self, i: int | str) -> HandleData | None:
        """What was said of the tensors behind an output; None if nothing was."""
        return self._output_handles[self._output_place(i)]

    def set_output_handle_shapes_and_types(self, i: int | str, data: Sequence[ShapeAndType] | None) -> None:
        """Replaces what is known of the tensors behind an output."""
        self._output_handles[self._output_place(i)] = None if data is None else self._checked_handles(data)

    def merge_input_handle_shapes_and_types(self, i: int | str, data: Sequence[ShapeAndType]) -> bool:
        """Merges what is known of the tensors behind an input with `data`. True if that says more than before (sh_s15).

        >>> import ssop
        >>> known = ssop.shapes.ShapeAndType([2, None], "float32")
        >>> c = ssop.shapes.InferenceContext("Op", [[]], (), (), [[known]])
        >>> c.merge_input_handle_shapes_and_types(0, [ssop.shapes.ShapeAndType([2, 3], "float32")])
        True
        >>> c.input_handle_shapes_and_types(0)
        (ShapeAndType([2,3], float32),)
        """
        return self._merge_handles(self._input_handles, self._input_place(i), data)

    def merge_output_handle_shapes_and_types(self, i: int | str, data: Sequence[ShapeAndType]) -> bool:
        """The same for an output."""
        return self._merge_handles(self._output_handles, self._output_place(i), data)

    def relax_input_handle_shapes_and_merge_types(self, i: int | str, data: Sequence[ShapeAndType]) -> bool:
        """Relaxes the shapes behind an input by those of `data`. False if lengths or dtypes do not fit (sh_s15)."""
        return self._relax_handles(self._input_handles, self._input_place(i), data)

    def relax_output_handle_shapes_and_merge_types(self, i: int | str, data: Sequence[ShapeAndType]) -> bool:
        """The same for an output."""
        return self._relax_handles(self._output_handles, self._output_place(i), data)

    def _merge_handles(self, stored: list[HandleData | None], i: int, data: Sequence[ShapeAndType]) -> bool:
        old, new = stored[i], self._checked_handles(data)
        if old is None:
            stored[i] = new
            return True
        merged = combined(old, new, self._merged_or_old)
        if merged is None or not is_refined(old, merged):
            return False
        stored[i] = merged
        return True

    def _merged_or_old(self, old: PartialShape, new: PartialShape) -> PartialShape:
        try:
            return self.merge(old, new)
        except SliceError:
            return old

    def _relax_handles(self, stored: list[HandleData | None], i: int, data: Sequence[ShapeAndType]) -> bool:
        old, new = stored[i], self._checked_handles(data)
        if old is None:
            stored[i] = new
            return True
        relaxed = combined(old, new, self.relax)
        if relaxed is not None:
            stored[i] = relaxed
        return relaxed is not None

    # ---- texts ----

    def debug_string(self, x: ShapeLike | Dim | ShapeAndType | int = _MISSING) -> str:
        """The text of a shape ("[2,?]"), a dim, a `ShapeAndType` or a sequence of them; without one, of the context."""
        if x is _MISSING:
            return f"InferenceContext for node: {self._node()}"
        if isinstance(x, (Dim, ShapeAndType)):
            return str(x)
        if isinstance(x, int):
            return str(Dim(x))
        items: Any = plain(x)
        if isinstance(items, (list, tuple)) and any(isinstance(item, ShapeAndType) for item in items):
            return "[" + ",".join(map(str, items)) + "]"
        return str(PartialShape(items))


def _summary(tensor: np.ndarray[Any, Any]) -> str:
    """The values of a tensor as TensorFlow shows them in messages."""
    text = " ".join(map(str, tensor.ravel()[:MAX_VALUES_SHOWN].tolist()))
    return text + ("..." if tensor.size > MAX_VALUES_SHOWN else "")
