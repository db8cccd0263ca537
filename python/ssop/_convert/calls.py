"""Calls of frameworks' functions as values: read, checked, written in source code, and run here."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ssop import _core
from ssop._convert.errors import OP
from ssop._convert.functions import (
    ENGINE_RULES,
    FUNCTIONS,
    INDEX,
    INTEGER,
    INTEGER_OR_NONE,
    REQUIRED,
    VECTOR,
    VECTOR_OR_NONE,
    Function,
)
from ssop._convert.moving import MOVING, NUMBER, PAIRS, TRIPLES, WIDTHS, read_argument
from ssop._convert.offsets import OFFSET, read_offset
from ssop._convert.program import Entry, Program, whole
from ssop._convert.rules import taken
from ssop._convert.values import (
    NAMED_STRIDES,
    RUN_TIME_ARGUMENTS,
    STRIDES,
    Value,
    clamp_text,
    index_from_json,
    index_to_json,
    names_in,
    read_index,
    read_number,
    read_numbers,
    read_stride,
    replaced,
    text_of_index,
    values_in,
)
from ssop._core import SliceError
from ssop._errors import type_error, value_error
from ssop._sequences import plain
from ssop._spec import StridedSliceSpec

KNOWN = FUNCTIONS | MOVING
MAX_CALLS = 10_000
"""Calls, and lists of them, in what a user gives: one list that stands in another many times has any number."""


class Call:
    """One call of a framework's function, without its operand: immutable, hashable, comparable.

    Parameters
    ----------
    function : name of a framework and its function: "tf.strided_slice", "onnx.slice", "torch.narrow", ..
    arguments : the function's own, by name; vectors are sequences of integers, an `index` is NumPy's

    Raises
    ------
    SliceValueError : for a function that is not known (cv_c1), or a missing or an unknown argument (cv_c2)
    SliceTypeError, SliceOverflowError : for arguments that are no integers, or outside int64 (in_*)

    Examples
    --------
    >>> import numpy as np, ssop
    >>> call = ssop.convert.Call("onnx.slice", starts=[1], ends=[5], steps=[2])
    >>> print(call)
    Slice(x, starts=[1], ends=[5], steps=[2])
    >>> call(np.arange(5))
    array([1, 3])
    """

    __module__, __qualname__ = "ssop", "convert.Call"  # where users and pickles find it
    __slots__ = ("arguments", "function")
    function: str
    arguments: Mapping[str, Any]

    _KINDS: ClassVar[Mapping[str, str]] = {VECTOR: "integers", INTEGER: "an integer", INDEX: "a NumPy index"}

    def __init__(self, function: str, /, **arguments: Any) -> None:
        row = KNOWN.get(function) if isinstance(function, str) else None
        if row is None:
            message = f"{function!r} is no function that is known: {_resembling(function)}"
            raise value_error(OP, "cv_c1", message, value=function)
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "arguments", _read(function, row, arguments))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Call is immutable: cannot set {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Call):
            return NotImplemented
        return self.function == other.function and repr(self.arguments) == repr(other.arguments)  # 0, -0.0 and False

    def __hash__(self) -> int:
        return hash((self.function, repr(self.arguments)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.function, dict(self.arguments))

    def __repr__(self) -> str:
        given = "".join(f", {name}={_shown(replaced(value, str))}" for name, value in self.given.items())
        return f"Call({self.function!r}{given})"

    def __str__(self) -> str:
        return self._text("x")

    @property
    def given(self) -> dict[str, Any]:
        """The arguments that are not defaults."""
        parameters = self._row.parameters
        return {name: value for name, value in self.arguments.items() if value != parameters[name][1]}

    @property
    def _row(self) -> Function:
        return KNOWN[self.function]

    def _text(self, x: str) -> str:
        """The call in source code, with `x` as the name of its operand."""
        if self._row.lines is not None:
            return "; ".join(self._lines(x))
        if self.function.endswith(".index"):
            return x + text_of_index(self.arguments["index"])
        shown = _shown_as_int64 if self.function.startswith("tf.") and _wide(self.given) else _shown
        arguments = ", ".join(f"{name}={shown(value)}" for name, value in self.given.items())
        code = self._row.code
        if self.arguments.get(OFFSET):  # which TensorFlow does not have: the operator by its own name
            code = code.replace("tf.", "tfl.", 1)
        return code.format(x=x, arguments=arguments).replace(", )", ")")

    def _lines(self, x: str) -> list[str]:
        """The statement that assigns the result to `y`, after those that clamp its run-time values."""
        lines: list[str] = []
        framework = self.function.partition(".")[0]
        variables: dict[tuple[Any, Any], str] = {}

        def variable(value: Value) -> Value:
            if value.clamp is None:
                return value
            key = value.base, value.clamp
            if key not in variables:
                taken = {*variables.values(), *self._names}
                variables[key] = next(name for k in itertools.count() if (name := f"start{k}") not in taken)
                lines.append(f"{variables[key]} = {clamp_text(framework, value, x)}")
            return Value(variables[key], value.offset)

        arguments = {name: replaced(argument, variable) for name, argument in self.arguments.items()}
        if self._row.lines is not None:
            return [*lines, *self._row.lines(x, arguments)]  # `lines` is filled by now
        call = self if not lines else Call(self.function, **arguments)
        return [*lines, f"y = {call._text(x)}"]

    def _entries(self, rank: int | None) -> list[Entry]:
        """What it does to the axes of an operand of this rank; raises `RankNeeded`, or the error of the call."""
        found = self._row.entries(rank, self.arguments)
        for axis, step in found:
            for value in () if step is None else values_in((step.begin, step.end)):
                if value.clamp is not None and value.clamp.axis not in (None, axis):
                    message = f"a bound of axis {axis} is clamped to x.shape[{value.clamp.axis}]"
                    raise value_error(OP, "cv_c10", message, axis=axis)
        if rank is not None:
            behind = max((entry.axis for entry in found if entry.axis is not None), default=-1) + 1
            found += [Entry(axis) for axis in range(behind, rank)]
        return found

    def _to_json(self) -> dict[str, Any]:
        """The call as data of JSON; `call_from_json` reads it."""
        kinds = {name: kind for name, (kind, _) in self._row.parameters.items()}
        values = {
            name: index_to_json(x) if kinds[name] == INDEX else replaced(x, str) for name, x in self.given.items()
        }
        return {"function": self.function, "arguments": values}

    @property
    def _names(self) -> set[str]:
        """The names of its run-time values."""
        return names_in(tuple(self.arguments.values()))

    def __call__(self, x: Any, u: Any = None, /, **values: Any) -> Any:
        """The result of the call on an array, by the function of this package that has the same rules.

        An update replaces its region by `u`. Run-time values are given by name.
        """
        numbers = read_values(values, self._names)
        arguments: Mapping[str, Any] = self.arguments
        if any(values_in(tuple(arguments.values()))):
            arguments = self._at(numbers, np.shape(x))
        if u is None:
            return self._row.run(x, arguments)
        if self._row.update is None:
            raise value_error(OP, "cv_c15", f"{self.function} is no update, and takes one array")
        self._check_update(x, u, arguments)
        return self._row.update(x, u, {name: value for name, value in arguments.items() if name != "engine"})

    def _check_update(self, x: Any, u: Any, arguments: Mapping[str, Any]) -> None:
        """An error unless `u` has the shape of the region and the dtype of the operand."""
        dims = np.shape(x)
        program = program_of([Call(self.function, **arguments)], len(dims), updates=True)
        regions = [taken(chain, dims[origin or 0]) for origin, chain in program.kept]
        for region in regions:
            if isinstance(region, SliceError):
                raise region
        shape = tuple(region[1] for region in regions if not isinstance(region, SliceError))
        if np.shape(u) != shape or np.asarray(u).dtype != np.asarray(x).dtype:
            given = f"u has shape {np.shape(u)} and dtype {np.asarray(u).dtype}"
            raise value_error(OP, "cv_c15", f"{given}, the region {shape} and {np.asarray(x).dtype}")

    def _at(self, numbers: Mapping[str, int], shape: tuple[int, ...]) -> dict[str, Any]:
        """The arguments with numbers for values, on an operand of this shape."""

        def number(value: Value) -> int:
            return value.at(numbers, shape)

        return {name: replaced(argument, number) for name, argument in self.arguments.items()}


def _resembling(function: object) -> str:
    """The known functions of the same framework, or else the frameworks."""
    framework = function.partition(".")[0] if isinstance(function, str) else ""
    own = [name for name in KNOWN if name.partition(".")[0] == framework]
    frameworks = dict.fromkeys(name.partition(".")[0] for name in KNOWN)
    return f"those of {framework} are {', '.join(own)}" if own else f"there are those of {', '.join(frameworks)}"


def read_values(values: Mapping[str, Any], names: set[str]) -> dict[str, int]:
    """The numbers of run-time values, of which each name is given."""
    if values.keys() != names:
        message = f"the run-time values are {', '.join(sorted(names)) or 'none'}, not {', '.join(values) or 'none'}"
        raise value_error(OP, "cv_c10", message)
    return {name: _core.read_integers(OP, name, [value])[0] for name, value in values.items()}


def call_from_json(data: Any) -> Call:
    """A call from data of JSON, which may be anything."""
    if not (isinstance(data, Mapping) and isinstance(data.get("arguments"), Mapping)):
        raise value_error(OP, "cv_c8", "a call has a function and arguments")
    function = str(data.get("function"))
    row = KNOWN.get(function)
    values = {
        str(name): index_from_json(value) if row and row.parameters.get(name, ("",))[0] == INDEX else value
        for name, value in data["arguments"].items()
    }
    return Call(function, **values)


def _remade(function: str, arguments: dict[str, Any]) -> Call:
    return Call(function, **arguments)


def _shown(value: Any) -> str:
    return str(list(value)) if isinstance(value, tuple) else repr(value)


def _wide(arguments: Mapping[str, Any]) -> bool:
    """Whether a number is outside int32: TensorFlow cuts it to 32 bits if another list has small numbers alone."""
    numbers = [x for value in arguments.values() if isinstance(value, tuple) for x in value]
    return all(isinstance(x, int) for x in numbers) and any(not -(2**31) <= x < 2**31 for x in numbers)


def _shown_as_int64(value: Any) -> str:
    return f"tf.constant({_shown(value)}, tf.int64)" if isinstance(value, tuple) else _shown(value)


def _read(function: str, row: Function, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = [name for name in arguments if name not in row.parameters]
    missing = [name for name, (_, default) in row.parameters.items() if default is REQUIRED and name not in arguments]
    if unknown or missing:
        what = f"{function} has no argument {unknown[0]!r}" if unknown else f"{function} needs {missing[0]!r}"
        raise value_error(OP, "cv_c2", f"{what}: its arguments are {', '.join(row.parameters)}")
    return {
        name: _argument(function, name, kind, arguments.get(name, default))
        for name, (kind, default) in row.parameters.items()
    }


def _argument(function: str, name: str, kind: str, value: Any) -> Any:
    if kind == INDEX:
        index = _index(value)
        strides = [item.step for item in index if isinstance(item, builtins.slice)]
        _check_strides(function, name, strides)
        return index
    if value is None and kind in (VECTOR_OR_NONE, INTEGER_OR_NONE):
        return None
    if name in STRIDES:
        strides = plain(value) if isinstance(value, (list, tuple)) else [value]
        named = any(isinstance(stride, (str, Value)) for stride in strides)
        if named and function in NAMED_STRIDES:
            return tuple(read_stride(name, stride) for stride in strides)
        _check_strides(function, name, strides)
    if name in RUN_TIME_ARGUMENTS and kind in (VECTOR, VECTOR_OR_NONE):
        return read_numbers(name, value)
    if name in RUN_TIME_ARGUMENTS and kind in (INTEGER, INTEGER_OR_NONE):
        return read_number(name, value)
    if kind in (VECTOR, VECTOR_OR_NONE):
        return tuple(_core.read_integers(OP, name, value))
    if kind in (PAIRS, TRIPLES, WIDTHS, NUMBER):
        return read_argument(name, kind, value)
    if kind == OFFSET:
        return read_offset(value)
    if kind == "engine":
        if value not in ENGINE_RULES:
            raise value_error(OP, "cv_c2", f"engine is {value!r}, not one of {', '.join(ENGINE_RULES)}", value=value)
        return value
    return _core.read_integers(OP, name, [value])[0]


def _check_strides(function: str, name: str, strides: Iterable[Any]) -> None:
    """An error for a stride that is a name, of a function whose strides are constants."""
    named = next((stride for stride in strides if isinstance(stride, (str, Value))), None)
    if named is not None and function not in NAMED_STRIDES:
        message = f"stride unknown: {name} has the name {str(named)!r}, and strides of {function} are constants"
        raise value_error(OP, "cv_c10", message, value=str(named))


def _index(index: Any) -> Any:
    """The index with integers and slices of integers, and nothing else of the user's."""
    spec, (begins, ends, strides) = read_index(index)
    items: list[Any] = []
    for entry in range(len(spec.begin)):
        if spec.new_axis_mask >> entry & 1:
            items.append(None)
        elif spec.ellipsis_mask >> entry & 1:
            items.append(Ellipsis)
        elif spec.shrink_axis_mask >> entry & 1:
            items.append(begins[entry])
        else:
            begin = None if spec.begin_mask >> entry & 1 else begins[entry]
            end = None if spec.end_mask >> entry & 1 else ends[entry]
            stride = strides[entry]
            items.append(builtins.slice(begin, end, None if stride == 1 else stride))
    return tuple(items)


