"""Computations: the functions that users give to Reduce, Sort, Map, While, .., and the one way they are called."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ssop import _core
from ssop._errors import dtype_or_none, kind_of, type_error, value_error
from ssop._sequences import plain
from ssop._vectors import MAX_ITEMS
from ssop._xla.operands import as_operand
from ssop._xla.types import check_kind, human_string, kind

Array: TypeAlias = np.ndarray[Any, Any]
Value: TypeAlias = Any
"""An array, or a tuple of values."""


MAX_ELEMENTS = 2**16
MAX_LEVELS = 32


# ---- types of values -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Type:
    """The type of an array; that of a tuple is the tuple of the types of its elements.

    >>> str(Type((2, 3), np.dtype("i4")))
    's32[2,3]'
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return human_string(self.dtype, self.shape)


PREDICATE = Type((), np.dtype(bool))


def type_of(value: Value) -> Any:
    """Return the type of a value."""
    if isinstance(value, tuple):
        return tuple([type_of(item) for item in value])
    return Type(value.shape, value.dtype)


def text(types: Any) -> str:
    """Return a type as XLA's messages write it.

    >>> text((Type((), np.dtype("i4")), (Type((10,), np.dtype("f4")),)))
    '(s32[], (f32[10]))'
    """
    return str(types) if isinstance(types, Type) else f"({', '.join([text(item) for item in types])})"


def read_type(op: str, name: str, x: Any) -> Any:
    """Return the type that is given by an array, a pair (shape, dtype), or a tuple of these (cm_c7, cm_c8)."""
    return _read_type(op, name, x, Budget())


def _read_type(op: str, name: str, x: Any, budget: Budget) -> Any:
    if isinstance(x, tuple):
        given = plain(x)
        if len(given) == 2 and isinstance(given[1], (type, str, np.dtype)):
            return _typed(op, name, *given)
        within = budget.spend(op, name, len(given))
        return tuple([_read_type(op, f"{name}[{number}]", item, within) for number, item in enumerate(given)])
    if not isinstance(x, type) and hasattr(x, "shape") and hasattr(x, "dtype"):
        return _typed(op, name, x.shape, x.dtype)
    message = f"{name} is {kind_of(x)}, not an array, a pair (shape, dtype) or a tuple of these"
    raise type_error(op, "cm_c7", message, value=x)


def _typed(op: str, name: str, shape: Any, dtype: Any) -> Type:
    found = dtype_or_none(dtype)
    if found is None:
        raise type_error(op, "cm_c7", f"{name} has {kind_of(dtype)} for a dtype, not one of NumPy's", value=dtype)
    check_kind(op, name, found)
    return Type(_core.read_shape(op, f"{name}.shape", shape), found.newbyteorder("="))


class Budget:
    """Ends values that have too many elements or levels, such as tuples that hold the same tuples again and again."""

    def __init__(self, elements: list[int] | None = None, levels: int = MAX_LEVELS) -> None:
        self.elements = [MAX_ELEMENTS] if elements is None else elements  # shared by all levels
        self.levels = levels

    def spend(self, op: str, name: str, count: int) -> Budget:
        """Take the elements of a tuple, and return what is left for the tuples in it."""
        self.elements[0] -= count
        if self.elements[0] < 0 or not self.levels:
            message = f"{name} has more than {MAX_ELEMENTS} elements, or tuples in more than {MAX_LEVELS} levels"
            raise value_error(op, "cm_c8", message)
        return Budget(self.elements, self.levels - 1)


# ---- values ----------------------------------------------------------------------------------------------------------


def as_value(op: str, name: str, x: Any) -> Value:
    """Return an argument as read-only arrays in native byte order, in tuples where `x` has tuples (cm_s2)."""
    return _as_value(op, name, x, Budget())


def _as_value(op: str, name: str, x: Any, budget: Budget) -> Value:
    if not isinstance(x, tuple):
        return read_only(as_operand(op, name, x))
    given = plain(x)
    within = budget.spend(op, name, len(given))
    return tuple([_as_value(op, f"{name}[{number}]", item, within) for number, item in enumerate(given)])


