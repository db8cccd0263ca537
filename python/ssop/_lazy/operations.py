"""The operations as rows of a table: how the arguments of each are read, and how its result is taken.

If an argument is not a NumPy array, list or scalar, a C function calls the attribute of this module that has its name,
with underscores for dots. Arrays of other libraries are indexed by their own
library, masked arrays keep their mask, and all other objects are converted as `numpy.asarray` does. Shapes and regions
are computed by the core.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ssop import _core
from ssop._core import SliceError
from ssop._errors import check_given, kind_of, renamed, type_error, value_error
from ssop._lazy import libraries, meanings, results
from ssop._lazy.calls import Call

Resolver: TypeAlias = Callable[[Call], Any]


class Value(NamedTuple):
    """The second array of an operation: an update, or the value to write or to pad with."""

    name: str
    """The parameter."""
    rule: str
    """The label of the rule that it has the operand's dtype."""
    rejection: str
    """What an array of another library cannot be, if the operand is a NumPy array."""
    check: Callable[[str, Any], None] = lambda op, value: None
    """Raises for a value that is wrong whatever the other arguments are."""
    optional: bool = False
    """Whether it need not be given, and None says the same."""


class Operation(NamedTuple):
    """One operation. Calling it is calling the C function of that name, with arrays of any library."""

    name: str
    operand: str
    """The parameter whose library the result stays in."""
    resolve: Resolver
    """Returns what the core makes of the arguments: a region, regions, or the shape of the result."""
    result: Callable[[Call, Any], Any]
    """Takes the result by what was resolved."""
    value: Value | None = None
    ignored: tuple[str, ...] = ()
    """Parameters that have no effect."""
    in_place: bool = False
    """Whether the operand is written to and returned, so that it is not converted."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = getattr(_core, self.name.replace(".", "_"))
        given = dict(zip(_positional(function), args, strict=False)) | kwargs  # which the C function has checked
        row = self._given_value(given)
        if row is None and (moved := _moved_directly(self.name, function, given, self.operand)) is not None:
            return moved
        self._check_meanings(given, row)
        self._reject_none(given, row)
        if not libraries.stays(given[self.operand]):
            given = self._converted(given, row)
            out = given.pop("out", None)
            return function(**given) if out is None else _written(self.name, out, lambda x: function(**given, out=x))
        x, out = given.pop(self.operand), given.pop("out", None)
        _check_out(self.name, x, out)
        libraries.check_storage(self.name, x, slices=self.result in _SLICES, assigns=self.in_place)
        if self.in_place:
            libraries.check_known_shape(self.name, x)
        elif self.resolve is not _nothing:
            x = libraries.accepted(self.name, x)
        value = None
        if row is not None:
            libraries.check_updatable(self.name, x, in_place=self.in_place)
            value = libraries.match_operand(self.name, x, given.pop(row.name), row.rule, row.name)
            value = libraries.accepted(self.name, value)
            row.check(self.name, value)
        call = Call(self.name, x, value, {name: v for name, v in given.items() if name not in self.ignored})
        if libraries.library(x) == "jax":
            libraries.jax_arrays().check_known(call)
        try:
            moved = self._moved(call, out) if libraries.library(x) == "torch" else None
            if moved is not None:
                return moved
            resolved = self.resolve(call)  # runs the code of arguments, which may free the memory of tensors
            libraries.check_memory(self.name, *([x] if value is None else [x, value]))
            return self.result(call, resolved)
        except SliceError as error:  # the resolver may be that of another function
            raise renamed(error, self.name) from None

    def _given_value(self, given: dict[str, Any]) -> Value | None:
        """Return the row of the value, or None without a value; one that was not given is taken from `given`."""
        row = self.value
        if row is None or not row.optional:
            return row
        if given.get(row.name) is None:
            given.pop(row.name, None)
            return None
        policy = given.get("out_of_bounds", "clamp")
        if isinstance(policy, str) and policy in ("clamp", "wrap", "raise"):
            message = f"{row.name} is {kind_of(given[row.name])}, which has no effect: out_of_bounds is not 'fill'"
            raise value_error(self.name, "ds_c8", message, value=given[row.name])
        return row

    def _moved(self, call: Call, out: Any) -> Any:
        """Return what ssop's engine makes of tensors; None if torch's own indexing is to do it."""
        value = "" if self.value is None else self.value.name
        if self.in_place:
            return _tensors().assign(call, self.operand, value)
        return _tensors().run(call, self.operand, value, self.resolve, self.result, out)

    def _reject_none(self, given: dict[str, Any], row: Value | None) -> None:
        if not self.in_place:  # else the operand must be an array anyway (out_c1)
            check_given(self.name, self.operand, given[self.operand])
        if row is not None:
            _check_value_given(self.name, row.name, given[row.name], given[self.operand])

    def _check_meanings(self, given: dict[str, Any], row: Value | None) -> None:
        names = [self.operand] if row is None else [self.operand, row.name]
        for name in (*names, "out"):
            meanings.check(self.name, name, given.get(name))

    def _converted(self, given: dict[str, Any], row: Value | None) -> dict[str, Any]:
        """Return the arguments as the C function takes them: with arrays of NumPy's."""
        x = given[self.operand]
        if row is not None:
            _check_not_foreign(self.name, row.name, given[row.name], row.rejection)
        if self.in_place:
            _check_destination(self.name, self.operand, x)
        else:
            given[self.operand] = x = libraries.as_numpy(self.name, x)
        if row is not None:
            given[row.name] = _as_value(self.name, row.name, given[row.name], x.dtype)
        return given


