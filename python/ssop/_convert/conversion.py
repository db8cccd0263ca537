"""Calls of one framework as calls of another, proved equal on every shape, or an error that says where they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ssop import _core
from ssop._convert.calls import Call, least_rank, program_of, read_calls, read_values
from ssop._convert.dtypes import check_dtype
from ssop._convert.entries import entry_of
from ssop._convert.errors import OP, ConversionError, conversion_error
from ssop._convert.functions import RankNeeded
from ssop._convert.moving import TRANSPOSES
from ssop._convert.offsets import says_itself
from ssop._convert.program import Axis, Program, erroneous_axis, inequality, input_order, lengths_of
from ssop._convert.proofs import Difference, Lengths, difference, valid_lengths
from ssop._convert.rules import INT64_MAX, Chain
from ssop._convert.runtime import write_run_time
from ssop._convert.runtime_proofs import RunTimeDifference
from ssop._convert.search import Refusal
from ssop._convert.shape import Shape, any_shape, dims_of, is_foreign, read_shape, shape_of
from ssop._convert.targets import TARGETS, Target, as_engine, entry_on, stages, with_known_dims
from ssop._convert.updates import check_region, check_target, is_update, parts_differ, update_chain, write_update
from ssop._convert.values import has_values
from ssop._convert.writing import write_chain
from ssop._core import SliceError
from ssop._errors import check_given, value_error


@dataclass(frozen=True)
class Conversion:
    """Calls of a target that are equal to the given ones on every shape; made by `ssop.convert`.

    `str()` gives statements in which `y` is the result on `x`; calling it runs the calls here, by the functions of this
    package, on an array of the shape (cv_c13). `certificate` has what `ssop.convert.verify` checks.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> result = ssop.convert(np.s_[-1, ::2], to="onnx", shape=["batch", 8])
    >>> print(result)
    y = Slice(x, starts=[-1, 0], ends=[9223372036854775807, 9223372036854775807], axes=[0, 1], steps=[1, 2])
    y = Squeeze(y, axes=[0])
    >>> result(np.arange(16).reshape(2, 8))
    array([ 8, 10, 12, 14])
    """

    __module__, __qualname__ = "ssop", "convert.Conversion"

    calls: tuple[Call, ...]
    source: tuple[Call, ...]
    to: str
    shape: Shape
    dtype: str | None = None

    def __call__(self, x: Any, u: Any = None, /, **values: Any) -> Any:
        """The result of the calls on an array; of an update, also on `u`. Run-time values are given by name."""
        numbers = read_values(values, {name for call in self.source + self.calls for name in call._names})
        check_given(OP, "x", x)
        if not is_foreign(x):
            x = _core.as_array(x)
        dims = dims_of(x)
        if dims is not None:
            self.shape.check(dims)
        for call in self.calls:
            x = call(x, u, **{name: numbers[name] for name in call._names})
        return x if self.calls else x.copy()

    def __str__(self) -> str:
        lines, operand = [], "x"
        for call in self.calls:
            lines += call._lines(operand)
            operand = "y"
        return "\n".join(lines) or "y = x"

    @property
    def certificate(self) -> dict[str, Any]:
        """The calls, the shape, and the relations that are equal, as data of JSON."""
        from ssop._convert.certificate import certificate_of

        return certificate_of(self.source, self.calls, self.to, self.shape)

    def to_onnx(self, dtype: Any = None, opset: int = 18) -> Any:
        """An ONNX model of the calls, from "x" to "y"; needs the package onnx, and `to="onnx"`.

        The dtype is that of the conversion, or float32, if none is given.
        """
        from ssop._convert.onnx_model import model_of

        return model_of(self.calls, self.to, self.shape, self.dtype or "float32" if dtype is None else dtype, opset)

    def to_stablehlo(self, dtype: Any = None) -> str:
        """A StableHLO program of the calls, as text; needs the package jax, `to="xla"`, and known dims.

        Run-time values are scalars of int64 behind the arrays. The dtype is as for `to_onnx`.
        """
        from ssop._convert.objects import stablehlo_of

        return stablehlo_of(self.calls, self.to, self.shape, self.dtype or "float32" if dtype is None else dtype)

    def to_tf(self) -> Callable[..., Any]:
        """A `tf.function` of x, of `u` for an update, and of run-time values by name; needs tensorflow, `to="tf"`."""
        from ssop._convert.objects import tensorflow_of

        return tensorflow_of(self.calls, self.to)


def convert_calls(
    calls: Any, to: str, shape: Any, assume: Mapping[Any, Any] | None, dtype: Any = None, check: str | None = None
) -> Conversion:
    """What `ssop.convert` does."""
    if check is not None and not (isinstance(check, str) and check == "runtime"):
        raise value_error(OP, "cv_c10", f"check is {check!r}, not None or 'runtime'", value=check)
    target = TARGETS.get(to) if isinstance(to, str) else None
    if target is None:
        raise value_error(OP, "cv_c1", f"to is {to!r}, not one of {', '.join(TARGETS)}", value=to)
    source = read_calls(calls)
    if is_update(source):
        check_target(to)
    at_run_time = any(call._names for call in source)
    most = target.abilities.most_at_run_time if at_run_time else target.abilities.most
    where, program = source_program(source, shape_of(calls, shape), assume, most)
    try:
        if is_update(source):
            call = _updated(program, to, where, check == "runtime")
            return Conversion((call,), source, to, where, None if dtype is None else check_dtype([call], to, dtype))
        return converted(source, target, to, where, program, dtype, check == "runtime")
    except ConversionError as error:
        if not says_itself(source, to):
            error.entry = entry_of(source, error.axis, len(where.lengths))
            raise
        return Conversion(source, source, to, where, None if dtype is None else check_dtype(source, to, dtype))


def converted(
    source: tuple[Call, ...],
    target: Target,
    to: str,
    where: Shape,
    program: Program,
    dtype: Any = None,
    clamps: bool = False,
) -> Conversion:
    """The calls of a target that are equal to a program, which is that of the source; with `clamps`, at run time."""
    order = input_order([axis.origin for axis in program.kept])
    in_order = program._replace(kept=tuple(program.kept[place] for place in order))
    written = [_written(axis, target, to, where, program, clamps) for axis in _in_order(in_order)]
    made = tuple(call for stage in stages(written) for call in target.write(stage))
    if not where.known_rank and _of_one_rank(made, len(where.lengths)):
        message = f"{made[0].function} has an entry for each axis: give a shape, of which any dims may be unknown"
        raise value_error(OP, "cv_c4", message)
    run_time = any(has_values(axis.chain) for axis in written)
    if to == "xla" and all(dim.known for dim in where.lengths) and not run_time:
        made = with_known_dims(made, [dim.least for dim in where.lengths])
    if order != sorted(order):
        function, name = TRANSPOSES[to]
        made += (Call(function, **{name: [order.index(place) for place in range(len(order))]}),)
    for rule in target.abilities.rules:
        unequal = inequality(
            program, program_of(as_engine(made, rule), len(where.lengths)), where.lengths, where.assumed
        )
        assert unequal is None, (made, unequal)  # what was proved by axis is proved of the calls that say it
    return Conversion(made, source, to, where, None if dtype is None else check_dtype(made, to, dtype))


def _of_one_rank(calls: Sequence[Call], rank: int) -> bool:
    """Whether calls that take operands of this rank take none of a greater one."""
    try:
        program_of(calls, rank + 1)
    except SliceError:
        return True
    return False


def source_program(
    calls: tuple[Call, ...],
    shape: Any,
    assume: Mapping[Any, Any] | None,
    most: int = INT64_MAX,
    others: Sequence[Call] = (),
) -> tuple[Shape, Program]:
    """The shape that is meant, with dims of at most `most`, and the program of calls on it, no error on some shape.

    Run-time values are those of the calls, and of `others`.
    """
    try:
        where = of_any_dims(calls) if shape is None else read_shape(shape)
    except RankNeeded as needed:
        raise value_error(OP, "cv_c4", f"{needed}: give a shape, of which any dims may be unknown") from None
    where = where.assuming(assume).at_most(most)
    where.check_assumed({name for call in (*calls, *others) for name in call._names})
    update = is_update(calls)
    program = program_of(calls, len(where.lengths), update)
    if update:
        check_region(program)
    erroneous = erroneous_axis(program, where.lengths, where.assumed)
    if erroneous is not None:
        message = f"the calls are an error on every shape {where}, by axis {erroneous}"
        raise value_error(OP, "cv_c5", message, axis=erroneous)
    return where, program


def of_any_dims(calls: Sequence[Call]) -> Shape:
    """Every shape that the calls can have by its rank."""
    rank = least_rank(calls)
    where = any_shape(rank)
    return where._replace(known_rank=_of_one_rank(calls, rank))


def _written(axis: Axis, target: Target, to: str, where: Shape, program: Program, clamps: bool) -> Axis:
    """The axis with the target's steps."""
    lengths = lengths_of(axis, where.lengths)
    if has_values(axis.chain):
        return _written_run_time(axis, target, to, where, clamps)
    if axis.origin is None and difference(axis.chain, (), lengths) is None:
        return Axis(None)
    chain = write_chain(axis.chain, target.abilities, lengths)
    if not isinstance(chain, Refusal):
        return Axis(axis.origin, chain)
    assert axis.origin is not None
    where_not = chain.where
    others = enumerate(where.lengths)
    example = tuple(
        _smallest(program.of(number), one) if number != axis.origin else where_not.smallest for number, one in others
    )
    reason = (
        f"axis {axis.origin}: no call of {to} is equal for every dim in {lengths}; the nearest is equal if "
        f"{where_not}, and differs on shape {example}"
    )
    pair = where_not.precondition
    precondition = None if pair is None else {axis.origin: pair}
    raise conversion_error("cv_c7", reason, axis=axis.origin, counterexample=example, precondition=precondition)