def new_value(value: Value) -> Value:
    """Return a value with new arrays."""
    if isinstance(value, tuple):
        return tuple([new_value(item) for item in value])
    return np.array(value, order="C")


def read_only(value: Value) -> Value:
    """Return a value of the same elements that computations cannot write (cm_s2)."""
    if isinstance(value, tuple):
        return tuple([read_only(item) for item in value])
    view = value[...]
    view.flags.writeable = False
    return view


def _result_value(op: str, parameter: str, result: Any, like: Any, budget: Budget) -> Value:
    """Return what a computation returned, with new arrays. Python's numbers take the dtype of `like` (cm_s3)."""
    if isinstance(result, tuple) or (isinstance(result, list) and isinstance(like, tuple)):
        given = plain(result)
        within = budget.spend(op, f"the result of {parameter}", len(given))
        types = like if isinstance(like, tuple) and len(like) == len(given) else (None,) * len(given)
        return tuple([_result_value(op, parameter, item, of, within) for item, of in zip(given, types, strict=True)])
    return _result_array(op, parameter, result, like.dtype if isinstance(like, Type) else None)


def _result_array(op: str, parameter: str, result: Any, dtype: np.dtype[Any] | None) -> Array:
    if result is None:
        raise type_error(op, "cm_c3", f"{parameter} returned None, not an array or a tuple of arrays")
    if dtype is not None and type(result) in (bool, int, float, complex):
        number: Array = _core.convert_value(op, f"the result of {parameter}", result, dtype)
        return number
    array = np.array(_core.as_array(result), order="C")
    check_kind(op, f"the result of {parameter}", array.dtype)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


# ---- computations ----------------------------------------------------------------------------------------------------


class Computation:
    """A function whose types are checked once, when it is built, as XLA checks those of a computation.

    Parameters
    ----------
    f : callable
        It is called once with zeros of the shapes.
    *shapes : one for each argument of f: an array, anything else with `shape` and `dtype`, or a pair (shape, dtype)
        A tuple of these is the shape of a tuple.

    Returns
    -------
    Computation : callable on values of these types. Its attributes `parameters` and `result` are the types of the
        arguments, and of what f returns: each has `shape` and `dtype`, or is a tuple of such types.

    Raises
    ------
    SliceError : `label` names the rule (cm_*) in SPEC.md. So does a call with arguments of other types.

    Source: XLA's XlaBuilder::Build and ProgramShape.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> twice = ssop.xla.Computation(lambda x: x + x, ((3,), np.float32))
    >>> twice
    Computation(<lambda>: (f32[3]) -> f32[3])
    >>> twice(np.ones(3, np.float32))
    array([2., 2., 2.], dtype=float32)
    """

    def __init__(self, f: Callable[..., Any], *shapes: Any) -> None:
        op = "xla.Computation"
        check_callable(op, "f", f)
        self.f = f
        self.parameters = tuple([read_type(op, f"shapes[{number}]", x) for number, x in enumerate(shapes)])
        check_arity(op, "f", f, len(shapes), "The computation must take {wanted} parameters, but takes {given}.")
        self.result = type_of(_evaluate(op, "f", f, [_zeros(x) for x in self.parameters], None))

    def __call__(self, *arguments: Any) -> Value:
        op = "xla.Computation"
        values = [as_value(op, f"argument {number}", x) for number, x in enumerate(arguments)]
        check_arguments(op, "f", self, [type_of(x) for x in values], CALL)
        return call_values(op, "f", self, values)

    def __repr__(self) -> str:
        name = getattr(self.f, "__name__", type(self.f).__name__)
        return f"{type(self).__name__}({name}: {self.signature})"

    @property
    def signature(self) -> str:
        """The types, as XLA's messages write them: `(s32[]) -> pred[]`."""
        return f"{text(self.parameters)} -> {text(self.result)}"


def _zeros(types: Any) -> Value:
    if isinstance(types, tuple):
        return tuple([_zeros(item) for item in types])
    return np.zeros(types.shape, types.dtype)