def read_calls(calls: Any) -> tuple[Call, ...]:
    """What a user gives: a call, several one after the other, a spec, or a NumPy index."""
    found: list[Call] = []
    behind, count = [calls], 0  # a stack: lists may hold themselves
    while behind:
        one = _once_read(behind.pop())
        if isinstance(one, Call):
            found.append(one)
            continue
        count += len(one)
        if count > MAX_CALLS:
            raise type_error(OP, "cv_c3", f"calls are more than {MAX_CALLS}, in lists of lists perhaps", value=calls)
        behind += reversed(one)
    return tuple(found)


def _once_read(calls: Any) -> Call | Sequence[Any]:
    """A call, or what is to be read in its place, in order."""
    if isinstance(calls, Call):
        return calls
    calls = plain(calls)
    if isinstance(calls, list) and all(isinstance(one, int) for one in calls):
        what = "a list of integers, which are an array of indices to NumPy" if calls else "an empty list"
        message = f"calls is {what}; calls are a slice such as np.s_[1:5], Calls, or a list of these"
        raise type_error(OP, "cv_c3", message, value=calls)
    if isinstance(calls, str) and not calls.isidentifier() and not any(map(calls.__contains__, "+-()")):
        message = f"calls is the text {calls!r}; calls are a slice such as np.s_[1:5], Calls, or a list of these"
        raise type_error(OP, "cv_c3", message, value=calls)
    if (isinstance(calls, list) and calls) or (isinstance(calls, tuple) and any(isinstance(x, Call) for x in calls)):
        return calls
    if isinstance(calls, StridedSliceSpec):
        return Call("tf.strided_slice", **{name: getattr(calls, name) for name in StridedSliceSpec.__slots__})
    own = getattr(calls, "calls", None)  # a Conversion, or a node that `ssop.inspect` read
    if isinstance(own, tuple):
        return (own,)
    if isinstance(calls, Mapping):
        message = 'calls is a dict, which does not say whose function it calls: Call("tf.strided_slice", **arguments)'
        raise type_error(OP, "cv_c3", message, value=calls)
    return Call("numpy.index", index=calls)


def program_of(calls: Sequence[Call], rank: int, updates: bool = False) -> Program:
    """The program of calls on an operand of this rank; with `updates`, that which reads the region of an update."""
    program = whole(rank)
    for call in calls:
        if call._row.update is not None and not (updates and len(calls) == 1):
            raise value_error(OP, "cv_c15", f"{call.function} is an update, and stands alone")
        program = program.then(call._entries(len(program.kept)))
    return program


def least_rank(calls: Sequence[Call]) -> int:
    """The smallest rank that the calls can have; raises `RankNeeded` where their meaning depends on it."""
    kept = 0  # axes of the operand that are counted so far are whole behind each call
    needed = 0
    for call in calls:
        found = call._entries(None)
        used = sum(entry.axis is not None for entry in found)
        if used > kept:
            needed += used - kept
            kept = used
        kept += sum(entry.axis is None for entry in found) - sum(entry.drops for entry in found)
    return needed