def _written_run_time(axis: Axis, target: Target, to: str, where: Shape, clamps: bool) -> Axis:
    """The axis with the target's steps, whose bounds are known at run time."""
    lengths = lengths_of(axis, where.lengths)
    chain = write_run_time(axis.chain, target.abilities, lengths, where.assumed, clamps)
    if not isinstance(chain, (Difference, RunTimeDifference)):
        return Axis(axis.origin, chain)
    number = -1 if axis.origin is None else axis.origin
    reason = f"axis {number}: no call of {to} is equal for every dim in {lengths} and all run-time values"
    values = chain.values if isinstance(chain, RunTimeDifference) else {}
    given = "".join(f" and {name} {value}" for name, value in values.items())
    reason += f"; the nearest is equal if {chain.text}, and differs for dim {chain.smallest}{given}"
    if not clamps:
        other = write_run_time(axis.chain, target.abilities, lengths, where.assumed, True)
        if _equal_more_often(other, chain):
            reason += '; check="runtime" clamps the start'
    precondition = chain.assumption(axis.origin) if isinstance(chain, RunTimeDifference) else None
    shape = tuple(chain.smallest if place == number else dim.least for place, dim in enumerate(where.lengths))
    raise conversion_error(
        "cv_c7", reason, axis=axis.origin, counterexample=shape, precondition=precondition, values=values
    )