class Words(NamedTuple):
    """What XLA says of an operation's computation; {wanted}, {given} and {index} are filled in."""

    arity: str
    parameter: str
    results: str = ""
    scalar: str = ""
    dtype: str = ""


CALL = Words(
    "Call applied function arity must match number of arguments; got: arity: {given}, arguments: {wanted}.",
    "Call parameter must match argument; got parameter {index} shape: {given}, argument shape: {wanted}.",
)

REDUCTION = Words(
    "Reduction function must take {wanted} parameters, but takes {given} parameter(s).",
    "Reduction function's {index}-th parameter shape differs from the input type element type: {given} vs {wanted}",
    "Reduction function must produce a tuple with {wanted} elements, but has {given} elements",
    "Reduction function must return a scalar or tuple of scalars but returns shape: {given}",
    "Reduction function's {index}-th parameter shape differs from the result shape: {wanted} vs {given}",
)
SELECTION = Words(
    "Select function must take {wanted} parameters, but takes {given} parameter(s).",
    "Select function's parameter {index} shape currently must match the operand element shape, but got "
    "{given} vs {wanted}",
    "Select function must have rank-0 PRED result.",
    "Select function must have rank-0 PRED result.",
    "Select function must have rank-0 PRED result.",
)
COMPARATOR = Words(
    "Called computation of sort, expected parameters count {wanted}, but got {given}",
    "Expected the {index}-th parameter of the compare computation of sort to have shape {wanted}, but got {given}",
    "The Sort compare computation shape does not lead to a scalar predicate shape: {given}",
    "The Sort compare computation shape does not lead to a scalar predicate shape: {given}",
    "The Sort compare computation shape does not lead to a scalar predicate shape: {given}",
)
MAP = Words(
    "Map applied function arity must match number of arguments; got: arity: {given}, arguments: {wanted}.",
    "Mapped computation's parameter type has to match argument element type; got parameter {index} shape: {given}, "
    "argument shape: {wanted}.",
    "Mapped computation's result has to be a scalar; got: a tuple with {given} elements.",
    "Mapped computation's result has to be a scalar; got: {given}.",
)


def check_callable(op: str, parameter: str, computation: Any) -> None:
    """Raise for what is no computation (cm_c1)."""
    if not callable(computation):
        message = f"{parameter} is {kind_of(computation)}, not callable"
        raise type_error(op, "cm_c1", message, value=computation)


def check_arity(op: str, parameter: str, computation: Any, wanted: int, words: str) -> None:
    """Raise if a computation cannot be called with so many arguments, as far as it tells (cm_c2)."""
    least, most = _arity(computation)
    if least <= wanted <= most:
        return
    given = least if wanted < least else most
    told = words.format(wanted=wanted, given=given)
    raise type_error(op, "cm_c2", f"{parameter} takes {given} arguments, not {wanted}: {told}", value=given)


def _arity(computation: Any) -> tuple[int, int]:
    """The least and the greatest number of arguments; of functions of C without a signature, any."""
    if isinstance(computation, Computation):
        return (len(computation.parameters),) * 2
    if isinstance(computation, np.ufunc):
        return (computation.nin,) * 2  # further ones would be out=
    try:
        parameters = list(inspect.signature(computation).parameters.values())
    except (TypeError, ValueError):
        return (0, MAX_ITEMS)
    places = [x for x in parameters if x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD)]
    least = len([x for x in places if x.default is x.empty])
    return (least, MAX_ITEMS if any([x.kind is x.VAR_POSITIONAL for x in parameters]) else len(places))


def check_arguments(op: str, parameter: str, computation: Any, types: Sequence[Any], words: Words) -> None:
    """Raise if a computation cannot take arguments of these types (cm_c1, cm_c2, cm_c6)."""
    check_callable(op, parameter, computation)
    check_arity(op, parameter, computation, len(types), words.arity)
    if isinstance(computation, Computation):
        for index, (given, wanted) in enumerate(zip(computation.parameters, types, strict=True)):
            if given != wanted:
                told = words.parameter.format(index=index, given=text(given), wanted=text(wanted))
                message = f"argument {index} of {parameter} is {text(wanted)}, and its parameter {text(given)}: {told}"
                raise type_error(op, "cm_c6", message, value=text(wanted))


