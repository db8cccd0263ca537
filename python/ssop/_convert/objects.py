"""Calls as a StableHLO program and as a function of TensorFlow (cv_s5). Only this file of conversion imports these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ssop._convert.calls import Call
from ssop._convert.dtypes import name_of
from ssop._convert.errors import OP, optional_module
from ssop._convert.shape import Shape
from ssop._convert.values import Value, names_in, replaced
from ssop._errors import value_error


def _check(calls: tuple[Call, ...], to: str, wanted: str) -> tuple[list[str], bool]:
    """The names of run-time values, and whether the calls are an update; an error if they are of another target."""
    if to != wanted:
        raise value_error(OP, "cv_c6", f"the calls are those of {to}, not of {wanted}", value=to)
    names = {name for call in calls for name in names_in(tuple(call.arguments.values()))}
    return sorted(names), any(call._row.update is not None for call in calls)


# ---- StableHLO -----------------------------------------------------------------------------------------------------


def stablehlo_of(calls: tuple[Call, ...], to: str, shape: Shape, dtype: Any) -> str:
    """What `Conversion.to_stablehlo` gives: jax lowers the functions of jax.lax that the calls name."""
    names, update = _check(calls, to, "xla")
    if not (shape.known_rank and all(dim.known for dim in shape.lengths)):
        raise value_error(OP, "cv_c6", f"a StableHLO program has known dims, not {shape}", value=str(shape))
    element = name_of(dtype)
    jax = optional_module("jax", "a StableHLO program")
    dims = [dim.least for dim in shape.lengths]
    arrays = [jax.ShapeDtypeStruct(dims, element)]
    if update:
        sizes = calls[0].arguments["update_shape"]
        region = [dim if size < 0 else size for dim, size in zip(dims, sizes, strict=True)]
        arrays.append(jax.ShapeDtypeStruct(region, element))
    with jax.enable_x64(True):  # values are int64
        values = {name: jax.ShapeDtypeStruct((), "int64") for name in names}

        def program(x: Any, *u: Any, **values: Any) -> Any:
            for call in calls:
                x = _in_jax(jax, call, x, u, values)
            return x

        return str(jax.jit(program, keep_unused=True).lower(*arrays, **values).as_text())


def _in_jax(jax: Any, call: Call, x: Any, u: tuple[Any, ...], values: dict[str, Any]) -> Any:
    name = call.function.partition(".")[2]

    def number(value: Value) -> Any:
        return values[value.base] + value.offset if value.offset else values[value.base]  # type: ignore[index]

    given = {key: replaced(argument, number) for key, argument in call.arguments.items() if key != "update_shape"}
    if name == "index_in_dim":
        given["keepdims"] = False
    if name.startswith("dynamic"):
        given["allow_negative_indices"] = False
    if name == "pad":
        given["padding_value"] = jax.numpy.asarray(given["padding_value"], x.dtype)
    return getattr(jax.lax, name)(x, *u, **given)


# ---- TensorFlow ----------------------------------------------------------------------------------------------------


def tensorflow_of(calls: tuple[Call, ...], to: str) -> Callable[..., Any]:
    """What `Conversion.to_tf` gives."""
    _check(calls, to, "tf")
    tensorflow = optional_module("tensorflow", "a function of TensorFlow")

    def slices(x: Any, *u: Any, **values: Any) -> Any:
        tensors = {name: tensorflow.cast(value, tensorflow.int64) for name, value in values.items()}
        for call in calls:
            x = _in_tensorflow(tensorflow, call, x, u, tensors)
        return x if calls else tensorflow.identity(x)

    return tensorflow.function(slices)  # type: ignore[no-any-return]


def _in_tensorflow(tensorflow: Any, call: Call, x: Any, u: tuple[Any, ...], values: dict[str, Any]) -> Any:
    def number(value: Value) -> Any:
        found = values[value.base] if isinstance(value.base, str) else value.base
        if value.clamp is not None:
            axis, most = value.clamp
            if axis is not None:
                most = tensorflow.shape(x, tensorflow.int64)[axis] - most
            found = tensorflow.maximum(tensorflow.minimum(tensorflow.cast(most, tensorflow.int64), found), 0)
        return found + value.offset

    def vector(argument: Any) -> Any:
        numbers = replaced(argument, number)
        if not isinstance(numbers, tuple) or not numbers:
            return numbers
        return tensorflow.stack([tensorflow.cast(one, tensorflow.int64) for one in numbers])

    static = call.function == "tf.squeeze"  # its axes must not be a tensor
    given = {name: list(argument) if static else vector(argument) for name, argument in call.given.items()}
    if call._row.update is not None:
        return tensorflow.raw_ops.TensorStridedSliceUpdate(input=x, value=u[0], **given)
    return getattr(tensorflow, call.function.partition(".")[2])(x, **given)