def _equal_more_often(clamped: Chain | Difference | RunTimeDifference, other: Difference | RunTimeDifference) -> bool:
    """Whether a clamp makes calls equal, or equal in more cases: some targets do not read all values."""
    if isinstance(clamped, RunTimeDifference) and isinstance(other, RunTimeDifference):
        return clamped.size > other.size
    return not isinstance(clamped, (Difference, RunTimeDifference))


def _updated(program: Program, to: str, where: Shape, clamps: bool) -> Call:
    """The update of a target whose region is that of a program."""
    entries = []
    for number, axis in enumerate(program.kept):
        lengths = where.lengths[number]
        chain = update_chain(axis.chain, to, lengths, where, clamps)
        if isinstance(chain, (Difference, RunTimeDifference)):
            clamped = update_chain(axis.chain, to, lengths, where, True)
            hint = not clamps and not isinstance(clamped, (Difference, RunTimeDifference))
            raise _no_update(number, chain, to, where, hint)
        entries.append(entry_on(number, chain[0] if chain else None))
    call = write_update(entries, to)
    for rule in TARGETS[to].abilities.rules:
        read = program_of(as_engine((call,), rule), len(where.lengths), updates=True)
        unequal = inequality(program, read, where.lengths, where.assumed)
        assert unequal is None and not parts_differ(call, where, rule), (call, unequal)
    return call


def _no_update(
    axis: int, nearest: Difference | RunTimeDifference, to: str, where: Shape, hint: bool
) -> ConversionError:
    reason = f"axis {axis}: no update of {to} is equal for every dim in {where.lengths[axis]}"
    values = nearest.values if isinstance(nearest, RunTimeDifference) else {}
    given = "".join(f" and {name} {value}" for name, value in values.items())
    reason += f"; the nearest is equal if {nearest.text}, and differs for dim {nearest.smallest}{given}"
    reason += '; check="runtime" clamps the start' if hint else ""
    if isinstance(nearest, RunTimeDifference):
        precondition = nearest.assumption(axis)
    else:
        precondition = None if nearest.precondition is None else {axis: nearest.precondition}
    shape = tuple(nearest.smallest if place == axis else dim.least for place, dim in enumerate(where.lengths))
    return conversion_error("cv_c7", reason, axis=axis, counterexample=shape, precondition=precondition, values=values)


def _smallest(axis: Axis, lengths: Lengths) -> int:
    valid = valid_lengths(axis.chain, lengths)
    assert valid is not None
    return valid.least


def _in_order(program: Program) -> list[Axis]:
    """The axes of the result; a dropped one stands before the next axis of the input that is kept."""
    dropped = sorted((axis for axis in program.dropped if axis.origin is not None), key=lambda axis: axis.origin or 0)
    found: list[Axis] = []
    for axis in program.kept:
        while axis.origin is not None and dropped and (dropped[0].origin or 0) < axis.origin:
            found.append(dropped.pop(0))
        found.append(axis)
    return found + dropped