# ---- calls -----------------------------------------------------------------------------------------------------------


def call_values(op: str, parameter: str, computation: Any, values: Sequence[Value], like: Any = None) -> Value:
    """Call a computation whose arguments are checked, and return its value with new arrays, also in tuples.

    `like` is the type that is expected, where there is one. Others are not errors here: the operation has its words.
    """
    if not isinstance(computation, Computation):
        return _evaluate(op, parameter, computation, values, like)
    value = _evaluate(op, parameter, computation.f, values, computation.result)
    if (given := type_of(value)) != computation.result:
        message = f"{parameter} returned {text(given)}, not {text(computation.result)} as when it was built"
        raise type_error(op, "cm_c5", message, value=text(given))
    return value


def _evaluate(op: str, parameter: str, f: Callable[..., Any], values: Sequence[Value], like: Any) -> Value:
    with np.errstate(all="ignore"):
        result = f(*[read_only(value) for value in values])
    return _result_value(op, parameter, result, like, Budget())


def apply(
    op: str,
    parameter: str,
    computation: Any,
    arrays: Sequence[Array],
    dtypes: Sequence[np.dtype[Any] | None],
    words: Words,
    static: Sequence[Value] = (),
) -> list[Array]:
    """Return the results of a computation on scalars for all elements of arrays of one shape, as new arrays (cm_s1).

    It is called with read-only arrays of one axis. It is called with the scalars of each element instead:

    - if its results are not arrays of that length and of the dtypes,
    - if they differ from those for the first or the last element alone,
    - if it raises TypeError or ValueError, as `if x > y:` does.

    Parameters
    ----------
    arrays : one for each argument, of one shape, in native byte order
    dtypes : those of the results; None for any
    static : further arguments, which are the same for all elements
    """
    shape = arrays[0].shape
    scalars = [Type((), x.dtype) for x in arrays]
    check_arguments(op, parameter, computation, [*scalars, *map(type_of, static)], words)
    f = computation.f if isinstance(computation, Computation) else computation
    flat = [read_only(x.reshape(-1)) for x in arrays]
    with np.errstate(all="ignore"):
        results = _all_at_once(f, flat, dtypes, static)
        if results is None:
            results = _one_by_one(_Elements(op, parameter, f, dtypes, words), flat, static)
    return [x.reshape(shape) for x in results]


def _listed(given: Any) -> Any:
    """What a computation returned, as a list or tuple: of one result, it need not be one."""
    return plain(given) if isinstance(given, (tuple, list)) else (given,)


def _all_at_once(
    f: Callable[..., Any], arrays: Sequence[Array], dtypes: Sequence[np.dtype[Any] | None], static: Sequence[Value]
) -> list[Array] | None:
    """The results of one call, if that gives what calls for each element would give."""
    if arrays[0].size < 2:
        return None
    try:
        given = f(*arrays, *static)
    except (TypeError, ValueError):
        return None
    results = _listed(given)
    if len(results) != len(dtypes):
        return None
    if not all([hasattr(x, "dtype") for x in results]):
        return None
    found = [np.array(_core.as_array(x)) for x in results]
    for x, dtype in zip(found, dtypes, strict=True):
        if x.shape != arrays[0].shape or kind(x.dtype) is None or not x.dtype.isnative or dtype not in (None, x.dtype):
            return None
    is_known = getattr(f, "_is_elementwise", False)  # of regions of a program
    return found if is_known or _is_elementwise(f, arrays, found, static) else None


def _is_elementwise(
    f: Callable[..., Any], arrays: Sequence[Array], found: Sequence[Array], static: Sequence[Value]
) -> bool:
    """Whether the first and the last result are what the function gives for these elements alone.

    They are not for `x - x.mean()`. Functions that take no scalars are taken to be right.
    """
    for place in (0, -1):
        try:
            given = f(*[x[place] for x in arrays], *static)
        except (TypeError, ValueError, IndexError, AttributeError):
            continue
        results = _listed(given)
        if len(results) != len(found):
            return False
        if not all([_is_near(x, whole[place]) for x, whole in zip(results, found, strict=True)]):
            return False
    return True