class CopyInto(NamedTuple):
    """The operation that writes into an array of NumPy's, whatever its source is."""

    name: str
    source: str
    """The parameter that may be any object that converts to an array."""
    rejection: str
    """What an array of another library cannot be."""
    destination: str
    """The parameter that must be a NumPy array, which is written to."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = getattr(_core, self.name.replace(".", "_"))
        given = dict(zip(_positional(function), args, strict=False)) | kwargs
        x = given[self.source]
        for name in (self.source, self.destination):
            meanings.check(self.name, name, given[name])
        _check_value_given(self.name, self.source, x, given[self.destination])
        _check_destination(self.name, self.destination, given[self.destination])
        _check_not_foreign(self.name, self.source, x, self.rejection)
        return function(**given | {self.source: _as_value(self.name, self.source, x, given[self.destination].dtype)})


class Concatenation(NamedTuple):
    """The operation whose operand is a sequence of arrays."""

    name: str

    def __call__(self, operands: tuple[Any, ...], dimension: Any, out: Any) -> Any:
        for entry, x in enumerate(operands):
            check_given(self.name, f"operand entry {entry}", x, entry)
            meanings.check(self.name, f"operand entry {entry}", x, entry)
        meanings.check(self.name, "out", out)
        if not any(map(libraries.stays, operands)):
            arrays = [libraries.as_numpy(self.name, x) for x in operands]
            if out is None:
                return _core.xla_concatenate(arrays, dimension)
            return _written(self.name, out, lambda x: _core.xla_concatenate(arrays, dimension, out=x))
        first = libraries.leading(self.name, operands)
        _check_out(self.name, first, out)
        matched = (libraries.match_operand(self.name, first, x, "cat_c4") for x in operands)
        operands = tuple(libraries.accepted(self.name, x) for x in matched)
        _core.xla_concatenate_shape([x.shape for x in operands], dimension)
        if libraries.library(first) == "torch":
            joined = _tensors().joined(self.name, operands, dimension, out)
            if joined is not None:
                return joined
        return libraries.joined(self.name, operands, dimension)


class ByIndex(NamedTuple):
    """An operation by a NumPy index, which is the strided one by what the index stands for (ix_s1)."""

    name: str
    strided: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = getattr(_core, self.name)
        given = dict(zip(_positional(function), args, strict=False)) | kwargs
        if "value" not in given and (moved := _moved_directly(self.name, function, given, "x")) is not None:
            return moved
        x, spec = given.pop("x"), _core.index_spec(self.name, given.pop("index"))
        value = [given.pop("value")] if "value" in given else []
        try:
            return self.strided(x, *spec[:3], *value, *spec[3:], **given)
        except SliceError as error:
            raise renamed(error, self.name) from None


@cache
def _tensors() -> Any:
    from ssop._lazy import tensors  # which imports torch

    return tensors


def _moved_directly(op: str, function: Callable[..., Any], given: dict[str, Any], operand: str) -> Any:
    """Return what a C function makes of a tensor of torch; None for another object, or if more is to be looked at."""
    if type(given[operand]).__module__ != "torch" or given.get("out") is not None:
        return None
    return _tensors().moved_directly(op, function, given, operand)


@cache
def _positional(function: Callable[..., Any]) -> tuple[str, ...]:
    parameters = signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is Parameter.POSITIONAL_OR_KEYWORD)


def _check_out(op: str, x: Any, out: Any) -> None:
    if out is not None and libraries.library(x) != "torch":
        raise libraries.foreign_error(op, x, "takes no out=: the result stays in its own library")


def _written(op: str, out: Any, run: Callable[[Any], Any]) -> Any:
    """Return the result of an operation on NumPy's arrays in `out`, which is an array or a tensor of torch."""
    if libraries.is_array(out):
        return run(out)
    if libraries.library(out) != "torch" or not libraries.stays(out):
        raise type_error(op, "out_c1", f"out is {kind_of(out)}, not a NumPy array", value=out)
    return _tensors().written(op, out, run)


