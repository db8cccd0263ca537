"""`ssop.stablehlo.run`: the arguments, the evaluation and the results of a program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np

from ssop._errors import kind_of, type_error, value_error
from ssop._lazy import libraries
from ssop._xla.operands import as_operand_of
from ssop.stablehlo._parsing import OP, parse
from ssop.stablehlo._program import Function, Observer, Program, Step
from ssop.stablehlo._types import tensor_type

Array = np.ndarray[Any, Any]


class TracedValue(NamedTuple):
    """A value that an operation had while a program ran."""

    line: int | None
    """Of the text; None in a module that was not read from one."""
    operation: str
    """Its name, for example stablehlo.add."""
    name: str
    """As MLIR numbers the values of a function, for example %0; names that the text has are lost."""
    value: Any
    """An array; a tuple, of an operation that makes one."""


def run(program: Any, *arrays: Any, trace: bool = False, function: str | None = None) -> Any:
    """Run a StableHLO program.

    Parameters
    ----------
    program : str or jaxlib.mlir.ir.Module
    *arrays : array_like, one for each parameter of the function
        Arrays must have the dtype of the parameter; Python's numbers and lists take it, if nothing is lost.
    trace : bool
        True to get every intermediate value, too. Values inside of the computations of reduce, sort and
        the like are no part of it. All values stay in memory.
    function : str, optional
        The name of the function to run. By default main, or the only one that is not private.

    Returns
    -------
    numpy.ndarray : the result, a new array; or a tuple, if the number of results is not one.
        With trace, a pair: this, and a list of TracedValue in the order of the evaluation.

    Raises
    ------
    SliceError : `label` names the rule (hlo_*) in SPEC.md, or that of an operation of ssop.xla; the
        message has the operation and its line.

    Source: StableHLO's specification.

    Examples
    --------
    >>> import ssop
    >>> text = '''
    ... func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    ...   %0 = stablehlo.multiply %x, %y : tensor<3xf32>
    ...   %1 = stablehlo.add %0, %x : tensor<3xf32>
    ...   return %1 : tensor<3xf32>
    ... }'''
    >>> ssop.stablehlo.run(text, [1, 2, 3], [10, 20, 30])  # doctest: +SKIP
    array([11., 42., 93.], dtype=float32)
    """
    traced: list[TracedValue] = []

    def observe(step: Step, results: Sequence[Any]) -> None:
        # hlo_s4
        traced.extend([TracedValue(step.line, step.name, *pair) for pair in zip(step.names, results, strict=True)])

    results = evaluate(program, arrays, function, observe if trace else None)
    result = results[0] if len(results) == 1 else results
    return (result, traced) if trace else result


def evaluate(program: Any, arrays: Sequence[Any], function: str | None, observer: Observer | None) -> tuple[Any, ...]:
    """Return the results of a program; the observer is called after each operation."""
    module = parse(program)  # of which everything else is a part
    from ssop.stablehlo._operations import ROWS  # and with it everything that ssop.xla has

    found = Program(module, ROWS, observer).main(function)
    given = _arguments(found, arrays)
    results: list[Any] = []
    try:
        for x in found(*given):
            results.append(_own(x, results))
    except RecursionError as error:
        if _is_of_user(error):
            raise
    else:
        return tuple(results)
    limit = f"Python's limit of {sys.getrecursionlimit()} frames allows; sys.setrecursionlimit raises it"
    raise type_error(OP, "hlo_c4", f"@{found.name}: regions and calls are nested deeper than {limit}", value=found.name)


def _is_of_user(error: RecursionError) -> bool:
    """Whether a function that the user has registered was running."""
    from ssop.stablehlo._control import custom_call

    return any(frame.f_code is custom_call.__code__ for frame, _ in walk_tb(error.__traceback__))


def _own(x: Any, others: Sequence[Any]) -> Any:
    """The value, copied if it is an argument, a constant or another result."""
    if isinstance(x, tuple):
        return tuple([_own(item, others) for item in x])
    return np.array(x) if not x.flags.writeable or any([x is other for other in others]) else x


def _arguments(function: Function, given: Sequence[Any]) -> list[Array]:
    """The arguments as arrays of the dtypes and shapes that the function has (hlo_c7, hlo_c8)."""
    parameters = function.mlir.regions[0].blocks[0].arguments
    kinds = [tensor_type(x.type, f"@{function.name}") for x in parameters]
    if len(given) != len(kinds):
        wanted = f"{len(kinds)}: {', '.join(map(str, kinds))}" if kinds else "none"
        message = f"{len(given)} arrays are given, and @{function.name} takes {wanted}"
        raise type_error(OP, "hlo_c7", message, value=len(given))
    arrays = []
    for number, (x, kind) in enumerate(zip(given, kinds, strict=True)):
        name = f"array {number}"
        if libraries.stays(x):
            told = f"{name} is {kind_of(x, module=True)}, not a NumPy array; numpy.asarray(x) makes one of it"
            raise type_error(OP, "in_c7", told, value=x)
        array = as_operand_of(OP, name, x, kind.dtype)[...]
        if array.dtype != kind.dtype:
            message = f"{name} has dtype {array.dtype}, not {kind.dtype}; x.astype(..) converts it"
            raise type_error(OP, "hlo_c7", message, entry=number, value=array.dtype)
        pairs = zip(kind.shape, array.shape, strict=False)
        if array.ndim != len(kind.shape) or any([wanted not in (None, dim) for wanted, dim in pairs]):
            message = f"{name} has shape {array.shape}, and @{function.name} takes {kind}"
            raise value_error(OP, "hlo_c8", message, entry=number, value=array.shape)
        array.flags.writeable = False
        arrays.append(array)
    return arrays


run.__module__ = TracedValue.__module__ = "ssop.stablehlo"  # where users and pickles find them