def _is_near(x: Any, y: Any) -> bool:
    """Whether two numbers are equal but for how a processor's scalar and vector instructions round them."""
    array = _core.as_array(x)
    if array.size != 1 or kind(array.dtype) is None:
        return False
    x = array.reshape(())[()]
    if x == y or (x != x and y != y):
        return True
    if kind(array.dtype) not in ("float", "complex"):
        return False
    one, other = complex(x), complex(y)
    return abs(one - other) <= 1e-3 * abs(other) < math.inf


class _Elements(NamedTuple):
    """A computation that is called for each element."""

    op: str
    parameter: str
    f: Callable[..., Any]
    dtypes: Sequence[np.dtype[Any] | None]
    words: Words

    def call(self, scalars: Sequence[Any], static: Sequence[Value]) -> list[Any]:
        """The results, each an array without axes, a scalar of NumPy's, or a Python number of unknown dtype."""
        given = self.f(*scalars, *static)
        results = _listed(given)
        if len(results) != len(self.dtypes):
            told = self.words.results.format(wanted=len(self.dtypes), given=len(results))
            message = f"{self.parameter} returned {len(results)} results, not {len(self.dtypes)}: {told}"
            raise type_error(self.op, "cm_c3", message, value=len(results))
        return [self.check(index, x) for index, x in enumerate(results)]

    def check(self, index: int, result: Any) -> Any:
        dtype = self.dtypes[index]
        if dtype is None and type(result) in (bool, int, float, complex):
            return result
        if isinstance(result, np.generic) and dtype in (None, result.dtype):  # nearly all
            return result
        array = _result_array(self.op, self.parameter, result, dtype)
        given = Type(array.shape, array.dtype)
        if array.ndim:
            told = self.words.scalar.format(given=given)
            message = f"{self.parameter} returned an array of shape {array.shape}, not a scalar: {told}"
            raise value_error(self.op, "cm_c4", message, value=array.shape)
        if dtype is not None and array.dtype != dtype:
            told = self.words.dtype.format(index=index, given=given, wanted=Type((), dtype))
            message = f"{self.parameter} returned dtype {array.dtype}, not {dtype}: {told}"
            raise type_error(self.op, "cm_c5", message, value=array.dtype)
        return array


def _one_by_one(elements: _Elements, arrays: Sequence[Array], static: Sequence[Value]) -> list[Array]:
    size = arrays[0].size
    if not size:  # one call with zeros has the types
        results = _one_by_one(elements, [np.zeros(1, x.dtype) for x in arrays], static)
        return [x[:0] for x in results]
    columns: list[Any] = [[] if dtype is None else np.empty(size, dtype) for dtype in elements.dtypes]
    for place, scalars in enumerate(zip(*arrays, strict=True)):
        for column, result in zip(columns, elements.call(scalars, static), strict=True):
            if isinstance(column, list):
                column.append(result)
            else:
                column[place] = result
    return [_column(elements, x) if isinstance(x, list) else x for x in columns]


def _column(elements: _Elements, results: list[Any]) -> Array:
    """The results as an array: of the dtype of those that have one, which must be the same (cm_c5)."""
    dtypes = list(dict.fromkeys([x.dtype for x in results if hasattr(x, "dtype")]))
    if len(dtypes) > 1:
        message = f"{elements.parameter} returned dtypes {dtypes[0]} and {dtypes[1]} for elements of one array"
        raise type_error(elements.op, "cm_c5", message, value=dtypes[1])
    dtype = dtypes[0] if dtypes else _core.as_array(results).dtype
    check_kind(elements.op, f"the result of {elements.parameter}", dtype)
    column = np.empty(len(results), dtype)
    for place, x in enumerate(results):
        column[place] = x if hasattr(x, "dtype") else _result_array(elements.op, elements.parameter, x, dtype)
    return column


Computation.__module__ = "ssop.xla"  # where users and pickles find it