def _check_value_given(op: str, parameter: str, value: Any, into: Any) -> None:
    """Raise for None, unless it goes into objects, of which it may be one."""
    dtype = getattr(into, "dtype", None)
    if into is None or (dtype is not None and not getattr(dtype, "hasobject", False)):
        check_given(op, parameter, value)


def _check_destination(op: str, parameter: str, x: Any) -> None:
    if not libraries.is_array(x) or libraries.is_masked(x):
        raise type_error(op, "out_c1", f"{parameter} is {kind_of(x)}, not a NumPy array", value=x)


def _check_not_foreign(op: str, parameter: str, x: Any, rejection: str) -> None:
    if libraries.stays(x):
        advice = f"numpy.asarray({parameter}) converts it"
        if libraries.is_masked(x):  # which numpy.asarray would forget
            advice = f"{parameter}.filled(v) has v in the place of masked items"
        raise libraries.foreign_error(op, x, f"{rejection}; {advice}")


def _as_value(op: str, name: str, x: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array of NumPy's: one with axes as it is, or what the rules of values make of it (val_c1..val_s2)."""
    converted = not libraries.has_dtype(x) or libraries.is_scalar(x)
    return _core.convert_value(op, name, x, dtype) if converted else libraries.as_numpy(op, x)


def reject(op: str, parameter: str, x: Any) -> None:
    """What C calls for an array that cannot be written to because its items mean more than numbers (in_c7)."""
    meanings.check(op, parameter, x)


# ---- resolvers -------------------------------------------------------------------------------------------------------


def _of(function: Callable[..., Any]) -> Resolver:
    """By the operand's shape and the arguments."""
    return lambda call: function(call.x.shape, **call.arguments)


def _of_both(function: Callable[..., Any]) -> Resolver:
    """By the shapes of operand and value, and the arguments."""
    return lambda call: function(call.x.shape, call.value.shape, **call.arguments)


def _window(resolver: Resolver) -> Resolver:
    """The same, of a window whose start may be a traced value of JAX."""

    def resolve(call: Call) -> Any:
        return resolver(libraries.jax_arrays().with_known_starts(call) if results.has_traced_start(call) else call)

    return resolve


def _by_arguments(function: Callable[..., Any]) -> Resolver:
    """By the arguments alone, which have the shape of the result."""
    return lambda call: function(**call.arguments)


def _nothing(call: Call) -> None:
    return None


def _check_scalar(name: str) -> Callable[[str, Any], None]:
    def check(op: str, value: Any) -> None:
        if value.shape != ():
            words = "Pad operation does not support non-scalar padding values."
            raise value_error(op, "pad_c1", f"{name} has shape {value.shape}: {words}", value=tuple(value.shape))

    return check


# ---- the table -------------------------------------------------------------------------------------------------------

_UPDATE = Value("update", "dus_c4", "cannot update a NumPy array")
_ASSIGNED = Value("value", "as_c2", "cannot be assigned to a NumPy array")
_PADDING = Value("padding_value", "pad_c3", "cannot pad a NumPy array", _check_scalar("padding_value"))
_FILL = Value("fill_value", "pad_c3", "cannot fill a NumPy array", _check_scalar("fill_value"), optional=True)


_STRIDED = _of(_core.strided_slice_region)
_GRADIENT = _by_arguments(_core.strided_slice_region)

OPERATIONS: tuple[Operation | CopyInto | Concatenation | ByIndex, ...] = (
    Operation("strided_slice", "input_", _STRIDED, results.taken),
    Operation("tf.strided_slice", "input_", _STRIDED, results.taken, ignored=("var", "name")),
    Operation("tf.slice", "input_", _of(_core.tf_slice_region), results.taken, ignored=("name",)),
    Operation("tflite.strided_slice", "input_", _of(_core.tflite_strided_slice_region), results.taken),
    Operation("tflite.slice", "input_", _of(_core.tflite_slice_region), results.taken),
    Operation("openvino.strided_slice", "data", _of(_core.openvino_strided_slice_region), results.taken),
    Operation("openvino.slice", "data", _of(_core.openvino_slice_region), results.taken),
    Operation("onnx.slice", "data", _of(_core.onnx_slice_region), results.taken),
    Operation("strided_slice_grad", "dy", _by_arguments(_core.strided_slice_region), results.placed),
    Operation(
        "tf.strided_slice_grad", "dy", _by_arguments(_core.strided_slice_region), results.placed, ignored=("name",)
    ),
    Operation("strided_slice_assign", "ref", _STRIDED, results.slice_assigned, _ASSIGNED, in_place=True),
    Operation("tf.strided_slice_assign", "ref", _STRIDED, results.slice_assigned, _ASSIGNED, ("name",), in_place=True),
    Operation("tensor_strided_slice_update", "input", _STRIDED, results.slice_updated, _ASSIGNED),
    Operation("tf.tensor_strided_slice_update", "input", _STRIDED, results.slice_updated, _ASSIGNED, ("name",)),
    ByIndex("index", _core.strided_slice),
    ByIndex("index_assign", _core.strided_slice_assign),
    ByIndex("index_update", _core.tensor_strided_slice_update),
    Operation("slice", "operand", _of(_core.slice_region), results.taken),
    Operation("dynamic_slice", "operand", _window(_of(_core.dynamic_slice_regions)), results.window_taken, _FILL),
    Operation(
        "dynamic_update_slice",
        "operand",
        _window(_of_both(_core.dynamic_update_slice_regions)),
        results.window_updated,
        _UPDATE,
    ),
    Operation("copy", "a", _nothing, results.copied),
    CopyInto("copyto", "src", "cannot be copied into a NumPy array", "dst"),
    Operation("xla.slice_in_dim", "operand", _of(_core.xla_slice_in_dim_region), results.taken),
    Operation("xla.index_in_dim", "operand", _of(_core.xla_index_in_dim_region), results.taken),
    Operation(
        "xla.dynamic_slice_in_dim",
        "operand",
        _window(_of(_core.xla_dynamic_slice_in_dim_regions)),
        results.window_taken,
        _FILL,
    ),
    Operation(
        "xla.dynamic_index_in_dim",
        "operand",
        _window(_of(_core.xla_dynamic_index_in_dim_regions)),
        results.window_taken,
        _FILL,
    ),
    Operation(
        "xla.dynamic_update_slice_in_dim",
        "operand",
        _window(_of_both(_core.xla_dynamic_update_slice_in_dim_regions)),
        results.window_updated,
        _UPDATE,
    ),
    Operation(
        "xla.dynamic_update_index_in_dim",
        "operand",
        _window(_of_both(_core.xla_dynamic_update_index_in_dim_regions)),
        results.window_updated,
        _UPDATE,
    ),
    Operation("xla.pad", "operand", _of(_core.xla_pad_regions), results.padded, _PADDING),
    Operation("xla.rev", "operand", _of(_core.xla_rev_region), results.taken),
    Concatenation("xla.concatenate"),
    Operation("xla.broadcast", "operand", _of(_core.xla_broadcast_shape), results.broadcast),
    Operation("xla.broadcast_in_dim", "operand", _of(_core.xla_broadcast_in_dim_shape), results.broadcast_in_dim),
    Operation("xla.reshape", "operand", _of(_core.xla_reshape_shape), results.reshaped),
    Operation("xla.collapse", "operand", _of(_core.xla_collapse_shape), results.collapsed),
    Operation("xla.transpose", "operand", _of(_core.xla_transpose_shape), results.transposed),
)

_SLICES = (results.taken, results.window_taken)
"""How the results of slices are taken, which is all that a storage can do."""

globals().update({operation.name.replace(".", "_"): operation for operation in OPERATIONS})
